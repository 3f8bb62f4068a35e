"""An evening at the table of a virtual Pi, played from within. First the unit must be ready as it was shipped.

Its hands, and its eyes for what systemd and the record say, are those of tests/systemd/players.py; the table is that
of wired.py. With ``short`` it is one game that is cut off. What is measured goes to ``/exchange/figures.json``, and
what is said to the log. It ends with the held power button, by which the computer must switch itself off.

A whole evening needs what surroundings.py has around the machine: a micro-controller on a serial line, another table.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import sys
import time
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from firmware_bridge.workshop.overlay import read_plan
from hardware.board import find_board
from tests.pi.loop import loop
from tests.pi.marks import Eye, Mark
from tests.pi.marks import write as write_mark
from tests.pi.wired import BOARD, OTHERS, POWER, Kind, VirtualChip, VirtualTable, lamps
from tests.systemd import players
from tests.systemd.players import Table, confined, play, run, see, sheet, shown, until, upgrade, written

EXCHANGE = Path("/exchange")
SETTINGS = Path("/etc/tablelight.toml")
OTHER_BOARD = Path("/etc/tablelight-board.toml")
ADAPTER = "0403"
"""Who makes the serial adapter, by its number."""
OWN_SEAT = 1
"""Of the game with another table."""
AS_SERVICE = (
    "systemd-run", "--quiet", "--pipe", "--wait", "-p", "DynamicUser=yes", "-p", "User=tablelight",
    "-p", "StateDirectory=tablelight", "-p", "SupplementaryGroups=tablelight-settings",
    "-E", "XDG_STATE_HOME=/var/lib", "tablelight",
)  # fmt: skip
"""What runs a command as the service's user, with the service's folder: docs/club.md has it."""
PAGE_CONF = Path("/etc/systemd/system/tablelight.service.d/page.conf")
UNSYNCED_CONF = PAGE_CONF.with_name("unsynced.conf")
PAGED = f'[page]\naddress = "{players.PAGE.removeprefix("http://")}"\n'
UNSYNCED = """[Service]
ExecStart=
ExecStart=/opt/tablelight/current/bin/python -c "import os, sys; os.fsync = os.fdatasync = lambda file: None; \
sys.argv = ['tablelight', 'run', '--power-off', '--config', '/etc/tablelight.toml']; \
from firmware_bridge.cli.main import main; sys.exit(main())"
"""
MOST_MB = 200.0
"""What all processes of the table may hold together."""
HALF, FEW = 20, 6
"""Turns of a game that is not played to its end, and of one in the short form or at another scanner."""
AILS_AFTER, GHOSTS_AFTER, UPGRADED_AFTER = 3, 10, 12
"""Turns after which something happens in a game."""
BLIND = "The table sees nothing"
"""What the table says when it hears of no sensor."""
GONE = "is gone: plug it in again"
"""What it says of a micro-controller."""

figures: dict[str, Any] = {}


def keep(**more: Any) -> None:
    """Keep what was measured, at once: what comes next may fail."""
    figures.update(more)
    (EXCHANGE / "figures.json").write_text(json.dumps(figures, indent=2) + "\n")


def seconds(name: str) -> float:
    """A moment of the unit that systemd tells, in seconds since power-on."""
    return int(shown(name)) / 1e6


def status() -> dict[str, Any]:
    """How the table says it is, at the socket of its own; the command would take seconds only to start."""
    with socket.socket(socket.AF_UNIX) as door:
        door.settimeout(60.0)
        door.connect(f"/run/tablelight/{shown('MainPID')}.status")
        return json.loads(b"".join(iter(lambda: door.recv(65536), b"")))


# What happens -----------------------------------------------------------------------------------


def ready_as_shipped() -> None:
    """The unit has started with the computer, with the settings that the installer brings."""
    until("READY", lambda: shown("SubState") == "running", 60.0)
    on, begun = seconds("ActiveEnterTimestampMonotonic"), seconds("InactiveExitTimestampMonotonic")
    VirtualTable("registers").wire()
    until("the registers to answer", lambda: shown("StatusText") == "Being chosen. The table sees again.")
    assert shown("NRestarts") == "0"
    confined()
    keep(ready_after_power_on_s=round(on, 1), first_start_s=round(on - begun, 1))
    see(f"READY {on:.1f} s after power-on, {on - begun:.1f} s after it was started; status: {shown('StatusText')}")


def examined() -> None:
    """The doctor finds no fault, and every device."""
    run("systemctl", "stop", "tablelight")
    VirtualTable("grid").wire()
    text = run("/opt/tablelight/current/bin/tablelight", "doctor", "--board", "grid")
    for line in text.splitlines():
        see(f"  {line}")
    assert "\nfault" not in f"\n{text}"
    for found in ("Raspberry Pi Zero 2 W Rev 1.0, revision 902120.", "LGPIOFactory", "ok      sensors    64 channels"):
        assert found in text, found
    keep(doctor_scan=re.search(r"(\d+) scans a second", text)[1])
    see(f"the doctor found no fault; {figures['doctor_scan']} scans a second of the matrix alone")


def registers_examined() -> None:
    """The doctor tells registers that answer from a wire of theirs that is off; every switch reads closed then."""
    wired = VirtualTable("registers").wire()
    doctor = "/opt/tablelight/current/bin/tablelight doctor --board registers --seconds 2 || true"
    for out, says in ((False, "ok      sensors    64 channels"), (True, "Channels 0 (a1) to 63 (h8) do not answer")):
        wired.pull_cable(out=out)
        told = run("sh", "-c", doctor)
        assert says in told, told
        see(f"  {told.splitlines()[-1]}")
    wired.pull_cable(out=False)


class SeenTable(Table):
    """A table whose lamps are looked at all the time, so that each turn is marked as soon as they tell of it."""

    wired: VirtualTable | VirtualChip

    def __init__(self, wired: VirtualTable | VirtualChip, name: str, board: str) -> None:
        super().__init__(wired, name, board)
        self.plan = read_plan(find_board(board))
        self._strip, self._lamps = b"", (False, False)
        self._eye = Eye(self._look)

    def _look(self) -> tuple[bool, bool]:
        strip = self.wired.strip()
        if strip != self._strip:  # to read a strip bit by bit is slow in here
            with suppress(AssertionError, ValueError):  # no whole picture yet
                self._lamps = lamps(self.wired.picture(strip), self.plan)
                self._strip = strip
        return self._lamps

    def make(self, turn) -> None:
        """Make `turn` with the hands; what the lamps show after it is expected."""
        (record,) = players.GAMES.glob("*.table")
        game, number = sheet(), len(written()) + 1
        before = told(game)
        game.accept(turn)
        if told(game) != before:
            self._eye.expect(Mark(record.name, number, turn.text), told(game))
        super().make(turn)

    def is_marked(self) -> bool:
        """Whether the turn that was made last is marked, or cannot be seen."""
        return self._eye.wait(0.0)


def told(game) -> tuple[bool, bool]:
    """The lamps of a game: of who is to play, or has won."""
    side = game.outcome.winner if game.outcome else game.position.side
    return side == 0, side == 1


def settings(name: str, board: str, more: str = "") -> None:
    """Give the table other settings and an empty shelf of records; it is not running."""
    SETTINGS.write_text(f'[game]\nname = "{name}"\n[table]\nboard = "{board}"\nsettle = 0.1\n{more}')
    for record in players.GAMES.glob("*.table"):
        write_mark(Mark(record.name, 0))
        record.unlink()


def seated(name: str, kind: Kind | Literal["mcu"], more: str = "") -> SeenTable:
    """A table for a game, wired, running and set up."""
    run("systemctl", "stop", "tablelight")
    wired = VirtualChip() if kind == "mcu" else VirtualTable(kind).wire()
    if kind in OTHERS:
        OTHER_BOARD.write_text(BOARD.replace("KIND", kind))
    board = str(OTHER_BOARD) if kind in OTHERS else kind
    settings(name, board, more)
    begun = time.monotonic()
    run("systemctl", "start", "tablelight")
    keep(later_start_s=round(time.monotonic() - begun, 1))
    table = SeenTable(wired, name, board)
    players.set_up(table)
    return table


def look(table: SeenTable) -> None:
    """Look at the strip after a turn: all lights of the board, every bit in time, and the lamp of who is to play."""
    wanted = told(sheet())
    until(f"the lamps {wanted}", lambda: lamps(table.wired.picture(), table.plan) == wanted)
    until(f"a mark of what the lamps {wanted} tell", table.is_marked)
    assert len(table.wired.picture()) == table.plan.length, len(table.wired.picture())
    assert not table.wired.shorts(), f"driven against something: {table.wired.shorts():x}"


def ails(table: Table, length: int, what: str, ail: Callable[[bool], None], says: str) -> None:
    """The wiring ails for a while in mid-game: what it `says` is told, it is well again, and no turn is made of it."""
    ail(True)
    until("told", lambda: says in shown("StatusText"))
    told = shown("StatusText")
    ail(False)
    until("well", lambda: f", turn {length + 1}, " in shown("StatusText") and says not in shown("StatusText"))
    assert sheet().length == length
    see(f"{what} after turn {length}; status: {told}; and then: {shown('StatusText')}")


def cable(table: Table, length: int) -> None:
    """The cable of the sensors is pulled and plugged in again."""
    ails(table, length, "cable pulled", lambda out: table.wired.pull_cable(out=out), "To put right (")


def ghosts(table: Table, length: int) -> None:
    """The diodes are shorted, so that pieces are read as others."""
    ails(table, length, "diodes shorted", lambda on: table.wired.do("diodes", int(not on)), "diodes are missing")


def grounded(table: Table, length: int) -> None:
    """The wire of a column touches ground."""
    wire = table.wired.columns[3]
    ails(
        table,
        length,
        "a column grounded",
        lambda on: table.wired.do("stuck", wire, 0 if on else -1),
        "A wire touches ground",
    )


def silent(table: Table, length: int) -> None:
    """The wire comes off by which sensors are heard of."""
    ails(table, length, "sensors silent", lambda out: table.wired.pull_cable(out=out), "do not answer")


def cut_off(table: Table, length: int) -> None:
    """The wire of the bus comes off, so that no chip is heard of."""
    ails(table, length, "bus cut off", lambda out: table.wired.pull_cable(out=out), BLIND)


def starved(table: Table, length: int) -> None:
    """The supply of the expanders fails for a moment, so that they have no pull-ups any more: nobody may notice."""
    before = shown("StatusText")
    table.wired.do("supply")
    time.sleep(1.0)
    assert shown("StatusText") == before
    assert sheet().length == length
    see(f"the expanders' supply failed for a moment after turn {length}: they were set up anew")


def unplugged(table: Table, length: int) -> None:
    """The micro-controller's cable is pulled: the kernel takes the adapter for gone."""
    vendors = Path("/sys/bus/usb/devices").glob("*/idVendor")
    (adapter,) = (vendor.parent for vendor in vendors if vendor.read_text().strip() == ADAPTER)
    plugged = adapter / "authorized"
    ails(table, length, "micro-controller unplugged", lambda out: plugged.write_text(f"{1 - out}"), GONE)


