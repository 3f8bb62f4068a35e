"""The command that works out Zig Zag's endings: what it writes, what it leaves alone, what it says."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from firmware_bridge.cli import main
from firmware_bridge.endings import Progress
from firmware_bridge.engine.endgame import build, place, read, size

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's own folder, in which nothing is yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LANGUAGE", "en")
    return tmp_path


def test_they_are_written_where_the_engine_looks(capsys: Capture) -> None:
    assert main(["endings", "--seeds", "3"]) == 0
    assert read(place()).shares == build(3).shares
    out, err = capsys.readouterr()
    assert out.startswith(
        f"{place()}: the endings of Zig Zag with up to 3 seeds in the pits, {place().stat().st_size} "
    )
    assert err == ""


def test_those_that_are_there_stay_unless_more_are_wanted(capsys: Capture) -> None:
    assert main(["endings", "--seeds", "2"]) == 0
    made = place().stat().st_ino
    assert main(["endings", "--seeds", "2"]) == main(["endings", "--seeds", "1"]) == 2
    assert f"{place()}: holds the endings up to 2 seeds already; --force" in capsys.readouterr().err
    assert place().stat().st_ino == made
    assert main(["endings", "--seeds", "3"]) == 0
    assert read(place()).seeds == 3
    assert main(["endings", "--seeds", "1", "--force"]) == 0
    assert read(place()).seeds == 1


def test_a_damaged_file_is_replaced() -> None:
    place().parent.mkdir(parents=True)
    place().write_bytes(b"torn")
    assert main(["endings", "--seeds", "1"]) == 0
    assert read(place()).seeds == 1


def test_what_cannot_be_written_is_said_in_a_sentence(home: Path, capsys: Capture) -> None:
    (home / "state").write_text("a file, and no folder")
    assert main(["endings", "--seeds", "1"]) == 2
    (home / "state").unlink()
    place().mkdir(parents=True)
    assert main(["endings", "--seeds", "1"]) == 2
    folder, taken = capsys.readouterr().err.splitlines()
    for line in (folder, taken):
        assert line.startswith(f"tablelight: {place()}: ")
        assert line.endswith("; XDG_STATE_HOME can name another folder")


@pytest.mark.parametrize("seeds", ["0", "11", "x"])
def test_as_many_seeds_as_the_engine_can_look_up(seeds: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main(["endings", "--seeds", seeds])
    assert "--seeds" in capsys.readouterr().err


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_how_far_it_is_and_is_left_clean() -> None:
    screen, times = Screen(), iter([100.0, 102.0, 110.0])
    progress = Progress(3, screen, lambda: next(times))
    progress.step(size(1), size(3))
    progress.step(size(2), size(3))
    seen = screen.getvalue().split("\r")[1:]
    assert [line.rstrip() for line in seen] == [
        "Seeds: 1 of 3, seconds left: about 68",
        "Seeds: 2 of 3, seconds left: about 40",
    ]
    progress.step(size(3), size(3))
    assert screen.getvalue().endswith("\r" + " " * len(seen[1]) + "\r")


def test_a_file_sees_no_progress() -> None:
    out = io.StringIO()
    Progress(3, out).step(size(1), size(3))
    assert out.getvalue() == ""
