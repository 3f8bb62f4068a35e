"""What is noticed of sensors that are still believed."""

from __future__ import annotations

from firmware_bridge.symptoms import MUTE, TWICE, Symptoms, beside
from firmware_bridge.way import Sight, Way
from games.rules import Position, load
from hardware.device import Levels, Sense

GAME = load("yin-yang")
SIGHT = Sight(GAME, Sense.PRESENCE)
PLACES = [GAME.places[site] for site in GAME.sites]
START: Position = GAME.start()


def way(text: str) -> Way:
    return SIGHT.way(START, next(turn for turn in GAME.turns(START) if turn.text == text))


def level(frame: Levels, *changes: tuple[str, int | None]) -> Levels:
    found = list(frame)
    for site, new in changes:
        found[SIGHT.number[site]] = new
    return tuple(found)


def made(symptoms: Symptoms, text: str, *frames: tuple[float, Levels]) -> list[tuple[str, str]]:
    """The turn counts after these frames; what is named."""
    for now, frame in frames:
        symptoms.feed(frame, now)
    return [(name, GAME.sites[site]) for name, site in symptoms.played(way(text))]


def starting() -> tuple[Symptoms, Levels]:
    symptoms, rest = Symptoms(beside(PLACES)), SIGHT.frame(START)
    symptoms.feed(rest, 0.0)
    return symptoms, rest


def test_sites_lie_beside_those_nearest_to_them() -> None:
    assert [GAME.sites[site] for site in beside(PLACES)[SIGHT.number["c3"]]] == ["c2", "b3", "d3", "c4"]
    for name in ("zhizhu", "zig-zag", "zong-heng"):
        assert all(beside([load(name).places[site] for site in load(name).sites]))


def late_turn(rest: Levels, start: float) -> list[tuple[float, Levels]]:
    """d3 is seen to go 0.2 s after d2 is filled."""
    both = level(rest, ("d2", 1))
    gone = level(both, ("d3", 0))
    return [(start, both), (start + 0.2, gone), (start + 0.4, level(gone, ("d3", 1))), (start + 0.6, rest)]


def test_a_site_that_sees_late_that_a_piece_has_gone_is_named_the_second_time() -> None:
    symptoms, rest = starting()
    assert made(symptoms, "d3-d2", *late_turn(rest, 1.0)[:2]) == []
    symptoms.feed(rest, 2.0)
    list(symptoms.played(way("c4-c5")))
    assert TWICE == 2
    assert made(symptoms, "d3-d2", *late_turn(rest, 3.0)[:2]) == [("late", "d3")]
    symptoms.feed(rest, 4.0)
    assert made(symptoms, "d3-d2", *late_turn(rest, 5.0)[:2]) == []


def test_players_who_lay_the_new_piece_first_have_no_bad_sensors() -> None:
    symptoms, rest = starting()
    for start, text in enumerate(("d3-d2", "c4-c5", "c3-b3", "d4-e4") * 2):
        origin, target = text.split("-")
        put = level(rest, (target, 1))
        found = made(symptoms, text, (start, put), (start + 0.3, level(put, (origin, 0))), (start + 0.6, rest))
        assert found == [] or start > 4


def test_a_site_that_shows_what_happens_beside_it_is_named() -> None:
    symptoms, rest = starting()
    lifted = level(rest, ("d3", 0))
    both = level(lifted, ("c3", 0))
    done = level(lifted, ("d2", 1))
    frames = [(0.0, both), (0.08, lifted), (0.4, done)]
    found = []
    for start in (1.0, 3.0):
        found += made(symptoms, "d3-d2", *((start + later, frame) for later, frame in frames))
        symptoms.feed(rest, start + 1.0)
        list(symptoms.played(way("c4-c5")))
    assert found == [("crosstalk", "c3")]


def test_not_one_that_flickers_by_itself() -> None:
    symptoms, rest = starting()
    lifted, flicker = level(rest, ("d3", 0)), level(rest, ("c3", 0))
    for start in range(8):
        frames = [
            (start, flicker),
            (start + 0.05, rest),
            (start + 0.3, lifted),
            (start + 0.6, level(lifted, ("d2", 1))),
        ]
        assert made(symptoms, "d3-d2", *frames, (start + 0.9, rest)) == []


def test_a_site_that_tells_nothing_is_named_once() -> None:
    symptoms, rest = starting()
    symptoms.feed(level(rest, ("a1", None)), 1.0)
    told = [found for _ in range(3 * MUTE) for found in made(symptoms, "d3-d2")]
    assert told == [("mute", "a1")]


def test_but_not_if_all_do() -> None:
    symptoms, rest = starting()
    symptoms.feed((None,) * len(rest), 1.0)
    assert [made(symptoms, "d3-d2") for _ in range(3 * MUTE)] == [[]] * 3 * MUTE
