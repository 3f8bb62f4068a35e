"""Evenings at the physical table: whole random games by people with habits, as what the sensors show and what was true.

    evening = play(Cell("zong-heng", Sense.PRESENCE), habit="mixed", strength="usual", seed=7)
    for now, levels in scans(evening):       # 100 a second, not debounced; the same object while nothing changes
        ...
    for made in evening.turns:               # what the people made, and when
        made.turn, made.began, made.ended

Nobody at such a table listens to a reader, so that all readers are shown the same frames. `habit` is one of `HABITS`
of `hardware.simulation.habits` (or of its seeds), ``mixed`` or ``illegal``; `strength` one of `STRENGTHS`. Seeds below
`PUBLISHED` are for tuning; figures are published from those above.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from benchmarks.cells import Cell
from firmware_bridge.daemon import SCAN_HZ
from firmware_bridge.reading.ways import passed
from games.acts import Act
from games.rules import Game, Position, Turn, load
from hardware.device import Levels
from hardware.simulation.habits import HABITS, SEED_HABITS, Players, can
from hardware.simulation.paths import ROWS, Stones
from hardware.simulation.physics import STRENGTHS, Magnets, Pits
from hardware.simulation.sowing import Seeds

LONGEST = 60
"""Turns after which a game is left."""
ENDS = 4.0
"""Seconds that the board stands at the end."""
IDLE = 2.0
"""Seconds after a change in which all scans matter."""
ILLEGAL = 0.4
"""The share of turns before which an illegal one is made, where the habit is ``illegal``."""
STANDS = 4.0
"""Seconds for which an illegal turn stands before it is put right."""


def habits(game: Game[Position]) -> list[str]:
    """The habits that people may have in this game, without mixed evenings and illegal turns.

    Ways to move a row, and captures made first, only where there are such.
    """
    if game.pieces == "seeds":
        return list(SEED_HABITS)
    choose, position, kinds = Random("habits"), game.start(), set[str]()
    for _ in range(60):
        if turns := game.turns(position):
            kinds |= {act.kind for turn in turns for act in turn.acts}
            position = choose.choice(turns).after
    rows, takes = set(ROWS) if "push" not in kinds else set(), {"captures first"} if "take" not in kinds else set()
    return [name for name in HABITS if name not in rows | takes]


class Made(NamedTuple):
    """A turn that was made: by which habit, and when, in seconds.

    `began`: the first stone moved, be it for another turn that was taken back; `own`: its own acts began. `ended`: the
    last stone came to rest; `settled`: the sensors changed last because of it. `righted`: when an illegal turn
    (`turn.reason`) had been put back. `owes`: acts left out, made up for after the next turn.
    """

    turn: Turn[Position]
    habit: str
    began: float
    own: float
    ended: float
    settled: float = 0.0
    righted: float = 0.0
    owes: tuple[Act, ...] = ()


class Evening(NamedTuple):
    """A game as the sensors showed it: each change of what they show, and what was made."""

    cell: Cell
    habit: str
    strength: str
    seed: int
    frames: list[tuple[float, Levels]]
    """When something changed, in seconds, a whole number of scans, and what the sensors show from then on."""
    turns: list[Made]
    ends: float
    """When it is over, in seconds."""


def play(cell: Cell, habit: str = "mixed", strength: str = "usual", seed: int = 0, longest: int = LONGEST) -> Evening:
    """One game, of `longest` turns at the most; the same values give the same evening."""
    game = load(cell.game)
    choose = Random(f"evening {seed} {habit} {strength} {cell}")
    position = passed(game, game.start())
    table, players = seated(game, position, cell, habit, strength, choose)
    turns: list[Made] = []
    while len(turns) < longest and (legal := [turn for turn in game.turns(position) if turn.acts]):
        if habit == "illegal" and choose.random() < ILLEGAL:
            turns += wrong_turn(game, position, players, choose)
        turn = choose.choice(legal)
        shown = players.chosen()
        made = players.make(position.side, turn.acts, others(turn, legal, choose), shown)
        began = max(made.begun, turns[-1].began + 1 / SCAN_HZ) if turns else made.begun  # a hand may come from afar
        turns.append(Made(turn, shown, began, max(began, made.own), made.ended, owes=made.owed))
        position = passed(game, turn.after)
    players.pay()
    ends = players.ended + ENDS
    frames = list(record(table, ends))
    return Evening(cell, habit, strength, seed, frames, settle(turns, frames), ends)


def seated(
    game: Game[Position], position: Position, cell: Cell, habit: str, strength: str, choose: Random
) -> tuple[Magnets | Pits, Players]:
    """A table on which `position` lies, and two people at it."""
    lies, seed = dict(zip(game.sites, position.board, strict=True)), choose.random().hex()
    if game.pieces == "seeds":
        pits = Pits(game.places, cell.sense, strength, seed)
        return pits, Players(Seeds(pits, lies), habit, choose.random().hex())
    magnets = Magnets(game.places, cell.sense, STRENGTHS[strength], seed)
    return magnets, Players(Stones(magnets, lies), habit, choose.random().hex())


def wrong_turn(game: Game[Position], position: Position, players: Players, choose: Random) -> Iterator[Made]:
    """An illegal turn, each kind as often as any other; it stands for a while and is put back."""
    players.pay()
    board = players.stones.board()
    seeds = game.pieces == "seeds"
    tries = [turn for turn in game.refused(position) if turn.acts and (seeds or can(board, turn.acts))]
    if tries:
        kind = choose.choice(sorted({turn.reason.id for turn in tries if turn.reason}))
        turn = choose.choice([turn for turn in tries if turn.reason and turn.reason.id == kind])
        shown = players.chosen()
        shown = "steady" if shown == "debt" else shown
        made = players.make(position.side, turn.acts, (), shown)
        righted = players.put_back(board, STANDS)
        yield Made(turn, shown, made.begun, made.own, made.ended, righted=righted)


def others(turn: Turn[Position], legal: Sequence[Turn[Position]], choose: Random) -> list[tuple[Act, ...]]:
    """Acts of two other turns: half of the time of one that leads to the same sites being taken, if there is one."""
    taken = [level > 0 for level in turn.after.board]
    rest = [other for other in legal if other.after != turn.after]
    twins = [other for other in rest if [level > 0 for level in other.after.board] == taken]
    among = twins if twins and choose.random() < 0.5 else rest
    return [other.acts for other in choose.sample(among, min(2, len(among)))]


def record(table: Magnets | Pits, ends: float) -> Iterator[tuple[float, Levels]]:
    """Scan `table` until then; what it shows whenever that changes."""
    seen: Levels | None = None
    scan = 0
    while (now := scan / SCAN_HZ) <= ends:
        table.advance(now)
        if table.scan() is not seen:
            seen = table.scan()
            yield now, seen
        scan += 1
        if table.quiet_until > now + 2 / SCAN_HZ:  # nothing can change before
            scan = max(scan, int(min(table.quiet_until, ends) * SCAN_HZ))


def settle(turns: list[Made], frames: Sequence[tuple[float, Levels]]) -> list[Made]:
    """The turns with the time of the last change that the sensors showed of each."""
    times = [time for time, _ in frames]
    late = 0.05  # a contact follows within that time
    return [made._replace(settled=times[bisect_right(times, made.ended + late) - 1]) for made in turns]


def scans(evening: Evening, *, quick: bool = False) -> Iterator[tuple[float, Levels]]:
    """Each scan, `SCAN_HZ` a second: its time and the levels, the same object while nothing changes.

    `quick` leaves out nine scans of ten where nothing has changed for `IDLE` and nothing is about to.
    """
    frames, at = evening.frames, 0
    for scan in range(int(evening.ends * SCAN_HZ)):
        now = scan / SCAN_HZ
        while at + 1 < len(frames) and frames[at + 1][0] <= now:
            at += 1
        ahead = frames[at + 1][0] if at + 1 < len(frames) else evening.ends
        if quick and scan % 10 and frames[at][0] + IDLE < now < ahead - IDLE / 10:
            continue
        yield now, frames[at][1]
