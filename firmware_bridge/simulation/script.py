"""Scripts: the lines of a scenario, of a record or of a typed game, done by simulated hands.

    lift c3            put c4 dark          expect light c3 place-here
    push c3 east       turn c3-f3           expect turn c3-f3

A record is a script too: ``tablelight replay`` plays its turns again. A line that cannot be done is a `Fault`, which
has its sentence in any language.

An ``expect`` line compares the turns that the table takes, its lights, sentences and events, and how the game stands:

    expect light c3 dark                           no light
    expect light c3 capture                        its cue; how it is shown does not matter
    expect light c3 capture certain steady 30%     its cue, and how it is shown, in any order

What is expected may take up to `ANSWERS` seconds to come about: how soon is another matter, measured elsewhere.

How a cue is shown is told by a word of each pair or triple in `ASPECTS`, and by its strength in percent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from firmware_bridge.engine.advice import Assistant
from firmware_bridge.engine.client import LocalSearch
from firmware_bridge.events import Event
from firmware_bridge.lighting import CUES, MODES, PALETTES, Scene, animated, paint
from firmware_bridge.records import SKILLS, Line, LineError, player, read_heading, seconds
from firmware_bridge.score import PASS, PEOPLE
from firmware_bridge.simulation.table import Simulation, open_simulation
from firmware_bridge.verdict import Complete
from games.rules import IllegalTurn, Position, Reason, Turn, clip, play, say
from hardware.simulation.hands import STYLES, Touch, finger
from hardware.simulation.table import FAULTS, HandError

LEVELS = {"dark": 1, "black": 1, "x": 1, "light": 2, "white": 2, "o": 2}
"""The words for stones, each with its level."""
NODES = 100
"""Positions that the engine looks at for a hint in a script; guessed: few, so that a script is quick."""
PAUSE = 0.5
"""Seconds that pass after each line of a script; guessed: longer than the table takes to settle."""
ANSWERS = 6.0
"""Seconds within which what is expected must come about; as soon as it has, the script goes on."""
STEP = 0.05
"""Seconds between two looks; a guess."""


# Faults -------------------------------------------------------------------------------------------


class Fault(LineError):
    """A line that cannot be done at this table; `reason` says why, `number` is that of the line, if it has one."""

    def __init__(self, reason: Reason, number: int = 0) -> None:
        super().__init__(f"line {number}: {reason}" if number else str(reason))
        self.reason = reason


def fault(name: str, **values: int | str) -> Fault:
    """The fault of that name, with its values."""
    return Fault(Reason.of(f"line.{name}", **values))


def numbered(error: HandError | LineError | IllegalTurn, number: int) -> LineError:
    """`error` as the fault of the line of that number."""
    if isinstance(error, HandError):
        return Fault(Reason.of(f"hand.{error.name}", **error.values), number)
    if isinstance(error, Fault | IllegalTurn):
        return Fault(error.reason, number)
    return LineError(f"line {number}: {error}")


# Expectations -------------------------------------------------------------------------------------


class Expectations:
    """Compares what is expected with how `simulation` stands."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._table = simulation.table
        self._since = 0
        self._made = 0

    def begin(self) -> None:
        """Let only sentences and events from now on count."""
        self._since = len(self._simulation.events)

    def check(self, words: Sequence[str]) -> None:
        """Check `words`: what is expected, then how it should be; LineError says how it is."""
        what, *wanted = words
        if what not in EXPECTED:
            raise LineError(f"{clip(what)!r} cannot be expected; one of {', '.join(EXPECTED)}")
        if not wanted:
            raise LineError(f"say which {what} is expected")
        since, made = self._simulation.now, self._made
        while (found := EXPECTED[what](self, wanted)) != " ".join(wanted):
            if self._simulation.now > since + ANSWERS:
                raise LineError(f"expected {' '.join(words)}, but it is {found}")
            self._made = made
            self._simulation.run(STEP)

    def _turn_made(self, _: Sequence[str]) -> str:
        made = [event.turn.text for event in self._simulation.events[self._made :] if event.turn]
        self._made = len(self._simulation.events)
        return made[-1] if made else "none"

    def _light_on(self, words: Sequence[str]) -> str:
        scene, (site, *_) = self._simulation.daemon.scene, words
        cue = scene.cues.get(site)
        return (
            " ".join([site, cue.kind, *(_aspect(scene, site, word) for word in words[2:])]) if cue else f"{site} dark"
        )

    def _lights_of(self, words: Sequence[str]) -> str:
        cues = self._simulation.daemon.scene.cues
        sites = [site for site in self._simulation.table.game.sites if site in cues and cues[site].kind == words[0]]
        return " ".join([words[0], *sites]) if words[0] in CUES else f"one of {', '.join(CUES)}"

    def _said(self, words: Sequence[str]) -> str:
        said = [str(event.say) for event in self._simulation.events[self._since :]]
        wanted = " ".join(words)
        return wanted if any(wanted in sentence for sentence in said) else " / ".join(said) or "silence"

    def _happened(self, words: Sequence[str]) -> str:
        names = [event.name for event in self._simulation.events[self._since :]]
        return words[0] if words[0] in names else ", ".join(names) or "nothing"

    def _side(self, _: Sequence[str]) -> str:
        sheet = self._simulation.table.sheet
        return sheet.short_names[sheet.position.side]

    def _outcome(self, _: Sequence[str]) -> str:
        sheet = self._simulation.table.sheet
        if not sheet.outcome:
            return "none"
        return "draw" if sheet.outcome.winner is None else sheet.short_names[sheet.outcome.winner]

    def _position(self, _: Sequence[str]) -> str:
        return str(self._simulation.table.sheet.position)


