"""Whole games through the drivers of real sensors over simulated wiring: as on the plain simulated table."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from benchmarks.cells import random_turns
from firmware_bridge.layout import usable_sense
from firmware_bridge.records import Record, read_lines
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import Simulation, open_simulation
from games.rules import load, names
from hardware.board import Board, find_board, read_board
from hardware.device import Sense
from hardware.fakegpio import FakeBoard
from hardware.simulation.hands import STYLES, Style

SEEDS = {"yin-yang": 3, "zhizhu": 135, "zig-zag": 54, "zong-heng": 35}
"""Random games that come to an end, and not after hundreds of turns."""
COLOUR = {
    "gpio_matrix": 'kind = "gpio_matrix"\nsense = "colour"\nrows = [4, 17, 27, 22, 5, 6, 13, 19]\n'
    "columns = [23, 24, 25, 1, 12, 16, 20, 26, 0, 7, 8, 9, 10, 11, 14, 15]",
    "shift_register": 'kind = "shift_register"\nsense = "colour"\nregisters = 16\nover = "lines"',
}


def grid(scanner: str, sense: Sense, folder: Path) -> Board:
    """The table for all four games, with that scanner."""
    if sense is Sense.PRESENCE:
        return read_board(find_board("grid"), scanner=scanner)
    text = find_board("grid").read_text().replace('kind = "gpio_matrix"', COLOUR[scanner])
    path = folder / f"{scanner}.toml"
    path.write_text(text)
    return read_board(path, lights="terminal")  # the strip would need pins of this wide matrix


def played(simulation: Simulation, seed: int, style: Style) -> None:
    """A whole random game by hands."""
    simulation.run(0.1)
    for turn in random_turns(simulation.table.game, seed):
        simulation.take(turn, style)
    simulation.run(3.0)
    simulation.close()


def told(path: Path) -> list[tuple[str, ...]]:
    """What a record says, without its times."""
    return [tuple(line.words) for line in read_lines(path.read_text())]


SOON = {("shift_register", "zong-heng"), ("gpio_matrix", "zig-zag")}
"""Scanners and games that are tried on every change, by presence: one game a driver; the others are in the sweep."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "scanner", "sense"),
    [
        pytest.param(
            name, scanner, sense, marks=[pytest.mark.long] * (sense is Sense.COLOUR or (scanner, name) not in SOON)
        )
        for sense in (Sense.PRESENCE, Sense.COLOUR)
        for scanner in COLOUR
        for name in names()
    ],
)
def test_a_whole_game_is_recorded_as_on_the_plain_table(name: str, scanner: str, sense: Sense, tmp_path: Path) -> None:
    board = grid(scanner, sense, tmp_path)
    style = replace(STYLES["quick"], done=load(name).pieces == "seeds")
    sheets = [ScoreSheet(load(name), house_rule=False) for _ in range(2)]
    seen = usable_sense(sheets[0].game, sense)
    paths = [tmp_path / "plain.table", tmp_path / "wired.table"]
    plain, wired = (Record(path, sheet, seen) for path, sheet in zip(paths, sheets, strict=True))
    played(open_simulation(sheets[0], seen, record=plain), SEEDS[name], style)
    played(open_simulation(sheets[1], board, record=wired), SEEDS[name], style)
    made = [turn.text for turn in random_turns(load(name), SEEDS[name])]
    assert [entry.turn.text for entry in sheets[1].played_turns if entry.turn.text != "pass"] == made
    assert told(paths[1]) == told(paths[0])
    assert sheets[1].outcome == sheets[0].outcome is not None


def wiring(simulation: Simulation) -> FakeBoard:
    """The wiring under the board of a simulation."""
    found: FakeBoard = simulation.bench.lights.wiring
    return found


