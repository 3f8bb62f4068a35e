"""What becomes of a game whose helpers are killed or stopped: page, engine, speech, and what makes the report.

Tables at which hands play against the engine, as fast as people do, each with a page, a voice and a record; every
process is a real one, at its shipped deadlines. In each round the page, the engine and the voice are killed (SIGKILL)
or stopped (SIGSTOP) in mid-game, at times drawn from the seed; then the game is given up and its report asked for, and
the process that makes it is lost too. Of each loss three things must follow: players are told in a sentence, another
process does its work, and the game goes on. An engine whose game ends before players are told goes with it, and of a
process whose report is there without another one nothing was lost: neither is counted. The voice reads its lines and
says nothing.

Losses so far are kept in a file beside the results, a line each: a run that was cut off goes on from there.

    make helpers [LOSSES=500]
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from itertools import count
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from threading import Thread

import msgspec
from tqdm import tqdm

from benchmarks.kept import resume
from benchmarks.results import Helper, Helpers, Loss, add_results_option, program, save
from firmware_bridge.audio import Sound
from firmware_bridge.audio.sound import Speech, Voice
from firmware_bridge.cli.play import ScanLoop
from firmware_bridge.cli.systemd import Notifier
from firmware_bridge.config import Config
from firmware_bridge.daemon import Daemon
from firmware_bridge.events import Event
from firmware_bridge.i18n import words
from firmware_bridge.score import ScoreSheet
from firmware_bridge.session import Make, Mishap, New
from firmware_bridge.session.messages import End
from firmware_bridge.web.mirror import Mirror, ServerProcess
from firmware_bridge.web.simulated_host import SimulatedHost
from firmware_bridge.worker import HEALTHY, Worker
from games.rules import load
from hardware.device import Sense

GAME, LEVELS = "yin-yang", (0, 2)
"""What is played, by a person against the engine."""
DONE = -1
"""Stands for the process of a report that is there."""
SIGNS = {"killed": signal.SIGKILL, "stopped": signal.SIGSTOP}
PROGRAMS = ("page", "engine", "speech", "report")
WITHIN = 4.0
"""Seconds in which the processes of a round are lost, one after the other."""
PATIENCE = 120.0
"""Seconds after which what has not followed counts as missing."""
ASIDE = 0.25
"""Seconds between two looks of the browser."""
AT_WORK = 2.0
"""Seconds for which a report is being made before what makes it is lost: by then it works."""
BEFORE_REPORT = 6
"""Turns after which a game is given up."""


# The browser --------------------------------------------------------------------------------------


class Browser:
    """A browser at the page on `port`, in a thread: whether it serves the game, and the report once it is
    wanted."""

    def __init__(self, port: int) -> None:
        self.answered = 0.0
        """When the page served the record last, in seconds."""
        self.wants_report = self.has_report = False
        self._port, self._open = port, True
        self._thread = Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while self._open:
            if self._fetch("/record") == 200:
                self.answered = time.monotonic()
            if self.wants_report and self._fetch("/report?language=en") == 200:
                self.wants_report, self.has_report = False, True
            time.sleep(ASIDE)

    def _fetch(self, path: str) -> int:
        """The status of the answer; 0 if there is none."""
        line = HTTPConnection("127.0.0.1", self._port, timeout=2.0)
        with suppress(OSError, HTTPException):
            line.request("GET", path)
            return line.getresponse().status
        return 0

    def close(self) -> None:
        """Look no more."""
        self._open = False
        self._thread.join()


# A table ------------------------------------------------------------------------------------------


@dataclass
class Watched:
    """A loss that is being looked at."""

    program: str
    sign: str
    lost: float
    """When, in seconds."""
    gone: int
    """The process that was lost."""
    turns: int
    """Turns made by then."""
    game: Daemon
    """The game in which it was."""
    another: bool = False
    """Whether another process has been seen to do its work."""
    told: float | None = None
    back: float | None = None
    went_on: float | None = None

    @property
    def followed(self) -> bool:
        """Whether all has followed."""
        return None not in (self.told, self.back, self.went_on)


class Lost(SimulatedHost):
    """A table whose helpers are lost by a script, with records in `folder`; `tell` gets each loss that is done with."""

    def __init__(
        self, folder: Path, seed: int, tell: Callable[[Loss], None], game: str = GAME, levels: tuple[int, int] = LEVELS
    ) -> None:
        paths = (folder / f"{number}.table" for number in count())
        sheet = ScoreSheet(load(game), levels=levels)
        self._new = New(game, levels=levels)
        super().__init__(Config(), sheet, Sense.PRESENCE, lambda _: next(paths), now=time.monotonic(), seed=seed)
        self.watched: list[Watched] = []
        self.turns, self.gap, self._last = 0, 0.0, 0.0
        self._choice, self._told = Random(seed), tell
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.mirror = Mirror(ServerProcess("127.0.0.1", port))
        self.voice = Voice((shutil.which("cat") or "cat",))
        self.browser = Browser(port)
        self._script = self.rounds()

    # What happens -----------------------------------------------------------------------------

    def end(self) -> None:
        """Play no longer."""
        self._script = iter(())

    def run(self) -> None:
        """Until the script ends."""
        spoken = Sound(Speech(self.voice, words("en")), None, self.hear)
        try:
            ScanLoop(self, self.hear, Notifier({}), self.mirror, spoken).run()
        finally:
            self.browser.close()
            spoken.close()
            self.close()

    def hear(self, sentence: str) -> None:
        """A sentence that players are told."""
        for each in self.watched:
            if each.told is None and sentence in TOLD[each.program]:
                each.told = time.monotonic() - each.lost

    def step(self, now: float) -> list[Event]:
        """A scan, and what the script does before it."""
        self.gap, self._last = max(self.gap, now - (self._last or now)), now
        self.over = next(self._script, "over") == "over"
        events = super().step(now)
        self.turns += sum(event.name == "played" for event in events)
        for each in self.watched:
            self._look(each, now)
        self.watched = [each for each in self.watched if each.told is not None or not self._was_no_loss(each)]
        return events

    def _was_no_loss(self, each: Watched) -> bool:
        """Whether its game ended, or its report was there already; players are told of neither."""
        if each.program == "report":
            return each.back is not None and not each.another
        return each.program == "engine" and each.game is not self.daemon

    def _look(self, each: Watched, now: float) -> None:
        pid = self.process(each.program)
        each.another |= pid not in (None, each.gone, DONE)
        if each.back is None and pid not in (None, each.gone) and self._works(each.program, now):
            each.back, each.turns = now - each.lost, self.turns
        if each.went_on is None and each.back is not None and self._goes_on(each):
            each.went_on = now - each.lost

    def process(self, name: str) -> int | None:
        """The process that does this just now; `DONE` of a report that is there."""
        worker = self.daemon.assistant.worker if self.daemon.assistant else None
        if name == "report":
            return self.reporting() or (DONE if self.browser.has_report else None)
        return {"page": self.mirror.server.pid, "engine": worker.pid if worker else None, "speech": self.voice.pid}[
            name
        ]

    def reporting(self) -> int | None:
        """The process that makes the report: a child of the page's server, of a module of its own."""
        with suppress(OSError, ValueError):
            server = self.mirror.server.pid
            for child in Path(f"/proc/{server}/task/{server}/children").read_text().split():
                if b"analysis" in Path(f"/proc/{child}/cmdline").read_bytes():
                    return int(child)
        return None

    def _works(self, name: str, now: float) -> bool:
        """Whether the process that is there does its work."""
        worker: Worker | None = self.daemon.assistant.worker if self.daemon.assistant else None
        if name == "page":
            return self.browser.answered > now - 2 * ASIDE
        if name == "engine":
            return worker is not None and worker.spoke
        return name == "speech" or self.browser.has_report

    def _goes_on(self, each: Watched) -> bool:
        """Whether a turn was made since another process is there; of the engine, one of its own."""
        made = self.daemon.table.sheet.played_turns
        if each.program == "report":
            return self.browser.has_report
        return self.turns > each.turns + (each.program == "engine") and bool(made)

    # The script -------------------------------------------------------------------------------

    def rounds(self) -> Iterator[str]:
        """What happens, a step a scan."""
        for _ in count():
            yield from self.play(lambda: self.browser.answered and self.turns > 2)
            yield from self._lose()
            yield from self._report()
            healthy = time.monotonic() + HEALTHY
            self.obey(self._new, time.monotonic())
            yield from self.play(lambda: time.monotonic() > healthy)  # noqa: B023

    def play(self, until: Callable[[], object]) -> Iterator[str]:
        """Hands play until then."""
        while not until():
            sheet, simulation = self.daemon.table.sheet, self.simulation
            if self.beginning:
                pass
            elif sheet.outcome:
                self.obey(self._new, time.monotonic())
            elif not simulation.busy and (turn := self._due()):
                told = self.obey(Make(turn), time.monotonic())
                if any(event.name == "not-begun" for event in told):
                    self.obey(Mishap("tidy"), time.monotonic())
            yield "on"

    def _due(self) -> str:
        """The turn that hands make now: the engine's, or one of their own; empty while the engine thinks."""
        table = self.daemon.table
        if table.planned:
            return table.planned.text
        return "" if table.sheet.level else self._choice.choice(table.sheet.turns).text

    def _lose(self) -> Iterator[str]:
        """Lose the page, the engine and the voice, and play on until all has followed."""
        now = time.monotonic()
        due = {name: now + self._choice.uniform(0.0, WITHIN) for name in PROGRAMS[:3]}

        def done() -> bool:
            for name in [name for name, at in due.items() if time.monotonic() >= at]:
                if (pid := self.process(name)) and self._works(name, time.monotonic()):
                    del due[name]
                    self._signal(name, pid)
            return not due and self._followed()

        yield from self.play(done)
        yield from self._tell()

    def _report(self) -> Iterator[str]:
        """Give the game up, ask for its report, and lose what makes it."""
        made = self.turns
        self.obey(self._new, time.monotonic())
        yield from self.play(lambda: self.turns >= made + BEFORE_REPORT)
        self.obey(End(0), time.monotonic())
        self.browser.has_report, self.browser.wants_report = False, True
        ends = time.monotonic() + PATIENCE
        while not (pid := self.reporting()) and time.monotonic() < ends:
            yield "on"
        yield from self._wait(AT_WORK)
        if pid and pid == self.reporting():
            self._signal("report", pid)
            while not self._followed():
                yield "on"
        yield from self._tell()

    def _wait(self, seconds: float) -> Iterator[str]:
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            yield "on"

    def _signal(self, name: str, pid: int) -> None:
        sign = self._choice.choice(list(SIGNS))
        self.watched.append(Watched(name, sign, time.monotonic(), pid, self.turns, self.daemon))
        os.kill(pid, SIGNS[sign])

    def _followed(self) -> bool:
        late = time.monotonic() - PATIENCE
        return all(each.followed or each.lost < late for each in self.watched)

    def _tell(self) -> Iterator[str]:
        for each in self.watched:
            self._told(Loss(each.program, each.sign, each.told, each.back, each.went_on, self.gap))
        self.watched, self.gap = [], 0.0
        yield "on"


