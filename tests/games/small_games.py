"""Small games of acts that the four built-in ones do not have: captures by replacement, pieces that become others.

And of positions that tell more than sensors see: cells with kinds of pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

from games.acts import carry, flip, lay, take
from games.grid import Grid
from games.rules import Game, Outcome, Position, Reason, Turn
from games.text import fields, one_of


@dataclass(frozen=True, slots=True, repr=False)
class Board(Position):
    """Stones on squares, and the side to move."""

    cells: bytes
    side: int
    size: int
    crowns: str = "-"
    """The kinds of the pieces that have become others, which no sensor shows."""

    def __str__(self) -> str:
        return f"{Grid(self.size).text(self.cells)} {'xo'[self.side]} {self.crowns}"


class GridGame(Game[Board]):
    """What both games share."""

    players = ("rules.dark", "rules.light")
    summary = "A game for tests."
    size = 4

    def __init__(self) -> None:
        self.grid = Grid(self.size)
        self.sites, self.places, self.shaded = self.grid.sites, self.grid.places, self.grid.shaded

    def position(self, text: str) -> Board:
        board, side, crowns = fields(text, "ranks side crowns")
        return Board(self.grid.cells(board), one_of(side, "side", "xo"), self.size, crowns)

    def tries(self, position: Board) -> Iterator[Turn[Board]]:
        yield from ()

    def outcome(self, position: Board) -> Outcome | None:
        return None if self.turns(position) else Outcome(1 - position.side, Reason("rules.repetition"))

    def changed(self, position: Board, levels: dict[int, int]) -> Board:
        """The position with these levels, and the other side to move."""
        cells = bytearray(position.cells)
        for square, level in levels.items():
            cells[square] = level
        return Board(bytes(cells), 1 - position.side, self.size, position.crowns)


class Clobber(GridGame):
    """A stone goes to the square beside it that an opposing stone stands on, and takes that one."""

    name = "test-clobber"
    title = "Clobber"

    def start(self) -> Board:
        return Board(bytes(1 + dark for dark in self.grid.dark), 0, self.size)

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        return tuple(self._captures(position))

    def _captures(self, position: Board) -> Iterator[Turn[Board]]:
        own, other = position.side + 1, 2 - position.side
        for square in self.grid.squares:
            for ray in self.grid.rays[square] if position.cells[square] == own else ():
                if ray and position.cells[ray[0]] == other:
                    origin, target = self.grid.names((square, ray[0]))
                    after = self.changed(position, {square: 0, ray[0]: own})
                    yield Turn(f"{origin}x{target}", after, (take(target), carry(origin, target, own)))


class Turning(GridGame):
    """A new stone turns over the opposing stones in a line between it and another of its colour: Reversi, no passes."""

    name = "test-turning"
    title = "Turning"
    size = 6

    def start(self) -> Board:
        return self.position("....../....../..xo../..ox../....../...... x -")

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        return tuple(self._turnings(position))

    def _turnings(self, position: Board) -> Iterator[Turn[Board]]:
        own = position.side + 1
        for square in self.grid.squares:
            turned = [] if position.cells[square] else self._turned(position, square, own)
            if turned:
                site = self.grid.sites[square]
                after = self.changed(position, dict.fromkeys((square, *turned), own))
                flips = (flip(self.grid.sites[other], own, needs=(0,)) for other in turned)
                yield Turn(site, after, (lay(site, own), *flips))

    def _turned(self, position: Board, square: int, own: int) -> list[int]:
        turned: list[int] = []
        for ray in self.grid.rays[square]:
            run = []
            for other in ray:
                if position.cells[other] in (0, own):
                    turned += run if position.cells[other] else []
                    break
                run.append(other)
        return turned


class Removing(GridGame):
    """A player takes off one of the own stones, or all."""

    name = "test-removing"
    title = "Removing"

    def start(self) -> Board:
        return self.position("oo../..../..../xx.x x -")

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        own = [square for square in self.grid.squares if position.cells[square] == position.side + 1]
        return tuple(self._removal(position, gone) for gone in (*((square,) for square in own), tuple(own)) if gone)

    def _removal(self, position: Board, gone: tuple[int, ...]) -> Turn[Board]:
        sites = self.grid.names(gone)
        return Turn("".join(sites), self.changed(position, dict.fromkeys(gone, 0)), tuple(map(take, sites)))


class Hopping(GridGame):
    """A stone jumps over the opposing one beside it to the empty square beyond, takes it, and goes on if it can."""

    name = "test-hopping"
    title = "Hopping"
    size = 5

    def start(self) -> Board:
        return self.position("...../...../..o../...../xo.o. x -")

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        own = [square for square in self.grid.squares if position.cells[square] == position.side + 1]
        return tuple(turn for square in own for turn in self._hops(position, (square,), ()))

    def _hops(self, position: Board, path: tuple[int, ...], taken: tuple[int, ...]) -> Iterator[Turn[Board]]:
        cells, own = position.cells, position.side + 1
        rays = [ray[:2] for ray in self.grid.rays[path[-1]] if len(ray) > 1]
        hops = [(over, to) for over, to in rays if cells[over] == 3 - own and over not in taken and not cells[to]]
        for over, to in hops:
            yield from self._hops(position, (*path, to), (*taken, over))
        if taken and not hops:
            sites = self.grid.names(path)
            acts = (*(carry(*pair, own) for pair in pairwise(sites)), *map(take, self.grid.names(taken)))
            after = self.changed(position, dict.fromkeys((path[0], *taken), 0) | {path[-1]: own})
            yield Turn("x".join(sites), after, acts)


class Crowning(GridGame):
    """A stone goes one square up or down the board, and on the last rank becomes a king or a fool."""

    name = "test-crowning"
    title = "Crowning"
    kinds: ClassVar[dict[str, str]] = {"K": "rules.value-x", "F": "rules.value-o"}

    def start(self) -> Board:
        return self.position("..../x..x/o..o/.... x -")

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        return tuple(self._walks(position))

    def _walks(self, position: Board) -> Iterator[Turn[Board]]:
        own = position.side + 1
        for square in self.grid.squares:
            ahead = self.grid.rays[square][position.side][:1] if position.cells[square] == own else ()
            for target in ahead:
                if not position.cells[target]:
                    yield from self._walk(position, square, target, own)

    def marks(self, position: Board) -> dict[str, str]:
        return {site: kind.upper() for site, kind in re.findall("(..)([kf])", position.crowns[1:])}

    def _walk(self, position: Board, square: int, target: int, own: int) -> Iterator[Turn[Board]]:
        origin, goal = self.grid.names((square, target))
        after = self.changed(position, {square: 0, target: own})
        if self.grid.rays[target][position.side]:
            yield Turn(f"{origin}-{goal}", after, (carry(origin, goal, own),))
            return
        for kind in "kf":
            crowned = replace(after, crowns=position.crowns + goal + kind)
            yield Turn(f"{origin}-{goal}{kind}", crowned, (carry(origin, goal, own), flip(goal, own)))


class Crowned(Clobber):
    """Clobber in which some stones are kings, and go and take as all others do."""

    name = "test-crowned"
    title = "Crowned"
    kinds: ClassVar[dict[str, str]] = {"K": "rules.value-x"}

    def start(self) -> Board:
        return replace(super().start(), crowns="a1,b1")

    def marks(self, position: Board) -> dict[str, str]:
        return {site: "K" for site in position.crowns.split(",") if site in self.sites}

    def _captures(self, position: Board) -> Iterator[Turn[Board]]:
        for turn in super()._captures(position):
            origin, target = turn.acts[1].sites
            kings = self.marks(position)
            left = {*kings} - {origin, target} | ({target} if origin in kings else set())
            yield replace(turn, after=replace(turn.after, crowns=",".join(sorted(left)) or "-"))


@dataclass(frozen=True, slots=True, repr=False)
class Blocked(Board):
    """Stones and blocks: a cell of 3 is a block, and dark."""

    @property
    def board(self) -> tuple[int, ...]:
        return tuple(1 if level == BLOCK else level for level in self.cells)

    def __str__(self) -> str:
        return f"{Grid(self.size).text(self.cells, '.xo#')} {'xo'[self.side]} -"


BLOCK = 3


class Blocking(GridGame):
    """A stone goes to a square beside it; then a block comes beside that, and stays for good."""

    name = "test-blocking"
    title = "Blocking"
    kinds: ClassVar[dict[str, str]] = {"#": "rules.value-x"}

    def start(self) -> Board:
        return self.position("...o/..../..../x... x -")

    def position(self, text: str) -> Board:
        board, side, _ = fields(text, "ranks side crowns")
        return Blocked(self.grid.cells(board, ".xo#"), one_of(side, "side", "xo"), self.size)

    def marks(self, position: Board) -> dict[str, str]:
        return {site: "#" for site, level in zip(self.sites, position.cells, strict=True) if level == BLOCK}

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        return tuple(self._blockings(position))

    def _blockings(self, position: Board) -> Iterator[Turn[Board]]:
        own = position.side + 1
        for square in (square for square in self.grid.squares if position.cells[square] == own):
            for target in self._free(position, square):
                for block in (*self._free(position, target), square):
                    origin, goal, blocked = self.grid.names((square, target, block))
                    cells = bytearray(position.cells)
                    cells[square], cells[target], cells[block] = 0, own, BLOCK
                    after = Blocked(bytes(cells), 1 - position.side, self.size)
                    yield Turn(f"{origin}-{goal}/{blocked}", after, (carry(origin, goal, own), lay(blocked, 1, (0,))))

    def _free(self, position: Board, square: int) -> list[int]:
        return [other for other in self.grid.around[square] if not position.cells[other]]


class Passing(Clobber):
    """Clobber in which a player may pass; after two passes, and where nobody can take, the game is drawn."""

    name = "test-passing"
    title = "Passing"

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        if position.crowns == "2":
            return ()
        passed = replace(position, side=1 - position.side, crowns="2" if position.crowns == "1" else "1")
        played = (replace(turn, after=replace(turn.after, crowns="-")) for turn in self._captures(position))
        return (Turn("pass", passed, ()), *played)

    def outcome(self, position: Board) -> Outcome | None:
        return Outcome(None, Reason("rules.repetition")) if position.crowns == "2" else None


class Laying(GridGame):
    """Stones are laid on the free squares of the first rank; a player may also pass, once a game."""

    name = "test-laying"
    title = "Laying"

    def start(self) -> Board:
        return self.position("..../..../..../.... x -")

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        passed = replace(position, side=1 - position.side, crowns="p")
        passes = (Turn("pass", passed, ()),) if position.crowns == "-" and not all(position.cells[:4]) else ()
        own, free = position.side + 1, [square for square in range(4) if not position.cells[square]]
        laid = ((self.grid.sites[square], self.changed(position, {square: own})) for square in free)
        return (*passes, *(Turn(site, after, (lay(site, own),)) for site, after in laid))


class Swapping(Laying):
    """The second player may turn the first stone over, if it is alone."""

    name = "test-swapping"
    title = "Swapping"

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        stones = [square for square in range(4) if position.cells[square]]
        if len(stones) != 1 or position.cells[stones[0]] == position.side + 1:
            return super().turns(position)
        after = self.changed(position, {stones[0]: position.side + 1})
        return (*super().turns(position), Turn("swap", after, (flip(self.grid.sites[stones[0]], position.side + 1),)))
