"""From cues to colours: every cue has one in each palette, a rhythm that no other has, and the picture its bounds."""

from __future__ import annotations

from itertools import combinations, pairwise, product
from math import ceil
from random import Random

import pytest

from firmware_bridge.clocks import Pace
from firmware_bridge.lighting import (
    CHOICE_RHYTHM,
    CUES,
    PALETTES,
    RHYTHMS,
    Cue,
    Lamp,
    LightSettings,
    Rhythm,
    Scene,
    animated,
    paint,
)
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import open_simulation
from games.rules import load
from hardware.device import Colour, Sense
from hardware.power import CONTROLLER_MA, DARK_MA, WHITE_MA, estimate, within

SITES = load("zong-heng").sites
TIMES = [picture / 30 for picture in range(360)]
"""Twelve seconds of pictures."""
PACES: tuple[Pace, Pace] = ("low", "last")


def random_scene(choose: Random) -> Scene:
    """Any cue on any site."""
    lit = choose.sample(SITES, choose.randrange(len(SITES)))
    return Scene({site: random_cue(choose) for site in lit}, choose.choice([0, 1, None]))


def random_cue(choose: Random) -> Cue:
    kind = choose.choice(list(CUES))
    return Cue(kind, choose.randrange(3), choose.random(), choose.random(), choose.random() < 0.5)


def picture(scene: Scene, now: float = 0.4, full: float = 1.0, palette: str = "default") -> list[Colour]:
    return paint(scene, SITES, PALETTES[palette], now, full)


# Palettes and rhythms -------------------------------------------------------------------------


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("kind", CUES)
def test_every_cue_has_a_colour_in_every_palette(palette: str, kind: str) -> None:
    colour = PALETTES[palette][kind]
    assert len(colour) == 3
    assert all(0 <= channel <= 255 for channel in colour)
    assert max(colour) >= 30


@pytest.mark.parametrize("palette", PALETTES)
def test_the_palettes_have_both_stones_and_the_lamp(palette: str) -> None:
    assert {"dark", "light", "turn"} <= PALETTES[palette].keys()
    assert PALETTES[palette]["dark"] != PALETTES[palette]["light"]


def test_every_cue_has_a_rhythm_and_no_rhythm_is_without_a_cue() -> None:
    assert RHYTHMS.keys() == CUES.keys()


@pytest.mark.parametrize("kind", CUES)
def test_a_rhythm_stays_within_its_bounds_and_never_goes_out_for_long(kind: str) -> None:
    values = [RHYTHMS[kind].at(now) for now in TIMES]
    assert all(0 < value <= 1 for value in values)
    assert max(values) >= 0.1


@pytest.mark.parametrize(("one", "other"), list(combinations(CUES, 2)))
def test_no_two_cues_look_alike_without_colour(one: str, other: str) -> None:
    apart = [abs(RHYTHMS[one].at(now) - RHYTHMS[other].at(now)) for now in TIMES]
    assert max(apart) >= 0.15


GLIMMER, MS = 0.06, 0.001
ON_AND_OFF: dict[str, tuple[float, ...]] = {
    "wrong": (0.2, 0.2),
    "missing": (0.5, 0.5),
    "ask": (0.15, 0.15, 0.15, 0.15, 0.15, 1.05),
    "begin": (0.5, 0.2),
    "capture": (0.12, 0.12),
    "place-here": (0.15, 0.15, 0.15, 0.75),
    "for-second": (0.3, 0.3, 0.3, 1.5),
}
"""Cue -> the seconds for which it is on, off, on ... in one period."""
ALWAYS = {"target": 0.8, "movable": 0.3, "tally": 1.0, "for-first": 0.55, "last": 0.12}
"""Cue -> its strength at all times."""
BREATHS = {"hint": (1.0, 0.5), "won": (2.0, 0.15), "blind": (4.0, 0.15), "choose": (3.0, 0.4)}
"""Cue -> the seconds of a breath, and its strength at the end of it."""
RUN, TAIL = 0.9, 0.08
"""Seconds between two flashes of a light that travels, and its strength between them."""


