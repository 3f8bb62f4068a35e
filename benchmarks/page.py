"""Whether browsers at the page slow the table down: fifty that watch, and one that does all it can to disturb.

A game is played by simulated hands at several times their speed, as often scanned, and told to a page's server all the
time. By turns the browsers are there and are not; scans of both kinds are timed in one run. The browsers live in a
process that gives way to all others, since they would be on other machines.

    make bench
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import median

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from benchmarks.latency import at
from firmware_bridge.config import Config
from firmware_bridge.daemon import SCAN_HZ, Daemon
from firmware_bridge.host import Host
from firmware_bridge.mirror import Mirror
from firmware_bridge.page.messages import Make, New
from firmware_bridge.page.process import Server
from firmware_bridge.sheet import Sheet
from games.rules import load
from hardware.device import Sense

SPEED = 4
"""How much faster than people the hands are, and the scans than usual."""
WORST = 1.5
"""How much slower the slowest hundredth of the scans may be with browsers than without."""
GAME = "zong-heng"


@dataclass
class Spent:
    """Milliseconds from a changed level to the finished picture, and of every scan with all that the page is told."""

    changed: list[float] = field(default_factory=list)
    scans: list[float] = field(default_factory=list)


# The table ------------------------------------------------------------------------------------


class Played:
    """A table at which random turns are made without end, and its page."""

    def __init__(self, port: int) -> None:
        self.host = Host(Config(), Sheet(load(GAME), house_rule=False), Sense.PRESENCE, seed=1)
        self.server = Server("127.0.0.1", port)
        self.mirror = Mirror(self.server)
        self.now = 0.0
        self._choose = Random(1)

    def play(self, seconds: float, spent: Spent) -> None:
        """Go on for that long by the clock."""
        end = time.monotonic() + seconds
        while (begun := time.monotonic()) < end:
            self._move()
            self._scan(spent)
            time.sleep(max(0.0, begun + 1 / SCAN_HZ / SPEED - time.monotonic()))

    def _move(self) -> None:
        """Make a turn whenever the hands are free."""
        evening = self.host.evening
        if evening.busy:
            return
        turns = evening.table.sheet.turns
        ask = Make(self._choose.choice(turns).text) if turns else New(GAME)
        self.host.obey(ask, self.now)

    def _scan(self, spent: Spent) -> None:
        evening = self.host.evening
        self.now += 1 / SCAN_HZ
        before = evening.board.scan()
        evening.move(self.now)
        begun = time.perf_counter()
        events = [event for request in self.mirror.requests() for event in self.host.obey(request, self.now)]
        events += self.host.step(self.now)
        shown = time.perf_counter()
        self.mirror.see(self.host, events, self.now)
        spent.scans.append(1000 * (time.perf_counter() - begun))
        if evening.board.scan() is not before:
            spent.changed.append(1000 * (shown - begun))

    def served(self) -> float:
        """Wait until the page is served: the seconds that took."""
        begun = time.perf_counter()
        while not self.mirror.listening:
            self.play(0.01, Spent())
            if self.mirror.fault:
                raise SystemExit(self.mirror.fault)
        return time.perf_counter() - begun

    def memory(self) -> float:
        """What the server holds, in MB."""
        process = self.server._process
        told = Path(f"/proc/{process.pid}/status").read_text() if process else ""
        resident = re.search(r"VmRSS:\s+(\d+)", told)
        return int(resident[1]) / 1024 if resident else 0.0


# The browsers ---------------------------------------------------------------------------------


def browsers(line: Connection, port: int, watching: int) -> None:
    """A process of browsers that come when it is told True and leave when it is told False."""
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    asyncio.run(come_and_go(line, f"127.0.0.1:{port}", watching))


async def come_and_go(line: Connection, where: str, watching: int) -> None:
    """Come, report the number of messages that a watcher gets, and go, until the line ends."""
    loop = asyncio.get_running_loop()
    with suppress(EOFError):
        while await loop.run_in_executor(None, line.recv):
            heard = [0]
            tasks = [asyncio.create_task(watch(where, heard)) for _ in range(watching)]
            tasks += [asyncio.create_task(disturb(where)) for _ in range(bool(watching))]
            await loop.run_in_executor(None, line.recv)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            line.send(heard[0])


async def watch(where: str, heard: list[int]) -> None:
    """Look on."""
    async with connect(f"ws://{where}/live", origin=Origin(f"http://{where}"), compression=None) as browser:
        await browser.send('{"hello":{"language":"en"}}')
        async for _ in browser:
            heard[0] += 1


async def disturb(where: str) -> None:
    """Flood, send garbage, do not read; and begin anew whenever shown out."""
    for messages in forever():
        with suppress(WebSocketException, OSError):
            async with connect(
                f"ws://{where}/live", origin=Origin(f"http://{where}"), max_queue=1, close_timeout=0.1
            ) as browser:
                await browser.send('{"hello":{}}')
                for message in messages:
                    await browser.send(message)
                await asyncio.sleep(0.5)


def forever() -> Iterator[list[str]]:
    """What is sent on one visit after the other."""
    while True:
        yield ['{"do":"press","button":"hint"}'] * 1000
        yield ["{"]
        yield ["x" * 4000] * 100
        yield ['{"hello":{"language":"ja"}}'] * 300
        yield []


# The figures ----------------------------------------------------------------------------------


def main() -> None:
    """Print the figures; the exit status tells whether they are good enough."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--browsers", type=int, default=50, help="browsers that watch (default 50)")
    parser.add_argument("--rounds", type=int, default=6, help="times that they come and go (default 6)")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long they stay, and stay away (default 5)")
    parser.add_argument("--port", type=int, default=8765, help="the page's port meanwhile (default 8765)")
    wanted = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    crowd = multiprocessing.get_context("spawn").Process(
        target=browsers, args=(theirs, wanted.port, wanted.browsers), daemon=True
    )
    crowd.start()
    Daemon.warm_up()
    table = Played(wanted.port)
    try:
        print(f"the page is served after {table.served():.2f} s; {table.memory():.0f} MB resident")
        alone, among = by_turns(table, ours, wanted.rounds, wanted.seconds)
    finally:
        table.mirror.close()
        table.host.close()
        crowd.terminate()
    raise SystemExit(report(alone, among, wanted.browsers))


