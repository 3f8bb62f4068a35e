"""Pictures of a record: a position as SVG or PNG, or a whole game as a GIF in which every turn is a frame.

A picture shows what was to be seen after a turn: the pieces, the lights of a table that has missed nothing, and the
words.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge.drawing import shapes
from firmware_bridge.drawing.board import Shown, contents, empty_board, line_count, picture, standing
from firmware_bridge.drawing.shapes import svg
from firmware_bridge.events import turn_reason
from firmware_bridge.i18n import Words, print_lines, system_words, words
from firmware_bridge.layout import usable_sense
from firmware_bridge.lighting import PALETTES, Mode, Scene, paint, scene
from firmware_bridge.records import read_record
from firmware_bridge.score import ScoreSheet
from firmware_bridge.verdict import AtRest, SensorView, Signature, View
from games.rules import Game, Position, Reason, say
from hardware.device import Colour, Sense
from hardware.settings import SettingsError

if TYPE_CHECKING:
    from firmware_bridge.drawing.raster import Pixels

# Lights -----------------------------------------------------------------------------------------

BEATS = 40
"""Looks a second at lights that change, to find each at its strongest (guessed)."""
FAINTEST = 0.35
"""How strong the beginning of the last turn's path is, whose end is at full strength (guessed)."""

# Files ------------------------------------------------------------------------------------------

WIDE, FILM = 1000, 480
"""Pixels that a PNG and a GIF are wide (guessed)."""
FRAME, LAST = 900, 4000
"""Milliseconds that a turn is shown in a GIF, and the last one (guessed)."""
MOST = 400
"""Turns of a GIF: while it is made, a frame takes a third of a megabyte."""
SAMPLES = 4
"""Turns, beside the start, from which the colours of a GIF are taken (guessed)."""


def shown(sheet: ScoreSheet, turn: int, mode: Mode | None, palette: Mapping[str, Colour]) -> Shown:
    """After so many turns of `sheet`; no lights without a mode."""
    position = position_after(sheet, turn)
    lights = strongest_lights(scene_after(sheet, turn, mode), sheet.game, palette) if mode else []
    return standing(sheet.game, position, lights)


def position_after(sheet: ScoreSheet, turn: int) -> Position:
    """The position after so many turns."""
    return sheet.played_turns[turn].position if turn < sheet.length else sheet.position


def scene_after(sheet: ScoreSheet, turn: int, mode: Mode) -> Scene:
    """The scene of a table whose players have just made that turn."""
    sensors = SensorView(
        sheet.game, usable_sense(sheet.game, Sense.COUNT if sheet.game.pieces == "seeds" else Sense.COLOUR)
    )
    position, outcome = position_after(sheet, turn), sheet.outcome if turn == sheet.length else None
    legal = () if outcome else sheet.game.turns(position)
    signatures = tuple(sensors.signature(position, each) for each in legal)
    frame = sensors.frame(position)
    view = View(
        sheet.game, position, frame, frame, AtRest(), signatures, latest(sheet, turn, sensors), 0.0, 0.0,
        asked=False, flagged=False, setting=False, outcome=outcome,
    )  # fmt: skip
    return scene(view, 0.0, mode)


def latest(sheet: ScoreSheet, turn: int, sensors: SensorView) -> Signature | None:
    """The last of the first `turn` turns that a hand made."""
    made = (
        sensors.signature(entry.position, entry.turn)
        for entry in reversed(sheet.played_turns[:turn])
        if entry.turn.steps
    )
    return next(made, None)


def strongest_lights(
    scene: Scene, game: Game[Position], palette: Mapping[str, Colour], now: float = 0.0
) -> list[Colour]:
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


def caption(sheet: ScoreSheet, turn: int, words: Words) -> Iterator[str]:
    """What was played, and what follows from it."""
    if turn:
        position, played, forced, _ = sheet.played_turns[turn - 1]
        player = sheet.game.players[position.side]
        yield f"{turn}. " + words.say(turn_reason("passed" if forced else "played", player, played))
    else:
        yield sheet.game.title
    if turn == sheet.length and sheet.outcome:
        yield words.say(sheet.outcome.reason)
    else:
        player = sheet.game.players[position_after(sheet, turn).side]
        yield words.say(Reason.of("table.to-play", number=turn + 1, player=player))


