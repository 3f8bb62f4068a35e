"""Sensors that lie, at the table: the players are believed, and the game goes on."""

from __future__ import annotations

import pytest

from benchmarks.cells import Cell, Trouble, cells
from benchmarks.followed import Playing
from hardware.simulation.hands import STYLES
from tests.table.players import At, C, at


def breaks(now: At, site: str) -> list[str]:
    """The sensor at `site` shows nothing from now on."""
    now.session.board.lay([(site, 0)])
    return now.run(0.5)


def test_a_sensor_that_all_others_contradict_stops_no_turn_and_is_named() -> None:
    now = at("zong-heng", C)
    breaks(now, "g1")
    for text in ("c3-c4", "d4-d3", "e3-e4", "b6-b5"):
        assert "played" in now.make(text, wait=1.0)
    assert now.played == ["c3-c4", "d4-d3", "e3-e4", "b6-b5"]
    assert [event.sites for event in now.session.events if event.name == "doubted"] == [("g1",)]


SLOW = pytest.mark.xfail(strict=True, reason="Not yet: where seeds are sown over it all the time it takes longer")


@pytest.mark.parametrize(
    "cell",
    [pytest.param(cell, marks=[SLOW] * (str(cell) == "zig-zag:presence"), id=str(cell)) for cell in cells()],
)
def test_a_loose_contact_is_named(cell: Cell) -> None:
    playing = Playing(cell, STYLES["finger"], 1, Trouble("steady", "flicker"))
    playing.play(30)
    ill = {playing.simulation.table.game.sites[site] for site in playing.simulation.faulty_sites}
    assert [set(event.sites) for event in playing.simulation.events if event.name == "doubted"] == [ill]
