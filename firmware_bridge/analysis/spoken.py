"""Values and turns in words, the same in the terminal and on paper."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_bridge.analysis.form import Analysis, Standing, TurningPoint, worth
from firmware_bridge.sheet import PASS, Sheet
from firmware_bridge.words import Words
from games.rules import Reason, say

SURE = {0.0: "lost", 0.5: "drawn", 1.0: "won"}


def percent(value: float) -> str:
    """An expected score in hundredths; what is not sure is never 0 or 100."""
    return f"{min(99, max(1, round(100 * value)))}"


def expected(value: float, side: int, proved: bool, words: Words) -> str:
    """What player `side` can expect, for a value of player 0."""
    own = worth(value, side)
    return words.text(f"analysis.{SURE[own]}") if proved else f"{percent(own)}\N{NO-BREAK SPACE}%"


def heading(sheet: Sheet) -> str:
    """The game with its options, as they are typed."""
    options = ", ".join(f"{name}={value}" for name, value in sheet.game.chosen.items())
    return f"{sheet.game.title} ({options})" if options else sheet.game.title


def story(sheet: Sheet, made: Analysis, words: Words) -> Iterator[str]:
    """How long the game was and how it ended, and how long it was thought about: a sentence each."""
    yield words.say(Reason.of("analysis.turns", count=sheet.length))
    yield words.say(sheet.outcome.reason if sheet.outcome else Reason("analysis.unfinished"))
    for player, level in zip(sheet.game.players, made.levels, strict=True):
        if level:
            yield words.say(Reason.of("analysis.engine", player=player, level=level))
    if not sheet.outcome or sheet.called_off:
        last, player = made.standings[-1], sheet.game.players[0]
        yield words.say(Reason.of("analysis.left", player=player, value=expected(last.value, 0, last.proved, words)))
    for name in ("seconds", "nodes"):
        most = getattr(made.effort, name)
        if most:
            yield words.say(Reason.of(f"analysis.by-{name}", most=f"{most:g}" if name == "seconds" else most))


def point_told(sheet: Sheet, made: Analysis, point: TurningPoint, words: Words) -> Iterator[str]:
    """What the mover could expect by the better turn and by the one played, and the lines that follow."""
    turn, after = made.turns[point.number - 1], made.standings[point.number]
    yield words.say(
        Reason.of(
            "analysis.better", player=sheet.game.players[turn.side], better=point.better, turn=turn.turn,
            before=expected(point.value, turn.side, point.proved, words),
            after=expected(after.value, turn.side, after.proved, words),
        )
    )  # fmt: skip
    for text, line in ((point.better, point.line[1:]), (turn.turn, after.line)):
        if line:
            yield words.say(Reason.of("analysis.follows", turn=text, line=followed(line, words)))
    if turn.help:
        yield words.text("analysis.helped")


def followed(line: tuple[str, ...], words: Words) -> str:
    """The turns of a line."""
    return ", ".join(shown(turn, words) for turn in line)


def shown(turn: str, words: Words) -> str:
    """A turn as it is written; a pass in words."""
    return words.text("analysis.pass") if turn == PASS else turn


def point_title(sheet: Sheet, made: Analysis, point: TurningPoint, words: Words) -> str:
    """Which turn it was."""
    turn = made.turns[point.number - 1]
    played = Reason.of("table.played", player=sheet.game.players[turn.side], turn=turn.turn)
    return f"{point.number}. {words.say(played)}"


def columns(sheet: Sheet, words: Words) -> list[str]:
    """The heads of the table of all turns."""
    names = ("turn", "player", "played", "value", "loss", "best", "notes")
    return [words.say(Reason.of(f"analysis.{name}", player=sheet.game.players[0])) for name in names]


def rows(sheet: Sheet, made: Analysis, words: Words) -> Iterator[list[str]]:
    """A row for the start and for each turn, under `columns`."""
    first = made.standings[0]
    proved = notes(first, False, False, words)
    yield ["0", "", words.text("analysis.start"), percent_or_sure(first), "", "", proved]
    for turn, was, now in zip(made.turns, made.standings, made.standings[1:], strict=False):
        loss = round(100 * turn.loss)
        better = "" if turn.best or not loss else shown(was.best or "", words)
        yield [
            str(turn.number), words.text(sheet.game.players[turn.side]), shown(turn.turn, words),
            percent_or_sure(now), str(loss) if loss else "", better,
            notes(now, turn.forced, bool(turn.help), words),
        ]  # fmt: skip


def percent_or_sure(standing: Standing) -> str:
    """The value of player 0 in hundredths."""
    return str(round(100 * standing.value)) if standing.proved else percent(standing.value)


def notes(standing: Standing, forced: bool, helped: bool, words: Words) -> str:
    """What else there is to say of a turn and of the position after it."""
    told = {"proved": standing.proved, "forced": forced, "help": helped}
    return ", ".join(words.text(f"analysis.{name}") for name, holds in told.items() if holds)


say(
    "analysis",
    turns="Turns: {count}.",
    unfinished="The game was not finished.",
    engine="The engine played for {player}, level {level}.",
    left="Expected score of {player} in the last position: {value}.",
    by_seconds="Seconds for each position, at most: {most}.",
    by_nodes="Nodes for each position, at most: {most}.",
    won="won (proved)",
    drawn="drawn (proved)",
    lost="lost (proved)",
    better="{better} was better. Expected score of {player}: {before} with {better}, {after} with {turn}.",
    follows="After {turn} could follow: {line}.",
    helped="The table had helped before this turn.",
    turn="Turn",
    player="Player",
    played="Played",
    start="Start",
    value="{player} %",
    loss="Lost %",
    best="Better",
    notes="Notes",
    proved="proved",
    forced="forced",
    help="with help",
    **{"pass": "pass"},
)