def by_turns(table: Played, crowd: Connection, rounds: int, seconds: float) -> tuple[list[Spent], list[Spent]]:
    """Play with nobody watching and with the crowd there, by turns."""
    alone, among = [Spent() for _ in range(rounds)], [Spent() for _ in range(rounds)]
    heard = 0
    for before, during in zip(alone, among, strict=True):
        table.play(seconds, before)
        crowd.send(True)
        table.play(seconds, during)
        memory = table.memory()
        crowd.send(False)
        while not crowd.poll():
            table.play(0.05, Spent())
        heard += crowd.recv()
    print(f"the browsers were told {heard} messages; with them {memory:.0f} MB resident")
    return alone, among


def report(alone: list[Spent], among: list[Spent], watching: int) -> int:
    """The table of figures; 1 if browsers slow the table down.

    What else the computer does meanwhile comes in bursts, so it is the usual round that counts.
    """
    print("milliseconds            level changed -> picture, the usual round        every scan")
    print("                       changes    median     p99   worst of all        median     p99")
    for name, rounds in (("nobody at the page", alone), (f"{watching} and a hostile one", among)):
        changed = sum(len(spent.changed) for spent in rounds)
        worst = max(max(spent.changed) for spent in rounds)
        print(f"{name:22}{changed:8}", *(f"{usual(rounds, share):9.3f}" for share in (0.5, 0.99)), end="")
        print(f"{worst:15.3f}     ", *(f"{usual(rounds, share, 'scans'):9.3f}" for share in (0.5, 0.99)))
    ratio = usual(among, 0.99) / usual(alone, 0.99)
    print(f"the slowest hundredth takes {ratio:.2f} times as long; {WORST} is allowed")
    return int(ratio > WORST)


def usual(rounds: list[Spent], share: float, what: str = "changed") -> float:
    """The median over the rounds of the value below which `share` of a round lies."""
    return median(at(getattr(spent, what), share) for spent in rounds)


if __name__ == "__main__":
    main()
