"""What one browser may ask of the server, so that the others never notice."""

from __future__ import annotations

from dataclasses import dataclass

from websockets.asyncio.server import ServerConnection


@dataclass(frozen=True, slots=True)
class Limits:
    """How many, how much and how often; times in seconds, sizes in bytes."""

    browsers: int = 100
    message: int = 4096
    pieces: int = 8
    """The parts that a message may come in."""
    rate: float = 50.0
    """Requests a second in the long run."""
    burst: float = 100.0
    flood: float = 200.0
    """Requests beyond that, after which whoever sends them is shown out."""
    hello: float = 10.0
    """The requests that a greeting counts for, since everything is sent anew."""
    stalled: float = 20.0
    """How long a browser may leave unread what it was sent."""
    leave: float = 0.5
    """How long it may take to leave when it is shown out."""
    waiting: int = 4
    """Refusals kept for a browser; of all else it gets the newest only."""


class Allowance:
    """So much at once, and so much a second. What is taken beyond that is owed."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst, self._left, self._last = rate, burst, burst, 0.0

    def take(self, amount: float, now: float) -> float:
        """Take `amount` at `now` (seconds): what is left, negative if it was too much."""
        self._left = min(self._burst, self._left + (now - self._last) * self._rate) - amount
        self._last = now
        return self._left


class Line(ServerConnection):
    """A connection that is cut when it sends without end, or lets answers pile up.

    The library bounds each message, but not how many pings it answers or how many empty parts a message may have.
    """

    BYTES_A_SECOND = 32_000.0
    BYTES_AT_ONCE = 256_000.0
    UNREAD = 1_000_000
    CONNECTIONS = 140
    """All that are open at once, those among them that only fetch a file."""

    def connection_made(self, transport: object) -> None:
        """Somebody has connected."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self._allowance = Allowance(self.BYTES_A_SECOND, self.BYTES_AT_ONCE)
        if len(self.server.handler_tasks) > self.CONNECTIONS:
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Something has come."""
        over = self._allowance.take(len(data), self.loop.time()) < 0
        if over or self.transport.get_write_buffer_size() > self.UNREAD:
            self.transport.abort()
        else:
            super().data_received(data)
