"""How a reader has read an evening: turn by turn, by one measure for every reader, on the same frames.

Any reader can be judged that keeps to `Follower`: it is shown every scan, and says which turns it has. Players go on
without looking at it, but for this:

 1. They answer a question that is open as the next turn begins, if that is at least `LOOKS` after the last touch; and
    if it says then that something is wrong, and has not got the turn, they press Done and do as it wants. If it has
    the turn after `PROMPTS` actions, it had to ask.
 2. A turn is judged once the next legal one is complete; where a stone was forgotten, once it has been laid. It is
    *right* if the reader has it then; *asked* if it has, and had to ask since the turn began; *missed* if the reader
    has not got it; *wrong* if it has another one: *told* if it says then that something is wrong, or asks, *silent* if
    not.
 3. After what is missed or wrong the players do what the table wants, until it is right: pressing Done or Undo,
    touching a piece, putting one right are an action each. If that fails the reader is put on the true position. The
    next turn, which began from a position that the reader had not got, is not judged; nor is the last one, nor an
    illegal one that began while the reader had another turn than was made. A sensor that has lied shows nothing of what
    they put right.

A legal turn is *scolded* if the reader says, from its first touch to the first touch of the next, that something is
wrong with the board or with a sensor. The wait runs from the last change that the sensors showed of the turn to its
being counted, over turns that are right and not asked about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, ClassVar, Literal, NamedTuple, Protocol

from benchmarks.cells import Cell
from benchmarks.evenings import Evening, Made, scans
from benchmarks.rivals import READINGS, Reader, Reading
from firmware_bridge.daemon import SCAN_HZ, DaemonOptions, assemble
from firmware_bridge.events import Event
from firmware_bridge.reading import Debounce
from firmware_bridge.reading.constants import USUAL, Constants
from firmware_bridge.score import ScoreSheet
from firmware_bridge.verdict import REACTION, Astray, Complete, Offered, SensorView, Which, sites_to_touch
from games.rules import Position, Turn, load
from hardware.device import Levels, Sense
from hardware.simulation.table import SimulatedTable

LOOKS = 0.5
"""Seconds after the last touch of a turn within which players do not look at the table; a guess."""
LATE = 0.1
"""Seconds after the last touch of a turn, and the last that its contacts showed of it, until it has been read."""
INSISTS = 8
"""Prompts of the table that players follow, one after another, before they put the board as it shows; a guess."""
PROMPTS = 2
"""Actions that are no more than an answer."""
STANDS = 0.6
"""Seconds for which players let the table think between two of their actions."""
SICK = frozenset({"doubted", "late", "crosstalk", "miscount", "mute", "restless"})
"""Events that blame a sensor."""

Told = Literal["asked", "accused", "owed", "lit"]
"""What a reader says: a question; that something is wrong; what a turn still wants; what is wrong, by light alone."""


class Said(NamedTuple):
    """What a reader said, and when (seconds)."""

    at: float
    what: Told


class Follower(Protocol):
    """A reader that follows a game from its start."""

    lost: str
    """What it is to have no turn where one was made: ``missed``, or ``asked`` for one that then asks by itself."""
    said: list[Said]
    """What it has said so far."""
    blamed: dict[int, float]
    """The sites whose sensors it has named, and when first (seconds)."""
    undos: int
    """How often players have pressed Undo for it."""

    @property
    def made(self) -> Sequence[Position]:
        """The results of the turns that it has, from the first on; forced passes left out."""

    @property
    def speaks(self) -> str:
        """What it says now: ``asked``, ``accused``, or nothing."""

    def see(self, levels: Levels, now: float) -> None:
        """What a scan at `now` (seconds) shows, not debounced; the same object while nothing changes."""

    def look(self, now: float) -> None:
        """The players let the frame stand for as long as the reader wants."""

    def answer(self, turn: Turn[Position]) -> int:
        """The players tell it that `turn` was made, as it asks: how many actions that took."""

    def recover(self, due: Sequence[Turn[Position]]) -> int | None:
        """The players do what it wants until it has just these turns: how many actions; None if it never has."""

    def put(self, due: Sequence[Turn[Position]], levels: Levels) -> None:
        """Go on from these turns; `levels` are what the sensors show."""


# The table ------------------------------------------------------------------------------------


class Fed:
    """A scanner that shows what it is given."""

    trouble = None
    settled = False

    def __init__(self, sense: Sense, channels: int) -> None:
        self.sense, self.channels = sense, channels
        self.levels: Levels = (0,) * channels

    def scan(self) -> Levels:
        """What it was given last."""
        return self.levels

    def close(self) -> None:
        """Nothing."""


class TableFollower:
    """The whole program at a table: daemon, debouncing, lights; time stands for it while players prompt it."""

    lost = "missed"

    def __init__(self, cell: Cell, costs: Constants = USUAL, lied: Mapping[int, float] | None = None) -> None:
        """`lied`: since when sick sensors have lied (seconds), which show nothing of what players put right."""
        self.cell, self.game = cell, load(cell.game)
        self._costs, self._lied = costs, lied or {}
        self.said: list[Said] = []
        self.blamed: dict[int, float] = {}
        self.undos = 0
        self._now = self._shift = 0.0
        self._fed = Fed(cell.sense, len(self.game.sites))
        self._start(ScoreSheet(self.game, house_rule=False))

    def _start(self, sheet: ScoreSheet) -> None:
        lights = SimulatedTable(self.game.sites, self.cell.sense, self.game.places, remember=1)
        constants = {(self.game.name, self.cell.sense): self._costs}
        self._daemon = assemble(self._fed, lights, sheet, self.cell.sense, DaemonOptions(constants=constants))
        self._table = self._daemon.table
        self._last: Event | None = None

    @property
    def made(self) -> Sequence[Position]:
        """The results of the turns that have been accepted."""
        return [entry.turn.after for entry in self._table.sheet.played_turns if not entry.forced]

    @property
    def speaks(self) -> str:
        """What the table says now."""
        verdict = self._table.verdict
        if isinstance(verdict, Offered) or (isinstance(verdict, Which) and self._asks):
            return "asked"
        return "accused" if isinstance(verdict, Astray) and not self._table.doubtful else ""

    @property
    def _asks(self) -> bool:
        return self._last is not None and self._last.name == "asked"

    def see(self, levels: Levels, now: float) -> None:
        """One cycle of the daemon."""
        self._now = now
        self._fed.levels = levels
        before = self._table.verdict
        for event in self._cycle():
            if event.name in ("asked", "offered"):
                self.said.append(Said(now, "asked"))
            elif event.name == "astray" or event.name in SICK:
                self.said.append(Said(now, "accused"))
            elif event.name == "owed":
                self.said.append(Said(now, "owed"))
        verdict = self._table.verdict
        if isinstance(verdict, Astray) and not isinstance(before, Astray):
            self.said.append(Said(now, "lit"))

    def _cycle(self) -> list[Event]:
        events = self._daemon.cycle(self._now + self._shift)
        self._hear(events)
        return events

    def _hear(self, events: Sequence[Event]) -> None:
        """Note what it says last, and the sensors that it names, be it as players press Done."""
        self._last = events[-1] if events else self._last
        for event in events:
            if event.name in SICK:
                self.blamed = {self.game.sites.index(site): self._now for site in event.sites} | self.blamed

    def look(self, now: float) -> None:
        """Nothing: the table needs no more time than it takes."""

    # What players do, while time stands for all others ------------------------------------------

    def _let(self, seconds: float) -> None:
        for _ in range(round(seconds * SCAN_HZ)):
            self._shift += 1 / SCAN_HZ
            self._cycle()

    def _press(self, button: str) -> None:
        self._hear(self._daemon.press(button, self._now + self._shift))
        self.undos += button == "undo"
        self._let(STANDS)

    def _show(self, site: int, level: int) -> None:
        if self._now < self._lied.get(site, inf):
            levels = list(self._fed.levels)
            levels[site] = level
            self._fed.levels = tuple(levels)
        self._let(0.3)

    def answer(self, turn: Turn[Position]) -> int:
        """Touch the piece where `turn` began; or press Done while the table shows `turn`."""
        verdict, shown = self._table.verdict, self._fed.levels
        if isinstance(verdict, Offered):
            for _ in range(INSISTS):
                if not isinstance(verdict := self._table.verdict, Offered):
                    break
                self._let(2 * REACTION)
                if any(signature.turn.after == turn.after for signature in verdict.signatures):
                    self._press("done")
                    return 1
                self._let(max(0.0, verdict.until - self._now - self._shift))
        elif isinstance(verdict, Which):
            sites = zip(sites_to_touch(self.game, verdict.signatures), verdict.signatures, strict=True)
            meant = (site for site, signature in sites if signature.turn.after == turn.after and site is not None)
            if (site := next(meant, None)) is not None:
                level = shown[site] or 0
                self._show(site, 0 if level else 1)
                self._show(site, level)
                return 1
        return 0

    def recover(self, due: Sequence[Turn[Position]]) -> int | None:
        """Done and answers; then Undo, and all that follows put right and made again."""
        results, shown = [turn.after for turn in due], self._fed.levels
        actions = self._prompt(due)
        if self._has(results):
            return actions
        for _ in range(len(self.made)):
            if list(made := self.made) == results[: len(made)]:
                break
            self._press("undo")
            actions += 1
        actions += self._put_right()
        for number, turn in enumerate(due[len(self.made) :], start=len(self.made) + 1):
            for step in turn.steps:
                self._show(self.game.sites.index(step.site), self.cell.sense.of(step.level))
                actions += 1
            self._let(1.0)
            actions += self._prompt(due[:number])
        self._fed.levels = shown
        self._let(STANDS)
        return actions if self._has(results) else None

    def _prompt(self, due: Sequence[Turn[Position]]) -> int:
        """Press Done and answer until it has what is `due`, or another turn: how many actions."""
        results, vain = [turn.after for turn in due], 0
        for actions in range(INSISTS):
            made = list(self.made)
            if self._has(results) or made != results[: len(made)] or len(made) == len(due) or vain == 2:
                return actions
            if not (self.speaks == "asked" and self.answer(due[len(made)])):
                self._press("done")
                vain += self.speaks == "accused"  # no more than what is wrong
        return INSISTS

    def _put_right(self) -> int:
        """Make the board equal the position, as far as sensors tell, and press Done if that is not enough."""
        due = [self.cell.sense.of(level) for level in self._table.sheet.position.board]
        wrong = [(site, level) for site, level in enumerate(due) if self._fed.levels[site] != level]
        for site, level in sorted(wrong, key=lambda change: change[1]):
            self._show(site, level)
        self._let(STANDS)
        if self._table.setting:
            self._press("done")
            return len(wrong) + 1
        return len(wrong)

    def _has(self, results: Sequence[Position]) -> bool:
        """Whether it has just these, the last perhaps whole and not counted yet."""
        made, verdict = list(self.made), self._table.verdict
        waits = isinstance(verdict, Complete) and made == results[:-1]
        return made == results or (
            waits and isinstance(verdict, Complete) and verdict.signature.turn.after == results[-1]
        )

    def put(self, due: Sequence[Turn[Position]], levels: Levels) -> None:
        """Begin anew with these turns on the sheet."""
        self._fed.levels = levels
        sheet = ScoreSheet(self.game, house_rule=False)
        for turn in due:
            sheet.accept(turn)
        self._start(sheet)
        self._cycle()


class WithoutAnswers:
    """What readers have in common that hear no answers: debouncing, and turns that they were told."""

    def __init__(self, cell: Cell) -> None:
        self._game = load(cell.game)
        self.said: list[Said] = []
        self.blamed: dict[int, float] = {}
        self.undos = 0
        self._debounce = Debounce()
        self._before: list[Position] = []
        self._start = ScoreSheet(self._game, house_rule=False).position

    def answer(self, turn: Turn[Position]) -> int:
        """It hears none."""
        return 0

    def recover(self, due: Sequence[Turn[Position]]) -> int | None:
        """It has to be told."""
        return None


class RivalFollower(WithoutAnswers):
    """One of the other ways of reading, over the same debouncing."""

    lost = "asked"
    speaks = ""
    reading: ClassVar[type[Reading]]

    def __init__(self, cell: Cell) -> None:
        super().__init__(cell)
        self._reader = Reader(self.reading, SensorView(self._game, cell.sense), self._start)

    @property
    def made(self) -> Sequence[Position]:
        """The results that it has read."""
        return [*self._before, *(read.after for read in self._reader.read)]

    def see(self, levels: Levels, now: float) -> None:
        """Debounced, and read."""
        self._reader.see(self._debounce.feed(levels, now), now)

    def look(self, now: float) -> None:
        """Let the frame stand."""
        self._reader.wait()

    def put(self, due: Sequence[Turn[Position]], levels: Levels) -> None:
        """Go on from the last of these."""
        self._before = [turn.after for turn in due]
        self._reader.put(due[-1].after if due else self._start)


def rival(name: str) -> type[RivalFollower]:
    """The follower of one of `READINGS`."""
    return type(name, (RivalFollower,), {"reading": READINGS[name]})


FOLLOWERS: dict[str, type[TableFollower] | type[RivalFollower]] = {
    "table": TableFollower,
    **{name: rival(name) for name in READINGS},
}
"""The readers that are judged, by name."""


# The judge ------------------------------------------------------------------------------------


class Judged(NamedTuple):
    """How one turn was read; times in seconds, None where there was none.

    `verdict`: ``right``, ``asked``, ``missed``, ``wrong silent``, ``wrong told``. Of an illegal turn: ``refused``,
    ``silent`` (nothing was said, not even what it still wants), ``accepted``, or ``hidden``, where all sensors show
    what they show of a legal turn, or nothing; `lit` and `told` are then the waits for light and words.
    """

    number: int
    legal: bool
    habit: str
    verdict: str
    scolded: bool = False
    wait: float | None = None
    actions: int | None = None
    """Actions until all was right again; None where nothing had to be done, or where nothing helped (`lost`)."""
    lost: bool = False
    lit: float | None = None
    told: float | None = None
    undone: bool = False
    """Whether players pressed Undo, of a turn that is asked."""


class Judging:
    """One evening, followed by one reader."""

    def __init__(self, evening: Evening, follower: Follower) -> None:
        self.evening, self.follower = evening, follower
        self.game = load(evening.cell.game)
        self._sensors = SensorView(self.game, evening.cell.sense)
        self.due: list[Turn[Position]] = []
        """The legal turns that were made so far."""
        self.judged: list[Judged] = []
        self._levels: Levels = ()
        self._counted: dict[int, float] = {}
        self._prompted: dict[int, int] = {}
        self._undone: set[int] = set()
        self._done: set[int] = set()
        self._most = 0

    def run(self) -> list[Judged]:
        """Show it all scans, and judge every turn."""
        checks, at = self._checks(), 0
        for now, levels in scans(self.evening, quick=True):
            while at < len(checks) and checks[at][0] <= now:
                checks[at][1](checks[at][2], now)
                at += 1
            self._levels = levels
            self.follower.see(levels, now)
            self._note(now)
        return self._with_scolding()

    def _checks(self) -> list[tuple[float, Any, int]]:
        """What is to be looked at when: time, how, and the place of the turn."""
        turns, checks = self.evening.turns, []
        legal = [place for place, made in enumerate(turns) if not made.turn.reason]
        for place, made in enumerate(turns):
            checks.append((made.own if made.turn.reason else made.began, self._begins, place))
            if made.turn.reason:
                checks.append((made.righted + LOOKS, self._judge_illegal, place))
                continue
            later = [each for each in legal if each > place]
            if not later:
                continue
            following = turns[later[0]]
            at = max(following.ended, following.settled) + LATE
            if made.owes or following.owes:
                at = turns[later[1]].began if later[1:] else self.evening.ends - 1
            checks.append((at, self._judge, place))
        return sorted(checks, key=lambda check: check[0])

    def _begins(self, place: int, now: float) -> None:
        """A turn begins: the players have done what the reader wanted of the one before."""
        before = self.evening.turns[place - 1] if place else None
        if before and not before.turn.reason and now > before.ended + LOOKS and not before.owes:
            self.follower.look(now)
            if self.follower.speaks == "asked":
                self._prompted[place - 1] = self.follower.answer(before.turn)
            elif self.follower.speaks == "accused" and (verdict := self._fault(len(self.due))):
                self._mend(place - 1, len(self.due), verdict, self.due)
        if not self.evening.turns[place].turn.reason:
            self.due.append(self.evening.turns[place].turn)
        elif self._fault(len(self.due)).startswith("wrong"):
            self._done.add(place)

    def _mend(self, place: int, number: int, verdict: str, due: Sequence[Turn[Position]]) -> None:
        """Make right what is wrong with the turn at `place`, of this number, so that the reader has what is `due`.

        If the next turn has not begun, and it took no more than `PROMPTS`, the turn was merely asked about.
        """
        undos, actions = self.follower.undos, self.follower.recover(due)
        if actions is None:
            self.follower.put(due, self._levels)
        elif actions <= PROMPTS and len(due) == number:
            self._prompted[place] = actions
            self._undone |= {place} if self.follower.undos > undos else set()
            return
        self._done.add(place)
        made = self.evening.turns[place]
        self.judged.append(Judged(place, True, made.habit, verdict, actions=actions, lost=actions is None))

    def _fault(self, number: int) -> str:
        """What is wrong with the first `number` turns, as the reader has them; nothing if it has them right."""
        results, has = [turn.after for turn in self.due[:number]], list(self.follower.made)[:number]
        if has == results:
            return ""
        if has == results[: len(has)]:
            return self.follower.lost
        return "wrong told" if self.follower.speaks else "wrong silent"

    def _note(self, now: float) -> None:
        """Note when it has as many turns as were made, or more."""
        made = self.follower.made
        for number in range(len(made), self._most):
            self._counted.pop(number + 1, None)
        for number in range(self._most, len(made)):
            self._counted[number + 1] = now
        self._most = len(made)

    def _judge(self, place: int, now: float) -> None:
        """The turn at `place`, now that the next one is complete."""
        if place in self._done:
            return
        made = self.evening.turns[place]
        number = sum(not each.turn.reason for each in self.evening.turns[: place + 1])
        if verdict := self._fault(number):
            self._mend(place, number, verdict, [each.turn for each in self.evening.turns if self._is_over(each, now)])
            turns = enumerate(self.evening.turns)
            self._done |= {later for later, each in turns if later > place and each.began < now}
            return
        asked = place in self._prompted or self._asked_about(place)
        wait = None if asked or made.owes else max(0.0, self._counted.get(number, now) - made.settled)
        verdict, actions = "asked" if asked else "right", self._prompted.get(place)
        undone = place in self._undone
        self.judged.append(Judged(place, True, made.habit, verdict, wait=wait, actions=actions, undone=undone))

    @staticmethod
    def _is_over(made: Made, now: float) -> bool:
        return made.ended < now and not made.turn.reason

    def _asked_about(self, place: int) -> bool:
        """Whether it asked from the first touch of this turn to that of the next."""
        begins, ends = self._span(place)
        return any(said.what == "asked" and begins <= said.at < ends for said in self.follower.said)

    def _span(self, place: int) -> tuple[float, float]:
        turns = self.evening.turns
        return turns[place].began, turns[place + 1].began if place + 1 < len(turns) else inf

    def _judge_illegal(self, place: int, now: float) -> None:
        """The illegal turn at `place`, now that it has been put back."""
        if place in self._done:
            return
        made = self.evening.turns[place]
        complete = [each.turn for each in self.evening.turns[:place] if not each.turn.reason]
        said = [each for each in self.follower.said if made.began <= each.at <= made.righted]
        lit, told = (
            next((max(0.0, each.at - made.settled) for each in said if each.what in what), None)
            for what in (("lit",), ("accused", "owed"))
        )
        verdict = "silent" if told is None and not any(each.what == "asked" for each in said) else "refused"
        # The next turn may be under way by now, or whole, and been read as what it is.
        begun = [each.turn.after for each in self.evening.turns if each.began < now and not each.turn.reason]
        made_so = list(self.follower.made)
        if made_so != begun[: len(made_so)]:
            verdict = "accepted"
            over = [each.turn for each in self.evening.turns if self._is_over(each, now)]
            if self.follower.recover(over) is None:
                self.follower.put(over, self._levels)
        if self._hidden(made, complete):
            verdict = "hidden"
        self.judged.append(Judged(place, False, made.habit, verdict, lit=lit, told=told))

    def _hidden(self, made: Made, complete: Sequence[Turn[Position]]) -> bool:
        """Whether all that is seen of the illegal turn may be seen of legal doings, or nothing is.

        These are a turn, also one whose new stone does the pushing, so that only the far end is filled; the last turn
        taken back; and that turn changed for another one, by way of where both began or only where they differ, as
        where another piece is captured instead.
        """
        sheet = ScoreSheet(self.game, house_rule=False)
        for turn in complete:
            before = sheet.position
            sheet.accept(turn)
        done = self._seen(sheet.position, made.turn)
        legal = [self._seen(sheet.position, turn) for turn in sheet.turns]
        legal += [pushed for turn in sheet.turns if (pushed := self._by_new_stone(turn, sheet.position))]
        if complete:
            shown = self._sensors.frame(before)
            last = self._seen(before, complete[-1])
            back = {site: [shown[site], *levels][-2::-1] for site, levels in last.items()}
            legal.append(back)
            stands = self._sensors.frame(sheet.position)
            for turn in self.game.turns(before):
                other, leads = self._seen(before, turn), self._sensors.frame(turn.after)
                legal.append({site: back.get(site, []) + other.get(site, []) for site in back | other})
                legal.append(changes(stands, leads))
        return not done or done in legal

    def _by_new_stone(self, turn: Turn[Position], position: Position) -> dict[int, list[int]]:
        """What is seen if the new stone pushes the row: where the picture changes; nothing if no turn is made so."""
        rows = [act for act in turn.acts if act.kind == "push"]
        if not any(act.kind == "lay" and act.sites[0] == row.sites[0] for act in turn.acts for row in rows):
            return {}
        return changes(self._sensors.frame(position), self._sensors.frame(turn.after))

    def _seen(self, position: Position, turn: Turn[Position]) -> dict[int, list[int]]:
        """What each site is seen to come to, one level after another."""
        found: dict[int, list[int]] = {}
        for site, level in self._sensors.signature(position, turn).seen:
            found.setdefault(site, []).append(level)
        return found

    def _with_scolding(self) -> list[Judged]:
        """What was judged, with the legal turns in which the reader said that something is wrong."""
        accused = [said.at for said in self.follower.said if said.what == "accused"]
        found = []
        for each in self.judged:
            begins, ends = self._span(each.number)
            found.append(each._replace(scolded=each.legal and any(begins <= at < ends for at in accused)))
        return found


def changes(before: Levels, after: Levels) -> dict[int, list[int]]:
    """The sites that differ, each with what it shows in the end."""
    return {site: [level] for site, level in enumerate(after) if level not in (before[site], None)}


def judge(evening: Evening, follower: Follower) -> list[Judged]:
    """How this reader reads the evening, turn by turn."""
    return Judging(evening, follower).run()


def count(judged: Sequence[Judged]) -> Counter[str]:
    """How many turns were read how; `illegal` ones by their verdict with that word before it."""
    found = Counter(each.verdict if each.legal else f"illegal {each.verdict}" for each in judged)
    found["turns"] = sum(each.legal for each in judged)
    found["scolded"] = sum(each.scolded for each in judged)
    return found
