"""A broker that can be killed, Debian's mosquitto on a port of its own; and a proxy before it that cuts and drops."""

from __future__ import annotations

import os
import selectors
import shutil
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Lock, Thread

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
SCRIPT = Path(__file__).parents[1] / "systemd" / "broker.sh"
MISSING = "Debian's mosquitto is missing"


def free_port() -> int:
    """A port on which nothing listens."""
    with socket.socket() as asking:
        asking.bind(("127.0.0.1", 0))
        return int(asking.getsockname()[1])


class RunningBroker:
    """A broker that keeps what it is told in `folder`, so that it may be killed and started again."""

    def __init__(self, folder: Path, *lines: str) -> None:
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self._settings = folder / "mosquitto.conf"
        own = [f"listener {self.port} 127.0.0.1", f"persistence_location {folder}/", "persistence true"]
        own += ["autosave_on_changes true", "autosave_interval 1"]
        self._settings.write_text("\n".join([*own, *(lines or ["allow_anonymous true"])]) + "\n")
        self._run()

    @classmethod
    def of_club(cls, folder: Path, *tables: str) -> RunningBroker:
        """A broker as the documented command makes it, for these tables: with TLS, passwords and an access list."""
        broker = cls.__new__(cls)
        broker.port = free_port()
        broker.address = f"mqtts://localhost:{broker.port}"
        environment = {**os.environ, "BROKER_PORT": str(broker.port)}
        subprocess.run(["sh", SCRIPT, "-d", folder, *tables], env=environment, check=True, stdout=subprocess.DEVNULL)
        broker._settings = folder / "tablelight.conf"
        if os.geteuid() == 0:  # it would become a user who may not read what is here
            with broker._settings.open("a") as settings:
                settings.write("user root\n")
        broker._run()
        return broker

    def _run(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start, again after it was killed, with what it was told to keep."""
        assert MOSQUITTO
        self._process = subprocess.Popen([MOSQUITTO, "-c", self._settings], stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise AssertionError("the broker does not start")

    @property
    def pid(self) -> int:
        """The number of the process, which runs."""
        assert self._process
        return self._process.pid

    def kill(self) -> None:
        """End it as a power cut does."""
        if self._process:
            self._process.kill()
            self._process.wait()
        self._process = None


PUBLISH = 3
"""The type of an MQTT packet that carries a message (MQTT 5.0, 2.1.2)."""


class Proxy:
    """Stands before the broker on `port`, and drops this `share` (0 to 1) of all messages, whole. It can cut lines."""

    def __init__(self, port: int, luck: Random, share: float) -> None:
        self.dropped = 0
        self._to, self._luck, self._share = port, luck, share
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._door.getsockname()[1])
        self._pairs: dict[socket.socket, socket.socket] = {}
        self._held: dict[socket.socket, bytes] = {}
        self._lock = Lock()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._door, selectors.EVENT_READ)
        self._open = True
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while self._open:
            for key, _ in self._selector.select(0.1):
                line = key.fileobj
                assert isinstance(line, socket.socket)
                with self._lock:
                    if line is self._door:
                        self._accept()
                    elif line in self._pairs:
                        self._pass_on(line)

    def _accept(self) -> None:
        guest, _ = self._door.accept()
        try:
            broker = socket.create_connection(("127.0.0.1", self._to), 1.0)
        except OSError:
            guest.close()
            return
        for one, other in ((guest, broker), (broker, guest)):
            self._pairs[one], self._held[one] = other, b""
            self._selector.register(one, selectors.EVENT_READ)

    def _pass_on(self, line: socket.socket) -> None:
        try:
            data = line.recv(1 << 16)
        except OSError:
            data = b""
        if not data:
            self._close(line)
            return
        held = self._held[line] + data
        while (size := packet_size(held)) and size <= len(held):
            packet, held = held[:size], held[size:]
            if packet[0] >> 4 == PUBLISH and self._luck.random() < self._share:
                self.dropped += 1
            else:
                with suppress(OSError):
                    self._pairs[line].sendall(packet)
        if line in self._held:
            self._held[line] = held

    def _close(self, line: socket.socket) -> None:
        for each in (line, self._pairs[line]):
            self._pairs.pop(each, None)
            self._held.pop(each, None)
            self._selector.unregister(each)
            each.close()

    def cut(self) -> None:
        """Cut all lines that there are."""
        with self._lock:
            while self._pairs:
                self._close(next(iter(self._pairs)))

    def close(self) -> None:
        """Stand there no more."""
        self._open = False
        self._thread.join()
        self.cut()
        self._door.close()


def packet_size(data: bytes) -> int:
    """The length of the MQTT packet that `data` begins with (MQTT 5.0, 1.5.5); 0 if that is not known yet."""
    length = 0
    for place, byte in enumerate(data[1:5]):
        length |= (byte & 127) << 7 * place
        if byte < 128:
            return length + place + 2
    return 0
