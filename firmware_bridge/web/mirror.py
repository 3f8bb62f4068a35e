"""The daemon's side of the page: what the table shows is sent to a server in a process of its own.

Nothing here waits. A snapshot that the server has no room for is sent again a little later, as the table stands then.
A server that has died is started anew. What comes back are requests, one a scan; the server is told what each has cost,
and sends the next one then. Where the page is, people are told as a line, as a QR code for a phone, or by a browser
that opens.
"""

from __future__ import annotations

import ipaddress
import os
import secrets
import socket
import sys
import webbrowser
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from threading import Thread
from time import perf_counter
from typing import Protocol

from firmware_bridge.clocks import control_text
from firmware_bridge.config import Config
from firmware_bridge.daemon import Daemon
from firmware_bridge.events import Event
from firmware_bridge.health import Status
from firmware_bridge.i18n import system_words
from firmware_bridge.lessons import Progress, Tutor
from firmware_bridge.lighting import PALETTES, scene
from firmware_bridge.score import ScoreSheet
from firmware_bridge.session import (
    LARGEST,
    TOKEN,
    AnyReport,
    AnyRequest,
    AnySnapshot,
    Failed,
    Inside,
    Linking,
    Listening,
    Lost,
    Now,
    Puzzling,
    Said,
    Sentences,
    Spent,
    State,
    Taught,
    Together,
    Whispered,
    messages,
    said,
    story_snapshot,
)
from firmware_bridge.table import Table
from firmware_bridge.verdict import Astray, AtRest, Blind, Complete, Offered, UnderWay, Which
from firmware_bridge.web import invitation as invitations
from firmware_bridge.worker import Worker
from games.acts import Act
from games.rules import Position, Reason, Turn, say
from hardware.device import Levels, Sense
from hardware.settings import SettingsError

USUAL_ADDRESS = "127.0.0.1:8000"
"""Where the page is served unless told otherwise: to this computer alone."""
PORTS_TRIED = 10
"""Ports that are tried from the usual one on, where nobody has asked for one; guessed."""
STATES: dict[type, State] = {
    AtRest: "rest", UnderWay: "under-way", Complete: "complete", Which: "which", Offered: "which", Astray: "astray",
    Blind: "blind",
}  # fmt: skip
"""The state of a table in a word, by its verdict."""
AT_ONCE = 0.03
"""Seconds for which what a scan has changed is told with the light that answers it, at most: two frames of a screen."""
RETRY_AFTER = 0.1
"""Seconds after which a server that had no room is told again; guessed."""
REPORTS_A_SCAN = 8
"""Reports of the server that are read in a scan at most, with the request that ends them; guessed."""
SENTENCES_KEPT = 50
"""Sentences that are kept for a server that starts anew: as many as it keeps for a browser."""


Parts = dict[str, tuple[object, Callable[[], AnySnapshot]]]
"""What is told: for each part what it hangs on, and what makes it."""


class ShownTable(Protocol):
    """A table that the page shows and that does what is asked there."""

    over: bool
    """Whether the table has been switched off."""
    hands: bool
    """Whether pieces are moved on the page."""

    @property
    def daemon(self) -> Daemon | None:
        """The game in hand."""

    @property
    def carried(self) -> bool:
        """Whether a hand that is nobody's carries out the engine's turns."""

    @property
    def making(self) -> Turn[Position] | None:
        """The turn that such hands make."""

    @property
    def shown(self) -> Daemon | None:
        """The game in hand; None while the lights serve another purpose."""

    @property
    def progress(self) -> Progress:
        """Which lessons and puzzles were solved here."""

    @property
    def offered(self) -> bool:
        """Whether nobody has chosen the game in hand yet."""

    @property
    def left(self) -> bool:
        """Whether there is a finished game to go back to."""

    @property
    def linking(self) -> Linking:
        """The table's way to others, with which it may play."""

    def levels(self, daemon: Daemon) -> Levels:
        """What lies on the sites of the game in hand."""

    def places(self, daemon: Daemon) -> tuple[tuple[float, float], ...]:
        """Where the sites of the game in hand lie, as `messages.Table` has it."""

    def power(self, daemon: Daemon) -> tuple[float, int]:
        """What the lights may draw, in mA, and how many there are."""

    def obey(self, request: AnyRequest, now: float) -> list[Event]:
        """Do a request at `now` (seconds), or tell in an event why it cannot be done."""

    def step(self, now: float) -> list[Event]:
        """Do one scan at `now` (seconds); the events that follow from it."""

    @property
    def beginning(self) -> bool:
        """Whether what was asked for last is still being done, part by part, one a scan."""

    def wait(self, seconds: float, asked: Callable[[float], None]) -> None:
        """Wait until there may be news, for `seconds` at most; `asked` waits for so long, or until the page asks."""

    def close(self) -> None:
        """Make the lights dark, keep the record safe and release the devices."""


