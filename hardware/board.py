"""Board files: which channel reads each point of a table and which pixels light it, its buttons and its supply.

    title = "Eight by eight"           [scanner]              [pixels]
    supply = 2000                      kind = "gpio_matrix"   corner = "a8"
    masked = ["e4"]                    [lights]               serpentine = true
    [points]                           kind = "ws2812_spi"    status = [64, 65]
    files = 8                          [channels]             [buttons]
    ranks = 8                          at = {a1 = 9, b1 = 3}  done = 5

Points are squares, ``a1`` to ``h8``, or a list of names. Channels and pixels are given as a run over the points, from a
corner and row by row, with exceptions in ``at``.

`Board` is the table that a file describes. `PointSensors` is a scanner and `PointLights` are lights like any other, of
just the points that a game is laid on, in its order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from string import ascii_lowercase
from typing import Annotated, Any, Literal

from msgspec import Meta, field

from hardware.backends import find, names, opened, told_by
from hardware.device import LAMPS, Colour, DeviceError, Levels, Lights, Scanner, Sense, Trouble
from hardware.power import within
from hardware.settings import Pin, Settings, SettingsError, convert, plain, read_toml
from hardware.spi import PINS

FOLDER = Path(__file__).parent / "boards"
USUAL = "registers"
"""The board that is meant where none is named: the one of docs/building.md, which has the fewest joints."""
MOST = 1023
"""The highest channel or pixel that a board file may name (guessed)."""
BLACK: Colour = (0, 0, 0)

Number = Annotated[int, Meta(ge=0, le=MOST)]
Name = Annotated[str, Meta(pattern="^[A-Za-z][A-Za-z0-9]{0,7}$")]
Side = Annotated[int, Meta(ge=1, le=16)]
Places = Mapping[str, tuple[int, int]]
"""File and rank of each point, from 0."""


# The file -------------------------------------------------------------------------------------


class Points(Settings, frozen=True):
    """The points of a board: `files` by `ranks` squares, or else their `names` in the order of the wiring."""

    files: Side = 8
    ranks: Side = 8
    names: Annotated[tuple[Name, ...], Meta(max_length=256)] = ()

    def places(self) -> dict[str, tuple[int, int]]:
        """Where each square lies, file and rank from 0; named points lie in one long row."""
        if self.names:
            return {name: (number, 0) for number, name in enumerate(self.names)}
        return {f"{ascii_lowercase[x]}{y + 1}": (x, y) for y in range(self.ranks) for x in range(self.files)}


class Run(Settings, frozen=True):
    """How numbers run over the points: from the square `corner` on `along` a rank or a file, row by row.

    `serpentine`: every second row runs backwards. `first`: the first number.
    """

    corner: str = ""
    along: Literal["rank", "file"] = "rank"
    serpentine: bool = False
    first: Number = 0


class Channels(Run, frozen=True):
    """The channel of each point; `at` names those that do not follow the run."""

    at: dict[str, int] = field(default_factory=dict)


class Pixels(Run, frozen=True):
    """The pixels of each point, `each` one after another; `at` names those that do not follow the run.

    `status`: two pixels beside the points, the turn lamps of the first and the second player.
    """

    each: Annotated[int, Meta(ge=1, le=16)] = 1
    at: dict[str, tuple[int, ...]] = field(default_factory=dict)
    status: Annotated[tuple[Number, ...], Meta(max_length=2)] = ()


class Buttons(Settings, frozen=True):
    """GPIOs of push buttons to ground, or else the buttons `on` the scanner's own board; `hold` in seconds."""

    done: Pin | None = None
    undo: Pin | None = None
    hint: Pin | None = None
    power: Pin | None = None
    hold: Annotated[float, Meta(ge=0.5, le=10)] = 2.0
    on: Literal["gpio", "board"] = "gpio"

    def __post_init__(self) -> None:
        if self.on == "board" and self.pins():
            raise ValueError("buttons on a board are numbered by its firmware: leave done, undo, hint and power out")

    def pins(self) -> dict[str, int]:
        """The buttons on GPIOs."""
        named = {name: getattr(self, name) for name in ("done", "undo", "hint", "power")}
        return {name: pin for name, pin in named.items() if pin is not None}


