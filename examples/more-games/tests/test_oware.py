"""The rules of Oware, sentence by sentence."""

from __future__ import annotations

import pytest
from asking import complaint, faults, game, refusal, sequences, texts, turn

from games.rules import Position

GAME = game("oware")


def at(north: str, south: str, side: str = "S", south_has: int | None = None) -> Position:
    """A position by its two rows; the stores share what these do not have, or South's has `south_has`."""
    left = 48 - sum(map(int, (north + " " + south).split()))
    store = left // 2 if south_has is None else south_has
    rows = "/".join(",".join(row.split()) for row in (north, south))
    return GAME.position(f"{rows} {store},{left - store} {side}")


def stores(position: Position) -> tuple[int, int]:
    beside = GAME.beside(position)
    assert beside is not None
    return beside


def test_four_seeds_lie_in_each_pit_at_the_start_and_south_begins() -> None:
    assert str(GAME.start()) == "4,4,4,4,4,4/4,4,4,4,4,4 0,0 S"
    assert texts(GAME, GAME.start()) == {"S1", "S2", "S3", "S4", "S5", "S6"}


def test_seeds_are_sown_along_ones_row_to_the_right_and_then_along_the_other() -> None:
    sown = turn(GAME, GAME.start(), "S4")
    assert sown.acts == (("sow", ("S4", "S5", "S6", "N6", "N5"), (5, 5, 5, 5), ()),)
    assert str(sown.after) == "4,4,4,4,5,5/4,4,4,0,5,5 0,0 N"


def test_from_north_seeds_go_the_same_way_round() -> None:
    answer = turn(GAME, turn(GAME, GAME.start(), "S4").after, "N3")
    assert answer.acts[0].sites == ("N3", "N2", "N1", "S1", "S2")


def test_the_pit_lifted_is_left_out_when_seeds_come_round() -> None:
    sown = turn(GAME, at("0 0 0 0 0 1", "1 0 12 0 0 0"), "S3")
    assert sown.acts[0].sites[-3:] == ("S1", "S2", "S4")
    assert str(sown.after) == "1,1,1,1,1,2/2,1,0,2,1,1 17,17 N"


@pytest.mark.parametrize(("before", "taken"), [(0, 0), (1, 2), (2, 3), (3, 0)])
def test_two_or_three_are_captured_where_the_last_seed_falls(before: int, taken: int) -> None:
    position = at(f"4 4 4 4 4 {before}", "0 0 0 0 0 1")
    sown = turn(GAME, position, "S6")
    assert stores(sown.after)[0] == stores(position)[0] + taken
    assert list(sown.acts[1:]) == ([("take", ("N6",), (), (0,))] if taken else [])


def test_pits_before_it_with_two_or_three_are_captured_backwards() -> None:
    sown = turn(GAME, at("5 2 1 2 3 1", "0 0 0 0 0 5", south_has=14), "S6")
    assert [act.sites[0] for act in sown.acts[1:]] == ["N2", "N3", "N4"]
    assert str(sown.after) == "5,0,0,0,4,2/0,0,0,0,0,0 22,15 N"


def test_nothing_is_captured_in_ones_own_row() -> None:
    assert len(turn(GAME, at("0 0 0 0 0 4", "1 1 1 0 0 0"), "S2").acts) == 1


def test_pits_before_one_that_is_not_captured_stay_as_they_are() -> None:
    sown = turn(GAME, at("4 0 0 0 0 1", "1 0 0 0 1 2"), "S6")
    assert (len(sown.acts), str(sown.after)[:11]) == (1, "4,0,0,0,1,2")


def test_captures_end_at_the_opponents_first_pit() -> None:
    sown = turn(GAME, at("4 0 0 0 0 1", "0 0 0 0 1 1"), "S6")
    assert str(sown.after) == "4,0,0,0,0,0/0,0,0,0,1,0 22,21 N"


def test_a_capture_of_all_that_the_opponent_has_takes_nothing() -> None:
    sown = turn(GAME, at("0 0 0 0 1 2", "3 0 0 0 0 2"), "S6")
    assert len(sown.acts) == 1
    assert str(sown.after) == "0,0,0,0,2,3/3,0,0,0,0,0 20,20 N"


def test_an_opponent_without_seeds_must_be_fed() -> None:
    position = at("0 0 0 0 0 0", "2 0 0 0 2 1")
    assert texts(GAME, position) == {"S5", "S6"}
    assert (
        refusal(GAME, position, "S1")
        == "North has no seeds: South must sow so that some come there, and from S1 none does."
    )


