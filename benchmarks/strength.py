"""How strong the engine is: matches that go on until a test decides them, and go on where they stopped.

    make bench-strength
    python -m benchmarks.strength --game zhizhu --match level-8      only these; --match is a part of a player's name
    python -m benchmarks.strength --game zhizhu --match before@0.2 --games 60      against the engine as it was
    python -m benchmarks.strength --list

The engine with 0.2 seconds a turn plays a player of random turns, a greedy one and, with as much time, OpenSpiel's
search, a plain alpha-beta (`plain_alphabeta`) and itself as it was (`before`); each level plays the one below. `bet`
tells what *reached* means, and how sure it is; the bounds of the score hold with 95 % certainty. Levels count nodes,
so that their matches have the same games on every computer: the digest in the last column tells whether they had.

Finished games are kept in build/strength.jsonl, by the sources of the game, its search and the matches, and of the
levels where levels play; when these change, the games are played anew.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import re
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from pathlib import Path
from typing import Any

from tqdm import tqdm

from benchmarks.before import COMMIT, whole
from benchmarks.bet import ERROR, Bet, interval
from benchmarks.kept import ROOT, digest, sources
from benchmarks.matches import MOST, Match, Played, play_game
from benchmarks.players import COMPILED, prepare
from benchmarks.results import Matched, Strength, add_results_option, save
from benchmarks.workers import add_worker_options, workers
from firmware_bridge.engine import kind
from firmware_bridge.engine.levels import LEVELS
from games.fast import load_fast
from games.rules import load, names

KEPT = ROOT / "build" / "strength.jsonl"
PLAYERS = ("before", "matches", "peer", "plain", "plain_alphabeta", "plain_rules", "players")
CODE = ("games/*.py", "games/*/*.py", "firmware_bridge/engine/*.py", *(f"benchmarks/{name}.py" for name in PLAYERS))
SEARCHES = {"uct": ("uct", "exact"), "alphabeta": ("alphabeta", "endgame")}
"""Kind of search -> how the names of its files begin."""
SECONDS = 0.2
SEARCHED = {"yin-yang": (0.92, 0.96)}
"""The scores demanded and hoped for against OpenSpiel's search, where they are not `USUAL`."""
USUAL = (0.95, 0.985)
AT_ONCE = 2
"""Games of one match at once, at most: more would be played in vain when it is decided."""


def matches(commit: str = COMMIT) -> Iterator[Match]:
    """All of them; the engine plays itself as it was at `commit`."""
    best = f"engine@{SECONDS}"
    before = f"before@{SECONDS}" if commit == COMMIT else f"before:{commit}@{SECONDS}"
    for game in names():
        yield Match(game, best, "random", 0.99, 0.9995)
        yield Match(game, best, "greedy", 0.95, 0.99)
        yield Match(game, best, f"openspiel@{SECONDS}", *SEARCHED.get(game, USUAL))
        yield Match(game, best, f"alphabeta@{SECONDS}", 0.75, 0.85, paired=True)
        yield Match(game, best, before, 0.7, 0.8, paired=True)
        for level in range(LEVELS, 1, -1):
            yield Match(game, f"level-{level}", f"level-{level - 1}", 0.6, 0.75)


