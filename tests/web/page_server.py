"""A page's server as a process of its own, the daemon's end of its socket, and a browser to look with."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from firmware_bridge.lighting import Cue
from firmware_bridge.session import (
    AnyRequest,
    Listening,
    Now,
    Played,
    Sentences,
    Snapshot,
    Spent,
    Story,
    Table,
    pack,
    said,
)
from firmware_bridge.session.messages import AnyReport, request
from firmware_bridge.worker import BEAT
from games.rules import Reason, load

PATIENCE = 60.0
"""Seconds after which a test gives up."""
SILENCE = 0.3
"""Seconds without a request after which none is taken to wait; a server looks at its queue many times in that."""
GAME = load("zong-heng", size=6)
START = GAME.start()


def table(**changed: Any) -> Table:
    """A simulated table for Zong-Heng on 6 x 6 squares."""
    told: dict[str, Any] = {
        "game": "zong-heng", "options": dict(GAME.chosen), "sense": "presence", "hands": True, "mode": "coach",
        "palette": "clear", "brightness": 128, "supply": 1000.0, "pixels": 38,
    }  # fmt: skip
    return Table(**{**told, **changed})


def story(turns: int = 0, **changed: Any) -> Story:
    """A game in which the first legal turn was played each time."""
    position, made = START, []
    for _ in range(turns):
        turn = GAME.turns(position)[0]
        made.append(Played(turn.text, position.side, bytes(turn.after.cells)))
        position = turn.after
    return Story(bytes(START.cells), tuple(made), **changed)


def now(clock: float = 12.5, **changed: Any) -> Now:
    """The board at rest, a stone in light."""
    cues = {"c3": Cue("movable", 1)}
    return Now(**{"levels": tuple(START.cells), "cues": cues, "side": 0, "state": "rest", "clock": clock, **changed})


def spoken(number: int, turn: str = "c3-c4") -> Sentences:
    """A sentence."""
    return Sentences(((number, "played", said(Reason.of("table.played", player="zong-heng.black", turn=turn))),))


@dataclass
class Serving:
    """A server, and the daemon's end of its socket."""

    process: subprocess.Popen[bytes]
    daemon: socket.socket
    port: int = 0

    @property
    def origin(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self.port}"

    def tell(self, *snapshots: Snapshot) -> None:
        """Tell the server."""
        for each in snapshots:
            self.daemon.send(pack(each))

    def told(self, cost: float = 0.0) -> AnyRequest | AnyReport | None:
        """What the server tells or asks next; a request has cost so many seconds."""
        data, end = BEAT, time.monotonic() + PATIENCE
        while data == BEAT:
            assert time.monotonic() < end, "the server asks nothing"
            data = self.daemon.recv(65536)
        assert data, "the server has ended"
        told = request(data)
        if not isinstance(told, AnyReport):
            self.daemon.send(pack(Spent(cost)))
        return told

    def asked(self) -> list[AnyRequest | AnyReport | None]:
        """All that it asks until nothing has come for `SILENCE`."""
        self.daemon.settimeout(SILENCE)
        asked = []
        with suppress(TimeoutError):
            while True:
                asked.append(self.told())
        self.daemon.settimeout(PATIENCE)
        return asked

    def browse(self, **other: Any) -> connect:
        """A browser that opens the page's conversation."""
        return connect(f"ws://127.0.0.1:{self.port}/live", **{"origin": self.origin, "compression": None, **other})

    def fetch(self, path: str, method: str = "GET", **headers: str) -> tuple[HTTPResponse, str]:
        """A file, and what is in it."""
        answer, body = self.fetch_bytes(path, method, **headers)
        return answer, body.decode(errors="replace")

    def fetch_bytes(self, path: str, method: str = "GET", **headers: str) -> tuple[HTTPResponse, bytes]:
        """A file as it comes."""
        line = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        line.putrequest(method, path, skip_host="Host" in headers, skip_accept_encoding="Accept_Encoding" in headers)
        for name, value in headers.items():
            line.putheader(name.replace("_", "-"), value)
        line.endheaders()
        answer = line.getresponse()
        try:
            return answer, answer.read()
        finally:
            line.close()


@contextmanager
def served(*words: str) -> Iterator[Serving]:
    """A server with these words on its command line; nothing may be printed."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", "firmware_bridge.web", "--fd", str(theirs.fileno()), "--port", "0", *words]
    process = subprocess.Popen(
        command, pass_fds=[theirs.fileno()], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=Path.cwd()
    )
    theirs.close()
    ours.settimeout(PATIENCE)
    try:
        yield Serving(process, ours)
    finally:
        ours.close()
        printed, _ = process.communicate(timeout=PATIENCE)
        assert not printed, printed.decode()


@contextmanager
def listening(*words: str) -> Iterator[Serving]:
    """A server that listens."""
    with served(*words) as serving:
        report = serving.told()
        assert isinstance(report, Listening)
        serving.port = report.port
        yield serving


async def hello(browser: ClientConnection, language: str = "en", token: str = "") -> dict[str, Any]:
    """Greet, and wait for the page's words."""
    await say(browser, {"hello": {"language": language, "token": token}})
    return await heard(browser, "page")


async def say(browser: ClientConnection, *forms: Any) -> None:
    """Send it."""
    for form in forms:
        await browser.send(form if isinstance(form, str | bytes) else json.dumps(form))


async def heard(browser: ClientConnection, kind: str, **wanted: Any) -> dict[str, Any]:
    """The next of that kind whose fields are as wanted."""
    async with asyncio.timeout(PATIENCE):
        async for text in browser:
            form: dict[str, Any] = json.loads(text)
            if form["kind"] == kind and all(form[name] == value for name, value in wanted.items()):
                return form
    raise AssertionError(f"the browser was shown out: {browser.close_code}")


async def out(browser: ClientConnection) -> tuple[int | None, str]:
    """How the browser is shown out: the code, and what it was told last of what was refused."""
    told = ""
    async with asyncio.timeout(PATIENCE):
        with suppress(ConnectionClosed):
            async for text in browser:
                form = json.loads(text)
                told = form["text"] if form["kind"] == "refused" else told
        await browser.wait_closed()
    return browser.close_code, told


def watching(serving: Serving, do: Callable[[ClientConnection], Any], **other: Any) -> Any:
    """What comes of `do` with a browser at the page."""

    async def watch() -> Any:
        async with serving.browse(**other) as browser:
            return await do(browser)

    return asyncio.run(watch())
