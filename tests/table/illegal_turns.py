"""Illegal doings at a table in the middle of a game, and a judge of what the table makes of them.

What a player would agree to is no fault, though it was not meant:

1. *True.* The table commits a turn whose result stood on the board piece for piece, at that moment or just before:
   the hands passed through a whole legal turn, of this position or (amended) of the one before.
2. *Alike.* By presence, what the sensors saw is what they see of a legal turn: a stone of the other colour laid down
   while stones are placed; the other side's stone slid to where placing one's own captures it.
3. *Back.* The board equals an earlier position piece for piece: the turns since are taken back.
4. *Unseen.* Seeds by presence, while they are put right: what the sensors saw, in order, is a whole legal turn and
   the beginning of the next, for they do not see how many seeds a hand puts down.
5. *Unsaid.* Seeds by presence: a sowing left off is spoken of when Done is pressed, for the hand may hold more seeds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from benchmarks.cells import Cell
from firmware_bridge.daemon import SCAN_HZ
from firmware_bridge.events import Event
from firmware_bridge.simulation import Simulation
from firmware_bridge.verdict import Astray, Which
from games.rules import EMPTY
from hardware.device import Sense
from hardware.simulation.hands import STYLES, Style, one_by_one
from tests.simulation.midgame import COMMITTED, after_a_turn, follow, shown

Changes = list[tuple[int, int]]
STAND = 3.6
"""Seconds: more than any patience of the table."""
LONGEST = 60
"""Turns at which a game is swept."""


@dataclass
class Judge:
    """Watches an evening from one position on; `faults` are what no player would agree to."""

    session: Simulation
    seen: Changes = field(default_factory=list)
    """What the sensors have seen to change, in order."""
    agreed: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.begun = len(self.session.events)
        table = self.session.table
        self.sensors = table.sensors
        self.legal = [self.sensors.signature(table.sheet.position, turn) for turn in table.sheet.turns]

    def run(self, seconds: float) -> None:
        """Let the hands finish and `seconds` pass."""
        session = self.session
        before = now = self.board()
        still = 0.0
        while session.busy or still < seconds:
            still = 0.0 if session.busy else still + 1 / SCAN_HZ
            scanned = session.board.scan()
            events = session.scan()
            if session.board.scan() is not scanned:  # only then have the hands done something
                before, now = now, self.board()
                self.notice(before)
            self.faults += [fault for event in events for fault in self.weigh(event, before)]

    def board(self) -> tuple[int, ...]:
        return tuple(map(self.session.board.level, self.session.board.sites))

    def notice(self, before: Sequence[int]) -> None:
        sense = self.sensors.sense
        pairs = enumerate(zip(shown(sense, before), shown(sense, self.board()), strict=True))
        self.seen += [(site, level) for site, (was, level) in pairs if was != level]

    def weigh(self, event: Event, before: Sequence[int]) -> Iterator[str]:
        """Whether a player would agree to what the table has just made of it."""
        if event.name == "undone":
            self.agreed["back"] += 1
            if self.session.table.sheet.position.board != self.board():
                yield str(event.say)
        elif event.name in COMMITTED and event.turn:
            result = event.turn.after.board
            named = "true" if result in (self.board(), tuple(before)) else self.looks_like(result)
            self.agreed[named] += bool(named)
            if not named:
                yield f"{event.name} {event.turn.text}"

    def looks_like(self, result: Sequence[int]) -> str:
        """The exception by which the sensors cannot tell what was seen from a turn with this result."""
        for signature in self.legal if self.sensors.sense is Sense.PRESENCE else ():
            if signature.turn.after.board == result:
                whole = len(signature.seen)
                if signature.strict and self.seen[:whole] == list(signature.seen):
                    return "unseen"
                if not signature.strict and sorted(self.seen) == sorted(signature.seen):
                    return "alike"
        return ""

    def flagged(self) -> bool:
        """Whether the table shows now that something is wrong, or asks, or says so when Done is pressed.

        Seeds by presence may look right again in the end, though they are not: there it counts that it was said.
        """
        table = self.session.table
        if table.sensors.strict and any(event.name == "astray" for event in self.session.events[self.begun :]):
            return True
        if any(signature.strict for signature in self.legal) and not isinstance(table.verdict, Astray):
            self.agreed["unsaid"] += 1
            return any(event.name in ("owed", "asked", "astray") for event in self.session.press("done"))
        return isinstance(table.verdict, Astray) or table.view().flagged or self.asks()

    def asks(self) -> bool:
        table = self.session.table
        return isinstance(table.verdict, Which) and table.view().asked


# What hands do wrong --------------------------------------------------------------------------


def lay_one_more(session: Simulation, chance: Random) -> str:
    """A piece on an empty site (a seed in any pit, if seeds are counted) without a turn."""
    table, board = session.table, session.board
    counted = table.sensors.sense is Sense.COUNT
    sites = [site for site in board.sites if counted or board.level(site) == EMPTY]
    if not sites:
        return ""
    site = chance.choice(sites)
    level = board.level(site) + 1 if table.game.pieces == "seeds" else chance.choice((1, 2))
    session.do(one_by_one([(site, level)], Style()))
    return f"lay {level} on {site}"


def try_one(session: Simulation, chance: Random) -> str:
    """One of the illegal turns that people try, in some style."""
    refused = session.table.sensors.refused(session.table.sheet.position)
    if not refused:
        return ""
    turn, style = chance.choice(refused).turn, chance.choice(list(STYLES))
    session.play(turn, STYLES[style])
    return f"{turn.text} ({turn.reason.id if turn.reason else ''}) as {style}"


DOINGS = {"one more": lay_one_more, "illegal turns": try_one}


# The sweep ------------------------------------------------------------------------------------


@dataclass
class Sweep:
    """Doings at random places of random games: how many were as they should be, agreed to by exception, or faults."""

    cell: Cell
    doing: str
    first_seed: int
    count: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def run(self, times: int) -> None:
        for seed in range(self.first_seed, self.first_seed + 40 * times):
            chance = Random(seed)
            session = after_a_turn(self.cell, seed, chance.randrange(1, LONGEST))
            while self.done < times and not session.table.sheet.outcome and self.once(session, chance, seed):
                session.run(0.1)
            if self.done >= times:
                return

    @property
    def done(self) -> int:
        return sum(self.count.values())

    def once(self, session: Simulation, chance: Random, seed: int) -> bool:
        """Do it once, put it right, and go on with a legal turn; whether the evening can go on."""
        sheet, judge = session.table.sheet, Judge(session)
        position, length, seen = str(sheet.position), sheet.length, len(session.events)
        what = DOINGS[self.doing](session, chance)
        if not what:
            return False
        fault = self.stand(judge) or self.put_right(judge, chance)
        if not fault and not judge.agreed.keys() - {"unsaid"}:
            unchanged = (str(sheet.position), sheet.length) == (position, length)
            fault = self.go_on(session, chance) if unchanged else "the sheet has changed"
        self.count["fault" if fault else next(iter(judge.agreed), "right")] += 1
        if fault:
            told = [f"{event.name}: {event.say}" for event in session.events[seen:]]
            self.faults.append(f"{self.cell} seed {seed}, {length} turns, {position}: {what}: {fault}; {told}")
        return not fault and not judge.agreed.keys() - {"unsaid"}

    @staticmethod
    def stand(judge: Judge) -> str:
        judge.run(STAND)
        if judge.faults or judge.agreed:
            return " ".join(judge.faults)
        return "" if judge.flagged() else f"not flagged, {type(judge.session.table.verdict).__name__}"

    @staticmethod
    def put_right(judge: Judge, chance: Random) -> str:
        if judge.agreed.keys() <= {"unsaid"}:
            judge.session.put_right(chance.choice((0.3, 1.0)))
            judge.run(1.0)
        return " ".join(judge.faults)

    @staticmethod
    def go_on(session: Simulation, chance: Random) -> str:
        turn, style = chance.choice(session.table.sheet.turns), chance.choice(list(STYLES))
        return "" if follow(session, turn, STYLES[style]) else f"then {turn.text} as {style} was lost"