class BoardFile(Settings, frozen=True):
    """A board file as it stands; every key may be left out. `supply` in mA."""

    title: str = ""
    supply: Annotated[int, Meta(ge=0, le=60000)] = 1000
    masked: tuple[str, ...] = ()
    points: Points = Points()
    scanner: dict[str, Any] = field(default_factory=lambda: {"kind": "gpio_matrix"})
    lights: dict[str, Any] = field(default_factory=lambda: {"kind": "ws2812_spi"})
    channels: Channels = Channels()
    pixels: Pixels = Pixels()
    buttons: Buttons = Buttons()
    buzzer: Pin | None = None
    """The GPIO of an active buzzer; None for none."""
    layouts: dict[str, str] = field(default_factory=dict)
    """Game -> a drawing of the squares, from the top, with the site of the game that lies there, or a dot.

    Only for a game that shall lie otherwise than its geometry says.
    """


# The devices of points ------------------------------------------------------------------------


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
        self.refresh = lights.refresh
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


# The table ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Backend:
    """A device that can be opened: the name of its driver, the driver, and its settings."""

    kind: str
    driver: Any
    settings: Any


@dataclass(frozen=True, slots=True)
class Board:
    """A table as its board file describes it, checked."""

    title: str
    places: Mapping[str, tuple[int, int]]
    """The points in order, with file and rank from 0."""
    grid: bool
    """Whether the points are squares."""
    channels: Mapping[str, int]
    """The channel of each point; none for a masked one."""
    pixels: Mapping[str, tuple[int, ...]]
    status: tuple[int, ...]
    supply: int
    scanner: Backend
    lights: Backend
    buttons: Buttons
    buzzer: int | None
    """The GPIO of an active buzzer."""
    layouts: Mapping[str, Mapping[str, str]]
    """Game -> site -> the point it lies on."""

    @property
    def size(self) -> tuple[int, int]:
        """Files and ranks."""
        return size(self.places)

    @property
    def at(self) -> dict[tuple[int, int], str]:
        """The point at each place."""
        return {place: point for point, place in self.places.items()}

    @property
    def length(self) -> int:
        """The number of pixels on the strip."""
        return 1 + max((*self.status, *(pixel for pixels in self.pixels.values() for pixel in pixels)), default=-1)

    def open_scanner(self) -> Scanner:
        """The sensors, ready to be scanned; DeviceError."""
        scanner: Scanner = opened("scanners", self.scanner.kind, self.scanner.driver, self.scanner.settings)
        return scanner

    def open_lights(self) -> Lights:
        """The lights, dark; DeviceError."""
        lights: Lights = opened("lights", self.lights.kind, self.lights.driver, self.lights.settings, self.length)
        return lights

    def sensors(self, scanner: Scanner, points: Sequence[str], sense: Sense | None = None) -> PointSensors:
        """The sensors of these points alone."""
        return PointSensors(scanner, self.channels, points, sense)

    def strip(self, lights: Lights, points: Sequence[str], supply: float | None = None) -> PointLights:
        """The lights of these points and the turn lamps, within `supply` mA or what the board says."""
        used: list[tuple[int, ...]] = [self.pixels[point] for point in points]
        lamps: list[tuple[int, ...]] = [(pixel,) for pixel in self.status] or [()] * LAMPS
        return PointLights(lights, used + lamps, self.supply if supply is None else supply)


