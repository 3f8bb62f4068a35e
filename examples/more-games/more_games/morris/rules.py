"""Nine Men's Morris (Merels, Mill), a traditional game, on the web of 24 points.

Three men in a row, a mill, take one of the other colour. Source: R. C. Bell, "Board and Table Games from Many
Civilizations"; where players differ, these rules follow the World Merels Association: two mills closed at once take
one man, a man in a mill is safe unless all are in mills, and who is left with three men flies. Who begins is drawn by
lot; here Black does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from games.acts import Act, carry, lay, take
from games.rules import EMPTY, Game, Outcome, Position, PositionError, Reason, Turn, clip, colour, say
from games.text import fields, one_of, stones
from more_games.hands import carried_out, numbered

MEN = 9
FLYING = 3
"""With so many men left a player may go to any point; with fewer the game is lost."""
LINES = (
    ("a7", "d7", "g7"), ("b6", "d6", "f6"), ("c5", "d5", "e5"), ("a4", "b4", "c4"),
    ("e4", "f4", "g4"), ("c3", "d3", "e3"), ("b2", "d2", "f2"), ("a1", "d1", "g1"),
    ("a1", "a4", "a7"), ("b2", "b4", "b6"), ("c3", "c4", "c5"), ("d1", "d2", "d3"),
    ("d5", "d6", "d7"), ("e3", "e4", "e5"), ("f2", "f4", "f6"), ("g1", "g4", "g7"),
)  # fmt: skip
"""The lines of three; the first half of them are the rows of a position text."""
ROWS = LINES[:8]
SITES = tuple(site for row in ROWS for site in row)
NUMBER = numbered(SITES)
POINTS = range(len(SITES))
LINKS = tuple(link for line in LINES for link in pairwise(line))
BESIDE = tuple(tuple(NUMBER[b if a == site else a] for a, b in LINKS if site in (a, b)) for site in SITES)
"""For each point those that a line joins it with."""
THROUGH = tuple(tuple(tuple(NUMBER[at] for at in line) for line in LINES if site in line) for site in SITES)
"""For each point the two lines of three that it lies on."""


@dataclass(frozen=True, slots=True, repr=False)
class Board(Position):
    """The men on the points in the order of `SITES`, the side to move, and how many men each has still to lay."""

    cells: bytes
    side: int
    hands: tuple[int, int] = (MEN, MEN)

    def __str__(self) -> str:
        marks = "".join(".xo"[level] for level in self.cells)
        rows = "/".join(marks[start : start + 3] for start in POINTS[::3])
        return f"{rows} {'xo'[self.side]} {self.hands[0]},{self.hands[1]}"

    def left(self, side: int) -> int:
        """How many men player `side` has, on the board and in hand."""
        return self.cells.count(side + 1) + self.hands[side]


class Morris(Game[Board]):
    """The rules for nine men each."""

    name = "morris"
    title = "Nine Men's Morris"
    sign = ("xxx", "o.o", "..o")
    players = ("morris.black", "morris.white")
    sites = SITES
    places = {site: (float("abcdefg".index(site[0])), float(int(site[1]) - 1)) for site in SITES}
    links = LINKS
    summary = """\
