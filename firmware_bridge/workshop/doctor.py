"""What is right and what is wrong with a computer and a board file; each finding says what to do.

A fault keeps the table from working as its board file wants it; a remark is worth knowing. `examine` looks at the
computer, `check_pins` at pins that config.txt gives away, `check_supply` at the current that the lights may draw,
and what the Pi wants beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from msgspec import DecodeError, Struct, json

from firmware_bridge.workshop.machine import DeviceFile, Machine
from hardware.board import Board
from hardware.device import DeviceError
from hardware.power import estimate
from hardware.settings import plain
from hardware.spi import PINS as SPI_PINS

Grade = Literal["ok", "remark", "fault"]
LIBRARIES = ("gpiozero", "lgpio", "spidev", "smbus2", "rpi_ws281x", "pyserial")
"""Libraries that drivers need."""
GPIO_CHIP = "/dev/gpiochip[04]"
"""The pins of the header: number 4 on a Pi 5 with an older kernel."""
CLOCKS = {"3": {"core_freq": "250"}, "02": {"core_freq": "250"}, "4": {"core_freq": "500", "core_freq_min": "500"}}
"""Settings that keep the clock of the SPI bus from changing under a strip, for each Pi."""
I2C_PINS = (2, 3)
"""The GPIOs of the bus that dtparam=i2c_arm switches on."""
I2C_RATE = 400_000
"""The fastest that the expanders take, in Hz; a Pi has 100000 unless it is told."""
SUPPLIES = {"4": 3000, "5": 5000}
"""mA that the maker asks of a Pi's supply, where a share of the lights' supply is too little."""
SHARE = 1000
"""mA that docs/building.md leaves the Pi on a supply shared with the lights."""
OVERLAYS = {"w1-gpio": ("gpiopin", "4"), "ws2812-pio": ("gpio", "4")}
"""Overlays that take a pin: the parameter that names it, and the pin without it."""


class Finding(NamedTuple):
    """One thing that was looked at: how it is, what it is about, and a sentence."""

    grade: Grade
    about: str
    say: str


Findings = Iterator[Finding]


class WledLights(Struct):
    """What WLED tells of its lights."""

    count: int


class WledInfo(Struct):
    """What WLED tells of itself at /json/info, as far as it matters here."""

    ver: str
    leds: WledLights


class Need(NamedTuple):
    """A device file that the board needs, and what for."""

    path: str
    what: str


def examine(machine: Machine, board: Board | None) -> Findings:
    """All that can be found out without opening the board's devices."""
    checks: list[Callable[[Machine, Board | None], Findings]] = [
        check_computer, check_gpio, check_files, check_groups, check_spi, check_i2c, check_clock, check_sound,
        check_overlay, check_wled, check_libraries,
    ]  # fmt: skip
    for check in checks:
        yield from check(machine, board)


# What the board asks for ----------------------------------------------------------------------


def light_driver(board: Board | None) -> str:
    """How the lights are driven: ``spi``, ``pwm``, ``pcm``, ``leds0``, or nothing that concerns the computer."""
    kind = board.lights.kind if board else ""
    if board and kind == "ws281x":
        return str(board.lights.settings.via)
    return {"ws2812_spi": "spi", "leds0": "leds0"}.get(kind, "")


def needs(board: Board | None) -> list[Need]:
    """The device files that the board needs."""
    return list(_light_needs(board)) + list(_scanner_needs(board)) if board else []


def _light_needs(board: Board) -> Iterator[Need]:
    chosen, what = board.lights.settings, f"the lights ({board.lights.kind})"
    if board.lights.kind == "ws2812_spi":
        yield Need(f"/dev/spidev{chosen.bus}.{chosen.device}", what)
    elif light_driver(board) == "spi":
        yield from (Need("/dev/spidev0.0", what), Need("/dev/gpiomem", what))
    elif light_driver(board) in ("pwm", "pcm"):
        yield from (Need("/dev/mem", what), Need("/dev/vcio", what))
    elif light_driver(board) == "leds0":
        yield Need(chosen.device, what)


