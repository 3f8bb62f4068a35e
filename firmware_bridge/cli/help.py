"""What the command line tells of itself: its help, in lines that fit the terminal, and what a number may be."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from firmware_bridge.i18n.catalogue import system_words
from firmware_bridge.i18n.progress import wrapped
from games.rules import Reason, say


class Lines(argparse.HelpFormatter):
    """Help in lines that fit the terminal, in languages that put no blanks between words too."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(indent + line for line in wrapped(text, width - len(indent)))


def listed(id: str, names: Iterable[str]) -> str:
    """The sentence `id` with these names in it."""
    return system_words().say(Reason.of(id, names=", ".join(names)))


def within(text: str, least: float, most: float, unit: str = "") -> float:
    """The number that `text` is, if it lies between the two; ValueError or ArgumentTypeError."""
    value = float(text)
    if not least <= value <= most:
        bounds = {"least": f"{least:g}", "most": f"{most:g}{unit}"}
        raise argparse.ArgumentTypeError(system_words().say(Reason.of("help.bounds", text=text, **bounds)))
    return value


say(
    "command",
    tablelight="A companion for a real game table.",
    all="commands",
    play="play on the simulated table, hands typed or piped in; or at a board",
    run="run a real table; without GAME everything is chosen at the table, by light",
    demo="watch simulated hands play a whole game",
    replay="play a record or a scenario again",
    moves="print a position, its legal turns and the outcome",
    perft="count the turn sequences and positions of each depth",
    rules="print the rules of a game in short",
    overlay="draw the sheet of a game, to print and lay on a table of squares",
    wire="find out which channel reads which point, by putting a piece on each",
    doctor="look at the computer, the board file, the sensors and the lights",
    gtp="let programs play against the engine: Go Text Protocol on standard input and output",
    endings="work out the endings of ZhiZhu and Zig Zag, which the engine looks up",
    compile="compile the engine, so that it thinks faster; needs a C compiler, and plays the same",
    dark="switch the lights of a board off",
    darkened="The lights are dark: {count} on {kind}.",
)
say(
    "help",
    sense="what the sensors tell (presence)",
    set_up="begin with an empty board and be guided in setting it up",
    fake_gpio="the board's own scanner over wiring that is simulated",
    power_off="switch the computer off with the table",
    speed="times as fast as hands (3)",
    seed="which game is played (1)",
    opponent="play against the engine at this level, 1 (a child's first game) to 8; given twice, it plays both sides",
    seat="where you sit: 0 begins, 1 does not (0)",
    mode="how much the lights tell (coach)",
    hints="when the lights show good turns: off, button (on request; so unless told otherwise), always",
    board="the board: {names}, or a file of yours",
    scanner="other sensors: {names}",
    lights="other lights: {names}",
    config="read the configuration from FILE (TOML)",
    record="write the record to FILE",
    no_record="write none",
    trace="keep every scan in FILE, to tell of a fault with: 4 MB at most, of the last turns",
    trace_again="feed a trace to the table again, and tell where it answers otherwise now",
    speed_again="with --trace: times as fast as it was, on the screen (as fast as it goes, without)",
    page="serve the table to browsers: watch it there, or play without hardware",
    address="where the page is served (127.0.0.1:8000): 0.0.0.0:8000 lets a phone in; with --page or without",
    resume="go on with a game: FILE, or the latest",
    turns="turns to make first",
    start="begin here and not at the start",
    json="print JSON",
    output="write the board file to FILE (the board's own)",
    force="write to FILE although it exists; it is kept as FILE.old",
    masked="ask only for the points that are masked, once mended",
    patience="how long a piece is carried (10)",
    seconds="how long the sensors are watched (5)",
    findings="print the findings as JSON",
    live="show the level of every channel until Ctrl-C",
    picture="show a test picture: corner, order, colours",
    pitch="from square to square ({pitch} mm)",
    laid_on="the board it is laid on (grid)",
    option="an option of the game",
    paper="cut a PDF into pages of this size (none: the whole sheet is one page)",
    sheet="FILE.svg or FILE.pdf",
    think="seconds for a turn (1; none if --nodes is given)",
    nodes="positions or random games for a turn, so that it is the same on every computer",
    luck="another number, other choices between equal turns (0)",
    ending_seeds="up to so many seeds in the pits (10)",
    again="work them out although they are there",
    build_again="compile it although it is there",
    bounds="{text} is not between {least} and {most}",
)
