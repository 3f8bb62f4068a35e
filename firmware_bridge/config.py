"""The configuration: one TOML file, read once, with bounds; an unknown key or a bad value is refused by name."""

from __future__ import annotations

import dataclasses
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, field
from msgspec.structs import replace

from firmware_bridge.clocks import LONGEST, Clock, clocks, control
from firmware_bridge.daemon import DaemonOptions
from firmware_bridge.engine.advice import Assistant
from firmware_bridge.engine.client import LocalSearch, ProcessSearch
from firmware_bridge.lessons import Progress, Tutor
from firmware_bridge.lighting import PALETTES, LightSettings
from firmware_bridge.link import Partner
from firmware_bridge.reading import Debounce, Patience
from firmware_bridge.reading.constants import Own, load
from firmware_bridge.records import MOST, Record, Shelf
from firmware_bridge.score import NAMELESS, PEOPLE, people
from games.rules import OptionError, usual_game
from hardware.board import USUAL
from hardware.settings import Settings, SettingsError, convert, plain, read_toml

if TYPE_CHECKING:  # loaded where one is kept
    from firmware_bridge.records import Trace

Level = Annotated[int, Meta(ge=0, le=8)]
HostName = Annotated[str, Meta(pattern="^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$")]
"""A name of a computer, without a port; 253 characters at most (RFC 1035)."""


class GameConfig(Settings, frozen=True):
    """What is played, and by whom.

    `levels` are those of the first and the second player: 0 is a person, 1 to 8 the engine. `clock`: how time is given,
    as `firmware_bridge.clocks` reads it; empty or ``off`` for none. `names`: what the people are called, if that is
    always the same.
    """

    name: str = field(default_factory=usual_game)
    options: dict[str, int | str] = {}
    house_rule: bool = True
    levels: tuple[Level, Level] = PEOPLE
    clock: Annotated[str, Meta(max_length=LONGEST)] = ""
    names: tuple[str, str] = NAMELESS

    def __post_init__(self) -> None:
        try:
            control(self.clock)
            people(self.names)
        except OptionError as error:
            raise SettingsError(f"game.{error}") from None

    @property
    def clocks(self) -> Clock | None:
        """The clocks of a new game."""
        return clocks(self.clock)


class TableConfig(Settings, frozen=True):
    """How the table reads hands; times in seconds.

    `sense`: what the sensors of the simulated table tell. None means presence, and on the page all there is to tell.
    `constants`: the file with those of this table, as `tablelight fit` writes it; empty for the usual ones.
    """

    board: str = USUAL
    sense: Literal["presence", "colour", "count"] | None = None
    debounce: Annotated[float, Meta(ge=0, le=0.1)] = 0.005
    settle: Annotated[float, Meta(ge=0.05, le=10)] = 0.4
    undo: Annotated[float, Meta(ge=0.5, le=60)] = 2.0
    left_off: Annotated[float, Meta(ge=0.5, le=60)] = 3.0
    constants: Annotated[str, Meta(max_length=1000)] = ""

    def __post_init__(self) -> None:
        _check_path("table.constants", self.constants)

    def own_constants(self) -> Own:
        """The constants of this table; SettingsError. They are read once, so that no later fault stops an evening."""
        return _own(Path(self.constants).expanduser()) if self.constants else {}


@cache
def _own(path: Path) -> Own:
    try:
        return load(path)
    except SettingsError as error:
        raise SettingsError(f"table.constants: {error}") from None


class LightConfig(Settings, frozen=True):
    """How the lights show a game.

    `brightness` is 0-255. `supply` is in mA; None means what the board says. `hints`: when the lights show good turns.
    """

    mode: Literal["coach", "referee", "quiet"] = "coach"
    hints: Literal["off", "button", "always"] = "button"
    palette: Literal["default", "clear", "dim"] = "default"
    brightness: Annotated[int, Meta(ge=0, le=255)] = 128
    supply: Annotated[int, Meta(ge=0, le=60000)] | None = None


class RecordConfig(Settings, frozen=True):
    """Where games are kept.

    An empty `folder` means the user's own state folder. Beyond `most` records those without a turn and then the oldest
    are removed. `trace` is a file for every scan; empty for none.
    """

    keep: bool = True
    folder: Annotated[str, Meta(max_length=1000)] = ""
    most: Annotated[int, Meta(ge=20, le=100_000)] = MOST
    trace: Annotated[str, Meta(max_length=1000)] = ""

    def __post_init__(self) -> None:
        for key, text in (("folder", self.folder), ("trace", self.trace)):
            _check_path(f"record.{key}", text)
        if self.trace and not Path(self.trace).name:
            raise SettingsError(f"record.trace: {plain(self.trace)!r} is a folder, where a file is to be named")

    def directory(self) -> Path:
        """The folder that records go to."""
        state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        return Path(self.folder).expanduser() if self.folder else Path(state) / "tablelight"

    def progress(self, *, kept: bool) -> Progress:
        """Which lessons were solved at this table; `kept` in a folder beside the records, for theirs has a date."""
        return Progress(self.directory() / "lessons" / "solved.json" if kept else None)

    def shelf(self) -> Shelf:
        """The folder that records go to, which knows the newest and removes what is too many."""
        return Shelf(self.directory(), self.most)


