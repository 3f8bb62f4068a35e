"""What programs are told at ``/api/v1``: the form of each answer, as JSON.

The document that names them all, `openapi.json`, is written from the structs here by ``make types``. What programs ask
are the requests of browsers (`firmware_bridge/session/messages.py`, `seating.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from firmware_bridge.health import ailments
from firmware_bridge.i18n import Words
from firmware_bridge.lighting import Mode
from firmware_bridge.score import NAMELESS
from firmware_bridge.session import Shown, Skill, State, Story, Table, reason
from firmware_bridge.web.forms import ClocksForm, CueForm, SentenceForm, UntimedForm
from games.rules import Game, Position, Site


class PlayedForm(Struct, frozen=True):
    """A turn: its text, and who made it (0 or 1)."""

    text: str
    side: int


class UntimedTable(Struct, frozen=True):
    """A `TableNow` without its clock, which is put in when it is sent."""

    game: str
    title: str = ""
    options: Mapping[str, int | str] = {}
    sense: str = ""
    simulated: bool = False
    mode: Mode = "coach"
    hints: Shown = "off"
    engine: tuple[Skill, Skill] = (0, 0)
    players: Sequence[str] = ()
    people: tuple[str, str] = NAMELESS
    time_control: str = ""
    sites: Sequence[Site] = ()
    before: int = 0
    turns: Sequence[PlayedForm] = ()
    position: str = ""
    turns_now: Sequence[str] = ()
    side: int | None = None
    state: State = "choosing"
    levels: Sequence[int | None] = ()
    lights: Mapping[Site, CueForm] = {}
    status: str = ""
    plan: str = ""
    outcome: str | None = None
    winner: int | None = None
    clocks: ClocksForm | None = None
    asked: bool = False
    brightness: int = 0
    ailing: Sequence[str] = ()


class TableNow(UntimedTable, frozen=True, kw_only=True):
    """The table as it stands: all of it, so that nobody needs to have seen what came before.

    `game` is empty while it is being chosen by light; then all else but `state` is, too. `title`, `players`, `status`
    and `outcome` are in the reader's language. `sense`: what sensors tell. `simulated`: the table has no hardware, and
    turns can be made at it. `engine`: at which level (1-8) it plays either side, 0 for a person. `people`: what both
    are called, empty where nobody has said so. `time_control`: how time is given, empty without clocks. `sites`: their
    names, in the order of all lists of levels. `before`: how many turns came before the first of
    `turns`. `position`: the text of the one that stands. `turns_now`: all turns allowed in it, none
    once the game is over. `side`: whose turn lamp is lit (0, 1, null). `levels`: what lies on each site, 0 empty, 1
    dark, 2 light, or a number of seeds; null where sensors cannot tell. `lights`: what each lit site shows. `plan`: the
    turn that the engine has chosen and a hand is to carry out, or empty. `outcome` once the game is over, with its
    `winner` (0, 1, null). `clock`: seconds from which the rhythms of lights and `clocks` count. `asked`: another table
    waits for Done or Undo. `brightness`: of the lights at most, 0-255. `ailing`: what ails sensors more likely than
    not, a sentence for each ailment; empty where nothing does.
    """

    clock: float


class Taken(Struct, frozen=True):
    """A request was taken: it is *done*, or it was *asked* of the other player, who may refuse.

    `said`: what the table has said meanwhile, which tells where it could not do what was asked.
    """

    taken: Literal["done", "asked"]
    said: Sequence[SentenceForm]


class Problem(Struct, frozen=True):
    """Why something was refused (RFC 9457): the HTTP status, its phrase, and a sentence in the reader's language.

    `id`: that of the sentence, for programs.
    """

    status: int
    title: str
    detail: str
    id: str


@lru_cache(1)
def turns_in(game: Game[Position], position: str) -> tuple[str, ...]:
    """The turns that the rules allow in the position of this text."""
    return tuple(turn.text for turn in game.turns(game.position(position)))


def choosing_api(words: Words) -> UntimedTable:
    """The table while the game is being chosen."""
    return UntimedTable("", status=words.text("status.choosing"))


def api_form(
    table: Table, story: Story, game: Game[Position], now: UntimedForm, sensors: Mapping[str, tuple[str, ...]],
    words: Words,
) -> UntimedTable:  # fmt: skip
    """The table as programs are told; of the board and its lights what browsers are told. `sensors` as in `Status`."""
    allowed = tuple(text for text, _ in story.ways) if table.hands else turns_in(game, story.position)
    return UntimedTable(
        game=table.game,
        title=game.title,
        options=table.options,
        sense=table.sense,
        simulated=table.hands,
        mode=table.mode,
        hints=table.hints,
        engine=table.levels,
        players=[words.text(player) for player in game.players],
        people=table.people,
        time_control=table.clock,
        sites=game.sites,
        before=story.before,
        turns=[PlayedForm(turn.text, turn.side) for turn in story.turns],
        position=story.position,
        turns_now=() if story.outcome else allowed,
        side=now.side,
        state=now.state,
        levels=now.levels,
        lights=now.cues,
        status=now.status,
        plan=now.plan,
        outcome=words.say(reason(story.outcome)) if story.outcome else None,
        winner=story.winner,
        clocks=now.clocks,
        asked=now.asked,
        brightness=table.brightness,
        ailing=[words.say(each) for each in ailments(sensors, words)],
    )
