"""Two players at the service's table, in real time: a whole game, a hang and an upgrade in the middle of it.

Runs in the container that boot.sh boots, with ``pi`` or ``mcu``. They have hands, which close switches on a pretended
Pi or an emulated chip, and eyes for what systemd and the record say; the program is the one that was installed. With
``page`` the table is a pretended Pi again, hints are always shown, and a browser looks on: what helps the table is as
low in priority as it is said to be, is hung and replaced, guests attack at the priority of the table itself, and in the
end the report is made. With ``limited`` all of it has no more of the computer than a Pi Zero 2 W would have. With
``full`` the disk of the records is full as a game begins. ``short`` is an evening with a page in which all of this
happens and an upgrade is cut off, too.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from firmware_bridge.daemon import SCAN_HZ
from firmware_bridge.layout import lay_out
from firmware_bridge.records import read_record
from firmware_bridge.workshop.overlay import read_plan
from games.rules import load
from hardware.board import find_board
from hardware.simulation.hands import Style, perform
from tests.hardware.pretend_pi import PretendPi

GAMES = Path("/var/lib/private/tablelight")
NEWER = Path("/tmp/newer")
"""A newer version of the program, where there is one to install."""
BEGUN = Path("/exchange/begun")
NAME, SEED = "yin-yang", 4
HUNG, UPGRADED, HELPERS_HUNG, ATTACKED, CUT_OFF = 5, 9, 3, 5, 7
"""After how many turns it happens."""
ATTACKS = ("asks for other sensors", "watch, and one floods", "opens silent connections")
"""What guests do, of the attacks of benchmarks/page.py: those that leave the game alone."""
ATTACKED_FOR = 6.0
"""Seconds of each."""
ANSWERED = 3.0
"""Seconds within which the page answers somebody else meanwhile; a guess."""
KEPT = 0.9
"""The share of the scans a second that is left while guests ask without a pause, at the least; a guess: they want
processor time, too. Of those that are made while no light waits for one: for light there are more."""
PAGE = "http://127.0.0.1:8000"
NICENESS = {"page": 10, "engine": 19}
"""What docs/service.md says of them."""
ROOMS = {"page": "web", "engine": "engine", "link": "link"}
"""What the modules of helpers have in their names."""
REPLACED = 40.0
"""Seconds within which a helper is missed, and another one is there and gives a beat."""
STYLE = Style(pace=0.12, gap=0.06)


PATIENCE = float(os.environ.get("PATIENCE", "1"))
"""How many times as long as usual everything may take."""


def see(text: str) -> None:
    """Tell, with the seconds since the container was started."""
    print(f"[{time.time() - float(BEGUN.read_text()):5.1f}] {text}", flush=True)


def run(*command: str) -> str:
    """What a command prints; it must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stdout}{done.stderr}"
    return done.stdout.strip()


def shown(name: str) -> str:
    """A property of the unit."""
    return run("systemctl", "show", "tablelight", "--value", "--property", name)


def until(what: str, true: Callable[[], object], seconds: float = 15.0) -> float:
    """Wait for it; how long it took."""
    begun, seconds = time.monotonic(), seconds * PATIENCE
    while not true():
        assert time.monotonic() < begun + seconds, f"{what}: not in {seconds} s; the status is {shown('StatusText')!r}"
        time.sleep(0.05 * PATIENCE)
    return time.monotonic() - begun


# The table ------------------------------------------------------------------------------------


class Pi:
    """The table on the pins of a pretended Pi."""

    ROWS, COLUMNS, DONE = (4, 17, 27, 22, 5, 6, 13, 19), (23, 24, 25, 15, 12, 16, 20, 26), 18

    def __init__(self) -> None:
        os.umask(0)  # the service's user writes there too
        self._pi = PretendPi(Path("/exchange/pi")).be()
        self._pi.wire(self.ROWS, self.COLUMNS, diodes=True)
        self.switch = self._pi.switch

    def press(self, *, pressed: bool = True) -> None:
        """Press or release Done."""
        self._pi.press(self.DONE, pressed=pressed)

    def lit(self) -> bool:
        """Whether any light is on."""
        return any(map(any, self._pi.lit()))


