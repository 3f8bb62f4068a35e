"""The server of the wall: a page on which all boards at a broker are seen, and nothing can be changed.

It is a process of its own, which listens to the broker in a thread and serves browsers as the table's own page does:
by the same door, with the same limits. It publishes nothing. Whatever a browser says ends its line. While the broker is
away what was seen last stays, and says so.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from http import HTTPStatus
from math import inf
from pathlib import Path
from secrets import token_hex
from signal import SIGTERM
from threading import Event, Lock, Thread
from time import monotonic

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from firmware_bridge.club.boards import GAMES, STATUSES, Boards
from firmware_bridge.club.evening import Results, Scores, write_scores
from firmware_bridge.club.forms import encode, grounds_form, page_form, timed, wall_form
from firmware_bridge.i18n import words
from firmware_bridge.link.line import LONGEST_PAUSE, SHORTEST_PAUSE, Line, Lost
from firmware_bridge.link.news import Said
from firmware_bridge.link.pairing import Broker
from firmware_bridge.web.browser import LimitedConnection, Limits, asked_for, preferred
from firmware_bridge.web.door import Access, Slots, access, loopback
from firmware_bridge.web.files import file_answer, read_files
from firmware_bridge.web.serving import Unserved, close_sockets, fault, open_sockets, refusal, strange
from games.rules import Reason

TICK = 0.25
"""Seconds after which what has come is looked at, and browsers are told; a guess."""
FIRST = 1.0
"""Seconds that tables have to say that they are there before their games are looked at; a guess."""
GROUNDS = b'{"kind":"grounds"'
"""How the text of the geometries begins."""
PUBLISHED = ("/static/",)
"""What is served beside the page itself."""


class Listener:
    """What listens to the broker, in a thread, and puts what it hears on the boards."""

    def __init__(self, broker: Broker, boards: Boards, clock: Callable[[], float] = monotonic) -> None:
        self.lost: Said | None = None
        """Why there is no news of the broker; None while there is, or nothing is known yet."""
        self.lock = Lock()
        """Who looks at the boards holds it."""
        self._broker, self._boards, self._clock = broker, boards, clock
        self._ends = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Listen no more."""
        self._ends.set()
        self._thread.join(2 * FIRST)

    def _line(self) -> Line:
        def hear(topic: str, payload: bytes) -> None:
            self._hear(topic, payload, old=line.old)

        line = Line(self._broker, f"tablelight-{token_hex(6)}", hear)
        return line

    def _hear(self, topic: str, payload: bytes, *, old: bool) -> None:
        with self.lock:
            self._boards.put(topic, payload, self._clock(), old=old)

    def _run(self) -> None:
        pause = SHORTEST_PAUSE
        while not self._ends.is_set():
            try:
                line = self._line()
                line.open()
                self.lost, pause = None, SHORTEST_PAUSE
                self._listen(line)
                line.close()
            except Lost as lost:
                if not self.lost:
                    with self.lock:
                        self._boards.lose(self._clock())
                self.lost = lost.fault
                self._ends.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _listen(self, line: Line) -> None:
        """Listen until the end; Lost."""
        line.listen((STATUSES,))
        due = monotonic() + FIRST
        while not self._ends.is_set():
            line.wait(TICK)
            if monotonic() >= due:
                line.listen(GAMES)
                due = inf


