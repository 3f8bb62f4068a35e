"""Which package may import which: `games` nothing but itself, `hardware` neither of the other two."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
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


def loaded(node: ast.AST) -> Iterator[str]:
    """The modules that an import statement names, or a call of ``import_module`` with a plain string."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield "." if node.level else str(node.module)
    elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("import_module", "__import__"):
        yield from (str(argument.value) for argument in node.args if isinstance(argument, ast.Constant))


def for_types(node: ast.AST) -> list[ast.stmt]:
    """What a type checker alone looks at: it is not carried out when the program runs."""
    return node.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" else []


def imports(source: str) -> set[str]:
    """The packages at the top that `source` imports when it runs; ``""`` is its own."""
    nodes: list[ast.AST] = [ast.parse(source)]
    for node in nodes:
        nodes += (child for child in ast.iter_child_nodes(node) if child not in for_types(node))
    return {name.split(".")[0] for node in nodes for name in loaded(node)}


def files(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def in_package(package: str) -> list[object]:
    return [pytest.param(path, id=str(path.relative_to(ROOT))) for path in files(package)]


def test_every_kind_of_import_is_seen() -> None:
    source = "import os.path, sys\ndef f():\n    from games.rules import play\nfrom . import b\nimport_module('time')"
    assert imports(source) == {"os", "sys", "games", "", "time"}


def test_what_is_for_a_type_checker_alone_is_left_out() -> None:
    source = "import re\nif TYPE_CHECKING:\n    import mypy_extensions\nelse:\n    import os\nif other:\n    import sys"
    assert imports(source) == {"re", "os", "sys"}


@pytest.mark.parametrize("package", ["games", "hardware"])
def test_the_package_is_found(package: str) -> None:
    assert files(package)


@pytest.mark.parametrize("path", in_package("games"))
def test_games_import_only_the_standard_library_and_games(path: Path) -> None:
    assert imports(path.read_text()) <= sys.stdlib_module_names | {"games", ""}


@pytest.mark.parametrize("path", in_package("games"))
def test_games_have_no_clock_no_files_and_no_randomness(path: Path) -> None:
    assert not imports(path.read_text()) & IMPURE


@pytest.mark.parametrize("path", in_package("hardware"))
def test_hardware_imports_neither_games_nor_the_bridge(path: Path) -> None:
    assert not imports(path.read_text()) & {"games", "firmware_bridge"}
