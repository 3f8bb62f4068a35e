"""The page in players' words, by keys alone."""

from __future__ import annotations

from .playing import Player


class Typist(Player):
    """Somebody who has no pointer."""

    def key(self, *keys: str) -> None:
        """Press these keys."""
        for key in keys:
            self.page.keyboard.press(key)

    @property
    def focused(self) -> str:
        """The site, or `store N`, that has the focus; empty if it is elsewhere."""
        told: str = self.page.evaluate(
            "() => { const { site, store } = document.activeElement.dataset;"
            "return site ?? (store === undefined ? '' : `store ${store}`); }"
        )
        return told

    def sits_down(self) -> None:
        """Press Tab until a site has the focus."""
        for _ in range(40):
            self.key("Tab")
            if self.focused:
                return
        raise AssertionError("Tab leads to no site")

    def goes(self, site: str) -> None:
        """Go to a site by arrow keys, and see where the focus is at each step."""
        places = self.ask("state.table.board.at")
        for _ in range(40):
            here = self.focused
            assert self.framed(here), f"the focus on {here} is not to be seen"
            if here == site:
                return
            dx, dy = (places[site][axis] - places[here][axis] for axis in (0, 1))
            sideways = abs(dx) >= abs(dy)
            self.key(("ArrowRight" if dx > 0 else "ArrowLeft") if sideways else "ArrowDown" if dy > 0 else "ArrowUp")
        raise AssertionError(f"the arrow keys do not lead to {site}")

    def framed(self, site: str) -> bool:
        """Whether the focus on a site is drawn."""
        stroke: str = self.page.evaluate(
            '(site) => getComputedStyle(document.querySelector(`[data-site="${site}"] .focus`)).stroke', site
        )
        return stroke not in ("none", "")

    def lifts(self, site: str) -> None:
        """Go there and press Enter."""
        self.touches(site)
        self.shows([(site, 0)])

    def touches(self, site: str) -> None:
        """Go there and press Enter."""
        self.goes(site)
        self.key("Enter")

    def lays(self, level: int, site: str) -> None:
        """Go there and press the letter of the stone."""
        self.goes(site)
        self.key(" dl"[level])
        self.shows([(site, level)])

    def takes_off(self, site: str) -> None:
        """Go there and press Delete."""
        self.goes(site)
        self.key("Delete")
        self.shows([(site, 0)])
