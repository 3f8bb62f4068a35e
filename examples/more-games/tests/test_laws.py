"""What every game promises, whatever its rules: the laws of `games.rules` and `games.acts`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import pytest
from asking import FOLDERS, Ply, game, sample

from games.acts import done, precedence
from games.rules import SENTENCES, Game, IllegalTurn, Reason, Step, Turn, play

SLOWEST = 0.02
"""Seconds that all tries of a position may take, on average over the sample, on a slow computer."""


@pytest.fixture(params=FOLDERS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def rules(name: str) -> Game[Any]:
    return game(name)


@pytest.fixture
def plies(name: str) -> tuple[Ply, ...]:
    return sample(name)


def well_said(reason: Reason | None) -> bool:
    """Whether the reason is a whole sentence without holes."""
    sentence = str(reason)
    return reason is not None and sentence[-1] == "." and not re.search("[{}]|  ", sentence)


def test_every_folder_is_offered_by_its_name() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
    offered = project["project"]["entry-points"]["tablelight.games"]
    assert offered == {game(name).name: f"more_games.{name}:GAME" for name in FOLDERS}


def test_a_game_introduces_itself(name: str, rules: Game[Any]) -> None:
    assert rules.name.replace("-", "_") == name
    assert rules.title
    assert rules.summary.endswith(".")
    assert SENTENCES[f"{rules.name}.summary"] == rules.summary
    assert all(f"{rules.name}.option-{option}" in SENTENCES for option in rules.options)
    assert [len(line) for line in rules.sign] == [3, 3, 3]
    assert set("".join(rules.sign)) <= set("#.xo")
    assert rules.player_name(0) != rules.player_name(1)


def test_every_site_has_a_place_and_every_link_two_sites(rules: Game[Any]) -> None:
    assert set(rules.places) == set(rules.sites)
    assert len(set(rules.sites)) == len(set(rules.places.values())) == len(rules.sites)
    assert rules.shaded <= set(rules.sites)
    assert len({frozenset(link) & set(rules.sites) for link in rules.links}) == len(rules.links)


def test_texts_read_back_as_the_same_position(rules: Game[Any], plies: tuple[Ply, ...]) -> None:
    for position in (after for ply in plies for after in (ply.position, *(turn.after for turn in ply.turns[::5]))):
        again = rules.position(str(position))
        assert (again, hash(again), str(again)) == (position, hash(position), str(position))
        assert (again.board, again.side) == (position.board, position.side)


def test_equal_texts_are_equal_positions_and_different_texts_different_ones(plies: tuple[Ply, ...]) -> None:
    by_text: dict[str, Any] = {}
    for after in (turn.after for ply in plies for turn in ply.turns):
        assert by_text.setdefault(str(after), after) == after
    assert len(set(by_text.values())) == len(by_text)


@pytest.mark.parametrize("attribute", ["cells", "side", "board"])
def test_a_position_cannot_be_changed(rules: Game[Any], attribute: str) -> None:
    start = rules.start()
    with pytest.raises((AttributeError, TypeError)):
        setattr(start, attribute, getattr(start, attribute))


def test_a_text_names_one_turn_and_the_other_side_is_next(plies: tuple[Ply, ...]) -> None:
    for position, turns, _ in plies:
        assert len({turn.text for turn in turns}) == len(turns)
        assert all(turn.after.side == 1 - position.side and turn.reason is None for turn in turns)


def orders(turn: Turn[Any], chance: Random, most: int) -> Iterator[list[tuple[Step, str]]]:
    """Orders that the acts of the turn allow, drawn by chance; the natural one first; each step with its act's kind."""
    before = precedence(turn.acts)
    kinds = [act.kind for act in turn.acts for _ in done(act)]
    made = list(range(len(before)))
    for _ in range(most):
        yield [(turn.steps[place], kinds[place]) for place in made]
        left, made = set(made), []
        while left:
            made.append(chance.choice([place for place in sorted(left) if not before[place] & left]))
            left.remove(made[-1])


