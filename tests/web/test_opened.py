"""Games beside the one in play: brought by those who may play, checked, bounded, found by their key; taken away."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection

from firmware_bridge.exchange import LARGEST, Carried, sgf_text
from firmware_bridge.i18n import words
from firmware_bridge.score import ScoreSheet
from firmware_bridge.web.films import MOST_TURNS, Films
from firmware_bridge.web.opened import KEPT, PART, Bring, Brought, Texts
from games.rules import load
from tests.web.page_server import Serving, heard, hello, listening, now, say, story, table, watching


def text_of(turns: int = 4, name: str = "yin-yang", **how: Any) -> str:
    """A game of so many turns, the first one each time."""
    sheet = ScoreSheet(load(name), **how)
    for _ in range(turns):
        sheet.accept(sheet.turns[0])
    return sgf_text(Carried(sheet, {1: "<b>good</b>"}, "2026-11-25"))


def parts(text: str, size: int = 1000) -> list[dict[str, object]]:
    """The messages that bring a text."""
    cut = [text[at : at + size] for at in range(0, len(text), size)]
    return [
        {"do": "bring", "number": number, "of": len(cut), "text": part, "name": "x.sgf"}
        for number, part in enumerate(cut)
    ]


def brought(serving: Serving, text: str, language: str = "en", size: int = 1000) -> dict[str, Any]:
    """What the server says to a text."""

    async def do(browser: ClientConnection) -> dict[str, Any]:
        await hello(browser, language)
        await say(browser, *parts(text, size))
        return dict(await heard(browser, "brought"))

    answer: dict[str, Any] = watching(serving, do)
    return answer


def test_a_game_that_is_brought_is_found_by_its_key_and_the_table_hears_nothing(serving: Serving) -> None:
    answer = brought(serving, text_of(names=("Anna", "Ben"), levels=(0, 3)), size=60)
    assert answer["text"] == ""
    status, told = serving.fetch(f"/opened?brought={answer['key']}&language=fr")
    form = json.loads(told)
    assert status.status == 200
    assert form["told"] == "Anna : Joueur 2 (ordinateur, niveau 3), 2026-11-25"
    assert form["comments"] == {"1": "<b>good</b>"}
    assert (form["table"]["game"], form["table"]["hands"], form["now"]["state"]) == ("yin-yang", False, "rest")
    assert len(form["story"]["turns"]) == 4
    position = json.loads(serving.fetch(f"/position?after=2&brought={answer['key']}")[1])
    assert (position["game"], position["side"]) == ("yin-yang", 0)
    assert serving.asked() == []


def test_what_is_wrong_is_told_in_the_readers_language(serving: Serving) -> None:
    answer = brought(serving, "(;GM[yin-yang];B[a1-a2])", "fr")
    assert answer["key"] == ""
    assert answer["text"].startswith("Le coup 1, a1-a2 de")
    assert "Coups permis là : " in answer["text"]


def test_variations_that_are_left_out_are_told(serving: Serving) -> None:
    assert "1" in brought(serving, "(;GM[yin-yang](;B[c3-c2])(;B[c3-b3]))")["text"]


def test_who_may_only_watch_brings_nothing() -> None:
    async def do(browser: ClientConnection) -> str:
        await hello(browser)
        await say(browser, *parts(text_of()))
        return str((await heard(browser, "refused"))["text"])

    with listening("--host", "0.0.0.0", "--token", "sesame") as elsewhere:
        elsewhere.tell(table(), story(), now())
        assert "#" in watching(elsewhere, do)


@pytest.mark.parametrize("path", ["opened", "record", "record?form=sgf", "film", "film.gif", "report", "review"])
def test_a_key_that_nobody_was_given_finds_nothing(serving: Serving, path: str) -> None:
    mark = "&" if "?" in path else "?"
    assert serving.fetch(f"/{path}{mark}brought=../../etc")[0].status == 404


def test_only_a_game_that_is_over_is_explained(serving: Serving) -> None:
    key = brought(serving, text_of())["key"]
    assert serving.fetch(f"/review?brought={key}")[0].status == 404
    over = brought(serving, text_of().replace("DT[", "RE[W+R]DT["))["key"]
    assert json.loads(serving.fetch(f"/review?brought={over}")[1])["state"] == "working"


def test_the_game_in_hand_is_taken_away_as_text(serving: Serving, tmp_path: Path) -> None:
    record = tmp_path / "zong-heng-20261125-180000.table"
    record.write_text("tablelight 1\ngame zong-heng size=6\nsense presence\nnames Anna Ben\nturn a1-a2\n")
    serving.tell(table(record=str(record)))
    answer, text = serving.fetch("/record?form=sgf")
    assert 'filename="zong-heng-20261125-180000.sgf"' in (answer.headers["Content-Disposition"] or "")
    assert "PB[Anna]PW[Ben]DT[2026-11-25]" in text.replace("\n", "")
    assert ";B[a1-a2]" in text


# Values -------------------------------------------------------------------------------------------


def test_parts_out_of_turn_begin_anew_and_no_text_grows_beyond_its_bound() -> None:
    texts = Texts()
    assert texts.take("one", Bring(0, 3, "a")) is None
    assert texts.take("two", Bring(0, 1, "b")) == b"b"
    assert texts.take("one", Bring(2, 3, "c")) == b""
    assert texts.take("one", Bring(0, 2, "d")) is None
    assert texts.take("one", Bring(1, 2, "\ud800")) == b"d?"
    for number in range(399):
        assert texts.take("one", Bring(number, 400, "x" * PART)) is None
    whole = texts.take("one", Bring(399, 400, "x"))
    assert whole
    assert LARGEST < len(whole) <= LARGEST + PART


def test_a_game_too_long_for_a_moving_picture_is_refused_in_a_sentence(tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    record = tmp_path / "long.table"
    record.write_text("tablelight 1\n")
    form = json.loads(Films(lambda _: None).answer(record, MOST_TURNS + 1, words("en")).body)
    assert form["state"] == "failed"
    assert f"{MOST_TURNS} turns" in form["told"]


def test_the_last_games_that_were_brought_are_kept(tmp_path: Path) -> None:
    games = Brought()
    keys = [games.bring(text_of().encode(), "")[0] for _ in range(KEPT + 1)]
    first, *rest = map(games.find, keys)
    assert first is None
    kept = [each.record for each in rest if each]
    assert all(each.exists() and each.parent.stat().st_mode & 0o777 == 0o700 for each in kept)
    games.close()
    assert not any(each.exists() for each in kept)
