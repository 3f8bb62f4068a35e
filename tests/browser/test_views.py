"""Every view of the page looks as it did when its picture was taken; `make pictures` takes all pictures anew."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from games.rules import names

from .comparing import FOUND, KEPT, RENEWS, STEP, difference, renewed
from .conftest import FLAGS, Start, found
from .playing import Player
from .running import Program
from .views import CHANGES, DESKTOP, View, Window, after_a_game, before_a_game, of_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MOST, LARGEST = 40, 3_000_000
"""Pictures that are kept, and bytes of all."""
FONTS = Path(__file__).with_name("fonts") / "fonts.conf"
SEEN_AS = [
    *FLAGS,
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--disable-lcd-text",
    "--hide-scrollbars",
]


@pytest.fixture(scope="module")
def plain(chromium: Browser) -> Iterator[Browser]:
    """A browser that knows no fonts but ours."""
    env: dict[str, str | float | bool] = {**os.environ, "FONTCONFIG_FILE": str(FONTS)}
    browser = chromium.browser_type.launch(executable_path=found(), args=SEEN_AS, env=env)
    yield browser
    browser.close()


@pytest.fixture
def window(plain: Browser) -> Iterator[Window]:
    """Opens windows of that browser."""
    players: list[Player] = []

    def open_window(program: Program) -> Player:
        wide, high = DESKTOP
        context = plain.new_context(
            locale="en-GB", viewport={"width": wide, "height": high}, reduced_motion="reduce", service_workers="block"
        )
        players.append(Player(context.new_page(), program.origin))
        return players[-1].come()

    yield open_window
    for player in players:
        player.context.close()


def compared(views: Iterable[View]) -> None:
    """Take a picture of each view, and compare it with the one that is kept, or keep it."""
    told = []
    for player, name in views:
        player.page.wait_for_load_state()
        player.page.evaluate("document.fonts.ready.then(() => 0)")  # else what is masked may yet move
        masks = [player.page.locator(each) for each in CHANGES]
        shot = player.page.screenshot(animations="disabled", mask=masks, mask_color="#808080")
        told.append(renewed(name, shot) if RENEWS else difference(name, shot))
    assert not any(told), "\n".join(filter(None, told))


@pytest.mark.parametrize("game", names())
def test_a_game_looks_as_it_did(start: Start, window: Window, tmp_path: Path, game: str) -> None:
    compared(of_game(start, window, tmp_path, game))


def test_what_comes_before_a_game_looks_as_it_did(start: Start, window: Window) -> None:
    compared(before_a_game(start, window))


def test_what_comes_after_a_game_looks_as_it_did(start: Start, window: Window, tmp_path: Path) -> None:
    compared(after_a_game(start, window, tmp_path))


def test_the_pictures_are_few_and_small() -> None:
    pictures = list(KEPT.glob("*.webp"))
    assert 0 < len(pictures) <= MOST
    assert sum(path.stat().st_size for path in pictures) <= LARGEST


def test_a_word_or_a_shade_that_is_another_is_told_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def told(change: Callable[[Image.Image], Image.Image]) -> str:
        with Image.open(KEPT / "first-screen.webp") as kept:
            changed = change(kept.convert("RGB"))
        changed.save(shot := BytesIO(), "png")
        return difference("first-screen", shot.getvalue())

    def patched(picture: Image.Image) -> Image.Image:
        picture.paste("#1d5a49", (20, 20, 50, 40))
        return picture

    assert told(lambda picture: picture) == ""
    assert told(lambda picture: picture.point(lambda level: level + level % 2)) == ""
    assert "of the pixels differ" in told(patched)
    assert {path.name for path in (tmp_path / FOUND).iterdir()} == {
        f"first-screen-{what}.png" for what in ("got", "expected", "difference")
    }
    assert told(lambda picture: picture.point(lambda level: max(0, level - STEP)))
    assert "pixels where" in told(lambda picture: picture.resize((640, 400)))