def test_without_diodes_ghosts_are_named_and_not_played() -> None:
    simulation = open_simulation(ScoreSheet(load("zong-heng")), read_board(find_board("grid")))
    wiring(simulation).circuit.bare = (1 << 64) - 1
    simulation.run(0.1)
    turn = simulation.table.game.turns(simulation.table.sheet.position)[0]
    simulation.play(turn, STYLES["finger"])
    simulation.run(10.0)
    assert [event.name for event in simulation.events] == ["blind"]
    sentence = str(simulation.events[0].say)
    assert "diodes are missing" in sentence
    assert "what stands on a1, c1, e1, g1, b2, d2, f2, h2 ... (32 in all) cannot be told" in sentence
    assert simulation.table.sheet.length == 0
    assert simulation.board.light("a1") != (0, 0, 0)  # blind lights breathe, so that one can see that the table lives
    simulation.close()


def test_the_game_goes_on_where_it_stood_once_the_diodes_are_in() -> None:
    simulation = open_simulation(ScoreSheet(load("zong-heng")), read_board(find_board("grid")))
    wiring(simulation).circuit.bare = (1 << 64) - 1
    simulation.run(1.0)
    wiring(simulation).circuit.bare = 0
    simulation.board.lay([("a1", 0)])  # ghosts are looked for again when something changes
    simulation.run(0.2)
    simulation.board.lay([("a1", 1)])
    simulation.run(0.2)
    turn = simulation.table.game.turns(simulation.table.sheet.position)[0]
    simulation.take(turn, STYLES["finger"])
    assert [entry.turn.text for entry in simulation.table.sheet.played_turns] == [turn.text]
    simulation.close()


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("ails", ["silent", "torn", "grounded"])
def test_a_board_that_does_not_answer_is_named_within_a_second_and_nothing_is_made_of_it(name: str, ails: str) -> None:
    board = find_board("grid" if ails == "grounded" else "registers")
    simulation = open_simulation(ScoreSheet(load(name)), read_board(board))
    simulation.run(0.1)
    for turn in islice(random_turns(simulation.table.game, 3), 2):
        simulation.take(turn, STYLES["finger"])
    simulation.run(3.0)
    told, length = len(simulation.events), simulation.table.sheet.length
    circuit = wiring(simulation).circuit
    words = {
        "silent": "(64 in all) do not answer: check the wires that lead there, and their power.",
        "torn": "The sensors of a5, b5, c5, d5, e5, f5, g5, h5 ... (32 in all) do not answer",
        "grounded": "A wire touches ground: what stands on d1, d2, d3, d4, d5, d6, d7, d8 (8 in all) cannot be told.",
    }
    if ails == "grounded":
        circuit.grounded = {15}  # the column of the d file is the fourth
    elif ails == "torn":
        circuit.torn = 3
    else:
        circuit.off = {9}
    simulation.run(1.0)
    (event,) = simulation.events[told:]
    assert event.name == "blind"
    assert words[ails] in str(event.say)
    simulation.run(120.0)
    assert len(simulation.events) == told + 1
    circuit.off, circuit.torn, circuit.grounded = set(), None, set()
    simulation.run(3.0)
    assert [event.name for event in simulation.events[told + 1 :]] == ["sighted"]
    assert simulation.table.sheet.length == length
    simulation.close()


@pytest.mark.parametrize("scanner", ["gpio_matrix", "shift_register"])
def test_bouncing_contacts_and_cables_that_come_off_change_nothing(scanner: str) -> None:
    simulation = open_simulation(ScoreSheet(load("zong-heng")), read_board(find_board("grid"), scanner=scanner))
    simulation.run(0.1)
    wiring(simulation).switches.bounce = 0.004
    made = []
    for turn in islice(random_turns(simulation.table.game, 3), 6):
        simulation.take(turn, STYLES["finger"])
        made.append(turn.text)
        wiring(simulation).cut = True
        simulation.run(0.5)
        wiring(simulation).cut = False
        simulation.run(2.5)
    assert [entry.turn.text for entry in simulation.table.sheet.played_turns] == made
    assert [event.name for event in simulation.events].count("blind") == 6
    simulation.close()