@pytest.mark.parametrize("kind", ON_AND_OFF)
def test_a_blinking_cue_is_on_and_off_for_so_long(kind: str) -> None:
    now = 0.0
    for number, lasts in enumerate(ON_AND_OFF[kind] * 3):
        strength = GLIMMER if number % 2 else 1.0
        inside = (now + MS + part / 20 * (lasts - 2 * MS) for part in range(21))
        assert {RHYTHMS[kind].at(moment) for moment in inside} == {strength}
        now += lasts


@pytest.mark.parametrize("kind", ALWAYS)
def test_a_steady_cue_has_its_strength_at_all_times(kind: str) -> None:
    assert {RHYTHMS[kind].at(now) for now in TIMES} == {ALWAYS[kind]}


def breath(rhythm: Rhythm, period: float, low: float) -> None:
    """It is between its bounds at the start, then full, between them, low, and at the start again."""
    values = [rhythm.at(quarter * period / 4) for quarter in range(5)]
    assert values == pytest.approx([(1 + low) / 2, 1.0, (1 + low) / 2, low, (1 + low) / 2])


@pytest.mark.parametrize("kind", BREATHS)
def test_a_breathing_cue_swells_and_fades(kind: str) -> None:
    breath(RHYTHMS[kind], *BREATHS[kind])


def test_a_choice_breathes_whatever_its_cue() -> None:
    breath(CHOICE_RHYTHM, 1.6, 0.3)
    for now in TIMES:
        alone, among = (picture(Scene({"c3": Cue("tally", choice=choice)}), now) for choice in (False, True))
        site = SITES.index("c3")
        assert among[site] == tuple(ceil(channel * CHOICE_RHYTHM.at(now)) for channel in alone[site])


def test_a_travelling_light_flashes_and_fades_in_the_first_half() -> None:
    values = [RHYTHMS["travelling"].at(part * RUN / 8) for part in range(10)]
    assert values == pytest.approx([1, 0.75, 0.5, 0.25, TAIL, TAIL, TAIL, TAIL, 1, 0.75])


def test_every_rhythm_is_told_here() -> None:
    assert {*ON_AND_OFF, *ALWAYS, *BREATHS, "travelling"} == CUES.keys()


@pytest.mark.parametrize("palette", ["default", "clear"])
def test_cues_that_call_for_hands_differ_in_colour_too(palette: str) -> None:
    called = ["wrong", "missing", "ask", "capture", "place-here", "target", "movable"]
    colours = [PALETTES[palette][kind] for kind in called]
    assert len(set(colours)) == len(colours)


# Pictures -------------------------------------------------------------------------------------


@pytest.mark.parametrize("palette", PALETTES)
def test_a_picture_has_a_colour_a_site_and_two_lamps(palette: str) -> None:
    choose = Random(palette)
    for now in TIMES[::12]:
        shown = picture(random_scene(choose), now, choose.random(), palette)
        assert len(shown) == len(SITES) + 2
        assert all(type(channel) is int and 0 <= channel <= 255 for colour in shown for channel in colour)


def test_sites_without_a_cue_are_dark() -> None:
    shown = picture(Scene({"c3": Cue("target")}, None))
    assert [site for site, colour in zip(SITES, shown, strict=False) if any(colour)] == ["c3"]


@pytest.mark.parametrize(("side", "lamps"), [(0, (True, False)), (1, (False, True)), (None, (False, False))])
def test_the_lamps_tell_whose_turn_it_is(side: int | None, lamps: tuple[bool, bool]) -> None:
    first, second = picture(Scene({}, side))[-2:]
    assert (any(first), any(second)) == lamps


def test_brightness_scales_the_whole_picture() -> None:
    choose = Random("brightness")
    for now in TIMES[::12]:
        shown, full = random_scene(choose), choose.random()
        pairs = zip(picture(shown, now), picture(shown, now, full), strict=True)
        channels = [pair for colours in pairs for pair in zip(*colours, strict=True)]
        assert all((bright - 1) * full <= dim <= bright * full + 1 for bright, dim in channels)


def test_without_brightness_all_is_dark() -> None:
    assert not any(map(any, picture(random_scene(Random(1)), full=0)))


@pytest.mark.parametrize("kind", ["missing", "place-here", "tally"])
def test_a_cue_that_speaks_of_a_stone_has_its_colour(kind: str) -> None:
    dark, light = (picture(Scene({"c3": Cue(kind, level)}))[SITES.index("c3")] for level in (1, 2))
    assert dark != light


