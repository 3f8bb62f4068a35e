"""The wall in a browser: two boards live, with names, a result and the cross-table; nothing on it changes a table."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from benchmarks.broker import MISSING, MOSQUITTO, RunningBroker
from firmware_bridge.club.evening import evening_path, plan, write_evening
from firmware_bridge.i18n import words
from firmware_bridge.link.pairing import broker_of
from tests.club.evenings import Lines, Tables, terms

from .conftest import Visit
from .playing import Player, expect
from .running import free_port

if TYPE_CHECKING:
    from playwright.sync_api import Page

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python")
pytestmark = pytest.mark.skipif(not MOSQUITTO, reason=MISSING)


class Wall:
    """`tablelight club wall` of an evening of four, unless it is not `known` there, and two of its games."""

    def __init__(self, folder: Path, *, known: bool = True) -> None:
        self.broker = RunningBroker(folder)
        planned = plan(("Anna", "Ben", "Carl", "Dora"), terms(clock="10+5"), broker_of(self.broker.address)[0])
        if known:
            write_evening(evening_path(folder), planned)
        self.lines = Lines(planned)
        self.games = [Tables(planned, meeting, folder, self.lines.publish) for meeting in planned.rounds[0]]
        config = folder / "tablelight.toml"
        config.write_text(f'[record]\nfolder = "{folder}"\n')
        address = f"127.0.0.1:{free_port('127.0.0.1')}"
        self.origin = f"http://{address}"
        command = ("-m", "firmware_bridge", "club", "wall", "--address", address, "--config", str(config),
                   "--broker", self.broker.address)  # fmt: skip
        self._process = subprocess.Popen((sys.executable, *command), stdout=subprocess.PIPE, text=True)
        assert self._process.stdout
        assert self.origin in self._process.stdout.readline()

    def end(self) -> None:
        self.lines.close()
        self._process.terminate()
        self._process.wait(30)
        self.broker.kill()


class Spectator(Player):
    """Somebody who looks at the wall."""

    def come(self, path: str = "/") -> Spectator:
        self.page.goto(self.origin + path)
        expect(self.page.locator("#notice")).not_to_contain_text("…")
        return self


@pytest.fixture
def wall(tmp_path: Path) -> Iterator[Wall]:
    shown = Wall(tmp_path)
    yield shown
    shown.end()


def test_two_boards_are_seen_live_with_names_and_a_result(wall: Wall, visit: Visit) -> None:
    first, second = wall.games
    luck = Random(1)
    watching = visit(wall, who=Spectator)  # type: ignore[arg-type]
    page = watching.page
    expect(page.locator("#notice")).to_contain_text("No game has begun yet")
    first.make(luck)
    second.make(luck)
    expect(page.locator(".seen")).to_have_count(2)
    expect(page.locator(".seen .stone:not(.plays *)").first).to_be_visible()
    expect(page.locator(".seen .who")).to_have_text(["Dora", "Anna", "Carl", "Ben"])
    expect(page.locator(".seen").first.locator(".plays.turn .who")).to_have_text("Dora")
    turn = first.couriers[0].agreement.standing.sheet.played_turns[0].turn
    site = next(iter(turn.path))
    lies = page.locator(f'.seen:first-child [data-site="{site}"][data-level="1"]')
    expect(lies).to_have_count(1)
    first.make(luck)
    expect(page.locator(".seen").first.locator(".plays.turn .who")).to_have_text("Anna")
    second.leave(0)
    expect(page.locator(".seen").nth(1).locator(".gone")).to_have_text("away")
    first.resign(0)
    expect(page.locator(".seen").first.locator(".told b")).to_have_text("0 - 1")
    expect(page.locator("#rounds b")).to_have_text(["0 - 1"])
    expect(page.locator("#cross tbody tr").first).to_contain_text("Dora")
    expect(page.locator("#cross tbody tr").first.locator(".sum b")).to_have_text("1")
    expect(page.locator("button, input, form, a")).to_have_count(0)
    for size in ({"width": 1280, "height": 720}, {"width": 390, "height": 844}):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            faults = axe.Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
            assert [fault for fault in faults if fault["impact"] in ("serious", "critical")] == []
    page.set_viewport_size({"width": 1280, "height": 720})
    for number in range(2):
        expect(page.locator(".seen").nth(number)).to_be_in_viewport(ratio=0.99)
    wall.lines.close()
    wall.broker.kill()
    expect(page.locator("#notice.lost")).to_contain_text("cannot be reached")
    expect(page.locator(".seen")).to_have_count(2)


SECONDS = """() => {
  const [minutes, seconds] = document.querySelector('.seen .clock[data-side="1"] b').textContent.split(':');
  return 60 * Number(minutes) + Number(seconds);
}"""


def falls(page: Page, most: float) -> None:
    """The clock of the second player shows so many seconds, or less."""
    until = time.monotonic() + 30
    while page.evaluate(SECONDS) > most:
        assert time.monotonic() < until
        page.wait_for_timeout(50)


def test_clocks_count_down_on_the_wall_stand_for_a_table_that_is_away_and_flags_are_shown(
    wall: Wall, visit: Visit
) -> None:
    game = wall.games[0]
    watching = visit(wall, who=Spectator)  # type: ignore[arg-type]
    page = watching.page
    game.make(Random(1))
    clock = page.locator('.seen .clock[data-side="1"]')
    expect(clock).to_have_text("10:00")
    expect(page.locator(".seen .clock.runs")).to_have_count(0)  # a hand still carries the turn out there
    game.think(57.0)
    expect(page.locator(".seen .clock.runs")).to_have_count(1)
    falls(page, 541)
    expect(page.locator('.seen .clock[data-side="0"]')).to_have_text("10:05")
    game.leave(1)
    expect(page.locator(".seen .gone")).to_have_text("away")
    expect(page.locator(".seen .clock.runs")).to_have_count(0)
    stood = clock.text_content()
    other = visit(wall, who=Spectator)  # type: ignore[arg-type]
    expect(other.page.locator('.seen .clock[data-side="1"]')).to_have_text(str(stood))
    game.come(1, now=100.0)  # it has thought on without a line
    expect(page.locator(".seen .gone")).to_have_count(0)
    falls(page, 443)
    game.think(595.0)
    falls(page, 0)
    expect(clock).to_have_text("0:00.0")
    expect(page.locator(".seen .flag")).to_have_count(0)
    game.flag()
    expect(page.locator(".seen .plays", has=page.locator(".flag")).locator(".who")).to_have_text(game.names[1])
    expect(page.locator(".seen .told b")).to_have_text("1 - 0")
    expect(clock).to_have_text("0:00.0")
    assert not watching.complaints


def test_it_speaks_the_language_of_who_looks(wall: Wall, visit: Visit) -> None:
    watching = visit(wall, "/?language=fr", who=Spectator)  # type: ignore[arg-type]
    expect(watching.page.locator("#cross caption")).to_have_text(words("fr").text("wall.cross"))
    assert watching.page.locator("html").get_attribute("lang") == "fr"


def test_without_a_plan_the_games_of_tables_that_are_there_are_seen(tmp_path: Path, visit: Visit) -> None:
    shown = Wall(tmp_path, known=False)
    try:
        watching = visit(shown, who=Spectator)  # type: ignore[arg-type]
        shown.games[0].make(Random(1))
        expect(watching.page.locator(".seen")).to_have_count(1)
        expect(watching.page.locator(".seen .who")).to_have_text(["White", "Black"])
        expect(watching.page.locator("#beside")).to_be_hidden()
        assert not watching.complaints
    finally:
        shown.end()
