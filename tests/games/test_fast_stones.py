"""Zong-Heng and Yin-Yang on integers against the readable rules: the same turns, results and outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from games.conformance import disagreement
from games.core import Luck
from games.fast import Fast, load_fast
from games.rules import Game, Position, load, perft
from games.yin_yang.fast import ALL, SQUARES, FastYinYang, Lot
from games.yin_yang.rules import YinYang
from games.zong_heng.fast import REMEMBERED, FastZongHeng, Lines
from tests.games.walks import walk

GAMES = [
    *(load("zong-heng", size=size, setup=setup) for size, setup in ((6, "rows"), (8, "rows"), (8, "stripes"))),
    *(load("zong-heng", size=size, setup=setup) for size, setup in ((8, "blocks"), (10, "diagonals"), (12, "rows"))),
    load("yin-yang"),
]
EACH = pytest.mark.parametrize("game", GAMES, ids=lambda game: "-".join(map(str, (game.name, *game.chosen.values()))))
SMALL = load("zong-heng", size=6)
PASSES = "xoooxo/xoxoxo/.xxoxo/xoxxxo/xoxooo/xoxxox o"
DRAWN = "xoxoxo/xoxoxo/xoxoxo/xoxoxo/xoxoxo/xoxoxo x"


def agrees(game: Game[Any], fast: Fast, position: Position) -> None:
    """Both forms of the rules say the same of `position`."""
    assert disagreement(game, fast, position) == ""


def played(fast: Fast, game: Game[Any], seed: int) -> list[int]:
    """The states of a random game, by the fast form itself: the readable one takes its time on large boards."""
    random, states = Random(seed), [fast.state(game.start())]
    while moves := fast.moves(states[-1]):
        states.append(fast.after(states[-1], random.choice(moves)))
    return states


@EACH
def test_random_games_agree(game: Game[Any]) -> None:
    fast = load_fast(game)
    for seed in range(2):
        states = played(fast, game, seed)
        for state in states[seed : -2 : len(states) // 6 + 1] + states[-2:]:
            agrees(game, fast, fast.position(state))


def test_a_whole_game_agrees() -> None:
    for game in (SMALL, GAMES[-1]):
        for ply in walk(game, 3):
            agrees(game, load_fast(game), ply.position)


def crowded(game: Game[Any], random: Random) -> Position:
    """A position with stones as they come; in Zong-Heng with one on each dark square, as there must be."""
    crowd = random.choice(["..xo", ".xo", "xo", "xxo", "xo."])
    dark = crowd if isinstance(game, YinYang) else "xo"
    marks = "".join(random.choice(dark if site in game.shaded else crowd) for site in game.sites)
    size = int(len(marks) ** 0.5)
    ranks = "/".join(marks[start : start + size] for start in range(len(marks) - size, -1, -size))
    return game.position(f"{ranks} {random.choice('12' if isinstance(game, YinYang) else 'xo')}")


@EACH
def test_random_boards_agree(game: Game[Any]) -> None:
    fast, random = load_fast(game), Random(1)
    for _ in range(7):
        agrees(game, fast, crowded(game, random))


def test_a_forced_pass_is_a_move() -> None:
    agrees(SMALL, load_fast(SMALL), SMALL.position(PASSES))
    assert [turn.text for turn in SMALL.turns(SMALL.position(PASSES))] == ["pass"]


def test_a_full_board_can_be_drawn() -> None:
    agrees(SMALL, load_fast(SMALL), SMALL.position(DRAWN))
    assert load_fast(SMALL).result(load_fast(SMALL).state(SMALL.position(DRAWN))) == 0.5


def test_tables_that_are_full_begin_anew() -> None:
    """The contents of the lines of a large board are more than are remembered, and a game goes on meanwhile."""
    fast, random = FastZongHeng(load("zong-heng", size=12)), Random(3)
    line, dark = fast._lines[0][4], 0b010101010101
    start = fast.state(load("zong-heng", size=12).start())
    seen = set()
    while len(seen) <= REMEMBERED:
        black = random.getrandbits(12)
        white = (random.getrandbits(12) | dark) & ~black
        seen.add(key := black | white << 12)
        assert line[key] is line[key]
    assert len(line) <= REMEMBERED
    first = fast._contents.of(key)
    while len(seen) <= 8 * REMEMBERED:
        black = random.getrandbits(12)
        seen.add(other := black | ((random.getrandbits(12) | dark) & ~black) << 12)
        fast._contents.of(other)
    assert fast._contents.of(key) is not first
    results = [FastZongHeng(load("zong-heng", size=12)).playout(start, Random(9)), fast.playout(start, Random(9))]
    assert results[0] == results[1]


# Perft ----------------------------------------------------------------------------------------


def count(fast: Fast, state: int, depth: int) -> int:
    moves = fast.moves(state)
    return len(moves) if depth == 1 else sum(count(fast, fast.after(state, move), depth - 1) for move in moves)


@pytest.mark.parametrize(("name", "setup", "sequences"), [
    ("zong-heng", "rows", (56, 3_108, 171_192)),
    ("zong-heng", "stripes", (56, 3_085, 169_801)),
    ("yin-yang", None, (8, 40, 328, 2_624, 22_160)),
])  # fmt: skip
def test_perft(name: str, setup: str | None, sequences: tuple[int, ...]) -> None:
    game = load(name, setup=setup) if setup else load(name)
    fast = load_fast(game)
    start = fast.state(game.start())
    assert tuple(count(fast, start, depth) for depth in range(1, len(sequences) + 1)) == sequences


@pytest.mark.parametrize("game", [SMALL, GAMES[4]], ids=["6", "10"])
def test_perft_of_other_sizes(game: Game[Any]) -> None:
    fast = load_fast(game)
    assert [count(fast, fast.state(game.start()), depth) for depth in (1, 2)] == [
        counted.sequences for counted in perft(game, 2)
    ]


# Random games ---------------------------------------------------------------------------------


def expected(fast: Fast, state: int, known: dict[int, float]) -> float:
    """The mean result of random games from here, worked out: every turn as likely as every other."""
    if state not in known:
        moves = fast.moves(state)
        means = [expected(fast, fast.after(state, move), known) for move in moves]
        known[state] = sum(means) / len(means) if moves else fast.result(state)
    return known[state]


def undecided(game: Game[Any], fast: Any) -> tuple[int, float]:
    """A state of a random game near its end by which neither side is sure to win, and what to expect of it."""
    for seed in range(100):
        state = played(fast, game, seed)[-3]
        if fast.left(state) < 10 and 0.2 < (mean := expected(fast, state, {})) < 0.8:
            return state, mean
    raise AssertionError("no such state")


@pytest.mark.parametrize("game", [SMALL, GAMES[1], GAMES[-1]], ids=lambda game: f"{game.name}-{len(game.sites)}")
def test_random_games_choose_every_turn_alike(game: Game[Any]) -> None:
    fast, random = load_fast(game), Random(7)
    state, expected = undecided(game, fast)
    games = 2000
    mean = sum(fast.playout(state, random) for _ in range(games)) / games
    assert mean == pytest.approx(expected, abs=4 * 0.5 / games**0.5)


@pytest.mark.parametrize("left", [2, 7, 20])
@pytest.mark.parametrize("game", [GAMES[1], GAMES[4]], ids=["8", "10"])
def test_a_random_push_is_any_with_the_same_chance(game: Game[Any], left: int) -> None:
    """By chi-square: however few squares are empty, no push comes up more often than another."""
    fast: Any = load_fast(game)
    random = Random(6)
    state = next(state for state in played(fast, game, 4) if fast.left(state) == left and len(fast.moves(state)) > 1)
    results = Counter(standing(fast, fast.after(state, move)) for move in fast.moves(state))
    share = 60.0
    found: Counter[tuple[int, ...]] = Counter()
    board, luck = Lines(fast._contents), Luck(random.getrandbits(31))
    for _ in range(int(share) * results.total()):
        board.stand([fast._contents.of(key) for key in standing(fast, state)])
        board.push(fast.side(state), luck.among(board.pushes(fast.side(state))))
        found[tuple(int(content.key) for content in board.lines)] += 1
    assert found.keys() <= results.keys()
    assert_alike(found, {key: share * count for key, count in results.items()})


def standing(fast: Any, state: int) -> tuple[int, ...]:
    """What stands on each line."""
    width = 2 * fast._size
    return tuple(state >> width * line & fast._key for line in range(width))


@pytest.mark.parametrize("left", [2, 12, 27])
def test_a_random_stone_moves_with_the_same_chance_as_any_other(left: int) -> None:
    """In Yin-Yang, by chi-square, over the seeds that random games begin with."""
    fast, random = FastYinYang(YinYang()), Random(5)
    games = (played(fast, GAMES[-1], seed) for seed in range(100))
    state = next(state for game in games for state in game if fast.left(state) == left and len(fast.moves(state)) > 2)
    dark, light = (state >> SQUARES * side & ALL for side in (0, 1))
    found: Counter[tuple[int, int]] = Counter()
    share = 300.0
    for _ in range(int(share) * len(fast.moves(state))):
        lot = Lot(random.getrandbits(31))
        assert lot.draw(dark, light)
        found[int(lot.stone), int(lot.target)] += 1
    assert len(found) == len(fast.moves(state))
    assert_alike(found, dict.fromkeys(found, share))


def assert_alike(found: Mapping[Any, int], expected: Mapping[Any, float]) -> None:
    """By chi-square, within four standard deviations."""
    off = sum((found[key] - count) ** 2 / count for key, count in expected.items())
    assert off < len(expected) + 4 * (2 * len(expected)) ** 0.5


@EACH
def test_a_random_game_is_the_same_for_the_same_chances(game: Game[Any]) -> None:
    fast = load_fast(game)
    state = fast.state(game.start())
    results = [[fast.playout(state, random) for _ in range(8)] for random in (Random(4), Random(4))]
    assert results[0] == results[1]
    assert set(results[0]) <= {0.0, 0.5, 1.0}


def test_a_finished_game_is_played_out_at_once() -> None:
    fast = load_fast(SMALL)
    assert fast.playout(fast.state(SMALL.position(DRAWN)), Random(0)) == 0.5


@EACH
def test_turns_left_fall_to_zero_one_by_one(game: Game[Any]) -> None:
    """A search relies on it to know when the end is near."""
    fast: Any = load_fast(game)
    states = played(fast, game, 5)
    turns = [(state, after) for state, after in pairwise(states) if (state ^ after).bit_count() > 1]  # no pass
    assert {fast.left(state) - fast.left(after) for state, after in turns} == {1}
    assert 0 <= fast.left(states[-1]) < fast.left(states[0]) == game.start().cells.count(0)
