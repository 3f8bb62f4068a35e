"""An evening: who plays whom, by which words they meet, and what has become of each game, as both seats have signed it.

1. The evening is planned at once, and kept in a file: names, what is played, and for each game the secret by which its
   two tables meet (`link.pairing`). So whoever keeps the file knows the greetings of both, and their public numbers.
2. A game counts once *both* seats have published the same score of it, and it is over. Each score has to bear the
   signature of its own seat (`link.signature`), be of this evening's terms, and hash to what it says.
3. Of each seat the newest state alone is heeded, by its number: an older one that is played again changes nothing.
4. A score that counts is kept as it was published, with all signatures. From then on the keys of that game stand: a
   table that begins it anew with other keys is told of, and not counted.
5. All else follows anew from what the broker keeps and the file: whatever dies in between, nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from msgspec import DecodeError, Meta, Struct, ValidationError, json

from firmware_bridge.clocks import Clock
from firmware_bridge.club.rounds import FEWEST, MOST, Pair, Row, Score, cross_table, round_robin
from firmware_bridge.link.pairing import (
    ANYBODY,
    Broker,
    Greeting,
    LinkError,
    Pairing,
    game_topic,
    keep,
    new_pairing,
    new_secret,
    read_greeting,
    written_by,
)
from firmware_bridge.link.signature import signed
from firmware_bridge.link.states import LARGEST, VERSION, Entry, Standing, State, Terms, chained
from firmware_bridge.score import LONGEST_NAME, ScoreSheet, person, points
from games.rules import IllegalTurn, OptionError
from hardware import files

LARGEST_PLAN = 1 << 17
"""Bytes of a plan at most: 120 games take some 12 kB."""
LARGEST_SCORES = 1 << 26
"""Bytes of the scores that were kept, at most: 120 games of two states each."""
WATCHES = "wall"
"""The user of the broker who reads all and writes nothing; no table may be called so there."""
What = Literal["greeting", "seat"]

# The plan -----------------------------------------------------------------------------------------


class Meeting(Struct, frozen=True):
    """A game of the evening: who plays, by their places in the list of names, and the secret of the words."""

    first: Annotated[int, Meta(ge=0, lt=MOST)]
    second: Annotated[int, Meta(ge=0, lt=MOST)]
    secret: Annotated[str, Meta(pattern="^[0-9a-f]{20}$")]

    @property
    def pair(self) -> Pair:
        """Who plays."""
        return Pair(self.first, self.second)


class Evening(Struct, frozen=True, kw_only=True):
    """The plan of an evening."""

    v: int = VERSION
    broker: Broker
    terms: Terms
    names: tuple[Annotated[str, Meta(max_length=LONGEST_NAME)], ...]
    rounds: tuple[tuple[Meeting, ...], ...]

    @property
    def meetings(self) -> Iterator[Meeting]:
        """All games, round by round."""
        return (meeting for each in self.rounds for meeting in each)

    def bye(self, number: int) -> str:
        """Who has no game in the round of this number, from 0 on; empty where all play."""
        playing = {place for meeting in self.rounds[number] for place in meeting.pair}
        return next((name for place, name in enumerate(self.names) if place not in playing), "")

    def user(self, place: int) -> str:
        """The broker's user who writes for this player."""
        return written_by(self.names[place].lower()) if self.broker.user else ANYBODY

    def pairing(self, meeting: Meeting) -> Pairing:
        """What the words of a game lead to: its name in topics, and the key of greetings."""
        return new_pairing(self.broker, bytes.fromhex(meeting.secret), 0, self.terms)


def plan(names: Sequence[str], terms: Terms, broker: Broker) -> Evening:
    """An evening on which everybody plays everybody; LinkError, OptionError."""
    called = tuple(map(person, names))
    if len(called) < FEWEST:
        raise LinkError(f"an evening takes two players or more, and {len(called) or 'none'} is named: name all of them")
    if len(called) > MOST:
        raise LinkError(f"an evening takes at most {MOST} players, and {len(called)} are named: make two groups")
    for place, name in enumerate(called):
        if not name:
            raise LinkError("a player's name is empty: every one needs a name of letters")
        if name.lower() in (other.lower() for other in called[:place]):
            raise LinkError(f"the name {name!r} is given twice: tell the two apart")
        user = name.lower()
        if broker.user and (written_by(user) != user or user in (WATCHES, ANYBODY)):
            raise LinkError(
                f"{name!r} is no table of this broker: name the players as their tables were named to broker.sh"
            )
    rounds = tuple(
        tuple(Meeting(pair.first, pair.second, new_secret().hex()) for pair in each.pairs)
        for each in round_robin(len(called))
    )
    return Evening(broker=broker, terms=terms, names=called, rounds=rounds)


