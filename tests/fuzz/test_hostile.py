"""Whatever is read: it is taken or refused in a sentence, in bounded time and memory. `make fuzz` goes on."""

from __future__ import annotations

import signal
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from firmware_bridge.config import read_config
from firmware_bridge.engine.endgame import read as read_endings
from firmware_bridge.records import read_record, read_trace
from games.rules import load
from hardware.board import read_board
from tests.fuzz.mutated import GROSS, hostile
from tests.fuzz.target import Target, filed
from tests.fuzz.targets import TARGETS

PATIENCE = 20.0
"""Seconds in which anything must have been read on a slow and busy machine: more is a hang."""
MOST = 96 << 20
"""Bytes that reading anything may take."""
EXAMPLES = {"scenario": 12, "trace": 12, "board": 20, "search": 8}
"""For targets that are slow; others have more."""
EVERY = pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)


@contextmanager
def in_time() -> Iterator[None]:
    """What takes longer than `PATIENCE` fails instead of going on for ever."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"not read after {PATIENCE} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@EVERY
def test_mutated_inputs_are_read_or_refused_in_a_sentence(target: Target) -> None:
    @settings(
        max_examples=EXAMPLES.get(target.name.partition("-")[0], 60), derandomize=True, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(data=hostile(target))
    def holds(data: bytes) -> None:
        with in_time():
            target.do(data)

    holds()


@EVERY
def test_valid_inputs_are_read(target: Target) -> None:
    assert any(read(target, seed) for seed in target.seeds), "no seed is right, so nothing behind the door is tried"


def read(target: Target, seed: bytes) -> bool:
    """Whether this is taken; at least it is refused in a sentence."""
    target.do(seed)
    try:
        target.read(seed)
    except target.errors:
        return False
    return True


@EVERY
def test_too_much_of_anything_takes_neither_for_ever_nor_all_memory(target: Target) -> None:
    right = target.seeds[0].partition(b"\n")[0] + b"\n"
    for data in (begun + gross for gross in GROSS for begun in (b"", right)):
        assert peak(partial(target.do, data)) < MOST, data[:100]


def peak(do: Callable[[], None]) -> int:
    """The most memory that it takes, in bytes."""
    tracemalloc.start()
    try:
        with in_time():
            do()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


READERS: dict[str, Callable[[Path], object]] = {
    "config": read_config,
    "board": read_board,
    "record": read_record,
    "trace": read_trace,
    **{name: partial(read_endings, load(name)) for name in ("zhizhu", "zig-zag")},
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_file_without_end_is_refused(read: Callable[[Path], object]) -> None:
    def refuse() -> None:
        with pytest.raises(Exception, match="/dev/zero") as caught:
            read(Path("/dev/zero"))
        assert str(caught.value).isprintable()

    assert peak(refuse) < MOST


# The fuzzer itself ----------------------------------------------------------------------------


def careless(data: bytes) -> None:
    """Reads what is no good at all."""
    if b"boo" in data:
        raise KeyError("boo")
    if b"mute" in data:
        raise ValueError("")
    if b"bell" in data:
        raise ValueError("\a")
    if data:
        raise ValueError("x" * len(data))


@pytest.mark.parametrize("data", [b"boo", b"mute", b"bell", b"x" * 10_000])
def test_a_reader_that_fails_is_found(data: bytes) -> None:
    with pytest.raises((KeyError, AssertionError)):
        Target("careless", careless, (ValueError,), (b"",)).do(data)


def test_a_refusal_in_a_sentence_is_no_finding() -> None:
    for data in (b"", b"xx"):
        Target("careless", careless, (ValueError,), (b"",)).do(data)


def fuzz(*words: str) -> subprocess.CompletedProcess[str]:
    """What the command says."""
    return subprocess.run([sys.executable, "-m", "tests.fuzz", *words], capture_output=True, text=True, timeout=120)


def test_an_input_that_was_kept_is_tried_again() -> None:
    path = filed(b"\xff[game", "kept")
    assert fuzz("config", str(path)).stdout == f"config: {path}: read, or refused in a sentence\n"


def test_a_target_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    told = fuzz("confg")
    assert (told.returncode, told.stderr.split(": ")[0]) == (2, "confg")
    assert "config, board, record" in told.stderr


@pytest.mark.slow
@pytest.mark.skipif(not find_spec("atheris"), reason="atheris is not installed (pip install 'tablelight[fuzz]')")
def test_the_fuzzer_runs_for_as_long_as_it_is_told() -> None:
    told = fuzz("address", "2")
    assert told.returncode == 0, told.stdout + told.stderr
    assert "address: " in told.stdout
    assert " runs, nothing found" in told.stdout
