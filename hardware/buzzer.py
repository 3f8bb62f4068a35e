"""A buzzer on a GPIO: an active one, which sounds by itself while its pin is high; a bare piezo disc only clicks."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from itertools import accumulate

import gpiozero

from hardware import gpio
from hardware.device import DeviceError

PAUSE = 0.15
"""Seconds of silence between a rhythm that is broken off and the next."""


class GpioBuzzer:
    """The buzzer on GPIO `pin`, silent; DeviceError.

    The rhythm is beaten by whoever calls `step`, so nothing here waits and there is no thread.
    """

    def __init__(self, pin: int) -> None:
        self._pin = pin
        self._buzzer: gpiozero.Buzzer | None = None
        self._on = False
        self._changes: deque[float] = deque()
        gpio.open_factory()
        try:
            self._buzzer = gpiozero.Buzzer(pin)
        except (gpiozero.GPIOZeroError, OSError) as error:
            raise self._useless(error, "`tablelight doctor` tells more") from None

    def sound(self, rhythm: Sequence[float], now: float) -> None:
        """Begin `rhythm`: seconds, by turns of sound and of silence. One that is still heard is broken off."""
        begin = now + PAUSE if self._on else now
        self._set(on=False)
        self._changes = deque(accumulate(rhythm, initial=begin))
        self.step(now)

    def step(self, now: float) -> None:
        """Do what is due at `now` (seconds); DeviceError if the pin fails. What was missed is left out."""
        on = self._on
        while self._changes and now >= self._changes[0]:
            self._changes.popleft()
            on = len(self._changes) % 2 == 1  # the last change is the end of a sound
        self._set(on=on)

    def _set(self, *, on: bool) -> None:
        """Only a change costs anything: a pin takes a small computer a while."""
        if self._buzzer is None or on == self._on:
            return
        try:
            self._buzzer.value = on
        except Exception as error:  # lgpio raises an error of its own, and need not be installed
            raise self._useless(error, "it is left alone, and the game goes on") from None
        self._on = on

    def _useless(self, error: Exception, then: str) -> DeviceError:
        return DeviceError(f"the buzzer on GPIO {self._pin} cannot be used: {error}; {then}")

    def close(self) -> None:
        """Fall silent and release the pin; a second call does nothing."""
        if self._buzzer is not None:
            with suppress(Exception):  # a pin that fails cannot be helped
                self._buzzer.close()
        self._buzzer, self._on = None, False
        self._changes.clear()
