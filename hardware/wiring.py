"""Boards of switches as circuits: which lines are low, given which are driven and what stands on the sites.

Nothing here knows gpiozero; `hardware.fakegpio` connects these circuits to its pins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import Protocol

from hardware.device import Sense

Level = Callable[[int], int] | Sequence[int]
"""What stands on a channel: 0 nothing, 1 dark, 2 light; asked anew each time."""

CHATTER = 0.0002
"""Seconds that a bouncing contact stays as it is."""
FLICKER = 0.05
"""Seconds that a cold joint stays as it is."""


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

    def __init__(self, rows: Sequence[int], columns: Sequence[int], switches: Switches, bare: Iterable[int]) -> None:
        self.pins = (*rows, *columns)
        self.bare = sum(1 << contact for contact in bare)
        self._switches = switches
        self._rows = {pin: row for row, pin in enumerate(rows)}
        self._columns = tuple(columns)
        self._driven: set[int] = set()
        self._low: frozenset[int] = frozenset()
        self._known: dict[int, frozenset[int]] = {}
        self._contacts = (0, 0)

    def drive(self, pin: int, level: bool | None) -> None:
        """Rows driven low pull; everything else is but pulled up."""
        if pin in self._rows:
            (self._driven.add if level is False else self._driven.discard)(self._rows[pin])
            self._low = self._pulled_low()

    def level(self, pin: int) -> bool | None:
        """Low where a path leads to a row that is driven low."""
        return False if pin in self._low else None

    def _pulled_low(self) -> frozenset[int]:
        if not self._driven:
            return frozenset()
        contacts = (self._switches.closed(), self.bare)
        if contacts != self._contacts:
            self._contacts = contacts
            self._known.clear()
        driven = sum(1 << row for row in self._driven)
        if driven not in self._known:
            self._known[driven] = self._reached(*contacts)
        return self._known[driven]

    def _reached(self, closed: int, bare: int) -> frozenset[int]:
        """The pins that current reaches: from rows to columns by any switch, back by those without a diode."""
        across = len(self._columns)
        every = (1 << across) - 1
        rows, columns, grown = set(self._driven), 0, True
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

    `inhibit` is the pin at CLK INH; without it that is grounded. The far end's serial input is grounded.
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
    ) -> None:
        self.pins: tuple[int, ...] = (load, clock, data) if inhibit is None else (load, clock, data, inhibit)
        self._switches, self._inputs = switches, inputs
        self._load, self._clock, self._data, self._inhibit = load, clock, data, inhibit
        self._idle = (1 << inputs) - 1 if active_low else 0
        self._loading = False
        self._high = {pin: True for pin in self.pins if pin != data}
        self._register = 0
        """The next bit out is the topmost."""

    def drive(self, pin: int, level: bool | None) -> None:
        """A low load line takes the inputs in; a rising clock shifts, unless it is inhibited."""
        before = self._ticking()
        self._high[pin] = level is not False
        if pin == self._load:
            if self._loading:
                self._take_in()
            self._loading = level is False
        elif self._ticking() and not before and not self._loading:
            self._register = self._register << 1 & (1 << self._inputs) - 1

    def _ticking(self) -> bool:
        """Clock and inhibit are one signal inside the chip: high where either is."""
        return self._high[self._clock] or (self._inhibit is not None and self._high[self._inhibit])

    def level(self, pin: int) -> bool | None:
        """The chip drives its output QH; what it listens to is none of its doing."""
        if pin != self._data:
            return None
        if self._loading:
            self._take_in()
        return bool(self._register >> self._inputs - 1)

    def _take_in(self) -> None:
        levels = self._switches.closed() ^ self._idle
        self._register = int.from_bytes(levels.to_bytes(self._inputs // 8, "little"), "big")


def bits(number: int) -> list[int]:
    """The places of the bits that are set."""
    return [place for place in range(number.bit_length()) if number >> place & 1]
