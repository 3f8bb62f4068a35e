"""Two tables that play with each other through a broker that dies now and then: what is lost, how soon light comes.

Each table is a process of its own with its line, a simulated board and hands, in real time; one has sensors of
presence, the other those that tell all. Both play at random, whole games or so many turns. The broker, a real
mosquitto, is killed (SIGKILL) and started again, all lines are cut, and the proxy before it drops whole messages, at
times drawn from the seed. A turn is timed from when it counts where it was made to when the other table lights it.
Where nothing is played for two minutes the line is left alone from then on: scores must agree once it holds.

Games that were played are kept in a file beside the results, a line each: a run that was cut off goes on from there.

    make bench-club [TURNS=40] [KILLS=1000] [MINUTES=25]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random
from tempfile import TemporaryDirectory
from threading import Thread
from typing import NamedTuple

import msgspec
from tqdm import tqdm

from benchmarks.broker import MISSING, MOSQUITTO, Proxy, RunningBroker
from benchmarks.kept import resume
from benchmarks.results import Club, ClubGame, Spread, add_results_option, at, program, save
from firmware_bridge.config import Config
from firmware_bridge.daemon import Daemon
from firmware_bridge.layout import full_sense
from firmware_bridge.link import Partner
from firmware_bridge.link.courier import kept_standing
from firmware_bridge.link.pairing import Broker, new_pairing, new_secret, read_pairing, write_pairing
from firmware_bridge.link.states import Terms
from firmware_bridge.session import Make
from firmware_bridge.verdict import AtRest
from firmware_bridge.web.simulated_host import SimulatedHost
from firmware_bridge.worker import await_news
from games.rules import load, names
from hardware.device import Sense

THINKS = 0.3
"""Seconds that hands rest between two turns."""
PATIENCE = 120.0
"""Seconds without a turn after which nothing more happens to the line; after as many again a game is given up."""
DOWN = (0.2, 2.5)
"""Seconds for which a broker that was killed stays away."""
ASKS = ("asked", "offered", "astray")
"""What a table says that the plan ought to answer."""


class Told(msgspec.Struct):
    """What a table tells: a turn ``played``, ``amended`` or ``lit``, by number; ``asked``; ``over``, with all."""

    what: str
    at: float = 0.0
    number: int = 0
    turns: list[str] = []


# A table ------------------------------------------------------------------------------------------


def play(folder: Path, sense: Sense, seed: int, turns: int) -> None:
    """Play the game of the pairing in `folder` until it is over, or has so many turns; then wait for standard input."""
    path, luck = folder / "pairing.json", Random(seed)
    sheet = kept_standing(read_pairing(path), path).sheet
    host = SimulatedHost(
        Config(), sheet, sense, lambda _: folder / "game.table", now=time.monotonic(), partner=Partner(path)
    )
    Daemon.warm_up()
    ended = Thread(target=sys.stdin.read, daemon=True)
    ended.start()
    rested, told, heard = 0.0, False, time.monotonic()
    while ended.is_alive():
        now = time.monotonic()
        if now - heard > 1.5 * PATIENCE:
            heard = now
            print(state_of(host), file=sys.stderr, flush=True)
        for event in host.step(now):
            heard = now
            if event.name in ("played", "amended"):
                tell(Told(event.name, now, sheet.length, [sheet.played_turns[-1].turn.text]))
            elif event.name == "plans":
                tell(Told("lit", now, sheet.length + 1))
            elif event.name in ASKS:
                tell(Told("asked", now))
        if busy(host):
            rested = now
        partner = host.daemon.partner
        over = sheet.outcome is not None or sheet.length >= turns
        if over and not told and partner and partner.agreed and partner.agreed.reached and now > rested + THINKS:
            told = len(partner.agreed.turns) == sum(not entry.forced for entry in sheet.played_turns)
            tell(Told("over", now, turns=[entry.turn.text for entry in sheet.played_turns])) if told else None
        if not over and sheet.here and now > rested + THINKS:
            host.obey(Make(luck.choice(sheet.turns).text), now)
            rested = now
        lines = [partner.worker] if partner else []
        host.wait(max(0.0, host.daemon.due(now) - time.monotonic()), partial(await_news, lines))
    host.close()


def busy(host: SimulatedHost) -> bool:
    """Whether hands are at work, or have still to be."""
    table = host.daemon.table
    return host.simulation.busy or table.setting or table.planned is not None or not isinstance(table.verdict, AtRest)


def state_of(host: SimulatedHost) -> str:
    """What a table waits for that has been silent for long."""
    table, partner = host.daemon.table, host.daemon.partner
    agreed = partner and partner.agreed
    return (
        f"{table.sheet.length} turns, to move {table.sheet.here}, planned {table.planned}, verdict {table.verdict}, "
        f"setting {table.setting}, hands at work {host.simulation.busy}; agreed {agreed}, {partner and partner.shown}"
    )


def tell(told: Told) -> None:
    """Tell the benchmark."""
    sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
    sys.stdout.buffer.flush()


# A game -------------------------------------------------------------------------------------------


class Heard(NamedTuple):
    """What the table of this seat has told."""

    seat: int
    told: Told


class Tables:
    """Two tables that play `game` in processes of their own, at the broker on `port`, with files in `folder`."""

    def __init__(self, folder: Path, game: str, port: int, seed: int, turns: int) -> None:
        self.heard: SimpleQueue[Heard] = SimpleQueue()
        terms = Terms(game, dict(load(game).chosen))
        first = new_pairing(Broker("127.0.0.1", port), new_secret(), 0, terms)
        second = new_pairing(first.broker, bytes.fromhex(first.secret), 1, terms, first.greeting)
        senses = (Sense.PRESENCE, full_sense(load(game)))
        self._processes = []
        for pairing, sense in zip((first, second), senses, strict=True):
            path = folder / str(pairing.seat) / "pairing.json"
            write_pairing(path, pairing)
            given = ("--table", str(path.parent), "--sense", sense.value, "--seed", str(seed), "--turns", str(turns))
            process = subprocess.Popen(
                (sys.executable, "-m", "benchmarks.club", *given), stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            self._processes.append(process)
            Thread(target=self._listen, args=(pairing.seat, process), daemon=True).start()

    def _listen(self, seat: int, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout
        for line in process.stdout:
            self.heard.put(Heard(seat, msgspec.json.decode(line, type=Told)))

    def close(self) -> None:
        """Let both tables end."""
        for process in self._processes:
            process.communicate()


def game_of(game: str, seed: int, turns: int, every: float, share: float) -> ClubGame:
    """Play a game; something happens to the line `every` so many seconds on average, or never (0)."""
    luck = Random(f"{game} {seed}")
    kills = cuts = 0
    spared = False
    heard: list[Heard] = []
    with TemporaryDirectory() as name:
        folder = Path(name, "broker")
        folder.mkdir()
        broker = RunningBroker(folder)
        proxy = Proxy(broker.port, luck, share)
        tables = Tables(Path(name), game, proxy.port, seed, turns)
        last = time.monotonic()
        due = last + luck.expovariate(1 / every) if every else inf
        bar = tqdm(total=turns, desc=game, unit="turn", leave=False, mininterval=1.0)
        try:
            while sum(each.told.what == "over" for each in heard) < 2:
                if time.monotonic() > last + PATIENCE:
                    if spared:
                        break
                    spared, due, last = True, inf, time.monotonic()
                with suppress(Empty):
                    heard.append(tables.heard.get(timeout=max(0.0, min(1.0, due - time.monotonic()))))
                    last = time.monotonic()
                    bar.update(len({each.told.number for each in heard if each.told.what == "played"}) - bar.n)
                if time.monotonic() < due:
                    continue
                killed = luck.random() < 0.5
                kills, cuts = kills + killed, cuts + (not killed)
                if killed:
                    broker.kill()
                proxy.cut()
                if killed:
                    time.sleep(luck.uniform(*DOWN))
                    broker.start()
                due = time.monotonic() + luck.expovariate(1 / every)
        finally:
            bar.close()
            tables.close()
            proxy.close()
            broker.kill()
    return counted(game, heard, kills, cuts, proxy.dropped, spared)


def counted(game: str, heard: list[Heard], kills: int, cuts: int, dropped: int, spared: bool = False) -> ClubGame:
    """What became of a game, whose line was `spared` in the end or not."""
    scores = {each.seat: each.told.turns for each in heard if each.told.what == "over"}
    one, other = scores.get(0, []), scores.get(1, [])
    asked = sum(each.told.what == "asked" for each in heard)
    made: dict[int, tuple[int, str]] = {}
    doubled = 0
    for seat, told in heard:
        if told.what == "played":
            if told.number not in made:  # the first of the two is where it was made
                made[told.number] = seat, told.turns[0]
            else:
                doubled += made[told.number][0] == seat
        elif told.what == "amended" and made.get(told.number, (-1, ""))[0] == seat:
            made[told.number] = seat, told.turns[0]
    due = [text for _, (_, text) in sorted(made.items())]
    lost = sum((Counter(due) - Counter(score)).total() for score in (one, other))
    invented = sum((Counter(score) - Counter(due)).total() for score in (one, other))
    equal = one == other == due and bool(one)
    took = light_ms(heard)
    return ClubGame(game, len(one), equal, asked, kills, cuts, dropped, took, lost, invented, doubled, spared)


def light_ms(heard: list[Heard]) -> list[float]:
    """From each turn, when it counted where it was made, to when it was lit at the other table, in milliseconds."""
    lit = {each.told.number: each.told.at for each in reversed(heard) if each.told.what == "lit"}
    made: dict[int, float] = {}
    for each in heard:
        if each.told.what in ("played", "amended"):
            made.setdefault(each.told.number, each.told.at)
    return [1000 * (lit[number] - at) for number, at in made.items() if number in lit]


# The figures --------------------------------------------------------------------------------------


def main() -> None:
    """Print the figures and save them; the exit status tells whether all scores were equal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=400, help="turns of a game at most (default 400)")
    parser.add_argument("--every", type=float, default=4.0, help="seconds between two losses; 0: none (default 4)")
    parser.add_argument("--share", type=float, default=0.05, help="messages that are dropped, 0 to 1 (default 0.05)")
    parser.add_argument("--games", type=int, default=1, help="games of each kind (default 1)")
    parser.add_argument("--kills", type=int, default=0, help="go on with games until the broker was killed so often")
    parser.add_argument("--minutes", type=float, default=inf, help="begin no game later; called again it goes on")
    parser.add_argument("--seed", type=int, default=1, help="what is played and lost (default 1)")
    parser.add_argument("--table", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--sense", type=Sense, help=argparse.SUPPRESS)
    add_results_option(parser)
    wanted = parser.parse_args()
    if wanted.table:
        play(wanted.table, wanted.sense, wanted.seed, wanted.turns)
        return
    if not MOSQUITTO:
        raise SystemExit(MISSING)
    how = f"{program()} seed {wanted.seed} turns {wanted.turns} every {wanted.every} share {wanted.share}"
    kept = wanted.results / "club.jsonl"
    found = [msgspec.json.decode(line, type=ClubGame) for line in resume(kept, how) if line]
    begun, before, games = time.monotonic(), kills_of(found), wanted.games * len(names())
    begins = len(found)
    with kept.open("a") as file:
        while len(found) < games or kills_of(found) < wanted.kills:
            if time.monotonic() - begun > 60 * wanted.minutes:
                break
            number = len(found)
            game = names()[number % len(names())]
            found.append(game_of(game, 1000 * wanted.seed + number, wanted.turns, wanted.every, wanted.share))
            print(msgspec.json.encode(found[-1]).decode(), file=file, flush=True)
            print(line_of(found[-1]), flush=True)
            if wanted.kills and (more := kills_of(found) - before):
                left = (wanted.kills - kills_of(found)) * (time.monotonic() - begun) / more
                print(f"{kills_of(found)} of {wanted.kills} kills, {max(0.0, left) / 60:.0f} minutes left", flush=True)
            elif len(found) < games:
                left = (games - len(found)) * (time.monotonic() - begun) / (len(found) - begins)
                print(f"{len(found)} of {games} games, {left / 60:.0f} minutes left", flush=True)
    took = [each for row in found for each in row.took_ms]
    spread = Spread(at(took, 0.5), at(took, 0.99), max(took)) if took else Spread(None, None)
    del wanted.table, wanted.sense, wanted.minutes
    save("club", Club(found, spread), wanted)
    print(f"turn to light: {spread.median_ms or 0:.0f} ms, 99 % below {spread.p99_ms or 0:.0f} ms")
    raise SystemExit(not all(row.equal and not (row.lost or row.invented or row.doubled) for row in found))


def kills_of(rows: list[ClubGame]) -> int:
    """How often the broker was killed in all games."""
    return sum(row.kills for row in rows)


def line_of(row: ClubGame) -> str:
    """A game in a line."""
    equal = "equal scores" if row.equal else "SCORES DIFFER"
    equal += ", the line was left alone in the end" if row.spared else ""
    turns = f"{row.lost} lost, {row.invented} invented, {row.doubled} doubled"
    return (
        f"{row.game}: {row.turns} turns, {turns}, {equal}, {row.asked} questions; broker killed "
        f"{row.kills} times, lines cut {row.cuts} times, {row.dropped} messages dropped"
    )


if __name__ == "__main__":
    main()
