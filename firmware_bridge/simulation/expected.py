"""What a script expects of the table: the turns it takes, its lights, sentences and events, and how the game stands.

    expect light c3 dark                           no light
    expect light c3 capture                        its cue; how it is shown does not matter
    expect light c3 capture certain steady 30%     that, too, and how it is shown, in any order

How a cue is shown is told by a word of each pair or triple in `ASPECTS`, and by its strength in percent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from firmware_bridge.lighting.palette import PALETTES, alive, paint
from firmware_bridge.lighting.scene import CUES, Scene
from firmware_bridge.records.lines import LineError
from firmware_bridge.simulation.table import Evening
from games.rules import clip


class Expectations:
    """Compares what is expected with what there is at `evening`."""

    def __init__(self, evening: Evening) -> None:
        self._evening = evening
        self._since = 0
        self._made = 0

    def begin(self) -> None:
        """Only what is said and happens from now on counts."""
        self._since = len(self._evening.events)

    def check(self, words: Sequence[str]) -> None:
        """What is expected, then how it should be; LineError says how it is."""
        what, *wanted = words
        if what not in EXPECTED:
            raise LineError(f"{clip(what)!r} cannot be expected; one of {', '.join(EXPECTED)}")
        if not wanted:
            raise LineError(f"say which {what} is expected")
        found = EXPECTED[what](self, wanted)
        if found != " ".join(wanted):
            raise LineError(f"expected {' '.join(words)}, but it is {found}")

    def _turn_made(self, _: Sequence[str]) -> str:
        made = [event.turn.text for event in self._evening.events[self._made :] if event.turn]
        self._made = len(self._evening.events)
        return made[-1] if made else "none"

    def _light_on(self, words: Sequence[str]) -> str:
        scene, (site, *_) = self._evening.daemon.scene, words
        cue = scene.cues.get(site)
        return (
            " ".join([site, cue.kind, *(_aspect(scene, site, word) for word in words[2:])]) if cue else f"{site} dark"
        )

    def _lights_of(self, words: Sequence[str]) -> str:
        cues = self._evening.daemon.scene.cues
        sites = [site for site in self._evening.table.game.sites if site in cues and cues[site].kind == words[0]]
        return " ".join([words[0], *sites]) if words[0] in CUES else f"one of {', '.join(CUES)}"

    def _said(self, words: Sequence[str]) -> str:
        said = [str(event.say) for event in self._evening.events[self._since :]]
        wanted = " ".join(words)
        return wanted if any(wanted in sentence for sentence in said) else " / ".join(said) or "silence"

    def _happened(self, words: Sequence[str]) -> str:
        names = [event.name for event in self._evening.events[self._since :]]
        return words[0] if words[0] in names else ", ".join(names) or "nothing"

    def _side(self, _: Sequence[str]) -> str:
        sheet = self._evening.table.sheet
        return sheet.short_names[sheet.position.side]

    def _outcome(self, _: Sequence[str]) -> str:
        sheet = self._evening.table.sheet
        if not sheet.outcome:
            return "none"
        return "draw" if sheet.outcome.winner is None else sheet.short_names[sheet.outcome.winner]

    def _position(self, _: Sequence[str]) -> str:
        return str(self._evening.table.sheet.position)


EXPECTED: dict[str, Callable[[Expectations, Sequence[str]], str]] = {
    "turn": Expectations._turn_made,
    "light": Expectations._light_on,
    "lights": Expectations._lights_of,
    "say": Expectations._said,
    "event": Expectations._happened,
    "side": Expectations._side,
    "outcome": Expectations._outcome,
    "position": Expectations._position,
}


def _aspect(scene: Scene, site: str, wanted: str) -> str:
    """The word that is true of the cue on `site` where `wanted` is expected; LineError if `wanted` is no such word."""
    if wanted.endswith("%"):
        return f"{scene.cues[site].strength:.0%}"
    for words, aspect in ASPECTS.items():
        if wanted in words:
            return words[aspect(scene, site)]
    known = ", ".join(word for words in ASPECTS for word in words)
    raise LineError(f"{clip(wanted)!r} cannot be expected of a light; one of {known}, or its strength as in 30%")


def _changes(scene: Scene, site: str) -> bool:
    """Whether a player sees the light on `site` change: pictures are painted again, and they differ there."""
    times = (step / 30 for step in range(300))  # ten seconds, more than two periods of the slowest rhythm
    return alive(scene) and len({paint(scene, [site], PALETTES["default"], now, 1.0)[0] for now in times}) > 1


def _stone(scene: Scene, site: str) -> int:
    """1 for a dark and 2 for a light stone that the cue on `site` speaks of, 0 for neither."""
    level = scene.cues[site].level
    return level if level in (1, 2) else 0


ASPECTS: dict[tuple[str, ...], Callable[[Scene, str], int]] = {
    ("steady", "alive"): _changes,
    ("certain", "choice"): lambda scene, site: scene.cues[site].choice,
    ("no-stone", "dark-stone", "light-stone"): _stone,
}
"""Words for how a cue is shown, and which of them is true: whether its light changes with time, whether it is one of
several possibilities, and the stone that it speaks of."""
