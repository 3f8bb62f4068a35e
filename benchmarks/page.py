"""Whether guests of the page slow the table down, or keep each other from being served.

A game is played by simulated hands at several times their speed, as often scanned, recorded, and told to a page's
server all the time. By turns guests are there and are not; scans of both kinds are timed in one run, by the processor
time of the loop's thread, with the worst by the clock beside it. There are fifty
that watch, from a process that gives way to all others, since they would be on other machines; then, one kind after the
other, those that do what hurts, at the priority of the table itself. Beside each of these a modest guest asks for
something twice a second, and what it waits for is timed.

    make bench
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import re
import socket
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count, cycle
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import json
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from benchmarks.played import Played, Spent, told, usual
from benchmarks.results import Attack, Guests, Spread, add_results_option, save
from firmware_bridge.daemon import Daemon
from firmware_bridge.web.mirror import Mirror, ServerProcess

SLOWER = 1.2
"""How much slower the slowest hundredth of the scans may be with guests than without."""
WORST_MS = 10.0
"""Milliseconds of processor time that the slowest scan may take with guests there."""
SERVED = 1.0
"""Seconds within which a modest guest is to be served."""
PATIENCE = 5.0
"""Seconds after which a request of a modest guest counts as not served."""
RATE = 45
"""Requests a second of those that ask without end: just under what one browser may send."""
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


# The guests -----------------------------------------------------------------------------------


def guests(line: Connection, port: int, watching: int) -> None:
    """A process of guests: it is told the name of an attack, then when to leave; it answers what the modest one met."""
    asyncio.run(come_and_go(line, f"127.0.0.1:{port}", watching))


async def come_and_go(line: Connection, where: str, watching: int) -> None:
    """Come and go until the line ends."""
    loop = asyncio.get_running_loop()
    with suppress(EOFError):
        while name := await loop.run_in_executor(None, line.recv):
            waits: list[float] = []
            tasks = [asyncio.create_task(ATTACKS[name](where)), asyncio.create_task(modest(where, waits))]
            if name == WATCHING:
                tasks += [asyncio.create_task(watch(where)) for _ in range(watching)]
            await loop.run_in_executor(None, line.recv)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            line.send(waits)


def visit(where: str, **other: Any) -> connect:
    """A browser at the page."""
    return connect(f"ws://{where}/live", origin=Origin(f"http://{where}"), compression=None, **other)


async def watch(where: str) -> None:
    """Look on."""
    async with visit(where) as browser:
        await browser.send('{"hello":{"language":"en"}}')
        async for _ in browser:
            pass


async def modest(where: str, waits: list[float]) -> None:
    """Ask for another mode of the lights twice a second, and note the seconds until it is shown."""
    for language in cycle(("en", "fr")):
        with suppress(WebSocketException, OSError):
            async with visit(where) as browser:
                await browser.send(f'{{"hello":{{"language":"{language}"}}}}')
                for mode in cycle(("referee", "coach")):
                    begun = time.perf_counter()
                    await browser.send(f'{{"do":"show","mode":"{mode}"}}')
                    with suppress(TimeoutError):
                        async with asyncio.timeout(PATIENCE):
                            await shown(browser, mode)
                    waits.append(min(time.perf_counter() - begun, PATIENCE))
                    await asyncio.sleep(0.5)


async def shown(browser: ClientConnection, mode: str) -> None:
    """Wait until the browser is told that the lights are in `mode`."""
    async for text in browser:
        form = json.decode(text)
        if form["kind"] == "table" and form["mode"] == mode:
            return


async def flood(where: str) -> None:
    """Flood, send garbage, do not read; and begin anew whenever shown out."""
    for messages in cycle((
        ['{"do":"show","mode":"coach"}'] * 1000, ["{"], ["x" * 4000] * 100, ['{"hello":{"language":"ja"}}'] * 300, [],
    )):  # fmt: skip
        with suppress(WebSocketException, OSError):
            async with visit(where, max_queue=1, close_timeout=0.1) as browser:
                await browser.send('{"hello":{}}')
                for message in messages:
                    await browser.send(message)
                await asyncio.sleep(0.5)


def asking(*requests: str) -> Callable[[str], Awaitable[None]]:
    """One browser that asks for these by turns, `RATE` times a second, for ever."""

    async def ask(where: str) -> None:
        async with visit(where) as browser:
            await browser.send('{"hello":{}}')
            reading = asyncio.create_task(drain(browser))
            try:
                for request in cycle(requests):
                    await browser.send(request)
                    await asyncio.sleep(1 / RATE)
            finally:
                reading.cancel()

    return ask


async def drain(browser: ClientConnection) -> None:
    """Read all that the browser is told."""
    async for _ in browser:
        pass


async def reconnect(where: str) -> None:
    """Come, ask for another game and for a press, and go, as often as it goes; five at a time."""

    async def come() -> None:
        while True:
            with suppress(WebSocketException, OSError):
                async with visit(where, close_timeout=0.1) as browser:
                    await browser.send('{"do":"sense","sense":"colour"}')
                    await browser.send('{"do":"press","button":"done"}')

    await asyncio.gather(*(come() for _ in range(5)))


async def silent(where: str) -> None:
    """Open connection upon connection, and say nothing."""
    host, _, port = where.rpartition(":")
    lines: list[socket.socket] = []
    try:
        while True:
            with suppress(OSError):
                lines.append(socket.create_connection((host, int(port)), timeout=0.2))
            if len(lines) > 300:
                lines.pop(0).close()
            await asyncio.sleep(0.005)
    finally:
        for line in lines:
            line.close()


WATCHING = "watch, and one floods"
ATTACKS: dict[str, Callable[[str], Any]] = {
    WATCHING: flood,
    "asks for other sensors": asking('{"do":"sense","sense":"colour"}', '{"do":"sense","sense":"presence"}'),
    "asks for new games": asking(f'{{"do":"new","game":"{GAME}"}}'),
    "reconnects, five lines at a time": reconnect,
    "opens silent connections": silent,
}
"""What guests do, by its name."""


# The figures ----------------------------------------------------------------------------------


def main() -> None:
    """Print the figures and save them; the exit status tells whether they are good enough."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--browsers", type=int, default=50, help="browsers that watch (default 50)")
    parser.add_argument("--rounds", type=int, default=6, help="times that they come and go (default 6)")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long they stay, and stay away (default 5)")
    parser.add_argument("--port", type=int, default=8765, help="the page's port meanwhile (default 8765)")
    add_results_option(parser)
    wanted = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    crowd = multiprocessing.get_context("spawn").Process(
        target=guests, args=(theirs, wanted.port, wanted.browsers), daemon=True
    )
    crowd.start()
    Daemon.warm_up()
    server = ServerProcess("127.0.0.1", wanted.port)
    mirror = Mirror(server)
    with TemporaryDirectory() as folder:
        paths = (Path(folder) / f"{number}.table" for number in count())
        table = Played(GAME, mirror, place=lambda _: next(paths))
        try:
            seconds, before = served(table, mirror), memory(server)
            print(f"the page is served after {seconds:.2f} s; {before:.0f} MB resident")
            rows = []
            for name in ATTACKS:
                priority(crowd.pid or 0, idle=name == WATCHING)
                rows.append(attacked(table, ours, name, wanted.rounds, wanted.seconds))
            after = memory(server)
            print(f"with guests it has {after:.0f} MB resident")
        finally:
            table.close()
            crowd.terminate()
    save("page", Guests(rows, seconds, before, after), wanted, seed=1)
    raise SystemExit(not all(map(good, rows)))


