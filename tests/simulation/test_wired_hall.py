"""Games over Hall sensors, through their driver, multiplexers and converter: as on the plain simulated table."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from benchmarks.cells import random_turns
from firmware_bridge.layout import usable_sense
from firmware_bridge.records import Record, read_lines
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import Simulation, open_simulation
from firmware_bridge.verdict import AtRest
from firmware_bridge.workshop.calibration import Calibration, Tuning
from games.rules import load
from hardware.bench import open_fake_bench
from hardware.board import Board, find_board, read_board
from hardware.device import Sense
from hardware.settings import SettingsError
from hardware.simulation.circuits import HallSensors
from hardware.simulation.hands import STYLES

GRID = find_board("grid").read_text()


def board(folder: Path, *keys: str) -> Board:
    """The table for all four games, with Hall sensors and these keys."""
    path = folder / "hall.toml"
    path.write_text(GRID.replace('kind = "gpio_matrix"', "\n".join(['kind = "hall"', *keys])))
    return read_board(path)


def halls(simulation: Simulation) -> HallSensors:
    """The sensors under the board of a simulation."""
    found: HallSensors = simulation.bench.lights.wiring.halls
    return found


def played(simulation: Simulation, turns: int | None, style: str) -> list[str]:
    """The first so many turns (or all) of a random game by hands; their results."""
    simulation.run(0.1)
    made = []
    for turn in islice(random_turns(simulation.table.game, 7), turns):
        simulation.take(turn, STYLES[style])
        made.append(str(turn.after))
    simulation.run(3.0)
    simulation.close()
    return made


def accepted(sheet: ScoreSheet) -> list[str]:
    """The results of the turns on the sheet, but for passes."""
    return [str(entry.turn.after) for entry in sheet.played_turns if entry.turn.text != "pass"]


def as_on_the_plain_table(name: str, seen: Board, turns: int | None, style: str, folder: Path) -> None:
    """Play the same over `seen` and in memory: both records tell the same."""
    sheets = [ScoreSheet(load(name), house_rule=False) for _ in range(2)]
    sense = usable_sense(sheets[0].game, Sense(seen.scanner.settings.sense))
    paths = [folder / "plain.table", folder / "wired.table"]
    plain, wired = (Record(path, sheet, sense) for path, sheet in zip(paths, sheets, strict=True))
    played(open_simulation(sheets[0], sense, record=plain), turns, style)
    made = played(open_simulation(sheets[1], seen, record=wired), turns, style)
    told = [[tuple(line.words) for line in read_lines(path.read_text())] for path in paths]
    assert accepted(sheets[1]) == made
    assert told[1] == told[0]


@pytest.mark.parametrize(
    ("name", "sense"),
    [
        ("zhizhu", "presence"),
        pytest.param("yin-yang", "colour", marks=pytest.mark.long),
        pytest.param("zig-zag", "presence", marks=pytest.mark.long),
        pytest.param("zong-heng", "colour", marks=pytest.mark.long),
    ],
)
def test_some_turns_are_recorded_as_on_the_plain_table(name: str, sense: str, tmp_path: Path) -> None:
    style = "done" if load(name).pieces == "seeds" else "finger"
    as_on_the_plain_table(name, board(tmp_path, f'sense = "{sense}"'), 3, style, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("sense", ["presence", "colour"])
def test_a_whole_game_is_recorded_as_on_the_plain_table(sense: str, tmp_path: Path) -> None:
    as_on_the_plain_table("zong-heng", board(tmp_path, f'sense = "{sense}"'), None, "finger", tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("sense", ["presence", "colour"])
def test_quick_hands_are_followed_although_each_site_is_read_but_25_times_a_second(sense: str, tmp_path: Path) -> None:
    simulation = open_simulation(ScoreSheet(load("zong-heng"), house_rule=False), board(tmp_path, f'sense = "{sense}"'))
    made = played(simulation, None, "quick")
    assert accepted(simulation.table.sheet) == made


# Calibration ------------------------------------------------------------------------------------


def spread_and_weak(sensors: HallSensors) -> None:
    """Sensors that rest far apart, under magnets too weak for the settings that nobody has measured."""
    sensors.spread, sensors.swing, sensors.noise = 120, 70, 3


def measured(seen: Board) -> Tuning:
    """What the calibration makes of such sensors: the empty board, then a piece on each channel."""
    bench, table = open_fake_bench(seen)
    spread_and_weak(table.wiring.halls)
    calibration = Calibration(bench.scanner.channels)
    for _ in range(10):
        calibration.rest(bench.scanner.readings())
    assert calibration.measure() == frozenset()
    for point in seen.channels:
        table.lay([(point, 1)])
        calibration.put(seen.channels[point], bench.scanner.readings())
        table.lay([(point, 0)])
    bench.close()
    tuning = calibration.tuning()
    assert isinstance(tuning, Tuning)
    return tuning


@pytest.mark.long
def test_a_board_with_weak_magnets_is_played_on_once_it_is_calibrated(tmp_path: Path) -> None:
    tuning = measured(board(tmp_path, 'sense = "colour"'))
    keys = (f"{key} = {list(value) if key == 'empty' else value}" for key, value in tuning._asdict().items())
    simulation = open_simulation(ScoreSheet(load("zong-heng")), board(tmp_path, 'sense = "colour"', *keys))
    spread_and_weak(halls(simulation))
    made = played(simulation, 3, "finger")
    assert accepted(simulation.table.sheet) == made


def test_a_board_with_weak_magnets_is_not_played_on_until_it_is_calibrated(tmp_path: Path) -> None:
    simulation = open_simulation(ScoreSheet(load("zong-heng")), board(tmp_path, 'sense = "colour"'))
    spread_and_weak(halls(simulation))
    made = played(simulation, 1, "finger")
    counted = accepted(simulation.table.sheet)
    assert counted == made[: len(counted)]
    assert "astray" in [event.name for event in simulation.events]
    assert not isinstance(simulation.table.verdict, AtRest)


# Faults -----------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_converter_that_falls_silent_in_mid_game_costs_nothing_but_time(tmp_path: Path) -> None:
    simulation = open_simulation(ScoreSheet(load("zong-heng"), house_rule=False), board(tmp_path, 'sense = "colour"'))
    simulation.run(0.1)
    made = []
    for turn in islice(random_turns(simulation.table.game, 3), 3):
        simulation.take(turn, STYLES["finger"])
        made.append(str(turn.after))
        simulation.bench.lights.wiring.circuit.mute = True
        simulation.run(0.5)
        simulation.bench.lights.wiring.circuit.mute = False
        simulation.run(2.5)
    assert accepted(simulation.table.sheet) == made
    assert [event.name for event in simulation.events].count("blind") == 3
    simulation.close()


def test_a_board_file_with_sensors_that_cannot_be_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"hall.toml: scanner: empty has 3 readings and there are 64 channels"):
        board(tmp_path, "empty = [512, 512, 512]")
    with pytest.raises(SettingsError, match=r"hall.toml: buttons.done: GPIO 18 is taken by the scanner \(hall\)"):
        board(tmp_path, "select = [18, 23, 24, 25]")
