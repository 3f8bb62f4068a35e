"""Runs the tests of the scanners over the real lgpio on a pretended Pi, in a process of its own."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.hardware.pretend_pi import compiled, missing, run_tests

pytestmark = [
    pytest.mark.skipif(bool(missing()), reason=missing()),
    pytest.mark.skipif(find_spec("lgpio") is None, reason="lgpio is not installed"),
]
HERE = Path(__file__).parent


def test_the_scanners_run_on_the_real_lgpio(tmp_path: Path) -> None:
    libraries = [compiled(source, tmp_path) for source in ("pi.c", "gpiochip.c")]
    passed = run_tests(libraries, tmp_path / "pi", str(HERE / "scanners_on_a_pi.py"))
    assert len(passed) >= 22
