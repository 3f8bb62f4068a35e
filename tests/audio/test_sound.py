"""The buzzer at a table: a rhythm for each event that calls players there, told apart without a light."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

import gpiozero
import pytest

from firmware_bridge.audio import Sound, open_sound
from firmware_bridge.audio.sound import GAP, LONG, RHYTHMS, SHORT
from firmware_bridge.config import SoundConfig
from firmware_bridge.events import Event
from games.rules import Reason
from hardware.buzzer import GpioBuzzer
from hardware.fakegpio import FakeBoard, open_fake
from hardware.scanners.gpio_matrix import GpioMatrix


@pytest.fixture
def wiring() -> Iterator[FakeBoard]:
    """Pins, and a small matrix on GPIO 4 and 5."""
    with open_fake("gpio_matrix", GpioMatrix.Settings(rows=(4,), columns=(5,)), [0]) as board:
        yield board


def event(name: str) -> Event:
    return Event(name, Reason("table.righted"))


def beats(sound: Sound, first: Event, seconds: float = 3.0) -> str:
    """What is heard after `first`: a letter a sound, short or long."""
    heard, begun, now = "", None, 0.0
    sound.hear([Event.of("lit"), first], now)
    while now < seconds:
        high = bool(gpiozero.Device.pin_factory.pin(14).state)
        if high and begun is None:
            begun = now
        elif not high and begun is not None:
            heard += "s" if now - begun < (SHORT + LONG) / 2 else "L"
            begun = None
        now += 0.01
        sound.hear([], now)
    return heard


@pytest.mark.parametrize(
    ("name", "heard"), [("astray", "sss"), ("asked", "sL"), ("blind", "LL"), ("won", "LssL"), ("drawn", "LssL")]
)
def test_each_call_has_its_rhythm(name: str, heard: str, wiring: FakeBoard) -> None:
    assert beats(Sound(None, GpioBuzzer(14), pytest.fail), event(name)) == heard


@pytest.mark.parametrize("name", ["played", "righted", "setting", "undone"])
def test_other_events_are_silent(name: str, wiring: FakeBoard) -> None:
    assert beats(Sound(None, GpioBuzzer(14), pytest.fail), event(name)) == ""


def test_rhythms_differ_in_more_than_their_speed_and_are_short() -> None:
    kinds = {tuple(second > GAP for second in rhythm[::2]) for rhythm in RHYTHMS.values()}
    assert len(kinds) == len(RHYTHMS) - 1  # a game won and one drawn are both over
    assert all(len(rhythm) % 2 == 1 and max(accumulate(rhythm)) < 1.5 for rhythm in RHYTHMS.values())


def test_a_buzzer_that_fails_is_complained_of_once_and_the_game_goes_on(wiring: FakeBoard) -> None:
    complaints: list[str] = []
    buzzer = GpioBuzzer(4)
    sound = Sound(None, buzzer, complaints.append)
    wiring.cut = True
    sound.hear([event("astray")], 0.0)
    sound.hear([event("astray")], 1.0)
    wiring.cut = False
    buzzer.close()
    assert len(complaints) == 1
    assert complaints[0].startswith("The buzzer on GPIO 4 cannot be used: ")
    assert complaints[0].endswith("the game goes on.")


def test_the_buzzer_can_be_left_out_by_the_configuration(wiring: FakeBoard) -> None:
    buzzer = GpioBuzzer(14)
    assert open_sound(SoundConfig(buzzer=False), buzzer, pytest.fail) is None
    sound = open_sound(SoundConfig(), buzzer, pytest.fail)
    assert sound
    assert beats(sound, event("asked")) == "sL"


def test_closed_sound_beats_no_more(wiring: FakeBoard) -> None:
    sound = Sound(None, GpioBuzzer(14), pytest.fail)
    sound.close()
    assert beats(sound, event("won")) == ""
