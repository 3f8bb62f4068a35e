"""Looking back on the board: any turn by slider, buttons and keys; its pieces go where its acts say."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.events import turn_event
from firmware_bridge.records import Record
from firmware_bridge.score import ScoreSheet
from games.rules import load
from hardware.device import Sense

from .conftest import LookAt, Start, Visit
from .playing import MOVES, PHONE, WATCH, expect
from .running import Program
from .short_games import ENDING, ZHIZHU, ZIG_ZAG, ZONG_HENG

LOOKS = "state.viewing === wanted"


def begun(start: Start, path: Path, game: str, turns: list[str]) -> tuple[Program, ScoreSheet]:
    """A program that goes on with a game of these turns, and its score sheet."""
    sheet = ScoreSheet(load(game))
    sense = Sense.COUNT if sheet.game.pieces == "seeds" else Sense.COLOUR
    record = Record(path, ScoreSheet(load(game)), sense)
    for text in turns:
        played = next(turn for turn in sheet.turns if turn.text == text)
        record.write([turn_event("played", sheet.player, played)], 0.0)
        sheet.accept(played)
    record.close()
    return start(game, "--resume", str(path)), sheet


def boards(sheet: ScoreSheet) -> list[list[int]]:
    """The board at the start and after each turn."""
    return [list(entry.position.board) for entry in sheet.played_turns] + [list(sheet.position.board)]


def test_a_slider_shows_any_turn_and_keys_step(start: Start, visit: Visit, tmp_path: Path) -> None:
    program, sheet = begun(start, tmp_path / "begun.table", "zong-heng", ZONG_HENG[:6])
    player, stood = visit(program), boards(sheet)
    player.lights("movable", "last")
    keys = player.page.keyboard
    player.page.evaluate(WATCH)
    keys.press("ArrowLeft")
    assert player.board() == stood[5]
    assert player.page.evaluate("() => window.ways") == []  # this window wants no motion
    expect(player.page.locator("#try")).to_be_hidden()  # the game is in play
    assert player.text("#status") == "Looking back: turn 5 of 6."
    player.page.locator("#scrub").focus()
    keys.press("Home")
    assert player.board() == stood[0]
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    assert player.board() == stood[2]
    expect(player.page.locator("#scrub")).to_have_attribute("aria-valuetext", f"2. White: {ZONG_HENG[1]}")
    keys.press(",")
    assert player.board() == stood[1]
    keys.press("End")  # the end of a game in play is now
    player.until(LOOKS, None)
    assert player.page.evaluate("document.activeElement.dataset.look") == "back"
    player.page.locator('[data-site="c3"]').focus()
    keys.press("ArrowLeft")  # the board has the arrows for itself
    assert player.page.evaluate("document.activeElement.dataset.site") == "b3"
    player.until(LOOKS, None)
    keys.press(",")
    player.until(LOOKS, 5)
    keys.press("Escape")
    player.until(LOOKS, None)


def test_a_finger_drags_through_the_game_and_the_table_goes_on(start: Start, visit: Visit, tmp_path: Path) -> None:
    program, sheet = begun(start, tmp_path / "begun.table", "zong-heng", ZONG_HENG[:4])
    phone, other = visit(program, **PHONE), visit(program)
    phone.tap('[data-look="back"]')
    box = phone.page.locator("#scrub").bounding_box()
    assert box
    phone.page.touchscreen.tap(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
    phone.until(LOOKS, 1)
    other.plays(sheet, ZONG_HENG[4], taps=True)
    phone.until("state.story.turns.length === 5")
    assert phone.text("#status") == "Looking back: turn 1 of 5."
    assert phone.board() == boards(sheet)[1]
    for button in ("undo", "hint", "done"):
        expect(phone.page.locator(f'[data-press="{button}"]')).to_be_hidden()
    phone.tap('[data-look="now"]')
    assert phone.board() == boards(sheet)[5]
    expect(phone.page.locator("#scrubber")).to_be_hidden()


@pytest.mark.parametrize(("game", "turns"), [("zong-heng", ZONG_HENG), ("zhizhu", ZHIZHU), ("zig-zag", ZIG_ZAG)])
def test_the_pieces_of_a_turn_go_where_its_acts_say(
    start: Start, visit: Visit, tmp_path: Path, game: str, turns: list[str]
) -> None:
    sheet = ScoreSheet(load(game))
    for text in turns:
        sheet.read(text)
    kind = {"zong-heng": "push", "zhizhu": "take", "zig-zag": "sow"}[game]
    number, turn = next(
        (number, entry.turn) for number, entry in enumerate(sheet.played_turns, start=1)
        if kind in {act.kind for act in entry.turn.acts}
    )  # fmt: skip
    program, _ = begun(start, tmp_path / "begun.table", game, turns[: number + 1])
    player = visit(program, **MOVES)
    player.tap(f'[data-turn="{number}"]')
    player.until(LOOKS, number)
    player.page.evaluate("() => import('/static/replay.js')")  # which the page fetches just now, too
    at = player.ask("state.table.board.at")
    for key, forward in ((",", False), (".", True)):
        player.page.evaluate(WATCH)
        player.page.keyboard.press(key)
        player.until(LOOKS, number - (not forward))
        seen = {site: (first, last) for site, first, last in player.page.evaluate("() => window.ways")}
        for act in turn.acts:
            moved = goes(act.kind, act.sites, forward=forward)
            for here, there in moved:
                (x, y), (ox, oy) = at[here], at[there]
                assert seen[here] == (f"translate({ox - x:g}px, {oy - y:g}px)", "translate(0px, 0px)")
            if act.kind == "take":
                assert ("flying" if forward else act.sites[0]) in seen
            if act.kind == "sow" and forward:
                assert {*act.sites[1:]} <= {*seen}


def goes(kind: str, sites: tuple[str, ...], *, forward: bool) -> list[tuple[str, str]]:
    """Where each piece of an act comes to lie, and from where, as it is looked at."""
    if kind not in ("carry", "push"):
        return []
    steps = list(zip(sites[1:], sites[:-1], strict=True))
    return steps if forward else [(there, here) for here, there in steps]


def test_a_game_is_explained_beside_the_board_as_it_is_weighed(start: Start, visit: Visit, tmp_path: Path) -> None:
    path = tmp_path / "over.table"
    path.write_text(ENDING + "turn c2-c3\nagree\n")
    player = visit(start("zhizhu", "--resume", str(path)))
    player.is_in("over")
    expect(player.page.locator("#progress, #report, #weighed").filter(visible=True)).to_have_count(0)
    player.tap("#explain")
    player.until(LOOKS, 1)
    player.until("state.review.state === 'made'")
    expect(player.page.locator("#explain")).to_be_hidden()
    assert player.text("#weighed") == player.ask("state.story.outcome")  # what is over is no more in anybody's hands
    expect(player.page.locator("#report")).to_have_attribute("href", "/report?language=en")
    expect(player.page.locator("#report")).to_have_attribute("target", "_blank")
    expect(player.page.locator(".curve .turning")).to_have_count(1)
    expect(player.page.locator(".stage .moves path")).to_have_count(0)
    player.tap("#see-better")
    player.until(LOOKS, 0)
    told = player.text("#weighed")
    assert "Black went on with c2-c3." in told
    assert "c2-c1" in told
    assert told.endswith("was better.")
    assert "%" not in told
    expect(player.page.locator(".stage .moves .played.line path")).to_have_count(1)
    expect(player.page.locator(".stage .moves .better.line path")).not_to_have_count(0)
    ends = player.page.evaluate(
        "() => [...document.querySelectorAll('.stage .moves .line path')].map((each) => each.getAttribute('d'))"
    )
    assert len({*ends}) == len(ends)
    expect(player.page.locator("#see-better")).to_be_hidden()
    box = player.page.locator("#scrub").bounding_box()
    assert box
    player.page.mouse.click(box["x"] + box["width"] - 9, box["y"] + 5)  # where the curve ends
    player.until(LOOKS, 1)
    expect(player.page.locator('[data-look="on"]')).to_be_disabled()  # after the end one may look at the last turn
    player.tap('[data-look="now"]')
    player.until(LOOKS, None)
    player.press("undo")  # it is another game then
    player.until("state.review === null")
    expect(player.page.locator(".curve *")).to_have_count(0)


def test_one_plays_on_from_where_one_looks(start: Start, visit: Visit, tmp_path: Path) -> None:
    path = tmp_path / "over.table"
    path.write_text(ENDING + "turn c2-c3\nagree\n")
    player = visit(start("zhizhu", "--resume", str(path)))
    player.is_in("over")
    player.tap('[data-look="back"]')
    player.until(LOOKS, 0)
    player.tap("#try")
    player.hears("Black plays on from the position that was chosen.")
    player.is_in("rest")
    player.until("state.viewing === null && state.table.levels[1] === 3 && !state.story.outcome")
    start_board = player.ask("state.story.start")
    assert player.board() == start_board
    player.lights("movable")
    player.page.evaluate("async () => { (await import('/static/hand.js')).carryOut('c2-c3'); }")
    player.until("state.story.turns[0]?.text === 'c2-c3'")
    player.tap("#back-to-game")
    player.until("state.story.outcome && state.viewing === 0")  # where one had left it
    expect(player.page.locator("#back-to-game")).to_be_hidden()
    assert player.ask("state.story.turns.map((turn) => turn.text)") == ["c2-c3"]
    player.tap('[data-look="now"]')
    player.tap("#explain")
    player.until("state.review?.state === 'made'")  # its record is its own


def test_a_link_holds_the_position_that_is_looked_at(start: Start, visit: Visit, tmp_path: Path) -> None:
    program, sheet = begun(start, tmp_path / "begun.table", "zong-heng", ZONG_HENG[:4])
    player, stood = visit(program), sheet.played_turns[3].position
    player.tap('[data-look="back"]')
    player.tap("#open-share")
    player.page.locator("dialog#share[open]").wait_for()
    assert player.text("#share-told") == "White is to move."
    expect(player.page.locator("#share-board svg")).to_be_visible()
    link = player.ask("document.querySelector('#share-link').value")
    assert "Only this computer reaches the page" in player.text("#share-near")
    with player.page.expect_download() as kept:
        player.tap("#share-picture")
    picture = kept.value.path().read_bytes()
    assert kept.value.suggested_filename == "zong-heng.png"
    assert picture.startswith(b"\x89PNG")
    player.tap("#share-copy")
    assert player.page.evaluate("getSelection().toString() || document.activeElement.id") in (link, "share-copy")
    other = visit(start("zhizhu"))
    other.come(link.removeprefix(program.origin))
    other.page.locator("dialog#share[open]").wait_for()
    assert other.text("#share-title") == "Zong-Heng"
    assert other.page.url == f"{other.origin}/"
    other.tap("#share-play")
    other.until("state.table.game === 'zong-heng' && state.story && state.now")
    assert other.ask("state.story.position") == str(stood)
    assert other.ask("state.table.levels") == [3, 0]


def test_a_bad_link_gets_a_sentence(look_at: LookAt, visit: Visit) -> None:
    player = visit(look_at("zong-heng"), "/?game=zong-heng&position=nonsense")
    player.forgiven = "400"
    player.hears("This link holds no position that can be shown:")
    expect(player.page.locator("dialog[open]")).to_have_count(0)
    expect(player.page.locator("#board .site")).to_have_count(64)


def test_on_a_phone_the_page_stays_where_it_is_when_looking_back_ends(
    start: Start, visit: Visit, tmp_path: Path
) -> None:
    program, _ = begun(start, tmp_path / "begun.table", "zong-heng", ZONG_HENG[:6])
    player = visit(program, **PHONE)
    player.tap('[data-look="back"]')
    player.until(LOOKS, 5)
    at = player.ask("scrollY")
    player.tap("#back-to-now")
    player.until("state.viewing === null")
    assert player.ask("scrollY") == at
