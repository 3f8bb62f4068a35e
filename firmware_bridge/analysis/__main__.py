"""The report on a game as a process; the page's server starts it, with one end of a socket pair.

python -m firmware_bridge.analysis --fd 5 RECORD -o REPORT
"""

from __future__ import annotations

import argparse
import signal
import socket
from pathlib import Path

from firmware_bridge.analysis.command import write_report
from firmware_bridge.analysis.moments import pack
from firmware_bridge.records import RecordError
from firmware_bridge.worker import FAILED, MADE, Beat, lower_priority
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


if __name__ == "__main__":
    raise SystemExit(main())
