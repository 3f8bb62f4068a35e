"""The loop that scans a table until it is switched off: what it must not do."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count, pairwise
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from firmware_bridge.cli.play import ScanLoop
from firmware_bridge.cli.systemd import Notifier
from firmware_bridge.config import Config
from firmware_bridge.daemon import LISTING, SCAN_HZ
from firmware_bridge.events import Event
from firmware_bridge.health import PARTS
from firmware_bridge.i18n import game_catalogue
from firmware_bridge.i18n.catalogue import VARIABLES
from firmware_bridge.reading import Debounce
from firmware_bridge.records import read_record
from firmware_bridge.score import ScoreSheet
from firmware_bridge.session import Failed, Make, Mishap, Press, Show, Solve, pack
from firmware_bridge.session.messages import End, Lay, New
from firmware_bridge.simulation import open_simulation
from firmware_bridge.web.mirror import Mirror
from firmware_bridge.web.simulated_host import SimulatedHost
from firmware_bridge.worker import Loss
from games.puzzles import to_find
from games.rules import game_class, load
from hardware.device import DeviceError, Sense
from hardware.simulation.hands import STYLES
from tests.web.test_mirror import Heard

AUDITED = ("open", "import", "os.", "glob.", "pathlib.", "shutil.", "subprocess.", "tempfile.")
"""What Python's audit events that touch files or folders begin with, or processes."""
LOOKS = frozenset({"stat", "lstat", "fstat", "access", "readlink", "statvfs", "getcwd", "fsync", "fdatasync", "sync"})
"""System calls without an audit event."""
_watching: list[tuple[int, set[str]]] = []


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    for thread, found in _watching:
        if event.startswith(AUDITED) and threading.get_ident() == thread:
            found.add(f"{event} {arguments[:1]}")


@contextmanager
def watched() -> Iterator[set[str]]:
    """What this thread opens, lists, imports or looks up meanwhile; other threads may."""
    if not hasattr(_audit, "added"):
        sys.addaudithook(_audit)  # for good: hooks cannot be taken away
        _audit.added = True  # type: ignore[attr-defined]
    found: set[str] = set()

    def note(frame: FrameType, event: str, called: Any) -> None:
        if event == "c_call" and getattr(called, "__module__", "") == os.stat.__module__ and called.__name__ in LOOKS:
            found.add(f"{called.__name__} in {frame.f_code.co_filename}")

    _watching.append((threading.get_ident(), found))
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)
        _watching.clear()


class Served(Heard):
    """A server that is not lost unless told so."""

    lost: Loss | None = None

    def news(self) -> Loss | None:
        return self.lost


class Evening:
    """A table for players at the page, its record written by a thread; the time is virtual."""

    def __init__(self, folder: Path) -> None:
        self.said: list[str] = []
        self.record = folder / "game.table"
        sheet = ScoreSheet(load("zong-heng"))
        self.host = SimulatedHost(Config(), sheet, Sense.PRESENCE, lambda game: self.record, seed=1)
        self.server = Served()
        notifier = Notifier({"RUNTIME_DIRECTORY": str(folder)})
        self.loop = ScanLoop(
            self.host,
            self.said.append,
            notifier,
            Mirror(self.server),
            clock=count().__next__,  # type: ignore[arg-type]
        )
        self.now = 0.0

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds * 100)):
            self.now += 0.01
            self.loop.scan(self.now)
            while self.host.daemon.record and not self.host.daemon.record.safe:
                os.sched_yield()

    def ask(self, request: Any, seconds: float) -> None:
        """Let a player at the page ask for something."""
        self.host.obey(request, self.now)
        self.run(seconds)


