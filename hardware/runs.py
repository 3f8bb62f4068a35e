"""The points of a board, and how channels and pixels run over them: row by row from a corner, with exceptions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from string import ascii_lowercase
from typing import Annotated, Literal

from msgspec import Meta, field

from hardware.settings import Settings, SettingsError

MOST = 1023
"""The highest channel or pixel that a board file may name."""

Number = Annotated[int, Meta(ge=0, le=MOST)]
Name = Annotated[str, Meta(pattern="^[A-Za-z][A-Za-z0-9]{0,7}$")]
Side = Annotated[int, Meta(ge=1, le=16)]


Places = Mapping[str, tuple[int, int]]


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
