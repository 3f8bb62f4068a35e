"""The server of the page: files and the record on request, and to each browser what the daemon tells.

It is a process of its own. The daemon neither waits for it nor depends on it; it ends when the daemon does.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec.structs import replace
from websockets.asyncio.server import Server as Sockets
from websockets.asyncio.server import ServerConnection, broadcast
from websockets.http11 import Request, Response

from firmware_bridge import events
from firmware_bridge.drawing.figures import figures
from firmware_bridge.exchange import Unreadable, sgf_text
from firmware_bridge.health import Status, metrics, rows
from firmware_bridge.i18n import Words, page_text, words
from firmware_bridge.lessons import path_of
from firmware_bridge.link import pairing
from firmware_bridge.session import (
    AnyRequest,
    Failed,
    Inside,
    Invite,
    Join,
    Listening,
    Lost,
    New,
    Report,
    Sensing,
    Spent,
    Together,
    menu,
    messages,
    pack,
    snapshot,
)
from firmware_bridge.web.api import ROOT, Api, Program, problem
from firmware_bridge.web.browser import Browser, LimitedConnection, Limits, asked, asked_for, preferred
from firmware_bridge.web.cards import cards
from firmware_bridge.web.door import Access, Slots, access, loopback
from firmware_bridge.web.fair_queue import FairQueue
from firmware_bridge.web.files import TYPES, File, answer, download, file_answer, read_files, record_answer, status_page
from firmware_bridge.web.films import Films
from firmware_bridge.web.forms import AloneForm, BroughtForm, encode
from firmware_bridge.web.invitation import JOIN, drawing, url
from firmware_bridge.web.opened import Bring, Brought, Meant, Texts, carried, opened_form, position_after, why
from firmware_bridge.web.own_puzzles import own_puzzles
from firmware_bridge.web.positions import PositionForm, of_link, of_story, position_form
from firmware_bridge.web.positions import Unreadable as PositionFault
from firmware_bridge.web.reports import Reports
from firmware_bridge.web.seating import LOOK_AT_SEATS, Answer, AnySeatRequest, Seating
from firmware_bridge.web.serving import Unserved, close_sockets, fault, open_sockets, refusal, strange
from firmware_bridge.web.snapshots import Broken, SnapshotTexts, cached_game, game_of, own_faults
from firmware_bridge.worker import BEAT_EVERY, Pulse
from games.rules import OptionError, Reason

if TYPE_CHECKING:  # loaded when somebody asks for them
    from firmware_bridge.library import Game as PastGame
    from firmware_bridge.web.past_games import PastGames

SPEAKERS = (events, messages, menu, page_text, pairing)
"""Modules that are imported for their sentences, beside the games."""
PACKET = 1 << 19
"""Bytes of the largest snapshot; the system takes none that is half as large."""
UNANSWERED = 32_768
"""Bytes of requests that may wait for the daemon, with what the system needs to keep them; guessed."""
LOOK_AGAIN = 0.02
"""Seconds after which requests that wait are looked at again; guessed, like `UNANSWERED`."""
STALE = 5.0
"""Seconds without news of how the table is after which its loop is taken to stand still; a guess: two are usual."""
REFRESH_AFTER = 5
"""Seconds after which a browser asks again how the table is; guessed."""
METRICS = "text/plain; version=0.0.4; charset=utf-8"
"""The type of the text exposition format of Prometheus."""


class PageServer:
    """The page of the daemon at the other end of `daemon`, a SOCK_SEQPACKET socket; `records` is their folder."""

    def __init__(
        self,
        daemon: socket.socket,
        token: str = "",
        names: Sequence[str] = (),
        limits: Limits | None = None,
        records: Path | None = None,
        *,
        open_past: bool = False,
    ) -> None:
        self._daemon = daemon
        self._daemon.setblocking(False)
        self._daemon.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNANSWERED)
        self._token, self._names, self._open_past = token, names, open_past
        self._limits = limits or Limits()
        self._files = read_files()
        self._texts = SnapshotTexts()
        self._access = Access(private=True)
        self._browsers: set[Browser] = set()
        self._codes: dict[str, str] = {}
        """The QR codes that were drawn, by what they tell."""
        most = self._limits
        self._seating = Seating(self._seated)
        self._slots = Slots(most.strangers, most.browsers, most.kept, most.each)
        self._queue = FairQueue(self._send)
        self._api = Api(
            self._texts, lambda: self._access, self._slots, self._seating, self._queue, self._ask, self._break, most
        )
        self._serving: asyncio.TimerHandle | None = None
        puzzles = path_of(records) if records else None
        self._reports = Reports(lambda loss: self._report(Lost("report", loss)), puzzles=puzzles)
        self._records = records
        self._past: PastGames | None = None
        self._films = Films(lambda loss: self._report(Lost("film", loss)))
        self._texts_brought, self._brought = Texts(), Brought()
        self._bringing: dict[Browser, asyncio.Task[None]] = {}
        self._inside: tuple[Status, float] | None = None
        """How the table is, and when that came, in seconds."""
        self._drawing: asyncio.Task[None] | None = None
        self._working_out = asyncio.Lock()
        self._broken: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def run(self, host: str, port: int) -> None:
        """Serve until the daemon ends; Unserved."""
        try:
            sockets = await self._open(host, port)
        except OSError as error:
            raise Unserved(fault(error, host, port)) from None
        self._report(Listening(*sockets.sockets[0].getsockname()[:2]))
        following = asyncio.ensure_future(self._follow())
        others = [asyncio.ensure_future(each) for each in (self._beat(), self._watch_seats())]
        await asyncio.wait((following, self._broken), return_when=asyncio.FIRST_COMPLETED)
        for each in others:
            each.cancel()
        if self._broken.done():
            raise Unserved(f"The page broke down ({self._broken.result()}); the game goes on without it.")
        await self._leave(sockets)

    async def _leave(self, sockets: Sockets) -> None:
        broadcast({browser.line for browser in self._browsers}, encode(AloneForm()).decode())
        self._api.close()
        await self._reports.close()
        await self._films.close()
        self._brought.close()
        if self._past:
            await self._past.close()
        await close_sockets(sockets)

    async def _open(self, host: str, port: int) -> Sockets:
        sockets = await open_sockets(self._meet, self._fetched, host, port, self._slots, self._limits)
        private = all(loopback(opened.getsockname()[0]) for opened in sockets.sockets)
        listens = sockets.sockets[0].getsockname()[:2]
        self._access = access(
            private, self._token, self._names, lambda: self._invitation(*listens), open_past=self._open_past
        )
        await sockets.start_serving()
        return sockets

    def _invitation(self, host: str, port: int) -> tuple[str, str]:
        """The address for the phones of players, and its QR code."""
        where = url(host, port, self._token, JOIN)
        return where, self._codes.setdefault(where, drawing(where))

    # The daemon -----------------------------------------------------------------------------------

    async def _beat(self) -> None:
        """Tell the daemon that browsers are served."""
        pulse = Pulse(self._daemon)
        while True:
            pulse()
            await asyncio.sleep(BEAT_EVERY)

    async def _watch_seats(self) -> None:
        """Free seats and drop requests in time."""
        while True:
            await asyncio.sleep(LOOK_AT_SEATS)
            self._seating.pass_time(asyncio.get_running_loop().time())

    async def _follow(self) -> None:
        """Take in what the daemon sends, until it ends."""
        loop, packet = asyncio.get_running_loop(), bytearray(PACKET)
        try:
            while length := await loop.sock_recv_into(self._daemon, packet):
                self._take(memoryview(packet)[:length], loop.time())
        except ConnectionError:
            pass  # the daemon is gone
        except Broken as fault:
            self._break(fault)

    def _take(self, packet: memoryview, now: float) -> None:
        try:
            told = snapshot(packet)
        except (ValueError, RecursionError):
            return  # what cannot be read will be sent again
        if isinstance(told, Spent):
            self._queue.charge(told.seconds, now)
            self._serve()
            return
        if isinstance(told, Inside):
            self._inside = told.status, now
            if self._texts.ail(told.status.sensors):
                self._api.wake()
            return
        for each in told.parts if isinstance(told, Together) else (told,):
            self._seating.take(each, now)
            with own_faults():
                self._texts.take(each, now)
        with own_faults():
            if self._texts.undrawn() and not (self._drawing and not self._drawing.done()):
                self._drawing = asyncio.ensure_future(self._draw())
        self._wake()

    def _seated(self) -> None:
        """Something at the seats has changed: sentences name the players."""
        self._texts.seat(self._seating.names)
        self._wake()

    def _wake(self) -> None:
        for browser in self._browsers:
            browser.wake()
        self._api.wake()

    async def _draw(self) -> None:
        """Draw the figures of the rules in a thread, for it takes a while."""
        try:
            while game := self._texts.undrawn():
                with own_faults():
                    self._texts.illustrate(game, await asyncio.to_thread(figures, game))
                self._wake()
        except Broken as fault:
            self._break(fault)

    def _ask(self, browser: Browser | Program, request: AnyRequest | AnySeatRequest | Bring) -> str:
        """Do what a browser or a program asks, or let it wait: empty, or the end of the id of the sentence why not."""
        now = asyncio.get_running_loop().time()
        if isinstance(request, Bring):
            return self._bring(browser, request) if isinstance(browser, Browser) else "nonsense"
        if isinstance(request, AnySeatRequest):
            return self._arrange(browser, request, now)
        why, granted = self._seating.ask(browser.guest, request, now)
        return self._put(browser, granted, now) if granted else why

    def _arrange(self, browser: Browser | Program, request: AnySeatRequest, now: float) -> str:
        """Take or leave a seat, or answer what is asked: done is what was granted, and who asked hears of a refusal."""
        why, asked = self._seating.arrange(browser.guest, request, now)
        if not asked:
            return why
        if isinstance(request, Answer) and request.grants:
            return self._put(browser, asked.request, now)
        for other in self._browsers:
            if other.guest == asked.guest:
                other.refuse("refused")
        return ""

    def _bring(self, browser: Browser, part: Bring) -> str:
        """Take in a part of a game's text, and with the last one have it read."""
        if browser in self._bringing:
            return "too-fast"
        text = self._texts_brought.take(browser, part)
        if text is not None:
            self._bringing[browser] = asyncio.ensure_future(self._read(browser, text, part.name))
        return ""

    async def _read(self, browser: Browser, text: bytes, name: str) -> None:
        """Read the game of a text in a thread, one at a time, for it may take long; the browser is told."""
        spoken = browser.words
        try:
            async with self._working_out:
                key, left_out = await asyncio.to_thread(self._brought.bring, text, name)
            told = spoken.say(Reason.of("exchange.left-out", count=left_out)) if left_out else ""
            browser.tell(BroughtForm(key, told))
        except Unreadable as fault:
            browser.tell(BroughtForm("", why(fault, spoken)))
        except OSError as fault:
            browser.tell(BroughtForm("", spoken.say(Reason.of("opened.no-room", fault=fault.strerror or str(fault)))))
        except Exception as fault:  # of the rules of a game that may be anybody's: who waits is to hear of it
            browser.tell(
                BroughtForm("", spoken.say(Reason.of("opened.fails", fault=f"{type(fault).__name__}: {fault}")))
            )
        finally:
            del self._bringing[browser]

    def _put(self, browser: Browser | Program, request: AnyRequest, now: float) -> str:
        """Let a request wait for the daemon: empty, or the end of the id of the sentence why it does not."""
        begins = isinstance(request, New | Sensing | Invite | Join)
        why = self._queue.put(browser, pack(request), now, begins=begins)
        self._serve()
        return why

    def _serve(self) -> None:
        """Send the daemon what is next, if it is time, and look again soon while anything waits."""
        loop = asyncio.get_running_loop()
        self._queue.serve(loop.time())
        if self._serving:
            self._serving.cancel()
        self._serving = loop.call_later(LOOK_AGAIN, self._serve) if self._queue else None

    def _send(self, packet: bytes) -> bool:
        """Whether the daemon will get `packet`; it does not, while it leaves too many unread."""
        try:
            self._daemon.send(packet)
        except OSError:
            return False
        return True

    def _report(self, report: Report) -> None:
        self._send(pack(report))

    # Browsers -------------------------------------------------------------------------------------

    async def _meet(self, line: ServerConnection) -> None:
        assert isinstance(line, LimitedConnection)
        browser = Browser(line, self._texts, self._access, self._seating, self._ask, self._limits)
        self._browsers.add(browser)
        self._queue.join(browser)
        try:
            await browser.stay()
        except Broken as fault:
            self._break(fault)
        finally:
            self._browsers.discard(browser)
            self._queue.leave(browser)
            self._texts_brought.forget(browser)

    def _break(self, fault: Broken) -> None:
        """End, and let the daemon know why."""
        if not self._broken.done():
            self._broken.set_result(str(fault))

    def _fetched(self, line: ServerConnection, request: Request) -> Awaitable[Response | None] | Response | None:
        """The answer to a plain request; None to a browser that may open a WebSocket."""
        path = request.path.partition("?")[0]
        refuse = problem if path.startswith(f"{ROOT}/") else refusal
        if stranger := strange(self._access, request):
            return refuse(HTTPStatus.FORBIDDEN, stranger, request)
        if path.startswith(f"{ROOT}/"):
            assert isinstance(line, LimitedConnection)
            return self._api.answer(path.removeprefix(ROOT), line, request)
        if request.method != "GET":
            return refusal(HTTPStatus.METHOD_NOT_ALLOWED, "only-get", request)
        if path == "/live":
            return self._received(request)
        looks_back = path.startswith(("/games", "/puzzles")) or "name" in asked(request)
        if looks_back and not self._access.may_look_back(request.headers):
            return refusal(HTTPStatus.FORBIDDEN, "no-badge", request)
        if path.startswith("/film") and not self._access.wears_badge(request.headers):
            return refusal(HTTPStatus.FORBIDDEN, "no-badge", request)
        if path in ("/record", "/opened", "/film", "/film.gif"):
            return self._carried(path, request)
        if path in ("/report", "/review"):
            return self._explained(path, request)
        if path == "/position":
            return self._position(request)
        if path == "/puzzles":
            return own_puzzles(self._records, asked(request).get("game", ""))
        if path == "/cards":
            return file_answer(cards_file(), request.headers)
        if path == "/games" and (past := self._past_games()):
            return past.answer(urlsplit(request.path).query, words(asked_for(request) or preferred(request)))
        if path in ("/games/record", "/games/report"):
            return self._past_game(path, request)
        if path in ("/status", "/metrics"):
            return self._status(path, request)
        if path in self._files:
            return file_answer(self._files[path], request.headers)
        return refusal(HTTPStatus.NOT_FOUND, "nothing-here", request)

    def _received(self, request: Request) -> Response | None:
        if not self._access.is_same_origin(request.headers):
            return refusal(HTTPStatus.FORBIDDEN, "strange-origin", request)
        if self._slots.full:
            return refusal(HTTPStatus.SERVICE_UNAVAILABLE, "full", request)
        return None

    def _meant(self, request: Request) -> Meant | None:
        """The game that a request speaks of: one that was brought, a past one, or else the one in hand."""
        told, table = asked(request), self._texts.table
        if key := told.get("brought"):
            return self._brought.find(key)
        if "name" in told:
            past = self._past_games()
            found = past.record(urlsplit(request.path).query) if past else None
            with suppress(OptionError):  # the rules of the game are not here any more
                return past_meant(*found) if found else None
            return None
        game = game_of(table) if table else None
        if not (table and game and table.record):
            return None
        return Meant(Path(table.record), game, self._texts.over, self._texts.people)

    async def _carried(self, path: str, request: Request) -> Response:
        """A game to be taken away, in one of its forms, or to be looked back at."""
        meant, table, spoken = self._meant(request), self._texts.table, words(asked_for(request) or preferred(request))
        try:
            if meant and path == "/film.gif":
                return self._films.picture(meant.record) or refusal(HTTPStatus.NOT_FOUND, "no-film", request)
            if meant and path == "/record" and asked(request).get("form") != "sgf":
                return record_answer(meant.record)
            if meant and table:
                async with self._working_out:
                    game = await asyncio.to_thread(carried, meant.record)
                if path == "/film":
                    return self._films.answer(meant.record, game.sheet.length, spoken)
                if path == "/opened":
                    return answer(HTTPStatus.OK, encode(opened_form(game, table, spoken)), TYPES["json"])
                return download(sgf_text(game).encode(), f"{meant.record.stem}.sgf")
        except Unreadable as fault:
            return answer(HTTPStatus.BAD_REQUEST, f"{why(fault, spoken)}\n".encode())
        except OSError:
            pass  # the file is gone, and that is said below
        return refusal(HTTPStatus.NOT_FOUND, "no-record", request)

    async def _position(self, request: Request) -> Response:
        """A position of the game in hand, or of a link: worked out in a thread, one at a time, for it may take long."""
        spoken, told = words(asked_for(request) or preferred(request)), asked(request)
        told.pop("language", None)
        opened = self._meant(request) if {"brought", "name"} & told.keys() else None
        async with self._working_out:
            try:
                number = count_in(request, "after")
                form = await asyncio.to_thread(self._shown_position, told, number, opened, spoken)
            except (PositionFault, Unreadable, OSError) as fault:
                sentence = spoken.say(Reason.of("position.unreadable", fault=str(fault)))
                return answer(HTTPStatus.BAD_REQUEST, f"{sentence}\n".encode())
        return answer(HTTPStatus.OK, encode(form), TYPES["json"])

    def _shown_position(self, told: dict[str, str], number: int, opened: Meant | None, spoken: Words) -> PositionForm:
        if opened:
            kept, players = carried(opened.record), opened.game.players
            return position_form(kept.sheet.game, position_after(kept, number), spoken.calling(players, opened.people))
        table, story = self._texts.table, self._texts.story
        game = game_of(table) if table else None
        if "after" in told and game and story:
            named = spoken.calling(game.players, self._texts.people)
            return position_form(game, of_story(game, story, number), named)
        return position_form(*of_link(told), spoken)

    def _past_games(self) -> PastGames | None:
        """The past games, if they are kept."""
        if self._records and not self._past:
            from firmware_bridge.web.past_games import PastGames  # SQLite takes a megabyte, and nobody may ask

            self._past = PastGames(self._records)
        return self._past

    def _past_game(self, path: str, request: Request) -> Response:
        """The record or the report of a past game."""
        past = self._past_games()
        found = past.record(urlsplit(request.path).query) if past else None
        if not found:
            return refusal(HTTPStatus.NOT_FOUND, "no-record", request)
        record, game = found
        try:
            if path == "/games/record":
                return record_answer(record)
            if game.over:
                return self._reports.answer(record, words(asked_for(request) or preferred(request)))
        except OSError:  # the file is gone
            return refusal(HTTPStatus.NOT_FOUND, "no-record", request)
        return refusal(HTTPStatus.NOT_FOUND, "not-over", request)

    def _status(self, path: str, request: Request) -> Response:
        """How the table is, once it has told."""
        if not self._inside:
            return refusal(HTTPStatus.SERVICE_UNAVAILABLE, "no-answer", request)
        status, came = self._inside
        spoken = words(asked_for(request) or preferred(request))
        return status_answer(path, aged(status, asyncio.get_running_loop().time() - came), spoken)

    def _explained(self, path: str, request: Request) -> Response:
        """What explains a game once it is over: before that it would be help in secret."""
        meant = self._meant(request)
        if not (meant.over if meant else self._texts.over):
            return refusal(HTTPStatus.NOT_FOUND, "not-over", request)
        spoken = words(asked_for(request) or preferred(request))
        try:
            if meant and path == "/report":
                return self._reports.answer(meant.record, spoken)
            if meant:
                players, known = meant.game.players, count_in(request, "known")
                return self._reports.review(meant.record, players, spoken.calling(players, meant.people), known)
        except OSError:
            pass  # the file is gone, and that is said below
        return refusal(HTTPStatus.NOT_FOUND, "no-record", request)


