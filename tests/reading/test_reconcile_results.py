"""The reconciler, rules 4 to 6 as the theory at the head of its file numbers them: results, and what is not seen."""

from __future__ import annotations

import gc
from weakref import ref

import pytest

from firmware_bridge.reading import Astray, AtRest, Blind, Complete, Reconciler, SensorView, UnderWay, Which
from hardware.device import Sense
from tests.reading.watched_position import C, Hands, N, P, texts
from tests.simulation.midgame import game_of, sheet_at

# 4. Complete ----------------------------------------------------------------------------------


@pytest.mark.parametrize("sense", [P, C])
def test_4_a_whole_turn_whose_lifts_were_seen_is_complete(sense: Sense) -> None:
    hands = Hands("zong-heng", sense)
    hands.lift("c3")
    hands.put("c4")
    verdict = hands.put("c3")
    assert isinstance(verdict, Complete)
    assert (verdict.signature.turn.text, verdict.sure) == ("c3-c4", True)


def test_4_a_result_whose_lift_was_never_seen_is_asked_about() -> None:
    hands = Hands("zong-heng", P)
    verdict = hands.put("c4")
    assert isinstance(verdict, Which)
    assert texts(verdict.signatures) == {"c3-c4", "c5-c4"}


def test_4_the_players_answer_by_touching_where_it_began() -> None:
    for origin, text in (("c3", "c3-c4"), ("c5", "c5-c4")):
        hands = Hands("zong-heng", P)
        which = hands.put("c4")
        assert isinstance(which, Which)
        hands.watch.ask(which)
        verdict = hands.touch(origin)
        assert isinstance(verdict, Complete)
        assert (verdict.signature.turn.text, verdict.sure) == (text, True)


def test_4_touching_anything_else_is_no_answer() -> None:
    hands = Hands("zong-heng", P)
    which = hands.put("c4")
    assert isinstance(which, Which)
    hands.watch.ask(which)
    assert isinstance(hands.touch("h8"), Which)


def test_4_a_row_may_be_carried_round_where_its_stones_are_alike() -> None:
    hands = Hands("zong-heng", P)
    hands.lift("c3")
    hands.put("c4")
    assert isinstance(hands.put("c3"), Complete)


def test_4_a_stone_seen_replaced_shows_that_the_row_was_pushed() -> None:
    """By colour, all at once: where a dark stone stood there is a light one, without a gap."""
    hands = Hands("yin-yang", C)
    verdict = hands.sees(("c2", 2), ("c3", 1))
    assert isinstance(verdict, Complete)
    assert verdict.signature.turn.text == "c3-c2"


def test_4_a_chain_without_its_capture_is_not_complete() -> None:
    hands = Hands("zhizhu", C, "......../x.o...../x....... x 7,8 -,-")
    assert isinstance(hands.put("a1"), UnderWay)
    assert hands.watch.left_off() is not None
    verdict = hands.lift("b3")
    assert isinstance(verdict, Complete)
    assert verdict.signature.turn.text == "a1xb3"


# 5. Under way, and sure -----------------------------------------------------------------------


def test_5_what_is_not_whole_is_under_way_with_all_turns_still_possible() -> None:
    verdict = Hands("yin-yang", C).lift("c3")
    assert isinstance(verdict, UnderWay)
    assert texts(verdict.signatures) == {"c3-c2", "c3-b3"}


@pytest.mark.parametrize(("name", "sense"), [("yin-yang", P), ("zhizhu", C), ("zig-zag", N), ("zong-heng", P)])
def test_5_every_turn_made_step_by_step_is_sure_with_its_last_step_and_not_before(name: str, sense: Sense) -> None:
    for seed in range(4):
        position = str(sheet_at(game_of(name), seed, 9 * seed).position)
        for turn in game_of(name).turns(game_of(name).position(position))[::5]:
            hands = Hands(name, sense, position)
            *before, last = [hands.put(site, level) for site, level in turn.steps]
            assert not any(isinstance(verdict, Complete) and verdict.sure for verdict in before)
            assert isinstance(last, Complete)
            assert (last.signature.turn.after, last.sure) == (turn.after, True)


