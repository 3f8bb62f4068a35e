"""What is compared with other programs is what it says: the same thing on both sides, and all of it can be measured."""

from __future__ import annotations

import pytest

from benchmarks import speeds
from benchmarks.engine import ROWS, SIMILAR
from docs.figures import INSIDE
from games.core import Perft
from games.rules import load, names


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speeds, "SECONDS", 0.001)


def test_every_game_is_compared_inside_and_from_python() -> None:
    assert SIMILAR.keys() == set(names())
    for name in names():
        for inside in INSIDE:
            assert any(row.inside == inside and name in row.ours.split() for row in ROWS)
    assert {word for row in ROWS for word in (row.ours.split()[0], row.theirs.split()[0])} <= speeds.KINDS.keys()


@pytest.mark.parametrize("name", names())
def test_random_games_are_counted_in_plies(name: str) -> None:
    assert speeds.rollouts(name) > speeds.length(name)


@pytest.mark.parametrize("name", names())
def test_lines_inside_are_those_of_the_rules(name: str) -> None:
    if not speeds.has_core(name):
        pytest.skip("this game has no rules on words")
    game, (fast, state) = load(name), speeds.ours(name)
    assert Perft(fast.core()).count(state, 2) == sum(len(game.turns(turn.after)) for turn in game.turns(game.start()))
    assert speeds.lines(name, "middle") > 0


def test_lines_of_chess_are_counted_as_ours() -> None:
    pytest.importorskip("chess", reason="python-chess is not installed")
    counted: list[float] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(speeds, "rate", lambda do: counted.append(do()) or 1.0)
        speeds.chess_lines("start")
    assert counted == [8902]  # https://www.chessprogramming.org/Perft_Results


def test_open_spiel_plays_random_games_inside_its_search() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    assert "open_spiel" in speeds.versions()
    assert speeds.games_inside("mancala") > 1000
    assert speeds.rollouts("mancala") > speeds.mean_length("mancala")
