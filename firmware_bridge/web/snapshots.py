"""What browsers are told: each snapshot of the daemon as a form, with its sentences in the reader's language.

The text of the last snapshot of each kind is made once a language, not once a browser.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache

from msgspec.structs import replace

from firmware_bridge.audio import SPOKEN, sentence_aloud
from firmware_bridge.clocks import Clock
from firmware_bridge.drawing.board import screen
from firmware_bridge.drawing.shapes import Point
from firmware_bridge.i18n import LANGUAGES, Words, words
from firmware_bridge.lighting import (
    CHOICE_RHYTHM,
    LAMP_RHYTHMS,
    PALETTES,
    PIECE_COLOURED,
    RHYTHMS,
    Cue,
    Rhythm,
    samples_of,
)
from firmware_bridge.score import NAMELESS, PEOPLE
from firmware_bridge.session import (
    AnySnapshot,
    Link,
    Now,
    Played,
    Said,
    Sensed,
    Sentences,
    Story,
    Table,
    Taught,
    reason,
)
from firmware_bridge.web.api_forms import api_form, choosing_api
from firmware_bridge.web.forms import (
    ActForm,
    BoardForm,
    ClocksForm,
    CueForm,
    GameForm,
    LeftForm,
    LessonForm,
    LightsForm,
    LinkForm,
    OptionForm,
    PageForm,
    PuzzleForm,
    RefusedForm,
    RhythmForm,
    SaidForm,
    SentenceForm,
    StandingForm,
    StoryForm,
    TableForm,
    TurnForm,
    UntimedForm,
    WayForm,
    encode,
)
from firmware_bridge.web.invitation import drawing
from games.acts import Act
from games.rules import SENTENCES, Game, OptionError, Position, PositionError, Reason, Site, available, load, say
from hardware.power import CONTROLLER_MA, DARK_MA, WHITE_MA

Figures = Sequence[tuple[str, str]]
"""Drawings: the message id of a caption and an ``<svg>``, each."""
SENSES: Mapping[str, tuple[Sensed, Sensed]] = {"stones": ("presence", "colour"), "seeds": ("presence", "count")}
"""The least and the most that sensors can tell of each kind of pieces."""
SENTENCES_KEPT = 50
"""Sentences that are kept for those who come later; guessed: the last turns."""
TEXTS_CHANGED = {
    "table": ("table", "now", "api"), "story": ("story", "now", "api"), "now": ("now", "api"), "link": ("link",),
}  # fmt: skip
"""Kind of snapshot -> kinds of text that it changes; *api* is the table as programs are told."""
FOR_PLAYERS = ("link",)
"""Kinds of text for those alone who may change something."""
TIMED = ("now", "api")
"""Kinds of text that tell the time at which they are sent."""
IN_HAND = 2
"""Pieces that are told of at most, of those that were lifted and with which no turn begins; more were knocked over."""

# Games ------------------------------------------------------------------------------------------


@lru_cache(64)
def cached_game(name: str, options: tuple[tuple[str, int | str], ...]) -> Game[Position]:
    """The game with these options."""
    game: Game[Position] = load(name, **dict(options))
    return game


@lru_cache(1)
def offered() -> tuple[list[Game[Position]], list[OptionError]]:
    """The games that can be played, and why others that are installed cannot."""
    return available(lambda name: cached_game(name, ()))


def game_of(table: Table) -> Game[Position] | None:
    """What is played; None while that is being chosen."""
    return cached_game(table.game, tuple(table.options.items())) if table.game else None


# The page -------------------------------------------------------------------------------------


def page_form(
    words: Words, *, may: bool, invitation: tuple[str, str] = ("", ""), open_past: bool = True, badge: str = ""
) -> PageForm:
    """The words of the page itself, and whether who reads them may change anything; with what is for them."""
    text = {id.removeprefix("page."): words.text(id) for id in SENTENCES if id.startswith("page.")}
    given = (*invitation, True, badge) if may else ("", "", open_past, "")
    return PageForm(words.language, LANGUAGES, text, may, not may, *given)


def refused_form(words: Words, why: Reason) -> RefusedForm:
    """Why a request was not taken."""
    return RefusedForm(words.say(why))


# The table ------------------------------------------------------------------------------------


def table_form(table: Table, words: Words, figures: Figures) -> TableForm:
    """What is played, what else could be, and how the board and its lights look; `figures` go with the rules."""
    form = TableForm(
        table.game, table.options, table.sense, table.hands, table.mode, bool(table.record),
        [game_form(each, table, words) for each in offered()[0]], table.levels, table.hints, lights_form(table),
        left_out=[words.say(Reason.of("table.left-out", fault=str(fault))) for fault in offered()[1]],
        carried=table.carried, offered=table.offered, clock=table.clock, people=table.people, left=table.left,
        linked=table.linked,
    )  # fmt: skip
    game = game_of(table)
    form = with_game(form, table, game, words, figures) if game else form
    return replace(form, lesson=lesson_form(table.taught, words)) if table.taught else form


def lesson_form(taught: Taught, words: Words) -> LessonForm:
    """The lesson or the puzzle in hand."""
    task, learnt = (words.say(reason(told)) for told in (taught.task, taught.learnt))
    told = taught.puzzle
    puzzle = PuzzleForm(told.found, told.steps, told.missed, told.helped, told.own, taught.position) if told else None
    return LessonForm(taught.number, taught.count, taught.solved, task, learnt, puzzle)


def with_game(form: TableForm, table: Table, game: Game[Position], words: Words, figures: Figures) -> TableForm:
    """`form` with what does not change while `game` is played."""
    return replace(
        form,
        title=game.title,
        pieces=game.pieces,
        pushes=any(act.kind == "push" for turn in game.turns(game.start()) for act in turn.acts),
        players=[words.text(player) for player in game.players],
        names=[game.player_name(side) for side in (0, 1)],
        rules=words.summary(game),
        help=words.text(f"{game.name}.help", ""),
        figures=[figure for _, figure in figures],
        captions=[words.text(caption) for caption, _ in figures],
        kinds={mark: words.text(name) for mark, name in game.kinds.items()},
        board=board_form(game, table.places),
    )


def board_form(game: Game[Position], places: Sequence[Point] = (), *, named: bool = True) -> BoardForm:
    """The geometry of the board, in the order of the game's sites, and its drawing; `places` as the table has them.

    `named`: the names of its sites stand there.
    """
    drawn = screen(game, dict(zip(game.sites, places, strict=True)) if places else None, named=named)
    return BoardForm(drawn.box, drawn.pitch, drawn.at, drawn.stores, drawn.ground, bool(game.links))


def game_form(game: Game[Position], table: Table, words: Words) -> GameForm:
    """A game that could be played, with what can be chosen for it."""
    name = game.name
    chosen = table.options if name == table.game else {}
    options = {
        option: OptionForm(
            words.option(name, option),
            values,
            [words.value(name, value) for value in values],
            chosen.get(option, values[0]),
        )
        for option, values in game.options.items()
    }
    learnt = table.learnt.get(name, ())
    solved = [number for number, lesson in enumerate(game.lessons, start=1) if lesson.name in learnt]
    return GameForm(
        name,
        game.title,
        words.about(game),
        options,
        SENSES[game.pieces],
        True,
        len(game.lessons),
        solved,
        len(game.puzzles),
        [number for number, puzzle in enumerate(game.puzzles, start=1) if puzzle.position in learnt],
        words.text(f"{name}.aim", ""),
    )


def lights_form(table: Table) -> LightsForm:
    """All that is needed to light a cue as the table does."""
    return LightsForm(
        colours=PALETTES.get(table.palette, PALETTES["default"]),
        rhythms=rhythms(),
        spoken=sorted(PIECE_COLOURED),
        brightness=table.brightness,
        supply=table.supply,
        pixels=table.pixels,
        controller=CONTROLLER_MA,
        dark=DARK_MA,
        white=WHITE_MA,
    )


@lru_cache(1)
def rhythms() -> Mapping[str, RhythmForm]:
    """Every cue's rhythm, that of a choice, and those of the turn lamps by the pace, sampled over one period."""
    lamps = {f"lamp-{pace}": rhythm for pace, rhythm in LAMP_RHYTHMS.items()}
    shown = {**RHYTHMS, **lamps, "choice": CHOICE_RHYTHM}
    return {kind: rhythm_form(rhythm) for kind, rhythm in shown.items()}


