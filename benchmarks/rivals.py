"""Other ways of reading a board, beside which the table is measured: all see the settled frames that it sees.

``picture``: the final picture. A turn counts when the frame has stood for a quiet time and is what the sensors show of
exactly one result of the legal turns. A picture that is that of the position itself names nothing.

``pair``: one emptied, one filled. While the frame differs from the position by one site that was emptied and one that
was filled, these two name the turns that go from the one to the other; where a stone is only put down, the one filled
does. What else the rules take or sow in such a turn may be missing or not, and where the sensors tell colours or
numbers these must fit. A pair named later replaces one named before, and a board put back as it was names nothing. The
turn counts when the frame has stood for a quiet time as what the sensors show of its result.

``likelihood``: what hands did as one likelihood (`firmware_bridge.reading.likelihood`). It asks the players nothing
here, and no quiet time is waited for; before a turn is judged it is shown that nothing changes any more.

What the first two need, and are given: the rules of the game; a quiet time, as long as the table's own where that is
not sure, for which the players wait after each turn; and while a frame that has stood is no turn of the position, the
one before may still be changed for another turn. Where a reader has several results, or none, it asks, and the players
tell it the turn. A reader that has read another turn than was made is put on the true position, so one error counts
once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict, deque
from collections.abc import Collection
from functools import cached_property
from math import inf
from typing import NamedTuple

from benchmarks.tally import Tallies, Tally
from firmware_bridge.reading import Patience
from firmware_bridge.reading.constants import USUAL
from firmware_bridge.reading.decision import LikelihoodReader
from firmware_bridge.reading.ways import passed
from firmware_bridge.verdict import SensorView, Signature
from games.rules import Position, Turn
from hardware.device import Levels

QUIET = Patience().settle
"""Seconds for which a frame must stand."""


class Reading(ABC):
    """What one way of reading makes of one position."""

    def __init__(self, sensors: SensorView, position: Position) -> None:
        self.sensors, self.position = sensors, position
        self.rest = sensors.frame(position)

    @cached_property
    def turns(self) -> tuple[Turn[Position], ...]:
        """The legal turns."""
        return self.sensors.game.turns(self.position)

    @abstractmethod
    def feed(self, frame: Levels) -> None:
        """Take note of the next frame."""

    @abstractmethod
    def results(self, frame: Levels) -> set[Position]:
        """The results of the turns that `frame`, which has stood, may be."""

    def _pictured(self, frame: Levels, after: Position) -> bool:
        return all(level in (due, None) for level, due in zip(frame, self.sensors.frame(after), strict=True))


class Picture(Reading):
    """The picture alone: how it came about is nothing to it."""

    def feed(self, frame: Levels) -> None:
        pass

    def results(self, frame: Levels) -> set[Position]:
        if self._pictured(frame, self.position):
            return set()
        return {turn.after for turn in self.turns if self._pictured(frame, turn.after)}


class Pair(Reading):
    """The site that was emptied and the one that was filled."""

    def __init__(self, sensors: SensorView, position: Position) -> None:
        super().__init__(sensors, position)
        self._named: list[Signature] = []

    @cached_property
    def _filling(self) -> dict[frozenset[int], list[Signature]]:
        """The legal turns by the sites that they fill."""
        found = defaultdict(list)
        for turn in self.turns:
            signature = self.sensors.signature(self.position, turn)
            found[frozenset(site for site, level in signature.after.items() if level and not self.rest[site])].append(
                signature
            )
        return found

    def feed(self, frame: Levels) -> None:
        changed = [site for site, (level, was) in enumerate(zip(frame, self.rest, strict=True)) if level != was]
        emptied = {site for site in changed if frame[site] == 0}
        filled = frozenset(site for site in changed if frame[site] and not self.rest[site])
        named = [
            signature for signature in self._filling.get(filled, ()) if self._names(signature, emptied, changed, frame)
        ]
        self._named = named or self._named if changed else []

    def _names(self, signature: Signature, emptied: set[int], changed: list[int], frame: Levels) -> bool:
        """Whether it begins at the one site emptied, what the rules take besides left out, and the levels fit."""
        besides = signature.captures | (signature.lifts if signature.sown else frozenset())
        origin = set() if signature.origin is None else {signature.origin}
        return emptied - (besides - origin) == origin and all(signature.puts(site, frame[site]) for site in changed)

    def results(self, frame: Levels) -> set[Position]:
        return {signature.turn.after for signature in self._named if self._pictured(frame, signature.turn.after)}


class Read(NamedTuple):
    """A turn that a reader has read: what it leads to, and when that was, in seconds."""

    after: Position
    at: float


class Reader:
    """Follows a game by one way of `reading`, from `position`; `see` is shown each settled frame."""

    def __init__(self, reading: type[Reading], sensors: SensorView, position: Position, quiet: float = QUIET) -> None:
        self._reading, self._sensors, self._quiet = reading, sensors, quiet
        self._frame: Levels = ()
        self._due = inf
        self.put(position)

    def put(self, position: Position) -> None:
        """Go on from `position`."""
        self.read: list[Read] = []
        """The turns read and not judged yet."""
        self._before: Reading | None = None
        self._now = self._begun(position)

    def see(self, frame: Levels, now: float) -> None:
        """A settled frame at `now` (seconds); the same object again while nothing changes."""
        if frame is not self._frame:
            self._frame, self._due = frame, now + self._quiet
            for reading in (self._now, self._before):
                if reading:
                    reading.feed(frame)
        if now >= self._due:
            self.wait()

    def wait(self) -> None:
        """The players let the frame stand for as long as is needed."""
        at, self._due = self._due, inf
        if at == inf or (None not in self._frame and self._frame == self._now.rest):
            return
        results = self._now.results(self._frame)
        if len(results) == 1:
            self._before = self._now
            self._accept(Read(results.pop(), at))
        elif not results and self._before:
            self._amend(self._before.results(self._frame), at)

    def _amend(self, results: set[Position], at: float) -> None:
        """The same hand has changed the turn before."""
        if len(results) == 1:
            del self.read[-1:]
            self._accept(Read(results.pop(), at))

    def _accept(self, read: Read) -> None:
        self.read.append(read)
        self._now = self._begun(read.after)

    def _begun(self, position: Position) -> Reading:
        reading = self._reading(self._sensors, passed(self._sensors.game, position))
        if self._frame:
            reading.feed(self._frame)
        return reading

    def judge(self, due: Position) -> tuple[str, float]:
        """How the turn to `due` was read, ``right``, ``asked`` or ``wrong``, and when (seconds); the next has begun."""
        if self.read and self.read[0].after == due and len(self.read) <= 2:
            return "right", self.read.pop(0).at
        verdict = "wrong" if self.read else "asked"
        self.put(due)
        return verdict, inf


class Weighing:
    """Follows a game by its likelihood, from `position`; in all else like a `Reader`."""

    def __init__(self, sensors: SensorView, position: Position) -> None:
        self._reader = LikelihoodReader(sensors.game, sensors.sense, passed(sensors.game, position))
        self._taken = 0
        self._frame: Levels = ()
        self._latest: deque[tuple[float, Levels]] = deque(maxlen=LATEST)

    def put(self, position: Position, still: float) -> None:
        """Go on from `position`, that stood at `still` (seconds); what was seen since then belongs to the next turn."""
        begun = [frame for at, frame in self._latest if at > still + SETTLED]
        stood = [frame for at, frame in self._latest if at <= still + SETTLED]
        now = self._latest[-1][0]
        for frame in stood[-1:]:
            self._reader.see(frame, now)
        self._reader.put(position)
        for frame in begun:
            self._reader.see(frame, now)
        self._taken = len(self._reader.turns)

    def see(self, frame: Levels, now: float) -> None:
        """A settled frame at `now` (seconds); the same object again while nothing changes."""
        if frame is not self._frame:
            self._latest.append((now, frame))
        self._frame = frame
        self._reader.see(frame, now)

    def wait(self) -> None:
        """The players let the frame stand for as long as is needed."""
        self._reader.see(self._frame, self._reader.likelihood.changed_at + STOOD)

    def judge(self, due: Position, still: float) -> tuple[str, float]:
        """How the turn to `due`, whole at `still`, was read, ``right``, ``asked`` or ``wrong``, and when (seconds)."""
        read = self._reader.turns[self._taken :]
        game = self._reader.likelihood.index.game
        if read and passed(game, read[0].after) == passed(game, due) and len(read) <= 2:
            self._taken += 1
            return "right", read[0].at
        self.put(due, still)
        return ("wrong" if read else "asked"), inf

    def blamed(self) -> set[int]:
        """The sensors that it has named since it was asked last."""
        return {site for found in self._reader.reliability.tell() if found.name != "trusted" for site in found.sites}


LATEST = 20
"""Frames that are kept to go on from the one that stood before the next turn began."""
SETTLED = 0.03
"""Seconds after a touch by which its level has settled."""
STOOD = USUAL.quiet + 0.1
"""Seconds after which no frame that stands is waited for."""
READINGS: dict[str, type[Reading]] = {"picture": Picture, "pair": Pair}
"""Ways of reading one position by name."""
OTHERS = (*READINGS, "likelihood")
"""The names of the other ways of reading a game."""


class Rivals:
    """A reader of each way in `names`, from `position`; `tallies` tell how they have read the turns."""

    def __init__(self, sensors: SensorView, position: Position, names: Collection[str]) -> None:
        self._readers: dict[str, Reader | Weighing] = {
            name: Reader(reading, sensors, position) for name, reading in READINGS.items() if name in names
        }
        if "likelihood" in names:
            self._readers["likelihood"] = Weighing(sensors, position)
        self.tallies = Tallies(Tally)

    def see(self, frame: Levels, settled: Levels, now: float) -> None:
        """A settled frame at `now` (seconds), without the sensors that the table does not believe, and with them.

        Those readers that find out by themselves which lie are shown all.
        """
        for reader in self._readers.values():
            reader.see(settled if isinstance(reader, Weighing) else frame, now)

    def wait(self) -> None:
        """The players let the frame stand for as long as is needed."""
        for reader in self._readers.values():
            reader.wait()

    def blamed(self) -> dict[str, set[int]]:
        """For each reader that names sensors those named since it was asked last."""
        return {name: reader.blamed() for name, reader in self._readers.items() if isinstance(reader, Weighing)}

    def judge(self, due: Position, still: float, answered: float) -> None:
        """Note how the turn to `due` was read, its last touch at `still`; from `answered` on the players told it."""
        for name, reader in self._readers.items():
            verdict, at = reader.judge(due, still) if isinstance(reader, Weighing) else reader.judge(due)
            if verdict == "right" and at >= answered:
                verdict = "asked"
            self.tallies[name].note(verdict)
            self.tallies[name].waits += [max(0.0, at - still)] if verdict == "right" else []
