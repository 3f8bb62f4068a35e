"""How a table is, as one structure, and the four ways in which it is told.

`rows` are for people, in the terminal and on the page; `journal_line` is for the journal; `metrics` are for Prometheus
and what reads the same format. JSON is the structure itself.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from firmware_bridge.i18n import Words, plain_line
from games.rules import Reason, say
from hardware import files

STILL = 1.0
"""Seconds without a scan after which the loop is said to stand still; a guess: a hundred scans are missing by then."""
LITTLE = 100_000_000
"""Bytes of free space below which room is asked for; a guess: thousands of records, but little for all else."""
THERMAL = "sys/class/thermal/thermal_zone0/temp"
THROTTLED = "sys/devices/platform/soc*/*firmware/get_throttled"
"""What the Pi's firmware says, as its kernel shows it: the bits of ``vcgencmd get_throttled`` in hexadecimal."""
VOLTAGE, SLOWED = 0x1, 0xE
"""Bits: too little voltage; slowed down by heat or voltage. The same 16 bits higher: so it was since the start."""
EARLIER = 16
MISTAKES = "state/mistakes"
"""What a card's first start could not use of its file, a sentence a line (`firmware_bridge.workshop.first_start`)."""
MOST = 4000
"""Bytes of that at most; a guess."""
MS, MB, GB = 1e3, 1e6, 1e9


class Helper(Struct, frozen=True):
    """A process beside the daemon: how often it was started, and how long ago it was heard (seconds), if it runs."""

    starts: int
    beat: float | None = None


class Computer(NamedTuple):
    """What the computer says of itself; None where it does not."""

    temperature: float | None = None
    """In degrees Celsius."""
    throttled: int | None = None
    """The bits of the Pi's firmware."""
    free: int | None = None
    """Bytes on the disk that records go to."""
    mistakes: tuple[str, ...] = ()
    """Sentences about the file with which a card is set up, where something in it cannot be used."""


class Status(Struct, frozen=True):
    """How a table is."""

    pid: int
    version: str
    uptime: float
    """Seconds since the program began to scan."""
    scans: float
    """A second, in the last minute."""
    silent: float
    """Seconds since the last scan."""
    worst: dict[str, float]
    """The parts of the slowest scan of the last minute, in seconds, with how late it began; empty if there was none."""
    helpers: dict[str, Helper] = {}
    """The processes that were started, by name: ``page``, ``engine``, ``link``, ``meet``, ``home``."""
    sensors: dict[str, tuple[str, ...]] = {}
    """What ails sensors more likely than not, each with the sites."""
    temperature: float | None = None
    throttled: int | None = None
    free: int | None = None
    mistakes: tuple[str, ...] = ()
    """As in `Computer`."""

    @property
    def slowest(self) -> float:
        """What the slowest scan of the last minute took, in seconds."""
        return sum(self.worst.values())

    @property
    def cause(self) -> str:
        """The part that took most of it; empty if there was no scan."""
        return max(self.worst, key=lambda part: self.worst[part], default="")


# The computer -----------------------------------------------------------------------------------


def read_computer(records: Path, root: Path = Path("/")) -> Computer:
    """What the computer below `root` says of itself; slow where it is a Pi, so never asked in a scan."""
    degrees = read_number(root / THERMAL, 10)
    bits = next((read_number(path, 16) for path in sorted(root.glob(THROTTLED))), None)
    return Computer(degrees / 1000 if degrees is not None else None, bits, free_space(records), mistakes(root))


def mistakes(root: Path) -> tuple[str, ...]:
    """What is wrong with the file of a card; nothing where there is no such card."""
    try:
        return tuple(files.read(root / MISTAKES, MOST).decode(errors="replace").splitlines())
    except OSError:
        return ()


def read_number(path: Path, base: int) -> int | None:
    """The number that a file of the kernel shows; None if it shows none."""
    try:
        return int(path.read_text(), base)
    except (OSError, ValueError):
        return None


def free_space(folder: Path) -> int | None:
    """Bytes that users may still write where `folder` is, or will be; None if that cannot be known."""
    for place in (folder, *folder.absolute().parents):
        try:
            disk = os.statvfs(place)
        except FileNotFoundError:
            continue
        except OSError:
            return None
        return disk.f_bavail * disk.f_frsize
    return None


# For people -------------------------------------------------------------------------------------


