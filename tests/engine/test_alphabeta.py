"""Alpha-beta against the plainest search there is, on forced wins, on repetition, and the endings of Zig Zag."""

from __future__ import annotations

from itertools import count, islice
from math import exp
from random import Random

import pytest

from firmware_bridge.engine import Found, engine
from firmware_bridge.engine.alphabeta import CONTEMPT, AlphaBeta, Tree
from games.core import Turns
from games.fast import DECIDED, Weighed
from games.rules import Position, load, play
from games.zhizhu.fast import FastZhiZhu
from games.zig_zag.fast import FastZigZag

ZHIZHU, ZIG_ZAG = load("zhizhu"), load("zig-zag")
GAMES = [("zhizhu", FastZhiZhu()), ("zig-zag", FastZigZag())]


def reached(name: str, seed: int, plies: int) -> Position:
    """A position that random play comes to; the last before the end if that comes first."""
    game, random = load(name), Random(seed)
    position = game.start()
    for _ in range(plies):
        turns = sorted(game.turns(position), key=str)
        if not game.turns(after := random.choice(turns).after):
            break
        position = after
    return position


def last(search: AlphaBeta, position: Position, nodes: int, history: tuple[Position, ...] = ()) -> Found:
    return list(search.find(position, nodes=nodes, history=history))[-1]


# Against the plainest search ------------------------------------------------------------------


def plain(fast: Weighed, state: int, depth: int, path: tuple[int, ...]) -> int:
    """What `state` is worth by looking at everything: every line, `depth` plies deep, and the captures after it."""
    if state in path:
        return fast.repeated(state)
    after = [fast.after(state, move) for move in fast.moves(state)]
    if not depth or not after:
        return followed(fast, state)
    return max(later(-plain(fast, next, depth - 1, (*path, state))) for next in after)


def followed(fast: Weighed, state: int) -> int:
    """What it is worth to the mover, who may capture, or leave it at that."""
    weight, turns, core = fast.weigh(state), Turns(), fast.core()
    if abs(weight) > DECIDED:
        return weight
    core.captures(*core.words(state), turns)
    captures = [core.state(slot.a, slot.b) for slot in turns.slots[: turns.many]]
    return max([weight, *(later(-followed(fast, after)) for after in captures)])


def later(weight: int) -> int:
    """A win a ply further away is worth a little less."""
    return weight - 1 if weight > DECIDED else weight + 1 if weight < -DECIDED else weight


def expected(fast: Weighed, weight: int) -> float:
    return float(weight > 0) if abs(weight) > DECIDED else 1 / (1 + exp(-weight / fast.spread))


@pytest.mark.parametrize(("name", "fast"), GAMES)
@pytest.mark.parametrize("plies", [1, 25, 45, 70])
def test_the_values_are_those_of_the_plainest_search(name: str, fast: Weighed, plies: int) -> None:
    depth = 2 if name == "zhizhu" and plies < 30 else 3 if name == "zhizhu" else 4
    position = reached(name, plies, plies)
    state = fast.state(position)
    truth = {
        fast.text(state, move): expected(fast, later(-plain(fast, fast.after(state, move), depth - 1, (state,))))
        for move in fast.moves(state)
    }
    found = list(islice(AlphaBeta(fast, reduce=False).find(position), depth))[-1]
    assert found.value == pytest.approx(max(truth.values()))
    values = sorted(truth.values(), reverse=True)
    for (turn, value), best in zip([(found.turn, found.value), *found.others], values, strict=False):
        assert value == pytest.approx(truth[turn]) == pytest.approx(best)


@pytest.mark.parametrize(("name", "fast"), GAMES)
def test_forgetting_changes_no_value(name: str, fast: Weighed) -> None:
    position = reached(name, 5, 40)
    values = [
        [found.value for found in islice(AlphaBeta(fast, most=most, reduce=False).find(position), 4)]
        for most in (20, 10**6)
    ]
    assert values[0] == values[1]


# Promises of every search ---------------------------------------------------------------------


@pytest.mark.parametrize(("name", "fast"), GAMES)
def test_every_answer_can_be_played(name: str, fast: Weighed) -> None:
    game = load(name)
    for seed in range(6):
        position = reached(name, seed, 12 * seed)
        for found in AlphaBeta(fast, seed).find(position, nodes=400):
            assert found.line[0] == found.turn
            assert {turn for turn, _ in found.others} <= {turn.text for turn in game.turns(position)} - {found.turn}
            after = position
            for text in found.line:
                after = play(game, after, text)


@pytest.mark.parametrize(("name", "fast"), GAMES)
def test_the_same_seed_and_count_give_the_same_answers(name: str, fast: Weighed) -> None:
    position = reached(name, 2, 30)
    answers = [list(AlphaBeta(fast, seed=7).find(position, nodes=1500)) for _ in range(2)]
    assert answers[0] == answers[1]
    assert all(found.nodes <= 1500 for found in answers[0])


def test_the_seed_decides_between_turns_of_one_value() -> None:
    assert len({last(AlphaBeta(FastZhiZhu(), seed), ZHIZHU.start(), 30).turn for seed in range(5)}) > 1


@pytest.mark.parametrize(("name", "fast"), GAMES)
def test_search_stops_when_asked(name: str, fast: Weighed) -> None:
    asked = count()
    answers = list(AlphaBeta(fast).find(load(name).start(), stop=lambda: next(asked) >= 3))
    assert answers
    assert next(asked) == 4
    assert answers[-1].nodes < 2000


