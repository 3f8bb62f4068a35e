"""The files that endings are kept in, of both games: saved, read back, damaged, missing, and used by the engine."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.engine import engine
from firmware_bridge.engine.alphabeta import AlphaBeta
from firmware_bridge.engine.endgame import EndgameError, heading, kind, place, read, shipped, stored, write
from games.endings import Endings, Kind
from games.fast import load_fast
from games.rules import Game, load, names

GAMES = [game for game in map(load, names()) if kind(game)]
REACH = {"zhizhu": 3, "zig-zag": 5}
DECIDED = {"zhizhu": ".....x../x.x...../...oo.o. x 0,0 -,-", "zig-zag": "0,0,1,0,0,2/1,0,0,1,0,0 28,27 S - N"}
"""An ending of each that is decided, and that a search of a few positions does not see through."""
each = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user's folder for endings, with none in it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    place(GAMES[0]).parent.mkdir()


def worked_out(game: Game[Any]) -> Kind:
    known = kind(game)
    assert known
    return known


@cache
def table(game: Game[Any]) -> Endings:
    return worked_out(game).build(REACH[game.name], lambda done, every: None)


def save(game: Game[Any], path: Path) -> None:
    write(game, path, table(game).reach, table(game).packed())


def test_there_are_games_with_endings() -> None:
    assert {game.name for game in GAMES} == REACH.keys()


@each
def test_a_table_is_saved_and_read_back(game: Game[Any], tmp_path: Path) -> None:
    save(game, tmp_path / "endings")
    again = read(game, tmp_path / "endings")
    assert (again.packed(), again.reach) == (table(game).packed(), REACH[game.name])
    assert [path.name for path in tmp_path.iterdir()] == ["endings"]


def damaged(data: bytes) -> dict[str, bytes]:
    """A saved table in many states of disrepair."""
    reach = data.index(b"\n") + 1
    return {
        "empty": b"",
        "something else": b"a" * len(data),
        "cut short": data[:-1],
        "one byte more": data + b"0",
        "a byte changed": data[:100] + bytes([data[100] ^ 1]) + data[101:],
        "another reach": data[:reach] + b"\4" + data[reach + 1 :],
        "too far a reach": data[:reach] + b"\xff" + data[reach + 1 :],
        "the heading alone": data[: reach + 1],
    }


def refused(game: Game[Any], path: Path) -> str:
    with pytest.raises(EndgameError, match="build it again") as caught:
        read(game, path)
    return str(caught.value)


@each
def test_a_damaged_table_is_refused_with_its_name(game: Game[Any], tmp_path: Path) -> None:
    path = tmp_path / "endings"
    save(game, path)
    for what, data in damaged(path.read_bytes()).items():
        path.write_bytes(data)
        assert refused(game, path).startswith(str(path)), what


@each
@pytest.mark.parametrize("reach", [0, 1, 3, 4, 200])
def test_a_table_that_cannot_be_right_is_refused(game: Game[Any], reach: int, tmp_path: Path) -> None:
    """Well kept, but of another size, or not even packed."""
    for data in (b"", b"no table", bytes(1000)):
        write(game, tmp_path / "endings", reach, data)
        assert "damaged" in refused(game, tmp_path / "endings")


@each
def test_the_endings_of_another_game_are_refused(game: Game[Any], tmp_path: Path) -> None:
    other = GAMES[1 - GAMES.index(game)]
    save(other, tmp_path / "endings")
    assert f"not a file of endings of {game.title}" in refused(game, tmp_path / "endings")


@each
def test_a_missing_table_is_named(game: Game[Any], tmp_path: Path) -> None:
    with pytest.raises(EndgameError, match="No such file"):
        read(game, tmp_path / "none")


@each
def test_the_engine_uses_a_table_if_there_is_one(game: Game[Any], tmp_path: Path) -> None:
    fast: Any = load_fast(game)
    position = game.position(DECIDED[game.name])
    (without, *_) = AlphaBeta(fast).find(position, nodes=10)
    (found, *_) = AlphaBeta(fast, endings=table(game)).find(position, nodes=10)
    assert (without.proved, found.proved, found.value in (0.0, 1.0)) == (False, True, True)


@each
def test_what_the_user_has_is_taken_where_nothing_better_comes_with_the_game(
    game: Game[Any], room: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_bridge.engine.endgame.shipped", lambda game: Path("none"))
    assert stored(game) is None
    save(game, place(game))
    assert (kept := stored(game))
    assert kept.reach == REACH[game.name]


@each
def test_package_ships_the_farthest_endings_and_the_engine_uses_them(game: Game[Any], room: None) -> None:
    save(game, place(game))
    farthest = stored(game)
    assert farthest
    assert farthest.reach == worked_out(game).LARGEST
    (found, *_) = engine(game).find(game.position(DECIDED[game.name]), nodes=10)
    assert found.proved


@pytest.mark.long
@each
def test_shipped_endings_equal_those_worked_out_here(game: Game[Any]) -> None:
    made = worked_out(game).build(worked_out(game).LARGEST, lambda done, every: None)
    assert made.packed() == read(game, shipped(game)).packed()


@each
def test_search_runs_without_an_unusable_table(game: Game[Any], room: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.engine.endgame.shipped", lambda game: Path("none"))
    place(game).write_bytes(heading(game))
    assert list(engine(game).find(game.start(), nodes=100))


def test_a_game_without_endings_has_none() -> None:
    assert stored(load("yin-yang")) is None
