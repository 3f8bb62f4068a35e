"""The rules of go, sentence by sentence; on 5 lines a side where nothing else is said."""

from __future__ import annotations

from random import Random

import pytest
from asking import board, complaint, faults, game, refusal, sequences, texts, turn, walk
from more_games.go.fast import Searched
from more_games.go.rules import Go
from oracle_go import go

from games.rules import OptionError, Position, load, play

LARGE = game("go")
GAME = Go(5)


def at(drawing: str, side: str = "x", rest: str = "- 0") -> Position:
    return GAME.position(f"{board(drawing)} {side} {rest}")


def empty(position: Position) -> set[str]:
    return {site for site, level in zip(GAME.sites, position.board, strict=True) if not level}


CAPTURE = """
    . x x . .
    x o o . .
    . x x . .
    . . . o .
    . . . . .
"""
KO = """
    . . . . .
    . x o . .
    x . x o .
    . x o . .
    . . . . .
"""
EYES = """
    . x . . .
    x x . . .
    . . . . x
    . . . x o
    . . . x .
"""
SNAPBACK = """
    . . . . .
    . . . . .
    x x x . .
    o o x . .
    . x o . .
"""
ALIVE = """
    . x x x x
    x x x x x
    x x x x x
    x x x x x
    x x x x .
"""
SHARED = """
    . x . o .
    x x . o o
    . x . o .
    x x . o o
    . x . o .
"""


def test_stones_stand_where_lines_cross() -> None:
    assert len(LARGE.sites) == 81
    assert len(LARGE.links) == 2 * 8 * 9
    assert not LARGE.shaded


def test_a_stone_is_laid_on_any_empty_point_or_one_passes_black_begins() -> None:
    start = GAME.start()
    assert texts(GAME, start) == {*GAME.sites, "pass"}
    assert str(play(GAME, start, "c3")) == "...../...../..x../...../..... o - 0"


def test_a_group_that_loses_its_last_liberty_goes_off() -> None:
    capture = turn(GAME, at(CAPTURE), "d4")
    assert [tuple(act) for act in capture.acts] == [
        ("lay", ("d4",), (1,), ()),
        ("take", ("b4",), (), ()),
        ("take", ("c4",), (), ()),
    ]
    assert str(capture.after) == ".xx../x..x./.xx../...o./..... o - 0"


def test_a_group_in_the_corner_has_fewer_liberties() -> None:
    assert turn(GAME, at(EYES), "e1").lifts == ("e2",)


def test_captured_stones_do_not_stay() -> None:
    sentence = "The stone on {} has no liberty left: take it off the board."
    assert faults(GAME, at(CAPTURE), "d4") == {
        sentence.format("b4"),
        sentence.format("c4"),
        "Black lays black stones: take the one on d4 off.",
    }


def test_no_stone_may_be_laid_that_would_leave_its_group_without_a_liberty() -> None:
    position = at(EYES, "o")
    assert empty(position) - texts(GAME, position) == {"a5", "e1"}
    sentence = "A stone of White's on a5 would leave its group without a liberty, and takes nothing."
    assert refusal(GAME, position, "a5") == sentence


def test_a_stone_may_be_laid_without_liberty_if_it_takes_one() -> None:
    after = play(GAME, at(KO, "o"), "b3")
    assert str(after) == "...../.xo../xo.o./.xo../..... x c3 0"


def test_a_ko_may_not_be_taken_back_at_once() -> None:
    after = play(GAME, at(KO, "o"), "b3")
    assert empty(after) - texts(GAME, after) == {"c3"}
    sentence = "This is a ko: Black may take on c3 again only after playing elsewhere."
    assert refusal(GAME, after, "c3") == sentence
    elsewhere = play(GAME, play(GAME, after, "a1"), "e1")
    assert "c3" in texts(GAME, elsewhere)


def test_a_pass_lifts_the_ko() -> None:
    after = play(GAME, play(GAME, play(GAME, at(KO, "o"), "b3"), "pass"), "a1")
    assert "c3" in texts(GAME, after)


def test_where_more_than_one_stone_is_taken_back_there_is_no_ko() -> None:
    after = play(GAME, at(SNAPBACK, "o"), "a1")
    assert str(after) == "...../...../xxx../oox../o.o.. x - 0"
    assert turn(GAME, after, "b1").lifts == ("a1", "a2", "b2")


def test_two_passes_end_the_play_and_dead_groups_are_taken_off_by_their_owners() -> None:
    over = play(GAME, play(GAME, at(CAPTURE), "pass"), "pass")
    assert texts(GAME, over) == {"xb3", "xa4", "xb5", "pass"}
    assert texts(GAME, play(GAME, over, "pass")) == {"xd2", "xb4", "pass"}
    dead = turn(GAME, play(GAME, over, "pass"), "xb4")
    assert [tuple(act) for act in dead.acts] == [("take", ("b4",), (), ()), ("take", ("c4",), (), ())]
    assert str(dead.after) == ".xx../x..../.xx../...o./..... x - 2"


def test_it_is_told_who_has_passed_and_what_comes_then() -> None:
    told, position = [], at(CAPTURE)
    for _ in range(5):
        told.append(str(GAME.aside(position)))
        position = play(GAME, position, "pass") if GAME.turns(position) else position
    assert told == [
        "None",
        "Black has passed.",
        "Black takes a dead group of the own stones off, or passes if there is none.",
        "Black has no dead group left; White takes one off, or passes, and all is counted.",
        "None",
    ]


