"""The positions with a forced win are what they say, and the engine finds some of them in few nodes."""

from __future__ import annotations

from itertools import islice

import pytest

from benchmarks.forced import DEPTHS, Lines, found, random_game, read, solves, winning
from benchmarks.forced import EACH as EACH_DEPTH
from benchmarks.plain import Plain, words_of
from games.fast import load_fast
from games.rules import load, names, play

EACH = pytest.mark.parametrize("name", names())


@EACH
def test_there_are_enough_of_each_depth(name: str) -> None:
    every = read(name)
    assert [forced.plies for forced in every] == sorted(EACH_DEPTH * DEPTHS)
    assert len({forced.position for forced in every}) == len(every)


@EACH
def test_half_of_the_results_at_most_win(name: str) -> None:
    game = load(name)
    for forced in read(name)[::4]:
        results = {turn.text: turn.after for turn in game.turns(forced.position)}
        assert forced.turns <= set(results)
        assert 2 * len({results[text] for text in forced.turns}) <= len(set(results.values()))


@pytest.mark.parametrize("name", ["yin-yang", "zhizhu", "zong-heng"])
def test_a_win_in_one_is_one_by_the_readable_rules(name: str) -> None:
    game = load(name)
    for forced in read(name)[::3]:
        if forced.plies == 1:
            for text in forced.turns:
                outcome = game.outcome(play(game, forced.position, text))
                assert outcome
                assert outcome.winner == forced.position.side


@EACH
def test_a_win_in_three_is_forced_and_takes_three(name: str) -> None:
    fast = load_fast(load(name))
    for forced in [forced for forced in read(name) if forced.plies == 3][:3]:
        state = fast.state(forced.position)
        assert Lines(fast).wins(state, 3)
        assert not Lines(fast).wins(state, 1)


@EACH
def test_lines_are_looked_at_alike_on_both_kinds_of_positions(name: str) -> None:
    """Those of the readable sources are slow, so a few positions near the end of a few random games have to do."""
    game = load(name)
    fast, plain = load_fast(game), Plain(game, compiled=False)
    for seed in range(3):
        path, position = random_game(plain, words_of(game.start()), seed), game.start()
        for number, words in enumerate(path[1:], start=1):
            position = next(turn.after for turn in game.turns(position) if words_of(turn.after) == words)
            if number >= len(path) - 3:
                lines, proof, state = Lines(fast), plain.proof(100_000), fast.state(position)
                for plies in (1, 2):
                    assert proof.wins(words, plies) == lines.wins(state, plies)
                    assert proof.loses(words, plies) == lines.loses(state, plies)


@pytest.mark.parametrize("name", ["zhizhu", "zig-zag", "zong-heng"])
def test_the_positions_can_be_found_again(name: str) -> None:
    """Those of Yin-Yang too, but proofs to the end of its board are long where nothing is compiled."""
    every = [forced for forced in read(name) if forced.plies == 3]
    assert list(islice(found(name, 3), 2)) == every[:2]


def test_a_win_in_nine_takes_nine() -> None:
    forced = read("zig-zag")[-1]
    plain = Plain(load("zig-zag"), compiled=False)
    won = winning(plain, words_of(forced.position), 9)
    assert {turn.text for turn in plain.game.turns(forced.position) if words_of(turn.after) in won} == forced.turns


@EACH
def test_the_engine_finds_them_in_few_nodes(name: str) -> None:
    some = [forced for forced in read(name) if forced.plies <= 5][::12]
    missed = [forced for forced in some if not solves(name, forced, None, 3000)]
    assert not missed
