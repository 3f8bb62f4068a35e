"""Games as they are taken away and brought back: the text form of a record, or SGF text; docs/exchange.md has both.

What comes from elsewhere is bounded, and checked by the rules turn by turn. Nothing else is done with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import NoReturn

import firmware_bridge
from firmware_bridge.clocks import clocks
from firmware_bridge.exchange import sgf
from firmware_bridge.exchange.sgf import Unreadable
from firmware_bridge.records import (
    COMMENT,
    Line,
    LineError,
    option,
    read_heading,
    read_lines,
    record_lines,
    repeat,
    write_lines,
)
from firmware_bridge.score import NAMELESS, PASS, PEOPLE, TIMED_OUT, ScoreSheet, people
from games.rules import Game, IllegalTurn, OptionError, Position, PositionError, Reason, clip, load, say
from hardware.device import Sense

LARGEST = 250_000
"""Bytes of a game that is brought at most: what the program itself puts in a record, see `Bounds`."""
MOST_TURNS = 2_000
"""Turns that are played to read one at most, likewise."""
MOST_ALLOWED = 12
"""Turns that are named as allowed where one is refused; guessed: what one reads through."""
SIDES = ("B", "W")
"""The players in SGF: who begins, and the other, whatever the game calls them."""
SIZE = "size"
"""The option of a game that SGF has a property for; all others stand in RU."""
ENGINE = re.compile(r"engine ([1-8])")
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
RESULT = re.compile(r"(?:([BW])\+(.*)|0|Draw|Void|\?|)", re.ASCII)
RESIGNED, TIMED = ("R", "Resign"), ("T", "Time")


@dataclass(frozen=True, slots=True)
class Carried:
    """A game that is taken away or was brought, with its `comments` by how many turns were made before.

    `day`: when it was played, YEAR-MONTH-DAY, empty for unknown. `left_out`: variations of the text that are not in it.
    """

    sheet: ScoreSheet
    comments: Mapping[int, str] = field(default_factory=dict)
    day: str = ""
    sense: Sense = Sense.PRESENCE
    left_out: int = 0


def read_game(data: bytes, largest: int = LARGEST) -> Carried:
    """The game that a record or an SGF text of at most `largest` bytes holds; Unreadable."""
    if len(data) > largest:
        raise Unreadable(Reason.of("exchange.large", most=largest))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable(Reason("exchange.no-text")) from None
    text = text.replace("\r\n", "\n")
    if text.lstrip().startswith("("):
        return of_sgf(sgf.parse(text))
    if text.lstrip().startswith("tablelight "):
        return of_record(text)
    raise Unreadable(Reason.of("exchange.strange", found=clip(text.lstrip())))


def make(sheet: ScoreSheet, text: str) -> None:
    """Make a turn; Unreadable says which one the rules refuse, why, and what is allowed there."""
    number, mover = sheet.length + 1, sheet.player
    if number > MOST_TURNS:
        raise Unreadable(Reason.of("exchange.long", most=MOST_TURNS))
    allowed = [turn.text for turn in sheet.turns]
    try:
        sheet.read(text)
    except IllegalTurn as error:
        which = Reason.of("exchange.illegal", number=number, turn=clip(text) or "''", player=mover)
        told, more = " ".join(allowed[:MOST_ALLOWED]), len(allowed) - MOST_ALLOWED
        may = Reason.of("exchange.allowed-more", turns=told, count=more) if more > 0 else None
        may = may or (Reason.of("exchange.allowed", turns=told) if told else None)
        raise Unreadable(which, error.reason, *filter(None, [may])) from None


# Records ----------------------------------------------------------------------------------------


def of_record(text: str) -> Carried:
    """The game of a record's text, a torn last line left out; Unreadable."""
    try:
        lines = list(read_lines(text[: text.rfind("\n") + 1]))
        sheet, sense = read_heading(lines)
        comments: dict[int, str] = {}
        for line in lines:
            take(line, sheet, comments)
    except LineError as error:
        raise Unreadable(Reason.of("exchange.record", fault=str(error))) from None
    return Carried(sheet, comments, sense=sense)


