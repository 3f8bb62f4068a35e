"""The search of games that bring no form of their own for it: over their rules, or by a search that they bring."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware_bridge.cli.gtp import Gtp
from firmware_bridge.engine import Found, compiled, engine, thorough
from firmware_bridge.engine.levels import GUESSED, LEVELS, chosen, levels
from firmware_bridge.engine.uct import Uct
from games.acts import carry
from games.fast import Plain, load_fast
from games.rules import Game, OptionError, Outcome, Position, Reason, Turn, load, play
from tests.games.small_games import Clobber, Crowning, Turning

SMALL = [Clobber(), Turning(), Crowning()]
EACH = pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
OWN = """
from firmware_bridge.engine import Found

class First:
    def __init__(self, game, seed): self.game = game
    def find(self, position, **limits):
        turn = self.game.turns(position)[0].text
        yield Found(turn, 0.5, (turn,), 1, False, ())

SEARCH = First
"""

FAILING = """
class Failing:
    def __init__(self, game, seed): pass
    def find(self, position, **limits): raise OptionError("no program of that name")

SEARCH = Failing
"""


def last(game: Game[Any], position: Position, nodes: int) -> Found:
    *_, found = engine(game).find(position, nodes=nodes)
    return found


def walk(game: Game[Any], seed: int) -> Iterator[Position]:
    """The positions of a random game, but for the last."""
    random, position = Random(seed), game.start()
    while turns := game.turns(position):
        yield position
        position = random.choice(turns).after


def truth(game: Game[Any], position: Position, known: dict[Position, float]) -> float:
    """What a position is worth for player 0, by looking at every line to its end."""
    if position not in known:
        values = [truth(game, turn.after, known) for turn in game.turns(position)]
        result = load_fast(game).result(position)
        known[position] = (min(values) if position.side else max(values)) if values else result
    return known[position]


@pytest.mark.parametrize("game", [Clobber(), Crowning()], ids=lambda game: game.name)
def test_forced_wins_are_found_and_proofs_are_the_truth(game: Game[Any]) -> None:
    known: dict[Position, float] = {}
    proved = 0
    for position in (position for seed in range(6) for position in list(walk(game, seed))[-5:]):
        found = last(game, position, 4000)
        worth, after = truth(game, position, known), truth(game, play(game, position, found.turn), known)
        assert after == worth, (str(position), found)
        proved += found.proved
        assert not found.proved or found.value == abs(position.side - worth)
    assert proved >= 20


@EACH
def test_every_level_plays_legal_turns_and_the_same_again(game: Game[Any]) -> None:
    assert levels(game) == GUESSED
    position = list(walk(game, 1))[2]
    for level in (1, 3, LEVELS):
        turn = chosen(game, level, position, seed=5).turn
        assert turn in {turn.text for turn in game.turns(position)}
        assert chosen(game, level, position, seed=5).turn == turn


@dataclass(frozen=True, repr=False)
class Place(Position):
    """A place where the only stone may be."""

    name: str
    cells: bytes
    side: int

    def __str__(self) -> str:
        return f"{self.name}{self.side}"


class Ways(Game[Place]):
    """A stone goes along ways, each player's in turn: whoever leaves the circle of a and b loses."""

    name, title, summary, players = "test-ways", "Ways", "A game for tests.", ("rules.dark", "rules.light")
    sites = ("a", "b", "c")
    places = {"a": (0, 0), "b": (1, 0), "c": (2, 0)}

    def _place(self, name: str, side: int) -> Place:
        return Place(name, bytes(int(site == name) for site in self.sites), side)

    def start(self) -> Place:
        return self._place("a", 0)

    def position(self, text: str) -> Place:
        return self._place(text[0], int(text[1]))

    def turns(self, position: Place) -> tuple[Turn[Place], ...]:
        goals = {"a": "bc", "b": "ac", "c": ""}[position.name]
        return tuple(
            Turn(goal, self._place(goal, 1 - position.side), (carry(position.name, goal, 1),)) for goal in goals
        )

    def tries(self, position: Place) -> Iterator[Turn[Place]]:
        yield from ()

    def outcome(self, position: Place) -> Outcome | None:
        return None if self.turns(position) else Outcome(position.side, Reason("rules.repetition"))


def test_whoever_would_lose_otherwise_repeats() -> None:
    found = last(Ways(), Ways().start(), 400)
    assert (found.turn, found.value) == ("b", pytest.approx(0.5, abs=0.05))
    assert dict(found.others)["c"] == 0


@EACH
def test_a_program_that_speaks_gtp_plays_the_game_to_its_end(game: Game[Any]) -> None:
    gtp = Gtp(game, nodes=40)
    for colour in ("b", "w") * 40:
        if gtp.answer("final_score\n").startswith("="):
            break
        assert gtp.answer(f"genmove {colour}\n").startswith("= ")
    assert gtp.answer("final_score\n")[2:4] in ("B+", "W+")


def test_a_whole_game_is_analysed_with_nodes_to_suit() -> None:
    assert thorough(Clobber()) == thorough(load("yin-yang"))


@pytest.fixture
def brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game[Any]]:
    """A game in a folder that has a search of its own, and three levels."""
    folder = tmp_path / "brought"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "search.py").write_text(OWN)
    (folder / "levels.py").write_text("from games.fast import Level\nLEVELS = (Level(1), Level(2), Level(3))\n")
    (folder / "rules.py").write_text(
        "from games.zhizhu.rules import ZhiZhu\nclass Brought(ZhiZhu):\n    name = 'brought'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    from brought.rules import Brought  # type: ignore[import-not-found]

    yield Brought()
    for name in [name for name in sys.modules if name.split(".")[0] == "brought"]:
        del sys.modules[name]


def test_a_search_that_a_game_brings_is_used(brought: Game[Any]) -> None:
    assert isinstance(load_fast(brought), Plain)
    assert not isinstance(engine(brought), Uct)
    assert last(brought, brought.start(), 10).turn == brought.turns(brought.start())[0].text


def test_nothing_is_to_be_compiled_for_it(
    brought: Game[Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(compiled.VARIABLE, "yes")
    compiled.tell(brought)
    assert capsys.readouterr().err == ""


def test_a_program_that_its_search_lacks_is_told_to_controllers(brought: Game[Any]) -> None:
    folder = Path(sys.modules["brought"].__path__[0])
    (folder / "search.py").write_text("from games.rules import OptionError\n" + FAILING)
    assert Gtp(brought).answer("genmove b\n") == "? no program of that name\n\n"


def test_too_few_levels_are_refused_in_a_sentence(brought: Game[Any]) -> None:
    with pytest.raises(OptionError, match=r"brought has 3 levels in its levels\.py, and must have 8"):
        levels(brought)