class Mcu:
    """The table around an emulated chip, which is outside of the container."""

    def __init__(self, tell: Callable[[bytes], object], hear: Callable[[], bytes]) -> None:
        self._tell, self._hear = tell, hear
        """Give a command, a line, to the chip; and take its answer, another one."""

    @classmethod
    def by_socket(cls, path: str = "/exchange/chip.ctl") -> Mcu:
        """The chip that listens to commands there."""
        control = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        control.connect(path)
        return cls(control.sendall, control.makefile("rb").readline)

    def do(self, *words: object) -> str:
        """A command of tests/firmware/README.md, and its answer."""
        self._tell((" ".join(map(str, words)) + "\n").encode())
        return self._hear().decode().strip()

    def switch(self, row: int, column: int, *, closed: bool = True) -> None:
        """Close or open a switch; it bounces for a millisecond."""
        assert self.do("close" if closed else "open", row, column, 1000) == "ok"

    def press(self, *, pressed: bool = True) -> None:
        """Press or release Done."""
        assert self.do("press" if pressed else "release", 0) == "ok"

    def lit(self) -> bool:
        """Whether any light is on."""
        return bool(self.do("picture").strip("0-"))


class Wired(Protocol):
    """Switches in eight rows of eight, Done, and lights."""

    def switch(self, row: int, column: int, *, closed: bool = True) -> None:
        """Close or open a switch."""

    def press(self, *, pressed: bool = True) -> None:
        """Press or release Done."""

    def lit(self) -> bool:
        """Whether any light is on."""


class Table:
    """The pieces on the switches, by the names of the game's sites."""

    def __init__(self, wired: Wired, name: str = NAME, board_name: str = "grid") -> None:
        self.wired = wired
        self.game = load(name)
        board = read_plan(find_board(board_name))
        points = lay_out(self.game, board)
        self._channels = {site: board.channels[point] for site, point in zip(self.game.sites, points, strict=True)}
        self.levels = dict.fromkeys(self.game.sites, 0)

    def lay(self, site: str, level: int) -> None:
        """Let `level` stand on `site`."""
        self.levels[site] = level
        self.wired.switch(*divmod(self._channels[site], 8), closed=level > 0)

    def set_up(self) -> None:
        """Lay the pieces out."""
        for site, level in zip(self.game.sites, self.game.start().board, strict=True):
            self.lay(site, level)

    def make(self, turn) -> None:
        """Make `turn` with the hands, at their pace."""
        for act in perform(turn.acts, STYLE):
            time.sleep(act.wait)
            for site, level in act.changes:
                self.lay(site, level)

    def press(self) -> None:
        """Press Done for a moment."""
        self.wired.press()
        time.sleep(0.2)
        self.wired.press(pressed=False)


def sheet():
    """The game as it is on disk."""
    (record,) = GAMES.glob("*.table")
    return read_record(record).sheet


def written() -> list[str]:
    """The turns on disk, without passes."""
    return [entry.turn.text for entry in sheet().played_turns if entry.turn.text != "pass"]


# What happens ---------------------------------------------------------------------------------


def started() -> None:
    """READY, STATUS, and who it runs as."""
    begun = time.monotonic()
    run("systemctl", "start", "tablelight")
    see(f"READY after {time.monotonic() - begun:.1f} s; status: {shown('StatusText')}")
    assert shown("SubState") == "running"
    assert shown("StatusText").startswith("Being chosen. Which game?"), shown("StatusText")
    confined()


def confined() -> None:
    """A user made for the occasion, with the groups of the devices and nowhere to write but its own folders."""
    pid = shown("MainPID")
    status = Path(f"/proc/{pid}/status").read_text()
    uid = int(re.search(r"^Uid:\t(\d+)", status, re.MULTILINE)[1])
    groups = re.search(r"^Groups:\t(.*)", status, re.MULTILINE)[1].split()
    wanted = {run("getent", "group", name).split(":")[2] for name in ("gpio", "spi", "dialout")}
    assert 61184 <= uid <= 65519, uid
    assert wanted <= set(groups), groups
    assert re.search(r"^CapEff:\t0+$", status, re.MULTILINE)
    assert re.search(r"^NoNewPrivs:\t1$", status, re.MULTILINE)
    for path in ("/etc/tablelight.toml", "/opt/tablelight/x", "/usr/x"):
        tried = subprocess.run(
            ["nsenter", "--target", pid, "--mount", "touch", path], capture_output=True, text=True, check=False
        )
        assert "Read-only file system" in tried.stderr, (path, tried.stderr)
    see(f"it runs as {uid} with the groups {' '.join(groups)} and no capabilities; /etc, /opt, /usr are read-only")


