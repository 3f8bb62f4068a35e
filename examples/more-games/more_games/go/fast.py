"""Go as it is searched: over the readable rules, with random games that end.

Random turns fill the eyes that groups live by, and take hundreds of turns to stop. In these random games nobody fills
an own eye, and who has nothing else to do passes; when both do, all that stands is alive and is counted.
"""

from __future__ import annotations

from typing import Any

from games.fast import Chance, Plain
from games.rules import EMPTY
from more_games.go.rules import ENDS, NO_KO, Board, Go

LONGEST = 3
"""Plies of a random game at most, times the points of the board: repetitions can go on for ever. Guessed."""


class Searched(Plain):
    """The rules of `game`, and quick random games."""

    def __init__(self, game: Go) -> None:
        super().__init__(game)
        self._game: Go = game
        self._joined = game.joined
        around = [set(near) - set(joined) for near, joined in zip(game.grid.around, game.joined, strict=True)]
        self._corners = tuple(map(tuple, around))
        """For each point those beside it along diagonals."""

    def playout(self, state: Any, random: Chance) -> float:
        """The result of a random game from here, each counted as it stands in the end."""
        cells, own, ko, passes = bytearray(state.cells), state.side + 1, state.ko, state.passes
        for _ in range(LONGEST * len(cells)):
            if passes >= ENDS:
                break
            point, ko = self._laid(cells, own, ko, random)
            passes = passes + 1 if point == NO_KO else 0
            own = 3 - own
        counted = Board(bytes(cells), 0, state.grid, NO_KO, 2 * ENDS)
        return self.result(counted)

    def _laid(self, cells: bytearray, own: int, ko: int, random: Chance) -> tuple[int, int]:
        """Lay a stone anywhere but in an own eye; where, and where the ko then is. `NO_KO` in place of none."""
        empty = [point for point, level in enumerate(cells) if level == EMPTY and point != ko]
        while empty:
            place = int(random.random() * len(empty))
            point, empty[place] = empty[place], empty[-1]
            empty.pop()
            if not self._eye(cells, point, own):
                taken = self._take(cells, point, own)
                if taken or self._free(cells, point):
                    alone = len(taken) == 1 and all(cells[at] != own for at in self._joined[point])
                    return point, taken[0] if alone and not self._open(cells, point, taken[0]) else NO_KO
                cells[point] = EMPTY
        return NO_KO, NO_KO

    def _eye(self, cells: bytearray, point: int, own: int) -> bool:
        """Whether all stones beside it are of this colour, and the other holds too few of its corners to break it."""
        if any(cells[at] != own for at in self._joined[point]):
            return False
        corners = self._corners[point]
        return sum(cells[at] == 3 - own for at in corners) < (2 if len(corners) == 4 else 1)

    def _take(self, cells: bytearray, point: int, own: int) -> list[int]:
        """Lay the stone and take off what it captures."""
        cells[point], taken = own, list[int]()
        for at in self._joined[point]:
            if cells[at] == 3 - own and not self._free(cells, at):
                group, _ = self._game.region(bytes(cells), at)
                for stone in group:
                    cells[stone] = EMPTY
                taken += group
        return taken

    def _open(self, cells: bytearray, point: int, but: int) -> bool:
        """Whether there is an empty point beside this one, `but` for one."""
        return any(cells[at] == EMPTY and at != but for at in self._joined[point])

    def _free(self, cells: bytearray, start: int) -> bool:
        """Whether the group on `start` has a liberty."""
        level, seen, left = cells[start], {start}, [start]
        while left:
            for at in self._joined[left.pop()]:
                if cells[at] == EMPTY:
                    return True
                if cells[at] == level and at not in seen:
                    seen.add(at)
                    left.append(at)
        return False


FAST = Searched
