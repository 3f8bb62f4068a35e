"""How others find the page: its address with the token, as a line, in half blocks for a terminal, or as a drawing."""

from __future__ import annotations

import socket
from contextlib import suppress
from io import BytesIO, StringIO

JOIN = "?join"
"""What asks the page to offer a seat at once."""


def url(host: str, port: int | str, token: str = "", query: str = "") -> str:
    """The URL of the page where it listens at `host` and `port`."""
    if host.strip("[]") in ("0.0.0.0", "::", ""):
        host = own_address()
    name = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"http://{name}:{port}/{query}" + (f"#{token}" if token else "")


def own_address() -> str:
    """The address of this computer in its network, else its name."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(("192.0.2.1", 9))  # nothing is sent: it only chooses the way out
        return str(asking.getsockname()[0])
    return socket.gethostname()


def in_terminal(text: str) -> str:
    """`text` as a QR code of half blocks."""
    import segno  # only for a page on the network

    drawn = StringIO()
    segno.make(text, micro=False).terminal(drawn, compact=True)
    return drawn.getvalue().rstrip("\n")


def drawing(text: str) -> str:
    """`text` as a QR code, an ``<svg>`` as large as what it is put into."""
    import segno

    drawn = BytesIO()
    segno.make(text, micro=False).save(drawn, "svg", xmldecl=False, omitsize=True, border=2, dark="#000", light="#fff")
    return drawn.getvalue().decode()
