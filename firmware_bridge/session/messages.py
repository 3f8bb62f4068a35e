"""Messages between the daemon and the page's server, in MessagePack: snapshots one way, requests and reports the other.

Snapshots are states, so the next one makes up for a lost one. Form and bounds of a request are checked here; whether it
makes sense for the game in hand is for its reader to check. `ask` does what is asked of a game other than by its
pieces, the same at a simulated table and at a real one.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, msgpack

from firmware_bridge.clocks import LONGEST, Clock
from firmware_bridge.daemon import Daemon
from firmware_bridge.events import Event
from firmware_bridge.health import Status
from firmware_bridge.lessons import OwnPuzzle, Progress, Tutor, begin_lesson, begin_puzzle
from firmware_bridge.lighting import Cue, Lamp, Mode
from firmware_bridge.score import NAMELESS, PEOPLE
from firmware_bridge.worker import Loss
from games.rules import Act, Game, Position, Reason, say

TOKEN = "TABLELIGHT_TOKEN"
"""The environment variable by which the server learns what players must show; a command line could be read by all."""
LARGEST = 1 << 16
"""Bytes of a request or a report at most; guessed."""
MOST_TURNS = 1200
"""The most turns of a story that are sent, of a longer game the last ones; guessed."""

Name = Annotated[str, Meta(max_length=40)]
Address = Annotated[str, Meta(max_length=300)]
"""That of a broker, as `link.pairing` reads it."""
Level = Annotated[int, Meta(ge=0, le=200)]
Skill = Annotated[int, Meta(ge=0, le=8)]
Shown = Literal["off", "button", "always"]
Sensed = Literal["presence", "colour", "count"]
"""What sensors tell of a piece: the values of `hardware.device.Sense`."""
Said = tuple[str, tuple[tuple[str, int | str], ...]]
"""A sentence: its message id and its values, as `Reason` has them."""
State = Literal["rest", "under-way", "complete", "which", "astray", "blind", "setting", "over", "choosing"]


# Snapshots ----------------------------------------------------------------------------------------


class Snapshot(Struct, frozen=True, tag_field="kind"):
    """Something the server is told."""


class Puzzling(Struct, frozen=True, array_like=True):
    """How far a puzzle is: turns `found` of `steps`; `missed`: another one was made; `helped`: 1 for a hint, 2 for the
    whole turn. `own`: it is from somebody's own game."""

    found: int
    steps: int
    missed: bool
    helped: int
    own: bool


class Taught(Struct, frozen=True, array_like=True):
    """A lesson or a puzzle: its number, from 1 on, of how many, whether it is solved, what is asked and what learnt."""

    number: int
    count: int
    solved: bool
    task: Said
    learnt: Said
    position: str
    """The text of the one that it begins with: what tells it from others."""
    puzzle: Puzzling | None = None
    """None for a lesson."""


class Table(Snapshot, frozen=True, tag="table"):
    """What is played, and how it looks. Sent when a game begins, and when one of these changes.

    `game` is empty while a real table is being asked by light what to play. `hands`: whether pieces are moved on the
    page, for the table is simulated. `brightness` 0-255, `supply` in mA, `pixels`: how many lights draw on it.
    `record` is the path of the game's record, or empty. `levels` as on a sheet: who is the engine, and how well it
    plays. `hints`: when they are shown. `carried`: a hand of the simulated table carries out the engine's turns.
    """

    game: str
    options: dict[str, int | str]
    sense: str
    hands: bool
    mode: Mode
    palette: str
    brightness: int
    supply: float
    pixels: int
    record: str = ""
    levels: tuple[Skill, Skill] = PEOPLE
    hints: Shown = "button"
    carried: bool = False
    taught: Taught | None = None
    """The lesson or the puzzle in hand; None in a game."""
    learnt: dict[str, tuple[str, ...]] = {}
    """What was solved at this table, by games: names of lessons, positions of puzzles."""
    offered: bool = False
    """Whether nobody has chosen this game yet."""
    places: tuple[tuple[float, float], ...] = ()
    """Where each site lies on a real table, in pitches, y up; none on the simulated one, which the page lays out."""
    clock: str = ""
    """How time is given; empty without clocks."""
    people: tuple[str, str] = NAMELESS
    """What the people are called; empty where nobody has said so, and for the engine."""
    left: bool = False
    """Whether a finished game was left that one may go back to."""
    linked: bool = False
    """Whether it is played with another table, which has a say in what is begun."""


