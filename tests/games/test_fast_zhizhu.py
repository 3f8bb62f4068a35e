"""ZhiZhu on integers against the readable rules: the same turns, results and outcomes. Boards as in `test_zhizhu`."""

from __future__ import annotations

from math import sqrt
from random import Random

import pytest

from games.conformance import disagreement
from games.core import Luck, Perft, Turns
from games.fast import WON, load_fast
from games.rules import Position, load, perft
from games.zhizhu.fast import FastZhiZhu
from tests.games.boards import board
from tests.games.walks import walks

GAME = load("zhizhu")
FAST = FastZhiZhu(GAME)
CORE, TURNS = FAST.core(), Turns()


def at(drawing: str, rest: str = "x 0,0 -,-") -> Position:
    return GAME.position(f"{board(drawing)} {rest}")


def agrees(position: Position) -> None:
    """All forms of the rules say the same of `position`."""
    assert disagreement(GAME, FAST, position) == ""
    state = FAST.state(position)
    a, b = CORE.words(state)
    assert 0 <= a < 2**63
    assert b == 0
    assert CORE.state(a, b) == state
    CORE.fill(a, b, TURNS)
    assert TURNS.many == CORE.count(a, b) == len(GAME.turns(position))
    listed = [(slot.a, slot.gain) for slot in TURNS.slots[: TURNS.many]]
    assert all(FAST.text(state, state ^ after).count("x") == gain for after, gain in listed)
    CORE.captures(a, b, TURNS)
    captures = [(slot.a, slot.gain) for slot in TURNS.slots[: TURNS.many]]
    assert [turn for turn in captures if turn[1]] == [turn for turn in listed if turn[1]]
    outcome = GAME.outcome(position)
    if outcome:
        assert FAST.weigh(FAST.state(position)) == (WON if outcome.winner == position.side else -WON)


def test_random_games_agree() -> None:
    for ply in walks(GAME, range(4)):
        agrees(ply.position)


def test_random_boards_agree() -> None:
    """Crowded and empty ones, many chains among them; who has stones in hand has slid none."""
    random = Random(2)
    for _ in range(250):
        cells = random.sample(["x"] * random.randint(0, 9) + ["o"] * random.randint(0, 9) + ["."] * 24, 24)
        hands = [random.randint(0, 9 - cells.count(mark)) * random.randint(0, 1) for mark in "xo"]
        circles = "/".join("".join(cells[start : start + 8]) for start in (0, 8, 16))
        slid = random.choice(["- -", "a2-a1 -", "- b3-c3", "a1-b1 c8-c1", "c3-c4 a5-a4"]).split()
        returns = ",".join("-" if hand else each for hand, each in zip(hands, slid, strict=True))
        agrees(GAME.position(f"{circles} {random.choice('xo')} {hands[0]},{hands[1]} {returns}"))


LINE = """
    . x . . . . . .
    x . o . o . . .
    x . . o . . . .
"""
FIVE = """
    x x . x x . . .
    . . o . . . . .
    . . x o . o . .
"""
BOTH = """
    x x . x x . . .
    . . x o o o . .
    . . x o . o . .
"""
ALL_CHAINED = """
    . x o . . . . .
    x . o . . . . .
    x . o . . . . .
"""
SIX = """
    x x x x x . x .
    . . o . . x . .
    . . o o . o o .
"""
BACK = """
    . x . . . . . .
    x . . . . x . .
    x . . . o o o .
"""
SHUT_IN = """
    o o o x . . . x
    x x x . . . . .
    . . . . . . . .
"""
WHOLE = """
    . x x x x x x x
    . . o . o . o .
    x . o . o . o .
"""
BOARDS = {
    "a line": (LINE, "x 0,0 -,-"),
    "a line by placing": (LINE, "x 3,2 -,-"),
    "a line, nothing to remove": ("........\nx.......\nx.......", "x 3,9 -,-"),
    "five on a circle": (FIVE, "x 2,3 -,-"),
    "five on a circle by a slide": (FIVE, "x 0,0 -,-"),
    "line and circle": (BOTH, "x 2,2 -,-"),
    "line and circle, fewer stand than are owed": (BOTH.replace("o", ".", 4), "x 2,4 -,-"),
    "all the other's stones in chains": (ALL_CHAINED, "x 0,0 -,-"),
    "removals that break a chain": (SIX.replace("x", "X").replace("o", "x").replace("X", "o"), "x 1,0 -,-"),
    "within six": (SIX, "x 0,0 -,-"),
    "a whole circle": (WHOLE, "x 1,0 -,-"),
    "the return": (BACK, "x 0,0 a2-a1,-"),
    "a return that makes no chain": (BACK, "x 0,0 b6-b7,-"),
    "the other's return": (BACK, "o 0,0 a2-a1,-"),
    "shut in": (SHUT_IN, "o 0,0 -,-"),
    "shut in, with a stone in hand": (SHUT_IN, "o 0,1 -,-"),
    "two stones left": ("xx......\n........\noooo....", "o 0,0 -,-"),
    "two stones left, one more in hand": ("xx......\n........\noooo....", "o 1,0 -,-"),
}


