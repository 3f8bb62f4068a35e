"""The report on a game as a process; the page's server starts it, with one end of a socket pair.

python -m firmware_bridge.analysis --fd 5 RECORD -o REPORT
"""

from __future__ import annotations

import argparse
import select
import signal
import socket
from pathlib import Path

from firmware_bridge.analysis import FAILED, MADE
from firmware_bridge.analysis.command import write_report
from firmware_bridge.analysis.moments import pack
from firmware_bridge.records import RecordError
from firmware_bridge.worker import Pulse, lower_priority
from games.rules import OptionError
from hardware.settings import SettingsError

NICENESS = 19
"""The value for `os.nice`: the lowest priority there is, for a report can wait."""


def main() -> int:
    """Make the report; the exit status."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends when the page does
    lower_priority(NICENESS)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", type=Path, help="the record of the game")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the file to write")
    parser.add_argument("--puzzles", type=Path, help="the file in which puzzles from own games are kept")
    parser.add_argument("--fd", type=int, required=True, help="a SOCK_SEQPACKET socket to the page's server")
    wanted = parser.parse_args()
    with socket.socket(fileno=wanted.fd) as page:
        beat = Beat(page)
        beat()
        try:
            write_report(wanted.record, wanted.output, beat, lambda moment: beat.tell(pack(moment)), wanted.puzzles)
        except (RecordError, SettingsError, OptionError, OSError):
            page.send(FAILED)
            return 1
        page.send(MADE)
    return 0


class Beat:
    """Tells `page` that the work goes on; where nobody listens there is nothing to work for."""

    def __init__(self, page: socket.socket) -> None:
        self._pulse = Pulse(page)
        self._page = page
        self._poll = select.poll()
        self._poll.register(page, 0)

    def __call__(self) -> bool:
        """False: the work goes on. SystemExit once the page has ended."""
        self._pulse()
        if self._poll.poll(0):
            raise SystemExit(1)
        return False

    def tell(self, packet: bytes) -> None:
        """Send the page what was found; SystemExit once it has ended."""
        try:
            self._page.send(packet)
        except OSError:
            raise SystemExit(1) from None


if __name__ == "__main__":
    raise SystemExit(main())
