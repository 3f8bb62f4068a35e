"""Finds sensor boards and strips of lights by name, loaded only when one is asked for.

A driver is a file in ``scanners`` or ``lights``; nothing else registers it. Other distributions offer drivers by the
entry points ``tablelight.scanners`` and ``tablelight.lights``: the name is the ``kind`` of a board file, and the value
says where the driver's class is.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from hardware.device import DeviceError
from hardware.settings import Settings, plain

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

Kind = Literal["scanners", "lights"]
CONTRACT = {
    "scanners": (("scan", "close"), ("channels", "pins")),
    "lights": (("show", "close"), ("pins",)),
}
"""What a driver's class must have, and what its `Settings`."""


def names(kind: Kind, *, installed: bool = False) -> tuple[str, ...]:
    """The names of the drivers that come with the program: every file in the folder; `installed`: all others too.

    A driver of another distribution that bears the name of one of these is left out.
    """
    package = import_module(f"hardware.{kind}")
    own = tuple(sorted(module.name for module in pkgutil.iter_modules(package.__path__)))
    return own + tuple(sorted({point.name for point in offered(kind)} - {*own})) if installed else own


def offered(kind: Kind) -> EntryPoints:
    """The drivers that other distributions offer, also those that cannot be loaded."""
    from importlib.metadata import entry_points  # 25 ms, and seldom needed

    return entry_points(group=f"tablelight.{kind}")


def find(kind: Kind, name: str) -> Any:
    """The class of the driver; it has `Settings` of its own. DeviceError names what there is, or what is missing."""
    if name in names(kind):
        module = needed(f"hardware.{kind}.{name}", name)
        return module.SCANNER if kind == "scanners" else module.LIGHTS
    points = offered(kind).select(name=name)
    if not points:
        known = ", ".join(names(kind, installed=True))
        raise DeviceError(f"there is no {plain(name, 24)!r} among the {kind}; there are {known}")
    whence = sorted(f"{point.value} of {point.dist.name if point.dist else 'an unknown package'}" for point in points)
    if len(whence) > 1:
        raise DeviceError(f"two packages offer {kind} named {name}: {' and '.join(whence)}; uninstall one of them")
    (point,) = points
    driver = _load(point, f"{name} ({whence[0]})")
    fault = lacks(kind, driver)
    if fault:
        raise DeviceError(f"{name} ({whence[0]}) cannot be one of the {kind}: {fault}")
    return driver


def _load(point: EntryPoint, what: str) -> Any:
    """What a stranger's entry point names; DeviceError."""
    try:
        return point.load()
    except (Exception, SystemExit) as error:  # whatever a stranger's module does as it is loaded
        fault = f"{type(error).__name__}: {plain(str(error), 200)}"
        raise DeviceError(f"{what} cannot be loaded: {fault}") from error


def lacks(kind: Kind, driver: object) -> str:
    """What keeps `driver` from being one of that kind, as far as its class tells; empty if nothing does."""
    methods, told = CONTRACT[kind]
    if not isinstance(driver, type):
        return "it is not a class"
    absent = [name for name in methods if not hasattr(driver, name)]
    if absent:
        return f"the class has no {', '.join(absent)}"
    own = getattr(driver, "Settings", None)
    if not (isinstance(own, type) and issubclass(own, Settings)):
        return "its Settings are not a class of hardware.settings.Settings"
    absent = [name for name in told if not hasattr(own, name)]
    if absent:
        return f"its Settings have no {', '.join(absent)}"
    refresh = getattr(driver, "refresh", None)
    seconds = refresh is None or (isinstance(refresh, int | float) and refresh > 0)
    return "" if seconds else "its refresh is neither None nor seconds above 0"


def opened(kind: Kind, name: str, driver: Any, *given: object) -> Any:
    """The device of `driver`, opened; DeviceError. Of another distribution's also every later call may raise that."""
    if name in names(kind):
        return driver(*given)
    return Foreign(_guarded(driver, f"{name}, of another package, failed")(*given), name)


class Foreign:
    """A device of another distribution: whatever it raises comes as a DeviceError that names it."""

    def __init__(self, device: object, name: str) -> None:
        self._device, self._name = device, name

    @property
    def refresh(self) -> float | None:
        """How soon lights forget their picture, in seconds; None where they do not tell."""
        return getattr(self._device, "refresh", None)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._device, name)
        return _guarded(found, f"{self._name}, of another package, failed in {name}") if callable(found) else found


def _guarded(call: Callable[..., Any], what: str) -> Callable[..., Any]:
    """`call`, but an error in it is told as a DeviceError that begins with `what`."""

    def guarded(*given: object) -> Any:
        try:
            return call(*given)
        except DeviceError:
            raise
        except Exception as error:  # whatever a stranger's device does
            raise DeviceError(f"{what}: {type(error).__name__}: {plain(str(error), 200)}") from error

    return guarded


def told_by(kind: Kind, name: str, settings: Settings) -> None:
    """See that settings tell what they must; DeviceError."""
    for asked in CONTRACT[kind][1]:
        _guarded(getattr, f"{name} failed to tell its {asked}")(settings, asked)


def needed(module: str, what: str) -> Any:
    """A module that `what` needs; DeviceError names the library that is missing and how to install it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise DeviceError(
            f"{what} needs the library {error.name}: install it with pip install 'tablelight[pi]'"
        ) from None
