"""Keeping a trace: all that comes in, so that the same comes out; in bounded files; and never in the game's way."""

from __future__ import annotations

import inspect
import os
import time
from pathlib import Path

import pytest

from benchmarks.cells import Cell, cells
from firmware_bridge.engine.advice import Assistant
from firmware_bridge.engine.client import LocalSearch
from firmware_bridge.reading import Debounce
from firmware_bridge.records import Trace, event_words, read_lines
from firmware_bridge.records.trace import TracedTable
from firmware_bridge.simulation import Simulation
from firmware_bridge.table import Table
from hardware.device import Sense
from hardware.simulation.hands import STYLES
from tests.hardware.odd_files import null, piped
from tests.records.test_record_writing import full_disk
from tests.records.traced_games import again, how, parts, play, traced

PART = {"yin-yang": 2_000, "zhizhu": 4_000, "zig-zag": 16_000, "zong-heng": 3_500}
"""Bytes of a part, so few that a game has several."""
SOON = 1.0
"""Seconds by which a table that does not know what was before a part may answer sooner or later than it did then."""
ANSWERING = {"view", "glimpse", "prepare", "dissolve"}
"""What is asked of a table, and changes nothing; or follows from a scan, which is in the trace; or ends it."""


def same(path: Path, simulation: Simulation) -> None:
    """Close `simulation`; its trace done again answers the same, and comes to the same."""
    simulation.close()
    done = again(path)
    assert done.differences == []
    assert how(done.simulation) == how(simulation)


@pytest.mark.parametrize("cell", cells(), ids=str)
def test_a_game_done_again_answers_the_same(cell: Cell, tmp_path: Path) -> None:
    simulation = traced(Trace(tmp_path / "x.trace"), cell.game, cell.sense)
    play(simulation, 8)
    simulation.press("done")
    simulation.press("undo")
    simulation.put_right()
    simulation.run(3.0)
    same(tmp_path / "x.trace", play(simulation, 2, seed=2, style=STYLES["done"]))


@pytest.mark.parametrize("hold", [0.0, 0.01, 0.02, 0.035])
def test_a_replay_debounces_as_the_game_did(hold: float, tmp_path: Path) -> None:
    simulation = traced(Trace(tmp_path / "x.trace"), "zong-heng", Sense.PRESENCE, debounce=Debounce(hold))
    same(tmp_path / "x.trace", play(simulation, 4, style=STYLES["slow"]))


def test_scans_off_the_pace_are_done_again_as_they_came(tmp_path: Path) -> None:
    simulation = traced(Trace(tmp_path / "x.trace"), "zong-heng", Sense.PRESENCE)
    simulation.play(simulation.table.sheet.turns[0], STYLES["finger"])
    for number in range(400):
        simulation.step(
            simulation.now + (0.0021, 0.0137, 0.0099999, 0.31)[number % 4 if number % 50 == 3 else number % 3]
        )
    same(tmp_path / "x.trace", simulation)


def test_setting_up_and_buttons_are_replayed(tmp_path: Path) -> None:
    simulation = traced(Trace(tmp_path / "x.trace"), "yin-yang", Sense.COLOUR, setting=True)
    simulation.put_right(0.1)
    simulation.run(1.0)
    play(simulation, 2)
    simulation.press("hint")
    simulation.press("hint")
    simulation.press("standing")
    simulation.daemon.set_mode("quiet")
    simulation.request(lambda _: simulation.table.agree())
    simulation.press("undo")
    simulation.run(0.2)
    simulation.request(lambda _: simulation.table.resign(1))
    same(tmp_path / "x.trace", simulation)


def test_sensors_that_tell_nothing_for_a_while_are_replayed(tmp_path: Path) -> None:
    simulation = play(traced(Trace(tmp_path / "x.trace"), "yin-yang", Sense.PRESENCE), 2)
    simulation.board.sighted = False
    simulation.run(1.0)
    simulation.board.sighted = True
    simulation.run(1.0)
    same(tmp_path / "x.trace", play(simulation, 2))


def test_the_turns_of_the_engine_come_from_the_trace(tmp_path: Path) -> None:
    simulation = traced(Trace(tmp_path / "x.trace"), "yin-yang", Sense.COLOUR, assistant=Assistant(LocalSearch(50)))
    simulation.table.sheet.levels = (0, 2)
    simulation.request(lambda _: simulation.table.look_again())
    for _ in range(3):
        play(simulation, 1)
        simulation.run(0.1)
        assert simulation.table.planned
        simulation.take(simulation.table.planned, STYLES["finger"])
    same(tmp_path / "x.trace", simulation)


def test_pieces_put_right_after_the_menu_are_replayed(tmp_path: Path) -> None:
    simulation = play(traced(Trace(tmp_path / "x.trace"), "yin-yang", Sense.COLOUR), 2)
    site = next(site for site in simulation.board.sites if not simulation.board.level(site))
    simulation.board.put(site, 1)
    simulation.now += 7.0
    simulation.events += simulation.daemon.set_right(simulation.now)
    simulation.run(3.0)
    simulation.board.lift(site)
    simulation.run(1.0)
    same(tmp_path / "x.trace", play(simulation, 2))


def test_all_that_can_be_asked_of_a_table_is_in_the_trace() -> None:
    asked = {name for name, _ in inspect.getmembers(Table, inspect.isfunction) if not name.startswith("_")}
    assert asked - vars(TracedTable).keys() == ANSWERING