def test_a_missing_pit_has_the_same_colour_whatever_it_should_hold() -> None:
    game = load("zig-zag")
    sheet = ScoreSheet(game, game.position("5,5,0,0,5,5/5,2,1,0,5,5 12,10 S - -"))
    simulation = open_simulation(sheet, Sense.COUNT, setting=True, light_settings=LightSettings(brightness=255))
    simulation.run(0.1)
    pixels = simulation.board.pictures[-1]
    assert len({pixels[game.sites.index(site)] for site in ("S1", "S2", "S3")}) == 1


# Power ----------------------------------------------------------------------------------------


def test_a_picture_stays_within_the_supply_wherever_darkness_does() -> None:
    choose = Random("supply")
    for _ in range(300):
        pixels = [random_colour(choose) for _ in range(choose.randrange(1, 150))]
        idle = CONTROLLER_MA + DARK_MA * len(pixels)
        supply = idle + choose.random() * 4000
        shown = within(pixels, supply)
        assert estimate(shown) <= supply
        assert len(shown) == len(pixels)


def random_colour(choose: Random) -> Colour:
    return choose.randrange(256), choose.randrange(256), choose.randrange(256)


def test_a_supply_too_weak_even_for_darkness_leaves_all_dark() -> None:
    assert not any(map(any, within([(255, 255, 255)] * 10, CONTROLLER_MA + DARK_MA * 10)))
    assert not any(map(any, within([(255, 255, 255)] * 10, 0)))


def test_a_picture_within_the_supply_is_left_as_it_is() -> None:
    pixels = [(255, 255, 255)] * 4
    assert within(pixels, CONTROLLER_MA + 4 * (DARK_MA + WHITE_MA)) == pixels


def test_the_picture_on_the_table_keeps_to_the_supply() -> None:
    simulation = open_simulation(
        ScoreSheet(load("zong-heng", size=12)), Sense.PRESENCE, light_settings=LightSettings(brightness=255), supply=300
    )
    simulation.board.knock_over()
    simulation.run(1.0)
    shown = simulation.board.pictures[-1]
    assert any(map(any, shown))
    assert estimate(shown) <= 300


def test_a_picture_without_rhythm_is_painted_once() -> None:
    """What is not alive looks the same at all times, and what is alive does not."""
    for kind, choice in product(CUES, (False, True)):
        scene = Scene({"a1": Cue(kind, 1, choice=choice)}, None)
        pictures = {tuple(paint(scene, ["a1"], PALETTES["default"], step / 40, 1.0)) for step in range(200)}
        assert (len(pictures) > 1) == animated(scene), kind


@pytest.mark.parametrize("lively", [Cue("capture"), Cue("target", choice=True)])
def test_one_light_that_changes_is_enough_for_a_picture_to_be_painted_again(lively: Cue) -> None:
    assert not animated(Scene({"a1": Cue("target"), "b2": Cue("last")}))
    assert animated(Scene({"a1": Cue("target"), "b2": lively}))
    assert animated(Scene({"a1": lively, "b2": Cue("target")}))
    assert not animated(Scene({}))


# The turn lamp --------------------------------------------------------------------------------


def lamp(pace: Lamp, now: float) -> bool:
    return any(picture(Scene({}, 1, pace=pace), now)[len(SITES) + 1])


def test_the_turn_lamp_is_steady_with_time_enough() -> None:
    assert all(lamp("", now) for now in TIMES)
    assert not animated(Scene({}, 1))


def test_the_turn_lamp_goes_dark_again_and_again_when_time_is_short() -> None:
    low, last = ([lamp(pace, now) for now in TIMES] for pace in PACES)
    blinks = [sum(one and not other for one, other in pairwise(lit)) for lit in (low, last)]
    assert 0 < 2 * blinks[0] <= blinks[1]
    assert all(animated(Scene({}, 1, pace=pace)) for pace in PACES)


def test_the_turn_lamp_of_who_is_away_is_mostly_dark_as_no_other_is() -> None:
    lamps: tuple[Lamp, ...] = (*PACES, "away")
    lit = {pace: sum(lamp(pace, now) for now in TIMES) / len(TIMES) for pace in lamps}
    assert 0 < lit["away"] < 0.2 < min(lit[pace] for pace in PACES)
