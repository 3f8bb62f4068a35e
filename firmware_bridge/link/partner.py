"""The other table at this one: its turns are lit, and carried out by a hand here; what is made here is sent to it.

The partner takes the place of the engine's assistant at a daemon. What both tables agree upon comes from the process of
the line; this makes the table's own score equal to it:

 1. A turn of the other seat that is missing here is planned, like the engine's. So is one of this seat that has to be
    made once more.
 2. A turn that was made here is sent. If the table finds afterwards that it was another one, the other table is told.
    If a hand takes it back, the other table is asked for that.
 3. Where the scores differ otherwise the agreed one is right: the table goes back to where they begin to differ.
 4. Undo, a draw and another game are asked for, until the process has heard it: that drops what is meant for a score
    which is not its own any more, or not yet. What the other table asks for, Done grants and Undo refuses; that, too,
    is told until the process has taken it in.
 5. While the other table is away this one goes on as far as its own turn.
 6. When the clock of this table's player begins to run, or stands, the process is told, for those who look on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Literal

from firmware_bridge.engine.advice import Shown, plans
from firmware_bridge.events import Event
from firmware_bridge.link.news import AGREED, LARGEST, Agreed, Answer, AnyRequest, Flag, Play, Tick, Want, pack, unpack
from firmware_bridge.link.states import Wish
from firmware_bridge.score import TIMED_OUT, PlayedTurn
from firmware_bridge.table import Table
from firmware_bridge.verdict import AtRest
from firmware_bridge.worker import Worker
from games.rules import IllegalTurn, Reason, play, say

ONCE_MORE = 2.0
"""Seconds after which the process is told again what it has not done; a guess."""
UNHEARD = 10.0
"""Seconds for which the other table may be away before that is said; a guess: a broker that starts anew is quicker."""
PACKETS_PER_SCAN = 4
"""Packets that are read after one scan at most; guessed."""
TICKS = 1.0
"""Seconds after which it is told again at the earliest that the clock runs or stands; a guess."""
ASKED: dict[Wish, str] = {"back": "link-asks-back", "draw": "link-asks-draw", "again": "link-asks-again"}
"""What is said when the other table asks for something."""
UNREACHED = "table.link-unreached"
"""What is told of a broker that is gone; it is said only once it has been for a while."""
Ending = Literal[0, 1] | None


class Partner:
    """The other table, reached by the process of the pairing at `path`; `games` came before the one at this table.

    `open_line` opens what reaches it, if that is not the usual process.
    """

    hint = None
    """Whoever plays somebody else is not helped."""
    whisper = None

    def __init__(self, path: Path, games: int = 0, open_line: Callable[[Path], Worker] | None = None) -> None:
        self.path, self._open_line = path, open_line or line_process
        self.worker = self._open_line(path)
        self.shown: Shown = "off"
        self.agreed: Agreed | None = None
        """What was told last of how the game stands."""
        self.games = games
        self._sent: tuple[AnyRequest, int] | None = None
        self._due = -inf
        """What the process was told last, and which process by the worker's count; when it is told once more."""
        self._reached = 0
        """How many of the turns that are agreed, or that the process was told, this table has had at the most."""
        self._wanted: tuple[Wish, int] | None = None
        """What players have asked for, with how many turns are to stay, until the process has it."""
        self._answered: tuple[int, bool] | None = None
        """What players have answered: to which ask, by its number, and whether they grant it; until the process has
        it."""
        self._followed: object = None
        """The score and what is agreed, as they were when they were last compared."""
        self._waiting = False
        """Whether they do not agree yet."""
        self._ticked: object = None
        """The clock of this table's player as it was told last."""
        self._tick_due = -inf
        """When it may be told again."""
        self._asked = self._refusals = 0
        self._declined = False
        """Whether a wish of this table was refused, which was not said yet."""
        self._away_since: float | None = None
        self._greeted = self._told_away = False
        self._fault = ""
        self._parted: int | None = None

    @property
    def away(self) -> bool:
        """Whether the other table has been away for a while, which was said."""
        return self._told_away

    @property
    def asks(self) -> bool:
        """Whether the other table waits for Done here, or Undo: it asks for something, or the scores part."""
        agreed = self.agreed
        return bool(agreed and (agreed.parted is not None or (agreed.asked and agreed.asked.what in ASKED)))

    @property
    def another(self) -> bool:
        """Whether another game is to begin here, as both have agreed."""
        return self.agreed is not None and self.agreed.games > self.games

    def following(self) -> Partner:
        """The other table in the next game."""
        return Partner(self.path, self.games + 1, self._open_line)

    def show(self, shown: Shown) -> None:
        """Hints are never shown."""
        del shown

    def want(self, table: Table, *, whispered: bool = False) -> list[Event]:
        """The Hint button was pressed: what the other table has played, or asks for, once more."""
        del whispered
        if table.planned:
            return [plans(table, table.planned)]
        if self.agreed and self.agreed.asked:
            return self._question(table, self.agreed)
        return [Event.of("link-no-hint")]

    def close(self) -> None:
        """End the process: what it has to say is on its disk."""
        self.worker.close()

    # Each scan ----------------------------------------------------------------------------------

    def see(self, table: Table, now: float) -> list[Event]:
        """Follow the table, and what is agreed with the other one, at `now` (seconds)."""
        events = self._listen(table, now)
        if loss := self.worker.news():
            events.append(Event.of(f"helper-{loss}", program="program.link"))
        if not self.agreed or self.another:
            return events
        events += [
            *self._presence(table, self.agreed, now),
            *self._troubles(self.agreed),
            *self._questions(table, self.agreed),
        ]
        self._tell_clock(table, self.agreed, now)
        sheet = table.sheet
        # The position tells a turn that takes the place of another: the score has a new one for each.
        present = (self.agreed, sheet.position, sheet.length, sheet.outcome, table.setting, table.planned)
        if present == self._followed and not (self._waiting and now >= self._due):
            return events
        self._followed = present
        return [*events, *self._follow(table, self.agreed, now)]

    def _listen(self, table: Table, now: float) -> list[Event]:
        """Take in what the process tells."""
        events: list[Event] = []
        if not self.worker.alive(now):
            return events
        for _ in range(PACKETS_PER_SCAN):
            data = self.worker.receive()
            if not data:
                break
            if (agreed := unpack(AGREED, data)) is None:
                continue
            before, self.agreed = self.agreed, agreed
            self._declined = self._declined or (before is not None and declined(before, agreed))
            if before and before.games == agreed.games == self.games:
                events += self._go_back(table, before, agreed, now)
        return events

    def _go_back(self, table: Table, before: Agreed, agreed: Agreed, now: float) -> list[Event]:
        """What was agreed before is so no longer: turns that are taken back, or a game that goes on."""
        if before.ended and not agreed.ended and len(agreed.turns) == len(before.turns):
            return table.undo(now) if table.sheet.called_off else []
        kept = next((at for at, (a, b) in enumerate(zip(before.turns, agreed.turns, strict=False)) if a != b), None)
        kept = min(len(before.turns), len(agreed.turns)) if kept is None else kept
        if kept == len(before.turns):
            return []
        made = chosen(table)
        self._reached = min(self._reached, kept)
        if kept >= len(made) or not self._is(made[kept], before.turns[kept], table):
            return []
        return table.back_to(table.sheet.played_turns.index(made[kept]), now)

    # The score ----------------------------------------------------------------------------------

    def _is(self, entry: PlayedTurn, text: str, table: Table) -> bool:
        """Whether `entry` is the turn `text`, or one with the same result."""
        if entry.turn.text == text:
            return True
        try:
            return play(table.game, entry.position, text) == entry.turn.after
        except IllegalTurn:
            return False

    def _follow(self, table: Table, agreed: Agreed, now: float) -> list[Event]:
        """Make the score of the table and what is agreed one."""
        made = chosen(table)
        same = 0
        for entry, text in zip(made, agreed.turns, strict=False):
            if not self._is(entry, text, table):
                break
            same += 1
        self._reached = max(self._reached, same)
        ahead, missing = made[same:], agreed.turns[same:]
        self._waiting = bool(ahead or missing or agreed.wished or self._wanted or self._answered)
        goes_on = agreed.parted is None and not agreed.ended
        if len(ahead) == 1 and not missing and goes_on and self._mine(ahead[0], table):
            clock = ahead[0].clock
            self._send(Play(agreed.entries, ahead[0].turn.text, clock.used if clock else 0.0), now)
            self._reached = max(self._reached, same + 1)
            return []
        if self._asks(table, agreed, now) or agreed.parted is not None:
            return []
        if len(ahead) == len(missing) == 1 and self._mine(ahead[0], table) and self._reached > same:
            return self._wish("amend", same, agreed, now)
        if ahead:
            return table.back_to(table.sheet.played_turns.index(ahead[0]), now)
        if missing:
            return self._catch_up(table, agreed, same, now)
        return self._end(table, agreed, now)

    def _mine(self, entry: PlayedTurn, table: Table) -> bool:
        return entry.position.side != table.sheet.away

    def _catch_up(self, table: Table, agreed: Agreed, same: int, now: float) -> list[Event]:
        """A turn that is agreed is missing here: a hand is to make it, unless a hand has just taken it back."""
        sheet = table.sheet
        if sheet.outcome:  # by a word that does not count
            return table.undo(now) if sheet.called_off else []
        own = sheet.position.side != sheet.away
        if own and len(agreed.turns) == same + 1 and self._reached > same:
            return self._wish("back", same, agreed, now)
        if table.setting or table.planned:
            return []
        turn = next((turn for turn in sheet.turns if turn.text == agreed.turns[same]), None)
        return [plans(table, turn), *table.plan(turn)] if turn else []

    def _end(self, table: Table, agreed: Agreed, now: float) -> list[Event]:
        """All turns agree: so are the clocks to, and what has ended the game."""
        sheet, ended = table.sheet, agreed.ended
        if sheet.clock and agreed.left and (sheet.clock.left != agreed.left or sheet.clock.late == sheet.away):
            sheet.clock = replace(sheet.clock, left=agreed.left, late=None)
        if ended and not sheet.outcome:
            if ended.how == "draw":
                return table.agree()
            return table.resign(ended.side) if ended.how == "resigned" else table.flag(ended.side)
        if sheet.called_off and not ended and sheet.outcome and sheet.outcome.reason.id == TIMED_OUT:
            self._waiting = True
            self._send(Flag(agreed.entries), now)
        return []

    def _asks(self, table: Table, agreed: Agreed, now: float) -> bool:
        """Answer, and ask for what players want; whether the process has still to take it in."""
        if self._answered:
            number, grant = self._answered
            if agreed.asked and agreed.asked.number == number:
                self._send(Answer(agreed.entries, number, grant), now)
                return True
            self._answered = None
        if not self._wanted:
            return False
        (what, keep), wished, made = self._wanted, agreed.wished, len(agreed.turns)
        sensible: object = {
            "back": keep < made or (keep == made and agreed.ended is not None),
            "again": True,
            "mend": agreed.parted is not None,
        }.get(what, not (agreed.ended or table.sheet.outcome))
        if (wished and (wished.what, wished.keep) == self._wanted) or not sensible:
            self._wanted = None
            return False
        self._send(Want(agreed.entries, what, keep), now)
        return True

    def _wish(self, what: Wish, keep: int, agreed: Agreed, now: float) -> list[Event]:
        """Ask the other table for this, and say so once."""
        wished = agreed.wished
        if wished and (wished.what, wished.keep) == (what, keep):
            return []
        new = self._send(Want(agreed.entries, what, keep), now)
        return [Event.of("link-asked")] if new and what != "amend" else []

    def _want(self, what: Wish, keep: int) -> list[Event]:
        """The same by a button, which is answered each time; it is asked for after the next scan."""
        self._wanted, self._followed = (what, keep), None
        return [Event.of("link-asked")]

    def _send(self, request: AnyRequest, now: float) -> bool:
        """Tell the process, once more if it does not follow; whether it is told for the first time."""
        sent = request, self.worker.starts
        new = self._sent is None or self._sent[0] != request
        if sent != self._sent or now >= self._due:
            self._due = now + ONCE_MORE
            if self.worker.send(pack(request)):
                self._sent = sent
        return new

    def _tell_clock(self, table: Table, agreed: Agreed, now: float) -> None:
        """Tell the process whether the clock of this table's player runs, if that has changed in the turn in hand."""
        clock = table.sheet.clock
        if not clock or clock.side == table.sheet.away or now < self._tick_due:
            return
        ticks = agreed.entries, clock.used, clock.since, self.worker.starts
        new = clock.since is not None or clock.used > 0
        if new and ticks != self._ticked:
            self._tick_due = now + TICKS
            if self.worker.send(pack(Tick(agreed.entries, clock.stop(now).used, clock.since is not None))):
                self._ticked = ticks

    # What players want --------------------------------------------------------------------------

    def press(self, button: str, table: Table) -> list[Event] | None:
        """Done or Undo was pressed; None where the table itself is to see to it."""
        agreed = self.agreed
        if not agreed or (button == "done" and not isinstance(table.verdict, AtRest) and not table.setting):
            return None if button == "done" else [Event.of("link-waits")]
        if agreed.asked and agreed.asked.what in ASKED:
            return self._answer(agreed, grant=button == "done")
        if button == "done":
            return self._done(table, agreed)
        if table.planned and table.sheet.here and len(chosen(table)) == len(agreed.turns):  # a program's, not made yet
            return None
        if table.sheet.called_off:
            return self._want("back", len(agreed.turns))
        own = [number for number, entry in enumerate(chosen(table)) if self._mine(entry, table)]
        return self._want("back", own[-1]) if own else [Event.of("nothing-undone")]

    def _done(self, table: Table, agreed: Agreed) -> list[Event] | None:
        if agreed.parted is not None:
            return self._want("mend", 0)
        return self.again() if table.sheet.outcome and not table.setting else None

    def again(self) -> list[Event]:
        """Another game is wanted."""
        agreed = self.agreed
        if agreed and agreed.asked and agreed.asked.what == "again":
            return self._answer(agreed, grant=True)
        return self._want("again", 0) if agreed else [Event.of("link-waits")]

    def end(self, side: Ending, table: Table) -> list[Event]:
        """A player resigns (0 or 1), or a draw is wanted (None)."""
        agreed = self.agreed
        if table.sheet.outcome:
            return [Event.of("over")]
        if side is not None and side == table.sheet.away:
            return [Event.of("link-other-seat")]
        if not agreed:
            return [Event.of("link-waits")]
        if side is None and agreed.asked and agreed.asked.what == "draw":
            return self._answer(agreed, grant=True)
        return self._want("draw" if side is None else "resign", 0)

    def _answer(self, agreed: Agreed, *, grant: bool) -> list[Event]:
        assert agreed.asked
        self._answered, self._followed = (agreed.asked.number, grant), None
        return [Event.of("link-granted" if grant else "link-declined-here")]

    # What is said -------------------------------------------------------------------------------

    def _questions(self, table: Table, agreed: Agreed) -> Iterator[Event]:
        """What the other table asks for, once each, and that it has refused."""
        number = agreed.asked.number if agreed.asked else 0
        if number > self._asked:
            self._asked = number
            yield from self._question(table, agreed)
        if agreed.refusals > self._refusals or self._declined:
            self._reached, self._wanted = 0, None
            yield Event.of("link-declined")
        self._refusals, self._declined = agreed.refusals, False

    def _question(self, table: Table, agreed: Agreed) -> list[Event]:
        asked, sheet = agreed.asked, table.sheet
        if not asked or asked.what not in ASKED or sheet.away is None:
            return []
        player, name = table.game.players[sheet.away], ASKED[asked.what]
        if asked.what != "back":
            return [Event.of(name, player=player)]
        turns = ", ".join(agreed.turns[asked.keep :])
        return [Event.of(name, player=player, turns=turns) if turns else Event.of("link-asks-on", player=player)]

    def _presence(self, table: Table, agreed: Agreed, now: float) -> Iterator[Event]:
        """That the other table is away, once it has been for a while, and that it is there again."""
        if agreed.here:
            if self._told_away or not self._greeted:
                here = 1 - (table.sheet.away or 0)
                yield Event.of("link-here", player=table.game.players[here])
            self._away_since, self._told_away, self._greeted = None, False, True
            return
        if self._away_since is None:
            self._away_since = now
        if not self._told_away and now - self._away_since >= UNHEARD:
            self._told_away = True
            if agreed.fault and agreed.fault[0] == UNREACHED:
                yield Event("link-away", Reason(*agreed.fault))
            else:
                yield Event.of("link-away" if agreed.paired else "link-unpaired")

    def _troubles(self, agreed: Agreed) -> Iterator[Event]:
        """What keeps the line from working, and where the scores part; once each."""
        fault = agreed.fault[0] if agreed.fault else ""
        if fault != self._fault:
            self._fault = fault
            if agreed.fault and fault != UNREACHED:
                yield Event("link-fault", Reason(*agreed.fault))
        if agreed.parted != self._parted:
            self._parted = agreed.parted
            if agreed.parted is not None:
                yield Event.of("link-parted", number=agreed.parted)


