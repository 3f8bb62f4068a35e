"""The words of scripts: each does what it says, and what cannot be done is told in one sentence and not half done."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from firmware_bridge.records import LineError, read_line, read_lines
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import PAUSE, WORDS, Script, Simulation, open_simulation, perform_script
from games.rules import names
from hardware.device import Sense
from tests.distributions import install
from tests.simulation.midgame import game_of

STEADY = settings(derandomize=True, max_examples=100)


def script_at(name: str, *turns: str) -> Script:
    sheet = ScoreSheet(game_of(name))
    for turn in turns:
        sheet.read(turn)
    session = open_simulation(sheet, Sense.COUNT if name == "zig-zag" else Sense.COLOUR)
    session.run(0.1)
    return Script(session)


def do(script: Script, *texts: str) -> None:
    for text in texts:
        line = read_line(text)
        assert line
        script.do(line)
        script.simulation.run(PAUSE)


def pieces(session: Simulation) -> dict[str, int]:
    return {site: session.board.level(site) for site in session.board.sites if session.board.level(site)}


def state(script: Script) -> tuple[Any, ...]:
    """All that a word could change."""
    session = script.simulation
    sheet = session.table.sheet
    light_settings = session.daemon.light.settings.mode, script.style, session.board.sighted
    return pieces(session), str(sheet.position), sheet.length, str(sheet.outcome), light_settings, session.busy


# What each word does --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "lines", "stands"),
    [
        ("zhizhu", ["put a1 dark"], {"a1": 1}),
        ("zhizhu", ["put a1 white"], {"a1": 2}),
        ("zhizhu", ["turn a1", "turn b3"], {"a1": 1, "b3": 2}),
        ("zhizhu", ["put a1 x", "lift a1", "put b1"], {"b1": 1}),
        ("zhizhu", ["put a1 x", "slide a1 c8"], {"c8": 1}),
        ("zhizhu", ["put c1 o", "put b1 x", "push c1 north"], {"b1": 2, "a1": 1}),
        ("zhizhu", ["put a1 x", "put b1 o", "knock a1"], {"b1": 2}),
        ("zhizhu", ["put a1 x", "put b1 o", "knock", "back"], {"a1": 1, "b1": 2}),
        ("zhizhu", ["turn a1", "slide a1 b7", "right"], {"b7": 1}),
        ("zhizhu", ["put b1 o", "right"], {}),
        ("zhizhu", ["turn a1", "touch a1"], {"a1": 1}),
        ("zhizhu", ["touch a1"], {}),
        ("zhizhu", ["turn a1", "turn b3", "undo 2", "right"], {}),
        ("zhizhu", ["turn a1", "turn b3", "amend b4"], {"a1": 1, "b4": 2}),
    ],
)
def test_words_move_pieces(name: str, lines: list[str], stands: dict[str, int]) -> None:
    script = script_at(name)
    do(script, *lines)
    script.simulation.run(2.0)
    assert pieces(script.simulation) == stands


def test_seeds_are_sown_dropped_and_put() -> None:
    script = script_at("zig-zag")
    do(script, "sow S3", "lift N1", "put N1 7", "drop N1", "drop N2 2")
    board = pieces(script.simulation)
    assert (board["N1"], board["N2"], board.get("S3")) == (8, 7, None)


def test_seeds_are_sown_along_pits_that_are_named() -> None:
    script = script_at("zig-zag")
    do(script, "sow S1 S2 S2 S3 S4 N1")
    script.simulation.run(2.0)
    assert [script.simulation.board.level(site) for site in ("S1", "S2", "S3", "S4", "N1")] == [0, 7, 6, 6, 6]


@pytest.mark.parametrize(
    ("before", "line", "holds"),
    [
        (["turn a1"], "expect turn a1", True),
        (["turn a1"], "expect turn b1", False),
        ([], "expect turn none", True),
        (["turn a1"], "expect side light", True),
        (["turn a1"], "expect side dark", False),
        (["resign dark"], "expect outcome light", True),
        (["agree"], "expect outcome draw", True),
        ([], "expect outcome none", True),
        (["put a1 light"], "expect event astray", True),
        (["put a1 dark"], "expect event astray", False),
        (["undo"], "expect event nothing-undone", True),
        (["unplug"], "expect event blind", True),
        (["done"], "expect say 'has not moved yet'", True),
        (["done"], "expect say Nonsense", False),
        (["put a1 light"], "expect light a1 wrong", True),
        (["put a1 light"], "expect light a1 wrong certain alive dark-stone 100%", True),
        (["put a1 light"], "expect light a1 wrong 100% alive", True),
        (["put a1 light"], "expect light a1 wrong steady", False),
        (["put a1 light"], "expect light a1 wrong choice", False),
        (["put a1 light"], "expect light a1 wrong light-stone", False),
        (["put a1 light"], "expect light a1 wrong 30%", False),
        (["put a1 light"], "expect light a2 dark", True),
        (["put a1 light"], "expect light a2 dark steady", False),
        ([], "expect light a1 target choice alive dark-stone", True),
        ([], "expect light a1 target certain", False),
        (["put a1 light"], "expect lights wrong a1", True),
        (["put a1 light"], "expect lights wrong a2", False),
        (["turn a1"], "expect position x......./......../........ o 8,9 -,-", True),
    ],
)
def test_an_expectation_holds_or_tells_how_it_is(before: list[str], line: str, holds: bool) -> None:
    script = script_at("zhizhu")
    do(script, *before)
    if holds:
        do(script, line)
    else:
        with pytest.raises(LineError, match=r"^line 1: expected [^\n]+, but it is [^\n]+$"):
            do(script, line)


def test_styles_and_modes_last() -> None:
    script = script_at("zong-heng")
    do(script, "style new stone", "mode quiet")
    assert (script.style.row, script.simulation.daemon.light.settings.mode) == ("new stone", "quiet")


def test_every_word_is_described_in_short() -> None:
    for name, word in WORDS.items():
        assert word.usage.split()[0] == name
        assert 0 <= word.least <= word.most
        assert 5 < len(word.tells) < 80


# What cannot be done --------------------------------------------------------------------------

REFUSED = [
    "fly a1",
    "lift",
    "lift a1 b1",
    "lift b2",
    "lift z9",
    "put a2",
    "put a2 red",
    "put a1 dark",
    "put z9 dark",
    "slide a1",
    "slide b2 b3",
    "slide a1 c1",
    "push a1 up",
    "push b2 north",
    "drop z9",
    "drop b2 red",
    "drop b2 60000",
    "sow a1 z9",
    "touch z9",
    "knock z9",
    "turn z9",
    "turn",
    "turn a1",
    "amend z9",
    "amend a1",
    "undo x",
    "undo 0",
    "undo -1",
    "resign nobody",
    "opponent nobody 3",
    "opponent dark ''",
    "opponent dark 9",
    "opponent dark 12",
    "mode loud",
    "style clumsy",
    "wait forever",
    "wait -1",
    "wait 99999",
    "expect weather fine",
    "expect light",
    "expect lights",
    "expect event",
    "expect say",
    "expect turn",
    "expect light z9 wrong",
    "expect light b3 target purple",
    "expect lights purple",
]


@pytest.mark.parametrize("text", REFUSED)
def test_an_impossible_line_is_refused_and_changes_nothing(text: str) -> None:
    script = script_at("zhizhu", "a1", "c1")
    before = state(script)
    line = read_line(text, 7)
    assert line
    with pytest.raises(LineError, match=r"^line 7: [^\n]{8,200}$"):
        script.do(line)
    assert state(script) == before


@pytest.mark.parametrize(
    "text", ["put S1 0", "put S1 61", "put S1 0012345", "put S1 dark", "drop S1 -3", "sow S2 S3 S3"]
)
def test_impossible_numbers_of_seeds_are_told(text: str) -> None:
    script = script_at("zig-zag")
    script.simulation.board.lift("S1")
    line = read_line(text)
    assert line
    with pytest.raises(LineError, match=r"^line 1: "):
        script.do(line)


def test_a_stone_cannot_be_dropped_on_a_stone() -> None:
    """A stone and a stone are not a stone of another colour."""
    script = script_at("zhizhu", "a1")
    with pytest.raises(LineError):
        do(script, "drop a1 dark")


SITES = ["a1", "b3", "c8", "S1", "N6", "e5", "z9"]
OTHERS = ["dark", "light", "3", "0", "-1", "9" * 30, "north", "east", "pass", "none", "black", "south", "", "x y"]
SPOKEN = [*SITES, *OTHERS, *WORDS, "event", "position", "quiet", "slow"]
ARGUMENTS = st.lists(st.sampled_from(SPOKEN), max_size=4)


def performed(script: Script, word: str, arguments: list[str]) -> None:
    """Do one line; anything but a LineError escapes."""
    quoted = " ".join([word, *(f"'{each}'" for each in arguments)])
    line = read_line(quoted, 3)
    assert line
    try:
        script.do(line)
    except LineError as error:
        assert re.fullmatch(r"line 3: [^\n]{8,400}", str(error)), error
    script.simulation.run(PAUSE)


@pytest.mark.parametrize("name", names())
@STEADY
@given(st.lists(st.tuples(st.sampled_from(sorted(set(WORDS) - {"wait"})), ARGUMENTS), max_size=5))
def test_any_words_are_done_or_refused_with_a_reason(name: str, words: list[tuple[str, list[str]]]) -> None:
    script = script_at(name)
    for word, arguments in words:
        performed(script, word, arguments)


# Whole scripts --------------------------------------------------------------------------------


def test_a_script_sets_its_game_up_from_its_heading() -> None:
    text = "tablelight 1\ngame zhizhu first=o\nsense colour\nturn a1\nexpect side dark\n"
    done = [(line.word, [event.name for event in events]) for line, events in perform_script(read_lines(text))]
    assert done == [("turn", ["played"]), ("expect", [])]


def test_a_script_may_begin_with_the_pieces_in_their_box() -> None:
    text = "tablelight 1\ngame yin-yang\nset-up\nright\nexpect event ready\nturn c3-c2\nexpect turn c3-c2\n"
    assert len(list(perform_script(read_lines(text)))) == 4


def test_a_recorded_turn_that_is_asked_about_is_answered_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No sensor tells a king from a fool; in a scenario the answer is left to the words that come after."""
    monkeypatch.syspath_prepend(str(tmp_path))
    install(tmp_path, "small", {"tablelight.games": {"test-crowning": "tests.games.small_games:Crowning"}}, {})
    turns = ("a3-a4f", "d2-d1f", "d3-d4k")
    recorded = "".join(f"{second}.500 turn {turn}\n" for second, turn in enumerate(turns))
    heading = "tablelight 1\ngame test-crowning\nsense presence\n"
    told = [
        event.turn.text
        for _, events in perform_script(read_lines(heading + recorded))
        for event in events
        if event.turn
    ]
    assert told == [*turns]
    *_, (_, events) = perform_script(read_lines(f"{heading}turn {turns[0]}\n"))
    assert [event.name for event in events] == ["asked"]


@settings(derandomize=True, max_examples=60)
@given(st.text("turn a1\nexpect side#'~ 0", max_size=40))
def test_a_damaged_script_ends_in_a_sentence(rest: str) -> None:
    assume("wait" not in rest)
    try:
        list(perform_script(read_lines("tablelight 1\ngame zhizhu\n" + rest)))
    except LineError as error:
        assert str(error).startswith("line ")
