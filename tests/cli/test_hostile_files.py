"""Names and titles that would move a cursor, and files that are none, get sentences of characters that only show."""

from __future__ import annotations

import ast
import io
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from unicodedata import category

import pytest

from docs.architecture import modules
from firmware_bridge.cli.main import main
from firmware_bridge.cli.systemd import Notifier
from firmware_bridge.i18n.printing import HIDDEN, plain_line, print_lines
from firmware_bridge.records import Record
from firmware_bridge.score import ScoreSheet
from games.rules import load
from hardware.device import Sense

EVIL = "\x1b]0;owned\x07\x9b2J\u202etxt\r\nsudo: ok"
"""A name that sets a terminal's title, clears it, writes backwards, and says something of its own."""
ODD = ("pipe", "folder", "socket", "device")
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of one's own, without a terminal; whatever waits longer than half a minute is ended."""

    def late(*_: object) -> None:
        raise TimeoutError("it hangs")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(30)
    yield tmp_path
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def record(path: Path) -> Path:
    """The record of a game that has just begun."""
    Record(path, ScoreSheet(load("zong-heng")), Sense.COLOUR).close()
    return path


def run(*arguments: str | Path) -> int:
    """The exit status."""
    try:
        return main([*map(str, arguments)])
    except SystemExit as end:
        return int(str(end.code))


def check_plain(capsys: Capture) -> str:
    """All that was printed, if nothing in it does anything but show."""
    out = "".join(capsys.readouterr())
    assert out, "nothing was said"
    found = {c for line in out.split("\n") for c in line if category(c) in HIDDEN}
    assert not found, f"{found} in {out!r}"
    assert "\nsudo" not in out
    return out


# Names and titles -------------------------------------------------------------------------------


def test_what_only_shows_is_left_as_it_is() -> None:
    for text in (
        "plain",
        "l\u2019\u00e9t\u00e9\u00a0: 12\u202f%",
        "\u3000\u7d42\u308f\u308a",
        "\u2588\u2580 \u2592",
        "",
    ):
        assert plain_line(text) == text
    assert plain_line("a\tb\0c\x7fd\u2028e") == "a?b?c?d?e"


def test_each_argument_is_a_line(capsys: Capture) -> None:
    print_lines("one\ntwo", "three")
    assert capsys.readouterr().out == "one?two\nthree\n"


COMMANDS: tuple[tuple[str, ...], ...] = (
    ("overlay", "zong-heng", "-o", f"{EVIL}.svg"),
    ("overlay", "zong-heng", "-o", f"{EVIL}.txt"),
    ("picture", f"{EVIL}.table", "-o", f"{EVIL}.svg"),
    ("picture", f"{EVIL}.table", "--turn", "7"),
    ("analyse", f"{EVIL}.table", "--nodes", "1", "-o", f"{EVIL}.json"),
    ("analyse", f"{EVIL}.table", "-o", f"{EVIL}/x.html"),
    ("replay", f"{EVIL}.no"),
    ("replay", "--trace", f"{EVIL}.table"),
    ("replay", f"{EVIL}.table", EVIL),
    ("fit", f"{EVIL}.table", "-o", f"{EVIL}/x.toml"),
    ("fit", f"{EVIL}.table"),
    ("play", "zong-heng", "--record", f"{EVIL}.new"),
    ("play", "zong-heng", "--record", f"{EVIL}.table"),
    ("play", "--resume", f"{EVIL}.table"),
    ("play", "--resume", f"{EVIL}.no"),
    ("play", "--config", f"{EVIL}.no"),
    ("play", "--config", f"{EVIL}.toml"),
    ("play", "zong-heng", "--board", f"{EVIL}.no"),
    ("play", EVIL),
    ("doctor", "--board", f"{EVIL}.board", "--seconds", "0.5"),
    ("doctor", "--board", f"{EVIL}.toml", "--seconds", "0.5"),
    ("doctor", "--board", f"{EVIL}.board", "--seconds", "0.5", "--json"),
    ("wire", "--board", f"{EVIL}.board"),
    ("wire", "--board", f"{EVIL}.board", "-o", f"{EVIL}.table"),
    ("dark", "--board", f"{EVIL}.board"),
    ("check-game", f"{EVIL}.py"),
    ("check-game", EVIL),
    ("moves", "zong-heng", "--from", EVIL),
)


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: " ".join(arguments[:3]).replace(EVIL, "EVIL"))
def test_no_name_and_no_title_reaches_the_terminal_raw(arguments: tuple[str, ...], home: Path, capsys: Capture) -> None:
    record(home / f"{EVIL}.table")
    escaped = EVIL.encode("unicode_escape").decode().replace("\\x", "\\u00")
    (home / f"{EVIL}.toml").write_text(f'[lights]\nmode = "{escaped}"\n')
    (home / f"{EVIL}.board").write_text(f'title = "{escaped}"\n[scanner]\nkind = "gpio_matrix"\n')
    (home / f"{EVIL}.py").write_text("raise ValueError('\\x1b[2J')")
    run(*arguments)
    check_plain(capsys)


