"""The conversation with a micro-controller board, without the line: bytes in, bytes out, and `now` in seconds.

1. A conversation begins with ASK and HELLO. A Nano is reset when its port is opened, and its boot loader would take
   what it hears for its own and stay: so ASK is repeated only after a pause, or when the board is heard to live.
2. After every HELLO nothing is known any more: levels are asked for, and the picture is painted anew.
3. A picture is sent at once, however many frames it takes; of what is answered one frame is under way at a time. It is
   repeated, with its number, until its answer comes or the board counts as lost.
4. Snapshots are the truth. A change that is not counted right, and a beat that tells of other levels, ask for one.
5. A board that is silent, or does not answer, is lost: the port is to be closed, and opened again after a pause.

`SendQueue` numbers frames and repeats the one that waits for its answer. `PictureUpdate` makes frames of the
difference between the picture that the board holds and the one that it is to show. `ReportedLevels` are the levels
that the board has told. `Conversation` has one of each. The protocol is in docs/wire.md.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from math import inf

from hardware.device import Levels
from hardware.serial import frames
from hardware.serial.frames import (
    ANOTHER_PICTURE,
    ANOTHER_VERSION,
    ASK,
    BEAT,
    BUTTONS,
    COLOURS,
    FIRST_BUTTON,
    LAST_BUTTON,
    LOOK,
    NO_READING,
    PAINT,
    REST,
    SHOW,
    VERSION,
    Beat,
    Done,
    Event,
    Frame,
    FrameDecoder,
    Hello,
    Message,
    Readings,
    Refused,
    Snapshot,
    crc,
)

# Sending ----------------------------------------------------------------------------------------

ANSWERED = (LOOK, SHOW, REST)
"""The kinds whose answer is waited for."""
ANSWER = 0.1
"""Seconds after which a frame without an answer is sent again, besides what it takes to send it (docs/wire.md)."""
SENDINGS = 4
"""How often a frame is sent before the board counts as lost (docs/wire.md)."""
BYTE = 10 / 115_200
"""Seconds that a byte takes on the slowest line."""

# Pictures ---------------------------------------------------------------------------------------

PIXEL = 3
"""Bytes of a colour."""
NEAR = 3 * PIXEL
"""Bytes that need no painting, of which so many between two that do cost no more than another frame."""
AT_ONCE = 8
"""Frames of painting that are sent at a time: as many as a port takes, whatever they hold."""

# Levels -----------------------------------------------------------------------------------------

PRESENCE, COLOUR, SCALES = range(3)
"""The senses of a HELLO."""
COUNTED = 0x10000
"""Events are counted in 16 bits."""

# Times ------------------------------------------------------------------------------------------

GREETING = 2.5
"""Seconds from the opening of the port for which a HELLO is waited for (docs/wire.md)."""
ASK_AGAIN = 1.2
"""Seconds between two ASK: longer than a boot loader listens (docs/wire.md)."""
BEATS = 0.5
"""Seconds between two signs that the program lives."""
SILENCE = 1.5
"""Seconds of silence after which either side takes the other for lost (docs/wire.md)."""
BACK_OFF, LONGEST_BACK_OFF = 0.25, 5.0
"""Seconds between two openings of the port: the first pause, which doubles, and the longest (docs/wire.md)."""
REFUSALS = 3
"""Times that a picture may be refused before something is wrong with the board (guessed)."""
SET_BACK = 1000
"""Milliseconds by which the board's clock must have gone back to tell of a reset (guessed)."""

Check = Callable[[Hello], str]
"""What is wrong with that board for one of those who use it, in words; nothing if it will do."""


class SendQueue:
    """What one end of a line sends. One frame at most waits for an answer, and nothing else ought to be sent then."""

    def __init__(self) -> None:
        self.last_sent = -inf
        """When anything was sent last."""
        self._frame: Frame | None = None
        self._sendings = 0
        self._number = -1
        self._bytes = 0

    @property
    def waiting(self) -> bool:
        """Whether a frame waits for its answer."""
        return self._frame is not None

    def send(self, kind: int, body: bytes, now: float) -> bytes:
        """The bytes of the next frame; one whose kind is answered waits from now on."""
        self._number = (self._number + 1) % 256
        frame = Frame(kind, self._number, body)
        if kind in ANSWERED:
            self._frame, self._sendings = frame, 1
        return self._packed(frame, now)

    def resend(self, now: float) -> bytes | None:
        """The frame that waits, with its number, if it has waited long enough; None if it was sent too often."""
        if not self._frame or now - self.last_sent < ANSWER + BYTE * self._bytes:
            return b""
        if self._sendings == SENDINGS:
            return None
        self._sendings += 1
        return b"\0" + self._packed(self._frame, now)

    def acknowledge(self, number: int) -> int:
        """An answer to the frame of that number has come: the kind of what was waiting for it, 0 if nothing was."""
        return self.acknowledge_kind(self._frame.kind) if self._frame and self._frame.number == number else 0

    def acknowledge_kind(self, kind: int) -> int:
        """An answer to a frame of that kind has come, whatever its number: `kind` if one was waiting for it, else 0."""
        if not self._frame or self._frame.kind != kind:
            return 0
        self.forget()
        return kind

    def forget(self) -> None:
        """Nothing waits any more."""
        self._frame, self._bytes = None, 0

    def _packed(self, frame: Frame, now: float) -> bytes:
        data = frames.pack(frame)
        self.last_sent = now
        self._bytes += len(data)
        return data


