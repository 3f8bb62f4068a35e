"""The notifications of systemd: the program tells its service manager how it goes, a datagram each.

systemd's library is not needed. Started from a shell, where no service manager listens, the program sends nothing.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path

from firmware_bridge.events import Event
from firmware_bridge.i18n import plain_line
from firmware_bridge.web.mirror import ShownTable
from hardware import files

MARK_FILE = "playing"
"""The file in the runtime directory that names the record of the game in hand."""
LONGEST_STATUS = 400
"""Characters of a status, guessed: a line of a log; the end of a longer one is left out."""


class Notifier:
    """Notifies the service manager that has started the program, if `environment` names one.

    It tells that the table is ready after the first scan, what is being played, and that scans are judged and
    shown: at least twice in the time after which it would take the program for hung. What keeps the lights from being
    shown, as a card that takes no turn, is a hang.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self.present = address.startswith(("/", "@"))
        """Whether a service manager listens."""
        self._address = address.replace("@", "\0", 1) if address.startswith("@") else address
        self._period = period(environment) / 2
        self._due = -inf if self._period < inf else inf
        self._ready = False
        self._status = self._told = ""
        folder = environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]
        self._mark = open_mark(Path(folder)) if folder else None
        self._noted: bytes | None = None

    def see(self, table: ShownTable, events: Sequence[Event], now: float) -> None:
        """Tell of the scan at `now` (seconds) and of the `events` that followed from it."""
        self._ready = self._ready or self._tell("READY=1")
        stands = table.shown is not None and now - table.shown.shown_at > self._period
        if now >= self._due and not stands and self._tell("WATCHDOG=1"):
            self._due = now + self._period
        if events and self.present:
            self._status = status(table, events[-1])
        if self._mark is not None and (events or self._noted is None):
            self._note(table, self._mark)
        if self._status != self._told and self._tell(f"STATUS={self._status}"):
            self._told = self._status

    def stopping(self) -> None:
        """Tell that the program ends."""
        self._tell("STOPPING=1")

    def cut_short(self, record: Path) -> bool:
        """Whether the game of `record` was in hand when the service manager started the program anew."""
        named = os.fsencode(record.absolute())
        try:
            return self._mark is not None and os.pread(self._mark, len(named) + 1, 0) == named
        except OSError:
            return False

    def _note(self, table: ShownTable, mark: int) -> None:
        """Note the game in hand for the next start of the program."""
        record = table.daemon.record if table.daemon else None
        named = os.fsencode(record.path.absolute()) if record else b""
        if named != self._noted:
            with suppress(OSError):
                os.ftruncate(mark, 0)
                os.pwrite(mark, named, 0)
                self._noted = named

    def _tell(self, text: str) -> bool:
        """Send a datagram without waiting; whether it was taken."""
        if not self.present:
            return False
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
                line.setblocking(False)
                line.sendto(text.encode(), self._address)
        except OSError:
            return False
        return True


def open_mark(folder: Path) -> int | None:
    """The mark in the runtime directory, which stays open so that no scan opens a file; None if it cannot be made."""
    try:
        return os.open(folder / MARK_FILE, os.O_RDWR | os.O_CREAT | files.OPEN, 0o600)
    except OSError:
        return None


def period(environment: Mapping[str, str]) -> float:
    """Seconds after which this process counts as hung; infinite if nobody watches it."""
    meant = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    told = environment.get("WATCHDOG_USEC", "")
    return int(told) / 1e6 if meant and told.isascii() and told.isdigit() and int(told) else inf


def status(table: ShownTable, last: Event) -> str:
    """One line: the game, whose turn it is, and what was said last."""
    text = plain_line(f"{standing(table)}. {' '.join(str(last.say).split())}")
    return text if len(text) <= LONGEST_STATUS else f"{text[: LONGEST_STATUS - 3]}..."


def standing(table: ShownTable) -> str:
    """The game, and whose turn it is."""
    if not table.shown:
        return "Being chosen"
    game = table.shown.table
    sheet = game.sheet
    if sheet.outcome:
        return f"{sheet.game.title}, over"
    if game.setting:
        return f"{sheet.game.title}, being set up"
    return f"{sheet.game.title}, turn {sheet.length + 1}, {sheet.game.player_name(sheet.position.side)} to move"
