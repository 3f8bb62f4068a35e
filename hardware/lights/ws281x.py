"""WS2812 lights by the library rpi_ws281x; any Pi before the 5.

Via ``spi`` (GPIO 10) it needs the groups spi and gpio; it sends 12 bytes a light, so 339 lights fit into the kernel's
usual 4096 bytes a transfer. It sends no byte ahead, so that the first light may take the start of a transfer for a bit:
where the first light flickers choose ws2812_spi. Via ``pwm`` (GPIO 18, at the cost of the analogue sound) or ``pcm``
(GPIO 21, at the cost of I2S sound) it needs root and a DMA channel.

The library crashes when it is used where it does not work, so all that it needs is looked at first.
"""

from __future__ import annotations

import atexit
import os
import re
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from hardware import settings, spi
from hardware.device import DeviceError
from hardware.strip import Order, Picture, Strip

try:
    from rpi_ws281x import PixelStrip, ws
except ImportError:
    raise DeviceError(
        "ws281x needs the library rpi_ws281x, which is compiled when installed: "
        "sudo apt install gcc python3-dev, then pip install 'tablelight[ws281x]'"
    ) from None

Via = Literal["spi", "pwm", "pcm"]
_PINS: dict[Via, int] = {"spi": 10, "pwm": 18, "pcm": 21}
_FILES: dict[Via, tuple[str, ...]] = {
    "spi": ("/dev/spidev0.0", "/dev/gpiomem"),
    "pwm": ("/dev/vcio", "/dev/mem"),
    "pcm": ("/dev/vcio", "/dev/mem"),
}
_MODEL = Path("/proc/device-tree/model")


def _look_at_the_pi() -> None:
    """DeviceError unless this is a Pi that the library may know."""
    try:
        model = _MODEL.read_text(errors="replace").rstrip("\0\n")
    except OSError:
        model = ""
    if not model.startswith("Raspberry Pi"):
        raise DeviceError(
            "ws281x lights need a Raspberry Pi and this computer is none: choose the lights terminal here"
        )
    if re.match(r"Raspberry Pi (Compute Module )?5", model):
        raise DeviceError(f"ws281x lights do not work on this {model}: choose ws2812_spi or leds0")


def transfer_size(pixels: int) -> int:
    """Bytes of the library's SPI transfer: room for four channels a light and 55 us of silence, in whole words."""
    return ((96 * pixels + 132) // 8 & ~7) + 8


class Ws281x(Strip):
    """WS2812 lights by rpi_ws281x."""

    class Settings(settings.Settings, frozen=True):
        """How the strip is driven."""

        via: Via = "spi"
        dma: Annotated[int, Meta(ge=0, le=14)] = 10
        """The DMA channel for pwm and pcm."""
        order: Order = "GRB"

        @property
        def pins(self) -> tuple[int, ...]:
            """The GPIOs that are taken."""
            return spi.PINS if self.via == "spi" else (_PINS[self.via],)

        def __post_init__(self) -> None:
            if self.dma == 5:
                raise ValueError("dma = 5 is the channel of the SD card and would destroy what is on it: take 10")

    def __init__(self, settings: Settings, pixels: int) -> None:
        self._settings = settings
        self._strip: Any = None
        super().__init__(pixels)

    def _open(self) -> None:
        _look_at_the_pi()
        if self._settings.via == "spi":
            spi.must_fit(transfer_size(self.pixels), f"{self.pixels} lights")
        for path in _FILES[self._settings.via]:
            os.close(os.open(path, os.O_RDWR))
        self._strip = self._begun()

    def _begun(self) -> Any:
        how = self._settings
        strip = PixelStrip(
            self.pixels, _PINS[how.via], dma=how.dma, strip_type=getattr(ws, f"WS2811_STRIP_{how.order}")
        )
        try:
            strip.begin()
        except RuntimeError as error:
            _forget(strip)
            raise DeviceError(f"ws281x could not open the strip ({_reason(error)}): choose ws2812_spi") from None
        return strip

    def _send(self, picture: Picture) -> None:
        for pixel, (red, green, blue) in enumerate(picture):
            self._strip[pixel] = red << 16 | green << 8 | blue
        try:
            self._strip.show()
        except RuntimeError as error:
            raise DeviceError(f"the strip on ws281x took no picture ({_reason(error)}): {_LOOK}") from None
        # By pwm and pcm a picture is only under way now; whether it arrives must be known with this call.
        if ws.ws2811_wait(self._strip._leds):
            raise DeviceError(f"the strip on ws281x took no picture (DMA error): {_LOOK}")

    def _release(self) -> None:
        strip, self._strip = self._strip, None
        if strip is not None:
            atexit.unregister(strip._cleanup)
            strip._cleanup()

    def _advice(self, error: OSError) -> str:
        path = error.filename or "/dev/spidev0.0"
        if path.startswith("/dev/spidev") or (path == "/dev/gpiomem" and isinstance(error, PermissionError)):
            return spi.advice(path, error)
        reason = "is for root only" if isinstance(error, PermissionError) else f"cannot be used ({error.strerror})"
        return f"{path} {reason}: connect the strip to GPIO 10 and choose ws2812_spi"


def _forget(strip: Any) -> None:
    """Let go of a strip that did not begin: its own clean-up would free what never was, and crash."""
    atexit.unregister(strip._cleanup)
    ws.delete_ws2811_t(strip._leds)
    strip._leds = None


_LOOK = "see that nothing else uses the bus, the DMA channel or the sound, and look into dmesg"


def _reason(error: RuntimeError) -> str:
    """What the library said, without its function's name and code."""
    return str(error).partition("(")[2].rstrip(")") or str(error)


LIGHTS = Ws281x