def test_the_game_ends_when_the_opponent_cannot_be_fed() -> None:
    position = at("0 0 0 0 0 0", "2 2 0 0 0 0", south_has=20)
    assert GAME.turns(position) == ()
    outcome = GAME.outcome(position)
    assert outcome is not None
    assert (outcome.winner, dict(outcome.reason.values)["south"]) == (None, 24)


def test_more_than_half_of_the_seeds_win_at_once() -> None:
    before = at("4 0 0 0 0 1", "0 0 0 0 1 1", south_has=23)
    assert GAME.outcome(before) is None
    after = turn(GAME, before, "S6").after
    assert GAME.turns(after) == ()
    assert str(GAME.outcome(after)) == (
        "South wins with South 25 and North 18 seeds (more than half of all seeds are captured)."
    )


def test_half_of_the_seeds_are_not_enough() -> None:
    assert GAME.outcome(at("4 0 0 0 0 1", "0 0 0 0 1 1", south_has=24)) is None


def test_by_repetition_each_has_what_lies_in_the_own_row() -> None:
    outcome = GAME.repeated(at("0 0 1 0 0 0", "0 1 0 2 0 0", south_has=20))
    assert (outcome.winner, str(outcome)) == (
        1,
        "North wins with South 23 and North 25 seeds "
        "(by the house rule of this table, as the same position stands for the third time).",
    )


def test_stores_are_told() -> None:
    assert str(GAME.aside(at("0 0 1 0 0 0", "0 1 0 2 0 0", south_has=20))) == "Stores: South 20, North 24."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("N5", "N5 is North's pit; it is South's turn, and a turn begins in a pit of one's own."),
        ("S1", "S1 is empty: there is nothing to sow."),
        ("S7", "S7 is no turn of this position; S3, for one, is. The legal turns can be listed."),
    ],
)
def test_a_refused_turn_is_told_why(text: str, sentence: str) -> None:
    assert refusal(GAME, at("4 0 0 0 2 1", "0 0 12 0 0 1"), text) == sentence


def test_what_people_do_wrong_is_told() -> None:
    assert faults(GAME, at("4 0 0 0 2 1", "0 0 12 0 0 1"), "S3") >= {
        "From S3 the first seed goes into S4: seeds are sown against the clock.",
        "The pit that was lifted is left out: no seed goes back into S3.",
    }
    assert "N6 is captured with its 2 seeds: take them into South's store." in faults(
        GAME, at("4 0 0 0 2 1", "0 0 12 0 0 1"), "S6"
    )
    assert "Only pits with two or three seeds are captured, one after another: N5 holds 4." in faults(
        GAME, at("4 0 0 1 3 1", "0 0 0 0 0 3"), "S6"
    )
    assert faults(GAME, at("0 0 0 0 1 2", "3 0 0 0 0 2"), "S6") >= {
        "This would capture all that North has, and so captures nothing: leave the seeds as they were sown."
    }


def test_a_refused_turn_of_the_other_side_leaves_the_turn_where_it_is() -> None:
    assert {turn.after.side for turn in GAME.refused(GAME.start()) if turn.text[0] == "N"} == {0}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("4,4,4,4,4,4/4,4,4,4,4,4 0,0", "a position reads 'north/south stores side'"),
        ("4,4,4,4,4/4,4,4,4,4,4 0,4 S", "north: '4,4,4,4,4' should be 6 numbers of seeds, separated by commas"),
        ("4,4,4,x,4,4/4,4,4,4,4,4 0,4 S", "north, number 4: 'x' is not a number of seeds from 0 to 48"),
        ("4,4,4,4,4,4/4,4,4,4,4,4 0,4 S", "seeds: pits and stores hold 52 together, and should hold 48"),
        ("4,4,4,4,4,4/4,4,4,4,4,4 0,0 x", "side: 'x' is not one of S N"),
    ],
)
def test_a_position_error_says_what_is_wrong_and_where(text: str, words: str) -> None:
    assert words in complaint(GAME, text)


def test_the_number_of_sequences_is_what_it_was() -> None:
    """Own figures; the oracle counts the same (`test_oracle`)."""
    assert sequences(GAME, 6) == [6, 36, 190, 1014, 5219, 27332]
