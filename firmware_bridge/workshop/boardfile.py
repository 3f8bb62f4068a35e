"""Writes what was found out about a wiring into a board file; all else in it stays, comments too."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomlkit

from firmware_bridge.workshop.wired import Wired
from hardware.board import Board, BoardFile, build, chosen, read_board
from hardware.runs import Channels, Places, run_channels
from hardware.settings import SettingsError, convert, read_toml


def read_unwired(path: Path) -> Board:
    """The board in `path`, whatever it says of channels, with every point masked; SettingsError."""
    data = unwired(read_toml(path))
    try:
        places = tuple(convert(data, BoardFile).points.places())
        file = convert(data | {"masked": places}, BoardFile)
        return build(file, *chosen(file, "", ""))
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from None


def check_writable(target: Path) -> None:
    """Refuse a file that could not be written later, before any work is done; SettingsError."""
    if not target.parent.is_dir():
        raise SettingsError(f"{target}: there is no folder {target.parent}; make it first")
    if target.is_dir() or not os.access(target.parent, os.W_OK):
        raise SettingsError(f"{target}: no file can be written there; name another with -o")


def write_wired(source: Path, target: Path, wired: Wired) -> Path | None:
    """Write `source` with the wiring to `target`, once it reads back well; SettingsError.

    A `target` that exists is kept beside it, with ``.old`` at its end: that path is returned.
    """
    try:
        new = drafted(target, rewritten(source, wired))
        try:
            check_read_back(new, target, wired)
            shutil.copymode(target if target.exists() else source, new)
            old = kept(target)
            new.replace(target)
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        raise SettingsError(f"{target}: {error.strerror or error}; nothing was changed") from None
    return old


def drafted(target: Path, text: str) -> Path:
    """A new file beside `target` with this text, safe on disk; OSError."""
    handle, name = tempfile.mkstemp(".toml", f".{target.stem}-", target.parent)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    return Path(name)


def check_read_back(new: Path, target: Path, wired: Wired) -> None:
    """Refuse a file that does not say what was found out."""
    try:
        board = read_board(new)
    except SettingsError as error:
        raise SettingsError(str(error).replace(str(new), str(target))) from None
    if board.channels != wired.channels:
        raise SettingsError(f"{target}: the file does not read back as it was written; nothing was changed")


def kept(target: Path) -> Path | None:
    """The copy of `target` that is kept, if there is one."""
    if not target.exists():
        return None
    old = target.with_name(f"{target.name}.old")
    shutil.copy2(target, old)
    return old


def rewritten(source: Path, wired: Wired) -> str:
    """The text of `source` with the channels, the masked points and the settings of analogue sensors."""
    file = tomlkit.parse(source.read_text(encoding="utf-8"))
    places = convert(unwired(file.unwrap()), BoardFile).points.places()
    if not usable(file.unwrap().get("channels"), places):
        file["channels"] = tomlkit.table()
    at = tomlkit.inline_table()
    at.update({point: wired.channels[point] for point in places if point in wired.channels})
    file["channels"]["at"] = at
    file["masked"] = list(wired.masked(places))
    if wired.tuning:
        # a scanner that is analogue has a table: it is not the one that boards have unless they say so
        settings = wired.tuning._asdict().items()
        file["scanner"].update({key: list(value) if isinstance(value, tuple) else value for key, value in settings})
    return tomlkit.dumps(file)


def unwired(data: Mapping[str, Any]) -> dict[str, Any]:
    """A board file's tables without what is to be found out."""
    return {key: value for key, value in data.items() if key not in ("channels", "masked")}


def usable(channels: Any, places: Places) -> bool:
    """Whether a table of channels can stay as it is, but for the exceptions in it."""
    try:
        run = convert({key: value for key, value in channels.items() if key != "at"}, Channels)
        return bool(list(run_channels(run, places, ())))
    except (SettingsError, AttributeError):
        return False
