"""Finds out which channel reads which point, by asking for a piece on one point after another.

1. The board is cleared. A channel that stays closed is *stuck* and one that changes by itself *flickers*; both are
   left aside. A stuck channel that opens after all was a piece, and is used again.
2. Each point is asked for once. The channels that close and then hold are its answer. Nothing for as long as the
   player's patience lasts, counted from the last change, is an empty answer.
3. A point is *sure* while its answer is one channel that no other point claims. The others are asked again on a
   cleared board and with twice the patience, after a point that is sure: the piece that leaves that one proves that
   somebody carries it on.
4. A point that has given the same answer twice is believed: no channel is *dead*, several are *doubled*, and one
   that no other point closes is kept. Points with no channel of their own *share* one. It is not used, because a
   piece on one of them would be seen on the other.

`ChannelMonitor` finds channels that fail while nobody touches them, `Closures` the channels that a hand has closed,
`Wiring` asks for the points, and `conclude` makes a `Wired` of the answers. Nothing here reads a clock or a device:
frames, readings and seconds go in; pictures and sentences come out.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from math import inf
from statistics import median
from typing import NamedTuple

from firmware_bridge.reading import Debounce
from firmware_bridge.workshop.calibration import Calibration, Tuning, Weights
from hardware.board import BLACK
from hardware.device import Colour, Levels

# Channels ---------------------------------------------------------------------------------------

BIN = 0.1
"""Seconds in which changes count as one (guessed): a switch bounces for a few milliseconds."""
HOLD = 0.1
"""Seconds that a level must hold (guessed): longer than a bounce, shorter than a hand takes."""
JUMP = 1.0
"""Seconds between two frames beyond which the time is not counted (guessed): the computer slept."""

# Questions and answers --------------------------------------------------------------------------

CALM = 0.3
"""Seconds without a change after which one new channel is an answer (guessed)."""
DOUBT = 2.0
"""The same where the answer is odd: several channels, or one that another point claims (guessed)."""
QUIET = 2.0
"""Seconds for which the cleared board is watched at the start, and analogue sensors are measured (guessed)."""
SILENT = 3
"""Empty answers in a row after which it is checked that a player is there (guessed)."""
ROUNDS = 8
"""How often the points that are not sure are gone through (guessed); a point that is believed is not asked again."""
PATIENCE = 10.0
"""Seconds for which a piece may be carried from point to point, unless the player says otherwise (guessed)."""
RECENT = 15
"""Points over which the player's pace is taken (guessed)."""
WHITE: Colour = (255, 255, 255)
ORANGE: Colour = (255, 90, 0)

Answer = frozenset[int]
"""The channels that a point closes."""
Answers = Mapping[str, Answer | None]
"""Point -> its answer; None where it was not asked for."""
NONE: Answer = frozenset()


class ChannelMonitor:
    """Finds channels that fail while nobody touches them, from raw frames of `channels` levels in order of time.

    A channel flickers once it has changed `changes` times, each in another tenth of a second, within `window` seconds.
    """

    def __init__(self, channels: int, *, changes: int, window: float = inf) -> None:
        self.silent = frozenset(range(channels))
        """Channels of which no frame could tell anything."""
        self.flickering: frozenset[int] = frozenset()
        self._closed = frozenset(range(channels))
        """Channels that were closed in every frame so far."""
        self._changes, self._window = changes, window
        self._bins: dict[int, deque[float]] = {}
        self._last: Levels = (None,) * channels
        self._seen: Levels | None = None

    def feed(self, frame: Levels, now: float) -> frozenset[int]:
        """Note `frame` at `now` (seconds); the channels that changed with it."""
        if frame is self._seen:
            return frozenset()
        self._seen = frame
        told = [(channel, level) for channel, level in enumerate(frame) if level is not None]
        self.silent -= {channel for channel, _ in told}
        self._closed -= {channel for channel, level in told if not level}
        changed = frozenset(c for c, level in told if self._last[c] not in (None, level))
        self._last = tuple(old if new is None else new for old, new in zip(self._last, frame, strict=True))
        for channel in changed:
            self._note(channel, now)
        return changed

    @property
    def stuck(self) -> frozenset[int]:
        """Channels that were closed all the time."""
        return self._closed - self.silent

    def _note(self, channel: int, now: float) -> None:
        bins = self._bins.setdefault(channel, deque(maxlen=self._changes))
        if not bins or now - bins[-1] >= BIN:
            bins.append(now)
        if len(bins) == self._changes and now - bins[0] <= self._window:
            self.flickering |= {channel}


