"""What browsers may ask of the page's server, and that none of them can disturb the others."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus

from firmware_bridge.session import Brighten, Lay, Listening, Make, Mishap, New, Press, Sensing, Show
from firmware_bridge.session.messages import End, request
from firmware_bridge.web.browser import LimitedConnection, Limits
from firmware_bridge.web.fair_queue import Pace
from firmware_bridge.web.server import serve_page
from tests.web.page_server import GAME, PATIENCE, Serving, heard, hello, now, out, say, story, table, watching

FRAME = 125 + 6
"""Bytes of the largest ping: what is in it, two before it and the four of its mask."""
ASKED = (
    ({"do": "lay", "changes": [["c3", 0], ["c4", 1]]}, Lay((("c3", 0), ("c4", 1)))),
    ({"do": "make", "turn": "c3-c4"}, Make("c3-c4")),
    ({"do": "press", "button": "done"}, Press("done")),
    ({"do": "new", "game": "zig-zag", "options": {}, "sense": None, "set_up": False}, New("zig-zag")),
    ({"do": "new", "game": "zong-heng", "options": {"size": 6}}, New("zong-heng", {"size": 6})),
    ({"do": "show", "mode": "referee"}, Show("referee")),
    ({"do": "brightness", "level": 60}, Brighten(60)),
    ({"do": "sense", "sense": "colour"}, Sensing("colour")),
    ({"do": "mishap", "what": "bump"}, Mishap("bump")),
    ({"do": "end", "resigns": 1}, End(1)),
    ({"do": "end"}, End()),
)


def test_requests_reach_the_daemon(serving: Serving) -> None:
    async def do(browser: ClientConnection) -> None:
        await hello(browser)
        for form, asked in ASKED:
            await say(browser, form)
            assert await asyncio.to_thread(serving.told) == asked

    watching(serving, do)


NONSENSE = (
    {"do": "dance"},
    {"do": "listening", "host": "127.0.0.1", "port": 1},
    {"do": "lay", "changes": [["c3", 0]] * 129},
    {"do": "lay", "changes": []},
    {"do": "lay", "changes": [["c" * 41, 0]]},
    {"do": "lay", "changes": [["c3", -1]]},
    {"do": "new", "game": "zong-heng", "options": {"size": 10**30}},
    {"hello": {"language": 7}},
    "[" * 4000,
    '{"do":"make","turn":"a","more":' + "[" * 4000,
    "7",
    "null",
)


@pytest.mark.parametrize("form", NONSENSE, ids=lambda form: str(form)[:30])
def test_nonsense_is_refused_with_a_sentence(serving: Serving, form: Any) -> None:
    async def do(browser: ClientConnection) -> None:
        await hello(browser)
        await say(browser, form)
        assert "reload" in (await heard(browser, "refused"))["text"]
        await say(browser, {"do": "press", "button": "hint"})
        assert await asyncio.to_thread(serving.told) == Press("hint")

    watching(serving, do)


@pytest.mark.parametrize("garbage", ["{", "", "what?", b"\xff\xfe\x00", '{"do":"make","turn":"\\ud800"}', "x" * 5000])
def test_garbage_expels_its_sender_alone(serving: Serving, garbage: str | bytes) -> None:
    async def do() -> None:
        async with serving.browse() as one, serving.browse() as other:
            await hello(one)
            await hello(other)
            await say(one, garbage)
            assert (await out(one))[0] in (1007, 1009)  # 1009: too big
            serving.tell(now(50.0, side=1))
            await heard(other, "now", side=1)

    asyncio.run(do())


def test_a_message_in_as_many_fragments_as_allowed_is_read(serving: Serving) -> None:
    async def do(browser: ClientConnection) -> None:
        await hello(browser)
        await browser.send(pieces('{"do":"press","button":"hint"}', Limits().fragments))
        assert await asyncio.to_thread(serving.told) == Press("hint")

    watching(serving, do)


def test_a_message_in_too_many_fragments_expels_its_sender(serving: Serving) -> None:
    async def do(browser: ClientConnection) -> tuple[int | None, str]:
        await hello(browser)
        with suppress(ConnectionClosed):
            await browser.send(pieces('{"do":"press","button":"hint"}', Limits().fragments + 1))
        return await out(browser)

    code, sentence = watching(serving, do)
    assert (code, "wait" in sentence) == (1008, True)
    assert serving.asked() == []


def pieces(message: str, count: int) -> list[str]:
    """`message` cut so that it goes out in `count` frames, of which the library's own last one is empty."""
    return [*message[: count - 2], message[count - 2 :]]


