"""Drivers of other distributions: found by the kind of a board file, refused in a sentence, never instead of ours."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge.cli.main import main
from firmware_bridge.lighting import LightOutput, LightSettings, Scene
from hardware import backends
from hardware.backends import find, lacks, names
from hardware.device import DeviceError
from tests.distributions import install
from tests.hardware.board_files import read, refused

SCANNER = """
from hardware import settings
from hardware.device import Sense

class Mat:
    class Settings(settings.Settings, frozen=True):
        keys: int = 64
        @property
        def channels(self): return self.keys
        @property
        def pins(self): return ()
    sense, settled, trouble = Sense.PRESENCE, True, None
    def __init__(self, settings): self.channels = settings.channels
    def scan(self): return (0,) * self.channels
    def close(self): pass
"""
LIGHTS = """
from hardware import settings

class Lamps:
    class Settings(settings.Settings, frozen=True):
        hue: int = 0
        pins = ()
    def __init__(self, settings, pixels): self.pixels = pixels
    def show(self, picture): pass
    def close(self): pass
"""
BROKEN = {
    "no_module": ("nowhere:Mat", "cannot be loaded: ModuleNotFoundError: No module named 'nowhere'"),
    "no_name": ("mat_driver:Rug", "cannot be loaded: AttributeError: module 'mat_driver' has no attribute 'Rug'"),
    "ends": ("mat_ends", "cannot be loaded: SystemExit: 3"),
    "function": ("mat_driver:made", "cannot be one of the scanners: it is not a class"),
    "mute": ("mat_driver:Mute", "cannot be one of the scanners: the class has no scan, close"),
    "unset": ("mat_driver:Unset", "its Settings are not a class of hardware.settings.Settings"),
    "bare": ("mat_driver:Bare", "its Settings have no channels, pins"),
}
DARK = {
    "nowhere": ("nowhere:Lamps", "cannot be loaded: ModuleNotFoundError: No module named 'nowhere'"),
    "hand": ("lamps_driver:made", "cannot be one of the lights: it is not a class"),
    "half": ("lamps_driver:Half", "cannot be one of the lights: the class has no close"),
    "late": (
        "lamps_driver:Late",
        "cannot be one of the lights: its refresh is neither None nor seconds above 0",
    ),
}
"""Entry point -> what it names, and what is said of it: scanners, then lights."""
RAISING = {
    "shut": "shut, of another package, failed: KeyError: 'shut'",
    "blind": "blind, of another package, failed in scan: ValueError: blind",
}
FAULTY = """
def made(): pass
class Mute: pass
class Unset(Mat):
    Settings = dict
class Bare(Mat):
    class Settings(settings.Settings, frozen=True): pass
class Shut(Mat):
    def __init__(self, settings): raise KeyError("shut")
class Blind(Mat):
    def scan(self): raise ValueError("blind")
