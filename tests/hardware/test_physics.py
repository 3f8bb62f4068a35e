"""The physical table: what sensors show follows from where the stones are."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.device import Levels, Sense
from hardware.simulation.physics import ABOVE, STRENGTHS, Magnets, Sensors, field

PLACES = {f"{file}{rank}": (float(x), float(rank)) for rank in range(1, 5) for x, file in enumerate("abcd")}
LATEST = 0.06
"""Seconds after which every contact has followed and rests."""


def table(sense: Sense = Sense.PRESENCE, sensors: Sensors = STRENGTHS["usual"], seed: int = 1) -> Magnets:
    """Sixteen sites in a square."""
    return Magnets(PLACES, sense, sensors, seed)


def after(magnets: Magnets, seconds: float, step: float = 0.01) -> list[Levels]:
    """What it shows, each time another, in so many seconds of scans."""
    seen = [magnets.scan()]
    for _ in range(round(seconds / step)):
        magnets.advance(magnets.now + step)
        seen += [magnets.scan()] if magnets.scan() is not seen[-1] else []
    return seen


def shown(magnets: Magnets) -> dict[str, int | None]:
    """The sites that show something, once all is at rest."""
    after(magnets, LATEST)
    return {site: level for site, level in zip(magnets.sites, magnets.scan(), strict=True) if level}


@given(st.floats(0, 2), st.floats(0, 2), st.floats(0, 2), st.floats(0, 2))
def test_a_field_never_grows_with_distance_aside_or_above_the_middle(a: float, b: float, c: float, d: float) -> None:
    near, far = sorted((a, b))
    low, high = sorted((c, d))
    assert field(near, 0) >= field(far, 0)
    assert field(0, low) >= field(0, high)
    assert field(0, 0) == 1


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_site_closes_within_its_reach_and_opens_only_beyond(strength: str) -> None:
    magnets = table(sensors=STRENGTHS[strength])
    reach = magnets.reach[magnets.sites.index("b2")]
    stone = magnets.stand(1, (1, 2 + reach + 0.02, 0))
    assert "b2" not in shown(magnets)
    for distance, closed in ((reach - 0.02, True), (reach + 0.01, True), (0.95, False), (reach + 0.01, False)):
        start = magnets.now + 0.01
        magnets.move(stone, [(start, *stone.goal), (start + 0.2, 1, 2 + distance, 0)])
        after(magnets, 0.3)
        assert ("b2" in shown(magnets)) is closed


@given(st.integers(0, 1000), st.sampled_from(sorted(STRENGTHS)), st.floats(0, 0.14), st.floats(0, 6.3))
@settings(max_examples=40)
def test_every_sensor_sees_a_stone_near_the_middle_of_its_site_and_no_other_does(
    seed: int, strength: str, off: float, round_about: float
) -> None:
    magnets = table(sensors=STRENGTHS[strength], seed=seed)
    magnets.stand(2, (1 + off * 0.7, 2 - off * 0.7, 0))
    assert shown(magnets) == {"b2": 1}


def test_a_stone_on_an_edge_closes_two_strong_sensors_and_no_weak_one() -> None:
    found = {}
    for strength, sensors in STRENGTHS.items():
        magnets = table(sensors=sensors)
        magnets.stand(1, (1.5, 2, 0))
        found[strength] = {*shown(magnets)}
    assert found["strong"] == {"b2", "c2"}
    assert found["weak"] == set()


def test_two_stones_close_a_site_that_neither_closes_alone() -> None:
    magnets = table()
    far = magnets.reach[magnets.sites.index("b2")] + 0.02
    magnets.stand(1, (1 - far, 2, 0))
    assert "b2" not in shown(magnets)
    magnets.stand(1, (1 + far, 2, 0))
    assert "b2" in shown(magnets)


def test_a_dark_and_a_light_stone_cancel_each_other_where_colours_are_told() -> None:
    magnets = table(Sense.COLOUR)
    magnets.stand(1, (1, 2, 0))
    magnets.stand(2, (2, 2, 0))
    assert shown(magnets) == {"b2": 1, "c2": 2}
    magnets.stand(2, (1.02, 2, 0))
    assert "b2" not in shown(magnets)


def test_a_stone_passing_low_closes_what_it_passes_and_one_passing_high_does_not() -> None:
    for height, passed in ((0.05, {"b2", "c2"}), (ABOVE, set())):
        magnets = table()
        stone = magnets.stand(1, (0, 2, 0))
        magnets.move(stone, [(0.1, 0, 2, 0), (0.2, 0, 2, height), (1.2, 3, 2, height), (1.3, 3, 2, 0)])
        seen = after(magnets, 1.5)
        closed = {site for levels in seen for site, level in zip(PLACES, levels, strict=True) if level}
        assert closed - {"a2", "d2"} == passed
        assert shown(magnets) == {"d2": 1}


def test_a_contact_may_bounce_and_comes_to_rest() -> None:
    bouncing = Sensors(late=(0, 0), bounce=(0.012, 0.012), row=(0, 0))
    most = 0
    for seed in range(20):
        magnets = table(sensors=bouncing, seed=seed)
        magnets.stand(1, (1, 2, 0))
        seen = after(magnets, 0.05, step=0.0005)
        most = max(most, len(seen))
        assert seen[-1][magnets.sites.index("b2")] == 1
        assert after(magnets, 0.5) == [seen[-1]]
    assert most > 3


def test_a_late_sensor_shows_a_stone_as_much_later() -> None:
    magnets = table(sensors=Sensors(late=(0.03, 0.03), bounce=(0, 0), row=(0, 0)))
    magnets.stand(1, (1, 2, 0))
    assert not any(magnets.scan())
    times = []
    for scan in range(60):
        magnets.advance(scan / 1000)
        times += [scan] if any(magnets.scan()) else []
    assert times[0] == 30


def test_rows_that_are_read_later_show_what_happened_until_then() -> None:
    sensors = Sensors(late=(0, 0), bounce=(0, 0), row=(0.004, 0.004))
    magnets = table(sensors=sensors)
    for site in ("a1", "a4"):  # the first and the second row of eight
        x, y = PLACES[site]
        stone = magnets.stand(1, (x, y, ABOVE))
        magnets.move(stone, [(0.0085, x, y, ABOVE), (0.0115, x, y, 0)])
    magnets.advance(0.01)
    assert [site for site, level in zip(PLACES, magnets.scan(), strict=True) if level] == ["a4"]


def test_a_converter_that_reads_in_parts_shows_each_site_in_its_turn() -> None:
    sensors = Sensors(late=(0, 0), row=(0, 0), parts=(4,))
    found = set()
    for seed in range(12):
        magnets = table(Sense.COLOUR, sensors, seed)
        for site in ("a1", "b1", "c1", "d1"):
            magnets.stand(2, (*PLACES[site], 0))
        steps = [sum(map(bool, levels)) for levels in after(magnets, 0.05)]
        assert steps[-1] == 4
        found.add(len(steps))
    assert 5 in found  # none, and one more with each scan
    assert min(found) < 5


@given(st.integers(0, 100), st.integers(1, 4))
@settings(max_examples=20)
def test_the_same_seed_shows_the_same_however_often_it_is_scanned(seed: int, often: int) -> None:
    shows = []
    for step in (0.01, 0.01 / often):
        magnets = table(seed=seed)
        stone = magnets.stand(1, (0, 2, 0))
        magnets.move(stone, [(0.1, 0, 2, 0), (0.2, 0, 2, 0.2), (0.7, 3, 2, 0.2), (0.8, 3, 2, 0)])
        frames = []
        for scan in range(round(1 / step)):
            magnets.advance(scan * step)
            if scan % round(0.01 / step) == 0:
                frames.append(magnets.scan())
        shows.append(frames)
    assert shows[0] == shows[1]


def test_what_is_over_cannot_be_changed() -> None:
    magnets = table()
    stone = magnets.stand(1, (0, 2, 0))
    magnets.advance(1.0)
    with pytest.raises(ValueError, match="the time is over"):
        magnets.move(stone, [(0.5, 0, 2, 0), (1.5, 1, 2, 0)])


def test_places_are_scaled_to_the_nearest_two_sites() -> None:
    magnets = Magnets({"a": (0, 0), "b": (0.5, 0), "c": (2, 0)}, Sense.PRESENCE)
    xs = [x for x, _ in magnets.places.values()]
    assert [b - a for a, b in pairwise(xs)] == [1, 3]
