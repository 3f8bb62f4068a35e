"""The wall and its broker: a real mosquitto, the real server. It survives the broker, and changes nothing."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import json
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from benchmarks.broker import MISSING, MOSQUITTO, RunningBroker, free_port
from firmware_bridge.cli.club import look
from firmware_bridge.club.boards import Boards
from firmware_bridge.club.evening import Evening, Results, evening_path, plan, read_scores, result
from firmware_bridge.club.wall import Listener, Wall, serve_wall
from firmware_bridge.link.courier import Message
from firmware_bridge.link.line import Line, Lost, find, greet
from firmware_bridge.link.pairing import Broker, LinkError, broker_of, game_topic, new_pairing, status_topic

from .evenings import Lines, Tables, terms

pytestmark = pytest.mark.skipif(not MOSQUITTO, reason=MISSING)
PATIENCE = 30.0


class Guest:
    """A browser at the wall."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.wall: dict[str, Any] = {}

    async def until(self, due: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE):
            while not self.wall or not due(self.wall):
                told = json.decode(await self.line.recv())
                if told["kind"] == "wall":
                    self.wall = told
        return self.wall


@asynccontextmanager
async def serving(planned: Evening, path: Path | None = None) -> AsyncIterator[int]:
    """A wall of the evening; the port."""
    boards = Boards(Results(planned))
    port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    wall = Wall(boards, Listener(planned.broker, boards), path)
    running = asyncio.ensure_future(wall.run("127.0.0.1", 0, lambda _, number: port.set_result(number)))
    try:
        yield await port
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


def guest(port: int, **other: Any) -> connect:
    return connect(f"ws://127.0.0.1:{port}/live", **({"origin": f"http://127.0.0.1:{port}"} | other))


def test_the_wall_shows_the_broker_lost_and_back_again(tmp_path: Path) -> None:
    broker = RunningBroker(tmp_path)
    planned = plan(("Anna", "Ben"), terms(), broker_of(broker.address)[0])
    path = evening_path(tmp_path)
    path.parent.mkdir()

    async def watch() -> None:
        lines = Lines(planned)
        async with serving(planned, path) as port, guest(port) as line:
            watching = Guest(line)
            played = Tables(planned, next(iter(planned.meetings)), tmp_path, lines.publish)
            played.make(Random(1))
            await watching.until(lambda wall: wall["boards"] and wall["boards"][0]["turns"] == 1)
            lines.close()
            broker.kill()
            told = await watching.until(lambda wall: wall["lost"])
            assert "cannot be reached" in told["lost"]
            assert told["boards"][0]["turns"] == 1  # it stays as it stood
            broker.start()
            await watching.until(lambda wall: not wall["lost"])
            played.resign(1)
            told = await watching.until(lambda wall: wall["over"])
            assert told["boards"][0]["result"] == "1 - 0"
            assert [row["points"] for row in told["table"]] == ["1", "0"]
        lines.close()

    try:
        asyncio.run(watch())
        assert len(read_scores(path).proofs) == 1
    finally:
        broker.kill()


def test_a_clock_stands_until_its_table_tells_of_it_again_where_the_wall_begins_late(tmp_path: Path) -> None:
    broker = RunningBroker(tmp_path)
    planned = plan(("Anna", "Ben"), terms(clock="10+5"), broker_of(broker.address)[0])
    lines = Lines(planned)

    async def watch() -> None:
        async with serving(planned) as port, guest(port) as line:
            watching = Guest(line)
            told = await watching.until(lambda wall: wall["boards"] and wall["boards"][0]["clocks"]["used"])
            assert told["boards"][0]["clocks"]["since"] is None
            assert told["boards"][0]["clocks"]["used"] == 30.0
            began = time.monotonic()
            played.pass_time(25.0)
            told = await watching.until(lambda wall: wall["boards"][0]["clocks"]["since"])
            assert told["boards"][0]["clocks"]["used"] == 55.0
            assert 0 <= told["clock"] - told["boards"][0]["clocks"]["since"] <= time.monotonic() - began

    try:
        played = Tables(planned, next(iter(planned.meetings)), tmp_path, lines.publish)
        played.make(Random(1))
        played.think(30.0)
        asyncio.run(watch())
    finally:
        lines.close()
        broker.kill()


def test_a_browser_can_change_nothing_and_comes_by_the_door() -> None:
    planned = plan(("Anna", "Ben"), terms(), Broker("127.0.0.1", free_port()))

    async def fetch(port: int, path: str, host: str = "", method: str = "GET") -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"{method} {path} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{port}'}\r\n\r\n".encode())
        told = await reader.read()
        writer.close()
        return told

    async def watch() -> None:
        async with serving(planned) as port:
            async with guest(port) as line:
                watching = Guest(line)
                told = await watching.until(lambda wall: wall["lost"])
                assert not told["boards"]
                assert len(told["rounds"]) == 1
                await line.send('{"do": "new", "game": "zhizhu"}')
                with pytest.raises(ConnectionClosed) as closed:
                    await watching.until(lambda _: False)
                assert closed.value.rcvd
                assert closed.value.rcvd.code == 1008
            for other in ({"origin": "http://elsewhere.example"}, {"origin": None}):
                with pytest.raises(InvalidStatus):
                    async with guest(port, **other):
                        pass
            assert b"200 OK" in await fetch(port, "/")
            assert b"200 OK" in await fetch(port, "/static/wall.js")
            assert b"403 Forbidden" in await fetch(port, "/", host="elsewhere.example")
            for path in ("/record", "/games", "/api/v1/table", "/static/../forms.py", "/metrics"):
                assert b"404 Not Found" in await fetch(port, path), path
            assert b"405" in await fetch(port, "/", method="POST")

    asyncio.run(watch())


