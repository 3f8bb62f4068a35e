"""The lights that the page works out are those of the table; without motion or colours they still tell all."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from msgspec import to_builtins

from firmware_bridge.lighting import CHOICE_RHYTHM, PALETTES, RHYTHMS, Cue, Scene, paint
from firmware_bridge.session import Table
from firmware_bridge.web.snapshots import lights_form, rhythms
from hardware.power import within

from .conftest import LookAt, Start, Visit
from .playing import Player

LIT = """() => [...document.querySelectorAll("[data-site]")].map((each) => {
  const mark = each.querySelector(".badge .strokes");
  const box = mark?.getBoundingClientRect();
  return [each.dataset.cue, mark && Math.max(box.width, box.height) > 6 ? mark.getAttribute("d") : ""];
}).filter((pair) => pair.some(Boolean))"""
SITES = tuple(f"{letter}{number}" for letter in "abcdefgh" for number in range(1, 9))
SAMPLES = 120
SCENES = 250
PICTURES = """async ([asked, rhythms]) => {
  const { picture } = await import("/static/lights.js");
  return asked.map(({ now, lights, at }) => picture(now, { ...lights, rhythms }, at));
}"""
COUNTED = """() => {
  const ask = window.requestAnimationFrame.bind(window);
  window.frames_asked = 0;
  window.requestAnimationFrame = (draw) => { window.frames_asked += 1; return ask(draw); };
}"""
STILL = """async () => {
  for (let tries = 0; tries < 8; tries += 1) {
    const before = window.frames_asked;
    await new Promise((go) => setTimeout(go, 300));
    if (window.frames_asked === before) return true;
  }
  return false;
}"""
MARKS = """async (kinds) => {
  const { mark } = await import("/static/pieces.js");
  return kinds.map((kind) => mark(kind, 25).querySelector(".strokes").getAttribute("d"));
}"""


def moment(luck: Random) -> tuple[Scene, Table, float]:
    """A scene, how the table looks, and a time; the rhythms stand in the middle of a sample, where both agree."""
    at = (luck.randrange(5 * SAMPLES) + 0.5) * CHOICE_RHYTHM.period / SAMPLES
    cues = {}
    for site in luck.sample(SITES, luck.randrange(1, 40)):
        kind = luck.choice(list(RHYTHMS))
        into = (luck.randrange(SAMPLES) + 0.5) * RHYTHMS[kind].period / SAMPLES
        cues[site] = Cue(kind, luck.randrange(3), luck.choice([1.0, 0.5]), at - into, luck.random() < 0.3)
    table = Table(
        "zong-heng", {"size": 8}, "colour", True, "coach", luck.choice(list(PALETTES)), luck.randrange(256),
        luck.choice([0, 150.0, 200, 300, 1000, 60000]), len(SITES) + 2,
    )  # fmt: skip
    return Scene(cues, luck.choice([None, 0, 1])), table, at


def asked(scene: Scene, table: Table, at: float) -> dict[str, Any]:
    """The moment as the page is told it."""
    cues = {site: cue._asdict() for site, cue in scene.cues.items()}
    lights = to_builtins(lights_form(table))
    del lights["rhythms"]
    return {"now": {"cues": cues, "side": scene.side}, "lights": lights, "at": at}


def alike(true: Sequence[Sequence[int]], page: Sequence[Sequence[int]]) -> bool:
    """Whether the pictures are the same but for the rounding of the samples."""
    return all(abs(a - b) <= 1 for one, other in zip(true, page, strict=True) for a, b in zip(one, other, strict=True))


def test_the_pages_lights_are_those_of_the_table(look_at: LookAt, visit: Visit) -> None:
    player = visit(look_at("zong-heng"))
    luck = Random(7)
    moments = [moment(luck) for _ in range(SCENES)]
    pictures = player.page.evaluate(PICTURES, [[asked(*each) for each in moments], to_builtins(rhythms())])
    lit = 0
    for (scene, table, at), shown in zip(moments, pictures, strict=True):
        true = within(paint(scene, SITES, PALETTES[table.palette], at, table.brightness / 255), table.supply)
        page = [shown["sites"].get(site, [0, 0, 0]) for site in SITES] + shown["lamps"]
        lit += any(map(any, true))
        assert alike(true, page)
    assert lit > SCENES / 2


@pytest.mark.long
def test_what_is_lit_on_the_board_is_the_picture(look_at: LookAt, visit: Visit) -> None:
    player = visit(look_at("zong-heng"), reduced_motion="reduce")
    expected, shown = player.page.evaluate(
        """async () => {
          const { picture, strongest } = await import("/static/lights.js");
          const { state } = await import("/static/state.js");
          const shown = [...document.querySelectorAll("[data-light]")].filter((each) => each.dataset.light);
          return [picture(state.now, state.table.lights, 0, strongest).sites,
                  Object.fromEntries(shown.map((each) => [each.dataset.site, each.dataset.light]))];
        }"""
    )
    assert shown
    assert shown == {site: ",".join(map(str, colour)) for site, colour in expected.items()}


def blinking(player: Player) -> bool:
    """Whether the page goes on drawing once a fault is lit and a sentence about it is said."""
    player.page.evaluate(COUNTED)
    player.brings(2, "b1")
    player.is_in("astray")
    player.lit("wrong", "b1")
    return not player.page.evaluate(STILL)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_nothing_moves_for_those_who_want_no_motion(start: Start, visit: Visit, motion: str) -> None:
    player = visit(start("zong-heng", "-O", "size=6", "--sense", "colour"), reduced_motion=motion)
    assert blinking(player) == (motion == "no-preference")
    if motion == "reduce":
        assert player.page.evaluate("() => document.getAnimations().length") == 0


def test_every_cue_has_a_mark_of_its_own(look_at: LookAt, visit: Visit) -> None:
    player = visit(look_at("zong-heng"))
    marks = player.page.evaluate(MARKS, [*RHYTHMS, "no such cue"])
    assert len(set(marks)) == len(RHYTHMS) + 1


def told_without_colours(player: Player) -> set[str]:
    """The cues in sight, if each lit site has a mark that can be seen and each kind a mark of its own."""
    marks = player.page.evaluate(LIT)
    assert all(cue and mark for cue, mark in marks)
    told = {(cue, mark) for cue, mark in marks}
    assert len(told) == len({cue for cue, _ in told}) == len({mark for _, mark in told})
    return {cue for cue, _ in told}


@pytest.mark.long
def test_each_lit_site_shows_its_mark(start: Start, visit: Visit) -> None:
    program = start("zong-heng", "-O", "size=6", "--sense", "colour")
    player = visit(program, forced_colors="active", reduced_motion="reduce")
    assert told_without_colours(player) == {"movable"}
    player.lifts("c3")
    player.lit("target", "c2", "c4")
    assert "target" in told_without_colours(player)
    player.touches("b1")
    player.lights("wrong", "missing")
    assert told_without_colours(player) == {"wrong", "missing"}


@pytest.mark.parametrize("game", ["zong-heng", "yin-yang", "zhizhu", "zig-zag"])
def test_the_mark_of_a_light_is_legible_on_a_phone(look_at: LookAt, visit: Visit, game: str) -> None:
    player = visit(look_at(game), viewport={"width": 320, "height": 640})
    player.until("document.querySelector('.badge .strokes')")
    boxes = player.page.evaluate(
        "() => [...document.querySelectorAll('.badge .plate')].map((each) => each.getBoundingClientRect().width)"
    )
    assert boxes
    assert min(boxes) >= 11  # ten pixels at twice the width, once


def test_the_lights_of_an_empty_web_leave_its_lines_in_sight(look_at: LookAt, visit: Visit) -> None:
    player = visit(look_at("zhizhu"))
    player.until("document.querySelectorAll('.lamp-of.lit').length === 24")
    free = player.page.evaluate(
        "() => { const box = (name) => document.querySelector(name).getBoundingClientRect();"
        "const [one, other] = ['b1', 'b2'].map((site) => box(`[data-site=${site}] .hit`));"
        "return 1 - box('.lamp-of.lit .well').width / Math.hypot(one.x - other.x, one.y - other.y); }"
    )
    assert free > 0.6
