"""The command as people use it: what it prints, what it keeps, how it ends."""

from __future__ import annotations

import io
import json
import os
import pty
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge import __version__
from firmware_bridge.cli.main import main
from firmware_bridge.records import read_record
from games.rules import names
from tests.distributions import install

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's own folders, so that nothing is read from or written to the real ones."""
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    return tmp_path


def play(text: str, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run `tablelight play` with `text` piped in."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    return main(["play", *arguments])


@pytest.mark.parametrize("game", names())
def test_a_demo_ends_by_itself_with_a_flagged_turn_and_the_winner(game: str, capsys: Capture) -> None:
    assert main(["demo", game]) == 0
    lines = capsys.readouterr().out.splitlines()
    tried = next(number for number, line in enumerate(lines) if "against the rules" in line)
    assert lines[tried + 1].startswith("      ") or lines[tried + 2].startswith("      ")
    assert any("The board is right again" in line for line in lines[tried:])
    assert " wins" in lines[-1] or "draw" in lines[-1]


@pytest.mark.parametrize("game", names())
def test_the_first_legal_turn_is_accepted_in_each_game(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    main(["moves", game, "--json"])
    turn = json.loads(capsys.readouterr().out)["turns"][0]
    assert play(f"turn {turn}\ndone\n", monkeypatch, game) == 0
    assert f"plays {turn}." in capsys.readouterr().out


def test_piped_hands_see_the_board_with_marks_for_the_lights(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert play("lift c3\nboard\nput c4\nput c3 dark\n", monkeypatch, "zong-heng") == 0
    out = capsys.readouterr().out
    assert "{X}" in out  # a new black stone goes on c3
    assert "[.]" in out
    assert "a new piece goes here" in out
    assert "Black plays c3-c4." in out


def test_what_cannot_be_done_is_said_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    text = "frob\nlift a2\nlift z9\nput a1 dark\nturn a1-b1-c1\n'\nwait forever\nturn c3-c4\n"
    assert play(text, monkeypatch, "zong-heng") == 1
    out = capsys.readouterr().out
    for sentence in (
        "'frob' is not a word of this table",
        "there is nothing on a2 to lift",
        "there is no site 'z9'; the sites are a1 to h8",
        "a1 is taken",
        "a1-b1-c1 is no turn of this position",
        "cannot be read",
        "'forever' is not a number of seconds",
        "Black plays c3-c4.",
    ):
        assert sentence in out, sentence


def test_help_turns_rules_and_quit(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert play("help\nturns\nrules\nquit\nturn c3-c4\n", monkeypatch, "zong-heng") == 0
    out = capsys.readouterr().out
    assert "press Done: the turn is over" in out
    assert "c3-c4" in out
    assert "largest first" in out
    assert "plays" not in out


def test_a_game_is_kept_and_gone_on_with(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    play("turn c3-c4\nturn f4-f5\n", monkeypatch, "zong-heng", "--sense", "colour")
    (record,) = home.glob("tablelight/*.table")
    assert [entry.turn.text for entry in read_record(record).sheet.played_turns] == ["c3-c4", "f4-f5"]
    play("turn c5-d5\n", monkeypatch, "--resume")
    assert read_record(record).sheet.length == 3
    assert "Turn 3: Black to play." in capsys.readouterr().out
    assert main(["replay", str(record)]) == 0
    assert "Black plays c5-d5." in capsys.readouterr().out


def test_clocks_and_names_stand_under_the_board_and_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    record, named = tmp_path / "game.table", ("--name", "Anna", "--name", "Ben")
    play("turn c3-c4\nwait 10\nboard\n", monkeypatch, "zong-heng", "--record", str(record), "--clock", "10+5", *named)
    assert "Anna (Black) 10:05   > Ben (White) 9:" in capsys.readouterr().out
    kept = record.read_text()
    play("board\n", monkeypatch, "--resume", str(record))
    assert "Anna (Black) 10:05     Ben (White) 9:" in capsys.readouterr().out
    assert record.read_text() == kept


def test_a_torn_line_is_taken_off_with_a_notice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    record = tmp_path / "game.table"
    play("turn c3-c4\n", monkeypatch, "zong-heng", "--record", str(record))
    whole = record.read_bytes()
    record.write_bytes(whole + b"3.2 turn f4")
    play("", monkeypatch, "--resume", str(record))
    assert "cut short" in capsys.readouterr().err
    assert record.read_bytes() == whole


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["play", "tag"], "there is no game 'tag'; the games are yin-yang, zhizhu, zig-zag, zong-heng"),
        (["play", "zong-heng", "-O", "size=7"], "size = 7 is not possible; allowed: 8, 6, 10, 12"),
        (["play", "zong-heng", "-O", "size"], "an option reads name=value"),
        (["play", "zhizhu", "-O", "size=8"], "zhizhu has no option 'size'"),
        (["play", "zong-heng", "--clock", "10:5"], "clock: '10:5' is no time control; it reads MINUTES"),
        (["play", "zong-heng", "--name", "x" * 31], "is no name of a player; it has at most 30 letters"),
        (["play", "zong-heng", "--name", "a", "--name", "b", "--name", "c"], "so twice at the most"),
        (["games", "--since", "soon"], "'soon' is no day; it reads YEAR-MONTH-DAY"),
        (["play", "zong-heng", "--sense", "count"], "not sensed by count; allowed: presence, colour"),
        (["play", "--resume", "/nowhere/x.table"], "/nowhere/x.table: No such file"),
        (["play", "--resume"], "there is no game to go on with"),
        (["play", "--config", "/nowhere.toml"], "/nowhere.toml: No such file"),
        (["replay", "/nowhere.table"], "/nowhere.table: No such file"),
        (["replay", "/bin/sh"], "/bin/sh: not a text file"),
        (["moves", "zong-heng", "--from", "x"], "a position reads 'ranks side'"),
        (["moves", "zong-heng", "b4-b5"], "must be your own"),
    ],
)
def test_bad_input_gets_one_sentence(arguments: list[str], sentence: str, capsys: Capture) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("arguments", [["perft", "zig-zag", "0"], ["perft", "zig-zag", "x"], ["demo", "--speed", "0"]])
def test_bad_numbers_are_refused(arguments: list[str], capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert "Traceback" not in capsys.readouterr().err


def test_moves_perft_and_rules(capsys: Capture) -> None:
    main(["moves", "zig-zag", "S1", "N4", "S5"])
    main(["perft", "zig-zag", "3"])
    main(["rules", "zhizhu"])
    out = capsys.readouterr().out
    assert "7,8,1,2,6,7/2,7,0,6,0,6 8,0 N - S" in out
    assert "    3         206         206" in out
    assert "Options: first=x|o" in out


def test_moves_of_an_ended_game(capsys: Capture) -> None:
    main(["moves", "zig-zag", "--from", "0,0,0,0,0,0/0,0,1,0,0,0 26,33 S - N", "--json"])
    ended = json.loads(capsys.readouterr().out)
    assert ended["turns"] == []
    assert ended["outcome"]["winner"] == 1


def command(*arguments: str) -> list[str]:
    """The program in a process of its own."""
    return [sys.executable, "-m", "firmware_bridge", *arguments]


def test_sigterm_ends_cleanly(tmp_path: Path) -> None:
    environment = os.environ | {"XDG_STATE_HOME": str(tmp_path)}
    process = subprocess.Popen(
        command("play", "zong-heng"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment, text=True,
    )  # fmt: skip
    assert process.stdout
    assert process.stdout.readline().startswith(" 8")  # the board: it is running
    process.send_signal(signal.SIGTERM)
    _, error = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "Traceback" not in error


def test_a_terminal_gets_a_screen_and_leaves_it_with_ctrl_d(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    environment = os.environ | {"XDG_STATE_HOME": str(tmp_path), "TERM": "xterm", "NO_COLOR": "1"}
    process = subprocess.Popen(command("play", "yin-yang"), stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    shown = b""
    while b"One to play" not in shown:
        shown += os.read(ours, 4096)
    os.write(ours, b"turn c3-b3\r")
    while b"plays c3-b3" not in shown:
        shown += os.read(ours, 4096)
    os.write(ours, b"\x04")
    try:
        while data := os.read(ours, 4096):
            shown += data
    except OSError:  # the other end has closed
        pass
    assert process.wait(timeout=30) == 0
    assert b"Traceback" not in shown
    (record,) = tmp_path.glob("tablelight/*.table")
    assert [entry.turn.text for entry in read_record(record).sheet.played_turns] == ["c3-b3"]


FAILING = """
from games.zhizhu.rules import ZhiZhu

class Failing(ZhiZhu):
    name = "failing"
    def turns(self, position):
        if any(position.cells):
            raise ZeroDivisionError("by nought")
        return super().turns(position)
"""


def test_a_game_of_another_package_that_fails_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(tmp_path, "failures", {"tablelight.games": {"failing": "failing_game:Failing"}}, {"failing_game": FAILING})
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["perft", "failing", "2"]) == 1
    assert capsys.readouterr().err == (
        "tablelight: The game failing, of another package, fails: ZeroDivisionError: by nought (failing_game.py, "
        "turns, 8). The turns so far are in the record, if one is kept; tablelight check-game failing looks for the "
        "cause.\n"
    )


def test_of_the_games_of_one_package_the_one_that_fails_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tmp_path.joinpath("many").mkdir()
    games = {"first": "many.first:First", "failing": "many.failing.rules:Failing", "last": "many.last:Last"}
    tmp_path.joinpath("many", "failing").mkdir()
    tmp_path.joinpath("many", "failing", "rules.py").write_text(FAILING)
    install(tmp_path, "many-games", {"tablelight.games": games}, {})
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["perft", "failing", "2"]) == 1
    assert "The game failing, of another package, fails" in capsys.readouterr().err


ENDING = """
import os, signal
from games.zhizhu.rules import ZhiZhu

class Ending(ZhiZhu):
    name = "ending"
    def __init__(self, **options):
        super().__init__(**options)
        os.kill(os.getpid(), signal.SIGTERM)
"""


def test_a_request_to_end_is_no_fault_of_whatever_runs_just_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(tmp_path, "endings", {"tablelight.games": {"ending": "ending_game:Ending"}}, {"ending_game": ENDING})
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["perft", "ending", "2"]) == 0
    told = capsys.readouterr()
    assert (len(told.out.splitlines()), told.err) == (1, "")  # what stands above the figures, and none of these


def test_an_error_of_the_program_itself_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TypeError):
        main([object()])  # type: ignore[list-item]


# What an installation brings ------------------------------------------------------------------


def test_the_version_is_told(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (0, f"tablelight {__version__}\n")


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not here")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [(("tablelight", "doc"), ["doctor"]), (("tablelight", "doctor", "--li"), ["--live", "--lights"])],
)
def test_bash_completes_commands_and_options(
    typed: tuple[str, ...], offered: list[str], tmp_path: Path, capsys: Capture
) -> None:
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "completion"
    script.write_text(capsys.readouterr().out)
    words = " ".join(typed)
    program = f"""
source {script}
COMP_WORDS=({words}) COMP_CWORD={len(typed) - 1} COMP_LINE="{words}" COMP_POINT={len(words)}
$(complete -p tablelight | grep -o -- '-F [^ ]*' | cut -c 4-) tablelight {typed[-1]} {typed[-2]}
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == offered


def test_completion_without_its_library_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "zsh"]) == 2
    assert "pip install 'tablelight[completion]'" in capsys.readouterr().err


def test_a_service_is_installed_by_root_alone(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert main(["install-service"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("tablelight: install-service needs root: sudo /")
    assert told.endswith(" install-service\n")
