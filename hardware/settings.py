"""TOML files, read once, with bounds: every fault is named with its key, the reason and what is allowed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from hardware import files

Pin = Annotated[int, Meta(ge=0, le=27)]
"""A GPIO of the Pi's header, by its Broadcom number."""

T = TypeVar("T")
LARGEST = 32_000
"""Bytes that a settings file may have; real ones have a few thousand."""
LONGEST = 6000
"""Bytes of one of its lines: a key of ten thousand parts would take minutes."""

DIGITS = 1000
"""Digits that a number may have: Python reads none of more than 4300, and does not say where it stands."""


class SettingsError(Exception):
    """Settings that cannot be used; says file, key, reason and what is allowed."""


class Settings(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A table of a settings file; a key that is not a field is refused."""


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of the file; SettingsError."""
    try:
        text = bounded(path).decode()
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{path}: not a text file; settings are TOML in UTF-8") from None
    long = re.search(f"[0-9][0-9_]{{{DIGITS},}}", text)
    if long:
        line = text.count("\n", 0, long.start()) + 1
        raise SettingsError(f"{path}: line {line}: a number of more than {DIGITS} digits, which no setting has")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{path}: not valid TOML: {plain(str(error), 200)}") from None


def bounded(path: Path) -> bytes:
    """What the file holds, if it can be one of settings; OSError, SettingsError."""
    data = files.read(path, LARGEST)
    if len(data) > LARGEST:
        raise SettingsError(f"{path}: larger than {LARGEST} bytes, so it is no settings file")
    if max(map(len, data.split(b"\n"))) > LONGEST:
        raise SettingsError(f"{path}: a line is longer than {LONGEST} bytes, which no setting is")
    return data


def convert(data: Mapping[str, Any], kind: type[T], where: str = "") -> T:
    """`data` as a `kind`; SettingsError names the key, behind `where` (``scanner``), and what is allowed."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise SettingsError(explain(str(error), kind, where)) from None


def explain(fault: str, kind: type, where: str = "") -> str:
    """What the validation says, with the key before it and what is allowed behind it."""
    reason, _, place = fault.partition(" - at `$")
    key = place.strip("`").lstrip(".")
    unknown = re.search(r"unknown field `(.*?)`", reason, re.DOTALL)
    if unknown:
        keys = ", ".join(get_type_hints(field(kind, key)))
        return f"{dotted(where, key, plain(unknown[1]))}: there is no such key; the keys here are {keys}"
    told = plain(reason[0].lower() + reason[1:], 200)
    return f"{dotted(where, key) or 'the file'}: {told}{choices(field(kind, key))}"


def plain(text: str, most: int = 40) -> str:
    """`text` fit for a sentence: in one line, and of at most so many characters."""
    return "".join(c if c.isprintable() else "?" for c in text[:most])


def dotted(*parts: str) -> str:
    """A key from its parts."""
    return ".".join(part for part in parts if part)


def field(kind: Any, key: str) -> Any:
    """The type that `key` (``lights.mode``; empty for the whole) has in `kind`; `kind` itself where it cannot tell."""
    for part in key.split(".") if key else ():
        hints = get_type_hints(kind) if isinstance(kind, type) else {}
        kind = hints.get(part.partition("[")[0], kind)
    return kind


def choices(kind: Any) -> str:
    """The values that `kind` allows, where they are a few names; it may be left out or not."""
    names = next((each for each in (kind, *get_args(kind)) if get_origin(each) is Literal), None)
    return f"; allowed: {', '.join(map(str, get_args(names)))}" if names else ""
