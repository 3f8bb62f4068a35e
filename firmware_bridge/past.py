"""The turns on the score sheet as the sensors would have shown them: which earlier position a frame equals."""

from __future__ import annotations

from firmware_bridge.sheet import Moment, Sheet
from firmware_bridge.way import Sight, Way
from games.rules import Position
from hardware.device import Levels


class Past:
    """What was played on `sheet`, through `sight`."""

    def __init__(self, sheet: Sheet, sight: Sight) -> None:
        self._sheet, self._sight = sheet, sight

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
