"""What the program says in each language: the catalogues are whole, and the right one is chosen."""

from __future__ import annotations

import io
import os
import re
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages import Catalog
from babel.messages.mofile import read_mo

from docs.catalogues import ARGPARSE, compiled, owed, places, read, sentences, unbroken
from docs.catalogues import main as catalogues_of
from firmware_bridge.cli.main import main
from firmware_bridge.i18n import LANGUAGES, padded, system_words, wanted, width, words, wrapped
from firmware_bridge.i18n.catalogue import VARIABLES, game_catalogue
from firmware_bridge.i18n.progress import CLOSING
from games.rules import NAMED, Reason, load, names

Capture = pytest.CaptureFixture[str]
OTHERS = [language for language in LANGUAGES if language != "en"]
PERCENT = re.compile(r"%(?:\(\w+\))?[a-z]")
catalogues = pytest.mark.parametrize(
    ("owner", "language", "path"), [pytest.param(*each, id=f"{each[0] or 'program'}-{each[1]}") for each in places()]
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's own folders, so that nothing is read from or written to the real ones."""
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    return tmp_path


def speak(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process be told its language by ``LANGUAGE`` alone."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANGUAGE", language)


def fields(text: str) -> list[str]:
    """The placeholders of a sentence, in alphabetical order."""
    braces = [f"{{{name}{spec}}}" for _, name, spec, _ in string.Formatter().parse(text) if name is not None]
    return sorted(set(braces)) + sorted(PERCENT.findall(text))


# The catalogues -------------------------------------------------------------------------------


@catalogues
def test_a_catalogue_has_every_sentence_and_no_other(owner: str, language: str, path: Path) -> None:
    catalogue = read(path, language)
    assert {message.id for message in catalogue if message.id} == sentences(owner).keys()
    assert not catalogue.obsolete
    assert [message.id for message in owed(catalogue)] == []


@catalogues
def test_the_english_beside_a_translation_is_that_of_the_program(owner: str, language: str, path: Path) -> None:
    for message in read(path, language):
        if message.id:
            assert unbroken(message) == "".join(sentences(owner)[message.id].split()), message.id


@catalogues
def test_what_is_compiled_is_what_is_written(owner: str, language: str, path: Path) -> None:
    with path.with_suffix(".mo").open("rb") as file:
        compiled = {message.id: message.string for message in read_mo(file) if message.id}
    assert compiled == {message.id: message.string for message in read(path, language) if message.id}


@catalogues
def test_a_translation_has_the_placeholders_of_the_english(owner: str, language: str, path: Path) -> None:
    for message in read(path, language):
        if message.id:
            assert fields(message.string) == fields(sentences(owner)[message.id]), message.id
            assert message.string.endswith("\n") == sentences(owner)[message.id].endswith("\n"), message.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_can_be_said(language: str) -> None:
    for id, english in [pair for owner in ("", *names()) for pair in sentences(owner).items()]:
        if id not in ARGPARSE:
            values = {name: "rules.dark" if name in NAMED else 7 for _, name, _, _ in string.Formatter().parse(english)}
            said = words(language).say(Reason.of(id, **{name: value for name, value in values.items() if name}))
            assert said.strip()
            assert not {"{", "}"} & set(said)
            assert "rules.dark" not in said


@pytest.mark.parametrize("name", names())
def test_every_game_has_its_rules_and_the_titles_of_its_options(name: str) -> None:
    game = load(name)
    assert words("en").text(f"{name}.summary") == game.summary
    assert words("en").about(game) in sentences(name).values()
    for language in LANGUAGES:
        assert len(words(language).summary(game)) == len(words("en").summary(game))
        assert all(words(language).text(f"{name}.option-{option}") for option in game.options)


def test_paragraphs_are_whole_sentences() -> None:
    paragraphs = words("en").summary(load("zong-heng"))
    assert paragraphs[0] == "Two players, black and white; black begins. Every dark square holds a stone."
    assert all(paragraph.endswith(".") and "\n" not in paragraph for paragraph in paragraphs)


# Games of other distributions -----------------------------------------------------------------


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a package that offers `Foreign`, which translates ``foreign.hello`` into French."""
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "__init__.py").write_text(FOREIGN)
    about = tmp_path / "strange-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: strange\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[tablelight.games]\nforeign = strange:GAME\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "strange", raising=False)
    game_catalogue.cache_clear()
    return tmp_path / "strange"


FOREIGN = """
from games.rules import load, say
from games.zong_heng.rules import ZongHeng

class Foreign(ZongHeng):
    name = "foreign"
    options = {"size": (8, 6)}
    summary = "Push. Then rest.\\nDo it again."

GAME = Foreign
say("foreign", hello="Hello, {player}.", bye="Good bye.")
"""


def translate(folder: Path, **french: str) -> None:
    """Let the game in `folder` have these sentences in French."""
    catalogue = Catalog("fr")
    for name, text in french.items():
        catalogue.add(f"foreign.{name}", text)
    (folder / "locale").mkdir(exist_ok=True)
    (folder / "locale" / "fr.mo").write_bytes(compiled(catalogue))
    game_catalogue.cache_clear()


def test_a_game_of_another_distribution_brings_its_own_catalogues(foreign: Path) -> None:
    load("foreign")
    translate(foreign, hello="Bonjour, {player}.")
    hello = Reason.of("foreign.hello", player="zong-heng.black")
    assert words("fr").say(hello) == "Bonjour, Noir."
    assert words("es").say(hello) == "Hello, Negro."
    assert words("fr").text("foreign.bye") == "Good bye."


def test_what_it_does_not_say_follows_from_its_rules_and_names(foreign: Path) -> None:
    game = load("foreign")
    for language in LANGUAGES:
        told = words(language)
        assert told.about(game) == "Push. Then rest."
        assert told.summary(game) == ["Push. Then rest.", "Do it again."]
        assert (told.option("foreign", "size"), told.value("foreign", 6)) == ("size", "6")


@pytest.mark.parametrize("broken", [b"", b"no catalogue", b"\xde\x12\x04\x95" + 20 * b"\xff"])
def test_a_catalogue_that_cannot_be_read_leaves_english(foreign: Path, broken: bytes) -> None:
    load("foreign")
    translate(foreign)
    (foreign / "locale" / "fr.mo").write_bytes(broken)
    game_catalogue.cache_clear()
    assert words("fr").text("foreign.bye") == "Good bye."


def test_a_translation_with_other_placeholders_is_said_in_english(foreign: Path) -> None:
    load("foreign")
    translate(foreign, hello="Bonjour, {joueur}.")
    assert words("fr").say(Reason.of("foreign.hello", player="zong-heng.black")) == "Hello, Black."


def test_its_catalogues_are_written_beside_its_rules(foreign: Path, capsys: Capture) -> None:
    assert catalogues_of(["foreign"]) == 1
    told = capsys.readouterr().out
    assert f"{foreign / 'locale' / 'ja.po'}: 'foreign.hello' has no translation" in told
    assert {path.name for path in (foreign / "locale").iterdir()} == {f"{x}.{y}" for x in OTHERS for y in ("po", "mo")}


# The choice of a language ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "fr"),
        ("en;q=0.3, es;q=0.9, ja;q=0.6", "es"),
        ("de, JA ; q=1.0", "ja"),
        ("de-DE,de;q=0.9,*;q=0.1", "en"),
        ("fr;q=0, es;q=0.1", "es"),
        ("fr;q=0", "en"),
        ("en-GB,fr", "en"),
        ("", "en"),
        ("fr;q=2, es", "es"),
        ("é\x00;;,=,q=1," + "x" * 10_000 + ",fr", "en"),
    ],
)
def test_a_browser_is_answered_in_the_language_it_wants_most(header: str, language: str) -> None:
    assert wanted(header) == language


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "ja_JP.UTF-8", "LC_MESSAGES": "es_MX"}, "es"),
        ({"LC_ALL": "C", "LC_MESSAGES": "fr_FR", "LANG": "fr_FR"}, "en"),
        ({"LANGUAGE": "de:fr_CA:es", "LANG": "ja_JP.UTF-8"}, "fr"),
        ({"LANGUAGE": "", "LANG": "fr_FR@euro"}, "fr"),
        ({"LANGUAGE": "en_GB:fr"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "../../fr"}, "en"),
    ],
)
def test_a_process_speaks_the_language_of_its_environment(
    environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert system_words() is words(language)


def test_a_language_that_is_not_there_is_english() -> None:
    assert words("de") is words("../en") is words("en")


# The command line -----------------------------------------------------------------------------


def test_rules_and_options_in_french(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    speak("fr", monkeypatch)
    assert main(["rules", "zong-heng"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Zong-Heng\n\nDeux joueurs, Noir et Blanc")
    assert "size=8|6|10|12 (cases par côté)" in out


def test_hands_are_answered_in_japanese_and_the_record_keeps_to_ids(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    speak("ja", monkeypatch)
    monkeypatch.setattr(sys, "stdin", io.StringIO("help\nturn c3-c4\nturn f2-f3\nturn b4-e4\nwait 3\n"))
    assert main(["play", "zong-heng", "--record", str(home / "game.table")]) == 0
    out = capsys.readouterr().out
    for sentence in (
        "黒はc3-c4としました。",
        "2手目\N{FULLWIDTH COLON}白の番です。",
        "この列の石3個のうち、黒の石は1個です。2個必要です。",
        "() この駒は動かせます",
        "wait SECONDS                       時間を進めます",
    ):
        assert sentence in out, sentence
    assert (home / "game.table").read_bytes().isascii()


def test_help_and_its_errors_in_spanish(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    speak("es", monkeypatch)
    with pytest.raises(SystemExit):
        main(["doctor", "--help"])
    assert "cuánto tiempo se observan los sensores" in " ".join(capsys.readouterr().out.split())
    with pytest.raises(SystemExit):
        main(["doctor", "--seconds", "0"])
    assert "argumento --seconds: 0 no está entre 0.5 y 3600" in capsys.readouterr().err


def test_a_refused_turn_in_spanish(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    speak("es", monkeypatch)
    assert main(["moves", "zong-heng", "b4-b5"]) == 2
    assert capsys.readouterr().err == "tablelight: Una ficha sola debe ser propia: Negro no puede empujar esta.\n"


def test_what_hands_cannot_do_is_said_in_spanish(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    speak("es", monkeypatch)
    monkeypatch.setattr(sys, "stdin", io.StringIO("frob\nlift a2\nput a1 dark\nmode loud\nturn a1-h8\n"))
    assert main(["play", "zong-heng", "--no-record"]) == 1
    out = capsys.readouterr().out
    for sentence in (
        "'frob' no es una palabra de esta mesa",
        "en a2 no hay nada que levantar",
        "a1 está ocupado",
        "'loud' no es un modo",
        "así que a1-h8 no es posible.",
    ):
        assert sentence in out, sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_values_of_a_position_stand_in_one_column(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    speak(language, monkeypatch)
    assert main(["moves", "zig-zag"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len({width(re.match(r"\S+(?: \S+)*  +", line)[0]) for line in lines}) == 1  # type: ignore[index]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_numbers_of_perft_stand_under_their_words(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    speak(language, monkeypatch)
    assert main(["perft", "zig-zag", "1"]) == 0
    title, line = capsys.readouterr().out.splitlines()
    assert width(title) == width(line)


def test_a_terminal_without_the_letters_of_the_language_gets_no_traceback(home: Path) -> None:
    environment = os.environ | {"LANGUAGE": "ja", "PYTHONIOENCODING": "ascii"}
    ended = subprocess.run(
        [sys.executable, "-m", "firmware_bridge", "rules", "zig-zag"],
        env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "S1 N2 S3 N4 S5 N6" in " ".join(ended.stdout.split())


def test_logs_and_tests_read_english_in_every_language(monkeypatch: pytest.MonkeyPatch) -> None:
    speak("ja", monkeypatch)
    assert str(Reason.of("table.ready", player="zhizhu.dark")) == "Black to play."


# Columns --------------------------------------------------------------------------------------


def texts() -> Iterator[str]:
    """The longest there is to break."""
    for language in LANGUAGES:
        for name in names():
            yield from words(language).summary(load(name))


@pytest.mark.parametrize("columns", [20, 54, 79, 116])
def test_lines_fit_and_lose_nothing(columns: int) -> None:
    for text in texts():
        lines = wrapped(text, columns)
        assert max(map(width, lines)) <= columns
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert not any(line[0] in " " + CLOSING for line in lines)


def test_lines_break_between_words_and_a_long_word_stands_alone() -> None:
    assert wrapped("one two extraordinarily far", 8) == ["one two", "extraordinarily", "far"]
    assert wrapped("石を置きます。次へ", 8) == ["石を置き", "ます。次", "へ"]
    assert wrapped("石を置く。次", 8) == ["石を置", "く。次"]


def test_a_stop_after_a_blank_that_does_not_break_stays_with_its_word() -> None:
    assert wrapped("Quel jeu\N{NO-BREAK SPACE}? Posez", 9) == ["Quel", "jeu\N{NO-BREAK SPACE}?", "Posez"]


def test_wide_characters_take_two_columns() -> None:
    assert width("c3の石") == 6
    assert padded("手番", 6) == "手番  "


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Anna (Black) plays a1."),
        ("fr", "Anna (Noir) joue a1."),
        ("es", "Anna (Negro) juega a1."),
        ("ja", "Anna（黒）はa1としました。"),  # noqa: RUF001
    ],
)
def test_players_who_have_told_their_names_are_called_by_them(language: str, told: str) -> None:
    spoken = words(language).calling(("zhizhu.dark", "zhizhu.light"), ("Anna", ""))
    assert spoken.say(Reason.of("table.played", player="zhizhu.dark", turn="a1")) == told
    plain = Reason.of("table.played", player="zhizhu.light", turn="a1")
    assert spoken.say(plain) == words(language).say(plain)
    assert spoken.text("zhizhu.dark") == words(language).text("zhizhu.dark")
