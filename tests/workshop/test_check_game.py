"""`check-game`: sound games pass, and of each that is not one sentence tells what is wrong and where."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware_bridge.cli.main import main
from firmware_bridge.workshop import check_game as command
from firmware_bridge.workshop.check_game import check_game
from firmware_bridge.workshop.doctor import Finding
from firmware_bridge.workshop.game_checks import CHECKS, GROUND, Checked, home, limited
from firmware_bridge.workshop.game_source import module_at, named
from games.acts import flip
from games.conformance import Ply, Sample, sampled
from games.rules import Game, OptionError, Reason, Turn, load, names
from tests.distributions import install
from tests.games.lame import rules as lame_rules
from tests.games.small_games import Board, Clobber, Laying, Swapping

ROOT = Path(__file__).parents[2]
CLOBBER = ROOT / "examples" / "more-games" / "more_games" / "clobber"
Capture = pytest.CaptureFixture[str]


@cache
def checked(name: str) -> Checked:
    """A small sample of a game, for checks that take their time."""
    game = load(name)
    return Checked(game, sampled(game, Random(1), kept=3), turns=12)


def faults(check: str, checked: Checked) -> list[str]:
    """The faults that one check finds."""
    return [finding.say for finding in found(check, checked) if finding.grade == "fault"]


def found(check: str, checked: Checked) -> list[Finding]:
    """All that one check finds."""
    return [*limited(check, CHECKS[check](checked), 30.0, home(checked.game))]


# Sound games ----------------------------------------------------------------------------------


@pytest.mark.parametrize("check", [name for name in CHECKS if name not in GROUND])  # the laws have tests of their own
@pytest.mark.parametrize("name", names())
def test_the_four_games_pass_each_check(name: str, check: str) -> None:
    told = found(check, checked(name))
    assert [finding for finding in told if finding.grade != "ok"] == []
    assert told


def test_a_game_that_is_not_installed_passes_by_its_path(capsys: Capture) -> None:
    assert check_game(str(CLOBBER), 60.0) == 0
    told = capsys.readouterr().out
    assert f"ok      game       Clobber (clobber), of {CLOBBER}.\n" in told
    checks = "rules acts sentences search hands sensing lights page boards accuracy"
    assert [*dict.fromkeys(line.split()[1] for line in told.splitlines()[1:-1])] == checks.split()
    assert "By presence 100 turns by clean hands: 100 read at once, 0 asked about, 0 wrong." in told
    naming = 'name it in [project.entry-points."tablelight.games"] as clobber = "more_games.clobber:GAME"'
    assert (naming in told) == ("clobber" not in names(installed=True))
    assert told.endswith("Clobber keeps all that was looked at.\n")


# Games that fail a check ----------------------------------------------------------------------


class Careless(Clobber):
    """Clobber of which the acts forget that a stone is taken."""

    name = "careless"

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        return tuple(Turn(turn.text, turn.after, turn.acts[1:]) for turn in super().turns(position))


class Idle(Clobber):
    """Clobber of which the acts change nothing that can be seen."""

    name = "idle"

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        return tuple(
            Turn(turn.text, turn.after, (flip(turn.acts[1].sites[0], turn.acts[1].levels[0]),))
            for turn in super().turns(position)
        )


class Fewer(Clobber):
    """Clobber of which the acts leave the stone where it was."""

    name = "fewer"

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        return tuple(Turn(turn.text, turn.after, turn.acts[:1]) for turn in super().turns(position))


class Passing(Clobber):
    """Clobber in which who cannot capture passes at first."""

    name = "passing"

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        turns = super().turns(position)
        if turns or position.crowns == "p" or not any(position.cells):
            return turns
        return (Turn("pass", replace(position, side=1 - position.side, crowns="p"), ()),)


def test_a_forced_pass_is_not_counted_for_a_piece_that_is_lifted() -> None:
    over = Ply(Passing().position("..../..../..../x... x -"), (), None)
    turns = Passing().turns(over.position)
    assert [turn.text for turn in turns] == ["pass"]
    sample = Sample(Passing(), (over._replace(turns=turns),), Random(1))
    assert faults("sensing", Checked(sample.game, sample, turns=12)) == []


class Empty(Clobber):
    """Clobber of which nothing is said of what hands do."""

    name = "empty"

    def turns(self, position: Board) -> tuple[Turn[Board], ...]:
        return tuple(Turn(turn.text, turn.after, ()) for turn in super().turns(position))


class Muttering(Clobber):
    """Clobber with something to say of which there is no sentence."""

    name = "muttering"

    def aside(self, position: Board) -> Reason:
        return Reason("muttering.something")


class Large(Clobber):
    """Clobber on more squares than any board has."""

    name = "large"
    size = 20


class Lame(Clobber):
    """Clobber with a fast form that leaves out turns."""

    name = "lame"
    __module__ = lame_rules.__name__


@pytest.fixture
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game that mutters, found by its name as the page needs it."""
    install(tmp_path, "faulty-games", {"tablelight.games": {"muttering": f"{__name__}:Muttering"}}, {})
    monkeypatch.syspath_prepend(tmp_path)


