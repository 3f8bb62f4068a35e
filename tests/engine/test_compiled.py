"""The compiled engine: it plays like the readable one, it is never older than that, and what is missing is told."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import pytest

from firmware_bridge.engine.build import build, check, compile_in, exclusive
from firmware_bridge.engine.compiled import (
    ABI,
    MODULES,
    ROOT,
    BuiltFinder,
    digest,
    place,
    say_slower,
    sources,
    tell,
    use,
)
from games.rules import load, names
from hardware.settings import SettingsError

IN_USE = "from firmware_bridge.engine.compiled import use; import firmware_bridge.engine; print(use())"
PLAY = """
import sys
from random import Random
from firmware_bridge.engine.compiled import use
from firmware_bridge.engine import engine
from games.fast import load_fast
from games.rules import load, names

print(use(), file=sys.stderr)
for name in names():
    game, random = load(name), Random(1)
    fast = load_fast(game)
    states = [fast.state(game.start())]
    while len(states) < 200 and (moves := fast.moves(states[-1])):
        states.append(fast.after(states[-1], random.choice(moves)))
    for state in (states[0], states[len(states) // 2], states[-9:][0]):
        for found in engine(game, seed=3).find(game.position(str(fast.position(state))), nodes=400):
            print(name, found)
"""
TESTS = """
import sys
import pytest
from firmware_bridge.engine.compiled import use
assert use()
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
"""
SAME = [
    *(f"tests/games/test_fast_{name}.py" for name in ("stones", "zhizhu", "zig_zag")),
    "tests/games/test_core_zig_zag.py",
    *(f"tests/engine/test_{name}.py" for name in ("alphabeta", "endgame_zig_zag", "endgame_zhizhu", "uct")),
]
"""The tests that hold compiled as well."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's state folder with nothing in it, and a program that looks there."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("TABLELIGHT_COMPILED")
    return tmp_path / "state"


def run(script: str, *arguments: str, root: Path = ROOT, **told: str) -> subprocess.CompletedProcess[str]:
    """Run a script on its own, for a process has its modules once and for all."""
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, cwd=root, env=os.environ | told, capture_output=True, text=True, timeout=300)


def pretended(folder: Path) -> None:
    """A build that is whole to look at, of files that cannot be loaded."""
    for name in (*MODULES, "shared__mypyc"):
        path = folder / f"{name.replace('.', '/')}{ABI}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"torn")


# Compiled and plain ---------------------------------------------------------------------------


@pytest.mark.slow
def test_compiled_search_finds_the_same(home: Path) -> None:
    compile_it()
    plain, compiled = run(PLAY, TABLELIGHT_COMPILED="no"), run(PLAY)
    assert (plain.stderr, compiled.stderr) == ("False\n", "True\n")
    assert plain.stdout == compiled.stdout
    assert plain.stdout.count("Found") > 40
    stale(home.parent / "edited")


@pytest.mark.long
def test_compiled_modules_pass_the_same_tests(home: Path) -> None:
    compile_it()
    tested = run(TESTS, *SAME)
    assert tested.returncode == 0, tested.stdout


def compile_it() -> None:
    """Build the engine for the user of this test; where that cannot be done the test is skipped."""
    try:
        check()
    except SettingsError as missing:
        pytest.skip(str(missing))
    folder = build(StringIO())
    assert [path.name for path in place().iterdir() if path.is_dir()] == [folder.name]


def stale(root: Path) -> None:
    """Once a source is edited, what was built of it is left alone."""
    for name, _ in sources():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    for folder in ("firmware_bridge/i18n", "hardware"):
        shutil.copytree(ROOT / folder, root / folder)
    assert run(IN_USE, root=root).stdout == "True\n"
    with (root / "games" / "zig_zag" / "rules.py").open("a") as file:
        file.write("# edited\n")
    assert run(IN_USE, root=root).stdout == "False\n"


def test_digest_changes_with_every_source() -> None:
    files = dict(sources())
    assert {f"{name.replace('.', '/')}.py" for name in MODULES} <= files.keys()
    assert digest(files.items()) == digest(sources())
    for name in ("games/zig_zag/rules.py", "firmware_bridge/engine/alphabeta.py", "firmware_bridge/engine/build.py"):
        assert digest((files | {name: files[name] + b"#"}).items()) != digest(files.items())


def test_without_a_build_the_sources_run(home: Path) -> None:
    assert run(IN_USE).stdout == "False\n"
    assert not home.exists()


@pytest.mark.parametrize("name", ["another digest", ""])
def test_stale_or_damaged_build_is_not_used(home: Path, name: str) -> None:
    pretended(place() / (name or digest(sources())))
    searched = run(PLAY.replace("nodes=400", "nodes=20"))
    assert searched.stderr == "False\n"
    assert searched.stdout.count("Found") > 8


def test_modules_loaded_already_are_not_replaced(home: Path) -> None:
    assert run(f"import games.zhizhu.fast; {IN_USE}").stdout == "False\n"


def test_finder_finds_built_modules_only(tmp_path: Path) -> None:
    pretended(tmp_path)
    built = BuiltFinder(tmp_path)
    assert built.files.keys() == {*MODULES, "shared__mypyc"}
    assert built.find_spec("games.fast") is None
    spec = built.find_spec("games.zhizhu.fast")
    assert spec
    assert spec.origin == str(tmp_path / "games" / "zhizhu" / f"fast{ABI}")


def test_what_a_search_spends_its_time_in_is_compiled() -> None:
    forms = {f"games.{name.replace('-', '_')}.fast" for name in names()}
    assert forms <= {*MODULES}
    assert {"games.zig_zag.endgame", "firmware_bridge.engine.uct"} <= {*MODULES}
    assert all(find_spec(name) for name in MODULES)


# What is told ---------------------------------------------------------------------------------


def test_missing_build_is_told_once(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    say_slower.cache_clear()
    for _ in range(2):
        tell(load("zong-heng"))
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("tablelight compile changes that.")


def test_missing_build_is_not_told_when_switched_off(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TABLELIGHT_COMPILED", "no")
    say_slower.cache_clear()
    tell(load("zong-heng"))
    assert not use()
    assert capsys.readouterr().err == ""


def test_a_missing_compiler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mypyc")
    monkeypatch.setenv("CC", "no-such-compiler -pipe")
    with pytest.raises(SettingsError, match=r"\(no-such-compiler\): sudo apt install build-essential"):
        check()


def test_a_missing_mypy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mypyc", None)
    with pytest.raises(SettingsError, match=r"pip install 'tablelight\[compile\]'"):
        check()


def test_missing_headers_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("mypyc")
    monkeypatch.setenv("CC", "true")
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path))
    with pytest.raises(SettingsError, match="Python.h\\): sudo apt install python3-dev"):
        check()


def test_two_builds_at_once_are_refused(tmp_path: Path) -> None:
    with (
        exclusive(tmp_path / "made"),
        pytest.raises(SettingsError, match="being compiled already"),
        exclusive(tmp_path / "made"),
    ):
        pass


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(SettingsError, match="XDG_STATE_HOME can name another folder"),
        exclusive(tmp_path / "file" / "in"),
    ):
        pass


def test_a_build_that_fails_leaves_only_what_was_said(home: Path, tmp_path: Path) -> None:
    pytest.importorskip("mypyc")
    wrong = dict(sources()) | {"games/zig_zag/fast.py": b"def broken(:\n"}
    (tmp_path / "work").mkdir()
    place().mkdir(parents=True)
    with pytest.raises(SettingsError, match="the engine runs without as before; .*failed.log tells why"):
        compile_in(tmp_path / "work", wrong, StringIO())
    assert "games/zig_zag/fast.py" in (place() / "failed.log").read_text()
    assert [path.name for path in place().iterdir()] == ["failed.log"]
