"""What holds for all tests: they read English, whatever the language of who runs them, and no property is timed."""

from __future__ import annotations

import gc
import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

os.environ["LANGUAGE"] = "en"
os.environ.setdefault("TABLELIGHT_COMPILED", "no")  # whatever this user has built; `test_compiled` tests it
from firmware_bridge.daemon import Daemon  # after that, for the program is imported as it is, not compiled

WHOLE = (
    "benchmarks/", "browser/", "club/test_evening", "home/test_home", "link/test_hard_evenings", "link/test_partner",
    "reading/test_accuracy", "records/test_trace", "session/test_linked_tables", "session/test_session", "simulation/",
    "table/test_illegal_turns", "table/test_random_hands", "table/test_table_mistakes",
)  # fmt: skip
"""How the paths begin of tests that are marked `whole`: pages in browsers, evenings of hands, linked tables."""

# What a shell starts in the background ignores Ctrl-C, and so would the programs that tests start and end by it.
signal.signal(signal.SIGINT, signal.default_int_handler)
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the program as a whole, before those that are not wanted are left out."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here) and item.path.relative_to(here).as_posix().startswith(WHOLE):
            item.add_marker("whole")


@pytest.fixture(scope="session", autouse=True)
def runtime(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tables that tests run have their sockets apart from those of whoever runs the tests."""
    os.environ["XDG_RUNTIME_DIR"] = str(tmp_path_factory.mktemp("run"))


@pytest.fixture
def warm() -> Iterator[None]:
    """A process in which the daemon collects garbage, and Python does not."""
    Daemon.warm_up()
    yield
    gc.unfreeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what tests have counted, and what was skipped and would let it run: each reason once."""
    for report in terminalreporter.stats.get("passed", []):
        for name, told in report.user_properties:
            if name == "told":
                terminalreporter.write_line(str(told))
    skipped = terminalreporter.stats.get("skipped", [])
    for reason, count in Counter(str(report.longrepr[2]) for report in skipped).items():
        terminalreporter.write_line(f"{count} skipped: {reason.removeprefix('Skipped: ')}")
