"""What processes hold."""

from __future__ import annotations

import os

from benchmarks.memory import held


def test_what_this_process_holds_is_told_in_megabytes() -> None:
    before = held(os.getpid())
    kept = bytearray(os.urandom(1)) * 50_000_000
    assert 45.0 < held(os.getpid()) - before < 60.0
    del kept


def test_a_process_that_there_is_not_holds_nothing() -> None:
    assert held(None) == held(2**22 + 1) == 0.0
