"""The computer as the doctor sees it: which Pi it is, what config.txt says, which device files this user may open."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from hardware.device import DeviceError

PATIENCE = 3.0
"""Seconds that a device in the network has to answer; a guess."""
LARGEST = 100_000
"""Bytes of an answer at most; a guess: WLED's has some two thousand."""


class User(NamedTuple):
    """Who runs the program: user number, and the numbers of the groups."""

    number: int
    groups: frozenset[int]


class DeviceFile(NamedTuple):
    """A file under /dev, the name of its group, and whether the user may read and write it."""

    path: str
    group: str
    allowed: bool
    member: bool
    """Whether the user is in that group, as the user is logged in now."""


class Overlay(NamedTuple):
    """A dtoverlay of config.txt with its parameters."""

    name: str
    values: Mapping[str, str]


def this_user() -> User:
    """The user of this process."""
    return User(os.geteuid(), frozenset((*os.getgroups(), os.getegid())))


def installed(library: str) -> str:
    """The version of a library, or nothing."""
    try:
        return version(library)
    except PackageNotFoundError:
        return ""


def pin_factory() -> str:
    """The name of the pin factory that gpiozero chooses; DeviceError if it opens none."""
    try:
        from hardware.gpio import open_factory
    except ImportError as error:
        raise DeviceError(
            f"the library {error.name} is missing: install it with pip install 'tablelight[pi]'"
        ) from None
    return type(open_factory()).__name__


def fetch(host: str, path: str, port: int = 80) -> bytes:
    """What a device in the network tells at `path` of its own page; OSError."""
    from http.client import HTTPConnection, HTTPException  # 20 ms, and seldom needed

    asking = HTTPConnection(host, port, timeout=PATIENCE)
    with closing(asking):
        try:
            asking.request("GET", path)
            answer = asking.getresponse()
            told = answer.read(LARGEST)
        except HTTPException as error:
            raise OSError(f"{type(error).__name__} instead of an answer") from None
    if answer.status != 200:
        raise OSError(f"status {answer.status}")
    return told


class BootConfig:
    """The settings of config.txt that hold for one Pi: `text` is the file at `path`, `sections` those it obeys."""

    def __init__(self, path: str, text: str, sections: frozenset[str]) -> None:
        self.path = path
        self._sections = sections
        self._settings = list(self._read(text))

    def _read(self, text: str) -> Iterator[tuple[str, str]]:
        holds = True
        for raw in text.splitlines():
            line = raw.partition("#")[0].strip()
            if line.startswith("["):
                holds = line.strip("[]").lower() in self._sections
            elif holds and "=" in line:
                key, _, value = line.partition("=")
                yield key.strip(), value.strip()

    def setting(self, key: str) -> str:
        """The value of `key` that counts, which is the last; empty if it is not set."""
        return next((value for name, value in reversed(self._settings) if name == key), "")

    def value(self, key: str) -> str:
        """The value of ``dtparam=key=value`` that counts; ``on`` where only its name stands, else empty."""
        given = [part for name, value in self._settings if name == "dtparam" for part in value.split(",")]
        values = (value or "on" for name, _, value in (part.partition("=") for part in reversed(given)) if name == key)
        return next(values, "")

    def param(self, key: str) -> bool:
        """Whether ``dtparam=key=on`` is set."""
        return self.value(key) in ("on", "yes", "true", "1")

    def overlays(self) -> list[Overlay]:
        """The overlays that are loaded, in order."""
        lines = (value.split(",") for name, value in self._settings if name == "dtoverlay" and value)
        return [Overlay(name, dict(part.partition("=")[::2] for part in rest)) for name, *rest in lines]


