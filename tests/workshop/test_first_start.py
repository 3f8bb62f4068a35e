"""What is written on a card before its first start: what is right is used, and every mistake is answered."""

from __future__ import annotations

import struct
import tomllib
from pathlib import Path

import pytest

from firmware_bridge.config import read_config
from firmware_bridge.workshop.first_start import (
    ANSWER,
    FILE,
    KEPT,
    OWN,
    PARTS,
    Setup,
    Tables,
    grow,
    grown,
    keep,
    main,
    read_card,
    set_up,
    used_before,
    written,
)

TOKEN = "abcdefgh1234"
SHIPPED = Path(__file__).parents[2] / "card" / FILE
HOME = """
[computer]
language = "fr"
name = "salon"
[network]
name = "Chez nous é"
password = "not so secret"
country = "FR"
[table]
board = "grid"
[page]
address = "0.0.0.0:8000"
"""


@pytest.fixture
def card(tmp_path: Path) -> Path:
    return tmp_path / FILE


def used(card: Path, text: str, before: Tables | None = None) -> Setup:
    card.write_text(text, newline="")
    return set_up(card, before or {}, TOKEN)


# What is right ------------------------------------------------------------------------------------


def test_the_file_as_shipped_has_no_mistake_and_says_the_page(card: Path) -> None:
    setup = used(card, SHIPPED.read_text())
    assert setup.mistakes == ()
    assert setup.wlan == ""
    assert setup.answer.splitlines()[0] == f"All of {FILE} is used."
    assert f"http://table.local:8000/#{TOKEN}" in setup.answer


def test_the_file_as_shipped_names_every_part_that_no_program_has(card: Path) -> None:
    assert set(OWN) < tomllib.loads(SHIPPED.read_text()).keys() <= PARTS.keys()


def test_the_settings_are_those_that_the_program_reads(card: Path, tmp_path: Path) -> None:
    setup = used(
        card, HOME + '[game]\nname = "zong-heng"\noptions = {size = 8, setup = "rows"}\nnames = ["Zoé\\"", ""]\n'
    )
    keep(setup, tmp_path)
    config = read_config(tmp_path / "tablelight.toml")
    assert (config.table.board, config.page.address, config.page.token) == ("grid", "0.0.0.0:8000", TOKEN)
    assert config.game.options == {"size": 8, "setup": "rows"}
    assert config.game.names == ('Zoé"', "")
    assert (tmp_path / "environment").read_text() == "LANG=fr.UTF-8\n"
    assert (tmp_path / "hostname").read_text() == "salon\n"
    assert used_before(tmp_path / "used.toml") == setup.used


def test_a_key_of_a_network_is_made_as_the_standard_has_it(card: Path) -> None:
    """The example of IEEE 802.11, annex J.4."""
    network = '[network]\nname = "IEEE"\npassword = "password"\ncountry = "GB"\n'
    assert "psk=f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e\n" in used(card, network).wlan


def test_the_name_of_a_network_may_have_any_letters(card: Path) -> None:
    wlan = used(card, HOME).wlan
    assert f"ssid={'Chez nous é'.encode().hex()}\n" in wlan
    assert wlan.startswith("country=FR\n")
    assert "not so secret" not in wlan


def test_an_open_network_has_no_key(card: Path) -> None:
    assert "key_mgmt=NONE" in used(card, '[network]\nname = "Library"\ncountry = "GB"\n').wlan


def test_editors_of_windows_may_be_used(card: Path) -> None:
    card.write_bytes(b"\xef\xbb\xbf" + HOME.replace("\n", "\r\n").encode())
    assert read_card(card) == (tomllib.loads(HOME), [])


def test_a_page_keeps_its_token_and_a_chosen_one_stays(card: Path) -> None:
    first = used(card, HOME)
    card.write_text(HOME)
    assert set_up(card, first.used, "another12345").file.page.token == TOKEN
    assert used(card, HOME + 'token = "of-my-own"\n').file.page.token == "of-my-own"


def test_what_is_taken_out_of_the_file_is_forgotten(card: Path) -> None:
    before = used(card, HOME).used
    assert used(card, '[table]\nboard = "grid"\n', before).wlan == ""


# Mistakes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[computer]\nlanguage = "de"', "computer.language: invalid enum value 'de'; allowed: en, es, fr, ja."),
        ('[computer]\nname = "My Table"', "computer.name: small letters, digits and hyphens alone, 63 at most."),
        ('[computer]\ncolour = "red"', "computer.colour: there is no such key; the keys here are language, name."),
        ('[network]\nname = "x"\npassword = "short"\ncountry = "GB"', "network.password: it has 8 to 63 letters"),
        (
            '[network]\nname = "x"\npassword = "long enough"',
            'network.country: say where this is, such as country = "GB"',
        ),
        ('[network]\nname = "x"\npassword = "long enough"\ncountry = "uk"', "network.country: two large letters"),
        (
            f'[network]\nname = "{"é" * 17}"\ncountry = "FR"',
            "no network has a name of more than 32 bytes.",
        ),
        ('[netwrok]\nname = "x"', "netwrok: there is no such part; there are [game], [table],"),
        ('language = "fr"', "language: there is no such part"),
        ('table = "grid"', "table: this is a part, so it stands in brackets on a line of its own, [table]"),
        ("[lights]\nbrightness = 300", "lights.brightness: expected `int` <= 255."),
        ('[table]\nboard = "grid', "cannot be read: Illegal character '\\n' (at line 2, column 14)."),
    ],
)
def test_a_mistake_is_answered_with_a_sentence(card: Path, text: str, says: str) -> None:
    setup = used(card, f"{text}\n")
    assert len(setup.mistakes) == 1
    assert says in setup.mistakes[0]
    assert setup.answer.splitlines()[:2] == [setup.mistakes[0], KEPT]


