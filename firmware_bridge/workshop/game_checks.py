"""What a game is looked at for, check by check, in a process of its own.

python -m firmware_bridge.workshop.game_checks --fd 5 --seconds 60 NAME|PATH

Each check yields findings. What a game raises becomes a finding; a check that takes too long is interrupted, and one
that cannot be interrupted ends with the process, which `check_game` sees to.
"""

from __future__ import annotations

import argparse
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, count, islice
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from msgspec import Struct, msgpack

from firmware_bridge.config import Config
from firmware_bridge.drawing.board import picture, standing
from firmware_bridge.drawing.figures import figures
from firmware_bridge.drawing.shapes import svg
from firmware_bridge.engine import engine, own
from firmware_bridge.engine.levels import chosen
from firmware_bridge.i18n import ENGLISH, LANGUAGES, game_catalogue
from firmware_bridge.layout import fits, full_sense
from firmware_bridge.lighting import PALETTES, paint, scene
from firmware_bridge.score import PASS, ScoreSheet
from firmware_bridge.session import story_snapshot
from firmware_bridge.simulation import Simulation, open_simulation
from firmware_bridge.web.mirror import now_snapshot, table_snapshot
from firmware_bridge.web.simulated_host import SimulatedHost
from firmware_bridge.web.snapshots import SnapshotTexts
from firmware_bridge.workshop.doctor import Finding, Findings
from firmware_bridge.workshop.game_source import installed, named, place_of
from firmware_bridge.workshop.overlay import overlay, read_points
from games.conformance import ACTS, BEFORE, FAST, RULES, WORDS, Law, Ply, Sample, at, option_sets, sampled, some
from games.fast import Plain, load_fast
from games.rules import SENTENCES, Game, OptionError, Position, Turn, fault_of, load
from hardware.board import boards
from hardware.device import Sense
from hardware.simulation.hands import IN_HAND, STYLES, Style, Touch, perform

GAMES, LONGEST = 3, 2000
"""Random games, and plies of each at the most."""
KEPT = 12
"""About as many plies of each random game are looked at."""
TURNS = 100
"""Turns that are read with each kind of sensors, if nothing else is said."""
LIFTED, WAIT = 12, 4.0
"""Positions in which a piece is lifted, and seconds for which it is held: longer than the table waits for anything."""
SLOW = 0.02
"""Seconds that turns, or tries, may take for a position on average; guessed: the lights wait for them on a Pi."""
NODES = 50
"""Nodes that the engine has for a turn."""
MEMORY = 2 << 30
"""Bytes that the process may take, so that a game that fills the memory does not stop the computer."""
SENSES = {"stones": (Sense.PRESENCE, Sense.COLOUR), "seeds": (Sense.PRESENCE, Sense.COUNT)}
"""What sensors can tell of each kind of pieces."""


class Checked(NamedTuple):
    """A game with its default options, and a sample of random games of it."""

    game: Game[Any]
    sample: Sample
    turns: int = TURNS
    """Turns that are read with each kind of sensors."""


Check = Callable[[Checked], Findings]


# Laws -------------------------------------------------------------------------------------------


def check_rules(checked: Checked) -> Findings:
    """The laws of positions, turns and outcomes, with every value of every option."""
    yield from by_options(checked, "rules", BEFORE + RULES)
    for what in ("turns", "refused"):
        yield from pace(checked, what)


def check_acts(checked: Checked) -> Findings:
    """The laws of acts, with every value of every option."""
    yield from by_options(checked, "acts", ACTS)


def by_options(checked: Checked, about: str, laws: tuple[Law, ...]) -> Findings:
    """The laws with every value of every option; of each law that is broken the first fault."""
    broken, positions = 0, 0
    for options in option_sets(type(checked.game)):
        sample = sampling(load(checked.game.name, **options)) if options else checked.sample
        positions += len(sample.plies)
        told = "".join(f" ({name}={value})" for name, value in options.items())
        for fault in filter(None, (next(law(sample), None) for law in laws)):
            broken += 1
            yield Finding("fault", about, f"{fault[:-1]}{told}.")
    if not broken:
        names = f", with each value of {', '.join(checked.game.options)}" if checked.game.options else ""
        yield Finding("ok", about, f"All laws are kept in {positions} positions of random games{names}.")


