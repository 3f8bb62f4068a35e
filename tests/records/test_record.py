"""The record: what was played comes back, whatever happened to the last line; other damage is refused and named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.cells import Cell
from firmware_bridge.events import Event, turn_event
from firmware_bridge.records import Line, Record, RecordError, event_words, read_lines, read_record
from firmware_bridge.records.lines import FORMAT, write_line
from firmware_bridge.records.notation import heading
from firmware_bridge.score import PASS, ScoreSheet
from games.rules import Reason, load
from hardware.device import Sense
from tests.records.random_records import WrittenRecord, facts, keep, with_a_pass
from tests.simulation.midgame import CELLS, game_of

ZHIZHU = Cell("zhizhu", Sense.COLOUR)


def lines_of(path: Path) -> list[Line]:
    return list(read_lines(path.read_text()))


# Back and forth -------------------------------------------------------------------------------


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_random_games_come_back_as_they_were_played(cell: Cell, tmp_path: Path) -> None:
    for seed, last in enumerate(("", "resign", "resign", "agree")):
        made = keep(tmp_path / f"{seed}.table", cell, seed, last=last)
        saved = read_record(made.path)
        assert facts(saved.sheet) == facts(made.sheet)
        assert (saved.sense, saved.sheet.house_rule, saved.torn) == (cell.sense, bool(seed % 3), False)


def test_a_forced_pass_comes_back_once(tmp_path: Path) -> None:
    made = with_a_pass(tmp_path / "pass.table")
    assert any(entry.turn.text == PASS for entry in made.sheet.played_turns)
    assert facts(read_record(made.path).sheet) == facts(made.sheet)


@pytest.mark.parametrize("options", [{"size": 6}, {"size": 12, "setup": "blocks"}, {"setup": "diagonals"}])
def test_options_are_read_back(tmp_path: Path, options: dict[str, int | str]) -> None:
    made = keep(tmp_path / "x.table", Cell("zong-heng", Sense.PRESENCE), 1, **options)
    saved = read_record(made.path)
    assert saved.sheet.game.chosen == load("zong-heng", **options).chosen
    assert facts(saved.sheet) == facts(made.sheet)


@pytest.mark.parametrize("names", [("Anna Berg", "Ben"), ("", "O'Hara"), ("愛 子", 'the "rook"')])
def test_the_players_names_come_back(tmp_path: Path, names: tuple[str, str]) -> None:
    Record(tmp_path / "x.table", ScoreSheet(game_of("zhizhu"), names=names), Sense.COLOUR).close()
    assert read_record(tmp_path / "x.table").sheet.names == names


def test_the_engine_has_no_name() -> None:
    assert ScoreSheet(game_of("zhizhu"), levels=(0, 3), names=("Anna", "Ben")).names == ("Anna", "")


def test_names_that_are_none_are_refused_with_their_line(tmp_path: Path) -> None:
    (tmp_path / "x.table").write_text("tablelight 1\ngame zhizhu\nsense colour\nnames Anna\n")
    with pytest.raises(RecordError, match="line 4: names: there are two players"):
        read_record(tmp_path / "x.table")


def test_a_position_to_begin_from_comes_back(tmp_path: Path) -> None:
    game = game_of("zhizhu")
    start = game.position("xx....../o......./....o... x 7,7 -,-")
    Record(tmp_path / "x.table", ScoreSheet(game, start), Sense.COLOUR).close()
    assert read_record(tmp_path / "x.table").sheet.position == start


def test_a_record_that_is_gone_on_with_is_one_record(tmp_path: Path) -> None:
    made = keep(tmp_path / "x.table", ZHIZHU, 3, lines=8)
    saved = read_record(made.path)
    record = Record(made.path, saved.sheet, saved.sense, saved, now=5000.0)
    turn = saved.sheet.turns[0]
    record.write([turn_event("played", saved.sheet.player, turn), *saved.sheet.accept(turn)], 5002.0)
    record.close()
    again = read_record(made.path)
    assert facts(again.sheet) == facts(saved.sheet)
    assert again.ended == pytest.approx(saved.ended + 2.0)


def test_times_never_run_backwards(tmp_path: Path) -> None:
    times = [line.at for line in lines_of(keep(tmp_path / "x.table", ZHIZHU, 5).path) if line.at is not None]
    assert times == sorted(times)
    assert times


# Every kind of event --------------------------------------------------------------------------


def sheet() -> ScoreSheet:
    return ScoreSheet(game_of("zhizhu"))


def of_turn(name: str) -> Event:
    made = sheet()
    return turn_event(name, made.player, made.turns[0])


KINDS: dict[str, tuple[Event, tuple[str, ...]]] = {
    "played": (of_turn("played"), ("turn", "a1")),
    "passed": (of_turn("passed"), ("turn", "a1")),
    "amended": (of_turn("amended"), ("amend", "a1")),
    "undone": (Event.of("undone", turns="b3 c1", count=2), ("undo", "2")),
    "resigned": (sheet().resign(1)[0], ("resign", "light")),
    "agreed": (sheet().agree()[0], ("agree",)),
    "ready": (Event.of("ready", player="zhizhu.dark"), ("note", "ready", "table.ready", "player=zhizhu.dark")),
    "blind": (Event.of("blind"), ("note", "blind", "table.blind")),
    "blanks": (Event.of("asked", sites="a1, b2"), ("note", "asked", "table.asked", "sites=a1, b2")),
    "quotes": (Event.of("asked", sites="it's # ~x"), ("note", "asked", "table.asked", "sites=it's # ~x")),
    "rule": (
        Event("astray", Reason.of("zhizhu.no-chain", player="zhizhu.dark", site="b1")),
        ("note", "astray", "zhizhu.no-chain", "player=zhizhu.dark", "site=b1"),
    ),
    "won": (Event("won", Reason.of("zhizhu.captured", count=2)), ("note", "won", "zhizhu.captured", "count=2")),
}


@pytest.mark.parametrize(("event", "words"), KINDS.values(), ids=KINDS.keys())
def test_every_event_is_a_line_that_reads_back(event: Event, words: tuple[str, ...]) -> None:
    assert tuple(map(str, event_words(event, sheet()))) == words
    text, _ = write_line(event_words(event, sheet()), 3.0)
    (line,) = read_lines(text)
    assert (line.at, line.words) == (3.0, words)


def test_the_heading_is_the_documented_one() -> None:
    assert heading(ScoreSheet(game_of("zong-heng"), house_rule=False), Sense.COUNT) == [
        ("tablelight", FORMAT),
        ("game", "zong-heng", "size=8", "setup=rows"),
        ("sense", "count"),
        ("house-rule", "off"),
    ]


def test_a_record_typed_by_hand_is_read_without_checks(tmp_path: Path) -> None:
    path = tmp_path / "x.table"
    path.write_text("# ours\ntablelight 1\ngame zhizhu\n\nturn a1\nturn b3 # a slip\nundo 1\nturn b4\nresign light\n")
    saved = read_record(path)
    assert [entry.turn.text for entry in saved.sheet.played_turns] == ["a1", "b4"]
    assert saved.sheet.outcome is not None
    assert (saved.sense, saved.sheet.outcome.winner) == (Sense.PRESENCE, 0)


# A torn end -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> WrittenRecord:
    return keep(tmp_path_factory.mktemp("records") / "whole.table", ZHIZHU, 11, lines=18, last="resign")


def heading_end(made: WrittenRecord) -> int:
    return min(made.story)


def by_then(made: WrittenRecord, length: int) -> list[Any]:
    """What may have been played when the file was so long: after the last whole batch, or in the midst of one."""
    whole = max(size for size in made.story if size <= length)
    coming = min((size for size in made.story if size > length), default=whole)
    return [made.story[whole], made.story[coming]]


def test_a_record_cut_anywhere_holds_its_whole_lines_and_nothing_else(made: WrittenRecord, tmp_path: Path) -> None:
    data, path = made.path.read_bytes(), tmp_path / "cut.table"
    for length in range(heading_end(made), len(data) + 1):
        path.write_bytes(data[:length])
        saved = read_record(path)
        assert facts(saved.sheet) in by_then(made, length), length
        assert saved.whole == data.rfind(b"\n", 0, length) + 1
        assert saved.torn == (saved.whole < length)


def test_a_record_cut_after_a_whole_batch_loses_nothing(made: WrittenRecord, tmp_path: Path) -> None:
    data, path = made.path.read_bytes(), tmp_path / "cut.table"
    for length, told_then in made.story.items():
        path.write_bytes(data[:length] + data[length : length + 9])
        assert facts(read_record(path).sheet) == told_then


def test_a_record_cut_in_its_heading_is_refused(made: WrittenRecord, tmp_path: Path) -> None:
    data, path = made.path.read_bytes(), tmp_path / "cut.table"
    for length in range(data.find(b"\n", data.find(b"\ngame") + 1) + 1):
        path.write_bytes(data[:length])
        with pytest.raises(RecordError, match="cut.table"):
            read_record(path)


def test_a_torn_end_is_taken_off_before_the_game_goes_on(made: WrittenRecord, tmp_path: Path) -> None:
    path = tmp_path / "torn.table"
    path.write_bytes(made.path.read_bytes()[:-5])
    saved = read_record(path)
    assert saved.torn
    Record(path, saved.sheet, saved.sense, saved).close()
    assert path.read_bytes() == made.path.read_bytes()[: saved.whole]
    assert not read_record(path).torn


# Files that are none --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told_so"),
    [
        ("", "line 1"),
        ("tablelight 2\ngame zhizhu\n", "line 1"),
        ("tablelight\ngame zhizhu\n", "line 1"),
        ("game zhizhu\nturn a1\n", "line 1"),
        ("tablelight 1\nturn a1\n", "line 2"),
        ("tablelight 1\ngame\n", "line 2"),
        ("tablelight 1\ngame tag\n", "line 2"),
        ("tablelight 1\ngame zhizhu first=z\n", "line 2"),
        ("tablelight 1\ngame zhizhu size\n", "line 2"),
        ("tablelight 1\ngame zhizhu\nsense smell\n", "line 3"),
        ("tablelight 1\ngame zhizhu\nsense\n", "line 3"),
        ("tablelight 1\n\ngame zhizhu\nsense presence\nposition nothing\n", "line 5"),
        ("tablelight 1\ngame zhizhu\nhouse-rule perhaps\n", "line 3"),
        ("tablelight 1\ngame zhizhu\nturn a1\nturn a1\n", "line 4"),
        ("tablelight 1\ngame zhizhu\njump a1\n", "line 3"),
        ("tablelight 1\ngame zhizhu\nturn\n", "line 3"),
        ("tablelight 1\ngame zhizhu\nundo 1\n", "line 3"),
        ("tablelight 1\ngame zhizhu\nturn a1\nundo x\n", "line 4"),
        ("tablelight 1\ngame zhizhu\nturn a1\nundo 2\n", "line 4"),
        ("tablelight 1\ngame zhizhu\nturn a1\nundo 0000000009\n", "line 4"),
        ("tablelight 1\ngame zhizhu\nturn a1\nundo 0\n", "line 4"),
        ("tablelight 1\ngame zhizhu\nturn a1\namend a1-a2\n", "line 4"),
        ("tablelight 1\ngame zhizhu\namend a1\n", "line 3"),
        ("tablelight 1\ngame zhizhu\nresign nobody\n", "line 3"),
        ("tablelight 1\ngame zhizhu\nresign\n", "line 3"),
        ("tablelight 1\ngame zhizhu\nresign dark\nresign light\n", "line 4"),
        ("tablelight 1\ngame zhizhu\nagree\nturn a1\n", "line 4"),
        ("tablelight 1\ngame zhizhu\nturn a1\ngame zong-heng\n", "line 4"),
    ],
)
def test_a_file_that_is_no_record_is_refused_with_its_line(text: str, told_so: str, tmp_path: Path) -> None:
    path = tmp_path / "no.table"
    path.write_text(text)
    with pytest.raises(RecordError, match=r"^[^\n]+no\.table: [^\n]+$") as error:
        read_record(path)
    assert told_so in str(error.value)
    assert path.read_text() == text


@pytest.mark.parametrize("told", ["'' 3", "12 3", "01 0", "9 0", "-1 0", "3 x", "''", "0", "", "0 0 0", "0 345"])
def test_impossible_levels_are_refused_with_the_possible_ones(told: str, tmp_path: Path) -> None:
    path = tmp_path / "no.table"
    path.write_text(f"tablelight 1\ngame zhizhu\nlevels {told}\n")
    with pytest.raises(RecordError, match=r"line 3: .* is not possible; two levels, one a side, each from 0 to 8;"):
        read_record(path)


@pytest.mark.parametrize("levels", [(0, 8), (3, 1), (0, 0)])
def test_levels_are_read_back(levels: tuple[int, int], tmp_path: Path) -> None:
    Record(tmp_path / "x.table", ScoreSheet(game_of("zhizhu"), levels=levels), Sense.COLOUR).close()
    assert read_record(tmp_path / "x.table").sheet.levels == levels


@pytest.mark.parametrize("digits", [1, 8, 9, 24, 25, 1900])
def test_an_impossible_option_is_refused_with_the_possible_values(digits: int, tmp_path: Path) -> None:
    path = tmp_path / "no.table"
    path.write_text(f"tablelight 1\ngame zong-heng size={'9' * digits}\n")
    with pytest.raises(
        RecordError, match=r"line 2: zong-heng: size = 9{1,24}(\.\.\.)? is not .* allowed: 8, 6, 10, 12;"
    ):
        read_record(path)


def test_a_newer_format_says_that_it_is_newer(tmp_path: Path) -> None:
    path = tmp_path / "new.table"
    path.write_text("tablelight 7\ngame zhizhu\nfly a1\n")
    with pytest.raises(RecordError, match="newer|later"):
        read_record(path)


def test_a_missing_file_or_a_folder_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.table", tmp_path):
        with pytest.raises(RecordError, match=str(path)):
            read_record(path)


def test_a_file_far_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.table"
    path.write_bytes(b"#" * 5_000_000)
    with pytest.raises(RecordError, match="larger"):
        read_record(path)
