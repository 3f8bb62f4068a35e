"""Pictures of a record: a position as SVG or PNG, or a whole game as a GIF in which every turn is a frame."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge.drawing import output
from firmware_bridge.drawing.moments import caption, shown
from firmware_bridge.drawing.pieces import Shown, picture, rows, stage, upon
from firmware_bridge.drawing.svg import svg
from firmware_bridge.i18n.catalogue import here, words
from firmware_bridge.lighting.palette import PALETTES
from firmware_bridge.lighting.scene import Mode
from firmware_bridge.records.saved import read_record
from firmware_bridge.score import Sheet
from games.rules import Reason, say
from hardware.settings import SettingsError

if TYPE_CHECKING:
    from firmware_bridge.drawing.raster import Pixels

WIDE, FILM = 1000, 480
"""Pixels that a PNG and a GIF are wide."""
FRAME, LAST = 900, 4000
"""Milliseconds that a turn is shown in a GIF, and the last one."""
MOST = 400
"""Turns of a GIF: while it is made, a frame takes a third of a megabyte."""
SAMPLES = 4
"""Turns, beside the start, from which the colours of a GIF are taken."""


@dataclass(frozen=True, slots=True)
class Wish:
    """The game up to `turn`, and how its lights look; no lights without a mode."""

    sheet: Sheet
    turn: int
    mode: Mode | None
    palette: str

    def seen(self, turn: int) -> Shown:
        """What lies on the board after that turn, and its lights."""
        return shown(self.sheet, turn, self.mode, PALETTES[self.palette])

    def told(self, turn: int, *, pixels: bool = False) -> list[str]:
        """The caption; of pixels in English, for the typeface that comes with Pillow has no accents and no kana."""
        return list(caption(self.sheet, turn, words("en") if pixels else here()))


Drawer = Callable[[Wish], bytes]


def do_picture(wanted: argparse.Namespace) -> int:
    """Draw a record and say what was written; RecordError, SettingsError."""
    draw = drawer(wanted.output)
    sheet = read_record(wanted.file).sheet
    turn = sheet.length if wanted.turn is None else wanted.turn
    if not 0 <= turn <= sheet.length:
        raise SettingsError(f"{wanted.file}: there is no turn {turn}; name one from 0, the start, to {sheet.length}")
    mode = None if wanted.lights == "none" else wanted.lights
    output.write(wanted.output, draw(Wish(sheet, turn, mode, wanted.palette)))
    done = Reason.of("picture.drawn", file=str(wanted.output), game=sheet.game.title, turn=turn, turns=sheet.length)
    print(here().say(done))
    return 0


def drawer(path: Path) -> Drawer:
    """What draws a file that ends like this; SettingsError."""
    suffix = path.suffix.lower()
    if suffix not in DRAWERS:
        raise SettingsError(f"{path}: a picture is SVG, PNG or GIF; name a file that ends in {', '.join(DRAWERS)}")
    if suffix != ".svg":
        try:
            import PIL  # noqa: F401
        except ImportError:
            how = "install it with pip install 'tablelight[picture]', or draw SVG"
            raise SettingsError(f"{path}: {suffix[1:].upper()} needs the library Pillow: {how}") from None
    return DRAWERS[suffix]


def as_svg(wish: Wish) -> bytes:
    """The position after the turn."""
    return svg(picture(wish.sheet.game, wish.seen(wish.turn), wish.told(wish.turn)))


def as_png(wish: Wish) -> bytes:
    """The same as pixels."""
    from firmware_bridge.drawing.raster import Canvas

    told = wish.told(wish.turn, pixels=True)
    data = BytesIO()
    Canvas(picture(wish.sheet.game, wish.seen(wish.turn), told), WIDE).done().save(data, "PNG")
    return data.getvalue()


def as_gif(wish: Wish) -> bytes:
    """The game from its start to the turn; SettingsError for one too long."""
    if wish.turn > MOST:
        raise SettingsError(f"{wish.turn} turns are too many for a GIF, which takes {MOST}; name a --turn up to that")
    film, times = frames(wish), [FRAME] * wish.turn + [LAST]
    data = BytesIO()
    next(film).save(data, "GIF", save_all=True, append_images=film, duration=times, loop=0)
    return data.getvalue()


def frames(wish: Wish) -> Iterator[Pixels]:
    """A frame for the start and for each turn, all in the same colours, so that what stands still takes no room."""
    from firmware_bridge.drawing.raster import Canvas, inked, sampled

    game, turns = wish.sheet.game, range(wish.turn + 1)
    told = [wish.told(turn, pixels=True) for turn in turns]
    empty = Canvas(stage(game, max(rows(game, each) for each in told)), FILM)

    def frame(turn: int) -> Pixels:
        return empty.frame(upon(game, wish.seen(turn), told[turn]))

    colours = sampled([frame(wish.turn * part // SAMPLES) for part in range(SAMPLES + 1)])
    for turn in turns:
        yield inked(frame(turn), colours)
        progress(turn, wish.turn)


def progress(turn: int, turns: int) -> None:
    """How far it is, for who watches a terminal."""
    if sys.stderr.isatty():
        print(f"\r{turn}/{turns}", end="\n" if turn == turns else "", file=sys.stderr, flush=True)


DRAWERS: dict[str, Drawer] = {".svg": as_svg, ".png": as_png, ".gif": as_gif}
say("picture", drawn="{file}: {game} after turn {turn} of {turns}.")
