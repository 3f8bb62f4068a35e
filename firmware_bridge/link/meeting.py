"""How two tables meet while somebody waits at a page: what a process of its own is asked, and how far it is.

The daemon never waits for a broker. It starts the process (``python -m firmware_bridge.link --meet``, `matchmaker.py`),
asks one thing of it and hears *stages*, in MessagePack; the process keeps the pairing on disk once both tables are
known. Until then nothing has changed: it may be withdrawn, killed or lost at any moment.

 1. *Inviting.* The process makes six words, leaves a greeting at the broker, and waits for one from the other seat.
 2. *Joining.* It finds the greeting that the words lead to, tells what is played, and greets once the table says that
    it can play that.
 3. *Going on* with the pairing that is kept is the same without a broker.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Literal

from msgspec import Struct, msgpack

from firmware_bridge.events import Event
from firmware_bridge.link.news import LARGEST, Said, pack, unpack
from firmware_bridge.link.pairing import end_pairing
from firmware_bridge.link.partner import Partner
from firmware_bridge.link.states import Seat, Terms
from firmware_bridge.worker import Worker, await_news
from games.rules import Reason, say

WITHDRAWS = 5.0
"""Seconds that the process has to take a greeting back from the broker, before it is ended; a guess, as `CONNECTS`."""
LOOKS = 10
"""How often it is looked in that time, as the program ends."""
PACKETS_PER_SCAN = 4
"""Packets that are read after one scan at most; guessed."""


class Club(Struct, frozen=True):
    """The broker of the configuration, and what this table shows there; see `config.LinkConfig`."""

    broker: str = ""
    ca: str = ""
    user: str = ""
    password_file: str = ""


# What the process is asked ------------------------------------------------------------------------


class Task(Struct, frozen=True, tag_field="do", kw_only=True):
    """What the process is to do; `broker`: the address that was typed, empty for that of the `club`."""

    club: Club
    broker: str = ""


class Inviting(Task, frozen=True, tag="invite", kw_only=True):
    """Invite another table to play `terms`; `seat`: who sits here."""

    terms: Terms
    seat: Seat


class Joining(Task, frozen=True, tag="join", kw_only=True):
    """Join the table that shows `words`; they may follow the address of a broker and a ``#``."""

    words: str


class GoingOn(Task, frozen=True, tag="go-on"):
    """Go on with the pairing that is kept."""


class Agreeing(Struct, frozen=True, tag_field="do", tag="agree"):
    """What was found can be played here."""


class Withdrawing(Struct, frozen=True, tag_field="do", tag="withdraw"):
    """Nobody wants it any more."""


AnyTask = Inviting | Joining | GoingOn
AnyRequest = AnyTask | Agreeing | Withdrawing


# What it tells ------------------------------------------------------------------------------------


class Stage(Struct, frozen=True, kw_only=True):
    """How far it is.

    ``reaching`` the broker; ``waiting`` for the other table, which needs `words` or `address`, and `fault` if the
    broker is gone meanwhile; ``found``: `terms` and `seat` are what would be played; ``met``: the pairing is kept, and
    `turns` of the game in hand were made before, after `games` others. ``failed``: `fault` tells why; ``withdrawn``.
    """

    state: Literal["reaching", "waiting", "found", "met", "failed", "withdrawn"]
    words: str = ""
    address: str = ""
    fault: Said | None = None
    terms: Terms | None = None
    seat: Seat = 0
    games: int = 0
    turns: tuple[str, ...] = ()


OVER = ("met", "failed", "withdrawn")
"""States after which the process has nothing more to do."""

STAGES = msgpack.Decoder(Stage)
"""Reads how far it is, as the process tells it."""
REQUESTS: msgpack.Decoder[AnyRequest] = msgpack.Decoder(AnyRequest)
"""Reads what the daemon asks."""


# The daemon's side --------------------------------------------------------------------------------