def take(line: Line, sheet: ScoreSheet, comments: dict[int, str]) -> None:
    """Let happen what a line of a record tells; Unreadable, LineError."""
    if line.word == "turn":
        make(sheet, " ".join(line.rest))
    elif line.word == "note" and line.rest[:1] == (COMMENT,):
        before = [comments[sheet.length]] if sheet.length in comments else []
        comments[sheet.length] = "\n".join((*before, *line.rest[1:2]))
    else:
        repeat(sheet, line)
        if line.word in ("undo", "amend"):
            for number in [each for each in comments if each > sheet.length - (line.word == "amend")]:
                del comments[number]


def record_text(game: Carried) -> str:
    """The game as the text of a record."""
    return write_lines(record_lines(game.sheet, game.sense, game.comments))


# SGF --------------------------------------------------------------------------------------------


def sgf_text(game: Carried) -> str:
    """The game as SGF text."""
    sheet, comments = game.sheet, game.comments
    nodes: list[dict[str, list[str]]] = [root(game)]
    nodes += ({SIDES[entry.position.side]: [entry.turn.text]} for entry in sheet.played_turns)
    for number, told in comments.items():
        nodes[number]["C"] = [told]
    return sgf.write(nodes)


def root(game: Carried) -> dict[str, list[str]]:
    """The first node, which tells all about the game but its turns."""
    sheet, rules = game.sheet, game.sheet.game
    chosen = dict(rules.chosen)
    told = {"FF": "4", "CA": "UTF-8", "AP": f"Tablelight:{firmware_bridge.__version__}", "GM": rules.name}
    if SIZE in chosen:
        told["SZ"] = str(chosen.pop(SIZE))
    variant = [f"{name}={value}" for name, value in chosen.items()] + ["house-rule=off"] * (not sheet.house_rule)
    told["RU"] = " ".join(variant)
    for side, name, level in zip(SIDES, sheet.names, sheet.levels, strict=True):
        told[f"P{side}"] = name
        told[f"{side}R"] = f"engine {level}" if level else ""
    told["DT"] = game.day
    if sheet.clock:
        control = sheet.clock.control
        told["TM"], told["OT"] = f"{control.main:g}", str(control)
    if sheet.start != rules.start():
        told["POS"] = str(sheet.start)
    told["RE"] = result(sheet)
    return {name: [value] for name, value in told.items() if value}


def result(sheet: ScoreSheet) -> str:
    """How the game ended, as SGF has it; empty while it goes on."""
    outcome = sheet.outcome
    if not outcome:
        return ""
    if outcome.winner is None:
        return "Draw"
    how = ("T" if outcome.reason.id == TIMED_OUT else "R") if sheet.called_off else ""
    return f"{SIDES[outcome.winner]}+{how}"


def of_sgf(tree: sgf.Tree) -> Carried:
    """The game of an SGF text; Unreadable."""
    about = {name: values[0] for name, values in tree.nodes[0].items() if values}
    sheet = begun(about)
    comments: dict[int, str] = {}
    for node in tree.nodes:
        for side, colour in enumerate(SIDES):
            if colour in node:
                play_for(sheet, side, (node[colour] or [""])[0].strip() or PASS)
        if told := "\n".join(node.get("C", ())).strip():
            comments[sheet.length] = "\n".join(filter(None, (comments.get(sheet.length), told)))
    finish(sheet, about.get("RE", "").strip())
    day = DAY.match(about.get("DT", ""))
    return Carried(sheet, comments, day[0] if day else "", left_out=tree.left_out)


