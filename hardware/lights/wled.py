"""Lights of a controller that runs WLED, told over the network by DDP: one UDP datagram for up to 480 lights.

DDP (http://www.3waylabs.com/ddp/): a header of ten bytes before the channels. WLED shows its own effect again when it
has heard nothing for a while, 2.5 s unless it is set otherwise, so every picture is to be sent once more each second.

Nobody waits for the network. A datagram that the kernel has no room for is dropped, and the next second brings the
picture again. The name of the controller is looked up as the lights are opened; after a failure once more, in a thread,
for it may have another address by now. That a controller is gone is known only where the network says so.
"""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain
from struct import Struct
from threading import Thread
from typing import Annotated, Any

from msgspec import Meta

from hardware import settings
from hardware.device import DeviceError
from hardware.strip import Picture, Strip

PORT = 4048
"""The UDP port of DDP, and the only one on which WLED takes it."""
REFRESH = 1.0
"""Seconds after which a picture is sent again: two may be lost before WLED's usual 2.5 s are over."""
MOST = 480
"""Lights in one datagram: 1440 bytes, what the definition of DDP allows so that no network has to cut it."""
HEADER = Struct(">BBBBIH")
"""Flags, sequence, type of the data, destination, offset in bytes, length in bytes."""
VERSION_1, PUSH = 0x40, 0x01
"""Flags: the version of DDP; that the picture is whole, and is to be shown."""
UNNUMBERED = 0
"""No sequence: where datagrams were lost WLED would take some of the next for late ones, and drop them."""
RGB_8_BIT, DISPLAY = 0x0B, 1
"""The type of the data: three channels of eight bits; the destination: what the device shows by itself."""
NO_NETWORK = (errno.EAFNOSUPPORT, errno.EPERM, errno.EACCES, errno.ENETUNREACH)
"""What a program is told that is in no network, or kept from it."""

TELL_ALL: dict[int, tuple[int, int]] = {
    socket.AF_INET: (socket.IPPROTO_IP, 11),
    socket.AF_INET6: (socket.IPPROTO_IPV6, 25),
}
"""Linux's IP_RECVERR and IPV6_RECVERR, which Python does not name: without them a socket is told of a port that nobody
hears, and not of a computer that is off."""

LookUp = Callable[..., list[Any]]


def packets(picture: Picture) -> Iterator[bytes]:
    """The datagrams that tell `picture`. ValueError for a channel beyond 0-255."""
    channels = bytes(chain.from_iterable(picture))
    for start in range(0, len(channels), 3 * MOST):
        part = channels[start : start + 3 * MOST]
        last = PUSH if start + len(part) == len(channels) else 0
        yield HEADER.pack(VERSION_1 | last, UNNUMBERED, RGB_8_BIT, DISPLAY, start, len(part)) + part


class Wled(Strip):
    """Lights behind WLED; `look_up` finds its address, as `socket.getaddrinfo` does."""

    refresh = REFRESH

    class Settings(settings.Settings, frozen=True):
        """Where the controller is: its name in the network or its address, and the port."""

        host: Annotated[str, Meta(pattern="^[A-Za-z0-9:]([A-Za-z0-9.:_-]{0,251}[A-Za-z0-9])?$")] = "wled.local"
        port: Annotated[int, Meta(ge=1, le=65535)] = PORT

        @property
        def pins(self) -> tuple[int, ...]:
            """None: the controller has its own."""
            return ()

    def __init__(self, settings: Settings, pixels: int, look_up: LookUp = socket.getaddrinfo) -> None:
        self._settings, self._look_up = settings, look_up
        self._line: socket.socket | None = None
        self._asking: Thread | None = None
        self._failed = False
        self._address = address(settings, look_up)
        super().__init__(pixels)

    def _open(self) -> None:
        if self._failed and not (self._asking and self._asking.is_alive()):
            self._asking = Thread(target=self._find_again, name="wled", daemon=True)
            self._asking.start()
        family, where = self._address
        self._line = socket.socket(family, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        with suppress(OSError):  # a kernel that is not Linux
            self._line.setsockopt(*TELL_ALL[family], 1)
        self._line.connect(where)

    def _find_again(self) -> None:
        """In a thread, for this may take seconds: the address that the controller has by now, for the next opening."""
        with suppress(DeviceError):
            self._address = address(self._settings, self._look_up)

    def _send(self, picture: Picture) -> None:
        assert self._line
        with suppress(BlockingIOError):  # no room: the picture comes again, see above
            for packet in packets(picture):
                self._line.send(packet)
        # A network that says at once that nobody is there is heard with this picture, and not only with the next.
        fault = self._line.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if fault:
            raise OSError(fault, os.strerror(fault))

    def _release(self) -> None:
        self._failed = True
        line, self._line = self._line, None
        if line:
            line.close()

    def _advice(self, error: OSError) -> str:
        where = f"{self._settings.host} port {self._settings.port}"
        fault = error.strerror or str(error)
        if error.errno in NO_NETWORK:
            return f"the network is closed to this program ({fault}): join one; a service needs systemd/page.conf"
        return f"there is no WLED at {where} ({fault}): switch it on, or give its address in [lights]"


def address(settings: Wled.Settings, look_up: LookUp = socket.getaddrinfo) -> tuple[int, Any]:
    """The family and the address of the controller, for a socket; DeviceError. This may wait for the network."""
    try:
        family, _, _, _, where = look_up(settings.host, settings.port, type=socket.SOCK_DGRAM)[0]
    except (OSError, UnicodeError) as error:
        fault = getattr(error, "strerror", None) or str(error)
        raise DeviceError(
            f"the network knows no {settings.host} ({fault}): give the address that WLED tells as host in [lights]"
        ) from None
    return family, where


LIGHTS = Wled
