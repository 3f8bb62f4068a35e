"""The rules of Zig Zag on how a game ends and who gets what is left, and its position texts."""

from __future__ import annotations

import pytest

from games.rules import Outcome, Position, load, play
from tests.games.boards import complaint, refusal, texts
from tests.games.walks import walks

GAME = load("zig-zag")


def standing(pits: str, rest: str = "S - -", south: int = 0) -> Position:
    """The position with one seed for each pit named; South has captured `south`, North all the others."""
    rows = (",".join(str(pits.split().count(f"{side}{column}")) for column in range(1, 7)) for side in "NS")
    return GAME.position(f"{'/'.join(rows)} {south},{60 - len(pits.split()) - south} {rest}")


def ended(last: str, south: int) -> Outcome:
    """The outcome with a single seed left, South's captures and the side that captured last."""
    outcome = GAME.outcome(standing("S1", f"S - {last}", south))
    assert outcome is not None
    return outcome


# When -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("pit", GAME.sites)
def test_a_single_seed_can_never_be_captured(pit: str) -> None:
    assert GAME.outcome(standing(pit, f"{pit[0]} - -")) is not None


def test_two_seeds_may_still_hold_a_capture() -> None:
    assert GAME.outcome(standing("S3 S4")) is None
    assert texts(GAME, standing("S3 S4")) == {"S3", "S4"}


def test_a_capture_that_takes_several_turns_keeps_the_game_going() -> None:
    position = standing("S2 S5")
    assert GAME.outcome(position) is None
    assert {sum(turn.after.board) for turn in GAME.turns(position)} == {2}


def test_two_seeds_may_be_beyond_capture() -> None:
    assert GAME.outcome(standing("S3 N4")) is not None


def test_the_barred_seed_counts_for_the_end() -> None:
    assert GAME.outcome(standing("S1 S5 N4", "N - -")) is None
    assert GAME.outcome(standing("S1 S5 N4", "N N4 -")) is not None


def test_a_capture_beyond_a_forced_pass_keeps_the_game_going() -> None:
    position = standing("S1 N3", "N N3 -")
    assert GAME.outcome(position) is None
    assert texts(GAME, position) == {"pass"}


def test_games_end_with_three_seeds_or_fewer() -> None:
    finals = [ply.position for ply in walks(GAME, range(10)) if not ply.turns]
    assert finals
    assert all(1 <= sum(position.board) <= 3 for position in finals)


# Who ------------------------------------------------------------------------------------------


def test_seeds_left_over_go_to_the_last_captor() -> None:
    assert str(ended("S", south=30)) == "South wins with South 31 and North 29 seeds (no more seeds can be captured)."
    assert str(ended("N", south=29)) == "North wins with South 29 and North 31 seeds (no more seeds can be captured)."


def test_seeds_left_over_go_to_nobody_without_a_capture() -> None:
    position = GAME.position("0,0,0,0,0,0/1,0,0,0,0,0 30,29 S - -")
    assert "South 30 and North 29" in str(GAME.outcome(position))


@pytest.mark.parametrize(("last", "south", "winner"), [("S", 30, 0), ("N", 31, 0), ("S", 28, 1), ("N", 29, 1)])
def test_more_seeds_win(last: str, south: int, winner: int) -> None:
    assert ended(last, south).winner == winner


@pytest.mark.parametrize(("last", "south"), [("S", 29), ("N", 30)])
def test_thirty_each_is_a_draw(last: str, south: int) -> None:
    assert ended(last, south).winner is None
    assert str(ended(last, south)) == "A draw with South 30 and North 30 seeds (no more seeds can be captured)."


def test_after_the_end_nothing_can_be_played() -> None:
    assert refusal(GAME, standing("S1"), "S1") == "The game is over: S1 can no longer be played."


# The house rule on repetition -----------------------------------------------------------------


def test_a_third_time_the_same_position_counts_as_if_nothing_more_could_be_captured() -> None:
    position = standing("S1 S2 S3 S4 N5", "S - N", south=29)
    assert GAME.outcome(position) is None
    assert GAME.repeated(position).winner == 1
    assert str(GAME.repeated(position)) == (
        "North wins with South 29 and North 31 seeds "
        "(by the house rule of this table, as the same position stands for the third time)."
    )


def test_repetition_before_any_capture_is_a_draw() -> None:
    assert GAME.repeated(GAME.start()).winner is None


# Position texts -------------------------------------------------------------------------------


def test_the_text_tells_stores_side_back_and_last() -> None:
    position = play(GAME, standing("S1 S3 N6 N6", "S - N", south=20), "S3")
    assert str(position) == "0,0,0,1,0,2/1,0,0,0,0,0 20,36 N N4 N"


def test_every_part_of_the_text_is_part_of_the_position() -> None:
    rests = ("30,0 S - -", "29,1 S - -", "30,0 N - -", "30,0 S S3 -", "30,0 S S4 -", "30,0 S - S", "30,0 S - N")
    assert len({GAME.position(f"0,0,0,0,0,13/5,5,1,1,5,0 {rest}") for rest in rests}) == len(rests)


def test_pits_may_hold_more_than_39_seeds() -> None:
    assert GAME.position("0,0,0,0,0,39/21,0,0,0,0,0 0,0 S - -").board[11] == 39


ROWS = "5,5,5,5,5,5/5,5,5,5,5,5"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "north/south stores side back last"),
        (f"{ROWS} 0,0 S -", "north/south stores side back last"),
        ("5,5,5,5,5/5,5,5,5,5,5 0,0 S - -", "north: '5,5,5,5,5' should be 6 numbers"),
        ("5,5,5,5,5,5/5,5,5,5,5,5,5 0,0 S - -", "south: '5,5,5,5,5,5,5' should be 6 numbers"),
        ("5,5,5,5,5,5 0,0 S - -", "south: '' should be 6 numbers"),
        ("5,5,5,x,5,5/5,5,5,5,5,5 0,0 S - -", "north, number 4: 'x'"),
        ("5,5,5,5,5,5/5,-5,5,5,5,15 0,0 S - -", "south, number 2: '-5'"),
        ("5,5,5,5,5,5/5,5,5,5,5,6 0,0 S - -", "seeds: pits and stores hold 61 together, and should hold 60"),
        (f"{ROWS} 1,0 S - -", "seeds: pits and stores hold 61"),
        (f"{ROWS} 0 S - -", "stores: '0' should be 2 numbers"),
        (f"{ROWS} 0,0 x - -", "side: 'x' is not one of S N"),
        (f"{ROWS} 0,0 S N4 -", "back: 'N4' is not one of S3 S4 -"),
        (f"{ROWS} 0,0 N N2 -", "back: 'N2' is not one of N3 N4 -"),
        (f"{ROWS} 0,0 S - x", "last: 'x'"),
        ("05,5,5,5,5,5/5,5,5,5,5,5 0,0 S - -", "north, number 1: '05'"),
    ],
)
def test_a_position_error_says_what_is_wrong_and_where(text: str, words: str) -> None:
    assert words in complaint(GAME, text)
