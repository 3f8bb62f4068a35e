"""Zig Zag for searching: the position is one integer, and a lap is one addition.

From the lowest bit: six bits for each pit in the order of the sites, six for each store, one for the side to move,
two for the pit that may not be played (0 none, 1 column 3, 2 column 4), two for the side that captured last (0 none,
1 South, 2 North). What a lap adds and where it ends is looked up by the pit and its seeds.
"""

from __future__ import annotations

from functools import lru_cache

from games.fast import WON, Chance
from games.rules import Game, Position
from games.zig_zag.rules import BACK, NEXT, PITS, SEEDS, SITES, WAYS, Board

PASS = 12
"""The move of a forced pass; the others are the pits."""
STORES = (72, 78)
"""The first bit of each store."""
SIDE = 1 << 84
BANNED = 3 << 85
LAST = 3 << 87
ROW = (1 << 36) - 1
ORDER = tuple(tuple((pit, 63 << 6 * pit) for pit in range(6 * side, 6 * side + 6)) for side in (0, 1))
"""For each side its pits, each with the mask of its seeds."""
HIGH = sum(32 << 6 * column for column in range(6))
LOW = 31 * HIGH // 32
"""The highest bit of each pit of a row, and the others: their sum carries into the highest if any is set."""
AGAIN = WON // 4
"""What a game won by repetition is worth besides: whether it comes to that cannot be known for sure."""
HALF = SEEDS // 2
SEED = 100
"""What a seed in the store is worth to `weigh`."""
LONGEST = 3000
"""Plies after which a random game is given up as drawn; hardly one in a thousand comes so far."""


Lap = tuple[int, int, int, int]
"""What a lap adds to the state; of the pit where it ends the first bit, the owner, and 64 times its number."""