def test_too_many_requests_are_refused_and_a_flood_expels_its_sender(serving: Serving) -> None:
    async def do(browser: ClientConnection) -> tuple[int | None, str]:
        await hello(browser)
        for _ in range(150):
            await say(browser, {"do": "press", "button": "hint"})
        while "wait" not in (await heard(browser, "refused"))["text"]:
            pass  # the table, which nobody reads for here, may be what is too slow
        with suppress(ConnectionClosed):
            await say(browser, *1000 * ["{}"])  # far fewer bytes than those for which a connection is cut
        return await out(browser)

    code, sentence = watching(serving, do)
    assert (code, "wait" in sentence) == (1008, True)
    assert serving.asked() == [Press("hint")]  # what waited is gone with its sender


def test_requests_are_taken_refused_and_expelled_exactly_at_the_limits() -> None:
    async def do(serving: Serving) -> None:
        async with serving.browse() as browser:
            for _ in range(3):  # the burst
                await say(browser, {"do": "press", "button": "hint"})
            for _ in range(2):  # the flood
                await say(browser, {"do": "press", "button": "hint"})
                assert "wait" in (await heard(browser, "refused"))["text"]
            assert await asyncio.to_thread(serving.asked) == 3 * [Press("hint")]
            await say(browser, {"do": "press", "button": "hint"})
            assert (await out(browser))[0] == 1008
            assert await asyncio.to_thread(serving.asked) == []

    asyncio.run(in_here(Limits(rate=0.0, burst=3.0, flood=2.0), do))


def test_a_flood_of_pings_is_cut_off_after_the_bytes_that_a_connection_may_send_at_once(serving: Serving) -> None:
    async def do(browser: ClientConnection) -> int:
        await hello(browser)
        sent = 0
        with suppress(ConnectionClosed):
            while sent * FRAME < 8 * LimitedConnection.BYTES_AT_ONCE:
                *_, answered = [await browser.ping(f"{sent + number:0125}") for number in range(100)]
                sent += 100
                await answered  # so that no answers pile up, which is another reason to be cut off
        return sent

    async def cut(browser: ClientConnection) -> tuple[int, int | None]:
        return await do(browser), browser.close_code

    sent, code = watching(serving, cut)
    assert LimitedConnection.BYTES_AT_ONCE < (sent + 100) * FRAME < 4 * LimitedConnection.BYTES_AT_ONCE
    assert code == 1006  # without a word


def test_requests_that_the_daemon_does_not_read_are_dropped_with_a_sentence(serving: Serving) -> None:
    async def do() -> None:
        async with serving.browse() as browser, serving.browse() as later:
            await hello(browser)
            await hello(later)
            for _ in range(20):
                await say(browser, {"do": "lay", "changes": [["c3" + "x" * 18, 1]] * 100})
            assert "does not answer" in (await heard(browser, "refused"))["text"]
            await say(later, {"do": "press", "button": "hint"})
            assert "does not answer" in (await heard(later, "refused"))["text"]  # and so all that came before
            assert len(await asyncio.to_thread(serving.asked)) == 1

    asyncio.run(do())


def test_one_who_asks_for_new_games_without_end_holds_up_nobody(serving: Serving) -> None:
    async def do() -> None:
        async with serving.browse() as hostile, serving.browse() as other:
            await hello(hostile)
            await hello(other)
            await say(hostile, *10 * [{"do": "sense", "sense": "colour"}], *10 * [{"do": "new", "game": "zhizhu"}])
            assert "once a second" in (await heard(hostile, "refused"))["text"]
            await say(other, {"do": "press", "button": "hint"})
            begun = asyncio.get_running_loop().time()
            assert await asyncio.to_thread(serving.told) == Sensing("colour")
            assert await asyncio.to_thread(serving.told) == Press("hint")
            assert await asyncio.to_thread(serving.told) == Sensing("colour")
            assert asyncio.get_running_loop().time() - begun > 0.8 * Pace().apart
            assert serving.asked() == []

    asyncio.run(do())


def test_what_a_request_costs_is_waited_for_before_the_next_one(serving: Serving) -> None:
    async def do(browser: ClientConnection) -> None:
        await hello(browser)
        await say(browser, *3 * [{"do": "press", "button": "hint"}])
        begun = asyncio.get_running_loop().time()
        for _ in range(2):
            await asyncio.to_thread(serving.told, Pace().burst)
        assert await asyncio.to_thread(serving.told) == Press("hint")
        assert asyncio.get_running_loop().time() - begun > 0.8 * Pace().burst / Pace().share

    watching(serving, do)


def test_a_slow_reader_skips_states_and_holds_up_nobody(serving: Serving) -> None:
    async def do() -> None:
        small = socket.create_connection(("127.0.0.1", serving.port))
        small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        async with serving.browse(sock=small, max_queue=1) as slow, serving.browse() as other:
            await hello(slow)
            await hello(other)
            cues = {site: now().cues["c3"] for site in GAME.sites}
            for clock in range(1000, 1600):
                serving.tell(now(float(clock), cues=cues, side=clock % 2))
                await asyncio.sleep(0)
            serving.tell(now(2000.0, cues=cues, side=None))
            await heard(other, "now", side=None)
            told = [await heard(slow, "now")]
            while told[-1]["side"] is not None:
                told.append(await heard(slow, "now"))
            assert len(told) < 300

    asyncio.run(do())


