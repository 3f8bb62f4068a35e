"""The rooms of the program, which may know which, and by which doors: read from the imports themselves.

`make architecture` draws the same.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from docs.architecture import BRIDGE, PICTURE, drawing, imports, loaded, modules, purpose, room, rooms
from firmware_bridge.drawing.shapes import svg

KNOWS = {
    "worker": "",
    "i18n": "",
    "health": "i18n",
    "clocks": "",
    "events": "",
    "layout": "",
    "score": "clocks events",
    "reading": "score",
    "verdict": "score reading",
    "table": "clocks events score reading verdict",
    "lighting": "clocks events verdict",
    "records": "clocks events score reading verdict table",
    "engine": "i18n worker events score verdict table lighting",
    "lessons": "events score verdict table lighting engine",
    "link": "worker clocks events score verdict table engine",
    "home": "link i18n worker events",
    "daemon": "link health events layout score reading table lighting records engine lessons",
    "config": "link clocks score reading lighting records engine lessons daemon",
    "drawing": "i18n worker events layout score verdict lighting records",
    "audio": "i18n worker events config",
    "simulation": "i18n events layout score verdict table lighting records engine daemon",
    "session": "link worker health clocks events layout score reading table lighting records lessons daemon config",
    "analysis": "i18n worker layout score verdict records engine lessons drawing",
    "library": "i18n worker records score config",
    "exchange": "i18n clocks score records",
    "web": "link audio i18n worker health clocks events layout score verdict table lighting records lessons daemon"
    " config drawing simulation session analysis library exchange",
    "club": "link i18n clocks events score web",
    "workshop": "worker i18n layout score reading lighting records engine config drawing simulation session web",
    "cli": "club worker i18n link home health clocks events layout score reading table lighting records engine daemon"
    " config drawing simulation session audio analysis library exchange workshop web",
}
"""Each room of the bridge, and all others that it knows, from the ground up. Any may know `games` and `hardware`."""
DOORS = {
    "i18n": "page_text",
    "reading": "constants",
    "session": "messages menu",
    "link": "courier line meeting news pairing signature states",
    "club": "boards evening wall",
    "engine": "advice build calibration client compiled levels",
    "drawing": "board figures ground pdf picture shapes",
    "analysis": "command html_report moments",
    "library": "command",
    "exchange": "command",
    "workshop": "check_game doctor_command fit_command flash_command machine overlay service_command wire_command",
    "web": "browser door files forms invitation mirror serving simulated_host snapshots",
    "cli": "main",
}
"""Modules by which others enter a room beside its ``__init__``: for their sentences, or because they are loaded late or
in a process of their own."""
ROOT = Path(__file__).parents[1]
FREE = {"games", "hardware"}
TOP = 8
"""Modules at the top of the bridge at the most."""
IMPURE = {
    "asyncio",
    "datetime",
    "io",
    "os",
    "pathlib",
    "random",
    "secrets",
    "socket",
    "subprocess",
    "threading",
    "time",
}


def outside(source: str) -> set[str]:
    """The packages that `source` imports when it runs, not for a type checker alone; ``""`` is its own."""
    nodes: list[ast.AST] = [ast.parse(source)]
    for node in nodes:
        typed = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        nodes += (child for child in ast.iter_child_nodes(node) if not (typed and child in node.body))  # type: ignore[attr-defined]
    return {module.split(".")[0] for node in nodes for module, _ in loaded(node)}


def of(package: str) -> list[object]:
    return [pytest.param(path.read_text(), id=name) for name, path in modules().items() if room(name) == package]


def entered() -> Iterator[tuple[str, str]]:
    """Each module of a room that a module of another one imports, and who does."""
    for module, targets in imports().items():
        for target in targets:
            if target.count(".") > 1 and room(target) != room(module):
                yield module, target


# How imports are read -------------------------------------------------------------------------


def test_every_kind_of_import_is_seen() -> None:
    source = "import os.path, sys\ndef f():\n    from games.rules import play\nfrom . import b\nimport_module('time')"
    assert outside(source) == {"os", "sys", "games", "", "time"}


def test_what_is_for_a_type_checker_alone_is_left_out() -> None:
    source = "import re\nif TYPE_CHECKING:\n    import mypy_extensions\nelse:\n    import os\nif other:\n    import sys"
    assert outside(source) == {"re", "os", "sys"}


@pytest.mark.parametrize("package", ["games", "hardware", BRIDGE])
def test_the_package_is_found(package: str) -> None:
    assert package in modules()


# Which room knows which -----------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(rooms().keys() - FREE))
def test_a_room_knows_those_of_the_table_and_no_others(name: str) -> None:
    assert rooms()[name] - FREE == set(KNOWS[name].split())


def test_the_table_runs_from_the_ground_up() -> None:
    above = list(KNOWS)
    assert all(above.index(other) < above.index(name) for name in KNOWS for other in KNOWS[name].split())


def test_no_imports_go_round_not_even_inside_functions() -> None:
    TopologicalSorter(imports()).prepare()


def test_rooms_are_entered_by_their_doors() -> None:
    doors = {f"{BRIDGE}.{name}.{module}" for name, each in DOORS.items() for module in each.split()}
    bridged = [(module, target) for module, target in entered() if target.startswith(BRIDGE)]
    assert [pair for pair in bridged if pair[1] not in doors] == []
    assert doors <= {target for _, target in bridged} | {f"{BRIDGE}.cli.main"}


def test_few_modules_lie_at_the_top() -> None:
    assert len([path for path in modules().values() if path.parent.name == BRIDGE]) <= TOP


@pytest.mark.parametrize("name", sorted(rooms()))
def test_a_room_says_what_it_is_for(name: str) -> None:
    assert purpose(name)


def test_the_drawing_is_that_of_the_imports() -> None:
    assert PICTURE.read_bytes() == svg(drawing()), "run make architecture"


# The two packages that stand alone ------------------------------------------------------------


@pytest.mark.parametrize("source", of("games"))
def test_games_import_only_the_standard_library_and_games(source: str) -> None:
    assert outside(source) <= sys.stdlib_module_names | {"games", ""}


@pytest.mark.parametrize("source", of("games"))
def test_games_have_no_clock_no_files_and_no_randomness(source: str) -> None:
    assert not outside(source) & IMPURE


@pytest.mark.parametrize("source", of("hardware"))
def test_hardware_imports_neither_games_nor_the_bridge(source: str) -> None:
    assert not outside(source) & {"games", BRIDGE}


# What is under another licence ----------------------------------------------------------------

APART = {"chess", "tablelight_chess"}
"""Packages under the GNU General Public License."""
MEASURED_BESIDE = "benchmarks/speeds.py"
"""What measures the engine beside the first of them, where the user has installed it (``tablelight[peers]``)."""


def test_nothing_needs_what_is_under_another_licence() -> None:
    folders = ("games", "hardware", BRIDGE, "benchmarks", "docs", "tests", "systemd", "examples/more-games")
    sources = [ROOT / "tablelight.py", *(path for folder in folders for path in (ROOT / folder).rglob("*.py"))]
    assert [path.relative_to(ROOT).as_posix() for path in sources if outside(path.read_text()) & APART] == [
        MEASURED_BESIDE
    ]


def test_no_distribution_depends_on_what_is_under_another_licence() -> None:
    for path in (ROOT / "pyproject.toml", ROOT / "examples" / "more-games" / "pyproject.toml"):
        project = tomllib.loads(path.read_text())["project"]
        needed = [*project["dependencies"], *(each for name, some in project["optional-dependencies"].items()
                                              if name != "peers" for each in some)]  # fmt: skip
        assert not {re.split(r"[^a-z_-]", each)[0].replace("-", "_") for each in needed} & APART
        assert project["license"] == "MIT"
