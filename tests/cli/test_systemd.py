"""What the service manager hears: over a real socket, as systemd listens on one."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from firmware_bridge.cli.play import SWITCHED_OFF, switch_off
from firmware_bridge.cli.systemd import LONGEST_STATUS, Notifier, status
from firmware_bridge.events import Event
from firmware_bridge.score import ScoreSheet
from games.rules import load
from hardware.simulation.hands import STYLES
from tests.session.screenless_players import ScreenlessTable


class Listener:
    """Systemd's end of the socket."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address.replace("@", "\0"))

    def heard(self) -> list[str]:
        """All that has come since the last time."""
        lines = []
        self.socket.settimeout(0)
        while True:
            try:
                lines.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return lines

    def next(self) -> str:
        """What comes next."""
        self.socket.settimeout(30)
        return self.socket.recv(4096).decode()


class Unsafe:
    """A record on a card that takes no more."""

    safe = False
    problem = refused = ""

    def news(self) -> list[Event]:
        return []


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[Listener]:
    listening = Listener(str(tmp_path / "notify"))
    yield listening
    listening.socket.close()


def watched(listener: Listener, **more: str) -> Notifier:
    return Notifier({"NOTIFY_SOCKET": listener.address, **more})


def run(table: ScreenlessTable, notifier: Notifier, seconds: float) -> None:
    """Let scans be done and be told of."""
    for _ in range(round(seconds * 100)):
        notifier.see(table.session, table.step(table.now + 0.01), table.now)


def last_status(listener: Listener) -> str:
    return [line for line in listener.heard() if line.startswith("STATUS=")][-1].removeprefix("STATUS=")


# Ready, alive, stopping -----------------------------------------------------------------------


def test_readiness_is_notified_once_after_the_first_scan(listener: Listener) -> None:
    notifier, table = watched(listener), ScreenlessTable()
    assert listener.heard() == []
    run(table, notifier, 0.01)
    assert listener.heard()[0] == "READY=1"
    run(table, notifier, 3)
    assert "READY=1" not in listener.heard()


def test_scans_are_notified_at_least_twice_in_the_time_of_the_watchdog(listener: Listener) -> None:
    notifier, table = watched(listener, WATCHDOG_USEC="6000000", WATCHDOG_PID=str(os.getpid())), ScreenlessTable()
    beats = []
    for _ in range(2000):
        run(table, notifier, 0.01)
        beats += [table.now] * listener.heard().count("WATCHDOG=1")
    gaps = [later - before for before, later in pairwise(beats)]
    assert len(beats) == 7
    assert all(2.9 < gap < 3.1 for gap in gaps), gaps


def test_scans_that_are_not_shown_are_a_hang(listener: Listener) -> None:
    notifier = watched(listener, WATCHDOG_USEC="6000000")
    table = ScreenlessTable(sheet=ScoreSheet(load("zong-heng")))
    run(table, notifier, 10)
    listener.heard()
    daemon = table.session.daemon
    assert daemon
    daemon.record = Unsafe()  # type: ignore[assignment]
    run(table, notifier, 2.9)
    listener.heard()
    run(table, notifier, 10)
    assert "WATCHDOG=1" not in listener.heard()
    daemon.record = None
    run(table, notifier, 0.1)
    assert listener.heard().count("WATCHDOG=1") == 1


@pytest.mark.parametrize(
    "environment",
    [{}, {"WATCHDOG_USEC": "6000000", "WATCHDOG_PID": "1"}, {"WATCHDOG_USEC": "0"}, {"WATCHDOG_USEC": "soon"}],
)
def test_without_a_watchdog_none_is_fed(environment: dict[str, str], listener: Listener) -> None:
    notifier, table = watched(listener, **environment), ScreenlessTable()
    run(table, notifier, 5)
    assert listener.heard()[0] == "READY=1"
    run(table, notifier, 5)
    assert "WATCHDOG=1" not in listener.heard()


def test_the_end_of_the_program_is_notified(listener: Listener) -> None:
    watched(listener).stopping()
    assert listener.heard() == ["STOPPING=1"]


def test_an_abstract_address_is_understood() -> None:
    listener = Listener(f"@tablelight-test-{os.getpid()}")
    watched(listener).stopping()
    assert listener.heard() == ["STOPPING=1"]
    listener.socket.close()


# What goes on ---------------------------------------------------------------------------------


def test_the_status_tells_what_is_played_and_whose_turn_it_is(listener: Listener, tmp_path: Path) -> None:
    notifier, table = watched(listener), ScreenlessTable(folder=tmp_path)
    notifier.see(table.session, table.events, table.now)
    assert last_status(listener).startswith("Being chosen. Which game?")
    seen = len(table.events)
    table.press("done")  # takes the usual answers
    notifier.see(table.session, table.events[seen:], table.now)
    hands = table.seated()
    title = hands.table.game.title
    assert last_status(listener).startswith(f"{title}, being set up. ")
    seen = len(table.events)
    hands.put_right()
    hands.run(0.5)
    notifier.see(table.session, table.events[seen:], table.now)
    first, second = (hands.table.game.player_name(side) for side in (0, 1))
    assert last_status(listener).startswith(f"{title}, turn 1, {first} to move. {first} begins. When the board is full")
    turn = hands.table.sheet.turns[0]
    seen = len(table.events)
    hands.play(turn, STYLES["finger"])
    hands.run(2.0)
    notifier.see(table.session, table.events[seen:], table.now)
    assert last_status(listener) == f"{title}, turn 2, {second} to move. {first} plays {turn.text}."
    notifier.see(table.session, hands.request(lambda now: hands.table.resign(1)), table.now)
    assert last_status(listener).startswith(f"{title}, over. {first} wins")


