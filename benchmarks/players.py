"""Who plays in the matches, by name: random, greedy, level-1 to level-8, and with so many seconds a turn, of the
processor's time, engine@SECONDS, alphabeta@SECONDS, openspiel@SECONDS, and before@SECONDS or before:COMMIT@SECONDS.

A player is asked with a position, the positions before it and the number of the game, and answers the text of a turn.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, cast

from benchmarks.before import COMMIT, Before, prepared
from benchmarks.plain import Plain, built
from firmware_bridge.engine import Search, kind, uct
from firmware_bridge.engine.alphabeta import CONTEMPT, AlphaBeta
from firmware_bridge.engine.levels import chosen
from firmware_bridge.engine.uct import Uct
from games.fast import load_fast
from games.rules import Game, Position, Turn
from games.yin_yang.rules import GRID

COMPILED = not str(uct.__file__).endswith(".py")
"""Whether the engine runs compiled."""
Player = Callable[[Position, Sequence[Position], int], str]
"""The turn in this position, after these, in the game of this number."""


def player(game: Game[Any], name: str) -> Player:
    """The player of that name at `game`; ValueError."""
    who, _, strength = name.replace("level-", "level@").partition("@")
    who, _, commit = who.partition(":")
    if who == "before":
        return before(game, float(strength or 0), commit or COMMIT)
    made = {
        "random": any_turn,
        "greedy": greedy,
        "level": level,
        "engine": timed,
        "alphabeta": alphabeta,
        "openspiel": openspiel,
    }
    if who not in made:
        others = "random, greedy, level-N, engine@S, alphabeta@S, openspiel@S, before@S and before:COMMIT@S"
        raise ValueError(f"there is no player {name!r}; there are {others}")
    return made[who](game, float(strength or 0))


def prepare(name: str) -> None:
    """Make what the player of that name needs, once and for all games: it may take minutes. ValueError."""
    who = name.partition("@")[0]
    if who == "alphabeta" and COMPILED:
        built()
    if who.startswith("before"):
        prepared(who.partition(":")[2] or COMMIT, COMPILED)


def any_turn(game: Game[Any], _: float) -> Player:
    """Every turn as likely as every other."""

    def turn(position: Position, before: Sequence[Position], number: int) -> str:
        return chance(position, before, number).choice(game.turns(position)).text

    return turn


def greedy(game: Game[Any], _: float) -> Player:
    """Whatever leaves the game's own score best after one turn, ties at random; sees no further."""
    score = SCORES[game.name]

    def turn(position: Position, before: Sequence[Position], number: int) -> str:
        def worth(turn: Turn[Any]) -> int:
            return score(game, turn.after) * (-1 if position.side else 1)

        turns = game.turns(position)
        most = max(map(worth, turns))
        return chance(position, before, number).choice([turn for turn in turns if worth(turn) == most]).text

    return turn


def chance(position: Position, before: Sequence[Position], number: int) -> Random:
    """The luck of one turn: the same in the same game, another one in another."""
    return Random(f"{number} {len(before)} {position}")


def level(game: Game[Any], which: float) -> Player:
    """A level of the engine: by nodes, so the same on every computer."""
    return lambda position, before, number: chosen(game, int(which), position, before, number).turn


def timed(game: Game[Any], seconds: float) -> Player:
    """The engine with so many seconds a turn, of its processor's time: a busy computer weakens nobody."""
    search = clocked(game)

    def turn(position: Position, before: Sequence[Position], number: int) -> str:
        turns = game.turns(position)
        if len(turns) == 1:
            return turns[0].text  # nothing to think about
        *_, found = search.find(position, seconds=seconds, history=before)
        return found.turn

    return turn


def clocked(game: Game[Any]) -> Search:
    """That of an opponent, by the processor's clock, without endings that were worked out beforehand."""
    fast: Any = load_fast(game)
    if kind(fast) == "uct":
        return Uct(fast, clock=time.process_time)
    return AlphaBeta(fast, others=0, contempt=CONTEMPT, clock=time.process_time)


def openspiel(game: Game[Any], seconds: float) -> Player:
    """OpenSpiel's search by random games with so many seconds a turn."""
    from benchmarks.peer import Peer  # needs a package that nothing else here needs

    peer = Peer(load_fast(game), seconds)
    return lambda position, before, number: peer.turn(position, number)


def alphabeta(game: Game[Any], seconds: float) -> Player:
    """A plain alpha-beta with so many seconds a turn, compiled if the engine is."""
    search = Plain(game, COMPILED)

    def turn(position: Position, before: Sequence[Position], number: int) -> str:
        turns = game.turns(position)
        return turns[0].text if len(turns) == 1 else search.turn(position, before, seconds)

    return turn


def before(game: Game[Any], seconds: float, commit: str) -> Player:
    """The engine as it was at `commit` with so many seconds a turn, compiled if that of today is."""
    return Before(game.name, commit, seconds, COMPILED).turn


# The games' own scores: what the first player has more than the second -------------------------


def groups(game: Any, position: Position) -> int:
    """Zong-Heng: the larger largest group of stones side by side."""
    black, white = (largest(position.cells, level, game.grid.files) for level in (1, 2))
    return black - white


def largest(cells: bytes, level: int, size: int) -> int:
    """The most stones of `level` that stand together, side by side."""
    left, most = {at for at, stone in enumerate(cells) if stone == level}, 0
    while left:
        edge, count = [left.pop()], 0
        while edge:
            at, count = edge.pop(), count + 1
            near = (
                {at - size, at + size} | ({at - 1} if at % size else set()) | ({at + 1} if (at + 1) % size else set())
            )
            edge += near & left
            left -= near
        most = max(most, count)
    return most


def shades(_: Any, position: Position) -> int:
    """Yin-Yang: stones on squares of their own shade, less the others."""
    return sum(1 if (level == 1) == GRID.dark[at] else -1 for at, level in enumerate(position.cells) if level)


def stones(_: Any, position: Position) -> int:
    """ZhiZhu: stones on the board and in the hand."""
    hands = cast(Any, position).hands
    return position.cells.count(1) + int(hands[0]) - position.cells.count(2) - int(hands[1])


def stores(_: Any, position: Position) -> int:
    """Zig Zag: seeds in the stores."""
    south, north = cast(Any, position).stores
    return int(south) - int(north)


SCORES: dict[str, Callable[[Any, Position], int]] = {
    "zong-heng": groups,
    "yin-yang": shades,
    "zhizhu": stones,
    "zig-zag": stores,
}
