"""What power cuts leave of a log of writes, and how that is judged, without a machine or a mount."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from firmware_bridge.events import turn_event
from firmware_bridge.records import Record
from firmware_bridge.score import ScoreSheet
from games.rules import load
from hardware.device import Sense
from tests.pi.block_log import BLOCK, DISCARD, ENTRY, FLUSH, FUA, MAGIC, SUPER, WAYS, Disk, Entry, LogError, read_log
from tests.pi.cuts import Cut, Evening, Told, done_before, judge
from tests.pi.marks import FILE_SYSTEM, Mark, packed, unpacked

GAME = "yin-yang-20260101-000000.table"
A, B, C = (bytes([letter]) * BLOCK for letter in b"ABC")


def write(block: int, data: bytes, flags: int = 0) -> Entry:
    return Entry(block * BLOCK, len(data), flags, data)


FLUSHED = Entry(0, 0, FLUSH, b"")


def logged(path: Path, entries: Sequence[Entry]) -> Path:
    """A log as QEMU writes it."""
    blocks = [SUPER.pack(MAGIC, 1, len(entries), BLOCK)]
    for entry in entries:
        blocks += [ENTRY.pack(entry.at // BLOCK, entry.size // BLOCK, entry.flags, len(entry.data)), entry.data]
    path.write_bytes(b"".join(block.ljust(-len(block) % BLOCK + len(block), b"\0") for block in blocks))
    return path


def left(entries: Sequence[Entry], way: str, seed: int = 0) -> bytes:
    """What of a disk of four blocks is left."""
    disk = Disk(bytes(4 * BLOCK))
    for entry in entries:
        disk.take(entry)
    return bytes(disk.cut(way, Random(seed)))


# The log ------------------------------------------------------------------------------------------


def test_a_log_is_read_as_it_was_written(tmp_path: Path) -> None:
    entries = [write(0, A + B), FLUSHED, write(3, C, FUA), Entry(0, BLOCK, DISCARD, b"")]
    assert list(read_log(logged(tmp_path / "log", entries))) == entries


def test_an_entry_that_is_cut_off_was_promised_to_nobody(tmp_path: Path) -> None:
    path = logged(tmp_path / "log", [write(0, A), write(1, B + C)])
    whole = path.read_bytes()
    for length in range(3 * BLOCK, len(whole), 100):
        path.write_bytes(whole[:length])
        assert list(read_log(path)) == [write(0, A)]


@pytest.mark.parametrize("data", [b"", bytes(BLOCK), SUPER.pack(MAGIC, 1, 0, 4096).ljust(BLOCK, b"\0")])
def test_what_is_no_log_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "log").write_bytes(data)
    with pytest.raises(LogError):
        list(read_log(tmp_path / "log"))


# The disk -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", range(20))
def test_what_was_flushed_is_kept(way: str, seed: int) -> None:
    assert left([write(0, A), write(1, B), FLUSHED, write(2, C)], way, seed)[: 2 * BLOCK] == A + B


def test_of_what_was_not_flushed_anything_may_be_left() -> None:
    entries = [write(0, A), write(1, B)]
    seen = {way: {left(entries, way, seed)[: 2 * BLOCK] for seed in range(200)} for way in WAYS}
    none = bytes(BLOCK)
    assert seen["none"] == {none + none}
    assert seen["first"] == {none + none, A + none, A + B}
    assert seen["some"] == {none + none, A + none, none + B, A + B}


def test_a_write_may_be_torn_between_its_blocks() -> None:
    assert {left([write(0, A + B)], "torn", seed)[: 2 * BLOCK] for seed in range(200)} == {
        first + second for first in (bytes(BLOCK), A) for second in (bytes(BLOCK), B)
    }


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", range(20))
def test_a_write_past_the_cache_is_kept_whatever_becomes_of_older_ones(way: str, seed: int) -> None:
    entries = [write(0, A + A), write(1, B, FUA)]
    assert left(entries, way, seed)[BLOCK : 2 * BLOCK] == B
    assert left([*entries, FLUSHED], way, seed)[: 2 * BLOCK] == A + B


def test_a_write_beyond_the_disk_is_refused() -> None:
    with pytest.raises(LogError, match="2048"):
        left([write(4, A), FLUSHED], "none")


# What the table has told --------------------------------------------------------------------------


def evening(folder: Path, entries: Sequence[Entry]) -> Evening:
    """The evening of a log."""
    (folder / "state.begun").write_bytes(bytes(FILE_SYSTEM + 4096))
    logged(folder / "log.writes", entries)
    return Evening(folder)


def marked(number: int, turn: str = "", record: str = GAME) -> Entry:
    return write(FILE_SYSTEM // BLOCK, packed(Mark(record, number, turn)))


def test_a_mark_is_read_as_it_was_written() -> None:
    assert unpacked(packed(Mark(GAME, 12, "c3-c4"))) == Mark(GAME, 12, "c3-c4")


def test_a_turn_counts_from_its_mark_on(tmp_path: Path) -> None:
    known = evening(tmp_path, [write(0, A), marked(1, "a1"), FLUSHED, marked(2, "b1"), marked(0)])
    assert [told.turns for told in known.told] == [
        {}, {GAME: {1: "a1"}}, {GAME: {1: "a1"}}, {GAME: {1: "a1", 2: "b1"}}, {},
    ]  # fmt: skip
    assert list(known.places) == [1, 2, 3, 4]
    assert known.accepted == 2


def test_a_log_without_marks_is_no_evening(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="no mark"):
        evening(tmp_path, [write(0, A)])


def test_a_cut_can_be_had_again(tmp_path: Path) -> None:
    known = evening(tmp_path, [marked(1, "a1"), *(write(block, A) for block in range(9)), FLUSHED])
    assert known.cut(7) == known.cut(7)
    assert len({(known.cut(seed).place, known.cut(seed).way) for seed in range(8)}) > 4


# Judging ------------------------------------------------------------------------------------------


def played(folder: Path, count: int) -> dict[int, str]:
    """A record of so many turns; they, by number."""
    sheet = ScoreSheet(load("yin-yang"))
    record = Record(folder / GAME, sheet, Sense.PRESENCE)
    for number in range(count):
        turn = sheet.turns[0]
        record.write([turn_event("played", sheet.player, turn), *sheet.accept(turn)], float(number))
    record.close()
    return {number: entry.turn.text for number, entry in enumerate(sheet.played_turns, 1)}


def cut_after(turns: dict[int, str]) -> Cut:
    return Cut(5, "none", 0, Told({GAME: turns} if turns else {}), b"")


def test_a_record_with_all_accepted_turns_is_whole_and_goes_on(tmp_path: Path) -> None:
    turns = played(tmp_path, 6)
    assert judge(tmp_path, cut_after(turns), {GAME: turns}) == (0, [])
    last = turns.pop(6)  # it was safe, and not yet told
    assert played(tmp_path / "again", 6) == turns | {6: last}
    assert judge(tmp_path / "again", cut_after(turns), {GAME: turns | {6: last}}) == (0, [])


def test_turns_that_are_gone_are_counted(tmp_path: Path) -> None:
    turns = played(tmp_path, 6)
    path = tmp_path / GAME
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-2]))
    lost, faults = judge(tmp_path, cut_after(turns), {GAME: turns})
    assert (lost, faults) == (2, [f"{GAME}: turn 5 of 6 is lost", f"{GAME}: turn 6 of 6 is lost"])
    path.unlink()
    assert judge(tmp_path, cut_after(turns), {GAME: turns})[0] == 6


def test_a_turn_that_was_never_made_is_told(tmp_path: Path) -> None:
    turns = played(tmp_path, 6)
    others = turns | {6: "f6"}
    assert judge(tmp_path, cut_after({}), {GAME: others})[1] == [f"{GAME}: turn 6 was never made"]


def test_a_damaged_record_is_a_fault_even_if_nothing_was_told_of_it(tmp_path: Path) -> None:
    played(tmp_path, 2)
    (tmp_path / "zhizhu-20260101-000000.table").write_bytes(b"\0" * 100 + b"\n")
    lost, faults = judge(tmp_path, cut_after({}), {})
    assert lost == 0
    assert len(faults) == 1
    assert "zhizhu" in faults[0]


def test_a_result_that_was_cut_off_is_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "cuts.jsonl"
    assert done_before(path) == []
    path.write_text('{"seed": 0}\n{"se')
    assert done_before(path) == [{"seed": 0}]
