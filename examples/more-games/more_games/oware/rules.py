"""Oware by the rules called Abapa, which are played in tournaments; two rows of six pits, 48 seeds.

Sources: the Abapa rules of the Oware Society (London); J. Retschitzki, "Strategies des joueurs d'awele", 1990; J. W.
Romein and H. E. Bal, "Solving the game of Awari using parallel retrograde analysis", Computer 36(10), 2003. Where they
differ, here is played:

- A *grand slam*, a capture of all that the opponent has, may be sown but captures nothing.
- Whoever has more than half of the seeds has won at once.
- When the opponent has nothing and cannot be fed, and when the players leave it at that since the same position comes
  again and again, each has what lies in the own row.

South begins. Seeds go against the clock: S1 to S6, N6 to N1, and round again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from games.acts import sow, take
from games.rules import Game, Outcome, Position, PositionError, Reason, Turn, clip, say
from games.text import fields, one_of
from more_games.hands import carried_out, numbered

SITES = tuple(f"{side}{column}" for side in "SN" for column in range(1, 7))
NUMBER = numbered(SITES)
ROWS = (range(6), range(6, 12))
PATH = (*range(6), *range(11, 5, -1))
NEXT = tuple(PATH[(PATH.index(pit) + 1) % 12] for pit in range(12))
BACK = tuple(PATH[(PATH.index(pit) - 1) % 12] for pit in range(12))
SEEDS = 48
NUMBERS = frozenset(map(str, range(SEEDS + 1)))


@dataclass(frozen=True, slots=True, repr=False)
class Board(Position):
    """Seeds in S1..S6 and N1..N6, the side to move, and the seeds captured by South and North."""

    cells: bytes
    side: int
    stores: tuple[int, int] = (0, 0)

    def __str__(self) -> str:
        south, north = (",".join(map(str, self.cells[start : start + 6])) for start in (0, 6))
        return f"{north}/{south} {self.stores[0]},{self.stores[1]} {'SN'[self.side]}"


class Oware(Game[Board]):
    """The rules with four seeds in each pit."""

    name = "oware"
    title = "Oware"
    sign = ("##.", "...", ".##")
    players = ("oware.south", "oware.north")
    pieces = "seeds"
    sites = SITES
    places = {site: (pit % 6, pit // 6) for pit, site in enumerate(SITES)}
    summary = """\
