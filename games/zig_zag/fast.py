"""Zig Zag for searching: a position is two words, and a lap is an addition to both.

Both sides see the same board, so everything is told from the mover's side: *near* is the mover's row, *far* the other.
The first word has, from the lowest bit, six bits for each near pit from column 1 to 6 and six for the mover's store;
the second the same of the other side, one bit for the side to move (0 South, 1 North), two for the pit that may not be
played (0 none, 1 column 3, 2 column 4), two for the side that captured last (0 none, 1 South, 2 North). What a lap adds
and where it ends is looked up by the pit and its seeds. The state is both words in one integer, the first one lowest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from games.core import Core, Luck, Turns
from games.fast import WON, Chance
from games.rules import Game, Position
from games.zig_zag.rules import BACK, NEXT, SEEDS, SITES, WAYS, Board

if TYPE_CHECKING:
    from mypy_extensions import i64

PASS: Final = 12
"""The move of a forced pass; the others are the pits."""
STORE: Final = 36
"""The first bit of a store."""
WIDTH: Final = 42
"""The bits of a row and its store: the second word begins there in a state, and has the side to move there itself."""
BAN: Final = 43
CAPTOR: Final = 45
"""The first bits of the pit that may not be played and of the side that captured last, in the second word."""
ROW: Final = (1 << STORE) - 1
WORD: Final = (1 << WIDTH) - 1
SIDE: Final = 1 << WIDTH
BANNED: Final = 3 << BAN
LAST: Final = 3 << CAPTOR
NORTH_LAST: Final = 2 << CAPTOR
ONES: Final = 0b000001000001000001000001000001000001
HIGH: Final = ONES << 5
LOW: Final = HIGH - ONES
"""The highest bit of each pit of a row, and the others: their sum carries into the highest if any is set."""
FEW: Final = SEEDS - 3
"""With so many seeds in the stores the game may be over."""
AGAIN: Final = WON // 4
"""What a game won by repetition is worth besides: whether it comes to that cannot be known for sure."""
HALF: Final = SEEDS // 2
SEED: Final = 100
"""What a seed in the store is worth to `weigh`."""
LONGEST: Final = 3000
"""Plies after which a random game is given up as drawn; hardly one in a thousand comes so far."""


class Lap:
    """One lap of the mover: what it adds, and where it ends."""

    def __init__(self, near: int, far: int, column: int, onward: int, ban: int) -> None:
        self.near: i64 = near
        """What it adds to the near row."""
        self.far: i64 = far
        """What it adds to the far row."""
        self.first: i64 = 6 * column
        """The first bit of the pit where it ends, in its row; an odd number of seeds ends in the far row."""
        self.onward: i64 = onward
        """The place in `LAPS` of the laps the same way from there."""
        self.ban: i64 = ban
        """The bits of the second word that forbid to play the seed back, if it is one sown across the middle."""


def _laps(way: int) -> Iterator[Lap]:
    """The laps along the path as South sees it (0) or against it (1), by 64 times the column and the seeds."""
    steps = (NEXT, BACK)[way]
    for column in range(6):
        rows, pit = [0, 0], column
        for seeds in range(64):
            end = pit % 6
            ban = end - 1 << BAN if seeds == 1 and {column, end} == {2, 3} else 0
            yield Lap(rows[0] - (seeds << 6 * column), rows[1], end, 384 * way + 64 * end, ban)
            pit = steps[pit]
            rows[pit // 6] += 1 << 6 * (pit % 6)


LAPS: Final = [*_laps(0), *_laps(1)]
"""The laps by 384 times the way, 64 times the column, and the seeds."""
FIRST: Final = [LAPS[384 * (WAYS[column] is BACK) + 64 * column + seeds] for column in range(6) for seeds in range(64)]
"""The laps that begin a turn, by 64 times the column and the seeds."""


def _moves(side: int) -> dict[int, list[int]]:
    """The moves of a side by the highest bits of the pits that hold seeds, in their row."""
    every = [[column for column in range(6) if chosen >> column & 1] for chosen in range(64)]
    return {
        sum(32 << 6 * column for column in held): [6 * side + column for column in held] or [PASS] for held in every
    }


MOVES: Final = (_moves(0), _moves(1))


# Turns ----------------------------------------------------------------------------------------


def sown(a: i64, b: i64, column: i64) -> tuple[i64, i64]:
    """The words after the mover sows from the pit in `column` (0 to 5), which holds seeds."""
    seeds = a >> 6 * column & 63
    lap = FIRST[column << 6 | seeds]
    near = a + lap.near
    far = (b & WORD) + lap.far
    rest = b & LAST | ~b & SIDE
    while not seeds & 1:
        seeds = near >> lap.first & 63
        if seeds == 1:
            return far, near | rest
        lap = LAPS[lap.onward | seeds]
        near += lap.near
        far += lap.far
    if far >> lap.first & 63 != 1:
        return far, near | rest
    taken = near >> lap.first & 63
    if not taken:
        return far, near | rest | lap.ban
    rest &= SIDE
    return far, near + (taken << STORE) - (taken << lap.first) | rest | NORTH_LAST - (rest << 3)


def passed(a: i64, b: i64) -> tuple[i64, i64]:
    """The words after a forced pass."""
    return b & WORD, a | b & LAST | ~b & SIDE


def allowed(a: i64, b: i64) -> i64:
    """The near row, without the pit that may not be played."""
    if not b & BANNED:
        return a & ROW
    column = (b >> BAN & 3) + 1
    return a & ROW if sown(a, b, column)[1] >> STORE & 63 > a >> STORE else a & ROW & ~(63 << 6 * column)


def drawn(a: i64, b: i64, luck: Luck) -> tuple[i64, i64]:
    """The words after a random turn, every legal one as likely; the game must go on."""
    row = allowed(a, b)
    if not row:
        return passed(a, b)
    column = luck.among(6)
    while not row >> 6 * column & 63:
        column = luck.among(6)
    return sown(a, b, column)


def joined(a: int, b: int) -> int:
    """The state for these words."""
    return a | b << WIDTH


def filled(row: i64) -> i64:
    """The highest bit of each pit in `row` that holds seeds."""
    return ((row & LOW) + LOW | row) & HIGH


# The end --------------------------------------------------------------------------------------


def left(a: i64, b: i64) -> i64:
    """The seeds in the pits."""
    return SEEDS - (a + b >> STORE & 63)


def over(a: i64, b: i64) -> bool:
    """Whether the game is over; with four seeds or more in the pits it never is."""
    return a + b >> STORE & 63 >= FEW and not _captured_some_day(a, b)


FATES: Final[dict[int, bool]] = {}
"""What `_captured_some_day` has found, by the seeds (two bits for each pit) and the pit that may not be played."""


def _captured_some_day(a: i64, b: i64) -> bool:
    """Whether any sequence of legal turns from here captures a seed; there are three in the pits at most."""
    key: int = a & ROW | (b & ROW) << 2 | (b & BANNED) >> 1
    if key not in FATES:
        FATES[key] = _searched(a & ROW, b & (ROW | BANNED))
    return FATES[key]


def _searched(a: i64, b: i64) -> bool:
    seen = {(a, b)}
    queue = [(a, b)]
    for near, far in queue:
        after = {column: sown(near, far, column) for column in range(6) if near >> 6 * column & 63}
        if any(words[1] >> STORE & 63 for words in after.values()):
            return True
        back = (far >> BAN & 3) + 1 if far & BANNED else -1
        legal = [words for column, words in after.items() if column != back]
        new = set(legal or [passed(near, far)]) - seen
        seen |= new
        queue += new
    return False


def margin(a: i64, b: i64) -> i64:
    """The mover's seeds less the other's, with those in the pits given to the side that captured last."""
    ahead, last = (a >> STORE) - (b >> STORE & 63), b >> CAPTOR
    if not last:
        return ahead
    return ahead + left(a, b) if last - 1 == b >> WIDTH & 1 else ahead - left(a, b)


def weighed(margin: i64, extra: i64) -> i64:
    """The weight of the mover's `margin` in seeds; `extra` for the side that has more."""
    if not margin:
        return 0
    return SEED * margin + extra if margin > 0 else SEED * margin - extra


