"""Which sensors can be believed."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seated import At, C, at

from benchmarks.accuracy import Cell, Playing, Trouble, cells, random_turns
from firmware_bridge.confidence import LONG, TWITCHES, WINDOW, Confidence
from games.rules import load, names
from hardware.device import Levels
from hardware.hands import STYLES, perform

REST: Levels = (1, 0, 1, 0)


def twitch(confidence: Confidence, now: float, site: int = 0, frame: Levels = REST) -> None:
    """At `now` the site shows something else for 50 ms."""
    other = list(frame)
    other[site] = 0 if frame[site] else 1
    confidence.feed(tuple(other), now)
    confidence.feed(frame, now + 0.05)
    confidence.played([1, 2])


def twitching() -> tuple[Confidence, float]:
    """Somewhere a contact is loose; and when it was found to be."""
    confidence = Confidence()
    confidence.feed(REST, 0.0)
    for time in range(TWITCHES + 1):
        twitch(confidence, 1.0 + time)
    return confidence, 1.0 + TWITCHES


# A loose contact ------------------------------------------------------------------------------


def test_while_nothing_changes_the_same_frame_comes_back() -> None:
    confidence = Confidence()
    assert confidence.feed(REST, 0.0) is REST
    assert confidence.feed(REST, 1.0) is REST
    masked = confidence.mask([1], 2.0)
    assert masked == (1, None, 1, 0)
    assert confidence.feed(REST, 3.0) is masked
    other = (1, 1, 1, 0)
    assert confidence.feed(other, 4.0) is masked


def test_a_contact_that_twitches_is_loose() -> None:
    confidence, _ = twitching()
    assert confidence.loose == (0,)


def test_not_if_it_does_so_now_and_then() -> None:
    confidence = Confidence()
    confidence.feed(REST, 0.0)
    for time in range(3 * TWITCHES):
        twitch(confidence, 1.0 + time * WINDOW / (TWITCHES - 1))
    assert confidence.loose == ()


BUMP = (((0, 0, 1, 0), 0.0), ((0, 0, 0, 0), 0.01), ((1, 0, 0, 0), 0.05), (REST, 0.06))
PUSH = (((1, 0, 0, 0), 0.0), (REST, 0.05))


@pytest.mark.parametrize(("frames", "path"), [(BUMP, [1]), (PUSH, [2, 3])])
def test_nor_if_the_table_is_bumped_or_a_row_pushed_quickly(
    frames: tuple[tuple[Levels, float], ...], path: list[int]
) -> None:
    confidence = Confidence()
    confidence.feed(REST, 0.0)
    for time in range(3 * TWITCHES):
        for frame, later in frames:
            confidence.feed(frame, 1.0 + time + later)
        confidence.played(path)
    assert confidence.loose == ()


# Believed again -------------------------------------------------------------------------------


def test_a_masked_site_is_believed_once_it_has_followed_a_turn_and_told_the_truth_for_long() -> None:
    confidence, now = twitching()
    confidence.mask(confidence.loose, now)
    assert confidence.loose == ()
    assert confidence.rested((1, 0, 1, 0), now) == ()
    confidence.feed((0, 1, 1, 0), now + 1)
    assert confidence.rested((0, 1, 1, 0), now + 1) == ()
    assert confidence.rested((0, 1, 1, 0), now + LONG + 1) == (0,)
    assert confidence.shown == (0, 1, 1, 0)


def test_not_if_it_has_lied_meanwhile() -> None:
    confidence = Confidence()
    confidence.feed(REST, 0.0)
    confidence.mask([0], 1.0)
    for time, due in ((2.0, 1), (3.0, 0), (LONG, 1)):
        assert confidence.rested((due, 0, 1, 0), time) == ()
    assert confidence.rested(REST, 2 * LONG) == ()


def test_nor_if_nothing_was_to_be_told() -> None:
    confidence = Confidence()
    confidence.feed(REST, 0.0)
    confidence.mask([0], 1.0)
    assert confidence.rested(REST, 2.0) == confidence.rested(REST, 5 * LONG) == ()


@pytest.mark.parametrize("game", names())
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), style=st.sampled_from(sorted(STYLES)))
def test_a_healthy_site_is_never_masked_whatever_is_played(game: str, seed: int, style: str) -> None:
    rules, confidence, now = load(game), Confidence(), 0.0
    level = dict(zip(rules.sites, rules.start().board, strict=True))
    for _, turn in zip(range(25), random_turns(rules, seed), strict=False):
        for act in perform(turn.steps, STYLES[style], level):
            now += act.wait
            level.update(act.changes)
            confidence.feed(tuple(level.values()), now)
        confidence.played([rules.sites.index(site) for site in turn.path])
        now += random.Random(seed).uniform(0.1, 3.0)
        assert confidence.loose == ()


# At the table ---------------------------------------------------------------------------------


def breaks(now: At, site: str) -> list[str]:
    """The sensor at `site` shows nothing from now on."""
    now.sitting.board.lay([(site, 0)])
    return now.run(0.5)


def test_a_sensor_that_all_others_contradict_is_named_and_the_turn_offered() -> None:
    now = at("zong-heng", C)
    breaks(now, "g1")
    now.make("c3-c4", wait=0.6)
    assert now.played == []
    assert now.press("done") == ["offered"]
    now.run(1.0)
    assert now.press("done") == ["doubted", "played"]
    assert "The sensor at g1 cannot be believed" in str(now.sitting.events[-2].say)
    assert now.played == ["c3-c4"]


def test_the_game_goes_on_without_it() -> None:
    now = at("zong-heng", C)
    breaks(now, "g1")
    now.make("c3-c4", wait=0.6)
    now.press("done")
    now.run(1.0)
    now.press("done")
    assert now.make("d4-d3", wait=0.6) == ["played"]


@pytest.mark.parametrize("cell", cells(), ids=str)
def test_a_loose_contact_is_named(cell: Cell) -> None:
    playing = Playing(cell, STYLES["finger"], 1, Trouble("steady", "flicker"))
    playing.play(30)
    ill = {playing.sitting.table.game.sites[site] for site in playing.sitting.ill}
    assert [set(event.sites) for event in playing.sitting.events if event.name == "doubted"] == [ill]
