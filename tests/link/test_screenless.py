"""A table without a screen that plays with another one: by light and buttons alone."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from firmware_bridge.link import Partner
from firmware_bridge.link.courier import Courier, Message
from firmware_bridge.link.news import Answer, Play, Want
from firmware_bridge.link.pairing import Broker, new_pairing, write_pairing
from firmware_bridge.link.states import Terms
from games.rules import load
from hardware.simulation.hands import STYLES
from tests.link.tables import NearLine
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
        partner = Partner(folder / "1" / "pairing.json", 0, partial(NearLine, self, self.couriers[1]))
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
                    self.publish(courier, courier.hear(topic, payload, 0.0))

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