# Files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("cell", cells(), ids=str)
def test_a_full_part_is_followed_by_another_that_can_be_read_by_itself(cell: Cell, tmp_path: Path) -> None:
    path = tmp_path / "x.trace"
    simulation = traced(Trace(path, largest=PART[cell.game]), cell.game, cell.sense)
    simulation.hands = None  # hands that fumble seeds, where these are not counted, soon leave the table at a loss
    play(simulation, 30).close()
    files = list(parts(path))
    assert len(files) == 2
    assert max(file.stat().st_size for file in files) < 2 * PART[cell.game]
    assert sorted(tmp_path.iterdir()) == sorted(files)
    for file in files:
        done = again(file)
        late = [float(each.partition(":")[0]) for each in done.differences]  # then nothing, now what was then a turn
        assert all(then - now < SOON for now, then in zip(late[::2], late[1::2], strict=True))
        then = [" ".join(line.rest) for line in read_lines(file.read_text()) if line.word == "said"]
        sheet = done.simulation.table.sheet
        assert [" ".join(map(str, event_words(event, sheet))) for event in done.simulation.events] == then
    assert how(done.simulation) == how(simulation)


def test_a_table_never_at_rest_does_not_fill_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "x.trace"
    simulation = traced(Trace(path, largest=20_000), "zong-heng", Sense.PRESENCE)
    site = simulation.board.sites[0]
    for _ in range(600):
        simulation.touch(site, 0.02)
        simulation.board.lay([("h8", 0 if simulation.board.level("h8") else 2)])
        simulation.run()
    simulation.close()
    assert sum(file.stat().st_size for file in parts(path)) < 80_000
    assert str(again(path).simulation.table.sheet.position) == str(simulation.table.sheet.position)


def test_an_hour_of_nothing_is_a_line_a_minute(tmp_path: Path) -> None:
    simulation = traced(Trace(tmp_path / "x.trace"), "yin-yang", Sense.PRESENCE)
    simulation.run(600.0)
    simulation.close()
    assert 10 <= sum(line.word == "quiet" for line in read_lines((tmp_path / "x.trace").read_text())) <= 13


def test_the_next_game_begins_a_part_of_its_own(tmp_path: Path) -> None:
    for game in ("yin-yang", "zhizhu"):
        play(traced(Trace(tmp_path / "x.trace"), game, Sense.COLOUR), 1).close()
    assert [again(file).simulation.table.game.name for file in parts(tmp_path / "x.trace")] == ["yin-yang", "zhizhu"]


@pytest.mark.parametrize("name", ["x.trace", "x.trace.1"])
def test_a_file_that_is_no_trace_is_left_alone(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("tablelight 1\ngame yin-yang\n")
    for _ in range(2):
        simulation = play(traced(Trace(tmp_path / "x.trace"), "yin-yang", Sense.COLOUR), 1)
        simulation.close()
    assert (tmp_path / name).read_text() == "tablelight 1\ngame yin-yang\n"


def test_a_disk_that_refuses_is_told_of_once_and_the_game_goes_on(tmp_path: Path) -> None:
    simulation = traced(Trace(tmp_path / "none" / "x.trace", background=True), "yin-yang", Sense.COLOUR)
    trace, end = simulation.daemon.trace, time.monotonic() + 5
    while trace and not trace.problem and time.monotonic() < end:
        simulation.run(0.1)
    play(simulation, 2)
    told = [event for event in simulation.events if event.name == "untraced"]
    assert len(told) == 1
    assert "x.trace: No such file or directory" in str(told[0].say)
    assert simulation.table.sheet.length == 2
    simulation.close()


def test_a_disk_that_is_full_leaves_what_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "x.trace"
    simulation = traced(Trace(path), "zong-heng", Sense.COLOUR)
    with full_disk(2_500):
        play(simulation, 40)
        simulation.close()
    assert simulation.daemon.trace
    assert "x.trace" in simulation.daemon.trace.problem
    assert again(path).differences == []


def test_a_thread_writes_while_the_game_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "x.trace"
    simulation = play(traced(Trace(path, background=True), "yin-yang", Sense.COLOUR), 3)
    same(path, simulation)


# What is no ordinary file -------------------------------------------------------------------------

A_PART = 1_000
"""Bytes of a part, so few that eight turns take several."""


def long_trace(path: Path) -> Trace:
    """A game of more than a part was traced to `path`, and is over."""
    trace = Trace(path, largest=A_PART)
    simulation = play(traced(trace, "zong-heng", Sense.PRESENCE), 8)
    simulation.close()
    assert simulation.table.sheet.length == 8
    return trace


def test_a_device_is_written_to_and_never_renamed(tmp_path: Path) -> None:
    with null(tmp_path) as path:
        assert not long_trace(path).problem


def test_a_pipe_gets_the_trace_in_one_part(tmp_path: Path) -> None:
    with piped(tmp_path) as (path, heard):
        assert not long_trace(path).problem
    text = b"".join(heard).decode()
    assert text.count("\ntrace 1 ") == 1
    assert len(text) > 2 * A_PART


def test_a_pipe_from_which_nobody_reads_ends_the_trace_and_not_the_game(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.trace")
    assert long_trace(tmp_path / "x.trace").problem == f"{tmp_path}/x.trace: a pipe from which nobody reads"


def test_a_link_stays_and_the_parts_are_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "x.trace").symlink_to(tmp_path / "there" / "y.trace")
    for _ in range(2):
        assert not long_trace(tmp_path / "x.trace").problem
    assert (tmp_path / "x.trace").is_symlink()
    assert sorted(os.listdir(tmp_path / "there")) == ["y.trace", "y.trace.1"]


@pytest.mark.parametrize("name", ["x.trace", "x.trace.1"])
def test_a_folder_in_the_place_of_a_part_is_left_alone(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    assert "a folder, where an ordinary file is needed" in long_trace(tmp_path / "x.trace").problem
    assert (tmp_path / name).is_dir()


def test_a_trace_is_for_its_owner_alone(tmp_path: Path) -> None:
    long_trace(tmp_path / "x.trace")
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
