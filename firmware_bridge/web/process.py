"""The page's server as the daemon has it."""

from __future__ import annotations

from firmware_bridge.session.messages import LARGEST
from firmware_bridge.worker import Worker

TOKEN = "TABLELIGHT_TOKEN"
"""The environment variable by which the server learns what players must show; a command line could be read by all."""


class Server(Worker):
    """The server's process, which serves on `host` and `port`; with a `token` only who shows it may change anything."""

    def __init__(self, host: str, port: int, token: str = "") -> None:
        super().__init__("firmware_bridge.web", ("--host", host, "--port", str(port)), LARGEST)
        self.host, self.port, self.token = host, port, token

    def surroundings(self) -> dict[str, str]:
        """The daemon's environment, and the token."""
        return super().surroundings() | {TOKEN: self.token}
