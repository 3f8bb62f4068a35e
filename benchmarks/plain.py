"""The plain alpha-beta of `benchmarks.plain_alphabeta`, compiled where the engine is, and dressed as a player."""

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
from typing import Any

from firmware_bridge.engine.build import OPTIMISATION, TYPES, check
from firmware_bridge.engine.compiled import ABI, digest, place
from games.rules import Game, Position
from hardware.settings import SettingsError

NAME = "benchmarks.plain_alphabeta"
SOURCE = Path(__file__).parent / "plain_alphabeta.py"
SCRIPT = """
import sys
from mypyc.build import mypycify
from setuptools import setup

modules = mypycify(sys.argv[2:], opt_level=sys.argv[1])
setup(name="plain", packages=[], ext_modules=modules, script_args=["build_ext", "--build-lib", "built"])
"""
Words = tuple[int, int, int]


@cache
def module(compiled: bool) -> ModuleType:
    """The search; SettingsError if it cannot be compiled."""
    if not compiled:
        return import_module(NAME)
    folder = built()
    shared, own = (extension(name, folder) for name in (f"{NAME}__mypyc", NAME))
    sys.modules[f"{NAME}__mypyc"] = shared()  # where the other one looks for what it holds
    plain = sys.modules.pop(NAME, None)
    made = own()
    sys.modules.pop(NAME, None)  # it enters itself, and would stand for its source
    if plain:
        sys.modules[NAME] = plain
    return made


def extension(name: str, folder: Path) -> Callable[[], ModuleType]:
    """What makes the compiled module of this name."""

    def made() -> ModuleType:
        spec = spec_from_file_location(name, folder / f"{name.rpartition('.')[2]}{ABI}")
        assert spec
        assert spec.loader
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return made


def built() -> Path:
    """The folder of the compiled search, made if need be: some ten seconds. It lies beside the builds of the engine."""
    source = SOURCE.read_bytes()
    folder = place().with_name("plain") / digest([(SOURCE.name, source)])
    if not folder.exists():
        check()
        folder.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder.parent) as work:
            compile_in(Path(work), source)
            with suppress(OSError):  # somebody else was faster
                (Path(work) / "built" / "benchmarks").rename(folder)
    return folder


def compile_in(work: Path, source: bytes) -> None:
    """Compile the search in the folder `work`; SettingsError."""
    (work / "benchmarks").mkdir()
    (work / "benchmarks" / "__init__.py").touch()
    (work / "benchmarks" / SOURCE.name).write_bytes(source)
    (work / "build.py").write_text(SCRIPT)
    command = [sys.executable, "build.py", OPTIMISATION, *TYPES, f"benchmarks/{SOURCE.name}"]
    made = subprocess.run(command, cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode:
        raise SettingsError(f"compiling {SOURCE.name} failed:\n{made.stdout}")


class Plain:
    """Plays one game."""

    def __init__(self, game: Game[Any], compiled: bool) -> None:
        self.game = game
        made = module(compiled)
        self.rules: Any = made.rules(game.name)
        self.search: Any = made.Search(self.rules)

    def turn(self, position: Position, before: Sequence[Position], seconds: float, nodes: int = 0) -> str:
        """Its turn after about so many seconds of its processor, or exactly so many nodes."""
        stood = {words for words, times in Counter(map(words_of, before)).items() if times >= 2}
        after = self.search.best(words_of(position), stood, seconds, nodes)
        return next(turn.text for turn in self.game.turns(position) if words_of(turn.after) == after)


# Positions as words -----------------------------------------------------------------------------


def words_of(position: Position) -> Words:
    """The words of a position."""
    return WORDS[type(position).__module__.split(".")[1]](position)


def stones(cells: Sequence[int], level: int) -> int:
    """The sites that show a level, as bits."""
    return sum(1 << at for at, shown in enumerate(cells) if shown == level)


def zhizhu(position: Any) -> Words:
    """See `benchmarks.plain_alphabeta.ZhiZhu`."""
    cells, hands = position.cells, position.hands
    kept = [sum(1 << point for point in slide or ()) for slide in position.returns]
    first = stones(cells, 1) | stones(cells, 2) << 24 | position.side << 48 | hands[0] << 49 | hands[1] << 53
    return first, kept[0] | kept[1] << 24, 0


def zig_zag(position: Any) -> Words:
    """See `benchmarks.plain_alphabeta.ZigZag`."""
    rows = [position.cells[:6], position.cells[6:]]
    south, north = (
        sum(seeds << 6 * column for column, seeds in enumerate([*row, store]))
        for row, store in zip(rows, position.stores, strict=True)
    )
    banned = 0 if position.back is None else position.back % 6
    last = 0 if position.last is None else position.last + 1
    return south | position.side << 42 | banned << 43 | last << 46, north, 0


def zong_heng(position: Any) -> Words:
    """See `benchmarks.plain_alphabeta.ZongHeng`."""
    dark, light = (
        [position.cells[8 * rank + 2 * place + (rank + shade) % 2] for rank in range(8) for place in range(4)]
        for shade in (0, 1)
    )
    return stones(dark, 2) | position.side << 32, stones(light, 2), stones(light, 1) | stones(light, 2)


def yin_yang(position: Any) -> Words:
    """See `benchmarks.plain_alphabeta.YinYang`."""
    return stones(position.cells, 1) | position.side << 36, stones(position.cells, 2), 0


WORDS: dict[str, Callable[[Any], Words]] = {
    "zhizhu": zhizhu,
    "zig_zag": zig_zag,
    "zong_heng": zong_heng,
    "yin_yang": yin_yang,
}