def rows(status: Status, words: Words) -> list[tuple[str, str]]:
    """What each line is about, and what there is to say of it."""
    told = (*_of_scans(status, words), *_of_helpers(status), *_of_sensors(status, words), *_of_computer(status))
    return [(words.text(f"status.{about}"), words.say(reason)) for about, reason in told]


def _of_scans(status: Status, words: Words) -> Iterator[tuple[str, Reason]]:
    if status.silent > STILL:
        yield "scans", Reason.of("status.still", seconds=round(status.silent))
    else:
        yield "scans", Reason.of("status.rate", rate=f"{status.scans:.0f}")
    if status.worst:
        most, part = status.worst[status.cause], words.text(f"status.part-{status.cause}")
        yield (
            "worst",
            Reason.of("status.slowest", ms=f"{MS * status.slowest:.1f}", most=f"{MS * most:.1f}", part=part),
        )


def _of_helpers(status: Status) -> Iterator[tuple[str, Reason]]:
    for name, helper in status.helpers.items():
        if helper.beat is None:
            yield name, Reason.of("status.gone", starts=helper.starts)
        else:
            yield name, Reason.of("status.heard", seconds=f"{helper.beat:.0f}", starts=helper.starts)


def _of_sensors(status: Status, words: Words) -> Iterator[tuple[str, Reason]]:
    for reason in ailments(status.sensors, words):
        yield "sensors", reason
    if not status.sensors:
        yield "sensors", Reason.of("status.sound")


def ailments(sensors: Mapping[str, tuple[str, ...]], words: Words) -> Iterator[Reason]:
    """A sentence for each ailment of the `sensors` of a status."""
    for ailment, sites in sensors.items():
        yield Reason.of("status.ailing", sites=", ".join(sites), what=words.text(f"status.{ailment}"))


def _of_computer(status: Status) -> Iterator[tuple[str, Reason]]:
    if status.temperature is not None:
        yield "computer", Reason.of("status.degrees", degrees=f"{status.temperature:.0f}")
    if status.throttled is not None:
        yield "computer", Reason.of(f"status.{_power(status.throttled)}")
    if status.free is not None:
        id = "little" if status.free < LITTLE else "free"
        yield "card", Reason.of(f"status.{id}", gb=f"{status.free / GB:.2f}")
    for mistake in status.mistakes:
        yield "set-up", Reason.of("status.mistake", mistake=mistake)


def _power(bits: int) -> str:
    """How the Pi is powered and cooled, as the end of a message id: the worst that holds now, else that did before."""
    for name, mask in (("voltage", VOLTAGE), ("slowed", SLOWED)):
        if bits & mask:
            return name
    return "voltage-before" if bits >> EARLIER & VOLTAGE else "slowed-before" if bits >> EARLIER & SLOWED else "well"


# For the journal, and for those who collect -------------------------------------------------------


def journal_line(status: Status) -> str:
    """One line of words ``key=value``."""
    told: dict[str, object] = {"scans_hz": f"{status.scans:.1f}"}
    if status.worst:
        told |= {"worst_ms": f"{MS * status.slowest:.1f}", "worst_part": status.cause}
    for name, helper in status.helpers.items():
        told[f"{name}_starts"] = helper.starts
        if helper.beat is not None:
            told[f"{name}_beat_s"] = f"{helper.beat:.1f}"
    told |= {f"sensors_{ailment}": ",".join(sites) for ailment, sites in status.sensors.items()}
    if status.temperature is not None:
        told["temperature_c"] = f"{status.temperature:.1f}"
    if status.throttled is not None:
        told["throttled"] = f"{status.throttled:#x}"
    if status.free is not None:
        told["free_mb"] = f"{status.free / MB:.0f}"
    if status.mistakes:
        told["set_up_mistakes"] = len(status.mistakes)
    return plain_line(" ".join(f"{key}={value}" for key, value in told.items()))


def metrics(status: Status) -> str:
    """The text exposition format of Prometheus, version 0.0.4; seconds and bytes, as its conventions have it."""
    return "".join(f"{line}\n" for line in _exposed(status))


