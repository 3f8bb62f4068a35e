"""The pictures of the page in the README, taken from real games; `make picture` writes them there."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from PIL import Image

from firmware_bridge.score import ScoreSheet
from games.rules import load

from .conftest import Start, Visit
from .playing import PHONE, Player
from .short_games import ZHIZHU, ZIG_ZAG

pytestmark = pytest.mark.long
LARGEST = 150_000
"""Bytes of a picture."""
STILL = {"reduced_motion": "reduce"}


def taken(player: Player, name: str, folder: Path) -> None:
    """Keep a small picture of what the window shows; in a palette the colours of its lights would be lost."""
    shot = Image.open(BytesIO(player.page.screenshot())).convert("RGB")
    path = Path(os.environ.get("TABLELIGHT_PICTURES", folder)) / f"page-{name}.webp"
    shot.save(path, quality=88, method=6)
    assert shot.getcolors(1 << 24)
    assert path.stat().st_size < LARGEST


def test_a_stone_lifted_by_day(start: Start, visit: Visit, tmp_path: Path) -> None:
    player, sheet = visit(start("zong-heng", "--sense", "colour"), **STILL), ScoreSheet(load("zong-heng"))
    luck = Random(11)
    for _ in range(6):
        player.plays(sheet, luck.choice(sheet.turns).text)
    origin = "c5"
    x, y = player.middle(f'[data-site="{origin}"] .hit')
    player.page.mouse.move(x, y)
    player.page.mouse.down()
    player.shows([(origin, 0)])
    player.page.mouse.move(x + 50, y + 34, steps=2)
    player.until("Object.values(state.now.cues).some((cue) => cue.kind === 'target')")
    taken(player, "board", tmp_path)
    player.page.mouse.up()


def test_seeds_sown_by_night(start: Start, visit: Visit, tmp_path: Path) -> None:
    player = visit(start("zig-zag", "--sense", "count"), color_scheme="dark", **STILL)
    sheet = ScoreSheet(load("zig-zag"))
    for text in ZIG_ZAG[:6]:
        player.plays(sheet, text)
    turn = max(sheet.turns, key=lambda turn: len(turn.steps))
    for step in turn.steps[:4]:
        player.touches(step.site)
        player.shows([step])
    player.is_in("under-way")
    taken(player, "dark", tmp_path)


def test_a_capture_on_a_phone(start: Start, visit: Visit, tmp_path: Path) -> None:
    player, sheet = visit(start("zhizhu", "--sense", "colour"), **(PHONE | STILL)), ScoreSheet(load("zhizhu"))
    for text in ZHIZHU[:10]:
        player.plays(sheet, text, taps=True)
    player.lays(1, "a3")
    player.until("Object.values(state.now.cues).some((cue) => cue.kind === 'capture')")
    player.page.evaluate("() => scrollTo(0, 0)")
    taken(player, "phone", tmp_path)
