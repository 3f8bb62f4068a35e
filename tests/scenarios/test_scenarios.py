"""Scenarios: what players do at a table, line by line, and what the lights and the sentences answer.

A scenario is a file beside this one, and its first line tells what it shows. With a comment such as ``# The same by
colour.`` it is played under that sense, too. A comment that begins ``# Not yet:`` names what falls short: the scenario
says how it should be, and whoever mends it takes the comment out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import pytest

from firmware_bridge.lighting import CUES
from firmware_bridge.records import Line, LineError, Record, read_lines
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import WORDS, Simulation, open_simulation, perform_script
from firmware_bridge.simulation.script import EXPECTED
from games.rules import load, names
from hardware.device import Sense
from hardware.simulation.hands import STYLES

FILES = sorted(Path(__file__).parent.glob("*.table"))
TEXTS = {path.stem: path.read_text() for path in FILES}
SAME = re.compile(r"^# The same by (.+)\.$", re.MULTILINE)
NOT_YET = re.compile(r"^# Not yet: (.+)$", re.MULTILINE)


def senses(text: str) -> Iterator[tuple[str, str]]:
    """The text under each sense that it is to be played under, and what to call that."""
    yield "", text
    if other := SAME.search(text):
        yield f" by {other[1]}", text.replace("sense presence", f"sense {other[1]}")


def cases() -> Iterator[object]:
    for name, text in TEXTS.items():
        missing = NOT_YET.search(text)
        marks = [pytest.mark.xfail(strict=True, reason=missing[1], raises=pytest.fail.Exception)] if missing else []
        for suffix, under in senses(text):
            yield pytest.param(under, id=name + suffix, marks=marks)


def perform(text: str) -> None:
    """Play the whole of `text`; the test fails with the sentence of the line that cannot be done."""
    try:
        for _ in perform_script(read_lines(text)):
            pass
    except LineError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.mark.parametrize("text", list(cases()))
def test_scenario(text: str) -> None:
    perform(text)


# The collection -------------------------------------------------------------------------------


def lines() -> Iterable[Line]:
    return (line for text in TEXTS.values() for line in read_lines(text))


def lit() -> set[str]:
    """The cues that some scenario expects on some site."""
    expected = [line.rest for line in lines() if line.word == "expect" and len(line.rest) > 2]
    return {words[2] if words[0] == "light" else words[1] for words in expected if words[0] in ("light", "lights")}


def test_there_are_many_scenarios() -> None:
    assert len(FILES) >= 25


def test_every_word_is_used() -> None:
    assert {line.word for line in lines()} >= WORDS.keys()


def test_every_expectation_is_used() -> None:
    assert {line.rest[0] for line in lines() if line.word == "expect"} >= EXPECTED.keys()


def test_every_cue_is_seen() -> None:
    assert lit() >= CUES.keys() - {"choose"}  # that one is the menu's, where no game is on


def test_every_style_of_hands_is_used() -> None:
    assert {" ".join(line.rest) for line in lines() if line.word == "style"} >= STYLES.keys()


@pytest.mark.parametrize("name", names())
def test_every_game_is_played_under_each_of_its_senses(name: str) -> None:
    seen = {line.rest[0] for text in TEXTS.values() if f"\ngame {name}" in text for line in sense_lines(text)}
    assert seen == {"presence", "count" if load(name).pieces == "seeds" else "colour"}


def sense_lines(text: str) -> Iterator[Line]:
    return (line for _, under in senses(text) for line in read_lines(under) if line.word == "sense")


@pytest.mark.parametrize("name", TEXTS)
def test_a_scenario_is_named_in_words_and_tells_what_it_shows(name: str) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
    assert re.match(r"# [A-Z].*[.:?]\n", TEXTS[name])


@pytest.mark.parametrize("name", TEXTS)
def test_a_scenario_expects_something(name: str) -> None:
    assert sum(line.word == "expect" for line in read_lines(TEXTS[name])) >= 1


# Records --------------------------------------------------------------------------------------


def recorded(path: Path, name: str, seed: int) -> Simulation:
    """A simulation of random turns, the third of them taken back, that writes its record to `path`."""
    choose, game = Random(seed), load(name)
    sense = Sense.COUNT if game.pieces == "seeds" else Sense.COLOUR
    sheet = ScoreSheet(game)
    simulation = open_simulation(sheet, sense, record=Record(path, sheet, sense))
    for turn in range(5):
        simulation.take(choose.choice(game.turns(sheet.position)), STYLES["finger"])
        if turn == 2:
            simulation.press("undo")
            simulation.put_right()
            simulation.run(1.0)
    return simulation


@pytest.mark.parametrize("name", names())
def test_a_record_is_a_scenario_too(name: str, tmp_path: Path) -> None:
    path = tmp_path / "evening.table"
    simulation = recorded(path, name, seed=7)
    simulation.request(lambda _: simulation.table.agree())
    simulation.press("undo")
    simulation.request(lambda _: simulation.table.resign(1))
    simulation.daemon.close()
    sheet = simulation.table.sheet
    assert sheet.length == 4
    perform(f"{path.read_text()}expect position {sheet.position}\nexpect outcome {sheet.short_names[0]}\n")
