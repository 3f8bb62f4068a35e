"""A game drawn as a moving picture, as a process; the page's server starts it, with one end of a socket pair.

python -m firmware_bridge.drawing --fd 5 RECORD -o FILE.gif
"""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware_bridge.drawing.picture import Request, as_gif
from firmware_bridge.drawing.shapes import write
from firmware_bridge.records import RecordError, read_record
from firmware_bridge.worker import Beat, make_file
from hardware.settings import SettingsError


def main() -> int:
    """Draw the game; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", type=Path, help="the record of the game")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the file to write")
    parser.add_argument("--fd", type=int, required=True, help="a SOCK_SEQPACKET socket to the page's server")
    wanted = parser.parse_args()

    def draw(beat: Beat) -> None:
        def step(turn: int, turns: int) -> None:
            beat()
            beat.tell(b"%d/%d" % (turn, turns))

        sheet = read_record(wanted.record).sheet
        write(wanted.output, as_gif(Request(sheet, sheet.length, "coach", "default"), step))

    return make_file(wanted.fd, draw, (RecordError, SettingsError, OSError, ImportError))


if __name__ == "__main__":
    raise SystemExit(main())
