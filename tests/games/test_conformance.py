"""What every game promises, whatever its rules: one suite over every game and every value of its options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from string import Formatter
from typing import Any

import pytest

from games.acts import precedence
from games.rules import SENTENCES, Game, IllegalTurn, OptionError, Reason, Step, Turn, load, names, play
from tests.games.cases import CASES, Case, loaded, sample
from tests.games.walks import Ply

Plies = tuple[Ply, ...]


@pytest.fixture(params=CASES, ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    chosen: Case = request.param
    return chosen


@pytest.fixture
def game(case: Case) -> Game[Any]:
    return loaded(case)


@pytest.fixture
def plies(case: Case) -> Plies:
    return sample(case)


def carried_out(board: tuple[int, ...], sites: tuple[str, ...], steps: tuple[Step, ...]) -> tuple[int, ...]:
    """The board after the steps, one after another."""
    level = dict(zip(sites, board, strict=True))
    for site, shown in steps:
        assert level[site] != shown, f"{site} shows {shown} already"
        level[site] = shown
    return tuple(level[site] for site in sites)


def in_order(sites: list[str]) -> tuple[str, ...]:
    """Each site once, where it comes first."""
    return tuple(site for place, site in enumerate(sites) if site not in sites[:place])


def well_said(reason: Reason) -> bool:
    """Whether the reason is a whole sentence without holes."""
    sentence = str(reason)
    return reason.id in SENTENCES and sentence.endswith(".") and "{" not in sentence and "  " not in sentence


# The game -------------------------------------------------------------------------------------


def test_the_four_games_are_found() -> None:
    assert names() == ("yin-yang", "zhizhu", "zig-zag", "zong-heng")


def test_a_game_carries_the_name_it_is_loaded_by(case: Case, game: Game[Any]) -> None:
    assert game.name == case.name


def test_a_game_introduces_itself(game: Game[Any]) -> None:
    assert game.title
    assert game.summary.endswith(".")
    assert all(player in SENTENCES for player in game.players)
    assert game.player_name(0) != game.player_name(1)


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(OptionError, match="there is no game 'chess'; the games are yin-yang, zhizhu, zig-zag, zong"):
        load("chess")


@pytest.mark.parametrize("name", names())
def test_an_unknown_option_is_refused(name: str) -> None:
    with pytest.raises(OptionError, match=f"{name} has no option 'colour'; its options: "):
        load(name, colour="red")


@pytest.mark.parametrize("name", names())
def test_defaults_are_the_first_values(name: str) -> None:
    game = load(name)
    explicit = load(name, **{option: values[0] for option, values in game.options.items()})
    assert str(game.start()) == str(explicit.start())
    assert game.sites == explicit.sites


def test_a_game_knows_the_options_it_was_loaded_with(case: Case, game: Game[Any]) -> None:
    assert game.chosen == {option: values[0] for option, values in game.options.items()} | dict(case.options)


def test_every_site_has_a_name_and_a_place_of_its_own(game: Game[Any]) -> None:
    assert len(set(game.sites)) == len(game.sites)
    assert set(game.places) == set(game.sites)
    assert len(set(game.places.values())) == len(game.sites)


def test_only_sites_are_shaded(game: Game[Any]) -> None:
    assert game.shaded <= set(game.sites)


def test_links_join_two_sites_once(game: Game[Any]) -> None:
    assert all(set(link) <= set(game.sites) and len(set(link)) == 2 for link in game.links)
    assert len({frozenset(link) for link in game.links}) == len(game.links)


def test_the_start_is_a_beginning(game: Game[Any]) -> None:
    start = game.start()
    assert start == game.start()
    assert game.turns(start)
    assert game.outcome(start) is None


# Positions ------------------------------------------------------------------------------------


def test_the_text_of_a_position_reads_back(game: Game[Any], plies: Plies) -> None:
    for position, _, _ in plies:
        again = game.position(str(position))
        assert str(again) == str(position)
        assert (again.board, again.side) == (position.board, position.side)


def test_a_position_read_back_is_the_same_position(game: Game[Any], plies: Plies) -> None:
    for position, _, _ in plies:
        again = game.position(str(position))
        assert again == position
        assert hash(again) == hash(position)


def test_equal_texts_are_equal_positions_and_different_texts_different_ones(plies: Plies) -> None:
    by_text: dict[str, Any] = {}
    for after in (turn.after for ply in plies for turn in ply.turns):
        first = by_text.setdefault(str(after), after)
        assert first == after
        assert hash(first) == hash(after)
    assert len(set(by_text.values())) == len(by_text)


def test_positions_of_two_games_loaded_alike_are_equal(case: Case) -> None:
    one, other = (load(case.name, **dict(case.options)) for _ in range(2))
    assert one.start() == other.start()
    assert {turn.after for turn in one.turns(one.start())} == {turn.after for turn in other.turns(other.start())}


@pytest.mark.parametrize("name", ["cells", "side", "board"])
def test_a_position_cannot_be_changed(game: Game[Any], name: str) -> None:
    start = game.start()
    with pytest.raises((AttributeError, TypeError)):
        setattr(start, name, getattr(start, name))


def test_asking_changes_nothing_and_asking_again_says_the_same(game: Game[Any], plies: Plies) -> None:
    for position, turns, _ in plies[::6]:
        before = str(position)
        assert game.refused(position) == game.refused(position)
        assert game.outcome(position) == game.outcome(position)
        assert game.turns(position) == turns
        assert str(position) == before


def test_a_board_shows_a_level_for_every_site(game: Game[Any], plies: Plies) -> None:
    most = 2 if game.pieces == "stones" else 60
    for position, _, _ in plies:
        assert isinstance(position.board, tuple)
        assert len(position.board) == len(game.sites)
        assert all(0 <= level <= most for level in position.board)
        assert position.side in (0, 1)


def test_state_beside_the_sites_is_told_in_a_sentence(game: Game[Any], plies: Plies) -> None:
    asides = [aside for position, _, _ in plies if (aside := game.aside(position))]
    assert all(well_said(aside) for aside in asides)


# Turns ----------------------------------------------------------------------------------------


def test_a_text_names_one_turn(plies: Plies) -> None:
    for _, turns, _ in plies:
        assert len({turn.text for turn in turns}) == len(turns)
        assert all(str(turn) == turn.text for turn in turns)


def test_the_steps_lead_to_the_board_after(game: Game[Any], plies: Plies) -> None:
    for position, turns, _ in plies:
        for turn in turns:
            assert carried_out(position.board, game.sites, turn.steps) == turn.after.board


def possible_orders(turn: Turn[Any], chance: Random, most: int) -> Iterator[tuple[Step, ...]]:
    """Orders that the turn allows its steps to be made in, drawn by chance; the natural one first."""
    before = precedence(turn.acts)
    yield turn.steps
    for _ in range(most):
        left, made = set(range(len(before))), list[int]()
        while left:
            made.append(chance.choice([place for place in sorted(left) if not before[place] & left]))
            left.remove(made[-1])
        yield tuple(turn.steps[place] for place in made)


def handled(board: tuple[int, ...], game: Game[Any], turn: Turn[Any], order: tuple[Step, ...]) -> tuple[int, ...]:
    """The board after `order`, which brings no piece where another one stands and takes none where none does."""
    level = dict(zip(game.sites, board, strict=True))
    flipped = {act.sites[0] for act in turn.acts if act.kind == "flip"}
    for site, shown in order:
        if game.pieces == "seeds":
            assert shown in {0, level[site] + 1} - {level[site]}, (turn.text, site)
        else:
            assert (shown == 0) == (level[site] != 0) or (site in flipped and shown != level[site]), (turn.text, site)
        level[site] = shown
    return tuple(level.values())


def test_every_order_that_the_acts_allow_leads_to_the_board_after(game: Game[Any], plies: Plies) -> None:
    chance = Random(17)
    for position, turns, _ in plies[::2]:
        for turn in (*turns[::3], *game.refused(position)[::40]):
            for order in possible_orders(turn, chance, 3):
                assert handled(position.board, game, turn, order) == turn.after.board


def test_acts_move_what_stands_there(game: Game[Any], plies: Plies) -> None:
    for position, turns, _ in plies:
        board = dict(zip(game.sites, position.board, strict=True))
        for act in (turn.acts[0] for turn in turns if turn.acts):
            if act.kind in ("carry", "push"):
                assert act.levels == tuple(board[site] for site in act.sites[:-1])
            if act.kind == "sow":
                assert board[act.sites[0]] == len(act.sites) - 1 == len(act.levels)


def test_path_and_lifts_are_what_the_steps_say(plies: Plies) -> None:
    for turn in (turn for ply in plies for turn in ply.turns):
        assert turn.path == in_order([step.site for step in turn.steps])
        assert turn.lifts == in_order([step.site for step in turn.steps if step.level == 0])


def test_a_turn_is_whole_so_the_other_side_is_next(plies: Plies) -> None:
    for position, turns, _ in plies:
        assert all(turn.after.side == 1 - position.side for turn in turns)


def test_legal_turns_have_no_reason_against_them(plies: Plies) -> None:
    assert all(turn.reason is None for ply in plies for turn in ply.turns)


def test_a_pass_is_only_ever_the_only_turn(plies: Plies) -> None:
    for position, turns, _ in plies:
        if any(turn.text == "pass" or not turn.steps for turn in turns):
            (turn,) = turns
            assert (turn.text, turn.steps, turn.after.board) == ("pass", (), position.board)


def test_no_turns_exactly_when_the_game_is_over(game: Game[Any], plies: Plies) -> None:
    for position, turns, _ in plies:
        assert (not turns) == (game.outcome(position) is not None)


def test_play_accepts_exactly_the_legal_turns(game: Game[Any], plies: Plies) -> None:
    for position, turns, _ in plies[::12]:
        assert all(play(game, position, turn.text) == turn.after for turn in turns[::12])
        for text in {turn.text for turn in game.refused(position)[::30]} - {turn.text for turn in turns}:
            with pytest.raises(IllegalTurn):
                play(game, position, text)


def test_no_text_at_all_is_refused_in_a_sentence(game: Game[Any], plies: Plies) -> None:
    for position, _, _ in plies:
        with pytest.raises(IllegalTurn) as caught:
            play(game, position, "")
        assert well_said(caught.value.reason)
        assert str(caught.value)[0] != " "


# Outcomes -------------------------------------------------------------------------------------


def test_random_games_come_to_an_end_that_says_who_won(game: Game[Any], plies: Plies) -> None:
    outcomes = [game.outcome(position) for position, turns, _ in plies if not turns]
    assert outcomes
    for outcome in outcomes:
        assert outcome is not None
        assert outcome.winner in (0, 1, None)
        assert well_said(outcome.reason)
        assert set(outcome.sites) <= set(game.sites)


def test_repetition_ends_any_position(game: Game[Any], plies: Plies) -> None:
    for position, turns, _ in plies[::8]:
        if turns:
            outcome = game.repeated(position)
            assert "house rule" in str(outcome).lower()
            assert well_said(outcome.reason)


# Illegal turns --------------------------------------------------------------------------------


def test_refused_turns_are_all_the_tries(game: Game[Any], plies: Plies) -> None:
    for position, _, _ in plies[::8]:
        assert game.refused(position) == tuple(game.tries(position))


def test_refused_turns_say_why(game: Game[Any], plies: Plies) -> None:
    for position, _, _ in plies[::6]:
        refused = game.refused(position)
        assert all(turn.reason and well_said(turn.reason) for turn in refused)


def test_refused_turns_have_a_way_like_legal_ones(game: Game[Any], plies: Plies) -> None:
    for position, _, _ in plies[::6]:
        for turn in game.refused(position):
            assert turn.steps
            assert carried_out(position.board, game.sites, turn.steps) == turn.after.board


def carrying_out(turn: Turn[Any]) -> tuple[object, object]:
    return turn.steps, turn.after.board


def test_no_refused_turn_is_a_legal_one_in_disguise(game: Game[Any], plies: Plies) -> None:
    for position, turns, _ in plies[::2]:
        legal = {carrying_out(turn) for turn in turns}
        assert not legal & {carrying_out(turn) for turn in game.refused(position)}


# Sentences ------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", sorted(SENTENCES))
def test_a_sentence_is_well_formed(id: str) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*", id)
    fields = [field for _, field, _, _ in Formatter().parse(SENTENCES[id]) if field is not None]
    assert all(field.isidentifier() for field in fields)
    assert SENTENCES[id].format(**dict.fromkeys(fields, "3")).strip()