EXPECTED: dict[str, Callable[[Expectations, Sequence[str]], str]] = {
    "turn": Expectations._turn_made,
    "light": Expectations._light_on,
    "lights": Expectations._lights_of,
    "say": Expectations._said,
    "event": Expectations._happened,
    "side": Expectations._side,
    "outcome": Expectations._outcome,
    "position": Expectations._position,
}


def _aspect(scene: Scene, site: str, wanted: str) -> str:
    """The word that is true of the cue on `site`, from the row of words with `wanted`; LineError if there is none."""
    if wanted.endswith("%"):
        return f"{scene.cues[site].strength:.0%}"
    for words, aspect in ASPECTS.items():
        if wanted in words:
            return words[aspect(scene, site)]
    known = ", ".join(word for words in ASPECTS for word in words)
    raise LineError(f"{clip(wanted)!r} cannot be expected of a light; one of {known}, or its strength as in 30%")


def _changes(scene: Scene, site: str) -> bool:
    """Whether a player sees the light on `site` change: pictures are painted again, and they differ there."""
    times = (step / 30 for step in range(300))  # ten seconds, more than two periods of the slowest rhythm
    return animated(scene) and len({paint(scene, [site], PALETTES["default"], now, 1.0)[0] for now in times}) > 1


def _stone(scene: Scene, site: str) -> int:
    """1 for a dark and 2 for a light stone that the cue on `site` speaks of, 0 for neither."""
    level = scene.cues[site].level
    return level if level in (1, 2) else 0


ASPECTS: dict[tuple[str, ...], Callable[[Scene, str], int]] = {
    ("steady", "alive"): _changes,
    ("certain", "choice"): lambda scene, site: scene.cues[site].choice,
    ("no-stone", "dark-stone", "light-stone"): _stone,
}
"""Words for how a cue is shown, and which of them is true: whether its light changes with time, whether it is one of
several possibilities, and the stone that it speaks of."""


# Scripts ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Word:
    """A word that a line may begin with: how it is used, what it does, and the fewest and most words after it."""

    usage: str
    tells: str
    least: int
    most: int
    do: Callable[[Script, Sequence[str]], None]


