"""Sensors of Yin-Yang that notice something, turn by turn: words for tests of what is made of it."""

from __future__ import annotations

from firmware_bridge.reading import SensorView
from firmware_bridge.reading.sensor_health import Symptoms, beside
from games.rules import Position, load
from hardware.device import Levels, Sense

GAME = load("yin-yang")
SIGHT = SensorView(GAME, Sense.PRESENCE)
PLACES = [GAME.places[site] for site in GAME.sites]
START: Position = GAME.start()


def counts(
    symptoms: Symptoms, text: str, sensors: SensorView = SIGHT, position: Position = START
) -> list[tuple[str, str]]:
    """The turn of `position` counts; what is named."""
    turn = next(turn for turn in sensors.game.turns(position) if turn.text == text)
    found = symptoms.played(sensors.signature(position, turn), sensors.frame(turn.after), set())
    return [(name, sensors.game.sites[site]) for name, site in found]


def level(frame: Levels, *changes: tuple[str, int | None]) -> Levels:
    found = list(frame)
    for site, new in changes:
        found[SIGHT.number[site]] = new
    return tuple(found)


def made(symptoms: Symptoms, text: str, *frames: tuple[float, Levels]) -> list[tuple[str, str]]:
    """The turn counts after these frames; what is named."""
    for now, frame in frames:
        symptoms.feed(frame, now)
    return counts(symptoms, text)


def starting() -> tuple[Symptoms, Levels]:
    symptoms, rest = Symptoms(beside(PLACES)), SIGHT.frame(START)
    symptoms.feed(rest, 0.0)
    return symptoms, rest


def late_turn(rest: Levels, start: float) -> list[tuple[float, Levels]]:
    """d3 is seen to go 0.2 s after d2 is filled."""
    both = level(rest, ("d2", 1))
    gone = level(both, ("d3", 0))
    return [(start, both), (start + 0.2, gone), (start + 0.4, both)]