class Meeting:
    """One table's way to another one: at most one attempt at a time, for the pairing at `path`.

    `open_process` opens what does it, if that is not the usual process.
    """

    def __init__(self, path: Path, open_process: Callable[[Path], Worker] | None = None) -> None:
        self.path = path
        self.stage: Stage | None = None
        """How far the attempt is, or why the last one failed; None while there is none."""
        self.kept = path.exists()
        """Whether there is a pairing to go on with."""
        self._open_process = open_process or meeting_process
        self._worker: Worker | None = None
        self._unsent: AnyRequest | None = None
        """What the process is still to be asked."""
        self._begun = False
        """Whether it was asked anything."""
        self._ends: float | None = None
        """When it is ended though it has not answered that it takes all back, in seconds."""
        self._threads: list[Thread] = []

    @property
    def worker(self) -> Worker | None:
        """The process, while an attempt is under way."""
        return self._worker

    @property
    def busy(self) -> bool:
        """Whether an attempt is under way."""
        return self._worker is not None

    def begin(self, task: AnyTask) -> None:
        """Begin an attempt; there is none under way."""
        self._worker, self._unsent, self._begun, self._ends = self._open_process(self.path), task, False, None
        self.stage = Stage(state="reaching")

    def agree(self) -> None:
        """What was found can be played here."""
        self._unsent = Agreeing()

    def fail(self, fault: Said) -> list[Event]:
        """The attempt is at its end, for the reason `fault`: nothing was changed."""
        return self._finish(Stage(state="failed", fault=fault))

    def withdraw(self, now: float) -> list[Event]:
        """Give the attempt up, or forget why it failed: what was said to the broker is taken back first."""
        if self.stage and self.stage.state == "waiting" and self._begun and self._ends is None:
            self._unsent, self._ends = Withdrawing(), now + WITHDRAWS
            return []
        said = [Event.of("link-withdrawn")] if self.busy else []
        return [*self._finish(None), *said]

    def see(self, now: float) -> list[Event]:
        """Hear of the process at `now` (seconds), after each scan."""
        worker = self._worker
        if not worker:
            return []
        if not worker.alive(now):
            return self.fail(("table.link-lost", ())) if worker.news() else []
        if self._unsent and worker.send(pack(self._unsent)):
            self._unsent, self._begun = None, True
        for _ in range(PACKETS_PER_SCAN):
            data = worker.receive()
            stage = unpack(STAGES, data) if data else None
            if not data or (stage and stage.state in OVER):
                break
            self.stage = stage if stage and self._ends is None else self.stage
        if stage and stage.state in OVER:
            return self._finish(stage)
        return self._finish(Stage(state="withdrawn")) if self._ends is not None and now >= self._ends else []

    def _finish(self, stage: Stage | None) -> list[Event]:
        """The process is not needed any more."""
        if self._worker:
            self._aside(self._worker.close)
        self._worker = self._unsent = None
        self.stage = stage
        if stage and stage.state == "failed" and stage.fault:
            return [Event("link-failed", Reason(stage.fault[0], tuple(stage.fault[1])))]
        if stage and stage.state == "withdrawn":
            self.stage = None
            return [Event.of("link-withdrawn")]
        self.kept = self.kept or bool(stage and stage.state == "met")
        return []

    def taken(self) -> None:
        """Both tables have met, and the game is about to begin here."""
        self.stage = None

    def forget(self, partner: Partner) -> None:
        """Forget the pairing with `partner`, whose process is ended before, for it may still write."""
        self.kept = False
        self._aside(partner.close, lambda: _end_pairing(partner.path))

    def _aside(self, *work: Callable[[], None]) -> None:
        """Do this in a thread, one after the other: processes end, and files go, in their own time."""
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = Thread(target=lambda: [each() for each in work], name="meeting")
        thread.start()
        self._threads.append(thread)

    def close(self) -> None:
        """Take back what was said to the broker, end the process, and wait until it has gone: `WITHDRAWS` at most."""
        if self._worker and self.stage and self.stage.state == "waiting" and self._worker.send(pack(Withdrawing())):
            for _ in range(LOOKS):
                await_news([self._worker], WITHDRAWS / LOOKS)
                stage = unpack(STAGES, self._worker.receive())
                if stage and stage.state in OVER:
                    break
        if self._worker:
            self._worker.close()
        self._worker = None
        for thread in self._threads:
            thread.join()


def _end_pairing(path: Path) -> None:
    with suppress(OSError):  # it is replaced by the next one
        end_pairing(path)


def meeting_process(path: Path) -> Worker:
    """The process that makes the pairing at `path`."""
    return Worker("firmware_bridge.link", ("--meet", str(path.absolute())), LARGEST)


say(
    "table",
    link_lost="What looks for the other table has ended unexpectedly: ask once more. Nothing was changed.",
    link_withdrawn="No other table is asked any more: the game goes on as it stands.",
)