def declined(before: Agreed, agreed: Agreed) -> bool:
    """Whether what was wished before is so no longer, though the score is the same: it was refused.

    The process counts refusals, but one that dies just then has forgotten how many.
    """
    same = (before.entries, before.parted) == (agreed.entries, agreed.parted)
    return same and before.wished is not None and agreed.wished is None


def line_process(path: Path) -> Worker:
    """The process of the line, for the pairing at `path`."""
    return Worker("firmware_bridge.link", ("--pairing", str(path.absolute())), LARGEST)


def chosen(table: Table) -> list[PlayedTurn]:
    """The turns on the table's sheet that were chosen, and not forced."""
    return [entry for entry in table.sheet.played_turns if not entry.forced]


say(
    "table",
    link_here="The other table is there: {player} plays at this one.",
    link_away="The other table is away: play on as far as your own turn. It gets the turn when it is back.",
    link_unpaired="No other table has joined yet: say `tablelight link join` there, with the six words, or join at its "
    "page. The first turn may be made already.",
    link_waits="The other table is not reached yet: wait a moment, and press again.",
    link_asked="The other table is asked, and answers as soon as its player does.",
    link_granted="Granted.",
    link_declined="The other table does not want that: the game goes on as it stands.",
    link_declined_here="Refused: the game goes on as it stands.",
    link_asks_back="{player} asks to take {turns} back: press Done to grant it, Undo to refuse.",
    link_asks_on="{player} asks to go on with the game: press Done to grant it, Undo to refuse.",
    link_asks_draw="{player} offers a draw: press Done to accept it, Undo to refuse.",
    link_asks_again="{player} wants to play another game: press Done to begin it, Undo to refuse.",
    link_parted="From turn {number} on the other table has another score. Press Done at both tables to go back to "
    "before it.",
    link_no_hint="No hints are given in a game with another table.",
    link_other_seat="That player sits at the other table, and resigns there.",
    link_busy="This table plays with another one: end that first, at the page or with `tablelight link end`.",
)
say("program", link="The line to the other table")
