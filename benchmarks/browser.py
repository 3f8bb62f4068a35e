"""What somebody at the page sees: how soon light answers a touch, how evenly pieces slide, how soon the page is there.

A real `tablelight play`, as it is shipped, and Chromium without a window: pieces are lifted by a mouse, and the light
that answers is the table's. Times are the browser's own. The pointer was down when the browser was told so; a light has
come or gone once the frame that follows has been handed on to be shown. Frames count while pieces of a pushed row are
in motion. First paint is that of a window with a storage of its own. What is fetched is all that opening the first
screen and a first turn take.

    make bench-page
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, BrowserContext, sync_playwright
from tqdm import tqdm

from benchmarks.results import Frames, Paint, Seen, Weight, add_results_option, at, save, spread
from firmware_bridge.score import ScoreSheet
from games.rules import load
from tests.browser.conftest import FLAGS, found, missing
from tests.browser.playing import Player
from tests.browser.running import Program
from tests.browser.test_motion import MAKES, SMALL, pushes
from tests.browser.weighing import Scale

LIGHT_MS, LIGHT_P99_MS = 40.0, 100.0
FRAME_MS, FRAME_P95_MS = 17.0, 34.0
PAINT_MS = 300.0
WHOLE_KB = 300.0
"""What is aimed at: median and 99 % of light, median and 95 % of frames, median of first paints, all files."""
AS_SHIPPED = '[record]\nfolder = "{folder}"\n'
"""A configuration in which nothing but the folder of records is told."""
WINDOW: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB"}
ANSWERS = """() => {
  window.answers = [];
  let down = 0;
  addEventListener("pointerdown", (event) => { down ||= event.timeStamp; }, true);
  const shown = new MessageChannel();
  shown.port1.onmessage = (event) => window.answers.push(performance.now() - event.data);
  new MutationObserver((changes) => {
    if (!down || !changes.some(({ oldValue, target }) => Boolean(oldValue) !== Boolean(target.dataset.light))) return;
    const since = down;
    down = 0;
    requestAnimationFrame(() => shown.port2.postMessage(since));
  }).observe(document.querySelector("#board"), {
    subtree: true, attributeFilter: ["data-light"], attributeOldValue: true,
  });
}"""
"""Notes in `answers` how long after the pointer was down the page has shown a light come or go, in milliseconds."""
SLIDES = """async (turn) => {
  const frames = [];
  let [before, done] = [0, false];
  const note = (at) => {
    const slides = document.getAnimations().some((each) => each.constructor === Animation);
    if (before && slides) frames.push(at - before);
    before = slides ? at : 0;
    if (!done) requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
  const { state } = await import("/static/state.js");
  await (await import("/static/hand.js")).carryOut(turn);
  while (state.making || document.getAnimations().some((each) => each.constructor === Animation))
    await new Promise((resolve) => setTimeout(resolve, 20));
  done = true;
  return frames;
}"""
"""Has the hand make a turn; the milliseconds between frames while something slides."""


def light(player: Player, sheet: ScoreSheet, luck: Random, most: int) -> list[float]:
    """Play turns of one stone: how long after the pointer was down on it another light has come, for `most` turns."""
    player.lights("movable")
    player.page.evaluate(ANSWERS)
    answers: list[float] = []
    while len(answers) < most and (turns := [turn for turn in sheet.turns if len(turn.acts[0].sites) == 2]):
        turn = luck.choice(turns)
        push, *laid = turn.acts
        x, y = player.middle(f'[data-site="{push.sites[0]}"] .hit')
        player.page.mouse.move(x, y)
        player.page.wait_for_timeout(luck.uniform(0, 25))  # at any moment of a scan and of a frame
        player.page.evaluate("() => { window.answers.length = 0; }")
        player.page.mouse.down()
        player.until("window.answers.length > 0")
        answers.append(player.page.evaluate("() => window.answers[0]"))
        player.page.mouse.up()
        player.touches(push.sites[1])
        for act in laid:
            player.lays(act.levels[0], act.sites[0])
        sheet.read(turn.text)
        player.stands([entry.turn.text for entry in sheet.played_turns])
        player.until("['rest', 'over'].includes(state.now.state) && Object.keys(state.now.cues).length")
    return answers


def frames(player: Player, times: int) -> list[float]:
    """Have a row pushed, and take it back; so many times."""
    player.lights("movable")
    sites = pushes(player)
    player.until("state.story.turns.length === 3 && !state.making")
    between: list[float] = []
    for _ in tqdm(range(times), unit="push"):
        player.press("undo")
        player.until("state.story.turns.length === 2 && state.now.state === 'rest'")
        player.until("state.said.at(-1).name === 'ready'")  # the hands are done, too
        between += player.page.evaluate(SLIDES, f"{sites[0]}-{sites[-1]}")
        player.until("state.story.turns.length === 3")
    return between


def paint(window: Callable[[], BrowserContext], origin: str, times: int) -> list[float]:
    """Open the page in so many windows that have never seen it: milliseconds until something is painted."""
    painted = []
    for _ in tqdm(range(times), unit="window"):
        context = window()
        player = Player(context.new_page(), origin).come()
        painted.append(
            player.page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0].startTime")
        )
        context.close()
    return painted


def weight(window: Callable[[], BrowserContext], origin: str) -> Weight:
    """Open the first screen, begin a game there and make a turn: what was fetched for it."""
    page = window().new_page()
    scale = Scale(page)
    player = Player(page, origin).come()
    player.until("document.querySelectorAll('.little-board svg').length === state.table.games.length")
    player.tap("[data-play=zong-heng]")
    player.tap("#new-ok")
    player.until("!state.table.offered && state.now.state === 'rest'")
    player.page.evaluate(MAKES, player.ask("state.story.ways[0].text"))
    player.until("state.story.turns.length === 1")
    files = scale.files()
    whole, sent = sum(each.whole for each in files), sum(each.sent for each in files)
    return Weight(len(files), whole / 1000, sent / 1000, scale.told / 1000)


def measured(browser: Browser, folder: Path, wanted: argparse.Namespace) -> Seen:
    """All figures, each at a table of its own."""

    def window(**more: Any) -> BrowserContext:
        return browser.new_context(**WINDOW, **more)

    def at_table(name: str, game: str, *words: str) -> Program:
        (folder / name).mkdir()
        return Program(folder / name, game, *words, quick=AS_SHIPPED)

    answers: list[float] = []
    while (left := wanted.lifts - len(answers)) > 0:
        touched = at_table(f"light {left}", "zong-heng", "--sense", "colour")
        player = Player(window().new_page(), touched.origin).come()
        answers += light(player, ScoreSheet(load("zong-heng")), Random(left), left)
        player.context.close()
        touched.end()
    pushed = at_table("frames", "zong-heng", *SMALL)
    between = frames(Player(window().new_page(), pushed.origin).come(), wanted.pushes)
    painted = paint(window, pushed.origin, wanted.windows)
    pushed.end()
    offered = at_table("weight", "")
    heavy = weight(window, offered.origin)
    offered.end()
    return Seen(
        spread(answers),
        len(answers),
        Frames(median(between), at(between, 0.95), max(between), len(between)),
        Paint(median(painted), max(painted), len(painted)),
        heavy,
    )


def good(seen: Seen) -> bool:
    """Whether all is as quick and as small as it should be."""
    answers, slides = seen.light, seen.frames
    quick = (answers.median_ms or 0) < LIGHT_MS and (answers.p99_ms or 0) < LIGHT_P99_MS
    even = slides.median_ms <= FRAME_MS and slides.p95_ms <= FRAME_P95_MS
    return quick and even and seen.paint.median_ms < PAINT_MS and seen.weight.whole_kb < WHOLE_KB


def main() -> None:
    """Print the figures and save them; the exit status tells whether they are good enough."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lifts", type=int, default=150, help="pieces that are lifted (default 150)")
    parser.add_argument("--pushes", type=int, default=10, help="rows that are pushed (default 10)")
    parser.add_argument("--windows", type=int, default=15, help="windows that are opened (default 15)")
    add_results_option(parser)
    wanted = parser.parse_args()
    if missing():
        raise SystemExit(missing())
    with TemporaryDirectory() as folder, sync_playwright() as library:
        browser = library.chromium.launch(executable_path=found(), args=FLAGS)
        seen = measured(browser, Path(folder), wanted)
        browser.close()
    answers, slides, weigh = seen.light, seen.frames, seen.weight
    print(f"pointer down to changed light: {answers.median_ms:.0f} ms, 99 % {answers.p99_ms:.0f}", end="")
    print(f", worst {answers.worst_ms:.0f}; {seen.lifts} lifts")
    print(f"between frames while a row slides: {slides.median_ms:.1f} ms, 95 % {slides.p95_ms:.1f}", end="")
    print(f", worst {slides.worst_ms:.1f}; {slides.frames} frames")
    print(f"first paint: {seen.paint.median_ms:.0f} ms, worst {seen.paint.worst_ms:.0f}")
    print(f"{weigh.files} files: {weigh.whole_kb:.0f} kB, {weigh.sent_kb:.0f} as sent; {weigh.told_kb:.0f} kB told")
    save("browser", seen, wanted, seed=1)
    raise SystemExit(not good(seen))


if __name__ == "__main__":
    main()
