"""Zig Zag, a mancala by Clark D. Rodeffer and Amanda J. Lemons Rodeffer (2006).

Seeds are sown along a path that crosses the board at every step, lap after lap, beginning toward its middle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from games.acts import Act, sow, steps, take
from games.rules import Figure, Game, Outcome, Position, PositionError, Reason, Standing, Turn, clip, say
from games.text import fields, one_of
from games.zig_zag.lessons import LESSONS
from games.zig_zag.puzzles import PUZZLES

SITES = tuple(f"{side}{column}" for side in "SN" for column in range(1, 7))
PITS = range(12)
PATH = tuple(SITES.index(site) for site in ["S1", "N2", "S3", "N4", "S5", "N6", "S6", "N5", "S4", "N3", "S2", "N1"])
NEXT = tuple(PATH[(PATH.index(pit) + 1) % 12] for pit in PITS)
BACK = tuple(PATH[(PATH.index(pit) - 1) % 12] for pit in PITS)
WAYS = tuple(NEXT if NEXT[pit] % 6 == pit % 6 + (1 if pit % 6 < 3 else -1) else BACK for pit in PITS)
"""For each pit the way its first lap goes: toward the middle of the board."""
SEEDS: Final = 60
NUMBERS = frozenset(map(str, range(SEEDS + 1)))


def owner(pit: int) -> int:
    """The side a pit belongs to: 0 South, 1 North."""
    return pit // 6


def opposite(pit: int) -> int:
    """The pit straight across the board."""
    return (pit + 6) % 12


@dataclass(frozen=True, slots=True, repr=False)
class Board(Position):
    """Seeds in S1..S6 and N1..N6, seeds captured by South and North, and what the rules remember."""

    cells: bytes
    side: int
    stores: tuple[int, int]
    back: int | None = None
    """The pit that may not be played unless that captures."""
    last: int | None = None
    """The side that made the last capture."""

    def __str__(self) -> str:
        south, north = (",".join(map(str, self.cells[start : start + 6])) for start in (0, 6))
        back = "-" if self.back is None else SITES[self.back]
        last = "-" if self.last is None else "SN"[self.last]
        return f"{north}/{south} {self.stores[0]},{self.stores[1]} {'SN'[self.side]} {back} {last}"


@dataclass(slots=True)
class Sowing:
    """A turn as it is sown: the pits, the acts so far, and the number of seeds captured."""

    cells: bytearray
    side: int
    acts: list[Act] = field(default_factory=list)
    captured: int = 0

    def lap(self, pit: int, way: tuple[int, ...]) -> int:
        """Lift `pit` and sow its seeds along `way`; returns the pit of the last seed."""
        seeds, self.cells[pit] = self.cells[pit], 0
        pits, counts = [SITES[pit]], []
        for _ in range(seeds):
            pit = way[pit]
            self.cells[pit] += 1
            pits.append(SITES[pit])
            counts.append(self.cells[pit])
        self.acts.append(sow(tuple(pits), tuple(counts)))
        return pit

    def sow(self, pit: int, way: tuple[int, ...]) -> int:
        """All laps from `pit`, and the capture; returns the pit of the last seed."""
        last = self.lap(pit, way)
        while owner(last) == self.side and self.cells[last] > 1:
            last = self.lap(last, way)
        across = opposite(last)
        if owner(last) != self.side and self.cells[last] == 1 and self.cells[across]:
            self.captured, self.cells[across] = self.cells[across], 0
            self.acts.append(take(SITES[across], needs=(len(self.acts) - 1,)))
        return last


class ZigZag(Game[Board]):
    """The rules with five seeds in each pit."""

    name = "zig-zag"
    title = "Zig Zag"
    sign = ("###", "...", "###")
    lessons = LESSONS
    puzzles = PUZZLES
    figures = (
        Figure("sow", "4,16,1,1,1,0/0,1,11,2,5,9 0,9 S - N", "S4"),
        Figure("take", "5,6,5,6,5,6/0,5,6,5,6,5 0,0 N - -", "N5"),
    )
    players = ("zig-zag.south", "zig-zag.north")
    pieces = "seeds"
    sites = SITES
    places = {site: (pit % 6, pit // 6) for pit, site in enumerate(SITES)}
    summary = """\
