"""Draws docs/step-*.svg: what is built in each step of docs/building.md, from the board file and the drivers' settings.

make picture
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from docs.wirings import CHIP_BOX, DOT, HEADER, INK, PI_BOX, TEXT, TITLE, WIRE, WORDS, gpio
from firmware_bridge.drawing.shapes import Circle, Drawing, Ink, Label, Point, Shape, box, line, svg
from hardware.board import Board, find_board, read_board
from hardware.scanners.shift_register import INPUTS, ShiftRegister
from hardware.spi import PINS as SPI

HERE = Path(__file__).parent
WIDE, EDGE = 680.0, 20.0
"""Of every drawing, and around it; in pixels."""
PITCH = 50.0
"""Millimetres from square to square."""
LETTERS = "ABCDEFGH"
RED, DARK, DATA = Ink("#b5493a", 2.0), Ink("#3c4850", 2.0), Ink("#2f7d6b", 1.6)
"""5 V, ground, and what is told."""
WOOD, GLASS, BOARD = Ink("#8a7350", 1.0, "#e3d3b2"), Ink("#7c99a6", 1.0, "#e6f0f3"), Ink("#b9ab8d", 0.8, "#f6f0e2")
LAMP, STONE, MAGNET = Ink("#8c7a1e", 0.8, "#ffe98a"), Ink("#2b2b2b", 1.0, "#4a4a4a"), Ink("#7a2d2d", 0.8, "#d05a4c")
SWITCH = Ink("#222222", 0.8, "#2f3a40")


def words(x: float, y: float, text: str, anchor: str = "start", *, bold: bool = False, size: float = TEXT) -> Label:
    """A line of text."""
    return Label((x, y), text, size, anchor, bold=bold, shade=WORDS)  # type: ignore[arg-type]


def sheet(title: str, high: float, shapes: Iterator[Shape]) -> Drawing:
    """A drawing of the common width, its title on top."""
    head = words(EDGE, EDGE + 8, title, bold=True, size=TITLE)
    return Drawing(title, WIDE, high, (head, *shapes), "px", "#ffffff")


def block(left: float, top: float, size: Point, ink: Ink, lines: Sequence[str]) -> Iterator[Shape]:
    """A box with lines of text in its middle."""
    wide, high = size
    yield box(left, top, wide, high, ink, 5)
    first = top + high / 2 + 4 - 7.5 * (len(lines) - 1)
    yield from (words(left + wide / 2, first + 15 * n, text, "middle", bold=not n) for n, text in enumerate(lines))


def resistor(left: float, y: float, value: str) -> Iterator[Shape]:
    """A part in a line that runs to the right, 40 wide."""
    yield box(left, y - 6, 40, 12, Ink("#3c4850", 1.2, "#ffffff"))
    yield words(left + 20, y - 11, value, "middle")


def arrow(start: Point, end: Point, ink: Ink) -> Iterator[Shape]:
    """A line, with a head where it ends; level or upright."""
    (x, y), back = end, 6 if end[0] >= start[0] else -6
    yield line([start, end], ink)
    level = start[1] == end[1]
    tips = ((x - back, y - 4), (x - back, y + 4)) if level else ((x - 4, y + 6), (x + 4, y + 6))
    yield line([tips[0], end, tips[1]], ink)


# The steps --------------------------------------------------------------------------------------


def header(board: Board) -> Drawing:
    """Step 1: which pins of the Pi's header are used."""
    load = ShiftRegister.Settings().load
    used = {1: "3.3 V: registers", 2: "5 V: from the supply", 6: "ground: everything's"}
    told = {load: "SH/LD", SPI[4]: "CLK", SPI[0]: "CLK INH", SPI[2]: "QH of the first register", SPI[3]: "lights"}
    told |= {pin: f"button {name}" for name, pin in board.buttons.pins().items()}
    used |= {HEADER[pin]: f"GPIO {pin}: {what}" for pin, what in told.items()}

    def shapes() -> Iterator[Shape]:
        top, middle = 62.0, WIDE / 2
        yield words(middle, 50, "Zero 2 W from above, its card at this end", "middle")
        yield box(middle - 34, top, 68, 20 * 17 + 10, PI_BOX, 6)
        for pin in range(1, 41):
            side, row = (-1, 1)[pin % 2 == 0], (pin - 1) // 2
            x, y = middle + side * 15, top + 14 + 17 * row
            yield Circle((x, y), 6, Ink("#3c4850", 1.0, "#ffd75e" if pin in used else "#ffffff"))
            if pin in used:
                yield line([(x + side * 7, y), (x + side * 34, y)], WIRE)
                yield words(x + side * 40, y + 4, f"{pin}  {used[pin]}", "start" if side > 0 else "end")

    return sheet("Step 1. What goes to which pin of the header", top_of(20 * 17 + 92), shapes())


