"""A Chromium for the tests of this folder, programs for each test, and windows in which nothing may go wrong."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .playing import Player
from .running import Program

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
Start = Callable[..., Program]
LookAt = Callable[[str], Program]
Visit = Callable[..., Player]


def found() -> str | None:
    """The browser: the one without windows, which is quicker, or else the whole one."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


def missing() -> str:
    """What is missing for these tests, in a sentence; empty if nothing is."""
    if not found():
        return "the page's tests need Chromium: apt-get install chromium-headless-shell"
    if not find_spec("playwright"):
        return "the page's tests need Playwright's library: pip install playwright"
    return ""


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One browser for the folder. It ends with it, for its library keeps an event loop running in this thread."""
    if missing():
        pytest.skip(missing())
    from playwright.sync_api import sync_playwright

    with sync_playwright() as library:
        browser = library.chromium.launch(executable_path=found(), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def chromium_in(chromium: Browser) -> Iterator[Callable[[str], Browser]]:
    """Browsers that speak another language: some versions send their own with a websocket, not the window's."""
    browsers: list[Browser] = []

    def launch(locale: str) -> Browser:
        flags = [*FLAGS, f"--accept-lang={locale}"]
        browsers.append(chromium.browser_type.launch(executable_path=found(), args=flags))
        return browsers[-1]

    yield launch
    for browser in browsers:
        browser.close()


@pytest.fixture
def start(chromium: Browser, tmp_path: Path) -> Iterator[Start]:
    """Starts programs; none may end with a traceback."""
    started: list[Program] = []

    def begin(game: str, *words: str, **other: Any) -> Program:
        folder = tmp_path / str(len(started))
        folder.mkdir()
        started.append(Program(folder, game, *words, **other))
        return started[-1]

    yield begin
    said = [program.end() for program in started]
    assert not any("Traceback" in each for each in said), said


@pytest.fixture(scope="package")
def look_at(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LookAt]:
    """Programs for tests that change nothing at the table: one for each game, since each takes a second to start."""
    started: dict[str, Program] = {}

    def find(game: str) -> Program:
        if game not in started:
            started[game] = Program(tmp_path_factory.mktemp(game), game)
        return started[game]

    yield find
    said = [program.end() for program in started.values()]
    assert not any("Traceback" in each for each in said), said


@pytest.fixture
def visit(chromium: Browser, chromium_in: Callable[[str], Browser]) -> Iterator[Visit]:
    """Opens windows, each with a storage of its own; the browser may complain of nothing in any of them."""
    players: list[Player] = []

    def open_window(program: Program, path: str = "/", who: type[Player] = Player, **wanted: Any) -> Player:
        # Most windows want no motion: drawing it costs more than all the rest. test_lights.py has some that do.
        options = {"locale": "en-GB", "viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"} | wanted
        browser = chromium_in(wanted["locale"]) if "locale" in wanted else chromium
        page = browser.new_context(**options).new_page()
        players.append(who(page, program.origin, touch=bool(wanted.get("has_touch"))))
        return players[-1].come(path)

    yield open_window
    complaints = [fault for player in players for fault in player.complaints]
    for player in players:
        player.context.close()
    assert not complaints
