"""Simulated games that write a trace, and replays of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Unpack

from firmware_bridge.cli.replay import Retrace
from firmware_bridge.daemon import DaemonOptions
from firmware_bridge.records import Trace, read_trace
from firmware_bridge.score import PASS, ScoreSheet
from firmware_bridge.simulation import Simulation, open_simulation
from games.rules import load
from hardware.device import Sense
from hardware.simulation.hands import STYLES, Style
from hardware.simulation.mistakes import HANDS, Hands


def traced(trace: Trace, game: str, sense: Sense, **given: Unpack[DaemonOptions]) -> Simulation:
    """A simulation with careful hands, followed by `trace`."""
    given["trace"] = trace
    simulation = open_simulation(ScoreSheet(load(game)), sense, hands=Hands(HANDS["careful"], 1), **given)
    simulation.run(0.5)
    return simulation


def play(simulation: Simulation, turns: int, seed: int = 1, style: Style = STYLES["finger"]) -> Simulation:
    """Let hands make so many random turns, or as many as there are."""
    choose, game, position = Random(seed), simulation.table.game, simulation.table.sheet.position
    for _ in range(turns):
        moves = game.turns(position)
        if not moves:
            break
        turn = choose.choice(moves)
        if turn.text != PASS:  # the table's own to play
            simulation.take(turn, style)
        position = turn.after
    return simulation


def again(path: Path) -> Retrace:
    """The trace at `path`, done again."""
    done = Retrace(read_trace(path))
    for _ in done.steps():
        pass
    return done


def parts(path: Path) -> Iterator[Path]:
    """The files of a trace, the earlier one first."""
    before = path.with_name(f"{path.name}.1")
    return (each for each in (before, path) if each.exists())


def how(simulation: Simulation) -> tuple[str, list[str], bool]:
    """How the game stands: the position, the turns, whether the board is being set up."""
    sheet = simulation.table.sheet
    return str(sheet.position), [entry.turn.text for entry in sheet.played_turns], simulation.table.setting
