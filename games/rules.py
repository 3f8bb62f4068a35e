"""What every game promises: positions, whole turns with what hands do in them, reasons in words.

A game is one folder in this package whose ``__init__`` says ``GAME = <its class>``; nothing else registers it. Other
distributions offer games by the entry point ``tablelight.games``.

    game = load(names()[0])                  # with options: load(name, size=8)
    position = game.start()
    for turn in game.turns(position):        # empty exactly when the game is over
        turn.text, turn.after, turn.acts
    position = play(game, position, "c3-c4")

What a sensor shows of a piece is its colour, or how many seeds there are: `Position.board`. Kinds of pieces, such as
chess figures, are the game's own; `Game.marks` tells them to all that show a board.
"""

from __future__ import annotations

import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, TypeVar

from games.acts import Act as Act
from games.acts import Kind, steps
from games.acts import Site as Site
from games.acts import Step as Step

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

EMPTY, DARK, LIGHT = 0, 1, 2
"""Levels of a site in the games played with stones; in those played with seeds a level is their number."""

SENTENCES: dict[str, str] = {}
"""Message id -> English, filled by `say` as modules are loaded; the keys are what catalogues translate."""


def say(prefix: str, **english: str) -> None:
    """Give each message ``prefix.name`` its English sentence, with ``{values}`` in braces."""
    SENTENCES.update({f"{prefix}.{name.replace('_', '-')}": text for name, text in english.items()})


NAMED = frozenset({"player", "other", "colour", "program", "why"})
"""The names of values that are message ids."""


class PositionError(ValueError):
    """A position text that does not describe a position; says what is wrong and where."""


class OptionError(ValueError):
    """An unknown game, or an option it does not have; says what is allowed."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A message id with its values; ``str()`` is the English sentence.

    The values that `NAMED` lists (a player's name, a colour) are message ids themselves and said in words too, so
    that a record keeps ids and a catalogue needs to translate each sentence once.
    """

    id: str
    values: tuple[tuple[str, int | str], ...] = ()

    @classmethod
    def of(cls, id: str, **values: int | str) -> Reason:
        """The message `id` with these values."""
        return cls(id, tuple(values.items()))

    def __str__(self) -> str:
        values = {name: SENTENCES[str(value)] if name in NAMED else value for name, value in self.values}
        return SENTENCES[self.id].format(**values)


class IllegalTurn(ValueError):
    """A turn that the rules refuse; `reason` says which rule, with the numbers."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason


class Position(ABC):
    """An immutable state of a game. Equal texts, equal positions; ``str()`` is the text."""

    __slots__ = ()
    cells: bytes
    """A level a site, in the order of the game's sites."""
    side: int
    """0 or 1, who is to move."""

    @property
    def board(self) -> tuple[int, ...]:
        """What stands on each site, in the order of `Game.sites`."""
        return tuple(self.cells)

    @abstractmethod
    def __str__(self) -> str: ...

    def __repr__(self) -> str:
        return str(self)


P = TypeVar("P", bound=Position)


