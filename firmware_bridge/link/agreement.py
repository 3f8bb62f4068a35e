"""What two seats of a linked game agree upon, whatever becomes of the line between them. Pure: no network, no clock.

Each seat has a log (`states`), publishes it whole as often as it likes, and takes in what it hears of the other's.

 1. *Only the seat to move writes.* Who that is follows from the log itself. So two logs are the same as far as the
    shorter one goes, and the longer one is right.
 2. *What touches both* is asked for, and granted: turns taken back, a draw, another game. Consent lies beside the log;
    the seat to move writes down what follows from it. If it makes a turn instead, what was asked for lapses. To resign
    needs no consent, and the seat to move writes it for the other one, too.
 3. *A turn that was another one.* A table may find that the hand meant another turn. While the other seat has written
    nothing it grants that by itself.
 4. *Nothing is invented.* What the other seat may not have written is refused: turns of this seat, or what it never
    consented to; unless this seat has lost its memory, which the other's acknowledgement proves.
 5. *Where scores part*, which takes a lost memory or a copied one, both seats see the same place and write nothing more
    until both have asked to go back to it (``mend``).
 6. *Clocks.* An entry has the time that its turn took at the table where it was made. That is all the time there is:
    how long the line takes, or is gone, costs nobody anything. So a player who is away loses none, but gives none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from firmware_bridge.link.states import (
    MOST_ENTRIES,
    VERSION,
    Ask,
    Entry,
    Happening,
    Seat,
    Standing,
    State,
    Terms,
    Wish,
    chained,
    common,
    parting,
)
from games.rules import IllegalTurn

Fault = Literal["", "old", "version", "terms", "table", "seat", "chain", "illegal", "forged"]
"""What is wrong with a state that was heard: nothing; it is an old one; or why it is refused."""

WRITES: dict[Wish, Happening] = {
    "back": "back",
    "amend": "back",
    "draw": "draw",
    "again": "again",
    "resign": "resigned",
}
"""The entry that a wish leads to."""


class Saved(Struct, frozen=True):
    """What a seat keeps on disk: its own state and the other's, as it was heard last."""

    mine: State
    other: State | None = None


