"""A month of evenings at tables that are never switched off: all games, hands that fumble, faults that come and go.

Three tables, one a sense, have every third evening each. Time is virtual, and the nights are skipped; what the players
do in the evening is done scan by scan: choosing by light, setting up, thinking, turns, undo, pauses, cables that come
off. Players do as people do whom the table does not follow: they press Done, answer, and put the board right. Hints and
the engine are left out, for at a table they work in processes of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from time import perf_counter_ns

from firmware_bridge.events import Event
from firmware_bridge.score import PEOPLE
from games.rules import Game, Position, load, names
from hardware.device import Sense
from hardware.simulation import mistakes
from hardware.simulation.faulty_sensors import Fault
from hardware.simulation.hands import STYLES
from tests.session.screenless_players import Hands, ScreenlessTable

NIGHT = 20 * 3600.0
"""Seconds from one evening to the next at some other table."""
THINKING = (2.0, 20.0)
"""Seconds that players think before a turn."""
AILS, WELL = 40.0, 200.0
"""Seconds for which sensors have a fault of one kind, and then none."""
TRIES = 8
"""Times that players try to put something right before they wait for the sensors to recover."""
PATIENCE = 200
"""Answers that the menu gets before something must be wrong with it."""
KINDS = {
    "bounce": Fault("bounce", time=0.005, count=0),
    "slow": Fault("slow", time=0.1, count=0),
    "stuck on": Fault("stuck on"),
    "flicker": Fault("flicker", rate=0.5, time=0.08),
    "weak": Fault("weak", time=0.5),
    "mute": Fault("mute"),
    "crosstalk": Fault("crosstalk", rate=0.5),
    "stuck off": Fault("stuck off"),
    "misread": Fault("misread", rate=0.3, time=0.3, count=0),
    "miscount": Fault("miscount", rate=0.2),
    "drift": Fault("drift", time=30.0),
}


def coming_and_going(sense: Sense) -> tuple[Fault, ...]:
    """Faults of every kind that such sensors have, one after another, again and again."""
    kinds = [fault for fault in KINDS.values() if fault.suits(sense)]
    again = (AILS + WELL) * len(kinds)
    begins = ((number + 1) * (AILS + WELL) - AILS for number in range(len(kinds)))
    return tuple(
        replace(fault, since=since, every=again, lasts=AILS) for fault, since in zip(kinds, begins, strict=True)
    )


class Kept(ScreenlessTable):
    """A table that is kept for a month; each scan is told to `timed`, in nanoseconds."""

    def __init__(self, sense: Sense, folder: Path, timed: Callable[[int], None]) -> None:
        self._timed = timed
        super().__init__(sense=sense, folder=folder, faults=(coming_and_going(sense), 1))

    def step(self, now: float) -> list[Event]:
        """One scan."""
        begun = perf_counter_ns()
        events = super().step(now)
        self._timed(perf_counter_ns() - begun)
        return events


class Evenings:
    """Players at one such table; `done` counts what they did."""

    def __init__(self, sense: Sense, folder: Path, timed: Callable[[int], None], done: Counter[str]) -> None:
        self.table = Kept(sense, folder, timed)
        self._choose = Random(sense.value)
        self._done = done

    def play_evening(self, turns: int) -> None:
        """All four games, so many turns of each; then the board is cleared for the night."""
        for name in names():
            self._game(load(name), turns)
            self.table.events.clear()  # what the table told is not the table's to keep
        self.table.clear()
        self.table.run(3.0)
        self.table.now += NIGHT

    def close(self) -> None:
        """Switch the table off."""
        self.table.press("power", 2.5)
        assert self.table.session.over
        self.table.session.close()

    # One game ---------------------------------------------------------------------------------

    def _game(self, game: Game[Position], turns: int) -> None:
        self._answer(lambda: self._plays(game), "new", game.name, "people")
        hands = self._seated()
        for _ in range(turns):
            if hands.table.sheet.outcome:
                break
            hands.run(self._choose.uniform(*THINKING))
            hands = self._something(hands)
            self._turn(hands)
            hands.events.clear()
        self._done["games"] += 1
        del hands  # the table is to be rid of the game when it ends
        self._answer(lambda: self.table.session.daemon is None, "end", "agree")

    def _plays(self, game: Game[Position]) -> bool:
        """Whether two people play `game`."""
        session = self.table.session
        if session.menu or not session.daemon:
            return False
        sheet = session.daemon.table.sheet
        return sheet.game.name == game.name and sheet.levels == PEOPLE

    def _answer(self, reached: Callable[[], bool], *wanted: str) -> None:
        """Answer the menu so, all else as usual, until something is `reached`; sick sensors may spoil an answer."""
        for _ in range(PATIENCE):
            if reached():
                return
            menu = self.table.session.menu
            named = {choice.id for choice in menu.question.choices} if menu else ()
            answer = next((id for id in wanted if id in named), None)
            if answer:
                self.table.choose(answer)
            else:
                self.table.press("done", 0.15 if menu else 2.5)
        raise AssertionError(f"after {PATIENCE} answers the menu has not come to an end: {wanted}")

    def _seated(self) -> Hands:
        """Hands of some kind, once the board stands as the table wants it, or cannot be made to."""
        hands = self.table.seated()
        fumbling = self._choose.choice(("steady", "careful", "hurried", "clumsy", "child"))
        hands.hands = mistakes.Hands(mistakes.HANDS[fumbling], self._choose.randrange(1000))
        self._right(hands)
        return hands

    def _right(self, hands: Hands) -> None:
        """Make the board equal the position, and wait where that does not help."""
        for _ in range(TRIES):
            hands.put_right(0.1)
            hands.run(1.0)
            if not hands.table.setting:
                return
        hands.run(AILS)

    def _turn(self, hands: Hands) -> None:
        """Make some turn; what the table has not got is undone at the board."""
        sheet = hands.table.sheet
        if not sheet.turns:
            return
        length, turn = sheet.length, self._choose.choice(sheet.turns)
        styles = ("done",) if sheet.game.pieces == "seeds" else ("finger", "singly", "round", "quick", "captures first")
        hands.take(turn, STYLES[self._choose.choice(styles)])
        if sheet.length == length:
            hands.press("done")
            hands.answer(turn)
        self._done["turns"] += sheet.length > length
        if sheet.length == length or sheet.position.board != tuple(map(hands.board.level, sheet.game.sites)):
            self._done["put right"] += 1
            self._right(hands)

    # Beside the game --------------------------------------------------------------------------

    def _something(self, hands: Hands) -> Hands:
        """Now and then something else happens than a turn."""
        doing = self._choose.choices((None, self._undo, self._pause, self._unplug), (92, 4, 2, 2))[0]
        if not doing:
            return hands
        self._done[doing.__name__.strip("_")] += 1
        doing(hands)
        return self._seated()

    def _undo(self, hands: Hands) -> None:
        hands.press("undo")

    def _pause(self, hands: Hands) -> None:
        self.table.press("done", 2.5)
        self._answer(lambda: not self.table.session.menu)

    def _unplug(self, hands: Hands) -> None:
        hands.board.sighted = False
        hands.run(3.0)
        hands.board.sighted = True
        hands.run(1.0)
