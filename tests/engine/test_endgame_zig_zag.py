"""The table of Zig Zag's endings, against the readable rules and in the search."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from firmware_bridge.engine.alphabeta import AlphaBeta
from games.rules import Position, load, play
from games.zig_zag.endgame import Endgame, build, layouts, number, reached
from games.zig_zag.fast import ROW, FastZigZag
from games.zig_zag.rules import Board

ZIG_ZAG = load("zig-zag")
ENDINGS = build(4)


def ending(near: int, far: int, captor: int, side: int = 0) -> int:
    """A state with these rows, the mover's first, and all the other seeds in the mover's store."""
    cells = [bytes(row >> 6 * column & 63 for column in range(6)) for row in (near, far)]
    left = sum(map(sum, cells))
    stores = (0, 60 - left) if side else (60 - left, 0)
    return FastZigZag().state(Board(cells[side] + cells[1 - side], side, stores, None, captor))


def endings(seeds: int) -> list[tuple[int, int]]:
    """Every way that so many seeds can lie: the mover's row and the other's."""
    return [(pits & ROW, pits >> 36) for pits in layouts(seeds)]


def test_endings_are_numbered_in_order() -> None:
    assert [number(*rows) for seeds in range(5) for rows in endings(seeds)] == list(range(1820))


LONG = 10
"""Turns without a capture after which the side that captured last is left with everything."""


@cache
def forced(position: Position, depth: int = LONG) -> int:
    """The mover's margin by the readable rules, if what is left is given away after `LONG` turns without a capture."""
    turns = ZIG_ZAG.turns(position) if depth else ()
    if turns:
        quiet = [turn.after.stores == position.stores for turn in turns]
        return max(-forced(turn.after, depth - 1 if same else LONG) for turn, same in zip(turns, quiet, strict=True))
    south, north = position.stores
    left = sum(position.cells)
    margin = south - north + (left if position.last == 0 else -left)
    return -margin if position.side else margin


@pytest.mark.parametrize("seeds", [1, 2, 3])
def test_the_shares_are_what_can_be_forced(seeds: int) -> None:
    for order, (near, far) in enumerate(endings(seeds)):
        side, captor = order % 2, order // 2 % 2
        state = ending(near, far, captor, side)
        share = ENDINGS.share(state)
        assert share is not None
        assert 60 - seeds + 2 * share - seeds == forced(FastZigZag().position(state))


def test_the_shares_of_four_seeds_are_what_can_be_forced() -> None:
    random = Random(1)
    for near, far in random.sample(endings(4), 60):
        state = ending(near, far, random.randrange(2), random.randrange(2))
        share = ENDINGS.share(state)
        assert share is not None
        assert 52 + 2 * share == forced(FastZigZag().position(state))


def test_whoever_captured_last_gets_no_less() -> None:
    assert all(both >> 4 >= both & 15 for both in ENDINGS.shares)


def test_share_is_none_outside_the_table() -> None:
    game = FastZigZag()
    assert ENDINGS.share(game.state(ZIG_ZAG.start())) is None
    assert ENDINGS.share(game.state(ZIG_ZAG.position("0,0,0,1,0,1/1,0,0,0,0,0 57,0 N N4 S"))) is None
    assert ENDINGS.share(game.state(ZIG_ZAG.position("0,0,0,1,0,1/1,0,0,0,0,0 57,0 N - -"))) is None


CLOSE = "0,0,1,0,0,2/1,0,0,1,0,0 28,27 S - N"
"""Five seeds, and the last captures decide: North can take the lead, which a short search does not see."""


def share_of(table: Endgame, position: Position) -> int:
    share = table.share(FastZigZag().state(position))
    assert share is not None
    return share


def test_endings_prove_what_a_short_search_does_not_see() -> None:
    position, larger = ZIG_ZAG.position(CLOSE), build(5)
    assert 28 - 27 + 2 * share_of(larger, position) - 5 < 0
    (*_, without) = AlphaBeta(FastZigZag()).find(position, nodes=1000)
    (*_, found) = AlphaBeta(FastZigZag(), endings=larger).find(position, nodes=1000)
    assert (without.proved, found.value, found.proved) == (False, 0.0, True)


def test_the_search_plays_every_ending_out_as_the_table_says() -> None:
    """Both sides search; the margin at the end is what the table said at the start, so nobody dawdled or erred."""
    search = AlphaBeta(FastZigZag(), endings=ENDINGS)
    for pits in Random(2).sample([pits for pits in layouts(4) if pits & ROW], 12):
        position: Position = FastZigZag().position(ending(pits & ROW, pits >> 36, 1))
        margin, history = 52 + 2 * share_of(ENDINGS, position), [position]
        while ZIG_ZAG.turns(position) and history.count(position) < 3:
            (*_, found) = search.find(position, nodes=400, history=history)
            position = play(ZIG_ZAG, position, found.turn)
            history.append(position)
        assert forced(position, 0) == (-margin if position.side else margin)


def test_building_tells_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    build(3, lambda done, whole: told.append((done, whole)))
    assert told == [(13, 455), (91, 455), (455, 455)]
    assert [reached(done, 3) for done, _ in told] == [1, 2, 3]
