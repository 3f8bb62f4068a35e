"""Draws docs/scenes.svg, moments at the simulated table, and docs/menu.svg, the questions that it asks by light.

make picture
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from xml.etree.ElementTree import Element, indent, tostring

from firmware_bridge.drawing.board import INK, PAPER, Shown, picture
from firmware_bridge.drawing.picture import strongest_lights
from firmware_bridge.drawing.shapes import Drawing, Label, element, inset
from firmware_bridge.lighting import PALETTES, Cue, Scene
from firmware_bridge.records import read_lines
from firmware_bridge.session.menu import Answer, Dialogue, Plan, Question, new_game, pause, place_signs
from firmware_bridge.simulation import PAUSE, Simulation
from firmware_bridge.simulation.script import open_script
from games.rules import Game, Position, load, names
from hardware.board import Board, find_board, read_board

PANEL, GAP, TYPE = 340.0, 20.0, 13.0
COLUMNS = 3
MOMENTS = (
    ("Zong-Heng: c3 is lifted. It may go to four squares,", "and a new stone goes on c3.", "zong-heng; lift c3"),
    (
        "A push with too few stones of one's own:",
        "1 of 3, and the three light up.",
        "zong-heng; turn c3-c4; turn f2-f3; turn b4-e4",
    ),
    ("Yin-Yang: c3 has one like neighbour,", "and moves one square.", "yin-yang; lift c3"),
    (
        "ZhiZhu: three in a line. One of these comes off.",
        "",
        "zhizhu; turn a1; turn b2; turn b1; turn c4; turn a7; turn b6; put c1 dark",
    ),
    ("Zig Zag: the way of the seeds, the next pit brightest.", "", "zig-zag; lift S2; drop N3"),
    ("The new stone did the pushing:", "touch the stone where it began.", "zong-heng; put c4 dark"),
)
"""Two lines of caption, and the game with the lines that lead to the moment."""


def reach(story: str) -> Simulation:
    """The evening after the lines of `story`."""
    game, *lines = story.split("; ")
    sense = "count" if game == "zig-zag" else "presence"
    rest = list(read_lines("\n".join(["tablelight 1", f"game {game}", f"sense {sense}", *lines])))
    script = open_script(rest)
    for line in rest:
        script.do(line)
        script.simulation.run(PAUSE)
    return script.simulation


def seen(simulation: Simulation) -> Drawing:
    """The board with its pieces and lights."""
    game = simulation.table.game
    lights = strongest_lights(simulation.daemon.scene, game, PALETTES["default"], simulation.now)
    levels = [simulation.board.level(site) for site in game.sites]
    position = simulation.table.sheet.position
    return panel(game, Shown(levels, game.beside(position) or (0, 0), lights))


def panel(game: Game[Position], shown: Shown) -> Drawing:
    """A board without the paper around it."""
    return replace(picture(game, shown), paper=None)


def asked(question: Question, board: Board) -> Drawing:
    """The squares of a table with the signs of the answers."""
    lights = {point: level for sign in place_signs(question, board) for point, level in sign.items()}
    scene, table = Scene({point: Cue("choose", level) for point, level in lights.items()}), load("zong-heng")
    return panel(table, Shown([0] * len(table.sites), lights=strongest_lights(scene, table, PALETTES["default"])))


def questions(board: Board) -> Iterator[Question]:
    """What a new game asks, with the usual answers given, and then what a game in hand does."""
    games, board = [load(name) for name in names()], read_board(find_board("grid"))
    for dialogue in (
        new_game(games, Plan("zong-heng", "coach", False, 144), board),
        answered(pause(lambda: new_game(games, Plan("", "coach", False, 0), board)), "end"),
    ):
        yield from followed(dialogue)


def answered(dialogue: Dialogue[Answer], answer: str) -> Dialogue[Answer]:
    """The dialogue, its first question answered like that."""
    yield next(dialogue)
    yield dialogue.send(answer)
    return "go-on"


def followed(dialogue: Dialogue[Answer]) -> Iterator[Question]:
    """All questions of a dialogue, each answered as usual."""
    question = next(dialogue, None)
    while question:
        yield question
        try:
            question = dialogue.send(question.choices[question.usual].id)
        except StopIteration:
            return


def drawn(panels: Sequence[tuple[Sequence[str], Drawing]], name: str) -> None:
    """Write panels with their captions, three in a row."""
    rows = [panels[start : start + COLUMNS] for start in range(0, len(panels), COLUMNS)]
    words: list[Label] = []
    boards: list[Element] = []
    top = GAP
    for row in rows:
        high = max(PANEL * each.height / each.width for _, each in row)
        for column, (captions, each) in enumerate(row):
            left = GAP + column * (PANEL + GAP)
            boards.append(inset(each, left, top + (high - PANEL * each.height / each.width) / 2, PANEL))
            words += captioned(captions, left + PANEL / 2, top + high)
        top += high + 1.4 * TYPE * max(len(captions) for captions, _ in row) + 1.5 * GAP
    width = GAP + COLUMNS * (PANEL + GAP)
    root = element(Drawing("", width, top, tuple(words), unit="px", paper=PAPER))
    root.extend(boards)
    indent(root)
    path = Path(__file__).with_name(name)
    path.write_bytes(tostring(root) + b"\n")
    print(f"{path} is drawn")


def captioned(captions: Sequence[str], middle: float, top: float) -> Iterator[Label]:
    """Lines of text below a board."""
    for line, text in enumerate(captions):
        yield Label((middle, top + TYPE * (1 + 1.4 * line)), text, TYPE, "middle", shade=INK)


def main() -> None:
    """Write the pictures."""
    drawn([(captions, seen(reach(story))) for *captions, story in MOMENTS], "scenes.svg")
    board = read_board(find_board("grid"))
    drawn([(wrap(str(each.say), 52), asked(each, board)) for each in questions(board)], "menu.svg")


if __name__ == "__main__":
    main()
