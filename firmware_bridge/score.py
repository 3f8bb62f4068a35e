"""The score sheet: the turns accepted so far, and what follows from each by itself."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from firmware_bridge.events import Event, ended, played
from games.rules import Game, IllegalTurn, Outcome, Position, Reason, Turn, play

PASS = "pass"
PEOPLE = (0, 0)
"""Nobody plays but people."""


class Moment(NamedTuple):
    """A turn that was accepted and the position it was made in."""

    position: Position
    turn: Turn[Position]


class ScoreSheet:
    """A game from its start; undoing is dropping the last positions. `turns` are the legal ones now.

    `turned`: whether it lies on the board by half a turn, the players in each other's seats. `levels`: how well the
    engine plays for each of them, 1 to 8; 0 is a person.
    """

    def __init__(
        self, game: Game[Position], start: Position | None = None, *, house_rule: bool = True, turned: bool = False,
        levels: tuple[int, int] = PEOPLE,
    ) -> None:  # fmt: skip
        self.game = game
        self.start = start or game.start()
        self._stand(self.start)
        self.outcome: Outcome | None = None
        self.called_off = False
        """Whether the players ended the game themselves."""
        self.moments: list[Moment] = []
        self.house_rule = house_rule
        self.turned = turned
        self.levels = levels
        self._counts = Counter([self.position])
        if self.turns and self.turns[0].text == PASS:
            self.accept(self.turns[0])

    @property
    def player(self) -> str:
        """The message id of the name of the player to move."""
        return self.game.players[self.position.side]

    @property
    def short_names(self) -> tuple[str, str]:
        """The players' names as they are typed and written down: ``black``, ``south``."""
        first, second = (player.rpartition(".")[2] for player in self.game.players)
        return first, second

    @property
    def level(self) -> int:
        """How well the engine plays for the player to move; 0: a person is to move, or nobody."""
        return 0 if self.outcome else self.levels[self.position.side]

    @property
    def stood_twice(self) -> list[Position]:
        """The positions that will not stand a third time without the house rule."""
        return [position for position, count in self._counts.items() if count == 2] if self.house_rule else []

    @property
    def length(self) -> int:
        """How many turns have been accepted, passes included."""
        return len(self.moments)

    def accept(self, turn: Turn[Position]) -> list[Event]:
        """Write `turn` down, then what follows: the end by the rules, by the house rule, or a forced pass."""
        self.moments.append(Moment(self.position, turn))
        self._stand(turn.after)
        self._counts[turn.after] += 1
        if self.house_rule and self._counts[turn.after] == 3:
            return self.end(self.game.repeated(turn.after))
        if not self.turns:
            outcome = self.game.outcome(turn.after)
            return self.end(outcome) if outcome else []
        forced = self.turns[0]
        return [played("passed", self.player, forced), *self.accept(forced)] if forced.text == PASS else []

    def _stand(self, position: Position) -> None:
        self.position = position
        self.turns: tuple[Turn[Position], ...] = self.game.turns(position)

    def read(self, text: str) -> None:
        """Write the legal turn `text` down; IllegalTurn if it is none."""
        legal = {turn.text: turn for turn in self.turns}
        if text not in legal:
            play(self.game, self.position, text)
            raise IllegalTurn(Reason("table.over"))
        self.accept(legal[text])

    def end(self, outcome: Outcome) -> list[Event]:
        """The game is over, by whatever reason: no turn is left."""
        self.outcome = outcome
        self.turns = ()
        return [ended(outcome)]

    def call_off(self, outcome: Outcome) -> list[Event]:
        """The players end the game themselves."""
        self.called_off = True
        return self.end(outcome)

    def go_on(self) -> None:
        """The players take it back that they ended the game."""
        self.called_off = False
        self.outcome = None
        self._stand(self.position)

    def resign(self, side: int) -> list[Event]:
        """Player `side` gives up."""
        names = {"player": self.game.players[1 - side], "other": self.game.players[side]}
        return self.call_off(Outcome(1 - side, Reason.of("table.resigned", **names)))

    def agree(self) -> list[Event]:
        """Both players agree on a draw."""
        return self.call_off(Outcome(None, Reason("table.agreed")))

    def back_to(self, length: int) -> list[Moment]:
        """Drop all turns after the first `length`; returns them."""
        dropped = self.moments[length:]
        del self.moments[length:]
        self._stand(dropped[0].position)
        self.outcome, self.called_off = None, False
        self._counts.subtract(moment.turn.after for moment in dropped)
        return dropped

    def undo(self) -> list[Moment]:
        """Drop the last turn and the passes it forced; returns what was dropped."""
        length = self.before_last()
        return [] if length is None else self.back_to(length)

    def before_last(self) -> int | None:
        """The length to go back to so that the last turn of a person is undone, with all that followed from it."""
        turns = (number for number, moment in enumerate(self.moments) if self._decided(moment))
        return max(turns, default=None)

    def _decided(self, moment: Moment) -> bool:
        """Whether a person chose the turn; the engine's would only be chosen again, unless nobody else plays."""
        return moment.turn.text != PASS and (0 not in self.levels or not self.levels[moment.position.side])
