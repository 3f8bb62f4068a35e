"""The rules of Zig Zag on sowing and captures.

A board is drawn as South sees it: North's row on top, both rows from column 1 to 6.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from games.rules import Position, load, play
from tests.games.boards import pits, steps, texts
from tests.games.walks import walk, walks

GAME = load("zig-zag")


def at(drawing: str, rest: str = "S - -", south: int = 0) -> Position:
    return GAME.position(pits(drawing, rest, south))


def seeds(position: Position) -> dict[str, int]:
    return dict(zip(GAME.sites, position.board, strict=True))


def stores(position: Position) -> list[int]:
    """South's and North's."""
    return [int(store) for store in str(position).split()[1].split(",")]


# The board ------------------------------------------------------------------------------------


def test_five_seeds_in_each_of_two_rows_of_six_pits() -> None:
    assert str(GAME.start()) == "5,5,5,5,5,5/5,5,5,5,5,5 0,0 S - -"
    assert GAME.start().board == (5,) * 12


def test_south_owns_the_lower_row_and_n1_lies_opposite_s1() -> None:
    assert GAME.sites == ("S1", "S2", "S3", "S4", "S5", "S6", "N1", "N2", "N3", "N4", "N5", "N6")
    assert [GAME.places[pit] for pit in ("S1", "S6", "N1", "N6")] == [(0, 0), (5, 0), (0, 1), (5, 1)]


def test_south_starts() -> None:
    assert GAME.start().side == 0
    assert GAME.players == ("zig-zag.south", "zig-zag.north")


def test_the_pieces_are_seeds() -> None:
    assert GAME.pieces == "seeds"


# Sowing ---------------------------------------------------------------------------------------


def test_the_path_crosses_the_board_at_every_step_and_goes_straight_across_at_its_ends() -> None:
    position = at("""
        0 0 0 0 0 0
        12 0 0 0 0 0
    """)
    path = ["N2", "S3", "N4", "S5", "N6", "S6", "N5", "S4", "N3", "S2", "N1", "S1"]
    assert steps(GAME, position, "S1") == [("S1", 0), *((pit, 1) for pit in path)]


@pytest.mark.parametrize(
    ("pit", "first"),
    [
        *(("S1", "N2"), ("S2", "N3"), ("S3", "N4"), ("S4", "N3"), ("S5", "N4"), ("S6", "N5")),
        *(("N1", "S2"), ("N2", "S3"), ("N3", "S4"), ("N4", "S3"), ("N5", "S4"), ("N6", "S5")),
    ],
)
def test_the_first_lap_goes_toward_the_middle(pit: str, first: str) -> None:
    position = GAME.position(f"5,5,5,5,5,5/5,5,5,5,5,5 0,0 {pit[0]} - -")
    assert steps(GAME, position, pit)[:2] == [(pit, 0), (first, 6)]


def test_only_own_pits_that_hold_seeds_can_be_played() -> None:
    drawing = """
        1 0 2 0 3 0
        0 2 0 4 0 6
    """
    assert texts(GAME, at(drawing, "S - -")) == {"S2", "S4", "S6"}
    assert texts(GAME, at(drawing, "N - -")) == {"N1", "N3", "N5"}


def test_all_seeds_of_the_pit_are_lifted_and_sown_one_by_one() -> None:
    position = play(GAME, GAME.start(), "S1")
    assert str(position) == "5,6,5,6,5,6/0,5,6,5,6,5 0,0 N - -"


def test_stores_are_not_sown() -> None:
    position = play(GAME, GAME.start(), "S6")
    assert stores(position) == [0, 0]
    assert sum(position.board) == 60


def test_the_pit_lifted_is_sown_again_when_a_lap_comes_round() -> None:
    position = at("""
        0 0 0 0 0 0
        13 0 0 0 0 0
    """)
    assert steps(GAME, position, "S1")[-2:] == [("S1", 1), ("N2", 2)]


def test_a_last_seed_in_an_opposing_pit_with_seeds_ends_the_turn() -> None:
    position = at("""
        0 0 0 2 0 0
        0 0 1 4 0 0
    """)
    assert steps(GAME, position, "S3") == [("S3", 0), ("N4", 3)]


def test_a_last_seed_in_an_own_empty_pit_ends_the_turn() -> None:
    position = at("""
        0 0 4 0 0 0
        2 0 0 0 0 0
    """)
    assert steps(GAME, position, "S1") == [("S1", 0), ("N2", 1), ("S3", 1)]
    assert stores(play(GAME, position, "S1")) == stores(position)


def test_a_last_seed_in_the_own_pit_just_lifted_ends_the_turn_for_it_was_empty() -> None:
    position = at("""
        1 1 1 1 1 1
        12 1 1 1 1 1
    """)
    assert seeds(play(GAME, position, "S1"))["S1"] == 1


def test_a_last_seed_in_an_own_pit_with_seeds_is_lifted_with_them_and_sown_on() -> None:
    position = at("""
        0 0 0 1 0 1
        2 0 2 0 0 0
    """)
    first, second = [("S1", 0), ("N2", 1), ("S3", 3)], [("S3", 0), ("N4", 2), ("S5", 1), ("N6", 2)]
    assert steps(GAME, position, "S1") == first + second


def test_later_laps_keep_the_direction_even_away_from_the_middle() -> None:
    position = at("""
        0 0 0 0 0 0
        0 0 2 0 1 0
    """)
    assert steps(GAME, position, "S3") == [("S3", 0), ("N4", 1), ("S5", 2), ("S5", 0), ("N6", 1), ("S6", 1)]


def test_a_last_seed_in_an_empty_opposing_pit_takes_what_lies_straight_across() -> None:
    position = at("""
        0 0 0 0 0 3
        0 0 1 5 0 0
    """)
    after = play(GAME, position, "S3")
    assert seeds(after) == {site: {"N4": 1, "N6": 3}.get(site, 0) for site in GAME.sites}
    assert stores(after)[0] == 5


def test_north_takes_into_norths_own_store() -> None:
    drawing = """
        0 0 1 5 0 0
        0 0 0 0 0 2
    """
    after = play(GAME, at(drawing, "N - -", south=20), "N3")
    assert stores(after) == [20, 60 - 20 - 3]


def test_a_seed_sown_in_the_same_turn_is_taken_too() -> None:
    position = at("""
        0 0 0 0 0 0
        7 0 0 0 0 0
    """)
    assert steps(GAME, position, "S1")[-4:] == [("N6", 1), ("S6", 1), ("N5", 1), ("S5", 0)]
    assert stores(play(GAME, position, "S1"))[0] == 1


def test_empty_pit_across_ends_the_turn_without_a_capture() -> None:
    position = at("""
        0 0 0 0 0 3
        0 0 1 0 0 0
    """)
    after = play(GAME, position, "S3")
    assert stores(after) == stores(position)
    assert (seeds(after)["N4"], after.side) == (1, 1)


def test_only_a_capture_of_at_least_one_seed_counts_as_the_last_capture() -> None:
    drawing = """
        0 0 0 0 0 3
        0 0 1 0 0 0
    """
    assert str(play(GAME, at(drawing, "S - N"), "S3")).endswith(" N N4 N")
    taking = drawing.replace("0 0 1 0", "0 0 1 2")
    assert str(play(GAME, at(taking, "S - N"), "S3")).endswith(" N - S")


def test_a_later_lap_may_capture_as_the_first() -> None:
    position = at("""
        0 0 0 0 0 0
        2 0 2 0 0 4
    """)
    assert steps(GAME, position, "S1")[-4:] == [("N4", 1), ("S5", 1), ("N6", 1), ("S6", 0)]
    assert stores(play(GAME, position, "S1"))[0] == 4


def test_the_worked_example() -> None:
    position = GAME.start()
    for pit in ("S1", "N4", "S5"):
        position = play(GAME, position, pit)
    assert str(position) == "7,8,1,2,6,7/2,7,0,6,0,6 8,0 N - S"


# What is proved about every turn --------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_each_step_changes_sides(seed: int) -> None:
    for ply in walk(GAME, seed):
        for turn in ply.turns:
            sown = [step.site[0] for step in turn.steps if step.level]
            assert all(one != other for one, other in pairwise(sown))


@pytest.mark.parametrize("seed", range(5))
def test_the_mover_always_has_a_seed_on_her_side(seed: int) -> None:
    for ply in walk(GAME, seed):
        own = ply.position.board[6 * ply.position.side :][:6]
        assert any(own) or not ply.turns


def test_the_first_pit_emptied_names_the_turn() -> None:
    for ply in walks(GAME, range(5)):
        assert all(turn.lifts[:1] == (turn.text,) for turn in ply.turns if turn.steps)


def test_by_exact_count_the_final_picture_names_the_turn() -> None:
    for ply in walks(GAME, range(5)):
        assert len({turn.after.board for turn in ply.turns}) == len(ply.turns)


@pytest.mark.parametrize("seed", range(3))
def test_no_seed_is_lost(seed: int) -> None:
    for ply in walk(GAME, seed):
        assert sum(ply.position.board) + sum(stores(ply.position)) == 60
