"""Traces of trouble: what sensors once showed, and what must come of it whatever becomes of the table's ways.

When the table answers is its own affair here; what it answers in the end is not. A comment ``# Not yet:`` names what
falls short. `make.py` beside this file makes them.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_bridge.cli.replay import Retrace
from firmware_bridge.records import read_trace

FILES = sorted(Path(__file__).parent.glob("*.trace"))
NOT_YET = re.compile(r"^# Not yet: (.+)$", re.MULTILINE)


def cases() -> list[object]:
    missing = [(path, NOT_YET.search(path.read_text())) for path in FILES]
    return [
        pytest.param(path, id=path.stem, marks=[pytest.mark.xfail(strict=True, reason=told[1])] if told else [])
        for path, told in missing
    ]


@pytest.mark.parametrize("path", cases())
def test_a_trace_replays_to_what_it_expects(path: Path) -> None:
    again = Retrace(read_trace(path), at_once=True)
    for _ in again.steps():
        pass
    assert again.unmet == []


def test_there_are_many_traces() -> None:
    assert len(FILES) >= 40


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_trace_tells_what_it_shows_and_what_must_come_of_it(path: Path) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", path.stem)
    assert re.match(r"# [A-Z].*\.\n", path.read_text())
    assert any(line.word == "expect" for line in read_trace(path).lines)
