"""Every button in every state of the table: it answers, breaks nothing, and the board can be put right again."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from firmware_bridge.score import PASS, ScoreSheet
from firmware_bridge.verdict import Astray, AtRest
from games.rules import play
from tests.simulation.midgame import game_of, sheet_at
from tests.table.players import SHORT, At, C, N, P, at, bumped, owing

Press = Callable[[At], list[str]]


def under_way() -> At:
    now = at("yin-yang", P, "c3-c2")
    now.lay(("d3", 0))
    return now


def which() -> At:
    now = at("zong-heng", P, "c3-c4")
    now.make("f6-f5", "new stone", wait=0.1)
    return now


def asked() -> At:
    now = which()
    now.run(1.0)
    return now


def astray() -> At:
    now = at("yin-yang", C, "c3-c2")
    now.lay(("a1", 1), ("f6", 2), wait=1.0)
    return now


def owed() -> At:
    now = owing()
    now.run(4.0)
    return now


def changing() -> At:
    now = at("zhizhu", C)
    now.make("a1")
    now.lay(("a1", 0), wait=SHORT)
    now.session.board.lay([("b5", 1)])
    now.run(0.04)  # ten milliseconds later the turn is amended by itself
    return now


def taken_back() -> At:
    now = at("zhizhu", C)
    for text in ("a1", "b5", "c3"):
        now.make(text)
    now.lay(("c3", 0), ("b5", 0), wait=3.0)
    assert now.played == ["a1"]
    return now


def undoing() -> At:
    now = at("zhizhu", C, "a1", "b5")
    now.press("undo")
    return now


def blind() -> At:
    now = at("zig-zag", N, "S1")
    now.session.board.sighted = False
    now.run(0.5)
    return now


def sowing() -> At:
    now = at("zig-zag", P, "S1")
    now.make("N4", wait=1.0)
    return now


def resigned() -> At:
    now = at("zong-heng", C, "c3-c4")
    now.resign(0)
    return now


def resigned_at_once() -> At:
    now = at("zhizhu", C)
    now.resign(1)
    return now


def resigned_astray() -> At:
    now = astray()
    now.resign(0)
    return now


@cache
def played_out() -> tuple[str, ...]:
    """The turns of a whole game."""
    sheet, choose = ScoreSheet(game_of("yin-yang")), Random(2)
    while not sheet.outcome:
        sheet.accept(choose.choice(sheet.turns))
    return tuple(entry.turn.text for entry in sheet.played_turns)


def over() -> At:
    *before, last = played_out()
    now = at("yin-yang", C, *before)
    now.make(last, wait=0.1)
    assert now.sheet.outcome
    return now


@cache
def up_to_a_pass() -> tuple[str, ...]:
    """The turns of a game up to where a pass is forced."""
    game = game_of("zong-heng")
    for seed in range(100):
        texts = [entry.turn.text for entry in sheet_at(game, seed, 40).played_turns]
        if PASS in texts:
            return tuple(texts[: texts.index(PASS)])
    raise LookupError("no game with a forced pass")


def after_a_pass() -> At:
    """Gone on with where the last turn was a forced pass."""
    return at("zong-heng", C, *up_to_a_pass())


STATES: dict[str, Callable[[], At]] = {
    "at the start": lambda: at("zhizhu", P),
    "at rest": lambda: at("zong-heng", C, "c3-c4"),
    "under way": under_way,
    "bumped": bumped,
    "which": which,
    "asked": asked,
    "astray": astray,
    "owing": owing,
    "owed": owed,
    "changing": changing,
    "taken back": taken_back,
    "undoing": undoing,
    "setting up": lambda: at("yin-yang", C, setting=True),
    "blind": blind,
    "sowing": sowing,
    "resigned": resigned,
    "resigned at once": resigned_at_once,
    "resigned astray": resigned_astray,
    "over": over,
    "after a pass": after_a_pass,
    "not yet seen": lambda: At("zhizhu", C, "a1"),
    "not yet seen at the start": lambda: At("zig-zag", N),
}
BUTTONS: dict[str, Press] = {
    "done": lambda now: now.press("done"),
    "undo": lambda now: now.press("undo"),
    "resign": lambda now: now.resign(1),
    "agree": lambda now: now.agree(),
}


def legal(now: At) -> bool:
    """Whether the sheet has come to where it is by legal turns."""
    position = now.sheet.start
    for entry in now.sheet.played_turns:
        assert entry.position == position
        position = play(now.sheet.game, position, entry.turn.text)
    return position == now.sheet.position


def comes_to_rest(now: At) -> bool:
    """Whether the table is at rest once the board is as it should be; a sowing that is not counted needs Undo."""
    now.session.board.sighted = True
    now.run(0.2)
    if any(signature.strict for signature in now.table.signatures) and now.sheet.length:
        now.press("undo")
    now.session.put_right()
    now.run(6.0)
    board = tuple(map(now.session.board.level, now.session.board.sites))
    return isinstance(now.table.verdict, AtRest) and not now.table.setting and board == now.sheet.position.board


@pytest.mark.parametrize("press", BUTTONS.values(), ids=BUTTONS.keys())
@pytest.mark.parametrize("state", STATES.values(), ids=STATES.keys())
def test_a_button_is_answered_and_the_board_can_be_put_right(state: Callable[[], At], press: Press) -> None:
    now = state()
    assert press(now)
    assert legal(now)
    now.run(5.0)
    assert comes_to_rest(now)
    assert legal(now)


LENGTHY = {"over", "after a pass"}
"""States that take a whole game to reach."""


@pytest.mark.parametrize(
    "state",
    [pytest.param(made, id=name, marks=[pytest.mark.long] * (name in LENGTHY)) for name, made in STATES.items()],
)
def test_buttons_pressed_one_after_another_break_nothing(state: Callable[[], At]) -> None:
    for first in BUTTONS.values():
        for second in BUTTONS.values():
            now = state()
            assert first(now)
            assert second(now)
            now.run(0.1)
            assert legal(now)


@pytest.mark.parametrize("state", STATES.values(), ids=STATES.keys())
def test_nothing_is_said_twice_while_nothing_moves(state: Callable[[], At]) -> None:
    now = state()
    said = now.run(30.0)
    assert len(said) == len(set(said))
    assert now.run(30.0) == []


# What each button says ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ("at the start", ["nothing-done"]),
        ("at rest", ["nothing-done"]),
        ("under way", ["owed"]),
        ("bumped", ["nothing-done"]),
        ("which", ["asked"]),
        ("asked", ["played"]),  # both turns lead to the same
        ("astray", ["astray"]),
        ("owing", ["owed"]),
        ("changing", ["asked"]),
        ("undoing", ["setting", "press-again"]),
        ("setting up", ["setting"]),
        ("blind", ["blind"]),
        ("resigned", ["over"]),
        ("over", ["over"]),
    ],
)
def test_done(state: str, says: list[str]) -> None:
    now = STATES[state]()
    assert now.press("done") == says


@pytest.mark.parametrize("state", ["resigned", "resigned at once", "over"])
@pytest.mark.parametrize("button", ["resign", "agree"])
def test_a_game_that_is_over_keeps_its_outcome(state: str, button: str) -> None:
    now = STATES[state]()
    before = now.sheet.outcome
    assert BUTTONS[button](now) == ["over"]
    assert now.sheet.outcome == before


@pytest.mark.parametrize("state", ["resigned", "resigned at once", "resigned astray"])
def test_undo_takes_a_resignation_back_and_no_turn(state: str) -> None:
    now = STATES[state]()
    played = now.played
    now.press("undo")
    assert (now.sheet.outcome, now.played) == (None, played)
    assert now.sheet.turns


def test_what_is_wrong_stays_wrong_when_a_resignation_is_taken_back() -> None:
    now = resigned_astray()
    now.press("undo")
    now.run(1.0)
    assert isinstance(now.table.verdict, Astray)


def test_undo_after_the_end_takes_the_last_turn_back() -> None:
    now = over()
    length = now.sheet.length
    now.press("undo")
    assert (now.sheet.outcome, now.sheet.length) == (None, length - 1)


def test_undo_goes_back_to_the_start_and_no_further() -> None:
    now = at("zhizhu", C, "a1", "b5", "c3")
    assert [now.press("undo")[0] for _ in range(4)] == ["undone"] * 3 + ["nothing-undone"]
    now.session.put_right()
    now.run(1.0)
    assert (now.played, now.table.verdict) == ([], AtRest())


@pytest.mark.parametrize("state", ["resigned", "resigned at once", "resigned astray"])
def test_a_game_called_off_is_not_gone_on_with_by_clearing_the_board(state: str) -> None:
    now = STATES[state]()
    outcome, length = now.sheet.outcome, now.sheet.length
    for site in now.sheet.game.sites:
        if now.session.board.level(site):
            now.lay((site, 0), wait=2.5)
    assert (now.sheet.outcome, now.sheet.length) == (outcome, length)