def test_two_more_passes_end_the_game_and_areas_are_counted() -> None:
    over = at(SHARED, "x", "- 4")
    outcome = GAME.outcome(over)
    assert outcome is not None
    assert GAME.turns(over) == GAME.refused(over) == ()
    assert (outcome.winner, str(outcome)) == (
        1,
        "White wins: Black has 10 points, and White 17, of which 7 for playing second.",
    )
    assert set(outcome.sites) == {site for site in GAME.sites if site[0] in "de"}


def test_equal_points_are_a_draw() -> None:
    outcome = Go(5, 0).outcome(at(SHARED, "x", "- 4"))
    assert outcome is not None
    assert (outcome.winner, str(outcome)) == (
        None,
        "A draw: Black has 10 points, and White 10, of which 0 for playing second.",
    )


def test_the_empty_board_is_nobodys() -> None:
    outcome = GAME.outcome(at(". . . . .\n" * 5, "x", "- 4"))
    assert str(outcome) == "White wins: Black has 0 points, and White 7, of which 7 for playing second."


@pytest.mark.parametrize(
    ("text", "rest", "sentence"),
    [
        ("b4", "- 0", "A stone stands on b4: stones are laid on empty points."),
        ("xb4", "- 0", "The stone on b4 has not been captured, so it stays."),
        ("xe5", "- 0", "There is no stone on e5."),
        ("e6", "- 0", "e6 is no turn of this position; a1, for one, is. The legal turns can be listed."),
        (
            "a1",
            "- 2",
            "Both have passed, so no stone is laid on a1: if you do not agree on what is dead, take the passes back.",
        ),
        ("xb4", "- 2", "The stones on b4 are White's: only White can give them up as dead."),
        ("xc3", "- 2", "xc3 is written xb3 here: a group is named by its first stone."),
        ("a1", "- 4", "The game is over: a1 can no longer be played."),
    ],
)
def test_a_refused_turn_is_told_why(text: str, rest: str, sentence: str) -> None:
    assert refusal(GAME, at(CAPTURE, "x", rest), text) == sentence


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("...../..... x - 0", "rank 3: 'nothing' should be 5 of . x o"),
        ("...../...../...../x..../ox... x - 0", "a1: the stones that stand there have no liberty"),
        ("...../...../...../...../..... b - 0", "side: 'b' is not one of x o"),
        ("...../...../...../...../..... x - 5", "passes: '5' is not one of 0 1 2 3 4"),
        ("...../...../...../...../..... x a1 0", "ko: 'a1' should be -, or a point on which x would take a single"),
        ("...../.xo../xo.o./.xo../..... x c3 1", "ko: 'c3' should be -, or a point"),
        ("...../...../...../...../..... x 0", "a position reads 'ranks side ko passes'"),
    ],
)
def test_a_position_error_says_what_is_wrong_and_where(text: str, words: str) -> None:
    assert words in complaint(GAME, text)


def test_the_board_has_9_7_or_5_lines_and_white_7_5_or_no_points() -> None:
    assert [len(load("go", size=size).sites) for size in (9, 7, 5)] == [81, 49, 25]
    with pytest.raises(OptionError, match="go: size = 19 is not possible; allowed: 9, 7, 5"):
        load("go", size=19)
    with pytest.raises(OptionError, match="go: komi = 6 is not possible; allowed: 7, 5, 0"):
        load("go", komi=6)


@pytest.mark.parametrize("seed", range(8))
def test_turns_on_the_small_board_are_those_of_the_oracle(seed: int) -> None:
    for position, turns, _ in walk(GAME, seed):
        assert {turn.text: str(turn.after) for turn in turns} == go(str(position))


def test_in_a_random_game_nobody_fills_an_eye_that_a_group_lives_by() -> None:
    alive = at(ALIVE, "o")
    assert "a5" in texts(GAME, at(ALIVE))
    assert {Searched(GAME).playout(alive, Random(seed)) for seed in range(20)} == {1.0}
    other = at(ALIVE.replace("x", "o"))
    assert {Searched(GAME).playout(other, Random(seed)) for seed in range(20)} == {0.0}


def test_a_random_game_of_a_board_that_is_counted_is_its_result() -> None:
    assert Searched(GAME).playout(at(SHARED, "x", "- 4"), Random(1)) == 0.0
    assert Searched(Go(5, 0)).playout(at(SHARED, "x", "- 4"), Random(1)) == 0.5


def test_random_games_end_and_go_either_way() -> None:
    results = [Searched(Go(5, 0)).playout(GAME.start(), Random(seed)) for seed in range(60)]
    assert {0.0, 1.0} <= {*results}
    assert 0.2 < sum(results) / len(results) < 0.95


def test_the_legal_boards_are_as_many_as_the_literature_has() -> None:
    """Tromp and Farnebaeck, Combinatorics of Go: 57 of 2 by 2, 12675 of 3 by 3. All can be reached by laying."""
    assert [len(reachable(size)) for size in (2, 3)] == [57, 12675]


def reachable(size: int) -> set[bytes]:
    """The boards that play can reach, whoever passes."""
    small = Go(size)
    seen, left = {small.start()}, [small.start()]
    for position in left:
        after = {turn.after for turn in small.turns(position) if turn.after.passes < 2} - seen
        seen |= after
        left += after
    return {position.cells for position in seen}


def test_the_number_of_sequences_is_what_it_was() -> None:
    """Own figures; the oracle counts the same (`test_oracle`)."""
    assert sequences(GAME, 3) == [26, 651, 15651]