def set_up(table: Table) -> None:
    """Done takes the usual answers; then the board is set up."""
    table.press()
    lay_out_pieces(table)


def lay_out_pieces(table: Table) -> None:
    """The board is set up as soon as that is asked for."""
    set_up_now = ("being set up", ", turn 1, ")  # the second at once where a game begins with nothing on the board
    until("set up", lambda: any(word in shown("StatusText") for word in set_up_now))
    table.set_up()
    until("ready", lambda: ", turn 1, " in shown("StatusText"))
    see(f"set up; status: {shown('StatusText')}")


def hang(table: Table, length: int) -> None:
    """Stop the program; the watchdog must see it and the game go on where it stood."""
    pid = shown("MainPID")
    os.kill(int(pid), signal.SIGSTOP)
    killed = until("killed", lambda: shown("SubState") != "running")
    dark = until("dark", lambda: not table.wired.lit())
    said = "The lights are dark: 66 on"
    until("said to be dark", lambda: said in run("journalctl", "--unit", "tablelight", "--lines", "9"))
    again = until("again", lambda: shown("SubState") == "running" and shown("MainPID") != pid, 30.0)
    resumed = until("resumed", lambda: f", turn {length + 1}, " in shown("StatusText"))
    assert shown("NRestarts") == "1"
    assert len(written()) == length
    see(
        f"hung after turn {length}: killed after {killed:.1f} s, dark {dark:.1f} s later, ready again after "
        f"{again:.1f} s, resumed after {resumed:.1f} s; status: {shown('StatusText')}"
    )


def upgrade(table: Table, length: int) -> None:
    """Install a newer version over the one that runs."""
    pid, before = shown("MainPID"), os.readlink("/opt/tablelight/current")
    settings = Path("/etc/tablelight.toml").read_text()
    begun = time.monotonic()
    run("sh", str(NEWER / "systemd/install.sh"))
    took = time.monotonic() - begun
    assert shown("MainPID") != pid
    assert os.readlink("/opt/tablelight/current") != before
    assert not Path("/opt/tablelight", before).exists()
    assert Path("/etc/tablelight.toml").read_text() == settings
    until("resumed", lambda: f", turn {length + 1}, " in shown("StatusText"))
    assert shown("NRestarts") == "0", shown("NRestarts")
    see(f"upgraded after turn {length} in {took:.1f} s, and the game went on; status: {shown('StatusText')}")


def cut_off(table: Table, length: int) -> None:
    """Kill the installer of a newer version in the midst of it: what runs goes on, and another try installs it."""
    pid, before = shown("MainPID"), os.readlink("/opt/tablelight/current")
    installer = subprocess.Popen(
        ["sh", str(NEWER / "systemd/install.sh")], start_new_session=True, stdout=subprocess.DEVNULL
    )
    folders = set(os.listdir("/opt/tablelight"))
    until("begun", lambda: set(os.listdir("/opt/tablelight")) - folders, 30.0)
    time.sleep(2.0)  # it is amid the packages
    (half,) = set(os.listdir("/opt/tablelight")) - folders
    assert installer.poll() is None
    os.killpg(installer.pid, signal.SIGKILL)
    installer.wait()
    assert not Path("/opt/tablelight", half, "installed").exists()
    assert os.readlink("/opt/tablelight/current") == before
    assert shown("MainPID") == pid
    assert f", turn {length + 1}, " in shown("StatusText")
    assert status()["pid"] == int(pid)
    see(f"the installer of a newer version was killed after turn {length}: what runs goes on, and is whole")
    upgrade(table, length)


def apart(turns):
    """The turns after which other pits have seeds in them than after any other; all of them where there is none."""
    patterns = [tuple(map(bool, turn.after.board)) for turn in turns]
    return [turn for turn, seen in zip(turns, patterns, strict=True) if patterns.count(seen) == 1] or turns


