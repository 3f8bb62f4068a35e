"""The line to the other table as a process; the daemon starts it, with one end of a socket pair.

python -m firmware_bridge.link --fd 5 --pairing FILE
"""

from __future__ import annotations

import argparse
import socket
from pathlib import Path
from secrets import token_hex

from firmware_bridge.link.courier import Courier
from firmware_bridge.link.news import Agreed, pack, said
from firmware_bridge.link.pairing import LinkError, read_pairing
from firmware_bridge.worker import begin_work
from games.rules import OptionError

NICENESS = 10
"""The niceness of this process (`os.nice`), so that the scan loop comes first on a shared core; guessed."""


def main() -> int:
    """Carry messages; the exit status."""
    begin_work(NICENESS)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fd", type=int, required=True, help="a SOCK_SEQPACKET socket to the daemon")
    parser.add_argument("--pairing", type=Path, required=True, help="the file of the pairing")
    wanted = parser.parse_args()
    with socket.socket(fileno=wanted.fd) as daemon:
        try:
            from firmware_bridge.link.line import Post

            pairing = read_pairing(wanted.pairing)
            Post(Courier(pairing, wanted.pairing, token_hex(8)), daemon).run()
        except ImportError as error:
            daemon.send(pack(Agreed(fault=said("link-lacking", library=error.name or "paho"))))
            return 1
        except (LinkError, OptionError) as error:
            daemon.send(pack(Agreed(fault=said("link-broken", fault=str(error)))))
            return 1
        except OSError as error:
            daemon.send(pack(Agreed(fault=said("link-unkept", fault=error.strerror or str(error)))))
            return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
