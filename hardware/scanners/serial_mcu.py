"""Sensors on a micro-controller board, told over a serial line; docs/wire.md has what is said there.

The board scans and debounces by itself and tells of changes, so a scan here costs a look at what has arrived. Levels
are unknown until the board has told all of them, and while it is lost; it is looked for again by itself.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from hardware import settings
from hardware.device import Levels, Sense, Trouble
from hardware.serial.conversation import Conversation
from hardware.serial.frames import Hello
from hardware.serial.port import BAUD, PATH, Baud, Path, shared_port

SENSES = ("presence", "colour", "count")
"""In the order in which a HELLO numbers them."""
MOST_BY_COLOUR = 212
"""Channels for which two bits each fit into a snapshot."""
NEAR, STILL_NEAR = 0.3, 0.4
"""Seeds that a scale may be off a whole number, for a count that is new and for the one that it had."""
STEADY = 0.25
"""Seeds by which a reading may differ from the one before and count as at rest."""
Raw = Annotated[int, Meta(ge=-(1 << 23), lt=1 << 23)]


class SerialMcu:
    """Keeps the contract of a `Scanner`; its `keys` are the buttons of the same board."""

    trouble: Trouble | None = None
    settled = True

    class Settings(settings.Settings, frozen=True):
        """`port` and `baud` are those of the lights, where the board has them. `channels` as the firmware has them.

        Sense ``count``: `empty` is the reading of each scale with nothing in its pit, none: 0 for all; `seed` what one
        seed adds to it, one number for all scales or one each, negative where a scale hangs the other way round.
        """

        port: Path = PATH
        baud: Baud = BAUD
        sense: Literal["presence", "colour", "count"] = "presence"
        channels: Annotated[int, Meta(ge=1, le=240)] = 64
        empty: tuple[Raw, ...] = ()
        seed: tuple[Raw, ...] = ()

        def __post_init__(self) -> None:
            if self.sense == "colour" and self.channels > MOST_BY_COLOUR:
                raise ValueError(f"a board tells {MOST_BY_COLOUR} channels by colour at most, not {self.channels}")
            if self.sense != "count" and (self.empty or self.seed):
                raise ValueError('empty and seed are for scales: set sense = "count", or leave them out')
            if len(self.empty) not in (0, self.channels):
                raise ValueError(f"empty has {len(self.empty)} readings for {self.channels} channels: give one each")
            if self.sense == "count" and (len(self.seed) not in (1, self.channels) or 0 in self.seed):
                raise ValueError("seed must say what one seed adds to a reading: one number for all, or one a channel")

        @property
        def pins(self) -> tuple[int, ...]:
            """None: the board has its own."""
            return ()

    def __new__(cls, settings: Settings) -> SerialMcu:
        """Scales are a scanner of their own, for they alone have readings."""
        return super().__new__(Scales if settings.sense == "count" else cls)

    def __init__(self, settings: Settings) -> None:
        self.sense, self.channels = Sense(settings.sense), settings.channels
        self._settings = settings
        self._blind: Levels = (None,) * self.channels
        self._port = shared_port(settings.port, settings.baud)
        self._board = self._port.conversation
        self._closed = False
        self._port.join(self._check)

    @property
    def keys(self) -> BoardKeys:
        """The buttons of the board."""
        return BoardKeys(self._board)

    def _check(self, hello: Hello) -> str:
        """The board must be the one that the settings describe."""
        theirs, ours = SENSES[hello.sense], self._settings.sense
        where = f"the board on {self._settings.port}"
        if theirs != ours:
            return f'{where} senses {theirs} and the settings say {ours}: set sense = "{theirs}" for the scanner'
        if hello.channels != self.channels:
            return (
                f"{where} has {hello.channels} channels and the settings say {self.channels}: "
                f"set channels = {hello.channels} for the scanner"
            )
        return ""

    def scan(self) -> Levels:
        """A level a channel, as the board told them last; None for all while it is lost."""
        if self._closed:
            return self._blind
        self._port.pump()
        return self._levels()

    def wait(self, seconds: float) -> None:
        """Wait until the board says something, `seconds` at most."""
        self._port.wait(seconds)

    def _levels(self) -> Levels:
        return self._board.levels or self._blind

    def close(self) -> None:
        """Leave the board; every later scan is all None. A second call does nothing."""
        if not self._closed:
            self._closed = True
            self._port.leave(self._check)


class Scales(SerialMcu):
    """Scales under pits, whose readings are counted in seeds."""

    def __init__(self, settings: SerialMcu.Settings) -> None:
        self._empty = settings.empty or (0,) * settings.channels
        self._seed = settings.seed * settings.channels if len(settings.seed) == 1 else settings.seed
        self._raw: Levels = ()
        self._shown: Levels = (None,) * settings.channels
        self._counts: Levels = self._shown
        super().__init__(settings)

    def readings(self) -> Levels:
        """What each scale shows, in its own counts: 24 bits with a sign. None where it has none."""
        if self._closed:
            return self._blind
        self._port.pump()
        return self._board.readings or self._blind

    def _levels(self) -> Levels:
        raw = self._board.readings
        if raw is not self._raw:
            levels = tuple(map(self._level, range(self.channels), raw, self._raw or raw)) if raw else self._blind
            self._counts = tuple(old if new is None else new for new, old in zip(levels, self._counts, strict=True))
            self._raw = raw
            self._shown = levels if levels != self._shown else self._shown
        return self._shown

    def _level(self, channel: int, reading: int | None, before: int | None) -> int | None:
        """The seeds in the pit; None while hands are in it, and where the weight is that of no whole number."""
        if reading is None or before is None:
            return None
        seeds = (reading - self._empty[channel]) / self._seed[channel]
        whole = round(seeds)
        if whole < 0 or abs(reading - before) > STEADY * abs(self._seed[channel]):
            return None
        near = STILL_NEAR if whole == self._counts[channel] else NEAR
        return whole if abs(seeds - whole) <= near else None


class BoardKeys:
    """The buttons of a board, as it told of them last."""

    def __init__(self, board: Conversation) -> None:
        self._board = board

    def down(self) -> frozenset[str]:
        """The names of the buttons that are pressed now; none while the board is lost."""
        return self._board.pressed

    def close(self) -> None:
        """Nothing: they are the scanner's."""


SCANNER = SerialMcu
