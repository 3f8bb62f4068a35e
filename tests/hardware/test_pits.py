"""Pits on the physical table: what scales and eyes show follows from the seeds and from hands."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.device import Levels, Sense
from hardware.simulation.physics import SCALES, Pits

PLACES = {f"{row}{pit}": (float(pit), float(rank)) for rank, row in enumerate("SN") for pit in range(1, 7)}


def until(pits: Pits, time: float) -> list[Levels]:
    """What it shows until then, each time another."""
    seen = [pits.scan()]
    while pits.now < time:
        pits.advance(pits.now + 0.01)
        seen += [pits.scan()] if pits.scan() is not seen[-1] else []
    return seen


@given(
    st.integers(0, 500),
    st.sampled_from(sorted(SCALES)),
    st.lists(st.tuples(st.sampled_from(sorted(PLACES)), st.integers(-5, 8)), max_size=12),
)
@settings(max_examples=40)
def test_scales_come_to_show_the_seeds_that_lie_there(seed: int, strength: str, moves: list[tuple[str, int]]) -> None:
    pits = Pits(PLACES, Sense.COUNT, strength, seed)
    lie = dict.fromkeys(PLACES, 5)
    pits.fill(lie)
    for at, (site, more) in enumerate(moves):
        more = max(-lie[site], more)
        lie[site] += more
        pits.reach(site, 0.1 + at / 5, 0.2 + at / 5)
        pits.fall(site, 0.15 + at / 5, more)
    until(pits, 6.0)
    assert dict(zip(PLACES, pits.scan(), strict=True)) == lie


def test_a_hand_in_a_pit_presses_on_its_scale_until_it_leaves() -> None:
    pits = Pits(PLACES, Sense.COUNT, "weak", 3)
    pits.fill({"S1": 5})
    pits.reach("S1", 0.5, 2.0)
    assert len(until(pits, 0.5)) == 1
    assert len(until(pits, 2.5)) > 3
    assert len(until(pits, 8.0)) < 4
    assert pits.scan()[0] == 5


def test_a_scale_is_slow_and_passes_what_lies_between() -> None:
    pits = Pits(PLACES, Sense.COUNT, "weak", 1)
    pits.fill({"S1": 8})
    pits.fall("S1", 0.1, -8)
    shows = [levels[0] for levels in until(pits, 3.0)]
    assert shows[0] == 8
    assert shows[-1] == 0
    assert len(shows) > 3
    assert shows == sorted(shows, key=lambda level: -(level or 0))


def test_by_presence_a_pit_shows_whether_a_seed_lies_in_it() -> None:
    pits = Pits(PLACES, Sense.PRESENCE, "usual", 1)
    pits.fill({"S1": 2})
    pits.reach("S1", 0.1, 0.4)
    pits.fall("S1", 0.2, -1)
    until(pits, 0.9)
    assert pits.scan()[0] == 1
    pits.fall("S1", 1.0, -1)
    pits.fall("N6", 1.0, 1)
    until(pits, 1.2)
    assert {site for site, level in zip(PLACES, pits.scan(), strict=True) if level} == {"N6"}


def test_what_is_over_cannot_be_changed() -> None:
    pits = Pits(PLACES, Sense.COUNT)
    until(pits, 1.0)
    with pytest.raises(ValueError, match="the time is over"):
        pits.fall("S1", 0.5, 1)