class ServerProcess(Worker):
    """The server's process, on `host` and `port`. With a `token` only those who send it may change anything.

    `names`: what the page answers to, beside the names and addresses of this computer. `records`: the folder of past
    games; with `open_past` whoever may look at the page may look at these.
    """

    def __init__(
        self, host: str, port: int, token: str = "", names: Sequence[str] = (), records: Path | None = None,
        *, open_past: bool = False,
    ) -> None:  # fmt: skip
        named = [f"--name={name}" for name in names]
        named += [f"--records={records.absolute()}"] if records else []
        named += ["--open-past"] if open_past else []
        super().__init__("firmware_bridge.web", ("--host", host, "--port", str(port), *named), LARGEST)
        self.host, self.port, self.token = host, port, token

    def environment(self) -> dict[str, str]:
        """The daemon's environment, and the token."""
        return super().environment() | {TOKEN: self.token}


class Mirror:
    """What `server` has been told of a table, and what it is still to be told. `clock` (seconds) times requests."""

    def __init__(self, server: ServerProcess, clock: Callable[[], float] = perf_counter) -> None:
        self.server = server
        self._clock = clock
        self._began: float | None = None
        """When the request of this scan began, by the clock, or another part of it."""
        self._cost = 0.0
        """What the request in hand has cost so far, in seconds."""
        self._spent: Spent | None = None
        """What the server is still to be told of the last request."""
        self.listening = ""
        """The address of the page (HOST:PORT) once it is served."""
        self.fault = ""
        """Why the page cannot be served, if so."""
        self.unannounced = False
        """Whether one of these has changed since `unannounced` was last made False."""
        self.status: Status | None = None
        """How the table is, as it was found last."""
        self._inside: Status | None = None
        self._starts = 0
        self._lost: list[Event] = []
        """What was lost and is not told yet."""
        self._told: dict[str, object] = {}
        self._sheet: ScoreSheet | None = None
        """Whose game the server was told last."""
        self._due = -inf
        self._held = inf
        """Since when nothing is told, for light is about to follow, in seconds."""
        self._count = self._heard = 0
        self._words: deque[tuple[int, str, Said]] = deque(maxlen=SENTENCES_KEPT)

    def see(self, table: ShownTable, events: Sequence[Event], now: float) -> None:
        """Tell the server what the scan at `now` (seconds) has changed, and the `events` that followed from it.

        What a request costs is all of the scan from it on: what the table did, saw and told differently for it; and all
        of the scans in which the rest of it is done. Whoever has asked for another game hears that it is done once that
        game has been told, and not the one before.
        """
        self._see(table, events, now)
        if self._began is not None:
            self._cost, self._began = self._cost + self._clock() - self._began, None
            if not table.beginning:
                self._spent, self._cost = Spent(self._cost), 0.0
        if self._spent and self._up_to_date(table.shown) and self.server.send(messages.pack(self._spent)):
            self._spent = None

    def _up_to_date(self, daemon: Daemon | None) -> bool:
        """Whether the game that the server was told last is the one in hand, if that can be told."""
        return not daemon or daemon.table.sheet is self._sheet or bool(daemon.record and daemon.record.problem)

    def _see(self, table: ShownTable, events: Sequence[Event], now: float) -> None:
        for event in events:
            self._count += 1
            self._words.append((self._count, event.name, said(event.say)))
        if not self.server.alive(now):
            return
        if self._starts != self.server.starts:
            self._starts, self._told, self._heard, self._sheet = self.server.starts, {}, 0, None
            self._began = self._spent = None
            self._cost = 0.0
        if (status := self.status) is not self._inside and status and self.server.send(messages.pack(Inside(status))):
            self._inside = status
        if now >= self._due and not self._holds_back(table.shown, now) and not self._tell(table, now):
            self._due = now + RETRY_AFTER

    def _holds_back(self, daemon: Daemon | None, now: float) -> bool:
        """Whether what is new is told with the light that is about to answer it: what comes at once is drawn once.

        What is said is told at once.
        """
        if not daemon or not daemon.hurried or self._heard != self._count:
            self._held = inf
            return False
        self._held = min(self._held, now)
        return now < self._held + AT_ONCE

    def _tell(self, table: ShownTable, now: float) -> bool:
        """Send all that is new; whether all of it was taken."""
        daemon, linking = table.shown, table.linking
        if not self._send({"link": (linking.state, lambda: linking.snapshot)}):
            return False
        if not daemon:
            return self._send({"table": ((), choosing_snapshot)}) and self._say()
        if daemon.record and not daemon.record.safe:  # no turn is shown as accepted before it is safe on disk
            return not daemon.record.problem or self._say()
        if not self._send(self._parts(table, daemon, now)):
            return False
        self._sheet = daemon.table.sheet
        return self._say()

    def _parts(self, table: ShownTable, daemon: Daemon, now: float) -> Parts:
        """What is told of the game in hand."""
        sheet, light_settings = daemon.table.sheet, daemon.light.settings
        levels, hands, making = table.levels(daemon), table.hands, table.making
        looks = (
            sheet, light_settings, daemon.record and daemon.record.path,
            daemon.assistant.shown if daemon.assistant else "off", table.carried,
            daemon.tutor.stage if daemon.tutor else None, table.offered, table.left, daemon.partner is not None,
            control_text(sheet.clock),
        )  # fmt: skip
        whisper = daemon.assistant.whisper if daemon.assistant else None
        asked = daemon.partner is not None and daemon.partner.asks
        present = daemon.scene, levels, daemon.table.verdict, sheet.position, whisper, sheet.clock, asked, making
        return {
            "table": (looks, lambda: table_snapshot(table, daemon)),
            "story": ((sheet, sheet.position, sheet.length, sheet.outcome), lambda: story_snapshot(sheet, hands=hands)),
            "now": ((sheet, present), lambda: now_snapshot(daemon, levels, now, hands=hands, making=making)),
        }

    def _send(self, parts: Parts) -> bool:
        """Send those of `parts` that are not as they were sent last, together; whether the server has all of them."""
        new = {what: (state, make) for what, (state, make) in parts.items() if self._told.get(what) != state}
        if not new:
            return True
        made = tuple(make() for _, make in new.values())
        if not self.server.send(messages.pack(made[0] if len(made) == 1 else Together(made))):
            return False
        self._told |= {what: state for what, (state, _) in new.items()}
        return True

    def _say(self) -> bool:
        """Send the sentences that are new to the server; whether it has them."""
        if self._heard == self._count:
            return True
        new = tuple(words for words in self._words if words[0] > self._heard)
        if not self.server.send(messages.pack(Sentences(new))):
            return False
        self._heard = self._count
        return True

    def requests(self, table: ShownTable) -> Iterator[AnyRequest]:
        """The request to `table` that is next, if there is one; reports of the server are taken in on the way.

        There is none while the table still does the last one.
        """
        if table.beginning:
            self._began = self._clock()
            return
        for _ in range(REPORTS_A_SCAN):
            data = self.server.receive()
            if not data:
                return
            request = messages.request(data)
            if isinstance(request, AnyReport):
                self._hear(request)
            elif request:
                self._began = self._clock()
                yield request
                return

    def _hear(self, report: AnyReport) -> None:
        """Take in a report of the server; one that changes nothing is not announced."""
        if isinstance(report, Lost):
            self._lost.append(Event.of(f"helper-{report.loss}", program=f"program.{report.program}"))
            return
        before = self.listening, self.fault
        if isinstance(report, Listening):
            host = f"[{report.host}]" if ":" in report.host else report.host
            self.listening = f"{host}:{report.port}"
        self.fault = report.fault if isinstance(report, Failed) else ""
        self.unannounced = before != (self.listening, self.fault)

    def troubles(self) -> list[Event]:
        """That the server was lost, or a process of its own, and is started anew; told once."""
        if loss := self.server.news():
            self._lost.append(Event.of(f"helper-{loss}", program="program.page"))
        told, self._lost = self._lost, []
        return told

    def asking(self, table: ShownTable) -> list[Worker]:
        """The process by which somebody at the page may ask something of `table` that it can begin with."""
        return [] if table.beginning else [self.server]

    def close(self) -> None:
        """End the server."""
        self.server.close()


