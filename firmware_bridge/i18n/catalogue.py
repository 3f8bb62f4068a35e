"""What the program says, in the language of who reads it: from message ids to sentences, by gettext catalogues.

English is what `games.rules.say` has gathered in `SENTENCES` and needs no catalogue; a sentence that a catalogue
lacks is said in English too. The sentences of a game begin with its name, and their catalogues lie in the folder
``locale`` beside its class, also those of a game from another distribution. Records, tests and logs keep to ids and
to ``str(reason)``.
"""

from __future__ import annotations

import gettext
import os
import re
import struct
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from games.rules import NAMED, SENTENCES, Game, OptionError, Reason, game_class

LANGUAGES = {"en": "English", "ja": "日本語", "fr": "Français", "es": "Español"}
"""The languages, each under its own name; the first is the one that all else falls back to."""
ENGLISH = "en"
DOMAIN = "tablelight"
LOCALE = Path(__file__).parent / "locale"
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Where a process is told its language, in gettext's order; the first that is set counts."""
RANGE = r"\s*([a-z]{2,8}|\*)(?:-[a-z0-9-]{1,32})?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?)\s*)?"
"""One part of an Accept-Language header: the language, and how much it is wanted (0 to 1)."""
LONGEST = 400
"""How much of such a header is read."""


class Words:
    """All sentences in one language. `called`: what players are called in them, by the message ids of their sides."""

    def __init__(
        self, language: str, catalogue: gettext.NullTranslations, called: Mapping[str, str] | None = None
    ) -> None:
        self.language = language
        """The code of the language, a key of `LANGUAGES`."""
        self._catalogue = catalogue
        self._called = called or {}

    def calling(self, players: Sequence[str], names: Sequence[str]) -> Words:
        """The same sentences with the names of these players beside those of their sides; an empty one is none."""
        named = zip(players, names, strict=True)
        told = {side: self.text("page.named").format(name=name, side=self.text(side)) for side, name in named if name}
        return Words(self.language, self._catalogue, told) if told else self

    def text(self, id: str, usual: str | None = None) -> str:
        """The sentence of a message id, its ``{values}`` not filled in.

        Where no module loaded has it, `usual`; KeyError without one.
        """
        told = self._catalogue.gettext(id)
        if told == id and self.language != ENGLISH:
            told = game_catalogue(id.partition(".")[0], self.language).gettext(id)
        if told != id:
            return told
        return SENTENCES[id] if usual is None else SENTENCES.get(id, usual)

    def say(self, reason: Reason) -> str:
        """The sentence of `reason`, with its values; those that are message ids themselves are said in words too."""
        values = {
            name: self._called.get(str(value)) or self.text(str(value)) if name in NAMED else value
            for name, value in reason.values
        }
        try:
            return self.text(reason.id).format(**values)
        except (KeyError, IndexError, ValueError):  # a stranger's translation with other braces than its English
            return str(reason)

    def option(self, game: str, name: str) -> str:
        """The title of an option of the game: what is said of it everywhere, else by the game, else its name."""
        return self.text(f"rules.option-{name}", self.text(f"{game}.option-{name}", name))

    def value(self, game: str, value: int | str) -> str:
        """The title of an option's value, by the game or everywhere, else the value itself."""
        return self.text(f"{game}.value-{value}", self.text(f"rules.value-{value}", str(value)))

    def summary(self, game: Game[Any]) -> list[str]:
        """The rules of a game in short, a paragraph each; a line that ends a sentence ends one."""
        paragraphs = re.split(r"(?<=[.。])\n", self.text(f"{game.name}.summary", game.summary))
        return [" ".join(paragraph.split()) for paragraph in paragraphs]

    def about(self, game: Game[Any]) -> str:
        """What a player who chooses among games is told of this one: a sentence of the game, or its first rule."""
        return self.text(f"{game.name}.about", "") or self.summary(game)[0]


def words(language: str) -> Words:
    """The sentences in `language`, a key of `LANGUAGES`; English in any other."""
    return _read(language if language in LANGUAGES else ENGLISH)


@lru_cache
def _read(language: str) -> Words:
    if language == ENGLISH:
        return Words(language, gettext.NullTranslations())
    with (LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as file:
        return Words(language, gettext.GNUTranslations(file))


@lru_cache
def game_catalogue(name: str, language: str) -> gettext.NullTranslations:
    """The sentences of the game `name`; an empty catalogue where there is no such game, or none that can be read."""
    try:
        with (game_locale(game_class(name)) / f"{language}.mo").open("rb") as file:
            return gettext.GNUTranslations(file)
    except (OptionError, OSError, ValueError, struct.error):  # English is told then
        return gettext.NullTranslations()


def game_locale(game: type[Game[Any]]) -> Path:
    """The folder of a game's catalogues, ``fr.po`` and ``fr.mo`` and so on, whether it is there or not."""
    return Path(getattr(sys.modules[game.__module__], "__file__", None) or "").parent / "locale"


def system_words() -> Words:
    """The language of this process, as its environment tells: ``LANGUAGE=fr:es``, ``LANG=ja_JP.UTF-8``."""
    told = next((value for name in VARIABLES if (value := os.environ.get(name))), "")
    codes = (re.split(r"[_.@-]", wanted.lower())[0] for wanted in told.split(":"))
    known = (ENGLISH if code in ("c", "posix") else code for code in codes)
    return words(next((code for code in known if code in LANGUAGES), ENGLISH))


def speak() -> Words:
    """`system_words`; and what argparse says by itself, ``usage`` and its errors, comes in the same language."""
    told = system_words()
    gettext.bindtextdomain(DOMAIN, str(LOCALE))
    gettext.textdomain("messages" if told.language == ENGLISH else DOMAIN)
    return told


def wanted(accept_language: str) -> str:
    """The best of `LANGUAGES` for a browser's Accept-Language header: ``fr-CH, fr;q=0.9, en;q=0.8``."""
    ranked = sorted(_ranges(accept_language[:LONGEST]), key=lambda pair: -pair[0])
    return next((code for weight, code in ranked if weight), ENGLISH)


def _ranges(header: str) -> Iterator[tuple[float, str]]:
    """How much each language that we have is wanted; what cannot be read counts for nothing."""
    for part in header.split(","):
        match = re.fullmatch(RANGE, part, re.IGNORECASE)
        code = match[1].lower().replace("*", ENGLISH) if match else ""
        if match and code in LANGUAGES:
            yield float(match[2] or 1), code
