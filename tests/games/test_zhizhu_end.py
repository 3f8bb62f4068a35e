"""The rules of ZhiZhu on sliding straight back, and how the game ends. Boards are drawn as in `test_zhizhu`."""

from __future__ import annotations

import pytest

from games.rules import Position, load, play
from tests.games.boards import board, ends, refusal, texts
from tests.games.walks import Ply, walk

GAME = load("zhizhu")

CHAIN = """
    x . . . . . . .
    x . . . o . o .
    x . o . . x . .
"""
"""Black has a chain on line 1."""

LEFT = """
    . x . . . . . .
    x . . . o . o .
    x . o . . x . .
"""
"""The same after a1-a2."""


def at(drawing: str, rest: str = "x 0,0 -,-") -> Position:
    return GAME.position(f"{board(drawing)} {rest}")


def after(position: Position, *turns: str) -> Position:
    for text in turns:
        position = play(GAME, position, text)
    return position


def returns(position: Position) -> str:
    return str(position).split()[3]


def slides(position: Position) -> set[str]:
    """The legal slides, without what they remove."""
    return {text.partition("x")[0] for text in texts(GAME, position)}


# No return ------------------------------------------------------------------------------------


def test_a_stone_slid_out_of_a_chain_may_not_go_straight_back() -> None:
    position = after(at(CHAIN), "a1-a2", "b5-b4")
    assert "a2-a1" not in slides(position)
    assert ends(GAME, position, "a2") == {"a3", "b2"}


def test_the_position_text_remembers_the_way_back() -> None:
    assert str(after(at(CHAIN), "a1-a2")) == f"{board(LEFT)} o 0,0 a2-a1,-"


def test_the_memory_is_part_of_the_position() -> None:
    assert len({at(LEFT, f"x 0,0 {memory}") for memory in ("-,-", "a2-a1,-", "-,a2-a1", "a2-a3,-")}) == 4


def test_the_return_is_barred_for_either_player() -> None:
    swap = str.maketrans("xo", "ox")
    position = after(at(CHAIN.translate(swap), "o 0,0 -,-"), "a1-a2")
    assert returns(position) == "-,a2-a1"
    assert "a2-a1" not in slides(after(position, "b5-b4"))


def test_without_the_memory_the_same_slide_makes_the_chain_and_captures() -> None:
    assert {"a1xb5", "a1xb7", "a1xc3"} < ends(GAME, at(LEFT), "a2")


def test_the_return_is_refused_in_words() -> None:
    sentence = "a2 may not slide straight back to a1: that makes again the chain it has just left."
    assert refusal(GAME, after(at(CHAIN), "a1-a2", "b5-b4"), "a2-a1") == sentence


def test_the_return_is_legal_if_it_makes_no_chain() -> None:
    drawing = LEFT.replace("x . . . o . o .", ". . . . o . o .")
    assert "a1" in ends(GAME, at(drawing, "x 0,0 a2-a1,-"), "a2")


def test_another_stone_may_complete_the_chain() -> None:
    drawing = LEFT.replace("x . o . . x . .", "x . o . . . . .").replace(". x . . . . . .", ". x . . . . . x")
    assert {"a1xb5", "a1xb7", "a1xc3"} == ends(GAME, at(drawing, "x 0,0 a2-a1,-"), "a8") - {"a7", "b8"}


def test_a_later_turn_is_free_to_go_back() -> None:
    position = after(at(CHAIN), "a1-a2", "b5-b4", "c6-c7", "b4-b5")
    assert returns(position) == "-,-"
    assert "a2-a1" in slides(position)


def test_a_slide_that_leaves_no_chain_may_be_taken_back() -> None:
    position = after(at(CHAIN), "c6-c7")
    assert returns(position) == "-,-"
    assert "c7-c6" in slides(after(position, "b5-b4"))


def test_a_slide_out_of_five_on_a_circle_may_not_go_straight_back() -> None:
    drawing = """
        x x x x x . . .
        . . . . . . . .
        o . o . o . o .
    """
    position = after(at(drawing), "a5-a6", "c1-b1")
    assert returns(position) == "a6-a5,-"
    assert "a6-a5" not in slides(position)


def test_a_slide_from_six_on_a_circle_leaves_a_chain_too() -> None:
    drawing = """
        x x x x x x . .
        . . . . . . . .
        o . o . o . o .
    """
    position = after(at(drawing), "a6-b6", "c1-b1")
    assert "b6-a6" not in slides(position)


def test_a_slide_within_a_full_row_of_seven_may_not_go_straight_back() -> None:
    drawing = """
        x x x x x x x .
        . . . . . . . .
        o o o . o o . .
    """
    position = after(at(drawing), "a7-a8xc1xc2", "c6-c7")
    assert "a8-a7" not in slides(position)


def points_of_chains() -> list[tuple[str, ...]]:
    lines = [tuple(f"{circle}{line}" for circle in "abc") for line in range(1, 9)]
    rows = [tuple(f"{circle}{(start + k) % 8 + 1}" for k in range(5)) for circle in "abc" for start in range(8)]
    return lines + rows


def makes_chain(position: Position, origin: str, target: str) -> bool:
    """Whether the stone on `origin` would stand in a chain on `target`."""
    level = dict(zip(GAME.sites, position.board, strict=True))
    level[target], level[origin] = level[origin], 0
    return any(target in chain and len({level[point] for point in chain}) == 1 for chain in points_of_chains())