def possible(rules: Game[Any], level: int, shown: int, kind: str) -> bool:
    """Whether hands can make a site that shows `level` show `shown` by an act of this kind."""
    if rules.pieces == "seeds":
        return shown in {0, level + 1} and shown != level
    return bool(level and shown) if kind == "flip" else bool(level) != bool(shown)


def test_every_order_that_the_acts_allow_is_possible_and_leads_to_the_board_after(
    rules: Game[Any], plies: tuple[Ply, ...]
) -> None:
    chance = Random(17)
    for position, turns, _ in plies:
        for turn in (*turns, *rules.refused(position)[::7]):
            for order in orders(turn, chance, 4):
                shows = dict(zip(rules.sites, position.board, strict=True))
                for (site, level), kind in order:
                    assert possible(rules, shows[site], level, kind), (str(position), turn, site)
                    shows[site] = level
                assert tuple(shows.values()) == turn.after.board


def test_acts_move_what_stands_there(rules: Game[Any], plies: tuple[Ply, ...]) -> None:
    for position, turns, _ in plies:
        board = dict(zip(rules.sites, position.board, strict=True))
        for act in (turn.acts[0] for turn in (*turns, *rules.refused(position)) if turn.acts):
            if act.kind == "carry":
                assert act.levels == (board[act.sites[0]],)
            if act.kind == "sow":
                assert board[act.sites[0]] == len(act.sites) - 1 == len(act.levels)


def test_a_pass_has_no_acts_and_nothing_else_has_none(plies: tuple[Ply, ...]) -> None:
    for position, turns, _ in plies:
        for turn in turns:
            assert (turn.text == "pass") == (turn.acts == ())
            assert turn.acts or turn.after.board == position.board


def test_there_are_no_turns_exactly_when_the_game_is_over(rules: Game[Any], plies: tuple[Ply, ...]) -> None:
    for position, turns, _ in plies:
        outcome = rules.outcome(position)
        assert (not turns) == (outcome is not None)
        if outcome:
            assert well_said(outcome.reason)
            assert outcome.winner in (0, 1, None)
            assert set(outcome.sites) <= set(rules.sites)
        else:
            assert well_said(rules.repeated(position).reason)


def test_refused_turns_have_a_way_and_say_why(rules: Game[Any], plies: tuple[Ply, ...]) -> None:
    for position, turns, _ in plies:
        legal = {(turn.steps, turn.after.board) for turn in turns}
        refused = rules.refused(position)
        assert refused == rules.refused(position)
        for turn in refused:
            assert well_said(turn.reason), turn
            assert turn.steps
            assert (turn.steps, turn.after.board) not in legal, (str(position), turn)


def test_play_refuses_what_is_no_turn_in_a_sentence(rules: Game[Any], plies: tuple[Ply, ...]) -> None:
    for position, turns, _ in (*plies[::4], plies[-1]):
        strange = {turn.text for turn in rules.refused(position)} - {turn.text for turn in turns}
        for text in [*sorted(strange)[::9], "", "a1", "zz-9", "a1-a1", "a1xa1", "pass pass"]:
            if text not in {turn.text for turn in turns}:
                with pytest.raises(IllegalTurn) as caught:
                    play(rules, position, text)
                assert well_said(caught.value.reason)


def test_asides_are_sentences(rules: Game[Any], plies: tuple[Ply, ...]) -> None:
    for position, _, _ in plies:
        assert rules.aside(position) is None or well_said(rules.aside(position))


def test_the_illegal_turns_of_a_position_are_found_quickly(rules: Game[Any], plies: tuple[Ply, ...]) -> None:
    began = perf_counter()
    for position, _, _ in plies:
        rules.refused(position)
    assert (perf_counter() - began) / len(plies) < SLOWEST