Two players, South and North; South begins. Each owns a row of six pits with four seeds in each, and a store.
In your turn lift all seeds of one of your pits and sow them one by one against the clock: along your row to your
right, then along your opponent's. The pit that you have lifted is left out when seeds come round to it.
If the last seed makes two or three in a pit of your opponent's, take these; and those of the pit before it, if that is
your opponent's and has two or three, and so on backwards. If this took all that your opponent has, take nothing.
If your opponent has no seeds, sow so that some come there. If you cannot, the game ends.
Whoever has more than half of the seeds wins. What is left when nobody can go on belongs to the row it lies in."""

    def start(self) -> Board:
        return Board(bytes([4] * 12), 0)

    def position(self, text: str) -> Board:
        pits, stores, side = fields(text, "north/south stores side")
        north, _, south = pits.partition("/")
        cells = bytes(counts(south, "south", 6) + counts(north, "north", 6))
        first, second = counts(stores, "stores", 2)
        if sum(cells) + first + second != SEEDS:
            total = sum(cells) + first + second
            raise PositionError(f"seeds: pits and stores hold {total} together, and should hold {SEEDS}")
        return Board(cells, one_of(side, "side", "SN"), (first, second))

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        if 2 * max(position.stores) > SEEDS:
            return ()
        sown = (self._turn(position, pit) for pit in filled(position))
        return tuple(turn for turn in sown if feeds(turn))

    def _turn(self, position: Board, pit: int) -> Turn[Board]:
        """The seeds of `pit` sown by its owner, and what that captures."""
        way = sowing(position.cells, pit)
        return made(position, way, captured(after_sowing(position.cells, way), way[-1], pit // 6))

    # What people try, and why not -------------------------------------------------------------

    def tries(self, position: Board) -> Iterator[Turn[Board]]:
        for pit in filled(position):
            turn = self._turn(position, pit)
            if not feeds(turn):
                yield made(position, sowing(position.cells, pit), (), self._say("feed", position, pit))
            yield from self._captures(position, pit)
        for pit in ROWS[1 - position.side]:
            if position.cells[pit]:
                turn = self._turn(position, pit)
                taken = [NUMBER[act.sites[0]] for act in turn.acts[1:]]
                yield made(position, sowing(position.cells, pit), taken, self._say("not-own", position, pit))
        for pit in filled(position):
            way = sowing(position.cells, pit, BACK)
            yield made(position, way, (), self._say("wrong-way", position, pit, first=SITES[NEXT[pit]]))
            if position.cells[pit] >= len(SITES):
                way = sowing(position.cells, pit, skips=False)
                yield made(position, way, (), self._say("skip", position, pit))

    def _captures(self, position: Board, pit: int) -> Iterator[Turn[Board]]:
        """Captures that are left off, or made in part; a grand slam; one pit more than may be captured."""
        way = sowing(position.cells, pit)
        cells = after_sowing(position.cells, way)
        chain = chained(cells, way[-1], position.side)
        due = captured(cells, way[-1], position.side)
        for count in range(len(chain) + 1):
            for taken in combinations(chain, count):
                if chain == due and taken != due:
                    left = next(at for at in due if at not in taken)
                    yield made(position, way, taken, self._say("capture", position, left, count=cells[left]))
                elif taken and chain != due:
                    yield made(position, way, taken, self._say("grand-slam", position, pit))
        beyond = BACK[chain[-1]] if chain else way[-1]
        if beyond in ROWS[1 - position.side] and cells[beyond] and chain == due:
            reason = self._say("too-many", position, beyond, count=cells[beyond])
            yield made(position, way, (*due, beyond), reason)

    def _say(self, name: str, position: Board, pit: int, **values: int | str) -> Reason:
        player, other = self.players[position.side], self.players[1 - position.side]
        return Reason.of(f"oware.{name}", player=player, other=other, pit=SITES[pit], **values)

    def explain(self, position: Board, text: str) -> Reason:
        if text in NUMBER and position.cells[NUMBER[text]] == 0:
            return Reason.of("oware.empty", pit=text)
        return super().explain(position, text)

    # The end ----------------------------------------------------------------------------------

    def aside(self, position: Board) -> Reason | None:
        south, north = position.stores
        return Reason.of("oware.stores", south=south, north=north)

    def beside(self, position: Board) -> tuple[int, int]:
        return position.stores

    def outcome(self, position: Board) -> Outcome | None:
        if 2 * max(position.stores) > SEEDS:
            return scored(position.stores, "half")
        return None if self.turns(position) else self._each_row(position, "starved")

    def repeated(self, position: Board) -> Outcome:
        return self._each_row(position, "repetition")

    def _each_row(self, position: Board, why: str) -> Outcome:
        """Everybody has the seeds of the own row, too."""
        south, north = (store + lying(position.cells, side) for side, store in enumerate(position.stores))
        return scored((south, north), why)


def scored(seeds: tuple[int, int], why: str) -> Outcome:
    """The end with so many seeds for South and North."""
    south, north = seeds
    values: dict[str, int | str] = {"why": f"oware.{why}", "south": south, "north": north}
    if south == north:
        return Outcome(None, Reason.of("oware.drawn", **values))
    winner = int(north > south)
    return Outcome(winner, Reason.of("oware.won", **values, player=Oware.players[winner]))


def filled(position: Board) -> list[int]:
    """The mover's pits that hold seeds."""
    return [pit for pit in ROWS[position.side] if position.cells[pit]]


def lying(cells: Sequence[int], side: int) -> int:
    """The seeds in the row of `side`."""
    return sum(cells[6 * side : 6 * side + 6])


def feeds(turn: Turn[Board]) -> bool:
    """Whether the opponent has seeds after this turn, and so can go on."""
    return lying(turn.after.cells, turn.after.side) > 0


