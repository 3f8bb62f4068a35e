"""Who may look, and who may change anything."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from websockets.datastructures import Headers


def loopback(host: str) -> bool:
    """Whether `host`, a name or an address, is this computer to itself."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Access:
    """A page that only this computer can reach needs no token; anywhere else, looking is free and changing is not."""

    private: bool
    """Whether only this computer can reach it."""
    token: str = ""
    """What allows changes where the page is not private; empty: nothing does."""

    def may(self, token: str) -> bool:
        """Whether whoever shows `token` may change anything."""
        return self.private or (bool(self.token) and hmac.compare_digest(token.encode(), self.token.encode()))

    def known(self, headers: Headers) -> bool:
        """Whether a request is meant for this computer.

        A private page is asked for by a name of this computer alone: a name of another site that has been made to
        lead here is that site's try to look in.
        """
        host = _only(headers.get_all("Host"))
        return bool(host) and (not self.private or loopback(_name(host)))

    @staticmethod
    def own(headers: Headers) -> bool:
        """Whether it is the page itself that wants a conversation, and not a page of another site."""
        origin = urlsplit(_only(headers.get_all("Origin")))
        same = origin.netloc.lower() == _only(headers.get_all("Host")).lower()
        return origin.scheme in ("http", "https") and same


def _only(values: Sequence[str]) -> str:
    """The value of a header that must be there once."""
    return values[0] if len(values) == 1 else ""


def _name(host: str) -> str:
    """``[::1]:8000``, ``127.0.0.1:8000``, ``localhost`` without the port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
