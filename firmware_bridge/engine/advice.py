"""The engine at a table: it plays one of the sides, or both, and gives hints.

*Its turns* are carried out by the person at the table. `Assistant` has the search find the turn and the table ask for
it; the table shows it step by step and waits.

*Hints* are the best few turns of the player to move, by light and in a sentence; they deepen while the player thinks.

1. At rest the lights show where the best turns begin, `MOST` of them at most; the worse a turn is than the best one,
   the dimmer its light. A turn that is `FAR` worse is no hint. Turns that the search cannot tell apart are lit alike:
   a difference within `SURE` standard errors is none.
2. Once a piece is lifted, the turns that are still possible are searched by themselves, and the lights show where it
   can go.
3. The sentence comes after a `MOMENT` of searching, and once more if the search has found a better turn at its end. It
   says in words which turns are about equal, and which is better; no number, for turns differ by less than values err.
4. That a player was helped is an event of its own, so that the record has it.
5. A hint may be whispered: neither the lights nor a sentence tell it, only who has asked. That there was one is told.
"""

from __future__ import annotations

from math import hypot
from typing import Literal, NamedTuple

from firmware_bridge.engine.client import Answer, Inquiry, Searcher, question
from firmware_bridge.events import Event, turn_reason
from firmware_bridge.lighting import Hint
from firmware_bridge.table import Table
from firmware_bridge.verdict import AtRest, UnderWay, Verdict
from firmware_bridge.worker import Worker
from games.rules import Position, Reason, Turn, say

Shown = Literal["off", "button", "always"]
"""When hints are shown: never, when the Hint button was pressed, or for every turn."""
SHOWN: tuple[Shown, ...] = ("off", "button", "always")
MOST = 3
"""Turns of a hint at most; guessed."""
FAR = 0.1
"""The loss of expected score from which a turn is no hint; guessed."""
OTHER = 0.03
"""The gain of expected score from which a better turn is said after another one was; guessed."""
ALIKE = 0.01
"""The difference of expected score up to which turns are about equally good, however well they are known; guessed."""
SURE = 2.0
"""Standard errors that two turns differ by at least where one is better: chance does that once in twenty times."""
DIMMEST = 0.2
"""The strength (0..1) of the light of a turn that is `FAR` worse than the best one; guessed."""
MOMENT = 1.0
"""Seconds for which a hint deepens before it is said; guessed."""


class Whisper(NamedTuple):
    """A hint for one player: what the lights would show, and the sentence once there is one."""

    hint: Hint | None = None
    say: Reason | None = None


class Assistant:
    """The engine at one table: plays and hints what `searcher` finds; `shown` says when hints are shown."""

    def __init__(self, searcher: Searcher, shown: Shown = "button") -> None:
        self._searcher = searcher
        self._hints = Hints(searcher, shown)
        self._position: Position | None = None
        self._inquiry: Inquiry | None = None
        self._failing = False

    @property
    def hint(self) -> Hint | None:
        """What the lights are to show of the hint."""
        return None if self._hints.whispers else self._hints.hint

    @property
    def whisper(self) -> Whisper | None:
        """The hint that only its player is told; None while there is none."""
        return Whisper(self._hints.hint, self._hints.whispered) if self._hints.whispers else None

    @property
    def worker(self) -> Worker | None:
        """The process that searches, if it is one of its own."""
        return self._searcher.worker

    @property
    def shown(self) -> Shown:
        """When hints are shown."""
        return self._hints.shown

    def show(self, shown: Shown) -> None:
        """Show hints at other times from now on."""
        self._hints.show(shown)

    def want(self, table: Table, *, whispered: bool = False) -> list[Event]:
        """The Hint button was pressed: a hint, or the engine's turn once more while it waits to be carried out."""
        return [plans(table, table.planned)] if table.planned else self._hints.want(table, whispered=whispered)

    def see(self, table: Table, now: float) -> list[Event]:
        """Follow the table at `now` (seconds), after each scan."""
        self._searcher.listen(now)
        return [*self._hints.see(table, now), *self._play(table, now), *self._troubles()]

    def _play(self, table: Table, now: float) -> list[Event]:
        """Search the engine's turn, and have the table ask for it once it is found."""
        sheet = table.sheet
        if table.planned or not sheet.level:
            return []
        if not self._inquiry or sheet.position is not self._position:
            self._position = sheet.position
            self._inquiry = self._searcher.ask(question(sheet, sheet.level, self._searcher.luck + sheet.length), now)
        answer = self._inquiry.answer
        if table.setting or not answer or not self._inquiry.over:
            return []
        turn = next(turn for turn in sheet.turns if turn.text == answer.turn)
        self._inquiry = None
        return [plans(table, turn), *table.plan(turn)]

    def _troubles(self) -> list[Event]:
        """The events that the process was lost, and that no answer comes, once each time."""
        loss = self._searcher.news()
        events = [Event.of(f"helper-{loss}", program="program.engine")] if loss else []
        before, self._failing = self._failing, self._searcher.failing
        return [*events, Event.of("thoughtless")] if self._failing and not before else events

    def close(self) -> None:
        """End the search."""
        self._searcher.close()


