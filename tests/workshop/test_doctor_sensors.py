"""The doctor before sensors that misbehave, and what it shows of them live."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.workshop.doctor import Finding
from firmware_bridge.workshop.doctor_command import Watch, called, changes, live, sample_pictures
from hardware.device import Levels, Trouble
from tests.workshop.computers import board, graded


def watched(frames: Iterable[Levels], trouble: Trouble | None = None) -> list[Finding]:
    """What is found out about 4 channels whose frames are 10 ms apart and took a millisecond each."""
    watch = Watch(4)
    for number, frame in enumerate(frames):
        watch.feed(frame, number / 100, 0.001, trouble)
    return list(watch.findings({0: "a1", 1: "b1"}))


def test_quiet_sensors_are_well() -> None:
    scan, sensors = watched([(0, 0, 0, 0)] * 201)
    assert scan == Finding("ok", "scan", "100 scans a second, 1.00 ms each.")
    assert sensors == Finding("ok", "sensors", "4 channels, all of them open and quiet.")


def test_channels_that_stay_closed_flicker_or_tell_nothing_are_named() -> None:
    frames = [(1, int(number % 40 < 20), None, 0) for number in range(300)]
    findings = watched(frames)
    assert [finding.grade for finding in findings] == ["ok", "fault", "fault", "remark"]
    assert "Channel 2 told nothing" in findings[1].say
    assert "Channel 1 (b1) changed again and again" in findings[2].say
    assert "Channel 0 (a1) closed all the time" in findings[3].say


def test_one_piece_put_and_lifted_is_no_flicker() -> None:
    frames = [(0, int(50 < number < 150), 0, 0) for number in range(300)]
    assert not graded(watched(frames), "fault")


def test_sensors_that_tell_nothing_at_all_are_one_fault() -> None:
    (finding,) = watched([(None,) * 4] * 10)
    assert finding.grade == "fault"
    assert watched([])[0].grade == "fault"


def test_ghosts_are_named_with_their_points() -> None:
    findings = watched([(0, 0, 0, 0)] * 10, Trouble("ghosts", (0, 1)))
    assert graded(findings, "fault") == [
        "Channels 0 (a1) and 1 (b1) show ghosts: clear the board; if it stays, see the diodes there."
    ]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("ghosts", "show ghosts"),
        ("grounded", "share a wire that touches ground: look along it"),
        ("silent", "do not answer: see the wires that lead there"),
        ("damp", "show damp: see the wires there"),
    ],
)
def test_wiring_that_tells_nothing_at_all_is_named_by_what_ails_it(kind: str, words: str) -> None:
    (finding,) = watched([(None,) * 4] * 10, Trouble(kind, (0, 1)))
    assert finding.grade == "fault"
    assert finding.say.startswith(f"Channels 0 (a1) and 1 (b1) {words}")


def test_many_channels_that_follow_one_another_are_named_by_the_first_and_the_last() -> None:
    names = {channel: f"p{channel}" for channel in range(64)}
    assert called(frozenset(range(8, 64)), names) == "Channels 8 (p8) to 63 (p63)"
    assert called(frozenset({*range(8), 12}), names).endswith("7 (p7) and 12 (p12)")
    assert called(frozenset(range(4)), names).endswith("2 (p2) and 3 (p3)")


def test_a_slow_scan_is_remarked_on() -> None:
    watch = Watch(1)
    for number in range(10):
        watch.feed((0,), number / 10, 0.02)
    assert graded(watch.findings({}), "remark") == [
        "11 scans a second, 20.00 ms each; a hundred a second leave little time for the rest."
    ]


SMALL = '[points]\nfiles = 2\nranks = 2\n[scanner]\nkind = "gpio_matrix"\nrows = [4, 17]\ncolumns = [23, 24]\n'


def test_live_lines_show_the_board_as_it_lies(tmp_path: Path) -> None:
    table = board(tmp_path, 'masked = ["b2"]\n' + SMALL)
    lines = list(live(table, (0, 1, None, 2), ()))
    chart = ["  2  ?  -", "  1  .  #", "     a  b", "closed channels of no point: 3"]
    assert lines == [*chart, "buttons pressed: none"]
    silent = list(live(table, (None,) * 4, (), Trouble("silent", (0, 1)), {"undo", "done"}))
    assert silent[4].startswith("Channels 0 (a1) and 1 (b1) do not answer: see the wires")
    assert silent[5] == "buttons pressed: done, undo"
    assert list(live(table, (0, 1, 0, 0), (500, 700, 510, 505)))[1].split() == ["1", ".500", "#700"]


def test_live_lines_of_named_points(tmp_path: Path) -> None:
    names = (
        '[points]\nnames = ["S1", "S2", "N1"]\n[scanner]\nkind = "gpio_matrix"\nrows = [4]\ncolumns = [23, 24, 25]\n'
    )
    assert next(live(board(tmp_path, names), (0, 1, 0), ())) == "S1: .  S2: #  N1: ."


def test_changes_are_lines_with_the_point(tmp_path: Path) -> None:
    table = board(tmp_path, 'masked = ["b2"]\n' + SMALL)
    assert list(changes(table, (0, 0, 1, 0), (0, 1, 1, 1))) == [
        "channel 1 (b1): . -> #",
        "channel 3 (no point): . -> #",
    ]


def test_the_test_pictures_show_corner_order_and_colours() -> None:
    points: Any = ["a1", "b1", "a2"]
    pictures = [shot.picture for shot in sample_pictures(points)]
    lit = [[place for place, colour in enumerate(picture) if any(colour)] for picture in pictures]
    assert lit[:6] == [[0], [0], [1], [2], [3], [4]]
    assert [set(picture) for picture in pictures[6:]] == [
        {(255, 0, 0)}, {(0, 255, 0)}, {(0, 0, 255)}, {(255, 255, 255)},
    ]  # fmt: skip
