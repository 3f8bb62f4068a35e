"""A game drawn as a moving picture, as a process; the page's server starts it, with one end of a socket pair.

python -m firmware_bridge.drawing --fd 5 RECORD -o FILE.gif
"""

from __future__ import annotations

import argparse
import signal
import socket
from pathlib import Path

from firmware_bridge.drawing.picture import Request, as_gif
from firmware_bridge.drawing.shapes import write
from firmware_bridge.records import RecordError, read_record
from firmware_bridge.worker import FAILED, MADE, Beat, lower_priority
from hardware.settings import SettingsError

NICENESS = 19
"""The value for `os.nice`: the lowest priority there is, for a picture can wait."""


def main() -> int:
    """Draw the game; the exit status."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends when the page does
    lower_priority(NICENESS)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", type=Path, help="the record of the game")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the file to write")
    parser.add_argument("--fd", type=int, required=True, help="a SOCK_SEQPACKET socket to the page's server")
    wanted = parser.parse_args()
    with socket.socket(fileno=wanted.fd) as page:
        beat = Beat(page)
        beat()

        def step(turn: int, turns: int) -> None:
            beat()
            beat.tell(b"%d/%d" % (turn, turns))

        try:
            sheet = read_record(wanted.record).sheet
            write(wanted.output, as_gif(Request(sheet, sheet.length, "coach", "default"), step))
        except (RecordError, SettingsError, OSError, ImportError):
            page.send(FAILED)
            return 1
        page.send(MADE)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