# Snapshots ------------------------------------------------------------------------------------


def choosing_snapshot() -> messages.Table:
    """The snapshot while the game is being chosen."""
    return messages.Table("", {}, "presence", False, "coach", "default", 0, 0.0, 0)


def table_snapshot(table: ShownTable, daemon: Daemon) -> messages.Table:
    """The snapshot of what is played and how it looks."""
    game, light_settings = daemon.table.game, daemon.light.settings
    supply, pixels = table.power(daemon)
    palette = next((name for name, colours in PALETTES.items() if colours is light_settings.palette), "default")
    record = str(daemon.record.path.absolute()) if daemon.record else ""
    return messages.Table(
        game.name, dict(game.chosen), daemon.table.sensors.sense.value, table.hands, light_settings.mode, palette,
        light_settings.brightness, supply, pixels, record, daemon.table.sheet.levels,
        daemon.assistant.shown if daemon.assistant else "off", table.carried,
        taught(daemon.tutor) if daemon.tutor else None, table.progress.known, table.offered, table.places(daemon),
        control_text(daemon.table.sheet.clock), daemon.table.sheet.names, table.left,
        daemon.partner is not None,
    )  # fmt: skip


def taught(tutor: Tutor) -> Taught:
    """The lesson or the puzzle in hand."""
    exercise, (found, solved, missed, helped) = tutor.exercise, tutor.stage
    puzzling = Puzzling(found, exercise.steps, missed, helped, not exercise.number) if tutor.deepens else None
    return Taught(
        exercise.number, exercise.count, solved, said(exercise.task(min(found, exercise.steps - 1))),
        said(exercise.learnt), str(exercise.start), puzzling,
    )  # fmt: skip


