"""The test that says when a match is decided.

The test is a bet (Waudby-Smith and Ramdas, Estimating means of bounded random variables by betting, J. R. Stat. Soc. B
86, 2024; the bound is Ville's, 1939). Capital 1 is put on "the expected score is above the demanded one": each game
multiplies it by 1 + stake * (score - demanded), with a score of 0, 0.5 or 1. If the expected score is no more than
demanded, the capital is not expected to grow, and ever reaches 20 in one match out of 20 at most: it may be looked at
after every pair of games, and draws need no model. A second capital is put on the opposite.

- *reached*: the first capital came to 20. The hypothesis "no more than demanded" is refused; wrong in 5 % at most.
- *missed*: the second came to 20. The hypothesis "no less than demanded" is refused; wrong in 5 % at most.
- *open*: neither, as far as was played.

Seats alternate, and a pair of games, one from each seat, has one stake: one seat may be better than the other, for by
the inequality of the means the pair is still not expected to win. The stake may be any that follows from the games
before: it is the best one for their mean score, with *hoped* counting for as much as `PRIOR` games (and the score as
far below the demanded one for the second capital).
"""

from __future__ import annotations

ERROR = 0.05
"""The probability, at most, of each kind of wrong decision."""
PRIOR = 40
"""Games for which the score that is hoped for counts."""
LEAST = 0.05
"""The least stake, of that for the score that is hoped for."""


class Bet:
    """The two capitals of one match."""

    def __init__(self, demanded: float, hoped: float) -> None:
        self.demanded = demanded
        self._gain = hoped - demanded
        self.above = self.below = 1.0
        self.scores: list[float] = []
        self._restake()

    def count(self, score: float) -> None:
        """One more game; nothing more is counted once the match is decided."""
        if self.verdict == "open":
            self.scores.append(score)
            self.above *= 1 + self.stake * (score - self.demanded)
            self.below *= 1 - self.against * (score - self.demanded)
            if len(self.scores) % 2 == 0:
                self._restake()

    def _restake(self) -> None:
        """Stakes for the next pair of games: the best ones for wins and losses with the scores so far."""
        self.stake, self.against = self._best(1), self._best(-1)

    def _best(self, sign: int) -> float:
        gained = sum(self.scores) - len(self.scores) * self.demanded
        gain = (PRIOR * self._gain + sign * gained) / (PRIOR + len(self.scores))
        return max(gain, LEAST * self._gain) / self.demanded / (1 - self.demanded)

    @property
    def verdict(self) -> str:
        """reached, missed or open; looked at after whole pairs only."""
        if len(self.scores) % 2:
            return "open"
        return "reached" if self.above >= 1 / ERROR else "missed" if self.below >= 1 / ERROR else "open"

    @property
    def score(self) -> float:
        """The share of the points that the first player has, 0 to 1."""
        return sum(self.scores) / max(1, len(self.scores))