def rhythm_form(rhythm: Rhythm) -> RhythmForm:
    """One period of a rhythm."""
    return RhythmForm(rhythm.period, samples_of(rhythm))


# The game in hand -----------------------------------------------------------------------------


def story_form(story: Story, game: Game[Position], words: Words) -> StoryForm:
    """The turns so far, each with the board after it."""
    return StoryForm(
        start=list(story.start),
        marks=story.marks,
        turns=[turn_form(turn) for turn in story.turns],
        before=story.before,
        outcome=words.say(reason(story.outcome)) if story.outcome else None,
        winner=story.winner,
        beside=story.beside,
        ways=[WayForm(text, act_forms(acts)) for text, acts in story.ways],
        position=story.position,
        standing=standing_form(game, story.position, words) if story.position else None,
    )


def turn_form(turn: Played) -> TurnForm:
    """A turn, with the board after it."""
    return TurnForm(turn.text, turn.side, list(turn.cells), turn.marks, act_forms(turn.acts))


def act_forms(acts: Iterable[Act]) -> list[ActForm]:
    """What hands do, as browsers are told."""
    return [ActForm(act.kind, act.sites, act.levels) for act in acts]


def standing_form(game: Game[Position], position: str, words: Words) -> StandingForm | None:
    """Who is ahead in the position of this text; None in games that do not tell."""
    standing = game.standing(game.position(position))
    if not standing:
        return None
    ahead = standing.ahead
    who = Reason.of("standing.level") if ahead is None else Reason.of("standing.ahead", player=game.players[ahead])
    return StandingForm(standing.counts, ahead, words.say(standing.reason), words.say(who), standing.sites)


