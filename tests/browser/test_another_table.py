"""Two programs, each with its page, play with each other: one invites, the other joins, and one of them leaves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from benchmarks.broker import MISSING, MOSQUITTO, RunningBroker
from firmware_bridge.link.pairing import told
from firmware_bridge.score import ScoreSheet
from games.rules import load

from .conftest import Start, Visit
from .playing import PHONE, Player, expect
from .running import QUICK


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RunningBroker]:
    if not MOSQUITTO:
        pytest.skip(MISSING)
    running = RunningBroker(tmp_path)
    yield running
    running.kill()


def known(broker: RunningBroker) -> str:
    """The configuration of a table that knows the broker."""
    return f'[link]\nbroker = "{broker.address}"\n'


def seeks(player: Player, dialog: str = "seats") -> None:
    """Open the window for another table, from another one."""
    player.opens("menu")
    player.tap(f"#open-{dialog}")
    player.tap(f"#{dialog} [data-text=pair]")
    expect(player.page.locator("#pair[open]")).to_be_visible()


def invites(player: Player) -> str:
    """Invite another table to the game in hand, at its smallest; the address that the page shows."""
    if not player.page.locator("#pair[open]").count():
        seeks(player, "new")
    player.tap("#pair-invite")
    player.page.locator("#new-options select").first.select_option(index=0)
    player.tap("#new-ok")
    expect(player.page.locator("#pair-six li")).to_have_count(6)
    expect(player.page.locator("#pair-code svg")).to_be_visible()
    address: str = player.page.locator("#pair-address").input_value()
    assert address.endswith("#" + "-".join(player.page.locator("#pair-six li").all_inner_texts()))
    return address


def joins(player: Player, words: str) -> None:
    """Type the words, and join."""
    player.page.fill("#pair-words", words)
    player.tap("#pair-join")


def refuses(player: Player, words: str, sentence: str) -> None:
    """The words lead nowhere, which a sentence in the window tells."""
    joins(player, words)
    expect(player.page.locator("#pair [role=alert]")).to_contain_text(sentence)
    assert not player.ask("state.table.linked")


def pair(one: Player, two: Player) -> None:
    """The first invites, the second joins by the whole address."""
    address = invites(one)
    seeks(two)
    joins(two, address)
    for player in (one, two):
        player.until("state.table.linked && state.now.state === 'rest'")
        expect(player.page.locator("#pair")).to_be_hidden()


def test_two_tables_meet_at_their_pages_play_and_part(broker: RunningBroker, start: Start, visit: Visit) -> None:
    programs = start("zong-heng", more=known(broker)), start("zhizhu")
    one, two = visit(programs[0]), visit(programs[1], **PHONE)
    pair(one, two)
    one.hears("Black plays at this one")
    two.hears("White plays at this one")
    game = load("zong-heng", **one.ask("state.table.options"))
    assert one.ask("state.table.options") == two.ask("state.table.options")
    sheet = ScoreSheet(game)
    for player, other in ((one, two), (two, one), (one, two)):
        player.plays(sheet, sheet.turns[0].text)
        other.stands([entry.turn.text for entry in sheet.played_turns])
    two.press("undo")
    one.hears("asks to take")
    one.press("done")
    for player in (one, two):
        player.stands([sheet.played_turns[0].turn.text])
    seeks(two)
    two.tap("#pair-end")
    two.tap("#pair-end")
    two.until("!state.table.linked")
    two.hears("plays on alone")
    first = sheet.played_turns[0].turn.text
    sheet.back_to(1)
    two.is_in("rest")
    two.plays(sheet, next(turn.text for turn in sheet.turns if turn.text != first))
    one.hears("The other table is away")
    one.stands([first])


def test_whoever_goes_on_after_a_start_anew_has_the_game_as_it_stood(
    broker: RunningBroker, start: Start, visit: Visit
) -> None:
    one, two = visit(start("zhizhu", more=known(broker))), start("zhizhu", more=known(broker))
    link = f"/?pair={quote(invites(one), safe='')}"
    left = visit(two, link)  # a link has all that is to be typed
    left.tap("#pair-join")
    for player in (one, left):
        player.until("state.table.linked && state.now.state === 'rest'")
    sheet = ScoreSheet(load("zhizhu", **one.ask("state.table.options")))
    one.plays(sheet, sheet.turns[0].text)
    left.stands([sheet.played_turns[0].turn.text])
    left.forgiven = "ERR_CONNECTION_REFUSED|WebSocket"
    two.end()
    quick = QUICK.format(folder=two.folder)  # what it has left on disk
    again = visit(start("zhizhu", quick=quick))
    seeks(again)
    again.tap("#pair-go-on")
    again.until("state.table.linked")
    again.stands([sheet.played_turns[0].turn.text])
    again.is_in("rest")
    again.plays(sheet, sheet.turns[0].text)
    one.stands([entry.turn.text for entry in sheet.played_turns])


def test_what_cannot_be_is_told_in_the_window_and_changes_nothing(
    broker: RunningBroker, start: Start, visit: Visit
) -> None:
    nowhere = "mqtt://127.0.0.1:1/#" + told(bytes(10))
    player = visit(start("zhizhu"), f"/?pair={quote(nowhere, safe='')}")
    expect(player.page.locator("#pair-words")).to_have_value(nowhere)  # a link with the words has opened the window
    player.tap("#pair-join")
    expect(player.page.locator("#pair [role=alert]")).to_contain_text("127.0.0.1:1 cannot be used")
    refuses(player, "lusab house", "house is none of the six words")
    refuses(player, told(bytes(10)), "No broker is named")
    player.page.fill("#pair-broker", broker.address)
    refuses(player, told(bytes(10)), "Nobody has paired with these words")
    words = invites(player).rpartition("#")[2]
    player.tap("#pair-stop")
    expect(player.page.locator("#pair-invite")).to_be_visible()
    player.hears("No other table is asked any more")
    refuses(player, words, "Nobody has paired with these words")
    player.page.keyboard.press("Escape")
    assert player.ask("[state.link.kept, state.link.broker, state.table.linked]") == [False, "", False]
    player.lays(1, "a1")
    player.stands(["a1"])
