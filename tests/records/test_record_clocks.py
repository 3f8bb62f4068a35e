"""Clocks in the record: the times left come back, whatever was taken back; records without them are read as ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.clocks import Left, clocks
from firmware_bridge.records import Bounds, Record, RecordError, read_record
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import open_simulation
from hardware.device import Sense
from tests.simulation.midgame import game_of
from tests.table.players import At


class Kept(At):
    """A timed evening of ZhiZhu with a record in `folder`."""

    def __init__(self, folder: Path, time: str = "10+5", bounds: Bounds | None = None) -> None:
        self.path = folder / "x.table"
        self.sheet = ScoreSheet(game_of("zhizhu"), clock=clocks(time))
        record = Record(self.path, self.sheet, Sense.COLOUR, bounds=bounds or Bounds())
        self.session = open_simulation(self.sheet, Sense.COLOUR, record=record)
        self.table = self.session.table
        self.run(0.5)
        self.lay(("a1", 1), wait=10.0)
        self.lay(("b5", 2), wait=7.0)


def came_back(path: Path) -> ScoreSheet:
    return read_record(path).sheet


def test_the_times_left_come_back_with_what_was_used_of_the_turn(tmp_path: Path) -> None:
    now = Kept(tmp_path)
    now.session.close()
    clock = came_back(now.path).clock
    assert clock
    assert clock.left[0] == Left(605)
    assert clock.left[1].main == pytest.approx(595, abs=0.1)
    assert clock.used == pytest.approx(7.0, abs=0.1)
    assert (str(clock.control), clock.side, clock.since, clock.begun) == ("10+5", 0, None, False)


def test_after_a_power_cut_the_turn_in_hand_begins_anew(tmp_path: Path) -> None:
    now = Kept(tmp_path)
    clock = came_back(now.path).clock
    assert clock
    assert (clock.left[0], clock.used) == (Left(605), 0)


def test_a_turn_taken_back_has_given_back_its_time(tmp_path: Path) -> None:
    now = Kept(tmp_path)
    now.press("undo")
    now.session.close()
    clock = came_back(now.path).clock
    assert clock
    assert clock.left == (Left(605), Left(600))
    assert clock.side == 1
    assert clock.used == pytest.approx(10, abs=0.1)


def test_a_turn_can_be_taken_back_after_the_game_was_gone_on_with(tmp_path: Path) -> None:
    now = Kept(tmp_path)
    now.session.close()
    sheet = came_back(now.path)
    sheet.undo()
    assert sheet.clock
    assert sheet.clock.left == (Left(605), Left(600))


def test_the_game_goes_on_with_the_times_left(tmp_path: Path) -> None:
    now = Kept(tmp_path)
    now.session.close()
    saved = read_record(now.path)
    record = Record(now.path, saved.sheet, saved.sense, saved)
    again = open_simulation(saved.sheet, saved.sense, record=record)
    again.run(60.0)
    assert saved.sheet.clock
    assert saved.sheet.clock.shown(0, again.now).seconds == pytest.approx(598, abs=0.1)
    again.board.lay([("c3", 1)])
    again.run(10.0)
    assert saved.sheet.clock.shown(0, again.now).seconds == pytest.approx(603, abs=0.1)
    assert saved.sheet.clock.shown(1, again.now).seconds == pytest.approx(585, abs=0.3)


def test_a_flag_that_fell_comes_back(tmp_path: Path) -> None:
    now = Kept(tmp_path, "0.5")
    now.run(40.0)
    outcome = came_back(now.path).outcome
    assert outcome
    assert str(outcome) == "White wins: the time of Black is up."
    now.press("undo")
    sheet = came_back(now.path)
    assert (sheet.outcome, sheet.clock) == (None, None)


def test_periods_come_back(tmp_path: Path) -> None:
    now = Kept(tmp_path, "0.1+3x30")
    now.session.close()
    clock = came_back(now.path).clock
    assert clock
    assert clock.left == (Left(6, 3), Left(0, 3))


def test_the_next_part_of_a_long_record_has_the_times_too(tmp_path: Path) -> None:
    now = Kept(tmp_path, bounds=Bounds(made=2, kept=1))
    now.lay(("c3", 1), wait=3.0)
    now.session.close()
    clock = came_back(tmp_path / "x-part-2.table").clock
    assert clock
    assert clock.left[1].main == pytest.approx(595, abs=0.1)
    assert clock.used == pytest.approx(3.0, abs=0.1)


HEADING = "tablelight 1\ngame zhizhu\nsense colour\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEADING + "clock 10:5\n", r"line 4: clock: '10:5' is no time control"),
        (HEADING + "clock 10\nturn a1\ntime 5\n", "line 6: 'time 5': it tells what both players have left"),
        (HEADING + "clock 10\nturn a1\ntime 5 x\n", "line 6: .*'x' is not what a player can have left"),
        (HEADING + "clock 10+3x30\nturn a1\ntime 5/4 5/1\n", "line 6: .*'5/4' is not what a player can have left"),
        (HEADING + "clock 10\nflag pink\n", "line 5: .*'pink' does not play here"),
    ],
)
def test_damage_is_said_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "x.table"
    path.write_text(text)
    with pytest.raises(RecordError, match=said):
        read_record(path)
