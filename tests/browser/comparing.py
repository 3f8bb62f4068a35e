"""Pictures of the page beside those that are kept in `looks/`: how far they differ, and what is written then."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

KEPT = Path(__file__).with_name("looks")
FOUND = Path("build/looks")
"""Where pictures are written that differ from those kept, with these and the difference."""
RENEWS = bool(os.environ.get("TABLELIGHT_RENEW"))
"""Whether the pictures that are kept are taken anew."""
FAR, FEW = 32, 0.0005
"""How far a channel (0-255) may differ before its pixel does, and the share of pixels that may: letters and curves are
smoothed a little differently by other processors and versions. It is 512 pixels of a desktop, a third of the smallest
button; a word that is another one has more.
"""
FAINT = 0.25
"""How far all channels may differ on average: a ground that is another by a step on a tenth of the page is found."""

STEP = 4
"""Nobody sees a step of colour as small as this, and without them a picture has two thirds of the bytes."""


def renewed(name: str, shot: bytes) -> str:
    """Keep the picture; there is nothing to tell of it."""
    KEPT.mkdir(exist_ok=True)
    opened(shot).save(KEPT / f"{name}.webp", lossless=True, quality=100, method=4)
    return ""


def opened(shot: bytes) -> Image.Image:
    """A picture as it was taken, its colours in steps of `STEP`."""
    return Image.open(BytesIO(shot)).convert("RGB").point(lambda level: level - level % STEP)


def difference(name: str, shot: bytes) -> str:
    """How the picture differs from the one that is kept, in a sentence that says where both are; empty for not."""
    path = KEPT / f"{name}.webp"
    if not path.exists():
        return f"{name}: no picture is kept of this view; take all with make pictures."
    with Image.open(path) as kept:
        expected = kept.convert("RGB")
    got = opened(shot)
    if got.size != expected.size:
        return written(name, got, expected, f"{got.size} pixels where {expected.size} are expected")
    apart = ImageChops.difference(got, expected)
    red, green, blue = apart.split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    far = sum(most.histogram()[FAR + 1 :]) / (got.width * got.height)
    faint = sum(ImageStat.Stat(apart).mean) / 3
    if far <= FEW and faint <= FAINT:
        return ""
    return written(name, got, expected, f"{far:.2%} of the pixels differ, all of them by {faint:.2f} levels on average")


def written(name: str, got: Image.Image, expected: Image.Image, why: str) -> str:
    """Write both pictures and their difference beside each other, and say where."""
    FOUND.mkdir(parents=True, exist_ok=True)
    apart = ImageChops.difference(got, expected.resize(got.size)).point(lambda level: min(255, 4 * level))
    for what, picture in (("got", got), ("expected", expected), ("difference", apart)):
        picture.save(FOUND / f"{name}-{what}.png")
    return f"{name}: {why}. See {FOUND}/{name}-difference.png, -got and -expected; make pictures keeps the new one."
