"""Zong-Heng and Yin-Yang on two words against the readable rules: the same turns, counted alike."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.core import KINDS, Core, Perft, Turns
from games.fast import load_fast
from games.rules import Game, Position, load, perft
from tests.games.test_fast_stones import DRAWN, PASSES, crowded

ZONG_HENG = [
    load("zong-heng", size=size, setup=setup)
    for size, setup in ((6, "rows"), (6, "diagonals"), (8, "rows"), (8, "stripes"), (8, "blocks"), (8, "diagonals"))
]
GAMES = [*ZONG_HENG, load("yin-yang")]
EACH = pytest.mark.parametrize("game", GAMES, ids=lambda game: "-".join(map(str, (game.name, *game.chosen.values()))))


def core_of(game: Game[Any]) -> tuple[Any, Core]:
    """The fast form of a game, and its core."""
    fast: Any = load_fast(game)
    return fast, fast.core()


def agrees(game: Game[Any], position: Position, fast: Any, core: Core, turns: Turns) -> None:
    """The core has the turns of the readable rules, each a kind of its own, and words as promised."""
    state = fast.state(position)
    a, b = core.words(state)
    assert 0 <= a < 1 << 63
    assert 0 <= b < 1 << 63
    assert core.state(a, b) == state
    core.fill(a, b, turns)
    slots = turns.slots[: turns.many]
    expected = sorted(str(turn.after) for turn in game.turns(position))
    assert sorted(str(fast.position(core.state(slot.a, slot.b))) for slot in slots) == expected
    assert all((slot.a, slot.b) == core.words(core.state(slot.a, slot.b)) for slot in slots)
    assert core.count(a, b) == len(slots) == len({slot.kind for slot in slots})
    assert all(0 <= slot.kind < KINDS and slot.gain == 0 for slot in slots)
    if outcome := game.outcome(position):
        assert core.ended(a, b) == {None: 1, position.side: 2}.get(outcome.winner, 0)


@EACH
def test_random_games_agree(game: Game[Any]) -> None:
    fast, core = core_of(game)
    random, turns = Random(2), Turns()
    for _ in range(2):
        position: Any = game.start()
        while legal := game.turns(position):
            agrees(game, position, fast, core, turns)
            position = random.choice(legal).after
        agrees(game, position, fast, core, turns)


@EACH
def test_random_boards_agree(game: Game[Any]) -> None:
    fast, core = core_of(game)
    random, turns = Random(4), Turns()
    for _ in range(40):
        agrees(game, crowded(game, random), fast, core, turns)


@EACH
def test_the_first_turns_agree(game: Game[Any]) -> None:
    fast, core = core_of(game)
    turns, seen = Turns(), {str(game.start()): game.start()}
    for _ in range(2):
        after = [turn.after for position in seen.values() for turn in game.turns(position)]
        seen = {str(position): position for position in after}
        for position in list(seen.values())[:80]:
            agrees(game, position, fast, core, turns)


@EACH
def test_the_same_turn_of_another_position_is_of_the_same_kind(game: Game[Any]) -> None:
    """By its text; a pass is one as well."""
    fast, core = core_of(game)
    random, turns = Random(6), Turns()
    texts: dict[int, str] = {}
    for _ in range(30):
        position = crowded(game, random)
        afters: dict[str, set[str]] = {}
        for turn in game.turns(position):
            afters.setdefault(str(turn.after), set()).add(turn.text)
        core.fill(*core.words(fast.state(position)), turns)
        for slot in turns.slots[: turns.many]:
            possible = afters[str(fast.position(core.state(slot.a, slot.b)))]
            if len(possible) == 1:
                assert texts.setdefault(int(slot.kind), *possible) in possible
    assert len(set(texts.values())) == len(texts) > 50


def test_a_pass_and_a_full_board_agree() -> None:
    game = ZONG_HENG[0]
    for text in (PASSES, DRAWN):
        agrees(game, game.position(text), *core_of(game), Turns())


@pytest.mark.parametrize("size", [10, 12])
def test_a_large_board_has_no_core(size: int) -> None:
    fast: Any = load_fast(load("zong-heng", size=size))
    assert fast.core() is None


@pytest.mark.parametrize(("name", "setup", "sequences"), [
    ("zong-heng", "rows", (56, 3_108, 171_192)),
    ("zong-heng", "stripes", (56, 3_085, 169_801)),
    ("yin-yang", None, (8, 40, 328, 2_624, 22_160)),
])  # fmt: skip
def test_perft(name: str, setup: str | None, sequences: tuple[int, ...]) -> None:
    game = load(name, setup=setup) if setup else load(name)
    fast, core = core_of(game)
    start = fast.state(game.start())
    counts = Perft(core)
    assert tuple(counts.count(start, depth) for depth in range(1, len(sequences) + 1)) == sequences


def test_perft_of_the_small_board() -> None:
    fast, core = core_of(ZONG_HENG[0])
    start = fast.state(ZONG_HENG[0].start())
    assert [Perft(core).count(start, depth) for depth in (1, 2)] == [each.sequences for each in perft(ZONG_HENG[0], 2)]