@dataclass(frozen=True, slots=True, repr=False)
class Turn(Generic[P]):
    """A whole turn of one player: its text, the position after it and what hands do to get there.

    After a turn the other player is to move; so a refused turn out of turn leaves the side to move as it was.

    `acts` are in the natural order of a hand, and none in a pass. `reason` is None for a legal turn, else the rule it
    breaks.
    """

    text: str
    after: P
    acts: tuple[Act, ...]
    reason: Reason | None = None
    _steps: tuple[Step, ...] | None = field(default=None, init=False, compare=False)

    @property
    def steps(self) -> tuple[Step, ...]:
        """What the sites come to show, one after another, in the natural order of a hand."""
        if self._steps is None:
            object.__setattr__(self, "_steps", steps(self.acts))  # worked out when first asked for, and once
        return self._steps or ()

    @property
    def path(self) -> tuple[Site, ...]:
        """The sites of the steps, each once, in order."""
        return tuple(dict.fromkeys(step.site for step in self.steps))

    @property
    def lifts(self) -> tuple[Site, ...]:
        """The sites with a step to level 0, in order."""
        return tuple(dict.fromkeys(step.site for step in self.steps if step.level == 0))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner (0, 1, or None for a draw), the reason, and the sites that decided it."""

    winner: int | None
    reason: Reason
    sites: tuple[Site, ...] = ()

    def __str__(self) -> str:
        return str(self.reason)


@dataclass(frozen=True, slots=True)
class Standing:
    """Who is ahead now by what the game is decided by, and why; no forecast of how it will end."""

    counts: tuple[int, int]
    """What each player has of it, 0 or more, fit to be compared; equal counts may still leave one ahead."""
    ahead: int | None
    """0 or 1; None where both stand equal."""
    reason: Reason
    """The counts in a sentence, with all else that decides."""
    sites: tuple[tuple[Site, ...], tuple[Site, ...]] = ((), ())
    """For each player the sites to look at: the pieces that count, or that cannot be taken."""

    def __str__(self) -> str:
        return str(self.reason)


class Figure(NamedTuple):
    """A turn that is drawn beside the rules in short, legal or refused; ``<game>.figure-<name>`` is its caption."""

    name: str
    position: str
    """The text of the position in which it is made, of the game with its usual options."""
    turn: str
    counted: tuple[Site, ...] = ()
    """The sites whose pieces the rule counts."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What a turn must come to, so that it solves a lesson: all that is told here, and at least one of it."""

    wins: bool = False
    """It ends the game, and who makes it has won."""
    kind: Kind | None = None
    """It has acts of this kind: of pushes the stones of the row are counted, of all others the acts."""
    least: int = 1
    """So many of that kind, or more."""
    most: int = 99
    """So many of that kind, or fewer."""
    count: int = 0
    """The standing after it counts so many, or more, for who makes it."""
    shows: tuple[tuple[Site, int], ...] = ()
    """Each of these sites shows this level after it."""


class Slip(NamedTuple):
    """Legal turns that people try in a lesson and that do not solve it, with a sentence that says why not."""

    name: str
    """Small letters joined by hyphens: the end of its message id, behind that of the lesson."""
    goal: Goal
    """What such a turn comes to."""


class Lesson(NamedTuple):
    """A position in which one turn is asked for; `games.lessons` says which turns solve it."""

    name: str
    """Small letters joined by hyphens: the ends of its message ids."""
    position: str
    """Its text, with the side to move."""
    goal: Goal
    refuses: str = ""
    """The message id of the rule that is met here: some turn that people try is refused for it."""
    slips: tuple[Slip, ...] = ()
    """Turns that need an answer of their own, the first that fits is told; of others it is told what they lack."""


class Puzzle(NamedTuple):
    """A position in which one turn decides, or several one after another; `games.puzzles` says which turns solve it."""

    position: str
    """Its text, with the side that is to find the turns."""
    goal: Literal["soon", "win", "hold", "better"]
    """What the turns do: win the game with the last of them, force a win, hold where every other turn loses, or be by
    far the best as far as the engine sees.
    """
    turns: tuple[str, ...]
    """The turns to find, and between them the answers of the other side."""
    options: tuple[tuple[str, int | str], ...] = ()
    """The options of the game, where they are not the usual ones."""