def _check_path(key: str, text: str) -> None:
    """Refuse `text` where it cannot be the name of a file or a folder; SettingsError."""
    if "\0" in text:
        raise SettingsError(f"{key}: a name of a file or folder has no NUL in it")
    try:
        Path(text).expanduser()
    except RuntimeError:
        raise SettingsError(f"{key}: {plain(text)!r} begins with a user there is not; write the path out") from None


class PageConfig(Settings, frozen=True):
    """The page in a browser: the `address` it is served at, HOST:PORT, or empty for none.

    On a network, whoever wants to change anything must show the `token`; an empty one is made anew at each start.
    `names`: what the page answers to, beside the names and addresses of this computer. `carry`: on the simulated table
    a hand of its own carries out the engine's turns. `past_games`: who may look at these there, with the names in them.
    """

    address: Annotated[str, Meta(max_length=200)] = ""
    token: Annotated[str, Meta(pattern="^([A-Za-z0-9_-]{8,64})?$")] = ""
    names: Annotated[tuple[HostName, ...], Meta(max_length=20)] = ()
    carry: bool = True
    past_games: Literal["players", "everybody"] = "players"


class SoundConfig(Settings, frozen=True):
    """What is heard: sentences spoken aloud, and the buzzer of a board that has one."""

    speech: bool = False
    buzzer: bool = True


class LinkConfig(Settings, frozen=True):
    """The broker by which tables play with each other, as `tablelight link` uses it.

    `broker`: mqtt://HOST:PORT, or mqtts://HOST:PORT for TLS. `ca`: the file of certificates that vouch for it; empty
    for those of the system. The first line of `password_file` is the password of `user`. `play`: a table that is paired
    begins with that game. `home`: the word by which Home Assistant knows this table at the broker; empty: not at all.
    """

    broker: Annotated[str, Meta(max_length=300)] = ""
    ca: Annotated[str, Meta(max_length=1000)] = ""
    user: Annotated[str, Meta(max_length=100)] = ""
    password_file: Annotated[str, Meta(max_length=1000)] = ""
    play: bool = False
    home: Annotated[str, Meta(pattern="^([a-z0-9][a-z0-9-]{0,31})?$")] = ""

    def __post_init__(self) -> None:
        for key, text in (("ca", self.ca), ("password_file", self.password_file)):
            _check_path(f"link.{key}", text)
        if self.home and not self.broker:
            raise SettingsError("link.home: Home Assistant hears of the table at a broker: name one, as link.broker")


class Config(Settings, frozen=True):
    """The whole configuration; every key may be left out."""

    game: GameConfig = GameConfig()
    table: TableConfig = TableConfig()
    lights: LightConfig = LightConfig()
    record: RecordConfig = RecordConfig()
    page: PageConfig = PageConfig()
    sound: SoundConfig = SoundConfig()
    link: LinkConfig = LinkConfig()

    def with_lights(self, **changes: str | int) -> Config:
        """The same configuration with these keys of ``lights`` changed."""
        return replace(self, lights=replace(self.lights, **changes))

    def light_settings(self) -> LightSettings:
        """How the lights show a scene."""
        lights = self.lights
        return LightSettings(lights.mode, PALETTES[lights.palette], lights.brightness)

    def daemon_options(
        self,
        record: Record | None,
        light_settings: LightSettings | None = None,
        *,
        setting: bool,
        background: bool = True,
        settled: bool = False,
        tutor: Tutor | None = None,
        partner: Partner | None = None,
    ) -> DaemonOptions:
        """The options of the daemon for one game; in the `background` a process of its own looks for turns.

        Levels of sensors that do not bounce are `settled`: they count at once.
        A lesson has a `tutor` in its place, shows all that a coach would, and leaves no trace. A game with
        another table has its `partner` there.
        """
        settings = light_settings or self.light_settings()
        return {
            "trace": None if tutor else self._new_trace(background),
            "assistant": tutor or partner or self.assistant(background=background),
            "setting": setting,
            "patience": Patience(settle=self.table.settle, undo=self.table.undo, left_off=self.table.left_off),
            "debounce": Debounce(0 if settled else self.table.debounce),
            "constants": self.table.own_constants(),
            "light_settings": dataclasses.replace(settings, mode="coach") if tutor else settings,
            "record": record,
            "supply": self.lights.supply,
        }

    def assistant(self, *, background: bool = True) -> Assistant:
        """The engine at a table; in the `background` a process of its own looks for turns."""
        return Assistant(ProcessSearch() if background else LocalSearch(), self.lights.hints)

    def _new_trace(self, background: bool) -> Trace | None:
        """A new trace for a game, if one is to be kept."""
        if not self.record.trace:
            return None
        from firmware_bridge.records import Trace

        return Trace(Path(self.record.trace).expanduser(), background=background)


def read_config(path: Path | None) -> Config:
    """The configuration in `path`, or the defaults without one; SettingsError."""
    if path is None:
        return Config()
    data = read_toml(path)
    try:
        config = convert(data, Config)
        config.table.own_constants()
        return config
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from None


def default_config() -> Path | None:
    """The user's own configuration, if there is one."""
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    path = Path(home) / "tablelight.toml"
    return path if path.exists() else None