def _scanner_needs(board: Board) -> Iterator[Need]:
    chosen, what = board.scanner.settings, f"the scanner ({board.scanner.kind})"
    bus = getattr(chosen, "path", "")
    if bus:
        yield Need(bus, what)
    elif chosen.pins:
        yield Need(GPIO_CHIP, what)
    if set(chosen.pins) >= set(SPI_PINS):
        yield Need(f"/dev/spidev0.{chosen.device}", what)
    if getattr(chosen, "port", ""):
        yield Need(chosen.port, what)
    without = bus or not chosen.pins
    if board.buttons.pins() and without:
        yield Need(GPIO_CHIP, "the buttons")
    elif board.buzzer is not None and without:
        yield Need(GPIO_CHIP, "the buzzer")


# The computer ---------------------------------------------------------------------------------


def check_computer(machine: Machine, board: Board | None) -> Findings:
    """Which Pi this is, and its system."""
    if machine.model:
        yield Finding("ok", "computer", f"{machine.model}, revision {machine.revision or 'unknown'}.")
    else:
        asks = any(need.path.startswith(("/dev/gpio", "/dev/spi", "/dev/leds", "/dev/mem")) for need in needs(board))
        say = "not a Raspberry Pi: play on the simulated table or with a micro-controller board"
        more = ", for this board needs the GPIO of one" if asks else ""
        yield Finding("fault" if asks else "remark", "computer", f"This is {say}{more}.")
    yield Finding("ok", "system", f"{machine.system}.")


def check_gpio(machine: Machine, board: Board | None) -> Findings:
    """Whether gpiozero finds the pins."""
    needed = any(need.path == GPIO_CHIP for need in needs(board))
    try:
        name = machine.pin_factory()
    except DeviceError as error:
        yield Finding("fault" if needed else "remark", "gpio", f"No pins: {error}.")
        return
    slow = "" if name == "LGPIOFactory" else "; lgpio is several times as fast: pip install 'tablelight[pi]'"
    yield Finding("remark" if slow else "ok", "gpio", f"gpiozero opens the pins through {name}{slow}.")


def check_files(machine: Machine, board: Board | None) -> Findings:
    """Whether the device files that the board needs are there and open to this user."""
    for need in needs(board):
        there = machine.devices(need.path.removeprefix("/dev/"))
        path = there[0].path if there else need.path.replace("[04]", "0")
        if not there:
            yield Finding("fault", "device", f"There is no {path} for {need.what}: {missing(need)}.")
        elif not there[0].allowed:
            yield Finding("fault", "device", f"{path} is not open to this user for {need.what}: {opening(there[0])}.")
        else:
            yield Finding("ok", "device", f"{path} is open to this user for {need.what}.")


def missing(need: Need) -> str:
    """What to do where a device file is missing."""
    if need.path.startswith("/dev/spidev"):
        return "switch SPI on with dtparam=spi=on in config.txt and restart"
    if need.path.startswith("/dev/i2c"):
        return "switch I2C on with sudo raspi-config nonint do_i2c 0 and restart"
    if need.path.startswith("/dev/leds"):
        return "set dtoverlay=ws2812-pio with gpio and num_leds in config.txt and restart (Pi 5 only)"
    if need.path.startswith(("/dev/tty", "/dev/serial")):
        return "plug the micro-controller board in, or name another port in the board file"
    return "it takes a Raspberry Pi with its own system"


def opening(file: DeviceFile) -> str:
    """What to do where a device file is closed to the user."""
    if file.group == "root":
        return "only root may open it; start as root, or drive the lights over SPI"
    if file.member:
        return f"its group {file.group} may not write it; set its mode to 660 by a udev rule"
    return f"sudo usermod -aG {file.group} $USER, then log in again"


def check_groups(machine: Machine, board: Board | None) -> Findings:
    """Whether the user is in the groups that own pins, buses and serial ports."""
    patterns = (
        "gpiochip*",
        "gpiomem*",
        "spidev*",
        "i2c-[0-9]*",
        "leds0",
        "ttyUSB*",
        "ttyACM*",
        "ttyAMA*",
        "serial[0-9]",
    )
    files = [file for pattern in patterns for file in machine.devices(pattern)]
    known = {file.path for need in needs(board) for file in machine.devices(need.path.removeprefix("/dev/"))}
    closed = [file for file in files if not file.allowed and file.path not in known]
    yield Finding("ok", "groups", f"This user is in {', '.join(machine.groups()) or 'no group'}.")
    for group in sorted({file.group for file in closed}):
        paths = ", ".join(file.path for file in closed if file.group == group)
        first = next(file for file in closed if file.group == group)
        yield Finding("remark", "groups", f"Not open to this user: {paths}; {opening(first)}.")


