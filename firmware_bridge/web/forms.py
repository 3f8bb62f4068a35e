"""The messages to browsers: the form of each, as JSON, and what it tells.

The types that the page is checked with are written from the structs here by ``make types``. `snapshots.py` fills them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct, json

from firmware_bridge.drawing.ground import Box
from firmware_bridge.drawing.shapes import Point
from firmware_bridge.lighting import Lamp, Mode
from firmware_bridge.score import NAMELESS
from firmware_bridge.session import Sensed, Shown, Skill, State
from games.acts import Kind
from games.rules import Site
from hardware.device import Colour

encode = json.Encoder().encode
"""A form as JSON."""


class Form(Struct, frozen=True, tag_field="kind"):
    """A message to browsers."""


class PageForm(Form, frozen=True, tag="page"):
    """The words of the page, sent after each greeting.

    `language` is a key of `languages`, which has the name of each. `text`: the sentences by the ends of their message
    ids. `may`: this browser may change things; `token`: only a token is what it lacks for that. `invite`: the address
    for the phones of players, and `code`: the same as a QR code, an ``<svg>``; both empty for those who may not invite.
    `past`: this browser may look at past games; `badge`: what it shows for these, as a cookie, empty for none.
    """

    language: str
    languages: Mapping[str, str]
    text: Mapping[str, str]
    may: bool
    token: bool
    invite: str = ""
    code: str = ""
    past: bool = True
    badge: str = ""


class RefusedForm(Form, frozen=True, tag="refused"):
    """Why a request was not taken, and what to do."""

    text: str


class AloneForm(Form, frozen=True, tag="alone"):
    """The server has lost the table."""


class OptionForm(Struct, frozen=True):
    """What can be chosen for a game: the usual value first, each with its title, and the one that is chosen now."""

    title: str
    values: Sequence[int | str]
    titles: Sequence[str]
    chosen: int | str


class GameForm(Struct, frozen=True):
    """A game that could be played, and a sentence `about` it. `senses`: the least and the most that sensors can tell.

    `engine`: whether there is an opponent for it. `lessons`: how many it has, and `solved` the numbers of those
    that were solved at this table, from 1 on; `puzzles` and `puzzled` the same of puzzles. `aim`: how it is won, empty
    where the game has no words for it.
    """

    name: str
    title: str
    about: str
    options: Mapping[str, OptionForm]
    senses: tuple[Sensed, Sensed]
    engine: bool
    lessons: int
    solved: Sequence[int]
    puzzles: int
    puzzled: Sequence[int]
    aim: str


class PuzzleForm(Struct, frozen=True):
    """How far the puzzle in hand is: turns `found` of `steps`; whether another one was made; `helped`: 1 for a hint, 2
    for the whole turn. `own`: it is from somebody's own game. `position`: the text of the one that it begins with."""

    found: int
    steps: int
    missed: bool
    helped: int
    own: bool
    position: str


class LessonForm(Struct, frozen=True):
    """The lesson in hand: its number, from 1 on, of how many; what is asked, and what is learnt once it is `solved`.

    `puzzle`: more of it, where it is no lesson but a puzzle.
    """

    number: int
    count: int
    solved: bool
    task: str
    learnt: str
    puzzle: PuzzleForm | None


class BoardForm(Struct, frozen=True):
    """The geometry of a board in units of its drawing, y down.

    `box`: x, y, width and height of all of it. `pitch`: how far neighbours are apart. `at`: the middle of each site, in
    the order of the game's sites. `stores`: a box for each player, None where there are none. `ground`: an ``<svg>``.
    `points`: whether pieces stand on points of lines, not in squares.
    """

    box: Box
    pitch: float
    at: Mapping[Site, Point]
    stores: tuple[Box, Box] | None
    ground: str
    points: bool


class RhythmForm(Struct, frozen=True):
    """The strength (0..1) at time t is ``levels[floor(t mod period / period * len(levels))]``; `period` in seconds."""

    period: float
    levels: Sequence[float]


class LightsForm(Struct, frozen=True):
    """All that is needed to light a cue as the table does; `docs/page.md` has the formula.

    `colours` (0-255 a channel) and `rhythms` by kinds of cues, `spoken`: the kinds that have the colour of a stone.
    `brightness` 0-255; `supply`, `controller`, and `dark` and `white` of each of the `pixels`, in mA.
    """

    colours: Mapping[str, Colour]
    rhythms: Mapping[str, RhythmForm]
    spoken: Sequence[str]
    brightness: int
    supply: float
    pixels: int
    controller: int
    dark: int
    white: int


