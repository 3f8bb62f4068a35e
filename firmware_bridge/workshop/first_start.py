"""What somebody writes on a memory card before its first start: language, network and table, in one file of TOML.

``tablelight.txt`` lies where every computer can write, on the card's boot partition. It is read at each start, so a
change there is taken over. What is right in it is used; for each mistake there is a sentence in
``tablelight-answer.txt`` beside it, and of a part with a mistake that is kept which was used before. The answer also
has the page's address, with the token that a table without a screen can tell nobody else.

    python -m firmware_bridge.workshop.first_start BOOT STATE              # two folders
    python -m firmware_bridge.workshop.first_start --grow DISK SECTORS     # the last partition takes all there is

``STATE`` is the folder of what is kept: ``used.toml``, the parts in use; made of that ``tablelight.toml``, the settings
of the program, ``environment`` for its unit, ``hostname``, and ``wlan.conf`` for wpa_supplicant; ``answer``, which is
for the boot partition, and ``mistakes``, which the page tells.
"""

from __future__ import annotations

import json
import re
import struct
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import pbkdf2_hmac
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, Literal, get_type_hints

from firmware_bridge.config import Config
from firmware_bridge.i18n import print_lines
from hardware import files
from hardware.settings import Settings, SettingsError, bounded, convert, plain

FILE, ANSWER = "tablelight.txt", "tablelight-answer.txt"
TOKEN = 9
"""Random bytes of a page's token; 12 letters."""
KEPT = "Until this is right, what was used before is used on; all else in the file is used."
SECTOR = 512
ENTRIES, ENTRY = 446, struct.Struct("<4sB3sII")
"""Where a master boot record has its four partitions, and each of them: flags, kind, end, first sector, sectors."""
LARGEST = 2**32 - 1
"""Sectors that a master boot record can count; 2 TB."""


class Computer(Settings, frozen=True):
    """The language in which the table speaks, and its name in the network."""

    language: Literal["en", "es", "fr", "ja"] = "en"
    name: str = "table"

    def __post_init__(self) -> None:
        if not re.fullmatch("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", self.name):
            raise SettingsError("computer.name: small letters, digits and hyphens alone, 63 at most")


class Network(Settings, frozen=True):
    """A wireless network, 32 bytes and 8 to 63 characters by IEEE 802.11; a cable needs nothing said."""

    name: str = ""
    password: str = ""
    country: str = ""

    def __post_init__(self) -> None:
        if len(self.name.encode()) > 32:
            raise SettingsError("network.name: no network has a name of more than 32 bytes")
        if not re.fullmatch("([ -~]{8,63})?", self.password):
            raise SettingsError("network.password: it has 8 to 63 letters, digits and signs; none for an open network")
        if not re.fullmatch("([A-Z][A-Z])?", self.country):
            raise SettingsError('network.country: two large letters, such as "GB", by which a radio may do what it may')


class CardFile(Config, frozen=True):
    """The file: these two parts, and all that the program's own settings may have."""

    computer: Computer = Computer()
    network: Network = Network()


PARTS: dict[str, type] = get_type_hints(CardFile)
OWN = ("computer", "network")
"""Parts that are not for the program."""
Tables = dict[str, dict[str, Any]]


# Reading ------------------------------------------------------------------------------------------


def read_card(path: Path) -> tuple[Tables, list[str]]:
    """The parts of a file that are right, and a sentence for each mistake, one at least where there is no such file."""
    try:
        data = bounded(path)
        told = tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n"))  # as some editors write
    except FileNotFoundError:
        return {}, [f"There is no {path.name} here: put it back."]
    except UnicodeDecodeError:
        return {}, [f"{path.name} is not text in UTF-8: save it as plain text."]
    except SettingsError as error:
        return {}, [
            f"{str(error).removeprefix(f'{path}: ').capitalize()}: begin anew with the one that came with the card."
        ]
    except (OSError, ValueError, RecursionError) as error:
        return {}, [f"{path.name} cannot be read: {plain(str(error), 200)}."]
    right: Tables = {}
    mistakes: list[str] = []
    for part, keys in told.items():
        found = mistakes_of(part, keys)
        mistakes += found
        if not found:
            right[part] = keys
    return right, mistakes


def mistakes_of(part: str, keys: Any) -> list[str]:
    """A sentence for each mistake in a part of the file: of each key by itself, or of all together."""
    if part not in PARTS:
        return [f"{plain(part)}: there is no such part; there are {', '.join(f'[{each}]' for each in PARTS)}."]
    if not isinstance(keys, dict):
        return [f"{part}: this is a part, so it stands in brackets on a line of its own, [{part}], with keys below."]
    whole = refused(part, keys)
    if part == "network" and not whole and keys.get("name") and not keys.get("country"):
        whole = 'network.country: say where this is, such as country = "GB", for what a radio may do hangs on it.'
    if not whole:
        return []
    return [fault for key in keys if (fault := refused(part, {key: keys[key]}))] or [whole]


def refused(part: str, keys: Mapping[str, Any]) -> str:
    """Why these keys of a part are refused, as a sentence, or empty."""
    try:
        used = convert({part: dict(keys)}, CardFile)
        if part == "table":
            used.table.own_constants()
    except SettingsError as error:
        return f"{plain(str(error), 400).rstrip('.')}."
    return ""