def top_of(high: float) -> float:
    """A height with the edge below."""
    return high + EDGE


def first_light(board: Board) -> Drawing:
    """Step 2: supply, level shifter and three lights."""

    def shapes() -> Iterator[Shape]:
        yield from block(20, 60, (100, 110), Ink("#3c4850", 1.2, "#f3e0dc"), ["supply", "5 V, 4 A"])
        yield from block(20, 230, (100, 70), PI_BOX, ["Raspberry Pi", gpio(SPI[3]).partition(",")[0]])
        yield from block(280, 215, (130, 96), CHIP_BOX, ["74AHCT125", "2 in, 3 out", "14: 5 V", "1, 7: ground"])
        yield box(500, 60, 160, 50, Ink("#7c99a6", 1.0, "#f4f4f4"), 4)
        for light in range(len(board.pixels["a1"])):
            yield Circle((530 + 50 * light, 85), 9, LAMP)
        yield words(598, 128, "the first lights of the strip", "middle")
        yield line([(120, 75), (500, 75)], RED)
        yield box(150, 69, 44, 12, Ink("#b5493a", 1.2, "#ffffff"))
        yield words(172, 62, "fuse 3 A", "middle")
        yield line([(120, 155), (470, 155), (470, 98), (500, 98)], DARK)
        yield words(478, 70, "+", "middle")
        yield words(484, 112, "-", "middle")
        for x, value in ((240, "1000 uF"), (345, "100 nF")):
            yield line([(x, 75), (x, 108)], RED)
            yield line([(x - 12, 108), (x + 12, 108)], INK)
            yield line([(x - 12, 115), (x + 12, 115)], INK)
            yield line([(x, 115), (x, 155)], DARK)
            yield words(x + 18, 116, value)
        yield line([(325, 155), (325, 215)], DARK)
        yield line([(404, 75), (404, 215)], RED)
        yield words(410, 205, "to 14")
        yield words(319, 205, "to 1, 7", "end")
        yield line([(70, 155), (70, 230)], DARK)
        yield words(78, 200, "grounds joined: pin 6")
        yield line([(120, 265), (280, 265)], DATA)
        yield from resistor(175, 265, "100 ohm")
        yield line([(410, 265), (512, 265), (512, 110)], DATA)
        yield from resistor(440, 265, "330 ohm")
        yield words(520, 200, "DIN")

    return sheet("Step 2. The first light", top_of(320), shapes())


