"""`tablelight check-game`: whether a game keeps all that the program needs of it, told in sentences.

The checks (`workshop.game_checks`) run in a process of their own, so that a game that never ends, fills the memory or
kills its process ends there.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import closing
from math import inf
from pathlib import Path

from firmware_bridge.i18n import Progress, print_lines, system_words
from firmware_bridge.worker import Worker
from firmware_bridge.workshop.doctor import Finding
from firmware_bridge.workshop.doctor_command import Report
from firmware_bridge.workshop.game_checks import CHECKS, Doing, Ended, Found, unpack
from firmware_bridge.workshop.game_source import is_name, module_at
from games.rules import Reason, say

GRACE = 5.0
"""Seconds beyond its limit after which a check is ended from outside: it cannot be interrupted."""
POLL = 0.02
"""Seconds between two looks at what the process has sent."""


def check_game(what: str, seconds: float, sleep: Callable[[float], None] = time.sleep) -> int:
    """Check the game `what`, a name or a path, each check for so many `seconds`; 1 if there is a fault, else 0.

    OptionError if there is nothing of that name or at that path.
    """
    if not is_name(what):
        module_at(Path(what))
    report, title = Report(aloud=True), ""
    worker = Worker("firmware_bridge.workshop.game_checks", (what, "--seconds", str(seconds)), silent=inf)
    with closing(worker), Progress(so_far, sys.stderr) as progress:
        name, begun = "game", time.monotonic()
        while not worker.news():
            worker.alive(time.monotonic())
            packet = worker.receive()
            told = unpack(packet) if packet else None
            if isinstance(told, Ended):
                title = told.title
                break
            if isinstance(told, Doing):
                name, begun = told.name, time.monotonic()
                progress.step(told.done + 1, len(CHECKS) + 1)
            elif isinstance(told, Found):
                progress.clear()
                report.add([told.finding])
            elif time.monotonic() > begun + seconds + GRACE:
                say = f"This was not over after {seconds:g} s and could not be interrupted: see that the game ends"
                report.add([Finding("fault", name, f"{say}, and that it does not catch BaseException.")])
                break
            else:
                sleep(POLL)
        else:
            say = "The process of the game has ended in the midst of this: a game must not end the program"
            report.add([Finding("fault", name, f"{say}.")])
    print_lines(system_words().say(verdict(title or what, report.faults)))
    return int(report.faults > 0)


def so_far(done: int, every: int, left: str) -> Reason:
    """What is told while it works."""
    return Reason.of("check-game.so-far", done=done, every=every, left=left)


def verdict(game: str, faults: int) -> Reason:
    """What is told at the end."""
    if faults:
        return Reason.of("check-game.broken", game=game, count=faults)
    return Reason.of("check-game.kept", game=game)


say(
    "check-game",
    so_far="Checks: {done} of {every}, seconds left: about {left}",
    kept="{game} keeps all that was looked at.",
    broken="{game} cannot be played as it is. Faults: {count}. Mend the first one first: others may follow from it.",
)
