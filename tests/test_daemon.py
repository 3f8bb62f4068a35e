"""The loop itself: when garbage is collected, and which files it touches."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from random import Random

import pytest

from firmware_bridge import daemon
from firmware_bridge.config import Config
from firmware_bridge.daemon import RESTING, collect_garbage
from firmware_bridge.score import ScoreSheet
from firmware_bridge.session.messages import New
from firmware_bridge.simulation import Simulation, open_simulation
from firmware_bridge.web.simulated_host import SimulatedHost
from games.rules import load
from hardware.device import Sense
from hardware.simulation.hands import STYLES
from tests.games.small_games import Clobber
from tests.session.screenless_players import ScreenlessTable

# Who is ahead ---------------------------------------------------------------------------------


def lit(simulation: Simulation) -> dict[str, str]:
    return {site: cue.kind for site, cue in simulation.daemon.scene.cues.items()}


COUNTED = {"for-first", "for-second"}
"""The cues of pieces by which players stand as they do."""


def in_groups() -> Simulation:
    game = load("zong-heng", size=6)
    start = game.position(".o.o.o/o.x.x./.o.o.o/x.o.x./.x.x.o/xxx.o. x")
    return open_simulation(ScoreSheet(game, start=start), Sense.COLOUR)


def test_hint_pressed_again_lights_the_largest_groups_for_a_while() -> None:
    simulation = in_groups()
    simulation.run(0.5)
    simulation.press("hint")
    assert COUNTED.isdisjoint(lit(simulation).values())
    (said,) = simulation.press("hint")
    assert (said.name, str(said.say)[:15]) == ("standing", "Largest groups:")
    assert {site for site, kind in lit(simulation).items() if kind == "for-first"} >= {"a1", "b1", "c1", "b2"}
    simulation.run(daemon.HINT_LASTS + 0.1)
    assert COUNTED.isdisjoint(lit(simulation).values())
    simulation.press("standing")
    assert not COUNTED.isdisjoint(lit(simulation).values())


def test_a_piece_is_lit_for_whom_it_counts_whatever_its_colour() -> None:
    game = load("yin-yang")
    simulation = open_simulation(
        ScoreSheet(game, game.position("....../....../..xo../.oox../....../...... 2")), Sense.COLOUR
    )
    simulation.run(0.5)
    simulation.press("standing")
    assert lit(simulation) == dict.fromkeys(("c3", "d3", "c4", "d4"), "for-second") | {"b3": "for-first"}


def test_a_hand_that_begins_a_turn_has_the_lights_again() -> None:
    simulation = in_groups()
    simulation.run(0.5)
    simulation.press("standing")
    simulation.board.lay([("c1", 0)])
    simulation.run(0.5)
    assert COUNTED.isdisjoint(lit(simulation).values())
    simulation.board.lay([("c1", 1)])
    simulation.run(0.5)
    assert COUNTED.isdisjoint(lit(simulation).values())


def test_a_game_that_does_not_tell_says_so() -> None:
    simulation = open_simulation(ScoreSheet(Clobber()), Sense.COLOUR)
    simulation.run(0.5)
    (said,) = simulation.press("standing")
    assert said.name == "no-standing"


# Garbage --------------------------------------------------------------------------------------


@pytest.fixture
def collections(warm: None) -> Iterator[list[int]]:
    """How many objects each garbage collection has freed, in a process that was warmed up."""
    found = list[int]()

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            found.append(info["collected"])

    gc.callbacks.append(note)
    yield found
    gc.callbacks.remove(note)


def begun() -> Simulation:
    """A game that begins, with hands that never rest for long."""
    return open_simulation(ScoreSheet(load("zong-heng", size=6), house_rule=False), Sense.PRESENCE)


def litter(count: int) -> None:
    """Leave lists that hold themselves, as a driver of others may."""
    for _ in range(count):
        left: list[object] = []
        left.append(left)


def play(simulation: Simulation, turns: int, seed: int = 0, leaves: int = 0) -> None:
    """Make random turns, one after another; with each, so much is left behind in circles."""
    choose = Random(seed)
    for _ in range(turns):
        litter(leaves)
        length = simulation.table.sheet.length
        simulation.take(choose.choice(simulation.table.sheet.turns), STYLES["finger"])
        assert simulation.table.sheet.length > length


def test_garbage_is_not_collected_while_hands_are_at_work(collections: list[int]) -> None:
    simulation = begun()
    for seed in range(2):
        play(simulation, 4, seed)
        simulation.run(RESTING - 5.0)
    assert simulation.now > 2 * RESTING - 10.0
    assert not gc.isenabled()
    assert collections == []


def test_garbage_is_collected_when_nobody_plays_and_seldom_after_that(collections: list[int]) -> None:
    simulation = begun()
    play(simulation, 3, leaves=50)
    simulation.run(RESTING + 1.0)
    assert len(collections) == 1
    assert collections[0] >= 150
    simulation.run(RESTING - 2.0)
    assert len(collections) == 1
    simulation.run(2.0)
    assert len(collections) == 2
    play(simulation, 1)
    assert len(collections) == 2
    simulation.run(RESTING + 1.0)
    assert len(collections) == 3
    assert not gc.isenabled()


def test_garbage_is_bounded_though_nobody_rests(collections: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daemon, "MOST_NEW", 5000)
    simulation = begun()
    play(simulation, 8, leaves=1000)
    assert 1 <= len(collections) < 20
    assert sum(collections) > 5000


def test_where_python_collects_garbage_the_daemon_does_not() -> None:
    simulation = begun()
    runs = gc.get_stats()[2]["collections"]
    simulation.run(RESTING + 1.0)
    collect_garbage()
    assert gc.get_stats()[2]["collections"] == runs


def test_what_was_read_of_a_game_that_is_left_is_no_garbage(collections: list[int]) -> None:
    """It is let go of little by little, and nothing of it holds itself: the scans have nothing to collect."""
    simulation = begun()
    play(simulation, 6)
    steps = sum(1 for _ in simulation.table.dissolve())
    assert steps > 20
    simulation.close()
    collect_garbage(dropped=True)
    collections.clear()
    del simulation
    collect_garbage(dropped=True)
    assert collections == [0]


def test_nothing_is_left_of_a_game_that_was_left(collections: list[int]) -> None:
    held = []
    for _ in range(5):
        table = ScreenlessTable(sheet=ScoreSheet(load("zong-heng", size=6), house_rule=False))
        hands = table.seated()
        hands.put_right(0.1)
        play(hands, 4)
        before = len(collections)
        del hands
        table.press("done", 2.5)
        table.choose("end")
        table.choose("agree")
        table.press("done")
        assert table.session.daemon is None
        assert len(collections) > before
        held.append(len(gc.get_objects()) + gc.get_freeze_count())
        collections.clear()
    assert max(held) < 1.05 * min(held), held


def test_objects_do_not_grow_over_many_games_at_the_page_though_none_are_collected(collections: list[int]) -> None:
    host = SimulatedHost(Config(), ScoreSheet(load("zong-heng", size=6)), Sense.PRESENCE, background=False)
    held = []
    for _ in range(8):
        host.simulation.run(1.0)
        play(host.simulation, 5)
        host.obey(New("zong-heng", {"size": 6}), host.simulation.now)
        host.step(host.simulation.now)
        assert not collections
        collect_garbage()  # the collector counts tuples and dictionaries of plain things until it has seen them
        assert collections.pop() < 10
        held.append(len(gc.get_objects()) + gc.get_freeze_count())
    assert max(held[3:]) < 1.05 * held[2], held
