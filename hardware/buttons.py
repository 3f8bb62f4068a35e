"""Push buttons on GPIOs, to ground, read as levels: gpiozero debounces differently on each of its backends."""

from __future__ import annotations

import gpiozero

from hardware import gpio
from hardware.board import Buttons
from hardware.device import DeviceError


class GpioButtons:
    """The buttons of a board."""

    def __init__(self, buttons: Buttons) -> None:
        self._buttons: dict[str, gpiozero.Button] = {}
        gpio.open_factory()
        for name, pin in buttons.pins().items():
            try:
                self._buttons[name] = gpiozero.Button(pin)
            except (gpiozero.GPIOZeroError, OSError) as error:
                self.close()
                raise DeviceError(
                    f"the button {name} on GPIO {pin} cannot be used: {error}; `tablelight doctor` tells more"
                ) from None

    def down(self) -> frozenset[str]:
        """The names of the buttons that are pressed now."""
        return frozenset(name for name, button in self._buttons.items() if button.is_pressed)

    def close(self) -> None:
        """Release the pins; a second call does nothing."""
        for button in self._buttons.values():
            button.close()
        self._buttons = {}