def test_the_same_status_is_not_told_twice(listener: Listener) -> None:
    notifier, table = watched(listener), ScreenlessTable()
    event = Event.of("off")
    for _ in range(3):
        notifier.see(table.session, [event], table.now)
    assert sum(line.startswith("STATUS=") for line in listener.heard()) == 1


def test_a_status_is_one_line_of_moderate_length() -> None:
    text = status(ScreenlessTable().session, Event.of("asked", sites="x\nREADY=1 " * 100))
    assert "\n" not in text
    assert len(text) == LONGEST_STATUS


# Where nobody listens -------------------------------------------------------------------------


def test_nothing_is_sent_without_a_service_manager(tmp_path: Path) -> None:
    for environment in ({}, {"NOTIFY_SOCKET": "vsock:2:1234"}):
        notifier = Notifier(environment)
        assert not notifier.present
        run(ScreenlessTable(), notifier, 0.1)
        notifier.stopping()


def test_a_manager_that_is_away_for_a_while_hears_it_later(tmp_path: Path) -> None:
    address = str(tmp_path / "notify")
    notifier, table = Notifier({"NOTIFY_SOCKET": address}), ScreenlessTable()
    notifier.see(table.session, table.events, table.now)
    listener = Listener(address)
    run(table, notifier, 0.02)
    ready, text = listener.heard()
    assert (ready, text[:20]) == ("READY=1", "STATUS=Being chosen.")
    listener.socket.close()


def test_a_manager_that_does_not_listen_never_holds_up_a_scan(listener: Listener) -> None:
    notifier, table = watched(listener), ScreenlessTable()
    for number in range(2000):  # more than any socket holds
        notifier.see(table.session, [Event.of("asked", sites=str(number))], table.now)
    listener.heard()
    run(table, notifier, 0.01)
    assert "(1999)" in last_status(listener)


# Cut short ------------------------------------------------------------------------------------


def test_the_game_in_hand_is_known_to_whoever_is_started_next(tmp_path: Path) -> None:
    games, runtime = tmp_path / "games", tmp_path / "run"
    runtime.mkdir()
    environment = {"RUNTIME_DIRECTORY": str(runtime)}
    table = ScreenlessTable(folder=games)
    Notifier(environment).see(table.session, table.events, table.now)
    assert not Notifier(environment).cut_short(games / "1-yin-yang.table")
    table.choose("yin-yang")
    table.press("done")
    Notifier(environment).see(table.session, table.events, table.now)
    assert Notifier(environment).cut_short(games / "1-yin-yang.table")
    assert not Notifier(environment).cut_short(games / "2-yin-yang.table")
    assert not Notifier({}).cut_short(games / "1-yin-yang.table")


def test_a_game_without_a_record_is_not_gone_on_with(tmp_path: Path) -> None:
    environment = {"RUNTIME_DIRECTORY": str(tmp_path)}
    (tmp_path / "playing").write_text(str(tmp_path / "old.table"))
    table = ScreenlessTable()
    table.choose("yin-yang")
    table.press("done")
    Notifier(environment).see(table.session, table.events, table.now)
    assert not Notifier(environment).cut_short(tmp_path / "old.table")


# The program ----------------------------------------------------------------------------------


def test_held_power_is_left_to_the_unit_where_there_is_one(listener: Listener) -> None:
    assert switch_off(watched(listener)) == SWITCHED_OFF


def test_the_program_tells_from_its_first_scan_to_its_end(listener: Listener, tmp_path: Path) -> None:
    environment = {
        **os.environ, "NOTIFY_SOCKET": listener.address, "XDG_STATE_HOME": str(tmp_path), "NO_COLOR": "1",
        "XDG_CONFIG_HOME": str(tmp_path), "GPIOZERO_PIN_FACTORY": "mock", "WATCHDOG_USEC": "400000",
    }  # fmt: skip
    program = subprocess.Popen(
        [sys.executable, "-m", "firmware_bridge", "run", "--board", "grid", "--lights", "terminal"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True,
    )  # fmt: skip
    heard = [listener.next() for _ in range(6)]
    assert heard[:2] == ["READY=1", "WATCHDOG=1"]
    assert heard[2].startswith("STATUS=Being chosen. Which game?")
    assert heard[3:] == ["WATCHDOG=1"] * 3
    program.send_signal(signal.SIGTERM)
    _, error = program.communicate(timeout=30)
    assert (program.returncode, error) == (0, "")
    assert listener.heard()[-1] == "STOPPING=1"
