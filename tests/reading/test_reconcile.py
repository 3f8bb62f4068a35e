"""The reconciler, rules 1 to 3 as the theory at the head of its file numbers them: evidence, fit and parsimony."""

from __future__ import annotations

import pytest

from firmware_bridge.reading import Astray, AtRest, Complete, UnderWay, Which
from hardware.device import Sense
from tests.reading.watched_position import C, Hands, N, P, reason, texts

# 1. Evidence ----------------------------------------------------------------------------------


@pytest.mark.parametrize("sense", [P, C])
def test_1_a_stone_lifted_and_put_back_is_nothing(sense: Sense) -> None:
    hands = Hands("zong-heng", sense)
    hands.lift("c3")
    assert hands.put("c3") == AtRest()
    assert list(hands.watch.seen.touched) == []


def test_1_what_is_forgotten_no_longer_counts_as_lifted() -> None:
    hands = Hands("zong-heng", P)
    hands.touch("c3")
    assert isinstance(hands.put("c4"), Which)


def test_1_touched_sites_are_kept_in_order() -> None:
    hands = Hands("zong-heng", P)
    hands.lift("e3", "c3")
    hands.put("c4")
    assert [hands.game.sites[site] for site in hands.watch.seen.touched] == ["e3", "c3", "c4"]


def test_1_a_pit_emptied_and_full_again_keeps_the_sowing_alive_where_seeds_are_not_counted() -> None:
    position = "5,5,5,5,5,5/12,1,1,1,1,1 6,7 S - -"
    hands = Hands("zig-zag", P, position)
    assert isinstance(hands.lift("S1"), UnderWay)
    assert not isinstance(hands.put("S1", 1), AtRest)


def test_1_where_seeds_are_counted_the_same_picture_is_rest() -> None:
    hands = Hands("zig-zag", N, "5,5,5,5,5,5/12,1,1,1,1,1 6,7 S - -")
    hands.lift("S1")
    assert hands.put("S1", 12) == AtRest()


# 2. Fit ---------------------------------------------------------------------------------------


def test_2_turns_alive_show_what_the_frame_shows() -> None:
    hands = Hands("zong-heng", C)
    hands.lift("c3")
    verdict = hands.put("c4")
    assert isinstance(verdict, UnderWay)
    assert texts(verdict.signatures) == {"c3-c4"}


def test_2_a_level_that_no_turn_puts_there_fits_none() -> None:
    hands = Hands("zong-heng", C)
    hands.lift("c3")
    assert isinstance(hands.put("c4", 2), Astray)


def test_2_the_first_site_emptied_is_one_that_the_turn_may_lift_first() -> None:
    """By presence both c3 and c5 may have filled c4; the first lift tells."""
    for lifted in ("c3", "c5"):
        hands = Hands("zong-heng", P)
        hands.lift(lifted)
        verdict = hands.put("c4")
        assert isinstance(verdict, UnderWay)
        assert texts(verdict.signatures) == {f"{lifted}-c4"}


def test_2_a_refused_turn_cannot_fill_a_site_before_its_stone_is_lifted() -> None:
    """A stone laid on d5 is not the one that d4 held, so d4-d5 was not what the hands tried."""
    before, after = Hands("zong-heng", P), Hands("zong-heng", P)
    before.lift("d4")
    assert reason(before.put("d5")) == "zong-heng.single"
    after.put("d5")
    assert reason(after.lift("d4")) != "zong-heng.single"


def test_2_a_sowing_begins_with_a_lift() -> None:
    for sense in (P, N):
        hands = Hands("zig-zag", sense, "0,5,5,5,5,5/5,5,5,5,5,5 5,0 S - S")
        assert isinstance(hands.put("N1", 1), Astray)


def test_2_seeds_by_presence_must_follow_the_way() -> None:
    position = "0,0,0,0,0,0/4,0,0,0,0,0 20,36 S - S"
    path = Hands("zig-zag", P, position)
    path.lift("S1")
    assert isinstance(path.put("N2", 1), UnderWay)
    wrong = Hands("zig-zag", P, position)
    wrong.lift("S1")
    assert isinstance(wrong.put("S3", 1), Astray)


# 3. Parsimony ---------------------------------------------------------------------------------


def test_3_a_stone_bumped_beside_the_turn_does_not_matter() -> None:
    hands = Hands("zong-heng", P)
    hands.lift("c3")
    hands.touch("h8")
    hands.put("c4")
    verdict = hands.put("c3")
    assert isinstance(verdict, Complete)
    assert (verdict.signature.turn.text, verdict.sure) == ("c3-c4", False)


def test_3_the_turn_that_explains_more_is_alive() -> None:
    """c1 and e1 may both push to d1; e1 was bumped, but the stone came from c1."""
    hands = Hands("zong-heng", P)
    hands.lift("c1")
    hands.put("d1")
    verdict = hands.touch("g1")
    assert isinstance(verdict, UnderWay)
    assert texts(verdict.signatures) == {"c1-d1"}


def test_3_a_refused_turn_that_explains_more_is_told() -> None:
    hands = Hands("zong-heng", P)
    assert reason(hands.lift("d4")) in ("zong-heng.single", "zong-heng.majority")
    verdict = hands.put("d5")
    assert reason(verdict) == "zong-heng.single"


def test_3_no_turn_at_all_leaves_every_site_that_differs() -> None:
    hands = Hands("yin-yang", C)
    verdict = hands.sees(("a1", 1), ("f6", 2), ("c3", 0))
    assert isinstance(verdict, Astray)
    assert (hands.names(verdict.sites), verdict.refused) == ({"a1", "f6", "c3"}, None)


def test_3_a_slip_of_a_legal_turn_is_put_right_toward_it() -> None:
    hands = Hands("zong-heng", C)
    hands.lift("c3")
    hands.put("c4")
    verdict = hands.put("c3", 2)
    assert isinstance(verdict, Astray)
    assert (reason(verdict), hands.names(verdict.sites)) == ("zong-heng.new-stone", {"c3"})
    assert verdict.toward
    assert verdict.toward.turn.text == "c3-c4"
