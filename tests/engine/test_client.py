"""Questions to the search in a process of its own: answers come, later questions take the place, death is survived."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from firmware_bridge.engine.client import LocalSearch, ProcessSearch, question, searchable
from firmware_bridge.score import ScoreSheet
from firmware_bridge.worker import Worker
from games.rules import load, names

PATIENCE = 30.0
"""Seconds after which something that should have happened has not."""


def until(done: Callable[[], bool], apart: ProcessSearch) -> None:
    """Listen as the loop does, until it is so."""
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end
        apart.listen(time.monotonic())
        time.sleep(0.005)


@pytest.fixture
def apart() -> Iterator[ProcessSearch]:
    thinker = ProcessSearch()
    yield thinker
    thinker.close()


@pytest.mark.parametrize("name", names())
def test_a_level_plays_the_same_turn_here_and_in_a_process_of_its_own(name: str, apart: ProcessSearch) -> None:
    sheet = ScoreSheet(load(name))
    thought = apart.ask(question(sheet, level=2, seed=3), time.monotonic())
    until(lambda: thought.over, apart)
    here = LocalSearch().ask(question(sheet, level=2, seed=3), 0.0)
    assert thought.answer
    assert here.answer
    assert (thought.answer.turn, thought.answer.nodes) == (here.answer.turn, here.answer.nodes)
    assert thought.answer.turn in {turn.text for turn in sheet.turns}


def test_a_hint_deepens_and_a_later_question_takes_its_place(apart: ProcessSearch) -> None:
    sheet = ScoreSheet(load("zong-heng"))
    first = apart.ask(question(sheet), time.monotonic())
    until(lambda: first.answer is not None, apart)
    assert first.answer
    before = first.answer.nodes
    until(lambda: first.answer is not None and first.answer.nodes > before, apart)
    assert not first.over
    sheet.accept(sheet.turns[0])
    second = apart.ask(question(sheet, level=1), time.monotonic())
    until(lambda: second.over, apart)
    assert not first.over


def test_among_some_turns_one_of_them_is_found(apart: ProcessSearch) -> None:
    for name in names():
        sheet = ScoreSheet(load(name))
        few = tuple(turn.text for turn in sheet.turns[:2])
        thought = apart.ask(question(sheet, among=few), time.monotonic())
        until(lambda thought=thought: thought.answer is not None, apart)
        assert thought.answer
        assert {thought.answer.turn, *dict(thought.answer.others)} <= set(few)


def test_a_process_that_dies_is_asked_again_when_it_is_back(apart: ProcessSearch) -> None:
    sheet = ScoreSheet(load("yin-yang"))
    first = apart.ask(question(sheet), time.monotonic())
    until(lambda: first.answer is not None, apart)
    assert apart.worker._process
    apart.worker._process.kill()
    second = apart.ask(question(sheet, level=1), time.monotonic())
    until(lambda: second.over, apart)
    assert apart.worker.starts == 2
    assert not apart.failing


def test_a_process_that_dies_over_and_over_is_told_of() -> None:
    apart = ProcessSearch(Worker("keyword"))  # a module that does nothing, so its process ends at once
    now = 0.0
    apart.ask(question(ScoreSheet(load("yin-yang"))), now)
    end = time.monotonic() + PATIENCE
    while not apart.failing:
        assert time.monotonic() < end
        now += 40.0
        apart.listen(now)
        time.sleep(0.02)
    apart.close()


def test_every_game_can_be_searched() -> None:
    assert all(searchable(load(name)) for name in names())
