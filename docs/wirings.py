"""Draws docs/wiring-*.svg: which pin of the Pi is joined to which pin of the chips, from the drivers' own settings.

make picture
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.drawing.shapes import Circle, Drawing, Ink, Label, Point, Shape, box, line, svg
from hardware.i2c import PINS
from hardware.scanners.hall import Hall
from hardware.scanners.mcp23017 import Mcp23017
from hardware.scanners.multiplexer import Multiplexer
from hardware.scanners.pcf8575 import Pcf8575
from hardware.scanners.shift_register import ShiftRegister
from hardware.spi import PINS as SPI

HERE = Path(__file__).parent
HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""The pin of the Pi's header that each GPIO is at."""
SUPPLY, GROUND = "3.3 V, pin 1", "ground, pin 6"

ROW, TRUNK, EDGE = 21.0, 15.0, 22.0
"""From pin to pin of a chip, from wire to wire, and around it all; in pixels."""
PI_WIDE, CHIP_WIDE, SENSOR_WIDE = 150.0, 150.0, 190.0
TEXT, TITLE = 11.0, 13.0
INK = Ink("#3c4850", 1.2)
WIRE, DOT = Ink("#44606e", 1.3), Ink(None, fill="#44606e")
PI_BOX, CHIP_BOX = Ink("#3c4850", 1.2, "#d3e3ea"), Ink("#3c4850", 1.2, "#efe3c8")
WORDS = "#1d2429"


@dataclass(frozen=True)
class Chip:
    """A chip: on the left its `pins`, each with its wire; on the right its `inputs`, each with what it reads."""

    title: str
    pins: Sequence[tuple[str, str]]
    inputs: Sequence[tuple[str, str]]

    @property
    def high(self) -> float:
        """How high its box is."""
        return ROW * (max(len(self.pins), len(self.inputs)) + 1.5)


def gpio(number: int) -> str:
    """A wire to that GPIO."""
    return f"GPIO {number}, pin {HEADER[number]}"


# The four ways ----------------------------------------------------------------------------------


def registers() -> Drawing:
    """Hall switches on a chain of 74HC165."""
    chosen = ShiftRegister.Settings()
    load, clock, data, select = map(gpio, (chosen.load, SPI[4], SPI[2], SPI[0]))
    letters = zip("ABCDEFGH", (11, 12, 13, 14, 3, 4, 5, 6), strict=True)
    inputs = [(f"{letter} {pin}", pin_of) for (letter, pin), pin_of in zip(letters, "abcdefgh", strict=True)]

    def chip(title: str, rank: int, out: str, before: str) -> Chip:
        pins = [("VCC 16", SUPPLY), ("GND 8", GROUND), ("SH/LD 1", load), ("CLK 2", clock), ("CLK INH 15", select)]
        read = [(pin, f"OUT at {file}{rank}, 10 kΩ to 3.3 V") for pin, file in inputs]
        return Chip(title, [*pins, ("QH 9", out), ("SER 10", before)], read)

    wires = [SUPPLY, GROUND, load, clock, select, data]
    chips = [
        chip("first 74HC165", 1, data, "QH of the second"),
        chip("second", 2, "QH of the second", "QH of the third"),
    ]
    return drawn("Hall switches on 74HC165", wires, chips, "and so on to the eighth, its SER 10 at its own pin 7")


def multiplexers() -> Drawing:
    """Switches behind 74HC4067."""
    chosen = Multiplexer.Settings()
    select = [gpio(pin) for pin in chosen.select]
    places = [*range(9, 1, -1), *range(23, 15, -1)]

    def chip(title: str, number: int) -> Chip:
        shared = [("VCC 24", SUPPLY), ("GND 12", GROUND), ("E 15", GROUND)]
        lines = [
            (f"S{place} {pin}", wire) for place, (pin, wire) in enumerate(zip((10, 11, 14, 13), select, strict=True))
        ]
        read = [(f"Y{place} {pin}", f"switch {16 * number + place}, to ground") for place, pin in enumerate(places)]
        return Chip(title, [*shared, *lines, ("Z 1", gpio(chosen.inputs[number]))], read)

    wires = [SUPPLY, GROUND, *select, *map(gpio, chosen.inputs[:2])]
    note = f"the third at {gpio(chosen.inputs[2])}, the fourth at {gpio(chosen.inputs[3])}"
    return drawn("Switches on 74HC4067", wires, [chip("first 74HC4067", 0), chip("second", 1)], note)


