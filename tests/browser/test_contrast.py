"""Lights are seen: each stands out from its ground, by day and by night, as the pixels of the screen have it.

Windows are without motion, in which a light stands at the brightest moment of its rhythm.
"""

from __future__ import annotations

from io import BytesIO
from math import cos, pi, sin
from statistics import median
from typing import Any

import pytest

from firmware_bridge.lighting import PALETTES, PIECE_COLOURED, RHYTHMS
from games.rules import load, names

from .conftest import LookAt, Visit
from .playing import Player

pillow = pytest.importorskip("PIL.Image", reason="pip install pillow")

LEAST = 3.0
"""The contrast that WCAG 2.2 asks for of what is not text (1.4.11)."""
AT_ONCE, ALONG = 5, 24
"""Sites that are lit at a time, so few that the supply dims none, and directions in which each is looked at."""
RING, GROUND = 0.4, (0.03, 0.05)
"""How far from the middle a light shines, as `static/board.js` draws it, and how far outside of its ring its ground is
seen; in pitches.
"""
LIGHT = """async (cues) => {
  const { change, state } = await import("/static/state.js");
  const cue = { strength: 1, phase: 0, choice: false, under: "", order: 0, tells: "" };
  const lit = cues.map(([site, kind, level]) => [site, { ...cue, kind, level }]);
  change({ now: { ...state.now, cues: Object.fromEntries(lit) } });
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return cues.map(([site]) => {
    const { a, b, e, f } = document.querySelector(`[data-site="${site}"]`).getScreenCTM();
    const lamp = document.querySelector(`[data-lamp="${site}"]`);
    const dot = new DOMMatrix(getComputedStyle(lamp.firstElementChild).transform).a;
    const { strokeWidth, vectorEffect } = getComputedStyle(lamp.querySelector(".ring"));
    const scale = Math.hypot(a, b) * (vectorEffect === "non-scaling-stroke" ? 1 / Math.hypot(a, b) : dot);
    return [e, f, Math.hypot(a, b) * state.table.board.pitch * dot, (parseFloat(strokeWidth) / 2) * scale];
  });
}"""
PAINT = """async (colours) => {
  const { change, state } = await import("/static/state.js");
  change({ table: { ...state.table, lights: { ...state.table.lights, colours } } });
}"""
CASES = [
    *((name, path, "default") for name in names() for path in ("/", "/beside")),
    *(("zong-heng", "/", palette) for palette in PALETTES if palette != "default"),
]
"""The game, the page, and the palette: the two other ones have the same hues, or a quarter of the light."""


def luminance(pixel: tuple[int, ...]) -> float:
    """The relative luminance of a pixel, 0..1, as WCAG 2 has it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (each / 255 for each in pixel[:3])]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: float, other: float) -> float:
    """The contrast of two luminances, 1..21."""
    dark, bright = sorted((one, other))
    return (bright + 0.05) / (dark + 0.05)


def seen(picture: Any, place: list[float]) -> float:
    """The contrast of the light at a place to its ground."""
    x, y, pitch, edge = place
    ring = RING * pitch
    lit, ground = [], []
    for step in range(ALONG):
        way = cos(2 * pi * step / ALONG), sin(2 * pi * step / ALONG)

        def at(radius: float, way: tuple[float, float] = way) -> float:
            return luminance(picture.getpixel((round(x + way[0] * radius), round(y + way[1] * radius))))

        lit.append(max(at(ring + off) for off in (-2, -1, 0, 1, 2)))
        ground += [at(ring + edge + far * pitch) for far in GROUND]
    return contrast(median(lit), median(ground))


def lit(player: Player, cues: list[tuple[str, str, int]]) -> tuple[list[list[float]], Any]:
    """Where the cues are lit, and the picture; again if the table has told of its own lights meanwhile."""
    for _ in range(10):
        places = player.page.evaluate(LIGHT, cues)
        picture = pillow.open(BytesIO(player.page.screenshot())).convert("RGB")
        if player.ask("Object.keys(state.now.cues).length") == len(cues):
            return places, picture
    raise AssertionError("the table tells of other lights again and again")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("name", "path", "palette"), CASES)
def test_every_light_stands_out_from_its_ground(
    look_at: LookAt, visit: Visit, name: str, path: str, palette: str, theme: str
) -> None:
    player, game = visit(look_at(name), path, color_scheme=theme), load(name)
    if palette != "default":
        player.page.evaluate(PAINT, {kind: list(colour) for kind, colour in PALETTES[palette].items()})
    lights = [(kind, level) for kind in RHYTHMS for level in ((1, 2) if kind in PIECE_COLOURED else (1,))]
    shaded = [site for site in game.sites if site in game.shaded]
    plain = [site for site in game.sites if site not in game.shaded]
    faint: list[str] = []
    for sites in filter(None, (plain, shaded)):
        apart = sites[:: max(1, len(sites) // AT_ONCE)][:AT_ONCE]
        for begin in range(0, len(lights), len(apart)):
            cues = [(site, *light) for site, light in zip(apart, lights[begin:], strict=False)]
            places, picture = lit(player, cues)
            ratios = [round(seen(picture, place), 2) for place in places]
            faint += [f"{cue}: {ratio}" for cue, ratio in zip(cues, ratios, strict=True) if ratio < LEAST]
    assert not faint
