"""`tablelight club` at the command line: the plan, the results, and one sentence for what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.broker import MISSING, MOSQUITTO, RunningBroker, free_port
from firmware_bridge.cli.main import main
from firmware_bridge.club.evening import evening_path, read_evening

from .evenings import Lines, Tables

Said = Callable[..., tuple[int, str, str]]


@pytest.fixture
def said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Said:
    """Runs the command; its status, what it printed, and its error."""
    config = tmp_path / "tablelight.toml"
    config.write_text(f'[record]\nfolder = "{tmp_path}"\n')

    def run(*words: str) -> tuple[int, str, str]:
        status = main(["club", *words, "--config", str(config)])
        told = capsys.readouterr()
        return status, told.out, told.err

    return run


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RunningBroker]:
    if not MOSQUITTO:
        pytest.skip(MISSING)
    running = RunningBroker(tmp_path)
    yield running
    running.kill()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("new", "zhizhu", "Anna", "Ben", "--broker", "http://x"), "no address of a broker"),
        (("new", "zhizhu", "Anna", "Ben"), "no broker is named"),
        (("new", "zhizhu", "Anna", "--broker", "x"), "two players or more"),
        (("new", "zhizhu", "Anna", "Anna", "--broker", "x"), "given twice"),
        (("new", "--broker", "x"), "the game and the names"),
        (("new", "no-game", "Anna", "Ben", "--broker", "x"), "no-game"),
        (("new", "zhizhu", "Anna", "Ben", "--broker", "x", "--clock", "soon"), "no time control"),
        (("table",), "no evening is planned"),
        (("rounds",), "no evening is planned"),
        (("table", "now"), "leave 'now' out"),
        (("wall", "--broker", "x", "--delay", "-1"), "delay: -1"),
        (("wall", "--broker", "x", "--delay", "nan"), "delay: nan"),
        (("wall", "--broker", "x", "--address", "192.0.2.1:8000"), "no address of this computer"),
        (("wall",), "no broker is named"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_sentence(said: Said, words: tuple[str, ...], sentence: str) -> None:
    status, _, error = said(*words)
    assert status == 2
    assert sentence in error
    assert error.count("\n") == 1


def test_an_evening_from_its_plan_to_its_results(said: Said, broker: RunningBroker, tmp_path: Path) -> None:
    status, told, _ = said("new", "zhizhu", "Anna", "Ben", "Carl", "--broker", broker.address, "--clock", "10+5")
    assert status == 0
    planned = read_evening(evening_path(tmp_path))
    assert told == said("rounds")[1]
    for meeting in planned.meetings:
        words = planned.pairing(meeting).words
        assert f"tablelight link new zhizhu -O first=x --clock 10+5 --words {words}" in told
        assert f"tablelight link join {words}" in told
    assert told.count("has no game") == 3
    assert "club end" in said("new", "zhizhu", "Anna", "Ben", "--broker", broker.address)[2]
    lines = Lines(planned)
    Tables(planned, next(iter(planned.meetings)), tmp_path, lines.publish).resign(1)
    lines.close()
    status, told, _ = said("table", "--json", str(tmp_path / "results.json"))
    first, second = (planned.names[place] for place in next(iter(planned.meetings)).pair)
    assert f"{first} - {second}: 1 - 0" in told
    lead = json.loads((tmp_path / "results.json").read_text())["table"][0]
    assert (lead["place"], lead["name"], lead["points"], lead["results"][second]) == (1, first, 1.0, 1.0)
    broker.kill()
    status, again, _ = said("table")
    assert status == 0
    assert "cannot be used" in again
    assert f"{first} - {second}: 1 - 0" in again  # it was kept
    assert "plays this evening" not in said("wall", "--table", "Zoe")[1]
    assert "does not play this evening" in said("wall", "--table", "Zoe")[2]
    assert said("end")[0] == 0
    assert not evening_path(tmp_path).exists()


def test_a_broker_that_is_not_there_leaves_the_results_as_they_were(said: Said) -> None:
    said("new", "zhizhu", "Anna", "Ben", "--broker", f"127.0.0.1:{free_port()}")
    status, told, _ = said("table")
    assert status == 0
    assert "cannot be used" in told.splitlines()[0]