def test_5_a_turn_of_which_steps_are_invisible_is_never_sure() -> None:
    hands = Hands("zig-zag", P, "5,5,5,5,5,5/1,5,5,5,5,5 2,2 S - -")
    verdict = hands.lift("S1")
    assert not (isinstance(verdict, Complete) and verdict.sure)


# 6. None, blindness, forgiveness --------------------------------------------------------------


def test_6_a_site_that_cannot_tell_fits_anything() -> None:
    hands = Hands("zong-heng", P)
    hands.sees(("h8", None))
    hands.lift("c3")
    hands.put("c4")
    verdict = hands.put("c3")
    assert isinstance(verdict, Complete)
    assert verdict.signature.turn.text == "c3-c4"


def test_6_all_that_cannot_tell_is_blindness() -> None:
    hands = Hands("zong-heng", P)
    assert hands.sees(*[(site, None) for site in hands.game.sites]) == Blind()


def test_6_after_blindness_a_lift_need_not_have_been_seen() -> None:
    hands = Hands("yin-yang", C)
    hands.sees(*[(site, None) for site in hands.game.sites])
    levels = dict(zip(hands.game.sites, hands.watch.position.board, strict=True)) | {"c2": 2, "c3": 1}
    verdict = hands.sees(*levels.items())
    assert isinstance(verdict, Complete)
    assert (verdict.signature.turn.text, verdict.sure) == ("c3-c2", False)


def test_6_after_a_restart_too_until_the_first_rest() -> None:
    hands = Hands("yin-yang", C)
    hands.watch.forgive()
    hands.put("c2", 2)
    assert isinstance(hands.put("c3", 1), Complete)
    hands.sees(("c2", 0), ("c3", 2))
    hands.put("c2", 2)
    assert not isinstance(hands.watch.verdict(), Complete)


def test_6_several_results_are_asked_about_even_then() -> None:
    hands = Hands("zong-heng", P)
    hands.watch.forgive()
    assert isinstance(hands.put("c4"), Which)


def test_6_a_frame_that_fits_only_through_none_after_lifts_is_no_rest() -> None:
    """One dead sensor must not stop the evening: what may have gone there is asked about, not forgotten."""
    hands = Hands("yin-yang", P)
    hands.sees(("c2", None))
    hands.lift("c3")
    verdict = hands.put("c3")
    assert verdict != AtRest()


# What is prepared ahead -----------------------------------------------------------------------


def test_illegal_turns_that_no_sensor_can_tell_from_a_legal_one_are_left_out() -> None:
    placing = Hands("zhizhu", P)
    assert not any(
        signature.turn.reason and signature.turn.reason.id == "zhizhu.colour" for signature in placing.watch.refused
    )
    seeing = Hands("zhizhu", C)
    assert any(
        signature.turn.reason and signature.turn.reason.id == "zhizhu.colour" for signature in seeing.watch.refused
    )


def test_preparing_a_little_at_a_time_comes_to_the_same() -> None:
    one, other = Hands("zong-heng", C).watch, Hands("zong-heng", C).watch
    for _ in range(500):
        one.prepare(1)
    assert [signature.turn.text for signature in one.refused] == [signature.turn.text for signature in other.refused]


def test_once_the_game_is_over_every_change_is_astray() -> None:
    game = game_of("zong-heng")
    watch = Reconciler(SensorView(game, C), game.start(), ())
    frame = list(watch.rest)
    frame[0] = 0
    watch.feed(tuple(frame), 0.0)
    assert watch.verdict() == Astray((0,))


# What is left behind --------------------------------------------------------------------------


def test_a_watch_whose_turns_are_all_known_leaves_nothing_to_collect() -> None:
    """A collection of all that evenings leave behind takes a fifth of a second, and that in a scan."""
    game = game_of("zhizhu")
    watch = Reconciler(SensorView(game, P), game.start())
    watch.prepare(None)
    watch.feed((1,) * len(game.sites), 0.0)
    watch.feed((0,) * len(game.sites), 0.1)
    left = ref(watch)
    gc.disable()
    del watch
    gc.enable()
    assert left() is None
