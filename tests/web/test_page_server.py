"""The page's server: what browsers are told, and what they may ask."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection

from firmware_bridge.i18n import LANGUAGES, words
from firmware_bridge.lighting import LAMP_RHYTHMS, PALETTES, RHYTHMS
from firmware_bridge.session import Together, said
from games.rules import Reason, load, names
from tests.web.page_server import GAME, PATIENCE, START, Serving, heard, hello, now, spoken, story, table, watching


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_browser_is_told_in_the_language_it_asks_for(serving: Serving, language: str) -> None:
    async def do(browser: ClientConnection) -> None:
        page = await hello(browser, language)
        assert (page["language"], page["languages"]) == (language, LANGUAGES)
        told = await heard(browser, "table")
        assert told["players"] == [words(language).text(player) for player in GAME.players]

    watching(serving, do)


def test_a_reader_who_asks_for_no_language_gets_that_of_the_browser(serving: Serving) -> None:
    async def do(browser: ClientConnection) -> None:
        assert (await hello(browser, ""))["language"] == "fr"
        assert (await hello(browser, "es"))["language"] == "es"
        assert (await hello(browser, "nonsense"))["language"] == "fr"

    watching(serving, do, additional_headers={"Accept-Language": "fr-CH, en;q=0.8"})


def test_the_table_is_told_with_all_that_is_needed_to_draw_it(serving: Serving) -> None:
    async def do(browser: ClientConnection) -> dict[str, Any]:
        await hello(browser)
        return await heard(browser, "table")

    told = watching(serving, do)
    assert (told["title"], told["names"], told["pieces"]) == ("Zong-Heng", ["Black", "White"], "stones")
    assert list(told["board"]["at"]) == list(GAME.sites)
    assert told["board"]["ground"].startswith("<svg")
    assert [game["name"] for game in told["games"]] == list(names(installed=True))
    sizes = next(game for game in told["games"] if game["name"] == "zong-heng")["options"]["size"]
    assert (sizes["values"], sizes["chosen"]) == ([8, 6, 10, 12], 6)
    assert told["lights"]["colours"]["wrong"] == list(PALETTES["clear"]["wrong"])
    assert len(told["rules"]) > 2


def test_the_board_is_told_as_it_lies_on_the_table(quiet: Serving) -> None:
    async def do(browser: ClientConnection) -> dict[str, Any]:
        await hello(browser)
        return await heard(browser, "table")

    quiet.tell(table(hands=False, places=tuple((2.0 * x, y) for x, y in GAME.places.values())))
    at = watching(quiet, do)["board"]["at"]
    assert at["b1"][0] - at["a1"][0] == 2 * (at["a1"][1] - at["a2"][1])


def test_the_rhythms_are_those_of_the_lights(serving: Serving) -> None:
    async def do(browser: ClientConnection) -> dict[str, Any]:
        await hello(browser)
        return await heard(browser, "table")

    rhythms = watching(serving, do)["lights"]["rhythms"]
    lamps = {f"lamp-{pace}": rhythm for pace, rhythm in LAMP_RHYTHMS.items()}
    assert rhythms.keys() == RHYTHMS.keys() | lamps.keys() | {"choice"}
    for kind, rhythm in (RHYTHMS | lamps).items():
        period, levels = rhythms[kind]["period"], rhythms[kind]["levels"]
        for moment in (0.013 + 0.0371 * step for step in range(200)):
            part = int(moment % period / period * len(levels))
            middle = (part + 0.5) * period / len(levels)
            assert abs(levels[part] - rhythm.at(middle + moment // period * period)) < 0.01, (kind, moment)


def test_a_story_goes_to_all_who_watch(serving: Serving) -> None:
    async def do() -> None:
        async with serving.browse() as one, serving.browse() as other:
            for browser in (one, other):
                await hello(browser)
                await heard(browser, "story")
            serving.tell(story(3))
            for browser in (one, other):
                turns = (await heard(browser, "story"))["turns"]
                assert [(turn["text"], turn["side"]) for turn in turns] == [
                    (turn.text, turn.side) for turn in story(3).turns
                ]
                assert turns[-1]["board"] == list(story(3).turns[-1].cells)

    asyncio.run(do())


def test_now_says_whose_turn_it_is_and_what_the_lights_tell(serving: Serving) -> None:
    async def do(browser: ClientConnection) -> None:
        await hello(browser)
        told = await heard(browser, "now")
        assert told["status"] == "Turn 1: Black to play."
        assert told["cues"]["c3"]["tells"] == "this piece may be moved"
        assert told["levels"] == list(START.cells)
        assert 12.5 <= told["clock"] < 12.5 + PATIENCE
        serving.tell(story(1), now(20.0, side=1))
        assert (await heard(browser, "now", side=1))["status"] == "Turn 2: White to play."
        over = said(Reason.of("rules.repetition"))
        serving.tell(story(1, outcome=over), now(21.0, side=None, state="over"))
        assert (await heard(browser, "now", state="over"))["status"].startswith("House rule")
        serving.tell(story(), now(22.0, state="setting"))
        assert (await heard(browser, "now", state="setting"))["status"] == "Lay the pieces as the lights show."

    watching(serving, do)


def test_what_lies_beside_the_board_is_told_in_the_language_of_the_reader(serving: Serving) -> None:
    zhizhu = load("zhizhu")
    hands = zhizhu.aside(zhizhu.start())
    assert hands

    async def do(browser: ClientConnection) -> None:
        for language in LANGUAGES:
            await hello(browser, language)
            serving.tell(now(20.0, side=1))
            assert (await heard(browser, "now", side=1))["aside"] is None
            serving.tell(now(21.0, side=0, aside=said(hands)))
            told = await heard(browser, "now", side=0, aside=words(language).say(hands))
            assert told["status"].endswith(f" {told['aside']}")

    watching(serving, do)


def test_while_the_game_is_chosen_there_is_no_board(serving: Serving) -> None:
    async def do(browser: ClientConnection) -> None:
        await hello(browser)
        serving.tell(table(game="", options={}))
        assert (await heard(browser, "table", game=""))["board"] is None
        assert (await heard(browser, "now", state="choosing"))["status"]

    watching(serving, do)


def test_what_lies_on_another_games_board_is_not_told(quiet: Serving) -> None:
    async def do(browser: ClientConnection) -> None:
        await hello(browser)
        await heard(browser, "now")
        quiet.tell(table(options={"size": 8, "setup": "rows"}), now(clock=99.0), spoken(1))
        kinds = []
        while not kinds or kinds[-1] != "said":
            kinds.append(json.loads(await browser.recv())["kind"])
        assert set(kinds) - {"seats", "link"} == {"table", "said"}  # the table again when its figures are drawn

    watching(quiet, do)


def test_a_hand_that_reaches_in_hears_nothing_of_the_seats(quiet: Serving) -> None:
    """For the others it is another's; for its own browser nothing has changed, and light is what it waits for."""

    async def do() -> None:
        async with quiet.browse() as hand, quiet.browse() as other:
            for browser in (hand, other):
                await hello(browser)
                await heard(browser, "seats", act=True)
            await hand.send(json.dumps({"do": "lay", "changes": [["c3", 0]]}))
            await heard(other, "seats", act=False)
            quiet.tell(now(clock=99.0))
            kinds = []
            while not kinds or kinds[-1] != "now":
                kinds.append(json.loads(await hand.recv())["kind"])
            assert "seats" not in kinds

    asyncio.run(do())


