"""How a broker bears many tables: whole ones, in processes of their own, and light ones that only speak as tables do.

A *light* table publishes on its own topics what a real pair of couriers has said in a real game, turn by turn: as many
messages of as many bytes, in the same order, each an answer to the one before. It signs nothing, keeps nothing on a
disk and lights nothing. Its turns are timed from the publishing to when the other table has heard it; those of whole
tables, as `benchmarks.club` plays them, from when the turn counts to when the other table lights it. Each light game
makes a turn every so many seconds on average (`--think`, a guess at people who play fast).

The broker's share is processor time of its process in a second of the clock: 1 is a whole core. Rows that were measured
are kept in a file beside the results: a run that was cut off goes on from there.

    make bench-crowd [SECONDS=5]
"""

from __future__ import annotations

import argparse
import os
import resource
import select
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from random import Random
from tempfile import TemporaryDirectory

import msgspec
from tqdm import tqdm

from benchmarks.broker import MISSING, MOSQUITTO, RunningBroker
from benchmarks.club import Heard, Tables, light_ms
from benchmarks.kept import resume
from benchmarks.memory import held
from benchmarks.results import Crowd, Crowded, Spread, add_results_option, program, save, spread
from firmware_bridge.link.courier import Courier, Message
from firmware_bridge.link.line import Line
from firmware_bridge.link.news import Play
from firmware_bridge.link.pairing import ROOT, Broker, new_pairing, new_secret
from firmware_bridge.link.states import VERSION, Terms
from games.rules import load

GAME = "zhizhu"
TURNS = 40
"""Turns of the game that light tables tell again and again; a guess at a usual one."""
TABLES_A_PROCESS = 250
"""Light tables in one process at most: `select` knows no more than 1024 files."""
LOOKS = 2.0
"""Seconds after which each line is looked at, whether anything has come or not: as MQTT's keep-alive asks."""
WHOLE_TIMES = 5
"""How many times as long the whole tables play, which make a turn in some seconds."""
P50_MS, P99_MS = 20.0, 100.0
"""What is demanded of whole tables among many."""
PATIENCE = 120.0
"""Seconds that all tables have to reach the broker."""


class Saying(msgspec.Struct):
    """A message of a game: which seat publishes it, and what."""

    seat: int
    payload: bytes


def told_game(game: str, seed: int, turns: int, folder: Path) -> list[list[Saying]]:
    """What two real couriers say to each other in a game that is played at random: for each turn its messages."""
    terms = Terms(game, dict(load(game).chosen))
    first = new_pairing(Broker("nowhere"), new_secret(), 0, terms)
    second = new_pairing(first.broker, bytes.fromhex(first.secret), 1, terms, first.greeting)
    couriers = [Courier(each, folder / str(each.seat) / "pairing.json", "1") for each in (first, second)]
    under_way: deque[tuple[int, Message]] = deque()

    def carried() -> Iterator[Saying]:
        while under_way:
            seat, (topic, payload, *_) = under_way.popleft()
            if topic == couriers[seat].pairing.states(seat):
                yield Saying(seat, payload)
            other = couriers[1 - seat]
            if other.listens(topic):
                answers = [*other.hear(topic, payload, 0.0), *other.due(0.0)]
                under_way.extend((1 - seat, message) for message in answers)

    for _ in range(2):  # the second time both know each other
        for seat, courier in enumerate(couriers):
            under_way.extend((seat, message) for message in courier.connected(0.0))
            list(carried())
    luck, said = Random(seed), []
    while len(said) < turns and couriers[0].agreement.standing.sheet.turns:
        mover = couriers[0].agreement.standing.mover
        courier = couriers[mover]
        turn = luck.choice(courier.agreement.standing.sheet.turns)
        under_way.extend((mover, each) for each in courier.obey(Play(courier.agreed.entries, turn.text, 1.0), 0.0))
        said.append([*carried()])
    return said


# Light tables -------------------------------------------------------------------------------------


class Report(msgspec.Struct):
    """What a process with light tables has seen since it was last asked."""

    took_ms: list[float] = []
    turns: int = 0
    messages: int = 0
    bytes: int = 0