def written(tables: Tables) -> str:
    """Parts as TOML."""
    return "\n".join(
        f"[{part}]\n" + "".join(f"{key} = {value(each)}\n" for key, each in keys.items())
        for part, keys in tables.items()
    )


def value(of: Any) -> str:
    """A value as TOML, whose strings, numbers and lists are those of JSON but for a letter."""
    if isinstance(of, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {value(each)}" for key, each in of.items()) + "}"
    if isinstance(of, list):
        return "[" + ", ".join(map(value, of)) + "]"
    return json.dumps(of, ensure_ascii=True).replace("\x7f", "\\u007f")


# Using --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Setup:
    """All that follows from a file: the parts in use, and mistakes."""

    used: Tables
    mistakes: tuple[str, ...]

    @property
    def file(self) -> CardFile:
        """The parts, read."""
        return convert(self.used, CardFile)

    @property
    def settings(self) -> str:
        """The settings of the program."""
        return written({part: keys for part, keys in self.used.items() if part not in OWN})

    @property
    def wlan(self) -> str:
        """The configuration of wpa_supplicant, names and keys in hexadecimal; empty without a wireless network."""
        network = self.file.network
        if not network.name:
            return ""
        name = network.name.encode()
        # The key of a network is made of its password as IEEE 802.11 (J.4) tells.
        key = pbkdf2_hmac("sha1", network.password.encode(), name, 4096, 32).hex() if network.password else ""
        how = f"psk={key}" if key else "key_mgmt=NONE"
        return f"country={network.country}\nnetwork={{\n\tssid={name.hex()}\n\tscan_ssid=1\n\t{how}\n}}\n"

    @property
    def answer(self) -> str:
        """What is told to who wrote the file, in the lines that Windows ends as well."""
        lines = [*self.mistakes, KEPT] if self.mistakes else [f"All of {FILE} is used."]
        page = self.file.page
        if page.address:
            port, name = page.address.rpartition(":")[2], self.file.computer.name
            lines += [
                "",
                f"The page: http://{name}.local:{port}/#{page.token}",
                "Who has the whole of this address may play.",
            ]
        return "".join(f"{line}\r\n" for line in lines)


def set_up(path: Path, before: Tables, token: str) -> Setup:
    """What follows from a file, and from what was used `before`; a page on the network that has no token gets one."""
    right, mistakes = read_card(path)
    used = before | right if mistakes else right
    page = used.get("page", {})
    if page.get("address") and not page.get("token"):
        used["page"] = page | {"token": before.get("page", {}).get("token") or token}
    return Setup(used, tuple(mistakes))


def used_before(path: Path) -> Tables:
    """The parts that were used last; none where that cannot be read."""
    try:
        tables = tomllib.loads(bounded(path).decode())
        convert(tables, CardFile)
    except (OSError, ValueError, SettingsError):
        return {}
    return tables


def keep(setup: Setup, state: Path) -> None:
    """Write all that follows into the folder of what is kept, each file whole or not at all; OSError."""
    for name, text in {
        "used.toml": written(setup.used),
        "tablelight.toml": setup.settings,
        "environment": f"LANG={setup.file.computer.language}.UTF-8\n",
        "hostname": f"{setup.file.computer.name}\n",
        "wlan.conf": setup.wlan,
        "mistakes": "".join(f"{each}\n" for each in setup.mistakes),
        "answer": setup.answer,
    }.items():
        files.write(state / name, text.encode())


# The card -----------------------------------------------------------------------------------------


def grown(record: bytes, sectors: int) -> bytes:
    """A master boot record whose last partition takes all of a disk of so many sectors; itself if it does already.

    ValueError where there is none, or the disk is too small.
    """
    if len(record) != SECTOR or record[-2:] != b"\x55\xaa":
        raise ValueError("no master boot record")
    places = [ENTRIES + ENTRY.size * number for number in range(4)]
    entries = {place: ENTRY.unpack_from(record, place) for place in places}
    last = max(places, key=lambda place: entries[place][3])
    flags, kind, end, first, size = entries[last]
    wanted = min(sectors, LARGEST) - first
    if not kind or wanted < size:
        raise ValueError("the disk ends before its last partition")
    changed = bytearray(record)
    ENTRY.pack_into(changed, last, flags, kind, end, first, wanted)
    return bytes(changed)


def grow(disk: Path, sectors: int) -> bool:
    """Let the last partition of a disk take all of it; whether anything was changed. OSError, ValueError."""
    with disk.open("r+b", buffering=0) as file:
        record = file.read(SECTOR)
        wanted = grown(record, sectors)
        if wanted == record:
            return False
        file.seek(0)
        file.write(wanted)
    return True


def main(words: Sequence[str]) -> int:
    """Do what the words of a command line say; the exit status, 1 where there was nothing to grow."""
    match words:
        case ["--grow", disk, sectors]:
            return 0 if grow(Path(disk), int(sectors)) else 1
        case [boot, state]:
            keep(set_up(Path(boot) / FILE, used_before(Path(state) / "used.toml"), token_urlsafe(TOKEN)), Path(state))
            return 0
    print_lines("first_start takes BOOT STATE, or --grow DISK SECTORS", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
