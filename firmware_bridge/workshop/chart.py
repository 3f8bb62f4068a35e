"""A board in characters, as it lies: a short text for each of its points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hardware.board import Board

NAMED = 8
"""Named points in a line."""


def chart(board: Board, cells: Mapping[str, str]) -> Iterator[str]:
    """The lines of the board, from above, with the text of each point."""
    return squares(board, cells) if board.grid else rows(board, cells)


def squares(board: Board, cells: Mapping[str, str]) -> Iterator[str]:
    """Squares with their ranks and files."""
    wide = 2 + max(map(len, cells.values()))
    ranks = 1 + max(y for _, y in board.places.values())
    for rank in range(ranks - 1, -1, -1):
        yield f"{rank + 1:3}" + "".join(cells[point].rjust(wide) for point, (_, y) in board.places.items() if y == rank)
    yield "   " + "".join(point[0].rjust(wide) for point, (_, y) in board.places.items() if y == 0)


def rows(board: Board, cells: Mapping[str, str]) -> Iterator[str]:
    """Named points, some in a line."""
    told = [f"{point}: {cells[point]}" for point in board.places]
    wide = 2 + max(map(len, told))
    for start in range(0, len(told), NAMED):
        yield "".join(text.ljust(wide) for text in told[start : start + NAMED]).rstrip()
