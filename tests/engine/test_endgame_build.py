"""The command that works out endings: what it writes, what it leaves alone, what it says."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from firmware_bridge.cli.main import main
from firmware_bridge.engine.endgame import place
from firmware_bridge.engine.endgame_zhizhu import read as read_zhizhu
from firmware_bridge.engine.endgame_zig_zag import build, read

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's own folder, in which nothing is yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LANGUAGE", "en")
    return tmp_path


def test_endings_are_written_where_the_engine_looks(capsys: Capture) -> None:
    assert main(["endings", "zig-zag", "--seeds", "3"]) == 0
    assert read(place("zig-zag")).shares == build(3).shares
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
    assert read(place("zig-zag")).reach == 3
    assert main(["endings", "zig-zag", "--seeds", "1", "--force"]) == 0
    assert read(place("zig-zag")).reach == 1


def test_without_a_game_all_missing_endings_are_worked_out(capsys: Capture) -> None:
    wanted = ["endings", "--seeds", "2", "--stones", "3"]
    assert main(["endings", "zig-zag", "--seeds", "2"]) == 0
    made = place("zig-zag").stat().st_ino
    assert main(wanted) == 0
    assert (place("zig-zag").stat().st_ino, read_zhizhu(place("zhizhu")).reach) == (made, 3)
    assert f"{place('zhizhu')}: the endings of ZhiZhu with up to 3 stones of each player, " in capsys.readouterr().out
    assert main(wanted) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{place('zhizhu')}: holds the endings up to 3 stones already; --force works them out again; " in line
    assert f"{place('zig-zag')}: holds the endings up to 2 seeds already" in line


def test_a_damaged_file_is_replaced() -> None:
    place("zig-zag").parent.mkdir(parents=True)
    place("zig-zag").write_bytes(b"torn")
    assert main(["endings", "zig-zag", "--seeds", "1"]) == 0
    assert read(place("zig-zag")).reach == 1


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
    ("option", "value"), [*(("--seeds", seeds) for seeds in ("0", "11", "x")), *(("--stones", n) for n in ("2", "5"))]
)
def test_reach_beyond_the_tables_is_refused(option: str, value: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main(["endings", option, value])
    assert option in capsys.readouterr().err


def test_a_game_without_endings_is_refused(capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main(["endings", "yin-yang"])
    assert "zhizhu" in capsys.readouterr().err


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
