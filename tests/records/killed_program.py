"""A program that keeps a record, seen at every moment at which it may end."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from firmware_bridge.events import Event
from firmware_bridge.records import RecordError
from hardware.device import Sense
from tests.records.random_records import Facts
from tests.records.system_calls import Call, calls
from tests.records.written_games import Reports, Story, read, tell
from tests.simulation.midgame import game_of

TORN = b"77.000 turn c3-"
WORDS = {"turn", "amend", "undo", "resign", "note", "helped", "plans"}
CHANGING = {"write", "fsync", "fdatasync", "ftruncate", "link", "unlink", "openat", "mkdir", "utimensat", "flock"}
LATER = 10**10
"""A date far in the future, in seconds: the clock has gone back since."""
Tell = Callable[[str, object], None]


@dataclass
class Scene:
    """One story written to one file: begun in a folder that is not there yet, or gone on with after a torn line."""

    story: Story
    place: Path
    torn: bool
    background: bool = False
    before: dict[str, bytes] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        return self.place / ("x.table" if self.torn else "new/x.table")

    @property
    def first(self) -> int:
        """How many batches are safe before anything is done."""
        return len(self.story.batches) // 2 if self.torn else 0

    def lay_out(self) -> Scene:
        """A disk as it is before the program is started."""
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir()
        if self.torn:
            self.story.keep(self.path, self.first, TORN)
        other = self.place / "other.table"
        other.touch()
        os.utime(other, (LATER, LATER))
        self.before = {str(path): path.read_bytes() for path in self.place.iterdir()}
        return self

    def run(self, reports: Reports) -> None:
        """The program."""
        how = self.story.go_on if self.torn else self.story.begin
        try:
            record = how(self.path, background=self.background)
        except RecordError:
            return
        with closing(record):
            tell(record, self.story.batches, max(self.first, 1), reports)


def story(name: str, batches: int) -> Story:
    made = Story(game_of(name), Sense.PRESENCE, 3, batches)
    assert made.words() >= WORDS
    return made


def scenes(place: Path, name: str, batches: int) -> list[Scene]:
    made = story(name, batches)
    return [Scene(made, place / "new", torn=False), Scene(made, place / "torn", torn=True)]


def stops(scene: Scene, reports: Reports) -> Generator[Call, None, None]:
    """All moments at which a program that keeps this record may end: before and after each of its calls."""
    reports.done = scene.first
    return calls(lambda: scene.run(reports))


def moments(scene: Scene, *, all_calls: bool = True) -> list[int]:
    """The numbers of these moments; or only of those before and after calls that change something."""
    with closing(Reports()) as reports:
        running = enumerate(stops(scene.lay_out(), reports))
        return [number for number, call in running if all_calls or (call.name in CHANGING and own(call, reports))]


def own(call: Call, reports: Reports) -> bool:
    """Whether it is the record's, and not a report."""
    return call.arguments[0] != reports.mouth


def check(scene: Scene, done: int, under_way: int = 1) -> Facts | None:
    """What is read is the last turn reported as safe, or what came after it and was under way."""
    facts, _ = read(scene.path)
    assert facts in scene.story.possible(done, under_way), f"{done} were safe, and {facts} is read"
    return facts


def go_on(scene: Scene) -> None:
    """The program is started again: the game goes on as it was read, and what is added is there as well."""
    if not scene.path.exists():
        scene.story.begin(scene.path).close()
    before, saved = read(scene.path)
    record = scene.story.go_on(scene.path)
    record.write([Event.of("sighted")], 1.0)
    assert record.safe
    record.close()
    after, again = read(scene.path)
    assert saved
    assert again
    assert (after, again.torn) == (before, False)
    assert again.ended == pytest.approx(saved.ended + 1.0)
