"""The command ``club``: an evening on which everybody plays everybody, its results, and the wall of all boards."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

from msgspec import json

from firmware_bridge.cli.linking import line, wanted_broker
from firmware_bridge.cli.play import configured
from firmware_bridge.clocks import control
from firmware_bridge.club.boards import GAMES, Boards
from firmware_bridge.club.evening import (
    Evening,
    Results,
    end_evening,
    evening_path,
    mark,
    number,
    plan,
    read_evening,
    read_scores,
    report,
    result,
    write_evening,
    write_scores,
)
from firmware_bridge.config import Config
from firmware_bridge.i18n import columns, print_lines, system_words
from firmware_bridge.link.pairing import LinkError
from firmware_bridge.link.states import Terms
from firmware_bridge.web.invitation import url
from firmware_bridge.web.mirror import address, usual_address
from games.rules import Reason, load, say
from hardware import files

QUIET, LONGEST = 0.7, 10.0
"""Seconds without a message after which a broker is taken to have told all, and seconds for that at most; guesses."""
MOST_DELAY = 3600.0
"""Seconds of delay at most; guessed: an hour."""


def club(wanted: argparse.Namespace) -> int:
    """Plan an evening, tell of its rounds or results, show it, or end it; LinkError, OptionError, SettingsError."""
    given: list[str] = wanted.given
    wanted.game = given[0] if wanted.what == "new" and given else None
    config = configured(wanted)
    path = evening_path(config.record.directory())
    if wanted.what != "new" and given:
        raise LinkError(f"club {wanted.what} takes nothing more: leave {given[0]!r} out")
    try:
        if wanted.what == "new":
            begin(wanted, config, path)
        elif wanted.what == "end":
            end_evening(path)
            print_lines(system_words().say(Reason("club.ended")))
        elif wanted.what == "rounds":
            print_lines(*rounds(read_evening(path)))
        elif wanted.what == "table":
            table(wanted, path)
        else:
            wall(wanted, config, path)
    except BrokenPipeError:  # the reader of the output has gone
        raise
    except OSError as error:
        raise LinkError(f"{error.filename or path}: {error.strerror}") from None
    return 0


# The rounds ---------------------------------------------------------------------------------------


def begin(wanted: argparse.Namespace, config: Config, path: Path) -> None:
    """Plan an evening, and tell the rounds."""
    if path.exists():
        raise LinkError("an evening is planned already: `tablelight club end` ends it")
    if not wanted.given:
        raise LinkError("club new takes the game and the names of all players")
    chosen = config.game
    game = load(chosen.name, **chosen.options)
    terms = Terms(game.name, dict(game.chosen), chosen.house_rule, str(control(chosen.clock) or ""))
    evening = plan(wanted.given[1:], terms, wanted_broker(wanted, config))
    write_evening(path, evening)
    print_lines(*rounds(evening))


def rounds(evening: Evening) -> Iterator[str]:
    """Who plays whom, and what is typed at the two tables of each game."""
    words = system_words()
    terms, title = evening.terms, evening.terms.load().title
    yield words.say(Reason.of("club.plan", game=title, players=len(evening.names), rounds=len(evening.rounds)))
    options = "".join(f" -O {name}={value}" for name, value in terms.options.items())
    begin = f"tablelight link new {terms.game}{options}" + f" --clock {terms.clock or 'off'}"
    for place, meetings in enumerate(evening.rounds):
        bye = evening.bye(place)
        yield ""
        yield words.say(Reason.of("club.round", number=place + 1))
        for meeting in meetings:
            first, second = (evening.names[each] for each in meeting.pair)
            told = evening.pairing(meeting).words
            yield f"  {first} - {second}"
            yield f"    {words.say(Reason.of('club.at', who=first))} {begin} --words {told}"
            yield f"    {words.say(Reason.of('club.at', who=second))} tablelight link join {told}"
        if bye:
            yield "  " + words.say(Reason.of("club.bye", who=bye))


# The results --------------------------------------------------------------------------------------


def table(wanted: argparse.Namespace, path: Path) -> None:
    """Tell the results as the broker has them, and those that were kept."""
    evening = read_evening(path)
    kept = read_scores(path)
    results = Results(evening, kept)
    try:
        look(evening, Boards(results))
    except LinkError as error:
        print_lines(system_words().say(Reason.of("club.kept", fault=str(error))))
    if results.scores != kept:
        write_scores(path, results.scores)
    print_lines(*lines(results))
    if wanted.json:
        with files.replacing(wanted.json) as draft:
            draft.write_bytes(json.format(json.encode(report(results)), indent=1) + b"\n")


def look(evening: Evening, boards: Boards) -> None:
    """Take in all that the broker keeps of an evening; LinkError."""
    last = [monotonic()]

    def hear(topic: str, payload: bytes) -> None:
        boards.put(topic, payload, 0.0)
        last[0] = monotonic()

    line().fetch(evening.broker, GAMES, hear, lambda: monotonic() > last[0] + QUIET, LONGEST)
    while boards.see(0.0) or boards.waiting.ready(0.0):
        pass


def lines(results: Results) -> Iterator[str]:
    """The rounds with their results, and the cross-table."""
    words, evening = system_words(), results.evening
    for place, games in enumerate(results.rounds):
        yield words.say(Reason.of("club.round", number=place + 1))
        for game in games:
            first, second = game.names
            begun = words.text("club.goes-on" if game.begun else "club.unbegun")
            yield f"  {first} - {second}: {result(game) or begun}"
    yield ""
    rows = results.table()
    head = [
        "",
        "",
        *(str(place) for place in range(1, len(rows) + 1)),
        words.text("club.points"),
        words.text("club.tie"),
    ]
    yield from columns(
        [head]
        + [
            [
                str(row.place), evening.names[row.player],
                *("*" if each == place else mark(part) or "." for each, part in enumerate(row.results)),
                number(row.points), number(row.tie_break),
            ]
            for place, row in enumerate(rows)
        ]
    )  # fmt: skip


# The wall -----------------------------------------------------------------------------------------


def wall(wanted: argparse.Namespace, config: Config, path: Path) -> None:
    """Show all boards in a browser, until the program is asked to end."""
    evening = read_evening(path) if path.exists() else None
    broker = wanted_broker(wanted, config) if wanted.broker or not evening else evening.broker
    delay: float = wanted.delay
    if not 0 <= delay <= MOST_DELAY:
        raise LinkError(f"delay: {delay:g} is not between 0 and {MOST_DELAY:g} seconds")
    if wanted.table and evening and wanted.table.lower() not in (name.lower() for name in evening.names):
        raise LinkError(f"{wanted.table!r} does not play this evening; it is {', '.join(evening.names)}")
    line()
    try:
        from firmware_bridge.club.wall import serve_wall
        from firmware_bridge.web.serving import Unserved
    except ImportError as error:
        raise LinkError(f"the wall needs the library {error.name}: pip install websockets brings it") from None
    # What was kept is newer than what may be seen where all is shown late: then the broker alone is believed.
    results = Results(evening, None if delay else read_scores(path)) if evening else None
    host, port = address(wanted.address or usual_address())
    words = system_words()

    def listening(host: str, port: int) -> None:
        print_lines(words.say(Reason.of("club.wall", address=url(host, port))))

    try:
        serve_wall(
            broker, Boards(results, delay, wanted.table or ""), host, port, listening,
            path if evening and not delay else None, config.page.names,
        )  # fmt: skip
    except Unserved as why:
        raise LinkError(str(why)) from None


say(
    "club",
    ended="No evening is planned any more.",
    plan="{game}: {players} players, {rounds} rounds.",
    round="Round {number}",
    at="at {who}:",
    bye="{who} has no game",
    kept="{fault}. This is what was kept here:",
    goes_on="goes on",
    unbegun="not begun",
    points="points",
    tie="Sonneborn-Berger",
    wall="The wall is at {address}. Ctrl-C ends it.",
)
