"""What a browser fetches to open the page and to play is bounded, and comes compressed."""

from __future__ import annotations

from .conftest import Start, Visit
from .playing import Player
from .weighing import Scale

FETCHED = (
    "wanted.every((name) => performance.getEntriesByType('resource').some((each) => each.name.endsWith(`/${name}`)))"
)
"""Whether all of these files were fetched."""
MOST, MOST_SENT = 300_000, 110_000
"""Bytes of all files without fonts, as they are and as they go over the line."""
LATER = {"review.js", "curve.js", "moments.js", "share.js", "replay.js"}
"""What a game fetches when it is looked back at, shared, or over."""
SELDOM = {"lessons.js", "puzzles.js", "back.js", "bring.js", "opened.js", "takeaway.js", "pair.js"}
"""What else is fetched when it is wanted."""


class Weigher(Player):
    """A player whose page is weighed from its first byte on."""

    def come(self, path: str = "/") -> Weigher:
        """Open the page."""
        self.scale = Scale(self.page)
        super().come(path)
        return self


def test_the_page_and_a_game_weigh_little(start: Start, visit: Visit) -> None:
    player = visit(start(""), who=Weigher)
    assert isinstance(player, Weigher)
    player.until("document.querySelectorAll('.little-board svg').length === state.table.games.length")
    player.tap("[data-play=zhizhu]")
    player.tap("#new-ok")
    player.until("state.table.game === 'zhizhu' && state.now.state === 'rest'")
    player.lays(1, "a1")
    player.stands(["a1"])
    files = player.scale.files()
    assert {each.path for each in files} >= {"/", "/static/main.js", "/static/style.css", "/cards"}
    assert not (LATER | SELDOM) & {each.path.rpartition("/")[2] for each in files}
    assert sum(each.whole for each in files) < MOST, sorted(files, key=lambda each: -each.whole)
    assert sum(each.sent for each in files) < MOST_SENT


def test_what_is_wanted_later_comes_then(start: Start, visit: Visit) -> None:
    player = visit(start("zhizhu", "--sense", "colour"), who=Weigher)
    assert isinstance(player, Weigher)
    player.lays(1, "a1")
    player.stands(["a1"])
    player.tap('[data-look="back"]')
    player.tap("#open-share")
    player.page.locator("dialog#share[open]").wait_for()
    player.page.keyboard.press("Escape")
    player.tap("#open-end")
    player.tap("#end-ways button:first-child")
    player.until(FETCHED, sorted(LATER))
    names = [each.path.rpartition("/")[2] for each in player.scale.files()]
    assert {*names} >= LATER
    assert len(names) == len({*names})  # nothing twice
