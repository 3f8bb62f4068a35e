"""The page of past games: found by player, game, result and day, with their records and reports; how all have done.

The index is brought up to date by a process of its own, for reading a record plays its game. Whoever asks waits for it
a moment, and sees what was known before if it takes longer.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from html import escape
from http import HTTPStatus
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

from websockets.http11 import Response

from firmware_bridge.i18n import Words
from firmware_bridge.library import (
    RESULTS,
    Game,
    Index,
    Wanted,
    known,
    score_head,
    score_row,
    tally_head,
    tally_row,
    title,
    versus,
    wanted,
)
from firmware_bridge.web.files import SECURITY_HEADERS, TYPES, answer
from firmware_bridge.worker import module_command, same_modules
from games.rules import OptionError, Reason, names, say

FRESH = 3.0
"""Seconds for which the index is not looked at again; a guess."""
WAITED = 1.5
"""Seconds that somebody waits for it; guessed: longer would look like a fault."""
RELOAD_AFTER = 2
"""Seconds after which the page asks again while records are read; guessed."""
FORMS = SECURITY_HEADERS["Content-Security-Policy"].replace("form-action 'none'", "form-action 'self'")
"""What this page may do: it has a form, which asks the page itself."""
PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>{title} &ndash; Tablelight</title>
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/tokens.css">
<link rel="stylesheet" href="/static/style.css">
<link rel="stylesheet" href="/static/people.css">
</head>
<body class="past-games">
<header class="top"><h1>{title}</h1><a class="button" href="/">{back}</a></header>
<div class="shelf">
<form class="search" action="/games">{fields}<button class="first">{find}</button></form>
<p role="status">{told}</p>
<ol class="played">{games}</ol>
{counts}
</div>
</body>
</html>
"""


