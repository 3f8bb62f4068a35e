"""Two tables in processes of their own, through a real broker that is killed: the short form of `make bench-club`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.broker import MISSING, MOSQUITTO, packet_size
from benchmarks.club import Heard, Told, counted, game_of
from benchmarks.crowd import crowded, told_game
from docs.figures import crowd, linked


@pytest.mark.slow
@pytest.mark.skipif(not MOSQUITTO, reason=MISSING)
def test_two_tables_of_different_sensors_have_equal_scores_whatever_becomes_of_the_broker() -> None:
    found = game_of("zong-heng", seed=2, turns=2, every=1.0, share=0.1)
    assert (found.turns, found.equal, found.asked) == (2, True, 0)
    assert found.kills + found.cuts > 0


def heard(*, second: list[str]) -> Iterator[Heard]:
    yield Heard(0, Told("played", 1.0, 1, ["a"]))
    yield Heard(1, Told("lit", 1.25, 1))
    yield Heard(1, Told("played", 3.0, 1, ["a"]))
    yield Heard(0, Told("over", 4.0, turns=["a"]))
    yield Heard(1, Told("over", 4.0, turns=second))


def test_a_turn_is_timed_from_where_it_was_made_to_its_light() -> None:
    found = counted("zong-heng", [*heard(second=["a"])], 2, 3, 4)
    assert found.took_ms == [250.0]
    assert (found.equal, found.kills, found.cuts, found.dropped) == (True, 2, 3, 4)


@pytest.mark.parametrize("second", [[], ["b"], ["a", "a"]])
def test_scores_that_differ_are_no_equal_scores(second: list[str]) -> None:
    assert not counted("zong-heng", [*heard(second=second)], 0, 0, 0).equal


@pytest.mark.parametrize(
    ("data", "size"),
    [(b"", 0), (b"\x30", 0), (b"\xc0\x00", 2), (b"\x30\x05abcde", 7), (b"\x30\x80", 0), (b"\x30\x80\x01", 131)],
)
def test_packets_are_told_apart_by_their_length(data: bytes, size: int) -> None:
    assert packet_size(data) == size


def counts(*told: Heard) -> tuple[int | None, int | None, int | None]:
    found = counted("zong-heng", [*told], 0, 0, 0)
    return found.lost, found.invented, found.doubled


def both(*turns: str) -> tuple[Heard, Heard]:
    return Heard(0, Told("over", 9.0, turns=[*turns])), Heard(1, Told("over", 9.0, turns=[*turns]))


def test_turns_that_are_lost_invented_or_doubled_are_counted() -> None:
    made = Heard(0, Told("played", 1.0, 1, ["a"])), Heard(1, Told("played", 2.0, 1, ["a"]))
    assert counts(*made, *both("a")) == (0, 0, 0)
    assert counts(*made, *both("b")) == (2, 2, 0)
    assert counts(*made, *both("a", "b")) == (0, 2, 0)
    assert counts(*made, made[0], *both("a")) == (0, 0, 1)
    amended = Heard(0, Told("amended", 1.5, 1, ["b"]))
    assert counts(made[0], amended, made[1], *both("b")) == (0, 0, 0)


# Many tables, and what a line costs ---------------------------------------------------------------


def test_light_tables_say_what_real_ones_say(tmp_path: Path) -> None:
    said = told_game("zhizhu", 1, 6, tmp_path)
    assert [turn[0].seat for turn in said] == [0, 1] * 3
    assert all(len(turn) == 3 for turn in said)  # the turn, that it was heard, and that this was
    assert all(len(one.payload) < len(other.payload) for one, other in zip(said[0], said[-1], strict=True))


@pytest.mark.slow
@pytest.mark.skipif(not MOSQUITTO, reason=MISSING)
def test_light_tables_hear_each_other_at_a_real_broker() -> None:
    row = crowded(whole=0, tables=10, seconds=2.0, seed=1, think=0.5)
    assert row.turns > 0
    assert row.heard.median_ms
    assert 2.5 < row.messages_a_turn < 3.5


@pytest.mark.parametrize(
    ("block", "words"), [(crowd, "6 | 2 |"), (linked, "carries a game"), (crowd, "benchmarks.crowd")]
)
def test_saved_results_become_tables(block: Callable[[Path], str], words: str) -> None:
    assert words in block(Path(__file__).with_name("club_results"))


def test_what_was_not_measured_is_said(tmp_path: Path) -> None:
    assert "make bench-crowd" in crowd(tmp_path)
    assert "make bench-linked" in linked(tmp_path)
