"""Whatever is typed: every turn text is played or refused in a sentence, every position text read or refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import IllegalTurn, PositionError, load, names, play
from tests.games.boards import refusal
from tests.games.cases import Case, loaded, sample

EVERY_GAME = pytest.mark.parametrize("name", names())
FUZZ = settings(max_examples=30, derandomize=True, database=None)


def turn_texts(name: str) -> st.SearchStrategy[str]:
    """Texts that look like turns of the game, more or less."""
    site = st.sampled_from(load(name).sites)
    parts = st.lists(site | st.sampled_from(["-", "x", "pass", "", " "]), max_size=5)
    return parts.map("".join) | st.tuples(site, site).map("-".join) | site


def positions(name: str) -> st.SearchStrategy[Any]:
    return st.sampled_from([ply.position for ply in sample(Case(name))])


@st.composite
def edited(draw: st.DrawFn, name: str) -> str:
    """The text of a real position with one to three small changes."""
    text = str(draw(positions(name)))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = start + draw(st.integers(0, 2))
        text = text[:start] + draw(st.text("0123456789abcxoSN.-,/ ", max_size=2)) + text[end:]
    return text


# Turns ----------------------------------------------------------------------------------------


def check_turn(name: str, position: Any, text: str) -> None:
    game = loaded(Case(name))
    legal = {turn.text for turn in game.turns(position)}
    if text in legal:
        assert play(game, position, text).side == 1 - position.side
        return
    with pytest.raises(IllegalTurn) as caught:
        play(game, position, text)
    sentence = str(caught.value)
    assert sentence.isprintable()
    assert sentence.endswith(".")
    assert len(sentence) < 200


@EVERY_GAME
@FUZZ
@given(data=st.data())
def test_any_text_at_all_is_played_or_refused_in_a_sentence(name: str, data: st.DataObject) -> None:
    check_turn(name, data.draw(positions(name)), data.draw(st.text(max_size=60)))


@EVERY_GAME
@FUZZ
@given(data=st.data())
def test_text_that_looks_like_a_turn_is_played_or_refused_in_a_sentence(name: str, data: st.DataObject) -> None:
    check_turn(name, data.draw(positions(name)), data.draw(turn_texts(name)))


@EVERY_GAME
@pytest.mark.parametrize("text", ["rules.dark", "zig-zag.won", "{turn}", "a1 ", "PASS", "e4!"])
def test_refusal_quotes_the_text_as_it_was_typed(name: str, text: str) -> None:
    game = load(name)
    assert refusal(game, game.start(), text).startswith(f"{text} is no turn of this position;")


@EVERY_GAME
def test_an_empty_text_leaves_no_hole_in_the_refusal(name: str) -> None:
    game = load(name)
    assert refusal(game, game.start(), "").startswith("'' is no turn of this position;")


@EVERY_GAME
def test_a_long_text_is_quoted_in_part(name: str) -> None:
    game = load(name)
    assert refusal(game, game.start(), "z" * 1000).startswith("z" * 24 + "... is no turn")


# Positions ------------------------------------------------------------------------------------


def check_position(name: str, text: str) -> None:
    game = loaded(Case(name))
    try:
        position = game.position(text)
    except PositionError as error:
        sentence = str(error)
    else:
        sentence = "read"
        assert str(position) == text
        assert (not game.turns(position)) == (game.outcome(position) is not None)
    assert sentence.strip()
    assert sentence.isprintable()


@EVERY_GAME
@FUZZ
@given(text=st.text(max_size=80))
def test_any_text_at_all_is_a_position_or_an_error(name: str, text: str) -> None:
    check_position(name, text)


@EVERY_GAME
@FUZZ
@given(data=st.data())
def test_a_changed_position_text_is_a_position_or_an_error(name: str, data: st.DataObject) -> None:
    check_position(name, data.draw(edited(name)))


@EVERY_GAME
def test_a_position_text_has_no_second_spelling(name: str) -> None:
    for text in {str(ply.position) for ply in sample(Case(name))}:
        for other in (f" {text}", f"{text} ", f"{text}\n", text.replace(" ", "  ", 1), text.swapcase()):
            with pytest.raises(PositionError):
                loaded(Case(name)).position(other)


@EVERY_GAME
def test_an_endless_position_text_is_refused_briefly(name: str) -> None:
    with pytest.raises(PositionError) as caught:
        load(name).position("x" * 100_000)
    assert len(str(caught.value)) < 300
