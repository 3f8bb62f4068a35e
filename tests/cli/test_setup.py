"""From the command line to a board: what is run, and what is refused in a sentence."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge.cli.main import main
from firmware_bridge.cli.play import power_off
from firmware_bridge.records import read_record
from games.rules import load, names
from hardware.device import DeviceError

WITHOUT = "import sys; sys.modules.update(dict.fromkeys(sys.argv.pop(1).split(','))); \
from firmware_bridge.cli.main import main; sys.exit(main())"
"""The program where some libraries are not installed."""
MOCK = {"GPIOZERO_PIN_FACTORY": "mock", "NO_COLOR": "1"}
"""gpiozero's own pins in memory: a Pi whose switches are all open."""


class Folder:
    """A user's own folders, and the program run in them."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.environment = os.environ | {"XDG_STATE_HOME": str(home), "XDG_CONFIG_HOME": str(home)}

    def run(self, *arguments: str, hands: str = "", without: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        """Run the command to its end."""
        start = ["-c", WITHOUT, without] if without else ["-m", "firmware_bridge"]
        return subprocess.run(
            [sys.executable, *start, *arguments], input=hands, capture_output=True, text=True, timeout=60,
            env=self.environment | more, check=False,
        )  # fmt: skip

    def started(self, *arguments: str, **more: str) -> subprocess.Popen[str]:
        """The command, running."""
        return subprocess.Popen(
            [sys.executable, "-m", "firmware_bridge", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=self.environment | more, text=True,
        )  # fmt: skip

    def board(self, text: str) -> str:
        """A board file of one's own."""
        path = self.home / "board.toml"
        path.write_text(text)
        return str(path)

    @property
    def records(self) -> list[Path]:
        return sorted(self.home.glob("tablelight/*.table"))


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """The one sentence that the command ended with."""
    assert done.returncode == 2, done.stderr[-300:]
    assert done.stderr.startswith("tablelight: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


# Over simulated wiring ------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_each_game_is_played_over_simulated_wiring(name: str, folder: Folder) -> None:
    game = load(name)
    turn = game.turns(game.start())[0].text
    done = folder.run("play", name, "--scanner", "gpio_matrix", "--fake-gpio", hands=f"turn {turn}\ndone\nquit\n")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert f"plays {turn}." in done.stdout
    (record,) = folder.records
    assert [entry.turn.text for entry in read_record(record).sheet.played_turns] == [turn]


@pytest.mark.parametrize(("board", "name"), [("web", "zhizhu"), ("pits", "zig-zag")])
def test_boards_for_one_game_over_simulated_wiring(board: str, name: str, folder: Folder) -> None:
    game = load(name)
    turn = game.turns(game.start())[0].text
    done = folder.run("play", name, "--board", board, "--fake-gpio", "--no-record", hands=f"turn {turn}\ndone\n")
    assert done.returncode == 0
    assert f"plays {turn}." in done.stdout
    assert folder.records == []


@pytest.mark.slow
def test_a_wired_game_goes_on_where_it_stood(folder: Folder) -> None:
    folder.run("play", "zong-heng", "--fake-gpio", hands="turn c3-c4\n")
    done = folder.run("play", "--fake-gpio", "--scanner", "shift_register", "--resume", hands="turn f4-f5\n")
    assert "White plays f4-f5." in done.stdout
    (record,) = folder.records
    assert [entry.turn.text for entry in read_record(record).sheet.played_turns] == ["c3-c4", "f4-f5"]


@pytest.mark.slow
def test_a_game_sensed_by_colour_is_not_gone_on_with_by_presence(folder: Folder) -> None:
    folder.run("play", "zong-heng", "--sense", "colour", hands="turn c3-c4\n")
    before = folder.records[0].read_text()
    refused(folder.run("play", "--fake-gpio", "--resume", hands="turn f4-f5\n"))
    assert folder.records[0].read_text() == before


def test_setting_up_over_simulated_wiring(folder: Folder) -> None:
    done = folder.run("play", "yin-yang", "--fake-gpio", "--set-up", hands="put c3 light\n")
    assert "To put right" in done.stdout


def test_sigterm_ends_a_wired_game_cleanly(folder: Folder) -> None:
    process = folder.started("play", "zong-heng", "--fake-gpio")
    assert process.stdout
    assert process.stdout.readline().startswith(" 8")
    process.send_signal(signal.SIGTERM)
    _, error = process.communicate(timeout=30)
    assert (process.returncode, "Traceback" in error) == (0, False)
    assert read_record(folder.records[0]).sheet.length == 0


# On pins --------------------------------------------------------------------------------------


def test_a_table_without_a_screen_asks_by_light_until_sigterm(folder: Folder) -> None:
    process = folder.started("run", "--board", "grid", "--lights", "terminal", **MOCK)
    assert process.stdout
    shown = [process.stdout.readline()]
    while not shown[-1].startswith("Which game?"):
        shown.append(process.stdout.readline())
    while not shown[-1].startswith("C"):
        shown.append(process.stdout.readline())
    process.send_signal(signal.SIGTERM)
    rest, error = process.communicate(timeout=30)
    assert (process.returncode, error) == (0, "")
    dark = rest.strip().splitlines()[-9:]
    assert {light for line in dark for light in line.split()} == {".."}
    assert folder.records == []


def test_a_game_that_is_named_is_set_up_at_once_and_recorded(folder: Folder) -> None:
    process = folder.started("run", "yin-yang", "--board", "grid", "--lights", "terminal", "--mode", "quiet", **MOCK)
    assert process.stdout
    told = []
    while not told or not told[-1].startswith("To put right (4): black on d3, c4; white on c3, d4."):
        told.append(process.stdout.readline())
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode == 0
    assert "Yin-Yang: set the board up as the lights show.\n" in told
    assert read_record(folder.records[0]).sheet.game.name == "yin-yang"


def test_a_damaged_record_is_told_of_and_the_table_asks_for_a_new_game(folder: Folder) -> None:
    damaged = folder.home / "tablelight" / "x.table"
    damaged.parent.mkdir()
    damaged.write_text("tablelight 1\nchess\n")
    process = folder.started("run", "--board", "grid", "--lights", "terminal", **MOCK)
    assert process.stdout
    line = ""
    while not line.startswith("Which game?"):
        line = process.stdout.readline()
        assert line
    process.send_signal(signal.SIGTERM)
    _, error = process.communicate(timeout=30)
    assert error.startswith("The last game cannot be gone on with: ")
    assert "x.table: line 2" in error
    assert error.count("\n") == 1
    assert damaged.read_text() == "tablelight 1\nchess\n"
    assert "x.table: line 2" in refused(
        folder.run("run", "--resume", "--board", "grid", "--lights", "terminal", **MOCK)
    )


# Refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("play --board nowhere", "nowhere: there is no such board file; boards that come along: grid,"),
        ("run --board /etc/hostname", "/etc/hostname: not valid TOML"),
        ("play --fake-gpio --lights terminal", "leave --lights out"),
        ("play --fake-gpio --sense colour", "a board's scanner has a sense of its own"),
        ("play --fake-gpio --scanner nose", "scanner.kind: there is no 'nose' among the scanners"),
        ("run --lights candles", "lights.kind: there is no 'candles' among the lights"),
        ("play tag --board grid", "there is no game 'tag'"),
        ("play --board grid --resume", "there is no game to go on with"),
        ("play --fake-gpio --resume", "there is no game to go on with"),
    ],
)
def test_impossible_options_are_refused_in_a_sentence(
    arguments: str, sentence: str, folder: Folder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(folder.home))
    assert main(arguments.split()) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1
    assert folder.records == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("run", "there is no GPIO here"),
        ("play zong-heng --lights terminal", "there is no GPIO here"),
        ("run --board web --scanner gpio_matrix --lights terminal", "there is no GPIO here"),
        ("play zong-heng -O size=12 --fake-gpio --no-record", "zong-heng does not fit on this board"),
    ],
)
def test_what_cannot_be_opened_is_refused_in_a_sentence(arguments: str, sentence: str, folder: Folder) -> None:
    assert sentence in refused(folder.run(*arguments.split()))
    assert folder.records == []


