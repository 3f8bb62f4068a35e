"""What is particular to lights behind WLED: datagrams, names in the network, and that nobody waits for it."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from contextlib import suppress
from threading import Event
from typing import Any

import pytest

from hardware.device import Colour, DeviceError
from hardware.lights.wled import Wled
from hardware.settings import SettingsError, convert
from tests.hardware.ddp import Controller

RED: Colour = (255, 0, 0)


def opened(controller: Controller, pixels: int, **more: Any) -> Wled:
    """Lights at this controller."""
    return Wled(Wled.Settings(host="127.0.0.1", port=controller.port), pixels, **more)


def gradient(pixels: int) -> list[Colour]:
    return [(at % 251, at % 241, at % 239) for at in range(pixels)]


def test_a_picture_is_ten_bytes_of_header_and_three_a_light_red_first() -> None:
    controller = Controller()
    lights = opened(controller, 2)
    lights.show([(1, 2, 3), (255, 128, 0)])
    controller.lit()
    assert controller.datagrams[-1].hex(" ") == "41 00 0b 01 00 00 00 00 00 06 01 02 03 ff 80 00"
    lights.close()


@pytest.mark.parametrize(("pixels", "lengths"), [(1, [3]), (480, [1440]), (481, [1440, 3]), (512, [1440, 96])])
def test_480_lights_go_into_a_datagram_and_the_last_one_shows_them(pixels: int, lengths: list[int]) -> None:
    controller = Controller()
    lights = opened(controller, pixels)
    controller.wipe()
    lights.show(gradient(pixels))
    assert controller.lit() == gradient(pixels)
    assert [len(each) - 10 for each in controller.datagrams] == lengths
    assert [each[0] & 1 for each in controller.datagrams] == [0] * (len(lengths) - 1) + [1]
    lights.close()


@pytest.mark.parametrize("colour", [(256, 0, 0), (0, -1, 0)])
def test_a_channel_that_is_no_byte_is_refused(colour: Colour) -> None:
    lights = opened(Controller(), 1)
    with pytest.raises(ValueError, match="256"):
        lights.show([colour])
    lights.close()


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"port": 0}, "lights.port: expected `int` >= 1"),
        ({"port": 65536}, "lights.port: expected `int` <= 65535"),
        ({"host": "two words"}, "lights.host: expected `str` matching regex"),
        ({"host": ""}, "lights.host: expected `str` matching regex"),
        ({"order": "GRB"}, "lights.order: there is no such key; the keys here are host, port"),
    ],
)
def test_settings_beyond_their_bounds_are_refused(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingsError) as refused:
        convert(values, Wled.Settings, "lights")
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize("pixels", [0, 513])
def test_more_than_512_lights_are_refused(pixels: int) -> None:
    with pytest.raises(DeviceError, match=f"1 to 512 lights, not {pixels}"):
        opened(Controller(), pixels)


# The network -------------------------------------------------------------------------------------


def test_a_name_that_nobody_bears_is_refused_in_one_sentence() -> None:
    with pytest.raises(DeviceError, match=r"^the network knows no lamps\.invalid \(.+\): give the address .* as host"):
        Wled(Wled.Settings(host="lamps.invalid"), 8)


def test_a_port_that_nobody_hears_is_told_with_the_place() -> None:
    controller = Controller()
    lights = opened(controller, 8)
    controller.close()
    with pytest.raises(DeviceError, match=rf"^there is no WLED at 127\.0\.0\.1 port {controller.port} \(Connection"):
        lights.show([RED] * 8)
    lights.close()


def test_a_program_without_a_network_is_told_where_to_get_one() -> None:
    """Broadcast, which a socket may not send to unless it asks for it, is refused as it is to a service without one."""
    with pytest.raises(DeviceError, match=r"^the network is closed to this program \(Permission denied\): join one; "):
        Wled(Wled.Settings(host="255.255.255.255"), 8)


NETWORK = """
ip link set lo up && ip link add near type veth peer name far && ip addr add 10.77.0.1/24 dev near &&
ip link set near up && ip link set far up && echo 50 >/proc/sys/net/ipv4/neigh/near/retrans_time_ms
"""
"""A network of one computer, which looks for others three times, 50 ms each and not a second."""
SENDING = """
import time
from hardware.lights.wled import Wled
lights = Wled(Wled.Settings(host="10.77.0.9"), 8)
while True:
    lights.show([(255, 0, 0)] * 8)
    time.sleep(0.02)
"""


def apart(script: str) -> subprocess.CompletedProcess[str]:
    """What a script says in a network of its own."""
    return subprocess.run(["unshare", "-rn", "sh", "-ec", script], capture_output=True, text=True, timeout=20)


def test_a_controller_that_is_off_is_told_of_where_the_kernel_looks_for_it_in_vain() -> None:
    if not shutil.which("unshare") or apart(NETWORK).returncode:
        pytest.skip("no network of one's own can be made here")
    done = apart(f"{NETWORK}\nexec {sys.executable} -c '{SENDING}'")
    fault = "DeviceError: there is no WLED at 10.77.0.9 port 4048 (No route to host): switch it on, or give its address"
    assert fault in done.stderr


class Names:
    """The names of a network, in which a controller has got another address since it was first asked for."""

    def __init__(self, first: int, then: int) -> None:
        self._first, self._then = first, then
        self._asked = False
        self.may = Event()

    def look_up(self, host: str, port: int, **more: Any) -> list[Any]:
        """The first time at once, then only when it may."""
        del host, port
        asked, self._asked = self._asked, True
        if asked:
            assert self.may.wait(10)
        return socket.getaddrinfo("127.0.0.1", self._then if asked else self._first, **more)


def test_after_a_failure_the_name_is_looked_up_again_and_nobody_waits_for_that() -> None:
    before, after = Controller(), Controller()
    names = Names(before.port, after.port)
    lights = Wled(Wled.Settings(), 8, names.look_up)
    before.close()
    for _ in range(3):  # while the name is looked up
        with pytest.raises(DeviceError):
            lights.show([RED] * 8)
    names.may.set()
    while not after.lit():  # until the thread has found it
        with suppress(DeviceError):
            lights.show([RED] * 8)
    assert after.lit() == [RED] * 8
    lights.close()
