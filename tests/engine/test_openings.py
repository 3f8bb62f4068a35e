"""The books of openings: legal, about equal by the search that made them, and different from evening to evening."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import openings as making
from firmware_bridge.engine import kind
from firmware_bridge.engine.client import LocalSearch, question
from firmware_bridge.engine.levels import LEVELS, at_table, chosen, levels
from firmware_bridge.engine.openings import LARGEST, Entry, Reply, book, opened, place
from firmware_bridge.score import ScoreSheet
from games.fast import load_fast
from games.rules import Game, Position, load, names, play

EACH = pytest.mark.parametrize("name", names())


def entries(name: str) -> dict[str, Entry]:
    return dict(book(place(load(name))))


def begun(game: Game[Position], seed: int) -> list[str]:
    """The first turns of the best level against itself, as far as the book has them."""
    position, turns = game.start(), list[str]()
    while found := opened(game, position, seed + len(turns)):
        turns.append(found.turn)
        position = play(game, position, found.turn)
    return turns


# What is in a book ----------------------------------------------------------------------------


@EACH
def test_every_reply_is_legal_and_loses_no_more_than_the_book_says(name: str) -> None:
    game = load(name)
    for text, entry in entries(name).items():
        legal = {turn.text for turn in game.turns(game.position(text))}
        assert {reply.turn for reply in entry.replies} <= legal
        assert entry.replies[0].loss == 0
        assert all(reply.loss <= making.BOUND and reply.weight > 0 for reply in entry.replies)


@EACH
def test_a_book_tells_how_it_was_made_and_is_small(name: str) -> None:
    path = place(load(name))
    assert path
    assert path.stat().st_size <= LARGEST
    with path.open() as file:
        head = json.loads(file.readline())
    search = kind(load_fast(load(name)))
    told = (name, making.SEED, making.NODES[search], making.BOUND, making.PLIES)
    assert tuple(head[key] for key in ("game", "seed", "nodes", "bound", "plies")) == told


@EACH
def test_a_book_has_the_start_and_all_that_a_first_turn_comes_to(name: str) -> None:
    game, known = load(name), entries(name)
    assert str(game.start()) in known
    assert {str(turn.after) for turn in game.turns(game.start())} <= known.keys()


@pytest.mark.parametrize("name", ["zhizhu", "zig-zag"])
def test_the_same_search_finds_the_same_replies(name: str) -> None:
    game, known = load(name), entries(name)
    text = list(known)[-1]
    assert making.replies(game, game.position(text)) == known[text]


@pytest.mark.parametrize("name", ["yin-yang", "zong-heng"])
def test_replies_by_random_games_are_the_same_with_the_same_seed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(making.NODES, "uct", 60)
    game = load(name)
    one, other = (making.replies(game, game.start()) for _ in range(2))
    assert one == other
    assert all(reply.loss <= making.BOUND for reply in one.replies)


@EACH
def test_a_book_as_made_is_read_back(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(making, "POSITIONS", 3)
    monkeypatch.setattr(making, "NODES", {"uct": 30, "alphabeta": 300})
    made = making.made(load(name))
    path = tmp_path / "made.openings"
    path.write_text(making.told(load(name), made))
    assert book(path) == made


def test_what_is_damaged_or_missing_is_no_book(tmp_path: Path) -> None:
    for number, text in enumerate(
        ("", "{}\n{", '{}\n{"position":1}', "{}\n[]", '{}\n{"position":"a","value":0,"replies":[1]}')
    ):
        (tmp_path / f"{number}").write_text(text)
        assert book(tmp_path / f"{number}") == {}
    assert book(tmp_path / "missing") == {}


# How it is played -----------------------------------------------------------------------------


@EACH
def test_the_first_turn_of_a_level_comes_from_the_book_and_differs_by_the_seed(name: str) -> None:
    game = load(name)
    known = {reply.turn for reply in entries(name)[str(game.start())].replies}
    found = {at_table(game, LEVELS, game.start(), seed=seed).turn for seed in range(20)}
    assert found <= known
    assert len(found) > 1
    assert at_table(game, LEVELS, game.start(), seed=3) == at_table(game, LEVELS, game.start(), seed=3)


@EACH
def test_evenings_begin_differently(name: str) -> None:
    beginnings = Counter(tuple(begun(load(name), seed * 1000)) for seed in range(100))
    assert len(beginnings) > 20
    assert beginnings.most_common(1)[0][1] < 20


@EACH
def test_a_level_that_chooses_softly_does_without(name: str) -> None:
    game = load(name)
    soft = [number for number, level in enumerate(levels(game), start=1) if level.softness]
    assert all(
        at_table(game, number, game.start(), seed=5) == chosen(game, number, game.start(), seed=5)
        for number in soft[:2]
    )


def test_a_game_with_other_options_has_no_book() -> None:
    game = load("zong-heng", size=6)
    assert opened(game, game.start(), 1) is None


def test_a_level_thinks_for_itself_outside_the_book() -> None:
    game = load("zig-zag")
    position = game.start()
    while str(position) in entries("zig-zag"):
        position = game.turns(position)[-1].after
    assert at_table(game, 5, position, seed=2) == chosen(game, 5, position, seed=2)


def test_a_table_asks_the_book() -> None:
    sheet = ScoreSheet(load("zhizhu"))
    answer = LocalSearch().ask(question(sheet, LEVELS, seed=4), 0.0).answer
    assert answer
    assert answer.turn in {reply.turn for reply in entries("zhizhu")[str(sheet.position)].replies}
    assert answer.nodes == 0


def test_weights_fall_with_what_is_lost() -> None:
    assert [making.weight(loss) for loss in (0.0, making.BOUND / 2, making.BOUND)] == [10, 8, 5]
    assert Reply("a", 10, 0.0) in Entry(0.5, (Reply("a", 10, 0.0),)).replies


def test_no_book_is_read_before_it_is_asked() -> None:
    code = """
import firmware_bridge.engine.levels
from firmware_bridge.engine.openings import book
print(book.cache_info().currsize)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "0"