def boards() -> dict[str, Path]:
    """The board files that come with the program, by name."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.toml"))}


def find_board(name: str) -> Path:
    """The file of a board that comes with the program, or the path that `name` is; SettingsError."""
    if name in boards():
        return boards()[name]
    try:
        path = Path(name).expanduser()
        found = path.exists()
    except (OSError, RuntimeError):  # a name that is too long; a user that there is not
        found = False
    if not found:
        raise SettingsError(f"{name[:80]}: there is no such board file; boards that come along: {', '.join(boards())}")
    return path


def read_board(path: Path, *, scanner: str = "", lights: str = "") -> Board:
    """The board in `path`; other drivers with their default settings where named. SettingsError."""
    data = read_toml(path)
    try:
        file = convert(data, BoardFile)
        return build(file, *chosen(file, scanner, lights))
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from None


def chosen(file: BoardFile, scanner: str, lights: str) -> tuple[Backend, Backend]:
    """The two devices that the file describes, or those named instead."""
    sensed = {"kind": scanner} if scanner and scanner != file.scanner.get("kind") else file.scanner
    lit = {"kind": lights} if lights and lights != file.lights.get("kind") else file.lights
    return backend("scanners", sensed, "scanner"), backend("lights", lit, "lights")


def backend(folder: Literal["scanners", "lights"], table: Mapping[str, Any], where: str) -> Backend:
    """The driver that a table of the file names, with its settings."""
    kind = table.get("kind")
    if not isinstance(kind, str):
        raise SettingsError(f"{where}.kind: it must name a driver; allowed: {', '.join(names(folder))}")
    try:
        driver = find(folder, kind)
    except DeviceError as error:
        raise SettingsError(f"{where}.kind: {error}") from None
    settings = convert({key: value for key, value in table.items() if key != "kind"}, driver.Settings, where)
    try:
        told_by(folder, kind, settings)
    except DeviceError as error:
        raise SettingsError(f"{where}: {error}") from None
    return Backend(kind, driver, settings)


def build(file: BoardFile, scanner: Backend, lights: Backend) -> Board:
    """The board of `file`, all its parts checked against each other."""
    places = file.points.places()
    if len(places) != len(file.points.names or places):
        raise SettingsError("points.names: two points have one name")
    check_names("masked", file.masked, places)
    channels = dict(run_channels(file.channels, places, file.masked))
    pixels = dict(run_pixels(file.pixels, places))
    numbered = {name: (channel,) for name, channel in channels.items()}
    check_apart("channel", "channels", numbered)
    check_apart("pixel", "pixels", pixels | {f"status lamp {n + 1}": (p,) for n, p in enumerate(file.pixels.status)})
    if len(file.pixels.status) == 1:
        raise SettingsError("pixels.status: it names one lamp; it takes two, one for each player, or none")
    check_range(channels, scanner)
    if file.buttons.on == "board" and not hasattr(scanner.driver, "keys"):
        raise SettingsError(f"buttons.on: {scanner.kind} has no buttons of its own; allowed: gpio")
    check_pins(file, scanner, lights)
    drawn = {game: dict(read_drawing(plain(game), text, places)) for game, text in file.layouts.items()}
    return Board(
        file.title, places, not file.points.names, channels, pixels, file.pixels.status, file.supply, scanner, lights,
        file.buttons, file.buzzer, drawn,
    )  # fmt: skip


# Runs over the points -------------------------------------------------------------------------


def size(places: Mapping[str, tuple[float, float]]) -> tuple[int, int]:
    """Files and ranks that the places take."""
    files, ranks = (1 + int(max(place[axis] for place in places.values())) for axis in (0, 1))
    return files, ranks


def run_channels(run: Channels, places: Places, masked: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """The channel of each point that is not masked."""
    check_names("channels.at", run.at, places)
    for number, name in enumerate(ordered(run, places, "channels")):
        if name not in masked:
            yield name, bounded("channels", name, run.at.get(name, run.first + number))


def run_pixels(run: Pixels, places: Places) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The pixels of each point."""
    check_names("pixels.at", run.at, places)
    for number, name in enumerate(ordered(run, places, "pixels")):
        first = run.first + number * run.each
        used = run.at.get(name, tuple(range(first, first + run.each)))
        yield name, tuple(bounded("pixels", name, pixel) for pixel in used)


def bounded(where: str, name: str, number: int) -> int:
    """`number`, if a channel or pixel can have it."""
    if not 0 <= number <= MOST:
        raise SettingsError(f"{where}: {name} would be on {number:.6g}; allowed: 0 to {MOST}")
    return number


