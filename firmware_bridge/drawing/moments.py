"""What was to be seen after each turn of a game: the pieces, the lights of a table that knew it all, and the words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firmware_bridge.drawing.pieces import Shown
from firmware_bridge.i18n.catalogue import Words
from firmware_bridge.layout import sensed
from firmware_bridge.lighting.palette import paint
from firmware_bridge.lighting.scene import Mode, Scene, scene
from firmware_bridge.reading.signature import Sight, Way
from firmware_bridge.reading.verdict import AtRest
from firmware_bridge.reading.view import View
from firmware_bridge.score import PASS, Sheet
from games.rules import Game, Position, Reason
from hardware.device import Colour, Sense

BEATS = 40
"""Looks a second at lights that change, to find each at its strongest."""
FAINTEST = 0.35
"""How strong the beginning of the last turn's path is, whose end is at full strength."""


def shown(sheet: Sheet, turn: int, mode: Mode | None, palette: Mapping[str, Colour]) -> Shown:
    """After so many turns of `sheet`; no lights without a mode."""
    position = at(sheet, turn)
    lights = still(scene_after(sheet, turn, mode), sheet.game, palette) if mode else []
    return Shown(position.board, sheet.game.beside(position) or (0, 0), lights)


def at(sheet: Sheet, turn: int) -> Position:
    """The position after so many turns."""
    return sheet.moments[turn].position if turn < sheet.length else sheet.position


def scene_after(sheet: Sheet, turn: int, mode: Mode) -> Scene:
    """The scene of a table whose players have just made that turn."""
    sight = Sight(sheet.game, sensed(sheet.game, Sense.COUNT if sheet.game.pieces == "seeds" else Sense.COLOUR))
    position, outcome = at(sheet, turn), sheet.outcome if turn == sheet.length else None
    legal = () if outcome else sheet.game.turns(position)
    ways = tuple(sight.way(position, each) for each in legal)
    frame = sight.frame(position)
    view = View(
        sheet.game, position, frame, frame, AtRest(), ways, latest(sheet, turn, sight), 0.0, 0.0,
        asked=False, flagged=False, setting=False, outcome=outcome,
    )  # fmt: skip
    return scene(view, 0.0, mode)


def latest(sheet: Sheet, turn: int, sight: Sight) -> Way | None:
    """The last of the first `turn` turns that a hand made."""
    made = (sight.way(*moment) for moment in reversed(sheet.moments[:turn]) if moment.turn.steps)
    return next(made, None)


def still(scene: Scene, game: Game[Position], palette: Mapping[str, Colour], now: float = 0.0) -> list[Colour]:
    """Each light at the strongest of two seconds, for a picture stands still; a travelling one grows along its path."""
    last = max((cue.phase for cue in scene.cues.values() if cue.kind == "travelling"), default=0.0)
    cues = {
        site: cue._replace(strength=FAINTEST + (1 - FAINTEST) * cue.phase / last)
        if cue.kind == "travelling" and last
        else cue
        for site, cue in scene.cues.items()
    }
    pictures = [paint(Scene(cues, scene.side), game.sites, palette, now + beat / BEATS, 1.0) for beat in range(80)]
    return [max(lights, key=sum) for lights in zip(*pictures, strict=True)]


def caption(sheet: Sheet, turn: int, words: Words) -> Iterator[str]:
    """What was played, and what follows from it."""
    if turn:
        position, played = sheet.moments[turn - 1]
        player = sheet.game.players[position.side]
        name = "passed" if played.text == PASS else "played"
        yield f"{turn}. " + words.say(Reason.of(f"table.{name}", player=player, turn=played.text))
    else:
        yield sheet.game.title
    if turn == sheet.length and sheet.outcome:
        yield words.say(sheet.outcome.reason)
    else:
        player = sheet.game.players[at(sheet, turn).side]
        yield words.say(Reason.of("table.to-play", number=turn + 1, player=player))
