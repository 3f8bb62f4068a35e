"""How a table is: the stopwatch of its scans, the structure, and the four ways in which it is told."""

from __future__ import annotations

import re
import tracemalloc
from pathlib import Path

import pytest

from firmware_bridge.health import (
    PAGE,
    PARTS,
    READING,
    SCENE,
    SENSORS,
    Helper,
    Status,
    Stopwatch,
    journal_line,
    metrics,
    read_computer,
    rows,
)
from firmware_bridge.i18n import LANGUAGES, words

# The stopwatch --------------------------------------------------------------------------------


class Clock:
    """A clock that is set by hand, in seconds."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def scan(watch: Stopwatch, clock: Clock, late: float = 0.0, **parts: float) -> None:
    """One scan every 10 ms whose parts take so many seconds."""
    due = clock.now + 0.01
    clock.now = due + late
    watch.begin(due)
    for part, seconds in parts.items():
        clock.now += seconds
        watch.lap(PARTS.index(part))
    watch.end()


def test_the_worst_scan_is_told_by_its_parts() -> None:
    watch = Stopwatch(clock := Clock())
    scan(watch, clock, sensors=0.001, reading=0.002)
    scan(watch, clock, sensors=0.001, reading=0.001, scene=0.004, page=0.0005)
    scan(watch, clock, sensors=0.003)
    worst = watch.worst(clock.now)
    assert tuple(worst) == PARTS
    told = {part: seconds for part, seconds in worst.items() if seconds > 1e-9}
    assert told == pytest.approx({"sensors": 0.001, "reading": 0.001, "scene": 0.004, "page": 0.0005})


def test_a_scan_that_begins_late_is_slow_by_that() -> None:
    watch = Stopwatch(clock := Clock())
    scan(watch, clock, sensors=0.004)
    scan(watch, clock, late=0.005, sensors=0.001)
    assert watch.worst(clock.now)["late"] == pytest.approx(0.005)


def test_a_scan_that_begins_early_is_not_late() -> None:
    watch = Stopwatch(clock := Clock())
    watch.begin(clock.now + 5.0)
    clock.now += 0.001
    watch.lap(SENSORS)
    watch.end()
    assert sum(watch.worst(clock.now).values()) == pytest.approx(0.001)


def test_the_worst_scan_is_forgotten_after_a_minute_and_not_before() -> None:
    watch = Stopwatch(clock := Clock())
    scan(watch, clock, reading=0.5)
    begun = clock.now
    while clock.now < begun + 59.0:
        scan(watch, clock, sensors=0.001)
    assert watch.worst(clock.now)["reading"] == pytest.approx(0.5)
    while clock.now < begun + 71.0:
        scan(watch, clock, sensors=0.001)
    assert watch.worst(clock.now)["reading"] == 0.0


@pytest.mark.parametrize("seconds", [3.0, 25.0, 200.0])
def test_the_rate_is_that_of_the_last_minute_or_since_the_beginning(seconds: float) -> None:
    watch = Stopwatch(clock := Clock())
    for _ in range(round(seconds * 100)):
        scan(watch, clock)
    assert watch.rate(clock.now) == pytest.approx(100, rel=0.01)
    assert watch.silent(clock.now) < 0.011
    clock.now += 100.0
    assert watch.rate(clock.now) == 0.0
    assert watch.silent(clock.now) == pytest.approx(100, abs=0.02)
    assert watch.worst(clock.now) == {}


def test_scans_allocate_nothing_that_stays() -> None:
    watch = Stopwatch(clock := Clock())

    def scans(count: int) -> None:
        for _ in range(count):
            watch.begin(clock.now)
            for part in (SENSORS, READING, SCENE, PAGE):
                watch.lap(part)
            clock.now = watch.end() + 0.01

    scans(10_000)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    scans(10_000)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 2000


# The computer ---------------------------------------------------------------------------------


def pretended(root: Path, temperature: str = "52300", throttled: str = "50005") -> Path:
    """The files of a Pi's kernel below `root`."""
    for path, text in (
        ("sys/class/thermal/thermal_zone0/temp", temperature),
        ("sys/devices/platform/soc/soc:firmware/get_throttled", throttled),
    ):
        (root / path).parent.mkdir(parents=True)
        (root / path).write_text(f"{text}\n")
    return root


def test_temperature_throttling_and_space_are_read(tmp_path: Path) -> None:
    computer = read_computer(tmp_path / "not" / "there", pretended(tmp_path))
    assert (computer.temperature, computer.throttled) == (52.3, 0x50005)
    assert computer.free
    assert computer.free > 0


def test_a_computer_that_says_nothing_is_no_fault(tmp_path: Path) -> None:
    assert read_computer(tmp_path, tmp_path)[:2] == (None, None)
    assert read_computer(tmp_path, pretended(tmp_path, "hot", ""))[:2] == (None, None)


def test_mistakes_of_a_card_are_read_and_told(tmp_path: Path) -> None:
    assert read_computer(tmp_path, tmp_path).mistakes == ()
    (tmp_path / "state").mkdir()
    (tmp_path / "state/mistakes").write_text("lights.brightness: too bright.\n[tabel]: there is no such part.\n")
    told = Status(7, "0", 1.0, 100.0, 0.0, {}, mistakes=read_computer(tmp_path, tmp_path).mistakes)
    assert [text for about, text in rows(told, words("en")) if about == "Set-up"] == [
        "lights.brightness: too bright. Change that in tablelight.txt on the card, and start again.",
        "[tabel]: there is no such part. Change that in tablelight.txt on the card, and start again.",
    ]
    assert "set_up_mistakes=2" in journal_line(told)


