"""Let a fuzzer that sees which lines are reached invent what is read.

    python -m tests.fuzz                  every target for a minute each
    python -m tests.fuzz NAME [SECONDS]   one, or `all`, for so long
    python -m tests.fuzz NAME FILE        an input that was kept, once more

What breaks a target is kept in build/fuzz/found, what reaches new lines in build/fuzz/NAME, and serves again.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.fuzz.targets import TARGETS

FOLDER = Path("build") / "fuzz"
FOUND = FOLDER / "found"
LIMITS = ("-max_len=4096", "-timeout=20", "-rss_limit_mb=768", "-print_final_stats=1")
MISSING = """\
The fuzzer, atheris, cannot be loaded ({fault}). Install it with: pip install 'tablelight[fuzz]'. Where there is none
for this Python (it is {version}), use one that it supports: make fuzz PYTHON=python3.11"""


def main(words: Sequence[str]) -> int:
    """The command; the exit status, 1 for findings."""
    name, told = (*words, "all", "60")[:2] if len(words) != 1 else (words[0], "60")
    chosen = list(TARGETS) if name == "all" else [name]
    if chosen[0] not in TARGETS:
        print(f"{name}: there is no such target; the targets are all, {', '.join(TARGETS)}", file=sys.stderr)
        return 2
    if not told.isdecimal():
        return again(chosen, Path(told))
    try:
        import atheris  # noqa: F401
    except ImportError as fault:
        print(MISSING.format(fault=fault, version=sys.version.split()[0]), file=sys.stderr)
        return 2
    return run(chosen, int(told))


def again(chosen: Sequence[str], path: Path) -> int:
    """Try one input, without the fuzzer."""
    try:
        data = path.read_bytes()
    except OSError as error:
        print(f"{path}: {error.strerror}: give a number of seconds, or a file to be tried", file=sys.stderr)
        return 2
    for name in chosen:
        TARGETS[name].do(data)
        print(f"{name}: {path}: read, or refused in a sentence")
    return 0


def run(chosen: Sequence[str], seconds: int) -> int:
    """One target after another, each in a process of its own."""
    broken = 0
    FOUND.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(chosen):
        left = (len(chosen) - number) * seconds
        print(f"[{number + 1}/{len(chosen)}, about {left // 60} min {left % 60} s left] {name}: ", end="", flush=True)
        fault = fuzzed(name, seconds)
        print(fault or f"{executed(name)} runs, nothing found", flush=True)
        broken += bool(fault)
    return 1 if broken else 0


def fuzzed(name: str, seconds: int) -> str:
    """Fuzz one target; what was found, in a sentence, or nothing."""
    corpus = seeded(name)
    began = time.time()
    limits = (*LIMITS, f"-max_total_time={seconds}", f"-artifact_prefix={FOUND}/{name}-")
    if TARGETS[name].words:
        limits = (*limits, f"-dict={corpus}.dict")
    with log(name).open("w") as out:
        status = subprocess.call(
            [sys.executable, "-m", "tests.fuzz.child", name, *limits, str(corpus)], stdout=out, stderr=out
        )
    kept = [str(path) for path in FOUND.glob(f"{name}-*") if path.stat().st_mtime >= began - 1]
    if not kept and not status:
        return ""
    return f"{executed(name)} runs, found {', '.join(kept) or f'an end with status {status}'}; see {log(name)}"


def log(name: str) -> Path:
    """What the fuzzer says of a target."""
    return FOLDER / f"{name}.log"


def executed(name: str) -> str:
    """How often the target was tried."""
    runs = re.findall(r"(?:executed_units:|Done|^#)\s*(\d+)", log(name).read_text(errors="replace"), re.MULTILINE)
    return max(runs, key=int, default="0")


def seeded(name: str) -> Path:
    """The folder of what is to be changed, with the target's own seeds and its words in a file beside it."""
    corpus, target = FOLDER / name, TARGETS[name]
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds):
        (corpus / f"seed-{number}").write_bytes(seed)
    words = ("".join(f"\\x{byte:02x}" for byte in word) for word in target.words)
    Path(f"{corpus}.dict").write_text("".join(f'"{word}"\n' for word in words))
    return corpus


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