def begun(about: Mapping[str, str]) -> ScoreSheet:
    """The sheet of a game that begins as the first node tells; Unreadable."""
    if "GM" not in about:
        raise Unreadable(Reason("exchange.no-game"))
    name = "GM"
    try:
        size = [f"{SIZE}={about['SZ']}"] if "SZ" in about else []
        name = "RU" if about.get("RU") else "GM"
        options = dict(map(option, chain(size, about.get("RU", "").split())))
        house_rule = options.pop("house-rule", "on") != "off"
        game: Game[Position] = load(about["GM"].strip(), **options)
        name = "POS"
        start = game.position(about[name].strip()) if name in about else None
        name = "PB"
        named = people((about.get("PB", ""), about.get("PW", ""))) if "PB" in about or "PW" in about else NAMELESS
        name = "OT"
        clock = clocks(about.get("OT", ""))
    except (OptionError, PositionError) as error:
        raise Unreadable(Reason.of("exchange.property", name=name, fault=str(error))) from None
    first, second = (engine_level(about.get(f"{side}R", "")) for side in SIDES)
    levels = (first, second) if first or second else PEOPLE
    return ScoreSheet(game, start, house_rule=house_rule, levels=levels, clock=clock, names=named)


def engine_level(rank: str) -> int:
    """The level of the engine that a player's rank names; 0 for a person, of any rank."""
    found = ENGINE.fullmatch(rank.strip())
    return int(found[1]) if found else 0


def play_for(sheet: ScoreSheet, side: int, text: str) -> None:
    """Make a turn for `side`, which must be to move unless it was made to pass; Unreadable."""
    moves = sheet.position.side
    if side != moves and text != PASS and not sheet.outcome:
        players = sheet.game.players
        raise Unreadable(
            Reason.of("exchange.side", number=sheet.length + 1, colour_told=SIDES[side], player=players[moves])
        )
    make(sheet, text)


def finish(sheet: ScoreSheet, told: str) -> None:
    """End the game as its result tells, where the rules have not ended it; Unreadable if they contradict."""
    found = RESULT.fullmatch(told)
    if not found:
        raise Unreadable(Reason.of("exchange.no-result", told=clip(told)))
    if told in ("", "?", "Void"):
        return
    winner = SIDES.index(found[1]) if found[1] else None
    if sheet.outcome:
        if sheet.outcome.winner != winner:
            contradict(told, sheet.outcome.reason)
    elif winner is None:
        sheet.agree()
    elif found[2] in RESIGNED:
        sheet.resign(1 - winner)
    elif found[2] in TIMED:
        sheet.flag(1 - winner)
    else:
        contradict(told, Reason("exchange.goes-on"))


def contradict(told: str, truth: Reason) -> NoReturn:
    """The result is not what comes of the turns."""
    raise Unreadable(Reason.of("exchange.result", told=clip(told)), truth)


say(
    "exchange",
    large="This is no game that was taken away here: it has more than {most} bytes.",
    no_text="This is no text, as a record and SGF are: choose the file that was taken away here.",
    strange="This holds no game: a record begins with tablelight 1, SGF text with (; and this with: {found}",
    long="A game that is brought may have {most} turns at most.",
    illegal="Turn {number}, {turn} of {player}, cannot be made.",
    allowed="Allowed there: {turns}.",
    allowed_more="Allowed there: {turns}, and others: {count}.",
    record="The record cannot be read: {fault}.",
    no_game="The text does not say which game it is: GM[...] with its name belongs into the first node.",
    property="What {name}[...] says in the first node is not possible: {fault}.",
    side="Turn {number} is for {player}, and the text has it as {colour_told}[...]; B is who begins, W the other.",
    no_result="RE[{told}] is no result: B+, W+, B+R or W+R (resigned), B+T or W+T (time), Draw, or nothing.",
    result="RE[{told}] is not what comes of the turns.",
    left_out="Variations that were left out: {count}.",
    goes_on="By the rules the game goes on there: B+R or W+R tells that one has resigned, B+T or W+T that time was up.",
)
