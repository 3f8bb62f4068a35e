"""What prepares the virtual Pi and looks at its strip, without booting one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from firmware_bridge.workshop.overlay import read_plan
from hardware.board import find_board
from hardware.device import Colour
from hardware.lights.ws2812_spi import RATE, encode
from tests.hardware.pretend_pi import decode
from tests.pi import run
from tests.pi.wired import BOARD, OTHERS, lamps, parse, spread_out

HERE = Path(__file__).parent
SCRIPTS = sorted([*HERE.glob("*.sh"), *(HERE.parents[1] / "card").glob("*.sh")])
SHOWN: list[Colour] = [(255, 0, 3), (0, 128, 0)]


def test_the_strip_of_the_module_is_read_with_its_rate() -> None:
    data = encode(SHOWN)
    heard = parse(b"7 %d %d\n" % (RATE, len(data)) + data)
    assert (heard.transfers, heard.rate) == (7, RATE)
    assert decode(heard.data, heard.rate)[0] == SHOWN


def test_a_strip_that_is_cut_off_is_no_picture() -> None:
    with pytest.raises(ValueError, match="2 bytes of 3"):
        parse(b"1 2750000 3\nab")


@pytest.mark.parametrize("kind", ["grid", "registers"])
def test_the_lamp_of_the_player_to_move_is_found(kind: str) -> None:
    board = read_plan(find_board(kind))
    picture: list[Colour] = [(0, 0, 0)] * board.length
    picture[board.status[1]] = (0, 0, 9)
    assert lamps(picture, board) == (False, True)


@pytest.mark.parametrize("kind", OTHERS)
def test_boards_for_other_scanners_are_right(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_text(BOARD.replace("KIND", kind))
    board = read_plan(find_board(str(path)))
    assert len(board.channels) == 64
    assert board.length == 194


def test_contacts_of_an_mcp23017_leave_out_the_last_input_of_each_port() -> None:
    assert [spread_out(contact) for contact in range(64)] == [at for at in range(74) if at % 8 != 7][:64]


def test_of_a_log_that_grows_whole_lines_are_told_once(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert run.lines(log, 0) == ([], 0)
    log.write_text("one\ntw")
    assert run.lines(log, 0) == (["one"], 4)
    log.write_text("one\ntwo\n")
    assert run.lines(log, 4) == (["two"], 8)


def test_the_last_line_of_the_console_is_shown_without_colours(tmp_path: Path) -> None:
    console = tmp_path / "console"
    assert run.last_line(console) == "nothing yet"
    console.write_text("[ 1.0] Linux\n\x1b[K[\x1b[0;32m  OK  \x1b[0m] Started table.\r\n\n")
    assert run.last_line(console) == "[  OK  ] Started table."


def test_all_that_the_machine_is_handed_is_there(tmp_path: Path) -> None:
    handed = run.make_exchange(tmp_path / "exchange", "short")
    assert (handed / "tests/pi/inside.sh").exists()
    assert (handed / "page.conf").exists()
    assert (handed / "form").read_text() == "short"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_of_the_pi_are_plain_shell(script: Path) -> None:
    subprocess.run(["sh", "-n", str(script)], check=True)
    assert script.read_text().startswith("#!/bin/sh\n")
    assert "\nset -eu\n" in script.read_text()
    if shutil.which("shellcheck"):
        done = subprocess.run(["shellcheck", str(script)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
