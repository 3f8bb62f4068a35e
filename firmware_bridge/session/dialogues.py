"""What is asked at the table itself, question by question: what to play and how, and what to do with a game begun."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, get_args

from firmware_bridge.lighting.scene import MODES, Mode
from firmware_bridge.score import PEOPLE
from firmware_bridge.session.menu import Choice, Dialogue, Question
from games.rules import Game, Position, Reason, say

BRIGHTNESS = (16, 32, 48, 72, 104, 144, 192, 255)
"""The brightnesses to choose from, 0-255."""
USUAL_LEVEL = 3
"""What the engine plays at unless something else was chosen before."""
SIGNS = {
    "go-on": ("#..", "##.", "#.."),
    "new": (".#.", "###", ".#."),
    "end": ("#.#", ".#.", "#.#"),
    "first": ("...", ".x.", "..."),
    "second": ("...", "o.o", "..."),
    "agree": ("###", "...", "###"),
    "near": ("...", ".x.", "xxx"),
    "far": ("xxx", ".x.", "..."),
    "people": ("x..", "...", "..o"),
    "second-engine": ("x..", ".##", ".##"),
    "first-engine": ("##.", "##.", "..o"),
    "coach": ("###", "###", "###"),
    "referee": (".#.", ".#.", "...", ".#."),
    "quiet": ("...", ".#.", "..."),
}
"""The signs of answers: an arrow goes on, a cross is new, a full square tells all, a mark of exclamation flags."""

Doing = Literal["first", "second", "agree", "go-on"]
"""What is to be done with a game begun: one player resigns, both agree on a draw, or it goes on."""
DOINGS: tuple[Doing, ...] = get_args(Doing)


class Plan(NamedTuple):
    """A new game as it was chosen at the table; `brightness` 0-255; `levels` as on a sheet."""

    game: str
    mode: Mode
    turned: bool
    brightness: int
    levels: tuple[int, int] = PEOPLE


Answer = Plan | Doing
"""What a dialogue comes to."""


def option(id: str) -> Choice:
    """An answer with its sentence and sign."""
    return Choice(id, Reason.of(f"menu.{id}"), SIGNS.get(id, ()))


def one_of(id: str, choices: Sequence[Choice], usual: str, **values: str) -> Dialogue[str]:
    """Ask, if there is anything to choose."""
    if len(choices) == 1:
        return choices[0].id
    names = [choice.id for choice in choices]
    say = Reason.of(f"table.ask-{id}", **values)
    answer = yield Question(say, tuple(choices), names.index(usual) if usual in names else 0)
    return answer


def new_game(games: Sequence[Game[Position]], usual: Plan, *, seats: bool) -> Dialogue[Plan]:
    """What to play and how; `seats`: whether the players can sit at this board either way round."""
    offered = [Choice(game.name, Reason.of("menu.game", game=game.title), game.sign) for game in games]
    name = yield from one_of("game", offered, usual.game, games=", ".join(game.title for game in games))
    levels = yield from who_plays(usual.levels)
    mode = yield from one_of("mode", [option(mode) for mode in MODES], usual.mode)
    sides = [option("near"), option("far")] if seats else [option("near")]
    side = yield from one_of("sides", sides, "far" if usual.turned else "near")
    bars = [Choice(str(level), Reason.of("menu.brightness", level=level)) for level in BRIGHTNESS]
    nearest = min(BRIGHTNESS, key=lambda level: abs(level - usual.brightness))
    brightness = yield from one_of("brightness", bars, str(nearest))
    return Plan(name, next(each for each in MODES if each == mode), side == "far", int(brightness), levels)


def who_plays(usual: tuple[int, int]) -> Dialogue[tuple[int, int]]:
    """Two people, or one and the engine, and how well it plays."""
    before = "people" if usual == PEOPLE else "second-engine" if usual[1] else "first-engine"
    who = yield from one_of("who", [option(each) for each in ("people", "second-engine", "first-engine")], before)
    if who == "people":
        return PEOPLE
    bars = [Choice(str(level), Reason.of("menu.level", level=level)) for level in range(1, 9)]
    level = int((yield from one_of("level", bars, str(max(usual) or USUAL_LEVEL))))
    return (0, level) if who == "second-engine" else (level, 0)


def begun(then: Callable[[], Dialogue[Answer]]) -> Dialogue[Answer]:
    """After a start, with a game that was not finished: go on with it, or begin another."""
    if (yield from one_of("begun", [option("go-on"), option("new")], "go-on")) == "go-on":
        return "go-on"
    return (yield from then())


def pause(then: Callable[[], Dialogue[Answer]]) -> Dialogue[Answer]:
    """In mid-game: go on, begin another, or end it."""
    doing = yield from one_of("pause", [option("go-on"), option("new"), option("end")], "go-on")
    if doing == "new":
        return (yield from then())
    if doing == "end":
        how = yield from one_of("end", [option(each) for each in DOINGS], "go-on")
        return next(each for each in DOINGS if each == how)
    return "go-on"


say(
    "table",
    ask_game="Which game? Put a stone on one of the lit signs, from the top left: {games}.",
    ask_who="Who plays? Two people (two lights), or a person who begins, or does not, and the engine (the square).",
    ask_level="How well shall the engine play? Put a stone on one of the bars: the first is a child's first game.",
    ask_mode="How much shall the lights tell? All, what is wrong (the mark of exclamation), or only what must be told.",
    ask_sides="On which side does the first player sit? Put a stone on the sign before that player.",
    ask_brightness="How bright shall the lights be? Put a stone on one of the bars.",
    ask_begun="Go on with the game that was not finished (the arrow), or begin a new one (the cross)?",
    ask_pause="Go on (the arrow), begin a new game (the upright cross), or end this one (the slanting one)?",
    ask_end="How does it end? The first player resigns (one light), the second (two), both agree on a draw (bars), "
    "or it goes on (the arrow).",
    begins="{game}: set the board up as the lights show.",
    goes_on_with="{game} goes on where it stood.",
    unrecorded="This game is played without a record ({fault}).",
    off="The table is switched off.",
)
say(
    "menu",
    game="{game}.",
    people="Two people play.",
    first_engine="The engine begins.",
    second_engine="The engine plays second.",
    level="The engine plays at level {level} of 8.",
    coach="The lights tell all.",
    referee="The lights tell what is wrong.",
    quiet="The lights tell only what must be.",
    near="The first player sits at the near side.",
    far="The first player sits at the far side.",
    brightness="Brightness {level} of 255.",
    go_on="The game goes on.",
    new="A new game.",
    end="The game is to end.",
    first="The first player resigns.",
    second="The second player resigns.",
    agree="Both agree on a draw.",
)
