"""The page in players' words: lift, put, push, take a new stone, sow; by mouse or by finger.

A verb returns when the table has seen what was done: the page's own state says so. Nothing waits for a fixed time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from firmware_bridge.score import ScoreSheet
from games.rules import Position, Turn

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, CDPSession, Locator, LocatorAssertions, Page

PHONE = {
    "reduced_motion": "no-preference",
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
"""The window of a small phone."""
MOVES: dict[str, Any] = {"reduced_motion": "no-preference"}
"""A window in which pieces move."""
WATCH = """() => {
  window.ways = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, how) {
    const site = this.closest("[data-site]")?.dataset.site ?? this.getAttribute("class");
    window.ways.push([site, frames[0].transform, frames.at(-1).transform]);
    return animate.call(this, frames, how);
  };
}"""
"""Notes in `ways` what moves on the page: the site, or the class of what lies over the board, from where to where."""
PLACES = """(selector) => {
  const each = document.querySelector(selector);
  const { port1, port2 } = new MessageChannel();
  window.places = [];
  port1.onmessage = () => {
    const { x, y, width } = each.getBoundingClientRect();
    const [place, last] = [JSON.stringify([x, y + scrollY]), window.places.at(-1)];
    if (width && last?.[0] === place) last[1] += 1;
    else if (width) window.places.push([place, 1]);
    requestAnimationFrame(() => port2.postMessage(null));
  };
  port2.postMessage(null);
}"""
"""Notes in `places` where an element stands on the page, and for how many frames, each as it was shown."""
PATIENCE = 30.0
"""Seconds after which a test gives up."""
KNOWN = "const {{ settled, state }} = await import('/static/state.js'); await settled();"
UNTIL = (
    "async (wanted) => {{ const {{ settled, state }} = await import('/static/state.js');"
    "const level = (site) => state.now.levels[Object.keys(state.table.board.at).indexOf(site)];"
    "const end = performance.now() + {patience};"
    "for (;;) {{ let found = false; try {{ found = {test}; }} catch (fault) {{ found = false; }}"
    "if (found) {{ await settled(); return found; }}"
    "if (performance.now() > end) throw new Error('waited in vain: ' + {told} + JSON.stringify([wanted, state.now,"
    "state.story?.turns.map((turn) => turn.text), state.said.slice(-3), state.hand, state.viewing,"
    "state.refusal, state.complaint]));"
    "await new Promise((resolve) => setTimeout(resolve, 4)); }} }}"
)
MIDDLE = """async ([selector, patience]) => {
  const { settled } = await import("/static/state.js");
  const end = performance.now() + patience;
  let box, before = "";
  for (;;) {
    await settled();
    const found = document.querySelector(selector);
    box = found?.getBoundingClientRect();
    const rests = before;
    before = JSON.stringify(box);
    if (box?.width && !found.disabled && before === rests) break;
    if (performance.now() > end) throw new Error(`nothing to press: ${selector}`);
    await new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve), 4));
  }
  const bar = document.querySelector("#buttons").getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const covered = y > bar.top && y < bar.bottom && !document.querySelector("#buttons").contains(
    document.querySelector(selector)) && getComputedStyle(document.querySelector("#buttons")).position === "sticky";
  return [x, y, covered && !document.querySelector("dialog[open]")];
}"""
"""The middle of an element in CSS pixels once it can be pressed and nothing moves it any more, and whether the bar of
buttons lies over it."""


def expect(locator: Locator) -> LocatorAssertions:
    """What has to hold there, sooner or later: parts of the page are drawn, and fetched, after the lights."""
    from playwright.sync_api import expect as library

    library.set_options(timeout=1000 * PATIENCE)
    return library(locator)


class Player:
    """Somebody at the page, with a mouse unless `touch`."""

    def __init__(self, page: Page, origin: str, *, touch: bool = False) -> None:
        self.page = page
        self.origin = origin
        self.touch = touch
        self.faults: list[str] = []
        """What the browser complained of."""
        self.forgiven: str | None = None
        """What it may complain of: a pattern."""
        self._glass: CDPSession | None = None
        page.on("console", self._hear)
        page.on("pageerror", lambda fault: self.faults.append(str(fault)))

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"{message.type}: {message.text}")

    @property
    def complaints(self) -> list[str]:
        """What the browser complained of and may not."""
        return [fault for fault in self.faults if not (self.forgiven and re.search(self.forgiven, fault))]

    @property
    def context(self) -> BrowserContext:
        """The browser's window with its own storage."""
        return self.page.context

    def come(self, path: str = "/") -> Player:
        """Open the page, and wait until the board lies there."""
        self.page.goto(self.origin + path)
        self.until("state.connected && state.now && state.story && document.querySelector('[data-site]')")
        return self

    # What there is to see ---------------------------------------------------------------------

    def until(self, test: str, wanted: Any = None) -> Any:
        """Wait until `test` (of `state`, `wanted`, `level(site)` and the page) holds; what it gives."""
        script = UNTIL.format(test=test, told=repr(test + " "), patience=PATIENCE * 1000)
        return self.page.evaluate(script, wanted)

    def ask(self, what: str, wanted: Any = None) -> Any:
        """The value of `what` now."""
        return self.page.evaluate(f"async (wanted) => {{ {KNOWN.format()} return {what}; }}", wanted)

    def text(self, selector: str) -> str:
        """What stands there, once the page tells of all that it knows."""
        from playwright.sync_api import Error

        with suppress(Error):  # the page is just being left
            self.ask("true")
        return self.page.locator(selector).inner_text()

    def attribute(self, site: str, name: str) -> str:
        """An attribute of a site, such as ``data-cue``."""
        return self.page.locator(f'[data-site="{site}"]').get_attribute(name) or ""

    def cues(self) -> dict[str, str]:
        """The lit sites, each with its cue, as the board shows them."""
        cues: dict[str, str] = self.page.evaluate(
            "() => Object.fromEntries([...document.querySelectorAll('[data-site]')]"
            ".filter((each) => each.dataset.cue).map((each) => [each.dataset.site, each.dataset.cue]))"
        )
        return cues

    def board(self) -> list[int]:
        """The level that each site shows, in the order of the game's sites."""
        levels: list[int] = self.page.evaluate(
            "() => [...document.querySelectorAll('[data-site]')].map((each) => Number(each.dataset.level))"
        )
        return levels

    def turns(self) -> list[str]:
        """The texts of the turns, as the list tells them."""
        return [line.rsplit(" ", 1)[-1] for line in self.page.locator("#turns button").all_inner_texts()]

    def lit(self, cue: str, *sites: str) -> None:
        """Wait until the board shows this cue on these sites, each with its mark."""
        self.until(
            'wanted[1].every((site) => document.querySelector(`[data-site="${site}"][data-cue=${wanted[0]}] .mark`))',
            [cue, list(sites)],
        )

    def lights(self, *kinds: str) -> None:
        """Wait until just these kinds of cues are to be seen on the board."""
        self.until(
            "JSON.stringify([...new Set([...document.querySelectorAll('[data-site]')].map((each) => each.dataset.cue))]"
            ".filter(Boolean).sort()) === JSON.stringify(wanted)",
            sorted(kinds),
        )

    def shows(self, levels: Iterable[tuple[str, int]]) -> None:
        """Wait until the table has seen these sites hold these levels."""
        self.until("wanted.every(([site, wants]) => level(site) === wants)", [list(pair) for pair in levels])

    def stands(self, turns: Sequence[str]) -> None:
        """Wait until just these turns have been made."""
        self.until("JSON.stringify(state.story.turns.map((turn) => turn.text)) === JSON.stringify(wanted)", list(turns))

    def is_in(self, state: str) -> None:
        """Wait until the table is in this state, ``rest`` for one."""
        self.until("state.now.state === wanted && document.body.dataset.state === wanted", state)

    def hears(self, words: str) -> None:
        """Wait until the page says a sentence with these words in it."""
        self.until("(document.querySelector('#say').textContent + document.querySelector('#alarm').textContent)"
                   ".includes(wanted)", words)  # fmt: skip

    # Pointer ----------------------------------------------------------------------------------

    def middle(self, selector: str) -> tuple[float, float]:
        """The middle of an element, in CSS pixels; it is scrolled to if it is out of sight."""
        x, y, covered = self.page.evaluate(MIDDLE, [selector, PATIENCE * 1000])
        height = self.page.viewport_size["height"] if self.page.viewport_size else 720
        if covered or not 0 < y < height:
            self.page.locator(selector).evaluate(
                "each => each.scrollIntoView({ block: 'center', behavior: 'instant' })"
            )
            x, y, _ = self.page.evaluate(MIDDLE, [selector, PATIENCE * 1000])
        return x, y

    def opens(self, drawer: str) -> None:
        """Open what is folded away beside the board, or the menu of a narrow window."""
        if drawer != "menu":
            self.page.locator(f"#{drawer}").evaluate("each => (each.open = true)")
        elif self.page.locator("#open-menu").is_visible() and self.page.locator("#menu").is_hidden():
            self.tap("#open-menu")

    def tap(self, selector: str) -> None:
        """Press and let go there."""
        x, y = self.middle(selector)
        if self.touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def touches(self, site: str) -> None:
        """Tap a site."""
        self.tap(f'[data-site="{site}"] .hit')

    def press(self, button: str) -> None:
        """Press a button of the table: ``undo``, ``done``, ``hint``."""
        self.tap(f'[data-press="{button}"]')

    def drag(self, origin: str, target: str | tuple[float, float]) -> None:
        """Press on one element, move to the other, or to a point, and let go."""
        if isinstance(target, str):
            self.middle(target)  # it is in sight, and so is what is pressed
        site = re.fullmatch(r'\[data-site="(.*)"] \.hit', origin)
        at = self.middle(origin)
        self._down(*at)
        if site:
            self.shows([(site[1], 0)])
        elif "supply" in origin:
            self.until("state.hand")
        self._move(at, self.middle(target) if isinstance(target, str) else target)
        self._up()

    def _down(self, x: float, y: float) -> None:
        if self.touch:
            return self._finger("touchStart", (x, y))
        self.page.mouse.move(x, y)
        return self.page.mouse.down()

    def _move(self, at: tuple[float, float], to: tuple[float, float]) -> None:
        between = ((at[0] + to[0]) / 2, (at[1] + to[1]) / 2)
        for point in (between, to):
            self._finger("touchMove", point) if self.touch else self.page.mouse.move(*point)

    def _up(self) -> None:
        self._finger("touchEnd") if self.touch else self.page.mouse.up()

    def _finger(self, kind: str, *points: tuple[float, float]) -> None:
        """What a finger does on the glass."""
        self._glass = self._glass or self.context.new_cdp_session(self.page)
        told = {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        self._glass.send("Input.dispatchTouchEvent", told)

    def drags(self, origin: str, target: str) -> None:
        """Drag what lies on a site to another; against a stone beside it, that pushes the row."""
        self.drag(f'[data-site="{origin}"] .hit', f'[data-site="{target}"] .hit')

    def drags_off(self, site: str) -> None:
        """Drag what lies on a site over the edge of the board."""
        x, y, width, _ = self.page.evaluate(
            "() => { const box = document.querySelector('.stage').getBoundingClientRect();"
            "return [box.x, box.y, box.width, box.height]; }"
        )
        self.drag(f'[data-site="{site}"] .hit', (x + width + 20, y + 30))
        self.shows([(site, 0)])

    def brings(self, level: int, site: str) -> None:
        """Drag a new stone from its tray to a site."""
        self.drag(f'[data-supply="{level}"]', f'[data-site="{site}"] .hit')
        self.shows([(site, level)])

    # The same by taps -------------------------------------------------------------------------

    def lifts(self, site: str) -> None:
        """Tap a piece: it is in the hand."""
        self.touches(site)
        self.shows([(site, 0)])

    def takes_off(self, site: str) -> None:
        """Tap a piece, and the button that takes it off."""
        self.lifts(site)
        if self.ask("state.hand !== null"):  # else it is captured, and has gone to the tray
            self.tap('[data-hand="take-off"]')
        self.until("state.hand === null")

    def lays(self, level: int, site: str) -> None:
        """Tap a tray of new stones and then a site."""
        self.tap(f'[data-supply="{level}"]')
        self.until("state.hand")
        self.touches(site)
        self.shows([(site, level)])

    # Whole turns ------------------------------------------------------------------------------

    def makes(self, turn: Turn[Position], *, taps: bool = False) -> None:
        """Make the whole turn with the pieces; `taps`: without dragging."""
        goals = {act.sites[1] for act in turn.acts if act.kind == "carry"}
        for kind, sites, levels, _ in turn.acts:
            if kind in ("carry", "push"):
                self._shifts(sites, dict(zip(sites[1:], levels, strict=True)), taps=taps)
            elif kind == "lay":
                self._places(levels[0], sites[0], taps=taps)
            elif kind == "flip":
                if self.until("level(wanted)", sites[0]) != levels[0]:  # else it becomes another kind of its colour
                    self._turns_over(sites[0], levels[0])
            elif sites[0] not in goals:  # else what is carried there takes its place
                (self.takes_off if taps else self.drags_off)(sites[0])

    def _turns_over(self, site: str, level: int) -> None:
        """Tap a piece that the lights ask to become another."""
        self.lit("place-here", site)
        self.touches(site)
        self.shows([(site, level)])

    def _shifts(self, row: Sequence[str], after: dict[str, int], *, taps: bool) -> None:
        """Move the stone on the first site of `row` to the next, and the row before it one place on."""
        if taps:
            self.lifts(row[0])
            self.touches(row[1])
        else:
            self.drags(row[0], row[1])
        self.shows([(site, after[site]) for site in row[1:]])

    def _places(self, level: int, site: str, *, taps: bool) -> None:
        (self.lays if taps else self.brings)(level, site)

    def sows(self, turn: Turn[Position], side: int) -> None:
        """Lift the seeds and let them fall, click by click; what is captured goes into the store."""
        for step in turn.steps:
            self.touches(step.site)
            self.shows([step])
        if self.ask("state.hand !== null"):
            self.tap(f'[data-store="{side}"]')
            self.until("state.hand === null")

    def lets_the_hand_sow(self, pit: str) -> None:
        """Lift the seeds, and press the button that lets the hand do the rest."""
        self.lifts(pit)
        self.tap('[data-hand="sow"]')
        self.until("!state.making")

    def plays(self, sheet: ScoreSheet, text: str, *, taps: bool = False, by_itself: bool = False) -> None:
        """Make the turn of this text, and wait until the table has written it down as `sheet` does.

        `taps`: without dragging; `by_itself`: with seeds that the hand sows by itself.
        """
        turn = next(turn for turn in sheet.turns if turn.text == text)
        if by_itself:
            self.lets_the_hand_sow(turn.steps[0].site)
        elif sheet.game.pieces == "seeds":
            self.sows(turn, sheet.position.side)
        else:
            self.makes(turn, taps=taps)
        sheet.read(text)
        self.stands([entry.turn.text for entry in sheet.played_turns])