# config.txt -----------------------------------------------------------------------------------


def check_spi(machine: Machine, board: Board | None) -> Findings:
    """Whether SPI is on."""
    files = ", ".join(file.path for file in machine.devices("spidev*"))
    if files:
        yield Finding("ok", "spi", f"SPI is on: {files}.")
    elif machine.boot.param("spi"):
        yield Finding("remark", "spi", f"SPI is on in {machine.boot.path} but not yet in the kernel: restart.")
    elif machine.model:
        yield Finding("remark", "spi", f"SPI is off; dtparam=spi=on in {machine.boot.path} switches it on.")


def check_i2c(machine: Machine, board: Board | None) -> Findings:
    """Whether the bus of expanders is as fast as they are."""
    path = getattr(board.scanner.settings, "path", "") if board else ""
    if not path or not machine.model:
        return
    rate = machine.boot.value("i2c_arm_baudrate") or "100000"
    if rate.isdigit() and int(rate) >= I2C_RATE:
        yield Finding("ok", "i2c", f"{path} runs at {rate} Hz.")
    else:
        say = f"dtparam=i2c_arm_baudrate={I2C_RATE} in {machine.boot.path} makes a scan four times as fast"
        yield Finding("remark", "i2c", f"{path} runs at {rate} Hz: {say}.")


def check_clock(machine: Machine, board: Board | None) -> Findings:
    """Whether the clock that the SPI bus follows stands still."""
    wanted = CLOCKS.get(machine.pi, {}) if light_driver(board) == "spi" else {}
    wrong = [f"{key}={value}" for key, value in wanted.items() if machine.boot.setting(key) != value]
    if wrong:
        grade: Grade = "remark" if machine.pi == "02" else "fault"
        say = f"set {' and '.join(wrong)} in {machine.boot.path} and restart, or the lights may flicker"
        yield Finding(grade, "clock", f"The clock of the SPI bus changes with the load: {say}.")
    elif wanted:
        yield Finding("ok", "clock", "The clock of the SPI bus stands still.")


def check_sound(machine: Machine, board: Board | None) -> Findings:
    """Whether the analogue sound is in the way of a strip on PWM."""
    if light_driver(board) == "pwm" and machine.boot.param("audio"):
        say = f"set dtparam=audio=off in {machine.boot.path} and restart"
        yield Finding("fault", "sound", f"The lights on PWM and the analogue sound need the same hardware: {say}.")


def check_overlay(machine: Machine, board: Board | None) -> Findings:
    """Whether the kernel knows the strip that it drives by itself, and whether the library knows the Pi."""
    if board and board.lights.kind == "ws281x" and machine.pi == "5":
        yield Finding("fault", "lights", 'ws281x does not know the Pi 5: set kind = "ws2812_spi" in [lights].')
    if not board or light_driver(board) != "leds0":
        return
    line = f"dtoverlay=ws2812-pio,gpio=18,num_leds={board.length}"
    strip = next((overlay for overlay in machine.boot.overlays() if overlay.name == "ws2812-pio"), None)
    if strip is None:
        yield Finding("fault", "overlay", f"The kernel drives no strip: set {line} in {machine.boot.path} and restart.")
    elif strip.values.get("num_leds", "60") != str(board.length):
        say = f"the board has {board.length} lights and the overlay {strip.values.get('num_leds', '60')}"
        yield Finding("fault", "overlay", f"In {machine.boot.path} {say}: set num_leds={board.length} and restart.")
    else:
        yield Finding("ok", "overlay", f"The kernel drives {board.length} lights.")


def check_wled(machine: Machine, board: Board | None) -> Findings:
    """Whether the controller in the network is there, is WLED, and has as many lights as the board."""
    if not board or board.lights.kind != "wled":
        return
    from hardware.lights.wled import PORT, address

    host, port = board.lights.settings.host, board.lights.settings.port
    try:
        address(board.lights.settings)
    except DeviceError as error:
        yield Finding("fault", "wled", f"The lights: {error}.")
        return
    if port != PORT:
        yield Finding("remark", "wled", f"WLED hears port {PORT} alone, and port = {port} is set: leave it out.")
    try:
        told = json.decode(machine.fetch(host, "/json/info"), type=WledInfo)
    except OSError as error:
        say = "switch it on, or give its address as host in [lights]"
        yield Finding("fault", "wled", f"WLED does not answer at http://{host} ({error.strerror or error}): {say}.")
    except DecodeError:
        yield Finding("fault", "wled", f"What answers at http://{host} is no WLED: give its address as host.")
    else:
        yield counted(told, host, board.length)


