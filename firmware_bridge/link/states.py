"""What a seat of a linked game publishes: states, as JSON. Each is whole, so that the next makes up for lost ones.

A *seat* is the table at which player 0 or 1 sits. Its *log* is all that has been agreed: turns, and what is no turn but
changes the score. The form is a contract with other programs; `VERSION` counts up when it is no longer understood.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Literal

from msgspec import Meta, Struct, json

from firmware_bridge.clocks import LONGEST, clocks
from firmware_bridge.score import ScoreSheet
from games.rules import Game, IllegalTurn, Position, Reason, load, play, say

VERSION = 1
"""The version of the states; it is also part of their topics."""
MOST_ENTRIES = 4000
"""Entries of a log at most; a guess: an evening of twenty long games."""
LARGEST = 1 << 18
"""Bytes of a state at most: what `MOST_ENTRIES` take, with room for the longest turns."""


Seat = Literal[0, 1]
Name = Annotated[str, Meta(max_length=40)]
Number = Annotated[int, Meta(ge=0, le=1 << 40)]
Key = Annotated[str, Meta(pattern="^[0-9a-f]{0,64}$")]
Seconds = Annotated[float, Meta(ge=0, le=1e6)]
Happening = Literal["turn", "back", "draw", "resigned", "flagged", "again"]
"""What an entry tells: a turn; turns taken back; the game drawn, resigned or lost on time; a new game."""
Wish = Literal["back", "amend", "draw", "resign", "again", "mend"]
"""What a seat asks the other one for. *amend*: the turn just made was another one; *mend*: both go back to where their
scores part."""


class Entry(Struct, frozen=True, array_like=True):
    """One line of a log, written by the seat that was to move.

    `text`: of a turn. `number`: of ``back`` how many chosen turns stay, of ``resigned`` and ``flagged`` whose game it
    was. `spent`: seconds that the turn took its player.
    """

    what: Happening
    text: Name = ""
    number: Number = 0
    spent: Seconds = 0.0


class Ask(Struct, frozen=True, array_like=True):
    """What a seat asks for. `at`: the length of the log for which it is meant; `keep` as `Entry.number` of ``back``.

    `number` tells it from other asks of the seat, and counts up.
    """

    what: Wish
    at: Number
    number: Number
    keep: Number = 0


class Running(Struct, frozen=True, array_like=True):
    """The clock of the seat to move: seconds that the turn in hand had used up when this was published, and whether it
    runs on."""

    used: Seconds
    runs: bool


class Terms(Struct, frozen=True):
    """What is played; `options` are all that the game has, those left at their usual value among them."""

    game: Name
    options: Annotated[dict[Name, int | Name], Meta(max_length=8)] = {}
    house_rule: bool = True
    clock: Annotated[str, Meta(max_length=LONGEST)] = ""

    def load(self) -> Game[Position]:
        """The game; OptionError."""
        return load(self.game, **self.options)

    def sheet(self, away: int | None = None, game: Game[Position] | None = None) -> ScoreSheet:
        """The score sheet at the start; OptionError. `away`: the side that plays at the other table.

        `game`: the game, if it is loaded already.
        """
        return ScoreSheet(game or self.load(), house_rule=self.house_rule, clock=clocks(self.clock), away=away)


class State(Struct, frozen=True, kw_only=True):
    """What a seat publishes."""

    v: int = VERSION
    seat: Seat
    table: Key
    """Which table it is."""
    life: Key
    """Which run of its program: within one nothing is forgotten."""
    terms: Terms
    number: Number = 0
    """Counts up with each change of what follows, but for what was heard, and `wants`."""
    generation: Number = 0
    """How often both have gone back to where their scores parted."""
    log: Annotated[tuple[Entry, ...], Meta(max_length=MOST_ENTRIES)] = ()
    chain: Key = ""
    """The hash of terms and log, see `chained`."""
    asked: Ask | None = None
    granted: Ask | None = None
    """The other's ask that was granted last; the seat to move carries it out."""
    answered: Number = 0
    """The number of the other's ask that was answered last, whatever the answer."""
    heard: Number = 0
    """The number of the other's state that was heard last."""
    heard_life: Key = ""
    """And in which life of it."""
    wants: bool = True
    """Whether the other one has not acknowledged this yet."""
    clock: Running | None = None
    """Told by the seat to move once its clock has run in this turn, for those who look on: nobody's time follows from
    it, and `number` does not count it."""


