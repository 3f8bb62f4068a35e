"""The processes beside the daemon."""

from __future__ import annotations

import os
import resource
import select
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from os import sched_yield
from pathlib import Path
from time import monotonic

import pytest

from firmware_bridge.worker import (
    HEALTHY,
    LONGEST_PAUSE,
    SHORTEST_PAUSE,
    SILENT,
    STARTS,
    Worker,
    await_news,
    lower_priority,
    module_command,
    module_folders,
    same_modules,
)

ROOT = Path(__file__).parents[1]
PLANTED = ("msgspec", "calendar", "firmware_bridge", "games", "sitecustomize")

TELLS = """
import argparse, socket
from twin import NAME
parser = argparse.ArgumentParser()
parser.add_argument("--fd", type=int)
socket.socket(fileno=parser.parse_args().fd).send(NAME.encode())
"""


def begin(worker: Worker, now: float = 0.0) -> None:
    """Have it started."""
    worker.alive(now)
    while worker.starting:
        sched_yield()
    assert worker.alive(now)


def test_a_worker_finds_the_modules_that_its_parent_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("installed", "here"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "twin.py").write_text(f"NAME = '{folder}'\n")
    (tmp_path / "installed" / "tells.py").write_text(TELLS)
    monkeypatch.syspath_prepend(tmp_path / "installed")
    monkeypatch.chdir(tmp_path / "here")  # which `python -m` would put before all others
    worker = Worker("tells")
    begin(worker)
    began, told = monotonic(), b""
    while not told and monotonic() < began + 30:
        told = worker.receive()
    worker.close()
    assert told == b"installed"


def test_what_a_worker_says_last_is_heard_though_it_has_not_read_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "twin.py").write_text("NAME = 'last words'\n")
    (tmp_path / "tells.py").write_text(TELLS)
    monkeypatch.syspath_prepend(tmp_path)
    worker = Worker("tells")
    begin(worker)
    began, ended = monotonic(), False
    while not ended and monotonic() < began + 30:
        ended = not worker.send(b"never read")  # until its end of the line is closed, or nothing more goes in
        ended = ended and os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None
    assert worker.receive() == b"last words"
    assert worker.receive() == b""
    assert worker.news() == "ended"
    worker.close()


def test_it_is_known_for_how_long_nothing_was_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "twin.py").write_text("NAME = 'here'\n")
    (tmp_path / "tells.py").write_text(TELLS)
    monkeypatch.syspath_prepend(tmp_path)
    worker = Worker("tells")
    assert worker.silent is None
    begin(worker, 100.0)
    worker.alive(107.0)
    assert worker.silent == 7.0
    began = monotonic()
    while not worker.receive() and monotonic() < began + 30:
        sched_yield()
    assert worker.silent == 0.0
    worker.close()
    assert worker.silent is None


def test_a_wait_ends_when_the_worker_speaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "twin.py").write_text("NAME = 'here'\n")
    (tmp_path / "tells.py").write_text(TELLS)
    monkeypatch.syspath_prepend(tmp_path)
    worker, absent = Worker("tells"), Worker("tells")
    began = monotonic()
    await_news([absent, worker], 0.02)  # there is none yet
    assert monotonic() >= began + 0.02
    begin(worker)
    began = monotonic()
    await_news([absent, worker], 60)
    assert monotonic() < began + 30
    assert worker.receive() == b"here"
    await_news([absent, worker], 60)  # it has ended, which is to be taken in
    assert monotonic() < began + 30
    worker.close()


# What lies in the current directory ---------------------------------------------------------------


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory, in which modules of known names lie; each that is run leaves a file."""
    here = tmp_path / "here"
    leaves = "import os\nopen(os.path.join(os.path.dirname(__file__), 'run'), 'a').write(__name__)\n"
    for name in PLANTED:
        (here / name).mkdir(parents=True)
        (here / name / "__init__.py").write_text(leaves.replace("__file__)", "os.path.dirname(__file__))"))
        (here / f"{name}.py").write_text(leaves)
    monkeypatch.chdir(here)
    return here


def looks(monkeypatch: pytest.MonkeyPatch, first: str, path: str) -> None:
    """Have this process look for modules as one does that was started with this `first` folder and PYTHONPATH."""
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setattr(sys, "path", [first, *(part or os.getcwd() for part in path.split(":")), *sys.path])


CHILDREN = [
    ("firmware_bridge.engine", ("--help",)),
    ("firmware_bridge.web", ("--help",)),
    ("firmware_bridge", ("analyse", "--help")),
    ("firmware_bridge.workshop.game_checks", ("--help",)),
]


@pytest.mark.parametrize(("module", "arguments"), CHILDREN)
@pytest.mark.parametrize("path", [str(ROOT), f"{ROOT}:", f":{ROOT}"])
def test_no_child_runs_what_lies_in_the_current_directory(
    module: str, arguments: Sequence[str], path: str, planted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks(monkeypatch, str(planted) if path == str(ROOT) else str(ROOT), path)
    command = (*module_command(module), *arguments)
    done = subprocess.run(command, env=same_modules(), capture_output=True, text=True, timeout=60)
    assert not (planted / "run").exists(), done.stderr
    assert done.stdout.startswith("usage:"), done.stderr


def test_the_command_runs_nothing_of_the_current_directory(planted: Path) -> None:
    """Python's ``-m`` looks for the program itself there first, and that cannot be helped."""
    for name in ("firmware_bridge", "games"):
        shutil.rmtree(planted / name)
        (planted / f"{name}.py").unlink()
    given = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = (sys.executable, "-m", "firmware_bridge", "rules", "--help")
    done = subprocess.run(command, env=given, capture_output=True, text=True, timeout=60)
    assert not (planted / "run").exists(), done.stderr
    assert done.stdout.startswith("usage:"), done.stderr