class CoreZigZag(Core):
    """The rules of `games.zig_zag.rules` on words; a turn's kind is the number of the pit, or `PASS`."""

    def words(self, state: int) -> tuple[i64, i64]:
        """The words for a state of `FastZigZag`."""
        return state & WORD, state >> WIDTH

    def state(self, a: i64, b: i64) -> int:
        """The state for these words."""
        return joined(a, b)

    def fill(self, a: i64, b: i64, turns: Turns) -> None:
        """Fill `turns` with every legal turn, from column 1 to 6; none exactly when the game is over."""
        turns.many = 0
        if over(a, b):
            return
        self._sow(a, b, turns, -1)
        if not turns.many:
            near, far = passed(a, b)
            turns.add(near, far, PASS, 0)

    def _sow(self, a: i64, b: i64, turns: Turns, least: i64) -> None:
        """Add the turns that capture more than `least` seeds."""
        row, first = allowed(a, b), 6 * (b >> WIDTH & 1)
        for column in range(6):
            if row >> 6 * column & 63:
                near, far = sown(a, b, column)
                gain = (far >> STORE & 63) - (a >> STORE)
                if gain > least:
                    turns.add(near, far, first + column, gain)

    def count(self, a: i64, b: i64) -> i64:
        """How many legal turns there are."""
        if over(a, b):
            return 0
        many = (filled(allowed(a, b)) >> 5) * ONES >> 30 & 63  # the sum of all pits lands in the highest
        return many if many else 1

    def captures(self, a: i64, b: i64, turns: Turns) -> None:
        """Fill `turns` with the legal turns that capture."""
        turns.many = 0
        self._sow(a, b, turns, 0)

    def left(self, a: i64, b: i64) -> i64:
        """The seeds in the pits."""
        return left(a, b)

    def weigh(self, a: i64, b: i64) -> i64:
        """The mover's store less the other's; at the end with the seeds left over."""
        if over(a, b):
            return weighed(margin(a, b), WON)
        mine, theirs = a >> STORE, b >> STORE & 63
        return weighed(mine - theirs, WON if mine > HALF or theirs > HALF else 0)

    def repeated(self, a: i64, b: i64) -> i64:
        """The seeds left over go to the side that captured last: more than any estimate, less than a win for sure."""
        return weighed(margin(a, b), AGAIN)