def test_one_answer_comes_even_if_it_is_stopped_at_once() -> None:
    (found,) = AlphaBeta(FastZhiZhu()).find(ZHIZHU.start(), stop=lambda: True)
    assert found.nodes < 50


def test_search_stops_when_the_time_is_up() -> None:
    ticks = count()
    search = AlphaBeta(FastZigZag(), clock=lambda: next(ticks) / 10)
    answers = list(search.find(ZIG_ZAG.start(), seconds=1.0))
    assert answers
    assert next(ticks) == 11


def test_no_more_is_remembered_than_allowed() -> None:
    start = FastZigZag().state(ZIG_ZAG.start())
    tree = Tree(FastZigZag().core(), start, None, frozenset(), 50)
    tree.after(start, 7, -DECIDED, DECIDED)
    assert tree.nodes > 500
    assert 16 < tree.remembered <= 32


def test_a_finished_game_is_refused() -> None:
    position = ZHIZHU.position("xx....../......../oooo.... o 0,0 -,-")
    with pytest.raises(ValueError, match="the game is over"):
        AlphaBeta(FastZhiZhu()).find(position)


# Forced wins ----------------------------------------------------------------------------------


def test_a_win_at_once_is_found_and_proved() -> None:
    position = ZHIZHU.position(".x....../x..o..o./x......o x 0,0 -,-")
    found = last(AlphaBeta(FastZhiZhu()), position, 2000)
    assert (found.turn.partition("x")[0], found.value, found.proved) == ("a2-a1", 1.0, True)
    assert len(found.line) == 1


NEARLY = ".x....../.x....../...x.ooo"
"""Black closes line 2 by c4-c3-c2, and White, with three stones left, is too far away."""


def test_a_win_some_turns_away_is_found_and_proved() -> None:
    found = last(AlphaBeta(FastZhiZhu()), ZHIZHU.position(f"{NEARLY} x 0,0 -,-"), 20_000)
    assert (found.turn, found.value, found.proved, len(found.line)) == ("c4-c3", 1.0, True, 3)


def test_a_lost_position_is_proved_lost() -> None:
    position = play(ZHIZHU, ZHIZHU.position(f"{NEARLY} x 0,0 -,-"), "c4-c3")
    found = last(AlphaBeta(FastZhiZhu()), position, 20_000)
    assert (found.value, found.proved, len(found.line)) == (0.0, True, 2)


def test_a_majority_of_the_seeds_is_a_proof() -> None:
    position = ZIG_ZAG.position("0,0,0,0,0,2/1,1,1,1,1,1 31,21 N - S")
    found = last(AlphaBeta(FastZigZag()), position, 500)
    assert (found.value, found.proved) == (0.0, True)


# Repetition -----------------------------------------------------------------------------------

UNEQUAL = "x.x.x.x./.x.x..../....oooo"


def test_a_third_standing_is_shunned_by_whoever_is_ahead() -> None:
    position = ZHIZHU.position(f"{UNEQUAL} x 0,0 -,-")
    best = next(AlphaBeta(FastZhiZhu()).find(position))
    after = play(ZHIZHU, position, best.turn)
    again = next(AlphaBeta(FastZhiZhu()).find(position, history=(after, position, after)))
    assert again.turn != best.turn
    assert again.value == best.others[0][1] > 0.5


def test_a_third_standing_is_sought_by_whoever_is_behind() -> None:
    position = ZHIZHU.position(f"{UNEQUAL} o 0,0 -,-")
    turn = ZHIZHU.turns(position)[-1]
    for times, value in ((1, pytest.approx(0.0, abs=0.4)), (2, 0.5)):
        found = next(AlphaBeta(FastZhiZhu()).find(position, history=(turn.after,) * times))
        assert found.value == value
    assert found.turn == turn.text


def test_who_has_contempt_plays_on_where_a_draw_is_to_be_had_for_a_little() -> None:
    position = ZHIZHU.position("..xx.x.o/o.o...../...ox... x 0,0 -,-")
    draw = play(ZHIZHU, position, "c5-b5")
    stood = (draw, draw)
    drawn = next(AlphaBeta(FastZhiZhu()).find(position, history=stood))
    assert (drawn.turn, drawn.value) == ("c5-b5", 0.5)
    played = next(AlphaBeta(FastZhiZhu(), contempt=CONTEMPT).find(position, history=stood))
    assert played.turn != "c5-b5"
    assert 0.45 < played.value < 0.5


def test_contempt_throws_no_game_away() -> None:
    position = ZHIZHU.position(f"{UNEQUAL} o 0,0 -,-")
    turn = ZHIZHU.turns(position)[-1]
    assert next(AlphaBeta(FastZhiZhu(), contempt=CONTEMPT).find(position, history=(turn.after,) * 2)).turn == turn.text


@pytest.mark.parametrize(("name", "fast"), GAMES)
def test_an_opponent_has_values_for_no_other_turns(name: str, fast: Weighed) -> None:
    position = reached(name, 3, 20)
    assert list(engine(load(name)).find(position, nodes=500))[-1].others
    assert not list(engine(load(name), playing=True).find(position, nodes=500))[-1].others