@pytest.fixture
def french(monkeypatch: pytest.MonkeyPatch) -> None:
    """A language with catalogues, none of them read yet."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANGUAGE", "fr")
    game_catalogue.cache_clear()


def test_no_scan_of_a_game_touches_a_file(french: None, tmp_path: Path) -> None:
    at = Evening(tmp_path)
    at.run(0.05)
    with watched() as found:
        for turn in ("c3-c4", "a1-b1", "d8-d7"):
            at.ask(Make(turn), 5.0)
        at.ask(Press("undo"), 5.0)
        at.ask(Press("done"), 2.0)
        for what in ("unplug", "plug", "bump", "knock-over", "tidy"):
            at.ask(Mishap(what), 8.0)
        at.ask(Show("quiet"), 1.0)
        at.ask(End(), 2.0)
    assert found == set()
    assert any("joue" in sentence for sentence in at.said)
    assert at.server.packets
    at.host.close()
    assert read_record(at.record).sheet.outcome


def test_no_scan_of_a_puzzle_does(french: None, tmp_path: Path) -> None:
    at = Evening(tmp_path)
    puzzles = game_class("zhizhu").puzzles
    number = next(number for number, each in enumerate(puzzles, start=1) if to_find(each) == 2)
    first, answer, second = puzzles[number - 1].turns
    at.ask(Solve("zhizhu", number), 0.5)
    with watched() as found:
        at.ask(Press("hint"), 0.5)
        at.ask(Make(first), 9.0)
        assert [entry.turn.text for entry in at.host.daemon.table.sheet.played_turns] == [first, answer]
        at.ask(Make(second), 5.0)
    assert found == set()
    assert at.host.daemon.tutor.solved
    at.host.close()


def test_a_scan_is_timed_part_by_part(tmp_path: Path) -> None:
    at = Evening(tmp_path)
    at.run(0.1)
    watch = at.loop.stopwatch
    watch.begin(watch.now())
    at.run(0.01)
    ended = watch.end()
    assert watch.worst(ended) == dict.fromkeys(PARTS, 1) | {"session": 2, "record": 0, "page": 2}
    at.host.close()


class Clock:
    """A clock that stands still but for waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Waiting(SimulatedHost):
    """A simulated table that notes its scans, at which a piece is lifted before all is worked out that may be done."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(Config(), ScoreSheet(load("zong-heng")), Sense.PRESENCE, None)
        self.clock, self.quiet, self.lifted = clock, 20, 0.0
        self.scans: list[float] = []

    def step(self, now: float) -> list[Event]:
        events = super().step(now)
        if self.lifted:
            self.scans.append(now - self.lifted)
            self.over = now - self.lifted > 0.1
        return events

    def wait(self, seconds: float, asked: Any) -> None:
        self.clock.now += seconds
        self.quiet -= 1
        if not self.quiet:
            self.lifted = self.clock.now
            self.obey(Lay((("c3", 0),)), self.clock.now)


def test_while_light_waits_for_a_scan_it_comes_sooner() -> None:
    clock = Clock()
    at = Waiting(clock)
    ScanLoop(at, lambda _: None, Notifier({}), clock=clock).run()
    weighing = [scan for scan in at.scans if scan == 0.0]
    assert len(weighing) > 1
    between = [after - before for before, after in pairwise(at.scans[len(weighing) :])]
    listing = [pause for pause in between if pause]  # none is left where it is weighed again meanwhile
    assert listing == pytest.approx([LISTING] * len(listing))
    assert len(listing) > 5
    at.close()


def test_a_level_that_has_still_to_hold_is_looked_at_again_in_time() -> None:
    hold = Config().table.debounce
    at = open_simulation(ScoreSheet(load("zong-heng")), Sense.PRESENCE, debounce=Debounce(hold))
    while not at.table.prepared:
        at.run(1.0)
    assert at.daemon.due(at.now) == at.now + 1 / SCAN_HZ
    at.board.lift("c3")
    at.daemon.cycle(at.now)
    assert at.daemon.hurried
    assert at.daemon.due(at.now) == at.now + hold < at.now + 1 / SCAN_HZ


@pytest.mark.parametrize("name", ["zong-heng", "zhizhu", "yin-yang"])
def test_turns_that_may_follow_are_listed_sooner_than_quick_hands_come(name: str) -> None:
    at = open_simulation(ScoreSheet(load(name)), Sense.PRESENCE)
    at.run(1.0)
    at.play(turn := at.table.sheet.turns[0], STYLES["done"])
    at.finish(turn, STYLES["done"])
    assert at.table.sheet.played_turns
    counted = at.now
    while at.daemon.due(at.now) < at.now + 1 / SCAN_HZ:
        at.step(at.daemon.due(at.now))
    assert at.table.prepared
    assert 0.0 < at.now - counted < 1.0


def test_every_game_is_timed(tmp_path: Path) -> None:
    at = Evening(tmp_path)
    at.run(0.01)
    first = at.host.daemon
    at.record = tmp_path / "other.table"
    at.ask(New("zhizhu"), 0.1)
    assert at.host.daemon is not first
    assert at.host.daemon.stopwatch is first.stopwatch is at.loop.stopwatch
    at.host.close()


def test_a_page_that_cannot_be_served_is_no_server_that_was_lost(tmp_path: Path) -> None:
    """The server says why and ends, and both may come in one scan."""
    at = Evening(tmp_path)
    at.server.asks.append(pack(Failed("No room.")))
    at.server.lost = "ended"
    with pytest.raises(DeviceError, match=r"No room\."):
        at.run(0.01)
    assert at.said == []
    at.host.close()


@pytest.mark.parametrize(
    "touch", [lambda: Path("x").exists(), lambda: os.listdir("."), lambda: open(os.devnull).close()]
)
def test_what_touches_a_file_is_seen(touch: Any) -> None:
    with watched() as found:
        touch()
    assert len(found) >= 1