class Vague(Mat):
    class Settings(settings.Settings, frozen=True):
        channels = property(lambda self: 1 // 0)
        pins = ()
"""
HALF = """
def made(): pass
class Half:
    Settings = Lamps.Settings
    def show(self, picture): pass
class Fading(Lamps):
    refresh = 1.5
class Late(Lamps):
    refresh = "soon"
class Burnt(Lamps):
    def show(self, picture): raise OSError("burnt")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path with drivers of others."""
    points = {
        "tablelight.scanners": {"mat": "mat_driver:Mat", "gpio_matrix": "mat_driver:Mute"}
        | {name: where for name, (where, _) in BROKEN.items()}
        | {name: f"mat_driver:{name.title()}" for name in (*RAISING, "vague")},
        "tablelight.lights": {
            "lamps": "lamps_driver:Lamps",
            "twice": "lamps_driver:Lamps",
            "burnt": "lamps_driver:Burnt",
            "fading": "lamps_driver:Fading",
        }
        | {name: where for name, (where, _) in DARK.items()},
    }
    modules = {"mat_driver": SCANNER + FAULTY, "lamps_driver": LIGHTS + HALF, "mat_ends": "raise SystemExit(3)"}
    install(tmp_path, "more-drivers", points, modules)
    install(tmp_path, "yet-more", {"tablelight.lights": {"twice": "lamps_driver:Lamps"}}, {})
    monkeypatch.syspath_prepend(tmp_path)
    for module in modules:
        monkeypatch.delitem(sys.modules, module, raising=False)
    return tmp_path


def test_a_board_file_names_drivers_of_others_and_sets_them(folder: Path) -> None:
    board = read("[scanner]\nkind = 'mat'\nkeys = 70\n[lights]\nkind = 'lamps'\nhue = 3\n", folder)
    scanner, lights = board.open_scanner(), board.open_lights()
    assert scanner.scan() == (0,) * 70
    assert (lights.pixels, board.lights.settings.hue) == (board.length, 3)


def test_their_settings_are_checked_like_ours(folder: Path) -> None:
    assert refused("[scanner]\nkind = 'mat'\ncolour = 1\n", folder).startswith("scanner.colour: there is no such key")


def test_all_are_listed_and_ours_first(folder: Path) -> None:
    assert names("lights", installed=True) == (*names("lights"), *sorted({"lamps", "twice", "burnt", "fading", *DARK}))
    assert "mat" not in names("scanners")


def test_ours_cannot_be_replaced(folder: Path) -> None:
    assert find("scanners", "gpio_matrix").__module__ == "hardware.scanners.gpio_matrix"
    assert names("scanners", installed=True).count("gpio_matrix") == 1


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_one_is_refused_in_one_sentence(folder: Path, name: str) -> None:
    where, fault = BROKEN[name]
    sentence = refused(f"[scanner]\nkind = '{name}'\n", folder)
    assert sentence.startswith(f"scanner.kind: {name} ({where} of more-drivers) ")
    assert sentence.endswith(fault)


@pytest.mark.parametrize("name", DARK)
def test_broken_lights_are_refused_in_one_sentence(folder: Path, name: str) -> None:
    where, fault = DARK[name]
    assert refused(f"[lights]\nkind = '{name}'\n", folder) == f"lights.kind: {name} ({where} of more-drivers) {fault}"


@pytest.mark.parametrize("name", RAISING)
def test_what_one_raises_is_told_in_one_sentence(folder: Path, name: str) -> None:
    board = read(f"[scanner]\nkind = '{name}'\n[lights]\nkind = 'lamps'\n", folder)
    with pytest.raises(DeviceError) as told:
        board.open_scanner().scan()
    assert str(told.value) == RAISING[name]


def test_settings_that_raise_are_told_in_one_sentence(folder: Path) -> None:
    fault = "scanner: vague failed to tell its channels: ZeroDivisionError: integer division or modulo by zero"
    assert refused("[scanner]\nkind = 'vague'\n", folder) == fault


def test_the_game_goes_on_without_lights_that_raise(folder: Path) -> None:
    lights = read("[scanner]\nkind = 'mat'\n[lights]\nkind = 'burnt'\n", folder).open_lights()
    output = LightOutput(lights, ("a1",), LightSettings())
    output.show(Scene(), 0.0, fresh=True)
    assert [event.name for event in output.troubles()] == ["unlit"]


@pytest.mark.parametrize("chosen", [("--scanner", "shut"), ("--lights", "half"), ("--scanner", "function")])
def test_a_player_reads_the_sentence_and_no_traceback(
    folder: Path, chosen: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "zong-heng", "--no-record", *chosen]) == 2
    said = capsys.readouterr().err
    assert said.startswith("tablelight: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize(("kind", "refresh"), [("lamps", None), ("fading", 1.5)])
def test_lights_of_others_hold_their_picture_unless_they_tell_how_soon_they_forget(
    folder: Path, kind: str, refresh: float | None
) -> None:
    board = read(f"[scanner]\nkind = 'mat'\n[lights]\nkind = '{kind}'\n", folder)
    assert board.strip(board.open_lights(), tuple(board.places)).refresh == refresh


def test_two_of_one_name_are_refused(folder: Path) -> None:
    both = r"lamps_driver:Lamps of more-drivers and lamps_driver:Lamps of yet-more"
    with pytest.raises(DeviceError, match=f"two packages offer lights named twice: {both}; uninstall one of them"):
        find("lights", "twice")


def test_one_that_is_not_there_is_told_with_all_that_are(folder: Path) -> None:
    with pytest.raises(
        DeviceError,
        match=r"there is no 'candles' among the lights; there are leds0, .*, lamps, late, nowhere, twice$",
    ):
        find("lights", "candles")


@pytest.mark.parametrize("kind", ["scanners", "lights"])
def test_ours_keep_the_contract_that_others_are_held_to(kind: backends.Kind) -> None:
    for name in {*names(kind)} - {"ws281x"}:  # its library is not everywhere
        assert lacks(kind, find(kind, name)) == ""


def test_the_metadata_of_packages_are_not_read_for_ours() -> None:
    program = "import sys; from hardware.backends import find; find('lights', 'terminal'); "
    program += "print('importlib.metadata' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "False\n"
