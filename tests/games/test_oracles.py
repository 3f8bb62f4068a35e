"""The engines against second implementations of the same rules, on positions of random games and on random boards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from random import Random
from types import ModuleType
from typing import Any

import pytest

from games.rules import Game, load
from tests.games import oracle_zig_zag, oracle_zong_heng
from tests.games.walks import walk, walks

ZIG_ZAG = load("zig-zag")
PITS = ZIG_ZAG.sites


def check(game: Game[Any], oracle: ModuleType, sides: str, text: str) -> None:
    """Both agree on the legal turns of this position, where they lead, and how it ended."""
    position = game.position(text)
    expected = oracle.results(text)
    assert {turn.text: str(turn.after) for turn in game.turns(position)} == expected
    outcome = game.outcome(position)
    assert (outcome is None) == bool(expected)
    if outcome:
        won = "draw" if outcome.winner is None else sides[outcome.winner]
        assert won == oracle.winner(text)


# Zong-Heng ------------------------------------------------------------------------------------

ZONG_HENG = [
    *((6, "rows"), (6, "diagonals"), (8, "rows"), (8, "stripes"), (8, "diagonals"), (8, "blocks")),
    *((10, "diagonals"), (12, "stripes")),
]


def random_squares(random: Random, size: int) -> str:
    """A position with stones of any colour on the dark squares and on some light ones."""
    crowd = random.choice(["..xo", ".xo", "xo", "xo"])
    rows = (
        "".join(random.choice("xo" if (file + rank) % 2 == 0 else crowd) for file in range(size))
        for rank in reversed(range(size))
    )
    return f"{'/'.join(rows)} {random.choice('xo')}"


@pytest.mark.parametrize(("size", "setup"), ZONG_HENG)
def test_zong_heng_in_random_games(size: int, setup: str) -> None:
    game = load("zong-heng", size=size, setup=setup)
    plies = list(walk(game, size))
    for ply in plies[:: len(plies) // 14] + plies[-2:]:
        check(game, oracle_zong_heng, "xo", str(ply.position))


@pytest.mark.parametrize("size", [6, 8, 10, 12])
def test_zong_heng_on_random_boards(size: int) -> None:
    game, random = load("zong-heng", size=size), Random(size)
    for _ in range(40):
        check(game, oracle_zong_heng, "xo", random_squares(random, size))


# Zig Zag --------------------------------------------------------------------------------------


def position_text(pits: list[str], side: str, back: str = "-", last: str = "-", south: int = 0) -> str:
    """One seed for each pit named; South has captured `south`, North all the others."""
    rows = (",".join(str(pits.count(f"{row}{column}")) for column in range(1, 7)) for row in "NS")
    return f"{'/'.join(rows)} {south},{60 - len(pits) - south} {side} {back} {last}"


def came_across(pits: list[str], side: str) -> Iterator[str]:
    """The pits whose single seed may just have been sown across the middle to the mover's side, and ``-``."""
    yield "-"
    for target, origin, other in (("N4", "S3", "S4"), ("N3", "S4", "S3"), ("S4", "N3", "N4"), ("S3", "N4", "N3")):
        if target[0] == side and pits.count(target) == 1 and origin not in pits and other not in pits:
            yield target


def few_seeds(count: int) -> Iterator[str]:
    """Every position of so many seeds whose mover has a seed on her side."""
    for choice in combinations_with_replacement(PITS, count):
        for side in "SN":
            pits = list(choice)
            if any(pit[0] == side for pit in pits):
                yield from (position_text(pits, side, back) for back in came_across(pits, side))


def random_seeds(random: Random) -> str:
    pits = random.choices(PITS, weights=[random.random() ** 2 for _ in PITS], k=random.randint(1, 60))
    side = random.choice(pits)[0]
    back = random.choice(list(came_across(pits, side)))
    return position_text(pits, side, back, random.choice("SN-"), random.randint(0, 60 - len(pits)))


def test_zig_zag_in_random_games() -> None:
    plies = list(walks(ZIG_ZAG, range(8)))
    finals = [ply for ply in plies if not ply.turns]
    for ply in plies[::3] + finals:
        check(ZIG_ZAG, oracle_zig_zag, "SN", str(ply.position))


def test_zig_zag_on_random_boards() -> None:
    random = Random(60)
    for _ in range(400):
        check(ZIG_ZAG, oracle_zig_zag, "SN", random_seeds(random))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_zig_zag_ends_exactly_when_brute_force_finds_no_capture(count: int) -> None:
    for text in few_seeds(count):
        check(ZIG_ZAG, oracle_zig_zag, "SN", text)


@pytest.mark.parametrize("count", [4, pytest.param(5, marks=pytest.mark.slow), pytest.param(6, marks=pytest.mark.long)])
def test_with_four_seeds_or_more_brute_force_always_finds_a_capture(count: int) -> None:
    for text in few_seeds(count):
        assert not oracle_zig_zag.over(oracle_zig_zag.read(text)), text


def test_a_seed_crosses_the_middle_between_s3_and_n4_and_between_s4_and_n3_only() -> None:
    states = {pit: oracle_zig_zag.read(position_text([pit], pit[0])) for pit in PITS}
    backs = {pit: oracle_zig_zag.sown(state, pit).back for pit, state in states.items()}
    assert {pit: back for pit, back in backs.items() if back != "-"} == {
        **{"S3": "N4", "N4": "S3"},
        **{"S4": "N3", "N3": "S4"},
    }
