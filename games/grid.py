"""A checkered board of squares: names, shades, straight lines and text, shared by the games played on one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from games.text import stones

Line = tuple[int, ...]


class Grid:
    """A square board of `size` files and ranks; squares are numbered by ranks from a1, which is dark."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.squares = range(size * size)
        self.sites = tuple(f"{chr(ord('a') + file)}{rank + 1}" for rank in range(size) for file in range(size))
        self.dark = tuple((square // size + square % size) % 2 == 0 for square in self.squares)
        self.shaded = frozenset(site for site, dark in zip(self.sites, self.dark, strict=True) if dark)
        self.places = {site: divmod(square, size)[::-1] for square, site in enumerate(self.sites)}

    @cached_property
    def rays(self) -> tuple[tuple[Line, ...], ...]:
        """For each square the squares up, down, left and right of it, nearest first."""
        return tuple(
            tuple(tuple(self._ray(square, *way)) for way in ((0, 1), (0, -1), (-1, 0), (1, 0)))
            for square in self.squares
        )

    @cached_property
    def around(self) -> tuple[Line, ...]:
        """For each square the squares beside it, diagonals included."""
        ways = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
        return tuple(tuple(square for way in ways for square in self._ray(at, *way)[:1]) for at in self.squares)

    def _ray(self, square: int, across: int, up: int) -> list[int]:
        file, rank = square % self.size + across, square // self.size + up
        ray = []
        while 0 <= file < self.size and 0 <= rank < self.size:
            ray.append(rank * self.size + file)
            file, rank = file + across, rank + up
        return ray

    def names(self, squares: Iterable[int]) -> tuple[str, ...]:
        """The sites of these squares."""
        return tuple(self.sites[square] for square in squares)

    def text(self, cells: bytes) -> str:
        """The ranks from the top one down, separated by ``/``."""
        marks = "".join(".xo"[level] for level in cells)
        ranks = (marks[start : start + self.size] for start in range(0, len(marks), self.size))
        return "/".join(reversed(list(ranks)))

    def cells(self, text: str) -> bytes:
        """Read `text` back; `PositionError` names the rank and what is wrong with it."""
        ranks = [f"rank {rank}" for rank in range(self.size, 0, -1)]
        top_down = stones(text.split("/"), ranks, self.size)
        return b"".join(
            top_down[start : start + self.size] for start in range(len(top_down) - self.size, -1, -self.size)
        )
