"""Board files: what they come to, and that every fault is a sentence that names it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.board import boards, find_board, read_board
from tests.hardware.board_files import read

# Boards that come along -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "points", "pixels", "status", "kind"),
    [
        ("grid", 64, 66, (64, 65), "gpio_matrix"),
        ("web", 24, 26, (24, 25), "shift_register"),
        ("pits", 12, 50, (48, 49), "shift_register"),
    ],
)
def test_boards_that_come_along_have_their_points_and_lights(
    name: str, points: int, pixels: int, status: tuple[int, int], kind: str
) -> None:
    board = read_board(find_board(name))
    assert (len(board.places), board.length, board.status, board.scanner.kind) == (points, pixels, status, kind)
    assert list(board.channels) == list(board.places)
    assert sorted(board.channels.values()) == list(range(points))
    assert set(board.buttons.pins()) == {"done", "undo", "hint", "power"}


def test_all_files_in_the_folder_are_boards() -> None:
    assert set(boards()) == {"grid", "registers", "web", "pits", "mcu", "mcu-pits"}


def test_the_snake_of_the_grid_turns_at_the_end_of_each_rank() -> None:
    pixels = read_board(find_board("grid")).pixels
    assert [pixels[point] for point in ("a1", "h1", "h2", "a2", "a3", "h8", "a8")] == [
        (0,), (7,), (8,), (15,), (16,), (56,), (63,),
    ]  # fmt: skip


def test_an_empty_file_is_the_default_board(tmp_path: Path) -> None:
    board = read("", tmp_path)
    assert (len(board.places), board.grid, board.supply, board.length, board.status) == (64, True, 1000, 64, ())


def test_another_driver_comes_with_its_own_settings(tmp_path: Path) -> None:
    text = '[scanner]\nkind = "gpio_matrix"\nsettle = 77\n[lights]\nkind = "ws2812_spi"\nrate = 2500000\n'
    same = read(text, tmp_path, scanner="gpio_matrix", lights="ws2812_spi")
    assert (same.scanner.settings.settle, same.lights.settings.rate) == (77, 2500000)
    other = read(text, tmp_path, scanner="shift_register", lights="terminal")
    assert (other.scanner.kind, other.lights.kind) == ("shift_register", "terminal")
    assert other.scanner.settings.registers == 8