class Game(ABC, Generic[P]):
    """The rules of one game with its options. Holds no state of play."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    """The rules in short, for a player."""
    sign: ClassVar[tuple[str, ...]] = ("#.#", "...", "#.#")
    """Three lines of three lights by which a table with no screen offers the game: ``#``, or ``x`` and ``o`` stones."""
    usual: ClassVar[bool] = False
    """Whether this game is meant where none is named."""
    figures: ClassVar[tuple[Figure, ...]] = ()
    """Examples of turns, the most important first; three are enough."""
    lessons: ClassVar[tuple[Lesson, ...]] = ()
    """What a newcomer learns the game by, one turn each, in this order; the last one is how one wins."""
    lesson_options: ClassVar[Mapping[str, int | str]] = {}
    """The options with which the lessons are played."""
    puzzles: ClassVar[tuple[Puzzle, ...]] = ()
    """Positions with turns that decide, from easy to hard."""
    options: ClassVar[Mapping[str, tuple[int | str, ...]]] = {}
    """Option -> allowed values, the default first."""
    chosen: Mapping[str, int | str] = {}
    """The options that this game was loaded with, the defaults among them."""
    players: ClassVar[tuple[str, str]]
    """Message ids of the two players' names."""
    pieces: ClassVar[Literal["stones", "seeds"]] = "stones"
    """Whether a level is a colour or a count."""
    sites: tuple[Site, ...]
    places: Mapping[Site, tuple[float, float]]
    """Where each site lies, in pitches of the board: x to the right, y up."""
    links: tuple[tuple[Site, Site], ...] = ()
    """The lines drawn between sites; none on a board of squares or pits."""
    shaded: frozenset[Site] = frozenset()
    """The dark squares of a checkered board."""
    kinds: ClassVar[Mapping[str, str]] = {}
    """Stones that are more than their colour: the mark of each kind, a letter or sign, and the message id of its name.

    A chess figure, say, or a draughts king: ``{"K": "draughts.kind-king"}``. No sensor shows kinds; boards on paper,
    screens and pages do.
    """

    @abstractmethod
    def start(self) -> P:
        """The position before the first turn."""

    @abstractmethod
    def position(self, text: str) -> P:
        """Read a position text back; `PositionError` says what is wrong and where."""

    @abstractmethod
    def turns(self, position: P) -> tuple[Turn[P], ...]:
        """Every legal turn, whole; empty exactly when the game is over."""

    def listed(self, position: P) -> Iterator[Turn[P]]:
        """The same turns one by one: a game whose turns take long to make may make each when it is asked for."""
        return iter(self.turns(position))

    @abstractmethod
    def tries(self, position: P) -> Iterator[Turn[P]]:
        """The illegal turns that people try, each with its reason; one by one, for they are many."""

    def refused(self, position: P) -> tuple[Turn[P], ...]:
        """All of `tries`."""
        return tuple(self.tries(position))

    def why_not(self, position: P, site: Site) -> Reason | None:
        """Why no turn begins with what stands on `site`; None where one does, and where the game does not tell.

        It is the reason of the first of `tries` that begins there, unless a game has a better word.
        """
        if any(begins(turn, site) for turn in self.turns(position)):
            return None
        return next((turn.reason for turn in self.tries(position) if begins(turn, site)), None)

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """None while the game goes on."""

    def repeated(self, position: P) -> Outcome:
        """The end by the house rule on repetition (not part of the rules of any game)."""
        return Outcome(None, Reason("rules.repetition"))

    def player_name(self, side: int) -> str:
        """The English name of player `side`, 0 or 1."""
        return SENTENCES[self.players[side]]

    def aside(self, position: P) -> Reason | None:
        """What a player wants to know of the position and cannot see on its sites: hands, stores."""
        return None

    def beside(self, position: P) -> tuple[int, int] | None:
        """How many pieces the first and the second player have beside the board; None in games without such."""
        return None

    def standing(self, position: P) -> Standing | None:
        """Who is ahead and why, also before the first turn and after the end; None in games that do not tell."""
        return None

    def lesson_says(self, lesson: Lesson, what: str = "") -> Reason:
        """The task of a lesson, or with `what` its sentence ``done`` or ``hint``, or that of one of its slips."""
        return Reason("-".join(filter(None, (f"{self.name}.lesson-{lesson.name}", what))))

    def marks(self, position: P) -> Mapping[Site, str]:
        """The sites whose stones are of one of `kinds`, each with its mark; plain stones have none."""
        return {}

    def explain(self, position: P, text: str) -> Reason:
        """Why `text`, which is neither a legal nor a listed illegal turn, is no turn here."""
        return Reason.of("rules.no-such-turn", turn=told(text), example=self.turns(position)[0].text)


