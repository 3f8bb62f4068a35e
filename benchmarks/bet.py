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

Where a pair has the same opening, its games hang together, and the product of both could be expected to grow. So the
capital is multiplied once a pair, by 1 + stake * (the sum of both scores - twice the demanded one), which holds however
they hang together; the stake is bounded so that something is left of the capital.

`interval` has a share of the points with its bounds, for a match that stays open.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, variance

ERROR = 0.05
"""The probability, at most, of each kind of wrong decision."""
PRIOR = 40
"""Games for which the score that is hoped for counts."""
LEAST = 0.05
"""The least stake, of that for the score that is hoped for."""
WHOLE = 0.9
"""The most of the capital that a pair with the same opening may cost; guessed."""
CERTAIN = 1.96
"""Standard deviations on either side of the middle that hold 95 % of a normal distribution."""


class Bet:
    """The two capitals of one match; `paired` if the two games of a pair hang together."""

    def __init__(self, demanded: float, hoped: float, *, paired: bool = False) -> None:
        self.demanded, self.paired = demanded, paired
        self._gain = hoped - demanded
        self.above = self.below = 1.0
        self.scores: list[float] = []
        self._restake()

    def count(self, score: float) -> None:
        """One more game; nothing more is counted once the match is decided."""
        if self.verdict != "open":
            return
        self.scores.append(score)
        whole = len(self.scores) % 2 == 0
        if not self.paired:
            self._grow(score - self.demanded)
        elif whole:
            self._grow(sum(self.scores[-2:]) - 2 * self.demanded)
        if whole:
            self._restake()

    def _grow(self, more: float) -> None:
        """Win or lose both bets on a score that is `more` than demanded, or less."""
        self.above *= 1 + self.stake * more
        self.below *= 1 - self.against * more

    def _restake(self) -> None:
        """Stakes for the next pair of games: the best ones for wins and losses with the scores so far."""
        self.stake, self.against = self._best(1), self._best(-1)
        if self.paired:
            self.stake = min(self.stake, WHOLE / 2 / self.demanded)
            self.against = min(self.against, WHOLE / 2 / (1 - self.demanded))

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


def interval(scores: Sequence[float]) -> tuple[float, float]:
    """The bounds of the expected score with 95 % certainty after whole pairs of games, from the scores of the pairs.

    As Agresti and Coull (The American Statistician 52, 1998) add two wins and two losses to trials, a pair that was won
    and one that was lost are added, so that a few pairs alike are no certainty.
    """
    pairs = [(one + other) / 2 for one, other in zip(scores[::2], scores[1::2], strict=False)] + [0.0, 1.0]
    half = CERTAIN * sqrt(variance(pairs) / len(pairs))
    return max(0.0, fmean(pairs) - half), min(1.0, fmean(pairs) + half)