def expanders(kind: str) -> Drawing:
    """Switches at two expanders on one I2C bus."""
    chosen = {"mcp23017": Mcp23017, "pcf8575": Pcf8575}[kind].Settings()
    sda, scl = map(gpio, PINS[chosen.bus])
    supply, data, address, ports = EXPANDERS[kind]

    def chip(title: str, number: int) -> Chip:
        chooses = [(pin, SUPPLY if number >> place & 1 else GROUND) for place, pin in enumerate(address)]
        power = [(pin, GROUND if pin.startswith(("VSS", "GND")) else SUPPLY) for pin in supply]
        wires = list(zip(data, (sda, scl), strict=True))
        at = number * chosen.contacts
        read = [(pin, f"switch {at + place}, to ground") for place, pin in enumerate(ports)]
        return Chip(f"{title}, {chosen.addresses[number]:#x}", [*power, *wires, *chooses], read)

    chips = [chip(kind.upper(), 0), chip("second", 1)]
    note = "further ones: A0, A1, A2 are the last three bits of the address"
    return drawn(f"Switches on {kind.upper()}", [SUPPLY, GROUND, sda, scl], chips, note)


def converter() -> Drawing:
    """Linear Hall sensors behind 74HC4067 and an MCP3008."""
    chosen = Hall.Settings()
    select = [gpio(pin) for pin in chosen.select]
    chip_select, clock, told, heard = (gpio(SPI[place]) for place in (1 - chosen.device, 4, 2, 3))
    analogue = [
        (f"CH{number} {number + 1}", f"Z of the {ORDINALS[number]} 74HC4067") for number in range(chosen.inputs)
    ]
    pins = [
        ("VDD 16", SUPPLY), ("VREF 15", SUPPLY), ("AGND 14", GROUND), ("DGND 9", GROUND),
        ("CLK 13", clock), ("DOUT 12", told), ("DIN 11", heard), ("CS 10", chip_select),
    ]  # fmt: skip
    lines = [(f"S{place} {pin}", wire) for place, (pin, wire) in enumerate(zip((10, 11, 14, 13), select, strict=True))]
    places = [*range(9, 1, -1), *range(23, 15, -1)]
    sensors = [(f"Y{place} {pin}", f"OUT of sensor {place}") for place, pin in enumerate(places)]
    shared = [("VCC 24", SUPPLY), ("GND 12", GROUND), ("E 15", GROUND)]
    chips = [
        Chip("first 74HC4067", [*shared, *lines], [*sensors, ("Z 1", "CH0 of the MCP3008")]),
        Chip("MCP3008", pins, analogue),
    ]
    wires = [SUPPLY, GROUND, chip_select, clock, told, heard, *select]
    return drawn("Linear Hall sensors on an MCP3008", wires, chips, f"10 kΩ from {told} to 3.3 V; sensors at 3.3 V too")


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
EXPANDERS = {
    "mcp23017": (
        ("VDD 9", "RESET 18", "VSS 10"),
        ("SDA 13", "SCL 12"),
        ("A0 15", "A1 16", "A2 17"),
        (*(f"GPA{k} {21 + k}" for k in range(7)), *(f"GPB{k} {1 + k}" for k in range(7))),
    ),
    "pcf8575": (
        ("VCC 24", "GND 12"),
        ("SDA 23", "SCL 22"),
        ("A0 21", "A1 2", "A2 3"),
        (*(f"P0{k} {4 + k}" for k in range(8)), *(f"P1{k} {13 + k}" for k in range(8))),
    ),
}
"""Of each chip the pins of supply and ground, of the bus, of the address, and the inputs in the order of channels."""


# The picture ------------------------------------------------------------------------------------


