"""The configuration: every key, every bound, every fault by name."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.cli.main import parser
from firmware_bridge.config import Config, read_config
from firmware_bridge.reading import Patience
from games.rules import OptionError, game_class, load, names
from hardware.settings import SettingsError

EXAMPLE = Path(__file__).parents[1] / "systemd" / "tablelight.toml"


def read(text: str, tmp_path: Path) -> Config:
    """The configuration with this text."""
    path = tmp_path / "tablelight.toml"
    path.write_text(text)
    return read_config(path)


def test_the_example_holds_every_key_with_its_default() -> None:
    assert read_config(EXAMPLE) == Config()
    text = EXAMPLE.read_text()
    for section in Config.__struct_fields__:
        for key in getattr(Config(), section).__struct_fields__:
            assert f"\n{key} = " in text or f"\n# {key} = " in text, key


def test_without_a_file_there_are_the_defaults() -> None:
    assert read_config(None) == Config()


def test_where_no_game_is_named_the_one_that_says_so_is_meant() -> None:
    saying = [name for name in names() if game_class(name).usual]
    assert saying == ["zong-heng"]
    assert [Config().game.name] == saying
    assert parser().parse_args(["demo"]).game == saying[0]


def test_values_are_read(tmp_path: Path) -> None:
    text = '[game]\nname = "zhizhu"\noptions = {first = "o"}\n[lights]\nbrightness = 3\nsupply = 500\nmode = "quiet"\n'
    config = read(text, tmp_path)
    assert config.game.options == {"first": "o"}
    light_settings = config.light_settings()
    assert (light_settings.brightness, config.lights.supply, light_settings.mode) == (3, 500, "quiet")


def test_the_table_waits_as_long_as_is_said(tmp_path: Path) -> None:
    config = read("[table]\nsettle = 0.7\nundo = 5.0\nleft_off = 9.0\n", tmp_path)
    given = config.daemon_options(None, setting=False, background=False)
    assert given["patience"] == Patience(settle=0.7, undo=5.0, left_off=9.0)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "[lights]\nbrightnes = 3",
            "lights.brightnes: there is no such key; the keys here are mode, hints, palette, brightness",
        ),
        ("[light]\nmode = 1", "light: there is no such key; the keys here are game, table, lights, record"),
        ("[lights]\nbrightness = 256", "lights.brightness: expected `int` <= 255"),
        ("[lights]\nbrightness = -1", "lights.brightness: expected `int` >= 0"),
        ("[lights]\nbrightness = true", "lights.brightness: expected `int`, got `bool`"),
        ("[lights]\npalette = 'neon'", "lights.palette: invalid enum value 'neon'; allowed: default, clear, dim"),
        ("[table]\nsense = 'smell'", "allowed: presence, colour, count"),
        ("[table]\nsettle = 'long'", "table.settle: expected `float`, got `str`"),
        ("[table]\nsettle = nan", "table.settle: expected `float`"),
        ("lights = 3", "lights: expected `object`, got `int`"),
        ("[lights", "not valid TOML"),
        (f"[game]\noptions = {{ size = {'9' * 5000} }}", "line 2: a number of more than 1000 digits, which no setting"),
        (f"[game]\nlevels = [0x{'f' * 5000}, 0]", "game.levels[0]: expected `int` <= 8"),
    ],
)
def test_faults_are_named(text: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as fault:
        read(text, tmp_path)
    assert str(fault.value).startswith(f"{tmp_path}/tablelight.toml: ")
    assert sentence in str(fault.value)
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize("number", ["9" * 1000, "-" + "9" * 1000, "0x" + "f" * 5000, "0b" + "1" * 999])
def test_an_option_of_a_game_may_be_a_number_of_any_length_and_is_told_with_what_is_allowed(
    number: str, tmp_path: Path
) -> None:
    config = read(f"[game]\noptions = {{ size = {number} }}", tmp_path)
    with pytest.raises(OptionError, match="size = a number of more than 24 digits is not possible; allowed: 8, 6"):
        load("zong-heng", **config.game.options)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match="not a text file"):
        read_config(path)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_in_a_sentence(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("c") / "c.toml"
    path.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
    with suppress(SettingsError):
        read_config(path)
