"""Cuts the power of the virtual Pi, wherever in its evening, and reads what is then on the disk of its state.

The machine plays once, and each write to that disk is kept in a log (block_log.py), with marks of what the table told
(marks.py). A cut takes a place in the log, and leaves any of the writes that no flush has made safe by then. Linux
mounts that, which replays the journal of ext4. Then every record must be read whole, with every turn that was accepted
and none that was not made; the program must find the last game, and go on with it. run.py starts the machine from some.

For each cut there is a line in ``cuts.jsonl``. Its number is its seed, by which it can be had again.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from firmware_bridge.events import turn_event
from firmware_bridge.records import Record, RecordError, Shelf, read_record
from tests.pi.block_log import WAYS, Disk, Entry, LogError, read_log
from tests.pi.marks import FILE_SYSTEM, Mark, unpacked

FOLDER = "tablelight"
"""Where the records lie on the disk of the state."""
QUIET = 5.0
"""Seconds between two words of progress."""


class Told(NamedTuple):
    """What the table had told at a place of the log: the turns of each record, by their number from 1."""

    turns: dict[str, dict[int, str]]

    def after(self, mark: Mark) -> Told:
        """With one mark more."""
        others = {record: known for record, known in self.turns.items() if record != mark.record}
        if not mark.number:
            return Told(others)
        return Told(others | {mark.record: self.turns.get(mark.record, {}) | {mark.number: mark.turn}})


class Evening:
    """A log, the marks in it, and the places where it may be cut: behind each entry from the first mark on."""

    def __init__(self, folder: Path) -> None:
        self.image = (folder / "state.begun").read_bytes()
        self.entries = list(read_log(folder / "log.writes"))
        self.told: list[Told] = []
        self.played: dict[str, dict[int, str]] = defaultdict(dict)
        told = Told({})
        for entry in self.entries:
            if mark := mark_of(entry):
                told = told.after(mark)
                self.played[mark.record] |= {mark.number: mark.turn} if mark.number else {}
            self.told.append(told)
        if not self.played:
            raise LogError(f"{folder / 'log.writes'}: there is no mark in it")
        first = next((place for place, told in enumerate(self.told) if told.turns), len(self.told))
        self.places = range(first, len(self.told))

    @property
    def accepted(self) -> int:
        """How many turns were seen to be accepted in all."""
        return sum(map(len, self.played.values()))

    def cut(self, seed: int) -> Cut:
        """The cut of a number: always the same of the same log."""
        choose = Random(seed)
        place = choose.choice(self.places)
        way = choose.choice(WAYS)
        disk = Disk(self.image)
        for entry in self.entries[: place + 1]:
            disk.take(entry)
        return Cut(place, way, len(disk.owed), self.told[place], bytes(disk.cut(way, choose)))


class Cut(NamedTuple):
    """A place in the log, what is left of the last writes, how many those are, what was told, and the disk."""

    place: int
    way: str
    owed: int
    told: Told
    image: bytes


def mark_of(entry: Entry) -> Mark | None:
    """The mark that was written, if it is one."""
    return unpacked(entry.data) if entry.at == FILE_SYSTEM and entry.data else None


# What is found ------------------------------------------------------------------------------------


@contextmanager
def mounted(image: Path) -> Iterator[Path]:
    """The folder of the records on an image, mounted as the machine does, so that its journal is replayed."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["mount", "-o", "loop,noatime", str(image), folder], check=True)
        try:
            yield Path(folder, FOLDER)
        finally:
            subprocess.run(["umount", folder], check=True)


def judge(records: Path, cut: Cut, played: dict[str, dict[int, str]]) -> tuple[int, list[str]]:
    """How many accepted turns are lost, and everything that is wrong, in words. A record may hold what was `played`."""
    lost, faults = 0, []
    names = {path.name for path in records.glob("*.table")} | cut.told.turns.keys()
    for name in sorted(names):
        turns = cut.told.turns.get(name, {})
        try:
            found = turns_of(records / name)
        except RecordError as error:
            lost += len(turns)
            faults.append(f"{len(turns)} turns are lost: {error}")
            continue
        missing = [number for number, turn in turns.items() if found[number - 1 : number] != [turn]]
        known = played.get(name, {})
        invented = [number for number, turn in enumerate(found, 1) if known.get(number, turn) != turn]
        lost += len(missing)
        faults += [f"{name}: turn {number} of {max(turns)} is lost" for number in missing]
        faults += [f"{name}: turn {number} was never made" for number in invented if number not in turns]
    return lost, faults or gone_on(records, cut)


