"""Games taken away from the page and brought back: looked at beside the one in play, explained and played on from."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from typing import Any

from firmware_bridge.exchange import Carried, read_game, record_text, sgf_text
from firmware_bridge.score import ScoreSheet
from games.rules import load

from .conftest import Start, Visit
from .playing import PHONE, Player, expect
from .short_games import YIN_YANG, ZIG_ZAG

OPENED = "state.opened && state.viewing === wanted"
DROP = """([text, name]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], name));
  for (const kind of ["dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true }));
  }
}"""


def text_of(game: str, turns: list[str], comments: dict[int, str] | None = None, **how: Any) -> str:
    """A game as SGF text."""
    sheet = ScoreSheet(load(game), **how)
    for turn in turns:
        sheet.read(turn)
    return sgf_text(Carried(sheet, comments or {}, "2026-11-25"))


def paste(player: Player, text: str) -> None:
    """Open the window in which a game is brought, and paste it there."""
    player.page.click("#open-bring")
    player.page.fill("#bring-text", text)
    player.page.click("#bring .first")


def saved(player: Player, selector: str) -> tuple[str, bytes]:
    """What is kept when this is pressed: the name of the file, and what it holds."""
    with player.page.expect_download() as download:
        player.page.click(selector)
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def test_a_game_that_is_pasted_is_looked_back_at_while_the_table_goes_on(start: Start, visit: Visit) -> None:
    program = start("zig-zag")
    player, other = visit(program), visit(program)
    paste(player, text_of("yin-yang", YIN_YANG, {3: "Here it was lost."}, names=("Anna", "Ben")))
    player.until(OPENED, len(YIN_YANG))
    assert player.text("#opened") == "Anna : Ben, 2026-11-25"
    assert player.ask("state.table.game") == "yin-yang"
    player.page.click('[data-turn="3"]')
    assert player.text("#remark") == "Here it was lost."
    other.plays(ScoreSheet(load("zig-zag")), ZIG_ZAG[0])
    player.until("state.behind.turns.length === 1")
    assert player.ask("state.table.game") == "yin-yang"
    player.page.reload()
    player.until(OPENED, len(YIN_YANG))  # its address has it
    player.page.click("#back-to-now")
    player.until("!state.opened && state.table?.game === 'zig-zag' && state.story?.turns.length === 1 && state.now")
    expect(player.page.locator("#opened")).to_be_hidden()
    assert player.page.url == f"{program.origin}/"
    assert program.kept().length == 1


def test_what_is_wrong_with_a_game_is_told_where_it_was_brought(start: Start, visit: Visit) -> None:
    player = visit(start("zig-zag"), **PHONE)
    paste(player, text_of("yin-yang", YIN_YANG).replace("c4-b4", "c4-b9"))
    player.until("document.querySelector('#bring .fault').textContent")
    told = player.text("#bring .fault")
    assert told.startswith("Turn 3, c4-b9 of One, cannot be made.")
    assert "Allowed there: " in told
    expect(player.page.locator("#bring-text")).to_have_value(re.compile("c4-b9"))
    player.page.fill("#bring-text", "nothing of the kind")
    player.page.click("#bring .first")
    player.until("document.querySelector('#bring .fault').textContent.includes('nothing of the kind')")
    assert not player.ask("state.opened")


def test_a_file_that_is_dropped_is_explained_and_played_on_from(start: Start, visit: Visit) -> None:
    program = start("zig-zag")
    player = visit(program)
    player.plays(ScoreSheet(load("zig-zag")), ZIG_ZAG[0])
    player.page.evaluate(DROP, [text_of("yin-yang", YIN_YANG, levels=(0, 2)), "evening.sgf"])
    player.until(OPENED, len(YIN_YANG))
    player.page.click("#explain")
    player.until("state.review?.moments[8]")
    player.page.keyboard.press("ArrowLeft")
    player.until("state.viewing < wanted", len(YIN_YANG))
    looked_at, told = player.ask("state.viewing"), player.text("#opened")
    player.page.click("#try")  # a game is in play, so it is asked first
    player.page.wait_for_selector("#share-drops")
    assert program.kept().length == 1
    player.page.click("#share-play")
    player.until("!state.opened && state.table?.game === 'yin-yang' && state.now && state.story")
    assert player.ask("state.table.levels") == [0, 2]
    back = player.page.locator("#back-to-game")
    expect(back).to_be_visible()
    back.click()
    player.until(OPENED, looked_at)  # where one had left it
    expect(back).to_be_hidden()
    assert player.text("#opened") == told
    player.page.click("#back-to-now")
    player.until("!state.opened && state.story")
    expect(back).to_be_visible()
    player.opens("menu")
    player.tap("#open-new")
    player.tap("#new-ok")
    player.until("state.story && !state.story.turns.length && state.said[0]?.id !== 'table.from-position'")
    expect(back).to_be_hidden()


def test_a_game_is_taken_away_in_each_of_its_forms(start: Start, visit: Visit) -> None:
    from PIL import Image

    program = start("yin-yang", "--name", "Anna", "--name", "Ben")
    player, sheet = visit(program), ScoreSheet(load("yin-yang"), names=("Anna", "Ben"))
    for turn in YIN_YANG[:2]:
        player.plays(sheet, turn)
    player.page.click('[data-look="back"]')
    player.page.click("#open-share")
    player.page.wait_for_selector("#take-away a")
    name, record = saved(player, "#take-away a >> nth=0")
    assert (name, record) == ("game.table", program.record.read_bytes())
    name, text = saved(player, "#take-away a >> nth=1")
    assert name == "game.sgf"
    again = read_game(text).sheet
    assert [entry.turn.text for entry in again.played_turns] == YIN_YANG[:2]
    assert again.names == ("Anna", "Ben")
    name, film = saved(player, "#take-film")
    picture = Image.open(BytesIO(film))
    assert (name, picture.format, getattr(picture, "n_frames", 1)) == ("game.gif", "GIF", 3)


def test_a_past_game_is_looked_back_at(start: Start, visit: Visit) -> None:
    program, name = start("zig-zag"), "yin-yang-20261125-200000.table"
    (program.folder / name).write_text(record_text(read_game(text_of("yin-yang", YIN_YANG).encode())))
    player = visit(program)
    player.page.goto(f"{program.origin}/games")
    player.page.click(f'.played a[href="/?name={name}"]')
    player.until(OPENED, len(YIN_YANG))
    player.page.keyboard.press("ArrowLeft")
    player.until(OPENED, len(YIN_YANG) - 1)
    player.page.click("#open-share")
    player.page.wait_for_selector("#take-away a")
    assert saved(player, "#take-away a >> nth=0")[0] == name


def test_on_a_network_past_games_are_for_players(start: Start, visit: Visit) -> None:
    program = start("zig-zag", host="0.0.0.0", more='[page]\ntoken = "sesame-seed"\n')
    watcher, player = visit(program), visit(program, "/#sesame-seed")
    expect(watcher.page.locator(".side .to-past")).to_be_hidden()
    expect(watcher.page.locator("#open-bring")).to_be_hidden()
    player.page.click(".side .to-past")
    player.page.wait_for_selector(".past-games .search")
    watcher.forgiven = "403"
    watcher.page.goto(f"{program.origin}/games")
    assert "#" in watcher.text("body")