@pytest.mark.parametrize(
    ("without", "arguments", "sentence"),
    [
        ("gpiozero", "play --fake-gpio", "shift_register needs the library gpiozero: install it with pip install"),
        ("gpiozero", "run", "shift_register needs the library gpiozero: install it with pip install 'tablelight[pi]'"),
        ("spidev", "run", "ws2812_spi needs the library spidev: install it with pip install 'tablelight[pi]'"),
        ("rpi_ws281x", "run --lights ws281x", "ws281x needs the library rpi_ws281x"),
        ("lgpio", "run --lights terminal", ""),
    ],
)
def test_a_missing_library_is_named(without: str, arguments: str, sentence: str, folder: Folder) -> None:
    assert sentence in refused(folder.run(*arguments.split(), without=without))


def test_the_plain_table_needs_no_library_of_hardware(folder: Folder) -> None:
    done = folder.run("play", "zong-heng", hands="turn c3-c4\n", without="gpiozero,lgpio,spidev,rpi_ws281x")
    assert done.returncode == 0
    assert "Black plays c3-c4." in done.stdout


def test_simulated_wiring_needs_no_library_for_lights(folder: Folder) -> None:
    assert folder.run("play", "--fake-gpio", "--no-record", without="spidev").returncode == 0


@pytest.mark.parametrize("board", ["web", "pits"])
def test_a_game_for_another_board_is_refused(board: str, folder: Folder) -> None:
    assert "games that fit: z" in refused(folder.run("play", "zong-heng", "--board", board, "--fake-gpio"))


