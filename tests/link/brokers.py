"""A broker for tests: Debian's mosquitto in a process of its own, on a port of its own, that can be killed."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
SCRIPT = Path(__file__).parents[2] / "systemd" / "broker.sh"
MISSING = "Debian's mosquitto is missing"


def free_port() -> int:
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
        assert MOSQUITTO
        self._process = subprocess.Popen([MOSQUITTO, "-c", self._settings], stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise AssertionError("the broker does not start")

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
        self._process = None