class Played(Struct, frozen=True, array_like=True):
    """A turn of the story: its text, who made it (0 or 1), and the level of each site after it.

    `marks`: the sites whose marks it changes, each with the new one, empty for none; see `Game.marks`. `acts`: what
    hands did in it, empty for a pass.
    """

    text: str
    side: int
    cells: bytes
    marks: dict[str, str] = {}
    acts: tuple[Act, ...] = ()


class Story(Snapshot, frozen=True, tag="story"):
    """The game so far: the level of each site at the start, and the turns. Sent when a turn is accepted or taken back.

    `before`: how many turns precede the first one told. `outcome` and `winner` (0, 1, None) once it is over.
    """

    start: bytes
    turns: tuple[Played, ...]
    before: int = 0
    outcome: Said | None = None
    winner: int | None = None
    beside: tuple[int, int] | None = None
    """Pieces that each player has beside the board now, in hand or in store; None in games that have none."""
    ways: tuple[tuple[str, tuple[Act, ...]], ...] = ()
    """On a simulated table the turns that there are now, each with its acts: they tell what hands may do there."""
    marks: dict[str, str] = {}
    """The marks at the start."""
    position: str = ""
    """The text of the position that stands now: the server works out who is ahead, which may take a while."""
    begun: str = ""
    """The text of the position at the start of the turns told."""


class Whispered(Struct, frozen=True, array_like=True):
    """A hint for the player to move alone: the sites where lights would show it, and the sentence once there is one."""

    cues: dict[str, Cue]
    say: Said | None = None


class Now(Snapshot, frozen=True, tag="now"):
    """The board and its lights at `clock` (seconds, from which the rhythms count). Sent when one of these changes.

    `levels`: what lies on each site: truly so on a simulated table, else as the sensors tell (None: cannot tell; by
    presence 1 is any piece). `side`: whose turn lamp is lit. `aside`: what else a player wants to know. `plan`: the
    turn that the engine has chosen and a hand is to carry out, or empty. `marks`: of the pieces as they lie.
    """

    levels: tuple[int | None, ...]
    cues: dict[str, Cue]
    side: int | None
    state: State
    clock: float
    aside: Said | None = None
    plan: str = ""
    marks: dict[str, str] = {}
    whispered: Whispered | None = None
    """What the player to move has asked for with a phone of their own."""
    clocks: Clock | None = None
    """What the players have left; None without clocks."""
    pace: Lamp = ""
    """How short of time the player to move is, or ``away`` at another table."""
    asked: bool = False
    """Whether another table waits for Done, which grants what it asks for, or Undo, which refuses."""
    acts: tuple[Act, ...] = ()
    """What hands do in the turn that is made, as far as that is known; at rest in the last one."""
    refused: Said | None = None
    """The rule that what hands do breaks, where it is an illegal turn, or most likely the beginning of one."""


class Sentences(Snapshot, frozen=True, tag="words"):
    """What was said, in order, each with its number, counted from 1, and the name of its event."""

    said: tuple[tuple[int, str, Said], ...]


class Spent(Struct, frozen=True, tag_field="kind", tag="spent"):
    """The last request has been done; it has held up the scans for so many `seconds`. Then the next one may come."""

    seconds: float


class Inside(Snapshot, frozen=True, tag="inside"):
    """How the program and its computer are; for `/status` and `/metrics`, and not told to browsers."""

    status: Status


class Link(Snapshot, frozen=True, tag="link", kw_only=True):
    """How far the way to another table is; for those who may change something.

    `state`: ``reaching`` the broker, ``waiting`` for the other table, which needs `words` or `address`, ``failed``; or
    empty. `fault`: why. `broker`: that of the configuration, empty without one. `kept`: a game with another table can
    be gone on with.
    """

    state: Literal["", "reaching", "waiting", "failed"] = ""
    words: str = ""
    address: str = ""
    fault: Said | None = None
    broker: str = ""
    kept: bool = False


AnySnapshot = Table | Story | Now | Link | Sentences
"""What the server keeps, and tells on."""


class Together(Struct, frozen=True, tag_field="kind", tag="together"):
    """Snapshots of one moment: whoever is told one of them is told the others as well."""

    parts: tuple[AnySnapshot, ...]


# Requests -----------------------------------------------------------------------------------------


