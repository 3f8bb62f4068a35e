"""The turns that were made, as the sensors show them: which earlier position a frame equals; which were put again."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_bridge.sheet import PASS, Moment, Sheet
from firmware_bridge.way import Sight, Way
from games.rules import Position, Turn
from hardware.device import Levels


class Past:
    """What was played on `sheet`, through `sight`."""

    def __init__(self, sheet: Sheet, sight: Sight) -> None:
        self._sheet, self._sight = sheet, sight
        self._dropped: list[Moment] = []
        self._both: list[Moment] = []

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

    # Turns taken back -------------------------------------------------------------------------

    def dropped(self, moments: Iterable[Moment]) -> None:
        """The sheet has gone back by these turns."""
        self._dropped = [moment for moment in moments if moment.turn.text != PASS]

    def taken_back(self) -> Way | None:
        """The one turn of this position that was taken back by hand, if it was one: or a capture was made first."""
        return self.seen(self._dropped[0]) if len(self._dropped) == 1 else None

    def again(self, frame: Levels) -> list[Moment]:
        """The turns taken back by hand, if `frame` shows what they led to."""
        return self._dropped if self._dropped and frame == self._sight.frame(self._dropped[-1].turn.after) else []

    # A turn changed for another ---------------------------------------------------------------

    def changed(self, moment: Moment, turn: Turn[Position]) -> None:
        """The turn of `moment` was changed to `turn`; or the next player made this one, and a sensor lost the first."""
        after = moment.turn.after
        others = (Moment(after, other) for other in self._sheet.game.turns(after) if other.text == turn.text)
        self._both = [moment, *others]

    def both(self, frame: Levels) -> list[Moment]:
        """The turn that was changed, and the next player's, if `frame` shows what both led to."""
        return self._both if len(self._both) > 1 and frame == self._sight.frame(self._both[-1].turn.after) else []

    def forget(self) -> None:
        """What was taken back may no longer be put again, and what was changed stays so."""
        self._dropped, self._both = [], []
