"""Hands that play, slip, hesitate, change their mind and press buttons at random, and what must hold all the while.

1. No exception; the sheet goes from legal turn to legal turn; the record, read back, comes to the same.
2. Where the sensors see the pieces, a turn is written down only if all that it changes has stood as its result, at one
   time since what was written down before; a piece that it is known to owe apart. Elsewhere the next turn may have
   begun, and an earlier one may still owe a piece.
3. A board that equals the position and has stood for a while is at rest. One that visibly does not is shown: astray,
   asked about, or under way as hands would be (with a piece in the hand, or one where a legal turn leaves it).
   (Seeds by presence are left out: there the sensors cannot tell.)
4. Put right, the table is at rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from benchmarks.cells import Cell
from firmware_bridge.daemon import SCAN_HZ
from firmware_bridge.events import Event
from firmware_bridge.records import Line, event_words, repeat
from firmware_bridge.score import PASS, ScoreSheet
from firmware_bridge.simulation import open_simulation
from firmware_bridge.verdict import Astray, AtRest, Offered, UnderWay, Which
from games.rules import EMPTY, Turn
from hardware.device import Sense
from hardware.simulation.hands import STYLES, Change, Style, Touch, one_by_one, perform
from tests.simulation.midgame import COMMITTED, game_of, sheet_at, shown

STAND = 5.5
"""Seconds: more than any patience of the table."""


class Wanderer:
    """One evening of `cell`, all of it decided by `seed`; `story` tells what was done and said."""

    def __init__(self, cell: Cell, seed: int) -> None:
        self.cell, self.chance = cell, Random(seed)
        self.sheet = sheet_at(game_of(cell.game), seed, self.chance.choice((0, 0, 3, 12, 24)))
        self.mirror = ScoreSheet(self.sheet.game, house_rule=False)
        for entry in self.sheet.played_turns:
            if entry.turn.text != PASS:
                self.mirror.read(entry.turn.text)
        self.session = open_simulation(self.sheet, cell.sense)
        self.table = self.session.table
        self.boards = [self.board()]
        """What has stood, one after another, since the last but one event that changed the sheet."""
        self.new = 0
        """How many of them the last of these events has not seen."""
        self.story: list[str] = []
        self.run(0.1)

    def board(self) -> tuple[int, ...]:
        return tuple(map(self.session.board.level, self.session.board.sites))

    # Time -------------------------------------------------------------------------------------

    def run(self, seconds: float) -> None:
        """Let the hands finish, and `seconds` pass."""
        still = 0.0
        while self.session.busy or still < seconds:
            still = 0.0 if self.session.busy else still + 1 / SCAN_HZ
            scanned = self.session.board.scan()
            events = self.session.scan()
            if self.session.board.scan() is not scanned:
                self.boards.append(self.board())
                self.new += 1
            self.hear(events)

    def hear(self, events: list[Event]) -> None:
        """Check what the table says against the board and the record."""
        self.story += [f"  {event.name}: {event.say}" for event in events]
        for event in events:
            repeat(self.mirror, Line(1, 0.0, tuple(map(str, event_words(event, self.sheet)))))
        if events:
            assert facts(self.mirror) == facts(self.sheet), self.told()
        committed = [event.turn for event in events if event.name in COMMITTED and event.turn]
        if committed:
            self.has_stood(committed[-1])
        if any(event.name in {*COMMITTED, "undone"} for event in events):
            self.boards, self.new = self.boards[-self.new - 1 :], 0

    def has_stood(self, turn: Turn[Any]) -> None:
        """Check that this turn, which counts, was to be seen."""
        if self.cell.sense is not Sense.PRESENCE:
            owed = {debt.site for debt in self.table.view().debts}
            changed = [self.table.sensors.number[site] for site in turn.path]
            due = {site: turn.after.board[site] for site in changed if site not in owed}
            assert any(all(board[site] == due[site] for site in due) for board in self.boards), self.told()

    def told(self) -> str:
        return f"{self.cell}: " + "\n".join(self.story[-25:])

    @property
    def doings(self) -> dict[Callable[[Any], None], float]:
        """What may be done, and how often."""
        return DOINGS

    # What hands do ----------------------------------------------------------------------------

    def act(self) -> None:
        """Do something, then wait a little or not at all."""
        if not isinstance(self.table.verdict, AtRest) and self.chance.random() < 0.4:
            self.right()
        else:
            self.chance.choices(list(self.doings), list(self.doings.values()))[0](self)
        self.run(self.chance.choice((0.0, 0.02, 0.2, 0.5)))

    def tell(self, what: str, *about: object) -> None:
        self.story.append(" ".join([what, *map(str, about)]))

    @property
    def pace(self) -> float:
        return self.chance.choice((0.05, 0.12, 0.3, 0.3, 0.3, 0.6, 1.0))

    def turns(self) -> list[Turn[Any]]:
        return [turn for turn in self.sheet.turns if turn.steps]

    def sites(self, *, full: bool) -> list[str]:
        pairs = zip(self.sheet.game.sites, self.board(), strict=True)
        return [site for site, level in pairs if (level != EMPTY) == full]

    def acts(self, turn: Turn[Any], style: str) -> list[Touch]:
        return perform(turn.acts, STYLES[style])

    def toward(self, goal: tuple[int, ...]) -> list[Change]:
        """What to change so that the board becomes `goal`, pieces taken off first as a rule."""
        pairs = zip(self.sheet.game.sites, self.board(), goal, strict=True)
        changes = [(site, due) for site, level, due in pairs if level != due]
        self.chance.shuffle(changes)
        return sorted(changes, key=lambda change: change[1] > 0) if self.chance.random() < 0.6 else changes

    def play(self) -> None:
        if self.turns():
            turn, style = self.chance.choice(self.turns()), self.chance.choice(list(STYLES))
            self.tell("play", turn, style)
            self.session.play(turn, STYLES[style])

    def slip(self) -> None:
        refused = self.table.sensors.refused(self.sheet.position)
        if refused:
            turn, style = self.chance.choice(refused).turn, self.chance.choice(list(STYLES))
            self.tell("slip", turn, turn.reason and turn.reason.id, style)
            self.session.play(turn, STYLES[style])

    def half(self) -> None:
        """Begin one turn, and perhaps end up with another."""
        if self.turns():
            turn, other = self.chance.choice(self.turns()), self.chance.choice(self.turns())
            acts = self.acts(turn, "singly")
            count = self.chance.randrange(1, len(acts) + 1)
            self.tell("half", turn, count)
            self.session.do(acts[:count])
            if self.chance.random() < 0.7:
                self.run(self.chance.choice((0.1, 0.5, 1.5)))
                self.tell("then", other)
                self.session.do(one_by_one(self.toward(other.after.board), Style(pace=self.pace)))

    def shuffle(self) -> None:
        if self.turns():
            turn = self.chance.choice(self.turns())
            acts = self.acts(turn, "singly")
            self.chance.shuffle(acts)
            self.tell("shuffle", turn, *[act.changes for act in acts])
            self.session.do(acts)

    def change_mind(self) -> None:
        """Another turn than the last one."""
        if self.sheet.played_turns:
            turn = self.chance.choice(self.sheet.game.turns(self.sheet.played_turns[-1].position))
            self.tell("change to", turn)
            self.session.do(one_by_one(self.toward(turn.after.board), Style(pace=self.pace)))

    def go_back(self) -> None:
        """By hand, one turn or a few."""
        if self.sheet.played_turns:
            length = max(0, self.sheet.length - self.chance.choice((1, 1, 2, 3)))
            self.tell("back to", length)
            goal = self.sheet.played_turns[length].position.board
            self.session.do(one_by_one(self.toward(goal), Style(pace=self.pace)))
            self.run(self.chance.choice((0.5, 2.5)))

    def bump(self) -> None:
        for site in self.chance.sample(self.sites(full=True), 1) if self.sites(full=True) else []:
            self.tell("bump", site)
            self.session.touch(site, self.pace)

    def wander(self) -> None:
        """A piece goes for a walk and comes back."""
        if self.sites(full=True) and self.sites(full=False):
            here, there = self.chance.choice(self.sites(full=True)), self.chance.choice(self.sites(full=False))
            level, self_pace = self.session.board.level(here), self.pace
            self.tell("wander", here, there)
            walk = [(here, 0), (there, level), (there, 0), (here, level)]
            self.session.do(one_by_one(walk, Style(pace=self_pace)))

    def right(self) -> None:
        self.tell("right")
        self.session.put_right(self.chance.choice((0.3, 0.3, 1.0)))

    # Buttons and time -------------------------------------------------------------------------

    def done(self) -> None:
        self.press("done", lambda: self.session.press("done"))

    def undo(self) -> None:
        self.press("undo", lambda: self.session.press("undo"))

    def resign(self) -> None:
        side = self.chance.randrange(2)
        self.press("resign", lambda: self.session.request(lambda _: self.table.resign(side)))

    def press(self, what: str, button: Callable[[], list[Event]]) -> None:
        self.tell(what)
        self.hear(button())

    def unplug(self) -> None:
        self.tell("unplug")
        self.session.board.sighted = False
        self.run(1.0)
        self.session.board.sighted = True

    def stand(self) -> None:
        """Let the board stand for long: then the table shows what it shows."""
        self.tell("stand")
        self.run(STAND)
        if not self.table.sensors.strict and not isinstance(self.table.verdict, Offered):
            same = shown(self.cell.sense, self.board()) == self.table.sensors.frame(self.sheet.position)
            assert isinstance(self.table.verdict, AtRest) == same or self.out_of_turn(), self.told()
            assert same or self.shows(), self.told()

    def out_of_turn(self) -> bool:
        """Whether the pieces are moved after the end, when nobody minds."""
        return self.sheet.outcome is not None

    def shows(self) -> bool:
        verdict, view = self.table.verdict, self.table.view()
        if isinstance(verdict, Astray | AtRest):
            return True
        if isinstance(verdict, Which):
            return view.asked
        levels = list(zip(view.frame, view.rest, strict=True))
        taken = any(level == EMPTY != rest for level, rest in levels)
        begun = isinstance(verdict, UnderWay) and any(
            levels[site][0] == due != levels[site][1]
            for signature in verdict.signatures
            for site, due in signature.after.items()
        )
        return view.flagged or taken or begun

    def end(self) -> None:
        """The game goes on if it was called off, and the board is put right."""
        self.tell("end")
        if self.sheet.called_off:
            self.undo()
        for _ in range(2):
            self.run(0.5)
            self.right()
        self.run(STAND)
        if not self.table.sensors.strict:
            assert isinstance(self.table.verdict, AtRest), self.told()
            assert (self.board(), self.table.setting) == (self.sheet.position.board, False), self.told()


DOINGS: dict[Callable[[Any], None], float] = {
    Wanderer.play: 12,
    Wanderer.half: 3,
    Wanderer.change_mind: 3,
    Wanderer.shuffle: 3,
    Wanderer.bump: 3,
    Wanderer.stand: 2,
    Wanderer.wander: 2,
    Wanderer.slip: 2,
    Wanderer.go_back: 2,
    Wanderer.done: 1,
    Wanderer.undo: 0.7,
    Wanderer.unplug: 0.2,
    Wanderer.resign: 0.2,
}


def facts(sheet: ScoreSheet) -> tuple[str, int, str]:
    return str(sheet.position), sheet.length, str(sheet.outcome)


def wander(cell: Cell, seeds: range, steps: int, kind: type[Wanderer] = Wanderer) -> Iterator[Wanderer]:
    """Whole evenings of so many doings."""
    for seed in seeds:
        wanderer = kind(cell, seed)
        for _ in range(steps):
            wanderer.act()
        wanderer.end()
        yield wanderer
