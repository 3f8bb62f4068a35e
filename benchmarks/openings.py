"""Makes the books of openings by self-play: what the engine, looking further than its best level, finds about equal.

    python -m benchmarks.openings                   say what would be in them; --game GAME
    python -m benchmarks.openings --write           write them beside the rules; ten minutes, compiled

A book has the start of a game, every position after a first turn, for people begin as they like, and from there what
its own replies come to, the likeliest first, until it has `POSITIONS` or the plies end. A reply is in it if it loses at
most `BOUND` of expected score beside the best, by the search's own values: alpha-beta has true values of the best few
turns; after the best few by random games each result is searched by itself. Everything counts nodes: the same command
makes the same books on every computer. A book that was made before is not read.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from heapq import heappop, heappush
from pathlib import Path
from typing import Any, NamedTuple, cast

from tqdm import tqdm

from firmware_bridge.engine import kind
from firmware_bridge.engine.alphabeta import AlphaBeta
from firmware_bridge.engine.openings import LARGEST, Entry, Reply, place
from firmware_bridge.engine.uct import Uct
from games.fast import load_fast
from games.rules import Game, Position, load, names, play

NODES = {"uct": 8_000, "alphabeta": 150_000}
"""Search -> nodes of each search: the best levels have 7,000 and 30,000, and of these the first as often as there are
replies besides."""
OTHERS = 7
"""Turns besides the best that alpha-beta values."""
BOUND = 0.03
"""The expected score that a reply loses at most; guessed: what `advice` calls no other turn."""
PLIES = 6
"""Turns of a book at most."""
POSITIONS = 120
"""Positions of a book at most."""
SEED = 1


def replies(game: Game[Any], position: Position, seed: int = SEED) -> Entry:
    """What the search finds about equal in `position`."""
    fast: Any = load_fast(game)
    own = kind(fast)
    if own == "uct":
        *_, found = Uct(fast, seed).find(position, nodes=NODES[own])
        worth = {text: 1 - _value(game, fast, play(game, position, text), seed) for text, _ in _turns(found)}
    else:
        *_, found = AlphaBeta(fast, seed, others=OTHERS).find(position, nodes=NODES[own])
        worth = dict(_turns(found))
    best = round(max(worth.values()), 3)
    lost = sorted((round(max(0.0, best - value), 3), text) for text, value in worth.items())
    kept = tuple(Reply(text, weight(loss), loss) for loss, text in lost if loss <= BOUND)
    return Entry(best, kept)


def _turns(found: Any) -> Iterator[tuple[str, float]]:
    yield found.turn, found.value
    yield from found.others


def _value(game: Game[Any], fast: Any, position: Position, seed: int) -> float:
    """What a search expects for the side to move."""
    *_, found = Uct(fast, seed).find(position, nodes=NODES["uct"])
    return cast(float, found.value)


def weight(loss: float) -> int:
    """How often a reply is played: the best twice as often as one that loses as much as it may."""
    return round(10 * (1 - loss / BOUND / 2))


class Waiting(NamedTuple):
    """A position that is to come into the book, the likeliest first."""

    unlikely: float
    ply: int
    text: str


def made(game: Game[Any]) -> dict[str, Entry]:
    """The book of `game`."""
    start = game.start()
    book: dict[str, Entry] = {}
    waiting = [Waiting(-1.0, 0, str(start))]
    first = sorted({str(turn.after) for turn in game.turns(start)})
    for text in first:
        heappush(waiting, Waiting(-1.0 / len(first), 1, text))
    with tqdm(total=POSITIONS, desc=game.name, disable=None) as bar:
        while waiting and len(book) < POSITIONS:
            unlikely, ply, text = heappop(waiting)
            position = game.position(text)
            if text in book or not game.turns(position):
                continue
            book[text] = entry = replies(game, position)
            bar.update()
            if ply == 0 or ply + 1 == PLIES:
                continue
            whole = sum(reply.weight for reply in entry.replies)
            for reply in entry.replies:
                after = str(play(game, position, reply.turn))
                heappush(waiting, Waiting(unlikely * reply.weight / whole, ply + 1, after))
    return book


def told(game: Game[Any], book: dict[str, Entry]) -> str:
    """The book as its file has it."""
    head = {
        "game": game.name, "made": "python -m benchmarks.openings --write", "seed": SEED,
        "nodes": NODES[kind(load_fast(game))], "bound": BOUND, "plies": PLIES,
    }  # fmt: skip
    lines = [{"position": text, "value": entry.value, "replies": entry.replies} for text, entry in book.items()]
    return "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in (head, *lines))


def main() -> int:
    """Make and write; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=names(), help="only this game")
    parser.add_argument("--write", action="store_true", help="write the files beside the rules")
    wanted = parser.parse_args()
    for name in [wanted.game] if wanted.game else names():
        game = load(name)
        book = made(game)
        text = told(game, book)
        many = sum(len(entry.replies) for entry in book.values())
        print(f"{name}: {len(book)} positions, {many} replies, {len(text.encode())} bytes", flush=True)
        path = place(game)
        if wanted.write and path and len(text.encode()) <= LARGEST:
            Path(path).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
