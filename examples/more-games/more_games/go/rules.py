"""Go, the traditional game of East Asia, on 9, 7 or 5 lines a side, counted by area.

Source: the rules of the Chinese Weiqi Association. Where players differ, these are what hands and lights can keep:

* A ko may not be taken back at once (simple ko). Longer repetitions are left to the house rule of the table, which
  draws the game when a position stands for the third time. Suicide is forbidden.
* Two passes in a row end the play. Then each player in turn takes off one of the own groups that is dead, or passes.
  Nobody takes the other's stones off, so what is off is agreed upon. Players who do not agree take the passes back
  (Undo) and play on; by area that costs nobody a point.
* Two passes in a row once more end the game: what stands is alive. A player's area is the own stones and the empty
  regions that touch no others; White, who plays second, has the points of the komi besides. The engine gives up no
  stone of its own as dead: against it, capture what you hold to be dead before you pass.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from games.acts import Act, lay, take
from games.grid import Grid
from games.rules import EMPTY, Game, Outcome, Position, PositionError, Reason, Turn, clip, colour, say
from games.text import fields, one_of
from more_games.hands import carried_out, numbered

PASS = "pass"
ENDS = 2
"""Passes in a row that end the play, and once more the game."""
NO_KO = -1


@dataclass(frozen=True, slots=True, repr=False)
class Board(Position):
    """Stones on the points by ranks from a1, the side to move, where it may not take the ko, and passes in a row.

    From `ENDS` passes on dead stones are taken off; `2 * ENDS` of them end the game.
    """

    cells: bytes
    side: int
    grid: Grid = field(compare=False)
    ko: int = NO_KO
    passes: int = 0

    def __str__(self) -> str:
        ko = "-" if self.ko == NO_KO else self.grid.sites[self.ko]
        return f"{self.grid.text(self.cells)} {'xo'[self.side]} {ko} {self.passes}"


class Group(NamedTuple):
    """Stones of one colour that lines join, and the empty points that lines join them with."""

    stones: tuple[int, ...]
    liberties: frozenset[int]


class Go(Game[Board]):
    """The rules on a board of so many lines a side; White has `komi` points for playing second."""

    name = "go"
    title = "Go"
    options = {"size": (9, 7, 5), "komi": (7, 5, 0)}
    sign = (".x.", "xox", ".x.")
    players = ("go.black", "go.white")
    summary = """\
