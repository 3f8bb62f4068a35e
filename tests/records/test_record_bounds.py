"""A record has bounds: a long one goes on in another file, and reading goes with the game, not with what was tried."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from firmware_bridge.events import Event, turn_event
from firmware_bridge.records import Bounds, Record, RecordError, Shelf, read_record
from firmware_bridge.records.lines import FIRST, write_line
from firmware_bridge.records.notation import MOST_PLAYED
from firmware_bridge.records.record import LARGEST
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import open_simulation
from games.rules import load
from hardware.device import Sense
from tests.records.random_records import facts
from tests.records.traced_games import play

FEW = Bounds(size=6_000, made=120, kept=40, spare=5)
"""Bounds that a short game comes to."""
FEWER = Bounds(size=6_000, made=40, kept=15, spare=5)
"""So few turns that most are in an earlier record."""


class Evening:
    """A game in which much is played, taken back and said, written to records of these bounds."""

    def __init__(self, folder: Path, bounds: Bounds = FEW, *, game: str = "zhizhu", background: bool = False) -> None:
        self.sheet, self.chance, self.now = ScoreSheet(load(game), house_rule=False), Random(1), 0.0
        self.record = Record(
            folder / "game.table", self.sheet, Sense.COLOUR, shelf=Shelf(folder), bounds=bounds, background=background
        )
        self.told: list[Event] = []

    def write(self, *events: Event) -> None:
        self.now += 1.0
        self.record.write(events, self.now)
        self.told += self.record.news()

    def turn(self) -> None:
        turn, player = self.chance.choice(self.sheet.turns), self.sheet.player
        self.write(turn_event("played", player, turn), *self.sheet.accept(turn))

    def undo(self, turns: int = 1) -> None:
        dropped = self.sheet.back_to(self.sheet.length - turns)
        self.write(Event.of("undone", count=len(dropped), player=self.sheet.player))

    def check(self) -> None:
        """The record that is written to now reads back as the game stands."""
        assert self.record.safe
        saved = read_record(self.record.path)
        assert str(saved.sheet.position) == str(self.sheet.position)
        texts = [made.turn.text for made in self.sheet.played_turns]
        read = [made.turn.text for made in saved.sheet.played_turns]
        assert texts[len(texts) - len(read) :] == read
        assert len(read) >= min(len(texts), FEWER.spare)


# Writing ----------------------------------------------------------------------------------------


def test_a_long_record_goes_on_in_another_which_is_whole(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    for _ in range(300):
        evening.turn()
        evening.undo()
        evening.check()
    assert facts(read_record(evening.record.path).sheet) == facts(evening.sheet)
    evening.record.close()
    paths = Shelf(tmp_path).records()
    assert [path.stem for path in paths] == ["game", "game-part-2", "game-part-3"]
    assert len(paths) == 3
    assert [str(event.say) for event in evening.told] == [
        f"The record has become long; the game goes on in {path}." for path in paths[1:]
    ]
    assert max(path.stat().st_size for path in paths) < FEW.size + 500
    for path in paths:
        read_record(path)  # the earlier ones are left as they were


def test_notes_alone_make_a_record_long_too(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.turn()
    for _ in range(400):
        evening.write(Event.of("nothing-done"))
    evening.check()
    assert facts(read_record(evening.record.path).sheet) == facts(evening.sheet)
    assert sum(path.stat().st_size for path in Shelf(tmp_path).records()) > 2 * FEW.size
    assert max(path.stat().st_size for path in Shelf(tmp_path).records()) < FEW.size + 500
    evening.record.close()


def test_a_game_of_very_many_turns_goes_on_from_a_position(tmp_path: Path) -> None:
    evening = Evening(tmp_path, FEWER, game="zig-zag")
    for number in range(300):
        length = evening.sheet.length
        if length and (not evening.sheet.turns or (number > 80 and evening.chance.random() < 0.4)):
            evening.undo(min(length, evening.chance.choice((1, 1, 2, 30))))
        else:
            evening.turn()
        evening.check()
    evening.record.close()
    assert any(b"\nposition " in path.read_bytes() for path in Shelf(tmp_path).records())


def test_what_is_taken_back_to_the_start_is_in_another_record(tmp_path: Path) -> None:
    evening = Evening(tmp_path, FEWER, game="zig-zag")
    while evening.sheet.length < FEWER.made + 5:
        evening.turn() if evening.sheet.turns else evening.undo(10)
    while evening.sheet.length:
        evening.undo()
        evening.check()
    assert facts(read_record(evening.record.path).sheet) == facts(evening.sheet)
    evening.record.close()


def test_a_game_that_was_resumed_keeps_the_bounds(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    for _ in range(10):
        evening.turn()
        for _ in range(25):
            evening.turn()
            evening.undo()
        evening.record.close()
        saved = read_record(evening.record.path)
        evening.sheet = saved.sheet
        evening.record = Record(
            evening.record.path, saved.sheet, saved.sense, saved, now=evening.now, shelf=Shelf(tmp_path), bounds=FEW
        )
    evening.record.close()
    names = [path.stem for path in Shelf(tmp_path).records()]
    assert names == ["game", *(f"game-part-{number}" for number in range(2, len(names) + 1))]
    assert len(names) == 3
    assert read_record(evening.record.path).sheet.length == 10


def test_a_thread_goes_on_in_another_record_too(tmp_path: Path) -> None:
    evening = Evening(tmp_path, background=True)
    for _ in range(200):
        evening.turn()
        evening.undo()
    end = time.monotonic() + 30
    while not evening.record.safe and time.monotonic() < end:
        time.sleep(0.01)
    evening.turn()
    evening.record.close()
    assert facts(read_record(evening.record.path).sheet) == facts(evening.sheet)
    assert Shelf(tmp_path).newest() == evening.record.path
    assert evening.record.path.stem.startswith("game-part-")


def test_another_record_that_cannot_be_begun_is_told_and_begun_later(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.turn()
    folder = tmp_path.with_name("elsewhere")
    for _ in range(FEW.made - 1):
        evening.turn()
        evening.undo()
    tmp_path.rename(folder)
    tmp_path.write_text("in its place")
    evening.turn()
    assert not evening.record.safe
    assert evening.record.problem
    tmp_path.unlink()
    folder.rename(tmp_path)
    evening.check()
    evening.record.close()


def test_the_players_are_told_at_the_table(tmp_path: Path) -> None:
    sheet = ScoreSheet(load("zhizhu"))
    record = Record(tmp_path / "game.table", sheet, Sense.COLOUR, bounds=Bounds(size=80))
    simulation = open_simulation(sheet, Sense.COLOUR, record=record)
    simulation.run(0.5)
    play(simulation, 5)
    told = [str(event.say) for event in simulation.events if event.name == "continued"]
    assert told[-1] == f"The record has become long; the game goes on in {record.path}."
    simulation.close()
    assert facts(read_record(record.path).sheet) == facts(sheet)


# Reading ----------------------------------------------------------------------------------------


def written(path: Path, lines: Iterable[tuple[str, ...]], *, checked: bool = True) -> Path:
    """A record of ZhiZhu with these lines."""
    check, text = FIRST, ""
    for words in (("tablelight", "1"), ("game", "zong-heng", "size=8", "setup=rows"), ("sense", "colour"), *lines):
        line, check = write_line(words, before=check)
        text += line if checked else line.rpartition(" ~")[0] + "\n"
    path.write_text(text)
    return path


def tried(path: Path, size: int, *, amends: bool = False) -> Path:
    """A record of about so many bytes in which turn after turn was made and taken back, or changed."""
    sheet, chance = ScoreSheet(load("zong-heng")), Random(2)
    turns = [turn.text for turn in sheet.turns]
    lines: list[tuple[str, ...]] = [("turn", turns[0])] if amends else []
    while len(lines) * 14 < size:
        text = chance.choice(turns)
        lines += [("amend", text)] if amends else [("turn", text), ("undo", "1")]
    return written(path, lines)


@pytest.mark.parametrize("amends", [False, True])
def test_a_large_record_of_what_was_tried_is_read_in_seconds(amends: bool, tmp_path: Path) -> None:
    path = tried(tmp_path / "x.table", 1_800_000, amends=amends)
    assert 1_700_000 < path.stat().st_size < LARGEST
    began = time.thread_time()
    assert read_record(path).sheet.length == int(amends)
    assert time.thread_time() - began < 15.0  # it was a minute and more


def test_reading_is_linear(tmp_path: Path) -> None:
    def cost(size: int) -> float:
        path = tried(tmp_path / f"{size}.table", size)
        return min(timed(path) for _ in range(3))

    def timed(path: Path) -> float:
        began = time.thread_time()
        read_record(path)
        return time.thread_time() - began

    assert cost(800_000) < 8 * 2 * cost(100_000)


def test_more_turns_than_any_game_has_are_refused_before_they_are_all_played(tmp_path: Path) -> None:
    sheet = ScoreSheet(load("zong-heng"))
    back = [("turn", sheet.turns[0].text), ("undo", "1")] * (MOST_PLAYED + 1)
    path = written(tmp_path / "x.table", back, checked=False)
    began = time.thread_time()
    with pytest.raises(RecordError, match=f"line \\d+: more than {MOST_PLAYED} turns, which no game has"):
        read_record(path)
    assert time.thread_time() - began < 60.0


def test_without_checks_turns_that_were_taken_back_are_looked_at_as_before(tmp_path: Path) -> None:
    """Somebody may have typed them, without the passes that the program would have written."""
    path = written(tmp_path / "x.table", [("turn", "a1-a1"), ("undo", "1")], checked=False)
    with pytest.raises(RecordError, match="line 4"):
        read_record(path)


def test_what_the_writer_writes_is_always_read(tmp_path: Path) -> None:
    """The bounds of the writer lie within those of the reader."""
    assert 2 * Bounds().size < LARGEST
    assert Bounds().made + Bounds().kept < MOST_PLAYED