@pytest.mark.parametrize("drawn", BOARDS.values(), ids=BOARDS.keys())
def test_drawn_positions_agree(drawn: tuple[str, str]) -> None:
    agrees(at(*drawn))


def test_sequences_of_turns_are_as_many() -> None:
    layer = [FAST.state(GAME.start())]
    for sequences, distinct in ((24, 24), (552, 552), (12_144, 6_072)):
        layer = [FAST.after(state, move) for state in layer for move in FAST.moves(state)]
        assert (len(layer), len(set(layer))) == (sequences, distinct)


@pytest.mark.parametrize("name", ["a line", "line and circle", "within six"])
def test_sequences_of_sliding_turns_are_as_many(name: str) -> None:
    position = at(*BOARDS[name])
    layer = [FAST.state(position)]
    for count in perft(GAME, 2, position):
        layer = [FAST.after(state, move) for state in layer for move in FAST.moves(state)]
        assert (count.sequences, count.distinct) == (len(layer), len(set(layer)))


def test_perft_counts_as_the_rules_do() -> None:
    assert [Perft(CORE).count(FAST.state(GAME.start()), depth) for depth in (1, 2, 3)] == [24, 552, 12_144]
    for drawn in BOARDS.values():
        position = at(*drawn)
        counted = [count.sequences for count in perft(GAME, 2, position)]
        assert [Perft(CORE).count(FAST.state(position), depth) for depth in (1, 2)][: len(counted)] == counted


def test_random_games_are_like_those_by_the_rules() -> None:
    """Each turn as likely as each other: as long, and as often won by the first, as far as chance allows."""
    random, luck = Random(5), Luck(5)
    readable = [play_out(random) for _ in range(120)]
    quick = [CORE.play(FAST.state(GAME.start()), luck) for _ in range(3000)]
    first, share = sum(readable) / len(readable), sum(map(FAST.result, quick)) / len(quick)
    assert abs(first - share) < 4 * sqrt(0.25 / len(readable) + 0.25 / len(quick))


def play_out(random: Random) -> float:
    """The result of a random game by the readable rules."""
    position = GAME.start()
    while turns := GAME.turns(position):
        position = random.choice(turns).after
    outcome = GAME.outcome(position)
    assert outcome
    return 1.0 if outcome.winner == 0 else 0.0


def test_random_games_end_with_a_result() -> None:
    random = Random(3)
    results = [FAST.playout(FAST.state(GAME.start()), random) for _ in range(30)]
    assert set(results) == {0.0, 1.0}


def test_the_weight_is_the_same_from_both_sides() -> None:
    for ply in walks(GAME, range(2)):
        circles, side, hands, returns = str(ply.position).translate(str.maketrans("xo", "ox")).split()
        hands, returns = (",".join(reversed(part.split(","))) for part in (hands, returns))
        mirrored = GAME.position(f"{circles} {side} {hands} {returns}")
        assert FAST.weigh(FAST.state(mirrored)) == FAST.weigh(FAST.state(ply.position))


def test_the_option_changes_only_who_starts() -> None:
    game = load("zhizhu", first="o")
    fast = load_fast(game)
    assert isinstance(fast, FastZhiZhu)
    assert {fast.text(fast.state(game.start()), move) for move in fast.moves(fast.state(game.start()))} == {
        turn.text for turn in game.turns(game.start())
    }
