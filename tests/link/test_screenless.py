"""A table without a screen that plays with another one: by light and buttons alone."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from typing import Literal

import pytest

from firmware_bridge.daemon import Daemon
from firmware_bridge.events import Event
from firmware_bridge.link import Partner
from firmware_bridge.link.courier import Courier, Message
from firmware_bridge.link.news import Answer, Play, Want
from firmware_bridge.link.pairing import Broker, new_pairing, write_pairing
from firmware_bridge.link.states import Standing, Terms
from firmware_bridge.score import ScoreSheet
from firmware_bridge.session import End, Make, Press
from firmware_bridge.web.simulated_host import SimulatedHost
from games.rules import load
from hardware.device import Sense
from hardware.simulation.hands import STYLES
from tests.link.tables import Club, NearLine, taken_in
from tests.session.screenless_players import ScreenlessTable

GAME = "zong-heng"


class Evening:
    """A table without a screen at seat 1, and what the player of seat 0 wants at a table elsewhere."""

    now = lag = 0.0

    def __init__(self, folder: Path) -> None:
        terms = Terms(GAME, dict(load(GAME).chosen))
        first = new_pairing(Broker("nowhere"), bytes(10), 0, terms)
        second = new_pairing(Broker("nowhere"), bytes(10), 1, terms, first.greeting)
        self.couriers = [self._courier(folder / str(pairing.seat), pairing) for pairing in (first, second)]
        for courier in (*self.couriers, *self.couriers):
            self.publish(courier, courier.connected(0.0))
        partner = Partner(folder / "1" / "pairing.json", 0, partial(NearLine, self, 1))
        self.table = ScreenlessTable(partner=partner, sheet=terms.sheet(0), folder=folder)
        self.lay_out()

    @staticmethod
    def _courier(folder: Path, pairing: object) -> Courier:
        write_pairing(folder / "pairing.json", pairing)  # type: ignore[arg-type]
        return Courier(pairing, folder / "pairing.json", "1")  # type: ignore[arg-type]

    def publish(self, _: Courier, messages: list[Message]) -> None:
        for topic, payload, *_ in messages:
            for courier in self.couriers:
                if courier.listens(topic):
                    self.publish(courier, taken_in(courier, topic, payload))

    def lay_out(self) -> None:
        """Hands lay the board as the position is."""
        hands = self.table.seated()
        sheet = self.table.sheet
        hands.board.lay(zip(sheet.game.sites, sheet.position.board, strict=True))
        self.table.run(0.5)
        assert not hands.table.setting

    @property
    def elsewhere(self) -> Courier:
        return self.couriers[0]

    def want(self, request: object) -> None:
        """The other table wants something."""
        self.publish(self.elsewhere, self.elsewhere.obey(request, 0.0))  # type: ignore[arg-type]
        self.table.run(0.3)

    def play_there(self) -> None:
        """The other table makes a turn, and a hand makes it here."""
        agreement = self.elsewhere.agreement
        turn = agreement.standing.sheet.turns[0]
        self.want(Play(len(agreement.mine.log), turn.text))
        assert self.table.said[-1] == "plans"
        assert self.table.lit()
        self.table.seated().take(turn, STYLES["finger"])

    def play_here(self) -> None:
        """A hand makes a turn here."""
        self.table.seated().take(self.table.sheet.turns[0], STYLES["finger"])
        self.table.run(0.5)

    @property
    def asked(self) -> str:
        """What this table asks the other one for."""
        self.table.run(0.3)
        asked = self.elsewhere.agreed.asked
        return asked.what if asked else ""

    def grant(self, *, grant: bool = True) -> None:
        asked = self.elsewhere.agreed.asked
        assert asked
        self.want(Answer(len(self.elsewhere.agreement.mine.log), asked.number, grant))


class RealTable:
    """A table without a screen and whoever sits there, who carries out what is lit; as a `Club` has its tables."""

    def __init__(self, folder: Path, partner: Partner, sheet: ScoreSheet) -> None:
        self.table = ScreenlessTable(partner=partner, sheet=sheet, folder=folder)
        self.hands = self.simulation = self.table.seated()
        self.hands.board.lay(zip(sheet.game.sites, sheet.position.board, strict=True))
        self._carried: object = None

    @property
    def daemon(self) -> Daemon:
        daemon = self.table.session.daemon
        assert daemon
        return daemon

    def step(self, now: float) -> list[Event]:
        planned = self.daemon.table.planned
        if planned and planned is not self._carried and not self.hands.busy:
            self.hands.play(planned, STYLES["finger"])
        self._carried = planned
        self.hands.move(now)
        return self.table.step(now)

    def obey(self, request: Make, now: float) -> list[Event]:
        """A hand makes a turn."""
        self.hands.play(next(turn for turn in self.table.sheet.turns if turn.text == request.turn), STYLES["finger"])
        return []

    def close(self) -> None:
        self.table.session.close()


class PageAndBoard(Club):
    """A table that is nothing but a page, at seat 0, and a real one without a screen at seat 1."""

    def _host(self, number: int, standing: Standing) -> SimulatedHost:
        host = super()._host(number, standing)
        if number == 0:
            return host
        host.close()
        sheet = self.terms.sheet(0)
        partner = Partner(self._paths[1], 0, partial(NearLine, self, 1))
        return RealTable(self._paths[1].parent, partner, sheet)  # type: ignore[return-value]

    @property
    def board(self) -> ScreenlessTable:
        real = self.hosts[1]
        assert isinstance(real, RealTable)
        return real.table

    def press_there(self, button: str) -> None:
        """A button at the board; time goes on at both tables."""
        self.board.keys.pressed.add(button)
        self.run(0.15)
        self.board.keys.pressed.discard(button)
        self.run(1.0)

    def press_here(self, button: Literal["done", "undo"]) -> None:
        """A button of the page."""
        self.hosts[0].obey(Press(button), self.now)
        self.run(1.0)


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path)


def test_turns_go_both_ways_by_light(evening: Evening) -> None:
    for _ in range(2):
        evening.play_there()
        evening.play_here()
    assert len(evening.table.sheet.played_turns) == 4
    assert evening.elsewhere.agreed.turns == tuple(entry.turn.text for entry in evening.table.sheet.played_turns)


def test_undo_asks_and_done_grants(evening: Evening) -> None:
    evening.play_there()
    evening.play_here()
    evening.table.press("undo")
    assert evening.asked == "back"
    evening.grant(grant=False)
    assert evening.table.said[-1] == "link-declined"
    evening.want(Want(2, "back", 0))
    assert evening.table.said[-1] == "link-asks-back"
    evening.table.press("done")
    evening.table.run(0.3)
    assert evening.elsewhere.agreed.turns == ()
    assert evening.table.sheet.length == 0
    evening.lay_out()
    evening.play_there()


def test_a_held_done_offers_a_draw_or_resigns(evening: Evening) -> None:
    evening.play_there()
    evening.table.press("done", 2.5)
    evening.table.choose("end")
    evening.table.choose("agree")
    evening.lay_out()
    assert evening.asked == "draw"
    assert evening.table.sheet.outcome is None
    evening.table.press("done", 2.5)
    evening.table.choose("end")
    evening.table.choose("second")
    evening.lay_out()
    assert evening.elsewhere.agreed.ended
    assert evening.elsewhere.agreed.ended.how == "resigned"
    assert evening.table.sheet.outcome


def test_after_the_end_done_asks_for_another_game_which_begins_when_it_is_granted(evening: Evening) -> None:
    evening.play_there()
    evening.want(Want(1, "resign"))
    assert evening.table.sheet.outcome
    evening.table.press("done")
    assert evening.asked == "again"
    assert not evening.table.session.menu
    evening.grant()
    assert evening.table.sheet.outcome is None
    assert evening.table.sheet.length == 0
    evening.lay_out()
    evening.play_there()


def test_a_held_done_asks_for_another_game_of_the_same_kind(evening: Evening) -> None:
    evening.play_there()
    evening.table.press("done", 2.5)
    evening.table.choose("new")
    assert not evening.table.session.menu
    assert evening.asked == "again"
    evening.lay_out()
    evening.play_here()
    assert evening.elsewhere.agreed.asked is None


def test_a_board_that_is_cleared_after_the_end_does_not_leave_the_game(evening: Evening) -> None:
    evening.play_there()
    evening.want(Want(1, "resign"))
    evening.table.clear()
    evening.table.run(4.0)
    assert not evening.table.session.menu


# With a page --------------------------------------------------------------------------------------


def test_a_page_alone_is_an_equal_partner_of_a_real_table(tmp_path: Path) -> None:
    """Turns, take-backs, a draw and another game go both ways, whoever asks."""
    with closing(PageAndBoard(tmp_path, GAME, (Sense.COLOUR, Sense.PRESENCE))) as both:
        luck = Random(2)
        both.run(1)
        for _ in range(4):
            both.make(luck)
            both.agree()
        assert len(both.texts(0)) == 4
        both.press_there("undo")
        assert both.partner(0).asks
        both.press_here("done")
        lay_out(both)
        assert len(both.texts(0)) == 3
        both.press_here("undo")
        assert both.partner(1).asks
        both.press_there("undo")
        assert "link-declined" in both.names(0)
        both.hosts[0].obey(End(), both.now)
        both.run(1)
        both.press_there("done")
        assert [both.outcome(number).reason.id for number in (0, 1)] == ["table.agreed"] * 2  # type: ignore[union-attr]
        both.press_there("done")
        both.press_here("done")
        both.run(1)
        lay_out(both)
        assert both.texts(0) == both.texts(1) == []
        both.make(luck)
        both.agree()
        assert len(both.texts(1)) == 1


def lay_out(both: PageAndBoard) -> None:
    """Whoever sits at the board lays it out as the lights ask."""
    real = both.hosts[1]
    assert isinstance(real, RealTable)
    real.hands = real.simulation = real.table.seated()
    real.hands.board.lay(zip(real.table.sheet.game.sites, real.table.sheet.position.board, strict=True))
    both.run(1.0)
    both.agree()