say(
    "rules",
    repetition="House rule of this table: the same position stands for the third time, so the game is drawn.",
    no_such_turn="{turn} is no turn of this position; {example}, for one, is. The legal turns can be listed.",
    game_over="The game is over: {turn} can no longer be played.",
    pass_forced="No turn is possible, so the turn passes; {turn} cannot be played.",
    dark="black",
    light="white",
    option_first="who begins",
    value_x="Black",
    value_o="White",
)


def begins(turn: Turn[P], site: Site) -> bool:
    """Whether hands may begin `turn` with what stands on `site`: move it, lift it or turn it over."""
    first = next((act for act in turn.acts if site in act.sites), None)
    return first is not None and first.kind != "lay" and first.sites[0] == site and not first.needs


def clip(text: str, most: int = 24) -> str:
    """`text` fit for a sentence: printable, and not longer than `most` characters."""
    shown = "".join(c if c.isprintable() else "?" for c in text[: most + 1])
    return shown if len(shown) <= most else shown[:most] + "..."


def told(text: str) -> str:
    """What somebody has given for a turn, fit for a sentence; the empty text in quotes."""
    return clip(text) or "''"


def colour(level: int) -> str:
    """The message id of a stone's colour: 1 dark, 2 light."""
    return "rules.dark" if level == DARK else "rules.light"


def play(game: Game[P], position: P, text: str) -> P:
    """The position after the legal turn `text`, or `IllegalTurn` with the rule it breaks."""
    turns = game.turns(position)
    for turn in turns:
        if turn.text == text:
            return turn.after
    if not turns:
        raise IllegalTurn(Reason.of("rules.game-over", turn=told(text)))
    if [turn.text for turn in turns] == ["pass"]:
        raise IllegalTurn(Reason.of("rules.pass-forced", turn=told(text)))
    for turn in game.refused(position):
        if turn.text == text and turn.reason:
            raise IllegalTurn(turn.reason)
    raise IllegalTurn(game.explain(position, text))


class Perft(NamedTuple):
    """The number of turn sequences of length `depth` and of distinct positions after them."""

    depth: int
    sequences: int
    distinct: int


def perft(game: Game[P], depth: int, position: P | None = None) -> Iterator[Perft]:
    """Count depth 1, 2, ... `depth`, one result as each is done. Memory grows with the distinct positions."""
    layer = {position or game.start(): 1}
    for ply in range(1, depth + 1):
        after: dict[P, int] = {}
        for reached, ways in layer.items():
            for turn in game.turns(reached):
                after[turn.after] = after.get(turn.after, 0) + ways
        layer = after
        yield Perft(ply, sum(layer.values()), len(layer))


GROUP = "tablelight.games"
"""The entry points by which other distributions offer games: a name, and where the game's class is."""


def names(*, installed: bool = False) -> tuple[str, ...]:
    """The names of the games that come with the program: every folder beside this file; `installed`: all others too.

    A game of another distribution that bears the name of one of these is left out.
    """
    package = import_module("games")
    folders = (module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg)
    own = tuple(sorted(name.replace("_", "-") for name in folders))
    return own + tuple(sorted({point.name for point in offered()} - {*own})) if installed else own


def usual_game() -> str:
    """The game that is meant where none is named: the first of the program's own that says so, or of all of them."""
    own = names()
    return next((name for name in own if game_class(name).usual), own[0])


def offered() -> EntryPoints:
    """The games that other distributions offer, also those that cannot be loaded."""
    from importlib.metadata import entry_points  # 25 ms, and seldom needed

    return entry_points(group=GROUP)