def test_the_state_that_the_service_manager_is_told_is_one_plain_line(tmp_path: Path) -> None:
    from firmware_bridge.cli.systemd import status
    from firmware_bridge.events import Event

    class Choosing:
        shown = None

    told = status(Choosing(), Event.of("left-out", fault=EVIL))  # type: ignore[arg-type]
    assert told == plain_line(told)
    assert Notifier({}).present is False


def test_nothing_else_in_the_program_prints() -> None:
    """But for what draws in place, and for answers to other programs, such as the completion for a shell."""
    found = set()
    for name, path in modules().items():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in (
                "print",
                "sys.stdout.write",
                "sys.stderr.write",
            ):
                found.add(name.removeprefix("firmware_bridge."))
    assert found == {"i18n.printing", "cli.commands", "workshop.doctor_command", "drawing.picture"}


# Files that are none ----------------------------------------------------------------------------


@pytest.fixture(params=ODD)
def odd(request: pytest.FixtureRequest, home: Path) -> Iterator[Path]:
    """Something that is no file."""
    path = Path(request.param)
    if request.param == "device":
        yield Path("/dev/zero")
    elif request.param == "socket":
        with socket.socket(socket.AF_UNIX) as line:
            line.bind(str(path))
            yield path
    else:
        os.mkfifo(path) if request.param == "pipe" else path.mkdir()
        yield path


READING = (
    ("play", "--config"), ("run", "--config"), ("doctor", "--config"), ("play", "zong-heng", "--board"),
    ("run", "zong-heng", "--board"), ("overlay", "zhizhu", "-o", "x.svg", "--board"), ("wire", "-o", "x", "--board"),
    ("play", "--resume"), ("replay",), ("replay", "--trace"), ("picture",), ("analyse",), ("fit",),
)  # fmt: skip


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_what_is_no_file_is_told_in_a_sentence_and_nothing_waits(
    arguments: tuple[str, ...], odd: Path, capsys: Capture
) -> None:
    assert run(*arguments, odd) == 2
    told = check_plain(capsys)
    assert told.count("\n") == 1
    assert f"{odd}: " in told
    assert "where an ordinary file is needed" in told


@pytest.mark.parametrize(("key", "command"), [("constants", "play"), ("board", "run")])
def test_so_it_is_where_the_settings_name_it(key: str, command: str, home: Path, capsys: Capture) -> None:
    os.mkfifo("pipe")
    (home / "tablelight.toml").write_text(f'[table]\n{key} = "pipe"\n')
    assert run(command, "zong-heng") == 2
    assert "pipe: a pipe" in check_plain(capsys)


@pytest.mark.parametrize("name", ["", ".", "/"])
@pytest.mark.parametrize(
    "option",
    [
        *(("play", f"--{option}") for option in ("record", "trace", "config", "board", "resume")),
        *(("replay", "--trace"), ("overlay", "zhizhu", "-o"), ("fit", "x", "-o"), ("picture",), ("wire", "-o")),
    ],
    ids=" ".join,
)
def test_an_empty_name_and_a_folder_are_told_in_a_sentence(option: tuple[str, ...], name: str, capsys: Capture) -> None:
    assert run(*option, name) == 2
    told = check_plain(capsys)
    assert told.count("\n") == 1
    assert ("no empty name" if not name else "a folder, where a file is to be named") in told


def test_a_record_replaces_nothing(odd: Path, capsys: Capture) -> None:
    before = odd.stat()
    assert run("play", "zong-heng", "--record", odd) == 2
    assert "File exists; choose another place with --record" in check_plain(capsys)
    assert odd.stat().st_ino == before.st_ino


@pytest.mark.parametrize("text", [".", "/"])
def test_a_trace_in_the_settings_is_a_file(text: str, home: Path, capsys: Capture) -> None:
    (home / "tablelight.toml").write_text(f'[record]\ntrace = "{text}"\n')
    assert run("play", "zong-heng") == 2
    assert "is a folder, where a file is to be named" in check_plain(capsys)
