"""Numbers of turn sequences and of distinct positions after them, as two independent programs counted them."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules import load, perft

Table = list[tuple[int, int, int | None]]
"""Depth, sequences, distinct positions; None where that is not published."""

ZONG_HENG: Table = [
    (1, 56, 32),
    (2, 3_108, 1_016),
    (3, 171_192, 16_380),
    (4, 9_322_982, 262_387),
]
ZONG_HENG_STRIPES: Table = [
    (1, 56, 28),
    (2, 3_085, 769),
    (3, 169_801, 11_463),
]
ZHIZHU: Table = [
    (1, 24, 24),
    (2, 552, 552),
    (3, 12_144, 6_072),
    (4, 255_024, 63_756),
    (5, 5_120_640, 423_528),
]
YIN_YANG: Table = [
    (1, 8, 8),
    (2, 40, 40),
    (3, 328, 296),
    (4, 2_624, 1_784),
    (5, 22_160, 10_480),
    (6, 205_512, 62_360),
    (7, 1_954_176, None),
]
ZIG_ZAG: Table = [
    (1, 6, 6),
    (2, 36, 36),
    (3, 206, 206),
    (4, 1_190, 1_188),
    (5, 6_740, 6_712),
    (6, 37_818, 37_568),
    (7, 212_236, None),
]


def check(table: Table, depth: int, name: str, **options: Any) -> None:
    counted = perft(load(name, **options), depth)
    for (ply, sequences, distinct), count in zip(table[:depth], counted, strict=True):
        assert (count.depth, count.sequences) == (ply, sequences)
        assert distinct in (None, count.distinct)


@pytest.mark.parametrize("depth", [3, pytest.param(4, marks=pytest.mark.long)])
def test_zong_heng(depth: int) -> None:
    check(ZONG_HENG, depth, "zong-heng")


def test_zong_heng_in_stripes() -> None:
    check(ZONG_HENG_STRIPES, 3, "zong-heng", setup="stripes")


@pytest.mark.parametrize("depth", [3, pytest.param(5, marks=pytest.mark.long)])
def test_zhizhu(depth: int) -> None:
    check(ZHIZHU, depth, "zhizhu")


def test_zhizhu_is_the_same_whoever_starts() -> None:
    check(ZHIZHU, 3, "zhizhu", first="o")


@pytest.mark.parametrize("depth", [5, pytest.param(7, marks=pytest.mark.long)])
def test_yin_yang(depth: int) -> None:
    check(YIN_YANG, depth, "yin-yang")


@pytest.mark.parametrize("depth", [5, pytest.param(7, marks=pytest.mark.long)])
def test_zig_zag(depth: int) -> None:
    check(ZIG_ZAG, depth, "zig-zag")


def test_perft_counts_from_any_position() -> None:
    game = load("yin-yang")
    position = game.turns(game.start())[0].after
    assert [count.sequences for count in perft(game, 2, position)] == [len(game.turns(position)), 41]
