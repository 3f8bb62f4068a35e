"""Whole games as a table has them written down, and how far each is safe, for tests of programs that die of it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from firmware_bridge.events import Event
from firmware_bridge.records import Line, Record, RecordError, Saved, event_words, read_record, repeat
from firmware_bridge.score import ScoreSheet
from games.rules import Game
from hardware.device import Sense
from tests.records.random_records import Facts, Writer, facts


class Batch(NamedTuple):
    """Events of one scan at `now`, and what has been played after each of them."""

    events: tuple[Event, ...]
    now: float
    states: tuple[Facts, ...]


class Story(Writer):
    """A random game with all that happens in one, written down nowhere yet; it ends with a resignation or a draw."""

    levels = (0, 3)
    """The engine plays for one side: what it plans, and that it helped, is noted."""

    def __init__(self, game: Game[Any], sense: Sense, seed: int, batches: int) -> None:
        self.game, self.sense = game, sense
        self.sheet, self._reader = self.new_sheet(), self.new_sheet()
        self.chance, self.now = Random(seed), 0.0
        self.batches = [Batch((), 0.0, (facts(self.sheet),))]
        for happen in (self.turn, self.turn, self.amend, self.turn, self.undo, self.note, self.turn, self.turn):
            happen()
        while len(self.batches) < batches - 3:
            self.happen()
        self.resign()
        self.turn()
        if not self.sheet.outcome:
            self.write(self.sheet.agree())

    def new_sheet(self) -> ScoreSheet:
        return ScoreSheet(self.game, levels=self.levels)

    def write(self, events: list[Event]) -> None:
        self.now += self.chance.choice((-0.5, 0.01, 1.5, 100.0))  # a clock that may go back
        states = tuple(self._read(event) for event in events)
        assert states[-1] == facts(self.sheet)
        self.batches.append(Batch(tuple(events), self.now, states))

    def _read(self, event: Event) -> Facts:
        words = tuple(map(str, event_words(event, self.sheet)))
        repeat(self._reader, Line(1, None, words))
        return facts(self._reader)

    def note(self) -> None:
        player, turn = self.sheet.player, "a1"
        self.write([Event.of("helped", player=player), Event.of("plans", player=player, turn=turn), Event.of("blind")])

    # Told to a record -------------------------------------------------------------------------

    def begin(self, path: Path, *, background: bool = False) -> Record:
        return Record(path, self.new_sheet(), self.sense, background=background)

    def go_on(self, path: Path, *, background: bool = False) -> Record:
        saved = read_record(path)
        return Record(path, saved.sheet, saved.sense, saved, background=background)

    def keep(self, path: Path, batches: int, torn: bytes = b"") -> None:
        """Write the first of them down, and after them something that was cut short."""
        record = self.begin(path)
        for batch in self.batches[1:batches]:
            record.write(batch.events, batch.now)
        record.close()
        with path.open("ab") as file:
            file.write(torn)

    def words(self) -> set[str]:
        """All words that the record has for what happens."""
        events = (event for batch in self.batches for event in batch.events)
        return {str(word) for event in events for word in event_words(event, self.sheet)[:2]}

    # Read again -------------------------------------------------------------------------------

    def possible(self, done: int, under_way: int = 1) -> set[Facts | None]:
        """What may be read when the first `done` batches were reported as safe, and so many more may be under way."""
        coming = self.batches[done : done + under_way]
        before = self.batches[done - 1].states[-1] if done else None
        return {before, *(state for batch in coming for state in batch.states)}


def read(path: Path) -> tuple[Facts | None, Saved | None]:
    """What a record tells, None if there is none; RecordError if it is refused, in one sentence."""
    if not path.exists():
        return None, None
    try:
        saved = read_record(path)
    except RecordError as error:
        assert "\n" not in str(error)
        assert str(error).startswith(str(path))
        raise
    return facts(saved.sheet), saved


class Reports:
    """Tells, through a pipe, how many batches are safe: from a process that may be dead before the next word."""

    def __init__(self) -> None:
        self._ear, self.mouth = os.pipe()
        os.set_blocking(self._ear, False)
        self.done = 0

    def say(self, done: int) -> None:
        os.write(self.mouth, bytes([done]))

    def hear(self) -> int:
        """How many are."""
        with suppress(BlockingIOError):
            self.done = max(os.read(self._ear, 10000), default=self.done)
        return self.done

    def close(self) -> None:
        os.close(self._ear)
        os.close(self.mouth)


def tell(record: Record, batches: Sequence[Batch], first: int, reports: Reports) -> None:
    """Have all written, and report whenever it is safe; `first` are already. What fails is tried again a few times."""
    reports.say(first)
    for done, batch in enumerate(batches[first:], start=first + 1):
        record.write(batch.events, batch.now)
        for _ in range(3):
            if until_safe(record):
                reports.say(done)
                break


def until_safe(record: Record) -> bool:
    """Whether all is on disk; where a thread writes, wait until it is or cannot be."""
    while not record.safe and not record.problem:
        os.sched_yield()
    return record.safe
