"""Turns that are offered by light when the players insist on one that the table has not seen."""

from __future__ import annotations

import pytest

from firmware_bridge.lighting import scene
from firmware_bridge.verdict import REACTION, AtRest, Guess, Offer, Offered, Signature
from firmware_bridge.verdict.offer import FEW, SHOWN
from tests.table.players import At, C, N, P, at


def offer(many: int) -> tuple[Offer, list[Guess]]:
    """That many placements, offered since 10 s."""
    table = at("zhizhu", P).table
    every = [Guess(signature) for signature in table.signatures[:many]]
    return Offer(every, 10.0), every


def texts(signatures: tuple[Signature, ...]) -> list[str]:
    return [signature.turn.text for signature in signatures]


# What is shown when ---------------------------------------------------------------------------


def test_few_are_shown_one_by_one_and_then_no_more() -> None:
    offered, every = offer(FEW)
    for place, guess in enumerate(every):
        assert offered.shown(10.0 + SHOWN * (place + 0.5)) == (guess,)
        assert offered.until(10.0 + SHOWN * (place + 0.5)) == 10.0 + SHOWN * (place + 1)
    assert offered.shown(10.0 + SHOWN * FEW) == ()


def test_many_are_shown_in_parts() -> None:
    offered, every = offer(24)
    parts = [offered.shown(10.0 + SHOWN * place) for place in range(6)]
    assert [len(part) for part in parts] == [4] * 6
    assert [guess for part in parts for guess in part] == every


def test_a_hand_is_slower_than_the_lights() -> None:
    """What has just gone is still meant, and nothing before anybody can have seen it: nor by pressing twice."""
    offered, every = offer(2)
    assert offered.taken(10.0 + REACTION / 2) == ()
    assert offered.taken(10.0 + REACTION) == (every[0],)
    assert offered.taken(10.0 + SHOWN + REACTION / 2) == (every[0],)
    assert offered.taken(10.0 + SHOWN + 2 * REACTION) == (every[1],)


# At the table ---------------------------------------------------------------------------------


def insist(now: At) -> list[str]:
    return now.press("done") + now.press("done")


def until_shown(now: At, text: str) -> list[str]:
    """Let time pass until `text` is among what is shown; what was shown before."""
    seen = []
    while text not in (there := shown(now)):
        assert there, f"{text} was not offered, but {seen}"
        seen += there
        now.run(SHOWN)
    now.run(2 * REACTION)
    return seen


def shown(now: At) -> list[str]:
    verdict = now.table.verdict
    return texts(verdict.signatures) if isinstance(verdict, Offered) else []


def test_a_turn_onto_a_dead_site_is_found_among_where_the_stone_may_have_gone() -> None:
    now = at("yin-yang", C)
    now.lay(("d3", 0), ("d3", 2), wait=0.5)
    assert "offered" in insist(now)
    assert set(until_shown(now, "d3-d2")) <= {"d3-e3"}
    assert now.press("done") == ["doubted", "played"]
    assert now.played == ["d3-d2"]


def test_a_placement_that_shows_nowhere_is_found_in_two_steps() -> None:
    now = at("zhizhu", P)
    assert insist(now) == ["nothing-done", "offered"]
    until_shown(now, "b5")
    assert now.press("done") == ["offered"]
    until_shown(now, "b5")
    assert now.press("done") == ["doubted", "played"]
    assert now.played == ["b5"]
    assert [event.sites for event in now.session.events if event.name == "doubted"] == [("b5",)]


def test_the_hands_go_on_instead_and_nothing_was_offered() -> None:
    now = at("zhizhu", P)
    insist(now)
    assert now.lay(("b5", 1)) == ["played"]
    assert now.played == ["b5"]


def test_nobody_answers_and_the_table_is_as_it_was() -> None:
    now = at("zhizhu", P)
    insist(now)
    now.run(10 * SHOWN)
    assert isinstance(now.table.verdict, AtRest)
    assert now.press("done") == ["nothing-done"]


def test_pressing_again_and_again_takes_no_turn() -> None:
    now = at("zhizhu", P)
    for _ in range(8):
        now.press("done")
        now.run(0.02)
    assert now.played == []


@pytest.mark.parametrize("mode", ["coach", "referee", "quiet"])
def test_what_is_offered_is_lit_in_every_mode(mode: str) -> None:
    now = at("zhizhu", P)
    insist(now)
    lit = scene(now.table.view(), now.session.now, mode)  # type: ignore[arg-type]
    assert sorted(lit.cues) == sorted(shown(now))
    assert lit.until <= now.table.verdict.until  # type: ignore[union-attr]


def test_a_sowing_from_a_pit_whose_sensor_is_stuck_counts_on_done() -> None:
    """Nobody sees the lift, but all seeds."""
    now = at("zig-zag", P)
    now.make("S4", wait=1.0)
    now.press("done")
    now.make("N2", wait=1.0)
    turn = next(turn for turn in now.table.game.turns(now.turn("N2").after) if turn.text == "S6")
    for site, level in turn.steps:
        now.lay((site, max(level, int(site == "S6"))), wait=0.1)
    now.press("done")
    assert now.played[-2:] == ["N2", "S6"]


# Where the board is put right -----------------------------------------------------------------


def test_undo_and_done_twice_take_back_a_stone_that_was_never_placed() -> None:
    now = at("zhizhu", P)
    now.lay(("b5", 1))
    assert now.played == ["b5"]
    now.press("undo")
    now.run(0.5)
    assert now.press("done") == ["setting", "press-again"]
    assert now.press("done") == ["doubted", "ready"]
    assert now.played == []
    assert now.lay(("a1", 1), wait=0.6) == ["played"]


def test_done_twice_disbelieves_nothing_if_more_than_one_row_is_wrong() -> None:
    now = at("zhizhu", C)
    now.lay(("b5", 1))
    now.press("undo")
    now.lay(("a1", 1), ("c3", 2), wait=0.6)
    assert now.press("done") == ["setting"]
    assert now.press("done") == ["setting"]


def test_counted_seeds_that_are_wrong_in_one_pit_are_believed_no_more() -> None:
    now = at("zig-zag", N)
    turn = now.turn("S4")
    for site, level in turn.steps:
        now.lay((site, level + (site == "N3")), wait=0.1)
    now.run(0.5)
    assert now.played == ["S4"]
    assert insist(now) == ["astray", "doubted"]
    assert now.run(1.0) == ["righted"]