def test_every_mistake_is_answered(card: Path) -> None:
    wrong = '[computer]\nlanguage = "de"\nname = "?"\n[lights]\nbrightness = 300\nmode = "x"\n[tabel]\n'
    assert len(used(card, wrong).mistakes) == 5


def test_what_is_right_is_used_and_of_a_wrong_part_what_was_used_before(card: Path) -> None:
    before = used(card, HOME).used
    setup = used(card, HOME.replace("salon", "Le Salon").replace('"grid"', '"registers"'), before)
    assert setup.file.computer.name == "salon"
    assert setup.file.table.board == "registers"


@pytest.mark.parametrize(
    ("data", "says"),
    [(None, "There is no"), (b"\xff\xfe\x00", "not text in UTF-8"), (b"#" * 40_000, "Larger than 32000 bytes")],
)
def test_without_a_file_all_stays_as_it_was(card: Path, data: bytes | None, says: str) -> None:
    before = used(card, HOME).used
    card.unlink()
    if data:
        card.write_bytes(data)
    setup = set_up(card, before, TOKEN)
    assert setup.used == before
    assert says in setup.mistakes[0]


def test_a_card_without_anything_is_a_table_as_usual(card: Path) -> None:
    setup = set_up(card, {}, TOKEN)
    assert setup.file.computer.name == "table"
    assert setup.settings == ""


@pytest.mark.parametrize("data", [b"", b"\xff", b"[x", b"[nothing]\nx = 1\n", b"[lights]\nbrightness = 999\n"])
def test_what_was_used_may_be_damaged(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "used.toml").write_bytes(data)
    assert used_before(tmp_path / "used.toml") == {}


def test_values_are_written_as_they_are_read() -> None:
    tables: Tables = {"game": {"a": 'é"\\\n\x7f\x01', "b": [1, 2.5, True], "c": {"d e": "f", "g": -1}}, "page": {}}
    assert tomllib.loads(written(tables)) == tables


def test_the_whole_is_done_by_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / FILE).write_text(HOME + "[lights]\nbrightness = -1\n")
    assert main([str(tmp_path), str(tmp_path)]) == 0
    assert "lights.brightness" in (tmp_path / "answer").read_text()
    assert (tmp_path / "mistakes").read_text().startswith("lights.brightness")
    assert ANSWER.endswith(".txt")
    assert main([]) == 2
    assert "--grow" in capsys.readouterr().err


# The card -----------------------------------------------------------------------------------------


def record(*partitions: tuple[int, int, int]) -> bytes:
    """A master boot record with partitions: kind, first sector, sectors."""
    entries = b"".join(struct.pack("<4sB3sII", b"", kind, b"", first, size) for kind, first, size in partitions)
    return bytes(446) + entries.ljust(64, b"\0") + b"\x55\xaa"


CARD = (0xC, 8192, 100), (0x83, 10_000, 100), (0x83, 20_000, 100)


def test_the_last_partition_takes_the_rest_of_the_disk() -> None:
    assert grown(record(*CARD), 50_000) == record(*CARD[:2], (0x83, 20_000, 30_000))
    assert grown(record(*CARD), 20_100) == record(*CARD)


def test_a_disk_of_more_than_two_terabytes_is_used_as_far_as_it_can_be_counted() -> None:
    assert grown(record(*CARD), 2**33) == record(*CARD[:2], (0x83, 20_000, 2**32 - 1 - 20_000))


@pytest.mark.parametrize("data", [b"", bytes(512), record()])
def test_what_is_no_card_is_left_alone(data: bytes) -> None:
    with pytest.raises(ValueError, match="no master boot record|ends before"):
        grown(data, 50_000)


def test_a_card_that_is_too_small_is_left_alone() -> None:
    with pytest.raises(ValueError, match="ends before"):
        grown(record(*CARD), 20_050)


def test_a_card_grows_once(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.write_bytes(record(*CARD) + b"all else")
    assert main(["--grow", str(disk), "50000"]) == 0
    assert disk.read_bytes() == record(*CARD[:2], (0x83, 20_000, 30_000)) + b"all else"
    assert not grow(disk, 50_000)
    assert main(["--grow", str(disk), "50000"]) == 1
