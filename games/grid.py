"""A checkered board of squares: names, shades, straight lines and text, shared by the games played on one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from games.text import MARKS, stones

Line = tuple[int, ...]


class Grid:
    """A board of `files` by `ranks`, as many ranks as files where none are given.

    Squares are numbered by ranks from a1, which is dark.
    """

    def __init__(self, files: int, ranks: int | None = None) -> None:
        self.files, self.ranks = files, ranks or files
        self.squares = range(self.files * self.ranks)
        self.sites = tuple(f"{chr(ord('a') + square % files)}{square // files + 1}" for square in self.squares)
        self.dark = tuple((square // files + square % files) % 2 == 0 for square in self.squares)
        self.shaded = frozenset(site for site, dark in zip(self.sites, self.dark, strict=True) if dark)
        self.places = {site: divmod(square, files)[::-1] for square, site in enumerate(self.sites)}

    @cached_property
    def rays(self) -> tuple[tuple[Line, ...], ...]:
        """For each square the squares up, down, left and right of it, nearest first."""
        return tuple(
            tuple(self.ray(square, *way) for way in ((0, 1), (0, -1), (-1, 0), (1, 0))) for square in self.squares
        )

    @cached_property
    def around(self) -> tuple[Line, ...]:
        """For each square the squares beside it, diagonals included."""
        ways = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
        return tuple(tuple(square for way in ways for square in self.ray(at, *way)[:1]) for at in self.squares)

    def ray(self, square: int, across: int, up: int) -> Line:
        """The squares from `square` to the edge, each `across` files and `up` ranks from the one before."""
        file, rank = square % self.files + across, square // self.files + up
        ray = []
        while 0 <= file < self.files and 0 <= rank < self.ranks:
            ray.append(rank * self.files + file)
            file, rank = file + across, rank + up
        return tuple(ray)

    def names(self, squares: Iterable[int]) -> tuple[str, ...]:
        """The sites of these squares."""
        return tuple(self.sites[square] for square in squares)

    def text(self, cells: bytes, marks: str = MARKS) -> str:
        """The ranks from the top one down, separated by ``/``; each level is written as the mark in its place."""
        row = "".join(marks[level] for level in cells)
        return "/".join(reversed([row[start : start + self.files] for start in self.squares[:: self.files]]))

    def cells(self, text: str, marks: str = MARKS) -> bytes:
        """Read `text` back; `PositionError` names the rank and what is wrong with it."""
        ranks = [f"rank {rank}" for rank in range(self.ranks, 0, -1)]
        top_down = stones(text.split("/"), ranks, self.files, marks)
        return b"".join(top_down[start : start + self.files] for start in reversed(self.squares[:: self.files]))
