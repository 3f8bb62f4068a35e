"""Questions to the search in a process of its own: answers come, later questions take the place, death is survived."""

from __future__ import annotations

import select
import socket
import subprocess
import time
from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace

from firmware_bridge.engine.client import LocalSearch, ProcessSearch, question
from firmware_bridge.score import ScoreSheet
from firmware_bridge.worker import Worker, module_command, same_modules
from games.rules import load, names

PATIENCE = 30.0
"""Seconds after which something that should have happened has not."""


def until(done: Callable[[], bool], searcher: ProcessSearch) -> None:
    """Listen as the loop does, until it is so."""
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end
        searcher.listen(time.monotonic())
        time.sleep(0.005)


@pytest.fixture
def searcher() -> Iterator[ProcessSearch]:
    searcher = ProcessSearch()
    yield searcher
    searcher.close()


@pytest.mark.parametrize("name", names())
def test_a_level_plays_the_same_turn_here_and_in_a_process_of_its_own(name: str, searcher: ProcessSearch) -> None:
    sheet = ScoreSheet(load(name))
    inquiry = searcher.ask(question(sheet, level=2, seed=3), time.monotonic())
    until(lambda: inquiry.over, searcher)
    here = LocalSearch().ask(question(sheet, level=2, seed=3), 0.0)
    assert inquiry.answer
    assert here.answer
    assert (inquiry.answer.turn, inquiry.answer.nodes) == (here.answer.turn, here.answer.nodes)
    assert inquiry.answer.turn in {turn.text for turn in sheet.turns}


def test_a_hint_deepens_and_a_later_question_takes_its_place(searcher: ProcessSearch) -> None:
    sheet = ScoreSheet(load("zong-heng"))
    first = searcher.ask(question(sheet), time.monotonic())
    until(lambda: first.answer is not None, searcher)
    assert first.answer
    before = first.answer.nodes
    until(lambda: first.answer is not None and first.answer.nodes > before, searcher)
    assert not first.over
    sheet.accept(sheet.turns[0])
    second = searcher.ask(question(sheet, level=1), time.monotonic())
    until(lambda: second.over, searcher)
    assert not first.over


def test_among_some_turns_one_of_them_is_found(searcher: ProcessSearch) -> None:
    for name in names():
        sheet = ScoreSheet(load(name))
        few = tuple(turn.text for turn in sheet.turns[:2])
        inquiry = searcher.ask(question(sheet, among=few), time.monotonic())
        until(lambda inquiry=inquiry: inquiry.answer is not None, searcher)
        assert inquiry.answer
        assert {inquiry.answer.turn, *dict(inquiry.answer.others)} <= set(few)


def test_a_process_that_dies_is_asked_again_when_it_is_back(searcher: ProcessSearch) -> None:
    sheet = ScoreSheet(load("yin-yang"))
    first = searcher.ask(question(sheet), time.monotonic())
    until(lambda: first.answer is not None, searcher)
    assert searcher.worker._process
    searcher.worker._process.kill()
    second = searcher.ask(question(sheet, level=1), time.monotonic())
    until(lambda: second.over, searcher)
    assert searcher.worker.starts == 2
    assert not searcher.failing


def test_a_process_that_dies_over_and_over_is_told_of() -> None:
    searcher = ProcessSearch(Worker("keyword"))  # a module that does nothing, so its process ends at once
    now = 0.0
    searcher.ask(question(ScoreSheet(load("yin-yang"))), now)
    end = time.monotonic() + PATIENCE
    while not searcher.failing:
        assert time.monotonic() < end
        now += 40.0
        searcher.listen(now)
        time.sleep(0.02)
    searcher.close()


def test_a_search_that_cannot_be_says_why_in_a_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    searcher = ProcessSearch()
    searcher.ask(replace(question(ScoreSheet(load("yin-yang"))), game="no-such-game"), time.monotonic())
    end = time.monotonic() + PATIENCE
    while not searcher.worker.lost:
        assert time.monotonic() < end
        searcher.listen(time.monotonic())
        time.sleep(0.02)
    searcher.close()
    (told,) = capfd.readouterr().err.splitlines()
    assert told.startswith("tablelight: there is no game 'no-such-game'; the games are ")


def test_a_search_whose_daemon_ends_without_having_read_its_beats_ends_in_peace() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = (*module_command("firmware_bridge.engine"), "--fd", str(theirs.fileno()))
    process = subprocess.Popen(command, env=same_modules(), pass_fds=(theirs.fileno(),), stderr=subprocess.PIPE)
    with theirs, ours:
        assert select.select([ours], [], [], PATIENCE)[0]
    _, complaint = process.communicate(timeout=PATIENCE)
    assert (process.returncode, complaint) == (0, b"")
