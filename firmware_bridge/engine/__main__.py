"""The search as a process; the daemon starts it, with one end of a socket pair.

python -m firmware_bridge.engine --fd 5
"""

from __future__ import annotations

import argparse
import select
import signal
import socket

from firmware_bridge.engine.client import LARGEST, answers, pack, read_ask
from firmware_bridge.worker import lower_priority

KINDER = 19
"""How much less this process gets than the scan loop, as `os.nice` has it."""


def main() -> int:
    """Answer until the daemon ends; the exit status."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the daemon ends first, and so this does
    lower_priority(KINDER)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fd", type=int, required=True, help="a SOCK_SEQPACKET socket to the daemon")
    with socket.socket(fileno=parser.parse_args().fd) as daemon:
        while data := daemon.recv(LARGEST):
            answer_all(daemon, data)
    return 0


def answer_all(daemon: socket.socket, data: bytes) -> None:
    """Answer the question in `data` until another one comes, or the daemon ends."""
    news = select.poll()
    news.register(daemon, select.POLLIN)
    asked = read_ask(data)
    if not asked:
        return
    try:
        for answer in answers(asked, stop=lambda: bool(news.poll(0))):
            daemon.send(pack(answer))
    except BrokenPipeError:  # the daemon has ended; `recv` will say so too
        return


if __name__ == "__main__":
    raise SystemExit(main())
