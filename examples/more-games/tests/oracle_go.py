"""Go a second time, from its rules alone: stones are laid, what has no liberty goes off, and boards are compared."""

from __future__ import annotations

from oracle import CROSS, Squares, name, other, read, write

Point = tuple[int, int]


def go(text: str) -> dict[str, str]:
    ranks, side, ko, passes = text.split()
    board, left = read(ranks), int(passes)
    if left == 4:
        return {}
    turns = {"pass": f"{ranks} {other(side)} - {left + 1}"}
    if left >= 2:
        for group in blocks(board, side):
            first = min(group, key=lambda point: (point[1], point[0]))
            turns[f"x{name(first)}"] = f"{write(board | dict.fromkeys(group, '.'))} {other(side)} - 2"
        return turns
    for point, mark in board.items():
        after = laid(board, point, side) if mark == "." else None
        if after is not None and name(point) != ko:
            turns[name(point)] = f"{write(after)} {other(side)} {barred(board, after, other(side))} 0"
    return turns


def laid(board: Squares, point: Point, side: str) -> Squares | None:
    """The board after a stone of `side` on `point`; None if it would stand without a liberty."""
    after = board | {point: side}
    for group in blocks(after, other(side)):
        if not free(after, group):
            after |= dict.fromkeys(group, ".")
    return after if all(free(after, group) for group in blocks(after, side)) else None


def barred(before: Squares, after: Squares, side: str) -> str:
    """Where `side` would at once make the board again what it was before; ``-`` if nowhere."""
    emptied = [point for point in before if before[point] != "." == after[point]]
    return next((name(point) for point in emptied if laid(after, point, side) == before), "-")


def blocks(board: Squares, side: str) -> list[set[Point]]:
    """The groups of `side`, grown together from single stones."""
    groups: list[set[Point]] = []
    for point in (point for point, mark in board.items() if mark == side):
        touching = [group for group in groups if group & beside(point)]
        groups = [group for group in groups if group not in touching]
        groups.append({point}.union(*touching))
    return groups


def free(board: Squares, group: set[Point]) -> bool:
    return any(board.get(at) == "." for point in group for at in beside(point))


def beside(point: Point) -> set[Point]:
    return {(point[0] + across, point[1] + up) for across, up in CROSS}
