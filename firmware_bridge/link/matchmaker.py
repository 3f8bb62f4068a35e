"""The process by which a table meets another one: it makes a pairing, and ends. `meeting.py` has what it is asked."""

from __future__ import annotations

import select
import socket
from contextlib import suppress
from pathlib import Path
from time import monotonic

from msgspec import json
from msgspec.structs import replace

from firmware_bridge.link.courier import Message, kept_standing
from firmware_bridge.link.line import LONGEST_PAUSE, SHORTEST_PAUSE, TICK, Line, Lost, find, greet
from firmware_bridge.link.meeting import (
    REQUESTS,
    Agreeing,
    AnyRequest,
    AnyTask,
    Inviting,
    Joining,
    Stage,
    Task,
    Withdrawing,
)
from firmware_bridge.link.news import LARGEST, Said, pack, said, unpack
from firmware_bridge.link.pairing import (
    Broker,
    Greeting,
    LinkError,
    Pairing,
    broker_of,
    heard,
    listened,
    new_pairing,
    new_secret,
    read_greeting,
    read_pairing,
    renew_pairing,
    seal,
    wrong,
)
from firmware_bridge.link.states import VERSION
from firmware_bridge.worker import Pulse
from games.rules import OptionError

TAKES_BACK = 3.0
"""Seconds that the broker has to forget a greeting; a guess, shorter than the daemon waits for it."""


class Gone(Exception):
    """The daemon has ended, or has no use for this process any more."""


class Withdrawn(Exception):
    """Nobody wants the other table any more."""


class Matchmaker:
    """Makes the pairing at `path` as the `daemon` at the other end of a socket pair asks."""

    def __init__(self, path: Path, daemon: socket.socket) -> None:
        self._path, self._daemon = path, daemon
        self._pulse = Pulse(daemon)
        self._told: Stage | None = None

    def run(self) -> None:
        """Do what the daemon asks, tell how it went, and stay until it has heard that."""
        with suppress(Gone):
            self._tell(self._done())
            while True:
                self._request()

    def _done(self) -> Stage:
        """Do it; the last stage. Gone."""
        try:
            task = self._request()
            if isinstance(task, AnyTask):
                return self._do(task)
        except Withdrawn:
            pass
        except LinkError as error:
            reason = error.reason
            return Stage(state="failed", fault=(reason.id, reason.values))
        except OSError as error:
            fault = said("link-unkept", fault=error.strerror or str(error))
            return Stage(state="failed", fault=fault)
        return Stage(state="withdrawn")

    def _do(self, task: AnyTask) -> Stage:
        """The pairing that is wanted; LinkError, OSError, Withdrawn, Gone."""
        if isinstance(task, Inviting):
            return self._invite(task)
        if isinstance(task, Joining):
            return self._join(task)
        pairing = read_pairing(self._path)
        try:
            standing = kept_standing(pairing, self._path)
        except OptionError as error:
            raise wrong("no-game", fault=str(error)) from None
        self._find(pairing)
        return met(pairing, standing.games, standing.texts)

    # Inviting -----------------------------------------------------------------------------------

    def _invite(self, task: Inviting) -> Stage:
        pairing = new_pairing(wanted_broker(task, task.broker), new_secret(), task.seat, task.terms)
        greet(pairing)
        address = f"{pairing.broker.url}/#{pairing.words}"
        pairing = self._await(pairing, Stage(state="waiting", words=pairing.words, address=address))
        renew_pairing(self._path, pairing)
        return met(pairing)

    def _await(self, pairing: Pairing, stage: Stage) -> Pairing:
        """The pairing with the table that greets from the other seat. The line is made anew as often as it breaks."""
        other: list[Greeting] = []
        topic = pairing.greets(1 - pairing.seat)

        def hear(came: str, payload: bytes) -> None:
            greeting = read_greeting(pairing.word_key, came, payload) if listened(topic, came) else None
            other.extend([greeting] if greeting else [])

        line: Line | None = None
        pause, due = SHORTEST_PAUSE, monotonic()
        while True:
            self._tell(stage)
            try:
                if not line and monotonic() >= due:
                    line = Line(pairing.broker, f"tablelight-{pairing.table}", hear)
                    line.open()
                    line.listen((topic,))
                    line.say([greeting_of(pairing)])
                    pause, stage = SHORTEST_PAUSE, replace(stage, fault=None)
                if self._waited(line):
                    self._request()
                while other:
                    greeting = other.pop(0)
                    if fault := strange(pairing, greeting):
                        stage = replace(stage, fault=fault)
                    elif line:
                        line.close()
                        return replace(pairing, partner=greeting)
            except Lost as lost:
                line, stage = None, replace(stage, fault=lost.fault)
                due, pause = monotonic() + pause, min(2 * pause, LONGEST_PAUSE)
            except (Withdrawn, Gone):
                take_back(pairing, line)
                raise

    def _waited(self, line: Line | None) -> bool:
        """Wait a little for the broker and for the daemon: whether the daemon has said something."""
        self._pulse()
        if line:
            return bool(line.wait(TICK, [self._daemon]))
        return bool(select.select([self._daemon], [], [], TICK)[0])

    # Joining ------------------------------------------------------------------------------------

    def _join(self, task: Joining) -> Stage:
        broker, mark, words = task.words.strip().rpartition("#")
        secret = heard(words)
        pairing: Pairing = find(wanted_broker(task, broker if mark else task.broker), secret)
        self._find(pairing)
        greet(pairing)
        renew_pairing(self._path, pairing)
        return met(pairing)

    def _find(self, pairing: Pairing) -> None:
        """Tell what would be played, and wait for the daemon's word; Withdrawn, Gone."""
        self._tell(Stage(state="found", terms=pairing.terms, seat=pairing.seat))
        while not isinstance(self._request(), Agreeing):
            pass

    # The daemon ---------------------------------------------------------------------------------

    def _request(self) -> AnyRequest | None:
        """The next thing that the daemon asks; Withdrawn if it is that, Gone once it has ended."""
        while not select.select([self._daemon], [], [], TICK)[0]:
            self._pulse()
        try:
            data = self._daemon.recv(LARGEST)
        except ConnectionResetError:  # it has left beats unread
            data = b""
        if not data:
            raise Gone
        request = unpack(REQUESTS, data)
        if isinstance(request, Withdrawing):
            raise Withdrawn
        return request

    def _tell(self, stage: Stage) -> None:
        """Tell the daemon how far it is, if that is new; Gone."""
        if stage == self._told:
            return
        try:
            self._daemon.send(pack(stage))
        except OSError:
            raise Gone from None
        self._told = stage


