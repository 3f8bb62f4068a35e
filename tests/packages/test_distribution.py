"""What is published is whole: the source distribution, and the wheel that is built from it alone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from docs.package_readme import PAGE, README, packaged
from tests.packages.compiled_wheel import compiled, tag
from tests.packages.distribution import ROOT, build, installed, kept, missed

long = pytest.mark.long


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The two that `make dist` has built, or new ones."""
    folder = os.environ.get("TABLELIGHT_DIST")
    if folder:
        (source,), (wheel,) = Path(folder).glob("*.tar.gz"), Path(folder).glob("*.whl")
        return source, wheel
    if not kept():
        pytest.skip("this is no repository")
    return build(tmp_path_factory.mktemp("built"))


@long
def test_all_that_is_kept_is_published_and_nothing_else(built: tuple[Path, Path]) -> None:
    assert missed(*built) == []


@long
def test_an_index_takes_both_without_a_warning(built: tuple[Path, Path]) -> None:
    command = [sys.executable, "-m", "twine", "check", "--strict", *map(str, built)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@long
def test_a_wheel_for_this_computer_brings_the_engine_compiled(built: tuple[Path, Path], tmp_path: Path) -> None:
    wheel = compiled(built[1], tmp_path / "wheels")
    assert wheel.name.endswith(f"-{tag()}.whl")
    told = os.environ | {"XDG_STATE_HOME": str(tmp_path / "state"), "TABLELIGHT_COMPILED": "yes"}
    for each, brings in ((wheel, "True"), (built[1], "False")):
        command = installed(each, tmp_path / f"environment {brings}")
        program = "from firmware_bridge.engine.compiled import use; print(use())"
        command_line = [command.with_name("python"), "-c", program]
        done = subprocess.run(command_line, env=told, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stdout == f"{brings}\n"
    compiles = [tmp_path / "environment True" / "bin" / "tablelight", "compile"]
    done = subprocess.run(compiles, env=told, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert str(tmp_path / "environment True") in done.stdout
    assert not (tmp_path / "state").exists()


@long
def test_a_wheel_that_is_installed_runs_and_can_install_the_service(built: tuple[Path, Path], tmp_path: Path) -> None:
    command = installed(built[1], tmp_path / "environment")
    told = subprocess.run([command, "perft", "zhizhu", "1"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "positions" in told.stdout
    program = f"""
from pathlib import Path
import firmware_bridge
from firmware_bridge.workshop.service_command import source_tree
assert Path(firmware_bridge.__file__).is_relative_to({str(tmp_path)!r}), firmware_bridge.__file__
print(source_tree(Path({str(tmp_path / "tree")!r})))
"""
    command = command.with_name("python")
    (tmp_path / "tree").mkdir()
    told = subprocess.run([command, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    tree = Path(told.stdout.strip())
    assert tree == tmp_path / "tree"
    needed = re.search(r"for part in (.*?);", (ROOT / "systemd/install.sh").read_text())
    assert needed
    assert all((tree / part).exists() for part in [*needed[1].split(), "systemd/requirements.txt"])
    again = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(tmp_path / "again"), str(tree)]
    done = subprocess.run(again, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = (tmp_path / "again").glob("*.whl")
    assert programs(wheel) == programs(built[1])


def programs(wheel: Path) -> set[str]:
    """The files of the packages in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name and ".data/" not in name}


def test_the_readme_of_the_package_is_the_readme_without_pictures_and_relative_links() -> None:
    text = PAGE.read_text()
    assert text == packaged(README.read_text()), "stale: make figures"
    assert not re.search(r"!\[|<img|\]\((?!https?://|#)", text)
