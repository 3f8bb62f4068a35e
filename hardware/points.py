"""A device seen through its board: levels and lights of named points instead of channels and pixels.

`PointSensors` is a scanner and `PointLights` are lights like any other, of just the points that a game is laid on, in
its order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter

from hardware.device import Colour, Levels, Lights, Scanner, Sense, Trouble
from hardware.power import within

BLACK: Colour = (0, 0, 0)


class PointSensors:
    """The levels of `points`, in their order; a point without a channel is None for ever.

    Closing it leaves `scanner` open: another game may be laid on other points of it.
    """

    def __init__(
        self, scanner: Scanner, channels: Mapping[str, int], points: Sequence[str], sense: Sense | None = None
    ) -> None:
        self.sense = sense or scanner.sense
        self.channels = len(points)
        self.settled = scanner.settled
        self._scanner = scanner
        self._names = {channel: name for name, channel in channels.items()}
        places = [channels.get(point, -1) for point in points]
        self._pick = itemgetter(*places, -1, -1)  # the last is always None, and two make a tuple in any case
        self._presence = self.sense is Sense.PRESENCE is not scanner.sense
        self._raw: Levels | None = None
        self._levels: Levels = ()

    def scan(self) -> Levels:
        """A level a point, now."""
        raw = self._scanner.scan()
        if raw is not self._raw:
            self._raw = raw
            levels = self._pick((*raw, None))[:-2]
            self._levels = tuple(level and 1 for level in levels) if self._presence else levels
        return self._levels

    @property
    def trouble(self) -> Trouble | None:
        """What the last scan found wrong with the wiring, its channels by the names of the board's points."""
        trouble = self._scanner.trouble
        if not trouble:
            return None
        return trouble._replace(names=tuple(self._names.get(n, f"channel {n}") for n in trouble.channels))

    def close(self) -> None:
        """Nothing: the scanner belongs to whoever opened it."""


class PointLights:
    """Lights of points, each with as many `pixels` as it has, and two turn lamps, within `supply` mA.

    Every picture for a strip passes here, so that the budget holds for the strip as it is. Closing it goes dark and
    leaves `lights` open.
    """

    def __init__(self, lights: Lights, pixels: Sequence[Iterable[int]], supply: float) -> None:
        self.pixels = len(pixels)
        self._lights = lights
        self._places = [(number, pixel) for number, used in enumerate(pixels) for pixel in used]
        self._supply = supply

    def show(self, picture: Sequence[Colour]) -> None:
        """Show a colour a point and the two lamps; ValueError for any other length, DeviceError if it cannot."""
        if len(picture) != self.pixels:
            raise ValueError(f"a picture for this table has {self.pixels} pixels, not {len(picture)}")
        whole = [BLACK] * self._lights.pixels
        for number, pixel in self._places:
            whole[pixel] = picture[number]
        self._lights.show(within(whole, self._supply))

    def close(self) -> None:
        """Go dark."""
        self.show([BLACK] * self.pixels)
