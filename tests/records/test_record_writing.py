"""Writing a record: one writer at a time, and no line lost to a disk that is full for a while."""

from __future__ import annotations

import os
import resource
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event as Flag
from threading import Thread

import pytest

from benchmarks.cells import Cell
from firmware_bridge.daemon import SAVES, SAVING
from firmware_bridge.records import Record, RecordError, read_record
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import open_simulation
from hardware.device import Sense
from hardware.simulation.hands import STYLES
from tests.records.random_records import facts, keep, new, play
from tests.simulation.midgame import game_of

ZHIZHU = Cell("zhizhu", Sense.COLOUR)


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file of this process grows beyond `size` bytes for a while."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def until_safe(record: Record, seconds: float = 2.5) -> bool:
    """Wait for the thread that writes."""
    end = time.monotonic() + seconds
    while not record.safe and time.monotonic() < end:
        os.sched_yield()
    return record.safe


# One file, one writer -------------------------------------------------------------------------


def test_a_record_is_not_written_over(tmp_path: Path) -> None:
    made = keep(tmp_path / "x.table", ZHIZHU, 1, lines=5)
    before = made.path.read_bytes()
    with pytest.raises(RecordError, match=r"x\.table: .*--record"):
        new(made.path)
    assert made.path.read_bytes() == before
    assert os.listdir(tmp_path) == ["x.table"]


def test_two_programs_do_not_write_to_one_record(tmp_path: Path) -> None:
    sheet, record = new(tmp_path / "x.table")
    play(sheet, record, "a1")
    saved = read_record(record.path)
    with pytest.raises(RecordError, match="another"):
        Record(record.path, saved.sheet, saved.sense, saved)
    play(sheet, record, "b3")
    record.close()
    assert facts(read_record(record.path).sheet) == facts(sheet)


def test_a_refused_program_does_not_cut_off_the_torn_end(tmp_path: Path) -> None:
    sheet, record = new(tmp_path / "x.table")
    play(sheet, record, "a1")
    with record.path.open("ab") as torn:
        torn.write(b"3.0 turn b")
    saved = read_record(record.path)
    with pytest.raises(RecordError):
        Record(record.path, saved.sheet, saved.sense, saved)
    assert record.path.read_bytes().endswith(b"turn b")
    record.close()


def test_a_refused_program_keeps_no_file_open(tmp_path: Path) -> None:
    _, record = new(tmp_path / "x.table")
    saved = read_record(record.path)
    before = os.listdir("/proc/self/fd")
    for _ in range(3):
        with pytest.raises(RecordError):
            Record(record.path, saved.sheet, saved.sense, saved)
    assert len(os.listdir("/proc/self/fd")) == len(before)
    record.close()


def test_folders_are_created_and_a_failure_is_told(tmp_path: Path) -> None:
    _, record = new(tmp_path / "a" / "b" / "x.table")
    record.close()
    assert read_record(tmp_path / "a" / "b" / "x.table").sheet.length == 0
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError, match="--record"):
        new(tmp_path / "file" / "x.table")


def test_no_draft_is_left_and_the_file_is_an_ordinary_one(tmp_path: Path) -> None:
    _, record = new(tmp_path / "x.table")
    record.close()
    assert os.listdir(tmp_path) == ["x.table"]
    assert stat.S_ISREG((tmp_path / "x.table").stat().st_mode)


def test_a_record_and_its_folders_are_for_their_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        new(tmp_path / "a" / "b" / "x.table")[1].close()
    finally:
        os.umask(before)
    modes = [path.stat().st_mode & 0o777 for path in (tmp_path / "a", tmp_path / "a/b", tmp_path / "a/b/x.table")]
    assert modes == [0o700, 0o700, 0o600]


@pytest.mark.parametrize("background", [False, True])
def test_a_closed_record_holds_all_that_was_written(tmp_path: Path, background: bool) -> None:
    sheet, record = new(tmp_path / "x.table", background=background)
    play(sheet, record, "a1", "b3", "c5")
    record.close()
    assert facts(read_record(record.path).sheet) == facts(sheet)


# After another record -------------------------------------------------------------------------


def test_a_record_after_another_is_made_beside_the_loop_once_the_other_has_ended(tmp_path: Path) -> None:
    ended = Flag()
    before = Thread(target=ended.wait)
    before.start()
    sheet = ScoreSheet(game_of("zhizhu"))
    record = Record(tmp_path / "x.table", sheet, Sense.COLOUR, background=True, after=before)
    play(sheet, record, "a1", "b3")
    assert not until_safe(record, 0.1)
    assert os.listdir(tmp_path) == []
    ended.set()
    assert until_safe(record)
    play(sheet, record, "c5")
    record.close()
    assert facts(read_record(record.path).sheet) == facts(sheet)


def test_a_record_after_another_that_is_closed_at_once_holds_all_that_was_written(tmp_path: Path) -> None:
    before = Thread(target=lambda: None)
    before.start()
    sheet = ScoreSheet(game_of("zhizhu"))
    record = Record(tmp_path / "x.table", sheet, Sense.COLOUR, background=True, after=before)
    play(sheet, record, "a1", "b3")
    record.close()
    assert facts(read_record(record.path).sheet) == facts(sheet)


