"""Two tables in processes of their own, through a real broker that is killed: the short form of `make bench-club`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.broker import MISSING, MOSQUITTO, packet_size
from benchmarks.club import Heard, Told, counted, game_of


@pytest.mark.slow
@pytest.mark.skipif(not MOSQUITTO, reason=MISSING)
def test_two_tables_of_different_sensors_have_equal_scores_whatever_becomes_of_the_broker() -> None:
    found = game_of("zong-heng", seed=2, turns=2, every=1.0, share=0.1)
    assert (found.turns, found.equal, found.asked) == (2, True, 0)
    assert found.kills + found.cuts > 0


def heard(*, second: list[str]) -> Iterator[Heard]:
    yield Heard(0, Told("played", 1.0, 1))
    yield Heard(1, Told("lit", 1.25, 1))
    yield Heard(1, Told("played", 3.0, 1))
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