def one_square(board: Board) -> Drawing:
    """Step 3: a square from the side and from above."""
    scale = 4.4

    def shapes() -> Iterator[Shape]:
        left, wide = 130.0, PITCH * scale
        layers = ((70, 8, GLASS, "top, 2 to 3 mm, lets light through"), (150, 10, WOOD, "base"))
        for y, high, ink, told in layers:
            yield box(left, y, wide, high, ink)
            yield words(left - 8, y + high + 4, told.partition(",")[0], "end")
        yield box(left + wide / 2 - 66, 50, 132, 20, STONE, 4)
        yield box(left + wide / 2 - 16, 63, 32, 7, MAGNET)
        yield words(left - 8, 62, "stone", "end")
        yield words(left + wide / 2 + 72, 62, "magnet, south pole down")
        yield box(left + wide / 2 - 9, 79, 18, 7, SWITCH)
        yield words(left + wide / 2 + 14, 92, "Hall switch, marked face up")
        for light in range(3):
            yield box(left + wide * (2 * light + 1) / 6 - 9, 143, 18, 7, LAMP)
        yield words(left - 8, 148, "strip", "end")
        yield line([(left + wide + 14, 86), (left + wide + 14, 143)], WIRE)
        yield words(left + wide + 20, 120, "5 to 10 mm")
        yield words(left + wide / 2, 185, "from the side", "middle")
        x, y = 440.0, 200.0
        yield box(x, y, wide, wide, BOARD)
        yield box(x - 1, y + wide / 2 - 16, wide + 2, 32, Ink("#7c99a6", 0.8, "#f4f4f4"))
        for light in range(3):
            yield box(x + wide * (2 * light + 1) / 6 - 10, y + wide / 2 - 10, 20, 20, LAMP)
        yield box(x + wide / 2 - 9, y + wide / 2 - 7, 18, 14, SWITCH)
        yield words(x + wide / 2, y + wide + 18, f"from above, {PITCH:g} mm", "middle")
        legs = (("1", "5 V", RED), ("2", "ground", DARK), ("3", "to input A, and 10 kohm to 3.3 V", DATA))
        yield from block(60, 250, (90, 60), SWITCH_BOX, ["A3144", "marked face"])
        for place, (leg, told, ink) in enumerate(legs):
            yield line(
                [(80 + 25 * place, 310), (80 + 25 * place, 340 + 22 * (2 - place)), (170, 340 + 22 * (2 - place))], ink
            )
            yield words(176, 344 + 22 * (2 - place), f"leg {leg}: {told}")

    return sheet("Step 3. One square", top_of(450), shapes())


SWITCH_BOX = Ink("#222222", 1.0, "#dfe4e6")


def strip(board: Board) -> Drawing:
    """Step 4: how the strip lies, from the pixels of the board file."""
    side = 52.0
    left, top = 160.0, 50.0

    def at(point: str) -> Point:
        x, y = board.places[point]
        return left + side * (x + 0.5), top + side * (7 - y + 0.5)

    ordered = sorted(board.pixels, key=lambda point: board.pixels[point][0])

    def shapes() -> Iterator[Shape]:
        for point in board.places:
            x, y = at(point)
            yield box(x - side / 2, y - side / 2, side, side, BOARD)
        for row in range(8):
            own = ordered[8 * row : 8 * row + 8]
            (start, y), (end, _) = at(own[0]), at(own[-1])
            ahead = 1 if end > start else -1
            yield line([(start - ahead * 22, y), (end + ahead * 22, y)], Ink("#b9c4c9", 10))
            for point in own:
                yield from (Circle((at(point)[0] + side * (k - 1) / 3, y), 3.4, LAMP) for k in range(3))
            yield from arrow((start - ahead * 18, y - 14), (start + ahead * 14, y - 14), DATA)
            yield words(start + ahead * 20, y - 10, f"{board.pixels[own[0]][0]}", "start" if ahead > 0 else "end")
            if row < 7:
                x = end + ahead * 34
                yield line([(end + ahead * 22, y), (x, y), (x, y - side), (end + ahead * 22, y - side)], DATA)
        (x, y), (u, v) = at(ordered[0]), at(ordered[-1])
        yield line([(x - 132, y), (x - 26, y)], DATA)
        yield words(x - 132, y - 8, "from 330 ohm")
        yield words(x - 132, y + 20, "+ and - here ...")
        yield line([(u - 26, v), (u - 60, v)], DATA)
        yield words(u - 132, v - 8, "lamps 192, 193")
        yield words(u - 132, v + 20, "... and here")
        yield words(
            left + 4 * side,
            top + 8 * side + 18,
            "a1 at the lower left; seven bridges of three wires, else uncut",
            "middle",
        )

    return sheet(
        "Step 4. The strip: eight pieces of 24 lights, laid like a snake", top_of(top + 8 * side + 24), shapes()
    )


