"""Sentences said aloud, by small programs that write down what they are given in place of speaking it."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from docs.catalogues import sentences
from firmware_bridge.audio import Sound
from firmware_bridge.audio.sound import (
    COMPLAINTS,
    HUNG,
    RELIEFS,
    RESTART_AFTER,
    SPOKEN,
    Speech,
    Voice,
    duration,
    open_speech,
    sentence_aloud,
)
from firmware_bridge.cli.play import open_table_sound, run_table
from firmware_bridge.cli.systemd import Notifier
from firmware_bridge.config import Config, SoundConfig
from firmware_bridge.daemon import Daemon
from firmware_bridge.events import Event
from firmware_bridge.i18n import LANGUAGES, words
from games.rules import Reason, load

load("zong-heng")  # its players are named in sentences
ENGLISH = words("en")
WRITER = '#!/bin/sh\necho "$@" >"$HEARD/options"\nexec /bin/cat >>"$HEARD/lines"\n'


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder that programs are found in, and where they write."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HEARD", str(tmp_path))
    return tmp_path


def install(place: Path, name: str, text: str = WRITER) -> str:
    """A program of this name."""
    path = place / name
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def lines(place: Path) -> list[str]:
    """What has been said, once the program has ended."""
    path = place / "lines"
    return path.read_text().splitlines() if path.exists() else []


def played(turn: str) -> Event:
    return Event("played", Reason.of("table.played", player="zong-heng.black", turn=turn))


def astray(count: int) -> Event:
    return Event("astray", Reason.of("table.extra", site="c3", count=count))


def said(place: Path, *moments: tuple[float, Sequence[Event]]) -> list[str]:
    """What is said of these events, each at its time; the last that waits is said when the table is left."""
    install(place, "espeak-ng")
    speech = open_speech(ENGLISH, pytest.fail)
    assert speech
    for now, events in moments:
        speech.hear(events, now)
        while speech._voice._unread():  # real time passes, too
            os.sched_yield()
    speech.close()
    return lines(place)


# Which sentences ------------------------------------------------------------------------------


def test_a_turn_is_said_as_one_would_say_it(place: Path) -> None:
    assert said(place, (0, [played("c3-c4")])) == ["Black plays c3 to c4."]


@pytest.mark.parametrize(
    ("turn", "sentence"),
    [
        ("a5", "Black plays a5."),
        ("a5xb2", "Black plays a5 takes b2."),
        ("b3-b4xa2xa3", "Black plays b3 to b4 takes a2, a3."),
        ("S1", "Black plays S1."),
        ("pass", "Black plays pass."),
    ],
)
def test_turns_of_every_form_can_be_said(turn: str, sentence: str) -> None:
    assert sentence_aloud(played(turn).say, ENGLISH) == sentence


def test_several_turns_in_a_sentence_are_all_said() -> None:
    assert (
        sentence_aloud(Event.of("undone", turns="c3-c4 pass a1-b2").say, ENGLISH)
        == "Taken back: c3 to c4 pass a1 to b2."
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_in_any_language_breaks_a_line_or_keeps_a_dash_in_a_turn(language: str) -> None:
    text = sentence_aloud(Event.of("undone", turns="c3-c4\nb3-b4xa2").say, words(language))
    assert "\n" not in text
    assert "-" not in text
    assert all(site in text for site in ("c3", "c4", "b3", "b4", "a2"))


def test_what_is_spoken_of_are_events_of_the_table() -> None:
    others = {"amended", "astray", "chosen", "choose", "drawn", "look", "played", "setting", "won", "passed"}
    assert {f"table.{name}" for name in SPOKEN - others} <= sentences().keys()
    assert COMPLAINTS | RELIEFS <= SPOKEN


def test_answers_to_a_page_are_not_said(place: Path) -> None:
    assert said(place, (0, [Event.of("still-busy"), Event.of("no-such-turn", turn="c3")])) == []


# When -----------------------------------------------------------------------------------------


def test_a_sentence_waits_until_the_one_before_has_been_said(place: Path) -> None:
    speech = Speech(Voice((install(place, "program"),)), ENGLISH)
    ends = duration("Black plays a1 to a2.", "en")
    speech.hear([played("a1-a2")], 0.0)
    speech.hear([astray(1)], 0.1)
    speech.hear([], ends - 0.01)
    speech.hear([Event.of("sighted")], ends - 0.01)  # the complaint was not heard, so neither is its end
    speech.hear([], ends)
    speech.hear([Event.of("over")], ends)
    speech.close()
    assert lines(place) == ["Black plays a1 to a2.", str(Event.of("over").say)]


def test_a_complaint_that_was_heard_is_followed_by_its_end(place: Path) -> None:
    righted = str(Event.of("righted").say)
    assert said(place, (0, [astray(1)]), (9, [Event.of("righted")])) == [str(astray(1).say), righted]


def test_of_two_complaints_the_newer_is_said(place: Path) -> None:
    begun = str(played("a1").say)
    assert said(place, (0, [played("a1")]), (0.1, [astray(1)]), (0.2, [astray(2)])) == [begun, str(astray(2).say)]


def test_of_many_sentences_the_newest_are_said(place: Path) -> None:
    busy = [(0.1 * each, [played(f"a{each}")]) for each in range(1, 9)]
    told_later = [(20.0, []), (40.0, []), (60.0, [])]
    assert said(place, *busy, *told_later) == [f"Black plays a{each}." for each in (1, 7, 8)]


def test_a_longer_sentence_takes_longer_and_one_in_syllables_longer_still() -> None:
    assert duration("a", "en") < duration("a" * 20, "en") < duration("a" * 20, "ja")


# The program ----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_espeak_ng_speaks_the_language_of_the_program(place: Path, language: str) -> None:
    install(place, "espeak-ng")
    install(place, "spd-say", "#!/bin/sh\nexit 1\n")
    speech = open_speech(words(language), pytest.fail)
    assert speech
    speech.hear([Event.of("over")], 0.0)
    speech.close()
    speech.close()
    assert (place / "options").read_text() == f"-v {language}\n"
    assert lines(place) == [sentence_aloud(Event.of("over").say, words(language))]


def test_japanese_is_left_to_speech_dispatcher(place: Path) -> None:
    install(place, "espeak-ng", "#!/bin/sh\nexit 1\n")
    complaints: list[str] = []
    assert open_speech(words("ja"), complaints.append) is None
    assert "speech-dispatcher" in complaints[0]
    assert "espeak-ng" not in complaints[0]
    install(place, "spd-say")
    speech = open_speech(words("ja"), pytest.fail)
    assert speech
    speech.close()
    assert (place / "options").read_text() == "--pipe-mode --application-name tablelight --language ja\n"


def test_a_program_in_the_current_directory_is_not_run(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(place, "espeak-ng")
    monkeypatch.chdir(place)
    monkeypatch.setenv("PATH", ":.")
    assert open_speech(ENGLISH, lambda _: None) is None


def test_with_no_program_it_says_once_what_to_install(capsys: pytest.CaptureFixture[str]) -> None:
    assert open_table_sound(SoundConfig(speech=True), None, print) is None
    assert capsys.readouterr().out == (
        "Nothing can be said aloud, for a program is missing that does it: install one (espeak-ng, speech-dispatcher), "
        "or set speech = false. The game goes on.\n"
    )


def test_without_speech_and_buzzer_no_sound_is_opened(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(place, "espeak-ng", '#!/bin/sh\n: >"$HEARD/lines"\n')
    assert open_table_sound(Config().sound, None, print) is None
    assert capsys.readouterr().out == ""
    assert not (place / "lines").exists()


def restarted() -> None:
    """Wait until no program is being started."""
    for thread in threading.enumerate():
        if thread.name == "voice":
            thread.join()


def test_a_program_that_has_died_is_started_anew_but_not_too_often(place: Path) -> None:
    mouth = place / "mouth"  # whoever reads here waits until the program has ended
    os.mkfifo(mouth)
    text = '#!/bin/sh\nexec 3>"$HEARD/mouth"\nread -r line\nexec <&-\necho "$line" >&3\n'
    voice = Voice((install(place, "mortal", text),))

    def says(line: str, now: float) -> bool:
        taken = voice.say(line, now)
        restarted()
        return taken

    assert says("one", 0.0)
    assert mouth.read_text() == "one\n"
    assert not says("lost", 1.0)
    assert says("two", 2.0)
    assert mouth.read_text() == "two\n"
    assert not any(says("lost", now) for now in (3.0, 4.0, 0.9 + RESTART_AFTER, 1.0 + RESTART_AFTER))
    assert says("three", 1.1 + RESTART_AFTER)
    assert mouth.read_text() == "three\n"
    assert not any(says("lost", now) for now in (2.0 + RESTART_AFTER, 0.9 + 3 * RESTART_AFTER, 1.0 + 3 * RESTART_AFTER))
    assert says("four", 1.1 + 3 * RESTART_AFTER)  # the pause grows
    assert mouth.read_text() == "four\n"
    voice.close()


def test_a_program_that_cannot_be_started_is_no_fault(place: Path) -> None:
    voice = Voice((str(place / "missing"),))
    assert not voice.say("one", 0.0)
    restarted()
    install(place, "missing")
    assert not voice.say("two", RESTART_AFTER - 0.1)
    restarted()
    assert not voice.say("three", RESTART_AFTER)
    restarted()
    assert voice.say("four", RESTART_AFTER + 0.1)
    voice.close()
    assert lines(place) == ["four"]
    assert not voice.say("five", RESTART_AFTER + 0.2)


def test_a_pipe_that_is_full_takes_no_part_of_a_sentence(place: Path) -> None:
    os.mkfifo(place / "gate")
    text = '#!/bin/sh\n/bin/cat "$HEARD/gate"\nexec /bin/cat >"$HEARD/lines"\n'
    voice = Voice((install(place, "deaf", text),))
    taken = 0
    while voice.say("A sentence." * 50, 0.0):
        taken += 1
    assert taken > 10
    (place / "gate").write_text("")
    voice.close()
    assert lines(place) == ["A sentence." * 50] * taken


# At a table -----------------------------------------------------------------------------------


class Moment:
    """A table that is switched off at its first scan."""

    hands, over, beginning = False, False, False
    daemon: Daemon | None = None
    shown: Daemon | None = None
    linking = SimpleNamespace(worker=None)

    def levels(self, daemon: Daemon) -> tuple[int, ...]:
        return ()

    def power(self, daemon: Daemon) -> tuple[float, int]:
        return 0.0, 0

    def obey(self, request: object, now: float) -> list[Event]:
        return []

    def step(self, now: float) -> list[Event]:
        self.over = True
        return [Event.of("over")]

    def wait(self, seconds: float, asked: object) -> None:
        pass

    def close(self) -> None:
        pass


def test_a_table_is_heard_to_its_last_sentence(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(place, "espeak-ng")
    run_table(Moment(), Config(sound=SoundConfig(speech=True)), Notifier({}), None)
    assert lines(place) == capsys.readouterr().out.splitlines() == [str(Event.of("over").say)]


def test_closed_sound_is_silent(place: Path) -> None:
    sound = Sound(Speech(Voice((install(place, "program"),)), ENGLISH), None, pytest.fail)
    sound.close()
    sound.hear([Event.of("over")], 0.0)
    assert lines(place) == []


def test_a_program_that_no_longer_listens_is_told_of_and_replaced(place: Path) -> None:
    install(place, "espeak-ng", "#!/bin/sh\nexec /bin/sleep 600\n")
    told: list[str] = []
    speech = open_speech(ENGLISH, pytest.fail)
    assert speech
    sound, deaf = Sound(speech, None, told.append), speech._voice._process
    assert deaf
    while Path(f"/proc/{deaf.pid}/comm").read_text() != "sleep\n":
        os.sched_yield()  # until then it is a shell that would read the next program's script
    sound.hear([Event.of("over")], 0.0)
    sound.hear([played("c3")], 10.0)
    sound.hear([], HUNG)
    assert told == []
    install(place, "espeak-ng")
    sound.hear([], 0.1 + HUNG)
    restarted()
    assert told == [str(Event.of("helper-hung", program="program.speech").say)]
    assert deaf.returncode is not None
    sound.hear([played("c4")], 20.0 + HUNG)
    sound.close()
    assert lines(place) == ["Black plays c4."]


@pytest.mark.parametrize(("text", "loss"), [("#!/bin/sh\nexit\n", "ended"), (None, "unstarted")])
def test_a_program_that_dies_or_cannot_be_started_is_told_of_once(place: Path, text: str | None, loss: str) -> None:
    program = place / "espeak-ng"
    if text:
        install(place, "espeak-ng", text)
    told: list[str] = []
    voice = Voice((str(program),))
    sound = Sound(Speech(voice, ENGLISH), None, told.append)
    if voice._process:
        voice._process.wait()
    for now in range(0, 50, 10):
        sound.hear([played("c3")], now)
        restarted()
        if voice._process:
            voice._process.wait()
    assert told == [str(Event.of(f"helper-{loss}", program="program.speech").say)]
    install(place, "espeak-ng")
    for now in (100.0, 110.0):
        sound.hear([played("c4")], now)
        restarted()
    sound.close()
    assert lines(place)[-1] == "Black plays c4."
    assert len(told) == 1


def test_output_that_fails_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    full = open("/dev/full", "w")  # noqa: SIM115 - it cannot be closed without an error
    monkeypatch.setattr(sys, "stdout", full)
    run_table(Moment(), Config(), Notifier({}), None)
    monkeypatch.undo()
    with suppress(OSError):
        full.close()


def test_output_that_blocks_holds_nothing_up(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with suppress(BlockingIOError):
        while True:
            os.write(writing, bytes(4096))
    os.set_blocking(writing, True)
    with open(reading, "rb") as reader, open(writing, "w") as blocked:
        monkeypatch.setattr(sys, "stdout", blocked)
        run_table(Moment(), Config(), Notifier({}), None)
        monkeypatch.undo()
        said = b""
        while not said.strip(b"\0"):  # the line is printed once there is room again
            said = reader.read1()
    assert said.strip(b"\0").decode().rstrip() == str(Event.of("over").say)
