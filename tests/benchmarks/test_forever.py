"""What can be forced where play may go round: by every position, as the table of endings and the rules have it."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.forever import Forever, TooManyError
from firmware_bridge.engine.endgame import stored
from games.fast import load_fast
from games.rules import load
from games.zig_zag.rules import PITS, Board

GAME = load("zig-zag")
FAST = load_fast(GAME)
SEEDS = 60


def ending(random: Random) -> Board:
    """Three or four seeds somewhere, most of the others shared out, so that these can decide the game."""
    seeds = random.choice((3, 4))
    at = [random.choice(PITS) for _ in range(seeds)]
    south = (SEEDS - seeds) // 2 + random.randint(-2, 1)
    stores = (south, SEEDS - seeds - south)
    return Board(bytes(map(at.count, PITS)), random.randint(0, 1), stores, None, random.randint(0, 1))


def forced(position: Board, side: int) -> bool:
    return Forever(GAME, FAST, FAST.state(position), 100_000).forces(side)


def test_forced_wins_agree_with_the_table_of_endings() -> None:
    table, random, seen = stored(GAME), Random(3), set()
    assert table
    for _ in range(60):
        position = ending(random)
        weight = table.weight(FAST.state(position))
        assert weight is not None
        won = tuple(forced(position, side) for side in (position.side, 1 - position.side))
        assert won == (weight > 0, weight < 0)
        seen.add(won)
    assert seen == {(True, False), (False, True), (False, False)}


def test_play_that_goes_round_is_won_by_whom_the_house_rule_gives_it_to() -> None:
    """One seed each way round for ever: nobody need let the other take it."""
    for last in (0, 1):
        position = GAME.position(f"0,0,0,0,0,1/1,0,0,0,0,0 29,29 S - {'SN'[last]}")
        assert forced(position, last)
        assert not forced(position, 1 - last)


def test_too_many_positions_raise() -> None:
    with pytest.raises(TooManyError):
        Forever(GAME, FAST, FAST.state(GAME.start()), 50)
