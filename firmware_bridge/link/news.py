"""What passes between the daemon and the process of the line, in MessagePack: the score that is agreed upon one way,
what this table wants the other way.

Both are states, so that the next makes up for a lost one: what the table wants tells for which length of the log it is
meant, and is dropped where that is another.
"""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct, msgpack

from firmware_bridge.clocks import Left
from firmware_bridge.link.states import Ask, Wish
from games.rules import Reason, say

LARGEST = 1 << 17
"""Bytes of a packet at most; guessed: the turns of the longest game, and some to spare."""
Said = tuple[str, tuple[tuple[str, int | str], ...]]
"""A sentence: its message id and its values."""


class Ended(Struct, frozen=True, array_like=True):
    """A game that a word has ended: ``draw``, ``resigned`` or ``flagged``, and whose game it was."""

    how: str
    side: int = 0


class Agreed(Struct, frozen=True, kw_only=True):
    """How the linked game stands."""

    entries: int = 0
    """The length of the log."""
    games: int = 0
    """How many games of the evening came before this one."""
    turns: tuple[str, ...] = ()
    """The turns of this one that were chosen."""
    ended: Ended | None = None
    left: tuple[Left, Left] | None = None
    """What the players have left, without what the turn in hand has taken; None without clocks."""
    parted: int | None = None
    """The number of the first turn of this game in which the scores part, if they do, from 1 on."""
    asked: Ask | None = None
    """What the other table asks for."""
    wished: Ask | None = None
    """What this one asks for."""
    refusals: int = 0
    """How many of its wishes were refused."""
    paired: bool = False
    """Whether the other table is known."""
    here: bool = False
    """Whether it is there, and the broker, too."""
    reached: bool = False
    """Whether the other table has heard all that this one has to say."""
    fault: Said | None = None
    """What keeps the line from working, or what was refused."""


class Request(Struct, frozen=True, tag_field="do"):
    """Something that the table wants; `at`: the length of the log for which it is meant."""

    at: int


class Play(Request, frozen=True, tag="play"):
    """A turn was made here, which has taken so many seconds."""

    turn: str
    spent: float = 0.0


class Flag(Request, frozen=True, tag="flag"):
    """The time of this table's player is up."""


class Tick(Request, frozen=True, tag="tick"):
    """The clock of this table's player, who is to move, runs from now on, or stands; `used`: seconds of the turn."""

    used: float
    runs: bool


class Want(Request, frozen=True, tag="want"):
    """Something is asked of the other table; `keep` as `states.Ask`."""

    what: Wish
    keep: int = 0


class Answer(Request, frozen=True, tag="answer"):
    """What the other table has asked for is granted or refused."""

    number: int
    grant: bool


AnyRequest = Play | Flag | Tick | Want | Answer
T = TypeVar("T")
pack = msgpack.Encoder().encode
AGREED = msgpack.Decoder(Agreed)
"""Reads how the game stands, as the process tells it."""
REQUESTS: msgpack.Decoder[AnyRequest] = msgpack.Decoder(AnyRequest)
"""Reads what the table wants."""


def unpack(decoder: msgpack.Decoder[T], data: bytes) -> T | None:
    """What a packet says; None if it is nothing that `decoder` reads."""
    try:
        return decoder.decode(data)
    except (ValueError, RecursionError):
        return None


def said(name: str, **values: int | str) -> Said:
    """A sentence as it is told to the table."""
    reason = Reason.of(f"table.{name}", **values)
    return reason.id, reason.values


say(
    "table",
    link_unkept="What was agreed with the other table cannot be kept ({fault}): make room on the disk. Until then "
    "it is told nothing new.",
    link_version="The other table speaks another version of the link ({version}): bring both programs up to date. "
    "Nothing was changed.",
    link_terms="The other table plays another game, or with other options: pair both tables anew. Nothing was changed.",
    link_taken="Another table has taken that seat: pair both tables anew with other words. Nothing was changed.",
    link_lacking="To play with another table needs the library {library}: pip install 'tablelight[club]' brings it.",
    link_broken="The line to the other table does not begin: {fault}.",
    link_illegal="The other table has sent what cannot follow by the rules: bring both programs up to date. Nothing "
    "was changed.",
    link_strangers="Somebody else writes where the other table should: {count} messages were refused. Nothing was "
    "changed; ask who keeps the broker.",
    link_unreached="The broker {broker} cannot be reached ({fault}). Each table goes on as far as its own turn; it is "
    "tried again and again.",
    link_refused="The broker {broker} does not let this table in ({fault}): see to its user and password. It is tried "
    "again and again.",
    link_denied="The broker {broker} forbids what is needed there ({fault}): see to its access list. It is tried again "
    "and again.",
    link_unsafe="The broker {broker} does not prove who it is ({fault}): see to its certificate. It is tried again and "
    "again.",
    home_unreached="The broker {broker} cannot be reached ({fault}), and Home Assistant hears nothing of the table "
    "meanwhile. It is tried again and again.",
    home_refused="The broker {broker} does not let the table in ({fault}), and Home Assistant hears nothing of it: see "
    "to its user and password. It is tried again and again.",
    home_unsafe="The broker {broker} does not prove who it is ({fault}), and Home Assistant hears nothing of the "
    "table: see to its certificate. It is tried again and again.",
    home_lacking="To be seen by Home Assistant the table needs the library {library}: pip install 'tablelight[club]' "
    "brings it.",
    home_back="Home Assistant hears of the table again.",
)