def test_a_record_that_cannot_be_made_after_another_is_told_and_the_game_goes_on_without(tmp_path: Path) -> None:
    (tmp_path / "x.table").write_text("taken")
    before = Thread(target=lambda: None)
    before.start()
    sheet = ScoreSheet(game_of("zhizhu"))
    record = Record(tmp_path / "x.table", sheet, Sense.COLOUR, background=True, after=before)
    session = open_simulation(sheet, Sense.COLOUR, record=record)
    while not record.refused:
        os.sched_yield()
    session.take(sheet.turns[0], STYLES["finger"])
    session.run(1.0)
    assert [event.name for event in session.events].count("unrecorded") == 1
    assert "x.table" in str(next(event.say for event in session.events if event.name == "unrecorded"))
    assert (sheet.length, session.daemon.record) == (1, None)
    session.close()
    assert (tmp_path / "x.table").read_text() == "taken"


# A disk that is full --------------------------------------------------------------------------


@pytest.mark.parametrize("room", [0, 1, 10, 15])
def test_a_full_disk_is_told_and_leaves_no_half_line(tmp_path: Path, room: int) -> None:
    sheet, record = new(tmp_path / "x.table")
    play(sheet, record, "a1")
    whole = record.path.read_bytes()
    with full_disk(len(whole) + room):
        play(sheet, record, "b3")
        assert not record.safe
        assert "x.table" in record.problem
        assert record.path.read_bytes() == whole
    record.close()


@pytest.mark.parametrize("background", [False, True])
def test_lines_wait_for_a_full_disk_and_none_is_lost(tmp_path: Path, background: bool) -> None:
    sheet, record = new(tmp_path / "x.table", background=background)
    play(sheet, record, "a1")
    assert until_safe(record)
    with full_disk(record.path.stat().st_size + 3):
        play(sheet, record, "b3", "c5")
        assert not until_safe(record, 0.2)
    play(sheet, record, "a7")
    assert until_safe(record)
    assert record.problem == ""
    record.close()
    assert facts(read_record(record.path).sheet) == facts(sheet)


@pytest.mark.parametrize("background", [False, True])
def test_a_record_closed_on_a_full_disk_has_no_hole(tmp_path: Path, background: bool) -> None:
    """What fits no more is lost, and all that comes after it with it: a hole would make the rest unreadable."""
    sheet, record = new(tmp_path / "x.table", background=background)
    play(sheet, record, "a1")
    assert until_safe(record)
    with full_disk(record.path.stat().st_size + 28):
        play(sheet, record, "b3")
        play(sheet, record, "c5", "a7")
        record.close()
    assert read_record(record.path).sheet.length <= 2


def test_the_lights_wait_until_a_turn_is_safe(tmp_path: Path) -> None:
    sheet = ScoreSheet(game_of("zhizhu"))
    record = Record(tmp_path / "x.table", sheet, Sense.COLOUR)
    session = open_simulation(sheet, Sense.COLOUR, record=record)
    session.run(0.5)
    with full_disk(record.path.stat().st_size):
        session.play(sheet.turns[0], STYLES["finger"])
        while not sheet.length or session.table.weighing:
            session.step(session.now + 0.01)
        shown = len(session.board.pictures)
        assert session.daemon.due(session.now) == session.now + SAVING  # a disk may be done with it at any moment
        session.run(SAVES)
        while not session.table.prepared:
            session.run(SAVES)
        assert session.daemon.due(session.now) > session.now + SAVING  # and this one fails
        session.run(1.0)
        assert len(session.board.pictures) == shown
    session.run(2.0)
    assert len(session.board.pictures) > shown
    record.close()
    assert read_record(record.path).sheet.length == 1


def test_the_lights_do_not_wait_for_a_note(tmp_path: Path) -> None:
    """A disk that takes nothing keeps no light back that promises nothing: the game on disk stays the game shown."""
    sheet = ScoreSheet(game_of("zong-heng"))
    record = Record(tmp_path / "x.table", sheet, Sense.COLOUR)
    session = open_simulation(sheet, Sense.COLOUR, record=record)
    session.run(0.5)
    with full_disk(record.path.stat().st_size):
        session.board.lay([("a2", 1), ("c2", 1), ("e2", 1), ("g2", 1)])
        session.run(5.0)
        assert "unwritten" in [event.name for event in session.events]
        assert {"wrong"} <= {cue.kind for cue in session.daemon.scene.cues.values()}
        assert session.daemon.shown_at == session.now
        session.board.lay([("a2", 0), ("c2", 0), ("e2", 0), ("g2", 0)])
        session.run(5.0)
        session.take(sheet.turns[0], STYLES["finger"])
        assert sheet.length == 1
        assert session.daemon.shown_at < session.now - 0.1
    session.run(1.1)
    assert session.daemon.shown_at == session.now
    record.close()
    assert read_record(record.path).sheet.length == 1
