"""One game of a match, and who plays it."""

from __future__ import annotations

import hashlib
from collections import Counter
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple, cast

from benchmarks.players import Player, clocked, player
from games.fast import WON, Fast, load_fast
from games.rules import Game, Position, load

OPENING = 4
"""Plies by chance before the players begin; none against a player of random turns, whose own are chance enough."""
PROOF = 1000
"""Random games, or positions, for a proof that the plies by chance have decided a game: that would test nobody."""
LONGEST = 300
"""Plies after which a game ends as if the position stood for the third time."""


MOST = 600
"""Games after which a match is left open."""


class Match(NamedTuple):
    """Two players of one game, the score that the first is to reach, and the one hoped for.

    If it is `paired`, games 0 and 1 have the same opening, 2 and 3, and so on.
    """

    game: str
    first: str
    second: str
    demanded: float
    hoped: float
    paired: bool = False

    def __str__(self) -> str:
        return f"{self.game}: {self.first} against {self.second}"


class Played(NamedTuple):
    """A finished game: the score of the match's first player, its length, and a digest of its turns."""

    score: float
    plies: int
    turns: str


def play_game(match: Match, number: int) -> Played:
    """Game `number` of a match; the first player has the first seat in the even ones."""
    game = loaded(match.game)
    seats = [seated(match.game, match.first), seated(match.game, match.second)]
    seat = number % 2
    chance, plies = number // 2 if match.paired else number, 0 if match.second == "random" else OPENING
    begun = opening(game, fast_form(match.game), chance, plies)
    result, turns = follow(game, fast_form(match.game), seats[::-1] if seat else seats, number, *begun)
    digest = hashlib.sha256(" ".join(turns).encode()).hexdigest()[:12]
    return Played(1 - result if seat else result, len(turns), digest)


@lru_cache
def loaded(name: str) -> Game[Any]:
    """The game, one object of it."""
    return load(name)


@lru_cache
def fast_form(name: str) -> Fast:
    """Its fast form."""
    return load_fast(loaded(name))


@lru_cache
def seated(game: str, name: str) -> Player:
    """The player, with what it has learnt of speed and tables."""
    return player(loaded(game), name)


def follow(
    game: Game[Any], fast: Fast, seats: list[Player], number: int, state: int, turns: list[str]
) -> tuple[float, list[str]]:
    """Play a game on from its opening: the result for the first seat, and all turns."""
    stood: Counter[int] = Counter()
    before: list[Position] = []
    while (result := over(game, fast, state, stood, len(turns))) is None:
        position = fast.position(state)
        turns.append(text := seats[position.side](position, before, number))
        before.append(position)
        state = fast.after(state, next(move for move in fast.moves(state) if fast.text(state, move) == text))
    return result, turns


def opening(game: Game[Any], fast: Fast, number: int, plies: int) -> tuple[int, list[str]]:
    """The state after a few plies by chance, others in each game, and their turns; nobody is sure to win by them."""
    random = Random(number)
    state, turns = by_chance(game, fast, random, plies)
    while plies and settled(game, fast, state):
        state, turns = by_chance(game, fast, random, plies)
    return state, turns


def settled(game: Game[Any], fast: Fast, state: int) -> bool:
    """Whether the game is over or as good as that: a short search, for either side alike, proves that one has won."""
    if decided(fast, state) is not None:
        return True
    *_, found = clocked(game).find(fast.position(state), nodes=PROOF)
    return found.proved and found.value != 0.5


def by_chance(game: Game[Any], fast: Fast, random: Random, plies: int) -> tuple[int, list[str]]:
    """The state after so many plies by chance, or at the end of the game, and their turns."""
    state, turns = fast.state(game.start()), list[str]()
    while len(turns) < plies and (moves := fast.moves(state)):
        move = random.choice(moves)
        turns.append(fast.text(state, move))
        state = fast.after(state, move)
    return state, turns


def over(game: Game[Any], fast: Fast, state: int, stood: Counter[int], plies: int) -> float | None:
    """The result for the first seat once the game is over or decided; None while it goes on."""
    stood[state] += 1
    if (result := decided(fast, state)) is not None:
        return result
    if stood[state] < 3 and plies < LONGEST:
        return None
    winner = game.repeated(fast.position(state)).winner
    return 0.5 if winner is None else 1.0 - winner


def decided(fast: Fast, state: int) -> float | None:
    """The result for player 0 if the game is over, or if one side has more seeds than half; None while it is open."""
    if not fast.moves(state):
        return fast.result(state)
    if hasattr(fast, "weigh") and abs(weight := cast(Any, fast).weigh(state)) >= WON:
        return float((weight > 0) != fast.side(state))
    return None