def test_the_wall_ends_whatever_it_is_doing_when_it_is_asked_to() -> None:
    """A signal comes in the midst of what runs just then, which may be a callback whose errors are told to nobody."""
    planned = plan(("Anna", "Ben"), terms(), broker_of("127.0.0.1:9")[0])
    late: list[str] = []

    def listening(*_: object) -> None:
        loop = asyncio.get_running_loop()

        def give_up() -> None:
            late.append("it goes on")
            for task in asyncio.all_tasks():
                task.cancel()

        loop.call_soon(os.kill, os.getpid(), signal.SIGTERM)
        loop.call_later(PATIENCE, give_up)

    before = signal.getsignal(signal.SIGTERM)
    try:
        with suppress(asyncio.CancelledError):
            serve_wall(planned.broker, Boards(Results(planned)), "127.0.0.1", 0, listening)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert not late


# The access list ----------------------------------------------------------------------------------


@pytest.fixture
def club(tmp_path: Path) -> Any:
    if not shutil.which("openssl"):
        pytest.skip("openssl is missing")
    broker = RunningBroker.of_club(tmp_path / "broker", "anna", "ben", "carl")
    yield broker, tmp_path / "broker"
    broker.kill()


def user_of(club: tuple[RunningBroker, Path], user: str) -> Broker:
    broker, folder = club
    return broker_of(broker.address, str(folder / "broker.crt"), user, str(folder / f"{user}.password"))[0]


def refused(broker: Broker, topic: str) -> bool:
    """Whether a publish on that topic is refused."""
    line = Line(broker, f"test-{broker.user}", lambda *_: None)
    line.open()
    line.say([Message(topic, b"{}")])
    try:
        for _ in range(200):
            line.wait(0.05)
            if line.said:
                return False
    except Lost as lost:
        assert lost.fault[0] == "table.link-denied"
        return True
    raise AssertionError("the broker does not answer")


def test_a_table_writes_its_own_topics_and_who_watches_none(club: tuple[RunningBroker, Path]) -> None:
    game, told = "6e0c5a5e-0000-4000-8000-000000000000", {}
    for what in ("greeting", "seat"):
        own = game_topic(game, what, 0, "anna")  # type: ignore[arg-type]
        told |= {(user, own): refused(user_of(club, user), own) for user in ("anna", "ben", "wall")}
    own = status_topic("ab", "anna")
    told |= {(user, own): refused(user_of(club, user), own) for user in ("anna", "ben", "wall")}
    assert {user for (user, _), no in told.items() if not no} == {"anna"}
    assert sum(not no for no in told.values()) == 3
    for elsewhere in ("tablelight/1/anything", game_topic(game, "seat", 0, "wall"), "home/lamp"):
        assert refused(user_of(club, "wall"), elsewhere)
        assert refused(user_of(club, "anna"), elsewhere)


def test_who_watches_reads_the_games_of_two_tables_and_their_result(
    club: tuple[RunningBroker, Path], tmp_path: Path
) -> None:
    planned = plan(("Anna", "Ben", "Carl"), terms(), user_of(club, "wall"))
    lines = Lines(planned)
    played = Tables(planned, next(iter(planned.meetings)), tmp_path, lines.publish)
    played.play(Random(5))
    lines.close()
    results = Results(planned)
    look(planned, Boards(results))
    told = [result(game) for game in results.games.values()]
    assert told[0]
    assert told[1:] == ["", ""]


def test_tables_of_the_club_meet_by_the_words_of_the_plan(club: tuple[RunningBroker, Path]) -> None:
    planned = plan(("Anna", "Ben"), terms(), user_of(club, "wall"))
    (meeting,) = planned.meetings
    first = new_pairing(user_of(club, "anna"), bytes.fromhex(meeting.secret), 0, planned.terms)
    greet(first)
    second = find(user_of(club, "ben"), bytes.fromhex(meeting.secret))
    assert (second.seat, second.terms, second.partner) == (1, planned.terms, first.greeting)
    assert second.states(0).endswith("/anna")


def test_a_broker_that_refuses_is_told_in_a_sentence(club: tuple[RunningBroker, Path]) -> None:
    wall = user_of(club, "wall")
    for changes in ({"user": "nobody"}, {"password_file": ""}, {"ca": ""}, {"host": "127.0.0.2"}):
        planned = plan(("Anna", "Ben"), terms(), replace(wall, **changes))
        with pytest.raises(LinkError, match="cannot be used"):
            look(planned, Boards(Results(planned)))