class Script:
    """Does lines, one after another, at a simulated table."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self._table, self._board = simulation.table, simulation.board
        self.style = STYLES["finger"]
        self._expected = Expectations(simulation)
        self._hand = 0
        self.made: Turn[Position] | None = None
        """The turn that hands have made last, as a whole."""

    def do(self, line: Line) -> None:
        """Do what `line` says; LineError says why it cannot be done, and then nothing has changed."""
        word = WORDS.get(line.word)
        if not word:
            raise numbered(fault("unknown", word=repr(clip(line.word))), line.number)
        if not word.least <= len(line.rest) <= word.most:
            raise numbered(fault("usage", usage=repr(word.usage)), line.number)
        if line.word != "expect":
            self._expected.begin()
        try:
            word.do(self, line.rest)
        except (HandError, LineError, IllegalTurn) as error:
            raise numbered(error, line.number) from None

    # Hands ------------------------------------------------------------------------------------

    def _lift(self, words: Sequence[str]) -> None:
        self._hand = self._board.lift(words[0])

    def _put(self, words: Sequence[str]) -> None:
        self._board.put(words[0], self._level(words[1]) if len(words) > 1 else self._held())
        self._hand = 0

    def _held(self) -> int:
        if not self._hand:
            raise fault("which-stone" if self._table.game.pieces == "stones" else "how-many")
        return self._hand

    def _level(self, word: str) -> int:
        if self._table.game.pieces == "seeds":
            if word in map(str, range(1, 61)):
                return int(word)
            raise fault("seeds", word=repr(clip(word)))
        if word not in LEVELS:
            raise fault("stone", word=repr(clip(word)))
        return LEVELS[word]

    def _drop(self, words: Sequence[str]) -> None:
        if self._table.game.pieces == "stones":
            raise fault("drop")
        self._board.drop(words[0], self._level(words[1]) if len(words) > 1 else 1)

    def _slide(self, words: Sequence[str]) -> None:
        self._board.slide(words[0], words[1])

    def _push(self, words: Sequence[str]) -> None:
        board = self._board
        row = board.row(words[0], words[1])
        moved = list(zip(row[1:], map(board.level, row[:-1]), strict=True))
        self.simulation.do(finger(row, moved, self.style))

    def _sow(self, words: Sequence[str]) -> None:
        board, (pit, *path) = self._board, words
        if not path:
            self._turn(words)
            return
        if len(path) < board.level(pit):
            raise fault("pits", pit=pit, count=board.level(pit))
        levels = {site: board.level(site) * (site != pit) for site in path}
        self.simulation.do([Touch(self.style.pace, ((pit, 0),))])
        for site in path[: board.level(pit)]:
            levels[site] += 1
            self.simulation.do([Touch(self.style.pace, ((site, levels[site]),))])

    def _knock(self, words: Sequence[str]) -> None:
        self._board.knock_over(words or None)

    def _back(self, _: Sequence[str]) -> None:
        self._board.put_back()

    def _touch(self, words: Sequence[str]) -> None:
        self.simulation.touch(words[0])

    def _right(self, _: Sequence[str]) -> None:
        self.simulation.put_right()

    def _turn(self, words: Sequence[str]) -> None:
        """Make a turn, legal or not; first put the board right where the table waits for that."""
        table = self._table
        if words[0] == PASS and PASS not in [turn.text for turn in table.sheet.turns]:  # the table plays it by itself
            return
        if table.setting:
            self.simulation.put_right()
            self.simulation.run(PAUSE)
        self.made = self._find(words[0])
        self.simulation.play(self.made, self.style)

    def _find(self, text: str) -> Turn[Position]:
        """The turn `text`: of this position; or of the one after, if a turn is made and only waits for the next one."""
        table = self._table
        position, verdict = table.sheet.position, table.verdict
        after = table.game.turns(verdict.signature.turn.after) if isinstance(verdict, Complete) else ()
        for turn in (*table.game.turns(position), *after, *table.game.refused(position)):
            if turn.text == text:
                return turn
        raise fault("over") if table.sheet.outcome else Fault(table.game.explain(position, text))

    # Buttons and talk -------------------------------------------------------------------------

    def _done(self, _: Sequence[str]) -> None:
        self.simulation.press("done")

    def _undo(self, words: Sequence[str]) -> None:
        """As many turns as the word says, one without it."""
        sheet = self._table.sheet
        allowed = [str(count) for count in range(0 if sheet.called_off else 1, sheet.length + 1)]
        if words and words[0] not in allowed:
            raise fault("undo", word=repr(clip(words[0])))
        goal = sheet.length - (int(words[0]) if words else 0)
        self.simulation.press("undo")
        while sheet.length > goal and words:
            self.simulation.press("undo")

    def _amend(self, words: Sequence[str]) -> None:
        sheet = self._table.sheet
        length = sheet.before_last()
        if length is None:
            raise fault("nothing")
        play(sheet.game, sheet.played_turns[length].position, words[0])
        self._undo(())
        self._turn(words)

    def _hint(self, _: Sequence[str]) -> None:
        self.simulation.press("hint")

    def _opponent(self, words: Sequence[str]) -> None:
        sheet = self._table.sheet
        side = player(sheet, words[0])
        if words[1] not in SKILLS:
            raise fault("level", word=repr(clip(words[1])), most=SKILLS[-1])
        sheet.levels = (int(words[1]), sheet.levels[1]) if side == 0 else (sheet.levels[0], int(words[1]))
        self.simulation.request(lambda _: self._table.look_again())

    def _resign(self, words: Sequence[str]) -> None:
        side = player(self._table.sheet, words[0])
        self.simulation.request(lambda _: self._table.resign(side))

    def _flag(self, words: Sequence[str]) -> None:
        side = player(self._table.sheet, words[0])
        self.simulation.request(lambda _: self._table.flag(side))

    def _agree(self, _: Sequence[str]) -> None:
        self.simulation.request(lambda _: self._table.agree())

    def _mode(self, words: Sequence[str]) -> None:
        if words[0] not in MODES:
            raise fault("mode", word=repr(clip(words[0])), names=", ".join(MODES))
        self.simulation.daemon.set_mode(words[0])

    def _style(self, words: Sequence[str]) -> None:
        name = " ".join(words)
        if name not in STYLES:
            raise fault("style", word=repr(clip(name)), names=", ".join(STYLES))
        self.style = STYLES[name]

    def _wait(self, words: Sequence[str]) -> None:
        span = seconds(words[0])
        if span is None or span > 3600:
            raise fault("seconds", word=repr(clip(words[0])))
        self.simulation.do([Touch(span, ())])

    def _unplug(self, _: Sequence[str]) -> None:
        self._board.sighted = False

    def _plug(self, _: Sequence[str]) -> None:
        self._board.sighted = True

    def _note(self, _: Sequence[str]) -> None:
        """Do nothing: a record tells something beside the turns."""

    def _expect(self, words: Sequence[str]) -> None:
        self._expected.check(words)


WORDS: dict[str, Word] = {
    "turn": Word("turn TURN", "let the hands make a whole turn, legal or not", 1, 1, Script._turn),
    "lift": Word("lift SITE", "take a piece into the hand", 1, 1, Script._lift),
    "put": Word("put SITE [dark|light|SEEDS]", "put down what the hand holds, or a new piece", 1, 2, Script._put),
    "slide": Word("slide SITE SITE", "move a piece to an empty site", 2, 2, Script._slide),
    "push": Word("push SITE east|west|north|south", "push a row one place on", 2, 2, Script._push),
    "sow": Word("sow PIT [PIT ...]", "sow by the rules, or along these pits", 1, 60, Script._sow),
    "drop": Word("drop PIT [SEEDS]", "let seeds fall into a pit", 1, 2, Script._drop),
    "touch": Word("touch SITE", "lift a piece for a moment: the answer to a question", 1, 1, Script._touch),
    "knock": Word("knock [SITE ...]", "knock pieces over, all of them without a site", 0, 200, Script._knock),
    "back": Word("back", "put what was knocked over back", 0, 0, Script._back),
    "right": Word("right", "put the board right, as the lights ask", 0, 0, Script._right),
    "done": Word("done", "press Done: the turn is over", 0, 0, Script._done),
    "undo": Word("undo [TURNS]", "press Undo: take turns back", 0, 1, Script._undo),
    "amend": Word("amend TURN", "take the last turn back and make another", 1, 1, Script._amend),
    "hint": Word("hint", "press Hint: show good turns", 0, 0, Script._hint),
    "opponent": Word("opponent PLAYER LEVEL", "let the engine play a side, 1-8; 0: a person", 2, 2, Script._opponent),
    "resign": Word("resign PLAYER", "give up", 1, 1, Script._resign),
    "flag": Word("flag PLAYER", "the time of a player is up", 1, 1, Script._flag),
    "agree": Word("agree", "agree on a draw", 0, 0, Script._agree),
    "mode": Word("mode coach|referee|quiet", "how much the lights tell", 1, 1, Script._mode),
    "style": Word("style NAME", "how the hands handle the pieces", 1, 2, Script._style),
    "wait": Word("wait SECONDS", "let time pass", 1, 1, Script._wait),
    "unplug": Word("unplug", "cut the sensors off", 0, 0, Script._unplug),
    "plug": Word("plug", "connect them again", 0, 0, Script._plug),
    "time": Word("time ...", "the clocks that a record tells; nothing is done", 2, 3, Script._note),
    "note": Word("note ...", "something that a record tells; nothing is done", 0, 200, Script._note),
    "expect": Word("expect WHAT ...", f"check one of {', '.join(EXPECTED)}", 1, 200, Script._expect),
}


def open_script(lines: list[Line]) -> Script:
    """Take the heading off `lines` and open the simulation that it describes; LineError."""
    sheet, sense = read_heading(lines)
    empty = bool(lines) and lines[0].word == "set-up"
    if empty:
        lines.pop(0)
    sheet.levels = PEOPLE  # a record tells every turn, the engine's too
    sheet.clock = None  # and whose time was up
    script = Script(open_simulation(sheet, sense, setting=empty, assistant=Assistant(LocalSearch(NODES))))
    script.simulation.run(PAUSE)
    return script


def perform_script(lines: Iterable[Line]) -> Iterator[tuple[Line, list[Event]]]:
    """Do `lines` in a time of their own; yields each with what happened. LineError ends it.

    A turn with a time is one that a table has counted: if it is asked about, hands answer as they must have then.
    """
    rest = list(lines)
    script = open_script(rest)
    sheet = script.simulation.table.sheet
    for line in rest:
        seen, length = len(script.simulation.events), sheet.length
        script.do(line)
        if line.word != "expect":
            script.simulation.run(PAUSE)
        if line.word == "turn" and line.at is not None and script.made and sheet.length == length:
            script.simulation.finish(script.made, script.style)
            script.simulation.run(PAUSE)
        yield line, script.simulation.events[seen:]


say("hand", **FAULTS)
say(
    "line",
    unknown="{word} is not a word of this table; try 'help'",
    usage="it reads {usage}",
    which_stone="the hand is empty: say what to put, dark or light",
    how_many="the hand is empty: say what to put, a number",
    seeds="{word} is not a number of seeds from 1 to 60",
    stone="{word} is not a stone: say dark or light",
    drop="stones are put on a site, not dropped to others: use put",
    pits="{pit} holds {count} seeds: name as many pits, or none to sow by the rules",
    over="the game is over",
    undo="{word} is not a number of turns that can be taken back here",
    nothing="there is no turn to change",
    level="{word} is no level at which the engine plays this: 1 to {most}, or 0 for a person",
    mode="{word} is no mode; one of {names}",
    style="{word} is no style of hands; one of {names}",
    seconds="{word} is not a number of seconds up to 3600",
)
