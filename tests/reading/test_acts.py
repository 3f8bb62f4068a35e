"""Turns of acts that the four games do not have: captures by replacement, pieces that become others, known turns."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from firmware_bridge.lighting import scene
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import open_simulation
from firmware_bridge.simulation.table import Simulation
from games.rules import Game, Turn, load
from hardware.device import Sense
from hardware.simulation.hands import IN_HAND, STYLES, Style, Touch
from tests.games.small_games import Blocking, Clobber, Crowning, Hopping, Swapping, Turning

P, C = Sense.PRESENCE, Sense.COLOUR
HANDS = {
    "in order": Style(),
    "in hand": IN_HAND,
    "quick in hand": replace(IN_HAND, pace=0.15),
    "in place": Style(gap=0),
    "turned slowly": Style(gap=0.4),
    "slow": STYLES["slow"],
}


def opened(game: Game[Any], sense: Sense, text: str | None = None) -> Simulation:
    sheet = ScoreSheet(game, house_rule=False, start=game.position(text) if text else None)
    simulation = open_simulation(sheet, sense)
    simulation.run(0.3)
    return simulation


def texts(simulation: Simulation) -> list[str]:
    return [entry.turn.text for entry in simulation.table.sheet.played_turns]


def told(simulation: Simulation) -> set[str]:
    return {event.name for event in simulation.events} - {"played", "ready", "won"}


def lit(simulation: Simulation) -> dict[str, str]:
    return {site: cue.kind for site, cue in scene(simulation.table.view(), simulation.now).cues.items()}


def named(simulation: Simulation, text: str) -> Turn[Any]:
    return next(turn for turn in simulation.table.sheet.turns if turn.text == text)


@pytest.mark.parametrize("style", HANDS.values(), ids=HANDS.keys())
@pytest.mark.parametrize("sense", [P, C], ids=str)
@pytest.mark.parametrize("made", [Clobber, Turning])
def test_whole_games_are_read_without_a_word(made: type[Game[Any]], sense: Sense, style: Style) -> None:
    chance = Random(f"{style}")
    for _ in range(2):
        simulation = opened(made(), sense)
        while turns := simulation.table.sheet.turns:
            turn = chance.choice(turns)
            simulation.take(turn, style)
            simulation.run(0.8)
            assert texts(simulation)[-1] == turn.text
        assert not told(simulation)


@pytest.mark.parametrize("sense", [P, C], ids=str)
@pytest.mark.parametrize("made", [Clobber, Turning, Crowning])
def test_a_piece_that_is_lifted_and_held_is_no_turn(made: type[Game[Any]], sense: Sense) -> None:
    game = made()
    for site in [site for site, level in zip(game.sites, game.start().board, strict=True) if level]:
        simulation = opened(game, sense)
        simulation.do([Touch(0.3, ((site, 0),))])
        simulation.run(5.0)
        assert not texts(simulation)
        assert "asked" not in told(simulation)


@pytest.mark.parametrize("sense", [P, C], ids=str)
def test_the_order_tells_the_piece_that_moved_from_the_one_laid_after_it(sense: Sense) -> None:
    for text in ("a1-a2/b2", "a1-b2/a2", "a1-b1/a1"):
        simulation = opened(Blocking(), sense)
        simulation.play(named(simulation, text), Style())
        simulation.run(0.8)
        assert texts(simulation) == [text]
        assert not told(simulation)


@pytest.mark.parametrize("sense", [P, C], ids=str)
def test_what_came_at_the_same_moment_is_asked_about(sense: Sense) -> None:
    simulation = opened(Blocking(), sense)
    simulation.do([Touch(0.3, (("a1", 0),)), Touch(0.3, (("a2", 1), ("b2", 1)))])
    simulation.run(0.8)
    assert told(simulation) == {"asked"}
    assert not texts(simulation)


def test_what_is_to_be_captured_is_lit_until_it_has_gone() -> None:
    simulation = opened(Clobber(), P)
    assert {site for site, kind in lit(simulation).items() if kind == "movable"} == {
        *["b1", "d1", "a2", "c2", "b3", "d3", "a4", "c4"]
    }
    simulation.do([Touch(0.3, (("c2", 0),))])
    simulation.run(0.3)
    assert lit(simulation) == dict.fromkeys(["b2", "c1", "c3", "d2"], "capture")
    simulation.do([Touch(0.3, (("b2", 0),))])
    simulation.run(0.3)
    assert lit(simulation) == {"b2": "target"}


def test_done_offers_a_capture_that_no_sensor_can_show() -> None:
    simulation = opened(Clobber(), P, "..../..../..../xo.. x -")
    simulation.do([Touch(0.3, (("a1", 0),))])
    simulation.run(1.0)
    simulation.press("done")
    assert told(simulation) == {"offered"}
    simulation.run(1.0)
    simulation.press("done")
    assert texts(simulation) == ["a1xb1"]


@pytest.mark.parametrize("sense", [P, C], ids=str)
@pytest.mark.parametrize("kind", ["k", "f"])
def test_which_piece_it_became_is_asked_by_light(kind: str, sense: Sense) -> None:
    simulation = opened(Crowning(), sense)
    turn = named(simulation, f"a3-a4{kind}")
    simulation.play(turn, Style(gap=0))
    simulation.run(1.0)
    assert (texts(simulation), told(simulation)) == ([], {"asked"})
    assert "a4: a3-a4k, a3: a3-a4f" in str(simulation.events[-1].say)
    assert lit(simulation) == {"a4": "ask", "a3": "ask"}
    simulation.answer(turn)
    simulation.run(1.0)
    assert (texts(simulation), told(simulation)) == ([turn.text], {"asked"})


def test_a_piece_turned_over_before_the_new_one_is_there_is_out_of_place() -> None:
    simulation = opened(Turning(), P)
    simulation.do([Touch(0.3, (("d3", 0),))])
    simulation.run(5.0)
    assert told(simulation) == {"astray"}


def test_a_disc_laid_elsewhere_is_no_turn_of_the_other_player_who_would_turn_it_over_there() -> None:
    simulation = opened(Turning(), P, "....../....../xx..../oo..../..o.../...... x -")
    turned_twice = [Touch(0.3, (("b3", level),)) for level in (0, 1, 0, 1)]
    simulation.do([Touch(0.3, (("b2", 1),)), *turned_twice])
    simulation.do([Touch(0.3, (change,)) for change in (("b2", 0), ("a2", 1), ("a3", 0), ("a3", 1))])
    simulation.run(1.0)
    assert (texts(simulation), simulation.table.sheet.position.side) == (["a2"], 1)


@pytest.mark.parametrize("sense", [P, C], ids=str)
def test_a_piece_may_be_carried_over_the_sites_where_it_rests_on_its_way(sense: Sense) -> None:
    for over in ([], [("c1", 1), ("c1", 0)]):
        simulation = opened(Hopping(), sense)
        simulation.do([Touch(0.3, (change,)) for change in (("a1", 0), *over, ("e1", 1), ("b1", 0), ("d1", 0))])
        simulation.run(2.0)
        assert (texts(simulation), told(simulation)) == (["a1xc1xe1"], set())


# Known turns ----------------------------------------------------------------------------------


def planned(simulation: Simulation, turn: Turn[Any]) -> Simulation:
    simulation.request(lambda now: simulation.table.plan(turn))
    return simulation


ROWS = load("zong-heng").position(".o.oxo.o/x.x.xxx./.o.o.o.o/x.x.x.x./.o.oxooo/xox.xox./.oxo.o.o/x.x.x.x. o")
"""A position with rows of one, three and five stones that may be pushed."""


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES.keys())
@pytest.mark.parametrize("sense", [P, C], ids=str)
def test_a_known_push_counts_however_it_is_made(sense: Sense, style: Style) -> None:
    game = load("zong-heng")
    rows = {len(turn.acts[0].sites): turn for turn in game.turns(ROWS)}
    assert set(rows) == {2, 4, 6}
    for turn in rows.values():
        simulation = planned(opened(game, sense, str(ROWS)), turn)
        simulation.play(turn, style)
        simulation.run(0.6)
        assert (texts(simulation), told(simulation)) == ([turn.text], set())


def test_a_known_turn_counts_by_its_picture_whatever_was_touched_beside_it() -> None:
    simulation = opened(load("zong-heng"), P)
    planned(simulation, named(simulation, "c3-c4"))
    simulation.do([Touch(0.3, (("c4", 1),))])
    simulation.run(0.3)
    assert texts(simulation) == ["c3-c4"]


def test_a_known_turn_does_not_count_untouched() -> None:
    simulation = opened(load("zong-heng"), P)
    planned(simulation, named(simulation, "c3-c4"))
    simulation.run(5.0)
    simulation.touch("e5")
    simulation.run(5.0)
    assert not texts(simulation)


@pytest.mark.parametrize("sense", [P, C], ids=str)
def test_a_known_turn_that_only_turns_a_piece_over_is_lit_and_counts_by_done_where_nothing_shows_it(
    sense: Sense,
) -> None:
    simulation = opened(Swapping(), sense, "..../..../..../.x.. o -")
    assert lit(simulation) == {"a1": "target", "b1": "movable", "c1": "target", "d1": "target"}
    planned(simulation, named(simulation, "swap"))
    assert lit(simulation) == {"b1": "begin" if sense is P else "place-here"}
    simulation.play(named(simulation, "swap"), Style())
    simulation.run(0.8)
    assert texts(simulation) == ([] if sense is P else ["swap"])
    if sense is P:
        simulation.press("done")
    assert (texts(simulation), told(simulation)) == (["swap"], set())


def test_a_known_capture_does_not_count_while_the_piece_is_in_the_hand() -> None:
    simulation = opened(Clobber(), P)
    planned(simulation, named(simulation, "c2xb2"))
    simulation.do([Touch(0.3, (("c2", 0),))])
    simulation.run(5.0)
    assert not texts(simulation)
    assert lit(simulation) == {"b2": "capture"}
    simulation.do([Touch(0.3, (("b2", 0),)), Touch(0.3, (("b2", 1),))])
    simulation.run(0.5)
    assert (texts(simulation), told(simulation)) == (["c2xb2"], set())


def test_what_is_taken_off_before_the_piece_moves_is_lit_as_brightly_as_where_it_begins() -> None:
    simulation = opened(Clobber(), P)
    planned(simulation, named(simulation, "c2xb2"))
    cues = scene(simulation.table.view(), simulation.now).cues
    assert {site: (cue.kind, cue.strength) for site, cue in cues.items()} == {"b2": ("capture", 1), "c2": ("begin", 1)}