def chained(terms: Terms, log: tuple[Entry, ...]) -> str:
    """The hash of a log: each entry is hashed with what came before it, the terms first."""
    link = sha256(json.encode(terms, order="sorted")).digest()
    for entry in log:
        link = sha256(link + json.encode(entry)).digest()
    return link.hex()


def common(one: tuple[Entry, ...], other: tuple[Entry, ...]) -> int:
    """How many entries two logs begin with in common."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def parting(one: State, other: State) -> int | None:
    """Where two scores part, so that neither goes on; None while one may become the other. Symmetric.

    The seat of the lower generation has not heard yet that both go back, or has forgotten it. It follows if it has
    asked for that, or if it has nothing of its own.
    """
    at = common(one.log, other.log)
    if one.log == other.log:
        return None
    low, high = (one, other) if one.generation <= other.generation else (other, one)
    if low.generation == high.generation:
        return None if at == min(len(one.log), len(other.log)) else at
    mends = low.asked if low.asked and low.asked.what == "mend" else None
    follows = at == len(low.log) or (mends and at >= mends.at)
    return None if follows else at


class Standing:
    """The score that a log tells: `sheet` is that of the game in hand, the `games`-th of the evening, from 0 on.

    `away`: the side that plays at the other table.
    """

    def __init__(self, terms: Terms, log: tuple[Entry, ...] = (), away: int | None = None) -> None:
        self.terms, self._away = terms, away
        self.games = 0
        self.sheet = terms.sheet(away)
        for entry in log:
            self.add(entry)

    @property
    def mover(self) -> int:
        """The seat that is to move, and alone writes the next entry; after the end it is the one that would be."""
        return self.sheet.position.side

    @property
    def chosen(self) -> list[int]:
        """The places of the turns on the sheet that were chosen, and not forced."""
        return [place for place, entry in enumerate(self.sheet.played_turns) if not entry.forced]

    @property
    def texts(self) -> tuple[str, ...]:
        """The turns that were chosen."""
        return tuple(self.sheet.played_turns[place].turn.text for place in self.chosen)

    def add(self, entry: Entry) -> None:
        """Go on with `entry`; IllegalTurn, and nothing is changed, if the rules refuse it."""
        sheet = self.sheet
        if entry.what == "again":
            self.games, self.sheet = self.games + 1, self.terms.sheet(self._away)
        elif entry.what == "back":
            self._back(entry.number)
        elif sheet.outcome:
            raise IllegalTurn(Reason("table.over"))
        elif entry.what == "turn":
            self._turn(entry)
        elif entry.what == "draw":
            sheet.agree()
        elif entry.number not in (0, 1) or (entry.what == "flagged" and not sheet.clock):
            raise IllegalTurn(Reason("table.link-no-entry"))
        else:
            (sheet.resign if entry.what == "resigned" else sheet.flag)(entry.number)

    def _turn(self, entry: Entry) -> None:
        """A turn, which has taken its player so long: the clocks of both tables come to the same."""
        sheet = self.sheet
        turn = next((turn for turn in sheet.turns if turn.text == entry.text), None)
        if not turn:
            play(sheet.game, sheet.position, entry.text)
            raise IllegalTurn(Reason("table.over"))
        sheet.begin_clock()
        sheet.accept(turn, entry.spent)
        sheet.hold_clock()
        if sheet.clock and sheet.clock.late is not None and not sheet.outcome:
            sheet.flag(sheet.clock.late)

    def _back(self, keep: int) -> None:
        """All chosen turns after the first `keep` are taken back; all stay where only a word has ended the game."""
        chosen = self.chosen
        if keep < len(chosen):
            self.sheet.back_to(chosen[keep])
            self.sheet.hold_clock()
        elif keep == len(chosen) and self.sheet.called_off:
            self.sheet.go_on()
        else:
            raise IllegalTurn(Reason("table.link-no-entry"))


say("table", link_no_entry="This cannot follow in a linked game.")
