"""Konane a second time, from its rules alone: what a stone comes over is read along the line, as a string of marks."""

from __future__ import annotations

import re

from oracle import CROSS, Squares, name, other, read, write


def konane(text: str) -> dict[str, str]:
    ranks, side = text.split()
    board = read(ranks)
    gaps = [square for square, mark in board.items() if mark == "."]
    if len(gaps) < 2:
        taken = beside(gaps[0]) if gaps else first(board)
        return {name(at): f"{write(board | {at: '.'})} {other(side)}" for at in taken if at in board}
    found = {}
    for square in (square for square, mark in board.items() if mark == side):
        for across, up in CROSS:
            line = [(square[0] + far * across, square[1] + far * up) for far in range(len(board))]
            line = [at for at in line if at in board]
            marks = "".join(board[at] for at in line)
            run = re.match(rf"{side}((?:{other(side)}\.)*)", marks)
            for end in range(2, 1 + len(run[1] if run else ""), 2):
                after = board | dict.fromkeys(line[:end], ".") | {line[end]: side}
                found["x".join(map(name, line[: end + 1 : 2]))] = f"{write(after)} {other(side)}"
    return found


def first(board: Squares) -> list[tuple[int, int]]:
    """The black stones of the corners, and of the four squares in the middle."""
    last = max(file for file, _ in board)
    corners = [(file, rank) for file in (0, last) for rank in (0, last)]
    middle = [(file, rank) for file in (last // 2, last // 2 + 1) for rank in (last // 2, last // 2 + 1)]
    return [square for square in corners + middle if board[square] == "x"]


def beside(square: tuple[int, int]) -> list[tuple[int, int]]:
    return [(square[0] + across, square[1] + up) for across, up in CROSS]
