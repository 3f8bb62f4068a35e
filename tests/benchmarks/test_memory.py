"""What processes hold."""

from __future__ import annotations

import os

import pytest

from benchmarks.memory import held, shares


def test_what_this_process_holds_is_told_in_megabytes() -> None:
    before = held(os.getpid())
    kept = bytearray(os.urandom(1)) * 50_000_000
    assert 45.0 < held(os.getpid()) - before < 60.0
    del kept


def test_a_process_that_there_is_not_holds_nothing() -> None:
    assert held(None) == held(2**22 + 1) == 0.0


def test_what_a_process_shares_with_no_other_is_a_part_of_what_it_holds() -> None:
    whole, alone = shares(os.getpid())
    assert 0.0 < alone <= whole
    with pytest.raises(OSError, match="No such file"):
        shares(2**22 + 1)
