"""How a table comes to play with another one, and how it ends that: the same for all tables that a page shows.

A host asks `Linking` in each scan, and begins the game of `due` once it is there. The score is made in parts, one a
scan, for a game to go on with may be long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from firmware_bridge.clocks import control
from firmware_bridge.config import Config
from firmware_bridge.daemon import Daemon
from firmware_bridge.events import Event
from firmware_bridge.link import Meeting, Partner
from firmware_bridge.link.meeting import Club, GoingOn, Inviting, Joining, Stage
from firmware_bridge.link.pairing import pairing_path
from firmware_bridge.link.states import Terms
from firmware_bridge.score import ScoreSheet
from firmware_bridge.session.messages import AnyLinkRequest, Invite, Join, Link, Unlink, refused, said
from firmware_bridge.worker import Worker
from games.rules import Game, IllegalTurn, OptionError, Position, Reason, load, say
from hardware.device import Sense
from hardware.settings import SettingsError

Fits = Callable[[Game[Position]], object]
"""Raises SettingsError if the table has no room for a game."""


class Linked(NamedTuple):
    """A game with another table that is to begin; `sense`: what was asked for, None for the usual."""

    sheet: ScoreSheet
    partner: Partner
    sense: Sense | None


class Linking:
    """The way of one table to others, by what the configuration says; `fits` as `Fits`."""

    def __init__(self, config: Config, fits: Fits, *, background: bool = True) -> None:
        given = config.link
        self.meeting = Meeting(pairing_path(config.record.directory()))
        self.due: Linked | None = None
        """The game that is to begin, once the table is free for it."""
        self._club = Club(given.broker, given.ca, given.user, given.password_file)
        self._config, self._fits, self._background = config, fits, background
        self._game: Game[Position] | None = None
        self._sense: Sense | None = None
        self._parts: Iterator[Linked | None] | None = None

    # What is asked ------------------------------------------------------------------------------

    def ask(self, request: AnyLinkRequest, daemon: Daemon | None, now: float) -> list[Event]:
        """Do what is asked at `now` (seconds), with the game of `daemon` in hand."""
        linked = daemon is not None and daemon.partner is not None
        if isinstance(request, Unlink):
            return self._part(daemon, now) if daemon and linked else self.meeting.withdraw(now)
        if linked or self.meeting.busy or self._parts or self.due:
            return [Event.of("link-busy" if linked else "link-meets")]
        self._sense = None
        if isinstance(request, Invite):
            return self._invite(request)
        if isinstance(request, Join):
            self.meeting.begin(Joining(club=self._club, broker=request.broker, words=request.words))
        else:
            self.meeting.begin(GoingOn(club=self._club))
        return []

    def _invite(self, request: Invite) -> list[Event]:
        try:
            self._game = load(request.game, **request.options)
            self._fits(self._game)
            clock = str(control(request.clock) or "")
        except (OptionError, SettingsError) as fault:
            return refused(fault)
        self._sense = Sense(request.sense) if request.sense else None
        terms = Terms(self._game.name, dict(self._game.chosen), self._config.game.house_rule, clock)
        self.meeting.begin(Inviting(club=self._club, broker=request.broker, terms=terms, seat=request.seat))
        return []

    def _part(self, daemon: Daemon, now: float) -> list[Event]:
        """Play on at this table alone."""
        partner = daemon.partner
        assert partner
        self.meeting.forget(partner)
        events = daemon.play_alone(self._config.assistant(background=self._background), now)
        return [Event.of("link-parted-for-good"), *events]

    # Each scan ----------------------------------------------------------------------------------

    def see(self, now: float) -> list[Event]:
        """Look at `now` (seconds) how far it is; what is to be said."""
        if self._parts:
            self.due = next(self._parts, None)
            self._parts = None if self.due else self._parts
            return []
        before = self.meeting.stage
        events = self.meeting.see(now)
        stage = self.meeting.stage
        if stage and stage is not before and stage.state == "found":
            events += self._look(stage)
        elif stage and stage.state == "met":
            self.meeting.taken()
            self._parts = self._write_sheet(stage)
        return events

    def _look(self, stage: Stage) -> list[Event]:
        """Look whether what was found can be played here."""
        assert stage.terms
        try:
            self._game = stage.terms.load()
            self._fits(self._game)
        except (OptionError, SettingsError) as fault:
            return self.meeting.fail(said(Reason.of("table.link-no-room", fault=str(fault))))
        self.meeting.agree()
        return []

    def _write_sheet(self, stage: Stage) -> Iterator[Linked | None]:
        """The score of the game, with the turns that were made before; None while it is not whole."""
        assert stage.terms
        sheet = stage.terms.sheet(1 - stage.seat, self._game)
        yield None
        for text in stage.turns:
            try:
                sheet.read(text)
            except IllegalTurn:  # what is missing here is lit, turn by turn
                break
            yield None
        yield Linked(sheet, Partner(self.meeting.path, stage.games), self._sense)

    def begun(self) -> None:
        """The game of `due` has begun."""
        self.due = None

    @property
    def worker(self) -> Worker | None:
        """The process that looks for another table; None while none does."""
        return self.meeting.worker

    @property
    def state(self) -> tuple[Stage | None, bool]:
        """What browsers are told of, to see whether it is new."""
        return self.meeting.stage, self.meeting.kept

    @property
    def snapshot(self) -> Link:
        """How far it is, for browsers."""
        stage = self.meeting.stage or Stage(state="withdrawn")
        state: dict[str, str] = {"withdrawn": "", "found": "reaching", "met": "reaching"}
        return Link(
            state=state.get(stage.state, stage.state),  # type: ignore[arg-type]
            words=stage.words, address=stage.address, fault=stage.fault, broker=self._club.broker,
            kept=self.meeting.kept,
        )  # fmt: skip

    def close(self) -> None:
        """End what is under way; a pairing that is kept stays."""
        if self.due:
            self.due.partner.close()
        self.meeting.close()


say(
    "table",
    link_meets="Another table is being looked for already: cancel that first.",
    link_no_room="The other table plays what this one has no room for: {fault}. Nothing was changed.",
    link_parted_for_good="This table plays on alone: it is paired with no other any more.",
)