def turns_of(path: Path) -> list[str]:
    """The turns of a record, without passes; RecordError."""
    return [entry.turn.text for entry in read_record(path).sheet.played_turns if entry.turn.text != "pass"]


def gone_on(records: Path, cut: Cut) -> list[str]:
    """The program finds the last game and goes on with it by a turn, if it is not over; what is wrong with that."""
    newest = Shelf(records).newest()
    if newest is None:
        return ["no record is found"] if cut.told.turns else []
    *_, last = cut.told.turns or [newest.name]
    if newest.name != last and newest.name in cut.told.turns:  # another one may have been begun and not told of yet
        return [f"the newest record should be {last}, and is {newest.name}"]
    try:
        saved = read_record(newest)
        sheet = saved.sheet
        if sheet.outcome:
            return []
        record = Record(newest, sheet, saved.sense, saved, shelf=Shelf(records))
        turn = Random(cut.place).choice(sheet.turns)
        record.write([turn_event("played", sheet.player, turn), *sheet.accept(turn)], 1.0)
        record.close()
        if record.problem:
            return [f"nothing can be written: {record.problem}"]
        again = read_record(newest).sheet
    except RecordError as error:
        return [f"the game cannot be gone on with: {error}"]
    return [] if again.length == sheet.length else ["the next turn is not in the record"]


def checked(image: Path) -> list[str]:
    """What e2fsck finds wrong with a file system whose journal was replayed."""
    done = subprocess.run(["e2fsck", "-fn", str(image)], capture_output=True, text=True, check=False)
    return [f"e2fsck: {done.stdout.strip()}"] if done.returncode else []


def try_cut(evening: Evening, seed: int, image: Path) -> dict[str, Any]:
    """Cut it, and tell what is left."""
    cut = evening.cut(seed)
    image.write_bytes(cut.image)
    with mounted(image) as records:
        lost, faults = judge(records, cut, evening.played)
    faults += checked(image)
    accepted = sum(map(len, cut.told.turns.values()))
    return {"seed": seed, "place": cut.place, "way": cut.way, "owed": cut.owed, "accepted": accepted, "lost": lost,
            "faults": faults}  # fmt: skip


# All of them --------------------------------------------------------------------------------------


def done_before(path: Path) -> list[dict[str, Any]]:
    """The cuts that were tried already; a line that was cut off itself is left out."""
    if not path.exists():
        return []
    whole, _, _ = path.read_text().rpartition("\n")
    return [json.loads(line) for line in whole.splitlines()]


def try_all(evening: Evening, folder: Path, count: int) -> dict[str, Any]:
    """Cut an evening `count` times, but for what was done before by the results in a folder, and sum it up."""
    results, image = folder / "cuts.jsonl", folder / "state.cut"
    done = done_before(results)[:count]
    results.write_text("".join(json.dumps(each) + "\n" for each in done))
    print(f"{len(evening.entries)} writes and flushes, {evening.accepted} turns seen to be accepted; "
          f"{len(done)} of {count} cuts are done.", flush=True)  # fmt: skip
    begun = said = time.monotonic()
    before = len(done)
    with results.open("a") as file:
        for seed in range(before, count):
            done.append(try_cut(evening, seed, image))
            file.write(json.dumps(done[-1]) + "\n")
            file.flush()
            now = time.monotonic()
            if now - said > QUIET:
                said = now
                left = (now - begun) / (seed + 1 - before) * (count - seed - 1)
                print(f"  {seed + 1} of {count} cuts, {sum(each['lost'] for each in done)} turns lost; "
                      f"{left:.0f} s left", flush=True)  # fmt: skip
    image.unlink(missing_ok=True)
    return summed(done, evening)


def summed(done: list[dict[str, Any]], evening: Evening) -> dict[str, Any]:
    """What all cuts say together."""
    return {
        "cuts": len(done),
        "different": len({(each["place"], each["way"]) for each in done}),
        "writes": len(evening.entries),
        "turns": evening.accepted,
        "accepted_before_a_cut": sum(each["accepted"] for each in done),
        "lost": sum(each["lost"] for each in done),
        "cuts_with_losses": sum(each["lost"] > 0 for each in done),
        "cuts_amid_writes": sum(each["owed"] > 0 for each in done),
        "faults": [f"cut {each['seed']}: {fault}" for each in done for fault in each["faults"]],
    }


def write_cut(evening: Evening, seed: int, image: Path) -> None:
    """The disk after the cut of a number, for the machine to be started from."""
    image.write_bytes(evening.cut(seed).image)
