"""The loop itself: when garbage is collected, and which files it touches."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from random import Random

import pytest

from firmware_bridge.daemon import RESTING, Daemon
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import Simulation, open_simulation
from games.rules import load
from hardware.device import Sense
from hardware.simulation.hands import STYLES

# Garbage --------------------------------------------------------------------------------------


@pytest.fixture
def collections() -> Iterator[list[int]]:
    """How many objects each garbage collection has freed, in a process that was warmed up."""
    found = list[int]()

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            found.append(info["collected"])

    Daemon.warm_up()
    gc.callbacks.append(note)
    yield found
    gc.callbacks.remove(note)
    gc.unfreeze()
    gc.enable()


def begun() -> Simulation:
    """A game that begins, with hands that never rest for long."""
    return open_simulation(ScoreSheet(load("zong-heng", size=6), house_rule=False), Sense.PRESENCE)


def play(simulation: Simulation, turns: int, seed: int = 0) -> None:
    """Make random turns, one after another."""
    choose = Random(seed)
    for _ in range(turns):
        length = simulation.table.sheet.length
        simulation.take(choose.choice(simulation.table.sheet.turns), STYLES["finger"])
        assert simulation.table.sheet.length > length


def test_garbage_is_not_collected_while_hands_are_at_work(collections: list[int]) -> None:
    simulation = begun()
    play(simulation, 8)
    assert simulation.now > 2 * RESTING
    assert not gc.isenabled()
    assert collections == []
    simulation.close()


def test_garbage_is_collected_once_when_hands_rest_and_at_the_end_of_a_game(collections: list[int]) -> None:
    simulation = begun()
    play(simulation, 3)
    simulation.run(RESTING + 1.0)
    assert len(collections) == 1
    assert collections[0] > 100
    simulation.run(60.0)
    assert len(collections) == 1
    play(simulation, 1)
    assert len(collections) == 1
    simulation.close()
    assert len(collections) == 2
    assert not gc.isenabled()


def test_where_python_collects_garbage_the_daemon_does_not() -> None:
    simulation = begun()
    runs = gc.get_stats()[2]["collections"]
    simulation.run(RESTING + 1.0)
    simulation.close()
    assert gc.get_stats()[2]["collections"] == runs


def test_objects_do_not_grow_over_many_games(collections: list[int]) -> None:
    held = []
    for seed in range(6):
        simulation = begun()
        play(simulation, 6, seed)
        simulation.close()
        held.append(len(gc.get_objects()))
        collections.clear()
    assert max(held[3:]) < 1.2 * held[2], held
