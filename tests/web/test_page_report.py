"""The game explained: once it is over, for whoever asks, in the reader's language; one at a time."""

from __future__ import annotations

import time
from http.client import HTTPResponse
from pathlib import Path

import pytest

from firmware_bridge.events import turn_event
from firmware_bridge.records import Record
from firmware_bridge.score import ScoreSheet
from games.rules import load
from hardware.device import Sense
from tests.web.page_server import PATIENCE, Serving, now, story, table

OVER = ("table.resigned", (("player", "zong-heng.black"), ("other", "zong-heng.white")))


def resigned(path: Path) -> None:
    """The record of a game of two turns that was given up."""
    sheet = ScoreSheet(load("zong-heng"))
    record = Record(path, sheet, Sense.PRESENCE)
    for _ in range(2):
        (played, *_) = sheet.turns
        record.write([turn_event("played", sheet.player, played)], 1.0)
        sheet.accept(played)
    record.write(sheet.resign(1), 2.0)
    record.close()


def finished(serving: Serving, path: str, **headers: str) -> tuple[HTTPResponse, str]:
    """The answer, once it is no longer to be waited for."""
    end = time.monotonic() + PATIENCE
    while True:
        answer, text = serving.fetch(path, **headers)
        if answer.status != 202:
            return answer, text
        assert int(answer.headers["Refresh"]) > 0
        assert '<a class="button" href="/">' in text
        assert time.monotonic() < end
        time.sleep(0.2)


@pytest.mark.slow
def test_a_game_that_is_over_is_explained_in_the_readers_language(serving: Serving, tmp_path: Path) -> None:
    path = tmp_path / "game.table"
    resigned(path)
    serving.tell(table(record=str(path)), story(outcome=OVER, winner=0), now())
    wait(serving, 202, Accept_Language="fr")
    answer, text = finished(serving, "/report", Accept_Language="fr")
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "script-src" not in answer.headers["Content-Security-Policy"]
    assert '<html lang="fr"' in text
    assert "<svg" in text
    assert '<a href="/">Revenir à la table</a>' in text


def test_the_language_chosen_on_the_page_is_that_of_the_report(serving: Serving, tmp_path: Path) -> None:
    path = tmp_path / "game.table"
    resigned(path)
    serving.tell(table(record=str(path)), story(outcome=OVER, winner=0), now())
    wait(serving, 202, Accept_Language="fr")
    for chosen, told in (("es", "es"), ("xx", "fr")):
        assert f'<html lang="{told}"' in serving.fetch(f"/report?language={chosen}", Accept_Language="fr")[1]


def wait(serving: Serving, status: int, **headers: str) -> None:
    """Until the server has taken in what it was told."""
    end = time.monotonic() + PATIENCE
    while serving.fetch("/report", **headers)[0].status != status:
        assert time.monotonic() < end
        time.sleep(0.02)


def test_before_its_end_a_game_is_not_explained(serving: Serving, tmp_path: Path) -> None:
    path = tmp_path / "game.table"
    resigned(path)
    serving.tell(table(record=str(path)), story(), now())
    wait(serving, 404)
    assert "when it is over" in serving.fetch("/report", Accept_Language="en")[1]


def test_without_a_record_there_is_nothing_to_explain(serving: Serving) -> None:
    serving.tell(table(), story(outcome=OVER, winner=0), now())
    end = time.monotonic() + PATIENCE
    while "no record" not in serving.fetch("/report", Accept_Language="en")[1]:
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_report_that_cannot_be_made_is_said_and_tried_again(serving: Serving, tmp_path: Path) -> None:
    path = tmp_path / "game.table"
    path.write_text("no record\n")
    serving.tell(table(record=str(path)), story(outcome=OVER, winner=0), now())
    wait(serving, 202, Accept_Language="en")
    answer, text = finished(serving, "/report", Accept_Language="en")
    assert answer.status == 503
    assert "The report could not be made" in text
    assert serving.fetch("/report", Accept_Language="en")[0].status == 202
