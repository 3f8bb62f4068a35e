"""The score sheet: the turns played so far, and what follows from each of them by the rules alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from firmware_bridge.clocks import Clock
from firmware_bridge.events import Event, outcome_event, ready_event, turn_event
from games.rules import SENTENCES, Game, IllegalTurn, OptionError, Outcome, Position, Reason, Site, Turn, clip, play

PASS = "pass"
"""The text of a turn that changes nothing: where a player has no other, the sheet makes it by itself."""
TIMED_OUT = "table.timed-out"
"""The message id of the end of a game whose time is up."""
PEOPLE = (0, 0)
"""The levels of a game between two people."""
NAMELESS = ("", "")
"""The names of players who have told none."""
LONGEST_NAME = 30
"""Characters of a player's name at most; a guess at what a line has room for."""


def person(text: str) -> str:
    """The name of a player, without blanks that nobody sees; OptionError."""
    name = " ".join(text.split())
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise OptionError(
            f"names: {clip(text)!r} is no name of a player; it has at most {LONGEST_NAME} letters, in a line"
        )
    return name


def people(names: Sequence[str]) -> tuple[str, str]:
    """The names of both players; OptionError."""
    if len(names) != 2:
        raise OptionError("names: there are two players, the first one first; an empty name is for one without")
    first, second = map(person, names)
    return first, second


def points(winner: int | None) -> str:
    """The result of a game that is over, as tournaments write it."""
    return {0: "1 - 0", 1: "0 - 1", None: "½ - ½"}[winner]


class PlayedTurn(NamedTuple):
    """A turn that was accepted, and the position it was made in."""

    position: Position
    turn: Turn[Position]
    forced: bool = False
    """Whether it is a pass that nobody chose, since there was no other turn."""
    clock: Clock | None = None
    """The clocks at its last touch, to which they go back if it is taken back; None without clocks."""


