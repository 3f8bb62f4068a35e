"""A turn that a program chooses at a real table: lit, carried out by a hand, and dropped where it is not wanted."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from firmware_bridge.config import Config, RecordConfig
from firmware_bridge.session import Drop, Make, New
from firmware_bridge.simulation import Simulation
from games.rules import names
from hardware.device import Sense
from hardware.simulation.hands import STYLES
from tests.records.traced_games import again
from tests.session.screenless_players import ScreenlessTable

GAME = "zong-heng"


def begun(game: str = GAME, clock: str = "", **given: object) -> tuple[ScreenlessTable, Simulation]:
    """A real table whose game has begun, with its pieces laid out, and the hands at it."""
    table = ScreenlessTable(sense=Sense.COUNT if game == "zig-zag" else Sense.COLOUR, **given)
    table.session.obey(New(game, clock=clock), table.now)
    table.run(0.2)
    hands = table.seated()
    hands.put_right()
    hands.run(1.0)
    assert not table.session.daemon.table.setting
    return table, hands


def asks(table: ScreenlessTable, request: Make | Drop) -> list[str]:
    return [event.name for event in table.session.obey(request, table.now)]


@pytest.mark.parametrize("game", names())
def test_a_hand_carries_out_what_a_program_has_chosen(game: str) -> None:
    table, hands = begun(game)
    luck = Random(4)
    for made in range(3):
        turn = luck.choice(table.sheet.turns)
        assert asks(table, Make(turn.text)) == ["plans"]
        table.run(0.3)
        assert table.session.daemon.table.planned == turn
        assert table.lit()
        assert table.sheet.length == made
        hands.play(turn, STYLES["finger"])
        hands.run(5.0)
        assert table.sheet.played_turns[-1].turn.after == turn.after
        assert table.session.daemon.table.planned is None
    assert not {"asked", "astray"} & set(table.said)


def test_each_step_is_lit_as_the_hand_goes_on() -> None:
    table, _ = begun()
    turn = table.sheet.turns[0]
    begins, follows = turn.path[0], turn.path[1:]
    asks(table, Make(turn.text))
    table.run(0.2)
    cues = table.session.daemon.scene.cues
    assert begins in cues
    table.table.lay([(begins, 0)])
    table.run(0.5)
    lifted = table.session.daemon.scene.cues
    assert lifted != cues
    assert set(follows) & set(lifted)


def test_another_turn_than_the_one_chosen_does_not_count_and_is_told_of() -> None:
    table, hands = begun()
    chosen, other = table.sheet.turns[0], table.sheet.turns[-1]
    asks(table, Make(chosen.text))
    hands.play(other, STYLES["finger"])
    hands.run(3.0)
    assert table.sheet.length == 0
    told = [event for event in table.events if event.name == "astray"]
    assert told[-1].say.id == "table.off-plan"
    assert chosen.text in str(told[-1].say)
    hands.put_right()
    hands.play(chosen, STYLES["finger"])
    hands.run(3.0)
    assert [entry.turn.text for entry in table.sheet.played_turns] == [chosen.text]


@pytest.mark.parametrize("by", ["program", "button"])
def test_a_turn_that_is_dropped_leaves_the_choice_to_whoever_moves_next(by: str) -> None:
    table, hands = begun()
    chosen, other = table.sheet.turns[0], table.sheet.turns[-1]
    asks(table, Make(chosen.text))
    table.table.lay([(chosen.path[0], 0)])  # the hand has begun it
    table.run(0.5)
    if by == "program":
        said = [event.name for event in table.session.obey(Drop(), table.now)]
    else:
        table.press("undo")
        said = table.said
    assert "dropped" in said
    assert table.session.daemon.table.planned is None
    assert table.session.daemon.table.setting  # what was begun is put back first
    hands.put_right()
    hands.run(0.5)
    hands.play(other, STYLES["finger"])
    hands.run(3.0)
    assert [entry.turn.text for entry in table.sheet.played_turns] == [other.text]
    assert "undone" not in table.said


def test_what_cannot_be_planned_now_is_said_and_changes_nothing() -> None:
    table, hands = begun()
    assert asks(table, Drop()) == ["nothing-dropped"]
    assert asks(table, Make("z9")) == ["no-such-turn"]
    turn = table.sheet.turns[0]
    table.table.lay([(turn.path[0], 0)])
    table.run(0.5)
    assert asks(table, Make(turn.text)) == ["not-begun"]
    hands.put_right()
    hands.run(1.0)
    assert asks(table, Make(turn.text)) == ["plans"]
    assert asks(table, Make(table.sheet.turns[-1].text)) == ["still-busy"]
    assert table.session.daemon.table.planned == turn


def test_a_turn_of_the_engine_is_neither_chosen_nor_dropped_by_a_program() -> None:
    table, _ = begun()
    table.sheet.levels = (1, 0)
    assert asks(table, Make(table.sheet.turns[0].text)) == ["no-such-turn"]
    table.session.daemon.table.plan(table.sheet.turns[0])
    assert asks(table, Drop()) == ["nothing-dropped"]
    assert table.session.daemon.table.planned


def test_the_clock_of_a_program_stands_while_a_hand_carries_its_turn_out() -> None:
    table, hands = begun(clock="10")
    hands.play(table.sheet.turns[0], STYLES["finger"])
    hands.run(3.0)
    table.run(7.0)  # it thinks
    turn = table.sheet.turns[0]
    assert asks(table, Make(turn.text)) == ["plans"]
    table.run(30.0)
    hands.play(turn, STYLES["finger"])
    hands.run(3.0)
    assert table.sheet.length == 2
    clock = table.sheet.clock
    assert clock
    assert clock.left[1].main == pytest.approx(591.0, abs=3.0)


def test_a_trace_of_turns_that_a_program_has_chosen_replays(tmp_path: Path) -> None:
    trace = tmp_path / "game.trace"
    table, hands = begun(config=Config(record=RecordConfig(trace=str(trace))))
    for drops in (True, False):
        turn = table.sheet.turns[0]
        asks(table, Make(turn.text))
        table.run(0.5)
        if drops:
            asks(table, Drop())
            table.run(0.5)
    hands.play(turn, STYLES["finger"])
    hands.run(3.0)
    made = [entry.turn.text for entry in table.sheet.played_turns]
    assert made == [turn.text]
    table.session.close()
    assert " drop " in trace.read_text()
    done = again(trace)
    assert done.differences == []
    assert [entry.turn.text for entry in done.simulation.table.sheet.played_turns] == made
