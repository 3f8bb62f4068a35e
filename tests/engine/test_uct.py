"""The search by random games: what it finds is legal, the same each time, proved where it says so, and in time."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import pytest

from firmware_bridge.engine import Found, Stopped, engine
from firmware_bridge.engine.exact import Exact
from firmware_bridge.engine.uct import Uct
from games.fast import Fast, load_fast
from games.rules import Game, Position, load, play

ZONG_HENG, SMALL, YIN_YANG = load("zong-heng"), load("zong-heng", size=6), load("yin-yang")
FAST = {game: load_fast(game) for game in (ZONG_HENG, SMALL, YIN_YANG)}
KNOWN: dict[Game[Any], dict[int, float]] = {game: {} for game in FAST}
EACH = pytest.mark.parametrize("game", [ZONG_HENG, SMALL, YIN_YANG], ids=["zong-heng", "zong-heng-6", "yin-yang"])
PASSES = "xoooxo/xoxoxo/.xxoxo/xoxxxo/xoxooo/xoxxox o"


def search(game: Game[Any], seed: int = 0, **options: Any) -> Uct:
    return Uct(FAST[game], seed, **options)  # type: ignore[arg-type]


def last(game: Game[Any], position: Position, **limits: Any) -> Found:
    *_, found = search(game).find(position, **limits)
    return found


def reached(game: Game[Any], seed: int, left: int) -> Position:
    """A position of a random game about `left` turns before its end; Yin-Yang ends with some squares empty."""
    fast: Any = FAST[game]
    random = Random(seed)
    while True:
        state = fast.state(game.start())
        while moves := fast.moves(state):
            if fast.left(state) <= left + 6 * (game is YIN_YANG):
                return game.position(str(fast.position(state)))
            state = fast.after(state, random.choice(moves))


# Against everything there is ------------------------------------------------------------------


def truth(fast: Fast, state: int, known: dict[int, float]) -> float:
    """What `state` is worth for player 0, by looking at every line to its end."""
    if state not in known:
        values = [truth(fast, fast.after(state, move), known) for move in fast.moves(state)]
        known[state] = (min(values) if fast.side(state) else max(values)) if values else fast.result(state)
    return known[state]


def worth(game: Game[Any], position: Position) -> float:
    """The true value for the side to move."""
    value = truth(FAST[game], FAST[game].state(position), KNOWN[game])
    return 1 - value if position.side else value


@EACH
def test_a_proof_is_the_truth(game: Game[Any]) -> None:
    chances = 0
    for seed in range(10):
        position = reached(game, seed, 4)
        values = {turn.text: 1 - worth(game, turn.after) for turn in game.turns(position)}
        found = last(game, position, nodes=20_000)
        assert found.proved
        assert found.value == max(values.values()) == values[found.turn]
        chances += len(set(values.values())) > 1
    assert chances >= 2  # or it would not matter what is played


@EACH
def test_random_games_alone_prove_as_well(game: Game[Any]) -> None:
    """Without playing on to the very end; a longer way to the same truth."""
    search = Uct(Walking(FAST[game]))  # type: ignore[arg-type]
    for seed in range(3):
        position = reached(game, seed, 3)
        *_, found = search.find(position, nodes=20_000)
        assert found.proved
        assert found.value == worth(game, position)
        assert 1 - worth(game, play(game, position, found.turn)) == found.value


class Walking:
    """A fast game that is never near its end."""

    exact = -1

    def __init__(self, fast: Fast) -> None:
        self._fast = fast

    def __getattr__(self, name: str) -> Any:
        return getattr(self._fast, name)


class WithoutCore(Walking):
    """A fast game that says when its end is near, and has no form on words."""

    exact = 20

    def __getattr__(self, name: str) -> Any:
        if name == "core":
            raise AttributeError(name)
        return super().__getattr__(name)


def test_a_form_without_words_is_left_to_random_games_at_its_end() -> None:
    position = reached(SMALL, 1, 3)
    *_, found = Uct(WithoutCore(FAST[SMALL])).find(position, nodes=20_000)  # type: ignore[arg-type]
    assert (found.proved, found.value) == (True, worth(SMALL, position))


def test_a_forced_pass_is_found() -> None:
    found = last(SMALL, SMALL.position(PASSES), nodes=5000)
    assert found.turn == found.line[0] == "pass"
    assert found.proved
    assert found.value == worth(SMALL, SMALL.position(PASSES))


# Answers --------------------------------------------------------------------------------------


@EACH
@pytest.mark.parametrize("left", [None, 9, 1])
def test_every_answer_is_legal(game: Game[Any], left: int | None) -> None:
    position = game.start() if left is None else reached(game, 3, left)
    legal = {turn.text for turn in game.turns(position)}
    for found in search(game, seed=2).find(position, nodes=150):
        assert found.turn == found.line[0]
        assert {found.turn, *(text for text, _ in found.others)} <= legal
        assert all(0 <= value <= 1 for value in (found.value, *(value for _, value in found.others)))
        after = position
        for text in found.line:
            after = play(game, after, text)  # raises if it is not legal


@EACH
def test_turns_with_the_same_result_are_offered_once(game: Game[Any]) -> None:
    found = last(game, game.start(), nodes=60)
    results = [play(game, game.start(), text) for text in (found.turn, *(text for text, _ in found.others))]
    assert len(set(results)) == len(results) == 5


@EACH
def test_answers_come_early_and_go_on(game: Game[Any]) -> None:
    nodes = [found.nodes for found in search(game).find(game.start(), nodes=200)]
    assert nodes[0] <= 16
    assert nodes == sorted(set(nodes))
    assert len(nodes) >= 8
    assert nodes[-1] == 200


@EACH
def test_more_games_play_better(game: Game[Any]) -> None:
    """Against one that plays anything."""
    random = Random(0)
    won = 0.0
    for number in range(4):
        position = game.start()
        while not (outcome := game.outcome(position)):
            if position.side == number % 2:
                position = play(game, position, last(game, position, nodes=25).turn)
            else:
                position = random.choice(game.turns(position)).after
        won += 0.5 if outcome.winner is None else outcome.winner == number % 2
    assert won >= 3


@EACH
def test_the_same_question_has_the_same_answers(game: Game[Any]) -> None:
    position = reached(game, 1, 9)
    one, other = (list(search(game, seed=5).find(position, nodes=300)) for _ in range(2))
    assert one == other


def test_another_seed_plays_other_games() -> None:
    one, other = (list(search(SMALL, seed).find(SMALL.start(), nodes=100)) for seed in (1, 2))
    assert one != other


def test_a_finished_game_is_refused() -> None:
    with pytest.raises(ValueError, match="the game is over"):
        last(SMALL, SMALL.position("/".join(["xoxoxo"] * 6) + " x"), nodes=10)


# Limits ---------------------------------------------------------------------------------------


@EACH
@pytest.mark.parametrize("left", [None, 8])
def test_search_stops_at_once(game: Game[Any], left: int | None) -> None:
    position = game.start() if left is None else reached(game, 3, left)
    (found,) = search(game).find(position, stop=lambda: True)
    assert found.nodes == 1


@EACH
def test_search_stops_between_answers(game: Game[Any]) -> None:
    stopped: list[bool] = []
    answers = search(game).find(game.start(), stop=lambda: bool(stopped))
    for found in islice(answers, 3):
        before = found.nodes
    stopped.append(True)
    (found,) = answers
    assert found.nodes <= before + 1


def test_search_stops_during_exact_play() -> None:
    asked = iter(range(400))
    *_, found = search(ZONG_HENG).find(reached(ZONG_HENG, 3, 10), stop=lambda: next(asked) >= 300)
    assert not found.proved
    assert found.nodes > 300


def test_search_keeps_to_its_seconds() -> None:
    ticks = iter(range(10_000))
    *_, found = search(SMALL, clock=lambda: next(ticks) / 100).find(SMALL.start(), seconds=1.0)
    assert 95 <= found.nodes <= 100


def test_a_proof_ends_the_search() -> None:
    assert last(SMALL, reached(SMALL, 4, 2)).proved


def test_full_tree_is_searched_on() -> None:
    full, whole = (search(SMALL, most=most) for most in (40, 10_000))
    (*_, one), (*_, other) = (each.find(SMALL.start(), nodes=300) for each in (full, whole))
    assert one.nodes == other.nodes == 300
    assert len(one.line) <= len(other.line)
    assert one != other


@EACH
def test_exact_search_finds_the_truth_and_stops_when_told(game: Game[Any]) -> None:
    state = FAST[game].state(reached(game, 6, 5))
    fast: Any = FAST[game]
    exact = Exact(fast.core())
    value = exact.value(state)
    assert (1 - value if fast.side(state) else value) == truth(fast, state, KNOWN[game])
    state = FAST[game].state(reached(game, 6, 9 + 2 * (game is YIN_YANG)))
    with pytest.raises(Stopped):
        exact.value(state, lambda: True)


def test_each_game_has_its_search() -> None:
    assert isinstance(engine(ZONG_HENG), Uct)
    assert isinstance(engine(YIN_YANG), Uct)
    *_, found = engine(SMALL, seed=3).find(SMALL.start(), nodes=40)
    assert found == list(search(SMALL, seed=3).find(SMALL.start(), nodes=40))[-1]