def play(
    table: Table,
    happens: Mapping[int, Callable[[Table, int], None]],
    turns: int | None = None,
    look: Callable[[Table], None] = lambda _: None,
) -> None:
    """To the end of the game, or until it has so many `turns`; what `happens` after so many is told its length.

    After each turn somebody may take a `look` at the table. Of a game with seeds, of which
    switches tell no number, turns are made that look like no other, and Done is pressed after each.
    """
    made = written()
    choose = random.Random(SEED)
    while not sheet().outcome and len(made) != turns:
        turn = choose.choice(apart(sheet().turns) if table.game.pieces == "seeds" else sheet().turns)
        table.make(turn)
        if table.game.pieces == "seeds":
            table.press()
        made.append(turn.text)
        until(f"turn {len(made)}, {turn.text}", lambda: len(written()) >= len(made))
        assert written() == made
        look(table)
        if len(made) in happens:
            happens[len(made)](table, sheet().length)
    if turns is not None and not sheet().outcome:
        see(f"{len(made)} turns of {table.game.name} played and recorded; status: {shown('StatusText')}")
        return
    until("over", lambda: ", over. " in shown("StatusText"))
    assert sheet().outcome
    see(f"a whole game of {len(made)} turns played and recorded; status: {shown('StatusText')}")


# Page, engine and report ------------------------------------------------------------------------


def status() -> dict:
    """What `tablelight status` tells."""
    return json.loads(run("tablelight", "status", "--json"))


def fetch(path: str) -> tuple[int, str]:
    """What the page answers to a browser on this computer: the status and the text."""
    with urllib.request.urlopen(PAGE + path, timeout=10) as answer:
        return answer.status, answer.read().decode()


def helpers() -> dict[str, int]:
    """The processes that help the table."""
    found, parent = {}, shown("MainPID")
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_text()
        except OSError:  # it has just ended
            continue
        if fields[1] == parent:
            found |= {name: int(folder.name) for name, room in ROOMS.items() if f".{room}" in command}
    return found


def priority(pid: int) -> tuple[int, int]:
    """The niceness of a process, and its scheduling policy."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[16]), int(fields[38])


def looked_at(table: Table, length: int) -> None:
    """The page is there, and its process and that of the engine come after the scan loop."""
    until("page and engine", lambda: set(helpers()) == set(NICENESS) and answers(), 30.0)
    usual, _ = priority(int(shown("MainPID")))
    for name, pid in helpers().items():
        assert priority(pid) == (min(19, usual + NICENESS[name]), os.SCHED_BATCH), (name, priority(pid))
    for path in ("/", "/status", "/metrics", "/record"):
        assert fetch(path)[0] == 200, path
    begun, asked, before = time.monotonic(), 0, min(status()["scans"], SCAN_HZ)
    while time.monotonic() < begun + 5.0:
        fetch("/record")
        asked += 1
    rate = status()["scans"]
    assert rate >= KEPT * before, (before, rate)
    see(f"page and engine run with niceness {NICENESS}; {asked / 5:.0f} requests a second, {rate:.0f} scans a second")


def helpers_hang(table: Table, length: int) -> None:
    """Page and engine are stopped: the table tells, goes on, and has others in their place."""
    looked_at(table, length)
    before, starts = helpers(), {name: each["starts"] for name, each in status()["helpers"].items()}
    for pid in before.values():
        os.kill(pid, signal.SIGSTOP)
    gone = until("missed", lambda: not set(before.values()) & set(helpers().values()), REPLACED)
    again = until("replaced", lambda: set(helpers()) == set(NICENESS) and answers(), REPLACED)
    now = status()["helpers"]
    assert all(now[name]["starts"] > starts[name] for name in NICENESS), now
    assert shown("NRestarts") == "0"
    assert sheet().length == length
    see(f"page and engine hung after turn {length}: killed after {gone:.1f} s, others there {again:.1f} s later")


def attacked(table: Table, length: int) -> None:
    """Guests attack the page, each kind for a while, at the priority of the table: it scans on, and answers others."""
    before = min(status()["scans"], SCAN_HZ)
    for name in ATTACKS:
        attack = subprocess.Popen(
            [sys.executable, "-c", "import asyncio, sys\nfrom benchmarks.page import ATTACKS\n"
             "asyncio.run(ATTACKS[sys.argv[1]](sys.argv[2]))", name, PAGE.removeprefix("http://")],
        )  # fmt: skip
        ends, waits = time.monotonic() + ATTACKED_FOR, []
        while time.monotonic() < ends:
            begun = time.monotonic()
            assert fetch("/status")[0] == 200
            waits.append(time.monotonic() - begun)
            time.sleep(0.2)
        assert attack.poll() is None, name
        attack.kill()
        attack.wait()
        now = status()
        assert max(waits) < ANSWERED, (name, max(waits))
        assert now["scans"] >= KEPT * before, (name, before, now)
        see(f"a guest {name}: {now['scans']:.0f} scans a second; others are answered in {max(waits):.2f} s")
    assert sheet().length == length
    assert shown("NRestarts") == "0"


def full_disk(table: Table) -> None:
    """A game begins while nothing more goes onto the disk of the records: it is said, and played all the same."""
    fill = GAMES / "fill"
    with suppress(OSError), fill.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    set_up(table)
    said = "This game is played without a record ("
    until("said", lambda: said in run("journalctl", "--unit", "tablelight", "--lines", "50"))
    position, choose = table.game.start(), random.Random(SEED)
    for number in (2, 3):
        turn = choose.choice(table.game.turns(position))
        table.make(turn)
        position = turn.after
        until(f"turn {number}", lambda number=number: f", turn {number}, " in shown("StatusText"))
    assert "Traceback" not in run("journalctl", "--unit", "tablelight", "--lines", "200")
    assert shown("NRestarts") == "0"
    fill.unlink()
    see(f"a disk that is full is said, and two turns were played; status: {shown('StatusText')}")
    run("systemctl", "restart", "tablelight")
    for site in table.game.sites:
        table.lay(site, 0)


def used() -> None:
    """How much it took of what it may have, where the container's cgroups know that."""
    unit = Path("/sys/fs/cgroup/system.slice/tablelight.service")
    seen, scans = [unit / "cpu.max", unit / "memory.current"], status()["scans"]
    if not all(path.exists() for path in seen):
        see(f"{scans:.0f} scans a second; the cgroups of this container limit nothing, so that is not what a Pi does")
        return
    quota, memory = (path.read_text().strip() for path in seen)
    see(f"{scans:.0f} scans a second with {quota} microseconds of processor time; {int(memory) >> 20} MB in the end")


