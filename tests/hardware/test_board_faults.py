"""Faults in board files: every one is a sentence that names it, whatever stands in the file."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardware.board import Board, BoardFile, backend, build, find_board, read_board
from hardware.settings import LARGEST, SettingsError, convert
from tests.hardware.board_files import SMALL, refused

# Faults ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("titel = 'x'", "titel: there is no such key; the keys here are title, supply, masked, points, scanner"),
        ("title = 3", "title: expected `str`, got `int`"),
        ("supply = -1", "supply: expected `int` >= 0"),
        ("supply = 60001", "supply: expected `int` <= 60000"),
        ("supply = 2.5", "supply: expected `int`, got `float`"),
        ("supply = nan", "supply: expected `int`, got `float`"),
        ("supply = 1979-05-27", "supply: expected `int`, got `date`"),
        ("masked = 'a1'", "masked: expected `array`, got `str`"),
        ("masked = ['z9']", "masked: 'z9' is no point; the points are a1 to h8"),
        ("masked = [3]", "masked[0]: expected `str`, got `int`"),
        ("[points]\nfiles = 0", "points.files: expected `int` >= 1"),
        ("[points]\nfiles = 17", "points.files: expected `int` <= 16"),
        ("[points]\nranks = 0", "points.ranks: expected `int` >= 1"),
        ("[points]\nranks = 17", "points.ranks: expected `int` <= 16"),
        ("[points]\nnames = ['a1', 'a1']", "points.names: two points have one name"),
        ("[points]\nnames = ['1a']", "points.names[0]: expected `str` matching regex"),
        ("[points]\nnames = ['']", "points.names[0]: expected `str` matching regex"),
        ("[points]\nnames = ['a b']", "points.names[0]: expected `str` matching regex"),
        ("[points]\nrows = 3", "points.rows: there is no such key; the keys here are files, ranks, names"),
        ("points = 8", "points: expected `object`, got `int`"),
        ("[scanner]\nkind = 'nose'", "scanner.kind: there is no 'nose' among the scanners; there are gpio_matrix"),
        ("[scanner]\nkind = '../board'", "scanner.kind: there is no '../board' among the scanners"),
        ("[scanner]\nkind = 7", "scanner.kind: it must name a driver; allowed: gpio_matrix"),
        ("[scanner]\nkind = 'gpio_matrix'\nsettle = 1001", "scanner.settle: expected `int` <= 1000"),
        ("[scanner]\nkind = 'gpio_matrix'\nrows = []", "scanner.rows: expected `array` of length >= 1"),
        ("[scanner]\nkind = 'gpio_matrix'\nrows = [4, 28]", "scanner.rows[1]: expected `int` <= 27"),
        ("[scanner]\nkind = 'gpio_matrix'\nrows = [4, 4]", "pin 4 is used twice"),
        ("[scanner]\nkind = 'gpio_matrix'\nsense = 'smell'", "allowed: presence, colour"),
        ("[scanner]\nkind = 'gpio_matrix'\nregisters = 2", "scanner.registers: there is no such key; the keys here"),
        ("[lights]\nkind = 'candles'", "lights.kind: there is no 'candles' among the lights; there are leds0"),
        ("[lights]\nkind = 'terminal'\ncolumns = 0", "lights.columns: expected `int` >= 1"),
        (
            SMALL + "[scanner]\nkind = 'gpio_matrix'\nrows = [7, 8, 9]\ncolumns = [10, 11]",
            "lights: GPIO 7 is taken by the scanner (gpio_matrix); choose other pins for one",
        ),
        (
            "[scanner]\nkind = 'shift_register'\ndevice = 0",
            "scanner.device: the lights have this chip select; give the scanner the other one",
        ),
        ("[channels]\ncorner = 'e4'", "channels.corner: 'e4' is no corner; allowed: a1, h1, a8, h8"),
        ("[channels]\nalong = 'diagonal'", "channels.along: invalid enum value 'diagonal'; allowed: rank, file"),
        ("[channels]\nserpentine = 1", "channels.serpentine: expected `bool`, got `int`"),
        ("[channels]\nfirst = -1", "channels.first: expected `int` >= 0"),
        ("[channels]\nfirst = 1024", "channels.first: expected `int` <= 1023"),
        ("[channels]\neach = 2", "channels.each: there is no such key; the keys here are corner, along"),
        ("[channels]\nat = {z1 = 3}", "channels.at: 'z1' is no point; the points are a1 to h8"),
        ("[channels]\nat = {a1 = -1}", "channels: a1 would be on -1; allowed: 0 to 1023"),
        ("[channels]\nat = {a1 = [1]}", "channels.at[...]: expected `int`, got `array`"),
        ("[channels]\nat = {a1 = 5}", "channels: a1 and f1 are on channel 5; a channel belongs to one point"),
        (
            "[channels]\nat = {a1 = 64}",
            "channels: a1 is on channel 64, and gpio_matrix as it is set here has 64",
        ),
        ("[channels]\nfirst = 1", "channels: h8 is on channel 64"),
        ("[pixels]\ncorner = 'b1'", "pixels.corner: 'b1' is no corner; allowed: a1, h1, a8, h8"),
        ("[pixels]\neach = 0", "pixels.each: expected `int` >= 1"),
        ("[pixels]\neach = 17", "pixels.each: expected `int` <= 16"),
        ("[pixels]\nat = {zz = [3]}", "pixels.at: 'zz' is no point"),
        ("[pixels]\nat = {a1 = 3}", "pixels.at[...]: expected `array`, got `int`"),
        ("[pixels]\nat = {a1 = [1]}", "pixels: a1 and b1 are on pixel 1; a pixel belongs to one point"),
        ("[pixels]\nat = {a1 = [99, 99]}", "pixels: a1, twice, are on pixel 99"),
        ("[pixels]\nstatus = [64]", "pixels.status: it names one lamp; it takes two, one for each player, or none"),
        ("[pixels]\nstatus = [64, 65, 66]", "pixels.status: expected `array` of length <= 2"),
        ("[pixels]\nstatus = [64, 64]", "pixels: status lamp 1 and status lamp 2 are on pixel 64"),
        ("[pixels]\nstatus = [64, 7]", "pixels: h1 and status lamp 2 are on pixel 7"),
        ("[pixels]\nstatus = [64, 1024]", "pixels.status[1]: expected `int` <= 1023"),
        ("[buttons]\ndone = 28", "buttons.done: expected `int` <= 27"),
        ("[buttons]\ndone = -1", "buttons.done: expected `int` >= 0"),
        ("[buttons]\ndone = 4", "buttons.done: GPIO 4 is taken by the scanner (gpio_matrix); choose another"),
        ("[buttons]\ndone = 18\npower = 18", "buttons.power: GPIO 18 is taken by buttons.done; choose another"),
        ("[buttons]\nhold = 0.4", "buttons.hold: expected `float` >= 0.5"),
        ("[buttons]\nhold = 11", "buttons.hold: expected `float` <= 10.0"),
        ("[buttons]\nhold = nan", "buttons.hold: expected `float`"),
        (
            "[buttons]\nreset = 3",
            "buttons.reset: there is no such key; the keys here are done, undo, hint, power",
        ),
        ("[layouts]\nx = 3", "expected `str`, got `int`"),
        ("[layouts]\nx = '. .'", "layouts.x: a drawing for this board has 8 lines of 8 squares"),
        ("[layouts]\nx = ''", "layouts.x: a drawing for this board has 8 lines of 8 squares"),
        (SMALL + "[layouts]\nx = '''\na . .\n. . a'''", "layouts.x: a is drawn twice"),
        (SMALL + "[layouts]\nx = '''\na . .\n\n. . b'''", "layouts.x: a drawing for this board has 2 lines of 3"),
        ("[points\n", "not valid TOML"),
        ("a = 1\na = 2", "not valid TOML"),
        ("a = " + "[" * 5000, "not valid TOML"),
        ("\ufefftitle = 'x'", "not valid TOML"),
        ("[scanner]\n" + "a." * 500 + "b = 1", "scanner.kind: it must name a driver; allowed: gpio_matrix"),
        ("[lights]\nkind = 'terminal'\n" + "a." * 500 + "b = 1", "lights.a: there is no such key"),
    ],
)
def test_faults_are_named(text: str, sentence: str, tmp_path: Path) -> None:
    assert sentence in refused(text, tmp_path)


def test_a_number_of_thousands_of_digits_is_refused(tmp_path: Path) -> None:
    refused("supply = " + "9" * 5000, tmp_path)


@pytest.mark.parametrize("table", ["", "[points]\n", "[lights]\nkind = 'terminal'\n", "[layouts]\n"])
def test_a_key_with_a_line_end_is_refused_in_one_line(table: str, tmp_path: Path) -> None:
    refused(table + '"a\\nb" = "x"', tmp_path)


def test_a_run_of_pixels_ends_where_the_numbers_end(tmp_path: Path) -> None:
    assert "1023" in refused("[pixels]\nfirst = 1000\neach = 16", tmp_path)


def test_the_point_of_a_bad_exception_is_named(tmp_path: Path) -> None:
    assert "e4" in refused("[channels]\nat = {a1 = 0, e4 = 1024}", tmp_path)


def test_a_kind_that_is_left_out_is_asked_for(tmp_path: Path) -> None:
    assert "None" not in refused("[scanner]\nsettle = 20", tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "[buttons]\ndone = 10\n[lights]\nkind = 'ws2812_spi'",
        "[scanner]\nkind = 'gpio_matrix'\nrows = [4, 10]\ncolumns = [5, 6]\n[points]\nfiles = 2\nranks = 2",
    ],
)
def test_a_pin_of_the_lights_is_taken(text: str, tmp_path: Path) -> None:
    assert "10" in refused(text, tmp_path)


def test_files_that_are_no_boards_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    with pytest.raises(SettingsError, match="No such file"):
        read_board(path)
    with pytest.raises(SettingsError, match="a folder, where an ordinary file is needed"):
        read_board(tmp_path)
    path.write_bytes(b"\x7fELF\xff\xfe\x00")
    with pytest.raises(SettingsError, match="not a text file"):
        read_board(path)
    path.write_bytes(b"#" * (LARGEST + 1))
    with pytest.raises(SettingsError, match="larger than 32000 bytes"):
        read_board(path)
    path.write_bytes(b"\x00")
    with pytest.raises(SettingsError, match="not valid TOML"):
        read_board(path)


def test_boards_are_found_by_name_or_path(tmp_path: Path) -> None:
    assert find_board("web").name == "web.toml"
    path = tmp_path / "mine.toml"
    path.write_text("")
    assert find_board(str(path)) == path
    with pytest.raises(SettingsError, match="nowhere: there is no such board file; boards that come along: grid, mcu"):
        find_board("nowhere")


@pytest.mark.parametrize("name", ["~nobody-of-that-name/board.toml", "x" * 300])
def test_a_name_that_can_be_no_path_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="there is no such board file"):
        find_board(name)


# Anything at all ------------------------------------------------------------------------------

leaves = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 70), st.integers(), st.floats(), st.text(max_size=8),
    st.sampled_from(["a1", "h8", "c3", "rank", "file", "gpio_matrix", "shift_register", "terminal", "ws2812_spi"]),
)  # fmt: skip
KEYS = """title supply masked points scanner lights channels pixels buttons layouts files ranks names kind corner along
serpentine first each at status done undo hold a1 b2 rows columns registers over sense"""
keys = st.one_of(st.sampled_from(KEYS.split()), st.text(max_size=4))
tables = st.recursive(leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4))
likely = st.fixed_dictionaries(
    {},
    optional={
        "supply": st.integers(-1, 60001),
        "masked": st.lists(st.sampled_from(["a1", "b1", "c2", "z9"]), max_size=3),
        "points": st.fixed_dictionaries({}, optional={"files": st.integers(0, 17), "ranks": st.integers(0, 17)}),
        "channels": st.dictionaries(keys, leaves, max_size=3),
        "pixels": st.fixed_dictionaries(
            {},
            optional={
                "corner": st.sampled_from(["", "a1", "a2", "c1", "h8"]),
                "each": st.integers(0, 17),
                "first": st.integers(-1, 1024),
                "status": st.lists(st.integers(0, 70), max_size=3),
                "at": st.dictionaries(st.sampled_from(["a1", "b1", "z"]), st.lists(st.integers(0, 99), max_size=3)),
            },
        ),
        "buttons": st.dictionaries(keys, leaves, max_size=3),
        "scanner": st.fixed_dictionaries(
            {"kind": st.sampled_from(["gpio_matrix", "shift_register", "x"])},
            optional={"rows": st.lists(st.integers(-1, 28), max_size=9), "registers": st.integers(0, 33)},
        ),
        "layouts": st.dictionaries(keys, st.text(" .\nab12", max_size=40), max_size=2),
    },
)


def board_of(tables: Any) -> Board:
    """What `read_board` does with the tables of a file."""
    file = convert(tables, BoardFile)
    return build(file, backend("scanners", file.scanner, "scanner"), backend("lights", file.lights, "lights"))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(keys, tables, max_size=6) | likely)
def test_any_tables_come_to_a_board_or_a_sentence(tables: dict[str, Any]) -> None:
    with suppress(SettingsError):
        board = board_of(tables)
        used = [pixel for pixels in board.pixels.values() for pixel in pixels] + list(board.status)
        assert len(set(used)) == len(used)
        assert len(set(board.channels.values())) == len(board.channels)
        assert all(channel < board.scanner.settings.channels for channel in board.channels.values())
        assert board.length == 1 + max(used, default=-1)


@given(st.text(max_size=80) | st.text("[]{}=\"'.,\n01ax#-_", max_size=80))
def test_any_text_comes_to_a_board_or_a_sentence(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
    with suppress(SettingsError):
        read_board(path)