def game_class(name: str) -> type[Game[Any]]:
    """The class of the game `name`; `OptionError` if there is none, or if it cannot be loaded."""
    if name in names():
        built_in: type[Game[Any]] = import_module(f"games.{name.replace('-', '_')}").GAME
        return built_in
    points = offered().select(name=name)
    if not points:
        known = ", ".join(names(installed=True))
        raise OptionError(f"there is no game {clip(name)!r}; the games are {known}")
    whence = sorted(f"{point.value} of {point.dist.name if point.dist else 'an unknown package'}" for point in points)
    if len(whence) > 1:
        raise OptionError(f"two packages offer a game named {name}: {' and '.join(whence)}; uninstall one of them")
    (point,) = points
    game = _load(point, f"the game {name} ({whence[0]})")
    fault = lacks(game, name)
    if fault:
        raise OptionError(f"the game {name} ({whence[0]}) cannot be played: {fault}")
    loaded: type[Game[Any]] = game
    return loaded


def _load(point: EntryPoint, what: str) -> Any:
    """What a stranger's entry point names; OptionError."""
    try:
        return point.load()
    except (Exception, SystemExit) as error:  # whatever a stranger's module does as it is loaded
        raise OptionError(f"{what} cannot be loaded: {fault_of(error)}") from error


def lacks(game: object, name: str) -> str:
    """What keeps `game` from being a game called `name`, as far as its class tells; empty if nothing does."""
    if not (isinstance(game, type) and issubclass(game, Game)):
        return "it is not a class of games.rules.Game"
    if game.__abstractmethods__:
        return f"the class has no {', '.join(sorted(game.__abstractmethods__))}"
    absent = [told for told in ("name", "title", "summary", "players") if not hasattr(game, told)]
    if absent:
        return f"the class has no {', '.join(absent)}"
    if game.name != name:
        return f"the class bears the name {clip(str(game.name))!r}"
    told = [isinstance(line, str) and len(line) == 3 and {*line} <= {*"#xo."} for line in game.sign]
    return "" if told == [True] * 3 else "its sign is not three lines of three characters of #xo."


def fault_of(error: BaseException) -> str:
    """What an unexpected error says, fit for a sentence."""
    return ": ".join(filter(None, (type(error).__name__, clip(str(error), 200))))


def load(name: str, /, **options: int | str) -> Game[Any]:
    """The game `name` with its options; `OptionError` names what is allowed, or says why it cannot be loaded."""
    game = game_class(name)
    for option, value in options.items():
        check_option(game, option, value)
    try:
        loaded = game(**options)
        nowhere = [site for site in loaded.sites if site not in loaded.places]
    except Exception as error:  # whatever a stranger's game does
        if name in names():
            raise
        raise OptionError(f"the game {name} cannot be set up: {fault_of(error)}") from error
    if nowhere:
        raise OptionError(f"the game {name} cannot be set up: its site {clip(str(nowhere[0]))} has no place")
    loaded.chosen = {option: values[0] for option, values in game.options.items()} | options
    return loaded


def available(load: Callable[[str], Game[Any]] = load) -> tuple[list[Game[Any]], list[OptionError]]:
    """All games that `load` can load, the program's own first; and for each of the others why it cannot."""
    games: list[Game[Any]] = []
    faults: list[OptionError] = []
    for name in names(installed=True):
        try:
            games.append(load(name))
        except OptionError as fault:
            faults.append(fault)
    return games, faults


def check_option(game: type[Game[Any]], option: str, value: int | str) -> None:
    """Refuse an option that `game` does not have, or a value it does not take."""
    if option not in game.options:
        allowed = ", ".join(game.options) or "none"
        raise OptionError(f"{game.name} has no option {clip(option)!r}; its options: {allowed}")
    if value not in game.options[option]:
        allowed = ", ".join(map(str, game.options[option]))
        raise OptionError(f"{game.name}: {option} = {written(value)} is not possible; allowed: {allowed}")


def written(value: int | str, most: int = 24) -> str:
    """An option's value fit for a sentence, not longer than `most` characters; str() refuses very long numbers."""
    long = not isinstance(value, str) and abs(value) >= 10**most
    return f"a number of more than {most} digits" if long else clip(str(value), most)
