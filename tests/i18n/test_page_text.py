"""The page's sentences and what its script asks for are the same: none is missing, and none is left over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import firmware_bridge.club.forms
import firmware_bridge.i18n.page_text
from firmware_bridge.engine.advice import SHOWN
from firmware_bridge.engine.levels import LEVELS
from firmware_bridge.lighting import CUES, MODES
from firmware_bridge.web.seats import What
from games.rules import SENTENCES
from hardware.device import Sense

STATIC = Path(firmware_bridge.__file__).parent / "web" / "static"
WALL = [(STATIC / f"wall.{end}").read_text() for end in ("js", "html")]
"""The wall of a club has sentences of its own."""
SCRIPT = "\n".join(path.read_text() for path in sorted(STATIC.glob("*.js")) if path.stem != "wall")
MARKUP = "\n".join(path.read_text() for path in sorted(STATIC.glob("*.html")) if path.stem != "wall")
TEXTS = {id.removeprefix("page.") for id in SENTENCES if id.startswith("page.")}
QUOTED = re.compile(r'"([a-z][a-z-]*)"')
ASKED = re.compile(r"\b(?:text|complain|button)\(([^`{,;\n]*)|(\"(?:guide|beside)-[a-z-]+\")")
LISTED = re.compile(r"\[([^][]*)\]")
MADE_UP = re.compile(r"(?:\btext\(|\bname: [^`\n]*)`([a-z-]+)\$\{[^`]+?\}([a-z-]*)`")
KEYS = re.findall(QUOTED, re.findall(r"const KEYS = \[(.*?)\]", SCRIPT)[0])
LEVEL_NAMES = re.findall(QUOTED, re.findall(r"const LEVELS = \[(.*?)\]", SCRIPT)[0])
SENSES = [sense.value for sense in Sense]
NO_SEEDS = {"ask", "begin", "hint", "won", "last", "blind", "choose", "for-first", "for-second"}
"""Cues of which the same is said of seeds as of stones, and those that tell of a player."""
ENDS = {
    ("asked-", ""): get_args(What),
    ("cue-", "-seeds"): CUES.keys() - NO_SEEDS,
    ("guide-new-", ""): ("dark", "light"),
    ("guide-place-", ""): ("dark", "light"),
    ("help-", ""): ("stones", "seeds"),
    ("hints-", ""): SHOWN,
    ("carry-", ""): ["hand", "me"],
    ("effects-", ""): re.findall(r'"(\w+)"', re.findall(r"LEVELS = [^\[]*\((\[.*?\])\)", SCRIPT)[0]),
    ("key-", ""): KEYS,
    ("key-", "-does"): KEYS,
    ("key-", "-does-seeds"): ["enter"],
    ("level-", ""): LEVEL_NAMES,
    ("mode-", ""): MODES,
    ("mode-", "-means"): MODES,
    ("name-", ""): ["begins", "other"],
    ("sense-", ""): SENSES,
    ("sense-", "-means"): SENSES,
    ("who-", ""): re.findall(r"(\w+): \[", re.findall(r"const WHO = \{(.*?)\}", SCRIPT)[0]),
}
"""What stands between the two parts of a name that the script puts together."""


def asked(script: str = SCRIPT, markup: str = MARKUP) -> Iterator[str]:
    """The names that a page asks for as they stand there."""
    yield from re.findall(r'data-(?:text|label)="([^"]*)"', markup)
    for call, guide in ASKED.findall(script):
        yield from QUOTED.findall(call or guide)


def made_up() -> set[str]:
    """The names that the script puts together."""
    return {first + end + last for (first, last), ends in ENDS.items() for end in ends}


def test_all_names_that_are_put_together_are_known_here() -> None:
    assert set(MADE_UP.findall(SCRIPT)) == ENDS.keys()


@pytest.mark.parametrize("name", sorted({*asked(), *made_up()}))
def test_what_the_page_asks_for_is_there(name: str) -> None:
    assert name in TEXTS


def test_the_wall_asks_for_its_own_sentences_and_for_all_of_them() -> None:
    own = {id.removeprefix("wall.") for id in SENTENCES if id.startswith("wall.")}
    of_server = set(re.findall(r'"wall\.([a-z-]+)"', Path(firmware_bridge.club.forms.__file__).read_text()))
    assert {*asked(*WALL)} | of_server == own


def test_every_level_has_a_name() -> None:
    assert len(LEVEL_NAMES) == LEVELS


def test_every_sentence_of_the_page_is_asked_for() -> None:
    listed = {name for words in LISTED.findall(SCRIPT) for name in QUOTED.findall(words)}
    assert TEXTS - {*asked()} - made_up() - listed == set()
