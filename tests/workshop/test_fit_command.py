"""`tablelight fit`: from traces to the file that the table goes by; and what is too little, foreign or damaged."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_bridge import __version__
from firmware_bridge.cli.main import main
from firmware_bridge.config import read_config
from firmware_bridge.reading.constants import USUAL, load
from firmware_bridge.records import Trace, read_trace
from firmware_bridge.workshop.estimate import Watched
from firmware_bridge.workshop.fit_command import games
from games.rules import load as load_game
from hardware.device import Sense
from tests.records.traced_games import play, traced

GAME = load_game("zhizhu")
HEADING = f"tablelight 1\ngame zhizhu\nsense colour\ntrace 1 version={__version__} debounce=0 setting=no\n"
FIRST_SCAN = "100.0 scan " + " ".join(f"{site}=0" for site in GAME.sites)


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three games of the same hands, of 39 turns each or a few more."""
    folder = tmp_path_factory.mktemp("traces")
    paths = [folder / f"{seed}.trace" for seed in range(3)]
    for seed, path in enumerate(paths):
        play(traced(Trace(path), "zhizhu", Sense.COLOUR), 40, seed).close()
    return paths


def unchecked(path: Path) -> str:
    """The trace without checks, as somebody might write it by hand."""
    return re.sub(r" ~[0-9a-f]{4}$", "", path.read_text(), flags=re.MULTILINE)


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """The one sentence with which `tablelight fit` refuses these words."""
    assert main(["fit", *map(str, words)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    return told.err


def watched(tmp_path: Path, *lines: str) -> list[Watched]:
    return list(games(read_trace(written(tmp_path / "x.trace", "\n".join((f"{HEADING}{FIRST_SCAN}", *lines, ""))))))


# From traces to the table ---------------------------------------------------------------------


def test_the_constants_of_a_table_go_from_its_traces_to_its_daemon(
    evenings: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "own.toml"
    assert main(["fit", *map(str, evenings), "-o", str(output)]) == 0
    told = capsys.readouterr().out
    config = written(tmp_path / "tablelight.toml", f"[table]\nconstants = '{output}'\n")
    own = read_config(config).daemon_options(None, setting=False, background=False)["constants"]
    assert set(own) == {("zhizhu", Sense.COLOUR)}
    its = own["zhizhu", Sense.COLOUR]
    assert its.excursion > USUAL.excursion  # careful hands
    assert its.wrong == USUAL.wrong
    assert re.search(rf"^excursion +3 +{its.excursion:g} +\d{{4}}", told, re.MULTILINE)
    assert f"{output}: what is usual at this table in ZhiZhu. Turns: 1" in told


def test_without_a_file_nothing_is_written(
    evenings: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["fit", *map(str, evenings)]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 20
    assert not list(tmp_path.iterdir())


def test_what_else_the_file_holds_stays(evenings: list[Path], tmp_path: Path) -> None:
    text = "format = 1\n[zhizhu.colour] # by hand\nwrong = 500.0\nexcursion = 0.5\n[zig-zag.count]\nsown = 0.2 # so\n"
    output = written(tmp_path / "own.toml", text)
    assert main(["fit", *map(str, evenings), "-o", str(output)]) == 0
    own = load(output)
    assert own["zhizhu", Sense.COLOUR].wrong == 500
    assert own["zhizhu", Sense.COLOUR].excursion > USUAL.excursion
    assert own["zig-zag", Sense.COUNT].sown == 0.2
    assert "sown = 0.2 # so" in output.read_text()
    before = output.read_text()
    assert main(["fit", *map(str, evenings), "-o", str(output)]) == 0
    assert output.read_text() == before


def test_a_trace_that_is_named_twice_counts_once(evenings: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert "there are 39;" in refused(capsys, evenings[0], evenings[0], evenings[0])


def test_a_torn_last_line_is_left_out(evenings: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    torn = written(tmp_path / "torn.trace", evenings[0].read_text()[:-7])
    assert main(["fit", str(torn), *map(str, evenings[1:])]) == 0


# What changes nothing -------------------------------------------------------------------------


def test_too_few_turns_are_told_with_how_many_are_needed(
    evenings: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = written(tmp_path / "own.toml", "format = 1\n[zhizhu.colour]\nwrong = 500\n")
    before = output.read_text()
    told = refused(capsys, evenings[0], "-o", output)
    assert "0.trace: 100 turns are needed that nothing disturbed, and there are 39; give more traces" in told
    assert output.read_text() == before


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("sense colour", "sense presence"), "a trace of zhizhu first=x by presence among those of zhizhu first=x by"),
        (("first=x", "first=o"), "a trace of zhizhu first=o by colour among those of zhizhu first=x by colour"),
        (
            (f"version={__version__}", "version=9.9"),
            f"written by version 9.9 of the program, and this is {__version__}",
        ),
        ((f"version={__version__} ", ""), f"written by another version of the program, and this is {__version__}"),
        (("said turn a", "said turn q"), "line "),
        (("scan a1=0", "scan q9=0"), "there is no site 'q9' in this game"),
    ],
)
def test_foreign_and_damaged_traces_are_refused_by_name(
    change: tuple[str, str], sentence: str, evenings: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = unchecked(evenings[0])
    assert change[0] in text
    path = written(tmp_path / "foreign.trace", text.replace(*change))
    output = tmp_path / "own.toml"
    told = refused(capsys, *evenings, path, "-o", output)
    assert told.startswith(f"tablelight: {path}: ")
    assert sentence in told
    assert not output.exists()


def test_no_other_file_is_written_over(
    evenings: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = written(tmp_path / "tablelight.toml", "[table]\nsettle = 0.4\n")
    assert "these are no constants of this version; name another file" in refused(capsys, *evenings, "-o", other)
    assert other.read_text() == "[table]\nsettle = 0.4\n"
    assert "there is no such folder" in refused(capsys, *evenings, "-o", tmp_path / "none" / "own.toml")
    assert "No such file" in refused(capsys, tmp_path / "none.trace")


# What a trace tells ---------------------------------------------------------------------------


def test_turns_counted_changed_and_taken_back_are_told_apart(tmp_path: Path) -> None:
    [found] = watched(
        tmp_path,
        "1.0 scan a1=1",
        "0.1 said turn a1",
        "1.0 scan b1=2",
        "0.1 said turn b1",
        "0.5 scan b1=0",
        "0.1 said undo 1",
        "1.0 scan c1=2",
        "0.1 said turn c1",
        "1.0 scan a3=1",
        "0.1 said note astray zhizhu.occupied",
        "0.1 said turn a3",
        "1.0 scan a4=2",
        "0.1 said turn a4",
        "0.1 said amend a5",
    )
    assert [made.turn.text for made in found.turns] == ["a1", "c1", "a3", "a5"]
    assert [made.clean for made in found.turns] == [True, False, False, False]
    assert found.taken_back == 1
    assert found.turns[0].by == pytest.approx(101.1)
    assert len(found.frames) == 7


def test_the_undo_button_takes_nothing_back_by_hand(tmp_path: Path) -> None:
    lines = ("1.0 scan a1=1", "0.1 said turn a1", "1.0 scan b1=2", "0.1 said turn b1", "0.5 undo", "said undo 1")
    [found] = watched(tmp_path, *lines)
    assert found.taken_back == 0
    assert [made.turn.text for made in found.turns] == ["a1"]


def test_a_board_that_is_set_right_begins_anew_once_it_shows_the_position(tmp_path: Path) -> None:
    first, second = watched(
        tmp_path,
        "1.0 scan a1=1",
        "0.1 said turn a1",
        "1.0 right b1=1 c1=1",
        "1.0 scan b1=0",
        "1.0 scan c1=0",
        "1.0 scan b1=2",
        "0.1 said turn b1",
    )
    assert [made.turn.text for made in first.turns] == ["a1"]
    assert [made.turn.text for made in second.turns] == ["b1"]
    assert second.frames[0][0] == pytest.approx(104.1)