class PictureUpdate:
    """The pictures for a strip of `pixels`: only what has changed is painted, and all of a picture is sent at once.

    A picture that comes while another is under way takes its place, unless that is complete: then it is the next, and
    those in between are skipped. All are 3 bytes a pixel: red, green, blue.
    """

    def __init__(self, pixels: int) -> None:
        self._size = PIXEL * pixels
        self._wanted: bytes | None = None
        self._held = b""
        """What the board holds, if nothing was lost on the way; what comes after its end is not known."""
        self._shown = False

    def want(self, picture: bytes) -> None:
        """Show `picture` next; what it leaves out of the strip stays dark."""
        whole = picture.ljust(self._size, b"\0")
        if whole != self._wanted:
            self._wanted, self._shown = whole, False

    @property
    def shown(self) -> bool:
        """Whether the board has said that it shows what it ought to."""
        return self._shown or self._wanted is None

    def frames(self) -> list[tuple[int, bytes]]:
        """Kind and body of the frames to send now; the last is a SHOW, unless there is more to paint than fits."""
        if self._shown or self._wanted is None:
            return []
        told = [(PAINT, self._painted(*span)) for span in islice(changed_spans(self._held, self._wanted), AT_ONCE)]
        if len(told) < AT_ONCE:
            told.append((SHOW, crc(self._wanted).to_bytes(2, "little")))
        return told

    def _painted(self, start: int, end: int) -> bytes:
        wanted = self._wanted or b""
        self._held = wanted[:end] + self._held[end:]
        return (start // PIXEL).to_bytes(2, "little") + wanted[start:end]

    def done(self) -> None:
        """The board shows what it holds."""
        self._shown = self._held == self._wanted

    def forget(self) -> None:
        """Nobody knows what the board holds: paint all of it."""
        self._held, self._shown = b"", False

    def repeat(self) -> None:
        """The board may have shown something of its own: let it show its picture again."""
        self._shown = False


def changed_spans(held: bytes, wanted: bytes) -> list[tuple[int, int]]:
    """Where to paint to make `wanted` of `held`, from left to right: first byte and end, a frame each."""
    spans: list[tuple[int, int]] = []
    for at in range(0, len(wanted), PIXEL):
        if held[at : at + PIXEL] == wanted[at : at + PIXEL]:
            continue
        start, end = spans[-1] if spans else (at, at)
        if spans and at - end <= NEAR and at - start < PIXEL * COLOURS:
            spans[-1] = (start, at + PIXEL)
        else:
            spans.append((at, at + PIXEL))
    return spans


class ReportedLevels:
    """The levels, buttons and readings of one board since its last HELLO; unknown until a snapshot has come."""

    def __init__(self, hello: Hello) -> None:
        self.levels: Levels = ()
        """A level a channel; empty while they are unknown, and for scales. The same object until one changes."""
        self.pressed: frozenset[str] = frozenset()
        """The buttons that are down."""
        self.readings: Levels = (None,) * hello.channels if hello.sense == SCALES else ()
        """What each scale shows, in its own counts; None for one that has no reading, or none yet."""
        self.known = False
        """Whether there has been a snapshot."""
        self._channels = hello.channels
        self._bits = (1, 2, 0)[hello.sense]
        self._packed = bytearray(-(-self._bits * hello.channels // 8))
        self._down = 0
        self._events = 0

    def apply_snapshot(self, told: Snapshot) -> bool:
        """Take all of it for the truth; False for one that is of another board."""
        if len(told.levels) != len(self._packed):
            return False
        self._events, self.known = told.events, True
        self._press(told.pressed)
        if told.levels != self._packed or not self.levels:
            self._packed = bytearray(told.levels)
            self.levels = self._unpacked()
        return True

    def apply_event(self, told: Event) -> bool:
        """Take over a change; False where it does not follow the last one, and a snapshot has to tell."""
        if not self.known or told.events != (self._events + 1) % COUNTED:
            return False
        if FIRST_BUTTON <= told.channel <= LAST_BUTTON:
            bit = 1 << told.channel - FIRST_BUTTON
            self._press(self._down | bit if told.level else self._down & ~bit)
        elif told.channel >= self._channels or told.level >> self._bits:
            return False
        else:
            self._change(told.channel, told.level)
        self._events = told.events
        return True

    def agrees(self, told: Beat) -> bool:
        """Whether the board sees the same."""
        return self.known and told.events == self._events and told.crc == crc(bytes((self._down,)) + self._packed)

    def apply_readings(self, told: Readings) -> None:
        """Take over what scales show."""
        after = list(self.readings)
        values = [None if value == NO_READING else value for value in told.values]
        after[told.first : told.first + len(values)] = values
        if len(after) == len(self.readings):
            self.readings = tuple(after)

    def _press(self, down: int) -> None:
        if down != self._down:
            self._down = down
            self.pressed = frozenset(name for bit, name in enumerate(BUTTONS) if down >> bit & 1)

    def _change(self, channel: int, level: int) -> None:
        byte, shift = divmod(channel * self._bits, 8)
        mask = (1 << self._bits) - 1
        self._packed[byte] = self._packed[byte] & ~(mask << shift) | level << shift
        levels = list(self.levels)
        levels[channel] = level if level < 3 else None
        self.levels = tuple(levels)

    def _unpacked(self) -> Levels:
        bits, mask = int.from_bytes(self._packed, "little"), (1 << self._bits) - 1
        levels = (bits >> channel * self._bits & mask for channel in range(self._channels)) if self._bits else ()
        return tuple(level if level < 3 else None for level in levels)


class Conversation:
    """One end of the line to the board on the port `name`."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.problem = f"the board on {name} has not answered yet: wait a moment"
        """Why there is no conversation, in a sentence; empty while there is one."""
        self.open = False
        """Whether the port ought to be open; when it turns false the port is to be closed."""
        self.hello: Hello | None = None
        """What the board is, once it has said so."""
        self.losses = 0
        """How often the conversation broke off."""
        self.resets = 0
        """How often the board was reset in the middle of one."""
        self.rested = False
        """Whether the board knows that the program ends."""
        self._checks: list[Check] = []
        self._resting = False
        self._decoder = FrameDecoder()
        self._reported: ReportedLevels | None = None
        self._update: PictureUpdate | None = None
        self._picture: bytes | None = None
        self._queue = SendQueue()
        self._needs_snapshot = False
        self._opened = self._asked = self._heard = self._retry = self._beat = -inf
        self._back_off = BACK_OFF
        self._refusals = 0
        self._clock = 0

    # What the table is told -------------------------------------------------------------------

    @property
    def levels(self) -> Levels:
        """A level a channel, the same object while nothing changes; empty while they are unknown, and for scales."""
        return self._reported.levels if self._reported else ()

    @property
    def readings(self) -> Levels:
        """What each scale shows; empty while there is no board with scales."""
        return self._reported.readings if self._reported else ()

    @property
    def pressed(self) -> frozenset[str]:
        """The buttons of the board that are down."""
        return self._reported.pressed if self._reported else frozenset()

    @property
    def ready(self) -> bool:
        """Whether the board has told who it is and what stands on the table."""
        return self._reported is not None and self._reported.known

    @property
    def shown(self) -> bool:
        """Whether the board has said that it shows the picture that it was given last."""
        return self._update is not None and self._update.shown

    def show(self, picture: bytes) -> None:
        """Show `picture`, 3 bytes a pixel, as soon as the board takes it; after a loss as well."""
        self._picture = picture
        if self._update:
            self._update.want(picture)

    def rest(self) -> None:
        """Say good-bye: the board is to leave its lights as they are, and not to wait for a program."""
        self._resting = True

    # Who uses the board -----------------------------------------------------------------------

    def require(self, check: Check) -> str:
        """Demand `check` of every board from now on; what is wrong with the present one, nothing if it will do."""
        self._checks.append(check)
        return self._fault(self.hello) if self.hello else ""

    def release(self, check: Check) -> None:
        """Demand `check` no more."""
        self._checks.remove(check)

    # The port ---------------------------------------------------------------------------------

    def wants_port(self, now: float) -> bool:
        """Whether it is time to open the port."""
        return not self.open and now >= self._retry

    def opened(self, now: float) -> None:
        """The port has been opened."""
        self._decoder.forget()
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
        self.hello = self._reported = self._update = None
        self._queue.forget()

    # What the board says ----------------------------------------------------------------------

    def receive(self, data: bytes, now: float) -> None:
        """Take in what has arrived, in whatever pieces."""
        for frame in self._decoder.feed(data):
            told = frames.message(frame)
            if told and self.open:
                self._heard = now
                self._take(told, now)

    def _take(self, told: Message, now: float) -> None:
        if isinstance(told, Hello):
            self._greet(told, now)
        elif isinstance(told, Refused) and told.why == ANOTHER_VERSION:
            self.failed(self._version_fault("another version"), now)
        elif isinstance(told, Done | Refused):
            self._answered(told, now)
        elif self._reported and self._same_clock(told.ms):
            self._apply(self._reported, told)

    def _greet(self, hello: Hello, now: float) -> None:
        fault = self._fault(hello)
        if fault:
            self.failed(fault, now)
            return
        self.resets += self.hello is not None and hello.ms < self._clock
        self._end()
        self.hello, self.problem = hello, ""
        self._reported, self._update = ReportedLevels(hello), PictureUpdate(hello.pixels)
        if self._picture is not None:
            self._update.want(self._picture)
        self._needs_snapshot, self._refusals, self._back_off = True, 0, BACK_OFF
        self._clock = hello.ms

    def _fault(self, hello: Hello) -> str:
        """What is wrong with that board, in a sentence; nothing if it will do."""
        if hello.version != VERSION:
            return self._version_fault(f"version {hello.version}")
        if hello.sense > SCALES:
            return (
                f"the board on {self._name} senses in a way ({hello.sense}) that this program does not know: update it"
            )
        return next((fault for check in self._checks if (fault := check(hello))), "")

    def _version_fault(self, version: str) -> str:
        return (
            f"the board on {self._name} speaks {version} of the protocol and this program version {VERSION}: "
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

    def _apply(self, reported: ReportedLevels, told: Snapshot | Event | Beat | Readings) -> None:
        if isinstance(told, Snapshot):
            if reported.apply_snapshot(told):
                self._needs_snapshot = False
                self._queue.acknowledge_kind(LOOK)
        elif isinstance(told, Readings):
            reported.apply_readings(told)
        elif not (reported.apply_event(told) if isinstance(told, Event) else reported.agrees(told)):
            self._needs_snapshot = True

    def _answered(self, told: Done | Refused, now: float) -> None:
        kind = self._queue.acknowledge(told.number)
        if not kind or not self._update:
            return
        if kind == REST:  # a firmware that does not know it has answered, too
            self.rested = True
            return
        if isinstance(told, Done):
            self._refusals = 0
            self._update.done()
        else:
            self._refused(self._update, told, now)

    def _refused(self, update: PictureUpdate, told: Refused, now: float) -> None:
        self._refusals += 1
        update.forget()
        if told.why != ANOTHER_PICTURE or self._refusals >= REFUSALS:
            self.failed(
                f"the board on {self._name} refuses what it is told (reason {told.why}): "
                "put the firmware on it that came with this program",
                now,
            )

    # What the board is told -------------------------------------------------------------------

    def due(self, now: float) -> bytes:
        """The bytes to send at `now`, none most of the time; `open` may turn false."""
        if self.open:
            self._check_silence(now)
        if not self.open:
            return b""
        if not self.hello:
            return self._ask(now)
        return self._resend(now) if self._queue.waiting else self._next(now)

    def _check_silence(self, now: float) -> None:
        """Give up a board that says nothing."""
        if not self.hello and now - self._opened >= GREETING:
            self.failed(
                f"nothing on {self._name} answers as a board of this table: see that it has the firmware, "
                "and that baud is what it was built for",
                now,
            )
        elif self.hello and now - self._heard >= SILENCE:
            self.failed(f"the board on {self._name} has fallen silent: see its cable, or unplug it and plug it in", now)

    def _ask(self, now: float) -> bytes:
        """ASK, with a pause in between that no boot loader outlasts, unless the board is heard."""
        pause = ANSWER if self._heard > self._asked else ASK_AGAIN
        if now - self._asked < pause:
            return b""
        self._asked = now
        return b"\0" + self._queue.send(ASK, bytes((VERSION,)), now)

    def _resend(self, now: float) -> bytes:
        data = self._queue.resend(now)
        if data is None:
            self.failed(f"the board on {self._name} does not answer: see its cable, or unplug it and plug it in", now)
        return data or b""

    def _next(self, now: float) -> bytes:
        if self._resting:
            return b"" if self.rested else self._queue.send(REST, b"", now)
        if self._needs_snapshot:
            return self._queue.send(LOOK, b"", now)
        if now - self._beat >= BEATS:
            return self._beat_now(now)
        parts = self._update.frames() if self._update else []
        return b"".join(self._queue.send(*part, now) for part in parts)

    def _beat_now(self, now: float) -> bytes:
        """A BEAT; after a pause in which the board may have lit its lights by itself, with the picture once more."""
        if now - self._queue.last_sent >= SILENCE - ANSWER and self._update:
            self._update.repeat()
        self._beat = now
        return self._queue.send(BEAT, b"", now)