class ScoreSheet:
    """A game from its start: the turns played, the position they have led to, and the outcome once there is one.

    `start` is the first position; None for the game's own. `house_rule`: the game ends when a position stands for the
    third time. `turned`: the game lies on the board turned by half a turn, the players in each other's seats. `levels`:
    how well the engine plays for each player, 1 to 8; 0 is a person. `clock`: the clocks, None without any. `names`:
    what the people are called, empty where nobody has said so. `away`: the side that plays at another table.
    """

    def __init__(
        self, game: Game[Position], start: Position | None = None, *, house_rule: bool = True, turned: bool = False,
        levels: tuple[int, int] = PEOPLE, clock: Clock | None = None, names: tuple[str, str] = NAMELESS,
        away: int | None = None,
    ) -> None:  # fmt: skip
        self.game = game
        self.ahead: Callable[[Position], tuple[Turn[Position], ...] | None] = lambda _: None
        """What may know the turns of a position already; None where it does not."""
        self.start = start or game.start()
        self._stand(self.start)
        self.outcome: Outcome | None = None
        self.called_off = False
        """Whether the players ended the game themselves, by resigning or agreeing on a draw."""
        self.played_turns: list[PlayedTurn] = []
        """The turns accepted so far, passes included, the first one first."""
        self.house_rule = house_rule
        self.turned = turned
        self.levels = levels
        self.away = away
        first, second = ("" if level else name for level, name in zip(levels, names, strict=True))
        self.names = (first, second)
        self.clock = clock.passed(self.position.side) if clock else None
        self._counts = Counter([self.position])
        self._unread = 0
        """How many forced passes stand at the end that `read` has not been told of."""
        if forced := self._forced():
            self._write(forced, forced=True)

    @property
    def player(self) -> str:
        """The message id of the name of the player to move."""
        return self.game.players[self.position.side]

    def opening(self) -> Event:
        """That the first player may begin, how the game is won and, where one person plays, on which side.

        A game that was given a position, or does not tell how it is won, begins with whose turn it is.
        """
        aim = f"{self.game.name}.aim"
        if aim not in SENTENCES or self.start != self.game.start():
            return ready_event(self.player, unseen=False)
        if self.levels.count(0) != 1:
            return Event("ready", Reason.of("table.opening", player=self.player, why=aim))
        you = self.levels.index(0)
        names = {"player": self.game.players[you], "other": self.game.players[1 - you]}
        said = "table.opening-you" if you == self.position.side else "table.opening-other"
        return Event("ready", Reason.of(said, **names, why=aim))

    @property
    def short_names(self) -> tuple[str, str]:
        """The players' names as they are typed and written down: ``black``, ``south``."""
        first, second = (player.rpartition(".")[2] for player in self.game.players)
        return first, second

    @property
    def level(self) -> int:
        """How well the engine plays for the player to move, 1 to 8; 0 where a person is to move, or nobody."""
        return 0 if self.outcome else self.levels[self.position.side]

    @property
    def here(self) -> bool:
        """Whether whoever is to move chooses the turn at this table: no engine, and nobody at another table."""
        return not self.level and (self.outcome is not None or self.position.side != self.away)

    @property
    def stood_twice(self) -> list[Position]:
        """The positions that have stood twice, so that the house rule ends the game when one stands again."""
        return [position for position, count in self._counts.items() if count == 2] if self.house_rule else []

    @property
    def length(self) -> int:
        """How many turns have been accepted, passes included."""
        return len(self.played_turns)

    def marks(self, levels: tuple[int | None, ...]) -> Mapping[Site, str]:
        """The marks of the pieces as they lie, see `Game.marks`; `levels` has what is on each site, None unknown.

        Where a turn is done they are those after it. Else a piece that has come to a site is of the kind of those of
        its colour that are gone from others, if these are all of one kind.
        """
        game, board = self.game, self.position.board
        if not game.kinds:
            return {}
        stood = game.marks(self.position)
        if levels == board:
            return stood
        done = [game.marks(turn.after) for turn in self.turns if turn.after.board == levels]
        if done:  # those that differ in the kind of a new piece alone cannot be told apart yet
            return {site: mark for site, mark in done[0].items() if all(each.get(site) == mark for each in done)}
        lies = [(stood.get(site, ""), was, now) for site, was, now in zip(game.sites, board, levels, strict=True)]
        gone = {now: {mark for mark, was, other in lies if was == now != other} for now in {*levels}}
        kinds = [{mark} if was == now else gone[now] for mark, was, now in lies]
        return {
            site: min(marks) for site, marks in zip(game.sites, kinds, strict=True) if len(marks) == 1 and any(marks)
        }

    def accept(self, turn: Turn[Position], at: float | None = None) -> list[Event]:
        """Write the legal `turn` down, whose last touch was at `at` (seconds), and the forced passes after it.

        Returns the events that follow: a pass, the end by the rules, or the end by the house rule.
        """
        self._unread = 0
        return self._write(turn, at)

    def _write(self, turn: Turn[Position], at: float | None = None, *, forced: bool = False) -> list[Event]:
        clock = self.clock if at is None or not self.clock else self.clock.upto(at)
        self.played_turns.append(PlayedTurn(self.position, turn, forced, clock))
        if clock:
            side = turn.after.side
            self.clock = clock.passed(side) if forced else clock.turn(at, side)
        self._unread += forced
        self._stand(turn.after)
        self._counts[turn.after] += 1
        if self.house_rule and self._counts[turn.after] == 3:
            return self.end(self.game.repeated(turn.after))
        if not self.turns:
            outcome = self.game.outcome(turn.after)
            return self.end(outcome) if outcome else []
        passes = self._forced()
        return [turn_event("passed", self.player, passes), *self._write(passes, forced=True)] if passes else []

    def _forced(self) -> Turn[Position] | None:
        """The pass that the rules force; None if they do not."""
        return self.turns[0] if [turn.text for turn in self.turns] == [PASS] else None

    def _stand(self, position: Position) -> None:
        self.position = position
        self.turns: tuple[Turn[Position], ...] = self.ahead(position) or self.game.turns(position)

    def read(self, text: str) -> None:
        """Write the legal turn `text` down, unless it is a forced pass that stands there; IllegalTurn if it is none."""
        if text == PASS and self._unread:
            self._unread -= 1
            return
        legal = {turn.text: turn for turn in self.turns}
        if text not in legal:
            play(self.game, self.position, text)
            raise IllegalTurn(Reason("table.over"))
        self.accept(legal[text])

    def turns_called(self, text: str) -> list[Turn[Position]]:
        """The legal turn of this text, or else all those that begin so; none once the game is over."""
        whole = [turn for turn in self.turns if turn.text == text]
        return whole or [turn for turn in self.turns if turn.text.startswith(text)]

    def end(self, outcome: Outcome) -> list[Event]:
        """End the game with `outcome`: no turn is legal any more."""
        self.outcome = outcome
        self.turns = ()
        return [outcome_event(outcome)]

    def call_off(self, outcome: Outcome) -> list[Event]:
        """End the game with `outcome`, because the players wish so."""
        self.called_off = True
        return self.end(outcome)

    def go_on(self) -> None:
        """Go on with a game that the players have called off."""
        if self.outcome and self.outcome.reason.id == TIMED_OUT:
            self.clock = None  # whoever plays on after a flag has fallen plays without
        self.called_off = False
        self.outcome = None
        self._stand(self.position)

    def flag(self, side: int) -> list[Event]:
        """The time of player `side` (0 or 1) is up."""
        names = {"player": self.game.players[1 - side], "other": self.game.players[side]}
        return self.call_off(Outcome(1 - side, Reason.of(TIMED_OUT, **names)))

    def resign(self, side: int) -> list[Event]:
        """Player `side` (0 or 1) gives up."""
        names = {"player": self.game.players[1 - side], "other": self.game.players[side]}
        return self.call_off(Outcome(1 - side, Reason.of("table.resigned", **names)))

    def agree(self) -> list[Event]:
        """Both players agree on a draw."""
        return self.call_off(Outcome(None, Reason("table.agreed")))

    def hold_clock(self) -> None:
        """Let the clocks stand as they did when they were last seen to."""
        self.clock = self.clock.hold() if self.clock else None

    def another(self) -> ScoreSheet:
        """A sheet for another game of the same kind, by the same people at the same tables."""
        clock = Clock.of(self.clock.control) if self.clock else None
        return ScoreSheet(
            self.game, house_rule=self.house_rule, turned=self.turned, levels=self.levels, clock=clock,
            names=self.names, away=self.away,
        )  # fmt: skip

    def begin_clock(self) -> None:
        """The turn in hand began at 0 seconds: for one that is only read, and accepted at what it has taken."""
        self.clock = replace(self.clock, used=0.0, since=0.0 if self.clock.begun else None) if self.clock else None

    def stop_clock(self, now: float) -> None:
        """Let the clocks stand from `now` (seconds) on."""
        self.clock = self.clock.stop(now) if self.clock else None

    def back_to(self, length: int) -> list[PlayedTurn]:
        """Drop all turns after the first `length`, of which there is at least one; returns them."""
        dropped = self.played_turns[length:]
        del self.played_turns[length:]
        self._stand(dropped[0].position)
        self._unread = 0
        self.clock = dropped[0].clock if self.clock else None
        self.outcome, self.called_off = None, False
        for entry in dropped:
            after = entry.turn.after
            self._counts[after] -= 1
            if not self._counts[after]:
                del self._counts[after]
        return dropped

    def undo(self) -> list[PlayedTurn]:
        """Drop the last turn and the passes it forced; returns what was dropped."""
        length = self.before_last()
        return [] if length is None else self.back_to(length)

    def before_last(self) -> int | None:
        """The length to go back to, so that the last turn that a person chose is undone; None if there is none."""
        numbers = range(self.length - 1, -1, -1)
        return next((number for number in numbers if self._decided(self.played_turns[number])), None)

    def _decided(self, entry: PlayedTurn) -> bool:
        """Whether the turn is one to undo: no forced pass, nor the engine's, which would only choose it again.

        Where only the engine plays, its turns are.
        """
        return not entry.forced and (0 not in self.levels or not self.levels[entry.position.side])