def counted(told: WledInfo, host: str, needed: int) -> Finding:
    """Whether WLED has the lights that the board needs."""
    has = f"WLED {plain(told.ver)} at {host} has {told.leds.count} lights"
    if told.leds.count < needed:
        say = f"set the length of the strip there, under LED Preferences, to {needed} at least"
        return Finding("fault", "wled", f"{has}, and the board {needed}: {say}.")
    return Finding("ok", "wled", f"{has}.")


def check_libraries(machine: Machine, _: Board | None) -> Findings:
    """Which of the libraries for hardware are there. One that the board needs is missed when its file is read."""
    there = {library: machine.version(library) for library in LIBRARIES}
    found = ", ".join(f"{name} {number}" for name, number in there.items() if number)
    absent = ", ".join(name for name, number in there.items() if not number)
    yield Finding("ok", "libraries", f"Installed: {found or 'none'}{f'; not installed: {absent}' if absent else ''}.")


def check_pins(machine: Machine, board: Board) -> Findings:
    """Who uses which pins, where no file of the board can tell: it refuses by itself to give one pin two uses."""
    own = {
        f"the scanner ({board.scanner.kind})": tuple(board.scanner.settings.pins),
        f"the lights ({board.lights.kind})": tuple(board.lights.settings.pins),
        "the buttons": tuple(board.buttons.pins().values()),
        "the buzzer": () if board.buzzer is None else (board.buzzer,),
    }
    clashes = [
        Finding("fault", "pins", f"GPIO {pin} is used by {owner} and by {other}: move one, or take that line out.")
        for owner, pins in own.items()
        for other, given in boot_pins(machine)
        for pin in pins
        if pin in given and not (given in (SPI_PINS, I2C_PINS) and set(pins) >= set(given))
    ]
    yield from clashes
    used = "; ".join(f"{owner}: GPIO {', '.join(map(str, pins))}" for owner, pins in own.items() if pins)
    if used and not clashes:
        yield Finding("ok", "pins", f"No pin is used twice. {used[0].upper()}{used[1:]}.")


def boot_pins(machine: Machine) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The pins that config.txt gives away."""
    if machine.boot.param("i2c_arm") or machine.boot.param("i2c"):
        yield "I2C (dtparam=i2c_arm=on in config.txt)", I2C_PINS
    if machine.boot.param("spi"):
        yield "SPI (dtparam=spi=on in config.txt)", SPI_PINS
    if machine.boot.setting("enable_uart") == "1":
        yield "the serial port (enable_uart=1 in config.txt)", (14, 15)
    for overlay in machine.boot.overlays():
        if overlay.name in OVERLAYS:
            key, usual = OVERLAYS[overlay.name]
            pin = overlay.values.get(key, usual)
            yield f"dtoverlay={overlay.name} in config.txt", (int(pin),) if pin.isdigit() else ()


def check_supply(machine: Machine, board: Board) -> Findings:
    """What the lights could draw, against what the board file says there is; what is left for the Pi."""
    if not board.length:
        return
    white, dark = (round(estimate([colour] * board.length)) for colour in ((255, 255, 255), (0, 0, 0)))
    full = f"{board.length} lights draw {white} mA at full white and {dark} mA when dark, by estimate"
    if dark >= board.supply:
        yield Finding("fault", "supply", f"{full}; {board.supply} mA leave nothing for light: state a larger supply.")
    elif white > board.supply:
        yield Finding("remark", "supply", f"{full}; bright pictures are dimmed to the {board.supply} mA stated.")
    else:
        yield Finding("ok", "supply", f"{full}; the supply gives {board.supply} mA.")
    if light_driver(board) and machine.pi in SUPPLIES:
        say = (
            f"A Raspberry Pi {machine.pi} wants a supply of {SUPPLIES[machine.pi]} mA for itself; the {SHARE} mA beside"
        )
        yield Finding(
            "remark", "power", f"{say} the lights are too little: feed it by its own plug, and join the grounds."
        )
