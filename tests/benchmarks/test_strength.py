"""The matches: the test that decides them, games that are the same each time, runs that go on where they stopped."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.before import Before, prepared
from benchmarks.bet import Bet, interval
from benchmarks.kept import ROOT
from benchmarks.matches import Match, by_chance, opening, play_game, settled
from benchmarks.players import player
from benchmarks.strength import Run, Tally, digest_of_sources, kept, matches
from games.fast import load_fast
from games.rules import load, names, play

EVEN = Match("yin-yang", "level-1", "level-1", 0.6, 0.75)


def verdict(scores: list[float], demanded: float = 0.6, hoped: float = 0.75) -> tuple[str, int]:
    bet = Bet(demanded, hoped)
    for score in scores:
        bet.count(score)
    return bet.verdict, len(bet.scores)


# The test -------------------------------------------------------------------------------------


def test_wins_alone_decide_when_they_should() -> None:
    """With 0.99 demanded no test could do it in fewer than 298 games."""
    assert verdict([1.0] * 100) == ("reached", 12)
    count = verdict([1.0] * 1000, 0.99, 0.9995)[1]
    assert 298 <= count <= 320


def test_losses_decide_as_well() -> None:
    assert verdict([0.0, 1.0] * 500)[0] == "missed"
    assert verdict([0.0] * 100)[1] == 10


def test_a_score_between_what_is_demanded_and_what_is_hoped_decides_as_well() -> None:
    """The stake follows the score; with that for what is hoped such a match would never end."""
    assert verdict(([1.0] * 35 + [0.0]) * 60, 0.95, 0.99)[0] == "reached"
    assert verdict(([1.0] * 7 + [0.0]) * 200, 0.9, 0.97)[0] == "missed"


def test_draws_count_half() -> None:
    assert verdict([0.5] * 500)[0] == "missed"
    assert verdict([0.5] * 500, 0.4, 0.45)[0] == "reached"
    assert verdict([0.5] * 100, 0.5, 0.6) == ("open", 100)


def test_a_match_is_not_decided_in_the_middle_of_a_pair() -> None:
    assert verdict([1.0] * 11)[0] == "open"
    assert all(verdict([1.0] * 100, 0.6, hoped)[1] % 2 == 0 for hoped in (0.7, 0.75, 0.8, 0.9))


@pytest.mark.parametrize("drawn", [0.0, 0.3])
@pytest.mark.parametrize("seat", [0.0, 0.2])
def test_a_player_who_is_just_as_good_as_demanded_seldom_seems_better(drawn: float, seat: float) -> None:
    """Not even if one seat is better than the other; the expected score is exactly 0.6."""
    random, verdicts = Random(3), Counter[str]()
    for _ in range(400):
        bet = Bet(0.6, 0.75)
        for number in range(300):
            won = 0.6 + (seat if number % 2 else -seat) - drawn / 2
            chance = random.random()
            bet.count(1.0 if chance < won else 0.5 if chance < won + drawn else 0.0)
        verdicts[bet.verdict] += 1
    assert verdicts["reached"] <= 0.07 * 400
    assert verdicts["missed"] <= 0.07 * 400


def hanging_together(random: Random, demanded: float) -> list[float]:
    """Openings that the first player wins in both seats, or loses in both; scores `demanded` in the mean."""
    return [score for _ in range(150) for score in [float(random.random() < demanded)] * 2]


def test_pairs_that_hang_together_seldom_seem_better() -> None:
    random, verdicts = Random(5), Counter[str]()
    for _ in range(400):
        bet = Bet(0.5, 0.6, paired=True)
        for score in hanging_together(random, 0.5):
            bet.count(score)
        verdicts[bet.verdict] += 1
    assert verdicts["reached"] <= 0.07 * 400
    assert verdicts["missed"] <= 0.07 * 400


def test_pairs_decide_as_well() -> None:
    for scores, said in (([1.0, 0.5] * 60, "reached"), ([0.0, 0.5] * 60, "missed"), ([1.0, 0.0] * 200, "open")):
        bet = Bet(0.5, 0.6, paired=True)
        for score in scores:
            bet.count(score)
        assert bet.verdict == said


def test_bounds_hold_the_expected_score_as_often_as_they_say() -> None:
    random, held = Random(6), 0
    for _ in range(400):
        least, most = interval(hanging_together(random, 0.7)[:120])
        held += least <= 0.7 <= most
    assert 0.92 * 400 <= held <= 0.99 * 400
    assert interval([]) == (0.0, 1.0)
    assert interval([1.0] * 20)[0] < 0.9


# Games ----------------------------------------------------------------------------------------


def test_the_matches_are_those_that_are_promised() -> None:
    for name in names():
        mine = [match for match in matches() if match.game == name]
        assert len(set(mine)) == len(mine) == 12
        searched = 0.92 if name == "yin-yang" else 0.95
        assert [match.demanded for match in mine] == [0.99, 0.95, searched, 0.75, 0.7] + [0.6] * 7


@pytest.mark.parametrize("name", names())
def test_a_game_of_levels_is_the_same_again(name: str) -> None:
    match = Match(name, "level-2", "level-1", 0.6, 0.75)
    assert play_game(match, 3) == play_game(match, 3)
    assert play_game(match, 3).turns != play_game(match, 5).turns


@pytest.mark.parametrize("name", names())
def test_greed_beats_chance(name: str) -> None:
    match = Match(name, "greedy", "random", 0.6, 0.75)
    assert sum(play_game(match, number).score for number in range(10)) >= 6


@pytest.mark.parametrize("number", [1, 18, 38])
def test_no_opening_decides_the_game(number: int) -> None:
    game, fast = load("yin-yang"), load_fast(load("yin-yang"))
    assert settled(game, fast, by_chance(game, fast, Random(number), 4)[0])
    state, turns = opening(game, fast, number, 4)
    assert not settled(game, fast, state)
    assert len(turns) == 4


def test_the_engine_plays_by_the_clock() -> None:
    match = Match("yin-yang", "engine@0.01", "random", 0.6, 0.75)
    assert sum(play_game(match, number).score for number in range(4)) >= 3


def test_both_seats_have_the_same_opening(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[list[str]] = []

    def noted(*game: Any) -> tuple[float, list[str]]:
        begun.append(game[-1])
        return 0.5, []

    monkeypatch.setattr("benchmarks.matches.follow", noted)
    for number in range(4):
        play_game(Match("zhizhu", "greedy", "greedy", 0.5, 0.6, paired=True), number)
    assert begun[0] == begun[1] != begun[2] == begun[3]


def test_an_earlier_commit_plays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The one that is checked out: its sources are taken out of git and asked in a process of their own."""
    if not (ROOT / ".git").exists():
        pytest.skip("no git repository")
    monkeypatch.setattr("benchmarks.before.FOLDER", tmp_path)
    game = load("zig-zag")
    before = Before(game.name, "HEAD", 0.001, compiled=False)
    positions = [game.start()]
    for number in range(3):
        text = before.turn(positions[-1], positions[:-1], number)
        positions.append(play(game, positions[-1], text))
    before.close()
    assert (prepared("HEAD", compiled=False) / "games" / "zig_zag" / "rules.py").exists()