class Agreement:
    """One seat's side of it, at the table `table`; goes on from what was `saved`. IllegalTurn if that does not fit.

    `life`: any text that no other run of the program has, of hexadecimal digits.
    """

    def __init__(self, terms: Terms, seat: Seat, table: str, life: str, saved: Saved | None = None) -> None:
        begun = State(seat=seat, table=table, life=life, terms=terms, chain=chained(terms, ()))
        self.mine = replace(saved.mine, life=life) if saved else begun
        self.other: State | None = saved.other if saved else None
        """What was heard of the other seat last."""
        self.refusals = 0
        """How many wishes of this seat were refused."""
        self._replaced: set[Ask] = set()
        """What this seat asked for about the log as it is, before it asked for something else, until the other seat is
        known to have heard of that: it may have carried it out. Without numbers, so that they stay few. Not on disk:
        whatever is heard before the other has heard of this life is trusted."""
        self._away = 1 - seat
        self.standing = Standing(terms, self.mine.log, self._away)

    # What stands --------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """What is to be published."""
        return replace(self.mine, wants=not self.acknowledged)

    @property
    def saved(self) -> Saved:
        """What is to be kept; before it is published."""
        return Saved(self.mine, self.other)

    @property
    def acknowledged(self) -> bool:
        """Whether the other seat has heard all that this one has to say."""
        return self.other is not None and self.other.heard >= self.mine.number

    @property
    def parted(self) -> int | None:
        """Where the two logs part, if they do: then nobody writes."""
        return parting(self.mine, self.other) if self.other else None

    @property
    def moves(self) -> bool:
        """Whether this seat is to move, and may."""
        return self.standing.mover == self.mine.seat and self.parted is None

    @property
    def asked(self) -> Ask | None:
        """What the other seat asks for and was not answered yet."""
        ask = self.other.asked if self.other else None
        if not ask or ask.number <= self.mine.answered:
            return None
        if ask.what == "mend":
            return ask if ask.at == self.parted else None
        return ask if self._meant(ask) else None

    def _meant(self, ask: Ask) -> bool:
        """Whether `ask` is about the score as it stands here."""
        if self.parted is not None:
            return False
        if ask.what == "resign":
            return not self.standing.sheet.outcome
        return ask.at == len(self.mine.log)

    # What this seat does ------------------------------------------------------------------------

    def play(self, text: str, spent: float = 0.0) -> bool:
        """This seat makes the turn `text`, which took `spent` seconds; whether it may."""
        return self.moves and self._write(Entry("turn", text, spent=max(0.0, round(spent, 3))))

    def flag(self) -> bool:
        """The time of this seat, which is to move, is up; whether that can be."""
        return self.moves and self._write(Entry("flagged", number=self.mine.seat))

    def ask(self, what: Wish, keep: int = 0) -> bool:
        """Ask the other seat for something, in place of what was asked for before; whether it makes sense now."""
        parted = self.parted
        sensible = parted is not None if what == "mend" else parted is None and self._sensible(what, keep)
        if not sensible:
            return False
        at = len(self.mine.log) if parted is None else parted
        if self.mine.asked:
            self._replaced.add(replace(self.mine.asked, number=0))
        self._change(asked=Ask(what, at, self._next, keep))
        self._settle()
        return True

    def _sensible(self, what: Wish, keep: int) -> bool:
        """Whether the score is one in which to ask for this."""
        sheet, made = self.standing.sheet, len(self.standing.texts)
        if what in ("draw", "resign"):
            return not sheet.outcome
        if what == "back":
            return keep < made or (keep == made and sheet.called_off)
        return what != "amend" or (not self.moves and keep == made - 1)

    def answer(self, *, grant: bool) -> bool:
        """Grant or refuse what the other seat asks for; whether it asks for anything."""
        ask = self.asked
        if not ask:
            return False
        if ask.what == "mend":
            return grant and self.ask("mend")
        if grant and self.moves:
            return self._carry_out(ask)
        self._change(answered=ask.number, **({"granted": ask} if grant else {}))
        return True

    # What it hears ------------------------------------------------------------------------------

    def hear(self, other: State) -> Fault:
        """Take in a state of the other seat, and do what follows from it; what is wrong with it."""
        if fault := self._fault(other):
            return fault
        known = self.other
        if known and (other.number, other.heard) <= (known.number, known.heard):
            return "old"
        forgot = other.heard > self.mine.number
        remembers = known is not None and known.heard_life == self.mine.life
        if fault := self._adopt(other, trusted=not remembers):
            return fault
        self.other = other
        if self.acknowledged:
            self._replaced.clear()
        if forgot:
            self._change()
        self.mine = replace(self.mine, heard=other.number, heard_life=other.life)
        self._settle()
        return ""

    def _fault(self, other: State) -> Fault:
        mine = self.mine
        if other.v != VERSION:
            return "version"
        if other.seat == mine.seat:
            return "seat"
        if other.terms != mine.terms:
            return "terms"
        if self.other and other.table != self.other.table:
            return "table"
        return "" if chained(other.terms, other.log) == other.chain else "chain"

    def _adopt(self, other: State, *, trusted: bool) -> Fault:
        """Make the other's log this seat's, where it goes on from it; `trusted`: whoever may have written it."""
        mine, mends = self.mine, self.mine.asked
        same = common(mine.log, other.log)
        if (
            other.generation > mine.generation
            and mends
            and mends.what == "mend"
            and same >= mends.at
            and same < len(mine.log)
        ):
            base = mends.at
        elif same == len(mine.log) and other.generation >= mine.generation:
            base = same
        else:
            return ""
        if base == len(mine.log) == len(other.log) and other.generation == mine.generation:
            return ""
        standing = self.standing if base == len(mine.log) else Standing(mine.terms, mine.log[:base], self._away)
        for at, entry in enumerate(other.log[base:], base):
            fault: Fault = "" if trusted or self._may_have_written(standing, entry, at) else "forged"
            try:
                if not fault:
                    standing.add(entry)
            except IllegalTurn:
                fault = "illegal"
            if fault:
                self.standing = Standing(mine.terms, mine.log, self._away)
                return fault
        self.standing = standing
        log = other.log if other.log != mine.log else mine.log
        asked = mends if mends and mends.what == "resign" else None
        self._change(log=log, generation=other.generation, chain=other.chain, asked=asked)
        return ""

    def _may_have_written(self, standing: Standing, entry: Entry, at: int) -> bool:
        """Whether the other seat may have written `entry`, the one of this number, after what stands."""
        if standing.mover == self.mine.seat:
            return False
        if entry.what == "turn":
            return True
        if entry.what == "flagged":
            return entry.number != self.mine.seat
        asked = [ask for ask in (self.mine.asked, *self._replaced) if ask]
        if entry.what == "resigned":
            return entry.number != self.mine.seat or any(ask.what == "resign" for ask in asked)
        consents = [*asked, self.mine.granted] if self.mine.granted else asked
        return any(ask.at == at and WRITES.get(ask.what) == entry.what and ask.keep == entry.number for ask in consents)

    # What follows by itself ---------------------------------------------------------------------

    def _settle(self) -> None:
        """Drop what has lapsed, and write down what both agree upon."""
        if self.parted is not None:
            self._mend(self.parted)
            return
        asked = self.mine.asked
        if asked and not self._meant(asked):
            self._change(asked=None)
        elif asked and self._refused(asked):
            self.refusals += 1
            self._change(asked=None)
        if self.moves:
            for ask in self._agreed():
                self._carry_out(ask)
                return

    def _refused(self, asked: Ask) -> bool:
        """Whether the other seat has answered, and not granted."""
        other = self.other
        return other is not None and other.answered >= asked.number and other.granted != asked

    def _agreed(self) -> Iterator[Ask]:
        """What both seats agree upon, or need not agree upon; this one is to move."""
        mine, theirs = self.mine.asked, self.asked
        if mine and mine.what == "resign":
            yield mine
        if theirs and theirs.what in ("resign", "amend"):
            yield theirs
        if mine and theirs and (mine.what, mine.keep) == (theirs.what, theirs.keep):
            yield theirs
        if mine and self.other and self.other.granted == mine:
            yield mine

    def _carry_out(self, ask: Ask) -> bool:
        """Write what `ask` leads to, as the seat to move."""
        own = ask == self.mine.asked
        resigns = self.mine.seat if own else self._away
        number = resigns if ask.what == "resign" else ask.keep
        answered = self.mine.answered if own else ask.number
        self.mine = replace(self.mine, answered=answered)
        return self._write(Entry(WRITES[ask.what], number=number))

    def _mend(self, parted: int) -> None:
        """Go back to where the scores part, once both have asked for it."""
        mine, theirs = self.mine.asked, self.other and self.other.asked
        wished = mine and theirs and mine.what == theirs.what == "mend" and mine.at == theirs.at == parted
        if not wished or not self.other:
            return
        log = self.mine.log[:parted]
        self.standing = Standing(self.mine.terms, log, self._away)
        generation = max(self.mine.generation, self.other.generation) + 1
        self._change(log=log, chain=chained(self.mine.terms, log), generation=generation)

    # Changes ------------------------------------------------------------------------------------

    def _write(self, entry: Entry) -> bool:
        """Add an entry to the log; whether the rules allow it."""
        if len(self.mine.log) >= MOST_ENTRIES:
            return False
        try:
            self.standing.add(entry)
        except IllegalTurn:
            return False
        log = (*self.mine.log, entry)
        self._change(log=log, chain=chained(self.mine.terms, log), asked=None)
        return True

    @property
    def _next(self) -> int:
        """The number of the next state: above any that the other seat has heard, though this one has forgotten it."""
        return max(self.mine.number, self.other.heard if self.other else 0) + 1

    def _change(self, **changes: object) -> None:
        if "log" in changes:
            self._replaced.clear()
        self.mine = replace(self.mine, number=self._next, **changes)
