"""What the wall's page is told: each form, and how it is made of the boards as they are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from msgspec import Struct, json

from firmware_bridge import events
from firmware_bridge.clocks import Clock, Left
from firmware_bridge.club.boards import Boards
from firmware_bridge.club.evening import Game, Results, mark, number, result
from firmware_bridge.i18n import LANGUAGES, Words, page_text
from firmware_bridge.link.states import Terms
from firmware_bridge.score import TIMED_OUT, ScoreSheet, points
from firmware_bridge.web.forms import BoardForm, ClocksForm, PageForm
from firmware_bridge.web.snapshots import board_form, clocks_form
from games.rules import SENTENCES, Reason, Site, say

SPEAKERS = (events, page_text)
"""Modules that are imported for their sentences, beside the games."""
OWN = {"Black": 1, "Dark": 1, "White": 2, "Light": 2}
"""Which stones are a player's, by the player's English name, as the page has it; of others neither colour is."""


class SeenForm(Struct, frozen=True):
    """A board: its geometry by a key of `GroundsForm`, who plays, and how it stands.

    `sides`: what the players are called in the game; `own`: whose stones are 1 dark, 2 light, 0 neither. `levels` and
    `marks` as on the page; `changed`: the places in `levels` that the last turn has changed. `beside`: pieces of each
    player beside the board. `side` is to move, None after the end. `told`: that, or the result, in words; `result` as
    tournaments write it. `clocks`: as on the page; that of the player to move stands until its table tells that it
    runs. `flag`: whose time is up, None for nobody's. `away`: whose table has gone. `round`: of the evening, 0 for a
    game that is none of it. `fault`: why it does not count, empty where it may.
    """

    key: str
    names: tuple[str, str]
    sides: tuple[str, str]
    own: tuple[int, int]
    pieces: Literal["stones", "seeds"]
    levels: Sequence[int]
    marks: Mapping[Site, str]
    changed: Sequence[int]
    beside: tuple[int, int] | None
    side: int | None
    turns: int
    last: str
    told: str
    result: str
    clocks: ClocksForm | None
    flag: int | None
    away: tuple[bool, bool]
    round: int
    fault: str


class MeetingForm(Struct, frozen=True):
    """A game of a round: who plays, and its result or what is to be said of it."""

    names: tuple[str, str]
    result: str
    told: str


class RoundForm(Struct, frozen=True):
    """A round: its games, and who has none, empty where all play."""

    games: Sequence[MeetingForm]
    bye: str


class RowForm(Struct, frozen=True):
    """A line of the cross-table; `results` in the order of the lines, empty where there is none."""

    place: int
    name: str
    results: Sequence[str]
    points: str
    tie: str


class GroundsForm(Struct, frozen=True, tag_field="kind", tag="grounds"):
    """The geometries of boards, by the keys that they are spoken of."""

    boards: Mapping[str, BoardForm]


class UntimedWall(Struct, frozen=True, tag_field="kind", tag="wall"):
    """A `WallForm` without its clock, which is put in when the form is sent."""

    title: str
    round: int
    over: bool
    lost: str
    delay: float
    boards: Sequence[SeenForm]
    rounds: Sequence[RoundForm]
    table: Sequence[RowForm]


class WallForm(UntimedWall, frozen=True, tag_field="kind", tag="wall"):
    """All that is seen on the wall.

    `title` of what is played, empty without an evening. `round`: the number of the one in hand, from 1 on; 0 without.
    `lost`: why there is no news of the broker, empty while there is. `delay`: seconds by which all is shown late.
    `clock`, in seconds: what is shown was so then, and the clocks of the boards count from it.
    """

    clock: float


encode = json.Encoder().encode


def page_form(spoken: Words) -> PageForm:
    """The words of the wall's page."""
    text = {id.removeprefix("wall."): spoken.text(id) for id in SENTENCES if id.startswith("wall.")}
    return PageForm(spoken.language, LANGUAGES, text, may=False, token=False)


@lru_cache(64)
def ground(key: str) -> BoardForm:
    """The geometry that a key speaks of; names of sites would be too small to be read there."""
    return board_form(json.decode(key, type=Terms).load(), named=False)


def key_of(terms: Terms) -> str:
    """What the geometry of a game is spoken of by."""
    return json.encode(Terms(terms.game, terms.options), order="sorted").decode()


def grounds_form(boards: Boards) -> GroundsForm:
    """The geometries of all boards that are seen."""
    shown = [game.board.terms for _, game in boards.evening_games] + [game.board.terms for game in boards.free_games]
    return GroundsForm({key: ground(key) for key in dict.fromkeys(map(key_of, shown))})


def timed(text: bytes, at: float) -> bytes:
    """An encoded `UntimedWall` with its clock, in seconds."""
    return b'{"clock":%.3f,' % at + text[1:]