def sample(game: Game[Any]) -> Checked:
    return Checked(game, sampled(game, Random(1), kept=3), turns=12)


@pytest.mark.parametrize(
    ("check", "made", "said"),
    [
        ("hands", Fewer, "and not what the position after it has, in the position"),
        ("sensing", Fewer, "is counted though only the piece of"),
        ("lights", Empty, "No light shows where"),
        ("accuracy", Idle, "is read as no turn when hands make it"),
        ("page", Muttering, "muttering.something"),
        ("search", Lame, "The fast form disagrees with the rules"),
        ("sentences", Muttering, "What aside tells has the id 'muttering.something', of which there is no sentence"),
        ("rules", Lame, "The summary cannot be translated"),
        ("acts", Careless, "is impossible in the position"),
    ],
)
@pytest.mark.usefixtures("_installed")
def test_a_fault_is_told(check: str, made: type[Game[Any]], said: str) -> None:
    told = faults(check, sample(made()))
    assert said in " ".join(told)
    assert all(sentence.endswith(".") for sentence in told)


def test_a_turn_that_presence_does_not_show_is_a_remark() -> None:
    told = found("accuracy", sample(Swapping()))
    assert [finding.grade for finding in told] == ["ok", "remark", "ok"]
    assert told[1].say.startswith("By presence nothing shows swap: players press Done until the lights show it")


def test_where_stones_are_only_laid_they_are_lifted_and_turns_lit_though_a_pass_comes_first() -> None:
    checked = sample(Laying())
    assert faults("sensing", checked) == faults("lights", checked) == []
    for check in ("sensing", "lights"):
        assert not any(" 0 " in finding.say for finding in found(check, checked))


def test_a_game_that_fits_on_no_board_can_be_played_at_the_simulated_table() -> None:
    told = found("boards", Checked(Large(), Sample(Large(), (), Random(1))))
    assert [finding.grade for finding in told] == ["remark", "remark"]
    assert "It fits on no board of the program: draw it as large in the [layouts]" in told[0].say


# Games that do not behave ---------------------------------------------------------------------

GAME = """
import os, time
from tests.distributions import install
from tests.games.lame import rules as lame_rules
from tests.games.small_games import Clobber

class Wild(Clobber):
    name = "wild"
    def turns(self, position):
        found = super().turns(position)
        if str(position).endswith("o -"):
            {doing}
        return found

GAME = Wild
"""


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Writes a game into a folder and gives its path."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))

    def write(source: str, name: str = "wild") -> str:
        folder = tmp_path / name
        folder.mkdir()
        folder.joinpath("__init__.py").write_text(source)
        return str(folder)

    return write


AT = r" in turns of the position xoxo/oxox/.* o - \(__init__\.py, line \d+\)"


