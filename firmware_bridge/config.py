"""The configuration: one TOML file, read once, with bounds; an unknown key or a bad value is refused by name."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Annotated, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from firmware_bridge.daemon import Looks
from firmware_bridge.debounce import Debounce
from firmware_bridge.palette import PALETTES
from firmware_bridge.table import Patience


class ConfigError(Exception):
    """A configuration that cannot be used; says file, key, reason and what is allowed."""


class GameConfig(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What is played."""

    name: str = "zong-heng"
    options: dict[str, int | str] = {}
    house_rule: bool = True


class TableConfig(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """How the table reads hands; times in seconds."""

    sense: Literal["presence", "colour", "count"] = "presence"
    debounce: Annotated[float, Meta(ge=0, le=0.1)] = 0.005
    settle: Annotated[float, Meta(ge=0.05, le=10)] = 0.4
    undo: Annotated[float, Meta(ge=0.5, le=60)] = 2.0
    left_off: Annotated[float, Meta(ge=0.5, le=60)] = 3.0


class LightConfig(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """How the lights look; `supply` in mA."""

    mode: Literal["coach", "referee", "quiet"] = "coach"
    palette: Literal["default", "clear", "dim"] = "default"
    brightness: Annotated[int, Meta(ge=0, le=255)] = 128
    supply: Annotated[int, Meta(ge=0, le=60000)] = 1000


class RecordConfig(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Where games are kept; an empty folder means the user's own state folder."""

    keep: bool = True
    folder: str = ""

    def place(self) -> Path:
        """The folder that records go to."""
        state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        return Path(self.folder).expanduser() if self.folder else Path(state) / "tablelight"


class Config(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The whole configuration; every key may be left out."""

    game: GameConfig = GameConfig()
    table: TableConfig = TableConfig()
    lights: LightConfig = LightConfig()
    record: RecordConfig = RecordConfig()

    def looks(self) -> Looks:
        """The look of the lights."""
        lights = self.lights
        return Looks(lights.mode, PALETTES[lights.palette], lights.brightness, lights.supply)

    def patience(self) -> Patience:
        """How long frames must stand."""
        return Patience(self.table.settle, self.table.undo, self.table.left_off)

    def steady(self) -> Debounce:
        """The debouncing of the sensors."""
        return Debounce(self.table.debounce)


def read_config(path: Path | None) -> Config:
    """The configuration in `path`, or the defaults without one; ConfigError."""
    if path is None:
        return Config()
    try:
        return msgspec.convert(tomllib.loads(path.read_text()), Config)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not a text file; a configuration is TOML in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from None
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {explain(str(error))}") from None


def explain(fault: str) -> str:
    """What the validation says, with the key before it and what is allowed behind it."""
    reason, _, where = fault.partition(" - at `$")
    key = where.strip("`").lstrip(".")
    unknown = re.search(r"unknown field `([^`]*)`", reason)
    if unknown:
        keys = ", ".join(get_type_hints(section(key)))
        return f"{f'{key}.' if key else ''}{unknown[1]}: there is no such key; the keys here are {keys}"
    return f"{key or 'the file'}: {reason[0].lower()}{reason[1:]}{choices(key)}"


def section(key: str) -> type:
    """The structure that `key`, empty for the whole file, names."""
    kind: type = get_type_hints(Config).get(key, Config)
    return kind


def choices(key: str) -> str:
    """The values that `key` allows, where they are a few names."""
    name, _, field = key.partition(".")
    kind = get_type_hints(section(name)).get(field)
    return f"; allowed: {', '.join(get_args(kind))}" if get_origin(kind) is Literal else ""