class Machine:
    """All facts about the computer, read below `root`."""

    def __init__(
        self,
        root: Path = Path("/"),
        user: User | None = None,
        *,
        version: Callable[[str], str] = installed,
        pin_factory: Callable[[], str] = pin_factory,
        fetch: Callable[[str, str], bytes] = fetch,
    ) -> None:
        self.fetch = fetch
        self._root = root
        self._user = user or this_user()
        self.version = version
        self.pin_factory = pin_factory

    def _text(self, path: str) -> str:
        """What a file says, without blanks at its ends; nothing if it cannot be read."""
        try:
            return (self._root / path).read_text(errors="replace").strip("\0 \n")
        except OSError:
            return ""

    @cached_property
    def model(self) -> str:
        """The name of the Pi; empty if this is none."""
        name = self._text("proc/device-tree/model")
        return name if name.startswith("Raspberry Pi") else ""

    @property
    def pi(self) -> str:
        """The generation of the Pi, as config.txt has it: ``02``, ``0``, ``1`` to ``5``; empty if this is none."""
        if "Zero" in self.model:
            return "02" if "Zero 2" in self.model else "0"
        number = re.search(r"Pi (?:Compute Module )?(\d)", self.model)
        return number[1] if number else "1" if self.model else ""

    @property
    def revision(self) -> str:
        """The revision code of the Pi; only kernels of Raspberry Pi OS have it in /proc/cpuinfo, not Debian's."""
        found = re.search(r"^Revision\s*:\s*(\w+)", self._text("proc/cpuinfo"), re.MULTILINE)
        return found[1] if found else self._told_revision()

    def _told_revision(self) -> str:
        """What the firmware has written into the device tree: a number of four bytes."""
        try:
            told = (self._root / "proc/device-tree/system/linux,revision").read_bytes()
        except OSError:
            return ""
        return f"{int.from_bytes(told, 'big'):04x}"

    @property
    def system(self) -> str:
        """Name of the operating system and kernel."""
        name = re.search(r'^PRETTY_NAME="?([^"\n]*)', self._text("etc/os-release"), re.MULTILINE)
        return f"{name[1] if name else 'unknown system'}, kernel {self._text('proc/sys/kernel/osrelease') or 'unknown'}"

    @cached_property
    def boot(self) -> BootConfig:
        """What config.txt says; older systems have it in another folder."""
        text, old = self._text("boot/firmware/config.txt"), self._text("boot/config.txt")
        if old and not text:
            return BootConfig("/boot/config.txt", old, self._sections())
        return BootConfig("/boot/firmware/config.txt", text, self._sections())

    def _sections(self) -> frozenset[str]:
        """The sections of config.txt that hold for this Pi."""
        names = {"all", f"pi{self.pi}", f"pi{self.pi[:1]}"}
        names |= {f"pi{self.pi}+"} if "Plus" in self.model else set()
        names |= {f"cm{self.pi}"} if "Compute Module" in self.model else set()
        return frozenset(names | {f"pi{number}" for number in re.findall(r"\b[45]00\b", self.model)})

    # Device files -----------------------------------------------------------------------------

    def devices(self, pattern: str) -> list[DeviceFile]:
        """The files under /dev that `pattern` names (``spidev*``), or at a path of its own."""
        under = (self._root / "dev").glob(pattern) if not pattern.startswith("/") else [self._root / pattern[1:]]
        return [self._device(path) for path in sorted(under) if path.exists()]

    def _device(self, path: Path) -> DeviceFile:
        facts = path.stat()
        group = self._groups.get(facts.st_gid, str(facts.st_gid))
        member = facts.st_gid in self._user.groups
        bits = facts.st_mode >> (6 if facts.st_uid == self._user.number else 3 if member else 0)
        allowed = self._user.number == 0 or bits & 6 == 6
        return DeviceFile(f"/{path.relative_to(self._root)}", group, allowed, member)

    @cached_property
    def _groups(self) -> dict[int, str]:
        """Names of the groups by number."""
        lines = (line.split(":") for line in self._text("etc/group").splitlines())
        return {int(parts[2]): parts[0] for parts in lines if len(parts) > 2 and parts[2].isdigit()}

    def groups(self) -> list[str]:
        """The names of the user's groups."""
        return sorted(self._groups.get(number, str(number)) for number in self._user.groups)