def page_hangs(table: Table, length: int) -> None:
    """The page is stopped in mid-game, and replaced."""
    until("page and engine", lambda: {"page", "engine"} <= set(players.helpers()), 60.0)
    weighed(table, length)
    before = players.helpers()["page"]
    os.kill(before, signal.SIGSTOP)
    gone = until("missed", lambda: players.helpers().get("page") != before, 60.0)
    again = until("replaced", lambda: players.helpers().get("page", before) != before and players.answers(), 60.0)
    assert shown("NRestarts") == "0"
    assert sheet().length == length
    keep(page_missed_s=round(gone, 1), page_again_s=round(again, 1))
    see(f"the page hung after turn {length}: killed after {gone:.1f} s, another one answers {again:.1f} s later")


def upgraded(table: Table, length: int) -> None:
    """A newer version is installed in mid-game, with what the exchange holds in place of a network."""
    os.environ |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(EXCHANGE / "wheels")}
    players.NEWER = EXCHANGE / "newer"
    upgrade(table, length)


# Another table ----------------------------------------------------------------------------------


def told_to_programs() -> dict[str, Any]:
    """The table as programs are told of it."""
    return json.loads(players.fetch("/api/v1/table")[1])


def linked() -> None:
    """A game with a table that is outside, paired by its words: its turns are carried out here, and own ones made."""
    told = json.loads((EXCHANGE / "link.json").read_text())
    game, count = told["game"], told["turns"]
    run("systemctl", "stop", "tablelight")
    wired = VirtualTable("grid").wire()
    settings(game, "grid", f'[link]\nbroker = "{told["broker"]}"\nplay = true\n{PAGED}')
    run("systemctl", "start", "systemd-networkd")
    see(run(*AS_SERVICE, "link", "join", told["words"], "--config", str(SETTINGS)).splitlines()[0])
    run("systemctl", "start", "tablelight")
    table = SeenTable(wired, game, "grid")
    players.lay_out_pieces(table)
    until("the page", players.answers, 60.0)
    choose = random.Random(players.SEED)
    for number in range(1, count + 1):
        until("a turn to be made", to_make)
        planned, turns = told_to_programs()["plan"], sheet().turns
        turn = next((turn for turn in turns if turn.text == planned), None) or choose.choice(turns)
        table.make(turn)
        until(f"turn {number}, {turn.text}", lambda number=number: len(written()) >= number)
        look(table)
    weighed(table, count, "linked")
    (EXCHANGE / "linked.json").write_text(json.dumps(written()))
    see(f"{count} turns played with a table outside; status: {shown('StatusText')}")


