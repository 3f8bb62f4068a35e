"""Values and turns in words, the same in the terminal and on paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from firmware_bridge.analysis.evaluation import LEAST, LITTLE, MOST, Analysis, Standing, TurningPoint, worth
from firmware_bridge.i18n import Words
from firmware_bridge.i18n import page_text as text_of_the_page  # noqa: F401 - options and values are named there
from firmware_bridge.score import PASS, ScoreSheet, points
from games.rules import Reason, say

BETTER = 0.6
"""The expected score from which a position is called better, for searches err."""
FLAT, WITHIN = 4, 0.01
"""Turns from which a beginning without a change is told, and the expected score that is no change."""
SURE = {0.0: "lost", 0.5: "drawn", 1.0: "won"}


class Chapter(NamedTuple):
    """A part of what is told of single turns."""

    name: str
    title: str
    sentences: Sequence[str]
    points: Sequence[TurningPoint]


def percent(value: float) -> str:
    """An expected score or a loss in hundredths."""
    return f"{round(100 * value)}"


def expected(value: float, side: int, proved: bool, words: Words) -> str:
    """What player `side` can expect, for a value of player 0."""
    own = worth(value, side)
    return words.text(f"analysis.{SURE[own]}") if proved else f"{percent(own)}\N{NO-BREAK SPACE}%"


def heading(sheet: ScoreSheet, words: Words) -> str:
    """The game with its options."""
    options = "; ".join(words.say(option(sheet, name, words)) for name in sheet.game.chosen)
    return f"{sheet.game.title} ({options})" if options else sheet.game.title


def option(sheet: ScoreSheet, name: str, words: Words) -> Reason:
    """An option and its value, named as they are where a game is chosen."""
    game = sheet.game
    return Reason.of(
        "analysis.option", option=words.option(game.name, name), value=words.value(game.name, game.chosen[name])
    )


def story(sheet: ScoreSheet, made: Analysis, words: Words) -> Iterator[str]:
    """How long the game was and how it ended, and how long it was thought about: a sentence each."""
    yield words.say(Reason.of("analysis.turns", count=sheet.length))
    yield words.say(sheet.outcome.reason if sheet.outcome else Reason("analysis.unfinished"))
    if sheet.outcome and any(sheet.names):
        first, second = (
            name or words.text(player) for name, player in zip(sheet.names, sheet.game.players, strict=True)
        )
        yield f"{first} {points(sheet.outcome.winner)} {second}."
    if not sheet.outcome or sheet.called_off:
        yield words.say(broken_off(sheet, made, words))
    for player, level in zip(sheet.game.players, made.levels, strict=True):
        if level:
            yield words.say(Reason.of("analysis.engine", player=player, level=level))
    for name in ("seconds", "nodes"):
        most = getattr(made.effort, name)
        if most:
            yield words.say(Reason.of(f"analysis.by-{name}", most=f"{most:g}" if name == "seconds" else most))


def measure(made: Analysis, words: Words) -> Iterator[str]:
    """What all values and losses mean, and how far they can be trusted: a sentence each."""
    yield words.say(Reason.of("analysis.measure", least=percent(LITTLE)))
    if made.rough:
        yield words.say(Reason.of("analysis.rough", rough=max(1, round(100 * made.rough))))


def undecided(made: Analysis) -> int:
    """How many turns from the beginning on changed nothing; 0 if they are too few to be told."""
    start, *later = (standing.value for standing in made.standings)
    turns = next((turn for turn, value in enumerate(later) if round(abs(value - start), 2) > WITHIN), len(later))
    return turns if turns >= FLAT else 0


def reading(sheet: ScoreSheet, made: Analysis, words: Words) -> Iterator[str]:
    """What stands in the table of all turns: a sentence each."""
    yield words.say(Reason.of("analysis.table", player=sheet.game.players[0]))
    if turns := undecided(made):
        yield words.say(Reason.of("analysis.flat", number=turns, value=percent(made.standings[0].value)))


def broken_off(sheet: ScoreSheet, made: Analysis, words: Words) -> Reason:
    """What was expected of a game that the rules had not ended; of who resigned, if with the better position."""
    last, winner = made.standings[-1], sheet.outcome.winner if sheet.outcome else None
    id, side = "analysis.left", 0
    if winner is not None and worth(last.value, 1 - winner) >= BETTER:
        id, side = "analysis.too-soon", 1 - winner
    return Reason.of(id, player=sheet.game.players[side], value=expected(last.value, side, last.proved, words))


def faultless(sheet: ScoreSheet, made: Analysis, words: Words) -> Iterator[str]:
    """The persons of whom no turn is explained, for none lost enough: a sentence each."""
    for side, level in enumerate(made.levels):
        mine = {turn.number for turn in made.turns if turn.side == side}
        if mine and not level and not mine & made.explained.keys():
            player = sheet.game.players[side]
            yield words.say(Reason.of("analysis.faultless", player=player, least=percent(LITTLE)))


def chapters(sheet: ScoreSheet, made: Analysis, words: Words) -> list[Chapter]:
    """The turning points, and the worst turns of persons that are none, which come first where the engine played."""
    bound = Reason.of(f"analysis.{'much' if made.turning_points else 'none'}", least=percent(LEAST), most=MOST)
    points = Chapter("points", words.text("analysis.points"), [words.say(bound)], made.turning_points)
    others = [point for point in made.worst if point not in made.turning_points]
    worst = Chapter("worst", words.text("analysis.worst"), list(faultless(sheet, made, words)), others)
    both = [worst, points] if any(made.levels) else [points, worst]
    return [chapter for chapter in both if chapter.sentences or chapter.points]


def point_told(sheet: ScoreSheet, made: Analysis, point: TurningPoint, words: Words) -> Iterator[str]:
    """What the mover could expect by the better turn and by the one played, and the lines that follow."""
    turn, after = made.turns[point.number - 1], made.standings[point.number]
    if said := of_whom(made, point):
        yield words.say(Reason.of(f"analysis.{said}", player=sheet.game.players[turn.side]))
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


def legend(made: Analysis, marks: Sequence[str], words: Words) -> str:
    """The sentences `marks` on the marks of a curve, and where something is proved what that means."""
    hoped = (point.proved for point in made.explained.values())
    proved = any(hoped) or any(standing.proved for standing in made.standings)
    return " ".join(words.text(f"analysis.{id}") for id in (*marks, *(["proof"] if proved else [])))


def of_whom(made: Analysis, point: TurningPoint) -> str:
    """What is to be said of who made the turn: the engine, or a person whose worst turn it was."""
    if made.levels[made.turns[point.number - 1].side]:
        return "of-engine"
    return "most" if point in made.worst else ""


def followed(line: tuple[str, ...], words: Words) -> str:
    """The turns of a line."""
    return ", ".join(shown(turn, words) for turn in line)


def shown(turn: str, words: Words) -> str:
    """A turn as it is written; a pass in words."""
    return words.text("analysis.pass") if turn == PASS else turn


def point_title(sheet: ScoreSheet, made: Analysis, point: TurningPoint, words: Words) -> str:
    """Which turn it was."""
    turn = made.turns[point.number - 1]
    played = Reason.of("table.played", player=sheet.game.players[turn.side], turn=turn.turn)
    return f"{point.number}. {words.say(played)}"


def columns(sheet: ScoreSheet, words: Words) -> list[str]:
    """The heads of the table of all turns."""
    names = ("turn", "player", "played", "value", "loss", "best", "notes")
    return [words.say(Reason.of(f"analysis.{name}", player=sheet.game.players[0])) for name in names]


def rows(sheet: ScoreSheet, made: Analysis, words: Words) -> Iterator[list[str]]:
    """A row for the start and for each turn, under `columns`."""
    first, flat = made.standings[0], undecided(made)
    proved = notes(first, False, False, words)
    yield ["0", "", words.text("analysis.start"), percent(first.value), "", "", proved]
    for turn, was, now in zip(made.turns, made.standings, made.standings[1:], strict=False):
        better = "" if turn.best else shown(was.best or "", words)
        value = "" if turn.number <= flat else percent(now.value)
        yield [
            str(turn.number), words.text(sheet.game.players[turn.side]), shown(turn.turn, words),
            value, percent(turn.loss) if turn.loss else "", better,
            notes(now, turn.forced, bool(turn.help), words),
        ]  # fmt: skip


def notes(standing: Standing, forced: bool, helped: bool, words: Words) -> str:
    """What else there is to say of a turn and of the position after it."""
    told = {"proved": standing.proved, "forced": forced, "help": helped}
    return ", ".join(words.text(f"analysis.{name}") for name, holds in told.items() if holds)


say(
    "analysis",
    turns="Turns: {count}.",
    option="{option}: {value}",
    unfinished="The game was not finished.",
    engine="The engine played for {player}, level {level}.",
    left="Expected score of {player} in the last position: {value}.",
    too_soon="{player} resigned in the better position: expected score {value}.",
    faultless="No turn of {player} lost {least} % or more.",
    points="Turning points",
    worst="Where the players lost most",
    none="No turn lost {least} % or more.",
    much="Turns that lost {least} % or more, {most} of them at most.",
    measure="A position is worth what its best turn comes to: the one played, with all that came after it, or one that "
    "the engine found better by {least} % or more; a turn lost what this value fell by for its player.",
    rough="The values are rough, give or take {rough} %: so far off, on average, is a search of one position alone.",
    flat="Turns 1 to {number}: nothing to choose yet; the value stays within 1 % of {value} % and is left out.",
    most="No other turn of {player} lost more.",
    of_engine="The engine chose this turn.",
    by_seconds="Seconds for each position, at most: {most}; on another computer the values will differ.",
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
    proof="Proved: if both play their best from there, the game ends so.",
    proved="proved",
    forced="forced",
    help="with help",
    **{"pass": "pass"},
)
