"""The board file that `wire` writes: nothing else in it changes, nothing is lost, and it reads back."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from firmware_bridge.workshop.calibration import Tuning
from firmware_bridge.workshop.wire_command import (
    Frame,
    Prompt,
    conclude_board,
    follow,
    keep_partial,
    read_unwired,
    softened,
    target_file,
    with_wiring,
    write_wired,
)
from firmware_bridge.workshop.wiring import WHITE, Wired, Wiring
from hardware.board import Backend, Board, boards, build, read_board
from hardware.board import BoardFile as File
from hardware.device import DeviceError, Levels, Sense
from hardware.settings import Settings, SettingsError, convert, read_toml
from hardware.simulation.table import SimulatedTable

GRID = boards()["grid"]
Capture = pytest.CaptureFixture[str]


def wiring(path: Path, *dead: str, seed: int = 1) -> Wired:
    """Channels at random for all points of a board but the dead ones."""
    points = [point for point in read_unwired(path).places if point not in dead]
    channels = dict(zip(points, random.Random(seed).sample(range(64), len(points)), strict=True))
    return Wired(channels, (), dead, {}, {}, {}, {}, (), (), None)


# The file ---------------------------------------------------------------------------------------


def test_only_channels_and_masked_points_change(tmp_path: Path) -> None:
    target, found = tmp_path / "mine.toml", wiring(GRID, "e4", "h8")
    assert write_wired(GRID, target, found) is None
    before, after = GRID.read_text().splitlines(), target.read_text().splitlines()
    changed = [new for old, new in zip(before, after, strict=True) if old != new]
    assert [line.split()[0] for line in changed] == ["masked", "at"]
    assert all("#" in line for line in changed)
    assert read_board(target).channels == found.channels
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(
    "channels",
    [
        "at = {z9 = 1}",
        "at = {a1 = 3, b1 = 3}",
        "at = {a1 = 99999}",
        'corner = "e5"',
        "corner = 7",
        "first = 1000",
        "at = 3",
        "depth = 3",
    ],
)
def test_a_map_of_channels_that_is_wrong_stops_nothing(channels: str, tmp_path: Path) -> None:
    source = tmp_path / "old.toml"
    source.write_text(f'# mine\nmasked = ["q7"]\n[channels]\n{channels}\n[buttons] # four\ndone = 18\n')
    with pytest.raises(SettingsError):
        read_board(source)
    found = wiring(source, "c3")
    write_wired(source, source, found)
    assert read_board(source).channels == found.channels
    assert source.read_text().startswith("# mine\n")
    assert "[buttons] # four" in source.read_text()
    assert (tmp_path / "old.toml.old").read_text().endswith(f"{channels}\n[buttons] # four\ndone = 18\n")


@pytest.mark.parametrize(
    "text", ["", "channels = 3\n", "channels.at.a1 = 7\nchannels.first = 2\n", "[channels.at]\na1 = 7\n"]
)
def test_files_are_written_whichever_way_they_are_laid_out(text: str, tmp_path: Path) -> None:
    source = tmp_path / "old.toml"
    source.write_text(text)
    found = wiring(source, "a1")
    write_wired(source, source, found)
    assert read_board(source).channels == found.channels


def test_other_faults_of_the_file_are_said_before_the_work(tmp_path: Path) -> None:
    source = tmp_path / "bad.toml"
    source.write_text("supply = -1\n")
    with pytest.raises(SettingsError, match=f"{source}: supply"):
        read_unwired(source)


def test_a_file_that_would_not_read_back_is_not_written(tmp_path: Path) -> None:
    source = tmp_path / "mine.toml"
    source.write_text("# mine\n")
    for wrong in ({"a1": 700}, {"a1": 3, "b1": 3}):
        with pytest.raises(SettingsError, match=re.escape(f"{source}: channels")):
            write_wired(source, source, wiring(source)._replace(channels=wrong))
    assert source.read_text() == "# mine\n"
    assert list(tmp_path.iterdir()) == [source]


def test_settings_that_the_scanner_does_not_have_are_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    source = tmp_path / "mine.toml"
    source.write_text('[scanner]\nkind = "gpio_matrix" # mine\n')
    found = wiring(source)._replace(tuning=Tuning((512,) * 64, 60, 8))
    with pytest.raises(SettingsError, match="scanner.empty"):  # a matrix of switches has nothing to calibrate
        write_wired(source, source, found)
    assert source.read_text() == '[scanner]\nkind = "gpio_matrix" # mine\n'
    assert f"empty = [{', '.join(['512'] * 64)}]\nthreshold = 60\nhysteresis = 8\n" in with_wiring(source, found)


# Which file -------------------------------------------------------------------------------------


def test_a_board_that_comes_along_is_not_written_over() -> None:
    with pytest.raises(SettingsError, match="-o my-grid.toml"):
        target_file("grid", GRID, None, force=True)


def test_a_file_that_exists_takes_force_unless_it_is_the_boards_own(tmp_path: Path) -> None:
    source, other = tmp_path / "mine.toml", tmp_path / "other.toml"
    source.touch()
    other.touch()
    assert target_file(str(source), source, None, force=False) == source
    assert target_file(str(source), source, source, force=False) == source
    with pytest.raises(SettingsError, match="--force"):
        target_file(str(source), source, other, force=False)
    assert target_file(str(source), source, other, force=True) == other


@pytest.mark.parametrize("name", ["none/mine.toml", "."])
def test_a_place_where_no_file_can_be_is_refused_at_once(name: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError):
        target_file("grid", GRID, tmp_path / name, force=True)


# The course -------------------------------------------------------------------------------------


class Memory:
    """A driver of lights and sensors over a simulated table; `fails` are pictures that it refuses."""

    class Settings(Settings, frozen=True):
        """As many channels as a board may have."""

        channels: int = 64
        pins: tuple[int, ...] = ()

    def __init__(self, table: SimulatedTable, fails: range = range(0), refresh: float | None = None) -> None:
        self.table, self.fails, self.count = table, fails, 0
        self.pixels, self.refresh = table.pixels, refresh

    def show(self, picture: list[tuple[int, int, int]]) -> None:
        """Show it, unless this is one that fails."""
        self.count += 1
        if self.count in self.fails:
            raise DeviceError("the strip takes no picture: see its wire")
        self.table.show(picture)

    def close(self) -> None:
        """Go dark."""
        self.table.close()


@dataclass
class Absent:
    """Lights that are not there."""

    settings: Settings
    length: int

    def __post_init__(self) -> None:
        raise DeviceError("there is no /dev/spidev0.0: switch SPI on")


def table_with(path: Path, lights: object, table: SimulatedTable) -> Board:
    """The board of a file with drivers of its own."""
    file = convert(read_toml(path), File)
    settings = Memory.Settings()
    return build(file, Backend("memory", lambda _: table, settings), Backend("memory", lambda *_: lights, settings))


def played(table: SimulatedTable, wires: dict[str, int], *, look: bool, asked: Wiring) -> Iterator[Frame]:
    """Frames in which one piece is carried to where the lights, or else the sentences, say."""
    for tick in range(4000):
        lit = [site for site in table.sites if any(table.light(site))]
        point = (lit[0] if len(lit) == 1 else "") if look else asked.ask.put
        levels: Levels = tuple(int(wires.get(point) == channel) for channel in range(64))
        yield Frame(tick / 50, levels)


def simulated(path: Path) -> SimulatedTable:
    """A table with the pixels of a board."""
    plan = read_board(path)
    return SimulatedTable(tuple(plan.places), Sense.PRESENCE, plan.places, pixels=plan.pixels)


@pytest.mark.parametrize("fails", [range(0), range(5, 9)])
def test_the_whole_course_from_lights_to_file(fails: range, tmp_path: Path, capsys: Capture) -> None:
    source = tmp_path / "mine.toml"
    source.write_text('# mine\n[pixels]\nserpentine = true\nstatus = [64, 65]\n[lights]\nkind = "ws2812_spi"\n')
    table, wires = simulated(source), dict(wiring(source, "c3").channels)
    plan = table_with(source, Memory(table, fails), table)
    asked = Wiring(tuple(plan.places), 64)
    follow(asked, plan, played(table, wires, look=not fails, asked=asked))
    assert table.closed
    assert asked.result is not None
    assert conclude_board(asked.result, plan, source, source) == 0
    assert read_board(source).channels == wires
    out = capsys.readouterr()
    assert "63 of 64 points have their channel." in out.out
    assert "c3: no channel changes with a piece there" in out.out
    assert out.err.splitlines()[-1].startswith("63 of 64")
    third = next(line for line in out.out.splitlines() if line.startswith("  3 "))
    assert third.split()[1:] == [str(wires.get(f"{file}3", "--")) for file in "abcdefgh"]


def test_without_lights_the_sentences_lead_on(tmp_path: Path, capsys: Capture) -> None:
    source = tmp_path / "mine.toml"
    source.write_text("[points]\nfiles = 3\nranks = 2\n")
    table = simulated(source)
    file = convert(read_toml(source), File)
    plan = build(file, *(Backend("absent", driver, Memory.Settings()) for driver in (Absent, Absent)))
    wires = dict(wiring(source).channels)
    asked = Wiring(tuple(plan.places), 64)
    follow(asked, plan, played(table, wires, look=False, asked=asked))
    assert asked.result is not None
    assert asked.result.channels == wires
    err = capsys.readouterr().err.splitlines()
    assert err[0] == "The lights stay dark: there is no /dev/spidev0.0: switch SPI on. Follow what is said here."
    assert "0 of 6: Put a piece on a1." in err
    assert "3 of 6, 1 s left: Put a piece on a2." in err


def test_lights_that_forget_are_told_again_while_a_hand_takes_its_time(tmp_path: Path) -> None:
    source = tmp_path / "mine.toml"
    source.write_text("supply = 2000\n")
    table = simulated(source)
    plan = table_with(source, lights := Memory(table, refresh=1.0), table)
    follow(Wiring(tuple(plan.places), 64), plan, (Frame(tick / 50, (0,) * 64) for tick in range(501)))
    assert 10 <= lights.count <= 12
    assert table.pictures[-6] == table.pictures[-2] != table.pictures[-1]


def test_pictures_keep_to_the_supply(tmp_path: Path) -> None:
    source = tmp_path / "mine.toml"
    source.write_text("supply = 400\n")
    table = simulated(source)
    plan = table_with(source, Memory(table), table)
    asked = Wiring(tuple(plan.places), 64)
    follow(asked, plan, (Frame(tick / 50, (1,) * 8 + (0,) * 56) for tick in range(100)))
    assert asked.ask.clear
    assert 0 < max(map(max, table.pictures[-2])) < WHITE[0]  # the last picture is darkness


def test_what_was_found_before_the_course_was_left_is_kept_beside_the_file(tmp_path: Path, capsys: Capture) -> None:
    source = tmp_path / "mine.toml"
    source.write_text("# mine\n")
    keep_partial(wiring(source, "h8"), 0, source, source)
    part = tmp_path / "mine.part.toml"
    assert source.read_text() == "# mine\n"
    assert len(read_board(part).channels) == 63
    assert f"tablelight wire --board {part} --masked -o {source} --force" in capsys.readouterr().err
    keep_partial(wiring(source)._replace(channels={}), 0, source, tmp_path / "other.toml")
    assert "No point was found yet" in capsys.readouterr().err
    assert not (tmp_path / "other.part.toml").exists()


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """It is."""
        return True


def test_on_a_terminal_there_is_one_line_with_a_bar() -> None:
    screen, asked = Screen(), Wiring(["a1", "b1"], 2, known={"c1": 5})
    prompt = Prompt(screen)
    for tick in range(150):
        asked.feed((int(tick > 110), 0), tick / 50)
    prompt.show(asked)
    prompt.end()
    assert screen.getvalue() == "\r\x1b[J[==========          ] 1 of 2, 1 s left: Put a piece on b1.\n"


def test_a_sentence_of_several_lines_is_written_over_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    screen, asked = Screen(), Wiring(["a1", "b1"], 2)
    prompt = Prompt(screen)
    prompt.show(asked)
    prompt.show(asked)
    first, second = screen.getvalue().split("\x1b[J")[1:]
    said = second
    assert first == f"{said}\r\x1b[{(len(said) - 1) // 20}A"
    assert len(said) > 60


HALL = '[scanner]\nkind = "hall"\nthreshold = 60\nhysteresis = 20\n'


@pytest.mark.parametrize(("measured", "threshold", "hysteresis"), [(100, 60, 10), (30, 30, 10)])
def test_sensors_measured_before_stay_as_they_can_be_told(
    measured: int, threshold: int, hysteresis: int, tmp_path: Path
) -> None:
    source = tmp_path / "mine.toml"
    source.write_text(HALL)
    found = wiring(source)._replace(tuning=Tuning((500,) * 64, measured, 10))
    write_wired(source, source, softened(found, read_board(source)))
    settings = read_board(source).scanner.settings
    assert (settings.empty, settings.threshold, settings.hysteresis) == ((500,) * 64, threshold, hysteresis)