def choosing_form(words: Words) -> UntimedForm:
    """The board while the game is being chosen."""
    return UntimedForm(
        (),
        {},
        None,
        "choosing",
        None,
        words.text("status.choosing"),
        "",
        {},
        None,
        "",
        asked=False,
        acts=(),
        barred={},
        refused="",
    )


def fits_board(game: Game[Position], levels: Sequence[int | None]) -> bool:
    """Whether there is a level for each site of the game."""
    return len(levels) == len(game.sites)


def now_form(now: Now, story: Story, game: Game[Position], words: Words) -> UntimedForm:
    """The board and its lights; the clock is put in when the form is sent, for it goes on."""
    return UntimedForm(
        levels=now.levels,
        cues={site: cue_form(cue, words) for site, cue in now.cues.items()},
        side=now.side,
        state=now.state,
        aside=words.say(reason(now.aside)) if now.aside else None,
        status=" ".join(status_of(now, story, game, words)),
        plan=now.plan,
        marks=now.marks,
        clocks=clocks_form(now.clocks) if now.clocks else None,
        pace=now.pace,
        asked=now.asked,
        acts=act_forms(now.acts),
        barred={site: words.say(why) for site, why in barred(now, story, game)} if story.position else {},
        refused=words.say(reason(now.refused)) if now.refused else "",
    )


def barred(now: Now, story: Story, game: Game[Position]) -> Iterator[tuple[Site, Reason]]:
    """The sites from which something was lifted with which no turn begins, each with why; of few sites alone.

    Where hands have begun a turn elsewhere this one may belong to it, as a capture does.
    """
    if story.outcome or now.state not in ("under-way", "complete", "which", "astray"):
        return
    stood = story.turns[-1].cells if story.turns else story.start
    pairs = zip(game.sites, now.levels, stood, strict=True)
    lifted = [site for site, level, due in pairs if due and level == 0]
    begun = now.acts[0].sites if now.acts else lifted
    for site in lifted if len(lifted) <= IN_HAND else ():
        if site in begun and (why := why_not(game, story.position, site)):
            yield site, why


