"""The constants of one table: what a file of them may hold, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.config import Config, TableConfig, read_config
from firmware_bridge.reading.constants import BOUNDS, FORMAT, USUAL, Constants, load
from hardware.device import Sense
from hardware.settings import SettingsError

HEAD = f"format = {FORMAT}\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "own.toml"
    path.write_text(text)
    return path


def test_a_table_may_differ_in_some_constants_and_in_one_game(tmp_path: Path) -> None:
    own = load(written(tmp_path, f"{HEAD}[zhizhu.colour]\nexcursion = 4\nreply = 1.5\n[zhizhu.presence]\n"))
    assert own == {("zhizhu", Sense.COLOUR): Constants(excursion=4.0, reply=1.5), ("zhizhu", Sense.PRESENCE): USUAL}
    assert isinstance(own["zhizhu", Sense.COLOUR].excursion, float)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "'format = 1' is missing: these are no constants of this version"),
        ("format = 2\n", "'format = 1' is missing"),
        (f"{HEAD}excursion = 3", "excursion: a game has presence, colour or count, and the constants in there"),
        (f"{HEAD}[zhizhu.smell]\n", "zhizhu.smell: a game has presence, colour or count"),
        (f"{HEAD}[zhizhu]\ncolour = 3", "zhizhu.colour: there are no constants in here"),
        (f"{HEAD}[zhizhu.colour]\nexcursio = 3", "zhizhu.colour.excursio: there is no such constant"),
        (f"{HEAD}[zhizhu.colour]\nlie = 99", "zhizhu.colour.lie: 99 is no number from 6 to 20"),
        (f"{HEAD}[zhizhu.colour]\nlie = nan", "zhizhu.colour.lie: nan is no number from 6 to 20"),
        (f"{HEAD}[zhizhu.colour]\nagain = true", "zhizhu.colour.again: True is no number from 0.05 to 6"),
        (f"{HEAD}[zhizhu.colour]\nlie = '9'", "zhizhu.colour.lie: 9 is no number"),
        ("[", "not valid TOML"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(text: str, sentence: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    with pytest.raises(SettingsError) as refused:
        load(path)
    assert sentence in str(refused.value)
    assert str(refused.value).startswith(f"{path}: ")
    assert str(refused.value).endswith("; let tablelight fit write the file anew")
    assert "\n" not in str(refused.value)


@given(st.sampled_from(sorted(BOUNDS)), st.floats() | st.integers())
def test_no_constant_leaves_its_bounds(tmp_path_factory: pytest.TempPathFactory, name: str, value: float) -> None:
    least, most = BOUNDS[name]
    path = written(tmp_path_factory.getbasetemp(), f"{HEAD}[zhizhu.colour]\n{name} = {value}\n")
    try:
        own = load(path)["zhizhu", Sense.COLOUR]
    except SettingsError:
        assert not least <= value <= most or len(str(value)) > 300
    else:
        assert least <= getattr(own, name) == value <= most


def test_the_configuration_names_the_file_and_the_daemon_is_given_what_it_holds(tmp_path: Path) -> None:
    own = written(tmp_path, f"{HEAD}[zhizhu.colour]\nexcursion = 4.0\n")
    path = tmp_path / "tablelight.toml"
    path.write_text(f"[table]\nconstants = '{own}'\n")
    given_options = read_config(path).daemon_options(None, setting=False, background=False)
    assert given_options["constants"] == {("zhizhu", Sense.COLOUR): Constants(excursion=4.0)}
    assert Config().daemon_options(None, setting=False, background=False)["constants"] == {}


def test_a_file_that_cannot_be_used_is_told_when_the_configuration_is_read(tmp_path: Path) -> None:
    path = tmp_path / "tablelight.toml"
    path.write_text(f"[table]\nconstants = '{tmp_path}/none.toml'\n")
    with pytest.raises(SettingsError, match="table.constants: .*none.toml: No such file or directory; let tablelight"):
        read_config(path)
    with pytest.raises(SettingsError, match="table.constants: a name of a file or folder has no NUL in it"):
        TableConfig(constants="\0")


def test_a_file_that_is_spoiled_during_an_evening_stops_no_game(tmp_path: Path) -> None:
    own = written(tmp_path, f"{HEAD}[zhizhu.colour]\nexcursion = 4.0\n")
    path = tmp_path / "tablelight.toml"
    path.write_text(f"[table]\nconstants = '{own}'\n")
    config = read_config(path)
    own.write_text("x")
    assert config.daemon_options(None, setting=False, background=False)["constants"]