Two players, Black and White, nine men each; Black begins. First lay one man a turn on any empty point. When all your
men are laid, slide one of them a turn along a line to an empty point beside it.
Whenever you bring three of your men into a row on a line, a mill, take one of your opponent's men off the board: none
that stands in a mill, unless all do.
Who is left with three men may move one of them to any empty point, no matter how far.
Whoever is left with two men, or cannot move, has lost."""

    def start(self) -> Board:
        return Board(bytes(len(SITES)), 0)

    def position(self, text: str) -> Board:
        rows, side, hands = fields(text, "rows side hands")
        cells = stones(rows.split("/"), [f"row {'-'.join(row)}" for row in ROWS], 3)
        return Board(cells, one_of(side, "side", "xo"), read_hands(hands, cells))

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        return tuple(turn for act in moves(position) for turn in whole(position, act))

    # What people try, and why not -------------------------------------------------------------

    def tries(self, position: Board) -> Iterator[Turn[Board]]:
        if lost(position):
            return
        yield from self._refused_captures(position)
        yield from self._refused_moves(position)
        yield from self._refused_men(position)

    def _refused_captures(self, position: Board) -> Iterator[Turn[Board]]:
        """After a mill none taken, one from a mill, or two."""
        for act in moves(position):
            after = carried_out(position.cells, (act,), NUMBER)
            if not in_mill(after, NUMBER[act.sites[-1]]):
                continue
            yield turn_of(position, act, (), self._say("owed", position))
            free = removable(after, 2 - position.side)
            for point in standing(after, 2 - position.side):
                if point not in free:
                    yield turn_of(position, act, (point,), self._say("in-mill", position, site=SITES[point]))
                else:
                    yield from self._two(position, act, point, free)

    def _two(self, position: Board, act: Act, point: int, free: Iterable[int]) -> Iterator[Turn[Board]]:
        for other in free:
            if other != point:
                reason = self._say("one-only", position, site=SITES[other])
                turn = turn_of(position, act, (point, other), reason)
                yield replace(turn, text=turn_of(position, act, (point,)).text)

    def _refused_moves(self, position: Board) -> Iterator[Turn[Board]]:
        """Slides out of turn, too early, or along no line."""
        side = position.side
        for origin in POINTS:
            level = position.cells[origin]
            for target in standing(position.cells, EMPTY) if level else ():
                act = carry(SITES[origin], SITES[target], level)
                if level != side + 1:
                    turn = turn_of(position, act, (), self._say("not-own", position, site=SITES[origin]))
                    yield replace(turn, after=replace(turn.after, side=side))
                elif position.hands[side]:
                    yield turn_of(position, act, (), self._say("in-hand", position, count=position.hands[side]))
                elif target not in reach(position, origin):
                    reason = self._say("no-line", position, site=SITES[origin], target=SITES[target])
                    yield turn_of(position, act, (), reason)

    def _refused_men(self, position: Board) -> Iterator[Turn[Board]]:
        """Single men taken off or laid without the right to it."""
        own, other = position.side + 1, 2 - position.side
        for point in standing(position.cells, other):
            yield alone(position, take(SITES[point]), self._say("no-mill", position, site=SITES[point]))
        for point in standing(position.cells, EMPTY):
            yield alone(position, lay(SITES[point], other), self._say("colour", position, site=SITES[point]))
            if not position.hands[position.side]:
                yield alone(position, lay(SITES[point], own), self._say("all-laid", position, site=SITES[point]))

    def _say(self, name: str, position: Board, **values: int | str) -> Reason:
        player, other = self.players[position.side], self.players[1 - position.side]
        return Reason.of(f"morris.{name}", player=player, other=other, colour=colour(position.side + 1), **values)

    def explain(self, position: Board, text: str) -> Reason:
        origin, _, target = text.partition("x")[0].partition("-")
        if origin in NUMBER and target in NUMBER and not position.cells[NUMBER[origin]]:
            return Reason.of("morris.empty", site=origin)
        if (target or origin) in NUMBER and position.cells[NUMBER[target or origin]]:
            return Reason.of("morris.occupied", site=target or origin)
        return super().explain(position, text)

    # The end ----------------------------------------------------------------------------------

    def aside(self, position: Board) -> Reason | None:
        black, white = position.hands
        return Reason.of("morris.hands", black=black, white=white) if black or white else None

    def beside(self, position: Board) -> tuple[int, int]:
        return position.hands

    def outcome(self, position: Board) -> Outcome | None:
        for side in (0, 1):
            if position.left(side) < FLYING:
                return self._won(position, 1 - side, "few")
        return None if next(moves(position), None) else self._won(position, 1 - position.side, "stuck")

    def _won(self, position: Board, winner: int, why: str) -> Outcome:
        values = {"player": self.players[winner], "other": self.players[1 - winner]}
        men = standing(position.cells, winner + 1)
        return Outcome(winner, Reason.of(f"morris.{why}", **values), tuple(SITES[point] for point in men))


# Men ------------------------------------------------------------------------------------------


def standing(cells: bytes, level: int) -> list[int]:
    """The points with a man of `level`, or the empty ones."""
    return [point for point in POINTS if cells[point] == level]


def in_mill(cells: bytes, point: int) -> bool:
    """Whether the man on `point` stands in a mill."""
    return any(all(cells[at] == cells[point] for at in line) for line in THROUGH[point])


def removable(cells: bytes, level: int) -> list[int]:
    """The men of `level` that a mill of the other colour may take."""
    men = standing(cells, level)
    return [point for point in men if not in_mill(cells, point)] or men


def lost(position: Board) -> bool:
    """Whether one of the players has too few men."""
    return min(position.left(0), position.left(1)) < FLYING


def reach(position: Board, origin: int) -> Iterable[int]:
    """The points to which the man on `origin` goes, if they are empty."""
    return POINTS if position.left(position.side) == FLYING else BESIDE[origin]


def moves(position: Board) -> Iterator[Act]:
    """What the side to move may do, before it takes anything: lay a man, or carry one."""
    level, empty = position.side + 1, standing(position.cells, EMPTY)
    if lost(position):
        return
    if position.hands[position.side]:
        yield from (lay(SITES[point], level) for point in empty)
        return
    for origin in standing(position.cells, level):
        near = reach(position, origin)
        yield from (carry(SITES[origin], SITES[point], level) for point in empty if point in near)


def whole(position: Board, act: Act) -> Iterator[Turn[Board]]:
    """The turns that begin with `act`: one for each man that may be taken, if it closes a mill."""
    after = carried_out(position.cells, (act,), NUMBER)
    if in_mill(after, NUMBER[act.sites[-1]]):
        yield from (turn_of(position, act, (point,)) for point in removable(after, 2 - position.side))
    else:
        yield turn_of(position, act, ())


def turn_of(position: Board, act: Act, taken: tuple[int, ...], reason: Reason | None = None) -> Turn[Board]:
    """The turn that does `act` and takes the men on these points, whether or not it may."""
    acts = (act, *(take(SITES[point]) for point in taken))
    hands = tuple(hand - (act.kind == "lay" and side == position.side) for side, hand in enumerate(position.hands))
    after = Board(carried_out(position.cells, acts, NUMBER), 1 - position.side, (hands[0], hands[1]))
    text = "-".join(act.sites) + "".join(f"x{SITES[point]}" for point in taken)
    return Turn(text, after, acts, reason)


def alone(position: Board, act: Act, reason: Reason) -> Turn[Board]:
    """A turn that does nothing but `act`, which it may not; no man is counted for it."""
    after = replace(position, cells=carried_out(position.cells, (act,), NUMBER), side=1 - position.side)
    return Turn(("x" if act.kind == "take" else "") + act.sites[0], after, (act,), reason)


def read_hands(text: str, cells: bytes) -> tuple[int, int]:
    """The men still to be laid, of a position text; a player has nine at most, hand and board together."""
    parts = text.split(",")
    if len(parts) != 2 or not all(part in map(str, range(MEN + 1)) for part in parts):
        raise PositionError(f"hands: {clip(text)!r} should be two numbers from 0 to {MEN}, separated by a comma")
    for level, part in enumerate(parts, start=1):
        if (total := int(part) + cells.count(level)) > MEN:
            raise PositionError(f"hands: {'.xo'[level]} has {total} men, board and hand together; at most {MEN}")
    return int(parts[0]), int(parts[1])


say(
    "morris",
    summary=Morris.summary,
    black="Black",
    white="White",
    hands="Left to lay: Black {black}, White {white}.",
    not_own="The man on {site} is {other}'s, and it is {player}'s turn.",
    in_hand="{player} still has men in hand ({count}): lay one; moving begins when all are laid.",
    no_line="{target} is not beside {site} on a line: a man slides to the next point.",
    owed="A mill: {player} takes one of {other}'s men off the board.",
    in_mill="The man on {site} stands in a mill, and is safe while {other} has men that do not.",
    one_only="A turn takes one man only, whatever mills it closes: put the one from {site} back.",
    no_mill="{player} has closed no mill, so the man on {site} stays.",
    colour="{player} lays {colour} men: take the one on {site} off.",
    all_laid="All of {player}'s men have been laid: take the one on {site} off and slide a man.",
    empty="There is no man on {site}.",
    occupied="A man stands on {site}: men go to empty points.",
    few="{player} wins: {other} has two men left.",
    stuck="{player} wins: {other} cannot move.",
)