def priority(process: int, *, idle: bool) -> None:
    """Let the guests give way to all others, or come as often as the table itself."""
    os.sched_setscheduler(process, os.SCHED_IDLE if idle else os.SCHED_OTHER, os.sched_param(0))


def attacked(table: Played, crowd: Connection, name: str, rounds: int, seconds: float) -> Attack:
    """Play with nobody there and with the guests there, by turns."""
    alone, among = [Spent() for _ in range(rounds)], [Spent() for _ in range(rounds)]
    waits: list[float] = []
    for before, during in zip(alone, among, strict=True):
        table.play(seconds, before)
        crowd.send(name)
        table.play(seconds, during)
        crowd.send("")
        while not crowd.poll():
            table.play(0.05, Spent())
        waits += crowd.recv()
    told({"nobody at the page": alone, name[:22]: among})
    done, wait = sum(each < PATIENCE for each in waits), max(waits, default=PATIENCE)
    slower = usual(among, 0.99, "scans") / usual(alone, 0.99, "scans")
    clock = max(max(spent.clock) for spent in among)
    row = Attack(name, scans(alone), scans(among), slower, len(waits), done, wait, clock)
    print(
        f"{name}: {slower:.2f} times as long, {row.among.worst_ms:.1f} ms at worst, {clock:.1f} by the clock", end="; "
    )
    print(f"modest requests {done} of {len(waits)}, in {wait:.2f} s\n")
    return row


def scans(rounds: list[Spent]) -> Spread:
    """Every scan with all that the page asked and was told in it, the usual round, and the worst of all."""
    worst = max(max(spent.scans) for spent in rounds)
    return Spread(usual(rounds, 0.5, "scans"), usual(rounds, 0.99, "scans"), worst)


def good(row: Attack) -> bool:
    """Whether guests were held off as they should be; the modest one is as slow as those that give way to all."""
    quick = row.slower <= SLOWER and (row.among.worst_ms or 0) <= WORST_MS
    return quick and row.served == row.asked and (row.longest_s <= SERVED or row.what == WATCHING)


if __name__ == "__main__":
    main()
