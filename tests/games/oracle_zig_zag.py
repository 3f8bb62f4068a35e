"""Zig Zag a second time, written from its rules page alone.

The board is the circle of twelve pits in the order of the path, so that South's pits have the even places, the pit
straight across from place k is 11 - k, and sowing is counting on or back.
"""

from __future__ import annotations

from typing import NamedTuple

PATH = ["S1", "N2", "S3", "N4", "S5", "N6", "S6", "N5", "S4", "N3", "S2", "N1"]


class State(NamedTuple):
    """Seeds by place on the path, the side to move, the pit that may not go back, stores and the last captor."""

    circle: tuple[int, ...]
    side: str
    back: str
    south: int
    north: int
    last: str


def read(text: str) -> State:
    pits, stores, side, back, last = text.split()
    north, south = (list(map(int, row.split(","))) for row in pits.split("/"))
    circle = tuple((south if pit[0] == "S" else north)[int(pit[1]) - 1] for pit in PATH)
    south_store, north_store = map(int, stores.split(","))
    return State(circle, side, back, south_store, north_store, last)


def write(state: State) -> str:
    seeds = dict(zip(PATH, state.circle, strict=True))
    north, south = (",".join(str(seeds[f"{side}{column}"]) for column in range(1, 7)) for side in "NS")
    return f"{north}/{south} {state.south},{state.north} {state.side} {state.back} {state.last}"


def direction(pit: str) -> int:
    """1 along the path or -1 against it: whichever leads to the column nearer the other half of the board."""
    place, column = PATH.index(pit), int(pit[1])
    onward = int(PATH[(place + 1) % 12][1])
    right = column <= 3
    return 1 if (onward == column + 1 if right else onward == column - 1) else -1


def sown(state: State, pit: str) -> State:
    """All of a turn that begins with `pit`."""
    circle, step, place = list(state.circle), direction(pit), PATH.index(pit)
    other = "N" if state.side == "S" else "S"
    lifted = circle[place]
    single = lifted == 1
    while True:
        circle[place] = 0
        while lifted > 0:
            place = (place + step) % 12
            circle[place] += 1
            lifted -= 1
        if PATH[place][0] == other or circle[place] == 1:
            break
        lifted = circle[place]
    return settled(state._replace(circle=tuple(circle), side=other, back="-"), place, single, pit)


def settled(state: State, place: int, single: bool, pit: str) -> State:
    """After the last seed fell on `place`: what is captured, and which seed may not go straight back."""
    ended, across = PATH[place], 11 - place
    if ended[0] != state.side or state.circle[place] > 1:
        return state
    taken = state.circle[across]
    if taken == 0:
        crossed = (int(pit[1]) <= 3) != (int(ended[1]) <= 3)
        return state._replace(back=ended) if single and crossed else state
    circle = tuple(0 if k == across else seeds for k, seeds in enumerate(state.circle))
    if state.side == "N":
        return state._replace(circle=circle, south=state.south + taken, last="S")
    return state._replace(circle=circle, north=state.north + taken, last="N")


def captures(before: State, after: State) -> bool:
    return sum(after.circle) < sum(before.circle)


def turns(state: State) -> dict[str, State]:
    """Turn text -> the state after it, whether or not the game should have ended already."""
    found = {}
    for place, pit in enumerate(PATH):
        if pit[0] == state.side and state.circle[place]:
            after = sown(state, pit)
            if pit != state.back or captures(state, after):
                found[pit] = after
    return found or {"pass": state._replace(side="N" if state.side == "S" else "S", back="-")}


def over(state: State) -> bool:
    """Whether no sequence of turns captures a seed: every state that can be reached is looked at."""
    seen, waiting = {state}, [state]
    while waiting:
        now = waiting.pop(0)
        for after in turns(now).values():
            if captures(now, after):
                return False
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return True


def results(text: str) -> dict[str, str]:
    """Turn text -> the position text after it, for every legal turn; nothing when the game is over."""
    state = read(text)
    return {} if over(state) else {turn: write(after) for turn, after in turns(state).items()}


def winner(text: str) -> str:
    """``S``, ``N`` or ``draw`` once the game is over."""
    state = read(text)
    south, north, left = state.south, state.north, sum(state.circle)
    south, north = south + left * (state.last == "S"), north + left * (state.last == "N")
    return "draw" if south == north else "S" if south > north else "N"
