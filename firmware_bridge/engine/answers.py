"""Answers to the questions of a table, wherever they are asked from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from firmware_bridge.engine import Found, Search, engine, never
from firmware_bridge.engine.questions import Answer, Ask
from games.rules import load


def answers(ask: Ask, stop: Callable[[], bool] = never) -> Iterator[Answer]:
    """Ever better answers, the last one final, unless `stop()` comes before."""
    found = None
    for found in _found(ask, stop):
        if stop():
            return
        yield answer(ask, found, final=False)
    if found:
        yield answer(ask, found, final=True)


def answer(ask: Ask, found: Found, *, final: bool) -> Answer:
    """What was found, as an answer."""
    return Answer(ask.number, found.turn, found.value, found.line, found.nodes, found.proved, found.others, final)


def _found(ask: Ask, stop: Callable[[], bool]) -> Iterator[Found]:
    game = load(ask.game, **ask.options)
    position = game.position(ask.position)
    history = [game.position(text) for text in ask.stood for _ in range(2)]
    if ask.level:
        from firmware_bridge.engine.levels import chosen

        yield chosen(game, ask.level, position, history, ask.seed, stop)
        return
    search = _search(ask.game, tuple(ask.options.items()), ask.seed)
    limits = {"nodes": ask.nodes} if ask.nodes else {"seconds": ask.seconds}
    yield from search.find(position, history=history, stop=stop, among=ask.among, **limits)


@lru_cache(maxsize=4)
def _search(name: str, options: tuple[tuple[str, int | str], ...], seed: int) -> Search:
    return engine(load(name, **dict(options)), seed)
