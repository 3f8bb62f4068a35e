"""The page of past games: found in the reader's language, each with record and report; nothing else is given away."""

from __future__ import annotations

import time
from collections.abc import Iterator
from html import escape, unescape
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from websockets.asyncio.client import ClientConnection

from firmware_bridge.i18n import words
from firmware_bridge.library import Index, Wanted
from firmware_bridge.web.past_games import page
from tests.library.test_index import kept
from tests.web.page_server import PATIENCE, Serving, hello, listening, watching


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three games."""
    kept(tmp_path, "zong-heng", "20261101", ("Anna <b>", "Ben"), won=0)
    kept(tmp_path, "zhizhu", "20261104", ("", "Ben"), levels=(3, 0), won=1)
    kept(tmp_path, "zhizhu", "20261105", ("Anna <b>", "Ben"))
    return tmp_path


@pytest.fixture
def serving(folder: Path) -> Iterator[Serving]:
    with listening("--records", str(folder)) as serving:
        yield serving


def test_that_there_are_no_games_is_said_once_all_records_are_read(tmp_path: Path) -> None:
    import_module("firmware_bridge.web.reports")  # has a sentence that both pages say
    english = words("en")
    told = {
        late: page(Index(tmp_path, writing=False), Wanted(), english, fault="", late=late, chosen="")
        for late in (True, False)
    }
    assert english.text("games.nothing") in told[False]
    assert english.text("games.nothing") not in told[True]
    assert escape(english.text("games.reading")) in told[True]


def shown(serving: Serving, path: str = "/games", **headers: str) -> str:
    """The page, once all records are read."""
    end = time.monotonic() + PATIENCE
    while True:
        answer, text = serving.fetch(path, **headers)
        assert answer.status == 200
        assert "form-action 'self'" in (answer.headers["Content-Security-Policy"] or "")
        if "Refresh" not in answer.headers:
            return text
        assert time.monotonic() < end
        time.sleep(0.2)


def test_past_games_are_listed_the_newest_first(serving: Serving) -> None:
    text = shown(serving)
    assert text.count("<li>") == 3
    places = [text.index(day) for day in ("2026-11-05", "2026-11-04", "2026-11-01")]
    assert places == sorted(places)
    assert "Black (computer, level 3) : Ben" in text
    assert "Black wins: White resigns." in text
    assert "Results by player" in text


def test_names_are_shown_as_they_are(serving: Serving) -> None:
    text = shown(serving)
    assert "<b>" not in text.replace('<b class="result">', "")
    assert "Anna <b> : Ben" in unescape(text)


def test_games_are_found_by_what_is_known_of_them(serving: Serving) -> None:
    shown(serving)
    assert shown(serving, "/games?player=ANNA&result=won").count("<li>") == 1
    assert shown(serving, "/games?game=zhizhu&until=2026-11-04").count("<li>") == 1
    assert "There are no such games." in shown(serving, "/games?player=nobody")
    assert "&#x27;soon&#x27; is no day" in shown(serving, "/games?since=soon")


def test_the_reader_is_answered_in_the_language_asked_for(serving: Serving) -> None:
    text = shown(serving, "/games?language=fr")
    assert '<html lang="fr">' in text
    assert "Parties jouées" in text
    assert '<input type="hidden" name="language" value="fr">' in text
    assert '<html lang="es">' in shown(serving, Accept_Language="es")


def test_each_game_leads_to_its_record(serving: Serving, folder: Path) -> None:
    shown(serving)
    name = "zong-heng-20261101-200000.table"
    answer, text = serving.fetch(f"/games/record?name={name}")
    assert (answer.status, text) == (200, (folder / name).read_text())
    assert name in (answer.headers["Content-Disposition"] or "")


@pytest.mark.parametrize("name", ["", "none.table", "../index/games.sqlite", "/etc/passwd", "index/games.sqlite"])
def test_nothing_but_records_is_given_away(serving: Serving, name: str) -> None:
    shown(serving)
    for kind in ("record", "report"):
        answer, text = serving.fetch(f"/games/{kind}?name={quote(name)}")
        assert answer.status == 404
        assert "no record" in text


def test_a_game_that_is_over_is_explained_and_no_other(serving: Serving) -> None:
    text = shown(serving)
    assert text.count("/games/report?") == 2
    assert serving.fetch("/games/report?name=zhizhu-20261105-200000.table")[0].status == 404
    assert serving.fetch("/games/report?name=zong-heng-20261101-200000.table")[0].status == 202


def test_a_game_that_has_ended_since_is_found(serving: Serving, folder: Path) -> None:
    shown(serving)
    kept(folder, "yin-yang", "20261107")
    end = time.monotonic() + PATIENCE
    while "2026-11-07" not in shown(serving):
        assert time.monotonic() < end
        time.sleep(1.0)


# Who may look -------------------------------------------------------------------------------------


KEPT = ("/games", "/games/record?name=x", "/games/report?name=x", "/opened?name=x", "/record?name=x", "/film")


def page_of(serving: Serving, token: str = "") -> dict[str, Any]:
    """What a browser with this token is told of the page."""

    async def do(browser: ClientConnection) -> dict[str, Any]:
        return await hello(browser, token=token)

    told: dict[str, Any] = watching(serving, do)
    return told


def test_on_a_network_past_games_are_for_those_who_have_the_token(folder: Path) -> None:
    with listening("--host", "0.0.0.0", "--token", "sesame", "--records", str(folder)) as elsewhere:
        page = page_of(elsewhere)
        assert (page["past"], page["badge"]) == (False, "")
        page = page_of(elsewhere, "sesame")
        assert page["past"]
        badge = page["badge"]
        assert len(badge) >= 20
        for path in (*KEPT, "/puzzles?game=yin-yang"):
            for cookie in ("", "tablelight-8000=", f"tablelight-8000={badge[:-1]}", f"other={badge}", "sesame"):
                answer, text = elsewhere.fetch(path, Cookie=cookie)
                assert answer.status == 403, path
                assert "#" in text
                assert "Anna" not in text
        assert "Anna" in shown(elsewhere, Cookie=f"first=1; tablelight-{elsewhere.port}={badge}; last=2")
        for path in KEPT[1:]:
            assert elsewhere.fetch(path, Cookie=f"tablelight-{elsewhere.port}={badge}")[0].status == 404, path


def test_the_settings_may_open_past_games_to_everybody_and_drawing_to_nobody_else(folder: Path) -> None:
    with listening("--host", "0.0.0.0", "--records", str(folder), "--open-past") as elsewhere:
        assert page_of(elsewhere)["past"]
        assert "Anna" in shown(elsewhere)
        assert elsewhere.fetch("/film")[0].status == 403


def test_at_this_computer_nothing_is_to_be_shown(serving: Serving) -> None:
    page = page_of(serving)
    assert (page["past"], page["badge"]) == (True, "")


def test_without_a_folder_there_is_no_such_page() -> None:
    with listening() as serving:
        assert serving.fetch("/games")[0].status == 404
        assert serving.fetch("/games/record?name=x")[0].status == 404
