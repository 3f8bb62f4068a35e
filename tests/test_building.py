"""docs/building.md as a weekend: each step has a drawing made by a program, and a check that shows what is said."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from docs import steps
from firmware_bridge.cli.main import parser
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import open_simulation
from firmware_bridge.workshop.doctor import Finding, examine
from firmware_bridge.workshop.doctor_command import live, sample_pictures, watch_sensors
from firmware_bridge.workshop.wire_command import conclude_board, progress, read_unwired
from firmware_bridge.workshop.wiring import Wiring
from games.rules import load
from hardware import fakegpio
from hardware.bench import Bench, FakeTable, open_fake_bench
from hardware.board import Board, find_board, read_board
from hardware.device import Levels, Sense
from hardware.fakegpio import FakeBoard
from hardware.simulation.table import SimulatedTable
from tests.workshop import computers
from tests.workshop.wire_player import Faulty, Player, run

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "building.md").read_text()
DRAWN = {*steps.drawings(), "scenes.svg"}
DONE, MISO = 18, 9


class Step(NamedTuple):
    """A step of the page: its number and its text."""

    number: int
    text: str

    @property
    def check(self) -> str:
        """What follows the word."""
        return self.text.partition("**Check**")[2]

    @property
    def commands(self) -> list[str]:
        """The commands of the check."""
        return re.findall(r"^    (\S.*)$", self.check, re.MULTILINE)

    @property
    def shown(self) -> list[str]:
        """The lines that the commands are said to show."""
        return "\n".join(re.findall(r"^```\n(.*?)\n```$", self.check, re.MULTILINE | re.DOTALL)).split("\n")


STEPS = [
    Step(int(number), text)
    for number, text in re.findall(r"^## Step (\d+)\. [^\n]*\n(.*?)(?=^## )", PAGE, re.MULTILINE | re.DOTALL)
]


def of(step: Step) -> str:
    """A name for the test."""
    return f"step {step.number}"


def test_the_steps_are_counted_and_all_are_listed_with_their_hours() -> None:
    assert [step.number for step in STEPS] == list(range(1, 11))
    listed = re.findall(r"\| \[(\d+)\. ", PAGE)
    assert [int(number) for number in listed] == list(range(1, 11))


@pytest.mark.parametrize("step", STEPS, ids=of)
def test_each_step_has_a_drawing_made_by_a_program_and_a_check(step: Step) -> None:
    drawings = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", step.text)
    assert drawings
    assert set(drawings) <= DRAWN
    assert step.commands
    assert any(step.shown)


def test_every_drawing_of_a_step_is_shown_and_is_what_the_program_draws() -> None:
    for file, data in steps.drawings().items():
        assert f"({file})" in PAGE
        assert (ROOT / "docs" / file).read_bytes() == data, "stale: make picture"


@pytest.mark.parametrize("step", STEPS, ids=of)
def test_the_program_has_each_command_that_is_shown(step: Step) -> None:
    for command in step.commands:
        name, *words = shlex.split(command)
        assert name == "tablelight"
        parser().parse_args(words)


# What they show ---------------------------------------------------------------------------------


@pytest.fixture
def row(tmp_path: Path) -> Board:
    """The board of one row, made as the page says."""
    (made,) = re.findall(r"^    (sed .*) > my-row\.toml$", PAGE, re.MULTILINE)
    told = subprocess.run(shlex.split(made), cwd=ROOT, capture_output=True, text=True, check=True).stdout
    (tmp_path / "my-row.toml").write_text(told)
    return read_board(tmp_path / "my-row.toml")


@pytest.fixture
def whole() -> Board:
    """The whole board."""
    return read_board(find_board("registers"))


def told(findings: Iterable[Finding]) -> list[str]:
    """As the doctor prints them."""
    return [f"{finding.grade:7} {finding.about:10} {finding.say}" for finding in findings]


def watched(board: Board, ail: Callable[[FakeBoard], None] = lambda _: None) -> list[str]:
    """What the doctor says of the sensors of an empty board."""
    settings = board.scanner.settings
    with fakegpio.open_fake(board.scanner.kind, settings, [0] * settings.channels) as wiring:
        ail(wiring)
        return told(watch_sensors(board, 0.05, aloud=False))


@contextmanager
def wired(board: Board) -> Iterator[tuple[Bench, FakeTable]]:
    """The board with its wiring simulated."""
    bench, table = open_fake_bench(board)
    try:
        yield bench, table
    finally:
        bench.close()


def seen(board: Board, *stones: str, button: int | None = None) -> list[str]:
    """What the doctor shows live with stones on these points, and a button held."""
    with wired(board) as (bench, table):
        table.lay([(point, 1) for point in stones])
        if button is not None:
            table.wiring.press(button)
        return [*live(board, bench.scanner.scan(), (), bench.scanner.trouble, bench.keys.down())]


def lights(board: Board) -> list[str]:
    """What is said of the test pictures, each once."""
    return list(dict.fromkeys(shot.say for shot in sample_pictures(tuple(board.places))))


def shown(number: int) -> list[str]:
    """The lines of a step."""
    return STEPS[number - 1].shown


def in_order(lines: Iterable[str], among: Iterable[str]) -> bool:
    """Whether the lines are among the others, in their order."""
    others = iter(among)
    return all(line in others for line in lines)


def test_the_pi_lacks_its_sensors_alone(row: Board, tmp_path: Path) -> None:
    pi = told(examine(computers.machine(computers.grow(tmp_path, "zero2")), row))
    sensors = watched(row, lambda wiring: wiring.circuit.off.add(MISO))  # type: ignore[attr-defined]
    assert in_order(shown(1), [*pi, *sensors])
    assert not [line for line in pi if line.startswith("fault")]
    assert shown(1)[-1:] == sensors


def test_the_lights_tell_their_order(row: Board, whole: Board) -> None:
    assert in_order(shown(2), lights(row))
    assert shown(4) == lights(whole)


def test_a_stone_is_seen_on_one_square_on_a_row_and_through_the_top(row: Board, whole: Board) -> None:
    assert shown(3) == seen(row, "a1")
    assert shown(5) == seen(row, "h1")
    assert in_order(shown(8), seen(whole, "a1", "h8"))


def test_eight_rows_are_quiet_and_a_wire_between_them_that_is_open_is_named(whole: Board) -> None:
    def torn(wiring: FakeBoard) -> None:
        wiring.circuit.torn = 2  # type: ignore[attr-defined]

    assert shown(6)[0] in watched(whole)
    assert shown(6)[1:] == watched(whole, torn)


def test_a_button_that_is_held_is_named(whole: Board) -> None:
    assert in_order(shown(7), seen(whole, button=DONE))


class Beneath(Faulty):
    """The wired sensors beneath the pieces of a table, whose lights the player sees as they are asked for."""

    def __init__(self, table: SimulatedTable, bench: Bench, wired: FakeTable) -> None:
        super().__init__(table, bench.scanner.channels)
        self._bench, self._wired = bench, wired

    def scan(self) -> Levels:
        """What the driver reads of them."""
        moved = [(site, self.table.level(site)) for site in self.table.sites]
        if moved := [(site, level) for site, level in moved if self._wired.level(site) != level]:
            self._wired.lay(moved)
        return self._bench.scanner.scan()


def test_the_wiring_is_found(
    whole: Board, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    source = find_board("registers")
    board = read_unwired(source)
    asked = tuple(board.places)
    lines: list[str] = []
    with wired(whole) as (bench, table):
        wiring = Wiring(asked, bench.scanner.channels)
        beneath = Beneath(SimulatedTable(asked, Sense.PRESENCE), bench, table)
        run(
            wiring,
            beneath,
            Player(beneath.table),
            each=lambda _: lines.append(f"{progress(wiring)[1]}: {wiring.ask.say}"),
        )
    assert conclude_board(wiring.found(), board, source, Path("my-table.toml")) == 0
    assert in_order(shown(9), [*lines, *capsys.readouterr().out.splitlines()])
    assert read_board(tmp_path / "my-table.toml").channels == whole.channels


def test_the_first_game_begins(whole: Board) -> None:
    simulation = open_simulation(ScoreSheet(load("zhizhu")), whole, setting=True)
    simulation.run(1.0)
    assert [str(event.say) for event in simulation.events] == shown(10)
    simulation.close()
