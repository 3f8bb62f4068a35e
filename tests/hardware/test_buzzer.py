"""A buzzer on a pin that is simulated: its rhythms in time, and the board that it belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import gpiozero
import pytest

from hardware.bench import open_bench, open_fake_bench
from hardware.board import Board, read_board
from hardware.buzzer import PAUSE, GpioBuzzer
from hardware.device import DeviceError, Sense
from hardware.fakegpio import FakeBoard, open_fake
from hardware.scanners.gpio_matrix import GpioMatrix
from hardware.settings import SettingsError
from hardware.simulation.table import SimulatedTable

PIN = 14
TICK = 0.01


@pytest.fixture
def wiring() -> Iterator[FakeBoard]:
    """Pins, and a small matrix on GPIO 4 and 5."""
    with open_fake("gpio_matrix", GpioMatrix.Settings(rows=(4,), columns=(5,)), [0]) as board:
        yield board


def high() -> bool:
    """Whether the pin is high now."""
    return bool(gpiozero.Device.pin_factory.pin(PIN).state)


def heard(buzzer: GpioBuzzer, ticks: Sequence[int]) -> str:
    """A mark a scan: whether the pin is high after it."""
    marks = ""
    for tick in ticks:
        buzzer.step(tick * TICK)
        marks += "-" if high() else "."
    return marks


def board_with(text: str, tmp_path: Path) -> Board:
    path = tmp_path / "board.toml"
    path.write_text(text)
    return read_board(path)


# The rhythm -----------------------------------------------------------------------------------


def test_it_is_silent_until_it_is_to_sound(wiring: FakeBoard) -> None:
    assert set(heard(GpioBuzzer(PIN), range(50))) == {"."}


def test_a_rhythm_is_heard_once_as_it_is_written(wiring: FakeBoard) -> None:
    buzzer = GpioBuzzer(PIN)
    buzzer.sound((0.025, 0.03, 0.06), 0.0)
    assert heard(buzzer, range(20)) == "---...------........"


def test_a_rhythm_begins_at_once_and_the_pin_is_told_of_changes_alone(wiring: FakeBoard) -> None:
    buzzer = GpioBuzzer(PIN)
    wiring.trace = []
    buzzer.sound((0.05,), 1.0)
    assert high()
    for tick in range(100, 120):
        buzzer.step(tick * TICK)
    assert [level for pin, verb, level in wiring.trace if pin == PIN and verb == "output"] == [True, False]


def test_scans_that_come_late_leave_out_what_was_missed(wiring: FakeBoard) -> None:
    buzzer = GpioBuzzer(PIN)
    buzzer.sound((0.05, 0.05, 0.05), 0.0)
    buzzer.step(0.12)
    assert high()
    buzzer.step(9.0)
    assert not high()


def test_another_rhythm_is_set_off_from_the_one_it_breaks_off(wiring: FakeBoard) -> None:
    buzzer = GpioBuzzer(PIN)
    buzzer.sound((9.0,), 0.0)
    buzzer.sound((0.05,), 1.0)
    assert not high()
    assert heard(buzzer, range(100, 130)).strip(".") == "-----"
    buzzer.sound((0.05, 9.0, 0.05), 2.0)
    buzzer.step(2.1)
    buzzer.sound((0.05,), 2.1)  # in a silence there is nothing to set it off from
    assert high()
    assert PAUSE > 0.05


def test_closed_it_is_silent_and_stays_so(wiring: FakeBoard) -> None:
    buzzer = GpioBuzzer(PIN)
    buzzer.sound((9.0,), 0.0)
    assert high()
    buzzer.close()
    buzzer.close()
    buzzer.sound((9.0,), 1.0)
    assert not high()
    again = GpioBuzzer(PIN)
    again.close()


# What may fail --------------------------------------------------------------------------------


def test_a_pin_that_is_taken_is_named(wiring: FakeBoard) -> None:
    other = gpiozero.Button(PIN)
    with pytest.raises(DeviceError, match=r"the buzzer on GPIO 14 cannot be used: .*tablelight doctor"):
        GpioBuzzer(PIN)
    other.close()
    GpioBuzzer(PIN).close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # gpiozero's own last attempt
def test_a_pin_that_fails_later_is_said_in_a_sentence(wiring: FakeBoard) -> None:
    buzzer = GpioBuzzer(4)
    wiring.cut = True
    with pytest.raises(DeviceError, match=r"the buzzer on GPIO 4 cannot be used: .*the game goes on"):
        buzzer.sound((0.05,), 0.0)
    buzzer.close()


# The board file -------------------------------------------------------------------------------


def test_a_bench_has_the_buzzer_of_its_board_and_leaves_it_silent(tmp_path: Path) -> None:
    bench, _ = open_fake_bench(board_with("buzzer = 14", tmp_path), lambda: 0.0)
    assert bench.buzzer
    bench.buzzer.sound((9.0,), 0.0)
    assert high()
    bench.close()
    bench.buzzer.sound((9.0,), 1.0)


def test_a_board_without_a_buzzer_has_none(tmp_path: Path) -> None:
    bench, _ = open_fake_bench(board_with("", tmp_path), lambda: 0.0)
    assert bench.buzzer is None
    bench.close()


def test_a_buzzer_that_cannot_be_opened_leaves_nothing_open(tmp_path: Path) -> None:
    board = board_with("buzzer = 14\n[buttons]\ndone = 18", tmp_path)
    lit = SimulatedTable(tuple(board.places), Sense.PRESENCE)
    with open_fake("gpio_matrix", board.scanner.settings, [0] * 64):
        other = gpiozero.Button(PIN)
        with pytest.raises(DeviceError, match="the buzzer on GPIO 14"):
            open_bench(board, lit)
        other.close()
        open_bench(board, lit).close()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("buzzer = 28", "buzzer: expected `int` <= 27"),
        ("buzzer = true", "buzzer: expected `int"),
        ("buzzer = 10", "buzzer: GPIO 10 is taken by the lights (ws2812_spi); choose another"),
        ("buzzer = 4", "buzzer: GPIO 4 is taken by the scanner (gpio_matrix); choose another"),
        ("buzzer = 18\n[buttons]\ndone = 18", "buzzer: GPIO 18 is taken by buttons.done; choose another"),
    ],
)
def test_a_pin_with_two_uses_is_refused(text: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as refused:
        board_with(text, tmp_path)
    assert sentence in str(refused.value)