def past_meant(record: Path, game: PastGame) -> Meant:
    """A past game; OptionError where its rules are not here any more."""
    return Meant(record, cached_game(game.game, ()), bool(game.over), (game.first, game.second))


def aged(status: Status, since: float) -> Status:
    """`status`, which came `since` (seconds); where another one is due by now that was time without a scan."""
    return replace(status, silent=status.silent + since) if since > STALE else status


def status_answer(path: str, status: Status, spoken: Words) -> Response:
    """How the table is, for Prometheus or as a page that comes anew by itself."""
    if path == "/metrics":
        return answer(HTTPStatus.OK, metrics(status).encode(), METRICS)
    return answer(HTTPStatus.OK, status_page(spoken, rows(status, spoken)), TYPES["html"], Refresh=str(REFRESH_AFTER))


@cache
def cards_file() -> File:
    """What plays on the cards of the first screen, made for the first who wants it."""
    return File.of(TYPES["json"], cards())


def count_in(request: Request, name: str) -> int:
    """The number behind ``name=`` in the URL; 0 for anything else."""
    told = asked(request).get(name, "0")
    return int(told) if told.isascii() and told.isdigit() and len(told) < 6 else 0


def run(
    daemon: socket.socket,
    host: str,
    port: int,
    token: str,
    names: Sequence[str] = (),
    records: Path | None = None,
    *,
    open_past: bool = False,
) -> int:
    """Serve until the daemon ends: the exit status. Nothing is printed; what goes wrong the daemon is told."""
    logging.disable()
    try:
        asyncio.run(serve_page(daemon, host, port, token, names, records=records, open_past=open_past))
    except Unserved as why:
        daemon.send(pack(Failed(str(why))))
        return 1
    return 0


async def serve_page(
    daemon: socket.socket,
    host: str,
    port: int,
    token: str = "",
    names: Sequence[str] = (),
    limits: Limits | None = None,
    records: Path | None = None,
    *,
    open_past: bool = False,
) -> None:  # fmt: skip
    """Serve until the daemon at the other end of `daemon` ends; Unserved."""
    await PageServer(daemon, token, names, limits, records, open_past=open_past).run(host, port)