def plans(table: Table, turn: Turn[Position]) -> Event:
    """The event that the engine has chosen `turn`."""
    return Event("plans", turn_reason("plans", table.sheet.player, turn))


# Hints ----------------------------------------------------------------------------------------


class Hints:
    """The hints at one table, as good as `searcher` finds them while the player thinks."""

    def __init__(self, searcher: Searcher, shown: Shown = "button") -> None:
        self.shown: Shown = shown
        self.hint: Hint | None = None
        """What the lights show now."""
        self.whispers = False
        """Whether only the player who has asked is told."""
        self.whispered: Reason | None = None
        """The sentence that only that player is told."""
        self._searcher = searcher
        self._position: Position | None = None
        self._verdict: Verdict | None = None
        self._wanted = False
        self._best = ""
        self._among: tuple[str, ...] = ()
        self._inquiry: Inquiry | None = None
        self._known: dict[tuple[str, ...], Answer] = {}
        self._since = 0.0

    def show(self, shown: Shown) -> None:
        """Show hints at other times from now on."""
        self.shown = shown
        self._position = None

    def want(self, table: Table, *, whispered: bool = False) -> list[Event]:
        """The Hint button was pressed: show hints for this turn; one that was whispered may be asked for aloud."""
        known = self._wanted and (whispered or not self.whispers)
        if self.shown == "off" or known or not helpable(table):
            return []
        self._begin(table)
        self._wanted, self.whispers = True, whispered
        return [Event.of("helped", player=table.sheet.player)]

    def see(self, table: Table, now: float) -> list[Event]:
        """Follow the table at `now` (seconds): update `hint`, and say what was found."""
        if table.sheet.position is not self._position:
            self._begin(table)
        if not self._wanted or not helpable(table):
            self.hint = None
            return []
        if table.verdict is not self._verdict:
            self._verdict = table.verdict
            self._ask(table, now)
        return self._hear(table, now)

    def _begin(self, table: Table) -> None:
        """Start with a new position, without hints unless they are always shown."""
        self._position, self._verdict, self._inquiry, self._known = table.sheet.position, None, None, {}
        self._wanted, self._best, self.hint = self.shown == "always", "", None
        self.whispers, self.whispered = False, None

    def _ask(self, table: Table, now: float) -> None:
        """Search the best of the turns that are still possible, where there is a choice."""
        among = choice(table)
        if among is None or (self._inquiry and among == self._among):
            return
        self._among, self._since = among, now
        self._inquiry = self._searcher.ask(question(table.sheet, among=among), now)
        known = self._known.get(among)
        self.hint = hint(table, known) if known else None

    def _hear(self, table: Table, now: float) -> list[Event]:
        """Show the deepest answer; after a sentence the lights keep to it until the search is over."""
        inquiry = self._inquiry
        if not inquiry or not inquiry.answer:
            return []
        before = self._known.get(self._among)
        deeper = not before or inquiry.answer.nodes > before.nodes
        if deeper and (self._among or inquiry.over or not self._best):
            self._known[self._among] = inquiry.answer
            self.hint = hint(table, inquiry.answer)
        due = inquiry.over or (not self._best and now >= self._since + MOMENT)
        return self._say(self._known[()]) if due and not self._among else []

    def _say(self, answer: Answer) -> list[Event]:
        """The sentence, if it is the first one or another turn is better than the one said by `OTHER`."""
        if self._best in (text for text, loss in lost(answer) if loss < OTHER):
            return []
        self._best = answer.turn
        said = spoken(answer)
        if self.whispers:
            self.whispered = said.say
            return []
        return [said]


