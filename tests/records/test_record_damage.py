"""Damage to a record anywhere but in its last line: refused with the file and the line, and the file left alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from benchmarks.cells import Cell
from firmware_bridge.records import RecordError, read_record
from hardware.device import Sense
from tests.records.random_records import Facts, WrittenRecord, facts, keep

CELL = Cell("zhizhu", Sense.COLOUR)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> WrittenRecord:
    return keep(tmp_path_factory.mktemp("records") / "whole.table", CELL, 9, lines=14, last="resign")


def read(path: Path, data: bytes) -> Facts | None:
    """What the damaged record tells; None if it is refused as it should be."""
    path.write_bytes(data)
    try:
        return facts(read_record(path).sheet)
    except RecordError as error:
        assert re.fullmatch(rf"{re.escape(str(path))}: .*\bline \d+: [^\n]+", str(error)), error
        assert path.read_bytes() == data
        return None


def last_line(data: bytes) -> int:
    return data.rfind(b"\n", 0, -1) + 1


def flips(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Each byte but those of the last line changed, to one bit less or more and to another character."""
    chance = Random(1)
    for place in range(last_line(data)):
        for byte in (data[place] ^ 1 << chance.randrange(8), chance.randrange(32, 127)):
            if byte != data[place]:
                yield place, data[:place] + bytes([byte]) + data[place + 1 :]


def test_no_changed_byte_changes_the_game(made: WrittenRecord, tmp_path: Path) -> None:
    """It is refused, or what it changed is only told beside the game."""
    data, whole = made.path.read_bytes(), facts(made.sheet)
    changed = {place: told for place, damaged in flips(data) if (told := read(tmp_path / "x.table", damaged))}
    assert {place: told for place, told in changed.items() if told != whole} == {}


def test_no_changed_byte_of_a_turn_goes_unnoticed(made: WrittenRecord, tmp_path: Path) -> None:
    data = made.path.read_bytes()
    unnoticed = [place for place, damaged in flips(data) if read(tmp_path / "x.table", damaged)]
    lines = {data[: place + 1].count(b"\n") for place in unnoticed}
    assert [line for number, line in enumerate(data.split(b"\n")) if number in lines and b" note " not in line] == []


def test_no_byte_too_few_changes_the_game(made: WrittenRecord, tmp_path: Path) -> None:
    data, whole = made.path.read_bytes(), facts(made.sheet)
    for place in range(last_line(data)):
        assert read(tmp_path / "x.table", data[:place] + data[place + 1 :]) in (None, whole), place


def test_no_byte_too_many_changes_the_game(made: WrittenRecord, tmp_path: Path) -> None:
    data, whole = made.path.read_bytes(), facts(made.sheet)
    for place in range(last_line(data)):
        assert read(tmp_path / "x.table", data[: place + 1] + data[place:]) in (None, whole), place


def test_no_line_too_few_changes_the_game(made: WrittenRecord, tmp_path: Path) -> None:
    """All but the last, without which the record is one of a shorter game."""
    lines, whole = made.path.read_bytes().splitlines(keepends=True), facts(made.sheet)
    for number in range(len(lines) - 1):
        told = read(tmp_path / "x.table", b"".join(lines[:number] + lines[number + 1 :]))
        assert told in (None, whole), lines[number]


def test_no_line_too_many_changes_the_game(made: WrittenRecord, tmp_path: Path) -> None:
    lines, whole = made.path.read_bytes().splitlines(keepends=True), facts(made.sheet)
    for number in range(len(lines)):
        told = read(tmp_path / "x.table", b"".join(lines[: number + 1] + lines[number:]))
        assert told in (None, whole), lines[number]


def test_no_exchange_of_lines_changes_the_game(made: WrittenRecord, tmp_path: Path) -> None:
    lines, whole = made.path.read_bytes().splitlines(keepends=True), facts(made.sheet)
    for number in range(3, len(lines) - 1):
        swapped = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
        assert read(tmp_path / "x.table", b"".join(swapped)) in (None, whole), lines[number]


def test_blocks_of_zeros_are_refused(made: WrittenRecord, tmp_path: Path) -> None:
    """What a card leaves behind that lost its power."""
    data = made.path.read_bytes()
    for start in range(0, last_line(data) - 64, 16):
        assert read(tmp_path / "x.table", data[:start] + bytes(64) + data[start + 64 :]) is None
