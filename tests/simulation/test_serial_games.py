"""Games at a micro-controller board that speaks the protocol, cables that come off included: as on the plain table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from benchmarks.cells import random_turns
from firmware_bridge.layout import usable_sense
from firmware_bridge.records import Record, read_lines
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import Simulation, open_simulation
from firmware_bridge.simulation.table import bench_simulation, with_pieces
from games.rules import load, names
from hardware.bench import open_bench
from hardware.board import Board, find_board, read_board
from hardware.device import Sense
from hardware.simulation.hands import STYLES
from hardware.simulation.table import SimulatedTable
from tests.hardware.pretend_board import Clock, Makeup, PretendBoard, plugged_in

SEEDS = {"yin-yang": 3, "zhizhu": 135, "zig-zag": 54, "zong-heng": 35}
"""Random games that come to an end, and not after hundreds of turns."""
WHOLE = 200
"""More turns than any of them has."""
SEED, EMPTY = 4000, -1234
"""What a seed and an empty scale show."""

Fault = Callable[[PretendBoard, bool], None]
"""Does something to a board, or heals it."""


def unplug(board: PretendBoard, broken: bool) -> None:
    """Pull the cable; the board has power from it alone."""
    board.plugged = not broken
    if not broken:
        board.reset()


def silence(board: PretendBoard, broken: bool) -> None:
    board.mute = broken


def noise(board: PretendBoard, broken: bool) -> None:
    board.lost = board.wrong = 0.03 if broken else 0.0


FAULTS: tuple[Fault, ...] = (unplug, silence, noise)


def described(sense: str, folder: Path) -> Board:
    """The board that comes along, or the like of it by colour."""
    if sense == "count":
        text = find_board("mcu-pits").read_text().replace("empty = []", f"empty = {[EMPTY] * 12}")
    else:
        text = find_board("mcu").read_text().replace('sense = "presence"', f'sense = "{sense}"')
    path = folder / "board.toml"
    path.write_text(text)
    return read_board(path)


def wired(sheet: ScoreSheet, board: Board, record: Record | None) -> tuple[Simulation, PretendBoard]:
    """A simulation with the real drivers, with a board in memory at the other end of the line."""
    seated: list[Simulation] = []
    clock = Clock()
    clock.follow = lambda: seated[0].now if seated else 0.0
    pieces = SimulatedTable(tuple(board.places), Sense.COUNT, board.places, wiring=board.channels)
    sense = Sense(board.scanner.settings.sense)

    def level(channel: int) -> int:
        truly = pieces.sensed(channel)
        return EMPTY + SEED * truly if sense is Sense.COUNT else min(sense.of(truly), 2)

    chip = PretendBoard(level, clock, Makeup(sense.value, board.scanner.settings.channels, board.length))
    plugged_in(chip, board.scanner.settings.port)
    bench = open_bench(board)
    seated.append(with_pieces(bench_simulation(sheet, bench, pieces, {"record": record})))
    return seated[0], chip


def played(
    simulation: Simulation, turns: int, chip: PretendBoard | None = None, faults: tuple[Fault, ...] = ()
) -> list[str]:
    """A random game; between two turns of three the board fails for a while. Hands are still while it is blind."""
    weighed = simulation.table.sensors.sense is Sense.COUNT  # scales are slower than quick hands
    style = replace(STYLES["finger" if weighed else "quick"], done=simulation.table.game.pieces == "seeds")
    simulation.run(1.0)
    made = []
    for number, turn in enumerate(
        islice(random_turns(simulation.table.game, SEEDS[simulation.table.game.name]), turns)
    ):
        simulation.take(turn, style)
        made.append(turn.text)
        if chip and faults and number % 3:
            fault = faults[number % len(faults)]
            fault(chip, True)
            simulation.run(2.0)
            fault(chip, False)
        simulation.run(6.0 if faults else 0.0)
    simulation.run(3.0)
    simulation.close()
    return made


def told(path: Path) -> list[tuple[str, ...]]:
    """What a record says, without its times and what it says of the sensors and the lights."""
    apart = ("blind", "sighted", "unlit", "lit")
    return [tuple(line.words) for line in read_lines(path.read_text()) if not set(apart) & set(line.words[:2])]


def compare(name: str, sense: str, turns: int, folder: Path, faults: tuple[Fault, ...] = ()) -> PretendBoard:
    """Play the same on the plain table and at the board: both records tell the same."""
    board = described(sense, folder)
    sheets = [ScoreSheet(load(name), house_rule=False) for _ in range(2)]
    seen = usable_sense(sheets[0].game, Sense(sense))
    paths = [folder / "plain.table", folder / "told.table"]
    plain, written = (Record(path, sheet, seen) for path, sheet in zip(paths, sheets, strict=True))
    made = played(open_simulation(sheets[0], seen, record=plain), turns, faults=faults)
    simulation, chip = wired(sheets[1], board, written)
    assert played(simulation, turns, chip, faults) == made
    assert [entry.turn.text for entry in sheets[1].played_turns if entry.turn.text != "pass"] == made
    assert told(paths[1]) == told(paths[0])
    assert sheets[1].outcome == sheets[0].outcome
    assert chip.hurried == 0 or noise in faults  # where a zero is lost, two frames become whole at once
    return chip


CELLS = [*((name, sense) for name in names() for sense in ("presence", "colour")), ("zig-zag", "count")]


@pytest.mark.parametrize(("name", "sense"), CELLS)
def test_some_turns_are_recorded_as_on_the_plain_table(name: str, sense: str, tmp_path: Path) -> None:
    chip = compare(name, sense, 4, tmp_path)
    assert set(chip.pictures[-1]) == {(0, 0, 0)}
    assert chip.resting
    assert len(set(chip.pictures)) > 4


SOON = {("zong-heng", "presence"), ("zig-zag", "count")}
"""Whole games that are tried on every change, one for switches and one for scales; the others are in the sweep."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "sense"),
    [pytest.param(*cell, marks=[pytest.mark.long] * (cell not in SOON)) for cell in CELLS if cell[1] != "colour"],
)
def test_a_whole_game_is_recorded_as_on_the_plain_table(name: str, sense: str, tmp_path: Path) -> None:
    compare(name, sense, WHOLE, tmp_path)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("sense", ["presence", "colour"])
