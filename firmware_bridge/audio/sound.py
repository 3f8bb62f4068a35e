"""What is heard of the table: sentences said aloud, and a buzzer, by whose rhythms one can tell what it is about.

Nothing here waits. Both are off unless they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from firmware_bridge.audio.speech import Speech, open_speech
from firmware_bridge.config import SoundConfig
from firmware_bridge.i18n.catalogue import here
from firmware_bridge.table.referee import Event
from hardware.device import Buzzer, DeviceError

SHORT, LONG, GAP = 0.06, 0.35, 0.12
"""Seconds of a short and a long sound, and of the silence between two."""
OVER = (LONG, GAP, SHORT, GAP, SHORT, GAP, LONG)
RHYTHMS = {
    "astray": (SHORT, GAP, SHORT, GAP, SHORT),
    "asked": (SHORT, GAP, LONG),
    "blind": (LONG, GAP, LONG),
    "won": OVER,
    "drawn": OVER,
}
"""Of each event that calls players to the table: seconds, by turns of sound and of silence."""


class Sound:
    """The sounds of one table; either of them may be missing. `complain` hears why the buzzer has failed."""

    def __init__(self, speech: Speech | None, buzzer: Buzzer | None, complain: Callable[[str], None]) -> None:
        self._speech, self._buzzer, self._complain = speech, buzzer, complain

    def hear(self, events: Sequence[Event], now: float) -> None:
        """At `now` (seconds) these `events` happened, mostly none."""
        if self._speech:
            self._speech.hear(events, now)
        if self._buzzer:
            self._buzz(self._buzzer, events, now)

    def _buzz(self, buzzer: Buzzer, events: Sequence[Event], now: float) -> None:
        """Beat on; of several events the last that has a rhythm is heard."""
        rhythms = [RHYTHMS[event.name] for event in events if event.name in RHYTHMS]
        try:
            if rhythms:
                buzzer.sound(rhythms[-1], now)
            buzzer.step(now)
        except DeviceError as error:
            self._buzzer = None
            self._complain(f"{str(error)[0].upper()}{str(error)[1:]}.")

    def close(self) -> None:
        """Silence, once the last sentence is said; a second call does nothing."""
        if self._speech:
            self._speech.close()
        self._speech = self._buzzer = None


def open_sound(config: SoundConfig, buzzer: Buzzer | None, complain: Callable[[str], None]) -> Sound | None:
    """The sounds that `config` asks for and that there are; None for silence, which costs nothing."""
    speech = open_speech(here(), complain) if config.speech else None
    heard = buzzer if config.buzzer else None
    return Sound(speech, heard, complain) if speech or heard else None
