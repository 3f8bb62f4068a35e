"""The door of the page: who may look, who may change anything, and under which names the page answers.

A page of another site must neither read the table nor speak to it, though it runs in a browser that can reach both.
It may have its own name resolve to this computer (DNS rebinding): so the page answers only to addresses and to names
that nobody else can own. It may send requests from elsewhere: so the browser's word on where one comes from is heeded.
"""

from __future__ import annotations

import hmac
import socket
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_address, ip_network
from urllib.parse import urlsplit

from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers

from games.rules import say


def loopback(host: str) -> bool:
    """Whether `host`, a name or an address, is this computer to itself."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def address(line: ServerConnection) -> str:
    """Where the other end of a connection is, as far as one guest may have addresses: of IPv6 a network of 64 bits."""
    told = line.remote_address
    try:
        found = ip_address(told[0].partition("%")[0])
    except (TypeError, ValueError, IndexError):  # it has gone already
        return ""
    if isinstance(found, IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ip_network((int(found), 64), strict=False))


def own_names() -> frozenset[str]:
    """The names of this computer in its network: its host name, and the same as multicast DNS tells it (RFC 6762)."""
    name = socket.gethostname().lower()
    return frozenset((name, f"{name.partition('.')[0]}.local"))


@dataclass(frozen=True, slots=True)
class Access:
    """A page that only this computer can reach needs no token; anywhere else, looking is free and changing is not."""

    private: bool
    """Whether only this computer can reach the page."""
    token: str = ""
    """The token that allows changes where the page is not private; empty: none does."""
    names: frozenset[str] = frozenset()
    """The names beside localhost and addresses that the page answers to, in small letters."""

    def may_change(self, token: str) -> bool:
        """Whether those who send `token` may change anything."""
        return self.private or (bool(self.token) and hmac.compare_digest(token.encode(), self.token.encode()))

    def is_addressed(self, headers: Headers) -> bool:
        """Whether a request names this computer as its host: by an address, or by one of its names.

        A private page answers to loopback addresses alone.
        """
        host = _name(_only(headers.get_all("Host")))
        return host in self.names or loopback(host) or (not self.private and _is_address(host))

    @staticmethod
    def is_same_origin(headers: Headers) -> bool:
        """Whether the page itself opens the connection, and not a page of another site."""
        try:
            origin = urlsplit(_only(headers.get_all("Origin")))
        except ValueError:  # such as http://[
            return False
        same = origin.netloc.lower() == _only(headers.get_all("Host")).lower()
        return origin.scheme in ("http", "https") and same

    @staticmethod
    def is_from_here(headers: Headers) -> bool:
        """Whether a request may come from where the browser says that it does (Fetch Metadata, W3C).

        Links of other sites may lead to the page; nothing else of theirs may ask for it. Older browsers say nothing.
        """
        if set(headers.get_all("Sec-Fetch-Site")) <= {"same-origin", "none"}:
            return True
        told = headers.get_all("Sec-Fetch-Mode"), headers.get_all("Sec-Fetch-Dest")
        return told == (["navigate"], ["document"])


def access(private: bool, token: str = "", names: Iterable[str] = ()) -> Access:
    """Who may come in, where the page answers to these `names`, too; on a network to those of this computer as well."""
    own = frozenset() if private else own_names()
    return Access(private, token, own | {name.lower() for name in names})


def _only(values: Sequence[str]) -> str:
    """The value of a header that must be there once."""
    return values[0] if len(values) == 1 else ""


def _name(host: str) -> str:
    """``[::1]:8000``, ``127.0.0.1:8000``, ``localhost`` without the port, in small letters."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


say(
    "refused",
    strange_host="This page belongs to the computer that it runs on; open it there as http://localhost and its port.",
    strange_name="The table does not answer to this name; open the page by the address that was shown when the program "
    "was started, or put the name into the settings, as names under [page].",
    strange_origin="Another site's page wants to speak to the table, and may not; open the table's own page.",
)
