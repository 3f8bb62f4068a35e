"""Zig Zag on words against the readable rules: the same turns, captures, results and chances, turn by turn."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from random import Random

import pytest

from games.core import Luck, Perft, Turns
from games.fast import WON
from games.rules import Position, load, perft
from games.zig_zag.endgame import layouts
from games.zig_zag.fast import AGAIN, PASS, ROW, SEED, FastZigZag, drawn, over
from games.zig_zag.rules import SITES, Board
from tests.games.boards import pits
from tests.games.walks import walks

GAME = load("zig-zag")
FAST = FastZigZag(GAME)
CORE = FAST.core()
TURNS = Turns()


def at(drawing: str, rest: str, south: int = 0) -> Board:
    position = GAME.position(pits(drawing, rest, south))
    assert isinstance(position, Board)
    return position


def words(position: Position) -> tuple[int, int]:
    return CORE.words(FAST.state(position))


def text(a: int, b: int) -> str:
    return str(FAST.position(CORE.state(a, b)))


def agrees(position: Board) -> None:
    """The core says of `position` what the readable rules say: turns, captures, the end, and what it is worth."""
    a, b = words(position)
    assert 0 <= a < 2**63
    assert 0 <= b < 2**63
    assert text(a, b) == str(position)
    turns = GAME.turns(position)
    told = [("pass" if turn.text == "pass" else SITES.index(turn.text), turn) for turn in turns]
    expected = [
        (PASS if kind == "pass" else kind, str(turn.after), sum(turn.after.stores) - sum(position.stores))
        for kind, turn in told
    ]
    CORE.fill(a, b, TURNS)
    assert listed() == expected
    assert CORE.count(a, b) == len(turns)
    CORE.captures(a, b, TURNS)
    assert listed() == [turn for turn in expected if turn[2]]
    assert over(a, b) == (not turns)
    assert CORE.left(a, b) == sum(position.cells)
    weighs(position)


def listed() -> list[tuple[int, str, int]]:
    """Kind, position after and gain of the turns that were filled in last."""
    return [(slot.kind, text(slot.a, slot.b), slot.gain) for slot in TURNS.slots[: TURNS.many]]


def weighs(position: Board) -> None:
    """`weigh` and `repeated`, worked out anew from the outcome that the readable rules tell."""
    (a, b), outcome = words(position), GAME.outcome(position)
    sign = -1 if position.side else 1
    south, north = position.stores
    rest = {None: 0, 0: sum(position.cells), 1: -sum(position.cells)}[position.last]
    ended = south - north + rest
    if outcome:
        winner = {None: 0, 0: 1, 1: -1}[outcome.winner]
        assert CORE.weigh(a, b) == sign * (SEED * ended + winner * WON)
    else:
        decided = (south > 30) - (north > 30)
        assert CORE.weigh(a, b) == sign * (SEED * (south - north) + decided * WON)
    winner = {None: 0, 0: 1, 1: -1}[GAME.repeated(position).winner]
    assert CORE.repeated(a, b) == sign * (SEED * ended + winner * AGAIN)


def test_random_games_agree() -> None:
    seen: dict[tuple[int, int], str] = {}
    for ply in walks(GAME, range(12)):
        assert isinstance(ply.position, Board)
        agrees(ply.position)
        assert seen.setdefault(words(ply.position), str(ply.position)) == str(ply.position)
    assert len(set(seen.values())) == len(seen) > 700


def few(seeds: int) -> list[Board]:
    """Every position of so few seeds: with every pit that can be forbidden, either side to move."""
    found = []
    for number, layout in enumerate(layouts(seeds)):
        side, last = number % 2, (None, 0, 1)[number % 3]
        cells = bytes(layout >> 6 * pit & 63 for pit in range(12))
        banned = [6 * side + column for column in (2, 3) if cells[6 * side + column] == 1]
        store = number % (61 - seeds)
        found += [Board(cells, side, (store, 60 - seeds - store), back, last) for back in [None, *banned]]
    return found


@pytest.mark.parametrize("seeds", [0, 1, 2, 3])
def test_every_position_of_few_seeds_agrees(seeds: int) -> None:
    """Where the game may be over."""
    for position in few(seeds):
        agrees(position)


BOARDS = {
    "the start": at("5 5 5 5 5 5\n5 5 5 5 5 5", "S - -"),
    "full pits": at("1 0 0 0 0 2\n39 0 0 1 0 17", "S - N"),
    "a ban that leaves a pass": at("0 0 0 1 0 0\n2 0 0 0 0 3", "N N4 S"),
    "a ban that is lifted by a capture": at("0 0 2 1 0 4\n0 4 0 0 0 3", "N N4 -"),
    "an empty row": at("0 0 0 0 0 0\n2 0 0 1 0 3", "N - S"),
    "South ahead": at("0 0 3 1 0 2\n4 0 2 0 6 1", "S - S", 22),
    "the end in sight": at("0 0 1 1 0 0\n0 0 1 1 0 0", "S - N", 20),
}


@pytest.mark.parametrize("position", BOARDS.values(), ids=BOARDS.keys())
def test_every_line_of_four_turns_agrees(position: Board) -> None:
    layer = {str(position): position}
    for _ in range(4):
        for reached in layer.values():
            agrees(reached)
        layer = {str(turn.after): turn.after for reached in layer.values() for turn in GAME.turns(reached)}


@pytest.mark.parametrize("position", BOARDS.values(), ids=BOARDS.keys())
def test_as_many_lines_of_play(position: Board) -> None:
    lines = Perft(CORE)
    for count in perft(GAME, 4, position):
        assert lines.count(FAST.state(position), count.depth) == count.sequences


def test_as_many_lines_of_play_as_two_others_counted() -> None:
    assert Perft(CORE).count(FAST.state(GAME.start()), 6) == 37_818


@pytest.mark.parametrize("position", BOARDS.values(), ids=BOARDS.keys())
def test_a_random_turn_is_any_legal_one_as_likely(position: Board) -> None:
    luck, draws = Luck(1), 1200
    a, b = words(position)
    found = Counter(text(*drawn(a, b, luck)) for _ in range(draws))
    after = [str(turn.after) for turn in GAME.turns(position)]
    assert found.keys() == set(after)
    for times in found.values():
        assert abs(times - draws / len(after)) < 4 * sqrt(draws / len(after))


def played(position: Board, luck: Luck) -> int:
    """The turns of a random game on words."""
    a, b = words(position)
    count = 0
    while not over(a, b):
        a, b = drawn(a, b, luck)
        count += 1
    return count


def played_by_the_rules(position: Board, random: Random) -> tuple[int, float]:
    """The turns of a random game by the readable rules, and what South scores."""
    count = 0
    while turns := GAME.turns(position):
        position, count = random.choice(turns).after, count + 1
    outcome = GAME.outcome(position)
    assert outcome
    return count, 0.5 if outcome.winner is None else 1.0 - outcome.winner


def spread(values: list[float]) -> tuple[float, float]:
    """The mean, and the square of its standard error."""
    mean = sum(values) / len(values)
    return mean, sum((value - mean) ** 2 for value in values) / len(values) ** 2


def alike(some: list[float], others: list[float]) -> bool:
    """Whether two samples have the same mean, within three standard errors."""
    (mean, error), (other_mean, other_error) = spread(some), spread(others)
    return abs(mean - other_mean) < 3 * sqrt(error + other_error)


@pytest.mark.parametrize("name", ["the start", "full pits", "South ahead"])
def test_random_games_are_as_long_and_end_alike(name: str) -> None:
    position, random, luck = BOARDS[name], Random(5), Luck(6)
    by_rules = [played_by_the_rules(position, random) for _ in range(150)]
    state = FAST.state(position)
    assert alike([float(count) for count, _ in by_rules], [float(played(position, luck)) for _ in range(600)])
    scores = [FAST.playout(state, random) for _ in range(1500)]
    assert alike([score for _, score in by_rules], scores)
    assert 0.1 < spread(scores)[0] < 0.9


def test_both_rows_are_the_near_one_in_turn() -> None:
    """The words tell of the mover and the other side, so mirrored positions differ in side and captor alone."""
    south, north = words(at("1 2 3 4 5 6\n6 5 4 3 2 1", "S - N")), words(at("6 5 4 3 2 1\n1 2 3 4 5 6", "N - N"))
    assert [word & ROW for word in south] == [word & ROW for word in north]
