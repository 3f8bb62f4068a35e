"""Runs the promises of lights and the tests of the real libraries on a pretended Pi, in processes of their own."""

from __future__ import annotations

from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.hardware.light_rigs import REAL
from tests.hardware.pretend_pi import compiled, missing, run_tests

ABSENT = [name for name in ("spidev", "rpi_ws281x") if find_spec(name) is None]
pytestmark = [
    pytest.mark.skipif(bool(missing()), reason=missing()),
    pytest.mark.skipif(bool(ABSENT), reason=f"not installed: {', '.join(ABSENT)}"),
]
HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled shim."""
    return compiled("pi.c", tmp_path_factory.mktemp("shim"))


def test_real_libraries_keep_every_promise_of_lights(library: Path, tmp_path: Path) -> None:
    passed = run_tests([library], tmp_path / "pi", str(HERE / "test_lights_contract.py"))
    promises = Counter(name.partition("[")[2].rstrip("]").split("-")[0] for name in passed)
    assert promises["leds0"] >= 18
    assert {rig: promises[rig] for rig in REAL} == dict.fromkeys(REAL, promises["leds0"])


def test_real_libraries_put_out_the_right_bits_and_refuse_what_cannot_work(library: Path, tmp_path: Path) -> None:
    passed = run_tests([library], tmp_path / "pi", str(HERE / "strips_on_a_pi.py"))
    assert len(passed) >= 80
