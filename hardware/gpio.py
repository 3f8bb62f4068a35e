"""Finds the GPIO of the computer, once for the whole program, and says what is missing where there is none."""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gpiozero import BadPinFactory, Device, GPIOZeroError

from hardware.device import DeviceError


def open_factory() -> Any:
    """The pin factory of gpiozero, found once for the whole program; DeviceError."""
    if Device.pin_factory is None:
        with warnings.catch_warnings(record=True) as fallen_back:
            warnings.simplefilter("always")
            try:
                load_lgpio()
                Device.ensure_pin_factory()
            except (BadPinFactory, GPIOZeroError, OSError) as error:
                reasons = [str(warning.message) for warning in fallen_back]
                raise DeviceError(why_no_gpio(reasons[0] if reasons else str(error))) from None
    return Device.pin_factory


def load_lgpio() -> None:
    """Import lgpio where it is installed; OSError.

    While it loads it makes a pipe in the folder that LG_WD names and changes the current directory to it. It keeps
    the pipe open, so the folder need not stay; and the program's own directory must.
    """
    if "lgpio" in sys.modules or find_spec("lgpio") is None:
        return
    with tempfile.TemporaryDirectory(prefix="tablelight-") as folder, in_same_directory(), loading_in(folder):
        import_module("lgpio")


@contextmanager
def in_same_directory() -> Iterator[None]:
    """Come back to the current directory."""
    here = os.open(".", os.O_RDONLY)
    try:
        yield
    finally:
        os.fchdir(here)
        os.close(here)


@contextmanager
def loading_in(folder: str) -> Iterator[None]:
    """Let LG_WD name `folder`, unless it is set."""
    own = "LG_WD" not in os.environ
    os.environ.setdefault("LG_WD", folder)
    try:
        yield
    finally:
        if own:
            del os.environ["LG_WD"]


def why_no_gpio(reason: str, devices: Path = Path("/dev")) -> str:
    """A sentence for the person who has started this where no GPIO can be opened."""
    chips = sorted(devices.glob("gpiochip*"))
    if not chips:
        return f"there is no GPIO here ({devices}/gpiochip0 is missing): a wired board needs a Raspberry Pi"
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return f"no permission for {chips[0]}: add this user to the group gpio (usermod -aG gpio NAME) and log in again"
    if find_spec("lgpio") is None:
        return "the library lgpio is missing: install it with pip install 'tablelight[pi]'"
    return f"the GPIO cannot be opened: {reason}"


def over_lgpio(factory: Any) -> bool:
    """Whether this factory of gpiozero's drives its pins through lgpio."""
    module = sys.modules.get("gpiozero.pins.lgpio")
    return module is not None and isinstance(factory, module.LGPIOFactory)
