"""The game explained: once it is over, for whoever asks, in the reader's language; one at a time."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from http.client import HTTPResponse
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.analysis.moments import Moment
from firmware_bridge.events import turn_event
from firmware_bridge.i18n import words
from firmware_bridge.records import Record
from firmware_bridge.score import ScoreSheet
from firmware_bridge.session import Lost, pack
from firmware_bridge.web.mirror import Mirror, ServerProcess
from firmware_bridge.web.reports import TRIES, Reports, Review, standing
from firmware_bridge.worker import LONGEST_PAUSE, SILENT, Loss, module_command, same_modules
from games.rules import load
from hardware.device import Sense
from tests.web.page_server import PATIENCE, Serving, now, story, table

OVER = ("table.resigned", (("player", "zong-heng.black"), ("other", "zong-heng.white")))


def resigned(path: Path, turns: int = 2) -> None:
    """The record of a game of so many turns that was given up."""
    sheet = ScoreSheet(load("zong-heng"))
    record = Record(path, sheet, Sense.PRESENCE)
    for _ in range(turns):
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


def reviewed(serving: Serving, known: int = 0) -> dict[str, Any]:
    """How far the game is explained, in English."""
    answer, text = serving.fetch(f"/review?language=en&known={known}")
    assert answer.status == 200
    told: dict[str, Any] = json.loads(text)
    return told


@pytest.mark.slow
def test_a_game_that_is_over_is_explained_as_it_is_weighed(serving: Serving, tmp_path: Path) -> None:
    path = tmp_path / "game.table"
    resigned(path, turns=3)
    serving.tell(table(record=str(path)), story(outcome=OVER, winner=0), now())
    wait(serving, 202)
    end, seen, told = time.monotonic() + PATIENCE, [], []
    while True:
        form = reviewed(serving, len(seen))
        seen += form["moments"]
        told += [form["told"]]
        assert form["done"] == len(seen)
        if form["state"] == "made":
            break
        assert form["state"] == "working"
        assert form["told"]
        assert time.monotonic() < end
        time.sleep(0.05)
    assert [moment["number"] for moment in seen] == [3, 2, 1, 0]
    assert form["every"] == 4
    assert not form["told"]
    assert any(words.startswith("Positions weighed: ") for words in told)
    assert all(0 <= moment["value"] <= 1 and moment["word"].endswith(".") for moment in seen)
    assert serving.fetch("/report?language=en")[0].status == 200
    assert reviewed(serving, known=99)["moments"] == []
    assert len(serving.fetch("/review?known=nonsense")[1]) > 100  # all of them


def test_before_its_end_no_position_is_explained(serving: Serving, tmp_path: Path) -> None:
    path = tmp_path / "game.table"
    resigned(path)
    serving.tell(table(record=str(path)), story(), now())
    wait(serving, 404)
    answer, text = serving.fetch("/review", Accept_Language="en")
    assert answer.status == 404
    assert "when it is over" in text


def test_a_game_that_cannot_be_explained_is_said_once_and_tried_again(serving: Serving, tmp_path: Path) -> None:
    path = tmp_path / "game.table"
    path.write_text("no record\n")
    serving.tell(table(record=str(path)), story(outcome=OVER, winner=0), now())
    wait(serving, 202, Accept_Language="en")
    end = time.monotonic() + PATIENCE
    while (form := reviewed(serving))["state"] == "working":
        assert time.monotonic() < end
        time.sleep(0.05)
    assert form["state"] == "failed"
    assert "could not be explained" in form["told"]
    assert reviewed(serving)["state"] == "working"


@pytest.mark.parametrize(
    ("value", "proved", "told"),
    [
        (0.5, False, "Both stand about equal."), (0.41, False, "Both stand about equal."),
        (0.6, False, "Black stands better."), (0.2, False, "White stands clearly better."),
        (0.95, False, "Black is close to winning."),
        (0.0, True, "Proved: White wins, if both play their best from here."),
        (0.5, True, "Proved: a draw, if both play their best from here."),
    ],
)  # fmt: skip
def test_a_value_is_told_in_words_and_no_number(value: float, proved: bool, told: str) -> None:
    said = standing(Moment(1, 2, value, proved), load("zong-heng").players)
    assert str(said) == told
    assert words("en").say(said) == told


def test_the_time_left_is_that_of_the_positions_so_far() -> None:
    review = Review(began=100.0)
    assert review.told(101.0, words("en")) == "The computer is getting ready."
    for number in (9, 8, 8):  # once more by another process
        review.take(Moment(number, 9, 0.5, False))
    assert review.told(106.0, words("en")) == "Positions weighed: 2 of 10; seconds left, about: 24."
    for number in range(8):
        review.take(Moment(number, 9, 0.5, False))
    assert review.told(130.0, words("en")) == "Positions weighed: 10 of 10; it is ready in a moment."


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


# A process that is lost ---------------------------------------------------------------------------


class Elapsing:
    """A clock that the test puts forward."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.ahead


