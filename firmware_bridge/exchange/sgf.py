"""The syntax of SGF texts (FF[4], red-bean.com/sgf): nodes of properties with values, as text and back.

A node maps the names of its properties to their values: ``{"GM": ["go"], "C": ["A good game"]}``. Of a text with
variations the first of each is the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from games.rules import Reason, clip, say

Node = Mapping[str, Sequence[str]]
WIDE = 100
"""Characters of a line of a text that is written, at which the next node begins another; by eye."""
TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)|(\[)|(.))", re.DOTALL)
VALUE = re.compile(r"((?:[^\]\\]|\\.)*)\]", re.DOTALL)
ESCAPED = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
BREAKS = {"\n", "\r", "\r\n", "\n\r"}


class Unreadable(ValueError):
    """A text that holds no game which can be played; `reasons` tell in sentences what is wrong and where."""

    def __init__(self, *reasons: Reason) -> None:
        super().__init__(" ".join(map(str, reasons)))
        self.reasons = reasons


class Tree(NamedTuple):
    """The nodes of the game, the first one first, and how many variations were left out."""

    nodes: list[Node]
    left_out: int


def parse(text: str) -> Tree:
    """The nodes of a text; Unreadable."""
    nodes: list[dict[str, list[str]]] = []
    depth = left_out = 0
    main = True
    """Whether what is read belongs to the first variation of each."""
    values: list[str] | None = None
    """Those of the property that is read; None before the first property of a node."""
    for place, token in tokens(text):
        if token == "(" or (token == ")" and depth):
            depth += 1 if token == "(" else -1
            left_out += token == "(" and not main
            main = main and token == "("  # after the end of a variation come only others
            values = None
            if depth == 0:
                left_out += text[place:].lstrip().startswith("(")
                break
        elif not depth:
            raise Unreadable(Reason.of("sgf.begins", found=clip(token)))
        elif token == ";":
            values = None
            if main:
                nodes.append({})
        elif token.startswith("["):
            if values is None:
                raise Unreadable(Reason.of("sgf.unnamed", at=line_of(text, place), value=clip(token[1:])))
            values.append(unescaped(token[1:]))
        else:
            values = []
            if main:
                if not nodes:
                    raise Unreadable(Reason.of("sgf.begins", found=clip(token)))
                values = nodes[-1].setdefault(capitals(token), values)
    if depth or not nodes:
        raise Unreadable(Reason("sgf.ends") if depth else Reason.of("sgf.begins", found=clip(text)))
    return Tree(list(nodes), left_out)


def tokens(text: str) -> Iterator[tuple[int, str]]:
    """The parts of a text, each with its place: brackets, semicolons, names, and values behind a ``[``; Unreadable."""
    place = 0
    while found := TOKEN.match(text, place):
        mark, name, value, other = found.groups()
        place = found.end()
        if other:
            raise Unreadable(Reason.of("sgf.strange", at=line_of(text, place - 1), found=clip(other)))
        if value:
            whole = VALUE.match(text, place)
            if not whole:
                raise Unreadable(Reason.of("sgf.unclosed", at=line_of(text, place), value=clip(text[place:])))
            yield place, f"[{whole[1]}"
            place = whole.end()
        else:
            yield place, mark or name


def line_of(text: str, place: int) -> int:
    """The number of the line with this place, from 1 on."""
    return text.count("\n", 0, place) + 1


def capitals(name: str) -> str:
    """The name of a property: of older texts, which write ``Game``, the capital letters count."""
    return "".join(letter for letter in name if letter.isupper()) or name.upper()


def unescaped(value: str) -> str:
    """What a value says: a line break behind a backslash is none."""
    return ESCAPED.sub(lambda found: "" if found[1] in BREAKS else found[1], value)


def write(nodes: Iterable[Node]) -> str:
    """The nodes as a text; short ones share a line."""
    lines = [""]
    for node in nodes:
        told = ";" + "".join(name + "".join(f"[{escaped(value)}]" for value in node[name]) for name in node)
        if lines[-1] and len(lines[-1]) + len(told) > WIDE:
            lines.append("")
        lines[-1] += told
    return "(" + "\n".join(lines) + ")\n"


def escaped(value: str) -> str:
    """A value as it is written."""
    return value.replace("\\", "\\\\").replace("]", "\\]")


say(
    "sgf",
    begins="A game as SGF text begins with (; and not with: {found}",
    ends="The text breaks off: a ) is missing at its end.",
    strange="In line {at} a ;, a property such as B[...] or a bracket is to stand, and not: {found}",
    unclosed="The value [{value} that begins in line {at} has no ] at its end.",
    unnamed="In line {at} the value [{value}] has no property before it, such as B[...].",
)