class Tally:
    """How a match stands. Games count in the order of their numbers, however they end."""

    def __init__(self, match: Match, most: int, finished: dict[int, Played]) -> None:
        self.match, self.most, self.finished = match, most, finished
        self.bet = Bet(match.demanded, match.hoped, paired=match.paired)
        self.running: set[int] = set()
        self.take()

    def take(self) -> None:
        """Count the games that have no unfinished one before them."""
        while not self.over and (game := self.finished.get(len(self.bet.scores))):
            self.bet.count(game.score)

    @property
    def over(self) -> bool:
        """Whether no more games are to be played."""
        return self.bet.verdict != "open" or len(self.bet.scores) >= self.most

    def next(self) -> int | None:
        """The number of the game to play next; None if there is none."""
        if self.over or len(self.running) >= AT_ONCE:
            return None
        count = len(self.bet.scores)
        ahead = range(count, min(count + AT_ONCE, self.most))
        return next((number for number in ahead if number not in self.finished and number not in self.running), None)

    def left(self) -> int:
        """About how many games are still needed, if the scores stay as they are, or are as hoped."""
        if self.over:
            return 0
        count = len(self.bet.scores)
        score = self.bet.score if count >= 10 else self.match.hoped
        win, loss = (1 + self.bet.stake * (result - self.match.demanded) for result in (1, 0))
        growth = abs(score * math.log(win) + (1 - score) * math.log(loss))
        nearest = max(self.bet.above, self.bet.below)
        return max(1, min(self.most - count, math.ceil(math.log(1 / ERROR / nearest) / max(growth, 1e-6))))

    def figures(self) -> Matched:
        """How it stands, as it is saved."""
        bet, match = self.bet, self.match
        games = [self.finished[number] for number in range(len(bet.scores))]
        played = hashlib.sha256("".join(game.turns for game in games).encode()).hexdigest()[:8]
        least, most = interval(bet.scores)
        return Matched(
            match.first,
            match.second,
            match.demanded,
            bet.score,
            len(games),
            bet.verdict,
            drawn=bet.scores.count(0.5),
            plies=sum(game.plies for game in games) / max(1, len(games)),
            digest=played if timeless(match) else "",
            least=least,
            most=most,
        )

    def row(self) -> tuple[str, ...]:
        """Its line of the table."""
        found = self.figures()
        assert found.least is not None
        assert found.most is not None
        score, demanded = f"{100 * found.score:.1f} %", f"{100 * found.demanded:.0f} %"
        bounds = f"{100 * found.least:.1f} - {100 * found.most:.1f}"
        figures = f"{found.games}", score, bounds, f"{found.drawn}", f"{found.plies:.0f}", demanded
        return self.match.game, found.first, found.second, *figures, found.verdict, found.digest


def timeless(match: Match) -> bool:
    """Whether its games are the same on every computer."""
    return "@" not in match.first + match.second


def key(match: Match) -> str:
    """By what its games are kept: with seconds it matters whether the engine is compiled."""
    return str(match) if timeless(match) or not COMPILED else f"{match}, compiled"


def digest_of_sources(match: Match) -> str:
    """What a match depends on: all but other games, the other search and, with seconds, the levels."""
    games = {name.replace("-", "_") for name in names() if name != match.game}
    own = kind(load_fast(load(match.game)))
    others = [each for search, begins in SEARCHES.items() if search != own for each in begins]
    left = tuple(others if timeless(match) else [*others, "levels"])
    return digest(file for file in sources(*CODE) if file.parent.name not in games and not file.stem.startswith(left))


def kept(path: Path, sources: Mapping[str, str]) -> dict[str, dict[int, Played]]:
    """The finished games of each match, which has these sources, by number; a line that was cut off is left out."""
    found: dict[str, dict[int, Played]] = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        try:
            theirs, match, number, *game = json.loads(line)
        except ValueError:
            continue
        if theirs == sources.get(match):
            found.setdefault(match, {})[number] = Played(*game)
    return found


class Run:
    """Plays until every match is decided or has all its games, and keeps every game as it ends."""

    def __init__(self, tallies: list[Tally], keep: Path, sources: Mapping[str, str]) -> None:
        self.tallies, self.keep, self.sources = tallies, keep, sources
        self.running: dict[Future[Played], tuple[Tally, int]] = {}
        self.bar: tqdm[Any] = tqdm(unit="game", smoothing=0.02, disable=None)

    def play(self, jobs: int, cluster: str | None = None) -> None:
        """Play; an interrupt loses no finished game. `ClusterError`."""
        with workers(jobs, cluster) as (pool, count), self.bar:
            while self._begin(pool, count):
                for future in wait(self.running, return_when=FIRST_COMPLETED).done:
                    self._finish(future, *self.running.pop(future))
                self._show()

    def _begin(self, pool: Executor, count: int) -> bool:
        """Let each of `count` workers have a game, of the first match that needs one; whether any is being played."""
        for tally in self.tallies:
            while len(self.running) < count and (number := tally.next()) is not None:
                tally.running.add(number)
                self.running[pool.submit(play_game, tally.match, number)] = tally, number
        return bool(self.running)

    def _finish(self, future: Future[Played], tally: Tally, number: int) -> None:
        tally.running.remove(number)
        tally.finished[number] = game = future.result()
        with self.keep.open("a") as file:
            # First the end of the line before, which may have been cut off.
            file.write("\n" + json.dumps([self.sources[key(tally.match)], key(tally.match), number, *game]))
        was_open = not tally.over
        tally.take()
        self.bar.update()
        if tally.over and was_open:
            self.bar.write(line(tally.row()))

    def _show(self) -> None:
        """Bring the progress up to date: the games to come are an estimate."""
        current = next((tally for tally in self.tallies if not tally.over), self.tallies[-1])
        self.bar.total = self.bar.n + sum(tally.left() for tally in self.tallies)
        self.bar.set_description(f"{current.match} {100 * current.bet.score:.0f} %")