class TableForm(Form, frozen=True, tag="table"):
    """What is played, what else could be, and how the board and its lights look.

    `game` is empty while it is being chosen by light; then all from `title` on is empty too, and `board` is None.
    `hands`: pieces are moved on the page. `record`: there is one. `levels`: at which level (1-8) the engine plays
    either side, 0 for a person. `pushes`: rows of pieces are pushed. `players` are in the reader's language, `names` in
    English. `rules`: a paragraph each; `help`: how its turns are made on the page, where the game has words for it.
    `figures`: an ``<svg>`` each, with its caption in `captions`. `left_out`: for each game that is installed and cannot
    be played a sentence why. `carried`: a hand that is nobody's carries out the engine's turns. `kinds`: the marks of
    pieces that are more than their colour, each with the kind's name. `lesson`: the one in hand, None in a game.
    `offered`: nobody has chosen this game yet. `clock`: how time is given, empty without clocks. `people`: what
    the people are called, empty where nobody has said so. `left`: there is a finished game to go back to.
    `linked`: it is played with another table, which is asked for another game.
    """

    game: str
    options: Mapping[str, int | str]
    sense: str
    hands: bool
    mode: Mode
    record: bool
    games: Sequence[GameForm]
    levels: tuple[Skill, Skill]
    hints: Shown
    lights: LightsForm
    title: str = ""
    pieces: Literal["stones", "seeds"] = "stones"
    pushes: bool = False
    players: Sequence[str] = ()
    names: Sequence[str] = ()
    rules: Sequence[str] = ()
    help: str = ""
    figures: Sequence[str] = ()
    captions: Sequence[str] = ()
    board: BoardForm | None = None
    left_out: Sequence[str] = ()
    carried: bool = False
    kinds: Mapping[str, str] = {}
    lesson: LessonForm | None = None
    offered: bool = False
    clock: str = ""
    people: tuple[str, str] = NAMELESS
    left: bool = False
    linked: bool = False


class ActForm(Struct, frozen=True):
    """One thing that a hand does, as `games/acts.py` has it."""

    kind: Kind
    sites: Sequence[Site]
    levels: Sequence[int]


class TurnForm(Struct, frozen=True):
    """A turn: who made it (0 or 1), and the level of each site after it.

    `marks`: the sites whose marks it changes, each with the new one, empty for none. `acts`: what hands did in it.
    """

    text: str
    side: int
    board: Sequence[int]
    marks: Mapping[Site, str]
    acts: Sequence[ActForm]


class WayForm(Struct, frozen=True):
    """A turn that can be made now, and what hands do in it, in the order of a careful one."""

    text: str
    acts: Sequence[ActForm]


class StandingForm(Struct, frozen=True):
    """Who is ahead now and why, as `Standing` of `games/rules.py` has it; `ahead` is 0, 1 or None.

    `text` is the sentence with all that counts, `who` the one that says who is ahead.
    """

    counts: tuple[int, int]
    ahead: int | None
    text: str
    who: str
    sites: tuple[Sequence[Site], Sequence[Site]]


class StoryForm(Form, frozen=True, tag="story"):
    """The game so far: the level of each site at the start, and the turns; `before` them so many that are not told.

    `marks`: those of the pieces at the start. `outcome` and `winner` (0, 1, None) once it is over. `beside`: pieces
    that each player has beside the board, None in games that have none. `ways`: on a simulated table the turns that
    there are now. `position`: the text of the position that stands now; `standing`: who is ahead in it, None in games
    that do not tell.
    """

    start: Sequence[int]
    marks: Mapping[Site, str]
    turns: Sequence[TurnForm]
    before: int
    outcome: str | None
    winner: int | None
    beside: tuple[int, int] | None
    ways: Sequence[WayForm]
    position: str
    standing: StandingForm | None


class CueForm(Struct, frozen=True):
    """What one site shows, as a `Cue` has it, and what that tells a player."""

    kind: str
    level: int
    strength: float
    phase: float
    choice: bool
    under: str
    order: int
    tells: str


class LeftForm(Struct, frozen=True):
    """What a player had left when the turn began: seconds of the main time, and periods."""

    main: float
    periods: int


