"""What a house is told of the table as a process; the daemon starts it, with one end of a socket pair.

python -m firmware_bridge.home --fd 5 --name kitchen --broker mqtt://192.168.1.2
"""

from __future__ import annotations

import argparse
import socket
import time

from msgspec import msgpack

from firmware_bridge.home.house import House
from firmware_bridge.i18n import system_words
from firmware_bridge.link.news import said
from firmware_bridge.link.pairing import broker_of
from firmware_bridge.worker import BEAT, BEAT_EVERY, begin_work

NICENESS = 10
"""The niceness of this process (`os.nice`), so that the scan loop comes first on a shared core; guessed."""


def main() -> int:
    """Carry messages; the exit status."""
    begin_work(NICENESS)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fd", type=int, required=True, help="a SOCK_SEQPACKET socket to the daemon")
    parser.add_argument("--name", required=True, help="the word by which the house knows the table")
    parser.add_argument("--broker", required=True, help="the address of the broker")
    parser.add_argument("--ca", default="", help="the file of certificates that vouch for it")
    parser.add_argument("--user", default="", help="who the table is to the broker")
    parser.add_argument("--password-file", default="", help="the file whose first line is the password")
    wanted = parser.parse_args()
    broker = broker_of(wanted.broker, wanted.ca, wanted.user, wanted.password_file)[0]
    with socket.socket(fileno=wanted.fd) as daemon:
        try:
            from firmware_bridge.link.line import Post
        except ImportError as error:
            return lack(daemon, error.name or "paho")
        Post(House(wanted.name, broker, system_words()), daemon).run()
    return 0


def lack(daemon: socket.socket, library: str) -> int:
    """Tell that a library is missing, and stay, for a process that ends would be started anew."""
    daemon.send(msgpack.encode(said("home-lacking", library=library)))
    while True:
        time.sleep(BEAT_EVERY)
        try:
            daemon.send(BEAT)
        except OSError:  # the daemon has ended
            return 1


if __name__ == "__main__":
    raise SystemExit(main())
