"""A trace done again: where the table answers otherwise, and what cannot be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.cli.replay import HEARD, Retrace, replay_trace
from firmware_bridge.reading import Patience
from firmware_bridge.records import LineError, RecordError, Trace, read_lines, read_trace
from firmware_bridge.records.trace import read_trace_lines
from games.rules import load
from hardware.device import Sense
from tests.records.traced_games import again, play, traced

GAME = load("zong-heng")
HEADING = "tablelight 1\ngame zong-heng\nsense colour\ntrace 1 version=0.1.0 debounce=0.005 setting=no settle=0.4\n"
FIRST_SCAN = "5000.0 scan " + " ".join(
    f"{site}={level}" for site, level in zip(GAME.sites, GAME.start().board, strict=True)
)
"""The board as it stands at the start."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A trace of a few turns, and of a pause."""
    path = tmp_path_factory.mktemp("traces") / "x.trace"
    simulation = play(traced(Trace(path), "zong-heng", Sense.PRESENCE), 3)
    simulation.run(20.0)
    simulation.close()
    return path.read_text()


def unchecked(text: str) -> str:
    """The same without checks, as somebody might write it by hand."""
    return re.sub(r" ~[0-9a-f]{4}$", "", text, flags=re.MULTILINE)


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_other_answers_are_told_with_their_time(whole: str, tmp_path: Path) -> None:
    said: list[str] = []
    first, second = re.findall(r"^said (turn \S+)", unchecked(whole), re.MULTILINE)[:2]
    text = unchecked(whole).replace(f"said {first}", "said note astray table.extra site=c3")
    assert replay_trace(written(tmp_path / "x.trace", text.replace(f"said {second}\n", "")), None, said.append) == 1
    assert len(said) == 2
    assert re.fullmatch(rf"\d+\.\d{{3}}: then 'astray', now '{first}'", said[0])
    assert re.fullmatch(rf"\d+\.\d{{3}}: then nothing, now '{second}'", said[1])


def test_notes_of_one_name_are_told_in_full(tmp_path: Path) -> None:
    text = f"{HEADING}{FIRST_SCAN}\n0.1 done\nsaid note nothing-done table.nothing-done player=zong-heng.white\n"
    done = again(written(tmp_path / "x.trace", text))
    assert len(done.differences) == 1
    assert "player=zong-heng.white" in done.differences[0]
    assert "player=zong-heng.black" in done.differences[0]


def test_the_time_is_that_since_the_first_scan(tmp_path: Path) -> None:
    text = f"{HEADING}{FIRST_SCAN}\n12.34 done\n0.0 scan\n"
    (difference,) = again(written(tmp_path / "x.trace", text)).differences
    assert difference == "12.340: then nothing, now 'nothing-done'"


def test_what_is_expected_and_does_not_come_is_told_with_the_line(whole: str, tmp_path: Path) -> None:
    said: list[str] = []
    text = whole + "expect outcome black\n"
    assert replay_trace(written(tmp_path / "x.trace", text), None, said.append) == 1
    assert re.fullmatch(r"\d+\.\d{3}: line \d+: expected outcome black, but it is none", said[0])


def test_a_plan_that_is_no_turn_any_more_is_told(tmp_path: Path) -> None:
    text = f"{HEADING}{FIRST_SCAN}\n0.0 plan c3-c9\n"
    assert again(written(tmp_path / "x.trace", text)).differences == [
        "0.000: then 'c3-c9' was chosen, now it is no turn",
    ]


def test_other_patience_answers_at_other_times(whole: str, tmp_path: Path) -> None:
    path = written(tmp_path / "x.trace", unchecked(whole).replace("settle=0.4", "settle=0.2"))
    assert again(path).simulation.table.sheet.length == 3


def test_watched_or_not_the_same_comes_of_it(whole: str, tmp_path: Path) -> None:
    read = read_trace(written(tmp_path / "x.trace", whole))
    scans = sum(int(line.rest[0]) if line.word == "quiet" else line.word == "scan" for line in read.lines)
    watched = Retrace(read, whole=True)
    assert sum(1 for _ in watched.steps()) == scans
    assert watched.differences == []
    hurried = Retrace(read_trace(tmp_path / "x.trace"))
    assert sum(1 for _ in hurried.steps()) < scans
    assert [str(event.say) for event in hurried.simulation.events] == [
        str(event.say) for event in watched.simulation.events
    ]


def test_times_that_older_tables_went_by_are_read_and_no_longer_needed(whole: str, tmp_path: Path) -> None:
    older = unchecked(whole).replace(" left_off=3.0", " spilt=1.5 put_back=0.6 left_off=2.5")
    assert "put_back" in older
    saved = read_trace(written(tmp_path / "x.trace", older))
    assert saved.patience == Patience(left_off=2.5)
    assert len(saved.lines) == len(read_trace(written(tmp_path / "x.trace", whole)).lines)


