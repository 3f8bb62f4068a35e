"""Switches in rows and columns on the pins of a Pi: one row after the other is strobed, and the columns are read.

Row and column touch where a switch is closed. All lines are pulled up; the strobed row alone is driven low, and a
column that reads low has a closed switch in that row. No row is ever driven high, so rows cannot work against each
other.

Without a diode at each switch current finds ways back: three closed corners of a rectangle make the fourth read
closed. Where that matters the wiring is asked: an idle row that reads low while another is strobed has been reached
through a column, which a diode makes impossible. A line that is low while no row is strobed touches ground.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Annotated, Literal

from msgspec import Meta

from hardware import pins, settings
from hardware.contacts import ContactScanner, repeated, width
from hardware.device import DeviceError, Sense, Trouble
from hardware.settings import Pin

RISEN = 1000
"""Microseconds after which any wire that is let go has risen; 50 kOhm and 5 nF, more than a table has: a guess."""
Side = Annotated[tuple[Pin, ...], Meta(min_length=1, max_length=16)]


class GpioMatrix(ContactScanner):
    """Channels go row by row; in colour, columns 2k (dark) and 2k + 1 (light) are channel k of their row.

    A scan costs two operations a row where gpiozero uses lgpio, otherwise two and one a column.
    """

    class Settings(settings.Settings, frozen=True):
        """`settle`: microseconds from the strobe of a row to the reading of its columns.

        A column that was low rises through the Pi's own pull-up, 50 to 65 kOhm by the data sheet of the BCM2711; with
        150 pF of wires (a guess) 30 us are three time constants of that, and 95 % of the voltage.
        """

        rows: Side = (4, 17, 27, 22, 5, 6, 13, 19)
        columns: Side = (23, 24, 25, 15, 12, 16, 20, 26)
        sense: Literal["presence", "colour"] = "presence"
        settle: Annotated[int, Meta(ge=0, le=1000)] = 30

        def __post_init__(self) -> None:
            twice = repeated(self.rows + self.columns)
            if twice:
                raise ValueError(f"pin {twice[0]} is used twice: each row and each column needs a pin of its own")
            if len(self.columns) % width(Sense(self.sense)):
                raise ValueError("colour needs two columns a site, dark and light, so their number must be even")

        @property
        def channels(self) -> int:
            """The number of channels."""
            return len(self.rows) * len(self.columns) // width(Sense(self.sense))

        @property
        def pins(self) -> tuple[int, ...]:
            """The GPIOs that are taken."""
            return self.rows + self.columns

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._across = len(settings.columns)
        self._every_column = (1 << self._across) - 1
        every_row = (1 << len(settings.rows)) - 1
        self._strobes = [every_row & ~(1 << row) for row in range(len(settings.rows))]
        super().__init__(Sense(settings.sense), len(settings.rows) * self._across)

    def _claim(self) -> None:
        self._rows = pins.lines("open drain", self._settings.rows, "the rows of the matrix")
        try:
            self._columns = pins.lines("input", self._settings.columns, "the columns of the matrix")
        except DeviceError:
            self._rows.close()
            raise

    def _release(self) -> None:
        self._rows.close()
        self._columns.close()

    def _read(self) -> int:
        contacts = 0
        for row, strobe in enumerate(self._strobes):
            self._strobe(strobe)
            contacts |= (self._columns.read() ^ self._every_column) << row * self._across
        return contacts

    def _strobe(self, strobe: int) -> None:
        """Drive one row low; a column that the row before held low needs time to rise."""
        self._rows.write(strobe)
        pins.settle(self._settings.settle)

    # What is wrong with the wiring -------------------------------------------------------------

    def _examine(self, contacts: int) -> Trouble | None:
        """A wire that touches ground; or else the blocks of rows and columns that cannot be told apart."""
        if grounded := self._grounded():
            return Trouble("grounded", grounded)
        closed = [contacts >> row * self._across & self._every_column for row in range(len(self._strobes))]
        rectangles = list(sharing(closed))
        if not rectangles:
            return None
        reached = {row: self._reached(row) for pair in rectangles for row in pair}
        joined = [(a, b) for a, b in rectangles if reached[a] >> b & 1 or reached[b] >> a & 1]
        channels = {channel for block in blocks(joined) for channel in self._channels(block, closed)}
        return Trouble("ghosts", tuple(sorted(channels))) if channels else None

    def _grounded(self) -> tuple[int, ...]:
        """The channels of the rows, or else of the columns, that are low although nothing pulls them low.

        Pieces in a row that touches ground make their columns low as well, so columns tell nothing then. Without
        diodes a column does the same to rows.
        """
        rows, columns = self._low(self._settings.settle)
        if rows or columns:  # a long wire may still be rising
            rows, columns = self._low(RISEN)
        across = width(self.sense)
        wires = range(len(self._strobes) * self._across)
        found = (n for n in wires if (rows >> n // self._across if rows else columns >> n % self._across) & 1)
        return tuple(sorted({contact // across for contact in found}))

    def _low(self, after: float) -> tuple[int, int]:
        """The rows and columns that are low so many microseconds after all have been let go."""
        every_row = (1 << len(self._strobes)) - 1
        self._rows.write(every_row)
        pins.settle(after)
        return self._rows.read() ^ every_row, self._columns.read() ^ self._every_column

    def _reached(self, row: int) -> int:
        """The rows that read low while `row` is strobed."""
        self._strobe(self._strobes[row])
        return ~self._rows.read()

    def _channels(self, block: set[int], closed: list[int]) -> Iterator[int]:
        """The channels of all rows of `block` in all columns that have a closed switch there."""
        across = width(self.sense)
        for row in block:
            for column in range(self._across):
                if any(closed[other] >> column & 1 for other in block):
                    yield (row * self._across + column) // across


def sharing(closed: list[int]) -> Iterator[tuple[int, int]]:
    """Pairs of rows with closed switches in two columns or more that both have: the rectangles."""
    for (a, here), (b, there) in combinations(enumerate(closed), 2):
        if (here & there).bit_count() > 1:
            yield a, b


def blocks(joined: list[tuple[int, int]]) -> list[set[int]]:
    """The rows that hang together through `joined` pairs."""
    found: list[set[int]] = []
    for pair in joined:
        touched = [block for block in found if block & set(pair)]
        found = [block for block in found if block not in touched]
        found.append(set(pair).union(*touched))
    return found


SCANNER = GpioMatrix
