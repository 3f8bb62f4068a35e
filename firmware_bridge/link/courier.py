"""What one table says to the broker and takes from it. No network: messages are values, and `now` (seconds) is given.

Whatever it says is on disk before, in its *outbox*: so nothing is said that could be forgotten. What does not bear the
seal of the other table, is no state, or may not follow, changes nothing.
"""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import NamedTuple

from msgspec import DecodeError, Struct, ValidationError, json
from msgspec.structs import replace

from firmware_bridge.link.agreement import Agreement, Fault, Saved
from firmware_bridge.link.news import (
    REQUESTS,
    Agreed,
    Answer,
    AnyRequest,
    Ended,
    Flag,
    Play,
    Said,
    Tick,
    Want,
    pack,
    said,
    unpack,
)
from firmware_bridge.link.pairing import (
    Broker,
    Greeting,
    Pairing,
    keep,
    listened,
    read_greeting,
    seal,
    status_topic,
    unseal,
    write_pairing,
)
from firmware_bridge.link.signature import sign
from firmware_bridge.link.states import LARGEST, VERSION, Key, Running, Standing, State, common
from games.rules import IllegalTurn
from hardware import files

AGAIN = 2.0
"""Seconds after which a state that the other table has not acknowledged is said again; a guess."""
RETOLD = 20.0
"""Seconds after which it is told again that a clock runs; a guess. What a broker has kept tells nobody how old it is,
so who begins to look on waits as long at most."""
MOST_BAD = 100
"""Messages without the right seal that are taken without a word; guessed."""


class Message(NamedTuple):
    """Something to be published; the broker keeps it for who comes later, unless it is for the moment alone."""

    topic: str
    payload: bytes
    kept: bool = True


class Ticking(NamedTuple):
    """The clock of this table's player, with `entries` in the log: seconds used by `since` (seconds), and whether it
    runs from then on."""

    entries: int
    used: float
    since: float
    runs: bool


class Status(Struct, frozen=True):
    """Whether a table is there: it says so itself, and the broker when it has gone."""

    here: bool
    life: Key