def row(board: Board) -> Drawing:
    """Step 5: a rank from beneath, its rails, its register."""
    side = 76.0

    def shapes() -> Iterator[Shape]:
        yield line([(30, 84), (650, 84)], RED)
        yield line([(30, 132), (650, 132)], DARK)
        yield words(640, 78, "rail 5 V, bare copper", "end")
        yield words(640, 148, "rail ground", "end")
        yield from block(
            40,
            240,
            (600, 46),
            CHIP_BOX,
            ["74HC165, a socket of 16 pins", "CLK, CLK INH, SH/LD, QH and SER on to the next rank"],
        )
        for place, letter in enumerate(LETTERS):
            x = 74 + side * place
            yield box(x - 12, 96, 24, 22, SWITCH_BOX)
            yield words(x, 111, f"{'abcdefgh'[place]}1", "middle")
            yield line([(x - 8, 96), (x - 8, 84)], RED)
            yield line([(x, 118), (x, 132)], DARK)
            yield Circle((x - 8, 84), 2.6, DOT)
            yield Circle((x, 132), 2.6, DOT)
            yield line([(x + 8, 118), (x + 8, 240)], DATA)
            yield words(x + 12, 232, letter)
        yield box(40, 182, 600, 22, Ink("#3c4850", 1.0, "#ffffff"))
        yield words(340, 197, "resistor network, 8 x 10 kohm: one to each line, the common pin to 3.3 V", "middle")

    return sheet("Step 5. The first row from beneath: three joints a switch", top_of(290), shapes())


def rows(board: Board) -> Drawing:
    """Step 6: the chain of registers, and the loop at its end."""
    load = gpio(ShiftRegister.Settings().load)
    count = len(board.places) // INPUTS

    def shapes() -> Iterator[Shape]:
        buses = (
            (f"SH/LD 1: {load}, 100 ohm", 300.0),
            (f"CLK 2: {gpio(SPI[4])}, 100 ohm", 318.0),
            (f"CLK INH 15: {gpio(SPI[0])}", 336.0),
        )
        for place in range(count):
            y = 76 + 50 * place
            yield from block(
                420, y, (150, 38), CHIP_BOX, [f"rank {place + 1}", f"a{place + 1} to h{place + 1} at A to H"]
            )
            for number, (_, x) in enumerate(buses):
                yield line([(x, y + 9 + 10 * number), (420, y + 9 + 10 * number)], WIRE)
                yield Circle((x, y + 9 + 10 * number), 2.6, DOT)
            if place + 1 < count:
                yield line([(570, y + 28), (600, y + 28), (600, y + 60), (570, y + 60)], DATA)
        for number, (told, x) in enumerate(buses):
            yield line([(280, 96 + 30 * number), (x, 96 + 30 * number)], WIRE)
            yield words(274, 100 + 30 * number, told, "end")
            yield line([(x, 85 + 10 * number), (x, 76 + 50 * (count - 1) + 9 + 10 * number)], WIRE)
        yield line([(274, 62), (600, 62), (600, 86), (570, 86)], DATA)
        yield words(268, 66, f"QH 9 of the first: {gpio(SPI[2])}", "end")
        y = 76 + 50 * (count - 1)
        yield line([(570, y + 28), (612, y + 28), (612, y + 46), (495, y + 46), (495, y + 38)], Ink("#b5493a", 2.2))
        yield words(480, y + 60, "the last one: SER 10 to its own pin 7", "middle")
        yield words(24, 330, "3.3 V (pin 1) to VCC 16, ground to GND 8,")
        yield words(24, 346, "100 nF between them at each register.")
        yield words(24, 370, "QH 9 of each further one to SER 10")
        yield words(24, 386, "of the one before.")

    return sheet("Step 6. Eight rows, one chain", top_of(76 + 50 * count + 16), shapes())