class Closures:
    """The channels that a hand has closed, from raw frames: levels that hold, of channels that can be relied on."""

    def __init__(self, channels: int) -> None:
        self.clock = 0.0
        """Seconds in which the sensors told anything."""
        self.closed = NONE
        """Channels that are closed, without those that are stuck or flicker."""
        self.stuck = self.flickering = NONE
        self.blind = False
        """Whether the sensors tell nothing now."""
        self._changed = self._stirred = 0.0
        """When `closed` changed last, and when any raw level did, by `clock`."""
        self._monitor = ChannelMonitor(channels, changes=5, window=10.0)
        self._debounce = Debounce(HOLD)
        self._raw: Levels = ()
        self._settled: Levels = ()
        self._now: float | None = None

    def feed(self, frame: Levels, now: float) -> None:
        """Note the levels at `now` (seconds)."""
        passed = 0.0 if self._now is None else now - self._now
        self._now = now
        if frame != self._raw:
            self._raw = frame
            self.blind = all(level is None for level in frame)
        if not self.blind:
            self.clock += passed if 0 <= passed <= JUMP else 0.0
            self._note(self._raw)

    def held(self, since: float) -> float:
        """Seconds for which `closed` has been the same, at most those since `since` (by `clock`)."""
        return self.clock - max(since, self._changed)

    def quiet(self, since: float) -> float:
        """Seconds without even a bounce, at most those since `since` (by `clock`)."""
        return self.clock - max(since, self._changed, self._stirred)

    def hold_stuck(self) -> None:
        """Leave aside whatever is closed now; a channel that opens later is used again."""
        self.stuck |= self.closed
        self._update()

    def expect_hands(self) -> None:
        """From now on pieces are put and lifted: only what no hand can do counts as flickering."""
        self._monitor = ChannelMonitor(len(self._settled), changes=10, window=4.0)

    def expect_calibrated(self, noisy: Answer) -> None:
        """From now on the levels are calibrated ones: forget what the earlier ones told, and leave out `noisy`."""
        self.stuck, self.flickering = NONE, noisy

    def _note(self, frame: Levels) -> None:
        if self._monitor.feed(frame, self.clock) - self.stuck - self.flickering:
            self._stirred = self.clock
        settled = self._debounce.feed(frame, self.clock)
        if settled is not self._settled or not self._monitor.flickering <= self.flickering:
            self._settled = settled
            self.flickering |= self._monitor.flickering
            self.stuck = frozenset(channel for channel in self.stuck if settled[channel] != 0)
            self._update()

    def _update(self) -> None:
        closed = frozenset(channel for channel, level in enumerate(self._settled) if level)
        closed -= self.stuck | self.flickering
        if closed != self.closed:
            self.closed, self._changed = closed, self.clock


