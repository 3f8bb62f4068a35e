"""What a browser is told: the JSON form of each snapshot, its sentences in the language of who reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from firmware_bridge.drawing.screen import screen
from firmware_bridge.page.messages import Now, Said, Story, Table, reason
from firmware_bridge.palette import BEATS, CHOSEN, PALETTES, SPOKEN, Beat, sampled
from firmware_bridge.scene import Cue
from firmware_bridge.thinking import searchable
from firmware_bridge.words import LANGUAGES, Words
from games.rules import SENTENCES, Game, Position, Reason, load, names, say
from hardware.power import CONTROLLER_MA, DARK_MA, WHITE_MA

Form = dict[str, Any]
Figures = Sequence[tuple[str, str]]
"""The message id of a caption and an ``<svg>``, each."""

SENSES = {"stones": ("presence", "colour"), "seeds": ("presence", "count")}
"""What sensors can tell of the pieces."""


@lru_cache(8)
def played(name: str, options: tuple[tuple[str, int | str], ...]) -> Game[Position]:
    """The game with these options."""
    game: Game[Position] = load(name, **dict(options))
    return game


def game_of(table: Table) -> Game[Position] | None:
    """What is played; None while that is being chosen."""
    return played(table.game, tuple(table.options.items())) if table.game else None


# Once a client --------------------------------------------------------------------------------


def page_form(words: Words, *, may: bool) -> Form:
    """The words of the page itself, and whether who reads them may change anything."""
    text = {id.removeprefix("page."): words.text(id) for id in SENTENCES if id.startswith("page.")}
    languages = dict(LANGUAGES)
    return {
        "kind": "page", "language": words.language, "languages": languages, "text": text, "may": may, "token": not may,
    }  # fmt: skip


def refused_form(words: Words, why: Reason) -> Form:
    """Why a request was not taken."""
    return {"kind": "refused", "text": words.say(why)}


# The table ------------------------------------------------------------------------------------


def table_form(table: Table, words: Words, figures: Figures) -> Form:
    """What is played, what else could be, and how the board and its lights look; `figures` go with the rules."""
    game = game_of(table)
    return {
        "kind": "table", "game": table.game, "options": table.options, "sense": table.sense, "hands": table.hands,
        "mode": table.mode, "record": bool(table.record), "games": [choice(each, table, words) for each in names()],
        "levels": table.levels, "hints": table.hints, "lights": lights_form(table),
        **(game_form(game, words, figures) if game else NO_GAME),
    }  # fmt: skip


NO_GAME: Form = {
    "title": "", "pieces": "stones", "pushes": False, "players": [], "names": [], "rules": [], "figures": [],
    "captions": [], "board": None,
}  # fmt: skip


def game_form(game: Game[Position], words: Words, figures: Figures) -> Form:
    """What does not change while `game` is played: `players` in the reader's language, `names` in English."""
    return {
        "title": game.title,
        "pieces": game.pieces,
        "pushes": game.pushes,
        "players": [words.text(player) for player in game.players],
        "names": [game.player_name(side) for side in (0, 1)],
        "rules": words.paragraphs(f"{game.name}.summary"),
        "figures": [figure for _, figure in figures],
        "captions": [words.text(caption) for caption, _ in figures],
        "board": board_form(game),
    }


def board_form(game: Game[Position]) -> Form:
    """The geometry of the board, in the order of the game's sites, and its drawing."""
    drawn = screen(game)
    return {"box": drawn.box, "pitch": drawn.pitch, "at": drawn.at, "stores": drawn.stores, "ground": drawn.ground}


def choice(name: str, table: Table, words: Words) -> Form:
    """A game that could be played, with what can be chosen for it."""
    game = played(name, ())
    chosen = table.options if name == table.game else {}
    options = {
        option: {
            "title": words.text(f"{name}.option-{option}"),
            "values": values,
            "chosen": chosen.get(option, values[0]),
        }
        for option, values in game.options.items()
    }
    senses, engine = SENSES[game.pieces], searchable(game)
    return {"name": name, "title": game.title, "options": options, "senses": senses, "engine": engine}


def lights_form(table: Table) -> Form:
    """All that is needed to light a cue as the table does."""
    return {
        "colours": PALETTES.get(table.palette, PALETTES["default"]),
        "rhythms": rhythms(),
        "spoken": sorted(SPOKEN),
        "brightness": table.brightness,
        "supply": table.supply,
        "pixels": table.pixels,
        "controller": CONTROLLER_MA,
        "dark": DARK_MA,
        "white": WHITE_MA,
    }


@lru_cache(1)
def rhythms() -> Mapping[str, Form]:
    """Every cue's rhythm, and that of a choice, sampled over one period."""
    return {kind: rhythm_form(beat) for kind, beat in {**BEATS, "choice": CHOSEN}.items()}


def rhythm_form(beat: Beat) -> Form:
    """The strength at time t is ``levels[floor(t mod period / period * len(levels))]``."""
    return {"period": beat.period, "levels": sampled(beat)}


# The game in hand -----------------------------------------------------------------------------


def story_form(story: Story, words: Words) -> Form:
    """The turns so far, each with the board after it."""
    return {
        "kind": "story",
        "start": list(story.start),
        "turns": [{"text": turn.text, "side": turn.side, "board": list(turn.cells)} for turn in story.turns],
        "before": story.before,
        "outcome": words.say(reason(story.outcome)) if story.outcome else None,
        "winner": story.winner,
        "beside": story.beside,
        "sowings": [{"text": text, "steps": steps} for text, steps in story.sowings],
    }


def choosing_form(words: Words) -> Form:
    """What there is to see while the game is being chosen."""
    return {
        "kind": "now", "levels": [], "cues": {}, "side": None, "state": "choosing", "aside": None,
        "status": words.text("status.choosing"), "plan": "",
    }  # fmt: skip


def fits(game: Game[Position], levels: Sequence[int | None]) -> bool:
    """Whether these can be the levels of the game's sites."""
    return len(levels) == len(game.sites)


def now_form(now: Now, story: Story, game: Game[Position], words: Words) -> Form:
    """The board as it lies and its lights; `clock` is left to whoever sends it, for it goes on."""
    return {
        "kind": "now",
        "levels": now.levels,
        "cues": {site: cue_form(cue, words) for site, cue in now.cues.items()},
        "side": now.side,
        "state": now.state,
        "aside": words.say(reason(now.aside)) if now.aside else None,
        "status": " ".join(status(now, story, game, words)),
        "plan": now.plan,
    }


def cue_form(cue: Cue, words: Words) -> Form:
    """A cue, and what it tells."""
    return {**cue._asdict(), "tells": words.text(f"cue.{cue.kind}")}


def status(now: Now, story: Story, game: Game[Position], words: Words) -> Iterator[str]:
    """Whose turn it is, and what stands beside the board."""
    if story.outcome:
        yield words.say(reason(story.outcome))
    elif now.state == "setting":
        yield words.text("status.setting")
    else:
        made = story.before + len(story.turns)
        player = game.players[made % 2 if now.side is None else now.side]
        yield words.say(Reason.of("table.to-play", number=made + 1, player=player))
        if now.aside:
            yield words.say(reason(now.aside))


say(
    "status",
    choosing="The game is being chosen on the board.",
    setting="The board is being set up.",
)


def said_form(spoken: Iterable[tuple[int, str, Said]], words: Words) -> Form:
    """What was said."""
    return {
        "kind": "said",
        "words": [
            {"number": number, "name": name, "id": said[0], "text": words.say(reason(said))}
            for number, name, said in spoken
        ],
    }
