"""Lights that a program left on are switched off by another."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.cli.main import main

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's own folder of settings."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path


def shown(capsys: Capture) -> tuple[set[str], str]:
    """The lights that were drawn, and what was said."""
    *lines, said = capsys.readouterr().out.splitlines()
    return {light for line in lines for light in line.split()}, said


def test_all_lights_of_the_board_are_shown_dark(capsys: Capture) -> None:
    assert main(["dark", "--lights", "terminal"]) == 0
    assert shown(capsys) == ({".."}, "The lights are dark: 194 on terminal.")


def test_the_board_is_that_of_the_command_else_of_the_configuration(home: Path, capsys: Capture) -> None:
    pytest.importorskip("gpiozero", reason="the scanner of the board needs gpiozero")
    (home / "tablelight.toml").write_text('[table]\nboard = "pits"\n')
    assert main(["dark", "--lights", "terminal"]) == 0
    assert shown(capsys)[1] == "The lights are dark: 50 on terminal."
    assert main(["dark", "--lights", "terminal", "--board", "web"]) == 0
    assert shown(capsys)[1] == "The lights are dark: 26 on terminal."
    other = home / "other.toml"
    other.write_text('[table]\nboard = "grid"\n')
    assert main(["dark", "--lights", "terminal", "--config", str(other)]) == 0
    assert shown(capsys)[1] == "The lights are dark: 66 on terminal."


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--board nowhere", "nowhere: there is no such board file"),
        ("--lights candles", "there is no 'candles' among the lights"),
        ("--lights leds0", "there is no /dev/leds0: set dtoverlay="),
        ("--config /nowhere", "/nowhere: No such file"),
    ],
)
def test_what_cannot_be_opened_is_said_in_a_sentence(arguments: str, sentence: str, capsys: Capture) -> None:
    assert main(["dark", *arguments.split()]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1