class Wired(NamedTuple):
    """A wiring. Points without a place in `channels` are to be masked."""

    channels: Mapping[str, int]
    left: tuple[str, ...]
    """Points that were not asked for."""
    dead: tuple[str, ...]
    """Points that close no channel."""
    doubled: Mapping[str, tuple[int, ...]]
    """Points that close several channels, with all of these."""
    shared: Mapping[int, tuple[str, ...]]
    """Channels that several points close, with these."""
    unfit: Mapping[str, int]
    """Points whose channel has turned out to be stuck or to flicker, with it."""
    weak: Mapping[str, int]
    """Points of an analogue channel that a piece moves too little, with its swing in counts of 1023."""
    stuck: tuple[int, ...]
    flickering: tuple[int, ...]
    tuning: Tuning | Weights | None
    """The settings of an analogue scanner."""

    def masked(self, points: Iterable[str]) -> tuple[str, ...]:
        """Those of `points` that cannot be used."""
        return tuple(point for point in points if point not in self.channels)

    def notes(self) -> Iterator[str]:
        """A sentence for each thing that is wrong, with what to do."""
        if self.dead:
            yield f"{listed(self.dead)}: no channel changes with a piece there; see the sensor and its wire."
        for point, channels in self.doubled.items():
            kept = f"{self.channels[point]} is used" if point in self.channels else "none is used"
            yield f"{point}: a piece there closes channels {listed(channels)}, {kept}; look for a short between them."
        for channel, points in self.shared.items():
            yield f"{listed(points)}: channel {channel} closes with a piece on any of them; look for a short."
        for point, channel in self.unfit.items():
            yield f"{point}: its channel {channel} has begun to stick or to flicker; see the sensor."
        for point, swing in self.weak.items():
            yield f"{point}: a piece moves its reading by {swing} only; bring sensor and magnet nearer together."
        yield from self._channel_notes()

    def _channel_notes(self) -> Iterator[str]:
        if self.stuck:
            yield f"{channels(self.stuck)} closed all the time with nothing on the board; left aside."
        if self.flickering:
            yield f"{channels(self.flickering)} flickering by itself while nothing is done; left aside: a cold joint?"


def listed(names: Iterable[object]) -> str:
    """`names` in a sentence."""
    *most, last = map(str, names)
    return f"{', '.join(most)} and {last}" if most else last


def channels(numbers: tuple[int, ...]) -> str:
    """The channels as the subject of a sentence."""
    return f"channel {numbers[0]} is" if len(numbers) == 1 else f"channels {listed(numbers)} are"


def conclude(answers: Answers, stuck: Answer, flickering: Answer, calibration: Calibration | None) -> Wired:
    """The wiring that the last answers come to."""
    given = {point: answer for point, answer in answers.items() if answer}
    claims = Counter(channel for answer in given.values() for channel in answer)
    own = {
        point: min(c for c in answer if claims[c] == 1)
        for point, answer in given.items()
        if has_own_channel(answer, claims)
    }
    unfit = {point: channel for point, channel in own.items() if channel in stuck | flickering}
    faint = calibration.weak() if calibration else {}
    weak = {point: faint[channel] for point, channel in own.items() if channel in faint}
    return Wired(
        channels={point: channel for point, channel in own.items() if point not in unfit | weak},
        left=tuple(point for point, answer in answers.items() if answer is None),
        dead=tuple(point for point, answer in answers.items() if answer is not None and not answer),
        doubled={point: tuple(sorted(answer)) for point, answer in given.items() if len(answer) > 1},
        shared={c: tuple(p for p in given if c in given[p]) for c in sorted(claims) if claims[c] > 1},
        unfit=unfit, weak=weak, stuck=tuple(sorted(stuck)), flickering=tuple(sorted(flickering)),
        tuning=calibration.tuning() if calibration else None,
    )  # fmt: skip


def has_own_channel(answer: Answer, claims: Mapping[int, int]) -> bool:
    """Whether one of the channels belongs to this point only."""
    return any(claims[channel] == 1 for channel in answer)


class Ask(NamedTuple):
    """What the player is asked for: a sentence, and the point to `put` a piece on, or to take all pieces off."""

    say: str
    put: str = ""
    clear: bool = False


BLIND = Ask("The sensors tell nothing: see that they are connected; it goes on by itself.")
LOOK = Ask("The empty board is looked at: leave it alone.")
OVER = Ask("All points have been asked for.")


