"""The views of the page of which pictures are kept: how each is come by, and what in it is never the same.

Pictures are of a window without motion, in which a light stands at its brightest; of a table whose every touch counts
at once; in a font of our own. So nothing in them depends on when they are taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.score import ScoreSheet
from games.rules import load

from .conftest import Start
from .playing import Player
from .running import QUICK, Program
from .short_games import ENDING, YIN_YANG, ZHIZHU, ZIG_ZAG

DESKTOP, PHONE, ON_ITS_SIDE, TABLET = (1280, 800), (360, 740), (844, 390), (1024, 640)
BEGUN = {"yin-yang": YIN_YANG[:3], "zhizhu": ZHIZHU[:10], "zig-zag": ZIG_ZAG[:6], "zong-heng": ["c3-c4", "f6-f5"]}
"""Turns that have been made when pictures are taken, by game; none in others."""
CHANGES = ("#share-link", ".played .small", "#invite-code", "#invite-at")
"""What is never the same: days, and addresses with their QR codes."""

PATIENT = QUICK.replace("settle = 0.05", "settle = 0.05\nleft_off = 60")
"""A table that tells nobody that a turn is not finished while pictures of it are taken."""
Window = Callable[[Program], Player]
"""Opens a window."""


class View(NamedTuple):
    """What is to be seen in a player's window, and what its picture is called."""

    player: Player
    name: str


def seen(player: Player, name: str, size: tuple[int, int] = DESKTOP, *, dark: bool = False) -> View:
    """A view in a window of that size, by day or by night."""
    player.page.set_viewport_size({"width": size[0], "height": size[1]})
    player.page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
    return View(player, name)


def of_game(start: Start, window: Window, folder: Path, game: str) -> Iterator[View]:
    """The board at rest on phones, in mid-turn, on a screen beside it, and the rules."""
    sheet = ScoreSheet(load(game))
    for text in BEGUN.get(game, ()):
        sheet.read(text)
    path = folder / "begun.table"
    sense = "count" if sheet.game.pieces == "seeds" else "colour"
    turns = "".join(f"turn {entry.turn.text}\n" for entry in sheet.played_turns)
    path.write_text(f"tablelight 1\ngame {game}\nsense {sense}\n{turns}")
    player = window(start(game, "--resume", str(path), quick=PATIENT))
    settled(player)
    yield seen(player, f"{game}-phone", PHONE)
    yield seen(player, f"{game}-on-its-side", ON_ITS_SIDE, dark=True)
    seen(player, "")
    player.tap("#open-rules")
    player.until("state.table.captions.length && document.querySelectorAll('#rules-text figure').length")
    yield View(player, f"{game}-rules")
    player.page.keyboard.press("Escape")
    reach_in(player, sheet)
    yield View(player, f"{game}-turn")
    yield seen(player, f"{game}-turn-by-night", dark=True)
    seen(player, "", TABLET)
    player.come("/beside")
    player.until("document.querySelectorAll('[data-site][data-cue]:not([data-cue=\"\"])').length > 0")
    yield View(player, f"{game}-beside")


def settled(player: Player) -> None:
    """Wait until the board is at rest, with the lights of the next turn."""
    player.is_in("rest")
    player.until("Object.values(state.now.cues).some(({ kind }) => kind !== 'last')")


def reach_in(player: Player, sheet: ScoreSheet) -> None:
    """Begin the turn of which most is to be seen: a piece is in the hand, and the lights tell where it may go."""
    turn = max(sheet.turns, key=lambda turn: (len(turn.acts), len(turn.steps)))
    first = turn.acts[0]
    if first.kind == "lay":
        player.lays(first.levels[0], first.sites[0])
    else:
        player.lifts(first.sites[0])
    player.is_in("under-way" if len(turn.acts) > 1 or first.kind != "lay" else "rest")
    player.page.mouse.move(2, 2)


def before_a_game(start: Start, window: Window) -> Iterator[View]:
    """The first screen, what is chosen and told there, and a lesson."""
    player = window(start(""))
    cards = "document.querySelectorAll('.little-board svg').length === 4"
    player.until(cards)
    yield seen(player, "first-screen")
    yield seen(player, "first-screen-phone", PHONE, dark=True)
    seen(player, "")
    for button, dialog in (("[data-play=zhizhu]", "new"), ("#open-help", "help"), ("#open-seats", "seats")):
        player.tap(button)
        player.page.locator(f"dialog#{dialog}[open]").wait_for()
        yield View(player, dialog)
        player.page.keyboard.press("Escape")
    player.tap("#open-start")
    player.tap("[data-learn=yin-yang]")
    player.until("state.table.lesson?.number === 1 && state.now.state === 'rest'")
    settled(player)
    player.page.locator("#lesson").wait_for()  # that part of the page is fetched now
    yield seen(player, "lesson", PHONE)


def after_a_game(start: Start, window: Window, folder: Path) -> Iterator[View]:
    """A game that is explained, what is shared of it, and past games."""
    path = folder / "over.table"
    path.write_text(ENDING + "turn c2-c3\nagree\n")
    player = window(start("zhizhu", "--resume", str(path), "--name", "Anna", "--name", "Ben"))
    player.tap("#explain")
    player.until("state.review?.state === 'made'")
    player.tap("#see-better")
    player.page.locator(".stage .moves .better").first.wait_for()
    yield seen(player, "explained")
    player.tap("#open-share")
    player.page.locator("dialog#share[open] svg").first.wait_for()
    yield View(player, "share")
    player.page.keyboard.press("Escape")
    player = window(start("yin-yang", "--sense", "colour", "--name", "Anna", "--name", "Ben"))
    player.plays(ScoreSheet(load("yin-yang")), YIN_YANG[0], taps=True)
    player.tap("#open-end")
    player.tap("#end-ways button:first-child")
    player.until("state.story.outcome")
    yield View(player, "over")
    player.tap("aside .to-past")
    player.page.locator(".played li").wait_for()
    yield View(player, "past-games")