@lru_cache(maxsize=64)
def why_not(game: Game[Position], position: str, site: Site) -> Reason | None:
    """Why no turn begins on `site` in the position of this text; remembered, for lights change while it is empty."""
    try:
        return game.why_not(game.position(position), site)
    except PositionError:  # that of another game, which has just ended
        return None


def clocks_form(clock: Clock) -> ClocksForm:
    """What the players have left."""
    first, second = (LeftForm(left.main, left.periods) for left in clock.left)
    return ClocksForm((first, second), clock.side, clock.used, clock.since, clock.control.period, clock.begun)


def cue_form(cue: Cue, words: Words) -> CueForm:
    """A cue with what it tells."""
    return CueForm(*cue, words.text(cue.message))


def status_of(now: Now, story: Story, game: Game[Position], words: Words) -> Iterator[str]:
    """Whose turn it is, and what stands beside the board."""
    if story.outcome:
        yield words.say(reason(story.outcome))
    elif now.state == "setting":
        yield words.text("status.setting")
    else:
        made = story.before + len(story.turns)
        player = game.players[made % 2 if now.side is None else now.side]
        yield words.say(Reason.of("table.to-play", number=made + 1, player=player))
        if now.aside:
            yield words.say(reason(now.aside))


def said_form(spoken: Iterable[tuple[int, str, Said]], words: Words, voice: Words) -> SaidForm:
    """The sentences that were said; `voice` has them as the table itself says them aloud."""
    return SaidForm([sentence_form(number, name, reason(said), words, voice) for number, name, said in spoken])


def sentence_form(number: int, name: str, said: Reason, words: Words, voice: Words) -> SentenceForm:
    """One of them."""
    aloud = sentence_aloud(said, voice) if name in SPOKEN else ""
    return SentenceForm(number, name, said.id, words.say(said), aloud)


def link_form(link: Link, words: Words) -> LinkForm:
    """How far the way to another table is."""
    code = drawing(link.address) if link.address else ""
    fault = words.say(reason(link.fault)) if link.fault else ""
    return LinkForm(link.state, link.words, link.address, code, fault, link.broker, link.kept)


# The texts --------------------------------------------------------------------------------------


class Broken(Exception):
    """An error of the program itself: something that the daemon tells cannot be put into words."""


@contextmanager
def own_faults() -> Iterator[None]:
    """Raise any error in this block as Broken."""
    try:
        yield
    except Exception as error:
        raise Broken(f"{type(error).__name__}: {error}") from error


