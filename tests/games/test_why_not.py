"""Why no turn begins with a piece: told of each from which none does, by the rule that keeps it, and of no other."""

from __future__ import annotations

import pytest

from games.conformance import badly_said
from games.rules import begins, load
from tests.games.cases import CASES, Case, loaded, sample


def why(name: str, text: str, site: str, **options: int | str) -> str:
    """The sentence that tells why no turn begins there; empty where one does."""
    game = load(name, **options)
    return str(game.why_not(game.position(text), site) or "")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_piece_with_which_no_turn_begins_has_a_reason(case: Case) -> None:
    game = loaded(case)
    for position, turns, _ in sample(case)[::3]:
        for site, level in zip(game.sites, position.board, strict=True) if turns else ():
            reason = game.why_not(position, site)
            begun = any(begins(turn, site) for turn in turns)
            assert (reason is None) == (begun or not level), (site, str(position))
            assert reason is None or badly_said(reason) == ""


@pytest.mark.parametrize(
    ("name", "text", "site", "told"),
    [
        ("zig-zag", "5,5,5,5,5,5/5,5,5,5,5,5 0,0 S - -", "N3", "N3 is North's pit; it is South's turn"),
        ("zig-zag", "6,3,0,0,3,2/3,4,0,1,12,0 12,14 S S4 S", "S4", "S4 holds the seed just sown across the middle"),
        ("zig-zag", "5,5,5,5,5,5/5,5,5,5,5,5 0,0 S - -", "S3", ""),
        ("yin-yang", "....../....../..xo../..ox../....../....x. 1", "e1", "no stone of its colour stands around it"),
        ("yin-yang", "xx..../xx..../xx..../xx..../xx..../xx.... 1", "a3", "moves exactly 5, one square for each stone"),
        ("yin-yang", "....../....../..xo../..ox../....../...... 1", "c3", ""),
        ("zhizhu", "xo....../......../........ x 8,8 -,-", "a1", "still has stones in hand (8)"),
        ("zhizhu", "xo....../......../........ x 8,8 -,-", "a2", "The stone on a2 is White's, and it is Black's turn."),
        ("zhizhu", "xo.....o/o......./xxx..... x 0,0 -,-", "a1", "cannot slide: every point beside it is taken."),
        ("zhizhu", "xo.....o/......../xxx..... x 0,0 -,-", "a1", ""),
    ],
)
def test_the_reason_is_the_rule(name: str, text: str, site: str, told: str) -> None:
    found = why(name, text, site)
    assert told in found if told else not found


@pytest.mark.parametrize(
    ("site", "told"),
    [
        ("a1", ""),
        ("b2", "A single stone must be your own: Black cannot push this one."),
        ("c4", "A push starts from a dark square, and c4 is light."),
        ("d4", "No row from d4 can be pushed: for d4-a4, Black has 1 of the 3 stones and needs 2."),
        ("f6", "No row from f6 can be pushed: none ends at an empty square."),
    ],
)
def test_of_the_rows_from_a_square_the_best_is_told(site: str, told: str) -> None:
    ranks = """
        o o o o o o
        x . x . x o
        . o x o x o
        o . o . o x
        . o . o . o
        x . x . x o"""
    assert why("zong-heng", f"{'/'.join(ranks.replace(' ', '').split())} x", site, size=6) == told