def to_make() -> bool:
    """Whether a turn is to be made: one of this table's player, or the other table's that is lit."""
    now = told_to_programs()
    return bool(now["plan"]) or (now["side"] == OWN_SEAT and now["state"] == "rest")


# What it costs ----------------------------------------------------------------------------------


def held(pid: int) -> tuple[float, float]:
    """MB that a process holds: with what it shares shared out, and without."""
    told = Path(f"/proc/{pid}/smaps_rollup").read_text()
    kilobytes = {name: int(number) for name, number in re.findall(r"^(\w+): +(\d+) kB", told, re.MULTILINE)}
    return kilobytes["Pss"] / 1024, (kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]) / 1024


def weighed(table: Table, length: int, when: str = "with_page") -> None:
    """What daemon and helpers hold together."""
    pids = {"daemon": int(shown("MainPID")), **players.helpers()}
    memory = {name: held(pid) for name, pid in pids.items()}
    whole = sum(pss for pss, _ in memory.values())
    told = {name: {"pss": round(pss, 1), "uss": round(uss, 1)} for name, (pss, uss) in memory.items()}
    keep(**{f"memory_{when}_mb": {"all": round(whole, 1), **told}}, free_mb=free())
    each = ", ".join(f"{name} {pss:.1f} ({uss:.1f} its own)" for name, (pss, uss) in memory.items())
    see(f"{whole:.1f} MB are held: {each}; {figures['free_mb']} MB of the computer are free")
    assert whole < MOST_MB


