"""The board as a terminal shows it."""

from __future__ import annotations

from firmware_bridge.cli.gtp import Gtp
from firmware_bridge.cli.terminal import Console, draw_board, plain
from firmware_bridge.lighting import Cue
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import open_simulation
from games.rules import load
from hardware.device import Sense
from tests.games.small_games import Crowned, Turning


def test_files_and_ranks_are_named_beside_squares_of_one_colour() -> None:
    game = Turning()
    game.shaded = frozenset()
    lines = list(plain(draw_board(game, lambda _: 0)))
    assert [line[:5] for line in lines[:-1]] == [f" {rank}  ." for rank in (6, 5, 4, 3, 2, 1)]
    assert lines[-1] == "    a   b   c   d   e   f"


def test_each_pit_is_named() -> None:
    lines = list(plain(draw_board(load("zig-zag"), lambda _: 5)))
    assert [line.split() for line in lines if "1" in line] == [[f"{row}{pit}" for pit in range(1, 7)] for row in "NS"]


def test_the_mark_of_a_piece_stands_behind_its_colour_and_within_its_cue() -> None:
    levels = {"a1": 1, "b1": 2, "d4": 2}
    drawn = draw_board(
        Crowned(), lambda site: levels.get(site, 0), {"b1": Cue("movable")}, kinds={"a1": "K", "b1": "K"}
    )
    assert list(plain(drawn)) == [
        " 4  .   :   .   o",
        " 3  :   .   :   .",
        " 2  .   :   .   :",
        " 1  xK (oK) :   .",
        "    a   b   c   d",
    ]


def test_a_mark_goes_with_the_piece_that_is_carried() -> None:
    sheet = ScoreSheet(Crowned(), Crowned().position("..../..../..../xo.o x a1"))
    simulation, said = open_simulation(sheet, Sense.COLOUR), list[str]()
    console = Console(simulation, said.append)

    def last_rank() -> str:
        console.line("board")
        return next(line for line in reversed(said[-1].splitlines()) if line.startswith(" 1"))

    assert last_rank().split() == ["1", "xK", "o", ":", "o"]
    for line in ("lift a1", "put c1"):
        console.line(line)
        simulation.run(3.0)
    assert [word.strip("()!?~[]") for word in last_rank().split()] == [
        "1",
        "X",
        "o",
        "xK",
        "o",
    ]  # lies on c1, where it cannot go, and is missing on a1


def test_a_board_in_a_dialogue_has_marks() -> None:
    assert " 1  oK  xK  o   x" in Gtp(Crowned(), nodes=1).answer("showboard\n").splitlines()