# On disk ------------------------------------------------------------------------------------------


class Proof(Struct, frozen=True):
    """The greetings and the states of both seats, as they were published, and who has written them."""

    users: tuple[str, str]
    greetings: tuple[str, str]
    states: tuple[str, str]


class Scores(Struct, frozen=True):
    """What counts so far, by the names of the games in topics."""

    v: int = VERSION
    proofs: dict[str, Proof] = {}


def evening_path(records: Path) -> Path:
    """Where the plan of an evening is kept: beside the records."""
    return records / "club" / "evening.json"


def scores_path(path: Path) -> Path:
    """Where the scores that count are kept, beside the plan at `path`."""
    return path.with_name("scores.json")


def read_evening(path: Path) -> Evening:
    """The plan on disk; LinkError."""
    try:
        evening = json.decode(files.read(path, LARGEST_PLAN), type=Evening)
        evening.terms.load()
        if all(place < len(evening.names) for meeting in evening.meetings for place in meeting.pair):
            return evening
        fault = "it names players who are not there"
    except FileNotFoundError:
        raise LinkError("no evening is planned: `tablelight club new GAME NAME NAME ...` plans one") from None
    except OSError as error:
        raise LinkError(f"{path}: {error.strerror}") from None
    except (DecodeError, OptionError) as error:
        fault = str(error)
    raise LinkError(f"{path}: this is no evening ({fault}); `tablelight club end` takes it away")


def read_scores(path: Path) -> Scores:
    """The scores that were kept beside the plan at `path`; none if they cannot be read: the broker has them, too."""
    try:
        return json.decode(files.read(scores_path(path), LARGEST_SCORES), type=Scores)
    except FileNotFoundError:
        return Scores()
    except (DecodeError, OSError):
        return Scores()


def write_evening(path: Path, evening: Evening) -> None:
    """Keep a plan, which has secrets; OSError."""
    keep(path, json.encode(evening))


def write_scores(path: Path, scores: Scores) -> None:
    """Keep the scores beside the plan at `path`; OSError."""
    keep(scores_path(path), json.encode(scores))


def end_evening(path: Path) -> None:
    """Forget an evening and its scores; OSError."""
    for kept in (path, scores_path(path)):
        kept.unlink(missing_ok=True)


# One game -----------------------------------------------------------------------------------------


class Board:
    """The game that a log tells, followed a few turns at a time, so that a long one holds nothing up."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.log: tuple[Entry, ...] = ()
        self.refused = False
        """Whether the log tells what the rules refuse."""
        self._standing = Standing(terms)
        self._done = 0

    @property
    def sheet(self) -> ScoreSheet:
        """The score as far as it is followed."""
        return self._standing.sheet

    @property
    def whole(self) -> bool:
        """Whether nothing is left to follow."""
        return self.refused or self._done == len(self.log)

    def follow(self, log: tuple[Entry, ...]) -> None:
        """Be the game of this log."""
        if self.refused or log[: self._done] != self.log[: self._done]:
            self._standing, self._done, self.refused = Standing(self.terms), 0, False
        self.log = log

    def work(self, most: int) -> int:
        """Follow `most` entries at most; how many it were."""
        begun = self._done
        while not self.whole and self._done < begun + most:
            try:
                self._standing.add(self.log[self._done])
                self._done += 1
            except IllegalTurn:
                self.refused = True
        return self._done - begun


def first_game(log: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The entries of the first game of a log: those after it are played for pleasure."""
    return tuple(takewhile(lambda entry: entry.what != "again", log))


class Thinking(NamedTuple):
    """The clock of the seat that is to move after `log`: seconds of the turn that are used by `since`, from when on it
    runs; None while it stands."""

    log: tuple[Entry, ...]
    used: float
    since: float | None

    @classmethod
    def of(cls, state: State, at: float | None) -> Thinking | None:
        """What a state tells of it that was published at `at` (seconds), if it does; None: some time before."""
        told = state.clock
        return cls(state.log, told.used, at if told.runs else None) if told else None

    def stop(self, now: float) -> Thinking:
        """It stands from `now` on."""
        return self if self.since is None else self._replace(used=self.used + max(0.0, now - self.since), since=None)


def clock_of(board: Board, thinking: Sequence[Thinking | None]) -> Clock | None:
    """The clocks of a game as its two seats tell them; None without."""
    clock = board.sheet.clock
    told = thinking[clock.side] if clock else None
    if not clock or not told or not board.whole or told.log != board.log or board.sheet.outcome:
        return clock
    return replace(clock, used=told.used, since=told.since)