class LightGame:
    """Two light tables that tell `game` each other at the broker on `port`, under the name `id`."""

    def __init__(self, port: int, id: str, game: list[list[Saying]], seen: Report) -> None:
        self.due = 0.0
        """When the next turn is made, in seconds."""
        self._game, self._seen, self._turn = game, seen, 0
        self._left: deque[Saying] = deque()
        self._begun = 0.0
        self._topics = [f"{ROOT}/{VERSION}/game/{id}/seat/{seat}/any" for seat in (0, 1)]
        broker = Broker("127.0.0.1", port)
        self.lines = [
            Line(broker, f"light-{id}-{seat}", lambda _, payload, seat=seat: self._hear(seat, payload))  # type: ignore[misc]
            for seat in (0, 1)
        ]
        for seat, line in enumerate(self.lines):
            line.open()
            line.listen((self._topics[1 - seat],))

    def make(self, now: float) -> None:
        """Make a turn, unless the last one is still on its way."""
        if self._left:
            return
        self._left.extend(self._game[self._turn % len(self._game)])
        self._turn, self._begun = self._turn + 1, now
        self._seen.turns += 1
        self._say()

    def _say(self) -> None:
        saying = self._left[0]
        self._seen.messages += 1
        self._seen.bytes += len(saying.payload)
        self.lines[saying.seat].say([Message(self._topics[saying.seat], saying.payload)])

    def _hear(self, seat: int, payload: bytes) -> None:
        """What was said last has arrived: the next one answers it."""
        if not self._left or seat == self._left[0].seat or payload != self._left[0].payload:
            return
        if self._begun:  # the first message of a turn has the turn
            self._seen.took_ms.append(1000 * (time.monotonic() - self._begun))
        self._begun = 0.0
        self._left.popleft()
        if self._left:
            self._say()