# What is told ---------------------------------------------------------------------------------

WORST = dict.fromkeys(PARTS, 0.0) | {"reading": 0.0105, "scene": 0.002}
FULL = Status(
    7, "0.1.0", 3600.0, 99.96, 0.004, WORST, {"page": Helper(2, 1.25), "engine": Helper(1)},
    {"lie": ("c3", "d4"), "masked": ('a"1',)}, 52.3, 0x50000, 12_345_678_901,
)  # fmt: skip
BARE = Status(7, "0.1.0", 0.1, 42.0, 42.0, {})


def test_rows_are_for_people() -> None:
    told = rows(FULL, words("en"))
    assert told[:4] == [
        ("Scans", "100 a second"),
        ("Slowest scan", "12.5 ms in the last minute, 10.5 ms of it for this: reading the hands"),
        ("Page", "heard 1 s ago; starts: 2"),
        ("Engine", "does not run just now and is started by itself; starts: 1"),
    ]
    assert ("Sensors", "c3, d4: shows something else than lies there; check the switch and its wires") in told
    assert ("Computer", "52 °C") in told
    assert told[-1] == ("Card", "12.35 GB free")


def test_a_loop_that_stands_still_is_told() -> None:
    ((about, told), (_, sensors)) = rows(BARE, words("en"))
    assert (about, told.partition(":")[0]) == ("Scans", "none for 42 s")
    assert sensors.startswith("nothing ails them")


@pytest.mark.parametrize(
    ("bits", "told"),
    [
        (0x0, "enough voltage"),
        (0x1, "too little voltage"),
        (0x50005, "too little voltage"),
        (0x2, "slowed down"),
        (0x80008, "slowed down"),
        (0x50000, "was short of voltage"),
        (0xE0000, "was slowed down"),
    ],
)
def test_power_and_heat_are_told_by_the_worst_of_them(bits: int, told: str) -> None:
    status = Status(7, "0", 1.0, 100.0, 0.0, {}, throttled=bits)
    assert dict(rows(status, words("en")))["Computer"].startswith(told)


def test_a_card_that_is_all_but_full_asks_for_room() -> None:
    assert "make room" in dict(rows(Status(7, "0", 1.0, 100.0, 0.0, {}, free=99_999_999), words("en")))["Card"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_part_and_every_ailment_has_its_words(language: str) -> None:
    ailments = ("lie", "loose", "restless", "crosstalk", "late", "miscount", "mute", "masked")
    for part in PARTS:
        status = Status(7, "0", 1.0, 100.0, 0.0, {part: 1.0}, sensors=dict.fromkeys(ailments, ("c3",)))
        assert len(rows(status, words(language))) == 2 + len(ailments)


def test_the_journal_has_one_line_of_keys_and_values() -> None:
    assert journal_line(FULL) == (
        "scans_hz=100.0 worst_ms=12.5 worst_part=reading page_starts=2 page_beat_s=1.2 engine_starts=1 "
        'sensors_lie=c3,d4 sensors_masked=a"1 temperature_c=52.3 throttled=0x50000 free_mb=12346'
    )
    assert journal_line(BARE) == "scans_hz=42.0"


SAMPLE = re.compile(r'tablelight_[a-z_]+(\{[a-z]+="(?:[^"\\\n]|\\.)*"(,[a-z]+="(?:[^"\\\n]|\\.)*")*\})? [0-9.e+-]+')
"""A line of the format with a value, as its specification has it."""


@pytest.mark.parametrize("status", [FULL, BARE])
def test_metrics_keep_to_the_format_of_prometheus(status: Status) -> None:
    told = metrics(status)
    assert told.endswith("\n")
    seen: list[str] = []
    for line in told.splitlines():
        if line.startswith("# HELP "):
            seen.append(line.split()[2])
        elif line.startswith("# TYPE "):
            assert line.split()[2:] in ([seen[-1], "gauge"], [seen[-1], "counter"])
        else:
            assert SAMPLE.fullmatch(line), line
            assert line.startswith((f"{seen[-1]} ", f"{seen[-1]}{{"))
    assert len(seen) == len(set(seen))


def test_metrics_are_in_seconds_and_bytes() -> None:
    told = metrics(FULL).splitlines()
    for line in (
        'tablelight_worst_scan_seconds{part="reading"} 0.0105',
        'tablelight_helper_starts_total{helper="page"} 2',
        'tablelight_helper_beat_age_seconds{helper="page"} 1.25',
        'tablelight_sensor_ailing{ailment="masked",site="a\\"1"} 1',
        'tablelight_throttled{by="voltage"} 0',
        "tablelight_free_bytes 12345678901",
    ):
        assert line in told
    assert not any("beat_age" in line and "engine" in line for line in told)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("helper", ["page", "engine", "link"])
def test_every_process_beside_the_table_has_a_name_in_words(language: str, helper: str) -> None:
    assert words(language).text(f"status.{helper}") not in ("", f"status.{helper}")
