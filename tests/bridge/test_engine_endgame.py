"""The table of Zig Zag's endings: against the readable rules, in the search, and as a file."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

from firmware_bridge.engine import engine
from firmware_bridge.engine.alphabeta import AlphaBeta
from firmware_bridge.engine.endgame import Endgame, EndgameError, build, lying, number, place, read, stored
from games.fast.zig_zag import ROW, FastZigZag
from games.rules import Position, load, play

ZIG_ZAG = load("zig-zag")
ENDINGS = build(4)


def ending(near: int, far: int, captor: int, side: int = 0) -> int:
    """A state with these rows, the mover's first, and all the other seeds in the mover's store."""
    rows = (near | far << 36) if not side else (far | near << 36)
    left = sum((near | far << 36) >> 6 * pit & 63 for pit in range(12))
    return rows | 60 - left << (78 if side else 72) | side << 84 | captor + 1 << 87


def endings(seeds: int) -> list[tuple[int, int]]:
    """Every way that so many seeds can lie: the mover's row and the other's."""
    return [(way & ROW, way >> 36) for way in lying(seeds)]


def test_endings_are_numbered_in_order() -> None:
    assert [number(*rows) for seeds in range(5) for rows in endings(seeds)] == list(range(1820))


LONG = 10
"""Turns without a capture after which the side that captured last is left with everything."""


@cache
def forced(position: Position, depth: int = LONG) -> int:
    """The mover's margin by the readable rules, if what is left is given away after `LONG` turns without a capture."""
    turns = ZIG_ZAG.turns(position) if depth else ()
    if turns:
        quiet = [turn.after.stores == position.stores for turn in turns]
        return max(-forced(turn.after, depth - 1 if same else LONG) for turn, same in zip(turns, quiet, strict=True))
    south, north = position.stores
    left = sum(position.cells)
    margin = south - north + (left if position.last == 0 else -left)
    return -margin if position.side else margin


@pytest.mark.parametrize("seeds", [1, 2, 3])
def test_the_shares_are_what_can_be_forced(seeds: int) -> None:
    for order, (near, far) in enumerate(endings(seeds)):
        side, captor = order % 2, order // 2 % 2
        state = ending(near, far, captor, side)
        share = ENDINGS.share(state)
        assert share is not None
        assert 60 - seeds + 2 * share - seeds == forced(FastZigZag().position(state))


def test_the_shares_of_four_seeds_are_what_can_be_forced() -> None:
    random = Random(1)
    for near, far in random.sample(endings(4), 60):
        state = ending(near, far, random.randrange(2), random.randrange(2))
        share = ENDINGS.share(state)
        assert share is not None
        assert 52 + 2 * share == forced(FastZigZag().position(state))


def test_whoever_captured_last_gets_no_less() -> None:
    assert all(both >> 4 >= both & 15 for both in ENDINGS.shares)


def test_no_share_is_told_where_the_table_has_none() -> None:
    game = FastZigZag()
    assert ENDINGS.share(game.state(ZIG_ZAG.start())) is None
    assert ENDINGS.share(game.state(ZIG_ZAG.position("0,0,0,1,0,1/1,0,0,0,0,0 57,0 N N4 S"))) is None
    assert ENDINGS.share(game.state(ZIG_ZAG.position("0,0,0,1,0,1/1,0,0,0,0,0 57,0 N - -"))) is None


CLOSE = "0,0,1,0,0,2/1,0,0,1,0,0 28,27 S - N"
"""Five seeds, and the last captures decide: North can take the lead, which a short search does not see."""


def share_of(table: Endgame, position: Position) -> int:
    share = table.share(FastZigZag().state(position))
    assert share is not None
    return share


def test_the_search_proves_by_the_endings_what_it_does_not_see() -> None:
    position, larger = ZIG_ZAG.position(CLOSE), build(5)
    assert 28 - 27 + 2 * share_of(larger, position) - 5 < 0
    (*_, without) = AlphaBeta(FastZigZag()).find(position, nodes=1000)
    (*_, found) = AlphaBeta(FastZigZag(), endings=larger).find(position, nodes=1000)
    assert (without.proved, found.value, found.proved) == (False, 0.0, True)


def test_the_search_plays_every_ending_out_as_the_table_says() -> None:
    """Both sides search; the margin at the end is what the table said at the start, so nobody dawdled or erred."""
    search = AlphaBeta(FastZigZag(), endings=ENDINGS)
    for way in Random(2).sample([way for way in lying(4) if way & ROW], 12):
        position: Position = FastZigZag().position(ending(way & ROW, way >> 36, 1))
        margin, history = 52 + 2 * share_of(ENDINGS, position), [position]
        while ZIG_ZAG.turns(position) and history.count(position) < 3:
            (*_, found) = search.find(position, nodes=400, history=history)
            position = play(ZIG_ZAG, position, found.turn)
            history.append(position)
        assert FastZigZag().margin(FastZigZag().state(position)) == margin


def test_building_tells_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    build(3, lambda done, whole: told.append((done, whole)))
    assert told == [(13, 455), (91, 455), (455, 455)]


def test_a_table_is_saved_and_read_back(tmp_path: Path) -> None:
    ENDINGS.write(tmp_path / "endings")
    again = read(tmp_path / "endings")
    assert (again.shares, again.seeds) == (ENDINGS.shares, 4)
    assert [path.name for path in tmp_path.iterdir()] == ["endings"]


def damaged(data: bytes) -> dict[str, bytes]:
    """A saved table in many states of disrepair."""
    seeds = data.index(b"\n") + 1
    return {
        "empty": b"",
        "something else": b"a" * len(data),
        "cut short": data[:-1],
        "one byte more": data + b"0",
        "a byte changed": data[:100] + bytes([data[100] ^ 1]) + data[101:],
        "another number of seeds": data[:seeds] + b"\3" + data[seeds + 1 :],
        "too many seeds": data[:seeds] + b"\xff" + data[seeds + 1 :],
        "the heading alone": data[: seeds + 1],
    }


def test_a_damaged_table_is_refused_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "endings"
    ENDINGS.write(path)
    for kind, data in damaged(path.read_bytes()).items():
        path.write_bytes(data)
        with pytest.raises(EndgameError, match="build it again") as caught:
            read(path)
        assert str(caught.value).startswith(str(path)), kind


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(EndgameError, match="No such file"):
        read(tmp_path / "none")


def test_the_engine_uses_a_table_if_there_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert stored() is None
    place().parent.mkdir()
    build(5).write(place())
    (found, *_) = engine(ZIG_ZAG).find(ZIG_ZAG.position(CLOSE), nodes=10)
    assert (found.value, found.proved) == (0.0, True)


def test_a_table_that_cannot_be_used_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    place().parent.mkdir()
    place().write_bytes(b"?")
    assert list(engine(ZIG_ZAG).find(ZIG_ZAG.start(), nodes=100))
