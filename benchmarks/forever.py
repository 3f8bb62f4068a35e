"""Whether a win can be forced where play may go round for ever: by looking at every position that can be reached.

Play that goes round is won by whom the house rule on repetition gives it to. So a win is forced from where one can go
on coming to positions that this rule gives to the winner, or end the game; what remains when both are worked out by
turns, over and over (a Büchi game; Grädel, Thomas and Wilke, Automata, Logics, and Infinite Games, 2002, chapter 2).
No part of the engine has a hand in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from benchmarks.matches import decided
from games.fast import Fast
from games.rules import Game


class TooManyError(Exception):
    """More positions can be reached than were to be looked at."""


class Forever:
    """All that can come after `state`: TooManyError if that is more than `most` positions."""

    def __init__(self, game: Game[Any], fast: Fast, state: int, most: int) -> None:
        self._game, self._fast, self._root = game, fast, state
        self._after: dict[int, list[int]] = {}
        self._before: dict[int, list[int]] = {}
        new = [state]
        while new:
            self._after |= {each: self._results(each) for each in new}
            if len(self._after) > most:
                raise TooManyError
            new = list({after for each in new for after in self._after[each]} - self._after.keys())
        for each, results in self._after.items():
            for after in results:
                self._before.setdefault(after, []).append(each)

    def _results(self, state: int) -> list[int]:
        """The different positions after one turn; none once the game is over or one side has more than half."""
        if decided(self._fast, state) is not None:
            return []
        return list({self._fast.after(state, move) for move in self._fast.moves(state)})

    def forces(self, side: int) -> bool:
        """Whether `side` wins from the beginning, whatever the other does."""
        good = {state for state, results in self._after.items() if self._won(state, results, side)}
        lost = 0
        while True:
            kept_off = self._led(1 - side, self._after.keys() - self._led(side, good))
            if len(kept_off) == lost:
                return self._root not in kept_off
            good, lost = good - kept_off, len(kept_off)

    def _won(self, state: int, results: list[int], side: int) -> bool:
        """Whether the game has ended here and `side` has won it, or does if play goes round from here."""
        if results:
            return self._game.repeated(self._fast.position(state)).winner == side
        return decided(self._fast, state) == 1 - side

    def _led(self, side: int, targets: Collection[int]) -> set[int]:
        """From where `side` can lead the game to one of these."""
        left = {state: len(results) for state, results in self._after.items() if self._fast.side(state) != side}
        led, new = set(targets), list(targets)
        for state in new:
            for before in self._freed(state, left):
                if before not in led:
                    led.add(before)
                    new.append(before)
        return led

    def _freed(self, state: int, left: dict[int, int]) -> Iterator[int]:
        """What leads to `state`: by a turn of the side's own, or as the last way out of the other's."""
        for before in self._before.get(state, ()):
            if before in left:
                left[before] -= 1
            if not left.get(before):
                yield before