def back_again(last: Ply, now: Ply) -> tuple[str, str] | None:
    """The slide that would undo the one of `last`, two plies before `now`, if the stone stands and the way is free."""
    origin, dash, target = last.chosen.text.partition("x")[0].partition("-") if last.chosen else ("", "", "")
    level = dict(zip(GAME.sites, now.position.board, strict=True))
    return (target, origin) if dash and not level[origin] and level[target] == now.position.side + 1 else None


def test_a_slide_straight_back_is_legal_exactly_when_it_makes_no_chain() -> None:
    refused = 0
    for plies in (list(walk(GAME, seed)) for seed in range(8)):
        for last, now in zip(plies, plies[2:], strict=False):
            back = back_again(last, now)
            if back and now.turns:
                again = makes_chain(now.position, *back)
                assert ("-".join(back) in slides(now.position)) is not again
                refused += again
    assert refused >= 10


# The end --------------------------------------------------------------------------------------


def winner(position: Position) -> int | None:
    outcome = GAME.outcome(position)
    assert outcome is not None
    won: int | None = outcome.winner
    return won


THREE_LEFT = """
    . x . . . . . .
    x . . . o . o .
    x . o . . . . .
"""


def test_a_player_with_two_stones_left_has_lost() -> None:
    position = after(at(THREE_LEFT), "a2-a1xb5")
    assert winner(position) == 0
    assert texts(GAME, position) == set()
    assert str(GAME.outcome(position)) == "Black wins: White has 2 stones left, and two are too few to go on."


def test_three_stones_are_enough_to_go_on() -> None:
    assert GAME.outcome(at(THREE_LEFT)) is None


def test_stones_in_hand_count_as_left() -> None:
    drawing = THREE_LEFT.replace("x . . . o . o .", "x . . . o . . .")
    assert GAME.outcome(at(drawing, "o 0,1 -,-")) is None
    assert winner(at(drawing, "o 0,0 -,-")) == 0


def test_seven_captured_while_placing_end_the_game_too() -> None:
    drawing = """
        x . . . o . . .
        x . . . o . . .
        . . . . o . . .
    """
    assert winner(after(at(drawing, "x 1,0 -,-"), "c1xa5")) == 0


def test_fewer_than_two_stones_have_lost_as_well() -> None:
    drawing = THREE_LEFT.replace("x . . . o . o .", "x . . . . . . .")
    assert winner(at(drawing, "o 0,0 -,-")) == 0


def test_dark_can_lose_by_captures_as_well() -> None:
    swap = str.maketrans("xo", "ox")
    assert winner(after(at(THREE_LEFT.translate(swap), "o 0,0 -,-"), "a2-a1xb5")) == 1


SHUT_IN = """
    o o o x . . . x
    x x x . . . . .
    . . . . . . . .
"""


def test_a_player_who_must_move_and_cannot_has_lost() -> None:
    position = at(SHUT_IN, "o 0,0 -,-")
    assert winner(position) == 0
    assert str(GAME.outcome(position)) == "Black wins: White must slide and has no legal slide."


def test_being_shut_in_costs_nothing_while_it_is_the_others_turn() -> None:
    assert GAME.outcome(at(SHUT_IN, "x 0,0 -,-")) is None


def test_a_stone_in_hand_is_always_a_turn() -> None:
    assert GAME.outcome(at(SHUT_IN, "o 0,1 -,-")) is None


def test_the_forbidden_return_is_no_way_out_of_being_shut_in() -> None:
    """No such position can be drawn: where the return makes a chain, its neighbour in that chain can fill the gap."""
    for chain in points_of_chains():
        for gap in chain:
            for aside in neighbours(gap) - set(chain):
                position = without_the_return(chain, gap, aside)
                assert f"{aside}-{gap}" not in slides(position)
                assert slides(position)


def neighbours(point: str) -> set[str]:
    return {other for link in GAME.links if point in link for other in link} - {point}


def without_the_return(chain: tuple[str, ...], gap: str, aside: str) -> Position:
    """Black has slid from the chain's point `gap` to `aside`; White's nine stones stand beside them."""
    dark = {*chain, aside} - {gap}
    walls = {point for own in dark for point in neighbours(own)} - dark - {gap}
    light = sorted(walls)[:9]
    marks = ["x" if point in dark else "o" if point in light else "." for point in GAME.sites]
    rows = "/".join("".join(marks[start : start + 8]) for start in (0, 8, 16))
    return GAME.position(f"{rows} x 0,0 {aside}-{gap},-")


def test_after_the_end_nothing_can_be_played() -> None:
    assert refusal(GAME, at(SHUT_IN, "o 0,0 -,-"), "a3-a4") == "The game is over: a3-a4 can no longer be played."


def test_the_winners_stones_are_named() -> None:
    outcome = GAME.outcome(at(SHUT_IN, "o 0,0 -,-"))
    assert outcome is not None
    assert outcome.sites == ("a4", "a8", "b1", "b2", "b3")


@pytest.mark.parametrize("first", ["x", "o"])
def test_a_third_time_the_same_position_is_drawn_by_the_house_rule(first: str) -> None:
    game = load("zhizhu", first=first)
    outcome = game.repeated(game.start())
    assert outcome.winner is None
    assert str(outcome).startswith("House rule of this table")