def free() -> int:
    """MB that the kernel still has for programs."""
    return int(re.search(r"^MemAvailable: +(\d+)", Path("/proc/meminfo").read_text(), re.MULTILINE)[1]) // 1024


def scanned(kind: str) -> None:
    """How often a second the table has scanned in the last minute."""
    now = status()
    rate, parts = now["scans"], now["worst"]
    slowest, cause = round(1000 * sum(parts.values())), max(parts, key=parts.get)
    keep(**{f"scans_{kind}": round(rate, 1), f"slowest_scan_{kind}_ms": slowest})
    see(
        f"{rate:.0f} scans a second on {kind}; the slowest of the last minute took {slowest} ms, most of it for {cause}"
    )


def switched_off(table: Table) -> None:
    """Power is held for longer than it must be: the computer goes off, and this ends with it."""
    see("power button held")
    table.wired.hold(POWER)
    time.sleep(60.0 * players.PATIENCE)
    raise AssertionError("the computer is still on")


# The evening ------------------------------------------------------------------------------------


def whole() -> Table:
    """All of it."""
    table = seated("yin-yang", "grid")
    play(table, {AILS_AFTER: cable, GHOSTS_AFTER: ghosts}, look=look)
    scanned("grid")
    weighed(table, 0, "alone")
    for name in ("zhizhu", "zig-zag"):
        table = seated(name, "grid")
        play(table, {AILS_AFTER: grounded}, HALF, look)
    PAGE_CONF.parent.mkdir(exist_ok=True)
    PAGE_CONF.write_text((EXCHANGE / "page.conf").read_text())
    run("systemctl", "daemon-reload")
    table = seated("zong-heng", "grid", f'[lights]\nhints = "always"\n{PAGED}')
    play(table, {AILS_AFTER: page_hangs}, HALF, look)
    scanned("page")
    linked()
    PAGE_CONF.unlink()
    run("systemctl", "daemon-reload")
    for kind, ail in {"mcp23017": starved, "pcf8575": cut_off, "multiplexer": None, "hall": silent}.items():
        play(seated("yin-yang", kind), {AILS_AFTER: ail} if ail else {}, FEW, look)
    play(seated("zong-heng", "mcu"), {AILS_AFTER: unplugged}, HALF, look)
    scanned("mcu")
    table = seated("yin-yang", "registers")
    play(table, {AILS_AFTER: silent, UPGRADED_AFTER: upgraded}, HALF, look)
    scanned("registers")
    return table