def test_a_game_that_does_not_fit_leaves_no_record(folder: Folder) -> None:
    refused(folder.run("play", "zong-heng", "-O", "size=12", "--fake-gpio"))
    assert folder.records == []


def test_a_real_board_refuses_another_sense(folder: Folder) -> None:
    assert "--sense" in refused(folder.run("play", "--board", "grid", "--lights", "terminal", "--sense", "colour"))


def test_an_option_without_its_game_is_not_passed_over(folder: Folder) -> None:
    assert "frobs" in refused(folder.run("run", "-O", "frobs=3"))


def test_run_does_not_pass_resume_over(folder: Folder) -> None:
    assert "there is no game to go on with" in refused(folder.run("run", "zong-heng", "--resume"))


def test_a_finished_game_that_is_named_is_not_passed_over(folder: Folder) -> None:
    folder.run("play", "zong-heng", hands="turn c3-c4\nagree\n")
    (record,) = folder.records
    assert read_record(record).sheet.outcome
    process = folder.started("run", "--resume", str(record), "--board", "grid", "--lights", "terminal", **MOCK)
    assert process.stdout
    while (line := process.stdout.readline()) and not line.startswith("Which game?"):
        pass
    process.terminate()
    _, error = process.communicate(timeout=30)
    assert process.returncode == 2
    assert str(record) in error


def test_a_full_disk_is_told_of_in_a_sentence(folder: Folder) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300)); import runpy; \
runpy.run_module('firmware_bridge', run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", limit, "play", "zong-heng"], input="turn c3-c4\nundo\n" * 5, capture_output=True,
        text=True, timeout=60, env=folder.environment, check=False,
    )  # fmt: skip
    assert "The record cannot be written" in done.stdout
    assert "Traceback" not in done.stderr


# Switching off --------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [0, 1])
def test_the_computer_is_switched_off(status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "systemctl"
    program.write_text(f"#!/bin/sh\necho $@ > {tmp_path}/asked\nexit {status}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert power_off() == status
    assert (tmp_path / "asked").read_text() == "poweroff\n"


def test_a_computer_that_cannot_be_switched_off_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DeviceError, match="systemctl poweroff: No such file .*; switch the computer off by hand"):
        power_off()


def test_moves_need_no_board(folder: Folder) -> None:
    assert json.loads(folder.run("moves", "zig-zag", "--json", without="gpiozero").stdout)["side"] == 0