def test_a_line_that_fails_between_turns_changes_nothing(sense: str, fault: Fault, tmp_path: Path) -> None:
    compare("zong-heng", sense, 4, tmp_path, (fault,))


@pytest.mark.long
@pytest.mark.parametrize(("name", "sense"), CELLS)
def test_a_whole_game_over_a_line_that_fails_again_and_again(name: str, sense: str, tmp_path: Path) -> None:
    compare(name, sense, 40, tmp_path, FAULTS)


def test_a_cable_that_comes_off_in_mid_turn_is_told_and_the_turn_goes_on(tmp_path: Path) -> None:
    simulation, chip = wired(ScoreSheet(load("zong-heng")), described("colour", tmp_path), None)
    simulation.run(0.5)
    turn = next(iter(random_turns(simulation.table.game, 7)))
    simulation.play(turn, STYLES["finger"])
    simulation.run_to_touch(0.0)
    unplug(chip, True)
    still, simulation._touches = simulation._touches, type(simulation._touches)()  # hands that wait
    simulation.run(1.0)
    simulation.now += 0.01
    unplug(chip, False)
    for _ in range(600):
        simulation.step(simulation.now + 0.01)
    simulation.do(act for _, act in still)
    simulation.finish(turn, STYLES["finger"])
    assert [event.name for event in simulation.events].count("blind") == 1
    assert [event.name for event in simulation.events].count("sighted") == 1
    assert [entry.turn.text for entry in simulation.table.sheet.played_turns] == [turn.text]
    simulation.close()
