"""The last that the daemon has told, as text for browsers: made once a language, not once a browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from msgspec import json

from firmware_bridge.i18n.catalogue import words
from firmware_bridge.session.messages import AnySnapshot, Now, Said, Story, Table, Words
from firmware_bridge.web.forms import Figures, choosing_form, fits, game_of, now_form, said_form, story_form, table_form
from games.rules import Game, Position

SPOKEN = 50
"""The sentences that are kept."""
TOLD_BY = {"table": ("table", "now"), "story": ("story", "now"), "now": ("now",)}
"""Kind of snapshot -> kinds of text that it changes."""

encode = json.Encoder().encode


class Broken(Exception):
    """The program is at fault: something that the daemon tells cannot be put into words."""


class News:
    """The state of the table. Times are in seconds, by the clock of whoever asks."""

    def __init__(self) -> None:
        self.table: Table | None = None
        self.versions = dict.fromkeys(TOLD_BY, 0)
        """Kind of text -> how often it has changed."""
        self._story: Story | None = None
        self._now: Now | None = None
        self._since = 0.0
        self._drawn: Game[Position] | None = None
        self._figures: Figures = ()
        self._said: dict[int, tuple[str, Said]] = {}
        self._texts: dict[tuple[str, str], bytes] = {}
        self._sentences: dict[tuple[str, int], bytes] = {}

    @property
    def spoken(self) -> int:
        """The number of the last sentence; 0 before the first."""
        return max(self._said, default=0)

    @property
    def over(self) -> bool:
        """Whether the game in hand is over."""
        return bool(self._story and self._story.outcome)

    def take(self, told: AnySnapshot, now: float) -> None:
        """Keep `told`, which came at `now`."""
        if isinstance(told, Words):
            self._listen(told)
            return
        if isinstance(told, Table):
            kind, self.table = "table", told
        elif isinstance(told, Story):
            kind, self._story = "story", told
        else:
            kind, self._now, self._since = "now", told, now
        self._forget(*TOLD_BY[kind])

    def _forget(self, *kinds: str) -> None:
        for kind in kinds:
            self.versions[kind] += 1
        self._texts = {key: text for key, text in self._texts.items() if key[0] not in kinds}

    def undrawn(self) -> Game[Position] | None:
        """The game in hand, if there are no figures of it yet."""
        game = game_of(self.table) if self.table else None
        return None if game is self._drawn else game

    def illustrate(self, game: Game[Position], figures: Figures) -> None:
        """Keep the figures that go with the rules of `game`."""
        self._drawn, self._figures = game, figures
        self._forget("table")

    def _listen(self, told: Words) -> None:
        self._said.update({number: (name, said) for number, name, said in told.said})
        self._said = {number: self._said[number] for number in sorted(self._said)[-SPOKEN:]}
        self._sentences.clear()

    def text(self, kind: str, language: str, now: float) -> bytes:
        """The newest text of that kind at `now`; nothing where there is none. Broken."""
        key = (kind, language)
        if key not in self._texts:
            with whole():
                self._texts[key] = self._written(kind, language)
        text = self._texts[key]
        if kind != "now" or not text:
            return text
        clock = self._now.clock + now - self._since if self._now else now
        return b'{"clock":%.3f,' % clock + text[1:]

    def _written(self, kind: str, language: str) -> bytes:
        """Nothing while a story, or what lies on the board, is that of another game than the table's."""
        table, story, now, spoken = self.table, self._story, self._now, words(language)
        game = game_of(table) if table else None
        if not table:
            return b""
        if kind == "table":
            return encode(table_form(table, spoken, self._figures if game is self._drawn else ()))
        if not game:
            return encode(choosing_form(spoken)) if kind == "now" else b""
        if kind == "story":
            return encode(story_form(story, spoken)) if story and fits(game, story.start) else b""
        if not now or not story or not fits(game, now.levels):
            return b""
        return encode(now_form(now, story, game, spoken))

    def sentences(self, language: str, after: int) -> bytes:
        """What was said after sentence number `after`; Broken."""
        key = (language, after)
        if key not in self._sentences:
            spoken: Sequence[tuple[int, str, Said]] = [(n, *said) for n, said in self._said.items() if n > after]
            with whole():
                self._sentences[key] = encode(said_form(spoken, words(language)))
        return self._sentences[key]


@contextmanager
def whole() -> Iterator[None]:
    """Any error in here is the program's own."""
    try:
        yield
    except Exception as error:
        raise Broken(f"{type(error).__name__}: {error}") from error