class SnapshotTexts:
    """The last snapshot of each kind, and its texts. Times are in seconds, by the clock of the caller."""

    def __init__(self) -> None:
        self.table: Table | None = None
        self.versions = dict.fromkeys((*TEXTS_CHANGED, "api"), 0)
        """Kind of text -> how often it has changed."""
        self._story: Story | None = None
        self._now: Now | None = None
        self._link = Link()
        self._since = 0.0
        self._drawn: Game[Position] | None = None
        self._figures: Figures = ()
        self._said: dict[int, tuple[str, Said]] = {}
        self._sensors: Mapping[str, tuple[str, ...]] = {}
        self._seated = NAMELESS
        """The names at the seats."""
        self._texts: dict[tuple[str, str], bytes] = {}
        self._sentences: dict[tuple[str, int], bytes] = {}

    @property
    def spoken(self) -> int:
        """The number of the last sentence; 0 before the first."""
        return max(self._said, default=0)

    @property
    def story(self) -> Story | None:
        """The game in hand so far."""
        return self._story

    @property
    def over(self) -> bool:
        """Whether the game in hand is over."""
        return bool(self._story and self._story.outcome)

    @property
    def people(self) -> tuple[str, str]:
        """What the players are called: for the game, else at their seats; empty for those who have told nothing."""
        told, levels = (self.table.people, self.table.levels) if self.table else (NAMELESS, PEOPLE)
        first, second = ("" if levels[side] else told[side] or self._seated[side] for side in (0, 1))
        return first, second

    def seat(self, names: tuple[str, str]) -> None:
        """These names were told at the seats."""
        before, self._seated = self.people, names
        self._rename(before)

    def ail(self, sensors: Mapping[str, tuple[str, ...]]) -> bool:
        """This is what ails sensors, as `Status` has it; whether that is new."""
        if sensors == self._sensors:
            return False
        self._sensors = sensors
        self._forget("api")
        return True

    def _rename(self, before: tuple[str, str]) -> None:
        """What is told names players, who were called something else before."""
        if self.people != before:
            self._forget("story", "now", "api")
            self._sentences.clear()

    def spoken_to(self, language: str) -> Words:
        """The sentences in a language, with the names of the players."""
        game = game_of(self.table) if self.table else None
        return words(language).calling(game.players, self.people) if game else words(language)

    def take(self, told: AnySnapshot, now: float) -> None:
        """Take in a snapshot that came at `now`."""
        before = self.people
        if isinstance(told, Sentences):
            self._listen(told)
            return
        if isinstance(told, Table):
            kind, self.table = "table", told
        elif isinstance(told, Story):
            kind, self._story = "story", told
        elif isinstance(told, Link):
            kind, self._link = "link", told
        else:
            kind, self._now, self._since = "now", told, now
        self._forget(*TEXTS_CHANGED[kind])
        self._rename(before)

    def _forget(self, *kinds: str) -> None:
        for kind in kinds:
            self.versions[kind] += 1
        self._texts = {key: text for key, text in self._texts.items() if key[0] not in kinds}

    def undrawn(self) -> Game[Position] | None:
        """The game in hand if its figures are not drawn yet, else None."""
        game = game_of(self.table) if self.table else None
        return None if game is self._drawn else game

    def illustrate(self, game: Game[Position], figures: Figures) -> None:
        """Keep the figures that go with the rules of `game`."""
        self._drawn, self._figures = game, figures
        self._forget("table")

    def _listen(self, told: Sentences) -> None:
        self._said.update({number: (name, said) for number, name, said in told.said})
        self._said = {number: self._said[number] for number in sorted(self._said)[-SENTENCES_KEPT:]}
        self._sentences.clear()

    def text(self, kind: str, language: str, now: float) -> bytes:
        """The newest text of that kind at `now`, empty if there is none; Broken."""
        key = (kind, language)
        if key not in self._texts:
            with own_faults():
                self._texts[key] = self._written(kind, language)
        text = self._texts[key]
        if kind not in TIMED or not text:
            return text
        clock = self._now.clock + now - self._since if self._now else now
        return b'{"clock":%.3f,' % clock + text[1:]

    def _written(self, kind: str, language: str) -> bytes:
        """The text of that kind; empty while the story or the levels are those of another game than the table's."""
        table, story, now, spoken = self.table, self._story, self._now, self.spoken_to(language)
        if kind == "link":
            return encode(link_form(self._link, spoken))
        game = game_of(table) if table else None
        if not table:
            return b""
        if kind == "table":
            return encode(table_form(table, spoken, self._figures if game is self._drawn else ()))
        if not game:
            return encode(choosing_form(spoken) if kind == "now" else choosing_api(spoken)) if kind in TIMED else b""
        if kind == "story":
            return encode(story_form(story, game, spoken)) if story and fits_board(game, story.start) else b""
        if not now or not story or not fits_board(game, now.levels):
            return b""
        form = now_form(now, story, game, spoken)
        return encode(form if kind == "now" else api_form(table, story, game, form, self._sensors, spoken))

    def said(self, language: str, after: int) -> SaidForm:
        """The sentences after number `after`; Broken."""
        spoken: Sequence[tuple[int, str, Said]] = [(n, *said) for n, said in self._said.items() if n > after]
        with own_faults():
            return said_form(spoken, self.spoken_to(language), words(language))

    def sentences(self, language: str, after: int) -> bytes:
        """The text of the sentences after number `after`; Broken."""
        key = (language, after)
        if key not in self._sentences:
            self._sentences[key] = encode(self.said(language, after))
        return self._sentences[key]


say("standing", ahead="{player} is ahead.", level="Both stand equal.")
say(
    "status",
    choosing="The game is being chosen on the board.",
    setting="Lay the pieces as the lights show.",
)
