"""The board as a terminal shows it."""

from __future__ import annotations

from firmware_bridge.cli.terminal import draw_board, plain
from games.rules import load
from tests.games.small_games import Turning


def test_files_and_ranks_are_named_beside_squares_of_one_colour() -> None:
    game = Turning()
    game.shaded = frozenset()
    lines = list(plain(draw_board(game, lambda _: 0)))
    assert [line[:5] for line in lines[:-1]] == [f" {rank}  ." for rank in (6, 5, 4, 3, 2, 1)]
    assert lines[-1] == "    a   b   c   d   e   f"


def test_each_pit_is_named() -> None:
    lines = list(plain(draw_board(load("zig-zag"), lambda _: 5)))
    assert [line.split() for line in lines if "1" in line] == [[f"{row}{pit}" for pit in range(1, 7)] for row in "NS"]
