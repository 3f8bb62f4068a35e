"""Games of other distributions: found by their entry point, refused in a sentence, never instead of ours."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge.cli.main import main
from games.rules import OptionError, available, lacks, load, names
from tests.distributions import install

GAME = """
from games.rules import say
from games.zhizhu.rules import ZhiZhu

class Web(ZhiZhu):
    name, title = "web", "Web"

class Deaf(Web):
    name = "deaf"
    def __init__(self): raise KeyError("web")

class Unnamed(ZhiZhu): pass

class Signless(ZhiZhu):
    name, sign = "signless", ("####",)

class Homeless(ZhiZhu):
    name = "homeless"
    def __init__(self): self.places = {}
"""
PARTS = """
from games.rules import Game

class Half(Game):
    name = "half"
    def start(self): pass
    def position(self, text): pass
    def turns(self, position): pass

class Shy(Half):
    name = "shy"
    def tries(self, position): pass
    def outcome(self, position): pass
"""
BROKEN = {
    "nowhere": ("nowhere:Web", "cannot be loaded: ModuleNotFoundError: No module named 'nowhere'"),
    "ends": ("web_ends", "cannot be loaded: SystemExit: 3"),
    "module": ("web_game", "cannot be played: it is not a class of games.rules.Game"),
    "half": ("web_parts:Half", "cannot be played: the class has no outcome, tries"),
    "shy": ("web_parts:Shy", "cannot be played: the class has no title, summary, players"),
    "signless": (
        "web_game:Signless",
        "cannot be played: its sign is not three lines of three characters of #xo.",
    ),
    "unnamed": ("web_game:Unnamed", "cannot be played: the class bears the name 'zhizhu'"),
}
"""Entry point -> what it names, and what is said of it."""
HERE = {*names(installed=True)} - {*names()}
"""Games that happen to be installed, those of examples/ perhaps."""


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of others, on the path."""
    whole = {
        "web": "web_game:Web",
        "deaf": "web_game:Deaf",
        "homeless": "web_game:Homeless",
        "zhizhu": "nowhere:Spider",
        "twice": "web_game:Web",
    }
    points = whole | {name: where for name, (where, _) in BROKEN.items()}
    modules = {"web_game": GAME, "web_parts": PARTS, "web_ends": "raise SystemExit(3)"}
    install(tmp_path, "more-games", {"tablelight.games": points}, modules)
    install(tmp_path, "yet-more", {"tablelight.games": {"twice": "web_game:Web"}}, {})
    monkeypatch.syspath_prepend(tmp_path)
    for module in modules:
        monkeypatch.delitem(sys.modules, module, raising=False)


def test_a_game_of_others_is_loaded_with_its_options() -> None:
    game = load("web", first="o")
    assert (game.name, game.chosen) == ("web", {"first": "o"})
    assert game.turns(game.start())


def test_all_are_listed_and_ours_first() -> None:
    assert names(installed=True) == (*names(), *sorted({"web", "deaf", "homeless", "twice", *BROKEN, *HERE}))
    assert "web" not in names()


def test_ours_cannot_be_replaced() -> None:
    assert type(load("zhizhu")).__module__ == "games.zhizhu.rules"


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_one_is_refused_in_one_sentence(name: str) -> None:
    where, fault = BROKEN[name]
    with pytest.raises(OptionError) as refused:
        load(name)
    assert str(refused.value) == f"the game {name} ({where} of more-games) {fault}"


def test_one_that_breaks_as_it_is_set_up_is_refused() -> None:
    with pytest.raises(OptionError, match="the game deaf cannot be set up: KeyError: 'web'"):
        load("deaf")


def test_one_with_a_site_that_lies_nowhere_is_refused() -> None:
    with pytest.raises(OptionError, match="the game homeless cannot be set up: its site a1 has no place"):
        load("homeless")


def test_those_that_can_be_played_are_told_from_those_that_cannot() -> None:
    games, faults = available()
    assert [game.name for game in games] == [*names(), *sorted({"web", *HERE})]
    assert len(faults) == len(BROKEN) + len(("deaf", "homeless", "twice"))
    assert all("the game " in str(fault) or "two packages" in str(fault) for fault in faults)


@pytest.mark.parametrize("command", ["play", "moves", "check-game", "gtp", "overlay"])
@pytest.mark.parametrize("name", ["nowhere", "half", "twice", "deaf"])
def test_a_player_reads_the_sentence_and_no_traceback(
    name: str, command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    more = ["-o", str(tmp_path / "sheet.svg")] if command == "overlay" else []
    checked = command == "check-game"
    assert main([command, name, *more]) == (1 if checked else 2)
    out, errors = capsys.readouterr()
    said = out.splitlines()[0].split(maxsplit=2)[2] if checked else errors.removeprefix("tablelight: ")
    assert said.startswith(("the game ", "two packages offer a game named "))
    assert "Traceback" not in out + errors
    assert len(errors.splitlines()) == (0 if checked else 1)


def test_two_of_one_name_are_refused() -> None:
    both = "web_game:Web of more-games and web_game:Web of yet-more"
    with pytest.raises(OptionError, match=f"two packages offer a game named twice: {both}; uninstall one of them"):
        load("twice")


@pytest.mark.parametrize("name", names())
def test_ours_keep_the_contract_that_others_are_held_to(name: str) -> None:
    assert lacks(type(load(name)), name) == ""


def test_the_metadata_of_packages_are_not_read_for_ours() -> None:
    program = "import sys; from games.rules import load; load('zhizhu'); print('importlib.metadata' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "False\n"