def test_a_table_at_rest_is_passed_over_in_no_time(tmp_path: Path) -> None:
    read = read_trace(written(tmp_path / "x.trace", f"{HEADING}{FIRST_SCAN}\n" + "200.0 quiet 20000\n" * 5_000))
    assert sum(1 for _ in Retrace(read).steps()) < 12_000


# What cannot be read --------------------------------------------------------------------------


def test_a_last_line_cut_short_is_left_out_and_told_of(whole: str, tmp_path: Path) -> None:
    said: list[str] = []
    cut = whole[: whole.rindex("\n", 0, -1) + 5]
    assert replay_trace(written(tmp_path / "x.trace", cut), None, said.append) == 0
    number = whole.count("\n")
    assert said[0] == f"line {number} was cut short when the program ended; it is left out"
    assert said[1].endswith("; the table answers as it did then")


BAD = {
    "": "line 1: .*begins with 'tablelight 1'",
    "tablelight 1\ngame zong-heng\nsense colour\n": "'trace 1' is missing",
    "tablelight 1\ngame zong-heng\nsense colour\nturn c3-c4\n": "line 4: 'trace 1' is missing",
    HEADING.replace("trace 1", "trace 2"): "line 4: 'trace 1' is missing",
    HEADING.replace("settle=0.4", "settle=soon"): "line 4: 'soon' is not a number of seconds",
    HEADING.replace("0.005", "1e8"): "line 4: '1e8' is not a number of seconds",
    HEADING + "turn c3-c9\n": "line 5: 'turn c3-c9'",
    HEADING + "1.0 scan c3\n": "line 5: '' is no level",
    HEADING + "1.0 scan c3=3\n": "line 5: '3' is no level",
    HEADING + "1.0 scan c3=²\n": "line 5: '²' is no level",
    HEADING + "1.0 scan z9=1\n": "line 5: there is no site 'z9'",
    HEADING + "1.0 quiet 999999999999\n": "line 5: '999999999999' is not a number of scans",
    HEADING + "1.0 quiet\n": "line 5: '' is not a number of scans",
    HEADING + "1.0 scan\n0.0 dance\n": "line 6: 'dance' is no word of a trace",
    HEADING + "1.0 scan\n0.0 resign pink\n": "line 6: 'pink' does not play here",
    HEADING + "1.0 scan\n0.0 levels 1 9\n": "line 6: '1 9' is not possible",
    HEADING + "1.0 scan\n0.0 mode loud\n": "line 6: 'loud' is no mode",
    HEADING + "1.0 scan\n0.0 back all\n": "line 6: 'all' is not a number of turns up to 10000",
    HEADING.replace("trace 1", "trace 1 away=2") + "1.0 scan\n": "line 4: '2' is no side that is away: 0 or 1",
    HEADING + "1.0 scan\nsaid 'x\n": "line 6: .*cannot be read",
    HEADING + "1.0 scan ~0000\n": "line 5: .*damaged",
}


@pytest.mark.parametrize("text", BAD)
def test_what_cannot_be_read_is_one_sentence_with_the_line(text: str, tmp_path: Path) -> None:
    said: list[str] = []
    with pytest.raises(RecordError, match=rf"^\S+x\.trace: {BAD[text]}"):
        replay_trace(written(tmp_path / "x.trace", text), None, said.append)
    assert said == []


def test_what_is_no_text_or_not_there_or_huge_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "x.trace"
    with pytest.raises(RecordError, match="No such file"):
        read_trace(path)
    path.write_bytes(HEADING.encode() + b"\xff\n")
    with pytest.raises(RecordError, match="line 5: not text"):
        read_trace(path)
    with path.open("wb") as file:
        file.truncate(9_000_000)
    with pytest.raises(RecordError, match="larger than"):
        read_trace(path)


WORDS = ["scan", "quiet", "right", "said", "note", "expect", *HEARD]
REST = ["c3=1", "c3=?", "c4=0", "5", "turn", "c3-c4", "black", "0", "3", "event", "astray", "'", "~0000", "\x00", "="]
TIMES = ["", "0.01 ", "1e8 ", "-1 ", "nan "]
LINE = st.tuples(st.sampled_from(TIMES), st.sampled_from(WORDS), st.lists(st.sampled_from(REST), max_size=3))


@given(st.lists(LINE, max_size=12))
def test_whatever_is_written_there_is_read_or_refused(lines: list[tuple[str, str, list[str]]]) -> None:
    text = HEADING + "".join(f"{time}{word} {' '.join(rest)}\n" for time, word, rest in lines)
    try:
        for _ in Retrace(read_trace_lines(list(read_lines(text)))).steps():
            pass
    except LineError as error:
        assert re.match(r"line \d+: (?!line)", str(error))