def now_snapshot(
    daemon: Daemon, levels: Levels, now: float, *, hands: bool = True, making: Turn[Position] | None = None
) -> Now:
    """The snapshot of the board and its lights at `now` (seconds); without `hands`, `levels` are what sensors tell.

    `making`: the turn that simulated hands make.
    """
    table, shown = daemon.table, daemon.scene
    lies, board = levels, table.sheet.position.board
    if not hands and table.sensors.sense is Sense.PRESENCE:  # a piece is taken for the one that belongs there
        lies = tuple(told if level and told else level for level, told in zip(levels, board, strict=True))
    marks = dict(table.sheet.marks(lies))
    aside = table.game.aside(table.sheet.position)
    plan = table.planned.text if table.planned else ""
    told = said(aside) if aside else None
    whispered, clock = whispered_snapshot(daemon, now), table.sheet.clock
    return Now(
        levels, dict(shown.cues), shown.side, state_of(table), now, told, plan, marks, whispered, clock, shown.pace,
        daemon.partner is not None and daemon.partner.asks, making.acts if making else acts_known(table),
        refused_for(table),
    )  # fmt: skip


def refused_for(table: Table) -> Said | None:
    """The rule that what hands do breaks, be that certain or not; None where another turn is to be made, or none."""
    verdict = table.verdict
    if table.setting or table.planned or table.sheet.outcome or not isinstance(verdict, Astray) or not verdict.refused:
        return None
    return said(verdict.refused.turn.reason) if verdict.refused.turn.reason else None


