"""How the table is: found out by a thread beside the scan loop, and told to whoever asks.

The thread reads what the loop has left on its stopwatch, the beats of the helpers, and files of the kernel that may be
slow. It answers `tablelight status` at a socket that its owner alone may open, hands the same to the page, and writes a
line a minute to the journal. The scan loop never waits for it.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from select import select
from threading import Thread
from typing import TYPE_CHECKING

from msgspec import json

from firmware_bridge import __version__
from firmware_bridge.health import Helper, Status, Stopwatch, journal_line, read_computer, rows
from firmware_bridge.i18n import Words, padded, print_lines, system_words, width
from firmware_bridge.table import Table
from firmware_bridge.web.mirror import Mirror, ShownTable
from games.rules import Reason, say

if TYPE_CHECKING:  # loaded where a house is told of the table
    from firmware_bridge.home import Home

FIRST_LOOK = 0.2
"""Seconds until the first look, before anybody can have found the page that tells of it; a guess."""
LOOKS_EVERY = 2.0
"""Seconds between two looks; as often as helpers give a beat."""
LOGGED_EVERY = 60.0
"""Seconds between two lines of the journal."""
LIKELY = 0.5
"""How likely it must be that a sensor has an ailment: more likely than not."""
PATIENCE = 2.0
"""Seconds that the other end of the socket may take; a guess at the slowest computer under load."""
LARGEST = 1 << 20
"""Bytes of an answer at most; guessed, far more than there ever are."""
SUFFIX = ".status"
"""What the name of a socket ends in, after the number of the process."""
SERVICE = Path("/run/tablelight")
"""Where the service has its socket."""

journal = logging.getLogger("tablelight.status")


# In the program that runs the table -------------------------------------------------------------


class Monitor:
    """Watches `table`, the `mirror` of its page and the process of its `home`, if there are any.

    `stopwatch` is that of the scan loop. `records` is the folder that games are kept in, and `folder` that of the
    socket. With `logs` the journal is written.
    """

    def __init__(
        self,
        table: ShownTable,
        stopwatch: Stopwatch,
        records: Path,
        mirror: Mirror | None = None,
        *,
        home: Home | None = None,
        folder: Path | None = None,
        logs: bool = False,
        complain: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._table, self._stopwatch, self._records, self._mirror = table, stopwatch, records, mirror
        self._home = home
        self._logs, self._log_at = logs, stopwatch.begun + LOGGED_EVERY
        self._path = folder / f"{os.getpid()}{SUFFIX}" if folder else None
        self._door: socket.socket | None = None
        if self._path:
            try:
                self._door = listen(self._path)
            except OSError as error:
                fault = error.strerror or str(error)
                complain(system_words().say(Reason.of("status.unserved", path=str(self._path), fault=fault)))
        self._stop, self._stopped = socket.socketpair()
        self._thread = Thread(target=self._run, name="monitor", daemon=True)
        self._thread.start()

    def look(self) -> Status:
        """How the table is now."""
        watch, daemon = self._stopwatch, self._table.daemon
        now = watch.now()
        workers = {
            "page": self._mirror.server if self._mirror else None,
            ("link" if daemon and daemon.partner else "engine"): daemon.assistant.worker
            if daemon and daemon.assistant
            else None,
            "meet": self._table.linking.worker,
            "home": self._home.worker if self._home else None,
        }
        helpers = {
            name: Helper(worker.starts, worker.silent) for name, worker in workers.items() if worker and worker.starts
        }
        computer = read_computer(self._records)
        return Status(
            os.getpid(), __version__, now - watch.begun, watch.rate(now), watch.silent(now), watch.worst(now),
            helpers, ailing(daemon.table) if daemon else {}, *computer,
        )  # fmt: skip

    def _run(self) -> None:
        """The thread."""
        waits, pause = [self._stopped, *([self._door] if self._door else [])], FIRST_LOOK
        while self._stopped not in (ready := select(waits, [], [], pause)[0]):
            status, pause = self.look(), LOOKS_EVERY
            if self._mirror:
                self._mirror.status = status
            if self._logs and self._stopwatch.now() >= self._log_at:
                self._log_at = self._stopwatch.now() + LOGGED_EVERY
                journal.info("%s", journal_line(status))
            if self._door in ready:
                self._answer(self._door, status)

    def _answer(self, door: socket.socket, status: Status) -> None:
        with suppress(OSError):  # whoever asked has gone
            line, _ = door.accept()
            with line:
                line.settimeout(PATIENCE)
                line.sendall(json.encode(status))

    def close(self) -> None:
        """Answer no more; a look at a disk that hangs is not waited for."""
        self._stop.close()
        self._thread.join(PATIENCE)
        if self._door and self._path:
            self._door.close()
            self._path.unlink(missing_ok=True)


def ailing(table: Table) -> dict[str, tuple[str, ...]]:
    """What ails the sensors of `table` more likely than not, each with the sites."""
    sites, known = table.game.sites, table.reader.reliability
    found = {
        ailment: [site for site, sick in zip(sites, record.sick, strict=True) if sick > LIKELY]
        for ailment, record in known.records.items()
    }
    found["masked"] = [sites[site] for site in tuple(known.masked)]
    return {ailment: tuple(named) for ailment, named in found.items() if named}


def listen(path: Path) -> socket.socket:
    """A socket at `path` that its owner alone may open; those that programs which were killed have left go. OSError.

    It gets its name once it listens, so that another program that starts just now does not take it for such a one.
    """
    for folder in reversed((path.parent, *path.parent.parents)):
        if not folder.is_dir():
            folder.mkdir(0o700, exist_ok=True)
    for other in path.parent.glob(f"*{SUFFIX}"):
        with suppress(OSError):  # one that does not answer is left alone
            if not answer(other):
                other.unlink()
    door, draft = socket.socket(socket.AF_UNIX), path.with_name(f".{path.name}.new")
    try:
        draft.unlink(missing_ok=True)
        door.bind(str(draft))
        draft.chmod(0o600)  # before anybody can connect
        door.listen()
        draft.rename(path)
    except OSError:
        door.close()
        raise
    return door


def own_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where a table of this user has its socket: the runtime directory of the service, else of the user's session."""
    if runtime := environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]:
        return Path(runtime)
    if session := environment.get("XDG_RUNTIME_DIR"):
        return Path(session) / "tablelight"
    state = environment.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "tablelight" / "run"