def met(pairing: Pairing, games: int = 0, turns: tuple[str, ...] = ()) -> Stage:
    """The stage at which the pairing is kept."""
    return Stage(state="met", terms=pairing.terms, seat=pairing.seat, games=games, turns=turns)


def wanted_broker(task: Task, text: str) -> Broker:
    """The broker at the address `text`, without one that of the configuration; LinkError.

    What the configuration has of certificates and passwords is for its own broker: no other is shown it.
    """
    club = task.club
    if not (text or club.broker):
        raise wrong("no-broker")
    known = broker_of(club.broker, club.ca, club.user, club.password_file)[0] if club.broker else None
    typed = broker_of(text)[0] if text else known
    assert typed
    same = known and (known.host, known.port, known.safe) == (typed.host, typed.port, typed.safe)
    return known if known and same else typed


def greeting_of(pairing: Pairing) -> Message:
    """The greeting of this table, for the broker to keep."""
    topic = pairing.greets(pairing.seat)
    return Message(topic, seal(pairing.word_key, topic, json.encode(pairing.greeting)))


def strange(pairing: Pairing, greeting: Greeting) -> Said | None:
    """Why the table that has greeted from the other seat is not the one to play with; None if it is."""
    if greeting.seat == pairing.seat:
        return said("link-illegal")
    if greeting.v != VERSION:
        return said("link-version", version=greeting.v)
    if greeting.partner not in ("", pairing.table):
        return said("link-taken")
    return said("link-terms") if greeting.terms != pairing.terms else None


def take_back(pairing: Pairing, line: Line | None) -> None:
    """Let the broker forget the greeting, as far as it can be reached: nobody is to join any more."""
    if not line:
        return
    with suppress(Lost, OSError):
        line.say([Message(pairing.greets(pairing.seat), b"")])
        until = monotonic() + TAKES_BACK
        while not line.said and monotonic() < until:
            line.wait(0.05)
    line.close()