class PastGames:
    """The past games of the records in `folder`."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._clock = folder, clock
        self._updated = 0.0
        """When the index was brought up to date last, in seconds; 0 for never."""
        self._updating: asyncio.Task[None] | None = None

    async def answer(self, query: str, words: Words) -> Response:
        """The page of the games that `query` asks for."""
        asked = dict(parse_qsl(query))
        fault, what = "", Wanted()
        try:
            what = wanted(**{name: asked.get(name, "") for name in Wanted._fields})
        except OptionError as error:
            fault = str(error)
        late = await self._wait()
        body = page(self._index(), what, words, fault=fault, late=late, chosen=asked.get("language", ""))
        more = {"Refresh": str(RELOAD_AFTER)} if late else {}
        return answer(HTTPStatus.OK, body.encode(), TYPES["html"], Content_Security_Policy=FORMS, **more)

    def record(self, query: str) -> tuple[Path, Game] | None:
        """The record that `query` names, if it is one of the index, and what is known of it."""
        index = self._index()
        try:
            game = index.at(dict(parse_qsl(query)).get("name", ""))
        except sqlite3.Error:
            game = None
        finally:
            index.close()
        return (self._folder / game.name, game) if game else None

    def _index(self) -> Index:
        return Index(self._folder, writing=False)

    async def _wait(self) -> bool:
        """Have the index brought up to date, and wait a moment for it; whether it takes longer."""
        if not self._updating and (not self._updated or self._clock() - self._updated > FRESH):
            self._updating = asyncio.ensure_future(self._update())
        if self._updating:
            await asyncio.wait([self._updating], timeout=WAITED)
        return self._updating is not None

    async def _update(self) -> None:
        process = None
        try:
            command = (*module_command("firmware_bridge.library"), str(self._folder))
            process = await asyncio.create_subprocess_exec(
                *command, env=same_modules(), stdin=asyncio.subprocess.DEVNULL
            )
            await process.wait()
        except OSError:
            pass  # there is no room for a process: what is known is shown
        finally:
            if process and process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
            self._updated, self._updating = self._clock(), None

    async def close(self) -> None:
        """Stop reading records."""
        if updating := self._updating:
            updating.cancel()
            with suppress(asyncio.CancelledError):
                await updating


# The page -------------------------------------------------------------------------------------------


def page(index: Index, what: Wanted, words: Words, *, fault: str, late: bool, chosen: str) -> str:
    """The page as text; `fault` says why the games are not what was asked for, `late` that records are still read."""
    try:
        found, count, scores, tallies = index.find(what), index.count(what), index.scores(what), index.tallies(what)
    except sqlite3.Error:  # it is being made anew
        found, count, scores, tallies = [], 0, [], []
    finally:
        index.close()
    told = [fault, words.text("games.reading") if late else ""]
    if found or not late:  # that there are none is known only once all are read
        told.append(words.say(Reason.of("games.found", count=count)) if found else words.text("games.nothing"))
    tables = [table(score_head(words), map(score_row, scores), words.text("games.by-player"))] if scores else []
    tables += [table(tally_head(words), map(tally_row, tallies), words.text("games.by-game"))] if tallies else []
    return PAGE.format(
        language=words.language,
        title=escape(words.text("games.title")),
        back=escape(words.text("report.back")),
        fields="".join(fields(what, words, chosen)),
        find=escape(words.text("games.find")),
        told=escape(" ".join(filter(None, told))),
        games="".join(item(game, words) for game in found),
        counts="".join(tables),
    )


def fields(what: Wanted, words: Words, chosen: str) -> Iterator[str]:
    """The fields of the search: the language that was `chosen` on the page goes along."""
    if chosen:
        yield f'<input type="hidden" name="language" value="{escape(words.language)}">'
    yield field("player", f'<input name="player" maxlength="30" value="{escape(what.player)}">', words)
    kinds = [("", words.text("games.any-game")), *((name, title(name)) for name in names(installed=True))]
    yield field("game", select("game", kinds, what.game), words)
    results = [("", words.text("games.any-result")), *((name, words.text(f"games.only-{name}")) for name in RESULTS)]
    yield field("result", select("result", results, what.result), words)
    for name in ("since", "until"):
        yield field(name, f'<input type="date" name="{name}" value="{escape(getattr(what, name))}">', words)


def field(name: str, control: str, words: Words) -> str:
    """A field with its name."""
    return f"<label><span>{escape(words.text(f'games.{name}'))}</span>{control}</label>"


def select(name: str, values: Iterable[tuple[str, str]], chosen: str) -> str:
    """A choice."""
    told = "".join(
        f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>{escape(text)}</option>'
        for value, text in values
    )
    return f'<select name="{name}">{told}</select>'


def item(game: Game, words: Words) -> str:
    """A game of the list."""
    query = urlencode({"name": game.name, "language": words.language})
    links = [f'<a class="button" href="/games/record?{query}" download>{escape(words.text("page.record"))}</a>']
    if game.fault:
        who, result, about = game.name, "", [game.began, words.say(Reason.of("games.unread", fault=game.fault))]
    else:
        who, result = versus(game, words), game.result
        turns = words.say(Reason.of("games.of-turns", count=game.turns))
        ended = words.say(game.outcome) if game.outcome and known(game) else words.text("games.only-open")
        about = [game.began, title(game.game), turns, game.clock, ended]
        if game.over and known(game):
            report = f'<a class="button" href="/games/report?{query}">{escape(words.text("games.report"))}</a>'
            links.insert(0, report)
        if known(game):
            look = urlencode({"name": game.name})
            links.insert(0, f'<a class="button first" href="/?{look}">{escape(words.text("games.look"))}</a>')
    told = "\N{NO-BREAK SPACE}· ".join(filter(None, about))  # no line begins with the dot
    head = f'<span class="row"><strong>{escape(who)}</strong><b class="result">{escape(result)}</b></span>'
    return f'<li>{head}<span class="small">{escape(told)}</span><span class="row">{"".join(links)}</span></li>'


def table(head: Sequence[str], rows: Iterable[Sequence[str]], caption: str) -> str:
    """A table of counts."""
    heads = "".join(f'<th scope="col">{escape(each)}</th>' for each in head)
    body = "".join(
        f'<tr><th scope="row">{escape(first)}</th>{"".join(f"<td>{escape(each)}</td>" for each in rest)}</tr>'
        for first, *rest in rows
    )
    region = f'role="region" tabindex="0" aria-label="{escape(caption)}"'
    return f"<section><h2>{escape(caption)}</h2><div {region}><table><tr>{heads}</tr>{body}</table></div></section>"


say(
    "games",
    title="Past games",
    find="Find",
    since="since",
    until="until",
    any_game="any",
    any_result="any",
    only_won="won",
    only_lost="lost",
    only_drawn="drawn",
    only_open="not finished",
    found="Games: {count}.",
    nothing="There are no such games.",
    reading="Records are still being read; the page comes again by itself.",
    by_player="Results by player",
    by_game="Results by game",
    of_turns="turns: {count}",
    report="Explain the game",
    look="Look back",
)
