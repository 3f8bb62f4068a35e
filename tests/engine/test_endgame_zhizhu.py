"""The table of ZhiZhu's endings: against the readable rules, against looking at everything, and in the search."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from random import Random

import pytest

from firmware_bridge.engine import Found
from firmware_bridge.engine.alphabeta import AlphaBeta
from games.rules import Position, load, play
from games.zhizhu.endgame import (
    DECISIVE,
    SIDES,
    Endgame,
    build,
    place,
    reached,
    standing,
    standings,
    turned,
)
from games.zhizhu.fast import ALL, BARRED, REST, RETURNS, WIDTH, FastZhiZhu, back
from games.zhizhu.web import BESIDE, LINES, POINTS

ZHIZHU, FAST = load("zhizhu"), FastZhiZhu()


@cache
def endings(reach: int = 3) -> Endgame:
    return build(reach)


def distance(state: int, reach: int = 3) -> int:
    """By the table; of a finished game 0."""
    found = endings(reach).distance(state)
    if found is None:
        assert not FAST.moves(state)
        return 0
    return found


def random_ending(random: Random, dark: int = 3, light: int = 3) -> int:
    """A state with so many stones, two on a line rather often, any returns that matter, and either side to move."""
    points = random.sample(LINES[random.choice(POINTS)], random.choice([0, 2]))
    points += random.sample([point for point in POINTS if point not in points], dark + light - len(points))
    return state_of(random, sum(1 << point for point in points[:dark]), sum(1 << point for point in points[dark:]))


def state_of(random: Random, *stones: int) -> int:
    found = random.randrange(2) << 48
    for side, mask in enumerate(stones):
        backs = [number for number in range(1, len(RETURNS)) if standing(mask, number) > ALL]
        found |= mask << 24 * side | barred(random.choice([0, *backs]), side)
    return found


def barred(number: int, side: int) -> int:
    """The bits of the return of this number; 0 for none."""
    return (BARRED + number if number else 0) << REST + WIDTH * side


def parts(state: int) -> tuple[int, int]:
    """The mover's standing and the other's."""
    both = [standing(state >> 24 * side & ALL, back(state, side)) for side in (0, 1)]
    side = state >> 48 & 1
    return both[side], both[1 - side]


# From 32 sides --------------------------------------------------------------------------------


def test_the_sides_keep_neighbours_and_lines_together() -> None:
    assert len(set(SIDES)) == 32
    for side in SIDES:
        for point in POINTS:
            assert {side[other] for other in BESIDE[point]} == set(BESIDE[side[point]])
            assert {side[other] for other in LINES[point]} == set(LINES[side[point]])


def seen_from(state: int, side: int) -> int:
    found = state & 1 << 48
    for player in (0, 1):
        standing_seen = turned(state >> 24 * player & ALL | back(state, player) << 24, side)
        found |= (standing_seen & ALL) << 24 * player | barred(standing_seen >> 24, player)
    return found


def test_the_rules_look_the_same_from_every_side() -> None:
    random = Random(1)
    for _ in range(40):
        state = random_ending(random, random.randint(3, 8), random.randint(3, 8))
        after = [FAST.after(state, move) for move in FAST.moves(state)]
        for side in range(32):
            other = seen_from(state, side)
            assert {FAST.after(other, move) for move in FAST.moves(other)} == {seen_from(one, side) for one in after}


@pytest.mark.parametrize(("dark", "light"), [(3, 3), (3, 4), (4, 3), (4, 4)])
def test_endings_that_look_alike_have_one_place_and_others_have_others(dark: int, light: int) -> None:
    random = Random(2)
    places: dict[int, set[tuple[int, int]]] = {}
    for _ in range(300):
        state = random_ending(random, dark, light) & ~(1 << 48)
        alike = {parts(seen_from(state, side)) for side in range(32)}
        (found,) = {place(*both) for both in alike}
        assert places.setdefault(found, alike) == alike
    assert 0 <= min(places) <= max(places) < len(standings(dark).rows) * len(standings(light))


# Against the readable rules -------------------------------------------------------------------


def by_its_turns(position: Position, reach: int) -> int:
    """The distance of a position by those of the positions after it."""
    after = [distance(FAST.state(turn.after), reach) for turn in ZHIZHU.turns(position)]
    lost = [plies for plies in after if plies >= 0 and not plies & 1]
    if lost:
        return min(lost) + 1
    return -1 if -1 in after else max(after, default=-1) + 1


def agree(reach: int, count: int) -> None:
    random, seen = Random(3), set()
    for _ in range(count):
        state = random_ending(random, random.randint(3, reach), random.randint(3, reach))
        assert distance(state, reach) == by_its_turns(FAST.position(state), reach), FAST.position(state)
        seen.add(distance(state, reach))
    assert {-1, *range(1, 12)} <= seen


def test_every_distance_follows_from_those_after_it() -> None:
    agree(3, 1500)


@pytest.mark.long
def test_every_distance_follows_from_those_after_it_with_four_stones() -> None:
    agree(4, 30_000)


def wins(state: int, plies: int, stood: Collection[int] = ()) -> bool:
    """Whether the mover can force the end within so many plies, by looking at everything; `stood` is drawn."""
    return plies > 0 and any(loses(FAST.after(state, move), plies - 1, stood) for move in FAST.moves(state))


def loses(state: int, plies: int, stood: Collection[int] = ()) -> bool:
    after = [FAST.after(state, move) for move in FAST.moves(state)]
    if state in stood or not after:
        return state not in stood
    return plies > 0 and all(other not in stood and wins(other, plies - 1, stood) for other in after)


def test_short_distances_equal_an_exhaustive_search() -> None:
    random = Random(4)
    for _ in range(40):
        state = random_ending(random)
        plies = distance(state)
        for most in range(5):
            assert wins(state, most) == (plies & 1 == 1 and 0 < plies <= most)
            assert loses(state, most) == (plies & 1 == 0 and 0 <= plies <= most)


@pytest.mark.parametrize(
    ("stones", "returns", "barred", "free"),
    [
        ("x.....o./xo....../.x....o. x", "c2-c1,-", 5, 1),
        ("...xo.../...o.x../....ox.. o", "-,b4-b5", -1, 1),
        ("......o./.....o../.xxx..o. x", "-,b6-b7", 4, 2),
    ],
    ids=["a later win", "a draw", "the other's"],
)
def test_forbidden_return_changes_the_distance(stones: str, returns: str, barred: int, free: int) -> None:
    assert distance(FAST.state(ZHIZHU.position(f"{stones} 0,0 {returns}"))) == barred
    assert distance(FAST.state(ZHIZHU.position(f"{stones} 0,0 -,-"))) == free


@pytest.mark.parametrize(
    "text",
    [
        "......../......../........ x 9,9 -,-",
        "x.x...../x......./....ooo. x 0,1 -,-",
        "xxxxx.../......../....ooo. x 0,0 -,-",
        "xx....../......../....ooo. o 0,0 -,-",
    ],
    ids=["the start", "a stone in hand", "five stones", "over"],
)
def test_distance_is_none_outside_the_table(text: str) -> None:
    assert endings().distance(FAST.state(ZHIZHU.position(text))) is None


# In the search --------------------------------------------------------------------------------


def found(state: int, nodes: int = 300, history: tuple[Position, ...] = ()) -> Found:
    search = AlphaBeta(FAST, endings=endings())
    return list(search.find(FAST.position(state), nodes=nodes, history=history))[-1]


def random_endings(seed: int, count: int, least: int, most: int) -> list[int]:
    """Endings with a distance between these."""
    random = Random(seed)
    states: list[int] = []
    while len(states) < count:
        state = random_ending(random)
        if least <= distance(state) <= most:
            states.append(state)
    return states


def test_a_decided_ending_is_proved_with_the_whole_way_to_the_end() -> None:
    for state in random_endings(5, 20, 1, 19):
        answer = found(state)
        assert (answer.proved, answer.value) == (True, float(distance(state) & 1))
        assert len(answer.line) == distance(state)


def test_both_sides_go_straight_to_the_end() -> None:
    for state in random_endings(6, 8, 4, 19):
        position: Position = FAST.position(state)
        history, plies = [position], distance(state)
        while ZHIZHU.turns(position):
            position = play(ZHIZHU, position, found(FAST.state(position), history=tuple(history)).turn)
            history.append(position)
        assert len(history) == len(set(history)) == plies + 1


def test_a_drawn_ending_is_proved_and_kept() -> None:
    for state in random_endings(7, 4, -1, -1):
        for _ in range(10):
            answer = found(state, nodes=200)
            assert (answer.proved, answer.value) == (True, 0.5)
            state = FAST.state(play(ZHIZHU, FAST.position(state), answer.turn))
            assert distance(state) == -1


def test_longer_search_chooses_between_drawn_turns() -> None:
    """The longer it looks, the more it tells between drawn turns."""
    turns = {found(state, nodes=3000).turn == found(state, nodes=1).turn for state in random_endings(8, 12, -1, -1)}
    assert turns == {True, False}


# The house rule -------------------------------------------------------------------------------


def test_no_result_is_proved_that_the_third_standing_may_undo() -> None:
    """Some positions on the way have stood twice; what is then proved is so by looking at everything."""
    random, proved = Random(9), {True: 0, False: 0}
    for state in random_endings(10, 60, 3, 5):
        stood = positions_on_the_line(random, state)
        answer = found(state, 100, tuple(FAST.position(other) for other in stood) * 2)
        proved[answer.proved] += 1
        if answer.proved:
            plies = len(answer.line) if answer.value != 0.5 else 5
            assert (wins(state, plies, stood), loses(state, plies, stood)) == (answer.value == 1, answer.value == 0)
    assert min(proved.values()) > 5


def positions_on_the_line(random: Random, state: int) -> list[int]:
    """Two positions that best play may come to."""
    line = []
    for text in found(state).line[:-1]:
        state = FAST.state(play(ZHIZHU, FAST.position(state), text))
        line.append(state)
    return random.sample(line, 2)


def test_line_that_has_stood_twice_is_avoided() -> None:
    for state in random_endings(11, 20, 5, 9):
        answer = found(state)
        after = play(ZHIZHU, FAST.position(state), answer.turn)
        again = found(state, history=(after, after))
        assert again.turn != answer.turn or (again.value, again.line) == (0.5, (again.turn,))


def test_draws_are_proved_whatever_has_stood() -> None:
    for state in random_endings(12, 5, -1, -1):
        history = tuple(turn.after for turn in ZHIZHU.turns(FAST.position(state)))
        assert (found(state, 50, history * 2).proved, found(state, 50, history * 2).value) == (True, 0.5)


def test_building_tells_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    build(3, lambda done, every: told.append((done, every)))
    assert told[-1] == (DECISIVE[3], DECISIVE[3])
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert [reached(done, 4) for done in (0, DECISIVE[3] - 1, DECISIVE[3], DECISIVE[4])] == [2, 2, 3, 4]