async def in_here(limits: Limits, do: Callable[[Serving], Any], **other: Any) -> None:
    """Serve in this process, with other limits."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    serving = asyncio.create_task(serve_page(theirs, "127.0.0.1", 0, limits=limits))
    with ours, theirs:
        report = request(await asyncio.get_running_loop().sock_recv(nonblocking(ours), 4096))
        assert isinstance(report, Listening)
        await do(Serving(None, ours, report.port))  # type: ignore[arg-type]
        ours.shutdown(socket.SHUT_RDWR)
        await asyncio.wait_for(serving, PATIENCE)


def nonblocking(line: socket.socket) -> socket.socket:
    """It, so that a loop may read it."""
    line.setblocking(False)
    return line


def test_a_browser_that_does_not_read_is_cut_off(serving: Serving) -> None:
    async def do(serving: Serving) -> None:
        small = socket.create_connection(("127.0.0.1", serving.port))
        small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf = await serving.browse(sock=small, max_queue=1)
        await say(deaf, {"hello": {}})
        serving.tell(table(), story(12))
        async with asyncio.timeout(PATIENCE):
            while not await welcome(serving):  # its place is free again
                serving.tell(*10 * [story(18)])
                await asyncio.sleep(0.01)
        deaf.transport.abort()

    asyncio.run(in_here(Limits(browsers=1, send_timeout=0.1), do))


async def welcome(serving: Serving) -> bool:
    """Whether there is room for one more."""
    try:
        async with serving.browse():
            return True
    except InvalidStatus as full:
        assert full.response.status_code == 503
        assert b"close one" in full.response.body
        return False


def test_one_browser_too_many_is_told_to_wait_and_the_others_go_on(serving: Serving) -> None:
    async def do() -> None:
        browsers = [await serving.browse(ping_interval=None, max_queue=None) for _ in range(Limits().browsers)]
        for browser in browsers:
            await hello(browser)
        assert not await welcome(serving)
        await browsers[1].close()
        async with asyncio.timeout(PATIENCE):
            while not await welcome(serving):
                await asyncio.sleep(0.01)
        await asyncio.gather(*(browser.close() for browser in browsers))

    asyncio.run(do())


def test_connections_that_say_nothing_keep_no_newcomer_out(serving: Serving) -> None:
    async def do(browser: ClientConnection) -> None:
        await hello(browser)
        idle = [socket.create_connection(("127.0.0.1", serving.port)) for _ in range(2 * Limits().strangers)]
        assert await welcome(serving)
        assert (await asyncio.to_thread(serving.fetch, "/"))[0].status == 200
        idle[0].settimeout(PATIENCE)
        with suppress(ConnectionResetError):
            assert await asyncio.to_thread(idle[0].recv, 1) == b""  # the oldest goes
        idle[-3].setblocking(False)
        with pytest.raises(BlockingIOError):
            idle[-3].recv(1)
        serving.tell(now(70.0, side=1))
        await heard(browser, "now", side=1)
        for line in idle:
            line.close()

    watching(serving, do)


def test_web_sockets_that_do_not_greet_keep_no_newcomer_out(serving: Serving) -> None:
    async def do() -> None:
        silent = [await serving.browse() for _ in range(Limits().browsers)]
        async with serving.browse() as browser:
            assert (await hello(browser))["may"]
        await asyncio.gather(*(line.close() for line in silent))

    asyncio.run(do())


@pytest.mark.parametrize("form", [None, {"do": "press", "button": "hint"}], ids=["silent", "asking"])
def test_a_web_socket_that_does_not_greet_is_closed(form: Any) -> None:
    async def do(serving: Serving) -> None:
        async with serving.browse() as browser, serving.browse() as greeted:
            await hello(greeted)
            if form:
                await say(browser, form)
            code, sentence = await out(browser)
            assert (code, "has not said" in sentence) == (1008, True)
            serving.tell(table(), story(), now(50.0, side=1))
            await heard(greeted, "now", side=1)

    asyncio.run(in_here(Limits(silence=0.3), do))


def test_a_connection_that_asks_for_nothing_is_closed() -> None:
    async def do(serving: Serving) -> None:
        reading, writing = await asyncio.open_connection("127.0.0.1", serving.port)
        writing.write(b"GET / HTTP/1.1\r\nHost:")
        async with asyncio.timeout(PATIENCE):
            with suppress(ConnectionResetError):
                await reading.read()
        writing.close()

    asyncio.run(in_here(Limits(silence=0.1), do))