WIDTHS = (10, 11, 14, -6, -8, -13, -6, -6, -9, 9, 8)
HEADING = ("game", "first", "second", "games", "score", "bounds, %", "drawn", "plies", "demanded", "verdict", "digest")


def line(row: tuple[str, ...]) -> str:
    """A row of the table; numbers stand right."""
    cells = zip(row, WIDTHS, strict=True)
    return " ".join(cell.ljust(width) if width > 0 else cell.rjust(-width) for cell, width in cells).rstrip()


def main() -> int:
    """Play what is to be played, print the table, save whole games; 1 if a match missed or stayed open."""
    wanted = arguments()
    try:
        commit = COMMIT if wanted.before == COMMIT else whole(wanted.before)[: len(COMMIT)]
    except ValueError as fault:
        print(fault, file=sys.stderr)
        return 2
    chosen = [match for match in matches(commit) if wanted.game in (None, match.game)]
    chosen = [match for match in chosen if not wanted.match or concerns(match, wanted.match)]
    if wanted.list or not chosen:
        print("\n".join(map(str, chosen)) or "no match of these games has such a player; --list alone shows all")
        return not chosen
    try:
        for name in {name for match in chosen for name in (match.first, match.second)}:
            prepare(name)
    except ValueError as fault:
        print(fault, file=sys.stderr)
        return 2
    tallies = compete(chosen, wanted.games, wanted.keep, wanted.jobs, wanted.cluster)
    if not wanted.match:
        for game in dict.fromkeys(match.game for match in chosen):
            rows = [tally.figures() for tally in tallies if tally.match.game == game]
            save(f"strength-{game}", Strength(game, COMPILED, rows), wanted)
    return any(tally.bet.verdict != "reached" for tally in tallies)


def concerns(match: Match, player: str) -> bool:
    """Whether a player of this name takes part; the engine of any commit before is `before@SECONDS`."""
    return any(player in (name, re.sub(":.*@", "@", name)) for name in (match.first, match.second))


def compete(chosen: list[Match], games: int, keep: Path, jobs: int, cluster: str | None = None) -> list[Tally]:
    """Play these matches and print their table; `ClusterError`."""
    print(f"The engine is {'' if COMPILED else 'not '}compiled; a second is one of the processor's.", flush=True)
    digests = {key(match): digest_of_sources(match) for match in chosen}
    known = kept(keep, digests)
    tallies = [Tally(match, games, known.get(key(match), {})) for match in chosen]
    keep.parent.mkdir(parents=True, exist_ok=True)
    Run(tallies, keep, digests).play(jobs, cluster)
    print("\n".join(map(line, (HEADING, *(tally.row() for tally in tallies)))))
    return tallies


def arguments() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=names(), help="only this game")
    parser.add_argument("--match", help="only matches of this player: random, openspiel@0.2, level-1 ...")
    parser.add_argument("--before", default=COMMIT, metavar="COMMIT", help=f"the engine that was ({COMMIT})")
    add_worker_options(parser)
    parser.add_argument("--games", type=int, default=MOST, help=f"a match is left open after so many ({MOST})")
    parser.add_argument("--keep", type=Path, default=KEPT, help="where finished games are kept")
    add_results_option(parser)
    parser.add_argument("--list", action="store_true", help="only list the matches")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("stopped; the same command goes on from here")