@dataclass(frozen=True, slots=True)
class Request:
    """The game up to `turn`, and how its lights look; no lights without a mode."""

    sheet: ScoreSheet
    turn: int
    mode: Mode | None
    palette: str

    def contents(self, turn: int) -> Shown:
        """What lies on the board after that turn, and its lights."""
        return shown(self.sheet, turn, self.mode, PALETTES[self.palette])

    def caption(self, turn: int, *, pixels: bool = False) -> list[str]:
        """The caption; of pixels in English, for the typeface that comes with Pillow has no accents and no kana."""
        return list(caption(self.sheet, turn, words("en") if pixels else system_words()))


Renderer = Callable[[Request], bytes]


def do_picture(wanted: argparse.Namespace) -> int:
    """Draw a record and say what was written; RecordError, SettingsError."""
    draw = renderer_of(wanted.output)
    sheet = read_record(wanted.file).sheet
    turn = sheet.length if wanted.turn is None else wanted.turn
    if not 0 <= turn <= sheet.length:
        raise SettingsError(f"{wanted.file}: there is no turn {turn}; name one from 0, the start, to {sheet.length}")
    mode = None if wanted.lights == "none" else wanted.lights
    shapes.write(wanted.output, draw(Request(sheet, turn, mode, wanted.palette)))
    done = Reason.of("picture.drawn", file=str(wanted.output), game=sheet.game.title, turn=turn, turns=sheet.length)
    print_lines(system_words().say(done))
    return 0


def renderer_of(path: Path) -> Renderer:
    """What draws a file that ends like this; SettingsError."""
    suffix = path.suffix.lower()
    if suffix not in RENDERERS:
        raise SettingsError(f"{path}: a picture is SVG, PNG or GIF; name a file that ends in {', '.join(RENDERERS)}")
    if suffix != ".svg":
        try:
            import PIL  # noqa: F401
        except ImportError:
            how = "install it with pip install 'tablelight[picture]', or draw SVG"
            raise SettingsError(f"{path}: {suffix[1:].upper()} needs the library Pillow: {how}") from None
    return RENDERERS[suffix]


def as_svg(request: Request) -> bytes:
    """The position after the turn."""
    return svg(picture(request.sheet.game, request.contents(request.turn), request.caption(request.turn)))


def as_png(request: Request) -> bytes:
    """The same as pixels."""
    from firmware_bridge.drawing.raster import Canvas

    told = request.caption(request.turn, pixels=True)
    data = BytesIO()
    Canvas(picture(request.sheet.game, request.contents(request.turn), told), WIDE).done().save(data, "PNG")
    return data.getvalue()


def as_gif(request: Request, step: Callable[[int, int], None] | None = None) -> bytes:
    """The game from its start to the turn; SettingsError for one too long. `step`: how many of the turns are drawn."""
    if request.turn > MOST:
        raise SettingsError(
            f"{request.turn} turns are too many for a GIF, which takes {MOST}; name a --turn up to that"
        )
    film, times = frames(request, step or progress), [FRAME] * request.turn + [LAST]
    data = BytesIO()
    next(film).save(data, "GIF", save_all=True, append_images=film, duration=times, loop=0)
    return data.getvalue()


def frames(request: Request, step: Callable[[int, int], None]) -> Iterator[Pixels]:
    """A frame for the start and for each turn, all in the same colours, so that what stands still takes no room."""
    from firmware_bridge.drawing.raster import Canvas, inked, sampled

    game, turns = request.sheet.game, range(request.turn + 1)
    told = [request.caption(turn, pixels=True) for turn in turns]
    empty = Canvas(empty_board(game, max(line_count(game, each) for each in told)), FILM)

    def frame(turn: int) -> Pixels:
        return empty.frame(contents(game, request.contents(turn), told[turn]))

    colours = sampled([frame(request.turn * part // SAMPLES) for part in range(SAMPLES + 1)])
    for turn in turns:
        yield inked(frame(turn), colours)
        step(turn, request.turn)


def progress(turn: int, turns: int) -> None:
    """How far it is, for who watches a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{turn}/{turns}" + ("\n" if turn == turns else ""))
        sys.stderr.flush()


RENDERERS: dict[str, Renderer] = {".svg": as_svg, ".png": as_png, ".gif": as_gif}

say("picture", drawn="{file}: {game} after turn {turn} of {turns}.")
