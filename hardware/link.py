"""The conversation with a micro-controller board, without the line: bytes in, bytes out, and `now` in seconds.

1. A conversation begins with ASK and HELLO. A Nano is reset when its port is opened, and its boot loader would take
   what it hears for its own and stay: so ASK is repeated only after a pause, or when the board is heard to live.
2. Every HELLO says that nothing is known any more: levels are asked for, and the picture is painted anew.
3. A picture is sent at once, however many frames it takes; of what is answered one frame is under way at a time. It is
   repeated, with its number, until its answer comes or patience ends.
4. Snapshots are the truth; a change that is not counted right, and a beat that tells of other levels, ask for one.
5. A board that is silent, or does not answer, is lost: the port is to be closed, and opened anew after a pause.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from hardware import frames
from hardware.device import Levels
from hardware.frames import (
    ANOTHER_PICTURE,
    ANOTHER_VERSION,
    ASK,
    BEAT,
    LOOK,
    REST,
    VERSION,
    Beat,
    Cutter,
    Done,
    Event,
    Hello,
    Message,
    Readings,
    Refused,
    Snapshot,
)
from hardware.painting import Painting
from hardware.sending import ANSWER, Sending
from hardware.sensed import SCALES, Sensed

GREETING = 2.5
"""Seconds from the opening of the port for which a HELLO is waited for."""
ASK_AGAIN = 1.2
"""Seconds between two ASK: longer than a boot loader listens."""
BEATS = 0.5
"""Seconds between two signs that the program lives."""
SILENCE = 1.5
"""Seconds of silence after which either side takes the other for lost."""
BACK_OFF, LONGEST_BACK_OFF = 0.25, 5.0
REFUSALS = 3
"""Times that a picture may be refused before something is wrong with the board."""
SET_BACK = 1000
"""Milliseconds by which the board's clock must have gone back to tell of a reset."""

Check = Callable[[Hello], str]
"""What is wrong with that board for one of those who use it, in words; nothing if it will do."""


