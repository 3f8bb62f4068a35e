"""How long a frame must stand still before something follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from firmware_bridge.reading.candidates import Hypotheses
from firmware_bridge.reading.verdict import Astray, Complete, UnderWay, Verdict, Which


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Seconds that a frame must stand still."""

    settle: float = 0.4
    """Before an unsure turn counts and before a question is asked."""
    spilt: float = 0.8
    """Before a capture counts whose stones went off as no hand takes them: swept off, they come back one by one."""
    undo: float = 2.0
    """Before an earlier position counts as taken back; what looks so may be a capture made first."""
    put_back: float = 0.1
    """Before it does where no capture looks so."""
    left_off: float = 3.0
    """Before a turn left off is spoken of."""

    def wait(self, verdict: Verdict, hypotheses: Hypotheses, *, complained: bool) -> float:
        """Seconds for `verdict`; inf if nothing follows. `complained`: players were told that something is wrong."""
        if isinstance(verdict, UnderWay):
            return self._under_way(verdict, hypotheses, complained=complained)
        if isinstance(verdict, Complete):
            return self._complete(verdict, hypotheses)
        if isinstance(verdict, Which):
            return self.settle
        return self._back(hypotheses) if isinstance(verdict, Astray) and hypotheses.may_undo(verdict) else inf

    def _back(self, hypotheses: Hypotheses) -> float:
        return self.put_back if hypotheses.undone() else self.undo

    def _complete(self, verdict: Complete, hypotheses: Hypotheses) -> float:
        if verdict.sure:
            return 0.0
        if verdict.way.veiled:
            return inf
        if hypotheses.held:
            return self.undo
        return self.spilt if hypotheses.watch.seen.swept(verdict.way) else self.settle

    def _under_way(self, verdict: UnderWay, hypotheses: Hypotheses, *, complained: bool) -> float:
        if verdict.ways[0].strict:
            return inf  # there may be more seeds in the hand than meet the eye
        if hypotheses.taking_back(verdict):
            return self._back(hypotheses)
        return self.settle if complained else self.left_off