def _exposed(status: Status) -> Iterator[str]:
    yield from metric("info", "Version of the program.", {labels(version=status.version): 1})
    yield from metric("uptime_seconds", "Time since the program began to scan.", {"": status.uptime})
    yield from metric("scans_per_second", "Scans a second in the last minute.", {"": status.scans})
    yield from metric("last_scan_age_seconds", "Time since the last scan.", {"": status.silent})
    about = "Parts of the slowest scan of the last minute; their sum is the whole."
    worst: dict[str, float] = {labels(part=part): seconds for part, seconds in status.worst.items()}
    yield from metric("worst_scan_seconds", about, worst)
    started: dict[str, float] = {labels(helper=name): helper.starts for name, helper in status.helpers.items()}
    yield from metric("helper_starts_total", "Times that a helper process was started.", started, "counter")
    beats = {labels(helper=name): each.beat for name, each in status.helpers.items() if each.beat is not None}
    yield from metric("helper_beat_age_seconds", "Time since a helper process was heard.", beats)
    ailing: dict[str, float] = {
        labels(ailment=ailment, site=site): 1 for ailment, sites in status.sensors.items() for site in sites
    }
    yield from metric("sensor_ailing", "Sensors that more likely than not have an ailment.", ailing)
    if status.temperature is not None:
        yield from metric("temperature_celsius", "Temperature of the processor.", {"": status.temperature})
    if status.throttled is not None:
        now: dict[str, float] = {
            labels(by="voltage"): int(bool(status.throttled & VOLTAGE)),
            labels(by="speed"): int(bool(status.throttled & SLOWED)),
        }
        yield from metric("throttled", "Whether the Pi lacks voltage or was slowed down, now.", now)
    if status.free is not None:
        yield from metric("free_bytes", "Free space where records are kept.", {"": status.free})


def metric(name: str, about: str, values: dict[str, float], kind: str = "gauge") -> Iterator[str]:
    """The lines of one metric, its values by their labels; none without a value."""
    if values:
        yield f"# HELP tablelight_{name} {about}"
        yield f"# TYPE tablelight_{name} {kind}"
        yield from (f"tablelight_{name}{labelled} {value:.12g}" for labelled, value in values.items())


def labels(**values: str) -> str:
    """``{name="value"}``, with what the format asks to be escaped."""
    escaped = {
        name: value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n") for name, value in values.items()
    }
    return "{" + ",".join(f'{name}="{value}"' for name, value in escaped.items()) + "}"


say(
    "status",
    title="How the table is",
    scans="Scans",
    worst="Slowest scan",
    page="Page",
    engine="Engine",
    link="Line to the other table",
    meet="Way to another table",
    home="Line to Home Assistant",
    sensors="Sensors",
    computer="Computer",
    card="Card",
    set_up="Set-up",
    mistake="{mistake} Change that in tablelight.txt on the card, and start again.",
    rate="{rate} a second",
    still="none for {seconds} s: the table stands still. Start it anew (sudo systemctl restart tablelight); the game "
    "is kept",
    slowest="{ms} ms in the last minute, {most} ms of it for this: {part}",
    part_late="other programs kept the computer busy",
    part_session="buttons, menus, the beginning of a game",
    part_sensors="asking the sensors",
    part_reading="reading the hands",
    part_engine="taking in what the engine found",
    part_record="writing the record down",
    part_scene="showing the lights",
    part_page="telling the page",
    heard="heard {seconds} s ago; starts: {starts}",
    gone="does not run just now and is started by itself; starts: {starts}",
    sound="nothing ails them, as far as the games have shown",
    ailing="{sites}: {what}",
    lie="shows something else than lies there; check the switch and its wires",
    loose="lets go for moments; check its contact",
    restless="sees pieces come and go that no hand moves; check its contact",
    crosstalk="sees what happens beside it; move it away from its neighbour, or part the wires",
    late="sees late that a piece has gone; try a weaker magnet, or another switch",
    miscount="miscounts seeds; see that nothing touches its pit",
    mute="tells nothing; check its contact",
    masked="is not believed, since the players insisted; check its contact",
    degrees="{degrees} °C",
    voltage="too little voltage: take a stronger power supply, or a shorter cable",
    voltage_before="was short of voltage since its start: take a stronger power supply, or a shorter cable",
    slowed="slowed down, mostly since it is too hot: give it air or a heat sink",
    slowed_before="was slowed down since its start, mostly by heat: give it air or a heat sink",
    well="enough voltage, and not slowed down",
    free="{gb} GB free",
    little="{gb} GB free: make room, or no more games are kept",
)
