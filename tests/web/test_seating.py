"""Seats over the line: what reaches the daemon, and what each browser is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection

from firmware_bridge.lighting import Cue
from firmware_bridge.session import End, Press, Whispered, said
from games.rules import Reason
from tests.web.page_server import Serving, heard, now, say, story

GUESTS = ("ann-s-secret", "ben-s-secret", "eve-s-secret")


async def greet(browser: ClientConnection, guest: str) -> dict[str, Any]:
    """Come as this guest, in English; the seats."""
    await say(browser, {"hello": {"language": "en", "token": "", "guest": guest}})
    return await heard(browser, "seats")


@asynccontextmanager
async def three(serving: Serving) -> AsyncIterator[tuple[ClientConnection, ...]]:
    """Ann at the first seat, Ben at the other, and Eve."""
    async with serving.browse() as ann, serving.browse() as ben, serving.browse() as eve:
        for browser, guest in zip((ann, ben, eve), GUESTS, strict=True):
            await greet(browser, guest)
        for side, browser in enumerate((ann, ben)):
            await say(browser, {"do": "sit", "side": side, "name": f" Player\t{side} "})
            await heard(browser, "seats", mine=side)
        yield ann, ben, eve


def test_what_is_granted_reaches_the_daemon_and_nothing_before(quiet: Serving) -> None:
    async def do() -> None:
        async with three(quiet) as (ann, ben, eve):
            quiet.tell(story(1), now(side=1))
            await say(ann, {"do": "press", "button": "undo"})
            while not (told := await heard(ben, "seats"))["asked"]:
                pass
            asked = told["asked"]
            assert (asked["what"], asked["by"], asked["mine"], asked["answer"]) == ("undo", 0, False, True)
            assert 0 < asked["left"] <= 30
            assert told["seats"] == [{"name": "Player 0", "away": False}, {"name": "Player 1", "away": False}]
            await say(eve, {"do": "answer", "grants": True})
            assert "other player" in (await heard(eve, "refused"))["text"]
            assert await asyncio.to_thread(quiet.asked) == []
            await say(ben, {"do": "answer", "grants": True})
            assert await asyncio.to_thread(quiet.told) == Press("undo")
            await say(ben, {"do": "end"})
            await say(ann, {"do": "answer", "grants": False})
            assert "does not agree" in (await heard(ben, "refused"))["text"]
            await say(ben, {"do": "end", "resigns": 0})
            assert "resign" in (await heard(ben, "refused"))["text"]
            await say(ben, {"do": "end", "resigns": 1})
            assert await asyncio.to_thread(quiet.told) == End(1)

    asyncio.run(do())


def test_a_whispered_hint_is_told_to_the_player_to_move_alone(quiet: Serving) -> None:
    async def do() -> None:
        async with three(quiet) as (ann, ben, eve):
            await say(ann, {"do": "press", "button": "hint"})
            assert await asyncio.to_thread(quiet.told) == Press("whisper")
            whispered = Whispered({"c3": Cue("hint")}, said(Reason.of("table.hint-wins", turn="c3-c4")))
            quiet.tell(now(whispered=whispered))
            while not (hint := (await heard(ann, "seats"))["hint"]):
                pass
            assert list(hint["cues"]) == ["c3"]
            assert hint["text"] == "c3-c4 wins, whatever comes after it."
            for other in (ben, eve):
                while (await heard(other, "now"))["cues"].keys() != {"c3"}:
                    pass
                await say(other, {"hello": {"guest": "somebody"}})  # all is told anew
                assert (await heard(other, "seats"))["hint"] is None

    asyncio.run(do())


def test_a_guest_is_known_again_and_a_stranger_is_not(quiet: Serving) -> None:
    async def do() -> None:
        async with three(quiet):
            pass
        async with quiet.browse() as again, quiet.browse() as other:
            told = await greet(again, GUESTS[0])
            assert (told["mine"], told["seats"][0]["away"], told["seats"][1]["away"]) == (0, False, True)
            told = await greet(other, "")
            assert told["mine"] is None
            await say(other, {"do": "sit", "side": 1, "name": "Eve"})
            assert "Somebody else has this seat" in (await heard(other, "refused"))["text"]

    asyncio.run(do())


@pytest.mark.parametrize(
    "form",
    [
        {"do": "sit", "side": 2},
        {"do": "sit", "side": 0, "name": "x" * 31},
        {"do": "answer"},
        {"hello": {"guest": "x" * 65}},
    ],
)
def test_what_no_page_of_ours_would_ask_is_refused(quiet: Serving, form: dict[str, Any]) -> None:
    async def do() -> None:
        async with quiet.browse() as browser:
            await greet(browser, GUESTS[0])
            await say(browser, form)
            assert "does not know such a request" in (await heard(browser, "refused"))["text"]

    asyncio.run(do())