def _laps(way: tuple[int, ...]) -> tuple[Lap, ...]:
    """The laps along `way`, by 64 times the pit and its seeds."""
    found = []
    for pit in PITS:
        added, last = 0, pit
        for seeds in range(64):
            found.append((added - (seeds << 6 * pit), 6 * last, last // 6, last << 6))
            last = way[last]
            added += 1 << 6 * last
    return tuple(found)


def _filled(side: int) -> dict[int, list[int]]:
    """The pits of a side that hold seeds, by the highest bits of these pits in their row."""
    every = [[column for column in range(6) if chosen >> column & 1] for chosen in range(64)]
    return {sum(32 << 6 * column for column in columns): [6 * side + column for column in columns] for columns in every}


FILLED = (_filled(0), _filled(1))
LAPS = (_laps(NEXT), _laps(BACK))
FIRST = tuple(LAPS[WAYS[pit] is BACK] for pit in PITS)
"""For each pit the laps of the way that it is sown first."""


def sow(state: int, pit: int) -> int:
    """The state after the mover sows from `pit`."""
    laps, home = FIRST[pit], pit // 6
    seeds = state >> 6 * pit & 63
    added, first, owner, key = laps[pit << 6 | seeds]
    state = (state & ~BANNED ^ SIDE) + added
    held = state >> first & 63
    crossed = seeds == 1 == held and owner != home and 2 <= pit % 6 <= 3
    while held > 1 and owner == home:
        added, first, owner, key = laps[key | held]
        state += added
        held = state >> first & 63
    if held > 1 or owner == home:
        return state
    return _taken(state, first, home) or (state | (first // 6 % 6 - 1) << 85 if crossed else state)


def _taken(state: int, last: int, home: int) -> int:
    """The state after taking what lies across from the pit with the first bit `last`; 0 if nothing lies there."""
    across = (last + 36) % 72
    seeds = state >> across & 63
    if not seeds:
        return 0
    return (state & ~LAST) - (seeds << across) + (seeds << STORES[home]) | 1 + home << 87


def passed(state: int) -> int:
    """The state after a forced pass."""
    return state & ~BANNED ^ SIDE


def on_board(state: int) -> int:
    """The seeds in the pits."""
    return SEEDS - (state >> 72 & 63) - (state >> 78 & 63)


@lru_cache(maxsize=4096)
def _captured_some_day(state: int) -> bool:
    """Whether any sequence of legal turns from here captures a seed; the stores must be empty."""
    seen = {state}
    queue = [state]
    for reached in queue:
        side = reached >> 84 & 1
        after = {pit: sow(reached, pit) for pit, mask in ORDER[side] if reached & mask}
        if any(later >> 72 & 4095 for later in after.values()):
            return True
        legal = [later for pit, later in after.items() if pit != banned(reached)]
        new = set(legal or [passed(reached)]) - seen
        seen |= new
        queue += new
    return False


def banned(state: int) -> int:
    """The pit that may not be played unless that captures, or -1."""
    column = state >> 85 & 3
    return 6 * (state >> 84 & 1) + column + 1 if column else -1


def capturable(state: int) -> bool:
    """Whether the game goes on: with four seeds or more in the pits it always does."""
    return on_board(state) > 3 or _captured_some_day(state & ~(4095 << 72 | LAST))


class FastZigZag:
    """The rules of `games.zig_zag.rules` on integers; a move is the number of the pit, or `PASS`."""

    spread = 500.0
    kind = 15

    def __init__(self, game: Game[Board] | None = None) -> None:
        """`game` has no options, so all games are searched alike."""

    def state(self, position: Position) -> int:
        """The integer for `position`."""
        assert isinstance(position, Board)
        pits = sum(seeds << 6 * pit for pit, seeds in enumerate(position.cells))
        stores = sum(seeds << first for seeds, first in zip(position.stores, STORES, strict=True))
        back = 0 if position.back is None else position.back % 6 - 1
        last = 0 if position.last is None else position.last + 1
        return pits | stores | position.side * SIDE | back << 85 | last << 87

    def position(self, state: int) -> Board:
        """The position of this integer."""
        cells = bytes(state >> 6 * pit & 63 for pit in PITS)
        back, last = banned(state), state >> 87
        stores = (state >> 72 & 63, state >> 78 & 63)
        return Board(cells, self.side(state), stores, back if back >= 0 else None, last - 1 if last else None)

    def side(self, state: int) -> int:
        """Who is to move: 0 South, 1 North."""
        return state >> 84 & 1

    def moves(self, state: int) -> list[int]:
        """Every legal move; empty when the game is over."""
        if on_board(state) <= 3 and not capturable(state):
            return []
        side = state >> 84 & 1
        row = state >> 36 * side & ROW
        found = FILLED[side][((row & LOW) + LOW | row) & HIGH][:]
        if state & BANNED:
            back = banned(state)
            if back in found and not self._takes(state, back):
                found.remove(back)
        return found or [PASS]

    def _takes(self, state: int, pit: int) -> bool:
        return (sow(state, pit) ^ state) >> 72 & 4095 > 0

    def after(self, state: int, move: int) -> int:
        """The state after `move`."""
        return passed(state) if move == PASS else sow(state, move)

    def children(self, state: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """The captures, the greatest first, and the other moves, each with the state after it."""
        store = STORES[state >> 84 & 1]
        held = state >> store & 63
        captures: list[tuple[int, int]] = []
        others: list[tuple[int, int]] = []
        for move in self.moves(state):
            after = self.after(state, move)
            (captures if after >> store & 63 > held else others).append((move, after))
        captures.sort(key=lambda child: -(child[1] >> store & 63))
        return captures, others

    def text(self, state: int, move: int) -> str:
        """The text of the turn."""
        return "pass" if move == PASS else SITES[move]

    def margin(self, state: int) -> int:
        """South's seeds less North's, with those in the pits given to the side that captured last."""
        south, north, last = state >> 72 & 63, state >> 78 & 63, state >> 87
        left = SEEDS - south - north
        return south - north + (0, left, -left)[last]

    def result(self, state: int) -> float:
        """Of a finished game: 1.0 if South has won, 0.0 if North, 0.5 if it is drawn."""
        margin = self.margin(state)
        return 0.5 if not margin else float(margin > 0)

    def playout(self, state: int, random: Chance) -> float:
        """The result of a random game from here; 0.5 where it is given up after `LONGEST` plies."""
        for _ in range(LONGEST):
            move = int(random.random() * 6) + 6 * (state >> 84 & 1)
            # An empty pit is drawn again among the legal ones, so that all of those are equally likely.
            if not state >> 6 * move & 63 or state & BANNED or on_board(state) <= 3:
                found = self.moves(state)
                if not found:
                    return self.result(state)
                move = found[int(random.random() * len(found))]
            state = sow(state, move) if move != PASS else passed(state)
        return 0.5

    def weigh(self, state: int) -> int:
        """The mover's store less the other's; at the end with the seeds left over."""
        south, north = state >> 72 & 63, state >> 78 & 63
        if south + north >= SEEDS - 3 and not capturable(state):
            return _weight(state, self.margin(state), WON)
        return _weight(state, south - north, WON if south > HALF or north > HALF else 0)

    def repeated(self, state: int) -> int:
        """The seeds left over go to the side that captured last: more than any estimate, less than a win for sure."""
        return _weight(state, self.margin(state), AGAIN)


def _weight(state: int, margin: int, extra: int) -> int:
    """The weight of South's `margin` in seeds for the side to move; `extra` for the side that has more."""
    weight = SEED * margin + (extra if margin > 0 else -extra if margin else 0)
    return -weight if state & SIDE else weight


FAST = FastZigZag