def drawn(title: str, wires: Sequence[str], chips: Sequence[Chip], note: str) -> Drawing:
    """The Pi on the left, chips below each other on the right, a trunk for each wire between them."""
    named = [*wires, *dict.fromkeys(wire for chip in chips for _, wire in chip.pins if wire not in wires)]
    trunks = {wire: EDGE + PI_WIDE + 26 + TRUNK * place for place, wire in enumerate(named)}
    left, top = max(trunks.values()) + 26, EDGE + 26
    beside = top + ROW / 2  # so that no line from the Pi runs on as one from a chip
    ends = {wire: [(EDGE + PI_WIDE, beside + ROW * (place + 1.5))] for place, wire in enumerate(wires)}
    shapes = list(the_pi(wires, beside))
    low = top
    for chip in chips:
        shapes += boxed(chip, left, low)
        for place, (_, wire) in enumerate(chip.pins):
            ends.setdefault(wire, []).append((left, low + ROW * (place + 1.5)))
        low += chip.high + ROW
    shapes += [shape for wire in named for shape in joined(trunks[wire], ends[wire])]
    for wire in named:
        if len(ends[wire]) == 1:  # it leads out of the picture
            (_, y), *_ = ends[wire]
            shapes.append(Label((trunks[wire] - 6, y + 4), f"to {wire}", TEXT, "end", shade=WORDS))
    shapes.append(Label((EDGE, EDGE + 8), title, TITLE, "start", bold=True, shade=WORDS))
    for place, told in enumerate((note, "100 nF between supply and ground at each chip")):
        shapes.append(Label((left, low + 6 + 16 * place), told, TEXT, "start", shade=WORDS))
    return Drawing(title, left + CHIP_WIDE + SENSOR_WIDE + EDGE, low + 16 + EDGE, tuple(shapes), "px", "#ffffff")


def the_pi(wires: Sequence[str], top: float) -> Iterator[Shape]:
    """Its box, a line of text for each wire."""
    yield box(EDGE, top, PI_WIDE, ROW * (len(wires) + 1.5), PI_BOX, 6)
    yield Label((EDGE + 10, top + 16), "Raspberry Pi", TEXT, "start", bold=True, shade=WORDS)
    for place, wire in enumerate(wires):
        yield Label((EDGE + PI_WIDE - 8, top + ROW * (place + 1.5) + 4), wire, TEXT, "end", shade=WORDS)


def boxed(chip: Chip, left: float, top: float) -> Iterator[Shape]:
    """A chip, the names and numbers of its pins, and what is at its inputs."""
    right = left + CHIP_WIDE
    yield box(left, top, CHIP_WIDE, chip.high, CHIP_BOX, 6)
    yield Label((left + CHIP_WIDE / 2, top + 16), chip.title, TEXT, "middle", bold=True, shade=WORDS)
    for place, (pin, _) in enumerate(chip.pins):
        yield Label((left + 8, top + ROW * (place + 1.5) + 4), pin, TEXT, "start", shade=WORDS)
    for place, (pin, read) in enumerate(chip.inputs):
        y = top + ROW * (place + 1.5)
        yield Label((right - 8, y + 4), pin, TEXT, "end", shade=WORDS)
        yield line([(right, y), (right + 18, y)], WIRE)
        yield Label((right + 24, y + 4), read, TEXT, "start", shade=WORDS)


def joined(x: float, ends: Sequence[Point]) -> Iterator[Shape]:
    """A trunk at `x`, and from there to each end; a dot where it does not end itself."""
    heights = sorted(y for _, y in ends)
    low, high = heights[0], heights[-1]
    if len(ends) > 1:
        yield line([(x, low), (x, high)], WIRE)
    for end in ends:
        yield line([(x, end[1]), end], WIRE)
        if low < end[1] < high or heights.count(end[1]) > 1:
            yield Circle((x, end[1]), 3.0, DOT)


def drawings() -> dict[str, bytes]:
    """What each file holds."""
    found = {"registers": registers(), "multiplexer": multiplexers(), "hall": converter()}
    found |= {kind: expanders(kind) for kind in EXPANDERS}
    return {f"wiring-{name}.svg": svg(drawing) for name, drawing in found.items()}


def main() -> None:
    """Write the pictures."""
    for name, data in drawings().items():
        (HERE / name).write_bytes(data)


if __name__ == "__main__":
    main()