def sampling(game: Game[Any]) -> Sample:
    """The sample of `game`."""
    return sampled(game, *map(Random, range(GAMES)), kept=KEPT, most=LONGEST)


def pace(checked: Checked, what: str) -> Findings:
    """How long the game takes to list its turns, or those it refuses."""
    ask: Callable[[Position], object] = getattr(checked.game, what)
    began = perf_counter()
    for ply in checked.sample.plies:
        ask(ply.position)
    each = (perf_counter() - began) / len(checked.sample.plies)
    if each > SLOW:
        name = "tries" if what == "refused" else what
        say = f"{name} takes {1000 * each:.0f} ms a position: the lights wait for it, longer still on a small computer"
        yield Finding("remark", "rules", f"{say}; below {1000 * SLOW:.0f} ms is well.")


def check_search(checked: Checked) -> Findings:
    """The fast form, where there is one; the engine's turn, and that of a level."""
    game = checked.game
    yield from (Finding("fault", "search", fault) for law in FAST for fault in islice(law(checked.sample), 1))
    start = game.start()
    legal = {turn.text for turn in game.turns(start)}
    brought = own(game)
    *_, found = (brought or engine(game)).find(start, nodes=NODES)
    for who, text in (("engine", found.turn), ("opponent of level 1", chosen(game, 1, start).turn)):
        if text not in legal:
            yield Finding("fault", "search", f"The {who} chooses {text!r} at the start, which is no legal turn.")
    form = "search the rules themselves: there is no fast.py" if type(load_fast(game)) is Plain else "search fast.py"
    yield Finding("ok", "search", f"Hints and opponents {'ask search.py' if brought else form}.")


def check_sentences(checked: Checked) -> Findings:
    """What players read, and in which languages they can."""
    game = checked.game
    broken = [fault for law in WORDS for fault in islice(law(checked.sample), 1)]
    yield from (Finding("fault", "sentences", fault) for fault in broken)
    own = sorted(id for id in SENTENCES if id.partition(".")[0] == game.name)
    if not broken:
        yield Finding("ok", "sentences", f"{len(own)} sentences, all of them well formed.")
    for language in (language for language in LANGUAGES if language != ENGLISH):
        catalogue = game_catalogue(game.name, language)
        missing = [id for id in own if catalogue.gettext(id) == id]
        if missing:
            which = "no catalogue" if len(missing) == len(own) else f"no translation of {', '.join(missing[:3])}"
            say = f"{LANGUAGES[language]}: {which}, so English is told; python -m docs.catalogues {game.name} writes it"
            yield Finding("remark", "sentences", f"{say}.")


# Hands and sensors ----------------------------------------------------------------------------


def check_hands(checked: Checked) -> Findings:
    """Simulated hands of every style carry out each turn, and leave the board as it is to be."""
    game, made = checked.game, 0
    for position, turn in whole_turns(checked.sample.plies):
        for name, style in {**STYLES, "in hand": IN_HAND}.items():
            shows = dict(zip(game.sites, position.board, strict=True))
            for touch in perform(turn.acts, style):
                shows.update(touch.changes)
            made += 1
            if tuple(shows.values()) != turn.after.board:
                site = next(site for site, due in zip(game.sites, turn.after.board, strict=True) if shows[site] != due)
                what = f"leave {shows[site]} on {site} and not what the position after it has"
                yield Finding("fault", "hands", f"Hands that make {turn} ({name}) {what}, {at(position)}.")
                return
    yield Finding("ok", "hands", f"Simulated hands carry out turns in {made} ways, each with its result.")