def acts_known(table: Table) -> tuple[Act, ...]:
    """What hands do in all turns that may be under way, or do wrong in an illegal one; at rest in the last turn."""
    verdict = table.verdict
    if isinstance(verdict, AtRest):
        return table.sheet.played_turns[-1].turn.acts if table.sheet.played_turns else ()
    if isinstance(verdict, Astray | Blind):
        refused = isinstance(verdict, Astray) and (verdict.refused or verdict.toward)
        return refused.turn.acts if refused else ()
    possible = [verdict.signature] if isinstance(verdict, Complete) else verdict.signatures
    acts = [signature.turn.acts for signature in possible]
    return tuple(act for act in acts[0] if all(act in each for each in acts)) if acts else ()


def whispered_snapshot(daemon: Daemon, now: float) -> Whispered | None:
    """The hint that only the player to move is told, if there is one."""
    whisper = daemon.assistant.whisper if daemon.assistant else None
    if not whisper:
        return None
    lit = scene(daemon.table.view(), now, "coach", whisper.hint).cues if whisper.hint else {}
    cues = {site: cue for site, cue in lit.items() if cue.kind == "hint"}
    return Whispered(cues, said(whisper.say) if whisper.say else None)


def state_of(table: Table) -> State:
    """The state of the table in a word."""
    if isinstance(table.verdict, Blind):
        return "blind"
    if table.setting:
        return "setting"
    if table.sheet.outcome and isinstance(table.verdict, AtRest):
        return "over"
    return STATES[type(table.verdict)]


# The address ------------------------------------------------------------------------------------


def open_mirror(config: Config) -> Mirror | None:
    """The page that the configuration asks for, if any; SettingsError. A house is told what the page tells."""
    where = config.page.address or (usual_address() if config.link.home else "")
    if not where:
        return None
    host, port = address(where)
    token = "" if is_local(host) else config.page.token or secrets.token_urlsafe(9)
    page, records = config.page, config.record.directory()
    return Mirror(ServerProcess(host, port, token, page.names, records, open_past=page.past_games == "everybody"))


def address(text: str) -> tuple[str, int]:
    """HOST:PORT, or one of the two; SettingsError."""
    usual, _, number = USUAL_ADDRESS.partition(":")
    whole = text if ":" in text else f":{text}" if text.isdigit() else f"{text}:{number}"
    host, _, port = whole.rpartition(":")
    if not (port.isascii() and port.isdigit() and len(port) < 6 and 0 < int(port) < 65536):
        raise SettingsError(f"page.address: {text[:60]!r} is no address; it reads HOST:PORT, for one {USUAL_ADDRESS}")
    return host.strip("[]") or usual, int(port)


def usual_address() -> str:
    """The usual address, or the next one that is free."""
    host, port = address(USUAL_ADDRESS)
    ports = range(port, port + PORTS_TRIED)
    return next((f"{host}:{number}" for number in ports if is_free(host, number)), USUAL_ADDRESS)


def is_free(host: str, port: int) -> bool:
    """Whether nothing listens on this port."""
    with socket.socket() as asking:
        return asking.connect_ex((host, port)) != 0


def is_local(host: str) -> bool:
    """Whether only this computer reaches `host`."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def url(server: ServerProcess, listening: str) -> str:
    """The URL of the page, with the token of `server`, for an address where it listens."""
    host, _, port = listening.rpartition(":")
    return invitations.url(host, port, server.token)


def invitation(mirror: Mirror) -> str:
    """The sentence that tells the address; for a page on the network also a QR code for a phone."""
    where = url(mirror.server, mirror.listening)
    words = system_words()
    told = words.say(Reason.of("invite.at", where=where))
    return f"{told}\n{words.text('invite.may')}\n{invitations.in_terminal(where)}" if mirror.server.token else told


def open_browser(where: str) -> None:
    """Open a browser at `where`, if there is a screen, without waiting for it."""
    if sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        Thread(target=webbrowser.open, args=(where,), daemon=True).start()


say(
    "invite",
    at="The page is at {where}",
    may="Whoever opens this address may play; without what follows the # one may watch.",
)
