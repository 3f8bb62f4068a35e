"""The positions with a forced win are what they say, and the engine finds some of them in few nodes."""

from __future__ import annotations

import pytest

from benchmarks.forced import DEPTHS, Lines, read, solves
from games.fast import load_fast
from games.rules import load, names, play

EACH = pytest.mark.parametrize("name", names())


@EACH
def test_there_are_enough_of_each_depth(name: str) -> None:
    plies = [forced.plies for forced in read(name)]
    assert len(plies) >= 30
    assert all(plies.count(depth) >= 6 for depth in DEPTHS)


@EACH
def test_half_of_the_results_at_most_win(name: str) -> None:
    game = load(name)
    for forced in read(name):
        results = {turn.text: turn.after for turn in game.turns(forced.position)}
        assert forced.turns <= set(results)
        assert 2 * len({results[text] for text in forced.turns}) <= len(set(results.values()))


@pytest.mark.parametrize("name", ["yin-yang", "zhizhu", "zong-heng"])
def test_a_win_in_one_is_one_by_the_readable_rules(name: str) -> None:
    game = load(name)
    for forced in read(name):
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
def test_the_engine_finds_them_in_few_nodes(name: str) -> None:
    some = [forced for forced in read(name) if forced.plies <= 5][::4]
    missed = [forced for forced in some if not solves(name, forced, None, 3000)]
    assert not missed
