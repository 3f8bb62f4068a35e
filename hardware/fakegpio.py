"""GPIO without a Pi: a pin factory for gpiozero whose pins are wired to a board that is simulated as a circuit.

    with fakegpio.open_fake("gpio_matrix", settings, level) as board:
        scanner = GpioMatrix(settings)      # the driver itself, unchanged; it cannot tell
        board.press(3)                      # a button from GPIO3 to ground
        board.switches.stuck[12] = True     # contact 12 is welded
        board.cut = True                    # the cable has come off

What is simulated are closed circuits, with or without diodes, shift registers and converters edge by edge, bouncing,
stuck and cold contacts, the time that the wires of a matrix take to rise, Hall sensors with their offsets and noise,
and expanders on an I2C bus, register by register.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any

from gpiozero import Device
from gpiozero.exc import PinFixedPull, PinInvalidFunction, PinInvalidPull, PinSetInput
from gpiozero.pins.mock import MockFactory, MockPin

from hardware import i2c
from hardware.device import DeviceError, Sense
from hardware.scanners.gpio_matrix import GpioMatrix
from hardware.scanners.hall import Hall
from hardware.scanners.mcp23017 import Mcp23017
from hardware.scanners.multiplexer import Multiplexer
from hardware.scanners.pcf8575 import Pcf8575
from hardware.scanners.shift_register import INPUTS, ShiftRegister
from hardware.simulation.circuits import Chain, Circuit, Converter, HallSensors, Level, Matrix, Multiplexers, Switches
from hardware.simulation.expanders import I2cBus

ZERO_2_W = "902120"
"""The revision code of the Pi that is pretended."""
SPI_CLOCK, SPI_DATA, SPI_OUT, SPI_SELECT = 11, 9, 10, (8, 7)


SWITCHED: dict[str, type] = {
    "gpio_matrix": GpioMatrix.Settings,
    "mcp23017": Mcp23017.Settings,
    "multiplexer": Multiplexer.Settings,
    "pcf8575": Pcf8575.Settings,
    "shift_register": ShiftRegister.Settings,
}
"""The scanners of switches."""


class FakePin(MockPin):  # type: ignore[misc]
    """A pin that reads what its wire shows, and tells the circuit what it drives."""

    def __init__(self, factory: Any, info: Any) -> None:
        self._latch = False  # what it drives as an output; low after a reset, as in a Pi
        self._circuit = factory.circuit_at(int(info.name[4:]))
        super().__init__(factory, info)

    def _get_state(self) -> bool:
        if self._function == "output":
            state = self._latch
        else:
            pulled = self._circuit.level(self._number)
            state = self._state if pulled is None else pulled
        self._factory.note(self._number, "read", state)
        return state

    def _set_state(self, value: float) -> None:
        if self._function == "input":
            raise PinSetInput(f"cannot set state of pin {self!r}")
        self._become("output", bool(value))

    def _set_function(self, value: str) -> None:
        if value not in ("input", "output"):
            raise PinInvalidFunction("function must be input or output")
        self._become(value, self._latch)

    def output_with_state(self, state: float) -> None:
        """Become an output that drives `state` from the first moment on."""
        self._become("output", bool(state))

    def input_with_pull(self, pull: str) -> None:
        """Become an input with that pull, in one operation."""
        self._become("input", self._latch)
        self._pull_to(pull)

    def _become(self, function: str, latch: bool) -> None:
        self._factory.note(self._number, function, latch if function == "output" else None)
        self._function, self._latch = function, latch
        self._circuit.drive(self._number, latch if function == "output" else None)

    def _set_pull(self, value: str) -> None:
        if self._function != "input":
            raise PinFixedPull(f"cannot set pull on non-input pin {self!r}")
        self._factory.note(self._number, "pull", value)
        self._pull_to(value)

    def _pull_to(self, value: str) -> None:
        if self.info.pull and value != self.info.pull:
            raise PinFixedPull(f"{self!r} has a fixed pull resistor")
        if value not in ("floating", "up", "down"):
            raise PinInvalidPull("pull must be floating, up, or down")
        self._pull = value
        self._state = value == "up"

    def _change_state(self, value: bool) -> bool:
        """Move the wire; unlike the mock, keep no list of all its states."""
        changed = bool(self._state != value)
        self._state, self._last_change = value, self._factory.ticks()
        return changed


class Button:
    """Buttons from pins to ground; every pin that belongs to no board has one."""

    def __init__(self) -> None:
        self.pins: tuple[int, ...] = ()
        self.pressed: set[int] = set()

    def drive(self, pin: int, level: bool | None) -> None:
        """A button minds no voltage."""

    def level(self, pin: int) -> bool | None:
        """Low while it is pressed."""
        return False if pin in self.pressed else None


class FakeFactory(MockFactory):  # type: ignore[misc]
    """gpiozero's mock factory, with pins that are soldered to `board`."""

    def __init__(self, board: FakeBoard) -> None:
        self._board = board
        super().__init__(revision=ZERO_2_W, pin_class=FakePin)

    def circuit_at(self, pin: int) -> Circuit:
        """What the pin is wired to."""
        return self._board.circuit if pin in self._board.circuit.pins else self._board.buttons

    def note(self, pin: int, verb: str, value: Any) -> None:
        """An operation on a line, about to happen; OSError if the board is cut off."""
        if self._board.trace is not None:
            self._board.trace.append((pin, verb, value))
        if self._board.cut and pin in self._board.circuit.pins:
            raise OSError(errno.EIO, f"GPIO{pin} does not answer")

    def ticks(self) -> float:
        """The board's own time, in seconds."""
        return self._board.clock()


