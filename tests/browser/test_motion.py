"""Pieces move as hands move them, a hand that is nobody's makes the engine's turns, and all of it is off at a word."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median, quantiles

import pytest

from firmware_bridge.score import ScoreSheet
from games.acts import push
from games.rules import load
from hardware.simulation.hands import STYLES, perform

from .conftest import LookAt, Start, Visit
from .playing import MOVES, PHONE, WATCH, Player

SMALL = ("-O", "size=6", "--sense", "colour")
SOUNDS = """() => {
  window.sounds = 0;
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...when) { window.sounds += 1; return start.apply(this, when); };
}"""
FRAMES = """() => new Promise((resolve) => {
  const frames = [];
  const began = performance.now();
  const note = (at) => {
    frames.push(at);
    if (at - began < 1500) requestAnimationFrame(note);
    else resolve(frames.slice(1).map((each, place) => each - frames[place]));
  };
  requestAnimationFrame(note);
})"""
MEDIAN, P95, TRIES = 17, 34, 5
"""Milliseconds between frames while a row slides; tried again where other work on the computer held up a browser."""
MAKES = "async (turn) => { (await import('/static/hand.js')).carryOut(turn); }"
CUT = """async ([row, pieces, order]) => {
  const { change, state } = await import("/static/state.js");
  const place = (site) => Object.keys(state.table.board.at).indexOf(site);
  const start = [...state.now.levels];
  row.forEach((site, step) => (start[place(site)] = pieces[step] ?? 0));
  const acts = [{ kind: "push", sites: row, levels: pieces }];
  return [...Array(2 ** (order.length - 1)).keys()].map((cuts) => {
    change({ now: { ...state.now, levels: start, acts: [] } });
    window.ways = [];
    const levels = [...start];
    order.forEach(([site, level], step) => {
      levels[place(site)] = level;
      const told = (cuts >> step) & 1 || step === order.length - 1;
      if (told) change({ now: { ...state.now, levels: [...levels], acts } });
    });
    return window.ways.filter(([, first, last]) => last === "none" && first.startsWith("translate"));
  });
}"""
"""Has a row pushed in an order of steps, once for each way to cut these into messages; what slid each time."""
BEFORE = ("a1-a2", "b4-a4")
"""Turns after which a row of stones can be pushed."""


def longest_push(player: Player) -> tuple[str, ...]:
    """Play until a row of stones can be pushed; the sites of the longest one."""
    sheet = ScoreSheet(load("zong-heng", size=6))
    for text in BEFORE:
        player.page.evaluate(MAKES, text)
        sheet.read(text)
        player.stands([entry.turn.text for entry in sheet.played_turns])
        player.until("!state.making")
    player.page.evaluate(WATCH)
    return max((turn.acts[0].sites for turn in sheet.turns), key=len)


def pushes(player: Player) -> tuple[str, ...]:
    """Have the hand push that row; its sites."""
    row = longest_push(player)
    player.page.evaluate(MAKES, f"{row[0]}-{row[-1]}")
    return row


def ways(player: Player) -> list[list[str]]:
    """What has moved: the site where it came to lie, and how it set out and ended."""
    told: list[list[str]] = player.page.evaluate("() => window.ways")
    return told


def by_one_place(player: Player, row: Sequence[str]) -> list[tuple[str, str]]:
    """How each piece of a row sets out that moves to the next of its sites."""
    at = player.ask("state.table.board.at")
    apart = [(site, [at[before][axis] - at[site][axis] for axis in (0, 1)]) for before, site in pairwise(row)]
    assert {max(abs(dx), abs(dy)) for _, (dx, dy) in apart} == {player.ask("state.table.board.pitch")}
    return sorted((site, f"translate({dx:g}px, {dy:g}px)") for site, (dx, dy) in apart)


def test_a_pushed_row_slides_each_stone_by_one_place(start: Start, visit: Visit) -> None:
    player = visit(start("zong-heng", *SMALL), **MOVES)
    player.lights("movable")
    row = pushes(player)
    assert len(row) > 2
    player.until("state.story.turns.length === 3 && !state.making")
    slid = [(site, first) for site, first, last in ways(player) if last == "none" and "translate" in str(first)]
    assert sorted(slid) == by_one_place(player, row)


@pytest.mark.parametrize("pieces", [(1, 1, 1), (1, 2, 1), (2, 2, 1)], ids=str)
@pytest.mark.parametrize("hand", ["finger", "singly"])
def test_each_stone_slides_by_one_place_whatever_the_page_hears_at_once(
    look_at: LookAt, visit: Visit, pieces: tuple[int, ...], hand: str
) -> None:
    player, row = visit(look_at("zong-heng"), **MOVES), ("b4", "c4", "d4", "e4")
    player.page.evaluate(WATCH)
    act = push(row, pieces)
    steps = perform([act], STYLES[hand])
    told = player.page.evaluate(CUT, [row, pieces, [list(step) for touch in steps for step in touch.changes]])
    due = by_one_place(player, row)
    assert len(told) == 32
    for slid in told:
        assert sorted((site, first) for site, first, _ in slid) == due


def test_a_row_that_a_hand_of_the_page_pushes_slides_around_the_stone_in_the_hand(start: Start, visit: Visit) -> None:
    player = visit(start("zong-heng", *SMALL), **MOVES)
    player.lights("movable")
    row = longest_push(player)
    player.drags(row[0], row[1])
    player.until("!state.hand && level(wanted) > 0", row[-1])
    slid = [(site, first) for site, first, last in ways(player) if last == "none" and "translate" in str(first)]
    assert sorted(slid) == [each for each in by_one_place(player, row) if each[0] != row[1]]


def test_seeds_fall_one_by_one(start: Start, visit: Visit) -> None:
    player, game = visit(start("zig-zag", "--sense", "count"), **MOVES), load("zig-zag")
    player.lights("movable")
    turn = next(turn for turn in game.turns(game.start()) if turn.text.startswith("S3"))
    player.page.evaluate(WATCH)
    player.lets_the_hand_sow("S3")
    player.until("state.story.turns.length === 1")
    sown = [site for site, level in turn.steps if level]
    player.until(
        "window.ways.filter(([, first]) => String(first).startsWith('translate(0')).length >= wanted", len(sown)
    )
    falls = [site for site, first, _ in ways(player) if str(first).startswith("translate(0")]
    assert falls[: len(sown)] == sown


@pytest.mark.parametrize("way", ["word", "system"])
def test_nothing_moves_or_sounds_for_those_who_want_none(start: Start, visit: Visit, way: str) -> None:
    wanted = MOVES if way == "word" else {"reduced_motion": "reduce"}
    player = visit(start("zong-heng", *SMALL), **wanted)
    player.opens("settings")
    if way == "word":
        player.page.select_option("#effects", "none")
    player.page.evaluate(WATCH)
    player.page.evaluate(SOUNDS)
    player.lifts("c3")
    player.touches("c4")
    player.shows([("c4", 1)])
    player.page.evaluate("() => new Promise((resolve) => requestAnimationFrame(resolve))")
    assert ways(player) == []
    assert (player.page.evaluate("() => window.sounds") == 0) == (way == "word")  # no motion is not no sound


def test_a_move_is_heard_once_somebody_has_touched_the_page(start: Start, visit: Visit) -> None:
    player = visit(start("zong-heng", *SMALL), **MOVES)
    player.page.evaluate(SOUNDS)
    player.lifts("c3")
    player.touches("c4")
    player.shows([("c4", 1)])
    player.until("window.sounds >= 2")
    player.opens("settings")
    player.page.select_option("#effects", "motion")
    before = player.page.evaluate("() => window.sounds")
    player.touches("c3")  # the new stone
    player.shows([("c3", 1)])
    assert player.page.evaluate("() => window.sounds") == before


@pytest.mark.long
def test_a_row_slides_without_a_frame_too_late(start: Start, visit: Visit) -> None:
    player = visit(start("zong-heng", *SMALL), **MOVES)
    player.lights("movable")
    longest = pushes(player)
    found = []
    for _ in range(TRIES):
        frames: list[float] = player.page.evaluate(FRAMES)
        found.append((round(median(frames), 1), round(quantiles(frames, n=20)[-1], 1)))
        if found[-1][0] <= MEDIAN and found[-1][1] <= P95:
            return
        player.until("state.story.turns.length === 3 && !state.making")
        player.press("undo")
        player.until("state.story.turns.length === 2 && state.now.state === 'rest'")
        player.page.evaluate(MAKES, f"{longest[0]}-{longest[-1]}")
    raise AssertionError(f"frames of each try, median and p95 in ms: {found}")


def test_a_captured_stone_goes_to_the_tray_in_one_tap(start: Start, visit: Visit) -> None:
    player, sheet = visit(start("zhizhu", "--sense", "colour"), **PHONE), ScoreSheet(load("zhizhu"))
    while not any("x" in turn.text for turn in sheet.turns):
        turn = sheet.turns[0 if sheet.position.side == 0 else -1]
        player.plays(sheet, turn.text, taps=True)
    turn = next(turn for turn in sheet.turns if "x" in turn.text)
    side = sheet.position.side
    taken = [act.sites[0] for act in turn.acts if act.kind == "take"]
    laid = next(act for act in turn.acts if act.kind == "lay")
    player.lays(laid.levels[0], laid.sites[0])
    for site in taken:
        player.lit("capture", site)
        player.touches(site)
        player.shows([(site, 0)])
        assert player.ask("state.hand") is None
    player.until("state.story.turns.at(-1)?.text === wanted", turn.text)
    assert player.text(f'#whose [data-side="{side}"] .prisoners') == str(len(taken))