def ordered(run: Run, places: Places, where: str) -> list[str]:
    """The points in the order in which the numbers of `run` reach them."""
    files, ranks = size(places)
    corners = {
        name: place for name, place in places.items() if place[0] in (0, files - 1) and place[1] in (0, ranks - 1)
    }
    if run.corner and run.corner not in corners:
        raise SettingsError(f"{where}.corner: {run.corner[:12]!r} is no corner; allowed: {', '.join(corners)}")
    right, up = corners.get(run.corner, (0, 0))

    def key(name: str) -> tuple[int, int]:
        x, y = places[name]
        across, row = (files - 1 - x if right else x), (ranks - 1 - y if up else y)
        if run.along == "file":
            across, row = row, across
        length = ranks if run.along == "file" else files
        return row, length - 1 - across if run.serpentine and row % 2 else across

    return sorted(places, key=key)


def check_names(where: str, named: Iterable[str], places: Places) -> None:
    """Refuse a name that is no point of the board."""
    for name in named:
        if name not in places:
            points = list(places)
            raise SettingsError(f"{where}: {name[:12]!r} is no point; the points are {points[0]} to {points[-1]}")


def read_drawing(game: str, text: str, places: Places) -> Iterator[tuple[str, str]]:
    """The point of each site in the drawing of a layout."""
    rows = [line.split() for line in text.strip().splitlines()]
    files, ranks = size(places)
    if [len(row) for row in rows] != [files] * ranks:
        raise SettingsError(f"layouts.{game}: a drawing for this board has {ranks} lines of {files} squares")
    drawn = [rows[ranks - 1 - y][x] for x, y in places.values()]
    twice = next((site for site in drawn if site != "." and drawn.count(site) > 1), None)
    if twice:
        raise SettingsError(f"layouts.{game}: {twice[:12]} is drawn twice")
    return ((site, point) for site, point in zip(drawn, places, strict=True) if site != ".")


# What is refused ------------------------------------------------------------------------------


def check_apart(what: str, where: str, numbers: Mapping[str, tuple[int, ...]]) -> None:
    """Refuse two points on one channel or pixel."""
    owner: dict[int, str] = {}
    for name, used in numbers.items():
        for number in used:
            if number in owner:
                both = f"{owner[number]} and {name}" if owner[number] != name else f"{name}, twice,"
                raise SettingsError(f"{where}: {both} are on {what} {number}; a {what} belongs to one point")
            owner[number] = name


def check_range(channels: Mapping[str, int], scanner: Backend) -> None:
    """Refuse a channel that the scanner does not have."""
    most = scanner.settings.channels
    for name, channel in channels.items():
        if channel >= most:
            raise SettingsError(
                f"channels: {name} is on channel {channel}, and {scanner.kind} as it is set here has {most}, "
                f"0 to {most - 1}; give the point another channel, or mask it"
            )


def check_pins(file: BoardFile, scanner: Backend, lights: Backend) -> None:
    """Refuse a GPIO that has two uses; a strip and a scanner may share an SPI bus, each with a chip select."""
    sensing, lighting = set(scanner.settings.pins), set(lights.settings.pins)
    if hasattr(scanner.settings, "device") and sensing >= set(PINS) <= lighting:
        if scanner.settings.device == getattr(lights.settings, "device", 0):
            raise SettingsError("scanner.device: the lights have this chip select; give the scanner the other one")
        sensing -= set(PINS)
    if sensing & lighting:
        pin = min(sensing & lighting)
        raise SettingsError(f"lights: GPIO {pin} is taken by the scanner ({scanner.kind}); choose other pins for one")
    owner = dict.fromkeys(sensing, f"the scanner ({scanner.kind})") | dict.fromkeys(
        lighting, f"the lights ({lights.kind})"
    )
    named = {f"buttons.{name}": pin for name, pin in file.buttons.pins().items()}
    for name, pin in (named if file.buzzer is None else named | {"buzzer": file.buzzer}).items():
        if pin in owner:
            raise SettingsError(f"{name}: GPIO {pin} is taken by {owner[pin]}; choose another")
        owner[pin] = name