Two players, South and North; South begins. Each owns a row of six pits with five seeds in each, and a store.
In your turn lift all seeds of one of your pits and sow them one by one along the path that crosses the board at every
step (S1 N2 S3 N4 S5 N6, then S6 N5 S4 N3 S2 N1 and round again). You begin toward the middle of the board: from the
left half to the right, from the right half to the left.
Where the last seed falls: into your own pit that held seeds, lift them all and sow on in the same direction; into an
empty pit of your opponent, capture what lies in your pit straight across; anywhere else the turn ends.
A single seed that your opponent has just sown across the middle may not be sown straight back unless it captures.
The game ends when no more seeds can be captured. What is left goes to the side that captured last; more seeds win."""

    def start(self) -> Board:
        return Board(bytes([5] * 12), 0, (0, 0))

    def position(self, text: str) -> Board:
        pits, stores, side, back, last = fields(text, "north/south stores side back last")
        north, _, south = pits.partition("/")
        cells = bytes(counts(south, "south", 6) + counts(north, "north", 6))
        south_store, north_store = counts(stores, "stores", 2)
        if sum(cells) + south_store + north_store != SEEDS:
            total = sum(cells) + south_store + north_store
            raise PositionError(f"seeds: pits and stores hold {total} together, and should hold {SEEDS}")
        mover = one_of(side, "side", "SN")
        winner = None if last == "-" else one_of(last, "last", "SN-")
        return Board(cells, mover, (south_store, north_store), read_back(back, mover, cells), winner)

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        if not capturable(position):
            return ()
        turns = tuple(self._turn(position, pit) for pit in self._pits(position))
        return turns or (Turn("pass", passed(position), ()),)

    def _pits(self, position: Board) -> Iterator[int]:
        return (pit for pit in playable(position) if pit != position.back or takes(position, pit))

    def _turn(self, position: Board, pit: int) -> Turn[Board]:
        return Turn(SITES[pit], *sown(position, pit))

    # What people try, and why not -------------------------------------------------------------

    def tries(self, position: Board) -> Iterator[Turn[Board]]:
        yield from self._not_back(position)
        yield from self._not_ones_own(position)
        yield from self._wrong_way(position)
        yield from self._short(position)

    def _not_back(self, position: Board) -> Iterator[Turn[Board]]:
        back = position.back
        if back is not None and position.cells[back] and not takes(position, back):
            yield self._wrong(position, back, WAYS[back], "no-return")

    def _not_ones_own(self, position: Board) -> Iterator[Turn[Board]]:
        for pit in playable(replace(position, side=1 - position.side)):
            yield self._wrong(position, pit, WAYS[pit], "not-own")

    def _wrong_way(self, position: Board) -> Iterator[Turn[Board]]:
        for pit in self._pits(position):
            yield self._wrong(position, pit, BACK if WAYS[pit] is NEXT else NEXT, "wrong-way")

    def _wrong(self, position: Board, pit: int, way: tuple[int, ...], name: str) -> Turn[Board]:
        sowing = Sowing(bytearray(position.cells), owner(pit))
        sowing.sow(pit, way)
        return self._refuse(position, pit, tuple(sowing.acts), name)

    def _short(self, position: Board) -> Iterator[Turn[Board]]:
        """Turns left off: after a lap that goes on, or without the capture."""
        for pit in self._pits(position):
            acts = self._turn(position, pit).acts
            for place, act in enumerate(acts[1:], start=1):
                name = "capture" if act.kind == "take" else "sow-on"
                yield self._refuse(position, pit, acts[:place], name, held=act.sites[0])

    def _refuse(self, position: Board, pit: int, acts: tuple[Act, ...], name: str, **values: str) -> Turn[Board]:
        cells = bytearray(position.cells)
        for site, level in steps(acts):
            cells[SITES.index(site)] = level
        mover = owner(pit)
        after = Board(bytes(cells), 1 - mover, position.stores, None, position.last)
        reason = Reason.of(
            f"zig-zag.{name}",
            player=self.players[position.side],
            other=self.players[1 - position.side],
            pit=SITES[pit],
            first=SITES[WAYS[pit][pit]],
            **values,
        )
        return Turn(SITES[pit], after, acts, reason)

    def explain(self, position: Board, text: str) -> Reason:
        if text in SITES and position.cells[SITES.index(text)] == 0:
            return Reason.of("zig-zag.empty", pit=text)
        return super().explain(position, text)

    # The end ----------------------------------------------------------------------------------

    def aside(self, position: Board) -> Reason | None:
        south, north = position.stores
        return Reason.of("zig-zag.stores", south=south, north=north)

    def beside(self, position: Board) -> tuple[int, int]:
        return position.stores

    def standing(self, position: Board) -> Standing:
        south, north = position.stores
        ahead = None if south == north else int(north > south)
        reach = [reached(position, side) for side in (0, 1)]
        values = {"in_south": reach[0][0], "in_north": reach[1][0]}
        reason = Reason.of("zig-zag.standing", south=south, north=north, **values)
        return Standing(position.stores, ahead, reason, (reach[0][1], reach[1][1]))

    def outcome(self, position: Board) -> Outcome | None:
        return None if capturable(position) else self._score(position, "done")

    def repeated(self, position: Board) -> Outcome:
        return self._score(position, "repetition")

    def _score(self, position: Board, why: str) -> Outcome:
        left, stores = sum(position.cells), list(position.stores)
        if position.last is not None:
            stores[position.last] += left
        winner = None if stores[0] == stores[1] else stores.index(max(stores))
        name = "drawn" if winner is None else "won"
        values: dict[str, int | str] = {"why": f"zig-zag.{why}", "south": stores[0], "north": stores[1]}
        if winner is not None:
            values["player"] = self.players[winner]
        return Outcome(winner, Reason.of(f"zig-zag.{name}", **values))


def playable(position: Board) -> list[int]:
    """The mover's pits that hold seeds."""
    start = 6 * position.side
    return [pit for pit in range(start, start + 6) if position.cells[pit]]