def write_journal() -> None:
    """Let lines for the journal go to standard error, which the service manager keeps."""
    journal.addHandler(logging.StreamHandler(sys.stderr))
    journal.setLevel(logging.INFO)
    journal.propagate = False


# In the command `status` ------------------------------------------------------------------------


def tell_status(*, as_json: bool) -> int:
    """Print how each table is that this user may ask: exit status 0, or 1 with a sentence where none answers."""
    words, found, why = system_words(), list[bytes](), "none"
    for folder in dict.fromkeys((own_folder(), SERVICE)):
        try:
            doors = sorted(path for path in folder.iterdir() if path.suffix == SUFFIX)
        except PermissionError:
            why = "hidden"
            continue
        except OSError:  # no table has ever run there
            continue
        for door in doors:
            try:
                found += [told] if (told := answer(door)) else []
            except PermissionError:
                why = "hidden"
            except OSError:
                why = "unanswered"
    if not found:
        print_lines(words.text(f"status.{why}"), file=sys.stderr)
        return 1
    print_lines(*(line for told in found for line in ([told.decode()] if as_json else lines(told, words))))
    return 0


def answer(door: Path) -> bytes:
    """What the program behind this socket says, empty if it is gone; OSError if it does not answer us."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(PATIENCE)
        told = b""
        try:
            line.connect(str(door))
        except (ConnectionRefusedError, FileNotFoundError):
            return told
        while len(told) < LARGEST and (more := line.recv(LARGEST)):
            told += more
        return told


def lines(told: bytes, words: Words) -> Iterator[str]:
    """An answer as lines for people."""
    try:
        status = json.decode(told, type=Status)
    except ValueError:
        yield words.text("status.strange")
        return
    table = [(words.text("status.program"), f"{status.version}, PID {status.pid}"), *rows(status, words)]
    wide = max(width(about) for about, _ in table) + 2
    yield from (padded(about, wide) + told for about, told in table)


say(
    "status",
    program="Tablelight",
    none="No table is running: start one with tablelight run, or the service with sudo systemctl start tablelight.",
    hidden="A table is running that belongs to another user: sudo tablelight status asks it.",
    unanswered="A table is running and does not answer: start it anew; the game is kept.",
    strange="This table is of another version and cannot be read: start it anew after an upgrade.",
    unserved="tablelight status cannot ask this table, for there can be no socket at {path} ({fault}); all else works.",
)
