"""The turns that were made, as the sensors show them: which earlier position a frame equals; which stand again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from firmware_bridge.reading.signature import Sight, Way
from firmware_bridge.score import PASS, Moment, Sheet
from games.rules import Position, Turn
from hardware.device import Levels


class Lost(NamedTuple):
    """Turns that do not count any more, and the length of the sheet that they belong after."""

    length: int
    moments: list[Moment]


class Past:
    """What was played on `sheet`, through `sight`."""

    def __init__(self, sheet: Sheet, sight: Sight) -> None:
        self._sheet, self._sight = sheet, sight
        self._lost = Lost(0, [])

    def seen(self, moment: Moment) -> Way:
        """The way of a turn that was made."""
        return self._sight.way(moment.position, moment.turn)

    def latest(self) -> Way | None:
        """The last turn that a hand made."""
        made = (self.seen(moment) for moment in reversed(self._sheet.moments) if moment.turn.steps)
        return next(made, None)

    def earlier(self, frame: Levels) -> int | None:
        """The length of the sheet at the latest earlier position that `frame` equals; seeds by presence never tell.

        Nor do turns that went where the frame tells nothing. A cleared board takes back the first turn alone, not a
        game whose pieces are put away.
        """
        if self._sheet.called_off or self._sight.strict:
            return None
        last = self._sheet.length - 1
        for length in range(last, -1, -1):
            moment = self._sheet.moments[length]
            if None in frame and any(frame[site] is None for site in self.seen(moment).path):
                return None
            if self._equals(frame, moment.position) and (any(moment.position.cells) or length == last):
                return length
        return None

    def _equals(self, frame: Levels, position: Position) -> bool:
        """Whether `frame`, as far as it can be seen, shows `position` at rest."""
        shown = self._sight.frame(position)
        return shown == frame or all(level in (due, None) for level, due in zip(frame, shown, strict=True))

    def upset(self, frame: Levels, before: Levels) -> bool:
        """Whether more has changed at once than one turn taken back: then the board was upset."""
        changed = {site for site, (new, old) in enumerate(zip(frame, before, strict=True)) if new != old}
        paths = (self.seen(moment).result.keys() for moment in self._sheet.moments)
        return len(changed) > 2 and not any(changed <= path for path in paths)

    # Turns that may count again ---------------------------------------------------------------

    def taken_back(self, moments: Iterable[Moment]) -> None:
        """A hand has put back these turns, the last ones; the sheet is without them."""
        self._lost = Lost(self._sheet.length, [moment for moment in moments if moment.turn.text != PASS])

    def changed(self, moment: Moment, turn: Turn[Position], length: int) -> None:
        """The turn of `moment` was changed to `turn`; or the next player made this one, and a sensor lost the first.

        `length` is that of the sheet before either.
        """
        after = moment.turn.after
        others = [Moment(after, other) for other in self._sheet.game.turns(after) if other.text == turn.text]
        self._lost = Lost(length, [moment, *others] if others else [])

    def again(self, frame: Levels) -> Lost | None:
        """What was lost, if `frame` shows what it led to, and can tell it."""
        if not self._lost.moments or not self._equals(frame, self._lost.moments[-1].turn.after):
            return None
        dark = any(frame[site] is None for moment in self._lost.moments for site in self.seen(moment).path)
        return None if dark else self._lost

    def only(self) -> Way | None:
        """The turn of this position that a hand has put back, if it was one."""
        here = self._lost.length == self._sheet.length and len(self._lost.moments) == 1
        return self.seen(self._lost.moments[0]) if here else None

    def forget(self) -> None:
        """Nothing that was lost may count again."""
        self._lost = Lost(0, [])
