"""Runs of points in board files: which channels and pixels they come to."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.board import BoardFile, Channels, Pixels, Points, run_channels, run_pixels
from hardware.settings import convert
from tests.hardware.board_files import SMALL, read


def drawn(text: str, points: str = SMALL) -> list[list[int]]:
    """The pixels of the board, seen from above."""
    tables = convert({"points": {"files": 3, "ranks": 2}, "pixels": _pixels(text)}, BoardFile)
    pixels = dict(run_pixels(tables.pixels, tables.points.places()))
    return [[pixels[f"{file}{rank}"][0] for file in "abc"] for rank in (2, 1)]


def _pixels(text: str) -> dict[str, Any]:
    corner, along, serpentine = text.split()
    return {"corner": corner, "along": along, "serpentine": serpentine == "snake"}


@pytest.mark.parametrize(
    ("run", "board"),
    [  # drawn by hand, the second rank above the first
        ("a1 rank rows", [[3, 4, 5], [0, 1, 2]]),
        ("a1 rank snake", [[5, 4, 3], [0, 1, 2]]),
        ("a1 file rows", [[1, 3, 5], [0, 2, 4]]),
        ("a1 file snake", [[1, 2, 5], [0, 3, 4]]),
        ("c1 rank rows", [[5, 4, 3], [2, 1, 0]]),
        ("c1 rank snake", [[3, 4, 5], [2, 1, 0]]),
        ("c1 file rows", [[5, 3, 1], [4, 2, 0]]),
        ("c1 file snake", [[5, 2, 1], [4, 3, 0]]),
        ("a2 rank rows", [[0, 1, 2], [3, 4, 5]]),
        ("a2 rank snake", [[0, 1, 2], [5, 4, 3]]),
        ("a2 file rows", [[0, 2, 4], [1, 3, 5]]),
        ("a2 file snake", [[0, 3, 4], [1, 2, 5]]),
        ("c2 rank rows", [[2, 1, 0], [5, 4, 3]]),
        ("c2 rank snake", [[2, 1, 0], [3, 4, 5]]),
        ("c2 file rows", [[4, 2, 0], [5, 3, 1]]),
        ("c2 file snake", [[4, 3, 0], [5, 2, 1]]),
    ],
)
def test_runs_over_three_files_and_two_ranks(run: str, board: list[list[int]]) -> None:
    assert drawn(run) == board


sides = st.integers(1, 16)
alongs = st.sampled_from(["rank", "file"])


@given(sides, sides, alongs, st.booleans(), st.integers(0, 3), st.integers(1, 3), st.integers(0, 50))
def test_a_run_gives_each_point_pixels_of_its_own(
    files: int, ranks: int, along: Any, serpentine: bool, corner: int, each: int, first: int
) -> None:
    places = Points(files, ranks).places()
    at = corners(files, ranks)[corner]
    run = Pixels(corner=at, along=along, serpentine=serpentine, first=first, each=each)
    pixels = dict(run_pixels(run, places))
    numbers = sorted(number for numbers in pixels.values() for number in numbers)
    assert numbers == list(range(first, first + files * ranks * each))
    assert all(len(numbers) == each == 1 + numbers[-1] - numbers[0] for numbers in pixels.values())
    assert pixels[at][0] == first


def corners(files: int, ranks: int) -> list[str]:
    """a1, h1, h8, a8 of a board of that size: the third is opposite the first."""
    last = "abcdefghijklmnop"[files - 1]
    return ["a1", f"{last}1", f"{last}{ranks}", f"a{ranks}"]


@given(sides, sides, alongs, st.booleans(), st.integers(0, 3))
def test_from_the_opposite_corner_a_run_is_turned_by_half_a_turn(
    files: int, ranks: int, along: Any, serpentine: bool, corner: int
) -> None:
    places = Points(files, ranks).places()
    at = {place: name for name, place in places.items()}
    here, there = (
        dict(run_channels(Channels(corner=corners(files, ranks)[n], along=along, serpentine=serpentine), places, ()))
        for n in (corner, (corner + 2) % 4)
    )
    assert all(here[at[x, y]] == there[at[files - 1 - x, ranks - 1 - y]] for x, y in places.values())


@given(sides, sides, alongs, st.integers(0, 3))
def test_without_snake_the_opposite_corner_is_the_same_run_backwards(
    files: int, ranks: int, along: Any, corner: int
) -> None:
    places = Points(files, ranks).places()
    here, there = (
        dict(run_channels(Channels(corner=corners(files, ranks)[n], along=along), places, ()))
        for n in (corner, (corner + 2) % 4)
    )
    assert all(here[point] + there[point] == files * ranks - 1 for point in places)


@given(sides, sides, alongs, st.integers(0, 3))
def test_a_snake_goes_from_square_to_neighbour(files: int, ranks: int, along: Any, corner: int) -> None:
    places = Points(files, ranks).places()
    run = Channels(corner=corners(files, ranks)[corner], along=along, serpentine=True)
    order = sorted(dict(run_channels(run, places, ())).items(), key=lambda item: item[1])
    for (point, _), (after, _) in pairwise(order):
        (x, y), (to_x, to_y) = places[point], places[after]
        assert abs(x - to_x) + abs(y - to_y) == 1


def test_exceptions_take_points_out_of_the_run(tmp_path: Path) -> None:
    text = SMALL + "[channels]\nat = {b1 = 40}\n[pixels]\neach = 2\nat = {c2 = [50, 30, 60]}\n"
    board = read(text, tmp_path)
    assert dict(board.channels) == {"a1": 0, "b1": 40, "c1": 2, "a2": 3, "b2": 4, "c2": 5}
    assert board.pixels["c2"] == (50, 30, 60)
    assert board.length == 61


def test_masked_points_have_lights_and_no_channel(tmp_path: Path) -> None:
    board = read('masked = ["c2", "a1"]\n' + SMALL + "[channels]\nfirst = 59\n", tmp_path)  # c2 would be 64, beyond
    assert dict(board.channels) == {"b1": 60, "c1": 61, "a2": 62, "b2": 63}
    assert set(board.pixels) == set(board.places)