@pytest.mark.parametrize(
    ("doing", "said"),
    [
        ("return found[99]", f"IndexError: tuple index out of range{AT}."),
        ("raise SystemExit(3)", f"SystemExit: 3{AT}."),
        (
            "while True: pass",
            f"This was not over after 2 s, and was{AT}: see that it ends, or allow .*",
        ),
        ("return self.turns(position)", f"RecursionError: maximum recursion depth exceeded.*{AT}."),
        ("found += found * 10**10", f"MemoryError{AT}."),
        ("os._exit(0)", "The process of the game has ended in the midst of this: a game must not end the program."),
    ],
)
def test_a_game_that_raises_or_never_answers_is_one_sentence(
    written: Any, doing: str, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert check_game(written(GAME.format(doing=doing)), 2.0) == 1
    out, errors = capfd.readouterr()
    *_, line, verdict = out.splitlines()
    assert line.startswith("fault   rules      ")
    assert re.fullmatch(said, line[19:]), line
    assert verdict.startswith(("Clobber cannot be played as it is. Faults: 1.", "/"))
    assert errors == ""


def test_a_game_that_cannot_be_interrupted_is_ended(
    written: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(command, "GRACE", 0.5)
    doing = "\n            ".join(["while True:", "    try: time.sleep(9)", "    except BaseException: pass"])
    assert check_game(written(GAME.format(doing=doing)), 1.0) == 1
    assert "This was not over after 1 s and could not be interrupted: see that the game ends" in capsys.readouterr().out


def test_a_game_that_never_ends_is_told_and_the_rest_is_left(written: Any, capsys: Capture) -> None:
    doing = "pass\n        return found or (type(super().turns(self.start())[0])('on', self.start(), ()),)"
    assert check_game(written(GAME.format(doing=doing)), 20.0) == 1
    told = capsys.readouterr().out
    assert "No random game came to an end: let it be over where nothing more can happen" in told
    assert "remark  left       Not looked at until this is mended: sentences, search, hands, sensing" in told


# What is no game ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("", "there is no GAME; a game's folder is a package whose __init__.py says GAME = <its class>"),
        ("GAME = 3", "cannot be played: it is not a class of games.rules.Game"),
        ("from games.rules import Game\nclass GAME(Game): pass", "cannot be played: the class has no outcome, pos"),
        ("1 / 0", "cannot be loaded: ZeroDivisionError: division by zero (__init__.py, line 1)"),
        ("import nothing_there", "cannot be loaded: ModuleNotFoundError: No module named 'nothing_there' (__init__"),
        ("from games.zhizhu.rules import ZhiZhu\nclass GAME(ZhiZhu): pass", "the name zhizhu is that of a game of the"),
    ],
)
def test_what_is_no_game_is_told(written: Any, source: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "stub", raising=False)
    path = written(source, "stub")
    with pytest.raises(OptionError) as refused:
        named(path)
    assert said in str(refused.value)
    assert str(refused.value).startswith(path)


def test_nothing_there_is_refused_before_a_process_is_started(tmp_path: Path, capsys: Capture) -> None:
    tmp_path.joinpath("notes.txt").write_text("")
    tmp_path.joinpath("my-game").mkdir()
    tmp_path.joinpath("my-game", "__init__.py").write_text("")
    for path, said in {
        "nowhere": "there is no such file or folder, and no game of that name; the games are yin-yang, zhizhu",
        ".": "there is no __init__.py; a game's folder is a package whose __init__.py says GAME",
        "notes.txt": "neither a folder nor a file that ends in .py",
        "my-game": "'my-game' cannot be imported; name it with letters, digits and _ alone",
    }.items():
        assert main(["check-game", str(tmp_path / path)]) == 2
        assert said in capsys.readouterr().err


def test_a_module_is_named_with_the_packages_around_it() -> None:
    assert module_at(CLOBBER) == (CLOBBER.parents[1], "more_games.clobber")
    assert module_at(CLOBBER / "rules.py") == (CLOBBER.parents[1], "more_games.clobber.rules")
    assert module_at(CLOBBER / "__init__.py") == module_at(CLOBBER)
    assert named(str(ROOT / "games" / "zhizhu")) == "zhizhu"


def test_another_package_of_that_name_is_told(written: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    with pytest.raises(OptionError, match="json is found in .* instead; name the package otherwise"):
        named(written("", "json"))


def test_a_file_is_enough(written: Any, tmp_path: Path) -> None:
    """And what the program does by names, it does for a game that is not installed."""
    tmp_path.joinpath("alone.py").write_text(GAME.format(doing="pass"))
    program = (
        "from firmware_bridge.workshop.game_source import named, installed; from games.rules import load; "
        f"print(named({str(tmp_path / 'alone.py')!r}), load('wild').title, installed('wild'))"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert told.stdout == "wild Clobber False\n", told.stderr
