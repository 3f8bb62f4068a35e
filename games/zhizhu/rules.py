"""ZhiZhu, by Dahmane Dahmani: stones on a web of three rings and eight lines; chains capture.

Three own stones on a line capture one opposing stone, five side by side on a ring two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from games.acts import carry, lay, take
from games.rules import (
    EMPTY,
    Figure,
    Game,
    Outcome,
    Position,
    PositionError,
    Reason,
    Standing,
    Turn,
    begins,
    clip,
    colour,
    say,
)
from games.text import fields, one_of, stones
from games.zhizhu.lessons import LESSONS
from games.zhizhu.puzzles import PUZZLES
from games.zhizhu.web import BESIDE, LINKS, PLACES, POINTS, SITES, in_chain, owed, removals, standing

STONES = 9
TAKES = tuple(map(take, SITES))
"""What a hand does to take the stone off each point."""
Slide = tuple[int, int]


@dataclass(frozen=True, slots=True, repr=False)
class Board(Position):
    """Stones on a1..a8, b1..b8, c1..c8, the hands, and for each player the slide that would take back the last."""

    cells: bytes
    side: int
    hands: tuple[int, int] = (STONES, STONES)
    returns: tuple[Slide | None, Slide | None] = (None, None)

    def __str__(self) -> str:
        marks = "".join(".xo"[level] for level in self.cells)
        rings = "/".join(marks[start : start + 8] for start in (0, 8, 16))
        returns = ",".join("-".join(SITES[point] for point in slide) if slide else "-" for slide in self.returns)
        return f"{rings} {'xo'[self.side]} {self.hands[0]},{self.hands[1]} {returns}"


class ZhiZhu(Game[Board]):
    """The rules; `first` says whose coin it was: ``x`` or ``o``."""

    name = "zhizhu"
    title = "ZhiZhu"
    options = {"first": ("x", "o")}
    sign = ("###", "#.#", "###")
    lessons = LESSONS
    puzzles = PUZZLES
    figures = (
        Figure("line", ".oxxxxx./..o...../xoxo.... o 2,3 -,-", "b2xc1", ("a2", "b2", "c2")),
        Figure("circle", "xxxx..../......../....oooo x 5,5 -,-", "a5xc5xc6", ("a1", "a2", "a3", "a4", "a5")),
        Figure("slide", "ooxxxxxo/..ox.o.x/xoxo.... x 0,0 -,-", "a5-b5"),
    )
    players = ("zhizhu.dark", "zhizhu.light")
    sites = SITES
    places = PLACES
    links = LINKS
    summary = """\