class Wiring:
    """Maps the points `asked` for; `known` are the channels of other points, taken as they are unless they clash.

    `patience` (seconds) is how long a piece may be carried from point to point.
    """

    def __init__(
        self,
        asked: Sequence[str],
        channels: int,
        *,
        known: Mapping[str, int] | None = None,
        patience: float = PATIENCE,
        calibration: Calibration | None = None,
    ) -> None:
        self.asked = tuple(asked)
        self.ask = LOOK
        """What the player is asked for now."""
        self.result: Wired | None = None
        """The wiring, once all is known."""
        self._calibration = calibration
        self._calibrated = False
        self._readings: Levels = ()
        self._piece = calibration.piece if calibration else "piece"
        self._closures = Closures(channels)
        self._patience = patience
        known_answers = {point: [frozenset({channel})] for point, channel in (known or {}).items()}
        self._answers: dict[str, list[Answer]] = known_answers | {point: [] for point in self.asked}
        self._claims = self._count_claims()
        self._unanswered = 0
        self._durations: deque[float] = deque(maxlen=RECENT)
        self._course = self._run()

    def feed(self, frame: Levels, now: float, readings: Levels = ()) -> Ask:
        """Go on with the raw levels (and readings, of an analogue scanner) at `now` (seconds)."""
        self._readings = readings
        if self._calibrated and self._calibration:
            frame = self._calibration.levels(readings)
        self._closures.feed(frame, now)
        self.ask = BLIND if self._closures.blind else next(self._course, OVER)
        return self.ask

    def picture(self, points: Sequence[str]) -> list[Colour]:
        """A colour for each of `points`: white where a piece is to be put, orange all over to have all taken off."""
        return [WHITE if point == self.ask.put else ORANGE if self.ask.clear else BLACK for point in points]

    @property
    def done(self) -> int:
        """How many of the points asked for have a channel that is sure."""
        return sum(map(self._is_sure, self.asked))

    def left(self) -> float | None:
        """Seconds that the rest will take at the player's pace; None before that is known."""
        waiting = sum(not self._answers[point] or self._needs_repeat(point) for point in self._answers)
        return waiting * median(self._durations) if self._durations else None

    def found(self) -> Wired:
        """What is known so far; `result` once it is all."""
        answers = {point: majority(given) if given else None for point, given in self._answers.items()}
        return conclude(answers, self._closures.stuck, self._closures.flickering, self._calibration)

    # The course -------------------------------------------------------------------------------

    def _run(self) -> Iterator[Ask]:
        yield from self._wait_until_clear(QUIET, self._patience)
        self._closures.expect_hands()
        yield from self._measure_empty()
        yield from self._ask_each_once()
        self._patience *= 2  # a second look may take its time
        for _ in range(ROUNDS):
            for point in [point for point in self._answers if self._needs_repeat(point)]:
                if self._needs_repeat(point):
                    yield from self._check_player(point)
                    yield from self._ask_point(point)
        self.result = self.found()

    def _ask_each_once(self) -> Iterator[Ask]:
        """Each point once; until there is any sign of life the points take turns."""
        waiting = deque(self.asked)
        while waiting:
            point = waiting.popleft()
            if self._unanswered >= SILENT and self._claims:
                yield from self._check_player(point)
            yield from self._ask_point(point)
            if not self._claims:
                self._answers[point].clear()
                waiting.append(point)

    def _wait_until_clear(self, quiet: float, patience: float) -> Iterator[Ask]:
        """Until the board has been empty and quiet for `quiet` seconds; what stays closed for `patience` is stuck."""
        seen, began = self._closures, self._closures.clock
        while seen.closed or seen.quiet(began) < quiet:
            if seen.closed and seen.held(began) >= patience:
                seen.hold_stuck()
            yield self._clear() if seen.closed else LOOK

    def _clear(self) -> Ask:
        count = len(self._closures.closed)
        closed = "1 channel is closed" if count == 1 else f"{count} channels are closed"
        return Ask(f"Take all pieces off the board: {closed}. What stays closed is held to be stuck.", clear=True)

    def _measure_empty(self) -> Iterator[Ask]:
        """Until the empty board is known, where the sensors are analogue."""
        if not self._calibration:
            return
        began = self._closures.clock
        while self._closures.clock - began < QUIET:
            if self._readings:
                self._calibration.rest(self._readings)
            yield LOOK
        self._closures.expect_calibrated(self._calibration.measure())
        self._calibrated = True

    def _check_player(self, point: str) -> Iterator[Ask]:
        """Until a piece stands alone on a point that works, near `point`; at once where none does."""
        yield from self._wait_until_clear(CALM, 2 * self._patience)
        self._unanswered = 0
        for works in cycle(self._sure_points_near(point)):
            say = f"Put a {self._piece} on {works}, which works; it is then carried to {point}."
            answer = yield from self._wait_for_answer(Ask(say, works))
            if answer:
                self._record(works, answer)
                return

    def _ask_point(self, point: str) -> Iterator[Ask]:
        """Until `point` has given an answer."""
        began = self._closures.clock
        verb, to = ("Carry the", "to") if self._answers[point] else ("Put a", "on")
        say = f"{verb} {self._piece} {to} {point}."
        if self._unanswered >= SILENT:
            say += " Nothing has changed so far: see that the sensors are connected."
        answer = yield from self._wait_for_answer(Ask(say, point))
        self._durations.append(self._closures.clock - began)
        self._record(point, answer)

    def _wait_for_answer(self, ask: Ask) -> Generator[Ask, None, Answer]:
        """The channels that close while `ask` stands, or none when patience is at its end."""
        seen, began = self._closures, self._closures.clock
        standing, lifted = seen.closed, False
        while True:
            yield ask
            lifted |= not standing <= seen.closed
            standing &= seen.closed
            fresh = seen.closed - standing
            held = seen.held(began)
            if fresh and held >= (CALM if self._is_plain(ask.put, fresh) else DOUBT):
                self._unanswered = 0
                return fresh
            if not fresh and held >= self._patience * (1 if lifted else 2):
                self._unanswered = 0 if lifted else self._unanswered + 1
                return NONE

    # What the answers come to -----------------------------------------------------------------

    def _record(self, point: str, answer: Answer) -> None:
        self._answers[point].append(answer)
        self._claims = self._count_claims()
        if self._calibration and len(answer) == 1:
            self._calibration.put(min(answer), self._readings)

    def _count_claims(self) -> Counter[int]:
        """How many points claim each channel."""
        return Counter(channel for given in self._answers.values() if given for channel in majority(given))

    def _is_plain(self, point: str, fresh: Answer) -> bool:
        """Whether `fresh` is one channel that no other point claims."""
        own = majority(self._answers[point])
        return len(fresh) == 1 and all(self._claims[channel] == (channel in own) for channel in fresh)

    def _is_sure(self, point: str) -> bool:
        """Whether the answer is one channel of its own, and was given twice or is the only one."""
        given = self._answers[point]
        own = majority(given)
        if len(own) != 1 or any(self._claims[channel] > 1 for channel in own):
            return False
        return given.count(own) > 1 or given.count(NONE) == len(given) - 1

    def _needs_repeat(self, point: str) -> bool:
        """Whether `point` must be asked again: it has answered, is not sure, and has not said the same twice."""
        given = self._answers[point]
        return bool(given) and not self._is_sure(point) and given.count(majority(given)) < 2

    def _sure_points_near(self, point: str) -> list[str]:
        """The points that are sure, the nearest to `point` in the order of the board first.

        None that `point` has answered like before: its piece may have been lifted and put again meanwhile.
        """
        order = {name: number for number, name in enumerate(self._answers)}
        before = NONE.union(*self._answers[point])
        sure = (name for name in order if self._is_sure(name) and not majority(self._answers[name]) & before)
        return sorted(sure, key=lambda name: abs(order[name] - order[point]))


def majority(given: Sequence[Answer]) -> Answer:
    """The answer given most often, of several the last; none if there is none."""
    return max(reversed(given), key=given.count, default=NONE)