TOLD = {
    name: {words("en").say(Event.of(f"helper-{loss}", program=f"program.{name}").say) for loss in ("ended", "hung")}
    for name in PROGRAMS
}
"""The sentences by which players are told."""


def table(folder: str, seed: int, losses: SimpleQueue[bytes]) -> None:
    """A process: a table whose helpers are lost without end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    lost = Lost(Path(folder), seed, lambda loss: losses.put(msgspec.json.encode(loss)))
    signal.signal(signal.SIGTERM, lambda *_: lost.end())
    lost.run()


# The figures --------------------------------------------------------------------------------------


def main() -> None:
    """Print the figures and save them; the exit status tells whether all followed each time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--losses", type=int, default=500, help="how many processes are lost (default 500)")
    parser.add_argument("--tables", type=int, default=8, help="tables at the same time (default 8)")
    parser.add_argument("--seed", type=int, default=1, help="when and how they are lost (default 1)")
    add_results_option(parser)
    wanted = parser.parse_args()
    found = lose(wanted)
    helpers = Helpers([summary(name, sign, found) for name in PROGRAMS for sign in SIGNS])
    for row in helpers.rows:
        print(
            f"{row.program} {row.sign}: {row.told} told, {row.back} back, {row.went_on} went on, of {row.losses}",
            end="",
        )
        print(f"; without it {row.median_s or 0:.1f} s, at most {row.longest_s or 0:.1f} s")
    save("helpers", helpers, wanted)
    raise SystemExit(not all(row.losses == row.told == row.back == row.went_on for row in helpers.rows))


