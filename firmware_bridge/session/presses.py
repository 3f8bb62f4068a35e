"""From buttons that are down to presses: a short one counts at once, a held one when it was held long enough."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

STEADY = 0.03
"""Seconds that a button must be down or up to count; contacts bounce."""


class Press(NamedTuple):
    """A button was pressed, or `held` as well; every held press follows a short one."""

    name: str
    held: bool = False


class Presses:
    """Follows buttons; `hold` in seconds."""

    def __init__(self, hold: float = 2.0) -> None:
        self.hold = hold
        self._raw: frozenset[str] = frozenset()
        self._since: dict[str, float] = {}
        self._down: dict[str, float] = {}
        self._held: set[str] = set()

    def feed(self, down: frozenset[str], now: float) -> list[Press]:
        """What was pressed by `now` (seconds), given the buttons that are down."""
        if down != self._raw:
            for name in down ^ self._raw:
                self._since[name] = now
            self._raw = down
        if not self._since and not self._down:
            return []
        return [*self._short(now), *self._long(now)]

    def _short(self, now: float) -> Iterable[Press]:
        for name in [name for name, since in self._since.items() if now - since >= STEADY]:
            since = self._since.pop(name)
            if name not in self._raw:
                self._down.pop(name, None)
                self._held.discard(name)
            elif name not in self._down:
                self._down[name] = since
                yield Press(name)

    def _long(self, now: float) -> Iterable[Press]:
        for name, since in self._down.items():
            if name in self._raw and name not in self._held and now - since >= self.hold:
                self._held.add(name)
                yield Press(name, held=True)
