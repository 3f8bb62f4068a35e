"""Every benchmark can be loaded in a checkout, whatever has been moved since it last ran."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

PEERS = {"peer": "pyspiel"}
"""What needs a program to compare with, and which."""
NAMES = sorted(path.stem for path in Path("benchmarks").glob("[a-z]*.py"))


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_can_be_loaded(name: str) -> None:
    if name in PEERS and not find_spec(PEERS[name]):
        pytest.skip("OpenSpiel is not installed")
    assert import_module(f"benchmarks.{name}")
