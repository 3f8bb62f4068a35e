"""The command that works out endings: what it writes, what it leaves alone, what it says."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from firmware_bridge.cli.main import main
from firmware_bridge.engine import endgame
from games.rules import load
from games.zig_zag.endgame import build

Capture = pytest.CaptureFixture[str]


def place(name: str) -> Path:
    return endgame.place(load(name))


def reach(name: str) -> int:
    return endgame.read(load(name), place(name)).reach


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's own folder, in which nothing is yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LANGUAGE", "en")
    return tmp_path


def test_endings_are_written_where_the_engine_looks(capsys: Capture) -> None:
    assert main(["endings", "zig-zag", "--seeds", "3"]) == 0
    assert endgame.read(load("zig-zag"), place("zig-zag")).packed() == build(3).packed()
    out, err = capsys.readouterr()
    assert out.startswith(
        f"{place('zig-zag')}: the endings of Zig Zag with up to 3 seeds in the pits, {place('zig-zag').stat().st_size} "
    )
    assert err == ""


def test_existing_endings_stay_unless_more_are_wanted(capsys: Capture) -> None:
    assert main(["endings", "zig-zag", "--seeds", "2"]) == 0
    made = place("zig-zag").stat().st_ino
    assert main(["endings", "zig-zag", "--seeds", "2"]) == main(["endings", "zig-zag", "--seeds", "1"]) == 2
    assert f"{place('zig-zag')}: holds the endings up to 2 seeds already; --force" in capsys.readouterr().err
    assert place("zig-zag").stat().st_ino == made
    assert main(["endings", "zig-zag", "--seeds", "3"]) == 0
    assert reach("zig-zag") == 3
    assert main(["endings", "zig-zag", "--seeds", "1", "--force"]) == 0
    assert reach("zig-zag") == 1


def test_without_a_game_all_missing_endings_are_worked_out(capsys: Capture) -> None:
    wanted = ["endings", "--seeds", "2", "--stones", "3"]
    assert main(["endings", "zig-zag", "--seeds", "2"]) == 0
    made = place("zig-zag").stat().st_ino
    assert main(wanted) == 0
    assert (place("zig-zag").stat().st_ino, reach("zhizhu")) == (made, 3)
    assert f"{place('zhizhu')}: the endings of ZhiZhu with up to 3 stones of each player, " in capsys.readouterr().out
    assert main(wanted) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{place('zhizhu')}: holds the endings up to 3 stones already; --force works them out again; " in line
    assert f"{place('zig-zag')}: holds the endings up to 2 seeds already" in line


def test_a_damaged_file_is_replaced() -> None:
    place("zig-zag").parent.mkdir(parents=True)
    place("zig-zag").write_bytes(b"torn")
    assert main(["endings", "zig-zag", "--seeds", "1"]) == 0
    assert reach("zig-zag") == 1


def test_unwritable_folder_is_refused_in_a_sentence(home: Path, capsys: Capture) -> None:
    (home / "state").write_text("a file, and no folder")
    assert main(["endings", "zig-zag", "--seeds", "1"]) == 2
    (home / "state").unlink()
    place("zig-zag").mkdir(parents=True)
    assert main(["endings", "zig-zag", "--seeds", "1"]) == 2
    folder, taken = capsys.readouterr().err.splitlines()
    for line in (folder, taken):
        assert line.startswith(f"tablelight: {place('zig-zag')}: ")
        assert line.endswith("; XDG_STATE_HOME can name another folder")


@pytest.mark.parametrize(
    ("option", "value"), [("--seeds", "0"), ("--seeds", "11"), ("--stones", "2"), ("--stones", "5")]
)
def test_reach_beyond_the_tables_is_refused(option: str, value: str, capsys: Capture) -> None:
    assert main(["endings", option, value]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{option} is a number from " in line
    assert not place("zig-zag").parent.exists()


def test_a_reach_that_is_no_number_is_refused(capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main(["endings", "--seeds", "x"])
    assert "--seeds" in capsys.readouterr().err


def test_a_game_without_endings_is_refused(capsys: Capture) -> None:
    assert main(["endings", "yin-yang"]) == 2
    assert "yin-yang has no endings; the games that have some: zhizhu, zig-zag" in capsys.readouterr().err


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_how_far_it_is_and_is_left_clean(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr("sys.stderr", screen := Screen())
    assert main(["endings", "zig-zag", "--seeds", "3"]) == 0
    seen = screen.getvalue().split("\r")
    assert "Zig Zag, seeds: 1 of 3, seconds left: about " in seen[1]
    assert "Zig Zag, seeds: 2 of 3, seconds left: about " in seen[2]
    assert (seen[-2].strip(), seen[-1]) == ("", "")


def test_a_file_sees_no_progress(capsys: Capture) -> None:
    assert main(["endings", "zhizhu", "--stones", "3"]) == 0
    assert capsys.readouterr().err == ""
