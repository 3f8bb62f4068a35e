"""Draws docs/scenes.svg, moments at the simulated table, and docs/menu.svg, the questions that it asks by light.

make picture
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from textwrap import wrap
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from firmware_bridge.dialogues import Answer, Plan, new_game, pause
from firmware_bridge.evening import Evening
from firmware_bridge.lines import read_lines
from firmware_bridge.menu import Dialogue, Question, placed
from firmware_bridge.palette import PALETTES, paint
from firmware_bridge.scene import Cue, Scene
from firmware_bridge.script import PAUSE, open_script
from games.rules import load, names
from hardware.board import Board, find_board, read_board
from hardware.device import Colour

PITCH, PANEL, LINE = 36, 340, 26
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


def reach(story: str) -> Evening:
    """The evening after the lines of `story`."""
    game, *lines = story.split("; ")
    sense = "count" if game == "zig-zag" else "presence"
    rest = list(read_lines("\n".join(["tablelight 1", f"game {game}", f"sense {sense}", *lines])))
    script = open_script(rest)
    for line in rest:
        script.do(line)
        script.evening.run(PAUSE)
    return script.evening


def brightest(evening: Evening) -> list[Colour]:
    """For each site its light at the strongest of two seconds, for a picture stands still."""
    sites, scene = evening.table.game.sites, evening.daemon.scene
    pictures = [paint(scene, sites, PALETTES["default"], evening.now + step / 40, 1.0) for step in range(80)]
    return [max(lights, key=sum) for lights in zip(*pictures, strict=True)]


def draw(into: Element, evening: Evening) -> None:
    """The board with its pieces and lights, in the middle of a panel."""
    game = evening.table.game
    xs, ys = zip(*game.places.values(), strict=True)
    left = PANEL / 2 - (max(xs) + min(xs)) / 2 * PITCH
    middle = PANEL / 2 + (max(ys) + min(ys)) / 2 * PITCH
    at = {site: (left + x * PITCH, middle - y * PITCH) for site, (x, y) in game.places.items()}
    for one, other in game.links:
        ends = {
            f"{axis}{end}": f"{value:.1f}"
            for end, site in ((1, one), (2, other))
            for axis, value in zip("xy", at[site], strict=True)
        }
        SubElement(into, "line", ends, stroke="#5a5a66")
    for site, light in zip(game.sites, brightest(evening), strict=False):
        x, y = at[site]
        ground(into, game.shaded, site, x, y, bare=bool(game.links))
        if any(light):
            glow(into, x, y, light)
        piece(into, x, y, evening.board.level(site), seeds=game.pieces == "seeds")


def ground(into: Element, shaded: frozenset[str], site: str, x: float, y: float, *, bare: bool) -> None:
    """The square, the pit or the point."""
    if bare:
        SubElement(into, "circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r="4", fill="#5a5a66")
        return
    fill = "#2b2d36" if site in shaded or not shaded else "#3c3f4a"
    half = PITCH / 2 - 1
    SubElement(
        into,
        "rect",
        x=f"{x - half:.1f}",
        y=f"{y - half:.1f}",
        width=f"{2 * half}",
        height=f"{2 * half}",
        rx="5",
        fill=fill,
    )


def glow(into: Element, x: float, y: float, light: Colour) -> None:
    """The light of a site: a soft disc and a ring, so that it is seen around a piece."""
    fill = "#{:02x}{:02x}{:02x}".format(*light)
    SubElement(into, "circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r="16", fill=fill, opacity="0.45")
    SubElement(into, "circle", {"stroke-width": "3"}, cx=f"{x:.1f}", cy=f"{y:.1f}", r="15", fill="none", stroke=fill)


def piece(into: Element, x: float, y: float, level: int, *, seeds: bool) -> None:
    """A stone, or a number of seeds."""
    if seeds:
        label(into, x, y + 5, str(level), "middle")
    elif level:
        fill = ("#0d0d10", "#f2efe6")[level - 1]
        SubElement(into, "circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r="10.5", fill=fill, stroke="#8a8a94")


def label(into: Element, x: float, y: float, text: str, anchor: str = "start") -> None:
    """Words."""
    SubElement(into, "text", {"text-anchor": anchor}, x=f"{x:.1f}", y=f"{y:.1f}", fill="#f0f0f4").text = text


def draw_question(into: Element, question: Question, board: Board) -> None:
    """A board of squares with the signs of the answers."""
    lights = {point: level for sign in placed(question, board) for point, level in sign.items()}
    cues = {point: Cue("choose", level) for point, level in lights.items()}
    painted = paint(Scene(cues), tuple(board.places), PALETTES["default"], 0.75, 1.0)
    edge = PANEL / 2 - 3.5 * PITCH
    for (point, (x, y)), light in zip(board.places.items(), painted, strict=False):
        across, down = edge + x * PITCH, PANEL - edge - y * PITCH
        ground(into, frozenset(), point, across, down, bare=False)
        if any(light):
            glow(into, across, down, light)


def questions() -> Iterator[Question]:
    """What a new game asks, with the usual answers given, and then what a game in hand does."""
    games = [load(name) for name in names()]
    for dialogue in (
        new_game(games, Plan("zong-heng", "coach", False, 144), seats=True),
        answered(pause(lambda: new_game(games, Plan("", "coach", False, 0), seats=True)), "end"),
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


def drawn(panels: Sequence[tuple[Sequence[str], Callable[[Element], None]]], name: str) -> None:
    """Write panels with their captions, three in a row."""
    columns, height = 3, PANEL + 2 * LINE
    size = {"width": str(columns * PANEL), "height": str(-(-len(panels) // columns) * height)}
    picture = Element("svg", size, xmlns="http://www.w3.org/2000/svg")
    picture.set("font-family", "sans-serif")
    picture.set("font-size", "13")
    SubElement(picture, "rect", size, fill="#17181d")
    for number, (captions, draw_panel) in enumerate(panels):
        row, column = divmod(number, columns)
        panel = SubElement(picture, "g", transform=f"translate({column * PANEL} {row * height})")
        draw_panel(panel)
        for place, text in enumerate(captions):
            label(panel, PANEL / 2, PANEL + 12 + place * 18, text, "middle")
    indent(picture)
    path = Path(__file__).with_name(name)
    path.write_bytes(tostring(picture) + b"\n")
    print(f"{path} is drawn")


def main() -> None:
    """Write the pictures."""
    drawn([(captions, partial(draw, evening=reach(story))) for *captions, story in MOMENTS], "scenes.svg")
    board = read_board(find_board("grid"))
    asked = [(wrap(str(each.say), 52), partial(draw_question, question=each, board=board)) for each in questions()]
    drawn(asked, "menu.svg")


if __name__ == "__main__":
    main()