class FastZigZag:
    """The same on states, which are integers; a move is the number of the pit, or `PASS`."""

    spread = 500.0

    def __init__(self, game: Game[Board] | None = None) -> None:
        """`game` has no options, so all games are searched alike."""
        self._core = CoreZigZag()

    def core(self) -> Core:
        """The rules on words."""
        return self._core

    def state(self, position: Position) -> int:
        """The integer for `position`."""
        assert isinstance(position, Board)
        mover = position.side
        near, far = (
            sum(seeds << 6 * column for column, seeds in enumerate(position.cells[6 * side : 6 * side + 6]))
            | position.stores[side] << STORE
            for side in (mover, 1 - mover)
        )
        back = 0 if position.back is None else position.back % 6 - 1
        last = 0 if position.last is None else position.last + 1
        return near | (far | mover << WIDTH | back << BAN | last << CAPTOR) << WIDTH

    def position(self, state: int) -> Board:
        """The position of this integer."""
        a, b = state & WORD, state >> WIDTH
        side, back, last = b >> WIDTH & 1, b >> BAN & 3, b >> CAPTOR
        rows = [bytes(row >> 6 * column & 63 for column in range(6)) for row in (a, b)]
        stores = a >> STORE, b >> STORE & 63
        cells = rows[side] + rows[1 - side]
        return Board(
            cells,
            side,
            (stores[side], stores[1 - side]),
            6 * side + back + 1 if back else None,
            last - 1 if last else None,
        )

    def side(self, state: int) -> int:
        """Who is to move: 0 South, 1 North."""
        return state >> 2 * WIDTH & 1

    def moves(self, state: int) -> list[int]:
        """Every legal move; empty when the game is over."""
        a, b = state & WORD, state >> WIDTH
        if over(a, b):
            return []
        return MOVES[b >> WIDTH & 1][filled(allowed(a, b))][:]

    def after(self, state: int, move: int) -> int:
        """The state after `move`."""
        a, b = state & WORD, state >> WIDTH
        near, far = sown(a, b, move % 6) if move != PASS else passed(a, b)
        return joined(near, far)

    def text(self, state: int, move: int) -> str:
        """The text of the turn."""
        return "pass" if move == PASS else SITES[move]

    def result(self, state: int) -> float:
        """Of a finished game: 1.0 if South has won, 0.0 if North, 0.5 if it is drawn."""
        return _result(state & WORD, state >> WIDTH)

    def playout(self, state: int, random: Chance) -> float:
        """The result of a random game from here; 0.5 where it is given up after `LONGEST` plies."""
        a: i64 = state & WORD
        b: i64 = state >> WIDTH
        luck = Luck(random.getrandbits(31))
        for _ in range(LONGEST):
            if over(a, b):
                return _result(a, b)
            a, b = drawn(a, b, luck)
        return 0.5

    def weigh(self, state: int) -> int:
        """The mover's store less the other's; at the end with the seeds left over."""
        return self._core.weigh(state & WORD, state >> WIDTH)

    def repeated(self, state: int) -> int:
        """The seeds left over go to the side that captured last: more than any estimate, less than a win for sure."""
        return self._core.repeated(state & WORD, state >> WIDTH)


def _result(a: i64, b: i64) -> float:
    ahead = margin(a, b)
    return 0.5 if not ahead else float((ahead > 0) == (not b & SIDE))


FAST = FastZigZag