def test_what_is_told_together_is_taken_in_part_by_part(quiet: Serving) -> None:
    async def do(browser: ClientConnection) -> None:
        await hello(browser)
        await heard(browser, "now")
        quiet.tell(Together((table(hands=False), story(2), now(state="complete"))))
        await heard(browser, "table", hands=False)
        assert len((await heard(browser, "story"))["turns"]) == 2
        await heard(browser, "now", state="complete")

    watching(quiet, do)


def test_each_hears_what_was_said_once_and_newcomers_the_last_fifty(quiet: Serving) -> None:
    async def do() -> None:
        async with quiet.browse() as one:
            await hello(one)
            quiet.tell(*(spoken(number, f"turn {number}") for number in range(1001, 1061)))
            numbers: list[int] = []
            while not numbers or numbers[-1] < 1060:
                numbers += [word["number"] for word in (await heard(one, "said"))["words"]]
            assert numbers == sorted(set(numbers))
            async with quiet.browse() as other:
                await hello(other)
                told = (await heard(other, "said"))["words"]
                assert [word["number"] for word in told] == list(range(1011, 1061))
                assert (told[-1]["name"], told[-1]["id"]) == ("played", "table.played")
                assert told[-1]["text"] == "Black plays turn 1060."

    asyncio.run(do())


def test_a_browser_that_greets_again_is_told_everything(serving: Serving) -> None:
    async def do(browser: ClientConnection) -> list[str]:
        await hello(browser)
        return [json.loads(await browser.recv())["kind"] for _ in range(3)]

    assert watching(serving, do) == watching(serving, do) == ["table", "story", "now"]


def test_the_server_knows_every_sentence_of_a_table() -> None:
    every = sentences(
        "firmware_bridge.web.simulated_host", "firmware_bridge.session.session", "firmware_bridge.cli.play"
    )
    known = sentences("firmware_bridge.web.server")
    assert {id for id in every if id.startswith(("table.", "menu.", "cue."))} <= known


def sentences(*modules: str) -> set[str]:
    """The sentences of a program that imports these modules."""
    program = f"import {', '.join(modules)}; from games.rules import SENTENCES; print(*SENTENCES)"
    return set(
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    )


def test_figures_of_the_rules_follow_when_they_are_drawn(serving: Serving) -> None:
    async def do(browser: ClientConnection) -> None:
        await hello(browser)
        told = await heard(browser, "table")
        while not told["figures"]:
            told = await heard(browser, "table")
        assert all(figure.startswith("<svg") for figure in told["figures"])
        assert len(told["captions"]) == len(told["figures"])

    watching(serving, do)