class Outbox:
    """The file in which an agreement is kept."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._kept: Saved | None = None

    def read(self) -> Saved | None:
        """What is kept; None if there is nothing, or nothing that can be read: that is put aside."""
        try:
            self._kept = json.decode(files.read(self.path, 2 * LARGEST), type=Saved)
        except FileNotFoundError:
            return None
        except DecodeError:
            self.put_aside()
        return self._kept

    def put_aside(self) -> None:
        """Keep a file that is of no use under another name; OSError."""
        self._kept = None
        self.path.replace(self.path.with_suffix(".unreadable"))

    def keep(self, saved: Saved) -> None:
        """Put it on disk, if it is new; OSError."""
        if saved != self._kept:
            keep(self.path, json.encode(saved))
            self._kept = saved


def kept_standing(pairing: Pairing, path: Path) -> Standing:
    """The score as it was kept beside the pairing at `path`; at the start if nothing of use was. OSError."""
    saved = Outbox(path.parent / f"{pairing.game}.json").read()
    try:
        return Standing(pairing.terms, saved.mine.log if saved else (), 1 - pairing.seat)
    except IllegalTurn:
        return Standing(pairing.terms, (), 1 - pairing.seat)


class Courier:
    """One table's end of the line. `path` has the `pairing`, beside it lies the outbox; `life` as `Agreement`.

    OSError if the outbox cannot be read.
    """

    kept, largest = True, LARGEST
    """As a speaker at the line has them: what the broker keeps is all there is to hear."""
    watched = ()

    def __init__(self, pairing: Pairing, path: Path, life: str) -> None:
        self.pairing = pairing
        self.over = False
        """Whether another table has the seat, so that there is nothing more to do here."""
        self._path, self._life = path, life
        self._outbox = Outbox(path.parent / f"{pairing.game}.json")
        saved = self._outbox.read()
        try:
            self.agreement = Agreement(pairing.terms, pairing.seat, pairing.table, life, saved)
        except IllegalTurn:  # another version of the rules has written it
            self._outbox.put_aside()
            self.agreement = Agreement(pairing.terms, pairing.seat, pairing.table, life)
        self._other = 1 - pairing.seat
        self._key = pairing.pair_key() if pairing.partner else b""
        self._connected = self._here = False
        self._fault: Said | None = None
        self._again = inf
        self._unkept = False
        """Whether what was heard last is not on disk yet."""
        self._bad = 0
        self._ticking: Ticking | None = None
        self._retold = inf
        """When it is told once more that the clock runs."""

    # Topics and what is said on them ------------------------------------------------------------

    @property
    def broker(self) -> Broker:
        """Where both tables meet."""
        return self.pairing.broker

    @property
    def client(self) -> str:
        """The name of the client, which no other table has."""
        return f"tablelight-{self.pairing.table}"

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that are listened to; the last level may be ``+``, for any."""
        partner, greets = self.pairing.partner, self.pairing.greets(self._other)
        if not partner:
            return (greets,)
        return (greets, self.pairing.states(self._other), status_topic(partner.table, partner.user))

    def listens(self, topic: str) -> bool:
        """Whether what is said on `topic` is listened to."""
        return any(listened(pattern, topic) for pattern in self.topics)

    def status(self, *, here: bool) -> Message:
        """That this table is there, or is not: the broker is given this as its will."""
        topic = self.pairing.status
        said = json.encode(Status(here, self._life))
        return Message(topic, seal(self._key or self.pairing.word_key, topic, said))

    def connected(self, now: float) -> list[Message]:
        """The line to the broker is there: what is to be said first."""
        self._connected, self._fault, self._bad = True, None, 0
        topic = self.pairing.greets(self.pairing.seat)
        greeting = Message(topic, seal(self.pairing.word_key, topic, json.encode(self.pairing.greeting)))
        return [greeting, self.status(here=True), *self._state(now)]

    def lost(self, fault: Said) -> None:
        """The line to the broker is gone."""
        self._connected = self._here = False
        self._fault, self._again, self._retold = fault, inf, inf

    def _state(self, now: float) -> list[Message]:
        """The state of this seat, which is on disk from now on; nothing while there is no key or no disk."""
        try:
            self._outbox.keep(self.agreement.saved)
        except OSError as error:
            self._fault, self._again = said("link-unkept", fault=error.strerror or str(error)), now + AGAIN
            self._unkept = False  # it is tried again with that
            return []
        if self._fault and self._fault[0] == "table.link-unkept":
            self._fault = None
        self._again, self._unkept = inf, False
        if not self._key or not self._connected:
            return []
        self._again = inf if self.agreement.acknowledged else now + AGAIN
        topic = self.pairing.states(self.pairing.seat)
        running = self._running(now)
        self._retold = now + RETOLD if running and running.runs else inf
        told = json.encode(replace(self.agreement.state, clock=running))
        return [Message(topic, seal(self._key, topic, told, sign(int(self.pairing.private, 16), topic, told)))]

    def _running(self, now: float) -> Running | None:
        """The clock of this seat at `now`; None unless the seat is to move, and it was told of the turn in hand."""
        ticking = self._ticking
        if not ticking or not self.agreement.moves or ticking.entries != len(self.agreement.mine.log):
            return None
        passed = max(0.0, now - ticking.since) if ticking.runs else 0.0
        return Running(round(ticking.used + passed, 3), ticking.runs)

    def due(self, now: float) -> list[Message]:
        """What is to be said at `now`: to what was heard, which is on disk from then on, or once more."""
        if now >= min(self._again, self._retold):
            return self._state(now)
        return self._keep(now) if self._unkept else []

    # What is heard ------------------------------------------------------------------------------

    def hear(self, topic: str, payload: bytes, now: float) -> list[Message]:
        """Take in a message; what is to be said to it. Whether there are new topics tells `topics`.

        A turn is told to the daemon before it is on disk, which takes longer than all else: it can be heard again until
        the other seat hears of it, by what is `due`.
        """
        if len(payload) > LARGEST:
            return self._refuse()
        if listened(self.pairing.greets(self._other), topic):
            return self._greeted(read_greeting(self.pairing.word_key, topic, payload), now)
        said_there = unseal(self._key, topic, payload) if self._key else b""
        if not said_there:
            return self._refuse() if self._key else []
        try:
            if topic == self.pairing.states(self._other):
                return self._heard(json.decode(said_there, type=State), now)
            self._here = json.decode(said_there, type=Status).here
        except ValidationError:
            version = _version(said_there)
            self._fault = said("link-version", version=version) if version != VERSION else said("link-illegal")
        return []

    def _refuse(self) -> list[Message]:
        """Something that the other table has not said."""
        self._bad += 1
        if self._bad > MOST_BAD:
            self._fault = said("link-strangers", count=self._bad // MOST_BAD * MOST_BAD)
        return []

    def _greeted(self, greeting: Greeting | None, now: float) -> list[Message]:
        """A table has greeted from the other seat: it is the partner, if there is none yet."""
        if not greeting or greeting.seat != self._other:
            return self._refuse()
        if greeting.v != VERSION:
            self._fault = said("link-version", version=greeting.v)
        elif greeting.partner not in ("", self.pairing.table):
            self.over, self._fault = True, said("link-taken")
        elif self.pairing.partner:
            if greeting.table != self.pairing.partner.table or greeting.public != self.pairing.partner.public:
                self._refuse()
        elif greeting.terms != self.pairing.terms:
            self._fault = fault_said("terms")
        else:
            return self._pair(greeting, now)
        return []

    def _pair(self, greeting: Greeting, now: float) -> list[Message]:
        """Keep to this table from now on."""
        pairing = replace(self.pairing, partner=greeting)
        try:
            write_pairing(self._path, pairing)
        except OSError as error:
            self._fault = said("link-unkept", fault=error.strerror or str(error))
            return []
        self.pairing, self._key = pairing, pairing.pair_key()
        return self.connected(now)

    def _heard(self, state: State, now: float) -> list[Message]:
        before = self.agreement.mine
        fault = self.agreement.hear(state)
        if fault not in ("", "old"):
            self._fault = fault_said(fault)
            return []
        if not fault:
            self._fault = None
        changed = self.agreement.mine.number != before.number
        self._unkept = True
        if changed or state.wants:
            self._again = now
        elif self.agreement.acknowledged:
            self._again = inf
        return []

    def _keep(self, now: float) -> list[Message]:
        """Nothing need be said, but what was heard is to be on disk."""
        try:
            self._outbox.keep(self.agreement.saved)
        except OSError:
            return self._state(now)
        self._unkept = False
        return []

    # What the table wants -----------------------------------------------------------------------

    def asked(self, packet: bytes, now: float) -> list[Message]:
        """The same as `obey`, of what is asked by a packet."""
        request = unpack(REQUESTS, packet)
        return self.obey(request, now) if request else []

    def obey(self, request: AnyRequest, now: float) -> list[Message]:
        """Do what this table wants, unless the score is another one by now; what is to be said."""
        agreement = self.agreement
        if request.at != len(agreement.mine.log):
            return []
        before = agreement.mine
        if isinstance(request, Tick):
            self._ticking = Ticking(request.at, request.used, now, request.runs)
            return self._state(now) if self._running(now) else []
        if isinstance(request, Play):
            agreement.play(request.turn, request.spent)
        elif isinstance(request, Flag):
            agreement.flag()
        elif isinstance(request, Want):
            wished = agreement.mine.asked
            if not wished or (wished.what, wished.keep) != (request.what, request.keep):
                agreement.ask(request.what, request.keep)
        elif isinstance(request, Answer) and agreement.asked and agreement.asked.number == request.number:
            agreement.answer(grant=request.grant)
        return self._state(now) if agreement.mine != before else []

    @property
    def told(self) -> bytes:
        """How the game stands, as a packet."""
        return pack(self.agreed)

    @property
    def agreed(self) -> Agreed:
        """How the game stands, for the table."""
        agreement = self.agreement
        sheet, log = agreement.standing.sheet, agreement.mine.log
        ended = Ended(log[-1].what, log[-1].number) if sheet.called_off else None
        if sheet.clock and sheet.clock.late is not None and sheet.called_off:
            ended = Ended("flagged", sheet.clock.late)
        return Agreed(
            entries=len(log),
            games=agreement.standing.games,
            turns=agreement.standing.texts,
            ended=ended,
            left=sheet.clock.left if sheet.clock else None,
            parted=self._parted(),
            asked=agreement.asked,
            wished=agreement.mine.asked,
            refusals=agreement.refusals,
            paired=self.pairing.partner is not None,
            here=self._connected and self._here,
            reached=agreement.acknowledged,
            fault=self._fault,
        )

    def _parted(self) -> int | None:
        """The number of the turn in which the scores part."""
        agreement = self.agreement
        if agreement.parted is None or not agreement.other:
            return None
        log = agreement.mine.log[: common(agreement.mine.log, agreement.other.log)]
        return sum(entry.what == "turn" for entry in log) + 1


def _version(data: bytes) -> int:
    """The version of a state whose form is not known; 0 if it tells none."""
    try:
        found = json.decode(data, type=dict[str, object]).get("v", 0)
    except DecodeError:
        return 0
    return found if isinstance(found, int) else 0


FAULTS: dict[Fault, str] = {"version": "link-version", "terms": "link-terms", "table": "link-taken"}


def fault_said(fault: Fault) -> Said:
    """Why a state of the other table was refused."""
    return said(FAULTS.get(fault, "link-illegal"))
