"""The walk through docs/adding.md: its files are written, its commands are run, and print what the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from pathlib import Path

from docs.figures import ROOT
from tests.distributions import install

PAGE = (ROOT / "docs" / "adding.md").read_text()
FILES = re.findall(r"^`(hexapawn/[\w./]+)`:\n\n```\w+\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = [
    (command, printed)
    for block in re.findall(r"^```console\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    for command, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]
LONGEST = 120
"""Lines of a whole game: what the page promises is little."""


def written(folder: Path) -> None:
    """Write the files of the page."""
    for name, text in FILES:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def laid(folder: Path) -> None:
    """What ``pip install -e`` leaves: the game's folder on the path, and the metadata that its project file tells."""
    project = tomllib.loads((folder / "hexapawn" / "pyproject.toml").read_text())["project"]
    install(folder / "installed", project["name"], project["entry-points"], {})


def test_the_game_is_two_files_and_a_short_one() -> None:
    assert [name for name, _ in FILES] == ["hexapawn/pyproject.toml", "hexapawn/hexapawn/__init__.py"]
    assert len(FILES[1][1].splitlines()) < LONGEST


def test_the_commands_of_the_walk_print_what_the_page_says(tmp_path: Path) -> None:
    written(tmp_path)
    installed = tmp_path / "installed"
    installed.mkdir()
    tablelight = Path(sys.executable).with_name("tablelight")
    environment = os.environ | {
        "PATH": f"{tablelight.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT, installed))),
        "LANGUAGE": "en",
        "TABLELIGHT_COMPILED": "no",
        "XDG_STATE_HOME": str(tmp_path),
    }
    for command, expected in COMMANDS:
        if command == "pip install -e hexapawn":  # done without a network, and without touching this environment
            laid(tmp_path)
            environment["PYTHONPATH"] += f"{os.pathsep}{tmp_path / 'hexapawn'}"
            continue
        run = subprocess.run(command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert run.returncode in (0, 1), run.stderr
        assert OutputChecker().check_output(expected, run.stdout, ELLIPSIS | NORMALIZE_WHITESPACE), (
            f"{command}\n{run.stdout}"
        )
        assert "Traceback" not in run.stderr
    assert {"pip", "sed", "tablelight"} <= {command.split()[0] for command, _ in COMMANDS}
