"""Rule 3 of the table: turns that a hand takes back, and puts again."""

from __future__ import annotations

from collections import defaultdict

import pytest

from benchmarks.cells import random_turns
from firmware_bridge.verdict import AtRest, SensorView
from games.rules import Position
from hardware.device import Sense
from hardware.simulation.faulty_sensors import Fault
from tests.simulation.midgame import game_of
from tests.table.players import At, C, P, at


@pytest.mark.parametrize(("sense", "said"), [(P, ["undone", "look"]), (C, ["undone"])])
def test_3_the_board_as_it_was_takes_the_turn_back(sense: Sense, said: list[str]) -> None:
    """By presence nobody sees of which colour the stone left behind is now."""
    now = at("yin-yang", sense)
    now.make("c3-c2")
    now.lay(("c2", 0), ("c3", 0), ("c3", 2), wait=0.05)
    assert now.run(1.9) == []
    assert now.run(0.2) == said
    assert (now.played, now.table.verdict) == ([], AtRest())


def three_placed() -> At:
    now = at("zhizhu", C)
    for text in ("a1", "b5", "c3"):
        now.make(text)
    return now


def two_taken_back() -> At:
    now = three_placed()
    now.lay(("c3", 0), ("b5", 0), wait=2.5)
    assert now.played == ["a1"]
    return now


def test_3_what_is_put_again_is_played_again() -> None:
    now = two_taken_back()
    assert now.lay(("c3", 1), ("b5", 2), wait=2.5).count("played") == 2
    assert now.played == ["a1", "b5", "c3"]


def test_3_something_else_is_another_turn() -> None:
    now = two_taken_back()
    now.make("b6")
    assert now.played == ["a1", "b6"]


def test_3_seeds_that_are_not_counted_are_taken_back_by_the_button_alone() -> None:
    now = at("zig-zag", P)
    now.make("S3")
    now.press("done")
    start = now.sheet.start.board
    now.lay(*zip(now.sheet.game.sites, start, strict=True), wait=5.0)
    assert now.played == ["S3"]
    now.press("undo")
    assert (now.played, now.sheet.position.board) == ([], start)


def test_3_what_is_put_again_is_known_though_another_site_tells_nothing() -> None:
    now = three_placed()
    now.session.add_faults([Fault("mute", channels=(now.table.sensors.number["c5"],))], 0)
    now.lay(("c3", 0), ("b5", 0), wait=2.5)
    assert now.played == ["a1"]
    now.lay(("c3", 1), ("b5", 2), wait=2.5)
    assert now.played == ["a1", "b5", "c3"]


def test_3_but_not_a_turn_that_went_where_nothing_is_told() -> None:
    now = two_taken_back()
    now.session.add_faults([Fault("mute", channels=(now.table.sensors.number["c3"],))], 0)
    now.lay(("b5", 2), wait=2.0)
    assert now.played == ["a1", "b5"]


def test_3_a_stone_put_elsewhere_first_is_a_turn_that_is_changed() -> None:
    """The stone of b5 comes by way of b6."""
    now = two_taken_back()
    said = now.lay(("b6", 2), wait=0.3) + now.lay(("b6", 0), ("b5", 2), wait=1.0)
    assert said.count("amended") == 1
    assert now.played == ["a1", "b5"]


def test_3_what_was_put_again_again_and_again_makes_no_sensor_suspect() -> None:
    now = three_placed()
    for _ in range(6):
        now.lay(("c3", 0), ("b5", 0), wait=2.5)
        now.lay(("c3", 1), ("b5", 2), wait=2.5)
    assert now.played == ["a1", "b5", "c3"]
    assert not {"doubted", "restless"} & {event.name for event in now.session.events}


@pytest.mark.parametrize("sense", [P, C])
def test_3_two_turns_taken_back_and_another_made_at_once(sense: Sense) -> None:
    """Nobody has waited until they counted as taken back; where the table asks, Done answers."""
    now = at("zhizhu", sense)
    for text in ("a1", "b5"):
        now.make(text, wait=1.0)
    now.lay(("b5", 0), ("a1", 0), ("c3", 1), wait=0.5)
    for _ in range(3 if now.played != ["c3"] else 0):
        now.press("done")
        now.run(1.0)
    assert now.played == ["c3"]
    assert "undone" in [event.name for event in now.session.events]


def alike() -> tuple[Position, list[str]]:
    """A position with two turns after which presence shows the same."""
    game = game_of("yin-yang")
    sensors, position = SensorView(game, P), game.start()
    for turn in random_turns(game, 1):
        position = turn.after
        shown = defaultdict(list)
        for legal in game.turns(position):
            shown[sensors.frame(legal.after)].append(legal.text)
        if twins := [texts for texts in shown.values() if len(texts) > 1]:
            return position, twins[0][:2]
    raise AssertionError("every turn shows otherwise")


def test_3_another_turn_that_looks_the_same_in_the_end_is_not_the_one_taken_back() -> None:
    position, (first, second) = alike()
    now = at("yin-yang", P, position=str(position))
    now.make(first, "singly", wait=1.0)
    assert now.played == [first]
    origin, target = first.split("-")
    colour = position.board[now.sheet.game.sites.index(origin)]
    now.lay((target, 0), (origin, 0), (origin, colour), wait=2.5)
    assert now.played == []
    now.make(second, "singly", wait=1.0)
    assert now.played == [second]


def captured_at_once() -> tuple[Position, str, str]:
    """A position, a stone that may be placed, where the other player may then place one, and capture it."""
    game = game_of("zhizhu")
    for seed in range(100):
        position = game.start()
        for turn in random_turns(game, seed):
            steps = [answer.steps for answer in game.turns(turn.after) if len(turn.steps) == 1]
            taken = [put.site for put, *rest in steps if put.level and rest == [turn.steps[0]._replace(level=0)]]
            if taken:
                return position, turn.text, taken[0]
            position = turn.after
    raise AssertionError("no stone is captured at once")


def test_3_a_stone_gone_for_long_is_said_to_be_taken_back_before_anything_else_counts() -> None:
    """By presence it may have been a capture made first; who meant that sees at once what the table takes it for."""
    position, placed, site = captured_at_once()
    now = at("zhizhu", P, position=str(position))
    now.make(placed, wait=1.0)
    assert "undone" in now.lay((placed, 0), wait=2.5)
    assert now.played == []
    now.lay((site, 1), wait=2.0)
    assert now.played == [site]
