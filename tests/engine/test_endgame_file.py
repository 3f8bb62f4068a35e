"""The files that endings are kept in, of both games: saved, read back, damaged, missing, and used by the engine."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from firmware_bridge.engine import endgame_zhizhu, endgame_zig_zag, engine
from firmware_bridge.engine.alphabeta import AlphaBeta
from firmware_bridge.engine.endgame import GAMES, SHIPPED, EndgameError, Endings, heading, keep, kind, place, stored
from games.fast import load_fast
from games.rules import load

REACH = {"zhizhu": 3, "zig-zag": 5}
DECIDED = {"zhizhu": ".....x../x.x...../...oo.o. x 0,0 -,-", "zig-zag": "0,0,1,0,0,2/1,0,0,1,0,0 28,27 S - N"}
"""An ending of each that is decided, and that a search of a few positions does not see through."""
games = pytest.mark.parametrize("game", GAMES)


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user's folder for endings, with none in it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    place(GAMES[0]).parent.mkdir()


@cache
def table(game: str) -> Endings:
    return kind(game).build(REACH[game], lambda done, every: None)


def content(endings: Endings) -> object:
    if isinstance(endings, endgame_zhizhu.Endgame):
        return endings.tables
    assert isinstance(endings, endgame_zig_zag.Endgame)
    return endings.shares


@games
def test_a_table_is_saved_and_read_back(game: str, tmp_path: Path) -> None:
    table(game).write(tmp_path / "endings")
    again = kind(game).read(tmp_path / "endings")
    assert (content(again), again.reach) == (content(table(game)), REACH[game])
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


def refused(game: str, path: Path) -> str:
    with pytest.raises(EndgameError, match="build it again") as caught:
        kind(game).read(path)
    return str(caught.value)


@games
def test_a_damaged_table_is_refused_with_its_name(game: str, tmp_path: Path) -> None:
    path = tmp_path / "endings"
    table(game).write(path)
    for what, data in damaged(path.read_bytes()).items():
        path.write_bytes(data)
        assert refused(game, path).startswith(str(path)), what


@games
@pytest.mark.parametrize("reach", [0, 1, 3, 4, 200])
def test_a_table_that_cannot_be_right_is_refused(game: str, reach: int, tmp_path: Path) -> None:
    """Well kept, but of another size, or not even packed."""
    for data in (b"", b"no table", bytes(1000)):
        keep(tmp_path / "endings", game, reach, data)
        assert "damaged" in refused(game, tmp_path / "endings")


@games
def test_the_endings_of_another_game_are_refused(game: str, tmp_path: Path) -> None:
    other = GAMES[1 - GAMES.index(game)]
    table(other).write(tmp_path / "endings")
    assert f"not a file of endings of {load(game).title}" in refused(game, tmp_path / "endings")


@games
def test_a_missing_table_is_named(game: str, tmp_path: Path) -> None:
    with pytest.raises(EndgameError, match="No such file"):
        kind(game).read(tmp_path / "none")


@games
def test_the_engine_uses_a_table_if_there_is_one(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    rules = load(game)
    fast = load_fast(rules)
    assert stored(fast, tmp_path) is None
    place(game).parent.mkdir()
    table(game).write(place(game))
    kept = stored(fast, tmp_path)
    assert kept
    position = rules.position(DECIDED[game])
    (without, *_) = AlphaBeta(fast).find(position, nodes=10)
    (found, *_) = AlphaBeta(fast, endings=kept).find(position, nodes=10)
    assert (without.proved, found.proved, found.value in (0.0, 1.0)) == (False, True, True)


@games
def test_package_ships_the_farthest_endings_and_the_engine_uses_them(game: str, room: None) -> None:
    table(game).write(place(game))
    shipped = stored(load_fast(load(game)))
    assert shipped
    assert shipped.reach == kind(game).LARGEST
    (found, *_) = engine(load(game)).find(load(game).position(DECIDED[game]), nodes=10)
    assert found.proved


@pytest.mark.long
@games
def test_shipped_endings_equal_those_worked_out_here(game: str) -> None:
    made = kind(game).build(kind(game).LARGEST, lambda done, every: None)
    assert content(made) == content(kind(game).read(SHIPPED / f"{game}.endings"))


@games
def test_search_runs_without_an_unusable_table(game: str, room: None) -> None:
    place(game).write_bytes(heading(game))
    assert list(engine(load(game)).find(load(game).start(), nodes=100))


def test_a_game_without_endings_has_none() -> None:
    assert stored(load_fast(load("yin-yang"))) is None