def answers() -> bool:
    """Whether the page answers, and knows how the table is."""
    try:
        return fetch("/status")[0] == 200
    except OSError:
        return False


def reported() -> None:
    """The report on the game comes, as the unit allows it."""
    begun = time.monotonic()
    until("report", lambda: fetch("/report?language=en")[0] == 200, 120.0)  # 202 as long as it is made
    text = fetch("/report?language=en")[1]
    assert "<svg" in text
    see(f"the report came after {time.monotonic() - begun:.1f} s: {len(text) // 1024} kB")


def stopped(table: Table) -> None:
    """A clean end on SIGTERM, lights dark."""
    assert table.wired.lit()
    run("systemctl", "stop", "tablelight")
    assert (shown("Result"), shown("ActiveState"), shown("ExecMainStatus")) == ("success", "inactive", "0")
    assert not table.wired.lit()
    assert not Path("/run/tablelight").exists()
    run("systemctl", "start", "tablelight")
    assert shown("StatusText").startswith("Being chosen. "), shown("StatusText")
    see("stopped cleanly and dark, and started again with the menu")


if __name__ == "__main__":
    seated = Table(Mcu.by_socket() if sys.argv[1] == "mcu" else Pi())
    started()
    if sys.argv[1] in ("full", "short"):
        full_disk(seated)
    if sys.argv[1] == "full":
        sys.exit()
    set_up(seated)
    if sys.argv[1] == "page":
        play(seated, {HELPERS_HUNG: helpers_hang, ATTACKED: attacked})
        reported()
    elif sys.argv[1] == "short":
        play(seated, {HELPERS_HUNG: helpers_hang, ATTACKED: attacked, CUT_OFF: cut_off})
        reported()
    elif sys.argv[1] == "limited":
        play(seated, {})
        reported()
        used()
    else:
        play(seated, {HUNG: hang} | ({UPGRADED: cut_off} if NEWER.exists() else {}))
    stopped(seated)
