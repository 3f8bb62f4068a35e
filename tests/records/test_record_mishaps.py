"""What befalls a record in mid-game, from one record to the next, and where two programs share a folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from firmware_bridge.events import Event
from firmware_bridge.records import Record, RecordError, Shelf, append_log, read_lines, read_record
from hardware.device import Sense
from tests.records.random_records import facts, new, play

# A file that suffers in mid-game --------------------------------------------------------------


@pytest.mark.parametrize("taken", ["file", "folder"])
def test_a_record_removed_in_mid_game_is_put_back_whole(tmp_path: Path, taken: str) -> None:
    sheet, record = new(tmp_path / "games" / "x.table")
    play(sheet, record, "a1", "b3")
    shutil.rmtree(tmp_path / "games") if taken == "folder" else record.path.unlink()
    play(sheet, record, "c5")
    assert (record.safe, record.problem) == (True, "")
    assert facts(read_record(record.path).sheet) == facts(sheet)
    with pytest.raises(RecordError, match="another"):
        resumed(record.path)
    play(sheet, record, "a7")
    record.close()
    assert facts(read_record(record.path).sheet) == facts(sheet)


def test_another_file_in_the_place_of_a_record_is_left_alone_and_told(tmp_path: Path) -> None:
    sheet, record = new(tmp_path / "x.table")
    play(sheet, record, "a1")
    (tmp_path / "y.table").write_text("mine\n")
    (tmp_path / "y.table").rename(record.path)
    play(sheet, record, "b3")
    assert not record.safe
    assert "another file" in record.problem
    assert record.path.read_text() == "mine\n"
    record.path.unlink()
    assert record.safe
    record.close()
    assert facts(read_record(record.path).sheet) == facts(sheet)


def test_a_record_cut_short_by_another_program_is_not_written_to(tmp_path: Path) -> None:
    sheet, record = new(tmp_path / "x.table")
    play(sheet, record, "a1", "b3")
    whole = record.path.read_bytes()
    record.path.write_bytes(whole[:-9])
    play(sheet, record, "c5")
    assert not record.safe
    assert "cut it short" in record.problem
    record.path.write_bytes(whole)
    assert record.safe
    record.close()
    assert facts(read_record(record.path).sheet) == facts(sheet)


def resumed(path: Path) -> Record:
    saved = read_record(path)
    return Record(path, saved.sheet, saved.sense, saved)


def test_a_record_written_to_since_it_was_read_is_refused(tmp_path: Path) -> None:
    sheet, record = new(tmp_path / "x.table")
    play(sheet, record, "a1")
    saved = read_record(record.path)
    play(sheet, record, "b3")
    record.close()
    before = record.path.read_bytes()
    with pytest.raises(RecordError, match="meanwhile"):
        Record(record.path, saved.sheet, saved.sense, saved)
    assert record.path.read_bytes() == before
    resumed(record.path).close()


def test_the_draft_of_a_killed_program_is_not_written_over(tmp_path: Path) -> None:
    """Killed between the two names of its file it leaves both; they are one file."""
    sheet, record = new(tmp_path / "x.table")
    for name in (f".x.table.{os.getpid()}", ".x.table.1", ".x.table.new"):
        os.link(record.path, tmp_path / name)
    play(sheet, record, "a1")
    record.close()
    with pytest.raises(RecordError, match="exists"):
        new(record.path)
    assert facts(read_record(record.path).sheet) == facts(sheet)


def test_data_added_again_by_a_retry_are_there_once(tmp_path: Path) -> None:
    kept = append_log.begin(tmp_path / "x.table", b"one\n", 0.0)
    for _ in range(3):
        kept.add(b"two\n", kept.size)
    kept.add(b"three\n", kept.size + 4)
    kept.close()
    assert kept.path.read_text() == "one\ntwo\nthree\n"


# From one record to the next ------------------------------------------------------------------


def test_a_game_that_goes_on_in_another_record_is_whole_in_it_at_once(tmp_path: Path) -> None:
    sheet, record = new(tmp_path / "x.table")
    play(sheet, record, "a1", "b3", "c5")
    for name in ("played", "dark resigned", "light resigned", "agreed"):
        if name != "played":
            sheet.go_on()
            sheet.agree() if name == "agreed" else sheet.resign(name == "light resigned")
        Record(tmp_path / f"{name}.table", sheet, Sense.PRESENCE).close()
        assert facts(read_record(tmp_path / f"{name}.table").sheet) == facts(sheet)
    record.close()


def test_the_latest_is_the_one_written_last_even_when_the_clock_has_gone_back(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    later = time.time() + 5000.0
    for name in ("b", "c", "a"):
        sheet, record = new(tmp_path / f"{name}.table")
        assert shelf.records()[-1] == record.path
        play(sheet, record, "a1")
        record.close()
        assert shelf.records()[-1] == record.path
        os.utime(record.path, (later, later))
        later += 5000.0
    record = resumed(tmp_path / "b.table")
    record.write([Event.of("sighted")], 1.0)
    assert shelf.records()[-1] == record.path
    record.close()


def test_a_record_taken_away_while_the_latest_is_looked_for_is_none(tmp_path: Path) -> None:
    _, record = new(tmp_path / "x.table")
    record.close()
    (tmp_path / "y.table").symlink_to(tmp_path / "taken away")
    assert Shelf(tmp_path).records()[-1] == record.path


def test_times_in_a_record_do_not_run_backwards_with_the_clock(tmp_path: Path) -> None:
    sheet, record = new(tmp_path / "x.table")
    for now in (5.0, 3.0, -100.0, 6.0):
        record.write([Event.of("sighted")], now)
    record.close()
    assert [line.at for line in read_lines(record.path.read_text())][3:] == [5.0, 5.0, 5.0, 6.0]
    assert facts(read_record(record.path).sheet) == facts(sheet)


@pytest.mark.parametrize("value", ["two\nlines", "\x1b[31m", "lone \udc80", "x" * 9000, "it's ~ # \\"])
def test_a_note_of_anything_leaves_the_record_readable(tmp_path: Path, value: str) -> None:
    sheet, record = new(tmp_path / "x.table")
    record.write([Event.of("unlit", fault=value)], 1.0)
    play(sheet, record, "a1")
    record.close()
    assert facts(read_record(record.path).sheet) == facts(sheet)


# Two programs ---------------------------------------------------------------------------------


def program(state: Path, *arguments: str) -> subprocess.Popen[str]:
    """The command over a state folder; what hands do is written to it."""
    return subprocess.Popen(
        [sys.executable, "-m", "firmware_bridge", "play", *arguments], stdin=subprocess.PIPE, text=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=os.environ | {"XDG_STATE_HOME": str(state)},
    )  # fmt: skip


def hand(running: subprocess.Popen[str], turn: str) -> None:
    assert running.stdin
    running.stdin.write(f"turn {turn}\n")
    running.stdin.flush()


@pytest.mark.slow
def test_two_programs_with_one_state_folder_keep_out_of_each_others_records(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "tablelight")
    first = program(tmp_path, "zong-heng")
    hand(first, "c3-c4")
    end = time.monotonic() + 30.0
    while not any(b" turn " in path.read_bytes() for path in shelf.records()):
        assert time.monotonic() < end
        os.sched_yield()
    (record,) = shelf.records()
    before = record.read_bytes()
    _, told_so = program(tmp_path, "--resume").communicate(timeout=60)
    assert told_so.endswith("another tablelight is writing to it; stop that one first\n")
    assert record.read_bytes() == before
    assert "The record is" in program(tmp_path, "zong-heng").communicate("turn c3-b3\n", timeout=60)[1]
    hand(first, "f4-f5")
    first.communicate(timeout=60)
    assert [read_record(path).sheet.length for path in shelf.records()] == [1, 2]
    assert shelf.records()[-1] == shelf.newest() == record
