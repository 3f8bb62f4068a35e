"""Board files: which channel reads each point of a table and which pixels light it, its buttons and its supply.

    title = "Eight by eight"           [scanner]              [pixels]
    supply = 2000                      kind = "gpio_matrix"   corner = "a8"
    masked = ["e4"]                    [lights]               serpentine = true
    [points]                           kind = "ws2812_spi"    status = [64, 65]
    files = 8                          [channels]             [buttons]
    ranks = 8                          at = {a1 = 9, b1 = 3}  done = 5

Points are squares, ``a1`` to ``h8``, or a list of names. Channels and pixels are given as a run over the points,
from a corner and row by row, with exceptions in ``at``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, field

from hardware.backends import find, names
from hardware.device import LAMPS, DeviceError, Lights, Scanner, Sense
from hardware.points import PointLights, PointSensors
from hardware.runs import Channels, Pixels, Points, check_names, read_drawing, run_channels, run_pixels, size
from hardware.settings import Pin, Settings, SettingsError, convert, plain, read_toml
from hardware.spi import PINS

FOLDER = Path(__file__).parent / "boards"
GRID = FOLDER / "grid.toml"


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

    A board as large as `GRID` that draws nothing has the drawings of that one.
    """


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
        scanner: Scanner = self.scanner.driver(self.scanner.settings)
        return scanner

    def open_lights(self) -> Lights:
        """The lights, dark; DeviceError."""
        lights: Lights = self.lights.driver(self.lights.settings, self.length)
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
    rest = {key: value for key, value in table.items() if key != "kind"}
    return Backend(kind, driver, convert(rest, driver.Settings, where))


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
    layouts = file.layouts or usual_layouts(file.points)
    drawn = {game: dict(read_drawing(plain(game), text, places)) for game, text in layouts.items()}
    return Board(
        file.title, places, not file.points.names, channels, pixels, file.pixels.status, file.supply, scanner, lights,
        file.buttons, file.buzzer, drawn,
    )  # fmt: skip


def usual_layouts(points: Points) -> dict[str, str]:
    """The drawings for a board of these points that has none of its own."""
    usual = convert(read_toml(GRID), BoardFile)
    return usual.layouts if points == usual.points else {}


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