Two players, Black and White, nine stones each. Black begins, or whoever a coin says.
Take turns placing one stone on any empty point. When all are placed, slide one of your stones a turn along a ring or a
line to an empty point beside it.
Three of your stones filling one of the eight straight lines are a chain and capture one opposing stone at once; five
side by side on a ring are a chain, too, and capture two; both in one turn capture three. A stone that stands in a chain
may be taken only when the opponent has none outside of chains.
A stone slid out of a chain may not be slid straight back on your next turn if that makes the chain again.
Whoever is left with two stones, or must slide and cannot, has lost."""

    def __init__(self, first: str = "x") -> None:
        self._first = "xo".index(first)

    def start(self) -> Board:
        return Board(bytes(24), self._first)

    def position(self, text: str) -> Board:
        rings, side, hands, returns = fields(text, "outer/middle/inner side hands returns")
        cells = stones(rings.split("/"), ("outer ring", "middle ring", "inner ring"), 8)
        return Board(cells, one_of(side, "side", "xo"), read_hands(hands, cells), read_returns(returns))

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        if min(left(position)) <= 2:
            return ()
        return tuple(
            turn for move in moves(position) if not goes_back(position, move) for turn in whole(position, move)
        )

    # What people try, and why not -------------------------------------------------------------

    def tries(self, position: Board) -> Iterator[Turn[Board]]:
        yield from self._refused_captures(position)
        yield from self._refused_moves(position)
        yield from self._refused_stones(position)

    def _refused_moves(self, position: Board) -> Iterator[Turn[Board]]:
        """Slides out of turn, back, off the links, or while stones are in hand."""
        empty = [point for point in POINTS if not position.cells[point]]
        for origin in POINTS:
            if position.cells[origin]:
                for target in empty:
                    reason = self._fault(position, origin, target)
                    if reason:
                        turn = turn_of(position, (origin, target), (), reason)
                        own = position.cells[origin] == position.side + 1
                        yield turn if own else replace(turn, after=replace(turn.after, side=position.side))

    def _fault(self, position: Board, origin: int, target: int) -> Reason | None:
        if position.cells[origin] != position.side + 1:
            return self._say("not-own", position, site=SITES[origin])
        if position.hands[position.side]:
            return self._say("in-hand", position, count=position.hands[position.side])
        if target not in BESIDE[origin]:
            return self._say("no-link", position, site=SITES[origin], target=SITES[target])
        if goes_back(position, (origin, target)):
            return self._say("no-return", position, site=SITES[origin], target=SITES[target])
        return None

    def _refused_captures(self, position: Board) -> Iterator[Turn[Board]]:
        for move in moves(position):
            turns = whole(position, move)
            count = len(turns[0].acts) - 1
            if goes_back(position, move):
                reason = self._say("no-return", position, site=SITES[move[0]], target=SITES[move[1]])
                yield from (replace(turn, reason=reason) for turn in turns)
            elif count:
                yield from self._too_few(position, move, count)
                yield from self._chained(position, move, turns)
                yield from self._too_many(position, turns, count)

    def _too_few(self, position: Board, move: tuple[int, ...], count: int) -> Iterator[Turn[Board]]:
        for fewer in range(count):
            reason = self._say("owed", position, owed=count, left=count - fewer)
            for taken in removals(position.cells, 2 - position.side, fewer):
                yield turn_of(position, move, taken, reason)

    def _chained(self, position: Board, move: tuple[int, ...], turns: list[Turn[Board]]) -> Iterator[Turn[Board]]:
        """One stone of a chain taken in place of a free one."""
        barred = set(standing(position.cells, 2 - position.side)) - {SITES.index(s) for t in turns for s in t.lifts}
        for kept in removals(position.cells, 2 - position.side, len(turns[0].acts) - 2):
            for point in sorted(barred):
                reason = self._say("chained", position, site=SITES[point])
                yield turn_of(position, move, tuple(sorted((*kept, point))), reason)

    def _too_many(self, position: Board, turns: list[Turn[Board]], count: int) -> Iterator[Turn[Board]]:
        """One stone more than the chain allows, after a turn that was whole without it."""
        for turn in turns:
            for point in standing(turn.after.cells, 2 - position.side):
                reason = self._say("too-many", position, owed=count, site=SITES[point])
                acts = (*turn.acts, take(SITES[point]))
                yield Turn(turn.text, without(turn.after, (point,)), acts, reason)

    def _refused_stones(self, position: Board) -> Iterator[Turn[Board]]:
        """Single stones laid down or taken off without the right to it."""
        own, other = position.side + 1, 2 - position.side
        for point in standing(position.cells, other):
            yield taken_off(position, point, self._say("no-chain", position, site=SITES[point]))
        for point in standing(position.cells, EMPTY):
            if not position.hands[position.side]:
                yield placed(position, point, own, self._say("all-placed", position, site=SITES[point]))
            yield placed(position, point, other, self._say("colour", position, site=SITES[point]))

    def _say(self, name: str, position: Board, **values: int | str) -> Reason:
        player, other = self.players[position.side], self.players[1 - position.side]
        own = colour(position.side + 1)
        return Reason.of(f"zhizhu.{name}", player=player, other=other, colour=own, **values)

    def why_not(self, position: Board, site: str) -> Reason | None:
        point = SITES.index(site)
        if not position.cells[point] or any(begins(turn, site) for turn in self.turns(position)):
            return None
        free = [other for other in BESIDE[point] if not position.cells[other]]
        if free or position.cells[point] != position.side + 1 or position.hands[position.side]:
            return self._fault(position, point, (*free, point)[0])
        return self._say("hemmed", position, site=site)

    def explain(self, position: Board, text: str) -> Reason:
        move, *_ = text.split("x")
        origin, _, target = move.partition("-")
        target = target or origin
        if target in SITES and position.cells[SITES.index(target)]:
            return self._say("taken", position, site=target)
        if origin in SITES and target != origin and not position.cells[SITES.index(origin)]:
            return self._say("empty", position, site=origin)
        return super().explain(position, text)

    # The end ----------------------------------------------------------------------------------

    def aside(self, position: Board) -> Reason | None:
        dark, light = position.hands
        return Reason.of("zhizhu.hands", dark=dark, light=light) if dark or light else None

    def beside(self, position: Board) -> tuple[int, int]:
        return position.hands

    def standing(self, position: Board) -> Standing:
        dark_left, light_left = left(position)
        dark, light = STONES - light_left, STONES - dark_left
        ahead = None if dark == light else int(light > dark)
        name = "zhizhu.standing-placing" if any(position.hands) else "zhizhu.standing"
        values = dict(zip(("to_dark", "to_light"), position.hands, strict=True)) if any(position.hands) else {}
        reason = Reason.of(name, dark=dark, light=light, **values)
        chains = [
            tuple(SITES[point] for point in standing(position.cells, level) if in_chain(position.cells, point))
            for level in (1, 2)
        ]
        return Standing((dark, light), ahead, reason, (chains[0], chains[1]))

    def outcome(self, position: Board) -> Outcome | None:
        for side, count in enumerate(left(position)):
            if count <= 2:
                return self._won(1 - side, "captured", position, count)
        if self.turns(position):
            return None
        return self._won(1 - position.side, "stuck", position, left(position)[position.side])

    def _won(self, winner: int, why: str, position: Board, count: int) -> Outcome:
        values = {"player": self.players[winner], "other": self.players[1 - winner]}
        reason = Reason.of(f"zhizhu.{why}", **values, count=count)
        return Outcome(winner, reason, tuple(SITES[point] for point in standing(position.cells, winner + 1)))


def left(position: Board) -> list[int]:
    """The stones each player still has, on the board and in hand."""
    return [position.cells.count(side + 1) + position.hands[side] for side in (0, 1)]


def moves(position: Board) -> Iterator[tuple[int, ...]]:
    """Placings ``(point,)`` while there are stones in hand, then slides ``(origin, target)``; the return included."""
    if position.hands[position.side]:
        yield from ((point,) for point in standing(position.cells, EMPTY))
        return
    for origin in standing(position.cells, position.side + 1):
        yield from ((origin, target) for target in BESIDE[origin] if not position.cells[target])


def goes_back(position: Board, move: tuple[int, ...]) -> bool:
    """Whether this slide is the forbidden return: it takes the last one back and makes a chain again."""
    return position.returns[position.side] == move and owed(moved(position, move).cells, move[-1]) > 0


def moved(position: Board, move: tuple[int, ...]) -> Board:
    """The position with the stone placed or slid, nothing removed yet and the other side to move."""
    side = position.side
    cells = bytearray(position.cells)
    hands, returns = list(position.hands), list(position.returns)
    returns[side] = None
    if len(move) == 1:
        hands[side] -= 1
        cells[move[0]] = side + 1
    else:
        returns[side] = (move[1], move[0]) if in_chain(position.cells, move[0]) else None
        cells[move[0]], cells[move[1]] = EMPTY, cells[move[0]]
    return Board(bytes(cells), 1 - side, (hands[0], hands[1]), (returns[0], returns[1]))


def whole(position: Board, move: tuple[int, ...]) -> list[Turn[Board]]:
    """The turns that begin with `move`: one for each choice of what to remove."""
    after = moved(position, move)
    count = owed(after.cells, move[-1])
    if not count:
        return [turn_of(position, move, (), after=after)]
    removed = removals(position.cells, 2 - position.side, count)  # whatever moves, as the opponent's stones stand
    return [turn_of(position, move, taken, after=without(after, taken)) for taken in removed]


def turn_of(
    position: Board,
    move: tuple[int, ...],
    taken: tuple[int, ...],
    reason: Reason | None = None,
    after: Board | None = None,
) -> Turn[Board]:
    """The turn that makes `move` and removes the stones on `taken`."""
    after = after or without(moved(position, move), taken)
    if len(move) == 1:
        text, act = SITES[move[0]], lay(SITES[move[0]], position.side + 1)
    else:
        origin, target = SITES[move[0]], SITES[move[1]]
        text, act = f"{origin}-{target}", carry(origin, target, position.cells[move[0]])
    text += "".join(f"x{SITES[point]}" for point in taken)
    return Turn(text, after, (act, *(TAKES[point] for point in taken)), reason)


def without(position: Board, taken: tuple[int, ...]) -> Board:
    """The position with these stones taken off."""
    cells = bytearray(position.cells)
    for point in taken:
        cells[point] = EMPTY
    return Board(bytes(cells), position.side, position.hands, position.returns)


def placed(position: Board, point: int, level: int, reason: Reason) -> Turn[Board]:
    """A stone of `level` laid on `point`, against the rules."""
    cells = position.cells[:point] + bytes([level]) + position.cells[point + 1 :]
    after = replace(position, cells=cells, side=1 - position.side)
    return Turn(SITES[point], after, (lay(SITES[point], level),), reason)


def taken_off(position: Board, point: int, reason: Reason) -> Turn[Board]:
    """The stone on `point` removed, against the rules."""
    after = replace(without(position, (point,)), side=1 - position.side)
    return Turn(f"x{SITES[point]}", after, (take(SITES[point]),), reason)


def read_hands(text: str, cells: bytes) -> tuple[int, int]:
    """The two hands of a position text; a player has nine stones at most, hand and board together."""
    parts = text.split(",")
    if len(parts) != 2 or not all(part in map(str, range(STONES + 1)) for part in parts):
        raise PositionError(f"hands: {clip(text)!r} should be two numbers from 0 to {STONES}, separated by a comma")
    for level, part in enumerate(parts, start=1):
        if int(part) + cells.count(level) > STONES:
            total = int(part) + cells.count(level)
            raise PositionError(f"hands: {'.xo'[level]} has {total} stones, board and hand together; at most {STONES}")
    return int(parts[0]), int(parts[1])


def read_returns(text: str) -> tuple[Slide | None, Slide | None]:
    """The two slides of a position text that would take the last ones back, or ``-``."""
    parts = text.split(",")
    if len(parts) != 2:
        raise PositionError(f"returns: {clip(text)!r} should be two slides such as a2-a1, or -, separated by a comma")
    return read_slide(parts[0]), read_slide(parts[1])


def read_slide(text: str) -> Slide | None:
    """A slide ``a2-a1`` along a link, or ``-``."""
    if text == "-":
        return None
    origin, _, target = text.partition("-")
    if origin not in SITES or target not in SITES or SITES.index(target) not in BESIDE[SITES.index(origin)]:
        raise PositionError(f"returns: {clip(text)!r} is not a slide along a link, such as a2-a1, nor -")
    return SITES.index(origin), SITES.index(target)


say(
    "zhizhu",
    summary=ZhiZhu.summary,
    about="Place stones on a web: three that fill a straight line capture one.",
    aim="Whoever captures seven of the other's nine stones wins.",
    help="Drag a stone from your tray to any point, or tap the point. When all are placed, drag a stone along its "
    "line or ring to the next point. Tap a stone that you capture, or drag it over the edge of the board.",
    option_first="who begins: x Black, o White",
    dark="Black",
    light="White",
    hands="Left to place: Black {dark}, White {light}.",
    standing="Captured so far: by Black {dark}, by White {light}. Seven win.",
    standing_placing="Captured so far: by Black {dark}, by White {light}. Seven win. Left to place: Black {to_dark}, "
    "White {to_light}.",
    not_own="The stone on {site} is {other}'s, and it is {player}'s turn.",
    in_hand="{player} still has stones in hand ({count}): place one; sliding begins when all are placed.",
    no_link="No link joins {site} and {target}: a stone slides to an empty point beside it.",
    hemmed="The stone on {site} cannot slide: every point beside it is taken.",
    no_return="{site} may not slide straight back to {target}: that makes again the chain it has just left.",
    owed="A chain: {player} captures {owed} of {other}'s stones. Still to take off: {left}.",
    too_many="Of {other}'s stones {player} takes no more than {owed}: put the one from {site} back.",
    chained="{site} stands in a chain and cannot be taken while {other} has a stone outside of chains.",
    no_chain="{player} has made no chain, so the stone on {site} stays.",
    colour="{player} places {colour} stones; take the one on {site} off.",
    all_placed="All nine stones of {player} have been placed: take the one on {site} off and slide a stone.",
    taken="{site} is taken: a stone goes on an empty point.",
    empty="There is no stone on {site} to slide.",
    captured="{player} wins: {other} has {count} stones left, and two are too few to go on.",
    stuck="{player} wins: {other} must slide and has no legal slide.",
    figure_line="Three that fill a straight line: one stone of the other colour comes off.",
    figure_circle="Five side by side on a ring: two stones of the other colour come off.",
    figure_slide="When all stones are on the board: one step along a line or a ring.",
)
