"""What the table comes to know of its players."""

from __future__ import annotations

from firmware_bridge.reading import Patience, Players
from firmware_bridge.reading.acceptance import FEWEST, KEPT, LONGEST, SHORTEST, SLOWEST
from firmware_bridge.table.table import DONE_REFERS_BACK
from tests.table.players import P, at

SETTLE = Patience().settle


def settle(*pauses: float) -> float:
    """The settle time after these pauses and a turn."""
    players = Players(Patience())
    for pause in pauses:
        players.paused(pause)
    players.accepted(0)
    return players.patience.settle


def test_slow_hands_are_given_time() -> None:
    assert settle(*[0.6] * FEWEST) == 0.75


def test_the_settle_time_keeps_within_bounds() -> None:
    assert settle(*[2.9] * KEPT) == SLOWEST
    assert settle(*[0.15] * KEPT) == SETTLE


def test_a_few_pauses_tell_nothing_nor_does_a_walk_to_the_window_or_a_stone_that_slides() -> None:
    assert settle(*[0.9] * (FEWEST - 1)) == SETTLE
    assert settle(*[0.9] * (FEWEST - 1), LONGEST + 0.1, SHORTEST / 2) == SETTLE
    assert settle(*[0.3] * FEWEST, 2.9) == SETTLE


def test_players_who_hurry_again_are_given_less() -> None:
    assert settle(*[0.9] * KEPT, *[0.3] * KEPT) == SETTLE


def test_hands_at_the_table_are_measured() -> None:
    now = at("zong-heng", P)
    for turn in ("c3-c4", "d4-d3", "e3-e4", "b4-b3", "g3-g4", "h4-h3", "c5-c6", "d6-d7", "e5-e6"):
        now.make(turn, "slow", wait=1.0)
    assert now.table.patience.settle > SETTLE


# Done -----------------------------------------------------------------------------------------

STONES = ("a1", "c8", "a3", "c6")


def test_done_with_nothing_to_be_seen_tells_of_a_turn_and_the_next_one_is_asked_about() -> None:
    now = at("zhizhu", P)
    for turn in STONES:
        now.make(turn, wait=0.6)
    now.run(DONE_REFERS_BACK)
    assert now.press("done") == ["nothing-done"]
    assert now.make("b7", wait=0.6) == ["asked"]
    assert now.played == [*STONES]


def test_done_about_the_turn_that_has_just_counted_tells_of_no_other() -> None:
    now = at("zhizhu", P)
    for turn in STONES:
        now.make(turn, wait=0.6)
    assert now.press("done") == ["nothing-done"]
    assert now.make("b7", wait=0.6) == ["played"]


def test_done_of_players_who_press_it_after_every_turn_tells_of_no_other() -> None:
    now = at("zhizhu", P)
    for turn in STONES:
        now.make(turn, wait=0.6)
        assert now.press("done") == ["nothing-done"]
    assert now.played == [*STONES]
