"""Boards as circuits: which lines are low, given which are driven and what stands on the sites.

Switches are wired as a `Matrix`, read by a `Chain` of shift registers or chosen by `Multiplexers`. `HallSensors` are
read by a `Converter`, bit by bit. Nothing here knows gpiozero: `hardware.fakegpio` connects these circuits to its pins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from random import Random
from typing import Protocol

from hardware.device import Sense

Level = Callable[[int], int] | Sequence[int]
"""What stands on a channel: 0 nothing, 1 dark, 2 light; asked anew each time."""

CHATTER = 0.0002
"""Seconds that a bouncing contact stays as it is (guessed)."""
FLICKER = 0.05
"""Seconds that a cold joint stays as it is (guessed)."""
MIDDLE, TOP = 512, 1023
"""Counts of the converter, which has ten bits: half its range, and the most that it can tell."""
INPUTS, POSITIONS = 8, 16
"""Of a register, and sensors on a multiplexer."""


class Switches:
    """The contacts of a board, with their faults; bit k is contact k, two a channel in colour (dark, light)."""

    def __init__(self, level: Level, channels: int, sense: Sense, clock: Callable[[], float], seed: int) -> None:
        self.bounce = 0.0
        """Seconds for which a contact chatters after it has changed."""
        self.stuck: dict[int, bool] = {}
        """Contacts that are always closed (True) or always open (False)."""
        self.cold: set[int] = set()
        """Contacts with a bad joint: they open now and then."""
        self._sense, self._clock, self._seed = sense, clock, seed
        self._channels = range(channels)
        self._pieces: tuple[int, ...] = ()
        self._contacts = 0
        self._changed: dict[int, float] = {}
        self.read(level)

    def read(self, level: Level) -> None:
        """From now on `level` says what stands on the channels."""
        self._level = level

    def closed(self) -> int:
        """The contacts that are closed now."""
        level = self._level
        pieces = tuple(map(level, self._channels)) if callable(level) else tuple(level[: len(self._channels)])
        if pieces != self._pieces:
            self._move(pieces)
        return self._faulty() if self.stuck or self.cold or self._changed else self._contacts

    def _move(self, pieces: tuple[int, ...]) -> None:
        before, self._contacts = self._contacts, self._under(pieces)
        if self.bounce and self._pieces:
            self._changed |= dict.fromkeys(bits(before ^ self._contacts), self._clock())
        self._pieces = pieces

    def _under(self, pieces: tuple[int, ...]) -> int:
        if self._sense is Sense.COLOUR:
            return sum(1 << 2 * channel + level - 1 for channel, level in enumerate(pieces) if level)
        return sum(1 << channel for channel, level in enumerate(pieces) if level)

    def _faulty(self) -> int:
        now, contacts = self._clock(), self._contacts
        self._changed = {contact: at for contact, at in self._changed.items() if now - at < self.bounce}
        for contact in self._changed:
            contacts ^= self._dice(contact, now, CHATTER) % 2 << contact
        for contact in self.cold:
            contacts &= ~((self._dice(contact, now, FLICKER) % 4 == 0) << contact)
        for contact, closed in self.stuck.items():
            contacts = contacts & ~(1 << contact) | closed << contact
        return contacts

    def _dice(self, contact: int, now: float, slot: float) -> int:
        """The same number for the same seed, contact and slot of time."""
        return blake2b(f"{self._seed} {contact} {int(now / slot)}".encode(), digest_size=1).digest()[0]


class Circuit(Protocol):
    """What the pins of a board are wired to."""

    pins: tuple[int, ...]

    def drive(self, pin: int, level: bool | None) -> None:
        """`pin` begins to drive its wire, or lets go of it (None)."""

    def level(self, pin: int) -> bool | None:
        """What the circuit makes of the wire at `pin`; None if it leaves it to the pull-up."""


class Matrix:
    """Rows and columns with a switch at each crossing, and a diode that lets only the row pull the column low.

    `bare` are the contacts without a diode: there either pulls the other. What a diode drops is left out.
    """

    def __init__(
        self,
        rows: Sequence[int],
        columns: Sequence[int],
        switches: Switches,
        bare: Iterable[int],
        clock: Callable[[], float],
    ) -> None:
        self.pins = (*rows, *columns)
        self.rise = 0.0
        """Seconds that a wire reads low after it has been let go: its capacity is charged by the pull-up alone."""
        self.grounded: set[int] = set()
        """Pins whose wire touches ground."""
        self._clock = clock
        self._rising: dict[int, float] = {}
        self.bare = sum(1 << contact for contact in bare)
        self._switches = switches
        self._rows = {pin: row for row, pin in enumerate(rows)}
        self._columns = tuple(columns)
        self._driven: set[int] = set()
        self._low: frozenset[int] = frozenset()
        self._known: dict[int, frozenset[int]] = {}
        self._contacts: tuple[int, int, frozenset[int]] = (0, 0, frozenset())

    def drive(self, pin: int, level: bool | None) -> None:
        """Rows driven low pull; everything else is but pulled up."""
        if pin in self._rows:
            (self._driven.add if level is False else self._driven.discard)(self._rows[pin])
            before, self._low = self._low, self._pulled_low()
            if self.rise:
                self._rising |= dict.fromkeys(before - self._low, self._clock() + self.rise)

    def level(self, pin: int) -> bool | None:
        """Low where a path leads to a row that is driven low, and while the wire rises afterwards."""
        low = pin in self._low or (pin in self._rising and self._clock() < self._rising[pin])
        return False if low else None

    def _pulled_low(self) -> frozenset[int]:
        if not (self._driven or self.grounded):
            return frozenset()
        contacts = (self._switches.closed(), self.bare, frozenset(self.grounded))
        if contacts != self._contacts:
            self._contacts = contacts
            self._known.clear()
        driven = sum(1 << row for row in self._driven)
        if driven not in self._known:
            self._known[driven] = self._reached(self._contacts[0], self.bare)
        return self._known[driven]

    def _reached(self, closed: int, bare: int) -> frozenset[int]:
        """The pins that current reaches: from rows to columns by any switch, back by those without a diode."""
        across = len(self._columns)
        every = (1 << across) - 1
        rows = self._driven | {row for pin, row in self._rows.items() if pin in self.grounded}
        columns = sum(1 << column for column, pin in enumerate(self._columns) if pin in self.grounded)
        grown = True
        while grown:
            for row in rows:
                columns |= closed >> row * across & every
            reached = {row for row in self._rows.values() if (closed & bare) >> row * across & columns}
            grown = not reached <= rows
            rows |= reached
        wires = [pin for pin, row in self._rows.items() if row in rows]
        return frozenset(wires + [pin for column, pin in enumerate(self._columns) if columns >> column & 1])


class Chain:
    """74HC165 registers in a chain: inputs A to H of the nearest register first, then those of the next.

    `inhibit` is the pin at CLK INH; without it that is grounded. The far end's serial input is joined to its own
    inverted output, or else grounded.
    """

    def __init__(
        self,
        switches: Switches,
        inputs: int,
        *,
        active_low: bool,
        load: int,
        clock: int,
        data: int,
        inhibit: int | None = None,
        looped: bool = True,
    ) -> None:
        self.pins: tuple[int, ...] = (load, clock, data) if inhibit is None else (load, clock, data, inhibit)
        self._switches, self._inputs = switches, inputs
        self._load, self._clock, self._data, self._inhibit = load, clock, data, inhibit
        self._idle = (1 << inputs) - 1 if active_low else 0
        self.looped = looped
        """Whether the last register's serial input is joined to its own inverted output."""
        self.off: set[int] = set()
        """Pins whose wire has come off. The Pi pulls that of the data low, as it does GPIO 9 unless told otherwise."""
        self.torn: int | None = None
        """The register whose serial input has come off, and reads low: nothing is heard of those behind it."""
        self.left_low = False
        """Whether another chip on the bus has left the clock low, to rise only once this one is selected (a Pi 5)."""
        self._loading = False
        self._high = {pin: True for pin in self.pins if pin != data}
        self._register = 0
        """The next bit out is the topmost."""

    def drive(self, pin: int, level: bool | None) -> None:
        """A low load line takes the inputs in; a rising clock shifts, unless it is inhibited."""
        if pin in self.off:
            return
        before = self._ticking()
        self._high[pin] = level is not False
        if pin == self._load:
            if self._loading:
                self._take_in()
            self._loading = level is False
        elif self._ticking() and not before:
            self._shift()
        elif pin == self._inhibit and level is False and self.left_low:
            self.left_low = False
            self._shift()

    def _shift(self) -> None:
        if self._loading:
            return
        last_out = self._register >> INPUTS - 1 & 1  # H of the last register is the topmost of the lowest bits
        shifted = self._register << 1 | (self.looped and not last_out)
        if self.torn is not None:
            shifted &= ~(1 << self._inputs - INPUTS * (self.torn + 1))
        self._register = shifted & (1 << self._inputs) - 1

    def _ticking(self) -> bool:
        """Clock and inhibit are one signal inside the chip: high where either is."""
        return self._high[self._clock] or (self._inhibit is not None and self._high[self._inhibit])

    def level(self, pin: int) -> bool | None:
        """The chip drives its output QH; what it listens to is none of its doing."""
        if pin != self._data:
            return None
        if pin in self.off:
            return False
        if self._loading:
            self._take_in()
        return bool(self._register >> self._inputs - 1)

    def _take_in(self) -> None:
        levels = self._switches.closed() ^ self._idle
        self._register = int.from_bytes(levels.to_bytes(self._inputs // 8, "little"), "big")


class Multiplexers:
    """74HC4067s that share the lines `select`, S0 first; the common pin of each is wired to one of `inputs`."""

    def __init__(self, switches: Switches, select: Sequence[int], inputs: Sequence[int]) -> None:
        self.pins = (*select, *inputs)
        self._switches, self._select, self._inputs = switches, tuple(select), tuple(inputs)
        self._high = dict.fromkeys(select, False)

    def drive(self, pin: int, level: bool | None) -> None:
        """The select lines choose a switch of each chip."""
        if pin in self._high:
            self._high[pin] = level is True

    def level(self, pin: int) -> bool | None:
        """Low while the switch that is chosen is closed."""
        if pin not in self._inputs:
            return None
        position = sum(self._high[line] << place for place, line in enumerate(self._select))
        return False if self._switches.closed() >> POSITIONS * self._inputs.index(pin) + position & 1 else None


class HallSensors:
    """Linear Hall sensors, a channel each; all in counts of 1023. The same `seed` gives the same readings again."""

    def __init__(self, level: Level, channels: int, seed: int, *, dark_rises: bool = True) -> None:
        self.swing = 200
        """How far a piece moves the reading: a dark one up, if `dark_rises`, and a light one down."""
        self.weak: dict[int, int] = {}
        """Channels where a piece moves it by another number of counts."""
        self.noise = 2
        """How far a reading strays by itself, up or down."""
        self.spread = 20
        """How far from the middle the reading of an empty site may be; each sensor has a place of its own in that."""
        self.dead: dict[int, int] = {}
        """Channels that always read the same, with what they read."""
        self.level = level
        """What stands on the channels."""
        self._chance = Random(seed)
        self._places = [self._chance.uniform(-1, 1) for _ in range(channels)]
        self._dark = 1 if dark_rises else -1

    def empty(self, channel: int) -> int:
        """What the channel reads, but for noise, with nothing on it."""
        return MIDDLE + round(self.spread * self._places[channel])

    def reading(self, channel: int) -> int:
        """What the channel reads now; no more than the converter can tell."""
        if channel in self.dead:
            return self.dead[channel]
        level = self.level(channel) if callable(self.level) else self.level[channel]
        moved = (0, self._dark, -self._dark)[level] * self.weak.get(channel, self.swing)
        strayed = self._chance.randint(-self.noise, self.noise)
        return min(TOP, max(0, self.empty(channel) + moved + strayed))


class Converter:
    """An MCP3008 with a 74HC4067 at each of its first `inputs`; the multiplexers share the lines `select`, S0 first.

    Edge by edge, for single inputs alone: what asks for the difference of two gets no answer. The unused inputs are
    grounded, and the line `data_out` is pulled up.
    """

    def __init__(
        self,
        halls: HallSensors,
        select: Sequence[int],
        inputs: int,
        *,
        chip: int,
        clock: int,
        data_in: int,
        data_out: int,
    ) -> None:
        self.pins = (*select, chip, clock, data_in, data_out)
        self.mute = False
        """Whether the converter has lost its supply, or its output line has come off."""
        self._halls, self._select, self._inputs = halls, tuple(select), inputs
        self._chip, self._clock, self._data_in, self._data_out = chip, clock, data_in, data_out
        self._high = dict.fromkeys(self.pins, False) | {chip: True}
        self._heard: list[bool] = []
        """The bits from the start bit on, as far as the chip listens to them."""
        self._answer: list[int] | None = None
        """The bits that are still to be told, the next one last; None before the first."""
        self._out: bool | None = None

    def drive(self, pin: int, level: bool | None) -> None:
        """A rising clock takes a bit in, a falling one puts a bit out; a rising select ends it all."""
        before = self._high[pin]
        self._high[pin] = level is True or (level is None and pin == self._chip)
        if self._high[self._chip]:
            self._heard, self._answer, self._out = [], None, None
        elif pin == self._clock and before != self._high[pin]:
            self._listen() if self._high[pin] else self._tell()

    def level(self, pin: int) -> bool | None:
        """What the converter tells; where it tells nothing its line is pulled up."""
        if pin != self._data_out:
            return None
        return True if self._out is None or self.mute else self._out

    def _listen(self) -> None:
        """Start bit, single-ended, three bits of the input, and one clock more to sample it."""
        bit = self._high[self._data_in]
        if (self._heard or bit) and len(self._heard) < 6:
            self._heard.append(bit)

    def _tell(self) -> None:
        if len(self._heard) < 6 or not self._heard[1]:
            return
        if self._answer is None:
            self._answer = self._bits(self._sampled())
        self._out = bool(self._answer.pop()) if self._answer else False

    def _sampled(self) -> int:
        number = sum(bit << 2 - place for place, bit in enumerate(self._heard[2:5]))
        position = sum(self._high[pin] << place for place, pin in enumerate(self._select))
        return self._halls.reading(POSITIONS * number + position) if number < self._inputs else 0

    def _bits(self, reading: int) -> list[int]:
        """The last one first: a zero, ten bits from the topmost down, and nine of them up again."""
        down = [reading >> place & 1 for place in range(10)]
        return [*down[:0:-1], *down, 0]


def bits(number: int) -> list[int]:
    """The places of the bits that are set."""
    return [place for place in range(number.bit_length()) if number >> place & 1]
