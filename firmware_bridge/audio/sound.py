"""What is heard of the table: sentences said aloud, and a buzzer whose rhythms tell what it is about.

Both are off unless they are asked for, and nothing here waits.

1. A program that reads lines and speaks them is one process that duration. A sentence is one write to its pipe, which
   never waits. The program reads ahead and would let old sentences pile up, so it is given one sentence at a time,
   the next when the last should have been said.
2. Only the newest sentences wait for that. A complaint is dropped when anything newer is to be said. The news that
   all is right again is dropped when nobody has heard that something was wrong.
3. When the program has died the sentence is lost, and a thread starts the program anew: a fork takes too long for a
   scan. One that leaves a sentence unread for long is hung: it is ended. The players are told, once until a later one
   has lived for a while, and the pause before the next start grows meanwhile.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import termios
from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf
from threading import Thread
from typing import NamedTuple

from firmware_bridge.config import SoundConfig
from firmware_bridge.events import Event
from firmware_bridge.i18n import LANGUAGES, Words, system_words
from firmware_bridge.worker import HEALTHY, LONGEST_PAUSE, Loss
from games.rules import Reason, say
from hardware.device import Buzzer, DeviceError

# What is said aloud ------------------------------------------------------------------------------


class Program(NamedTuple):
    """A program that speaks lines: its package, its options up to that of the language, and the languages it reads."""

    package: str
    options: tuple[str, ...]
    languages: frozenset[str]


PROGRAMS = {
    "espeak-ng": Program("espeak-ng", ("-v",), frozenset({"en", "fr", "es"})),  # its Japanese voice reads no kanji
    "spd-say": Program(
        "speech-dispatcher", ("--pipe-mode", "--application-name", "tablelight", "--language"), frozenset(LANGUAGES)
    ),
}
"""The programs by name, the preferred one first."""
COMPLAINTS = frozenset({"asked", "astray", "blind", "choose", "look", "offered", "owed", "setting"})
"""Events that are no longer worth saying once something else has happened."""
RELIEFS = frozenset({"ready", "righted", "sighted"})
"""Events that tell that what was complained of has been put right."""
SPOKEN = frozenset(COMPLAINTS | RELIEFS | {
    "amended", "begins", "chosen", "crosstalk", "doubted", "drawn", "goes-on-with", "late", "lit", "miscount",
    "mute", "nothing-done", "nothing-undone", "off", "over", "passed", "played", "press-again", "restless",
    "trusted", "undone", "unlit", "unrecorded", "unwritten", "won", "written",
})  # fmt: skip
"""Events that are said aloud: all that concern those at the table, and no answers to what is asked on a page."""
MOST_WAITING = 2
"""Sentences that wait at most; guessed: more would be old when their turn comes."""
RESTART_AFTER = 5.0
"""Seconds between two starts of a program that dies, at least; guessed. It doubles while each dies young."""
HUNG = 20.0
"""Seconds for which the program may leave a sentence unread that it should have begun; guessed."""
LAST_WORDS = 3.0
"""Seconds for which the program may go on speaking when the table is left; guessed: one sentence."""
PAUSE, LETTERS, SYLLABLES = 1.0, 16.0, 7.0
"""How long a sentence takes: seconds before any, and letters a second, in Japanese syllables a second; guessed."""
TURN = re.compile(r"\b[A-Za-z]\d+(?:[-x][A-Za-z]\d+)+")
"""A turn of two sites or more in a sentence."""

# What the buzzer beats ---------------------------------------------------------------------------

SHORT, LONG, GAP = 0.06, 0.35, 0.12
"""Seconds of a short and a long sound, and of the silence between two; guessed."""
GAME_OVER = (LONG, GAP, SHORT, GAP, SHORT, GAP, LONG)
RHYTHMS = {
    "astray": (SHORT, GAP, SHORT, GAP, SHORT),
    "asked": (SHORT, GAP, LONG),
    "blind": (LONG, GAP, LONG),
    "won": GAME_OVER,
    "drawn": GAME_OVER,
}
"""The rhythm of each event that calls players to the table: seconds of sound and of silence by turns."""


# Speech ------------------------------------------------------------------------------------------


class Voice:
    """The process of a program, started by `command`, that reads lines from its standard input and speaks them."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._alive = False
        self._lost: Loss | None = None
        self._begun = self._due = -inf
        self._pause = RESTART_AFTER
        self._unread_since = inf
        self._starting = Thread(target=self._start, name="voice")
        self._start()

    def say(self, line: str, now: float) -> bool:
        """Say `line`, begun at `now` (seconds); whether the program has taken it."""
        if self._starting.is_alive():
            return False
        taken = self._write(f"{line}\n".encode())
        if not self._alive:
            self._restart(now, "ended" if self._process else "unstarted")
        return taken

    @property
    def pid(self) -> int | None:
        """The number of the process; None while none runs, as far as that was noticed."""
        return self._process.pid if self._alive and self._process else None

    def _restart(self, now: float, loss: Loss) -> None:
        """Start the program anew, if that is due."""
        if now < self._due:
            return
        young = now - self._begun <= HEALTHY
        self._pause = min(2 * self._pause, LONGEST_PAUSE) if young else RESTART_AFTER
        self._lost = self._lost if young else loss
        self._begun, self._due = now, now + self._pause
        self._starting = Thread(target=self._start, name="voice")
        self._starting.start()

    def watch(self, now: float) -> Loss | None:
        """What became of the program, told once; at `now` it is ended if it has left a sentence unread for long."""
        self._unread_since = min(self._unread_since, now) if self._alive and self._unread() else inf
        if now - self._unread_since > HUNG:
            self._alive, self._unread_since = False, inf
            self._restart(now, "hung")
        lost, self._lost = self._lost, None
        return lost

    def _unread(self) -> int:
        """Bytes of the last sentence that the program has not read yet."""
        count = array("i", [0])
        if self._process and self._process.stdin:
            with suppress(OSError):
                fcntl.ioctl(self._process.stdin.fileno(), termios.FIONREAD, count)
        return count[0]

    def _write(self, data: bytes) -> bool:
        """The kernel takes so short a line as a whole or, if the pipe is full, not at all."""
        if not self._alive or not self._process or not self._process.stdin:
            return False
        try:
            return self._process.stdin.write(data) is not None
        except OSError:
            self._alive = False
            return False

    def _start(self) -> None:
        """Start the program, after one that has died; what it complains of would only disturb the terminal.

        Ctrl-C is not for it: it has a last sentence to say.
        """
        self._end(0.0)
        with suppress(OSError):
            self._process = subprocess.Popen(
                self._command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip
            assert self._process.stdin
            os.set_blocking(self._process.stdin.fileno(), False)
            self._alive = True

    def _end(self, seconds: float) -> None:
        """Let it finish what it is saying, for so long."""
        self._alive = False
        if self._process and self._process.stdin:
            self._process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
            self._process.kill()
            self._process.wait()
        self._process = None

    def close(self) -> None:
        """End the program, once it has said its last sentence; a second call does nothing."""
        if self._starting.is_alive():
            self._starting.join()
        self._end(LAST_WORDS)


class Speech:
    """What `voice` says aloud, in the language of `words`."""

    def __init__(self, voice: Voice, words: Words) -> None:
        self._voice, self._words = voice, words
        self._waiting: list[Event] = []
        self._free = -inf

    def hear(self, events: Sequence[Event], now: float) -> Loss | None:
        """At `now` (seconds) these `events` happened, mostly none; what became of the program, if it was lost."""
        for event in events:
            if event.name in SPOKEN:
                self._note(event)
        if self._waiting and now >= self._free:
            text = sentence_aloud(self._waiting.pop(0).say, self._words)
            taken = self._voice.say(text, now)
            self._free = now + duration(text, self._words.language) if taken else now
        return self._voice.watch(now)

    def _note(self, event: Event) -> None:
        """Have `event` wait, and nothing that it makes stale."""
        fresh = [each for each in self._waiting if each.name not in COMPLAINTS]
        unheard = len(fresh) < len(self._waiting)
        if not (unheard and event.name in RELIEFS):
            fresh.append(event)
        self._waiting = fresh[-MOST_WAITING:]

    def close(self) -> None:
        """Say the last that is waiting, as far as there is time; a second call does nothing."""
        for event in self._waiting[-1:]:
            self._voice.say(sentence_aloud(event.say, self._words), -inf)
        self._waiting = []
        self._voice.close()


def open_speech(words: Words, complain: Callable[[str], None]) -> Speech | None:
    """The speech in the language of `words`; where nothing here can speak it, None, and `complain` hears why."""
    folders = os.pathsep.join(filter(os.path.isabs, os.get_exec_path()))  # never the one that is current by chance
    able = {name: program for name, program in PROGRAMS.items() if words.language in program.languages}
    for name, program in able.items():
        path = shutil.which(name, path=folders)
        if path:
            return Speech(Voice((path, *program.options, words.language)), words)
    packages = ", ".join(program.package for program in able.values())
    complain(words.say(Reason.of("speech.missing", packages=packages)))
    return None


def sentence_aloud(sentence: Reason, words: Words) -> str:
    """A sentence in one line, with turns as one would say them: ``c3 to c4``."""
    line = " ".join(words.say(sentence).split())
    return TURN.sub(lambda turn: turn_aloud(turn[0], words), line)


def turn_aloud(turn: str, words: Words) -> str:
    """A turn as one would say it: ``b3-b4xa2xa3`` becomes ``b3 to b4 takes a2, a3``."""
    moved, _, taken = turn.partition("x")
    begin, _, end = moved.partition("-")
    text = words.say(Reason.of("speech.to", begin=begin, end=end)) if end else begin
    return words.say(Reason.of("speech.takes", turn=text, taken=taken.replace("x", ", "))) if taken else text


def duration(text: str, language: str) -> float:
    """About how many seconds it takes to say `text`."""
    return PAUSE + len(text) / (SYLLABLES if language == "ja" else LETTERS)


# Speech and buzzer -------------------------------------------------------------------------------


class Sound:
    """The sounds of one table; either of them may be missing. `complain` hears why the buzzer has failed."""

    def __init__(self, speech: Speech | None, buzzer: Buzzer | None, complain: Callable[[str], None]) -> None:
        self._speech, self._buzzer, self._complain = speech, buzzer, complain

    def hear(self, events: Sequence[Event], now: float) -> None:
        """At `now` (seconds) these `events` happened, mostly none."""
        if self._speech and (loss := self._speech.hear(events, now)):
            self._complain(system_words().say(Event.of(f"helper-{loss}", program="program.speech").say))
        if self._buzzer:
            self._buzz(self._buzzer, events, now)

    def _buzz(self, buzzer: Buzzer, events: Sequence[Event], now: float) -> None:
        """Beat on; of several events the last that has a rhythm is heard."""
        rhythms = [RHYTHMS[event.name] for event in events if event.name in RHYTHMS]
        try:
            if rhythms:
                buzzer.sound(rhythms[-1], now)
            buzzer.step(now)
        except DeviceError as error:
            self._buzzer = None
            self._complain(f"{str(error)[0].upper()}{str(error)[1:]}.")

    def close(self) -> None:
        """Silence, once the last sentence is said; a second call does nothing."""
        if self._speech:
            self._speech.close()
        self._speech = self._buzzer = None


def open_sound(config: SoundConfig, buzzer: Buzzer | None, complain: Callable[[str], None]) -> Sound | None:
    """The sounds that `config` asks for and that there are; None for silence, which costs nothing."""
    speech = open_speech(system_words(), complain) if config.speech else None
    heard = buzzer if config.buzzer else None
    return Sound(speech, heard, complain) if speech or heard else None


say(
    "speech",
    to="{begin} to {end}",
    takes="{turn} takes {taken}",
    missing="Nothing can be said aloud, for a program is missing that does it: install one ({packages}), or set "
    "speech = false. The game goes on.",
)
