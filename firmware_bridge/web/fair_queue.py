"""The requests of all guests in one fair queue, from which one at a time goes to the daemon.

1. A request costs the seconds for which it held the scan loop, as the daemon has measured them, whatever its name.
2. All guests together may take a share of the loop's time; what they took beyond that is waited for. Of one request no
   more counts for it than may be taken at once: what else the computer did in that scan is not made up for by guests.
3. Next is a request of the address that has taken least, and there of the guest that has taken least. Nothing is gained
   by having kept away: nobody who is served counts as having taken less than the one before (start-time fair queueing:
   Goyal, Vin and Cheng, SIGCOMM 1996). Nor by leaving and coming again: whoever comes is behind all that are there.
4. Another game and other sensors set the whole table up anew: they are a second apart, whoever asks.
5. What would have to wait for too long, or behind too much of its own guest, is refused with a sentence.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from math import inf
from typing import Generic, NamedTuple, Protocol, TypeVar

from games.rules import say

Who = TypeVar("Who", bound=Hashable)


class TokenBucket:
    """A token bucket: `burst` at once and `rate` a second. What is taken beyond that is owed."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst, self._left, self._last = rate, burst, burst, 0.0

    def take(self, amount: float, now: float) -> float:
        """Take `amount` at `now` (seconds): what is left, negative if it was too much."""
        self._left = min(self._burst, self._left + (now - self._last) * self._rate) - amount
        self._last = now
        return self._left


class Guest(Hashable, Protocol):
    """Whoever asks."""

    address: str
    """Where from."""

    def refuse(self, why: str) -> None:
        """Tell the guest why something is not done: the end of the id of a sentence."""

    def done(self) -> None:
        """Tell the guest that something was done."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How much is taken in; times in seconds. All are guessed."""

    share: float = 0.2
    """The share of the loop's time that all guests have together."""
    burst: float = 0.2
    """The time of the loop that they may take at once."""
    apart: float = 1.0
    """The time between two requests for another game or other sensors."""
    waiting: int = 32
    """The requests of one guest that may wait; of those for another game or other sensors, one."""
    patience: float = 3.0
    """The time after which a request is refused that is still waiting."""


class Shares(Generic[Who]):
    """What each of those who are there has taken of something that all share."""

    def __init__(self) -> None:
        self._taken: dict[Who, float] = {}
        self._level = 0.0
        """What the one had taken that was served last: nobody who is served counts as having taken less."""

    def join(self, who: Who) -> None:
        """`who` is there from now on, unless it was already, and comes after all others."""
        self._taken.setdefault(who, max(self._taken.values(), default=self._level))

    def leave(self, who: Who) -> None:
        """`who` is gone."""
        self._taken.pop(who, None)

    def least(self, waiting: Iterable[Who]) -> Who:
        """Who of these, the first of whom has waited longest, has taken least."""
        return min(waiting, key=self._taken.__getitem__)

    def charge(self, who: Who, amount: float) -> None:
        """`who` was served, and has taken `amount` by that."""
        if who in self._taken:
            self._level = max(self._taken[who], self._level)
            self._taken[who] = self._level + amount


class Waiting(NamedTuple):
    """A packed request that waits since `since`; it `begins` another game, or a table with other sensors."""

    request: bytes
    begins: bool
    since: float


class FairQueue:
    """The queue before a daemon, to which `send` gives a packet; it returns whether the packet was taken."""

    def __init__(self, send: Callable[[bytes], bool], pace: Pace | None = None) -> None:
        self._send, self._pace = send, pace or Pace()
        self._bucket = TokenBucket(self._pace.share, self._pace.burst)
        self._queues: dict[Guest, deque[Waiting]] = {}
        self._addresses: Shares[str] = Shares()
        self._guests: dict[str, Shares[Guest]] = {}
        self._served: Guest | None = None
        """Whose request the daemon has and has not told the cost of."""
        self._deaf = False
        """Whether the daemon did not take the last request that it was given."""
        self._sent = self._began = -inf
        """When a request was sent last, and one that begins a game."""

    def __bool__(self) -> bool:
        """Whether anything waits, so that `serve` is to be called again soon."""
        return any(self._queues.values())

    def has(self, guest: Guest) -> bool:
        """Whether a request of the guest waits or is being done."""
        return self._served is guest or bool(self._queues[guest])

    def join(self, guest: Guest) -> None:
        """The guest is there from now on, and may ask."""
        self._queues[guest] = deque()
        self._addresses.join(guest.address)
        self._guests.setdefault(guest.address, Shares()).join(guest)

    def leave(self, guest: Guest) -> None:
        """The guest is gone, with all that waits of it."""
        del self._queues[guest]
        self._guests[guest.address].leave(guest)
        if not any(other.address == guest.address for other in self._queues):
            self._addresses.leave(guest.address)
            del self._guests[guest.address]

    def put(self, guest: Guest, request: bytes, now: float, *, begins: bool = False) -> str:
        """Let a packed request wait from `now` (seconds): empty, or the end of the id of the sentence why not."""
        queue = self._queues[guest]
        if begins and any(waiting.begins for waiting in queue):
            return "too-soon"
        if len(queue) >= self._pace.waiting:
            return "too-fast"
        queue.append(Waiting(request, begins, now))
        return ""

    def serve(self, now: float) -> None:
        """Send what is next if it is time, and refuse what has waited too long at `now` (seconds)."""
        if self._served is None and self._bucket.take(0.0, now) >= 0.0:
            self._send_next(now)
        silent = self._deaf or (self._served is not None and now - self._sent > self._pace.patience)
        for guest, queue in self._queues.items():
            while queue and now - queue[0].since > self._pace.patience:
                late = queue.popleft()
                guest.refuse("no-answer" if silent else "too-soon" if late.begins else "too-fast")

    def _send_next(self, now: float) -> None:
        early = now - self._began < self._pace.apart
        ready = [guest for guest, queue in self._queues.items() if queue and not (early and queue[0].begins)]
        if not ready:
            return
        ready.sort(key=lambda guest: self._queues[guest][0].since)
        address = self._addresses.least(guest.address for guest in ready)
        guest = self._guests[address].least(guest for guest in ready if guest.address == address)
        next = self._queues[guest][0]
        self._deaf = not self._send(next.request)
        if not self._deaf:
            self._queues[guest].popleft()
            self._served, self._sent = guest, now
            self._began = now if next.begins else self._began

    def charge(self, seconds: float, now: float) -> None:
        """The daemon has done the request that it had, in so many `seconds`; told at `now`."""
        guest, self._served = self._served, None
        if guest is None:
            return
        guest.done()
        self._bucket.take(min(seconds, self._pace.burst), now)
        self._addresses.charge(guest.address, seconds)
        if guest.address in self._guests:
            self._guests[guest.address].charge(guest, seconds)


say(
    "refused",
    too_fast="These are more requests than the table takes in; wait a moment and try again.",
    too_soon="Another game or other sensors take the table a while, and are taken once a second; wait a moment and "
    "choose again.",
    no_answer="The table does not answer just now; try again.",
)