class Link:
    """One end of the line to the board on the port `name`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.problem = f"the board on {name} has not answered yet: wait a moment"
        """Why there is no conversation, in a sentence; empty while there is one."""
        self.open = False
        """Whether the port ought to be open; when it turns false the port is to be closed."""
        self.hello: Hello | None = None
        """What the board is, once it has said so."""
        self.checks: list[Check] = []
        """What those who use the board demand of it."""
        self.losses = 0
        """How often the conversation broke off."""
        self.resets = 0
        """How often the board was reset in the middle of one."""
        self.parted = False
        """Whether the board knows that the program ends."""
        self._parting = False
        self._cutter = Cutter()
        self._sensed: Sensed | None = None
        self._painting: Painting | None = None
        self._picture: bytes | None = None
        self._sending = Sending()
        self._look = False
        self._opened = self._asked = self._heard = self._retry = self._beat = -inf
        self._back_off = BACK_OFF
        self._refusals = 0
        self._clock = 0

    # What the table is told -------------------------------------------------------------------

    @property
    def levels(self) -> Levels:
        """A level a channel, the same object while nothing changes; empty while they are unknown, and for scales."""
        return self._sensed.levels if self._sensed else ()

    @property
    def readings(self) -> Levels:
        """What each scale shows; empty while there is no board with scales."""
        return self._sensed.readings if self._sensed else ()

    @property
    def pressed(self) -> frozenset[str]:
        """The buttons of the board that are down."""
        return self._sensed.pressed if self._sensed else frozenset()

    @property
    def ready(self) -> bool:
        """Whether the board has told who it is and what stands on the table."""
        return self._sensed is not None and self._sensed.known

    @property
    def shown(self) -> bool:
        """Whether the board has said that it shows the picture that it was given last."""
        return self._painting is not None and self._painting.shown

    def show(self, picture: bytes) -> None:
        """Show `picture`, 3 bytes a pixel, as soon as the board takes it; after a loss as well."""
        self._picture = picture
        if self._painting:
            self._painting.want(picture)

    def part(self) -> None:
        """Say good-bye: the board is to leave its lights as they are, and not to wait for anybody."""
        self._parting = True

    # The port ---------------------------------------------------------------------------------

    def wants_port(self, now: float) -> bool:
        """Whether it is time to open the port."""
        return not self.open and now >= self._retry

    def opened(self, now: float) -> None:
        """The port has been opened."""
        self._cutter.forget()
        self._end()
        self.open = True
        self._opened, self._asked = now, -inf

    def failed(self, problem: str, now: float) -> None:
        """The port cannot be opened, or has failed, or its board is of no use: `problem` says so in a sentence."""
        self.losses += self.hello is not None
        self.open, self.problem = False, problem
        self._retry = now + self._back_off
        self._back_off = min(2 * self._back_off, LONGEST_BACK_OFF)
        self._end()

    def _end(self) -> None:
        self.hello = self._sensed = self._painting = None
        self._sending.forget()

    # What the board says ----------------------------------------------------------------------

    def receive(self, data: bytes, now: float) -> None:
        """Take in what has arrived, in whatever pieces."""
        for frame in self._cutter.feed(data):
            told = frames.message(frame)
            if told and self.open:
                self._heard = now
                self._take(told, now)

    def _take(self, told: Message, now: float) -> None:
        if isinstance(told, Hello):
            self._greeted(told, now)
        elif isinstance(told, Refused) and told.why == ANOTHER_VERSION:
            self.failed(self._misunderstood("another version"), now)
        elif isinstance(told, Done | Refused):
            self._answered(told, now)
        elif self._sensed and self._same_clock(told.ms):
            self._tell(self._sensed, told)

    def _greeted(self, hello: Hello, now: float) -> None:
        fault = self.fault(hello)
        if fault:
            self.failed(fault, now)
            return
        self.resets += self.hello is not None and hello.ms < self._clock
        self._end()
        self.hello, self.problem = hello, ""
        self._sensed, self._painting = Sensed(hello), Painting(hello.pixels)
        if self._picture is not None:
            self._painting.want(self._picture)
        self._look, self._refusals, self._back_off = True, 0, BACK_OFF
        self._clock = hello.ms

    def fault(self, hello: Hello) -> str:
        """What is wrong with that board, in a sentence; nothing if it will do."""
        if hello.version != VERSION:
            return self._misunderstood(f"version {hello.version}")
        if hello.sense > SCALES:
            return (
                f"the board on {self.name} senses in a way ({hello.sense}) that this program does not know: update it"
            )
        return next((fault for check in self.checks if (fault := check(hello))), "")

    def _misunderstood(self, version: str) -> str:
        return (
            f"the board on {self.name} speaks {version} of the protocol and this program version {VERSION}: "
            "put the firmware on it that came with this program"
        )

    def _same_clock(self, ms: int) -> bool:
        """Whether the board has not been reset meanwhile, its HELLO lost."""
        if ms + SET_BACK < self._clock:
            self.resets += 1
            self._end()
            self._opened, self._asked = self._heard, -inf
            return False
        self._clock = max(ms, self._clock)
        return True

    def _tell(self, sensed: Sensed, told: Snapshot | Event | Beat | Readings) -> None:
        if isinstance(told, Snapshot):
            if sensed.snapshot(told):
                self._look = False
                self._sending.landed(LOOK)
        elif isinstance(told, Readings):
            sensed.read(told)
        elif not (sensed.event(told) if isinstance(told, Event) else sensed.beat(told)):
            self._look = True

    def _answered(self, told: Done | Refused, now: float) -> None:
        kind = self._sending.answered(told.number)
        if not kind or not self._painting:
            return
        if kind == REST:  # a firmware that does not know it has answered, too
            self.parted = True
            return
        if isinstance(told, Done):
            self._refusals = 0
            self._painting.done()
        else:
            self._refused(self._painting, told, now)

    def _refused(self, painting: Painting, told: Refused, now: float) -> None:
        self._refusals += 1
        painting.forget()
        if told.why != ANOTHER_PICTURE or self._refusals >= REFUSALS:
            self.failed(
                f"the board on {self.name} refuses what it is told (reason {told.why}): "
                "put the firmware on it that came with this program",
                now,
            )

    # What the board is told -------------------------------------------------------------------

    def due(self, now: float) -> bytes:
        """The bytes to send at `now`, none most of the time; `open` may turn false."""
        if self.open:
            self._listen(now)
        if not self.open:
            return b""
        if not self.hello:
            return self._asking(now)
        return self._again(now) if self._sending.waiting else self._next(now)

    def _listen(self, now: float) -> None:
        """Give up a board that says nothing."""
        if not self.hello and now - self._opened >= GREETING:
            self.failed(
                f"nothing on {self.name} answers as a board of this table: see that it has the firmware, "
                "and that baud is what it was built for",
                now,
            )
        elif self.hello and now - self._heard >= SILENCE:
            self.failed(f"the board on {self.name} has fallen silent: see its cable, or unplug it and plug it in", now)

    def _asking(self, now: float) -> bytes:
        """ASK, with a pause in between that no boot loader outlasts, unless the board is heard."""
        pause = ANSWER if self._heard > self._asked else ASK_AGAIN
        if now - self._asked < pause:
            return b""
        self._asked = now
        return b"\0" + self._sending.send(ASK, bytes((VERSION,)), now)

    def _again(self, now: float) -> bytes:
        data = self._sending.again(now)
        if data is None:
            self.failed(f"the board on {self.name} does not answer: see its cable, or unplug it and plug it in", now)
        return data or b""

    def _next(self, now: float) -> bytes:
        if self._parting:
            return b"" if self.parted else self._sending.send(REST, b"", now)
        if self._look:
            return self._sending.send(LOOK, b"", now)
        if now - self._beat >= BEATS:
            return self._live(now)
        parts = self._painting.frames() if self._painting else []
        return b"".join(self._sending.send(*part, now) for part in parts)

    def _live(self, now: float) -> bytes:
        """A BEAT; after a pause in which the board may have lit its lights by itself, with the picture once more."""
        if now - self._sending.spoke >= SILENCE - ANSWER and self._painting:
            self._painting.repeat()
        self._beat = now
        return self._sending.send(BEAT, b"", now)