def helpable(table: Table) -> bool:
    """Whether there is a turn to find, a person is to move, and nothing is being set up."""
    return bool(table.sheet.turns) and not table.sheet.level and not table.setting


def choice(table: Table) -> tuple[str, ...] | None:
    """The turns that are still possible: one text for each result, () for all turns, None where there is no choice."""
    if isinstance(table.verdict, AtRest):
        return ()
    if not isinstance(table.verdict, UnderWay):
        return None
    results: dict[Position, str] = {}
    for signature in table.verdict.signatures:
        if not signature.turn.reason:
            results.setdefault(signature.turn.after, signature.turn.text)
    return tuple(results.values()) if len(results) > 1 else None


def lost(answer: Answer) -> list[tuple[str, float]]:
    """The turns of an answer, each with the expected score (0..1) that it loses beside the best; the least loss first.

    None is lost where that may be chance. A turn that was searched less may promise more than the best one; it counts
    as no better.
    """
    first, *errors = (*answer.errors, *(0.0,) * (1 + len(answer.others)))
    losses = [(answer.turn, 0.0)]
    for (text, value), error in zip(answer.others, errors, strict=False):
        loss = answer.value - value
        losses.append((text, loss if loss > max(ALIKE, SURE * hypot(first, error)) else 0.0))
    return sorted(losses, key=lambda each: each[1])  # stable: the engine's choice stays first


def good(answer: Answer) -> list[tuple[str, float]]:
    """The turns of a hint, each with the expected score (0..1) that it loses beside the best, the best first."""
    return [(text, loss) for text, loss in lost(answer)[:MOST] if loss < FAR]


def hint(table: Table, answer: Answer) -> Hint:
    """The hint for the lights."""
    strengths = {text: 1 - (1 - DIMMEST) * loss / FAR for text, loss in good(answer)}
    signatures = {signature.turn.text: signature for signature in table.signatures if signature.turn.text in strengths}
    shown = tuple((signatures[text], strength) for text, strength in strengths.items() if text in signatures)
    return Hint(shown, {signature.turn.after: strength for signature, strength in reversed(shown)})


def spoken(answer: Answer) -> Event:
    """The hint as a sentence."""
    if answer.proved and answer.value == 1:
        return Event.of("hint-wins", turn=answer.turn)
    if answer.proved and answer.value == 0:
        return Event.of("hint-loses", turn=answer.turn)
    turns = good(answer)
    if len(turns) == 1:
        return Event.of("hint-best" if answer.others else "hint-one", turn=answer.turn)
    alike = [text for text, loss in turns if not loss]
    if len(alike) > 1:
        return Event.of("hint-alike", turns=", ".join(alike))
    return Event.of("hint", turns=", ".join(text for text, _ in turns))


say(
    "table",
    helped="{player} is helped with this turn.",
    hint="Good turns, the best first: {turns}.",
    hint_alike="About equally good: {turns}.",
    hint_best="{turn} is clearly better than any other turn.",
    hint_one="A good turn: {turn}.",
    hint_wins="{turn} wins, whatever comes after it.",
    hint_loses="Every turn loses if the other side plays well; {turn} holds out.",
    plans="{player} plays {turn}: carry it out as the lights show.",
    plans_takes="{player} plays {turn} and captures {taken}: carry it out as the lights show.",
    thoughtless="The engine does not answer: its process ends again and again. The game is kept; go on without it.",
)
