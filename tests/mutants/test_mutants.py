"""The mutants of a source, and the areas that they are taken from."""

from __future__ import annotations

import ast
from pathlib import Path
from time import monotonic

import pytest

from tests.mutants.__main__ import ROOT, areas, main, outcome, sample
from tests.mutants.source import mutants


def changed(source: str) -> list[str]:
    """The sources that are mutants of this one."""
    return [each.of(source) for each in mutants(source)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a < b", ["pass", "a <= b"]),
        ("a <= b < c", ["pass", "a < b < c", "a <= b <= c"]),
        ("(a) >= (b)", ["pass", "(a) > (b)"]),
        ("é == 'ü' != x", ["pass", "é != 'ü' != x", "é == 'ü' == x"]),
        ("inner in b", ["pass", "inner not in b"]),
        ("a not  in b", ["pass", "a in b"]),
        ("a is not None", ["pass", "a is None"]),
        ("x = not a", ["x = a"]),
        ("x = not(a)", ["x = (a)"]),
        ("not a", ["pass", "a"]),
        ("x = (a # is it\n is b)", []),
        ("a and band and c", ["pass", "a or band and c", "a and band or c"]),
        ("x = (a or\n   b)", ["x = (a and\n   b)"]),
        ("x = 7", ["x = 8"]),
        ("x = -1", ["x = -2"]),
        ("x = 0.25", ["x = 0.5"]),
        ("x = 0.0", ["x = 1.0"]),
        ("x = True", ["x = False"]),
        ("x = 'seven 7'", []),
        ("x = f'{7}'", []),
        ("'''What it is.'''", []),
        ("import a", []),
        ("self.x = y", ["pass"]),
        ("table[x] = y", ["pass"]),
        ("x += y", ["pass"]),
        ("for x in y:\n  continue", ["for x in y:\n  pass"]),
        ("def f(x: L[1]) -> L[2]: return x", ["def f(x: L[1]) -> L[2]: pass"]),
        ("def f():\n  pass\n  raise E(\n    1)", ["def f():\n  pass\n  pass", "def f():\n  pass\n  raise E(\n    2)"]),
    ],
)
def test_a_source_has_these_mutants_and_no_others(source: str, expected: list[str]) -> None:
    assert changed(source) == expected


@pytest.mark.parametrize("path", ["games/zhizhu/web.py", "firmware_bridge/records/lines.py", "tests/mutants/source.py"])
def test_mutants_of_a_real_source_parse_and_differ_and_name_their_line(path: str) -> None:
    source = (ROOT / path).read_text()
    made = mutants(source)
    programs = {ast.dump(ast.parse(each.of(source))) for each in made}
    assert ast.dump(ast.parse(source)) not in programs
    assert len(programs) == len(made) > 20
    for each in made:
        rows = zip(source.splitlines(), each.of(source).splitlines(), strict=False)
        assert each.line == next(number for number, (old, new) in enumerate(rows, start=1) if old != new)


def test_a_mutant_says_what_was_changed() -> None:
    source = "if a <\\\n b:\n    tell(1)\n"
    assert [(each.line, each.what) for each in mutants(source)] == [
        (1, "`<` is `<=`"),
        (3, "`tell(1)` is dropped"),
        (3, "`1` is `2`"),
    ]


def test_an_area_has_the_tests_that_bear_its_name(tmp_path: Path) -> None:
    for path in ("games", "hardware", "firmware_bridge/lighting", "firmware_bridge/web", "firmware_bridge/untested"):
        (tmp_path / path).mkdir(parents=True)
        (tmp_path / path / "__init__.py").touch()
    for path in ("tests/games", "tests/lighting", "tests/web", "tests/scenarios"):
        (tmp_path / path).mkdir(parents=True)
    found = areas(tmp_path)
    assert {name: (area.code, area.tests) for name, area in found.items()} == {
        "games": ("games", ("tests/games",)),
        "lighting": ("firmware_bridge/lighting", ("tests/lighting", "tests/scenarios")),
        "web": ("firmware_bridge/web", ("tests/web",)),
    }
    assert found["web"].sources(tmp_path) == [tmp_path / "firmware_bridge/web/__init__.py"]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree of one rule, whose bound no test meets."""
    for folder in ("games", "tests/games"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "games/rule.py").write_text("def legal(count):\n    return count < 9\n")
    (tmp_path / "tests/games/test_rule.py").write_text(
        "from games.rule import legal\n\n\ndef test_some():\n    assert legal(1)\n"
    )
    return tmp_path


@pytest.mark.slow
def test_what_the_tests_do_not_see_survives_and_is_told(tree: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = (tree / "games/rule.py").read_text()
    assert sample(areas(tree)["games"], tree, 100, 7) == 0
    told = capfd.readouterr().out.splitlines()
    assert told[0].startswith("games: 3 of 3 mutants, seed 7;")
    assert sorted(told[1:-1]) == ["games/rule.py:2: `9` is `10`", "games/rule.py:2: `<` is `<=`"]
    assert told[-1] == "games: 1 killed, 0 hung, 2 survived; seed 7"
    assert (tree / "games/rule.py").read_text() == before


def test_tests_that_fail_without_a_mutant_try_none(tree: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tree / "tests/games/test_more.py").write_text("def test_more():\n    assert False\n")
    assert sample(areas(tree)["games"], tree, 100, 7) == 2
    assert capfd.readouterr().err == "games: its tests fail without a mutant: mend that first\n"


def test_tests_that_do_not_end_are_ended_with_all_they_started(tree: Path) -> None:
    (tree / "tests/games/test_rule.py").write_text(
        "import os, subprocess\n\n\ndef test_ever():\n"
        "    started = subprocess.Popen(['sleep', '1000'])\n"
        "    open('started', 'w').write(str(started.pid))\n"
        "    started.wait()\n"
    )
    limit = 1.0
    while not (tree / "started").exists():  # however slow this computer is just now
        limit *= 2
        assert outcome(areas(tree)["games"], tree, limit) == "hung"
    state = Path("/proc", (tree / "started").read_text(), "stat")
    end = monotonic() + 10.0  # a process that was killed may take a while to go where the computer is busy
    while not is_gone(state) and monotonic() < end:
        pass
    assert is_gone(state)


def is_gone(state: Path) -> bool:
    """Whether a process has ended, by its file in /proc."""
    try:
        return state.read_text().split()[2] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


@pytest.mark.parametrize("count", ["0", "-3", "some"])
def test_fewer_mutants_than_one_are_refused(count: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["games", "--count", count])
    assert f"argument --count: invalid positive value: '{count}'" in capsys.readouterr().err


def test_an_area_that_there_is_not_is_told_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chess"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("chess: there is no such area; the areas are games, hardware")
    assert told.count("\n") == 1