class Waiting:
    """A reader of the report on the record at `path`, beside whom processes are lost."""

    def __init__(self, path: Path) -> None:
        self.told: list[Loss] = []
        self.clock = Elapsing()
        self.reports = Reports(self.told.append, self.clock)
        self._path = path

    async def read(self, *, until: Callable[[], bool] = lambda: False) -> int:
        """Ask again and again: the status of the answer, once it is not to be waited for or `until` holds."""
        async with asyncio.timeout(PATIENCE):
            while (status := self.reports.answer(self._path, words("en")).status_code) == 202 and not until():
                await asyncio.sleep(0.02)
        return status

    def at_work(self) -> bool:
        """Whether a process makes the report, and has said so."""
        process = self.reports.process
        return process is not None and process.pid is not None and process.spoke

    async def lose(self, sign: signal.Signals) -> None:
        """Send the process that makes the report `sign`, and let the time pass that a lost one takes."""
        await self.read(until=self.at_work)
        process = self.reports.process
        assert process
        assert process.pid
        os.kill(process.pid, sign)
        self.clock.ahead += SILENT + 1 if sign == signal.SIGSTOP else 0.0
        async with asyncio.timeout(PATIENCE):
            while self.at_work():
                await asyncio.sleep(0.02)
        self.clock.ahead += LONGEST_PAUSE


@pytest.mark.slow
@pytest.mark.parametrize(("sign", "loss"), [(signal.SIGSTOP, "hung"), (signal.SIGKILL, "ended")])
def test_a_report_whose_process_is_lost_is_made_by_another(tmp_path: Path, sign: signal.Signals, loss: Loss) -> None:
    resigned(tmp_path / "game.table")

    async def evening() -> None:
        waiting = Waiting(tmp_path / "game.table")
        await waiting.lose(sign)
        assert await waiting.read() == 200
        assert waiting.told == [loss]
        await waiting.reports.close()

    asyncio.run(evening())


@pytest.mark.slow
def test_a_report_whose_processes_are_lost_again_and_again_is_given_up(tmp_path: Path) -> None:
    resigned(tmp_path / "game.table", turns=10)  # which takes a few seconds

    async def evening() -> None:
        waiting = Waiting(tmp_path / "game.table")
        for _ in range(TRIES):
            await waiting.lose(signal.SIGKILL)
        assert await waiting.read() == 503
        assert waiting.told == ["ended"]  # once, for it goes on
        await waiting.reports.close()

    asyncio.run(evening())


def test_the_players_are_told_that_the_process_of_a_report_was_lost() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setblocking(False)
    mirror = Mirror(OnLine(ours))
    with ours, theirs:
        theirs.send(pack(Lost("report", "hung")))
        assert list(mirror.requests(Idle())) == []
    assert [str(event.say) for event in mirror.troubles()] == [
        "The report does not answer any more: it is ended, and started anew. The game is kept, and goes on."
    ]
    assert mirror.troubles() == []


class Idle:
    """A table that does nothing just now."""

    beginning = False


class OnLine(ServerProcess):
    """A server at the other end of a line that is there already."""

    def __init__(self, line: socket.socket) -> None:
        super().__init__("127.0.0.1", 0)
        self._line = line


def test_a_report_that_nobody_waits_for_is_not_made(tmp_path: Path) -> None:
    resigned(tmp_path / "game.table")
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.close()
    with theirs:
        command = (*module_command("firmware_bridge.analysis"), "game.table", "-o", "report.html")
        made = subprocess.run(
            (*command, "--fd", str(theirs.fileno())), cwd=tmp_path, env=same_modules(), pass_fds=(theirs.fileno(),),
            timeout=PATIENCE, check=False,
        )  # fmt: skip
    assert made.returncode == 1
    assert not (tmp_path / "report.html").exists()
