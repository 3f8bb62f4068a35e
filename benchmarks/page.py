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
from multiprocessing.connection import Connection
from pathlib import Path

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from benchmarks.played import Played, Spent, ratio, spread, told
from benchmarks.results import Beside, add_option, save
from firmware_bridge.daemon import Daemon
from firmware_bridge.web.mirror import Mirror, ServerProcess

WORST = 1.5
"""How much slower the slowest hundredth of the scans may be with browsers than without."""
GAME = "zong-heng"


# The page -------------------------------------------------------------------------------------


def served(table: Played, mirror: Mirror) -> float:
    """Wait until the page is served: the seconds that took."""
    begun = time.perf_counter()
    while not mirror.listening:
        table.play(0.01, Spent())
        if mirror.fault:
            raise SystemExit(mirror.fault)
    return time.perf_counter() - begun


def memory(server: ServerProcess) -> float:
    """What the server holds, in MB."""
    process = server._process
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
        yield ['{"do":"show","mode":"coach"}'] * 1000
        yield ["{"]
        yield ["x" * 4000] * 100
        yield ['{"hello":{"language":"ja"}}'] * 300
        yield []


# The figures ----------------------------------------------------------------------------------


def main() -> None:
    """Print the figures and save them; the exit status tells whether they are good enough."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--browsers", type=int, default=50, help="browsers that watch (default 50)")
    parser.add_argument("--rounds", type=int, default=6, help="times that they come and go (default 6)")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long they stay, and stay away (default 5)")
    parser.add_argument("--port", type=int, default=8765, help="the page's port meanwhile (default 8765)")
    add_option(parser)
    wanted = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    crowd = multiprocessing.get_context("spawn").Process(
        target=browsers, args=(theirs, wanted.port, wanted.browsers), daemon=True
    )
    crowd.start()
    Daemon.warm_up()
    server = ServerProcess("127.0.0.1", wanted.port)
    mirror = Mirror(server)
    table = Played(GAME, mirror)
    try:
        seconds, before = served(table, mirror), memory(server)
        print(f"the page is served after {seconds:.2f} s; {before:.0f} MB resident")
        alone, among = by_turns(table, ours, wanted.rounds, wanted.seconds)
        after = memory(server)
        print(f"with browsers it has {after:.0f} MB resident")
    finally:
        table.close()
        crowd.terminate()
    told({"nobody at the page": alone, f"{wanted.browsers} and a hostile one": among})
    print(f"the slowest hundredth takes {ratio(among, alone):.2f} times as long; {WORST} is allowed")
    slower, changes = ratio(among, alone), sum(len(spent.changed) for spent in among)
    save("page", Beside(spread(alone), spread(among), slower, changes, seconds, before, after), wanted, seed=1)
    raise SystemExit(slower > WORST)


def by_turns(table: Played, crowd: Connection, rounds: int, seconds: float) -> tuple[list[Spent], list[Spent]]:
    """Play with nobody watching and with the crowd there, by turns."""
    alone, among = [Spent() for _ in range(rounds)], [Spent() for _ in range(rounds)]
    heard = 0
    for before, during in zip(alone, among, strict=True):
        table.play(seconds, before)
        crowd.send(True)
        table.play(seconds, during)
        crowd.send(False)
        while not crowd.poll():
            table.play(0.05, Spent())
        heard += crowd.recv()
    print(f"the browsers were told {heard} messages")
    return alone, among


if __name__ == "__main__":
    main()