class Seat:
    """What is known of one seat of a game."""

    def __init__(self) -> None:
        self.greeting: Greeting | None = None
        self.state: State | None = None
        self.thinking: Thinking | None = None
        """What it tells of its clock."""
        self.user = self.greeted = self.told = ""
        """Who writes for the seat; the greeting and the state as they were published."""
        self.unproved: tuple[str, bytes, float | None] | None = None
        """A state that came before the greeting that could prove it: its topic, what it says, and when it did."""


class Game:
    """One game of an evening: what both seats have published of it, and what follows."""

    def __init__(self, evening: Evening, meeting: Meeting) -> None:
        self.evening, self.meeting = evening, meeting
        self.board = Board(evening.terms)
        self.seats = (Seat(), Seat())
        self.refusals = 0
        """How many messages on its topics were refused."""
        self.otherwise = False
        """Whether a table plays it by other terms than the evening's."""
        self.rekeyed = False
        """Whether a table has begun it anew with another key, though it counts."""
        self._counts: Proof | None = None
        self._winner: int | None = None
        self._proved: tuple[Entry, ...] = ()
        """The log upon which both agreed last."""
        self._pairing = evening.pairing(meeting)

    @cached_property
    def id(self) -> str:
        """What names it in topics."""
        return self._pairing.game

    @property
    def names(self) -> tuple[str, str]:
        """Who plays, the first player first."""
        first, second = (self.evening.names[place] for place in self.meeting.pair)
        return first, second

    @property
    def words(self) -> str:
        """The six words."""
        return self._pairing.words

    def user(self, seat: int) -> str:
        """The broker's user who writes for a seat."""
        return self.evening.user(self.meeting.pair[seat])

    @property
    def proof(self) -> Proof | None:
        """What proves the result; None while it does not count."""
        return self._counts

    @property
    def score(self) -> Score | None:
        """The result, if it counts."""
        return Score(self.meeting.pair, self._winner) if self._counts else None

    @property
    def begun(self) -> bool:
        """Whether a turn was made."""
        return bool(self.board.log)

    @property
    def tables(self) -> tuple[str, str]:
        """What both tables are called in topics; empty for one that has not greeted."""
        first, second = (seat.greeting.table if seat.greeting else "" for seat in self.seats)
        return first, second

    @property
    def clock(self) -> Clock | None:
        """The clocks, as far as both seats have told; None without."""
        return clock_of(self.board, [seat.thinking for seat in self.seats])

    def stop(self, seat: int, now: float) -> None:
        """Nothing more is heard of a seat, at `now` (seconds): its clock stands."""
        known = self.seats[seat]
        known.thinking = known.thinking and known.thinking.stop(now)

    # What is heard ----------------------------------------------------------------------------------

    def prove(self, proof: Proof) -> None:
        """Take in what was kept; it is believed no sooner than what the broker tells."""
        for seat in (0, 1):
            self.hear("greeting", seat, proof.users[seat], proof.greetings[seat].encode())
            self.hear("seat", seat, proof.users[seat], proof.states[seat].encode())
        self.board.work(len(self.board.log))
        self.settle()

    def hear(self, what: What, seat: int, user: str, payload: bytes, at: float | None = None) -> None:
        """Take in what `user` has said at `at` (seconds; None: some time before) on a topic of this game.

        What is not to be believed changes nothing.
        """
        if user != self.user(seat) or len(payload) > LARGEST:
            self.refusals += 1
            return
        topic = game_topic(self.id, what, seat, user)
        taken = self._greeted(seat, topic, payload) if what == "greeting" else self._told(seat, topic, payload, at)
        self.refusals += not taken
        if taken:
            self.seats[seat].user = user
            self._follow()

    def _greeted(self, seat: int, topic: str, payload: bytes) -> bool:
        known = self.seats[seat]
        if known.greeted.encode() == payload:
            return True
        greeting = read_greeting(self._pairing.word_key, topic, payload)
        if not greeting or greeting.seat != seat or greeting.v != VERSION:
            return False
        if greeting.terms != self.evening.terms:
            self.otherwise = True
            return False
        if known.greeting and known.greeting.public != greeting.public:
            if self._counts:
                self.rekeyed = True
                return False
            known.state, known.thinking, known.told = None, None, ""
        self.otherwise = False
        known.greeting, known.greeted = greeting, payload.decode()
        if known.unproved:
            topic, payload, at = known.unproved
            self.refusals += not self._told(seat, topic, payload, at)
        return True

    def _told(self, seat: int, topic: str, payload: bytes, at: float | None) -> bool:
        known = self.seats[seat]
        if not known.greeting:
            known.unproved = topic, payload, at
            return True
        known.unproved = None
        if known.told.encode() == payload:
            return True
        said = signed(int(known.greeting.public, 16), topic, payload)
        try:
            state = json.decode(said, type=State) if said else None
        except (ValidationError, DecodeError):
            state = None
        if not state or (state.v, state.seat, state.table, state.terms) != (
            VERSION, seat, known.greeting.table, self.evening.terms,
        ):  # fmt: skip
            return False
        if chained(state.terms, state.log) != state.chain:
            return False
        if known.state and (state.number, state.heard) < (known.state.number, known.state.heard):
            return False
        known.state, known.thinking, known.told = state, Thinking.of(state, at), payload.decode()
        return True

    # What follows -----------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Show the longer of the two scores; while they are about to part, that of who went back last."""
        states = [seat.state for seat in self.seats if seat.state]
        if states:
            newest = max(states, key=lambda state: (state.generation, len(state.log)))
            self.board.follow(first_game(newest.log))

    def settle(self) -> bool:
        """See whether the result counts, once the board is followed whole; whether that has changed.

        What counts goes on to count until both seats agree upon another score.
        """
        first, second = (seat.state and first_game(seat.state.log) for seat in self.seats)
        log, before = self.board.log, self._counts
        if self.board.whole and not self.board.refused and first == second == log and log != self._proved:
            self._proved, outcome = log, self.board.sheet.outcome
            self._winner = outcome.winner if outcome else None
            one, other = self.seats
            proof = Proof((one.user, other.user), (one.greeted, other.greeted), (one.told, other.told))
            self._counts = proof if outcome else None
        return self._counts != before


