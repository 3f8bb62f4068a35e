"""What every game promises, held against chess: the laws of `games.rules` and `games.acts`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import pytest
from boards import CHESS, Ply, sample

from games.acts import precedence
from games.rules import SENTENCES, IllegalTurn, Reason, Step, Turn, load, names, play

SLOWEST = 0.05
"""Seconds that all tries of a position may take, on average over the sample, on a slow computer."""


@pytest.fixture
def plies() -> tuple[Ply, ...]:
    return sample()


def well_said(reason: Reason | None) -> bool:
    """Whether the reason is a whole sentence without holes."""
    sentence = str(reason)
    return reason is not None and sentence[-1] == "." and not re.search("[{}]|  ", sentence)


def test_the_program_finds_it_by_its_name() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
    assert project["project"]["entry-points"]["tablelight.games"] == {CHESS.name: "tablelight_chess:GAME"}
    assert "chess" in names(installed=True)
    assert isinstance(load("chess"), type(CHESS))


def test_the_game_introduces_itself() -> None:
    assert CHESS.title == "Chess"
    assert CHESS.summary.endswith(".")
    assert SENTENCES["chess.summary"] == CHESS.summary
    assert [len(line) for line in CHESS.sign] == [3, 3, 3]
    assert set("".join(CHESS.sign)) <= set("#.xo")
    assert CHESS.player_name(0) != CHESS.player_name(1)


def test_every_site_has_a_place() -> None:
    assert set(CHESS.places) == set(CHESS.sites)
    assert len(set(CHESS.sites)) == len(set(CHESS.places.values())) == 64


def test_texts_read_back_as_the_same_position(plies: tuple[Ply, ...]) -> None:
    for position in (after for ply in plies for after in (ply.position, *(turn.after for turn in ply.turns[::5]))):
        again = CHESS.position(str(position))
        assert (again, hash(again), str(again)) == (position, hash(position), str(position))
        assert (again.board, again.side) == (position.board, position.side)


def test_equal_texts_are_equal_positions_and_different_texts_different_ones(plies: tuple[Ply, ...]) -> None:
    by_text: dict[str, Any] = {}
    for after in (turn.after for ply in plies for turn in ply.turns):
        assert by_text.setdefault(str(after), after) == after
    assert len(set(by_text.values())) == len(by_text)


@pytest.mark.parametrize("attribute", ["key", "cells", "side", "board"])
def test_a_position_cannot_be_changed(attribute: str) -> None:
    start = CHESS.start()
    with pytest.raises((AttributeError, TypeError)):
        setattr(start, attribute, getattr(start, attribute))


def test_a_text_names_one_turn_and_the_other_side_is_next(plies: tuple[Ply, ...]) -> None:
    for position, turns in plies:
        assert len({turn.text for turn in turns}) == len(turns)
        assert all(turn.after.side == 1 - position.side and turn.reason is None for turn in turns)


def orders(turn: Turn[Any], chance: Random, most: int) -> Iterator[list[Step]]:
    """Orders that the acts of the turn allow, drawn by chance; the natural one first."""
    before = precedence(turn.acts)
    yield list(turn.steps)
    for _ in range(most):
        left, made = set(range(len(before))), list[int]()
        while left:
            made.append(chance.choice([place for place in sorted(left) if not before[place] & left]))
            left.remove(made[-1])
        yield [turn.steps[place] for place in made]


def test_every_order_that_the_acts_allow_is_possible_and_leads_to_the_board_after(plies: tuple[Ply, ...]) -> None:
    """A piece comes to an empty square, what goes off one has stood there, and only a pawn is exchanged."""
    chance = Random(17)
    for position, turns in plies:
        for turn in (*turns, *CHESS.refused(position)[::7]):
            exchanged = {act.sites[0] for act in turn.acts if act.kind == "flip"}
            for order in orders(turn, chance, 3):
                shows = dict(zip(CHESS.sites, position.board, strict=True))
                for site, level in order:
                    stood, turned = shows[site], site in exchanged
                    assert (stood == level) if turned and stood and level else bool(stood) != bool(level), turn
                    shows[site] = level
                assert tuple(shows.values()) == turn.after.board


def test_a_carried_piece_is_of_the_colour_that_stands_there(plies: tuple[Ply, ...]) -> None:
    for position, turns in plies:
        board = dict(zip(CHESS.sites, position.board, strict=True))
        for act in (act for turn in (*turns, *CHESS.refused(position)) for act in turn.acts if act.kind == "carry"):
            assert act.levels == (board[act.sites[0]],)


def test_there_are_no_turns_exactly_when_the_game_is_over(plies: tuple[Ply, ...]) -> None:
    for position, turns in plies:
        outcome = CHESS.outcome(position)
        assert (not turns) == (outcome is not None)
        if outcome:
            assert well_said(outcome.reason)
            assert set(outcome.sites) <= set(CHESS.sites)
        else:
            assert all(turn.acts for turn in turns)
            assert well_said(CHESS.repeated(position).reason)


def test_refused_turns_have_a_way_and_say_why(plies: tuple[Ply, ...]) -> None:
    for position, turns in plies:
        legal = {(turn.steps, turn.after.board) for turn in turns}
        refused = CHESS.refused(position)
        assert refused == CHESS.refused(position)
        for turn in refused:
            assert well_said(turn.reason), turn
            assert turn.steps
            assert (turn.steps, turn.after.board) not in legal, (str(position), turn)


def test_a_refused_turn_begins_no_legal_one(plies: tuple[Ply, ...]) -> None:
    for position, turns in plies:
        legal = {turn.text[:5] for turn in turns}
        assert not {turn.text for turn in CHESS.refused(position)} & legal, str(position)


def test_play_refuses_what_is_no_turn_in_a_sentence(plies: tuple[Ply, ...]) -> None:
    for position, turns in [ply for ply in plies if ply.turns][::9]:
        strange = {turn.text for turn in CHESS.refused(position)} - {turn.text for turn in turns}
        for text in [*sorted(strange)[::9], "", "a1", "zz-9", "a1-a1", "O-O-O-O", "pass pass", "0000", "--", "\ud800"]:
            with pytest.raises(IllegalTurn) as caught:
                play(CHESS, position, text)
            assert well_said(caught.value.reason)


def test_asides_are_sentences(plies: tuple[Ply, ...]) -> None:
    told = [CHESS.aside(position) for position, _ in plies]
    assert all(well_said(aside) for aside in told if aside)
    assert any(told)


def test_the_illegal_turns_of_a_position_are_found_quickly(plies: tuple[Ply, ...]) -> None:
    began = perf_counter()
    for position, _ in plies:
        CHESS.refused(position)
    assert (perf_counter() - began) / len(plies) < SLOWEST
