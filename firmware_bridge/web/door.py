"""The door of the page: who may look, who may change anything, and under which names the page answers.

A page of another site must neither read the table nor speak to it, though it runs in a browser that can reach both.
It may have its own name resolve to this computer (DNS rebinding): so the page answers only to addresses and to names
that nobody else can own. It may send requests from elsewhere: so the browser's word on where one comes from is heeded.

Whoever only comes and says nothing keeps nobody out: of those the oldest leaves first, and of watchers each address has
a part. Whoever tries tokens waits ever longer. Both are as OpenSSH has them (MaxStartups, PerSourcePenalties).
"""

from __future__ import annotations

import hmac
import socket
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, ip_address, ip_network
from secrets import token_urlsafe
from typing import Protocol
from urllib.parse import urlsplit

from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers

from games.rules import say

COOKIE = "tablelight"
"""What the name of a badge's cookie begins with; then comes the port, for cookies know none."""


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


def nobody() -> tuple[str, str]:
    """The invitation where nobody else can come: none."""
    return "", ""


@dataclass(frozen=True, slots=True)
class Access:
    """A page that only this computer can reach needs no token; anywhere else, looking is free and changing is not."""

    private: bool
    """Whether only this computer can reach the page."""
    token: str = ""
    """The token that allows changes where the page is not private; empty: none does."""
    names: frozenset[str] = frozenset()
    """The names beside localhost and addresses that the page answers to, in small letters."""
    penalties: Penalties = field(default_factory=lambda: Penalties())
    """The addresses whose tokens are not looked at for a while."""
    invitation: Callable[[], tuple[str, str]] = nobody
    """The address for those who are to join, and its QR code; empty where nobody can."""
    open_past: bool = False
    """Whether whoever may look at the page may look at past games, too."""
    badge: str = field(default_factory=lambda: token_urlsafe(16))
    """What a browser that has shown the token is known by where it can show none: as a cookie, while the page runs."""

    def may_change(self, token: str) -> bool:
        """Whether those who send `token` may change anything."""
        return self.private or (bool(self.token) and hmac.compare_digest(token.encode(), self.token.encode()))

    def wears_badge(self, headers: Headers) -> bool:
        """Whether a plain request comes from a browser whose reader may change something."""
        if self.private:
            return True
        cookies = (each.strip() for told in headers.get_all("Cookie") for each in told.split(";"))
        shown = (each.partition("=")[2] for each in cookies if each.startswith(COOKIE))
        return any(hmac.compare_digest(value.encode(), self.badge.encode()) for value in shown)

    def may_look_back(self, headers: Headers) -> bool:
        """Whether a plain request may have past games, which bear the names of people."""
        return self.open_past or self.wears_badge(headers)

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

    @classmethod
    def may_be_asked(cls, headers: Headers) -> bool:
        """Whether a plain request that changes something may come from where the browser says: no link leads there.

        Programs say nothing. A form of another site says its Origin, whatever the browser.
        """
        told = set(headers.get_all("Sec-Fetch-Site")) <= {"same-origin", "none"}
        return told and (not headers.get_all("Origin") or cls.is_same_origin(headers))

    @staticmethod
    def is_from_here(headers: Headers) -> bool:
        """Whether a request may come from where the browser says that it does (Fetch Metadata, W3C).

        Links of other sites may lead to the page; nothing else of theirs may ask for it. Older browsers say nothing.
        """
        if set(headers.get_all("Sec-Fetch-Site")) <= {"same-origin", "none"}:
            return True
        told = headers.get_all("Sec-Fetch-Mode"), headers.get_all("Sec-Fetch-Dest")
        return told == (["navigate"], ["document"])


class Penalties:
    """The pauses of addresses that have sent wrong tokens, in which their tokens are not looked at; in seconds.

    The numbers are guessed: a token of before the last start is sent once by each of a reader's tabs.
    """

    FREE = 5
    """Wrong tokens without a pause."""
    FIRST, LONGEST = 1.0, 60.0
    """The pause after the next one, which doubles with each, and the longest."""
    FORGOTTEN = 600.0
    """The time without a wrong token after which all is forgotten."""
    MOST = 1000
    """Addresses that are remembered, those that failed last."""

    def __init__(self) -> None:
        self._failed: dict[str, tuple[int, float]] = {}

    def pauses(self, address: str, now: float) -> bool:
        """Whether tokens from there are not looked at now."""
        times, last = self._failed.get(address, (0, 0.0))
        return times > self.FREE and now - last < min(self.FIRST * 2.0 ** min(times - self.FREE - 1, 9), self.LONGEST)

    def fail(self, address: str, now: float) -> None:
        """A wrong token came from there."""
        times, last = self._failed.pop(address, (0, now))
        self._failed[address] = 1 if now - last > self.FORGOTTEN else times + 1, now
        if len(self._failed) > self.MOST:
            del self._failed[next(iter(self._failed))]


class Line(Protocol):
    """A connection of a guest."""

    address: str

    def cut(self) -> None:
        """End it at once."""


class Slots:
    """Who is there: strangers, who have said nothing yet or only fetch a file, and browsers, who have greeted.

    Of `strangers` one too many drives out the oldest of the address that has most of them. Of `browsers` so many are
    `kept` for those who may change something, and of the others no address has more than `each`.
    """

    def __init__(self, strangers: int, browsers: int, kept: int, each: int) -> None:
        self._most, self._browsers, self._watchers, self._each = strangers, browsers, browsers - kept, each
        self._strangers: dict[Line, str] = {}
        self._greeted: dict[Line, bool] = {}

    @property
    def full(self) -> bool:
        """Whether nobody else can greet."""
        return len(self._greeted) >= self._browsers

    def come(self, line: Line) -> None:
        """A connection was opened."""
        self._strangers[line] = line.address
        if len(self._strangers) > self._most:
            ((greediest, _),) = Counter(self._strangers.values()).most_common(1)
            next(other for other, address in self._strangers.items() if address == greediest).cut()

    def greet(self, line: Line, *, trusted: bool) -> bool:
        """A browser has greeted, perhaps again; it may change something if it is `trusted`. Whether there is room."""
        others = [other for other, may in self._greeted.items() if other is not line and not may]
        beside = sum(other.address == line.address for other in others)
        if (self.full and line not in self._greeted) or (
            not trusted and (len(others) >= self._watchers or beside >= self._each)
        ):
            return False
        self._strangers.pop(line, None)
        self._greeted[line] = trusted
        return True

    def go(self, line: Line) -> None:
        """A connection is closed."""
        self._strangers.pop(line, None)
        self._greeted.pop(line, None)


def access(
    private: bool,
    token: str = "",
    names: Iterable[str] = (),
    invite: Callable[[], tuple[str, str]] = nobody,
    *,
    open_past: bool = False,
) -> Access:
    """Who may come in, where the page answers to these `names`, too; on a network to those of this computer as well.

    `invite`, on a network, tells the address for others and its QR code. `open_past`: past games are for all who look.
    """
    own = frozenset() if private else own_names()
    invitation = nobody if private else invite
    known = own | {name.lower() for name in names}
    return Access(private, token, known, invitation=invitation, open_past=open_past)


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