# All of them --------------------------------------------------------------------------------------


class Results:
    """What has become of an evening: all its games, by their names in topics."""

    def __init__(self, evening: Evening, kept: Scores | None = None) -> None:
        self.evening = evening
        self.rounds = [[Game(evening, meeting) for meeting in each] for each in evening.rounds]
        self.games = {game.id: game for games in self.rounds for game in games}
        for id, proof in (kept.proofs if kept else {}).items():
            if id in self.games:
                self.games[id].prove(proof)

    @property
    def current(self) -> int:
        """The number of the first round, from 0 on, in which a game does not count yet; of the last, if all do."""
        unfinished = (number for number, games in enumerate(self.rounds) if not all(game.score for game in games))
        return next(unfinished, len(self.rounds) - 1)

    @property
    def over(self) -> bool:
        """Whether all games count."""
        return all(game.score for game in self.games.values())

    @property
    def scores(self) -> Scores:
        """What is to be kept."""
        return Scores(proofs={id: game.proof for id, game in self.games.items() if game.proof})

    def work(self, most: int) -> bool:
        """Follow `most` turns at most; whether anything has changed."""
        changed = False
        for game in self.games.values():
            if not game.board.whole:
                done = game.board.work(most)
                most -= done
                changed |= done > 0
            changed |= game.settle()
        return changed

    def table(self) -> list[Row]:
        """The lines of the cross-table."""
        scores = [game.score for game in self.games.values() if game.score]
        return cross_table(len(self.evening.names), scores)


# In writing ---------------------------------------------------------------------------------------


class Line(Struct, frozen=True):
    """A player's line in the file of results; `results` are points by the names of the others, None unplayed."""

    place: int
    name: str
    points: float
    sonneborn_berger: float
    games: int
    results: dict[str, float | None]


class Played(Struct, frozen=True):
    """A game in that file; `result` as tournaments write it, empty while it does not count."""

    round: int
    id: str
    first: str
    second: str
    result: str
    turns: int


class Report(Struct, frozen=True):
    """The file of results."""

    v: int
    terms: Terms
    over: bool
    table: list[Line]
    games: list[Played]


def report(results: Results) -> Report:
    """The results as they stand."""
    rows, names = results.table(), results.evening.names
    lines = [
        Line(
            row.place, names[row.player], row.points, row.tie_break, row.games,
            {names[other.player]: part for other, part in zip(rows, row.results, strict=True) if other is not row},
        )
        for row in rows
    ]  # fmt: skip
    games = [
        Played(number, game.id, *game.names, result(game), game.board.sheet.length)
        for number, games in enumerate(results.rounds, start=1)
        for game in games
    ]
    return Report(VERSION, results.evening.terms, results.over, lines, games)


def result(game: Game) -> str:
    """The result as tournaments write it; empty while it does not count."""
    return points(game.score.winner) if game.score else ""


def mark(part: float | None) -> str:
    """Points of one game in a cross-table."""
    return {None: "", 0.0: "0", 0.5: "½", 1.0: "1"}[part]


def number(value: float) -> str:
    """Points as tables write them: 2½, and 1.75 where quarters are counted."""
    whole, half = divmod(value, 1)
    return f"{int(whole) or ''}½" if half == 0.5 else f"{value:g}"
