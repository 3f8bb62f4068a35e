"""The plain alpha-beta of `benchmarks.plain_alphabeta`, compiled where the engine is, and dressed for the others."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, NamedTuple

from firmware_bridge.engine.build import OPTIMISATION, TYPES, check
from firmware_bridge.engine.compiled import ABI, digest, place
from games.rules import Game, Position
from hardware.settings import SettingsError

FOLDER = Path(__file__).parent
MODULES = ("plain_rules", "plain_alphabeta")
"""In the order in which they import each other."""
SCRIPT = """
import sys
from mypyc.build import mypycify
from setuptools import setup

modules = mypycify(sys.argv[2:], opt_level=sys.argv[1])
setup(name="plain", packages=[], ext_modules=modules, script_args=["build_ext", "--build-lib", "built"])
"""
Words = tuple[int, int, int]


class Modules(NamedTuple):
    """The two modules."""

    rules: ModuleType
    search: ModuleType


@cache
def modules(compiled: bool) -> Modules:
    """Both, compiled or from their sources; SettingsError if they cannot be compiled."""
    names = [f"benchmarks.{name}" for name in MODULES]
    if not compiled:
        return Modules(*map(import_module, names))
    files = {".".join(file.relative_to(built()).parts).removesuffix(ABI): file for file in built().rglob(f"*{ABI}")}
    sources = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    for name in sorted(files.keys() - set(names)):
        extension(name, files[name])  # what both hold together
    found = Modules(*(extension(name, files[name]) for name in names))
    for name in names:
        del sys.modules[name]  # or they would stand for their sources
    sys.modules.update(sources)
    return found


def extension(name: str, file: Path) -> ModuleType:
    """The compiled module of this name."""
    spec = spec_from_file_location(name, file)
    assert spec
    assert spec.loader
    sys.modules[name] = made = module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@cache
def built() -> Path:
    """The folder of the compiled modules, made if need be: some ten seconds. It lies beside the engine's builds."""
    sources = [(f"benchmarks/{name}.py", (FOLDER / f"{name}.py").read_bytes()) for name in MODULES]
    folder = place().with_name("plain") / digest(sources)
    if not folder.exists():
        check()
        folder.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder.parent) as work:
            compile_in(Path(work), sources)
            with suppress(OSError):  # somebody else was faster
                (Path(work) / "built").rename(folder)
    return folder


def compile_in(work: Path, sources: list[tuple[str, bytes]]) -> None:
    """Compile the modules in the folder `work`; SettingsError."""
    (work / "benchmarks").mkdir()
    (work / "benchmarks" / "__init__.py").touch()
    for name, source in sources:
        (work / name).write_bytes(source)
    (work / "build.py").write_text(SCRIPT)
    command = [sys.executable, "build.py", OPTIMISATION, *TYPES, *(name for name, _ in sources)]
    made = subprocess.run(command, cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode:
        raise SettingsError(f"compiling the plain alpha-beta failed:\n{made.stdout}")


class Plain:
    """Plays one game."""

    def __init__(self, game: Game[Any], compiled: bool) -> None:
        self.game = game
        self.modules = modules(compiled)
        self.rules: Any = self.modules.rules.rules(game.name)
        self.search: Any = self.modules.search.Search(self.rules)
        self.TooHardError: type[Exception] = self.modules.search.TooHardError
        """What a proof raises that takes more than its patience."""

    def turn(self, position: Position, before: Sequence[Position], seconds: float, nodes: int = 0) -> str:
        """Its turn after about so many seconds of its processor, or exactly so many nodes."""
        stood = {words for words, times in Counter(map(words_of, before)).items() if times >= 2}
        after = self.search.best(words_of(position), stood, seconds, nodes)
        return next(turn.text for turn in self.game.turns(position) if words_of(turn.after) == after)

    def proof(self, patience: int) -> Any:
        """What can be forced, by looking at so many positions at most: a `benchmarks.plain_alphabeta.Proof`."""
        return self.modules.search.Proof(self.rules, patience)


# Positions as words -----------------------------------------------------------------------------


def words_of(position: Position) -> Words:
    """The words of a position."""
    return WORDS[type(position).__module__.split(".")[1]](position)


def stones(cells: Sequence[int], level: int) -> int:
    """The sites that show a level, as bits."""
    return sum(1 << at for at, shown in enumerate(cells) if shown == level)


def zhizhu(position: Any) -> Words:
    """See `benchmarks.plain_rules.ZhiZhu`."""
    cells, hands = position.cells, position.hands
    kept = [sum(1 << point for point in slide or ()) for slide in position.returns]
    first = stones(cells, 1) | stones(cells, 2) << 24 | position.side << 48 | hands[0] << 49 | hands[1] << 53
    return first, kept[0] | kept[1] << 24, 0


def zig_zag(position: Any) -> Words:
    """See `benchmarks.plain_rules.ZigZag`."""
    rows = [position.cells[:6], position.cells[6:]]
    south, north = (
        sum(seeds << 6 * column for column, seeds in enumerate([*row, store]))
        for row, store in zip(rows, position.stores, strict=True)
    )
    banned = 0 if position.back is None else position.back % 6
    last = 0 if position.last is None else position.last + 1
    return south | position.side << 42 | banned << 43 | last << 46, north, 0


def zong_heng(position: Any) -> Words:
    """See `benchmarks.plain_rules.ZongHeng`."""
    dark, light = (
        [position.cells[8 * rank + 2 * place + (rank + shade) % 2] for rank in range(8) for place in range(4)]
        for shade in (0, 1)
    )
    return stones(dark, 2) | position.side << 32, stones(light, 2), stones(light, 1) | stones(light, 2)


def yin_yang(position: Any) -> Words:
    """See `benchmarks.plain_rules.YinYang`."""
    return stones(position.cells, 1) | position.side << 36, stones(position.cells, 2), 0


WORDS: dict[str, Callable[[Any], Words]] = {
    "zhizhu": zhizhu,
    "zig_zag": zig_zag,
    "zong_heng": zong_heng,
    "yin_yang": yin_yang,
}
