"""A pass that a player may choose: the Done button, pressed twice while nothing was touched."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from firmware_bridge.events import turn_event
from firmware_bridge.records import read_record
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import open_simulation
from firmware_bridge.simulation.table import Simulation
from hardware.device import Sense
from hardware.simulation.hands import Style, Touch
from tests.distributions import install
from tests.games.small_games import Passing


def opened(text: str | None = None, levels: tuple[int, int] = (0, 0)) -> Simulation:
    game = Passing()
    start = game.position(text) if text else None
    simulation = open_simulation(ScoreSheet(game, start, levels=levels, house_rule=False), Sense.PRESENCE)
    simulation.run(3.0)
    return simulation


def texts(simulation: Simulation) -> list[str]:
    return [entry.turn.text for entry in simulation.table.sheet.played_turns]


def pressed(simulation: Simulation, times: int = 1) -> list[str]:
    """What is said of Done, pressed so often."""
    return [event.say.id for _ in range(times) for event in simulation.press("done")]


def test_done_twice_passes_and_the_first_says_so() -> None:
    simulation = opened()
    assert pressed(simulation, 2) == ["table.may-pass", "table.passes"]
    assert texts(simulation) == ["pass"]
    assert str(simulation.events[-1].say) == "black passes."
    assert simulation.table.sheet.position.side == 1


@pytest.mark.parametrize("presses", [3, 4, 6])
def test_done_pressed_more_than_twice_asks_for_nothing_and_passes_for_nobody_else(presses: int) -> None:
    simulation = opened()
    told = pressed(simulation, presses)
    assert told[:2] == ["table.may-pass", "table.passes"]
    assert set(told[2:]) == {"table.nothing-done"}
    assert texts(simulation) == ["pass"]
    simulation.run(2.0)
    assert pressed(simulation) == ["table.may-pass"]


def test_two_passes_end_this_game() -> None:
    simulation = opened()
    pressed(simulation, 2)
    simulation.run(2.0)
    assert pressed(simulation, 2)[-1] == "rules.repetition"
    assert texts(simulation) == ["pass", "pass"]


def test_waiting_passes_nothing() -> None:
    simulation = opened()
    pressed(simulation)
    simulation.run(60.0)
    assert texts(simulation) == []


def test_a_piece_touched_between_means_no_pass() -> None:
    simulation = opened()
    pressed(simulation)
    simulation.do([Touch(0.3, (("a1", 0),)), Touch(0.5, (("a1", 2),))])
    simulation.run(1.0)
    assert pressed(simulation) == ["table.may-pass"]
    assert texts(simulation) == []


@pytest.mark.parametrize("presses", [1, 2, 5])
def test_done_pressed_for_the_turn_just_made_passes_nothing(presses: int) -> None:
    simulation = opened()
    turn = simulation.table.sheet.turns[1]
    simulation.play(turn, Style())
    simulation.run(0.1)
    pressed(simulation, presses)
    simulation.run(2.0)
    pressed(simulation)
    assert texts(simulation) == [turn.text]


def test_a_pass_is_taken_back_alone() -> None:
    simulation = opened()
    simulation.take(simulation.table.sheet.turns[1], Style())
    simulation.run(2.0)
    pressed(simulation, 2)
    simulation.press("undo")
    assert len(texts(simulation)) == 1
    assert texts(simulation) != ["pass"]


def test_the_engine_passes_without_a_hand() -> None:
    simulation = opened(levels=(1, 0))
    events = simulation.table.plan(simulation.table.sheet.turns[0])
    assert [event.say.id for event in events] == ["table.passes"]
    assert simulation.table.planned is None
    assert texts(simulation) == ["pass"]


def test_nobody_passes_for_the_engine() -> None:
    simulation = opened(levels=(1, 0))
    assert "table.may-pass" not in pressed(simulation, 2)
    assert texts(simulation) == []


@pytest.mark.parametrize("seed", range(4))
def test_hands_play_whole_games_with_passes(seed: int) -> None:
    chance = Random(seed)
    simulation = opened()
    made: list[str] = []
    while turns := simulation.table.sheet.turns:
        turn = chance.choice(turns)
        made += [turn.text] if len(turns) > 1 else []
        simulation.take(turn, Style())
        simulation.run(1.0)
    assert [entry.turn.text for entry in simulation.table.sheet.played_turns if not entry.forced] == made


def test_chosen_and_forced_passes_are_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Black takes, and nobody can take any more: the passes that follow are forced, and a record has them too."""
    install(tmp_path, "small", {"tablelight.games": {Passing.name: "tests.games.small_games:Passing"}}, {})
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "game.table"
    turns = "".join(f"turn {text}\n" for text in ("pass", "pass", "undo", "a1xb1", "pass", "pass"))
    heading = f"tablelight 1\ngame {Passing.name}\nsense presence\nposition ..../..../..../xo.. o -\n"
    path.write_text(heading + turns.replace("turn undo", "undo 1"))
    entries = read_record(path).sheet.played_turns
    told = [(entry.turn.text, entry.forced) for entry in entries]
    assert told == [("pass", False), ("a1xb1", False), ("pass", True), ("pass", True)]


def test_an_event_tells_a_chosen_pass_from_a_forced_one() -> None:
    game = Passing()
    passes = game.turns(game.start())[0]
    assert str(turn_event("played", "rules.dark", passes).say) == "black passes."
    assert str(turn_event("passed", "rules.dark", passes).say) == "black has no turn and passes."
