"""A micro-controller board in Python: it speaks docs/wire.md, in memory or over a pseudo terminal, and can go wrong.

`PretendBoard` is the chip, in whatever time its clock tells; `plugged_in` makes a line to it that the drivers find.
"""

from __future__ import annotations

import os
import pty
import random
import select
import struct
import tty
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from hardware.device import Colour, DeviceError
from hardware.serial import frames
from hardware.serial.frames import Frame
from hardware.serial.port import Port, SharedPort, Transport, share

SENSES = {"presence": 0, "colour": 1, "count": 2}
BITS = (1, 2, 0)
BEATS, SILENCE = 0.5, 1.5
READ_EACH = 0.1


class Clock:
    """Time that passes when it is told to, or behind `follow` where that is set; in seconds."""

    def __init__(self) -> None:
        self.follow: Callable[[], float] = lambda: 0.0
        self.ahead = 0.0

    def __call__(self) -> float:
        """Now."""
        return self.follow() + self.ahead

    def skip(self, seconds: float) -> None:
        """Let time pass."""
        self.ahead += seconds


class Makeup(NamedTuple):
    """What the board says of itself."""

    sense: str = "presence"
    channels: int = 64
    pixels: int = 66
    version: int = frames.VERSION


class PretendBoard:
    """The chip: `hear` what is sent to it, `step` through its work, `say` what it has to say.

    `level` tells what stands on a channel (for scales: what they show), by call or by index.
    """

    def __init__(self, level: Callable[[int], int] | Sequence[int], clock: Callable[[], float], makeup: Makeup) -> None:
        self.makeup, self.clock = makeup, clock
        self._level = level if callable(level) else level.__getitem__
        self.pressed = 0
        """A bit for each button that is down."""
        self.plugged = True
        self.mute = False
        """Whether it runs, but nothing reaches the other side."""
        self.lost = 0.0
        """The part of all bytes, either way, that is lost."""
        self.wrong = 0.0
        """The part of all bytes, either way, of which a bit is turned."""
        self.boots = 0.0
        """Seconds that its boot loader takes; a board that has one is reset when its port is opened."""
        self.hurried = 0
        """Frames that came before the answer to the one before was read: a chip has no room for them."""
        self.resting = False
        """Whether it was told that the program ends, and has heard nothing since."""
        self.asked: list[int] = []
        """The kinds of all frames that it took."""
        self.pictures: deque[tuple[Colour, ...]] = deque(maxlen=1000)
        """What its lights showed, the latest last."""
        self._random = random.Random(1)
        self.reset()

    # Faults and hands -------------------------------------------------------------------------

    def reset(self) -> None:
        """Start the program of the chip from the beginning."""
        self.pictures.append(((0, 0, 0),) * self.makeup.pixels)
        self._painted = bytearray(3 * self.makeup.pixels)
        self._cutter = frames.FrameDecoder()
        self._out = bytearray()
        self._number = self._events = self._down = 0
        self._born = self._beat = self._read = self._heard = self.clock() + self.boots
        self._amber = False
        self._seen = self._levels()
        self._greet(1)

    def garbage(self, size: int) -> None:
        """Say so many bytes that mean nothing."""
        self._out += self._random.randbytes(size)

    def forget_event(self) -> None:
        """Count a change that is never told."""
        self._events += 1

    def disturbed(self, data: bytes) -> bytes:
        """The bytes as they arrive at the other end of a bad line."""
        if not self.lost and not self.wrong:
            return data
        kept = (byte for byte in data if self._random.random() >= self.lost)
        return bytes(
            byte ^ 1 << self._random.randrange(8) if self._random.random() < self.wrong else byte for byte in kept
        )

    # What it hears ----------------------------------------------------------------------------

    def hear(self, data: bytes) -> None:
        """Take what is sent to it; its boot loader swallows it."""
        if self.clock() < self._born or self.mute:
            return
        for frame in self._cutter.feed(self.disturbed(data)):
            self.hurried += bool(self._answering(frame.number))
            self._heard, self.resting = self.clock(), False
            self.asked.append(frame.kind)
            self._do(frame)

    def _answering(self, number: int) -> int:
        """Answers to other frames that have not been fetched yet."""
        said = frames.FrameDecoder().feed(bytes(self._out))
        return sum(frame.kind in (frames.DONE, frames.REFUSED) and frame.body[0] != number for frame in said)

    def _do(self, frame: Frame) -> None:
        if frame.kind == frames.ASK and frame.body != bytes((self.makeup.version,)):
            self._say(frames.REFUSED, bytes((frame.number, frames.ANOTHER_VERSION)))
        elif frame.kind == frames.ASK:
            self._greet(0)
        elif frame.kind == frames.LOOK:
            self._say(
                frames.SNAPSHOT, struct.pack("<IHB", self._ms(), self._events % 0x10000, self._down) + self._packed()
            )
        elif frame.kind == frames.PAINT:
            self._paint(frame)
        elif frame.kind == frames.SHOW:
            self._show(frame)
        elif frame.kind == frames.REST:
            self.resting = True
            self._say(frames.DONE, bytes((frame.number,)))
        elif frame.kind != frames.BEAT:
            self._say(frames.REFUSED, bytes((frame.number, 1)))

    def _paint(self, frame: Frame) -> None:
        colours = frame.body[2:]
        at = 3 * int.from_bytes(frame.body[:2], "little")
        if len(colours) % 3 or not 3 <= len(colours) <= 48:
            self._say(frames.REFUSED, bytes((frame.number, 2)))
        elif at + len(colours) > len(self._painted):
            self._say(frames.REFUSED, bytes((frame.number, 3)))
        else:
            self._painted[at : at + len(colours)] = colours

    def _show(self, frame: Frame) -> None:
        if int.from_bytes(frame.body, "little") != frames.crc(bytes(self._painted)):
            self._say(frames.REFUSED, bytes((frame.number, frames.ANOTHER_PICTURE)))
            return
        data = self._painted
        self.pictures.append(tuple((data[at], data[at + 1], data[at + 2]) for at in range(0, len(data), 3)))
        self._say(frames.DONE, bytes((frame.number,)))

    # What it says -----------------------------------------------------------------------------

    def step(self) -> None:
        """Do what is due: tell of changes, of scales, and that it lives."""
        now = self.clock()
        if now < self._born:
            return
        self._notice()
        if now - self._beat >= BEATS:
            self._beat = now
            state = frames.crc(bytes((self._down,)) + self._packed())
            self._say(frames.BOARD_BEAT, struct.pack("<IHH", self._ms(), self._events % 0x10000, state))
        if self.makeup.sense == "count" and now - self._read >= READ_EACH:
            self._read = now
            self._weigh()
        if now - self._heard >= SILENCE and not self._amber:
            self.pictures.append(((60, 30, 0),) * self.makeup.pixels)
        self._amber = now - self._heard >= SILENCE

    def say(self) -> bytes:
        """The bytes that have not been fetched yet."""
        if self.clock() < self._born:
            return b""
        data, self._out = bytes(self._out), bytearray()
        return b"" if self.mute else self.disturbed(data)

    def _notice(self) -> None:
        seen = self._levels()
        for channel, (level, before) in enumerate(zip(seen, self._seen, strict=True)):
            if level != before:
                self._tell(channel, level)
        for button in range(8):
            if (self.pressed ^ self._down) >> button & 1:
                self._tell(frames.FIRST_BUTTON + button, self.pressed >> button & 1)
        self._seen, self._down = seen, self.pressed

    def _tell(self, channel: int, level: int) -> None:
        self._events += 1
        self._say(frames.EVENT, struct.pack("<HIBB", self._events % 0x10000, self._ms(), channel, level))

    def _weigh(self) -> None:
        for first in range(0, self.makeup.channels, 16):
            shown = range(first, min(first + 16, self.makeup.channels))
            values = b"".join(self._level(channel).to_bytes(3, "little", signed=True) for channel in shown)
            self._say(frames.READINGS, struct.pack("<IB", self._ms(), first) + values)

    def _greet(self, reset: int) -> None:
        made = self.makeup
        sense = SENSES[made.sense]
        self._say(
            frames.HELLO, struct.pack("<BBBHHBI", made.version, reset, sense, made.channels, made.pixels, 4, self._ms())
        )

    def _say(self, kind: int, body: bytes) -> None:
        self._out += frames.pack(Frame(kind, self._number, body))
        self._number = (self._number + 1) % 256
        del self._out[:-4096]  # what nobody fetches is lost

    def _ms(self) -> int:
        return max(0, round(1000 * (self.clock() - self._born)))

    def _levels(self) -> tuple[int, ...]:
        """Settled levels; scales have none."""
        bits = BITS[SENSES[self.makeup.sense]]
        return tuple(self._level(channel) for channel in range(self.makeup.channels)) if bits else ()

    def _packed(self) -> bytes:
        bits = BITS[SENSES[self.makeup.sense]]
        whole = sum(level << bits * channel for channel, level in enumerate(self._seen))
        return whole.to_bytes(-(-bits * self.makeup.channels // 8), "little")


# In memory ------------------------------------------------------------------------------------


class Memory:
    """An open port to a board in the same memory; waiting moves the board's clock."""

    def __init__(self, board: PretendBoard) -> None:
        if not board.plugged:
            raise DeviceError("there is no board: plug it in")
        self._board = board
        self.closed = False
        board.say()
        if board.boots:
            board.reset()

    def read(self) -> bytes:
        """What the board has said."""
        self._there()
        self._board.step()
        return self._board.say()

    def write(self, data: bytes) -> None:
        """Let the board hear it."""
        self._there()
        self._board.hear(data)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        if isinstance(self._board.clock, Clock):
            self._board.clock.skip(seconds)

    def close(self) -> None:
        """Let go."""
        self.closed = True

    def _there(self) -> None:
        if self.closed or not self._board.plugged:
            raise OSError(19, "No such device")


def plugged_in(board: PretendBoard, path: str = "/dev/pretend", baud: int = 1_000_000) -> SharedPort:
    """A line to the board, that the drivers find at `path`."""
    line = SharedPort(path, baud, lambda: Memory(board), board.clock)
    share(line)
    return line


# Over a pseudo terminal -----------------------------------------------------------------------


class PseudoTerminal:
    """The same board at the other end of a pseudo terminal; unplugging closes it, and the next one has another path."""

    def __init__(self, board: PretendBoard) -> None:
        self.board = board
        self._master = -1
        self.path = ""
        self.plug()

    def plug(self) -> None:
        """Plug the board in."""
        self._master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(slave)
        os.close(slave)

    def unplug(self) -> None:
        """Pull the cable."""
        master, self._master = self._master, -1
        if master >= 0:
            os.close(master)

    def serve(self, seconds: float = 0.0) -> bool:
        """Let the board hear what there is, after waiting so long at most; whether it had something to say."""
        if self._master < 0:
            return False
        select.select([self._master], [], [], seconds)
        with suppress(OSError):  # EIO: nobody has the other end open
            self.board.hear(os.read(self._master, 4096))
        self.board.step()
        said = self.board.say()
        with suppress(OSError):
            os.write(self._master, said)
        return bool(said)


class Attended:
    """The real port to a board on a pseudo terminal, which gets its turn whenever the port is used."""

    def __init__(self, terminal: PseudoTerminal, clock: Clock) -> None:
        self._terminal, self._clock = terminal, clock
        self._port = Port(terminal.path, 115_200)

    def read(self) -> bytes:
        """Let the board speak first."""
        if self._terminal.serve():
            self._port.wait(0.05)
        return self._port.read()

    def write(self, data: bytes) -> None:
        """Write, and let the board hear it."""
        self._port.write(data)
        if self._terminal.serve(0.05):
            self._port.wait(0.05)

    def wait(self, seconds: float) -> None:
        """Let the board work, and time pass."""
        self._terminal.serve()
        self._clock.skip(seconds)

    def close(self) -> None:
        """Let go."""
        self._port.close()


def attended(terminal: PseudoTerminal, clock: Clock, path: str = "/dev/pretend") -> SharedPort:
    """A line over the pseudo terminal, that the drivers find at `path`."""

    def opened() -> Transport:
        return Attended(terminal, clock)

    line = SharedPort(path, 1_000_000, opened, clock)
    share(line)
    return line