def whole_turns(plies: Iterable[Ply]) -> Iterator[tuple[Position, Turn[Any]]]:
    """Turns of the plies that are no passes, evenly spread."""
    for ply in plies:
        yield from ((ply.position, turn) for turn in some(ply.turns, 12) if turn.text != PASS)


def by_sense(sense: Sense) -> str:
    """How a finding begins that is about these sensors."""
    return f"By {sense.value}"


def check_sensing(checked: Checked) -> Findings:
    """A piece that is lifted and held is no turn, unless the sensors show no more of one that is whole."""
    game = checked.game
    for sense in SENSES[game.pieces]:
        held = 0
        for number, ply in enumerate(some([ply for ply in checked.sample.plies if ply.turns], LIFTED)):
            pieces = [site for site, level in zip(game.sites, ply.position.board, strict=True) if level]
            begins = [turn.acts[0].sites[0] for turn in ply.turns if turn.acts and turn.acts[0].sites[0] in pieces]
            if not pieces:
                continue
            site = (begins or pieces)[number % len(begins or pieces)]
            held += 1
            simulation = opened(game, sense, ply.position)
            simulation.do([Touch(0.3, ((site, 0),))])
            simulation.run(WAIT)
            counted = [entry for entry in simulation.table.sheet.played_turns if not entry.forced]
            lies = [sense.of(simulation.board.level(each)) for each in game.sites]
            if counted and [*map(sense.of, counted[-1].turn.after.board)] != lies:
                what = f"{counted[-1].turn} is counted though only the piece of {site} was lifted"
                yield Finding("fault", "sensing", f"{by_sense(sense)} {what}, {at(ply.position)}.")
                return
        yield Finding("ok", "sensing", f"{by_sense(sense)} {held} pieces were lifted and held: no turn was counted.")


def opened(game: Game[Any], sense: Sense, start: Position | None = None) -> Simulation:
    """A simulated table at rest."""
    simulation = open_simulation(ScoreSheet(game, house_rule=False, start=start), sense)
    simulation.run(0.3)
    return simulation


class Misread(NamedTuple):
    """A turn that hands have made, what the table has in its place, and the position before it."""

    turn: Turn[Any]
    made: Turn[Any] | None
    position: Position
    unseen: bool
    """Whether the sensors show nothing of it."""


def check_accuracy(checked: Checked) -> Findings:
    """Random games by clean hands of every style: how the table reads the turns."""
    for sense in SENSES[checked.game.pieces]:
        asked, unseen = 0, None
        whole = chain.from_iterable(played(checked.game, sense, seed) for seed in count())
        for question in islice(whole, checked.turns):
            if not isinstance(question, Misread):
                asked += question
            elif question.unseen and sense is not full_sense(checked.game):
                asked, unseen = asked + 1, question
            else:
                what = f"{question.turn} is read as {question.made or 'no turn'} when hands make it"
                yield Finding("fault", "accuracy", f"{by_sense(sense)} {what}, {at(question.position)}.")
                return
        how = f"{checked.turns - asked} read at once, {asked} asked about, 0 wrong"
        yield Finding("ok", "accuracy", f"{by_sense(sense)} {checked.turns} turns by clean hands: {how}.")
        if unseen:
            say = "players press Done until the lights show it; were a piece carried or taken, it would be seen"
            yield Finding("remark", "accuracy", f"{by_sense(sense)} nothing shows {unseen.turn}: {say}.")


def played(game: Game[Any], sense: Sense, seed: int) -> Iterator[bool | Misread]:
    """Play a random game: of each turn whether the table asked about it, or at last how it was misread."""
    choose, style = Random(seed), [*STYLES.values(), IN_HAND][seed % (len(STYLES) + 1)]
    simulation = opened(game, sense)
    sheet, sensors = simulation.table.sheet, simulation.table.sensors
    while sheet.turns:
        turn, position, seen = choose.choice(sheet.turns), sheet.position, len(simulation.events)
        made = read(simulation, turn, style)
        if made is not turn:
            unseen = made is None and not sensors.signature(position, turn).seen
            yield Misread(turn, made, position, unseen)
            return
        yield any(event.name == "asked" for event in simulation.events[seen:])


