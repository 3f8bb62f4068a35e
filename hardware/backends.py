"""Finds sensor boards and strips of lights by name: one file each, loaded only when it is asked for."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import Any, Literal

from hardware.device import DeviceError

Kind = Literal["scanners", "lights"]


def names(kind: Kind) -> tuple[str, ...]:
    """The names of all backends of that kind: every file in the folder."""
    package = import_module(f"hardware.{kind}")
    return tuple(sorted(module.name for module in pkgutil.iter_modules(package.__path__)))


def find(kind: Kind, name: str) -> Any:
    """The class of the backend; it has `Settings` of its own. DeviceError names what there is, or what is missing."""
    if name not in names(kind):
        raise DeviceError(f"there is no {name[:24]!r} among the {kind}; there are {', '.join(names(kind))}")
    module = needed(f"hardware.{kind}.{name}", name)
    return module.SCANNER if kind == "scanners" else module.LIGHTS


def needed(module: str, what: str) -> Any:
    """A module that `what` needs; DeviceError names the library that is missing and how to install it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise DeviceError(
            f"{what} needs the library {error.name}: install it with pip install 'tablelight[pi]'"
        ) from None
