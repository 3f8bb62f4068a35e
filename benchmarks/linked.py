"""Whether a line to another table slows this one down, and what its processes hold.

Two tables of the same game are played by simulated hands at several times their speed, by turns: one by itself, one
with another table through a real mosquitto; who sits there is a line's process of its own, and chance. Only turns that
are made here are timed, for both tables those of the first player. What the processes hold is their proportional set
size (`Pss` in the kernel's `smaps_rollup`), and what they share with no other one.

Rounds are kept in a file beside the results, a line each: a run that was cut off goes on from there.

    make bench-linked [ROUNDS=2]
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import msgspec
from tqdm import tqdm

from benchmarks.broker import MISSING, MOSQUITTO, RunningBroker
from benchmarks.kept import resume
from benchmarks.memory import shares
from benchmarks.played import Played, Spent, ratio, spread, told
from benchmarks.results import Linked, Process, add_results_option, program, save
from firmware_bridge.config import Config
from firmware_bridge.daemon import Daemon
from firmware_bridge.link import Meeting, Partner
from firmware_bridge.link.meeting import Club, Inviting
from firmware_bridge.link.news import AGREED, Agreed, Play, pack, unpack
from firmware_bridge.link.pairing import Broker, new_pairing, new_secret, write_pairing
from firmware_bridge.link.partner import line_process
from firmware_bridge.link.states import Terms
from firmware_bridge.session import Make
from firmware_bridge.web.simulated_host import SimulatedHost
from games.rules import load, names
from hardware.device import Sense

WORST = 1.1
"""How much slower the slowest hundredth of the scans may be with a line."""
MOST_MB = 35.0
"""What a process of the line may hold."""
PATIENCE = 60.0
"""Seconds in which a process has to be there."""


class Alone(Played):
    """A table by itself: changes in turns of the first player alone are timed, those that no plan tells of."""

    def _scan(self, spent: Spent) -> None:
        table, all_of_it = self.host.daemon.table, Spent()
        own = table.planned is None and table.sheet.position.side == 0
        super()._scan(all_of_it)
        spent.scans += all_of_it.scans
        spent.clock += all_of_it.clock
        spent.changed += all_of_it.changed if own else []


class WithAnother(Alone):
    """A table that plays `game` with another one at the broker on `port`; files go into `folder`."""

    def __init__(self, game: str, port: int, folder: Path) -> None:
        super().__init__(game)
        self.host.close()
        self._folder, self._port, self._evening = folder, port, 0
        self._luck = Random(1)
        self._terms = Terms(game, dict(load(game).chosen), house_rule=False)
        self._begin()

    def _begin(self) -> None:
        """Pair two tables, and begin their game."""
        first = new_pairing(Broker("127.0.0.1", self._port), new_secret(), 0, self._terms)
        second = new_pairing(first.broker, bytes.fromhex(first.secret), 1, self._terms, first.greeting)
        paths = [self._folder / f"{self._evening}-{seat}" / "pairing.json" for seat in (0, 1)]
        for path, pairing in zip(paths, (first, second), strict=True):
            write_pairing(path, pairing)
        self._evening += 1
        self.partner = Partner(paths[0])
        sheet = self._terms.sheet(1)
        self.host = SimulatedHost(Config(), sheet, Sense.PRESENCE, None, seed=1, partner=self.partner)
        self._other, self._agreed = line_process(paths[1]), Agreed()
        self._score, self._asked = self._terms.sheet(), -1

    def _move(self) -> None:
        """Make a turn here whenever the hands are free, and there as soon as one is due."""
        if self._other.alive(time.monotonic()):
            while data := self._other.receive():
                self._agreed = unpack(AGREED, data) or self._agreed
        for text in self._agreed.turns[sum(not entry.forced for entry in self._score.played_turns) :]:
            self._score.read(text)
        due = self._score.position.side == 1 and self._asked != self._agreed.entries
        if due and self._score.turns and self._other.send(
            pack(Play(self._agreed.entries, self._luck.choice(self._score.turns).text))
        ):  # fmt: skip
            self._asked = self._agreed.entries
        sheet = self.host.daemon.table.sheet
        if sheet.outcome:
            self._end()
            self._begin()
        elif sheet.here and not self.host.simulation.busy and not self.host.beginning and sheet.turns:
            self.host.obey(Make(self._choose.choice(sheet.turns).text), self.now)

    def _end(self) -> None:
        self._other.close()
        self.host.close()

    def close(self) -> None:
        """Both tables end."""
        self._other.close()
        super().close()


def process(name: str, pid: int | None) -> Process:
    """What this process holds; OSError, SystemExit."""
    if pid is None:
        raise SystemExit(f"the process that {name} has ended")
    return Process(name, *shares(pid))


def meeting_process(port: int, folder: Path, terms: Terms) -> Process:
    """What the process holds that waits for another table."""
    meeting = Meeting(folder / "meeting" / "pairing.json")
    meeting.begin(Inviting(club=Club(f"mqtt://127.0.0.1:{port}"), terms=terms, seat=0))
    until = time.monotonic() + PATIENCE
    try:
        while not (meeting.stage and meeting.stage.state == "waiting"):
            if time.monotonic() > until:
                raise SystemExit("the process that looks for another table does not come")
            meeting.see(time.monotonic())
            time.sleep(0.01)
        return process("looks for another table", meeting.worker.pid if meeting.worker else None)
    finally:
        meeting.close()


def main() -> None:
    """Print the figures and save them; the exit status tells whether they are good enough."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="zig-zag", choices=names())
    parser.add_argument("--rounds", type=int, default=20, help="times that each table plays (default 20)")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long it plays each time (default 10)")
    add_results_option(parser)
    wanted = parser.parse_args()
    if not MOSQUITTO:
        raise SystemExit(MISSING)
    Daemon.warm_up()
    kept = wanted.results / "linked.jsonl"
    lines = resume(kept, f"{program()} {wanted.game} seed 1 seconds {wanted.seconds}")
    rounds = [msgspec.json.decode(line, type=tuple[Spent, Spent]) for line in lines if line][: wanted.rounds]
    with TemporaryDirectory() as name:
        folder = Path(name)
        broker = RunningBroker(folder)
        alone, linked = Alone(wanted.game), WithAnother(wanted.game, broker.port, folder)
        try:
            linked.play(3.0, Spent())  # until the processes are there
            with kept.open("a") as file:
                for _ in tqdm(range(len(rounds), wanted.rounds), unit="round"):
                    rounds.append((Spent(), Spent()))
                    alone.play(wanted.seconds, rounds[-1][0])
                    linked.play(wanted.seconds, rounds[-1][1])
                    if not all(spent.changed for spent in rounds[-1]):
                        raise SystemExit("no turn was made here in this round: let rounds last longer, with --seconds")
                    print(msgspec.json.encode(rounds[-1]).decode(), file=file, flush=True)
            worker = linked.partner.worker
            held = [process("carries a game", worker.pid)]
            held.append(meeting_process(broker.port, folder, Terms(wanted.game, dict(load(wanted.game).chosen))))
        finally:
            alone.close()
            linked.close()
            broker.kill()
    without, among = [one for one, _ in rounds], [other for _, other in rounds]
    told({"no line": without, "with another table": among})
    slower, changes = ratio(among, without), sum(len(spent.changed) for spent in among)
    print(f"the slowest hundredth takes {slower:.2f} times as long; {WORST} is allowed")
    for each in held:
        print(f"the process that {each.name} holds {each.pss_mb:.1f} MB, {each.uss_mb:.1f} MB of it alone")
    save("linked", Linked(spread(without), spread(among), slower, changes, held), wanted, seed=1)
    raise SystemExit(slower > WORST or any(each.pss_mb > MOST_MB for each in held))


if __name__ == "__main__":
    main()