def light(port: int, number: int, tables: int, seed: int, think: float) -> None:
    """A process: so many light tables at the broker on `port`, until standard input ends; a line asks for news."""
    with TemporaryDirectory() as folder:
        game = told_game(GAME, seed, TURNS, Path(folder))
    luck, seen = Random(f"{seed} {number}"), Report()
    games = [LightGame(port, f"{number}-{place}", game, seen) for place in range(tables // 2)]
    poll, owner = select.poll(), {}
    poll.register(0, select.POLLIN)
    for each in games:
        each.due = time.monotonic() + luck.uniform(0.0, 2 * think)
        for line in each.lines:
            owner[line.fileno()] = line
            poll.register(line.fileno(), select.POLLIN)
    print("ready", flush=True)
    look = time.monotonic() + LOOKS
    while True:
        now = time.monotonic()
        for each in games:
            if now >= each.due:
                each.make(now)
                each.due = now + luck.expovariate(1 / think)
        wait = max(0.0, min(look, *(each.due for each in games)) - time.monotonic())
        for number, _ in poll.poll(1000 * wait):
            if number == 0:
                if not os.read(0, 1):
                    return
                print(msgspec.json.encode(seen).decode(), flush=True)
                seen.took_ms, seen.turns, seen.messages, seen.bytes = [], 0, 0, 0
            else:
                owner[number].wait(0.0)
        if now >= look:
            look = now + LOOKS
            for line in owner.values():
                line.wait(0.0)


class LightTables:
    """So many light tables in processes of their own."""

    def __init__(self, port: int, tables: int, seed: int, think: float) -> None:
        self._processes = []
        for number, begin in enumerate(range(0, tables, TABLES_A_PROCESS)):
            some = min(TABLES_A_PROCESS, tables - begin)
            given = (f"--light={number}", f"--port={port}", f"--tables={some}", f"--seed={seed}", f"--think={think}")
            self._processes.append(
                subprocess.Popen(
                    (sys.executable, "-m", "benchmarks.crowd", *given), stdin=subprocess.PIPE, stdout=subprocess.PIPE
                )
            )
        for process in self._processes:
            assert process.stdout
            if process.stdout.readline() != b"ready\n":
                raise SystemExit("light tables do not reach the broker")

    def report(self) -> Report:
        """What all have seen since this was last asked."""
        whole = Report()
        for process in self._processes:
            assert process.stdin
            assert process.stdout
            process.stdin.write(b"\n")
            process.stdin.flush()
            seen = msgspec.json.decode(process.stdout.readline(), type=Report)
            whole.took_ms += seen.took_ms
            whole.turns, whole.messages = whole.turns + seen.turns, whole.messages + seen.messages
            whole.bytes += seen.bytes
        return whole

    def close(self) -> None:
        """Let all end."""
        for process in self._processes:
            process.communicate()


# The figures --------------------------------------------------------------------------------------


def spent(pid: int) -> float:
    """The processor time that a process has taken, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def crowded(whole: int, tables: int, seconds: float, seed: int, think: float) -> Crowded:
    """A row: so many `whole` tables, and so many `tables` in all, watched for `seconds`."""
    with TemporaryDirectory() as name:
        folder = Path(name, "broker")
        folder.mkdir()
        broker = RunningBroker(folder)
        pairs: list[Tables] = []
        lights = None
        try:
            lights = LightTables(broker.port, tables - whole, seed, think)
            for number in range(whole // 2):
                pairs += [Tables(Path(name, str(number)), GAME, broker.port, seed + number, 10_000)]
            for pair in pairs:
                await_turn(pair)
            lights.report()
            begun, before = time.monotonic(), spent(broker.pid)
            watch(seconds, f"{tables} tables")
            share = (spent(broker.pid) - before) / (time.monotonic() - begun)
            seen, memory = lights.report(), held(broker.pid)
        finally:
            for pair in pairs:
                pair.close()
            if lights:
                lights.close()
            broker.kill()
    shown = [ms for pair in pairs for ms in light_ms([*drained(pair)])]
    return Crowded(
        whole, tables, seconds, len(shown), spread(shown) if shown else None, seen.turns,
        spread(seen.took_ms) if seen.took_ms else Spread(None, None), share, memory,
        seen.messages / seen.turns if seen.turns else 0.0, seen.bytes / seen.turns if seen.turns else 0.0,
    )  # fmt: skip


def await_turn(pair: Tables) -> None:
    """Wait until the first turn is lit at the other table, for that has had to wait until both were there."""
    until = time.monotonic() + PATIENCE
    try:
        while pair.heard.get(timeout=max(0.0, until - time.monotonic())).told.what != "lit":
            pass
    except Empty:
        raise SystemExit("two tables do not find each other") from None


def drained(pair: Tables) -> Iterator[Heard]:
    """What was heard since."""
    while not pair.heard.empty():
        yield pair.heard.get()


def watch(seconds: float, what: str) -> None:
    """Let so many seconds pass, and show how many are left."""
    for _ in tqdm(
        range(round(10 * seconds)),
        desc=what,
        unit="",
        leave=False,
        mininterval=1.0,
        bar_format="{desc}: {bar} {remaining}",
    ):
        time.sleep(0.1)


def main() -> None:
    """Print the figures and save them; the exit status tells whether whole tables are quick enough."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="*", default=[10, 50, 200, 1000], help="light tables of each row")
    parser.add_argument("--whole", type=int, default=10, help="whole tables of the last row; 0: none (default 10)")
    parser.add_argument("--among", type=int, default=200, help="tables of that row in all (default 200)")
    parser.add_argument(
        "--seconds", type=float, default=60.0, help=f"of a row; {WHOLE_TIMES} times as long the last one"
    )
    parser.add_argument("--think", type=float, default=10.0, help="seconds between turns of a light game (default 10)")
    parser.add_argument("--seed", type=int, default=1, help="what is played, and when (default 1)")
    for hidden in ("--light", "--port", "--tables"):
        parser.add_argument(hidden, type=int, help=argparse.SUPPRESS)
    add_results_option(parser)
    wanted = parser.parse_args()
    if not MOSQUITTO:
        raise SystemExit(MISSING)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if wanted.light is not None:
        light(wanted.port, wanted.light, wanted.tables, wanted.seed, wanted.think)
        return
    plan = [(0, size, wanted.seconds) for size in wanted.sizes]
    plan += [(wanted.whole, wanted.among, WHOLE_TIMES * wanted.seconds)] if wanted.whole else []
    how = f"{program()} seed {wanted.seed} think {wanted.think} rows {plan}"
    kept = wanted.results / "crowd.jsonl"
    rows = [msgspec.json.decode(line, type=Crowded) for line in resume(kept, how) if line]
    left = sum(seconds for _, _, seconds in plan[len(rows) :])
    print(f"{len(plan) - len(rows)} rows, about {left / 60:.0f} minutes", flush=True)
    with kept.open("a") as file:
        for whole, tables, seconds in plan[len(rows) :]:
            rows.append(crowded(whole, tables, seconds, wanted.seed, wanted.think))
            print(msgspec.json.encode(rows[-1]).decode(), file=file, flush=True)
            print(line_of(rows[-1]), flush=True)
    del wanted.light, wanted.tables
    save("crowd", Crowd(rows), wanted)
    shown = [row.shown for row in rows if row.shown]
    slow = any((row.median_ms or 0) >= P50_MS or (row.p99_ms or 0) >= P99_MS for row in shown)
    print(f"whole tables: a median below {P50_MS:g} ms and 99 % below {P99_MS:g} ms are demanded")
    raise SystemExit(slow or (bool(wanted.whole) and not shown))


def line_of(row: Crowded) -> str:
    """A row in a line."""
    shown = row.shown and f", lit {row.shown.median_ms:.1f} / {row.shown.p99_ms:.1f} ms in {row.lit} turns"
    heard = f"{row.heard.median_ms or 0:.1f} / {row.heard.p99_ms or 0:.1f} ms"
    return (
        f"{row.tables} tables, {row.whole} of them whole: heard {heard} in {row.turns} turns{shown or ''}; the broker "
        f"takes {row.broker_share:.1%} of a core and {row.broker_mb:.1f} MB; {row.messages_a_turn:.2f} messages "
        f"and {row.bytes_a_turn:.0f} bytes a turn"
    )


if __name__ == "__main__":
    main()
