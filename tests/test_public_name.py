"""The one name for programs, and that the program finds its own packages whatever else bears their names."""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tablelight

ROOT = Path(__file__).parents[1]
HEAVY = ("firmware_bridge.table", "firmware_bridge.engine", "firmware_bridge.records", "msgspec", "importlib.metadata")


@pytest.fixture
def stranger(tmp_path: Path) -> Path:
    """A folder with packages of other programs, that bear the names of ours."""
    for name in ("games", "hardware"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('the wrong package')\n")
    return tmp_path


def python(folder: Path, *arguments: str, path: str = str(ROOT)) -> subprocess.CompletedProcess[str]:
    """Python, run in `folder` with this path."""
    environment = {**os.environ, "PYTHONPATH": path, "LANGUAGE": "en"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60)


def test_the_examples_of_its_docstring_hold() -> None:
    assert doctest.testmod(tablelight).failed == 0
    assert doctest.testmod(tablelight).attempted > 5


def test_every_name_is_there_and_is_listed() -> None:
    assert all(getattr(tablelight, name) for name in tablelight.__all__)
    assert set(tablelight.__all__) <= set(dir(tablelight))


def test_another_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="module 'tablelight' has no attribute 'chess'"):
        tablelight.chess  # noqa: B018


def test_it_loads_the_rules_alone(tmp_path: Path) -> None:
    program = f"import sys, tablelight; print([name for name in {HEAVY} if name in sys.modules])"
    assert python(tmp_path, "-c", program).stdout == "[]\n"


# Other packages of the same names -------------------------------------------------------------


@pytest.mark.parametrize("from_path", [False, True], ids=["current folder", "PYTHONPATH"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("-c", "import tablelight; print(tablelight.load('zhizhu').title)"),
        ("-c", "from firmware_bridge.cli.main import main; main(['rules', 'zhizhu'])"),
        ("-m", "firmware_bridge", "rules", "zhizhu"),
    ],
    ids=["import tablelight", "tablelight", "python -m firmware_bridge"],
)
def test_it_finds_its_own_packages(stranger: Path, tmp_path_factory: pytest.TempPathFactory, arguments: tuple[str, ...],
                                   from_path: bool) -> None:  # fmt: skip
    folder = tmp_path_factory.mktemp("elsewhere") if from_path else stranger
    path = os.pathsep.join([str(stranger), str(ROOT)] if from_path else [str(ROOT)])
    done = python(folder, *arguments, path=path)
    assert (done.stdout.splitlines()[:1], done.stderr) == (["ZhiZhu"], "")


def test_it_leaves_the_path_as_it_was(stranger: Path) -> None:
    done = python(stranger, "-c", "import sys; was = list(sys.path); import tablelight; print(sys.path == was)")
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_one_that_has_been_imported_already_is_named(stranger: Path) -> None:
    (stranger / "games" / "__init__.py").write_text("")
    done = python(stranger, "-c", "import games, tablelight")
    told = done.stderr.splitlines()[-1]
    assert f"needs its own package games, but {stranger / 'games'} has been imported under that name: rename" in told
