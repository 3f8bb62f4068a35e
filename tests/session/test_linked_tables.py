"""A real table and a simulated one meet through a real broker, play, and part; they are asked as by a page."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from benchmarks.broker import MISSING, MOSQUITTO, RunningBroker
from firmware_bridge.config import Config, LinkConfig, RecordConfig
from firmware_bridge.score import ScoreSheet
from firmware_bridge.session import Invite, Join, New, Rejoin, Unlink
from firmware_bridge.web.simulated_host import SimulatedHost
from games.rules import load
from hardware.device import Sense
from tests.session.screenless_players import ScreenlessTable

pytestmark = pytest.mark.skipif(not MOSQUITTO, reason=MISSING)
PATIENCE = 30.0


class Tables:
    """A simulated table, and a real one with this `board`."""

    def __init__(self, folder: Path, broker: str, board: str) -> None:
        configs = [
            Config(record=RecordConfig(folder=str(folder / name)), link=LinkConfig(broker=broker))
            for name in ("simulated", "real")
        ]
        self.host = SimulatedHost(configs[0], ScoreSheet(load("zong-heng")), Sense.COLOUR, background=False, seed=1)
        self.real = ScreenlessTable(board, config=configs[1])
        self.said: list[str] = []
        """The names of what was said at the simulated table."""

    def ask(self, request: Invite | Join | Unlink | Rejoin | New) -> list[str]:
        """Ask the real table; the names of what it says to it."""
        return [event.name for event in self.real.session.obey(request, self.real.now)]

    def invite(self, request: Invite) -> str:
        """The simulated table invites: the words that it shows."""
        assert self.host.obey(request, time.monotonic()) == []
        self.wait(lambda: bool(self.host.linking.snapshot.words))
        return self.host.linking.snapshot.words

    def step(self) -> None:
        now = time.monotonic()
        self.said += [event.name for event in self.host.step(now)]
        self.real.step(now)

    def wait(self, due: Callable[[], bool]) -> None:
        until = time.monotonic() + PATIENCE
        while not due():
            assert time.monotonic() < until, (self.said, self.real.events[-3:], self.real.session.linking.snapshot)
            self.step()
            time.sleep(0.002)

    def heard(self, name: str) -> bool:
        """Whether the real table has said this."""
        return any(event.name == name for event in self.real.events)

    def close(self) -> None:
        self.host.close()
        self.real.session.close()


Open = Callable[[str], Tables]


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Open]:
    broker = RunningBroker(tmp_path)
    opened: list[Tables] = []

    def make(folder: Path, board: str) -> Tables:
        opened.append(Tables(folder, broker.address, board))
        return opened[-1]

    yield partial(make, tmp_path)
    for each in opened:
        each.close()
    broker.kill()


def test_a_real_table_joins_a_simulated_one_and_plays_on_alone(tables: Open) -> None:
    both = tables("grid")
    words = both.invite(Invite("yin-yang", seat=1, clock="10+5"))
    assert both.ask(Join(words)) == []
    assert both.ask(Join(words)) == ["link-meets"]
    both.wait(lambda: bool(both.real.session.daemon and both.host.daemon.partner))
    assert both.real.session.menu is None
    for daemon, away in ((both.host.daemon, 0), (both.real.session.daemon, 1)):
        assert daemon
        sheet = daemon.table.sheet
        assert (sheet.game.name, sheet.away, bool(sheet.clock)) == ("yin-yang", away, True)
    assert both.real.session.daemon
    assert both.real.session.daemon.table.setting  # its pieces are laid out first
    both.wait(lambda: both.heard("link-here"))
    assert both.ask(Join(words)) == ["link-busy"]
    assert both.ask(New("zhizhu")) == ["link-busy"]
    assert both.ask(Unlink())[0] == "link-parted-for-good"
    assert both.real.session.daemon.partner is None
    assert both.ask(New("yin-yang")) == []
    both.real.run(0.5)
    assert both.real.session.daemon.partner is None


def test_a_game_for_which_the_board_has_no_room_is_refused_before_the_other_table_knows(tables: Open) -> None:
    both = tables("pits")
    words = both.invite(Invite("zhizhu"))
    before = both.real.session.menu
    assert both.ask(Invite("zhizhu")) == ["refused"]
    assert both.ask(Join(words)) == []
    both.wait(lambda: both.heard("link-failed"))
    assert "has no room for" in str(both.real.events[-1].say)
    assert both.real.session.menu is before
    assert not both.real.session.linking.snapshot.kept
    assert both.host.linking.snapshot.state == "waiting"
    both.host.obey(Unlink(), time.monotonic())
    both.wait(lambda: "link-withdrawn" in both.said)
    assert both.host.linking.snapshot.state == ""


def test_what_no_game_is_cannot_be_invited_to(tables: Open) -> None:
    both = tables("grid")
    for request in (Invite("no-such-game"), Invite("zhizhu", {"size": 77}), Invite("zhizhu", clock="soon")):
        assert both.ask(request) == ["refused"]
        assert not both.real.session.linking.meeting.busy
