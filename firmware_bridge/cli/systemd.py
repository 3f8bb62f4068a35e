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
        self._mark = Path(folder) / MARK_FILE if folder else None
        self._noted: str | None = None

    def see(self, table: ShownTable, events: Sequence[Event], now: float) -> None:
        """Tell of the scan at `now` (seconds) and of the `events` that followed from it."""
        self._ready = self._ready or self._tell("READY=1")
        stands = table.shown is not None and now - table.shown.shown_at > self._period
        if now >= self._due and not stands and self._tell("WATCHDOG=1"):
            self._due = now + self._period
        if events and self.present:
            self._status = status(table, events[-1])
        if events:
            self._note(table)
        if self._status != self._told and self._tell(f"STATUS={self._status}"):
            self._told = self._status

    def stopping(self) -> None:
        """Tell that the program ends."""
        self._tell("STOPPING=1")

    def cut_short(self, record: Path) -> bool:
        """Whether the game of `record` was in hand when the service manager started the program anew."""
        try:
            return self._mark is not None and self._mark.read_text() == str(record.absolute())
        except (OSError, UnicodeDecodeError):
            return False

    def _note(self, table: ShownTable) -> None:
        """Note the game in hand for the next start of the program."""
        record = table.daemon.record if table.daemon else None
        text = str(record.path.absolute()) if record else ""
        if self._mark and text != self._noted:
            with suppress(OSError):
                self._mark.write_text(text)
                self._noted = text

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
