"""Killed at any moment, or its calls failing: no turn reported as safe is lost, and none is invented."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Sequence
from contextlib import closing, suppress
from math import inf
from pathlib import Path
from types import FrameType
from typing import NoReturn

import pytest
from tqdm import tqdm

from tests.records.killed_program import CHANGING, Scene, Tell, check, go_on, moments, own, scenes, stops, story
from tests.records.system_calls import calls, why_not
from tests.records.written_games import Reports

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not())

BREAKING = {errno.EIO, errno.ENOSPC, errno.EROFS}


# Killed ---------------------------------------------------------------------------------------


def kill_at(scene: Scene, moment: int) -> int:
    """Run the program and kill it at a moment; how many batches it had reported as safe."""
    with closing(Reports()) as reports:
        running = stops(scene.lay_out(), reports)
        for _ in range(moment + 1):
            next(running, None)
        running.close()
        return reports.hear()


def killed_everywhere(scene: Scene, when: Sequence[int]) -> int:
    for moment in tqdm(when, f"killed: {scene.story.game.name}", leave=False, disable=len(when) < 500):
        check(scene, kill_at(scene, moment))
        go_on(scene)
    return len(when)


@pytest.mark.slow
def test_no_turn_is_lost_or_invented_by_a_kill_at_any_call(place: Path, record_property: Tell) -> None:
    done = sum(killed_everywhere(scene, moments(scene, all_calls=False)) for scene in scenes(place, "yin-yang", 11))
    record_property("told", f"killed at {done} moments: 0 turns lost, 0 invented")
    assert done > 100


@pytest.mark.long
@pytest.mark.parametrize("name", ["zong-heng", "zhizhu", "yin-yang", "zig-zag"])
def test_whole_games_survive_being_killed(place: Path, name: str, record_property: Tell) -> None:
    done = sum(killed_everywhere(scene, moments(scene)) for scene in scenes(place, name, 60))
    record_property("told", f"{name}: killed at {done} moments: 0 turns lost, 0 invented")
    assert done > 1000


def test_a_record_survives_a_kill_while_a_thread_writes(place: Path) -> None:
    scene = Scene(story("yin-yang", 13), place / "thread", torn=False, background=True)
    killed_everywhere(scene, moments(scene)[::9])


# Calls that fail ------------------------------------------------------------------------------


def fail(scene: Scene, error: int, first: int, last: float = inf) -> int:
    """Run the program to its end, the calls that change anything failing from one moment to another.

    Returns how many batches it reported as safe.
    """
    with closing(Reports()) as reports:
        for number, call in enumerate(stops(scene.lay_out(), reports)):
            if call.result is None and first <= number <= last and call.name in CHANGING and own(call, reports):
                call.failing = error
        return reports.hear()


def test_a_call_that_fails_once_is_made_good(place: Path) -> None:
    for scene in scenes(place, "yin-yang", 11):
        for moment in moments(scene, all_calls=False)[::2]:
            done = fail(scene, errno.EIO, moment, moment)
            assert done in (scene.first, len(scene.story.batches)), "refused at the beginning, or whole"
            check(scene, done)
            go_on(scene)


@pytest.mark.parametrize("error", BREAKING, ids=errno.errorcode.get)
def test_a_disk_that_fails_for_good_keeps_what_was_safe(place: Path, error: int) -> None:
    for scene in scenes(place, "yin-yang", 11):
        for moment in moments(scene, all_calls=False)[::8]:
            done = fail(scene, error, moment)
            check(scene, done, len(scene.story.batches))
            go_on(scene)


# Asked to end ---------------------------------------------------------------------------------


class Stopped(Exception):
    pass


def stop(_: int, __: FrameType | None) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise Stopped


def asked_to_end(scene: Scene, moment: int) -> int:
    """Run the program and ask it to end at a moment; how many batches it had reported as safe."""
    with closing(Reports()) as reports:
        reports.done = scene.first
        for number, call in enumerate(calls(lambda: ended(scene, reports))):
            if number == moment:
                os.kill(call.thread, signal.SIGTERM)
        return reports.hear()


def ended(scene: Scene, reports: Reports) -> None:
    """The program, as the command runs it."""
    signal.signal(signal.SIGTERM, stop)
    with suppress(Stopped):
        scene.run(reports)


def test_a_program_asked_to_end_writes_what_waits_once(place: Path) -> None:
    for scene in scenes(place, "yin-yang", 11):
        for moment in moments(scene, all_calls=False)[::3]:
            check(scene, asked_to_end(scene.lay_out(), moment))
            go_on(scene)
