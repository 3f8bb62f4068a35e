"""The games a second time, written from their rules alone: dictionaries of squares and plain loops, no shared code.

Each oracle reads a position text and gives the texts of all turns with the texts of the positions after them.
"""

from __future__ import annotations

Squares = dict[tuple[int, int], str]
"""(file, rank), both from 0 -> the mark of what stands there."""
CROSS = ((0, 1), (0, -1), (1, 0), (-1, 0))


def read(ranks: str) -> Squares:
    return {(file, rank): mark for rank, row in enumerate(reversed(ranks.split("/"))) for file, mark in enumerate(row)}


def write(squares: Squares) -> str:
    files, ranks = (1 + max(square[axis] for square in squares) for axis in (0, 1))
    return "/".join("".join(squares[file, rank] for file in range(files)) for rank in reversed(range(ranks)))


def name(square: tuple[int, int]) -> str:
    return "abcdefghijkl"[square[0]] + str(square[1] + 1)


def other(mark: str) -> str:
    return {"x": "o", "o": "x"}[mark]


def clobber(text: str) -> dict[str, str]:
    ranks, side = text.split()
    squares, turns = read(ranks), {}
    for (file, rank), mark in squares.items():
        for across, up in CROSS:
            beside = file + across, rank + up
            if mark == side and squares.get(beside) == other(side):
                after = squares | {(file, rank): ".", beside: side}
                turns[f"{name((file, rank))}x{name(beside)}"] = f"{write(after)} {other(side)}"
    return turns


def reversi(text: str) -> dict[str, str]:
    ranks, side = text.split()
    squares = read("/".join(reversed(ranks.split("/"))))

    def turned(square: tuple[int, int], mark: str) -> set[tuple[int, int]]:
        found = set()
        for across, up in (*CROSS, (1, 1), (1, -1), (-1, 1), (-1, -1)):
            row, (file, rank) = set(), square
            while squares.get((file := file + across, rank := rank + up)) == other(mark):
                row.add((file, rank))
            if squares.get((file, rank)) == mark:
                found |= row
        return found

    def play(mark: str) -> dict[str, str]:
        turns = {}
        for square, stands in squares.items():
            if stands == "." and turned(square, mark):
                after = squares | dict.fromkeys({square, *turned(square, mark)}, mark)
                turns[name(square)] = f"{'/'.join(reversed(write(after).split('/')))} {other(mark)}"
        return turns

    return play(side) or ({"pass": f"{ranks} {other(side)}"} if play(other(side)) else {})


def oware(text: str) -> dict[str, str]:
    pits, stores, side = text.split()
    north, south = ([int(count) for count in row.split(",")] for row in pits.split("/"))
    store = dict(zip("SN", map(int, stores.split(",")), strict=True))
    if store["S"] >= 25 or store["N"] >= 25:
        return {}
    ring = [*(("S", column) for column in (1, 2, 3, 4, 5, 6)), *(("N", column) for column in (6, 5, 4, 3, 2, 1))]
    turns = {}
    for start, (owner, column) in enumerate(ring):
        seeds = dict(zip(ring, [*south, *reversed(north)], strict=True))
        hand, seeds[owner, column] = seeds[owner, column], 0
        if owner != side or not hand:
            continue
        rounds = [*ring[start + 1 :], *ring[:start]] * 5  # eleven others, as long as the seeds may last
        for pit in rounds[:hand]:
            seeds[pit] += 1
        enemy = "N" if side == "S" else "S"
        catch = []
        for pit in reversed(rounds[:hand]):
            if pit[0] == enemy and 2 <= seeds[pit] <= 3 and pit not in catch:
                catch.append(pit)
            else:
                break
        gain = sum(seeds[pit] for pit in catch)
        there = sum(count for pit, count in seeds.items() if pit[0] == enemy)
        if gain == there:
            gain, catch = 0, []
        seeds |= dict.fromkeys(catch, 0)
        if there:
            rows = ["/".join(",".join(str(seeds[row, at]) for at in range(1, 7)) for row in "NS")]
            won = store | {side: store[side] + gain}
            turns[f"{owner}{column}"] = f"{rows[0]} {won['S']},{won['N']} {enemy}"
    return turns


def tablut(text: str) -> dict[str, str]:
    ranks, side = text.split()
    squares = read(ranks)
    kings = [square for square, mark in squares.items() if mark == "k"]
    castle = (4, 4)
    if not kings or any(at in (0, 8) for at in kings[0]):
        return {}

    def beside(square: tuple[int, int], way: tuple[int, int], far: int = 1) -> tuple[int, int]:
        return square[0] + far * way[0], square[1] + far * way[1]

    def shut_in(board: Squares, square: tuple[int, int], way: tuple[int, int], foes: str) -> bool:
        """The piece on `square`, to which one of `foes` has come from the opposite of `way`."""
        around = [board.get(beside(square, each)) for each in CROSS if beside(square, each) != castle]
        if board[square] == "k" and (square == castle or len(around) == 3):
            return set(around) == {"x"}
        behind = beside(square, way)
        if board.get(behind, "") in [*foes]:
            return True
        if behind != castle:
            return False
        guards = [board[beside(castle, each)] for each in CROSS]
        return board[castle] == "." or (board[square] == "o" and sorted(guards) == ["o", "x", "x", "x"])

    turns = {}
    for start, piece in squares.items():
        own = "x" if piece == "x" else "ok"
        if piece == "." or (side == "x") != (piece == "x"):
            continue
        for way in CROSS:
            far = 1
            while squares.get(beside(start, way, far)) == "." and beside(start, way, far) != castle:
                goal = beside(start, way, far)
                board = squares | {start: ".", goal: piece}
                victims = [
                    beside(goal, each)
                    for each in CROSS
                    if board.get(beside(goal, each), ".") not in f".{own}"
                    and shut_in(board, beside(goal, each), each, own)
                ]
                turns[f"{name(start)}-{name(goal)}"] = f"{write(board | dict.fromkeys(victims, '.'))} {other(side)}"
                far += 1
    return turns


def sequences(game: str, start: str, depth: int) -> list[int]:
    """The number of turn sequences of length 1, 2, ... `depth` from the position `start`."""
    layer, counts = {start: 1}, []
    for _ in range(depth):
        after: dict[str, int] = {}
        for text, ways in layer.items():
            for reached in globals()[game](text).values():
                after[reached] = after.get(reached, 0) + ways
        layer = after
        counts.append(sum(layer.values()))
    return counts
