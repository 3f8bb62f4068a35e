"""Clocks at a table: when they run and stand, what a turn takes, what is given back, and what follows their end."""

from __future__ import annotations

import pytest

from firmware_bridge.clocks import clocks
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import open_simulation
from hardware.device import Sense
from tests.simulation.midgame import game_of
from tests.table.players import At, C, P


class Timed(At):
    """An evening with clocks, of ZhiZhu: stones are laid on an empty web, so that a turn is one touch."""

    def __init__(self, time: str, sense: Sense = C, name: str = "zhizhu") -> None:
        self.session = open_simulation(ScoreSheet(game_of(name), clock=clocks(time)), sense)
        self.table, self.sheet = self.session.table, self.session.table.sheet
        self.run(1.0)

    def left(self, side: int) -> float:
        """What the clock of `side` shows, in seconds."""
        assert self.sheet.clock
        return round(self.sheet.clock.shown(side, self.session.now).seconds, 1)

    def playing(self) -> Timed:
        """After the first turn, of which the last touch is just past."""
        assert "played" in self.lay(("a1", 1))
        return self


@pytest.fixture
def now() -> Timed:
    return Timed("10").playing()


def test_the_clock_is_begun_by_the_first_turn() -> None:
    now = Timed("10")
    now.run(30.0)
    assert (now.left(0), now.left(1)) == (600, 600)
    now.playing().run(9.85)
    assert (now.left(0), now.left(1)) == (600, 590)


def test_a_turn_switches_it(now: Timed) -> None:
    now.run(19.85)
    now.lay(("b5", 2))
    now.run(4.85)
    assert (now.left(0), now.left(1)) == (595, 580)


def test_a_turn_that_comes_to_count_later_takes_time_up_to_its_last_touch() -> None:
    """By presence a stone on the web may be one that a sleeve left there, for a tenth of a second."""
    now = Timed("10", sense=P).playing()
    now.run(10.0)
    now.session.board.lay([("b5", 2)])
    touched, counted = now.session.now, 0.0
    while not counted:
        counted = now.session.now if "played" in now.run(0.01) else 0.0
    assert counted > touched + 0.05
    assert now.sheet.clock
    assert now.sheet.clock.since == pytest.approx(touched, abs=0.021)


def test_it_stands_while_the_table_sees_nothing(now: Timed) -> None:
    now.run(9.85)
    now.session.board.sighted = False
    now.run(60.0)
    shown = now.left(1)
    assert shown == pytest.approx(590, abs=0.3)
    now.run(60.0)
    assert now.left(1) == shown
    now.session.board.sighted = True
    now.run(10.0)
    assert now.left(1) == pytest.approx(shown - 10, abs=0.3)


def test_it_runs_while_a_player_has_put_something_wrong(now: Timed) -> None:
    now.lay(("c8", 1))
    now.run(30.0)
    assert now.left(1) < 575


def test_a_turn_that_is_replaced_is_timed_anew(now: Timed) -> None:
    now.run(9.85)
    assert now.lay(("b5", 2), wait=1.0) == ["played"]
    assert now.lay(("b5", 0), ("b6", 2), wait=0.5)[-1] == "amended"
    assert now.left(1) == pytest.approx(589, abs=0.2)
    assert now.left(0) == pytest.approx(599.5, abs=0.2)


def test_a_turn_that_a_hand_takes_back_costs_its_own_player_the_time(now: Timed) -> None:
    now.run(9.85)
    now.lay(("b5", 2), wait=3.0)
    assert "undone" in now.lay(("b5", 0), wait=5.0)
    assert now.left(0) == 600
    assert now.left(1) == pytest.approx(582, abs=0.2)


def test_a_turn_taken_back_by_the_button_gives_back_what_followed_it(now: Timed) -> None:
    """The other one's time is given back, the thought is not, and it stands until the board is put back."""
    now.run(9.85)
    now.lay(("b5", 2), wait=20.0)
    assert (now.left(0), now.left(1)) == (580, 590)
    now.press("undo")
    now.run(30.0)
    assert (now.left(0), now.left(1)) == (600, 590)
    now.lay(("b5", 0), wait=10.0)
    assert now.left(0) == 600
    assert now.left(1) == pytest.approx(580, abs=0.3)


def test_it_stands_before_the_first_turn_again_once_that_was_taken_back(now: Timed) -> None:
    now.press("undo")
    now.lay(("a1", 0), wait=20.0)
    assert (now.left(0), now.left(1)) == (600, 600)


# When time is up --------------------------------------------------------------------------------------


def test_who_has_no_time_left_loses() -> None:
    now = Timed("0.5").playing()
    assert now.run(29.0) == ["time-short"]
    assert now.run(2.0) == ["won"]
    outcome = now.sheet.outcome
    assert outcome
    assert (outcome.winner, str(outcome)) == (0, "Black wins: the time of White is up.")
    assert now.left(1) == 0
    assert now.run(5.0) == []


def test_a_turn_whose_last_touch_was_in_time_counts_after_the_end() -> None:
    now = Timed("0.5", sense=P).playing()
    assert now.sheet.clock
    falls = now.sheet.clock.falls
    now.run(falls - 0.06 - now.session.now)
    now.session.board.lay([("b5", 2)])
    assert now.run(falls - now.session.now) == []
    assert now.run(2.0)[-1] == "played"
    assert not now.sheet.outcome


def test_a_turn_that_is_finished_after_the_end_loses_all_the_same() -> None:
    """A hand is at work as time ends: it is waited for, but its last touch comes too late."""
    now = Timed("0.5+10", name="zong-heng")
    now.make("c3-c2")
    assert now.sheet.clock
    now.run(now.sheet.clock.falls - 0.3 - now.session.now)
    now.session.board.lay([("f4", 0)])
    assert now.run(0.6)[-1:] != ["won"]
    now.session.board.lay([("f5", 2), ("f4", 2)])
    assert now.run(1.0)[-1] == "won"
    assert str(now.sheet.outcome) == "Black wins: the time of White is up."


def test_who_plays_on_after_the_end_plays_without_clocks() -> None:
    now = Timed("0.5").playing()
    now.run(40.0)
    assert now.press("undo") == ["undone"]
    assert (now.sheet.outcome, now.sheet.clock) == (None, None)
    assert now.lay(("b5", 2)) == ["played"]


def test_little_time_is_said_once_of_each_player() -> None:
    now = Timed("2").playing()
    assert now.run(112.0) == ["time-short", "time-short"]
    now.lay(("b5", 2))
    assert now.run(112.0) == ["time-short", "time-short"]


def test_periods_are_announced() -> None:
    now = Timed("0.5+2x30").playing()
    assert now.run(31.0) == ["time-periods"]
    assert Timed("0+2x30").playing().run(31.0) == []
    now.lay(("b5", 2))
    now.lay(("b6", 1), wait=1.0)
    assert now.run(28.0) == []
    assert now.left(1) == pytest.approx(1.0, abs=0.3)
