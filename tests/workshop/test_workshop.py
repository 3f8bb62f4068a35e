"""`tablelight wire` and `tablelight doctor` as they are called, and what the doctor does with devices."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge.cli.main import parser
from firmware_bridge.workshop.doctor_command import (
    examine_settings,
    examine_table,
    show_lights,
    show_live,
    watch_sensors,
)
from firmware_bridge.workshop.machine import Machine, User
from hardware.board import Backend, Board, BoardFile, Points, build
from hardware.device import Colour, DeviceError, Levels, Sense
from hardware.power import estimate
from hardware.settings import Settings, SettingsError
from hardware.simulation.table import SimulatedTable

Capture = pytest.CaptureFixture[str]


def run(*arguments: str) -> int:
    """Run a command; its exit status, and whatever it raises."""
    wanted = parser().parse_args(arguments)
    status: int = wanted.do(wanted)
    return status


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user without a configuration."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


# The commands -----------------------------------------------------------------------------------


def test_wire_says_at_once_that_a_board_that_comes_along_is_not_written_over() -> None:
    with pytest.raises(SettingsError, match="-o my-registers"):
        run("wire")
    with pytest.raises(SettingsError, match="-o my-pits"):
        run("wire", "--board", "pits", "--force")


def test_wire_for_masked_points_wants_some(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[scanner]\nkind = "gpio_matrix"\n')
    with pytest.raises(SettingsError, match="no point is masked"):
        run("wire", "--board", str(path), "--masked")


def test_the_board_of_the_configuration_is_the_one_that_is_meant(tmp_path: Path) -> None:
    config = tmp_path / "tablelight.toml"
    config.write_text('[table]\nboard = "web"\n')
    with pytest.raises(SettingsError, match="-o my-web"):
        run("wire", "--config", str(config))


@pytest.mark.parametrize("arguments", [("wire", "--patience", "0"), ("doctor", "--seconds", "9999"),
                                       ("doctor", "--json", "--live"), ("doctor", "--seconds", "x")])  # fmt: skip
def test_what_makes_no_sense_is_refused(arguments: tuple[str, ...], capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        run(*arguments)
    assert capsys.readouterr().err


def test_json_is_all_there_is_on_standard_output(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "bad.toml"
    path.write_text("supply = -1\n")
    assert run("doctor", "--board", str(path), "--json") == 1
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is False
    (fault,) = [finding for finding in told["findings"] if finding["about"] == "board"]
    assert fault["grade"] == "fault"
    assert fault["say"].startswith(f"{path}: supply")


def pc(root: Path) -> Machine:
    """A computer that is no Pi and opens no pins."""

    def no_pins() -> str:
        raise DeviceError("there is no GPIO here")

    return Machine(root, User(1000, frozenset({1000})), pin_factory=no_pins)


def test_where_nobody_has_named_a_board_and_there_is_no_pi_all_is_well(tmp_path: Path, capsys: Capture) -> None:
    assert examine_table("grid", pc(tmp_path), named=False, seconds=1, show="") == 0
    out = capsys.readouterr().out
    assert "fault" not in out
    assert "remark  computer   This is not a Raspberry Pi" in out


def test_a_board_that_was_named_is_looked_at_everywhere(tmp_path: Path, capsys: Capture) -> None:
    assert examine_table(str(tmp_path / "none.toml"), pc(tmp_path), named=True, seconds=1, show="") == 1
    assert "fault   board" in capsys.readouterr().out


@pytest.mark.parametrize("show", ["live", "lights"])
def test_what_is_shown_is_shown_of_a_board(show: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="--board"):
        examine_table("grid", pc(tmp_path), named=False, seconds=1, show=show)


# Devices ----------------------------------------------------------------------------------------


class Own(Settings, frozen=True):
    """Settings of devices in memory."""

    channels: int = 4
    pins: tuple[int, ...] = ()


class Played:
    """A scanner that shows `frames` and is then left with Ctrl-C."""

    sense = Sense.PRESENCE
    channels = 4
    trouble = None
    settled = False

    def __init__(self, frames: list[Levels]) -> None:
        self._frames: Iterator[Levels] = iter(frames)
        self.closed = False

    def scan(self) -> Levels:
        """The next frame."""
        for frame in self._frames:
            return frame
        raise KeyboardInterrupt

    def close(self) -> None:
        """Remember it."""
        self.closed = True


def broken(*_: object) -> object:
    """A driver whose device is not there."""
    raise DeviceError("/dev/spidev0.0 is missing: switch SPI on")


def table(scanner: Callable[..., object] = broken, lights: Callable[..., object] = broken, supply: int = 1000) -> Board:
    """A board of four squares with these drivers."""
    file = BoardFile(points=Points(files=2, ranks=2), supply=supply)
    return build(file, Backend("played", scanner, Own()), Backend("memory", lights, Own()))


def no_sleep(_: float) -> None:
    """Time does not pass."""


def test_sensors_are_watched_for_as_long_as_was_said(capsys: Capture) -> None:
    still = SimulatedTable(["a1", "b1", "a2", "b2"], Sense.PRESENCE)
    scan, sensors = watch_sensors(table(lambda _: still), 0.02, aloud=True)
    assert (scan.grade, sensors.grade) == ("ok", "ok")
    assert "leave it alone" in capsys.readouterr().err
    assert watch_sensors(table(), 0.02, aloud=False)[0].say == "/dev/spidev0.0 is missing: switch SPI on."
    assert not capsys.readouterr().err


def test_live_changes_are_printed_where_no_terminal_is(capsys: Capture) -> None:
    scanner = Played([(0, 0, 0, 0), (0, 1, 0, 0), (0, 1, 0, 0), (0, 0, 0, 0)])
    assert not show_live(table(lambda _: scanner), no_sleep)
    assert [line.split(maxsplit=1)[1] for line in capsys.readouterr().out.splitlines()] == [
        "channel 1 (b1): . -> #",
        "channel 1 (b1): # -> .",
    ]
    assert scanner.closed


def test_sensors_or_lights_that_do_not_open_are_a_fault() -> None:
    assert show_live(table(), no_sleep)[0].grade == "fault"
    assert show_lights(table(), no_sleep)[0].grade == "fault"


def test_the_test_pictures_keep_to_the_supply_and_end_in_darkness(capsys: Capture) -> None:
    strip = SimulatedTable(["a1", "b1", "a2", "b2"], Sense.PRESENCE, length=4)
    (finding,) = show_lights(table(lights=lambda *_: strip, supply=200), no_sleep)
    assert finding.grade == "ok"
    assert "All lights in blue." in capsys.readouterr().out
    shown: list[tuple[Colour, ...]] = list(strip.pictures)
    assert max(map(estimate, shown)) <= 200
    assert [any(map(any, picture)) for picture in (shown[1], shown[-1])] == [True, False]


@pytest.mark.parametrize(
    ("token", "mode", "grades"),
    [
        ("0123456789", 0o644, ["remark"]),
        ("0123456789", 0o640, ["ok"]),
        ("0123456789", 0o600, ["ok"]),
        ("", 0o644, []),
    ],
)
def test_a_token_that_others_can_read_is_told(token: str, mode: int, grades: list[str], tmp_path: Path) -> None:
    path = tmp_path / "tablelight.toml"
    path.write_text(f'[page]\ntoken = "{token}"\n')
    path.chmod(mode)
    found = list(examine_settings(path))
    assert [finding.grade for finding in found] == grades
    assert all(f"chmod o-r {path}" in finding.say for finding in found if finding.grade == "remark")
    assert not any(token in finding.say for finding in found)
