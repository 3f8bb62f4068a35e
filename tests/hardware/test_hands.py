"""The simulated hands: whatever the style, a turn ends as it should, and leaves the gaps that its style leaves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest

from games.acts import carry, flip, lay, take
from games.rules import Game, Turn, load, names
from hardware.device import Sense
from hardware.simulation.hands import IN_HAND, STYLES, Style, Touch, perform
from hardware.simulation.table import SimulatedTable

SEEDS = range(6)


class Made(NamedTuple):
    """A turn, and the pieces on its sites before it."""

    turn: Turn[Any]
    before: dict[str, int]


@cache
def turns_of(name: str) -> tuple[Made, ...]:
    """The turns of some random games that have steps."""
    return tuple(made for seed in SEEDS for made in game_of(load(name), seed) if made.turn.steps)


def game_of(game: Game[Any], seed: int) -> Iterator[Made]:
    choose, position = Random(seed), game.start()
    for _ in range(60):
        turns = game.turns(position)
        if not turns:
            return
        turn = choose.choice(turns)
        yield Made(turn, dict(zip(game.sites, position.board, strict=True)))
        position = turn.after


def pictures(made: Made, touches: list[Touch]) -> list[dict[str, int]]:
    """What stands where after each touch."""
    shown, all_shown = dict(made.before), []
    for touch in touches:
        shown.update(touch.changes)
        all_shown.append(dict(shown))
    return all_shown


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES.keys())
@pytest.mark.parametrize("name", names())
def test_every_turn_ends_as_the_rules_say(name: str, style: Style) -> None:
    for made in turns_of(name):
        table = SimulatedTable(tuple(made.before), Sense.COUNT)
        table.lay(made.before.items())
        for touch in perform(made.turn.acts, style):
            table.lay(touch.changes)
        assert table.scan() == made.turn.after.board, made.turn.text


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES.keys())
@pytest.mark.parametrize("name", names())
def test_time_runs_forward_and_begins_with_a_pause(name: str, style: Style) -> None:
    for made in turns_of(name):
        touches = perform(made.turn.acts, style)
        assert touches[0].wait == pytest.approx(style.pace)
        assert all(touch.wait >= 0 and touch.changes for touch in touches)


@pytest.mark.parametrize("style", [style for style in STYLES.values() if style.gap], ids=lambda style: style.row)
@pytest.mark.parametrize("name", ["yin-yang", "zhizhu", "zong-heng"])
def test_a_stone_never_comes_where_another_stands(name: str, style: Style) -> None:
    for made in turns_of(name):
        shown = dict(made.before)
        for touch in perform(made.turn.acts, style):
            for site, level in touch.changes:
                assert not (level and shown[site]), (made.turn.text, site)
                shown[site] = level


# A shifted row --------------------------------------------------------------------------------


def pushes() -> list[tuple[Made, tuple[str, ...]]]:
    """Pushes with their rows, the site that fills last."""
    return [(made, made.turn.acts[0].sites) for made in turns_of("zong-heng")]


def test_a_finger_shows_each_site_of_the_row_empty() -> None:
    style = STYLES["finger"]
    for made, row in pushes():
        touches = perform(made.turn.acts, style)
        emptied = [site for touch in touches for site, level in touch.changes if level == 0]
        assert sorted(emptied) == sorted(row[:-1])


def test_a_finger_leaves_each_site_empty_for_its_gap() -> None:
    style = STYLES["finger"]
    for made, row in pushes():
        left: dict[str, float] = {}
        now = 0.0
        for touch in perform(made.turn.acts, style):
            now += touch.wait
            for site, level in touch.changes:
                if level and site in left and site != row[0]:
                    assert now - left[site] > style.gap / 2
                left |= {site: now} if level == 0 else {}


@pytest.mark.parametrize("name", ["singly", "slow"])
def test_stone_by_stone_begins_at_the_far_end(name: str) -> None:
    for made, row in pushes():
        touches = perform(made.turn.acts, STYLES[name])
        emptied = [site for touch in touches for site, level in touch.changes if level == 0]
        assert emptied == list(reversed(row[:-1]))


def test_carried_round_only_the_last_stone_moves_where_all_are_alike() -> None:
    for made, row in pushes():
        alike = len({made.before[site] for site in row[:-1]}) == 1
        sites = {site for touch in perform(made.turn.acts, STYLES["round"]) for site, _ in touch.changes}
        assert sites == ({row[0], row[-1]} if alike else set(row))


def test_the_new_stone_pushes_at_once_and_no_site_is_seen_empty() -> None:
    for made, row in pushes():
        touches = perform(made.turn.acts, STYLES["new stone"])
        assert [len(touch.changes) for touch in touches] == [len(row)]
        assert all(level for touch in touches for _, level in touch.changes)


# Captures and seeds ---------------------------------------------------------------------------


@pytest.mark.parametrize("style", ["finger", "captures first"])
def test_captured_stones_go_after_the_move_or_before_it(style: str) -> None:
    captures = 0
    for made in turns_of("zhizhu"):
        changes = [change for touch in perform(made.turn.acts, STYLES[style]) for change in touch.changes]
        steps = [tuple(step) for step in made.turn.steps]
        end = max(place for place, (_, level) in enumerate(steps) if level) + 1
        captures += len(steps) - end
        assert changes == (steps if style == "finger" else steps[end:] + steps[:end])
    assert captures > 20


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES.keys())
def test_seeds_fall_one_by_one_in_the_order_of_the_sowing(style: Style) -> None:
    for made in turns_of("zig-zag"):
        assert [touch.changes for touch in perform(made.turn.acts, style)] == [(step,) for step in made.turn.steps]


def test_a_pass_is_nothing_to_do() -> None:
    assert perform((), Style()) == []


def test_paces_differ_as_the_names_say() -> None:
    made = turns_of("zong-heng")[0]
    spans = {name: sum(touch.wait for touch in perform(made.turn.acts, STYLES[name])) for name in STYLES}
    assert spans["quick"] < spans["finger"] < spans["slow"]


def test_a_piece_that_goes_where_it_captures_may_be_in_the_hand_first() -> None:
    acts = (take("b1"), carry("a1", "b1", 1))
    natural, held = ([touch.changes for touch in perform(acts, style)] for style in (Style(), IN_HAND))
    assert natural == [(("b1", 0),), (("a1", 0),), (("b1", 1),)]
    assert held == [(("a1", 0),), (("b1", 0),), (("b1", 1),)]


def test_a_piece_that_becomes_another_is_lifted_or_turned_over_where_it_stands() -> None:
    assert [touch.changes for touch in perform((flip("a1", 2),), Style())] == [(("a1", 0),), (("a1", 2),)]
    assert [touch.changes for touch in perform((flip("a1", 2),), Style(gap=0))] == [(("a1", 2),)]


def test_a_capture_that_another_act_must_precede_is_not_made_first() -> None:
    acts = (lay("a1", 1), take("b1"), take("c1", needs=(0,)))
    first = [touch.changes[0][0] for touch in perform(acts, STYLES["captures first"])]
    assert first == ["b1", "a1", "c1"]
