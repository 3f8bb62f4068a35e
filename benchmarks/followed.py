"""A random game by simulated hands, followed by the table, and by other readers that are shown the same frames."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from math import inf
from typing import NamedTuple

from benchmarks.cells import CLEAN, Cell, Trouble, random_turns
from benchmarks.onlooker import Onlooker, played
from benchmarks.rivals import READINGS, Rivals
from benchmarks.tally import Naming, Tallies, Tally
from firmware_bridge.daemon import SCAN_HZ
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import open_simulation
from firmware_bridge.verdict import Astray, Complete, Offered
from games.rules import Position, Turn, load
from hardware.device import Levels
from hardware.simulation.faulty_sensors import FAULTS
from hardware.simulation.hands import Style
from hardware.simulation.mistakes import HANDS, Hands, Performance

TABLE = "table"
"""The name of what is measured, beside those of `READINGS`."""
GIVEN_UP = 3.0
"""Seconds that pass after a turn was given up, before it is begun again."""

THINKS = 1.5
"""Seconds for which players look at the table before they begin a turn, where sensors are sick."""
TOUCH = 0.05
"""Seconds after the first touch of a turn at which the one before it is judged."""
JUST_NOW = 2 / SCAN_HZ
"""Seconds, so that a scan lies in between."""
NOTICED = 0.5
"""Seconds within which players see what the table says."""

INSISTS = 4
"""Times that players press Done who say that a turn was made; guessed."""
ANSWERS = 0.3
"""Seconds from a question of the table to the first touch that answers it, at least."""


class Wrong(NamedTuple):
    """What a table got wrong, and how to see it again."""

    cell: Cell
    style: str
    trouble: Trouble
    seed: int
    turn: int
    """Which turn of the game, from 1."""
    what: str

    def __str__(self) -> str:
        hands = f"{self.style}, {self.trouble.hands} hands, {self.trouble.fault} sensors"
        return f"{self.cell} {hands}, seed {self.seed}, turn {self.turn}: {self.what}"


UNDONE = 3.0
"""Seconds after the last turn in which the table takes back what only looked like another one."""

NAMING = frozenset({"doubted", "late", "crosstalk", "miscount", "mute", "restless"})
"""What the table says of a sensor that is sick."""


class Playing:
    """One game, followed by the table and by the `others`; how each has read the turns."""

    def __init__(
        self, cell: Cell, style: Style, seed: int, trouble: Trouble = CLEAN, *, others: Collection[str] = READINGS
    ) -> None:
        hands = Hands(HANDS[trouble.hands], seed) if HANDS[trouble.hands] else None
        sheet = ScoreSheet(load(cell.game), house_rule=False)
        self.simulation = open_simulation(sheet, cell.sense, hands=hands, faults=(FAULTS[trouble.fault], seed))
        self.turns = random_turns(sheet.game, seed)
        self.style = style
        self._thinks = THINKS if trouble.fault != CLEAN.fault else 0.0
        self._begun = inf
        self.accepted: list[Turn[Position]] = []
        self.fumbles: defaultdict[int, tuple[str, ...]] = defaultdict(tuple)
        """What the hands fumbled, by the number of the turn."""
        self.what = ""
        """What went wrong, if anything."""
        self.at = 0
        """In which turn, from 1."""
        self._lied: dict[int, int] = {}
        self._named: defaultdict[str, dict[int, int]] = defaultdict(dict)
        self.phantoms = 0
        """How many turns were counted that nobody had made, and taken back."""
        self._had = 0
        """How many turns the table has had right."""
        self._asked: set[int] = set()
        self._still: list[float] = []
        self._verdicts: dict[int, str] = {}
        self._onlooker = Onlooker(self.simulation)
        self._others = Rivals(self.simulation.table.sensors, sheet.position, others)
        self.simulation.onlookers.append(self._show)

    def _show(self, frame: Levels, now: float) -> None:
        self._others.see(frame, self.simulation.daemon.settled, now)

    def play(self, longest: int) -> Counter[str]:
        """Play to the end, for `longest` turns, or until the table has it wrong; how the table has read them."""
        self.simulation.run(0.1)
        for turn in self.turns:
            if not self.follows(turn):
                return self.tallies()[TABLE].count
            if len(self.accepted) == longest:
                break
        self.simulation.press("done")
        self.simulation.answer(self.accepted[-1])
        self._begun = inf
        self.simulation.run(UNDONE)
        self.judge()
        return self.tallies()[TABLE].count

    def follows(self, turn: Turn[Position]) -> bool:
        """Make `turn`; whether the table has all those before it right, once this one has begun."""
        seen = len(self.simulation.events)
        made = False
        self._begun = inf
        self.simulation.run(self._thinks)
        prompted = self.looks()
        while not made:  # a turn that is given up is begun again
            right, made = self.begins(turn)
            if not right:
                return False
            prompted = (self.finish(turn) if made else self.give_up()) or prompted
        self.accepted.append(turn)
        self._look_for_names(seen)
        if prompted or any(event.name == "asked" for event in self.simulation.events[seen:]):
            self._asked.add(len(self.accepted))
        return True

    def give_up(self) -> bool:
        """As players do who have put a turn back: they see whether the table has counted it, and then it is True."""
        self._begun = inf
        self.simulation.run(GIVEN_UP)
        return self.take_back()

    def looks(self) -> bool:
        """As players do who look at the table while they think: whether they have taken something back."""
        return self._thinks > 0 and self.take_back()

    def take_back(self) -> bool:
        """As players do who see that the table has counted a turn before anybody has begun it, if it has.

        They press Undo, put the board as it was before, and insist that it is.
        """
        number, simulation = len(self.accepted), self.simulation
        counted = self._onlooker.counted.get(number + 1)
        if len(played(simulation)) <= number or not counted:
            return False
        if counted.at >= self._begun or simulation.now - counted.at <= NOTICED:
            return False
        while len(played(simulation)) > number:
            simulation.press("undo")
        simulation.put_right()
        simulation.run(NOTICED)
        for _ in range(2):
            if simulation.table.setting:
                simulation.press("done")
        self.phantoms += 1
        return True

    def begins(self, turn: Turn[Position]) -> tuple[bool, bool]:
        """Begin `turn`; whether the table has those before it right by now, and whether this one will be made."""
        self.simulation.play(turn, self.style)
        self._still[len(self.accepted) :] = [self.simulation.hands_free_at]
        fumbled = (self.simulation.made if turn.acts else None) or Performance([])
        self.fumbles[len(self.accepted) + 1] += fumbled.kinds
        first = fumbled.touches[0].wait if fumbled.touches else self.style.pace
        self._begun = self.simulation.now + (first if turn.acts else 0.0)  # a pass has been made by now
        self.simulation.run_to_touch(TOUCH, fumbled.begins)
        return self.judge(), fumbled.made

    def finish(self, turn: Turn[Position]) -> bool:
        """As players do who see whether the table has got it; if not, they press Done, and answer, and it is True."""
        simulation = self.simulation
        simulation.finish(turn, self.style)
        taken_back = self.looks()
        if taken_back:
            simulation.take(turn, self.style)
        behind = len(played(simulation)) <= len(self.accepted) or isinstance(simulation.table.verdict, Astray)
        prompted = behind and not self._has(turn)
        if prompted:
            self._insist(turn)
        self._others.wait()
        return prompted or taken_back

    def _insist(self, turn: Turn[Position]) -> None:
        """Press Done, and answer, until the table has `turn` or knows no more."""
        for _ in range(INSISTS):
            if not self._has(turn) and not isinstance(self.simulation.table.verdict, Offered):
                self.simulation.press("done")
                self.simulation.answer(turn)

    def _has(self, turn: Turn[Position]) -> bool:
        """Whether the table has counted `turn` last, or has it whole."""
        made, verdict = self.simulation.table.sheet.played_turns, self.simulation.table.verdict
        counted = bool(made) and made[-1].turn.after == turn.after
        return counted or (isinstance(verdict, Complete) and verdict.signature.turn.after == turn.after)

    def _look_for_names(self, seen: int) -> None:
        """Note in which turn a site lied first, and in which it was named in the events after the first `seen`."""
        turn, number = len(self.accepted), self.simulation.table.sensors.number
        self._lied = dict.fromkeys(self.simulation.misread_sites, turn) | self._lied
        told = (event for event in self.simulation.events[seen:] if event.name in NAMING)
        by = {TABLE: {number[site] for event in told for site in event.sites}, **self._others.blamed()}
        for reader, sites in by.items():
            self._named[reader] = dict.fromkeys(sites, turn) | self._named[reader]

    def naming(self, reader: str = TABLE) -> list[Naming]:
        """For each site that has lied, when it was named; and for those that have not, that they were.

        Nothing, if all are sick.
        """
        if len(self.simulation.faulty_sites) == len(self.simulation.table.game.sites):
            return []
        turns, named = len(self.accepted), self._named[reader]
        return [Naming(named.get(site), self._lied.get(site), turns) for site in sorted({*self._lied, *named})]

    # How the turns were read ------------------------------------------------------------------

    def tallies(self) -> Tallies:
        """How the turns that have been judged were read."""
        found, table = Tallies(Tally), Tally()
        found |= self._others.tallies
        found[TABLE] = table
        for name in {TABLE, *self._named}:
            found[name].naming = self.naming(name)
        for number, verdict in self._verdicts.items():
            table.note(verdict)
            counted = self._onlooker.counted.get(number)
            if verdict == "right" and counted:
                wait = max(0.0, counted.at - self._still[number - 1])
                table.waits.append(wait)
                table.unique += [wait] if counted.unique else []
        return found

    def judge(self) -> bool:
        """Whether the table has accepted these turns; or will have, if players insist who are not two turns ahead."""
        made, number = played(self.simulation), len(self.accepted)
        verdict = self._verdict([turn.after for turn in made], [turn.after for turn in self.accepted])
        if number and number not in self._verdicts:
            self._others.judge(self.accepted[-1].after, self._still[number - 1], self._answered())
        self._note(number, verdict)
        if verdict != "right":
            self.at = number
            self.what = f"{verdict}: {self._tell(made)}"
        return verdict == "right" or (verdict == "missed" and self._verdicts.get(number - 1) != "missed")

    def _note(self, number: int, verdict: str) -> None:
        """How turn `number` was read; what was missed before has been asked about, if all is right now.

        Before the first turn only what is wrong is noted: a turn counted that nobody has made.
        """
        if verdict == "right":
            self.what, self._had = "", number
            self._asked |= {turn for turn, before in self._verdicts.items() if before == "missed"}
            self._verdicts.update(dict.fromkeys(self._asked & self._verdicts.keys(), "asked"))
        if number or verdict == "wrong":
            self._verdicts[number] = "asked" if verdict == "right" and number in self._asked else verdict

    def _verdict(self, results: list[Position], due: list[Position]) -> str:
        if self._waits():  # for a lift that it has not seen yet
            results = [*results, due[-1]]
        if results[: len(due)] == due and self._begins_so(range(len(due) + 1, len(results) + 1)):
            return "right"
        return "missed" if self._had <= len(results) and results == due[: len(results)] else "wrong"

    def _begins_so(self, more: Iterable[int]) -> bool:
        """Whether the turns of these numbers, counted besides those that were made, are the one that has just begun.

        If they were counted before that, and the table says already that something is wrong with them, it asks.
        """
        early = [number for number in more if self._onlooker.counted[number].at < self._begun]
        asks = self._begun < inf and self._onlooker.astray > self._begun - JUST_NOW
        self._asked.update(early if asks else ())
        return asks or not early

    def _answered(self) -> float:
        """When at the soonest the players may have begun to answer what the table asked about the last turn."""
        asked = self._onlooker.asked
        return asked + ANSWERS if asked >= self._still[len(self.accepted) - 1] else inf

    def _waits(self) -> bool:
        """Whether the table has the last turn whole, and only waits for the next to begin."""
        verdict = self.simulation.table.verdict
        if not isinstance(verdict, Complete) or len(played(self.simulation)) != len(self.accepted) - 1:
            return False
        return verdict.signature.turn.after == self.accepted[-1].after

    def _tell(self, made: list[Turn[Position]]) -> str:
        """Which turns differ, what the table shows, and what the hands fumbled there."""
        number = len(self.accepted)
        same = [turn.after == due.after for turn, due in zip(made, self.accepted, strict=False)]
        first = same.index(False) if False in same else min(len(made), number)
        texts = [" ".join(turn.text for turn in turns[first:]) or "nothing" for turns in (made, self.accepted)]
        happened = [(turn, self.fumbles[turn]) for turn in range(number - 1, number + 2) if self.fumbles[turn]]
        fumbled = [f"{', '.join(kinds)} in turn {turn}" for turn, kinds in happened]
        shown = type(self.simulation.table.verdict).__name__
        return "; ".join([f"has {texts[0]} for {texts[1]}, shows {shown}", *fumbled, *self._ill()])

    def _ill(self) -> list[str]:
        """The sites that are sick."""
        sites = self.simulation.table.game.sites
        return [f"{', '.join(kinds)}: {sites[site]}" for site, kinds in self.simulation.faulty_sites.items()]
