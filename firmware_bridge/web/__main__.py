"""The page's server as a process; the daemon starts it, with one end of a socket pair.

python -m firmware_bridge.web --fd 5 --host 127.0.0.1 --port 8000
"""

from __future__ import annotations

import argparse
import os
import socket
from pathlib import Path

from msgspec import msgpack

from firmware_bridge.session import TOKEN
from firmware_bridge.worker import begin_work

NICENESS = 10
"""The niceness of this process (`os.nice`), so that the scan loop comes first on a shared core; guessed."""


def main() -> int:
    """Serve; the exit status."""
    begin_work(NICENESS)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fd", type=int, required=True, help="a SOCK_SEQPACKET socket to the daemon")
    parser.add_argument("--host", default="127.0.0.1", help="the address to serve at (default 127.0.0.1)")
    parser.add_argument("--port", type=int, default=8000, help="the port to serve at (default 8000); 0: any")
    parser.add_argument("--token", default=os.environ.get(TOKEN, ""), help="what allows changes elsewhere")
    parser.add_argument("--name", action="append", default=[], help="a name that the page answers to, too")
    parser.add_argument("--records", type=Path, help="the folder of records, for the page of past games")
    parser.add_argument("--open-past", action="store_true", help="past games are for whoever may look at the page")
    wanted = parser.parse_args()
    daemon = socket.socket(fileno=wanted.fd)
    try:
        from firmware_bridge.web.server import run
    except ImportError as error:
        fault = f"The page needs the library {error.name}: pip install websockets brings it."
        daemon.send(msgpack.encode({"do": "failed", "fault": fault}))
        return 1
    return run(daemon, wanted.host, wanted.port, wanted.token, wanted.name, wanted.records, open_past=wanted.open_past)


if __name__ == "__main__":
    raise SystemExit(main())
