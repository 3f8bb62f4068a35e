"""What other programs read and ask by plain HTTP: the same door, the same queue and the same seats as for browsers."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from time import monotonic
from typing import Any

import pytest
from msgspec import convert
from websockets.asyncio.client import ClientConnection

from firmware_bridge.session import Inside, Link, Make, Press, Show
from firmware_bridge.session.messages import End, request
from firmware_bridge.web.api_forms import Problem, TableNow, Taken
from firmware_bridge.web.browser import Limits
from firmware_bridge.web.door import Penalties
from firmware_bridge.web.fair_queue import Pace
from firmware_bridge.web.forms import SeatsForm, encode
from tests.web.page_server import (
    GAME,
    PATIENCE,
    Serving,
    heard,
    hello,
    listening,
    now,
    say,
    spoken,
    story,
    table,
    watching,
)
from tests.web.programs import Answer, ask, call, listening_to
from tests.web.test_page_guard import in_here
from tests.web.test_page_status import STATUS


def asking(serving: Serving, form: Any, **headers: str) -> Future[Answer]:
    """Ask in a thread, while the test is the daemon."""
    return ThreadPoolExecutor(1).submit(ask, serving.port, form, **headers)


def made(serving: Serving, *turns: str) -> dict[str, Any]:
    """The table once the server tells of so many turns."""
    return once(lambda: call(serving.port, "GET", "/table").told, lambda told: len(told.get("turns", ())) == len(turns))


def once(look: Callable[[], Any], holds: Callable[[Any], bool]) -> Any:
    """What is found when it holds."""
    until = monotonic() + PATIENCE
    while not holds(found := look()):
        assert monotonic() < until, found
    return found


def first(port: int, kind: str, **headers: str) -> Any:
    """The data of the first event of that kind."""
    with listening_to(port, kind, **headers) as told:
        return next(told)[2]


def reader_comes(port: int) -> bool:
    """Whether there is a place for one more reader of events."""
    with suppress(AssertionError), listening_to(port):
        return True
    return False


# Reading ----------------------------------------------------------------------------------------


def test_the_table_is_told_in_its_form_with_all_turns_that_are_allowed(serving: Serving) -> None:
    serving.tell(table(hands=False), story(2, position=str(GAME.start())), now(side=1))
    told = made(serving, "first", "second")
    assert json.loads(encode(convert(told, TableNow))) == told
    assert (told["game"], told["side"], told["simulated"], told["state"]) == ("zong-heng", 1, False, "rest")
    assert told["turns_now"] == [turn.text for turn in GAME.turns(GAME.start())]
    assert [turn["side"] for turn in told["turns"]] == [0, 1]
    assert told["lights"]["c3"]["kind"] == "movable"


def test_sentences_are_in_the_language_that_is_asked_for(serving: Serving) -> None:
    named = call(serving.port, "GET", "/table?language=fr").told["status"]
    assert named == call(serving.port, "GET", "/table", Accept_Language="fr").told["status"]
    assert named != call(serving.port, "GET", "/table").told["status"]


def test_what_ails_sensors_is_told_as_soon_as_it_is_known(quiet: Serving) -> None:
    with listening_to(quiet.port, "table") as told:
        assert next(told)[2]["ailing"] == []
        quiet.tell(Inside(STATUS))
        (sentence,) = next(told)[2]["ailing"]
        assert sentence.startswith("<c3>: ")
        quiet.tell(Inside(STATUS), table(brightness=9), story(), now())
        assert next(table for _, _, table in told if table["brightness"] == 9)["ailing"] == [sentence]


def test_a_game_that_is_over_allows_no_turn(serving: Serving) -> None:
    serving.tell(table(), story(1, outcome=("rules.repetition", ()), winner=1, ways=(("a1-a2", ()),)), now())
    told = made(serving, "first")
    assert (told["turns_now"], told["winner"]) == ([], 1)
    assert told["outcome"]


def test_a_table_that_is_asked_by_light_what_to_play_has_no_game_yet() -> None:
    with listening() as serving:
        assert call(serving.port, "GET", "/table").status == 503
        serving.tell(table(game="", options={}))
        answer = once(lambda: call(serving.port, "GET", "/table"), lambda answer: answer.status == 200)
        assert (answer.told["game"], answer.told["state"]) == ("", "choosing")
        assert json.loads(encode(convert(answer.told, TableNow))) == answer.told


def test_the_description_is_served_as_it_is_kept(serving: Serving) -> None:
    assert call(serving.port, "GET", "/schema").told["openapi"].startswith("3.1")


# Events -----------------------------------------------------------------------------------------


def test_events_tell_each_change_and_each_sentence(quiet: Serving) -> None:
    made(quiet)
    with listening_to(quiet.port) as told:
        assert next(told)[2]["side"] == 0
        quiet.tell(now(side=1))
        assert next(told)[2]["side"] == 1
        quiet.tell(spoken(7))
        name, number, sentence = next(told)
        assert (name, number, sentence["name"]) == ("said", 7, "played")


def test_a_reader_that_comes_again_hears_what_was_said_meanwhile(quiet: Serving) -> None:
    quiet.tell(spoken(1), spoken(2, "d3-d4"), spoken(3, "e3-e4"))
    with listening_to(quiet.port, Last_Event_ID="1") as told:
        heard = [next(told) for _ in range(3)]
    assert [number for _, number, _ in heard] == [None, 2, 3]
    with listening_to(quiet.port) as told:
        assert next(told)[0] == "table"
        quiet.tell(spoken(4))
        assert next(told)[1] == 4


def test_a_stream_stays_open_longer_than_a_request_may_take() -> None:
    async def do(serving: Serving) -> None:
        serving.tell(table(), story(), now())
        await asyncio.to_thread(read, serving)

    def cut_off(port: int) -> bool:
        """Whether a request is cut off whose body never comes."""
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as idle:
            idle.sendall(b"POST /api/v1/requests HTTP/1.1\r\nContent-Length: 5\r\n\r\n{}")
            with suppress(ConnectionResetError):
                assert not idle.recv(4096)
            return True

    def read(serving: Serving) -> None:
        with listening_to(serving.port) as told:
            while next(told)[2]["side"] != 0:
                pass
            assert call(serving.port, "GET", "/table").status == 200
            assert cut_off(serving.port)
            serving.tell(now(side=1))
            assert next(told)[2]["side"] == 1

    asyncio.run(in_here(Limits(silence=0.3), do))


def test_a_reader_of_events_takes_the_place_of_a_watcher() -> None:
    async def do(serving: Serving) -> None:
        serving.tell(table(), story(), now())
        await asyncio.to_thread(read, serving)

    def read(serving: Serving) -> None:
        with listening_to(serving.port) as told:
            next(told)
            refused = call(serving.port, "GET", "/events")
            assert (refused.status, refused.told["id"]) == (503, "refused.full")
        once(lambda: reader_comes(serving.port), bool)

    asyncio.run(in_here(Limits(browsers=1, kept=0), do))


def test_a_reader_that_does_not_read_is_cut_off() -> None:
    async def do(serving: Serving) -> None:
        serving.tell(table(), story(), now())
        deaf = socket.socket()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        await asyncio.to_thread(deaf.connect, ("127.0.0.1", serving.port))
        deaf.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert (await asyncio.to_thread(deaf.recv, 12)) == b"HTTP/1.1 200"
        async with asyncio.timeout(PATIENCE):
            while not await asyncio.to_thread(reader_comes, serving.port):  # its place is free again
                serving.tell(*(now(side=side) for side in (0, 1)))
                await asyncio.sleep(0.01)
        deaf.close()

    asyncio.run(in_here(Limits(browsers=1, kept=0, send_timeout=0.3), do))


# Asking -----------------------------------------------------------------------------------------


def test_a_request_is_answered_once_it_is_done_with_what_was_said(quiet: Serving) -> None:
    waiting = asking(quiet, {"do": "make", "turn": "c3-c4"})
    quiet.tell(spoken(1))
    assert quiet.told() == Make("c3-c4")
    status, _, told = waiting.result()
    assert status == 200
    assert convert(told, Taken).taken == "done"
    said = [sentence["number"] for sentence in told["said"]]
    assert said in ([1], [])  # the sentence may have come before the request


def test_a_request_may_come_in_pieces(serving: Serving) -> None:
    body = b'{"do": "show", "mode": "quiet"}'
    head = b"POST /api/v1/requests HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += b"content-length:31\r\n\r\n"
    with socket.create_connection(("127.0.0.1", serving.port)) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for place in range(0, len(head + body), 7):
            line.sendall((head + body)[place : place + 7])
        assert serving.told() == Show("quiet")
        assert line.recv(12) == b"HTTP/1.1 200"


REFUSED: tuple[tuple[Any, dict[str, str], int, str], ...] = (
    ({"do": "make", "turn": "c3-c4", "by": 0}, {}, 422, "unread"),
    ({"do": "rise", "side": 0}, {}, 422, "unread"),
    ({"do": "dance"}, {}, 422, "unread"),
    ({"do": "bring", "number": 1, "of": 1, "text": "", "name": ""}, {}, 422, "unread"),
    ({"do": "new", "game": "zong-heng", "options": {"size": 10**30}}, {}, 422, "unread"),
    (b"{", {}, 400, "unread"),
    (b"\xff", {}, 400, "unread"),
    (b"[" * 4000, {}, 422, "unread"),
    (b"", {}, 400, "unread"),
    (b" " * 4097, {}, 413, "too-long"),
    (b"0\r\n\r\n", {"Transfer_Encoding": "chunked"}, 411, "no-length"),
    ({"do": "end"}, {"Content_Type": "text/plain"}, 415, "only-json"),
    ({"do": "end"}, {"Origin": "http://elsewhere.example"}, 403, "strange-origin"),
    ({"do": "end"}, {"Sec_Fetch_Site": "same-site"}, 403, "strange-origin"),
    (
        {"do": "end"},
        {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"},
        403,
        "strange-origin",
    ),
    ({"do": "end"}, {"Host": "elsewhere.example"}, 403, "strange-host"),
)


@pytest.mark.parametrize(("form", "headers", "status", "why"), REFUSED)
def test_what_is_no_request_is_refused_with_a_sentence_and_asks_nothing(
    serving: Serving, form: Any, headers: dict[str, str], status: int, why: str
) -> None:
    answer = ask(serving.port, form, **headers)
    assert (answer.status, answer.told["id"]) == (status, f"refused.{why}")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.told == json.loads(encode(convert(answer.told, Problem)))
    assert not any(name.lower().startswith("access-control") for name in answer.headers)
    asked = asking(serving, {"do": "end"})
    assert serving.told() == End()
    assert asked.result().status == 200


@pytest.mark.parametrize(
    ("method", "path", "status", "why"),
    [
        ("GET", "/requests", 405, "only-post"),
        ("OPTIONS", "/requests", 405, "only-post"),
        ("POST", "/table", 405, "only-get"),
        ("GET", "/tables", 404, "no-such-path"),
        ("GET", "/table?since=3", 400, "unread"),
    ],
)
def test_what_is_asked_in_another_way_is_refused(
    serving: Serving, method: str, path: str, status: int, why: str
) -> None:
    answer = call(serving.port, method, path)
    assert (answer.status, answer.told["id"]) == (status, f"refused.{why}")


def test_on_the_network_reading_is_free_and_asking_needs_the_token() -> None:
    with listening("--host", "0.0.0.0", "--token", "sesame") as serving:
        serving.tell(table(), story(), now())
        made(serving)
        form = {"do": "press", "button": "undo"}
        assert ask(serving.port, form).status == 401
        assert ask(serving.port, form, Authorization="Basic sesame").status == 401
        waiting = asking(serving, form, Authorization="Bearer sesame")
        assert serving.told() == Press("undo")
        assert waiting.result().status == 200
        wrong = [ask(serving.port, form, Authorization="Bearer sesam").status for _ in range(Penalties.FREE + 2)]
        assert wrong == [401] * (Penalties.FREE + 1) + [429]
        assert ask(serving.port, form, Authorization="Bearer sesame").status == 429
        assert call(serving.port, "GET", "/table").status == 200


def test_the_words_of_an_invitation_need_the_token_though_reading_is_free() -> None:
    bearer = {"Authorization": "Bearer sesame"}
    with listening("--host", "0.0.0.0", "--token", "sesame") as serving:
        serving.tell(Link(state="waiting", words="lusab", address="mqtt://club/#lusab"), table(), story(), now())
        made(serving)
        assert call(serving.port, "GET", "/link").status == 401
        told = call(serving.port, "GET", "/link", **bearer)
        assert (told.status, told.told["words"]) == (200, "lusab")
        with listening_to(serving.port, "table", "link", "seats", **bearer) as events:
            assert [name for name, *_ in (next(events) for _ in range(3))] == ["table", "link", "seats"]
        with listening_to(serving.port, "table", "link", "seats") as events:
            assert [name for name, *_ in (next(events) for _ in range(2))] == ["table", "seats"]


def test_a_request_that_the_table_does_not_get_to_is_refused() -> None:
    async def do(serving: Serving) -> None:
        first = asyncio.ensure_future(asyncio.to_thread(ask, serving.port, {"do": "show", "mode": "quiet"}))
        while request(await asyncio.get_running_loop().sock_recv(serving.daemon, 4096)) != Show("quiet"):
            pass  # and then the daemon never tells what it has cost
        second = await asyncio.to_thread(ask, serving.port, {"do": "end"})
        assert (second.status, second.told["id"]) == (503, "refused.no-answer")
        assert ((await first).status, (await first).told["id"]) == (504, "refused.no-answer")

    asyncio.run(in_here(Limits(answered=Pace().patience + 0.5), do))


# Seats ------------------------------------------------------------------------------------------


def test_a_program_at_a_seat_is_asked_like_anybody(quiet: Serving) -> None:
    quiet.tell(table(), story(3), now(side=1))
    made(quiet, "1", "2", "3")

    async def do(browser: ClientConnection) -> None:
        await hello(browser)
        await say(browser, {"do": "sit", "side": 0, "name": "Ann"})
        await heard(browser, "seats", mine=0)
        robot = {"Tablelight_Guest": "robot"}
        assert (await asyncio.to_thread(ask, quiet.port, {"do": "sit", "side": 1}, **robot)).status == 200
        taken = await asyncio.to_thread(ask, quiet.port, {"do": "press", "button": "undo"}, **robot)
        assert (taken.status, taken.told["taken"]) == (202, "asked")
        seats = await asyncio.to_thread(first, quiet.port, "seats", **robot)
        assert (seats["mine"], seats["asked"]["what"], seats["asked"]["mine"]) == (1, "undo", True)
        assert json.loads(encode(convert(seats, SeatsForm))) == seats
        strange = await asyncio.to_thread(ask, quiet.port, {"do": "answer", "grants": True})
        assert strange.status == 409
        while not (seats := await heard(browser, "seats"))["asked"]:
            pass
        assert (seats["asked"]["what"], seats["asked"]["answer"]) == ("undo", True)
        await say(browser, {"do": "answer", "grants": True})
        assert await asyncio.to_thread(quiet.told) == Press("undo")

    watching(quiet, do)
