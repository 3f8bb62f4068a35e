"""Zig Zag on integers against the readable rules: the same turns, results and outcomes. Boards as in `test_zig_zag`."""

from __future__ import annotations

from random import Random

import pytest

from games.conformance import disagreement
from games.fast import DECIDED, WON, load_fast
from games.rules import Position, load, perft
from games.zig_zag.fast import PASS, FastZigZag
from tests.games.boards import pits
from tests.games.walks import walks

GAME = load("zig-zag")
FAST = FastZigZag(GAME)


def at(drawing: str, rest: str = "S - -", south: int = 0) -> Position:
    return GAME.position(pits(drawing, rest, south))


def agrees(position: Position) -> None:
    """Both forms of the rules say the same of `position`."""
    assert disagreement(GAME, FAST, position) == ""
    state = FAST.state(position)
    moves = FAST.moves(state)
    assert [FAST.text(state, move) for move in moves] == [turn.text for turn in GAME.turns(position)]


def test_random_games_agree() -> None:
    for ply in walks(GAME, range(8)):
        agrees(ply.position)


def test_every_position_of_three_seeds_agrees() -> None:
    """Where the game may be over: every way that three seeds can lie, and who captured last."""
    random = Random(1)
    for number in range(300):
        seeds = [0] * 12
        for _ in range(number % 3 + 1):
            seeds[random.randrange(8)] += 1
        north, south = (",".join(map(str, row)) for row in (seeds[6:], seeds[:6]))
        store = random.randint(0, 60 - sum(seeds))
        side, last = random.choice("SN"), random.choice("SN-")
        agrees(GAME.position(f"{north}/{south} {store},{60 - sum(seeds) - store} {side} - {last}"))


BOARDS = {
    "a relay of several laps": ("5 5 5 5 5 5", "5 5 5 5 5 5", "S - -"),
    "more than once round": ("1 0 0 0 0 2", "39 0 0 1 0 17", "S - N"),
    "a capture": ("0 0 0 0 0 1", "4 1 0 0 3 0", "S - S"),
    "nothing to take": ("0 0 0 0 0 1", "0 1 0 0 3 0", "S - S"),
    "a crossing": ("0 1 0 0 0 4", "0 4 1 0 0 3", "S - -"),
    "a crossing from the right": ("0 1 0 0 0 4", "0 4 0 1 0 3", "S - N"),
    "a crossing by North": ("0 1 1 0 0 4", "0 4 0 0 0 3", "N - S"),
    "a ban": ("0 1 0 1 0 4", "0 4 0 0 0 3", "N N4 -"),
    "a ban on the left": ("0 1 1 1 0 4", "0 4 0 0 0 3", "N N3 -"),
    "a ban, but it captures": ("0 0 2 1 0 4", "0 4 0 0 0 3", "N N4 -"),
    "only the banned pit, so a pass": ("0 0 0 1 0 0", "2 0 0 0 0 3", "N N4 S"),
    "an empty row, so a pass": ("0 0 0 0 0 0", "2 0 0 1 0 3", "N - S"),
}


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS.keys())
def test_drawn_positions_agree(board: tuple[str, str, str]) -> None:
    north, south, rest = board
    agrees(at(f"{north}\n{south}", rest))


def test_a_pass_is_a_move() -> None:
    position = at("0 0 0 1 0 0\n2 0 0 0 0 3", "N N4 S")
    assert FAST.moves(FAST.state(position)) == [PASS]


def test_sequences_of_turns_are_as_many() -> None:
    layer = [FAST.state(GAME.start())]
    for count in perft(GAME, 4):
        layer = [FAST.after(state, move) for state in layer for move in FAST.moves(state)]
        assert (count.sequences, count.distinct) == (len(layer), len(set(layer)))


def test_random_games_end_with_a_result() -> None:
    random = Random(3)
    results = {FAST.playout(FAST.state(GAME.start()), random) for _ in range(60)}
    assert results >= {0.0, 1.0}
    assert results <= {0.0, 0.5, 1.0}


def test_every_legal_pit_is_as_likely_in_a_random_game() -> None:
    """Random games by drawing from the legal moves score the same on the whole, from a start that favours South."""
    start = FAST.state(at("0 0 3 1 0 2\n4 0 2 0 6 1", "S - S", 20))
    random = Random(4)
    plain, quick = (sum(game(start, random) for _ in range(400)) / 400 for game in (drawn, FAST.playout))
    assert abs(plain - quick) < 0.1
    assert 0.1 < plain < 0.9


def drawn(state: int, random: Random) -> float:
    """The result of a random game by the plainest way."""
    while moves := FAST.moves(state):
        state = FAST.after(state, random.choice(moves))
    return FAST.result(state)


def test_the_store_is_the_weight() -> None:
    assert FAST.weigh(FAST.state(at("1 1 1 1 1 1\n1 1 1 1 1 1", "S - S", 20))) == 100 * (20 - 28)
    assert FAST.weigh(FAST.state(at("1 1 1 1 1 1\n1 1 1 1 1 1", "N - S", 20))) == 100 * (28 - 20)


def test_more_than_half_the_seeds_decide() -> None:
    assert FAST.weigh(FAST.state(at("1 1 1 1 1 1\n1 1 1 1 1 1", "S - N", 31))) == WON + 100 * (31 - 17)
    assert FAST.weigh(FAST.state(at("1 1 1 1 1 1\n1 1 1 1 1 1", "N - N", 31))) < -DECIDED


@pytest.mark.parametrize("last", ["S", "N", "-"])
def test_a_finished_game_weighs_its_outcome(last: str) -> None:
    position = at("0 0 0 0 0 0\n0 0 1 0 0 0", f"S - {last}", 30)
    weight = FAST.weigh(FAST.state(position))
    outcome = GAME.outcome(position)
    assert outcome
    assert (weight > DECIDED, weight < -DECIDED) == (outcome.winner == 0, outcome.winner == 1)


@pytest.mark.parametrize("last", ["S", "N"])
def test_a_repetition_gives_the_rest_to_the_last_captor(last: str) -> None:
    weight = FAST.repeated(FAST.state(at("1 0 1 1 1 1\n0 0 1 1 1 2", f"S - {last}", 25)))
    assert 0 < abs(weight) < DECIDED
    assert (weight > 0) == (last == "S")


def test_the_game_is_found_by_its_name() -> None:
    assert isinstance(load_fast(GAME), FastZigZag)
