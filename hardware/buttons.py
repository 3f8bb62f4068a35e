"""Push buttons on GPIOs, to ground, read as levels.

gpiozero's own buttons debounce differently on each of its backends, and have the kernel tell of edges, which a chip
without interrupts refuses; who only looks now and then needs neither.
"""

from __future__ import annotations

from contextlib import suppress

import gpiozero

from hardware import gpio
from hardware.board import Buttons
from hardware.device import DeviceError


class GpioButtons:
    """The buttons of a board."""

    def __init__(self, buttons: Buttons) -> None:
        self._buttons: dict[str, gpiozero.InputDevice] = {}
        gpio.open_factory()
        for name, pin in buttons.pins().items():
            try:
                self._buttons[name] = gpiozero.InputDevice(pin, pull_up=True)
            except Exception as error:  # lgpio raises an error of its own, and need not be installed
                self.close()
                raise DeviceError(
                    f"the button {name} on GPIO {pin} cannot be used: {error}; `tablelight doctor` tells more"
                ) from None

    def down(self) -> frozenset[str]:
        """The names of the buttons that are pressed now; none that cannot be read."""
        return frozenset(name for name, button in self._buttons.items() if _is_down(button))

    def close(self) -> None:
        """Release the pins; a second call does nothing."""
        for button in self._buttons.values():
            with suppress(Exception):  # a pin that fails cannot be helped
                button.close()
        self._buttons = {}


def _is_down(button: gpiozero.InputDevice) -> bool:
    try:
        return bool(button.is_active)
    except Exception:  # lgpio's own, as above: without its buttons the table plays on
        return False