class Request(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Something that is asked of the daemon."""


class Lay(Request, frozen=True, tag="lay"):
    """Hands on the simulated table: each site comes to hold a level, all at once."""

    changes: Annotated[tuple[tuple[Name, Level], ...], Meta(min_length=1, max_length=128)]


class Make(Request, frozen=True, tag="make"):
    """A whole turn of the player to move: simulated hands make it; at a real table a hand does, as the lights show."""

    turn: Name


class Drop(Request, frozen=True, tag="drop"):
    """The turn that was to be made so is not to be made any more; what hands have begun of it is put back."""


class Press(Request, frozen=True, tag="press"):
    """A button of the table, or ``standing``: who is ahead; or ``whisper``: a hint for the player to move alone."""

    button: Literal["done", "undo", "hint", "standing", "whisper"]


class New(Request, frozen=True, tag="new"):
    """A new game. `sense` counts on the simulated table only; `set_up`: begin with an empty board. `levels`: see
    `Table`. `position`: the text of the one it begins with, empty for the usual start.
    """

    game: Name
    options: Annotated[dict[Name, int | Name], Meta(max_length=8)] = {}
    sense: Sensed | None = None
    set_up: bool = False
    levels: tuple[Skill, Skill] = PEOPLE
    position: Annotated[str, Meta(max_length=400)] = ""
    clock: Annotated[str, Meta(max_length=LONGEST)] = ""
    """How time is given; empty for no clocks."""
    names: tuple[Name, Name] = NAMELESS
    """What the people are called, if they say so."""


class Teach(Request, frozen=True, tag="teach"):
    """A lesson of a game, from 1 on; 0 for the first that was not solved."""

    game: Name
    number: Annotated[int, Meta(ge=0, le=99)] = 0


class Solve(Request, frozen=True, tag="solve"):
    """A puzzle of a game, from 1 on; 0 for the first that was not solved. Or one of somebody's `own` games."""

    game: Name
    number: Annotated[int, Meta(ge=0, le=999)] = 0
    own: OwnPuzzle | None = None


class Return(Request, frozen=True, tag="return"):
    """Back to the finished game that was left last to try something."""


class Show(Request, frozen=True, tag="show"):
    """How much the lights tell."""

    mode: Mode


class Brighten(Request, frozen=True, tag="brightness"):
    """How bright the lights are at most, 0-255."""

    level: Annotated[int, Meta(ge=0, le=255)]


class Carrying(Request, frozen=True, tag="carry"):
    """Whether a hand of the simulated table carries out the engine's turns by itself."""

    alone: bool


class Hinting(Request, frozen=True, tag="hints"):
    """When hints are shown."""

    hints: Shown


class Sensing(Request, frozen=True, tag="sense"):
    """Other sensors under the simulated table; the game goes on."""

    sense: Sensed


class Mishap(Request, frozen=True, tag="mishap"):
    """What happens to tables: a bump, a knock-over, the sensors' cable pulled or plugged, the pieces put right."""

    what: Literal["bump", "knock-over", "unplug", "plug", "tidy"]


class End(Request, frozen=True, tag="end"):
    """The players end the game: one of them resigns (0 or 1), or both agree on a draw (None)."""

    resigns: Literal[0, 1] | None = None


class Invite(Request, frozen=True, tag="invite"):
    """Another table is invited to a game; `seat`: who sits here. `sense` counts on the simulated table only.

    `broker`: the address of one, empty for that of the configuration.
    """

    game: Name
    options: Annotated[dict[Name, int | Name], Meta(max_length=8)] = {}
    clock: Annotated[str, Meta(max_length=LONGEST)] = ""
    seat: Literal[0, 1] = 0
    sense: Sensed | None = None
    broker: Address = ""


class Join(Request, frozen=True, tag="join"):
    """This table joins the one that shows these six words; they may follow the address of a broker and a ``#``."""

    words: Annotated[str, Meta(max_length=400)]
    broker: Address = ""


class Rejoin(Request, frozen=True, tag="rejoin"):
    """The game with another table that is kept goes on."""


class Unlink(Request, frozen=True, tag="unlink"):
    """No other table is wanted any more: one that is looked for is not; else the game goes on at this table alone."""


# Reports ------------------------------------------------------------------------------------------


class Report(Struct, frozen=True, tag_field="do"):
    """What the server tells of itself."""


class Listening(Report, frozen=True, tag="listening"):
    """Browsers are served at this address and port from now on."""

    host: str
    port: int


class Failed(Report, frozen=True, tag="failed"):
    """The server ends, for the reason that the sentence tells."""

    fault: str


class Lost(Report, frozen=True, tag="lost"):
    """A process of the server was lost, and is started anew."""

    program: Literal["report", "film"]
    loss: Loss


# Packing and reading ------------------------------------------------------------------------------

AnyLinkRequest = Invite | Join | Rejoin | Unlink
AnyTableRequest = (
    Lay
    | Make
    | Drop
    | Press
    | New
    | Teach
    | Solve
    | Return
    | Show
    | Brighten
    | Carrying
    | Hinting
    | Sensing
    | Mishap
    | End
)
AnyRequest = AnyTableRequest | AnyLinkRequest
AnyReport = Listening | Failed | Lost
AnyTold = AnySnapshot | Together | Spent | Inside

pack = msgpack.Encoder().encode
_told: msgpack.Decoder[AnyTold] = msgpack.Decoder(AnyTold)
_requests: msgpack.Decoder[AnyRequest | AnyReport] = msgpack.Decoder(AnyRequest | AnyReport)


def snapshot(data: bytes | memoryview) -> AnyTold:
    """A snapshot read back, or what a request has cost; ValueError, RecursionError."""
    read: AnyTold = _told.decode(data)
    return read


def request(data: bytes) -> AnyRequest | AnyReport | None:
    """A request or a report read back; None if it is neither."""
    try:
        return _requests.decode(data)
    except (ValueError, RecursionError):
        return None


def said(reason: Reason) -> Said:
    """`reason` as it is told."""
    return reason.id, reason.values


def reason(told: Said) -> Reason:
    """A sentence read back."""
    return Reason(told[0], tuple((str(name), value) for name, value in told[1]))


# Doing what is asked ------------------------------------------------------------------------------


def ask(daemon: Daemon, request: AnyRequest, now: float) -> list[Event]:
    """Do what is asked of the game in hand at `now` (seconds)."""
    if isinstance(request, Show):
        daemon.set_mode(request.mode)
        return []
    if isinstance(request, Brighten):
        daemon.set_brightness(request.level)
        return []
    if isinstance(request, Hinting):
        daemon.set_hints(request.hints)
        return []
    if isinstance(request, End):
        return daemon.end(request.resigns, now)
    if isinstance(request, Press):
        return daemon.press(request.button, now)
    if isinstance(request, Make):
        return daemon.plan(request.turn, now)
    if isinstance(request, Drop):
        return daemon.drop(now)
    return [Event.of("by-hand")]


def ask_partner(daemon: Daemon, request: AnyRequest, now: float) -> list[Event]:
    """Ask the other table for another game, if it is one of the same kind that is wanted; else that it has a say."""
    partner = daemon.partner
    if partner and isinstance(request, New) and request.game == daemon.table.game.name:
        return daemon.ask(lambda _: partner.again(), now)
    return [Event.of("link-busy")]


def start_of(game: Game[Position], request: New) -> Position | None:
    """The position that a new game is to begin with; None for the usual start. PositionError."""
    return game.position(request.position) if request.position else None


def tutor_of(request: Teach | Solve, progress: Progress) -> Tutor:
    """What teaches what is asked for; OptionError, PositionError, IllegalTurn."""
    if isinstance(request, Teach):
        return begin_lesson(request.game, request.number, progress)
    return begin_puzzle(request.game, request.number, request.own, progress)


def refused(fault: object) -> list[Event]:
    """That something cannot be done, and why."""
    return [Event.of("refused", fault=str(fault))]


say(
    "table",
    by_hand="The pieces of a real table are moved by hand: this cannot be done on the page.",
    refused="This cannot be done: {fault}.",
    not_sensed="Such sensors tell nothing of the pieces of {game}: choose others.",
    not_there="There is no place {site} that could hold {level}.",
    gone_back="Back to the game that was left: it is as it ended.",
    from_position="{player} plays on from the position that was chosen.",
    no_such_turn="{turn} is no turn now: the lights show what may be moved.",
    not_begun="The pieces do not lie as {turn} goes: put them back first.",
    still_writing="The record of the last game is still being written: wait a moment and choose again.",
    still_busy="The hands are still busy: wait until they have finished.",
)
