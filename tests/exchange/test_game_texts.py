"""Games taken away and brought back: both forms round-trip, and what no rule allows is refused in one clear answer."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from firmware_bridge.clocks import clocks
from firmware_bridge.exchange import LARGEST, Carried, Unreadable, read_game, record_text, sgf_text
from firmware_bridge.score import ScoreSheet
from games.rules import load, names
from hardware.device import Sense

COMMENTS = {0: "Sunday, in the garden", 2: "[a\\b]:\nnow it gets sharp", 3: "対局"}
OPTIONS: dict[str, dict[str, int | str]] = {"zong-heng": {"size": 12, "setup": "stripes"}, "zhizhu": {"first": "o"}}


def played(game: str, turns: int = 30, **how: Any) -> ScoreSheet:
    """A game of so many turns by chance, or fewer where it ends; a whole one on the usual board, which is smaller."""
    chance, sheet = Random(game), ScoreSheet(load(game, **(OPTIONS.get(game, {}) if turns < 600 else {})), **how)
    while sheet.length < turns and not sheet.outcome:
        sheet.accept(chance.choice(sheet.turns))
    return sheet


def told(game: Carried) -> tuple[object, ...]:
    """All that a text is to keep."""
    sheet = game.sheet
    turns = [entry.turn.text for entry in sheet.played_turns]
    how = sheet.names, sheet.levels, sheet.house_rule, sheet.clock and sheet.clock.control
    return sheet.game.name, dict(sheet.game.chosen), str(sheet.start), turns, str(sheet.outcome), how, game.comments


def refused(text: str) -> str:
    """Why a text is not taken."""
    with pytest.raises(Unreadable) as fault:
        read_game(text.encode())
    return str(fault.value)


SHORT = "(;FF[4]GM[yin-yang]PB[Anna]PW[Ben];B[c3-c2];W[c3-a3])"


@pytest.mark.parametrize("game", names())
@pytest.mark.parametrize("form", [sgf_text, record_text])
def test_a_game_comes_back_as_it_was(game: str, form: Any) -> None:
    carried = Carried(played(game, names=("Anna", "Ben [2]"), clock=clocks("10+3x30")), COMMENTS)
    assert told(read_game(form(carried).encode())) == told(carried)


@pytest.mark.parametrize("game", names())
def test_a_game_to_its_end_keeps_its_result(game: str) -> None:
    sheet = played(game, turns=600, house_rule=False)
    assert sheet.outcome
    text = sgf_text(Carried(sheet))
    assert f"RE[{('B+', 'W+', 'Draw')[2 if sheet.outcome.winner is None else sheet.outcome.winner]}]" in text
    assert told(read_game(text.encode())) == told(Carried(sheet))


@pytest.mark.parametrize("ends", ["resign", "flag"])
@pytest.mark.parametrize("side", [0, 1])
def test_who_gave_up_or_lost_on_time_has(ends: str, side: int) -> None:
    sheet = played("zhizhu", 5, clock=clocks("10"))
    getattr(sheet, ends)(side)
    text = sgf_text(Carried(sheet))
    assert f"RE[{'WB'[side]}+{'R' if ends == 'resign' else 'T'}]" in text
    again = read_game(text.encode()).sheet
    assert (again.called_off, again.outcome) == (True, sheet.outcome)


def test_a_draw_that_was_agreed_stays_one() -> None:
    sheet = played("zig-zag", 4)
    sheet.agree()
    assert read_game(sgf_text(Carried(sheet)).encode()).sheet.outcome == sheet.outcome


def test_who_played_and_when_is_told() -> None:
    sheet = ScoreSheet(load("zhizhu"), names=("Anna", ""), levels=(0, 3))
    text = sgf_text(Carried(sheet, day="2026-11-25"))
    for part in ("PB[Anna]", "WR[engine 3]", "DT[2026-11-25]", "GM[zhizhu]"):
        assert part in text
    assert "PW[" not in text
    assert "RE[" not in text
    assert read_game(text.encode()).day == "2026-11-25"


def test_a_game_from_another_position_begins_there() -> None:
    rules = load("yin-yang")
    start = rules.turns(rules.start())[0].after
    sheet = ScoreSheet(rules, start)
    sheet.accept(sheet.turns[0])
    for form in (sgf_text, record_text):
        again = read_game(form(Carried(sheet)).encode()).sheet
        assert (again.start, again.position) == (start, sheet.position)
    assert ";W[" in sgf_text(Carried(sheet))


def test_a_record_is_read_as_the_program_writes_it() -> None:
    text = "tablelight 1\ngame yin-yang\nsense colour\n1.0 turn c3-c2\n2.0 note comment 'so far'\n3.0 undo 1\n"
    game = read_game(text.encode() + b"4.0 turn c3-b3\n5.0 turn d")  # the last line was cut short
    assert [entry.turn.text for entry in game.sheet.played_turns] == ["c3-b3"]
    assert (game.sense, game.comments) == (Sense.COLOUR, {})


def test_of_variations_the_first_is_the_game_and_the_others_are_counted() -> None:
    game = read_game(b"(;GM[yin-yang];B[c3-c2](;W[c3-a3](;B[c4-c5])(;B[d3-e3]))(;W[d3-d1])) (;GM[zhizhu])")
    assert [entry.turn.text for entry in game.sheet.played_turns] == ["c3-c2", "c3-a3", "c4-c5"]
    assert game.left_out == 3


def test_other_peoples_habits_are_read() -> None:
    text = "\ufeff ( ; GM[yin-yang]\r\nRE[?]C[one\\\r\nline] GameName[x] ;B [c3-c2]\n;C[said] W[c3-a3] TE[1] )"
    game = read_game(text.encode())
    assert game.sheet.length == 2
    assert game.comments == {0: "oneline", 2: "said"}


# What is refused ----------------------------------------------------------------------------------


def test_an_illegal_turn_is_named_with_its_reason_and_what_is_allowed() -> None:
    why = refused("(;GM[yin-yang];B[c3-c2];W[d4-d9])")
    assert why.startswith("Turn 2, d4-d9 of Two, cannot be made.")
    assert "Allowed there: " in why
    record = refused("tablelight 1\ngame yin-yang\nsense colour\nturn c3-c2\nturn d4-d9\n")
    assert record == why


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("hello", "and this with: hello"),
        ("", "and this with: "),
        ("(", "breaks off"),
        ("()", "begins with (;"),
        ("(;GM[yin-yang];B[c3-c2]", "breaks off"),
        ("(;GM[yin-yang];B[c3-c2)", "has no ] at its end"),
        ("(;GM[yin-yang];\n\n;[c3-c2])", "In line 3 the value [c3-c2] has no property"),
        ("(;GM[yin-yang]; 7)", "and not: 7"),
        ("(;B[c3-c2])", "which game it is"),
        ("(;GM[1]SZ[19];B[aa])", "GM[...]"),
        ("(;GM[zong-heng]SZ[7])", "size"),
        ("(;GM[yin-yang]POS[xx])", "POS[...]"),
        ("(;GM[yin-yang]OT[soon])", "OT[...]"),
        (f"(;GM[yin-yang]PB[{'n' * 31}])", "PB[...]"),
        ("(;GM[yin-yang];W[c3-c2])", "Turn 1 is for One, and the text has it as W[...]"),
        ("(;GM[yin-yang]RE[soon])", "RE[soon] is no result"),
        ("(;GM[yin-yang]RE[W+];B[c3-c2])", "the game goes on there"),
        ("tablelight 2\ngame yin-yang\n", "cannot be read: line 1"),
        ("tablelight 1\ngame yin-yang\nsense colour\nturn c3-c2 ~0000\n", "line 4"),
        ("tablelight 1\ngame yin-yang\nundo 3\n", "line 3"),
    ],
)
def test_what_is_wrong_is_said_in_one_answer(text: str, why: str) -> None:
    assert why in refused(text)


def test_a_result_that_the_turns_do_not_have_is_refused() -> None:
    sheet = played("zig-zag", 600, house_rule=False)
    assert sheet.outcome
    right = f"RE[{'BW'[sheet.outcome.winner or 0]}+]"
    text = sgf_text(Carried(sheet)).replace(right, f"RE[{'WB'[sheet.outcome.winner or 0]}+]")
    assert str(sheet.outcome.reason) in refused(text)


def test_what_is_too_large_or_no_text_is_not_looked_at() -> None:
    assert str(LARGEST) in refused(SHORT + " " * LARGEST)
    with pytest.raises(Unreadable, match="no text"):
        read_game(b"\xff\xfe(;GM")


def test_a_text_of_brackets_alone_does_no_harm() -> None:
    assert refused("(;" * (LARGEST // 2)).startswith("The text breaks off")
    assert "Turn 1, pass of One" in refused("(;GM[yin-yang]" + ";B[]" * 1000 + ")")


def test_a_game_without_an_end_is_refused_in_time() -> None:
    turns = "".join(f"turn {turn}\nundo 1\n" for turn in ["c3-c2"] * 10)
    assert read_game(f"tablelight 1\ngame yin-yang\nsense colour\n{turns}".encode()).sheet.length == 0


def test_a_comment_of_any_kind_goes_into_lines_that_are_read() -> None:
    carried = Carried(played("yin-yang", 2), {1: "x" * 5000 + "\n\n\x07end"})
    again = read_game(record_text(carried).encode())
    assert again.comments == {1: "x" * 1000 + "\n\nend"}
    assert told(replace(again, comments={})) == told(replace(carried, comments={}))