def read(simulation: Simulation, turn: Turn[Any], style: Style) -> Turn[Any] | None:
    """Make `turn`: it, if the table has its result in the end, else what it has in its place."""
    sheet = simulation.table.sheet
    length = sheet.length
    simulation.take(turn, style)
    simulation.run(0.8)
    if sheet.length == length:
        simulation.press("done")
        simulation.answer(turn)
        simulation.run(0.8)
    made = sheet.played_turns[length].turn if sheet.length > length else None
    return turn if made and made.after == turn.after else made


# Lights, page and boards ----------------------------------------------------------------------


def check_lights(checked: Checked) -> Findings:
    """Where each turn begins is lit, and pictures can be painted while hands make it."""
    game, made = checked.game, 0
    made_by_hands = ([turn for turn in ply.turns if turn.text != PASS] for ply in checked.sample.plies)
    for number, (ply, turns) in enumerate(zip(checked.sample.plies, made_by_hands, strict=True)):
        if not turns:
            continue
        simulation = opened(game, full_sense(game), ply.position)
        view = simulation.table.view()
        shown = scene(view, simulation.now)
        lit = {game.sites.index(site) for site in shown.cues}
        begun = {signature.turn.text for signature in view.signatures if signature.begins in lit}
        dark = next((turn for turn in turns if turn.text not in begun), None)
        if dark:
            yield Finding("fault", "lights", f"No light shows where {dark} begins, {at(ply.position)}.")
            return
        for touch in perform(turns[number % len(turns)].acts, Style()):
            simulation.do([touch])
            simulation.run(0.1)
            shown = scene(simulation.table.view(), simulation.now)
            paint(shown, game.sites, PALETTES["default"], simulation.now, 255)
        made += 1
    yield Finding("ok", "lights", f"{made} turns were lit from where they begin to their end.")


def check_page(checked: Checked) -> Findings:
    """What browsers are told can be said in every language; board and figures can be drawn."""
    game = checked.game
    host = SimulatedHost(Config(), ScoreSheet(game, house_rule=False), full_sense(game), background=False)
    host.step(0.0)
    texts, daemon = SnapshotTexts(), host.daemon
    told = table_snapshot(host, daemon), story_snapshot(daemon.table.sheet, hands=True)
    for snapshot in (*told, now_snapshot(daemon, host.levels(daemon), 0.0)):
        texts.take(snapshot, 0.0)
    texts.illustrate(game, figures(game))
    size = sum(len(texts.text(kind, language, 0.0)) for kind in ("table", "story", "now") for language in LANGUAGES)
    host.close()
    for ply in checked.sample.plies[-1:]:
        size += len(svg(picture(game, standing(game, ply.position))))
    yield Finding("ok", "page", f"Page and pictures show the board: {len(game.sites)} sites, {size >> 10} kB.")


def check_boards(checked: Checked) -> Findings:
    """The boards that come with the program on which the game can be laid, and the sheet for those of squares."""
    game = checked.game
    plans = {name: read_points(path) for name, path in boards().items()}
    where = [name for name, plan in plans.items() if fits(game, plan)]
    for name in where:
        if plans[name].grid:
            svg(overlay(game, plans[name]))
    if where:
        yield Finding("ok", "boards", f"It can be laid on these boards: {', '.join(where)}.")
    else:
        say = f"It fits on no board of the program: draw it as {game.name} in the [layouts] of a board file"
        yield Finding("remark", "boards", f"{say}; at the simulated table it can be played.")
    if not installed(game.name):
        line = f'{game.name} = "{type(game).__module__.removesuffix(".rules")}:GAME"'
        say = f'name it in [project.entry-points."tablelight.games"] as {line}, and install it'
        yield Finding("remark", "boards", f"Other commands do not find it by its name yet: {say}.")


