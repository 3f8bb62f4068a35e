"""Draughts a second time, from its rules alone: each jump is made on a board of its own, one after another."""

from __future__ import annotations

from itertools import product

from oracle import Squares, name, other, read, write


def draughts(text: str) -> dict[str, str]:
    ranks, side = text.split()
    board = read(ranks)
    own = [square for square, mark in board.items() if mark.lower() == side]
    taking = [chain for square in own for chain in chains(board, [square], frozenset())]
    walks = [step for square in own for step in steps(board, square)]
    return {line: f"{write(after)} {other(side)}" for line, after in taking or walks}


def slants(mark: str) -> list[tuple[int, int]]:
    """The ways in which this piece goes: (files, ranks)."""
    return list(product((-1, 1), {"x": (1,), "o": (-1,)}.get(mark, (-1, 1))))


def crowned(mark: str, rank: int) -> str:
    return mark.upper() if rank == {"x": 7, "o": 0}[mark.lower()] else mark


def steps(board: Squares, square: tuple[int, int]) -> list[tuple[str, Squares]]:
    file, rank = square
    reached = [(file + across, rank + up) for across, up in slants(board[square])]
    return [
        (f"{name(square)}-{name(to)}", board | {square: ".", to: crowned(board[square], to[1])})
        for to in reached
        if board.get(to) == "."
    ]


def chains(board: Squares, way: list[tuple[int, int]], gone: frozenset[tuple[int, int]]) -> list[tuple[str, Squares]]:
    """The whole jumps that begin with `way`, at the end of which the piece stands on `board`; `gone` were jumped."""
    file, rank = here = way[-1]
    mark, found = board[here], []
    for across, up in slants(mark):
        over, to = (file + across, rank + up), (file + 2 * across, rank + 2 * up)
        if board.get(to) != "." or board[over].lower() != other(mark.lower()) or over in gone:
            continue
        after = board | {here: ".", to: crowned(mark, to[1])}
        longer = chains(after, [*way, to], gone | {over}) if after[to] == mark else []
        done = after | dict.fromkeys(gone | {over}, ".")
        found += longer or [("x".join(map(name, [*way, to])), done)]
    return found