class ClocksForm(Struct, frozen=True):
    """The clocks, as `firmware_bridge/clocks` has them.

    `side` is to move and has `used` so many seconds of the turn by `since`, from when on its clock runs; None while it
    stands. `period`: the seconds of one, 0 in a game without. `begun`: a turn was made.
    """

    left: tuple[LeftForm, LeftForm]
    side: int
    used: float
    since: float | None
    period: float
    begun: bool


class UntimedForm(Form, frozen=True, tag="now"):
    """A `NowForm` without its clock, which is put in when the form is sent."""

    levels: Sequence[int | None]
    cues: Mapping[Site, CueForm]
    side: int | None
    state: State
    aside: str | None
    status: str
    plan: str
    marks: Mapping[Site, str]
    clocks: ClocksForm | None
    pace: Lamp
    asked: bool
    acts: Sequence[ActForm]
    barred: Mapping[Site, str]
    refused: str


class NowForm(UntimedForm, frozen=True, tag="now"):
    """The board as it lies, and its lights.

    `levels`: 0 empty, 1 dark, 2 light, or a number of seeds; None where the sensors cannot tell. `side`: whose lamp is
    lit (0, 1, None). `status`: whose turn it is, with `aside` in it: what else a player wants to know. `plan`: the turn
    that the engine has chosen and a hand is to carry out, or empty. `marks`: of the pieces as they lie. `clock`, in
    seconds: the rhythms count from it. `clocks`: what the players have left, None without clocks; `pace`: how short of
    time the player to move is, by which the turn lamp has a rhythm. `asked`: another table waits for Done or Undo.
    `acts`: what hands do in the turn that is made, as far as that is known; at rest in the last one. `barred`: sites
    from which something was lifted with which no turn begins, each with why. `refused`: the rule that what hands do
    breaks, be that certain or not; empty where none is known.
    """

    clock: float


class SentenceForm(Struct, frozen=True):
    """Something that was said: its number, counted from 1, the name of its event, and the id of its message.

    `aloud`: as one would say it, empty if it is not to be heard at the table.
    """

    number: int
    name: str
    id: str
    text: str
    aloud: str


class SaidForm(Form, frozen=True, tag="said"):
    """What was said since the last time, in order; at a greeting the last of it."""

    words: Sequence[SentenceForm]


class SeatForm(Struct, frozen=True):
    """A seat that is taken: the name to be shown, empty for the player's own; `away`: no browser of theirs is there."""

    name: str
    away: bool


class AskedForm(Struct, frozen=True):
    """What is asked in place of side `by`, for `left` seconds more.

    `mine`: by this browser's reader; `answer`: its reader is to grant or refuse it.
    """

    what: Literal["undo", "draw", "new"]
    by: Literal[0, 1]
    mine: bool
    answer: bool
    left: float


class HintForm(Struct, frozen=True):
    """A hint for one reader: what the lights would show, and a sentence, empty until there is one."""

    cues: Mapping[Site, CueForm]
    text: str


class SeatsForm(Form, frozen=True, tag="seats"):
    """The seats, None where one is free; `mine`: that of this browser's reader, None for none.

    `act`: the reader's hands may do something now. `asked`: what is to be agreed upon, None for nothing. `hint`: one
    that the reader alone is told.
    """

    seats: Sequence[SeatForm | None]
    mine: Literal[0, 1] | None
    act: bool
    asked: AskedForm | None
    hint: HintForm | None


class LinkForm(Form, frozen=True, tag="link"):
    """How far the way to another table is; only those are told who may change something.

    `state`, `words`, `broker` and `kept` as `Link` has them. `address`: the words with the broker, which another table
    joins by, and `code`: the same as a QR code, an ``<svg>``; both empty but while it waits. `fault`: a sentence.
    """

    state: Literal["", "reaching", "waiting", "failed"]
    words: str
    address: str
    code: str
    fault: str
    broker: str
    kept: bool


class BroughtForm(Form, frozen=True, tag="brought"):
    """A game that this browser has brought: the `key` by which it is looked back at, and what is to be told of it.

    Where it was not taken `key` is empty, and `text` tells why.
    """

    key: str
    text: str


AnyForm = (
    PageForm | TableForm | StoryForm | NowForm | LinkForm | SaidForm | SeatsForm | BroughtForm | RefusedForm | AloneForm
)
"""All messages to a browser."""
