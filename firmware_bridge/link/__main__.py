"""The line to the other table as a process; the daemon starts it, with one end of a socket pair.

python -m firmware_bridge.link --fd 5 --pairing FILE    carries the game of the pairing
python -m firmware_bridge.link --fd 5 --meet FILE       makes the pairing, and ends
"""

from __future__ import annotations

import argparse
import socket
from pathlib import Path
from secrets import token_hex

from firmware_bridge.link.courier import Courier
from firmware_bridge.link.meeting import Stage
from firmware_bridge.link.news import LARGEST, Agreed, Said, pack, said
from firmware_bridge.link.pairing import LinkError, read_pairing
from firmware_bridge.worker import begin_work
from games.rules import OptionError

NICENESS = 10
"""The niceness of this process (`os.nice`), so that the scan loop comes first on a shared core; guessed."""


def main() -> int:
    """Do what is asked; the exit status."""
    begin_work(NICENESS)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fd", type=int, required=True, help="a SOCK_SEQPACKET socket to the daemon")
    path = parser.add_mutually_exclusive_group(required=True)
    path.add_argument("--pairing", type=Path, help="the file of the pairing")
    path.add_argument("--meet", type=Path, help="the file in which a pairing is to be kept")
    wanted = parser.parse_args()
    with socket.socket(fileno=wanted.fd) as daemon:
        return meet(wanted.meet, daemon) if wanted.meet else carry(wanted.pairing, daemon)


def carry(path: Path, daemon: socket.socket) -> int:
    """Carry the messages of a game until the daemon ends; the exit status."""
    try:
        from firmware_bridge.link.line import Post

        Post(Courier(read_pairing(path), path, token_hex(8)), daemon).run()
    except ImportError as error:
        daemon.send(pack(Agreed(fault=lacking(error))))
        return 1
    except (LinkError, OptionError) as error:
        daemon.send(pack(Agreed(fault=said("link-broken", fault=str(error)))))
        return 1
    except OSError as error:
        daemon.send(pack(Agreed(fault=said("link-unkept", fault=error.strerror or str(error)))))
        return 1
    return 0


def meet(path: Path, daemon: socket.socket) -> int:
    """Meet another table as the daemon asks; the exit status."""
    try:
        from firmware_bridge.link.matchmaker import Matchmaker
    except ImportError as error:
        daemon.send(pack(Stage(state="failed", fault=lacking(error))))
        daemon.recv(LARGEST)  # the daemon ends this process once it has heard that
        return 1
    Matchmaker(path, daemon).run()
    return 0


def lacking(error: ImportError) -> Said:
    """That a library is missing."""
    return said("link-lacking", library=error.name or "paho")


if __name__ == "__main__":
    raise SystemExit(main())