@pytest.mark.parametrize(
    ("first", "path", "stays"),
    [
        ("", "/elsewhere", False),  # of python -c
        ("HERE", "/elsewhere", False),  # of python -m
        ("/bin", "/elsewhere:", False),
        ("/bin", "HERE", True),
        ("HERE", "HERE:", True),
    ],
)
def test_the_current_directory_is_searched_only_if_somebody_names_it(
    first: str, path: str, stays: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "flags", type("Flags", (), {"safe_path": False}))
    looks(monkeypatch, first.replace("HERE", str(tmp_path)), path.replace("HERE", str(tmp_path)))
    assert (str(tmp_path) in module_folders()) is stays


def test_a_package_that_is_installed_from_the_current_directory_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path, str(tmp_path)])  # the last by its .pth file
    assert [*module_folders()].count(str(tmp_path)) == 1


def test_the_checkout_is_searched_where_the_program_is_run_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    assert str(ROOT) in module_folders()


# Supervision ------------------------------------------------------------------------------------


@pytest.fixture
def searching() -> Iterator[Worker]:
    worker = Worker("firmware_bridge.engine")
    begin(worker)
    yield worker
    worker.close()


def beating(worker: Worker, now: float) -> None:
    """Wait until it has given a beat, and take in all that it has sent."""
    line, heard = worker._line, 0
    assert line
    while not heard:
        assert select.select([line], [], [], 60)[0]
        heard = len(line.recv(1, socket.MSG_PEEK))
    assert worker.alive(now)
    assert worker.receive() == b""


def test_a_worker_that_goes_on_is_left_alone(searching: Worker) -> None:
    for now in range(1, 5):
        beating(searching, now * (SILENT - 1))
    assert (searching.starts, searching.news()) == (1, None)


def test_a_hung_worker_is_killed_told_of_and_replaced(searching: Worker) -> None:
    beating(searching, 1.0)
    assert searching._process
    hung = searching._process
    os.kill(hung.pid, signal.SIGSTOP)
    os.waitid(os.P_PID, hung.pid, os.WSTOPPED)
    searching.receive()
    assert searching.alive(1.0 + SILENT)
    assert not searching.alive(1.1 + SILENT)
    assert (searching.news(), searching.news()) == ("hung", None)
    assert not searching.alive(1.1 + SILENT + SHORTEST_PAUSE / 2)
    begin(searching, 1.1 + SILENT + LONGEST_PAUSE)
    assert searching.starts == 2
    assert hung.returncode == -signal.SIGKILL


def test_a_worker_that_takes_long_to_begin_is_waited_for(searching: Worker) -> None:
    assert searching.alive(STARTS)
    assert not searching.alive(STARTS + 1)
    assert searching.news() == "hung"


def test_a_worker_that_keeps_dying_is_told_of_once(searching: Worker) -> None:
    now, told = 0.0, []
    for _ in range(4):
        beating(searching, now)
        assert searching._process
        searching._process.kill()
        searching._process.wait()
        assert searching.receive() == b""
        told.append(searching.news())
        now += LONGEST_PAUSE
        begin(searching, now)
    beating(searching, now + STARTS)
    assert searching.alive(now + HEALTHY + 1)
    searching.give_up()
    assert [*told, searching.news()] == ["ended", None, None, None, "hung"]


def test_a_worker_that_cannot_be_started_is_told_of_and_tried_again() -> None:
    worker = Worker("firmware_bridge.engine")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))  # those that are open stay so
    try:
        worker.alive(0.0)
        while worker.starting:
            sched_yield()
        assert not worker.alive(0.0)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert worker.news() == "unstarted"
    begin(worker, LONGEST_PAUSE)
    assert worker.starts == 1
    worker.close()


def test_a_worker_that_may_not_choose_its_priority_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """As under a filter of system calls, where the report never came."""

    def denied(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    asked = []
    monkeypatch.setattr(os, "nice", denied)
    monkeypatch.setattr(os, "sched_setscheduler", lambda *given: asked.append(given) or denied())
    lower_priority(19)
    assert len(asked) == 1
