"""Whether the search slows the table down: hints that are always shown, so that it never rests, and none at all.

A game is played by simulated hands at several times their speed, as often scanned. By turns the search runs, in its
process beside the loop, and does not; scans of both kinds are timed in one run.

    make bench-engine
"""

from __future__ import annotations

import argparse

from benchmarks.played import Played, Spent, ratio, spread, told
from benchmarks.results import Beside, add_results_option, save
from firmware_bridge.daemon import Daemon
from firmware_bridge.session import Hinting
from games.rules import names

WORST = 1.5
"""How much slower the slowest hundredth of the scans may be while the search runs."""


def main() -> None:
    """Print the figures and save them; the exit status tells whether they are good enough."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="zong-heng", choices=names())
    parser.add_argument("--rounds", type=int, default=20, help="times that it begins and ends (default 20)")
    parser.add_argument("--seconds", type=float, default=4.0, help="how long it runs, and rests (default 4)")
    add_results_option(parser)
    wanted = parser.parse_args()
    Daemon.warm_up()
    table = Played(wanted.game)
    try:
        resting, searching = by_turns(table, wanted.rounds, wanted.seconds)
    finally:
        table.close()
    told({"nobody searches": resting, "while it searches": searching})
    slower = ratio(searching, resting)
    print(f"the slowest hundredth takes {slower:.2f} times as long; {WORST} is allowed")
    changes = sum(len(spent.changed) for spent in searching)
    save("thinking", Beside(spread(resting), spread(searching), slower, changes), wanted, seed=1)
    raise SystemExit(slower > WORST)


def by_turns(table: Played, rounds: int, seconds: float) -> tuple[list[Spent], list[Spent]]:
    """Play with no search beside, and with one, by turns."""
    resting, searching = [Spent() for _ in range(rounds)], [Spent() for _ in range(rounds)]
    for before, during in zip(resting, searching, strict=True):
        table.host.obey(Hinting("off"), table.now)
        table.play(seconds, before)
        table.host.obey(Hinting("always"), table.now)
        table.play(1.0, Spent())  # until its process is there
        table.play(seconds, during)
    return resting, searching


if __name__ == "__main__":
    main()
