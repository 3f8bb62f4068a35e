"""Type, space and colour are one system: what is chosen stands in one file, and the page takes it from there."""

from __future__ import annotations

import re
from importlib.resources import files

from firmware_bridge.drawing.board import CORNER

STATIC = files("firmware_bridge.web") / "static"
STYLE = (STATIC / "style.css").read_text()
TOKENS = (STATIC / "tokens.css").read_text()
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b(?=[\s;,)])|\b(?:rgb|rgba|hsl|oklch)\(")
SIZE = re.compile(r"font-(?:size|weight): (?!var\()[^;}]+")
USED, GIVEN = re.compile(r"var\((--[\w-]+)"), re.compile(r"(--[\w-]+):")
SET_BY_THE_PAGE = {"--light", "--ratio", "--corner", "--size", "--mark", "--more", "--head"}
"""What modules set on elements."""


def test_every_colour_stands_among_the_tokens() -> None:
    rules = [line for line in STYLE.splitlines() if COLOUR.search(line) and not line.startswith("#")]
    assert not rules


def test_the_shadow_of_the_board_is_as_round_as_its_frame() -> None:
    assert f"const CORNER_OF_FRAME = {CORNER:g};" in (STATIC / "board.js").read_text()


def test_every_size_and_weight_of_type_is_a_token() -> None:
    assert not SIZE.findall(STYLE)


def test_every_token_is_used_and_every_one_used_is_given() -> None:
    used = {*USED.findall(STYLE), *USED.findall(TOKENS)}
    given = {*GIVEN.findall(TOKENS), *re.findall(r"(--(?:tall|high)):", STYLE)}
    assert used - given <= SET_BY_THE_PAGE
    assert given <= used


def test_no_colour_of_the_night_is_missing_by_day() -> None:
    day, night = TOKENS.split("@media (prefers-color-scheme: dark)")
    assert {*GIVEN.findall(night)} <= {*GIVEN.findall(day)}
