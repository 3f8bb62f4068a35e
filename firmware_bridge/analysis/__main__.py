"""The report on a game as a process; the page's server starts it, with one end of a socket pair.

python -m firmware_bridge.analysis --fd 5 RECORD -o REPORT
"""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware_bridge.analysis.command import write_report
from firmware_bridge.analysis.moments import pack
from firmware_bridge.records import RecordError
from firmware_bridge.worker import Beat, make_file
from games.rules import OptionError
from hardware.settings import SettingsError


def main() -> int:
    """Make the report; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", type=Path, help="the record of the game")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the file to write")
    parser.add_argument("--puzzles", type=Path, help="the file in which puzzles from own games are kept")
    parser.add_argument("--fd", type=int, required=True, help="a SOCK_SEQPACKET socket to the page's server")
    wanted = parser.parse_args()

    def report(beat: Beat) -> None:
        write_report(wanted.record, wanted.output, beat, lambda moment: beat.tell(pack(moment)), wanted.puzzles)

    return make_file(wanted.fd, report, (RecordError, SettingsError, OptionError, OSError))


if __name__ == "__main__":
    raise SystemExit(main())