def sown(position: Board, pit: int) -> tuple[Board, tuple[Act, ...]]:
    """The position after the mover sows from `pit`, and what the hands do."""
    sowing = Sowing(bytearray(position.cells), position.side)
    last = sowing.sow(pit, WAYS[pit])
    stores = list(position.stores)
    stores[position.side] += sowing.captured
    captor = position.side if sowing.captured else position.last
    across = position.cells[pit] == 1 and len(sowing.acts) == 1 and sowing.cells[last] == 1 and pit % 6 in (2, 3)
    back = last if across and not sowing.captured else None
    after = Board(bytes(sowing.cells), 1 - position.side, (stores[0], stores[1]), back, captor)
    return after, tuple(sowing.acts)


def takes(position: Board, pit: int) -> bool:
    """Whether sowing from `pit` captures at least one seed."""
    return sown(position, pit)[0].stores != position.stores


def reached(position: Board, side: int) -> tuple[int, tuple[str, ...]]:
    """The most seeds that `side` could capture with one turn if it were to move now, and the pits they lie in."""
    mover = position if side == position.side else replace(position, side=side, back=None)
    best: tuple[int, tuple[str, ...]] = 0, ()
    for pit in playable(mover):
        after, acts = sown(mover, pit)
        gain = after.stores[side] - mover.stores[side]
        if gain > best[0]:
            best = gain, acts[-1].sites
    return best


def capturable(position: Board) -> bool:
    """Whether some sequence of legal turns by both players, forced passes included, captures a seed.

    With four seeds or more on the board one always does (searched exhaustively), so only fewer are searched.
    """
    return sum(position.cells) > 3 or _captured_some_day(position.cells, position.side, position.back)


@lru_cache(maxsize=4096)
def _captured_some_day(cells: bytes, side: int, back: int | None) -> bool:
    seen = {Board(cells, side, (0, 0), back)}
    queue = list(seen)
    for position in queue:
        after = {pit: sown(position, pit)[0] for pit in playable(position)}
        if any(reached.stores != (0, 0) for reached in after.values()):
            return True
        legal = [reached for pit, reached in after.items() if pit != position.back]
        new = set(legal or [passed(position)]) - seen
        seen |= new
        queue += new
    return False


def passed(position: Board) -> Board:
    """The position after a forced pass: the restriction lapses."""
    return replace(position, side=1 - position.side, back=None)


def counts(text: str, what: str, length: int) -> list[int]:
    """Numbers of seeds separated by commas; `what` names them for the error."""
    parts = text.split(",")
    if len(parts) != length:
        raise PositionError(f"{what}: {clip(text)!r} should be {length} numbers of seeds, separated by commas")
    for place, part in enumerate(parts, start=1):
        if part not in NUMBERS:
            raise PositionError(f"{what}, number {place}: {clip(part)!r} is not a number of seeds from 0 to {SEEDS}")
    return [int(part) for part in parts]


def read_back(text: str, mover: int, cells: bytes) -> int | None:
    """The pit that may not be played: one of the mover's two beside the middle, with one seed, or ``-``."""
    allowed = [SITES[6 * mover + column] for column in (2, 3)]
    if text != "-" and text not in allowed:
        raise PositionError(f"back: {clip(text)!r} is not one of {' '.join(allowed)} -")
    if text != "-" and cells[SITES.index(text)] != 1:
        raise PositionError(f"back: {text} holds {cells[SITES.index(text)]} seeds, not the one just sown")
    return None if text == "-" else SITES.index(text)


say(
    "zig-zag",
    summary=ZigZag.summary,
    about="Sow seeds from pit to pit, across the board at every step.",
    aim="Whoever captures more seeds wins.",
    south="South",
    north="North",
    stores="Stores: South {south}, North {north}.",
    standing="Captured: South {south}, North {north}; more wins. The most that one turn could capture now: "
    "South {in_south}, North {in_north}.",
    no_return="{pit} holds the seed just sown across the middle: it may not go straight back unless it captures.",
    not_own="{pit} is {other}'s pit; it is {player}'s turn, and a turn begins in a pit of one's own.",
    wrong_way="From {pit} the first seed goes toward the middle of the board, into {first}.",
    sow_on="The last seed fell into {held}, your own pit that held seeds: lift them all and sow on.",
    capture="The last seed fell into an empty pit of {other}: take what lies in {held} into your store.",
    empty="{pit} is empty: there is nothing to sow.",
    done="no more seeds can be captured",
    repetition="by the house rule of this table, as the same position stands for the third time",
    won="{player} wins with South {south} and North {north} seeds ({why}).",
    drawn="A draw with South {south} and North {north} seeds ({why}).",
    figure_sow="The seeds are sown one by one along the crossing path; where the last falls into one's own pit with "
    "seeds, all of them are sown on.",
    figure_take="The last seed falls into an empty pit of the other side: the seeds across from it are captured.",
)
