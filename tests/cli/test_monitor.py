"""What a running table tells of itself to its owner, its page and the journal; and the command that asks."""

from __future__ import annotations

import json
import logging
import os
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.broker import MISSING, MOSQUITTO, RunningBroker
from firmware_bridge.cli.main import main
from firmware_bridge.cli.monitor import LOGGED_EVERY, LOOKS_EVERY, Monitor, ailing, listen, own_folder
from firmware_bridge.config import Config, LinkConfig, RecordConfig
from firmware_bridge.health import SENSORS, Stopwatch
from firmware_bridge.score import ScoreSheet
from firmware_bridge.session import Invite, Unlink
from firmware_bridge.web.mirror import Mirror, ServerProcess
from firmware_bridge.web.simulated_host import SimulatedHost
from games.rules import load
from hardware.device import Sense

Capture = pytest.CaptureFixture[str]
Watch = Callable[..., Monitor]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where tables of this user have their sockets."""
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    return own_folder()


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Watch]:
    """What watches a simulated table."""
    host = SimulatedHost(Config(), ScoreSheet(load("zong-heng")), Sense.PRESENCE, background=False)
    monitors: list[Monitor] = []

    def begin(stopwatch: Stopwatch | None = None, **given: object) -> Monitor:
        usual = {"folder": own_folder()}
        monitors.append(Monitor(host, stopwatch or Stopwatch(lambda: 5.0), tmp_path, **{**usual, **given}))  # type: ignore[arg-type]
        return monitors[-1]

    yield begin
    for monitor in monitors:
        monitor.close()


@pytest.mark.skipif(not MOSQUITTO, reason=MISSING)
def test_the_process_that_looks_for_another_table_is_among_the_helpers(tmp_path: Path) -> None:
    broker = RunningBroker(tmp_path)
    config = Config(record=RecordConfig(folder=str(tmp_path)), link=LinkConfig(broker=broker.address))
    host = SimulatedHost(config, ScoreSheet(load("zong-heng")), Sense.PRESENCE, background=False)
    monitor = Monitor(host, Stopwatch(time.monotonic), tmp_path)
    try:
        assert "meet" not in monitor.look().helpers
        host.obey(Invite("zong-heng"), time.monotonic())
        until = time.monotonic() + 30
        while "meet" not in monitor.look().helpers or host.linking.snapshot.state != "waiting":
            assert time.monotonic() < until
            host.step(time.monotonic())
        assert monitor.look().helpers["meet"].starts == 1
        host.obey(Unlink(), time.monotonic())
        while host.linking.meeting.busy:
            assert time.monotonic() < until
            host.step(time.monotonic())
        assert "meet" not in monitor.look().helpers
    finally:
        monitor.close()
        host.close()
        broker.kill()


def asked(*words: str) -> int:
    return main(["status", *words])


# Asking ---------------------------------------------------------------------------------------


def test_the_owner_is_told_and_nobody_else(watch: Watch, folder: Path, capsys: Capture) -> None:
    watch()
    assert asked() == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].endswith(f"PID {os.getpid()}")
    assert told[1].split() == ["Scans", "0", "a", "second"]
    (door,) = folder.iterdir()
    assert door.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


def test_the_answer_is_json_for_programs(watch: Watch, capsys: Capture) -> None:
    stopwatch = Stopwatch(lambda: 5.0)
    stopwatch.begin(4.75)
    stopwatch.lap(SENSORS)
    stopwatch.end()
    watch(stopwatch)
    assert asked("--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["pid"] == os.getpid()
    assert told["worst"]["late"] == 0.25


def test_where_no_table_runs_it_is_said_what_to_do(watch: Watch, folder: Path, capsys: Capture) -> None:
    assert asked() == 1
    monitor = watch()
    monitor.close()
    assert list(folder.iterdir()) == []
    assert asked() == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("No table is running: start one with tablelight run") == 2


def test_what_a_killed_table_has_left_is_not_asked_and_goes(watch: Watch, folder: Path, capsys: Capture) -> None:
    folder.mkdir()
    left = folder / "1.status"
    listen(left).close()
    assert asked() == 1
    assert "No table is running" in capsys.readouterr().err
    watch()
    assert not left.exists()
    assert asked() == 0


def test_a_table_that_does_not_answer_is_told_apart_and_left_alone(folder: Path, watch: Watch, capsys: Capture) -> None:
    folder.mkdir()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as strange:
        strange.bind(str(folder / "1.status"))
        assert asked() == 1
        assert "does not answer" in capsys.readouterr().err
        watch()
        assert asked() == 0
        assert (folder / "1.status").exists()


@pytest.mark.skipif(os.getuid() == 0, reason="nothing is closed to root")
def test_a_table_of_another_user_is_told_apart(folder: Path, capsys: Capture) -> None:
    folder.mkdir(0)
    assert asked() == 1
    assert "sudo tablelight status" in capsys.readouterr().err


@pytest.mark.parametrize("answer", [b"", b"{}", b"\xff", b'{"pid": "none"}'])
def test_an_answer_of_another_version_gets_a_sentence(answer: bytes, folder: Path, capsys: Capture) -> None:
    folder.mkdir()
    with listen(folder / "1.status") as door:
        door.settimeout(10)
        child = os.fork()
        if child == 0:
            try:
                line, _ = door.accept()
                line.sendall(answer)
            finally:
                os._exit(0)
        assert asked() == (0 if answer else 1)
        os.waitpid(child, 0)
    assert ("of another version" in capsys.readouterr().out) == bool(answer)


def test_a_socket_that_cannot_be_made_is_said_and_harms_nothing(tmp_path: Path, watch: Watch) -> None:
    (tmp_path / "file").write_text("")
    complaints: list[str] = []
    monitor = watch(folder=tmp_path / "file" / "x", complain=complaints.append)
    assert len(complaints) == 1
    assert "tablelight status cannot ask this table" in complaints[0]
    assert monitor.look().pid == os.getpid()


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"RUNTIME_DIRECTORY": "/run/tablelight:/run/x", "XDG_RUNTIME_DIR": "/run/user/7"}, "/run/tablelight"),
        ({"XDG_RUNTIME_DIR": "/run/user/7"}, "/run/user/7/tablelight"),
        ({"XDG_STATE_HOME": "/home/a/state"}, "/home/a/state/tablelight/run"),
    ],
)
def test_the_socket_lies_in_the_runtime_directory(environment: dict[str, str], folder: str) -> None:
    assert own_folder(environment) == Path(folder)


# What is found, and who is told -----------------------------------------------------------------


def test_the_page_is_told_and_a_server_that_does_not_run_is_not_a_helper(watch: Watch) -> None:
    mirror = Mirror(ServerProcess("127.0.0.1", 0))
    watch(mirror=mirror)
    assert asked() == 0
    assert mirror.status
    assert mirror.status.helpers == {}


def test_it_is_looked_before_the_usual_pause_once_it_begins(watch: Watch) -> None:
    mirror = Mirror(ServerProcess("127.0.0.1", 0))
    begun = time.monotonic()
    watch(mirror=mirror)
    while not mirror.status:
        assert time.monotonic() < begun + LOOKS_EVERY
        time.sleep(0.01)


@pytest.mark.parametrize("logs", [True, False])
def test_the_journal_gets_a_line_a_minute(logs: bool, watch: Watch, caplog: pytest.LogCaptureFixture) -> None:
    times = [100.0]
    with caplog.at_level(logging.INFO, "tablelight.status"):
        watch(Stopwatch(lambda: times[0]), logs=logs)
        for now in (100.0, 100.0 + LOGGED_EVERY, 101.0 + LOGGED_EVERY, 101.0 + 2 * LOGGED_EVERY):
            times[0] = now
            assert asked() == 0
    assert [line.split()[0] for line in caplog.messages] == ["scans_hz=0.0"] * (2 if logs else 0)


def test_sensors_that_ail_more_likely_than_not_are_named() -> None:
    table = SimulatedHost(Config(), ScoreSheet(load("zong-heng")), Sense.PRESENCE, background=False).daemon.table
    assert ailing(table) == {}
    known = table.reader.reliability
    known.records["lie"].sick[3] = 0.9
    known.records["late"].sick[1] = 0.4
    known.masked[5] = (0, False)
    assert ailing(table) == {"lie": (table.game.sites[3],), "masked": (table.game.sites[5],)}