CHECKS: dict[str, Check] = {
    "rules": check_rules,
    "acts": check_acts,
    "sentences": check_sentences,
    "search": check_search,
    "hands": check_hands,
    "sensing": check_sensing,
    "lights": check_lights,
    "page": check_page,
    "boards": check_boards,
    "accuracy": check_accuracy,
}
"""Name -> check, in the order in which they are done."""
GROUND = ("rules", "acts")
"""The checks without which the others tell little."""


# The process ------------------------------------------------------------------------------------


class Doing(Struct, frozen=True, tag=True):
    """A check is begun: its name, and how many of all of them are done."""

    name: str
    done: int


class Found(Struct, frozen=True, tag=True):
    """A finding."""

    finding: Finding


class Ended(Struct, frozen=True, tag=True):
    """All has been looked at: the title of the game, empty where none could be loaded."""

    title: str


Packet = Doing | Found | Ended
pack = msgpack.Encoder().encode
unpack = msgpack.Decoder(Packet).decode


class TimeUp(BaseException):
    """Raised within a check, wherever it is, that has taken too long; no ``except Exception`` catches it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeUp in this block after so many seconds."""

    def stop(*_: object) -> None:
        raise TimeUp

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def limited(about: str, findings: Findings, seconds: float, folder: Path) -> Findings:
    """The `findings` of a check about a game in `folder`; whatever else happens to it becomes a finding too."""
    try:
        with time_limit(seconds):
            yield from findings
    except OptionError as error:
        yield Finding("fault", about, f"{error}.")
    except TimeUp as error:
        say = f"This was not over after {seconds:g} s, and was{place_of(error, folder)}"
        yield Finding("fault", about, f"{say}: see that it ends, or allow more with --seconds.")
    except (Exception, SystemExit, RecursionError) as error:
        yield Finding("fault", about, f"{fault_of(error)}{place_of(error, folder)}.")


def look(what: str, seconds: float, send: Callable[[Packet], None]) -> None:
    """Load the game `what` and do all checks, each for so many seconds at the most."""
    faults: set[str] = set()
    games: list[Game[Any]] = []
    samples: list[Sample] = []

    def do(name: str, done: int, findings: Findings, folder: Path) -> None:
        send(Doing(name, done))
        for finding in limited(name, findings, seconds, folder):
            faults.update({name} if finding.grade == "fault" else ())
            send(Found(finding))

    def loading() -> Findings:
        games.append(load(named(what)))
        yield Finding("ok", "game", f"{games[0].title} ({games[0].name}), of {home(games[0])}.")

    def playing() -> Findings:
        samples.append(sampling(games[0]))
        yield from ()

    do("game", 0, loading(), Path(what).resolve())
    if games:
        folder = home(games[0])
        do("rules", 0, playing(), folder)
    for done, (name, check) in enumerate(CHECKS.items()):
        if samples and (name in GROUND or not faults & {*GROUND}):
            do(name, done, check(Checked(games[0], samples[0])), folder)
    left = [name for name in CHECKS if name not in GROUND]
    if samples and faults & {*GROUND}:
        send(Found(Finding("remark", "left", f"Not looked at until this is mended: {', '.join(left)}.")))
    send(Ended(games[0].title if games else ""))


def home(game: Game[Any]) -> Path:
    """The folder in which the game's class is, or its file where it is alone there."""
    module = sys.modules[type(game).__module__]
    path = Path(module.__file__ or "").resolve()
    return path.parent if module.__package__ else path


def main() -> int:
    """Look at a game and send what is found; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", metavar="NAME|PATH", help="the game")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each check")
    parser.add_argument("--fd", type=int, required=True, help="a SOCK_SEQPACKET socket to the command")
    wanted = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command ends it
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    with socket.socket(fileno=wanted.fd) as line:
        look(wanted.what, wanted.seconds, lambda packet: line.sendall(pack(packet)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
