"""Which sensors are believed."""

from __future__ import annotations

import pytest

from benchmarks.cells import Cell, Trouble, cells
from benchmarks.followed import Playing
from firmware_bridge.reading.sensor_health import LONG, Confidence
from hardware.device import Levels
from hardware.simulation.hands import STYLES
from tests.table.players import At, C, at

REST: Levels = (1, 0, 1, 0)


def masking() -> Confidence:
    """The first site is not believed from second 0 on."""
    confidence = Confidence()
    confidence.feed(REST)
    confidence.mask([0], 0.0)
    return confidence


def test_while_nothing_changes_the_same_frame_comes_back() -> None:
    confidence = Confidence()
    assert confidence.feed(REST) is REST
    assert confidence.feed(REST) is REST
    masked = confidence.mask([1], 2.0)
    assert masked == (1, None, 1, 0)
    assert confidence.feed(REST) is masked
    other = (1, 1, 1, 0)
    assert confidence.feed(other) is masked


# Believed again -------------------------------------------------------------------------------


def test_a_masked_site_is_believed_once_it_has_followed_a_turn_and_told_the_truth_for_long() -> None:
    confidence = masking()
    assert confidence.rested((1, 0, 1, 0), 1.0) == ()
    confidence.feed((0, 1, 1, 0))
    assert confidence.rested((0, 1, 1, 0), 2.0) == ()
    assert confidence.rested((0, 1, 1, 0), LONG + 2) == (0,)
    assert confidence.shown == (0, 1, 1, 0)


def test_a_masked_site_that_has_lied_meanwhile_is_not_believed() -> None:
    confidence = masking()
    for time, due in ((2.0, 1), (3.0, 0), (LONG, 1)):
        assert confidence.rested((due, 0, 1, 0), time) == ()
    assert confidence.rested(REST, 2 * LONG) == ()


def test_a_masked_site_that_has_twitched_is_not_believed() -> None:
    confidence = masking()
    confidence.rested(REST, 1.0)
    confidence.feed((0, 1, 1, 0))
    confidence.rested((0, 1, 1, 0), 2.0)
    confidence.failed({0, 3}, 100.0)
    assert confidence.rested((0, 1, 1, 0), LONG + 2) == ()
    assert confidence.rested((0, 1, 1, 0), LONG + 100) == (0,)


def test_a_masked_site_that_had_nothing_to_tell_is_not_believed() -> None:
    confidence = masking()
    assert confidence.rested(REST, 2.0) == confidence.rested(REST, 5 * LONG) == ()


# At the table ---------------------------------------------------------------------------------


def breaks(now: At, site: str) -> list[str]:
    """The sensor at `site` shows nothing from now on."""
    now.session.board.lay([(site, 0)])
    return now.run(0.5)


def test_a_sensor_that_all_others_contradict_is_named_and_the_turn_offered() -> None:
    now = at("zong-heng", C)
    breaks(now, "g1")
    now.make("c3-c4", wait=0.6)
    assert now.played == []
    assert now.press("done") == ["offered"]
    now.run(1.0)
    assert now.press("done") == ["doubted", "played"]
    assert "The sensor at g1 cannot be believed" in str(now.session.events[-2].say)
    assert now.played == ["c3-c4"]


def test_the_game_goes_on_without_a_masked_sensor() -> None:
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
    ill = {playing.simulation.table.game.sites[site] for site in playing.simulation.faulty_sites}
    assert [set(event.sites) for event in playing.simulation.events if event.name == "doubted"] == [ill]
