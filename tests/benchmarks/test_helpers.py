"""Losses of helpers, counted."""

from __future__ import annotations

from benchmarks.helpers import TOLD, summary
from benchmarks.results import Helper, Loss

LOSSES = [
    Loss("page", "killed", 0.1, 2.0, 3.0, 0.02),
    Loss("page", "killed", None, 4.0, None, 0.05),
    Loss("page", "killed", 0.3, None, None, 0.01),
    Loss("page", "stopped", 20.0, 22.0, 23.0, 0.01),
    Loss("engine", "killed", 0.1, 1.0, 2.0, 0.5),
]


def test_losses_of_one_kind_are_counted_by_what_followed() -> None:
    assert summary("page", "killed", LOSSES) == Helper("page", "killed", 3, 2, 2, 1, 3.0, 4.0, 0.05)


def test_a_kind_that_was_never_lost_has_no_figures() -> None:
    assert summary("speech", "killed", LOSSES) == Helper("speech", "killed", 0, 0, 0, 0, None, None, None)


def test_the_sentences_that_are_waited_for_name_the_program() -> None:
    assert "The page has ended unexpectedly, and is started anew. The game is kept, and goes on." in TOLD["page"]
    assert len(set.union(*TOLD.values())) == 8