Two players, Black and White; Black begins. Lay a stone on an empty point, or pass. Stones of one colour that lines join
are a group; the empty points beside it are its liberties. Take groups of the other colour off when your stone takes
their last liberty. A stone that would leave its own group without one may not be laid.
A stone that has just taken a single one may not be taken by a single one at once (ko).
After two passes in a row take off your groups that are dead, one a turn, and pass when there is none; if you do not
agree, take the passes back and play on. After two passes more all is counted: your stones, and the empty points that
only they enclose. White has some points more for playing second. Whoever has more wins."""

    def __init__(self, size: int = 9, komi: int = 7) -> None:
        self.grid = Grid(size)
        self.komi = komi
        self.sites, self.places = self.grid.sites, self.grid.places
        self.joined = tuple(tuple(ray[0] for ray in rays if ray) for rays in self.grid.rays)
        self.links = tuple((self.sites[a], self.sites[b]) for a in self.grid.squares for b in self.joined[a] if a < b)
        self._number = numbered(self.sites)

    def start(self) -> Board:
        return Board(bytes(len(self.sites)), 0, self.grid)

    def position(self, text: str) -> Board:
        ranks, side, ko, passes = fields(text, "ranks side ko passes")
        position = Board(self.grid.cells(ranks), one_of(side, "side", "xo"), self.grid)
        for group in self.groups(position.cells).values():
            if not group.liberties:
                raise PositionError(f"{self.sites[group.stones[0]]}: the stones that stand there have no liberty")
        counted = one_of(passes, "passes", "01234")
        if ko == "-":
            return replace(position, passes=counted)
        if counted or ko not in self._number or not self._in_ko(position, self._number[ko]):
            raise PositionError(f"ko: {clip(ko)!r} should be -, or a point on which {side} would take a single stone")
        return replace(position, ko=self._number[ko])

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        if position.passes >= 2 * ENDS:
            return ()
        if position.passes >= ENDS:
            dead = (self._conceded(position, group) for group in self._whole(position, position.side + 1))
            return (*dead, passed(position))
        groups = self.groups(position.cells)
        points = (point for point in self.grid.squares if not self._fault(position, point, groups))
        return (
            *(self._laid(position, point, self._taken(position, point, groups)) for point in points),
            passed(position),
        )

    # Stones -----------------------------------------------------------------------------------

    def groups(self, cells: bytes) -> dict[int, Group]:
        """The group of each stone."""
        found: dict[int, Group] = {}
        for start in self.grid.squares:
            if cells[start] and start not in found:
                stones, liberties = self.region(cells, start)
                group = Group(tuple(sorted(stones)), frozenset(at for at in liberties if cells[at] == EMPTY))
                found.update(dict.fromkeys(stones, group))
        return found

    def region(self, cells: bytes, start: int) -> tuple[set[int], set[int]]:
        """The points of the same level that lines join with `start`, and those beside them."""
        level, inside, edge, left = cells[start], {start}, set[int](), [start]
        while left:
            for at in self.joined[left.pop()]:
                if cells[at] != level:
                    edge.add(at)
                elif at not in inside:
                    inside.add(at)
                    left.append(at)
        return inside, edge

    def _whole(self, position: Board, level: int) -> list[Group]:
        """The groups of this level, each once."""
        groups = self.groups(position.cells)
        return [group for point, group in groups.items() if position.cells[point] == level and point == group.stones[0]]

    def _taken(self, position: Board, point: int, groups: dict[int, Group]) -> tuple[int, ...]:
        """The stones that lose their last liberty to a stone of the side to move on `point`."""
        other = 2 - position.side
        near = {groups[at] for at in self.joined[point] if position.cells[at] == other}
        return tuple(sorted(stone for group in near if group.liberties == {point} for stone in group.stones))

    def _in_ko(self, position: Board, point: int) -> bool:
        """Whether a stone of the side to move on this point would take a single one, and could be taken like it."""
        alone = all(position.cells[at] == 2 - position.side for at in self.joined[point])
        return (
            not position.cells[point] and alone and len(self._taken(position, point, self.groups(position.cells))) == 1
        )

    def _fault(self, position: Board, point: int, groups: dict[int, Group]) -> str:
        """The rule that forbids the side to move a stone on `point`; empty if it may be laid."""
        if position.cells[point]:
            return "occupied"
        if point == position.ko:
            return "ko"
        near = [at for at in self.joined[point] if position.cells[at] == position.side + 1]
        free = any(position.cells[at] == EMPTY for at in self.joined[point])
        if free or any(len(groups[at].liberties) > 1 for at in near) or self._taken(position, point, groups):
            return ""
        return "suicide"

    def _laid(
        self, position: Board, point: int, taken: Collection[int], reason: Reason | None = None, level: int = 0
    ) -> Turn[Board]:
        """A stone on `point`, of the side to move unless a `level` is named, and those on `taken` off: legal or not."""
        acts = (lay(self.sites[point], level or position.side + 1), *self._takes(taken))
        ko = next(iter(taken)) if len(taken) == 1 and self._in_ko(position, point) else NO_KO
        return Turn(self.sites[point], self._after(position, acts, ko), acts, reason)

    def _conceded(self, position: Board, group: Group, reason: Reason | None = None) -> Turn[Board]:
        """A whole group is taken off as dead, whether or not it may be."""
        acts = self._takes(group.stones)
        return Turn(f"x{self.sites[group.stones[0]]}", self._after(position, acts, NO_KO, ENDS), acts, reason)

    def _takes(self, points: Collection[int]) -> tuple[Act, ...]:
        return tuple(take(self.sites[point]) for point in points)

    def _after(self, position: Board, acts: tuple[Act, ...], ko: int, passes: int = 0) -> Board:
        cells = carried_out(position.cells, acts, self._number)
        return Board(cells, 1 - position.side, self.grid, ko, passes)

    # What people try, and why not -------------------------------------------------------------

    def tries(self, position: Board) -> Iterator[Turn[Board]]:
        if position.passes >= 2 * ENDS:
            return
        groups, play = self.groups(position.cells), position.passes < ENDS
        for group in self._whole(position, 2 - position.side) if not play else ():
            yield self._conceded(position, group, self._say("not-own", position, group.stones[0]))
        for point in self.grid.squares:
            if position.cells[point]:
                yield from self._lifted(position, point) if play else ()
            elif not play:
                yield self._laid(position, point, (), self._say("over", position, point))
            else:
                yield from self._refused(position, point, groups)
                yield self._laid(position, point, (), self._say("colour", position, point), 2 - position.side)

    def _lifted(self, position: Board, point: int) -> Iterator[Turn[Board]]:
        """A single stone taken off that nothing has captured."""
        acts = self._takes((point,))
        reason = self._say("stays", position, point)
        yield Turn(f"x{self.sites[point]}", self._after(position, acts, NO_KO), acts, reason)

    def _refused(self, position: Board, point: int, groups: dict[int, Group]) -> Iterator[Turn[Board]]:
        """A stone laid where none may be, or without taking off what it captures."""
        taken, fault = self._taken(position, point, groups), self._fault(position, point, groups)
        if fault:
            yield self._laid(position, point, taken, self._say(fault, position, point))
        elif taken:
            for kept in {taken, *((stone,) for stone in taken)}:
                rest = [stone for stone in taken if stone not in kept]
                yield self._laid(position, point, rest, self._say("captured", position, kept[0]))

    def _say(self, name: str, position: Board, point: int) -> Reason:
        player, other = self.players[position.side], self.players[1 - position.side]
        values = {"player": player, "other": other, "colour": colour(position.side + 1), "site": self.sites[point]}
        return Reason.of(f"go.{name}", **values)

    def explain(self, position: Board, text: str) -> Reason:
        point = self._number.get(text.removeprefix("x"), NO_KO)
        if point == NO_KO or position.passes >= 2 * ENDS:
            return super().explain(position, text)
        if text[0] != "x":
            return self._say("occupied", position, point)
        if not position.cells[point]:
            return self._say("empty", position, point)
        first = self.groups(position.cells)[point].stones[0]
        return Reason.of("go.written", turn=clip(text), written=f"x{self.sites[first]}")

    # The end ----------------------------------------------------------------------------------

    def aside(self, position: Board) -> Reason | None:
        if not position.passes or position.passes >= 2 * ENDS:
            return None
        name = ("passed", "dead", "none-dead")[position.passes - 1]
        return Reason.of(f"go.{name}", player=self.players[position.side], other=self.players[1 - position.side])

    def outcome(self, position: Board) -> Outcome | None:
        if position.passes < 2 * ENDS:
            return None
        areas = [self.area(position.cells, level) for level in (1, 2)]
        points = [len(areas[0]), len(areas[1]) + self.komi]
        values = {"black": points[0], "white": points[1], "komi": self.komi}
        if points[0] == points[1]:
            return Outcome(None, Reason.of("go.drawn", **values))
        winner = 0 if points[0] > points[1] else 1
        reason = Reason.of("go.won", player=self.players[winner], **values)
        return Outcome(winner, reason, tuple(self.sites[point] for point in areas[winner]))

    def area(self, cells: bytes, level: int) -> list[int]:
        """The stones of `level` and the empty points of regions that touch no others."""
        found = {point for point in self.grid.squares if cells[point] == level}
        seen: set[int] = set()
        for point in self.grid.squares:
            if cells[point] == EMPTY and point not in seen:
                inside, edge = self.region(cells, point)
                seen |= inside
                found |= inside if edge and all(cells[at] == level for at in edge) else set()
        return sorted(found)


def passed(position: Board) -> Turn[Board]:
    """The pass of the side to move."""
    after = replace(position, side=1 - position.side, ko=NO_KO, passes=position.passes + 1)
    return Turn(PASS, after, ())


say(
    "go",
    summary=Go.summary,
    option_size="lines along a side",
    option_komi="points for White, who plays second",
    black="Black",
    white="White",
    suicide="A stone of {player}'s on {site} would leave its group without a liberty, and takes nothing.",
    ko="This is a ko: {player} may take on {site} again only after playing elsewhere.",
    captured="The stone on {site} has no liberty left: take it off the board.",
    colour="{player} lays {colour} stones: take the one on {site} off.",
    stays="The stone on {site} has not been captured, so it stays.",
    over="Both have passed, so no stone is laid on {site}: if you do not agree on what is dead, take the passes back.",
    not_own="The stones on {site} are {other}'s: only {other} can give them up as dead.",
    occupied="A stone stands on {site}: stones are laid on empty points.",
    empty="There is no stone on {site}.",
    written="{turn} is written {written} here: a group is named by its first stone.",
    passed="{other} has passed.",
    dead="{player} takes a dead group of the own stones off, or passes if there is none.",
    none_dead="{other} has no dead group left; {player} takes one off, or passes, and all is counted.",
    won="{player} wins: Black has {black} points, and White {white}, of which {komi} for playing second.",
    drawn="A draw: Black has {black} points, and White {white}, of which {komi} for playing second.",
)
