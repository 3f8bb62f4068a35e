"""Which changes of the code do the tests not notice? A sample of mutants, each tried by the tests nearest to it.

    python -m tests.mutants [AREA] [--count COUNT] [--seed SEED]

An area is `games`, `hardware` or a package of `firmware_bridge`; its tests lie in the folder of `tests` of that name.
All is done in a copy of the tree. A survivor is a gap in the tests, or a change that makes no difference.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random, randrange
from tempfile import TemporaryDirectory

from tqdm import tqdm

from tests.mutants.source import Mutant, mutants

ROOT = Path(__file__).parents[2]
LEFT = shutil.ignore_patterns(".*", "__pycache__", "build", "*.egg-info")
"""What tests do not need."""
SHOWN = ("lighting", "reading", "simulation", "table")
"""Packages that the scenarios show at work."""
PATIENCE = 3.0
"""The tests are given up after so many times as long as they take without a mutant, and START seconds more."""
START = 10.0


@dataclass(frozen=True, slots=True)
class Area:
    """A folder of code and those of its nearest tests, all within the tree."""

    name: str
    code: str
    tests: tuple[str, ...]

    def sources(self, root: Path) -> list[Path]:
        """Its files."""
        return sorted((root / self.code).rglob("*.py"))


def areas(root: Path) -> dict[str, Area]:
    """All areas that have code and tests in the tree `root`, by their names."""
    packages = sorted(path.parent for path in (root / "firmware_bridge").glob("*/__init__.py"))
    found = {}
    for folder in (root / "games", root / "hardware", *packages):
        name = folder.name
        tests = (f"tests/{name}", "tests/scenarios") if name in SHOWN else (f"tests/{name}",)
        if folder.is_dir() and (root / tests[0]).is_dir():
            found[name] = Area(name, str(folder.relative_to(root)), tests)
    return found


def main(words: list[str] | None = None) -> int:
    """The command; the exit status, 2 if nothing could be tried."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.split("\n", 1)[0])
    parser.add_argument("area", nargs="?", default="", metavar="AREA", help="all of them in turn, if none is given")
    parser.add_argument("--count", type=positive, default=20, metavar="COUNT", help="mutants an area; usually 20")
    parser.add_argument("--seed", type=int, default=randrange(10**6), metavar="SEED", help="the same sample again")
    wanted = parser.parse_args(words)
    known = areas(ROOT)
    if wanted.area and wanted.area not in known:
        print(f"{wanted.area}: there is no such area; the areas are {', '.join(known)}", file=sys.stderr)
        return 2
    chosen = [known[wanted.area]] if wanted.area else list(known.values())
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "tree"
        shutil.copytree(ROOT, copy, ignore=LEFT)
        return max(sample(area, copy, wanted.count, wanted.seed) for area in chosen)


def positive(text: str) -> int:
    """How many mutants; ValueError."""
    if int(text) < 1:
        raise ValueError(text)
    return int(text)


def sample(area: Area, root: Path, count: int, seed: int) -> int:
    """Try `count` mutants of an area in the tree `root`, and print those that survive; the exit status."""
    every = [(path, each) for path in area.sources(root) for each in mutants(path.read_text())]
    chosen = Random(seed).sample(every, min(count, len(every)))
    print(f"{area.name}: {len(chosen)} of {len(every)} mutants, seed {seed}; first the tests without one", flush=True)
    begun = time.monotonic()
    if outcome(area, root, None) != "survived":
        print(f"{area.name}: its tests fail without a mutant: mend that first", file=sys.stderr)
        return 2
    limit = START + PATIENCE * (time.monotonic() - begun)
    ends: Counter[str] = Counter()
    for path, mutant in tqdm(chosen, area.name, unit="mutant"):
        end = tried(area, root, path, mutant, limit)
        ends[end] += 1
        if end == "survived":
            tqdm.write(f"{path.relative_to(root)}:{mutant.line}: {mutant.what}")
    told = ", ".join(f"{ends[end]} {end}" for end in ("killed", "hung", "survived"))
    print(f"{area.name}: {told}; seed {seed}", flush=True)
    return 0


def tried(area: Area, root: Path, path: Path, mutant: Mutant, limit: float) -> str:
    """What becomes of a mutant of the file `path`, which is itself again afterwards."""
    source = path.read_text()
    path.write_text(mutant.of(source))
    try:
        return outcome(area, root, limit)
    finally:
        path.write_text(source)


def outcome(area: Area, root: Path, limit: float | None) -> str:
    """Run the tests of an area in the tree `root` up to the first that fails: ``killed``, ``hung`` after `limit`
    seconds, or ``survived``."""
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *area.tests]
    paths = {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    running = subprocess.Popen(
        command, cwd=root, env=os.environ | paths, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        return "killed" if running.wait(limit) else "survived"
    except subprocess.TimeoutExpired:
        return "hung"
    finally:
        end(running)


def end(running: subprocess.Popen[bytes]) -> None:
    """End the tests and all that they have started."""
    with suppress(ProcessLookupError):
        os.killpg(running.pid, signal.SIGKILL)
    running.wait()


if __name__ == "__main__":
    sys.exit(main())