def lose(wanted: argparse.Namespace) -> list[Loss]:
    """All losses, those that are kept first."""
    kept = wanted.results / "helpers.jsonl"
    found = [msgspec.json.decode(line, type=Loss) for line in resume(kept, f"{program()} seed {wanted.seed}") if line]
    spawn = multiprocessing.get_context("spawn")
    losses = spawn.SimpleQueue()
    with TemporaryDirectory() as name, tqdm(total=wanted.losses, initial=len(found), unit="loss") as progress:
        tables = []
        for number in range(wanted.tables if len(found) < wanted.losses else 0):
            folder = Path(name, str(number))
            folder.mkdir()
            seed = 1000 * wanted.seed + len(found) + number
            tables.append(spawn.Process(target=table, args=(str(folder), seed, losses)))
            tables[-1].start()
        with kept.open("a") as file:
            while len(found) < wanted.losses:
                line = losses.get()
                print(line.decode(), file=file, flush=True)
                found.append(msgspec.json.decode(line, type=Loss))
                progress.update()
        for each in tables:
            each.terminate()
            each.join()
    return found


def summary(name: str, sign: str, found: list[Loss]) -> Helper:
    """All losses of one kind."""
    of = [each for each in found if (each.program, each.sign) == (name, sign)]
    without = [each.back_s for each in of if each.back_s is not None]
    return Helper(
        name,
        sign,
        len(of),
        sum(each.told_s is not None for each in of),
        len(without),
        sum(each.went_on_s is not None for each in of),
        median(without) if without else None,
        max(without, default=None),
        max((each.gap_s for each in of), default=None),
    )


if __name__ == "__main__":
    main()
