"""What any driver on an SPI bus of the Pi needs to know: how much fits into one transfer, and what errors mean."""

from __future__ import annotations

from pathlib import Path

from hardware.device import DeviceError

PINS = (7, 8, 9, 10, 11)
"""The GPIOs of bus 0: two chip selects, MISO, MOSI and the clock, which all devices on it share."""
BUFFER = 4096
"""Bytes of one transfer, unless the kernel was told otherwise."""
_BUFFER_FILE = Path("/sys/module/spidev/parameters/bufsiz")


def buffer_size() -> int:
    """Bytes that the kernel takes in one transfer."""
    try:
        return int(_BUFFER_FILE.read_text())
    except (OSError, ValueError):
        return BUFFER


def must_fit(size: int, what: str) -> None:
    """DeviceError where `what` needs more than one transfer: lights would take the gap between two for the end."""
    if size > buffer_size():
        room = 1 << (size - 1).bit_length()
        raise DeviceError(
            f"{what} need {size} bytes in one SPI transfer and the kernel takes {buffer_size()}: "
            f"add spidev.bufsiz={room} to the line in /boot/firmware/cmdline.txt and restart"
        )


def advice(path: str, error: OSError) -> str:
    """One sentence on what to do about `error` from the device `path`."""
    if isinstance(error, FileNotFoundError):
        return (
            f"there is no {path}: switch SPI on with dtparam=spi=on in /boot/firmware/config.txt "
            "(another bus than 0 needs its overlay) and restart"
        )
    if isinstance(error, PermissionError):
        return f"{path} is not open to this user: add the user to the groups spi and gpio, and log in again"
    return f"{path} does not answer ({error.strerror or error}): see that nothing else uses it, and try again"