def test_a_commit_that_there_is_not_is_refused() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("no git repository")
    with pytest.raises(ValueError, match="there is no commit 'nowhere'"):
        prepared("nowhere", compiled=False)


def test_a_player_that_is_not_known_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no player 'nobody'"):
        player(load("zig-zag"), "nobody")


@pytest.mark.parametrize("name", names())
def test_open_spiel_plays_our_games(name: str) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    from benchmarks.peer import State

    fast, random = load_fast(load(name)), Random(1)
    state = fast.state(load(name).start())
    dressed = State(fast, state)
    while moves := fast.moves(state):
        assert (dressed.current_player(), len(dressed.legal_actions())) == (fast.side(state), len(moves))
        place = random.randrange(len(moves))
        dressed, last = dressed.clone(), dressed
        dressed.apply_action(place)
        assert last.legal_actions() == list(range(len(moves)))
        state = fast.after(state, moves[place])
    assert dressed.is_terminal()
    assert dressed.returns() == [2 * fast.result(state) - 1, 1 - 2 * fast.result(state)]
    assert play_game(Match(name, "openspiel@0.002", "random", 0.6, 0.75), 0).score in (0, 0.5, 1)


# Runs -----------------------------------------------------------------------------------------


def run(path: Path, games: int, sources: str = "these") -> Tally:
    tally = Tally(EVEN, games, kept(path, {str(EVEN): sources}).get(str(EVEN), {}))
    Run([tally], path, {str(EVEN): sources}).play(1)
    return tally


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "games"
    run(path, 2)
    first = path.read_text()
    path.write_text(first + '["these", "yin-ya')  # the line that was being written
    tally = run(path, 4)
    assert path.read_text().startswith(first)
    assert [json.loads(line)[2] for line in path.read_text().splitlines() if line.endswith("]")] == [0, 1, 2, 3]
    assert len(tally.bet.scores) == 4
    assert run(path, 4).row() == tally.row()
    assert len(path.read_text().strip().splitlines()) == 5


def test_games_of_other_sources_are_played_anew(tmp_path: Path) -> None:
    path = tmp_path / "games"
    assert run(path, 2).row() == run(path, 2, "others").row()
    assert len(path.read_text().strip().splitlines()) == 4


def test_a_game_depends_on_its_own_rules_and_search_and_on_levels_where_they_play() -> None:
    assert len({digest_of_sources(match) for match in matches()}) == 2 * len(names())
    for name in names():
        timed, levels = (Match(name, first, "random", 0.6, 0.75) for first in ("engine@0.2", "level-2"))
        assert digest_of_sources(timed) != digest_of_sources(levels)


def test_games_left_to_play_are_estimated() -> None:
    tally = Tally(EVEN, 100, {})
    assert 10 <= tally.left() <= 100
    assert Tally(EVEN, 0, {}).left() == 0
