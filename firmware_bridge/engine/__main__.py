"""The search as a process; the daemon starts it, with one end of a socket pair.

python -m firmware_bridge.engine --fd 5
"""

from __future__ import annotations

import argparse
import select
import socket
import sys
from collections.abc import Iterator

from firmware_bridge.engine.client import LARGEST, answers, pack, read_ask
from firmware_bridge.i18n import print_lines
from firmware_bridge.worker import BEAT_EVERY, LOWEST, Pulse, begin_work
from games.rules import OptionError


def main() -> int:
    """Answer questions until the daemon closes its end; the exit status."""
    begin_work(LOWEST)  # nothing may hold up the scan loop
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fd", type=int, required=True, help="a SOCK_SEQPACKET socket to the daemon")
    with socket.socket(fileno=parser.parse_args().fd) as daemon:
        try:
            for data in questions(daemon, pulse := Pulse(daemon)):
                answer_all(daemon, data, pulse)
        except OptionError as fault:  # of another distribution: its game, or the program that it asks
            print_lines(f"tablelight: {fault}", file=sys.stderr)
            return 1
    return 0


def questions(daemon: socket.socket, pulse: Pulse) -> Iterator[bytes]:
    """The packets that come, until the daemon closes its end."""
    poll = select.poll()
    poll.register(daemon, select.POLLIN)
    while True:
        pulse()
        if poll.poll(1000 * BEAT_EVERY):
            try:
                data = daemon.recv(LARGEST)
            except ConnectionResetError:  # the daemon has ended and left beats unread
                return
            if not data:
                return
            yield data


def answer_all(daemon: socket.socket, data: bytes, pulse: Pulse) -> None:
    """Answer the question in `data` until another one comes, or the daemon ends."""
    poll = select.poll()
    poll.register(daemon, select.POLLIN)

    def stop() -> bool:
        pulse()
        return bool(poll.poll(0))

    asked = read_ask(data)
    if not asked:
        return
    try:
        for answer in answers(asked, stop=stop):
            daemon.send(pack(answer))
    except BrokenPipeError:  # the daemon has ended; `recv` will say so too
        return


if __name__ == "__main__":
    raise SystemExit(main())