def sowing(cells: bytes, pit: int, onward: tuple[int, ...] = NEXT, *, skips: bool = True) -> tuple[int, ...]:
    """The pit lifted, and those where its seeds fall one after another; it is left out if the sowing `skips` it."""
    way, at = [pit], pit
    while len(way) <= cells[pit]:
        at = onward[at]
        if at != pit or not skips:
            way.append(at)
    return tuple(way)


def after_sowing(cells: bytes, way: tuple[int, ...]) -> bytearray:
    """The pits once the seeds of the first of `way` have fallen into the others."""
    sown = bytearray(cells)
    sown[way[0]] = 0
    for pit in way[1:]:
        sown[pit] += 1
    return sown


def chained(cells: Sequence[int], last: int, side: int) -> tuple[int, ...]:
    """The pits of the opponent of `side` that hold two or three seeds, backwards from the `last` one sown."""
    pits = []
    while last in ROWS[1 - side] and cells[last] in (2, 3):
        pits.append(last)
        last = BACK[last]
    return tuple(pits)


def captured(cells: Sequence[int], last: int, side: int) -> tuple[int, ...]:
    """The pits that a sowing by `side` captures which ended in `last`: none if they hold all that the opponent has."""
    pits = chained(cells, last, side)
    return pits if sum(cells[pit] for pit in pits) < lying(cells, 1 - side) else ()


def made(position: Board, way: tuple[int, ...], taken: Sequence[int], reason: Reason | None = None) -> Turn[Board]:
    """The turn that sows along `way` and then takes what these pits hold; of a legal one the seeds go to the store."""
    cells, fallen = bytearray(position.cells), []
    cells[way[0]] = 0
    for pit in way[1:]:
        cells[pit] += 1
        fallen.append(cells[pit])
    sites = tuple(SITES[pit] for pit in way)
    acts = (sow(sites, tuple(fallen)), *(take(SITES[pit], needs=(0,)) for pit in taken))
    stores, mover = list(position.stores), way[0] // 6
    stores[mover] += sum(cells[pit] for pit in taken) if reason is None else 0
    after = Board(carried_out(position.cells, acts, NUMBER), 1 - mover, (stores[0], stores[1]))
    return Turn(sites[0], after, acts, reason)


def counts(text: str, what: str, length: int) -> list[int]:
    """Numbers of seeds separated by commas; `what` names them for the error."""
    parts = text.split(",")
    if len(parts) != length:
        raise PositionError(f"{what}: {clip(text)!r} should be {length} numbers of seeds, separated by commas")
    for place, part in enumerate(parts, start=1):
        if part not in NUMBERS:
            raise PositionError(f"{what}, number {place}: {clip(part)!r} is not a number of seeds from 0 to {SEEDS}")
    return [int(part) for part in parts]


say(
    "oware",
    summary=Oware.summary,
    about="Sow seeds around the board, and capture twos and threes.",
    south="South",
    north="North",
    stores="Stores: South {south}, North {north}.",
    not_own="{pit} is {other}'s pit; it is {player}'s turn, and a turn begins in a pit of one's own.",
    wrong_way="From {pit} the first seed goes into {first}: seeds are sown against the clock.",
    skip="The pit that was lifted is left out: no seed goes back into {pit}.",
    feed="{other} has no seeds: {player} must sow so that some come there, and from {pit} none does.",
    capture="{pit} is captured with its {count} seeds: take them into {player}'s store.",
    grand_slam="This would capture all that {other} has, and so captures nothing: leave the seeds as they were sown.",
    too_many="Only pits with two or three seeds are captured, one after another: {pit} holds {count}.",
    empty="{pit} is empty: there is nothing to sow.",
    half="more than half of all seeds are captured",
    starved="the next player cannot go on, or has nothing to give, so each has what lies in the own row",
    repetition="by the house rule of this table, as the same position stands for the third time",
    won="{player} wins with South {south} and North {north} seeds ({why}).",
    drawn="A draw with South {south} and North {north} seeds ({why}).",
)
