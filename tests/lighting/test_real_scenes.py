"""What the scene says is what comes out of the real strip libraries, bit by bit."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.hardware.pretend_pi import compiled, missing, run_tests

ABSENT = [name for name in ("spidev", "rpi_ws281x") if find_spec(name) is None]


@pytest.mark.slow
@pytest.mark.skipif(bool(missing()), reason=missing())
@pytest.mark.skipif(bool(ABSENT), reason=f"not installed: {', '.join(ABSENT)}")
def test_the_whole_program_puts_out_its_scenes(tmp_path: Path) -> None:
    library = compiled("pi.c", tmp_path)
    passed = run_tests([library], tmp_path / "pi", str(Path(__file__).with_name("scenes_on_a_pi.py")))
    assert len(passed) == 12