def wall_form(boards: Boards, lost: Reason | None, spoken: Words) -> UntimedWall:
    """The wall, in a language; `lost`: why there is no news."""
    results = boards.results
    seen = [evening_board(boards, game, number, spoken) for number, game in boards.evening_games]
    seen += [
        seen_form(game.board.terms, game.board.sheet, game.clock, game.names, away(boards, game.tables), spoken)
        for game in boards.free_games
    ]
    title = results.evening.terms.load().title if results else ""
    rounds = [round_form(results, place, spoken) for place in range(len(results.rounds))] if results else []
    return UntimedWall(
        title,
        results.current + 1 if results else 0,
        bool(results and results.over),
        spoken.say(lost) if lost else "",
        boards.waiting.delay,
        seen,
        rounds,
        row_forms(results) if results else [],
    )


def away(boards: Boards, tables: Sequence[str]) -> tuple[bool, bool]:
    """Whose table has gone."""
    first, second = (bool(table) and boards.away(table) for table in tables)
    return first, second


def evening_board(boards: Boards, game: Game, number: int, spoken: Words) -> SeenForm:
    """A game of the evening."""
    seats, fault = away(boards, game.tables), fault_of(game, spoken)
    return seen_form(game.board.terms, game.board.sheet, game.clock, game.names, seats, spoken, number, fault)


def fault_of(game: Game, spoken: Words) -> str:
    """Why a game of the evening does not count as its tables tell it; empty if nothing is in the way."""
    if game.rekeyed:
        return spoken.text("wall.rekeyed")
    if game.otherwise:
        return spoken.text("wall.otherwise")
    ended = game.board.whole and game.board.sheet.outcome is not None
    return spoken.text("wall.unconfirmed") if ended and not game.score else ""


def seen_form(
    terms: Terms, sheet: ScoreSheet, clock: Clock | None, names: tuple[str, str], away: tuple[bool, bool],
    spoken: Words, number: int = 0, fault: str = "",
) -> SeenForm:  # fmt: skip
    """A board as it stands on a score sheet."""
    game, position, outcome = sheet.game, sheet.position, sheet.outcome
    last = sheet.played_turns[-1] if sheet.played_turns else None
    changed = [at for at, level in enumerate(position.board) if last and last.position.board[at] != level]
    called = spoken.calling(game.players, names)
    if outcome:
        told = called.say(outcome.reason)
    else:
        told = called.say(Reason.of("table.to-play", number=sheet.length + 1, player=game.players[position.side]))
    first, second = (spoken.text(player) for player in game.players)
    flag = 1 - outcome.winner if outcome and outcome.winner is not None and outcome.reason.id == TIMED_OUT else None
    if clock and flag is not None:  # the score does not tell that all of it was used
        own, other = Left(0.0), clock.left[1 - flag]
        clock = replace(clock, left=(other, own) if flag else (own, other))
    return SeenForm(
        key=key_of(terms),
        names=names,
        sides=(first, second),
        own=(OWN.get(game.player_name(0), 0), OWN.get(game.player_name(1), 0)),
        pieces=game.pieces,
        levels=list(position.board),
        marks=dict(game.marks(position)),
        changed=changed,
        beside=game.beside(position),
        side=None if outcome else position.side,
        turns=sheet.length,
        last=last.turn.text if last else "",
        told=told,
        result=points(outcome.winner) if outcome else "",
        clocks=clocks_form(clock) if clock else None,
        flag=flag,
        away=away,
        round=number,
        fault=fault,
    )


def round_form(results: Results, place: int, spoken: Words) -> RoundForm:
    """A round of the evening."""
    games = [
        MeetingForm(
            game.names, result(game), fault_of(game, spoken) or ("" if game.begun else spoken.text("wall.unbegun"))
        )
        for game in results.rounds[place]
    ]
    return RoundForm(games, results.evening.bye(place))


def row_forms(results: Results) -> list[RowForm]:
    """The cross-table."""
    return [
        RowForm(
            row.place, results.evening.names[row.player], [mark(part) for part in row.results], number(row.points),
            number(row.tie_break),
        )
        for row in results.table()
    ]  # fmt: skip


say(
    "wall",
    wall="The wall",
    waiting="No game has begun yet. Boards come here by themselves.",
    delayed="All is shown {seconds} seconds late.",
    connecting="Connecting to the wall…",
    unserved="The wall does not answer: this is how it stood last. The page connects by itself.",
    round="Round {number} of {count}",
    done="All games are played.",
    bye="{player} has no game",
    unbegun="not begun",
    unconfirmed="Over at one table: it counts once both tell the same score.",
    otherwise="A table plays by other terms than the evening's: pair both anew. It does not count.",
    rekeyed="A table has begun this game again; the result that both had told stands.",
    away="away",
    flag="time is up",
    periods="{count} x {seconds} s",
    board="The board of {first} and {second}: {told}",
    cross="Results",
    place="Place",
    player="Player",
    points="Points",
    tie="SB",
    tie_means="SB is Sonneborn-Berger: the points of those one has beaten, and half of those one has drawn with. It "
    "tells apart who has equal points; then the games between these do.",
    to_move="to move",
    turns="turns: {count}",
    last="last turn: {turn}",
)