class FakeBoard:
    """A simulated board on simulated pins: the hands, the faults and a look at the lines."""

    def __init__(self, sensors: Switches | HallSensors, circuit: Circuit, clock: Callable[[], float]) -> None:
        self._sensors, self.circuit, self.clock = sensors, circuit, clock
        self.buttons = Button()
        self._cut = False
        self.trace: list[tuple[int, str, Any]] | None = None
        """Set it to a list, and every operation on any pin is appended: pin, verb, value."""
        self._before, self.factory = Device.pin_factory, FakeFactory(self)
        Device.pin_factory = self.factory
        if isinstance(circuit, I2cBus):
            i2c.simulated[circuit.number] = circuit.open

    @property
    def cut(self) -> bool:
        """Whether the board's cable is off: every operation on one of its pins, or on its bus, is an OSError."""
        return self._cut

    @cut.setter
    def cut(self, off: bool) -> None:
        self._cut = off
        if isinstance(self.circuit, I2cBus):
            self.circuit.cut = off

    @property
    def switches(self) -> Switches:
        """The switches, on a board that has them; TypeError."""
        if isinstance(self._sensors, Switches):
            return self._sensors
        raise TypeError("this board has no switches: its sensors are `halls`")

    @property
    def halls(self) -> HallSensors:
        """The Hall sensors, on a board that has them; TypeError."""
        if isinstance(self._sensors, HallSensors):
            return self._sensors
        raise TypeError("this board has no Hall sensors: it has `switches`")

    def press(self, pin: int) -> None:
        """Press the button at `pin`; whoever waits for it is told."""
        self.buttons.pressed.add(pin)
        self.factory.pin(pin).drive_low()

    def release(self, pin: int) -> None:
        """Let the button at `pin` go; its pin must be pulled up, as a button's is."""
        self.buttons.pressed.discard(pin)
        self.factory.pin(pin).drive_high()

    def close(self) -> None:
        """Unsolder: gpiozero has the pin factory that it had before. A second call does nothing."""
        self.cut, self.trace = False, None
        if isinstance(self.circuit, I2cBus):
            i2c.simulated.pop(self.circuit.number, None)
        if Device.pin_factory is self.factory:
            self.factory.close()
            Device.pin_factory = self._before

    def __enter__(self) -> FakeBoard:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_fake(
    kind: str,
    settings: Any,
    level: Level,
    *,
    clock: Callable[[], float] = monotonic,
    bare: Iterable[int] = (),
    seed: int = 0,
) -> FakeBoard:
    """Wire a board for the scanner `kind` as its own `settings` have it, and make gpiozero use its pins.

    `level` says what stands on each channel, by call or by index; `clock` is in seconds and times the faults; `bare`
    are the contacts of a matrix that have no diode. DeviceError if that kind has no pins.
    """
    if isinstance(settings, Hall.Settings) and kind == "hall":
        halls = HallSensors(level, settings.channels, seed, dark_rises=settings.dark == "rise")
        return FakeBoard(halls, converter(settings, halls), clock)
    own = SWITCHED.get(kind) is type(settings)
    if not own:
        known = ", ".join([*SWITCHED, "hall"])
        raise DeviceError(f"fakegpio can wire {known}, with their own settings, not {kind[:24]!r}")
    switches = Switches(level, settings.channels, Sense(settings.sense), clock, seed)
    return FakeBoard(switches, switched(kind, settings, switches, bare, clock), clock)


def switched(kind: str, settings: Any, switches: Switches, bare: Iterable[int], clock: Callable[[], float]) -> Circuit:
    """What joins the switches to the pins, or to the bus, that the driver will use."""
    if isinstance(settings, GpioMatrix.Settings):
        return Matrix(settings.rows, settings.columns, switches, bare, clock)
    if isinstance(settings, ShiftRegister.Settings):
        return chain(settings, switches)
    if isinstance(settings, Multiplexer.Settings):
        return Multiplexers(switches, settings.select, settings.inputs)
    half = settings.contacts // 2
    return I2cBus(settings.bus, kind, settings.addresses, switches, (*range(half), *range(8, 8 + half)))


def chain(settings: ShiftRegister.Settings, switches: Switches) -> Chain:
    """The registers at the pins that the driver will use."""
    inputs = settings.registers * INPUTS
    over_spi = settings.over == "spi"
    return Chain(
        switches,
        inputs,
        active_low=settings.active_low,
        load=settings.load,
        clock=SPI_CLOCK if over_spi else settings.clock,
        data=SPI_DATA if over_spi else settings.data,
        inhibit=SPI_SELECT[settings.device] if over_spi else None,
        looped=settings.looped is not False,
    )


def converter(settings: Hall.Settings, halls: HallSensors) -> Converter:
    """The multiplexers and the converter at the pins that the driver will use."""
    return Converter(
        halls,
        settings.select,
        settings.inputs,
        chip=SPI_SELECT[settings.device],
        clock=SPI_CLOCK,
        data_in=SPI_OUT,
        data_out=SPI_DATA,
    )
