"""People at the physical table: whatever they do besides, a turn ends as its acts say."""

from __future__ import annotations

from random import Random

import pytest

from games.rules import load
from hardware.device import Sense
from hardware.simulation.habits import HABITS, SEED_HABITS, Players, can
from hardware.simulation.paths import ROWS, Hand, Stones, manner
from hardware.simulation.physics import STRENGTHS, Magnets, Pits
from hardware.simulation.sowing import Seeds

GAMES = ("zong-heng", "zhizhu", "yin-yang")


def evening(name: str, habit: str, strength: str, sense: Sense, seed: int) -> tuple[Magnets | Pits, list[int]]:
    """A table at which five turns have been made, and what then stands there."""
    game, choose = load(name), Random(seed)
    position = game.start()
    lies = dict(zip(game.sites, position.board, strict=True))
    if game.pieces == "seeds":
        pits = Pits(game.places, sense, strength, seed)
        table: Magnets | Pits = pits
        players = Players(Seeds(pits, lies), habit, seed)
    else:
        table = magnets = Magnets(game.places, sense, STRENGTHS[strength], seed)
        players = Players(Stones(magnets, lies), habit, seed)
    last = 0.0
    for _ in range(5):
        turns = game.turns(position)
        if not turns:
            break
        turn = choose.choice(turns)
        made = players.make(position.side, turn.acts, [other.acts for other in turns[:3]], players.chosen())
        assert made.begun <= made.own <= made.ended
        assert made.ended >= last
        last, position = made.ended, turn.after
    players.pay()
    while table.now < players.ended + 1.5:
        table.advance(table.now + 0.01)
    return table, [sense.of(level) for level in position.board]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("habit", [*HABITS, "mixed"])
def test_a_turn_of_stones_ends_as_its_acts_say(name: str, habit: str) -> None:
    for seed, (strength, sense) in enumerate(
        zip(STRENGTHS, (Sense.PRESENCE, Sense.COLOUR, Sense.PRESENCE), strict=True)
    ):
        table, due = evening(name, habit, strength, sense, seed)
        assert list(table.scan()) == due


@pytest.mark.parametrize("habit", [*SEED_HABITS, "mixed"])
def test_a_turn_of_seeds_ends_as_its_acts_say(habit: str) -> None:
    for seed, sense in enumerate((Sense.PRESENCE, Sense.COUNT, Sense.COUNT)):
        table, due = evening("zig-zag", habit, [*STRENGTHS][seed], sense, seed)
        assert list(table.scan()) == due


def row_of_three(seed: int) -> tuple[Magnets, Stones, Hand]:
    """Three stones in a row of five sites, and a hand."""
    magnets = Magnets({site: (float(x), 0.0) for x, site in enumerate("abcde")}, Sense.COLOUR, seed=seed)
    stones = Stones(magnets, {"a": 1, "b": 2, "c": 1})
    choose = Random(seed)
    return magnets, stones, stones.hand(manner(choose), choose, 0.5)


@pytest.mark.parametrize("way", ROWS)
@pytest.mark.parametrize("seed", range(5))
def test_a_row_is_moved_one_site_on_in_every_way(way: str, seed: int) -> None:
    magnets, stones, hand = row_of_three(seed)
    hand.push(("a", "b", "c", "d"), 2, way)
    assert stones.board() == {"a": 2, "b": 1, "c": 2, "d": 1}
    while magnets.now < hand.time + 0.2:
        magnets.advance(magnets.now + 0.01)
    assert magnets.scan() == (2, 1, 2, 1, 0)


def test_a_stone_never_jumps_and_ends_where_its_way_does() -> None:
    magnets, stones, hand = row_of_three(1)
    hand.carry("c", "e")
    stone, before = stones.on["e"], stones.on["e"].at
    while magnets.now < hand.time + 0.1:
        magnets.advance(magnets.now + 0.001)
        assert max(abs(a - b) for a, b in zip(before, stone.at, strict=True)) < 0.15
        before = stone.at
    assert stone.at == stone.goal
    assert abs(stone.at[0] - 4) < 0.15


def test_two_hands_wait_for_each_other_at_one_site() -> None:
    _, stones, hand = row_of_three(2)
    other = stones.hand(hand.manner, Random(1), 0.5)
    hand.carry("c", "d")
    other.carry("d", "e")
    assert other.begun >= hand.time
    assert stones.board() == {"a": 1, "b": 2, "e": 1}


def test_what_differs_is_put_back() -> None:
    _, stones, hand = row_of_three(3)
    before = stones.board()
    hand.push(("a", "b", "c", "d"), 2, "fingers")
    hand.take("d")
    hand.restore(before)
    assert stones.board() == before


def test_a_forgotten_stone_is_owed_until_the_next_turn_is_made() -> None:
    game = load("zong-heng")
    position = game.start()
    magnets = Magnets(game.places, Sense.PRESENCE)
    stones = Stones(magnets, dict(zip(game.sites, position.board, strict=True)))
    players = Players(stones, "debt", 1)
    turn = game.turns(position)[0]
    made = players.make(0, turn.acts, (), "debt")
    assert made.owed == turn.acts[-1:]
    assert turn.acts[-1].sites[0] not in stones.board()
    far = next(other for other in game.turns(turn.after) if "h" in other.text and "8" in other.text)
    players.make(1, far.acts, (), "steady")
    assert stones.board() == {site: level for site, level in zip(game.sites, far.after.board, strict=True) if level}


@pytest.mark.parametrize(
    ("act", "possible"),
    [
        (("carry", ("a", "d"), (1,), ()), True),
        (("carry", ("d", "a"), (1,), ()), False),
        (("carry", ("a", "b"), (1,), ()), False),
        (("lay", ("d",), (1,), ()), True),
        (("lay", ("a",), (1,), ()), False),
        (("take", ("e",), (), ()), False),
        (("push", ("a", "b", "c"), (1, 2), ()), False),
        (("push", ("a", "b", "c", "d"), (1, 2, 1), ()), True),
    ],
)
def test_hands_move_only_what_is_there_to_where_nothing_is(
    act: tuple[str, tuple[str, ...], tuple[int, ...], tuple[int, ...]], possible: bool
) -> None:
    assert can({"a": 1, "b": 2, "c": 1}, (act,)) is possible
