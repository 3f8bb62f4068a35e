"""Zong-Heng a second time, written from its rules page alone: a dictionary of squares and plain loops."""

from __future__ import annotations

from itertools import pairwise

Squares = dict[tuple[int, int], str]
"""(file, rank), both from 0 -> x, o or ``.``"""


def read(text: str) -> tuple[Squares, str]:
    ranks, side = text.split()
    rows = ranks.split("/")
    rows.reverse()
    return {(file, rank): mark for rank, row in enumerate(rows) for file, mark in enumerate(row)}, side


def write(squares: Squares, side: str) -> str:
    size = 1 + max(rank for _, rank in squares)
    rows = ["".join(squares[file, rank] for file in range(size)) for rank in range(size)]
    rows.reverse()
    return f"{'/'.join(rows)} {side}"


def name(square: tuple[int, int]) -> str:
    return "abcdefghijkl"[square[0]] + str(square[1] + 1)


def line_from(squares: Squares, start: tuple[int, int], step: tuple[int, int]) -> list[tuple[int, int]]:
    """The run of stones from `start` and the empty square after it; nothing if it reaches the edge."""
    line = [start]
    while squares.get(line[-1], "edge") in ("x", "o"):
        file, rank = line[-1]
        line.append((file + step[0], rank + step[1]))
    return line if squares.get(line[-1]) == "." else []


def pushed(squares: Squares, line: list[tuple[int, int]], side: str) -> Squares:
    after = dict(squares)
    for origin, target in pairwise(line):
        after[target] = squares[origin]
    after[line[0]] = side
    return after


def results(text: str) -> dict[str, str]:
    """Turn text -> the position text after it, for every legal turn."""
    squares, side = read(text)
    other = "o" if side == "x" else "x"
    found = {}
    for start in squares:
        if (start[0] + start[1]) % 2 == 0:
            for step in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                line = line_from(squares, start, step)
                stones = [squares[square] for square in line[:-1]]
                if stones.count(side) > stones.count(other):
                    found[f"{name(start)}-{name(line[-1])}"] = write(pushed(squares, line, side), other)
    if not found and "." in squares.values():
        found["pass"] = write(squares, other)
    return found


def group(squares: Squares, start: tuple[int, int], mark: str) -> int:
    """The size of the group of `start`; its stones are taken off as they are counted."""
    if squares.get(start) != mark:
        return 0
    squares[start] = "counted"
    file, rank = start
    beside = [(file + 1, rank), (file - 1, rank), (file, rank + 1), (file, rank - 1)]
    return 1 + sum(group(squares, square, mark) for square in beside)


def winner(text: str) -> str:
    """``x``, ``o`` or ``draw`` on a full board."""
    squares, _ = read(text)
    sizes: dict[str, list[int]] = {"x": [], "o": []}
    for square, mark in list(squares.items()):
        if squares[square] == mark:
            sizes[mark].append(group(squares, square, mark))
    for own in sizes.values():
        own.sort(reverse=True)
        own.extend([0] * len(squares))
    for black, white in zip(sizes["x"], sizes["o"], strict=False):
        if black != white:
            return "x" if black > white else "o"
    return "draw"
