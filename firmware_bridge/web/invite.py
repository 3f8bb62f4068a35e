"""Asks people to the page: where it is, as a line, as a QR code for a phone, or by opening a browser."""

from __future__ import annotations

import ipaddress
import os
import secrets
import socket
import sys
import webbrowser
from contextlib import suppress
from io import StringIO
from threading import Thread

from firmware_bridge.config import Config
from firmware_bridge.i18n.catalogue import here
from firmware_bridge.web.mirror import Mirror
from firmware_bridge.web.process import Server
from games.rules import Reason, say
from hardware.settings import SettingsError

USUAL = "127.0.0.1:8000"
"""Where the page is served unless told otherwise: to this computer alone."""
NEXT = 10
"""How many ports are tried, from the usual one on, where nobody has asked for one."""


def open_mirror(config: Config) -> Mirror | None:
    """The page that the configuration asks for, if any; SettingsError."""
    if not config.page.address:
        return None
    host, port = address(config.page.address)
    token = "" if local(host) else config.page.token or secrets.token_urlsafe(9)
    return Mirror(Server(host, port, token))


def address(text: str) -> tuple[str, int]:
    """HOST:PORT, or one of the two; SettingsError."""
    usual, _, number = USUAL.partition(":")
    whole = text if ":" in text else f":{text}" if text.isdigit() else f"{text}:{number}"
    host, _, port = whole.rpartition(":")
    if not (port.isascii() and port.isdigit() and len(port) < 6 and 0 < int(port) < 65536):
        raise SettingsError(f"page.address: {text[:60]!r} is no address; it reads HOST:PORT, for one {USUAL}")
    return host.strip("[]") or usual, int(port)


def usual_address() -> str:
    """The usual address, or the next one that is free."""
    host, port = address(USUAL)
    return next((f"{host}:{number}" for number in range(port, port + NEXT) if free(host, number)), USUAL)


def free(host: str, port: int) -> bool:
    """Whether nobody listens there."""
    with socket.socket() as asking:
        return asking.connect_ex((host, port)) != 0


def local(host: str) -> bool:
    """Whether only this computer reaches `host`."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def url(server: Server, listening: str) -> str:
    """What is to be opened in a browser."""
    host, _, port = listening.rpartition(":")
    if host.strip("[]") in ("0.0.0.0", "::", ""):
        host = own_address()
    return f"http://{host}:{port}/" + (f"#{server.token}" if server.token else "")


def own_address() -> str:
    """The address of this computer in its network, as far as it knows."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(("192.0.2.1", 9))  # nothing is sent: it only chooses the way out
        return str(asking.getsockname()[0])
    return socket.gethostname()


def invitation(mirror: Mirror) -> str:
    """The sentence, and for a page on the network the code for a phone."""
    where = url(mirror.server, mirror.listening)
    words = here()
    told = words.say(Reason.of("invite.at", where=where))
    return f"{told}\n{words.text('invite.may')}\n{code(where)}" if mirror.server.token else told


def code(text: str) -> str:
    """`text` as a QR code of half blocks."""
    import segno  # only for a page on the network

    drawn = StringIO()
    segno.make(text, micro=False).terminal(drawn, compact=True)
    return drawn.getvalue().rstrip("\n")


def open_browser(where: str) -> None:
    """Open a browser, where there is a screen to show it; nobody waits for that."""
    if sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        Thread(target=webbrowser.open, args=(where,), daemon=True).start()


say(
    "invite",
    at="The page is at {where}",
    may="Whoever opens this address may play; without what follows the # one may watch.",
)