def short() -> Table:
    """One game that is cut off, with a pulled cable."""
    table = seated("yin-yang", "grid")
    play(table, {AILS_AFTER: cable}, FEW, look)
    scanned("grid")
    return table


def cuts() -> Table:
    """Two whole games and the beginnings of two others, to have something to cut."""
    play(seated("yin-yang", "grid"), {}, look=look)
    for name in ("zong-heng", "zhizhu"):
        play(seated(name, "grid"), {}, HALF, look)
    players.SEED += 1  # another game than the first one
    table = seated("yin-yang", "registers")
    play(table, {}, look=look)
    return table


def unsynced() -> Table:
    """A whole game in which nothing that is written is waited for, so that turns must be lost: the test of the cuts."""
    UNSYNCED_CONF.parent.mkdir(exist_ok=True)
    UNSYNCED_CONF.write_text(UNSYNCED)
    run("systemctl", "daemon-reload")
    table = seated("yin-yang", "grid")
    play(table, {}, look=look)
    return table


def resumed() -> Table:
    """The game that a power cut has left is offered, gone on with, and goes on for some turns."""
    before = sheet()
    kind = tomllib.loads(SETTINGS.read_text())["table"]["board"]
    table = SeenTable(VirtualTable(kind).wire(), before.game.name, kind)
    see(f"{before.game.name} of {before.length} turns lies on the disk; status: {shown('StatusText')}")
    assert "was not finished" in shown("StatusText"), shown("StatusText")
    for site, level in zip(table.game.sites, before.position.board, strict=True):
        table.lay(site, level)
    table.press()
    until("gone on with", lambda: f", turn {before.length + 1}, " in shown("StatusText"))
    see(f"gone on with; status: {shown('StatusText')}")
    play(table, {}, len(written()) + FEW, look)
    return table


FORMS = {"whole": whole, "short": short, "cuts": cuts, "unsynced": unsynced, "resumed": resumed}


def main() -> None:
    """Play the evening in the form that is asked for."""
    form = sys.argv[1]
    uptime = float(Path("/proc/uptime").read_text().split()[0])
    players.BEGUN.write_text(f"{time.time() - uptime}\n")
    if form in ("whole", "short"):
        ready_as_shipped()
        examined()
        registers_examined()
        keep(loop_s=round(loop(), 3))
    else:
        until("READY", lambda: shown("SubState") == "running", 60.0)
    switched_off(FORMS[form]())


if __name__ == "__main__":
    main()
