"""The command link: what it prints, keeps and refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.broker import MISSING, MOSQUITTO, RunningBroker
from firmware_bridge.cli.main import main
from firmware_bridge.link.pairing import pairing_path, read_pairing

At = Callable[..., tuple[int, str, str]]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RunningBroker]:
    if not MOSQUITTO:
        pytest.skip(MISSING)
    running = RunningBroker(tmp_path)
    yield running
    running.kill()


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> At:
    """Runs a command at one of several tables: its status, and what it has printed."""

    def run(table: str, *arguments: str) -> tuple[int, str, str]:
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / table))
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / table))
        status = main(arguments)
        told = capsys.readouterr()
        return status, told.out, told.err

    return run


def test_two_tables_are_paired_by_the_words_that_the_first_one_shows(
    at: At, broker: RunningBroker, tmp_path: Path
) -> None:
    status, told, _ = at("one", "link", "new", "zong-heng", "-O", "size=6", "--clock", "5", "--broker", broker.address)
    assert status == 0
    words = read_pairing(pairing_path(tmp_path / "one" / "tablelight")).words
    assert words in told
    assert "█" in told
    assert at("two", "link", "join", *words.split("-"), "--broker", broker.address)[0] == 0
    other = read_pairing(pairing_path(tmp_path / "two" / "tablelight"))
    assert (other.seat, other.terms.game, other.terms.options["size"], other.terms.clock) == (1, "zong-heng", 6, "5")
    assert "has joined" in at("two", "link", "show")[1]
    assert at("two", "link", "new", "--broker", broker.address)[2].count("paired already") == 1
    assert at("two", "link", "end")[0] == 0
    assert at("two", "link", "show")[0] == 2


def test_the_whole_address_will_do_to_join(at: At, broker: RunningBroker, tmp_path: Path) -> None:
    at("one", "link", "new", "--broker", broker.address, "--seat", "1")
    pairing = read_pairing(pairing_path(tmp_path / "one" / "tablelight"))
    assert at("two", "link", "join", f"{pairing.broker.url}/#{pairing.words}")[0] == 0
    assert read_pairing(pairing_path(tmp_path / "two" / "tablelight")).seat == 0


def test_the_broker_may_stand_in_the_configuration(at: At, broker: RunningBroker, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "tablelight.toml").write_text(f'[link]\nbroker = "{broker.address}"\n')
    assert at("one", "link", "new")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("link", "new"), "no broker is named"),
        (("link", "new", "--broker", "http://x"), "no address of a broker"),
        (("link", "new", "zong-heng", "more", "--broker", "x"), "takes one game"),
        (("link", "new", "no-such-game", "--broker", "x"), "no-such-game"),
        (("link", "new", "--clock", "soon", "--broker", "x"), "no time control"),
        (("link", "new", "--broker", "127.0.0.1:1"), "cannot be used"),
        (("link", "join", "--broker", "x"), "0 words"),
        (("link", "join", "lusab", "house", "--broker", "x"), "house is none"),
        (("link", "show"), "paired with no other"),
        (("link", "show", "me"), "leave 'me' out"),
        (("play", "--linked", "--page"), "paired with no other"),
        (("play", "zhizhu", "--linked", "--page"), "leave GAME"),
        (("run", "--linked", "--resume"), "leave GAME, --resume"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_changes_nothing(
    at: At, tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    status, _, fault = at("one", *arguments)
    assert status == 2
    assert sentence in fault
    assert fault.count("\n") == 1 or len(fault) > 80
    assert not pairing_path(tmp_path / "one" / "tablelight").exists()


def test_a_table_without_a_board_needs_the_page(at: At, broker: RunningBroker) -> None:
    at("one", "link", "new", "--broker", broker.address)
    assert "add --page" in at("one", "play", "--linked")[2]