def buttons(board: Board) -> Drawing:
    """Step 7: a button from each GPIO to ground."""
    pins = board.buttons.pins()

    def shapes() -> Iterator[Shape]:
        yield from block(60, 56, (130, 46 * len(pins) + 10), PI_BOX, ["Raspberry Pi"])
        ground = 520.0
        for place, (name, pin) in enumerate(pins.items()):
            y = 82 + 46 * place
            yield line([(190, y), (350, y)], DATA)
            yield words(198, y - 6, gpio(pin))
            yield Circle((354, y), 4, DOT)
            yield line([(350, y - 12), (400, y - 12)], DARK)
            yield line([(375, y - 12), (375, y - 20)], DARK)
            yield Circle((396, y), 4, DOT)
            yield words(375, y + 18, name, "middle", bold=True)
            yield line([(400, y), (ground, y)], DARK)
        yield line([(ground, 82), (ground, 82 + 46 * (len(pins) - 1))], DARK)
        yield words(ground + 10, 84, "ground, pin 9, 14, 20,")
        yield words(ground + 10, 99, "25, 30, 34 or 39")

    return sheet("Step 7. The buttons", top_of(46 * len(pins) + 80), shapes())


def top(board: Board) -> Drawing:
    """Step 8: what lies upon what."""
    layers = (
        ("the printed sheet of the game", "paper", Ink("#9a9a9a", 0.8, "#ffffff"), 6.0),
        ("top: opal acrylic or veneer, 2 to 3 mm", "", GLASS, 12.0),
        ("switches, glued under the top", "", SWITCH, 7.0),
        ("walls of card or foam around each square", "", BOARD, 34.0),
        ("strip, on the base", "", LAMP, 7.0),
        ("base: plywood; registers, wires and Pi beneath", "", WOOD, 16.0),
    )

    def shapes() -> Iterator[Shape]:
        y = 56.0
        for told, _, ink, high in layers:
            parts = 8 if ink in (SWITCH, BOARD, LAMP) else 1
            for part in range(parts):
                if ink is BOARD:
                    yield line([(40 + 37.5 * part, y), (40 + 37.5 * part, y + high)], Ink("#8a7350", 2.4))
                elif parts == 1:
                    yield box(40, y, 300, high, ink)
                else:
                    yield box(40 + 37.5 * part + 10, y, 17, high, ink)
            if ink is BOARD:
                yield line([(340, y), (340, y + high)], Ink("#8a7350", 2.4))
            yield words(362, y + high / 2 + 4, told)
            y += high + 22

    return sheet("Step 8. The top", top_of(56 + sum(high + 22 for *_, high in layers)), shapes())


def mapping(board: Board) -> Drawing:
    """Step 9: a piece is carried from light to light."""
    side = 36.0
    left, top = 40.0, 50.0

    def shapes() -> Iterator[Shape]:
        for x, y in board.places.values():
            yield box(left + side * x, top + side * (7 - y), side, side, BOARD)
        for rank in range(3):
            y = top + side * (7 - rank) + side / 2
            yield from arrow((left + side * 0.5, y), (left + side * 7.5, y), DATA)
        yield Circle((left + side / 2, top + side * 7.5), 12, LAMP)
        yield words(left + side / 2, top + side * 7.5 + 4, "1", "middle", bold=True)
        told = (
            "All lights orange: take all pieces off.",
            "One white light: put a piece there.",
            "The light goes on: carry the same piece after it.",
            "a1, b1 ... h1, then rank 2, to h8.",
            "The program writes down which switch closed.",
        )
        yield from (words(360, 110 + 26 * place, f"{place + 1}.  {text}") for place, text in enumerate(told))

    return sheet("Step 9. Which switch is where, the table finds out", top_of(top + 8 * side + 4), shapes())


STEPS: dict[str, Callable[[Board], Drawing]] = {
    "pi": header,
    "light": first_light,
    "square": one_square,
    "strip": strip,
    "row": row,
    "rows": rows,
    "buttons": buttons,
    "top": top,
    "mapping": mapping,
}


def drawings() -> dict[str, bytes]:
    """What each file holds."""
    board = read_board(find_board("registers"))
    return {f"step-{name}.svg": svg(draw(board)) for name, draw in STEPS.items()}


def main() -> None:
    """Write the pictures."""
    for name, data in drawings().items():
        (HERE / name).write_bytes(data)


if __name__ == "__main__":
    main()