class Wall:
    """The page of `boards`, which `listener` fills; scores that count are kept beside the plan at `path`.

    `clock` is that of the listener, in seconds.
    """

    def __init__(
        self, boards: Boards, listener: Listener, path: Path | None = None, names: Sequence[str] = (),
        limits: Limits | None = None, clock: Callable[[], float] = monotonic,
    ) -> None:  # fmt: skip
        self._boards, self._listener, self._path, self._names, self._clock = boards, listener, path, names, clock
        self._limits = limits or Limits(kept=0)
        most = self._limits
        self._slots = Slots(most.strangers, most.browsers, most.kept, most.each)
        self._files = read_files()
        self._access = Access(private=True)
        self._version = 0
        self._lost: Said | None = None
        self._texts: dict[str, list[bytes]] = {}
        """What is told in each language now."""
        self._changed: set[asyncio.Event] = set()
        self._broken = ""
        """What has gone wrong in telling browsers, if anything has."""
        self._kept: Scores | None = boards.results.scores if boards.results else None

    async def run(self, host: str, port: int, listening: Callable[[str, int], None]) -> None:
        """Serve until it is cancelled, after saying where; Unserved."""
        try:
            sockets = await open_sockets(self._meet, self._fetched, host, port, self._slots, self._limits)
        except OSError as error:
            raise Unserved(fault(error, host, port)) from None
        self._access = access(all(loopback(each.getsockname()[0]) for each in sockets.sockets), "", self._names)
        await sockets.start_serving()
        listening(*sockets.sockets[0].getsockname()[:2])
        self._listener.start()
        try:
            while not self._broken:
                self._look()
                await asyncio.sleep(TICK)
            raise Unserved(f"The wall broke down ({self._broken}); all games go on without it.")
        finally:
            self._listener.stop()
            await close_sockets(sockets)

    def _look(self) -> None:
        """Look at what is due, keep what counts, and wake those who are to be told."""
        with self._listener.lock:
            changed = self._boards.see(self._clock())
        if changed and self._path and self._boards.results:
            self._kept = keep_scores(self._path, self._boards.results, self._kept)
        if changed or self._lost != self._listener.lost:
            self._lost = self._listener.lost
            self._version += 1
            self._texts.clear()
            for each in self._changed:
                each.set()

    # Browsers ---------------------------------------------------------------------------------------

    def _fetched(self, line: ServerConnection, request: Request) -> Response | None:
        """The answer to a plain request; None to a browser that may open a WebSocket."""
        path = request.path.partition("?")[0]
        if stranger := strange(self._access, request):
            return refusal(HTTPStatus.FORBIDDEN, stranger, request)
        if request.method != "GET":
            return refusal(HTTPStatus.METHOD_NOT_ALLOWED, "only-get", request)
        if path == "/live":
            if not self._access.is_same_origin(request.headers):
                return refusal(HTTPStatus.FORBIDDEN, "strange-origin", request)
            return refusal(HTTPStatus.SERVICE_UNAVAILABLE, "full", request) if self._slots.full else None
        if path == "/":
            return file_answer(self._files["/static/wall.html"], request.headers)
        if path.startswith(PUBLISHED) and path in self._files:
            return file_answer(self._files[path], request.headers)
        return refusal(HTTPStatus.NOT_FOUND, "nothing-here", request)

    async def _meet(self, line: ServerConnection) -> None:
        """Tell a browser all that is new, until it says anything or has gone."""
        assert isinstance(line, LimitedConnection)
        if not self._slots.greet(line, trusted=False):
            await line.close(1013)
            return
        changed = asyncio.Event()
        self._changed.add(changed)
        telling = asyncio.ensure_future(self._tell(line, changed))
        try:
            with suppress(ConnectionClosed):
                await line.recv()
                await line.close(1008)
        finally:
            self._changed.discard(changed)
            telling.cancel()
            with suppress(asyncio.CancelledError):
                await telling

    async def _tell(self, line: LimitedConnection, changed: asyncio.Event) -> None:
        request = line.request
        spoken = words((asked_for(request) if request else "") or preferred(request))
        page, told = encode(page_form(spoken)), b""
        try:
            await line.send(page, text=True)
            while True:
                for text in self._due(spoken.language):
                    if text != told:  # geometries seldom change
                        async with asyncio.timeout(self._limits.send_timeout):
                            await line.send(text, text=True)
                    told = text if text.startswith(GROUNDS) else told
                await changed.wait()
                changed.clear()
        except (ConnectionClosed, TimeoutError):
            line.cut()

    def _due(self, language: str) -> list[bytes]:
        """What there is to be told now, made once a language."""
        if language not in self._texts:
            lost = Reason(*self._lost) if self._lost else None
            try:
                wall = wall_form(self._boards, lost, words(language))
                self._texts[language] = [encode(grounds_form(self._boards)), encode(wall)]
            except Exception as error:  # of the program itself, or of the rules of a game that may be anybody's
                self._broken = f"{type(error).__name__}: {error}"
                return []
        at = self._clock() - self._boards.waiting.delay
        return [text if text.startswith(GROUNDS) else timed(text, at) for text in self._texts[language]]


def keep_scores(path: Path, results: Results, kept: Scores | None) -> Scores:
    """Keep what counts beside the plan at `path`, if it is new; a full disk is no reason to stop: the broker has it."""
    scores = results.scores
    if scores != kept:
        with suppress(OSError):
            write_scores(path, scores)
            return scores
    return kept or Scores()


def serve_wall(
    broker: Broker, boards: Boards, host: str, port: int, listening: Callable[[str, int], None],
    path: Path | None = None, names: Sequence[str] = (),
) -> None:  # fmt: skip
    """Serve the wall until the program is asked to end; Unserved."""

    async def serve() -> None:
        running = asyncio.ensure_future(Wall(boards, Listener(broker, boards), path, names).run(host, port, listening))
        # As the loop comes to it: what a handler raises would be lost in a finaliser.
        asyncio.get_running_loop().add_signal_handler(SIGTERM, running.cancel)
        with suppress(asyncio.CancelledError):
            await running

    logging.disable()
    asyncio.run(serve())
