"""What every game promises, whatever its rules: the laws over every game and every value of its options.

Each law is broken here by one game at least, so that none can be kept by accident.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import Any

import pytest

from games import conformance
from games.acts import carry, flip, lay, sow, take
from games.conformance import BEFORE, LAWS, Law, Sample, badly_said, disagreement, ill_formed, sampled
from games.fast import Plain
from games.rules import (
    SENTENCES,
    Game,
    Goal,
    IllegalTurn,
    Lesson,
    OptionError,
    Outcome,
    Puzzle,
    Reason,
    Turn,
    load,
    names,
    play,
)
from tests.games.cases import CASES, Case, conforming, loaded, sample
from tests.games.small_games import Board, Clobber


def first(law: Law, sample: Sample) -> str:
    """The first fault that the law finds; empty if the game keeps it."""
    return next(law(sample), "")


# The four games -------------------------------------------------------------------------------


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_game_keeps_the_law(case: Case, law: Law) -> None:
    assert first(law, conforming(case)) == ""


def test_the_four_games_are_found() -> None:
    assert names() == ("yin-yang", "zhizhu", "zig-zag", "zong-heng")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_game_knows_its_name_and_the_options_it_was_loaded_with(case: Case) -> None:
    game = loaded(case)
    assert game.name == case.name
    assert game.chosen == {option: values[0] for option, values in game.options.items()} | dict(case.options)


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(OptionError, match="there is no game 'tag'; the games are yin-yang, zhizhu, zig-zag, zong"):
        load("tag")


@pytest.mark.parametrize("name", names())
def test_an_unknown_option_is_refused(name: str) -> None:
    with pytest.raises(OptionError, match=f"{name} has no option 'colour'; its options: "):
        load(name, colour="red")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_repetition_is_told_as_a_house_rule(case: Case) -> None:
    for position, turns, _ in sample(case)[::8]:
        assert not turns or "house rule" in str(loaded(case).repeated(position)).lower()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_play_accepts_exactly_the_legal_turns(case: Case) -> None:
    game = loaded(case)
    for position, turns, _ in sample(case)[::12]:
        assert all(play(game, position, turn.text) == turn.after for turn in turns[::12])
        for text in {turn.text for turn in game.refused(position)[::30]} - {turn.text for turn in turns}:
            with pytest.raises(IllegalTurn):
                play(game, position, text)


def test_path_and_lifts_are_what_the_steps_say() -> None:
    board = ("a1", "b1", "c1", "d1", "e1")
    turn: Turn[Any] = Turn("a1", None, (sow(board, (1, 2, 3, 4)), take("c1"), carry("a1", "b1", 1)))
    assert turn.path == board
    assert turn.lifts == ("a1", "c1")


@pytest.mark.parametrize("id", sorted(SENTENCES))
def test_a_sentence_is_well_formed(id: str) -> None:
    assert ill_formed(id) == ""


# Games that break a law -----------------------------------------------------------------------


class Sound(Clobber):
    """A game that keeps all laws, for those below to break one."""

    name = "sound"

    def tries(self, position: Board) -> Iterator[Turn[Board]]:
        if self.turns(position):
            own = position.side + 1
            for site, level in zip(self.sites, position.board, strict=True):
                if level == own:
                    after = self.changed(position, {self.sites.index(site): 0})
                    yield Turn(f"{site}-off", after, (take(site),), Reason.of("sound.stays"))


SAID = {
    "sound.summary": Sound.summary,
    "sound.stays": "Stones stay on the board.",
    "ragged.open": "This {is",
    "ragged.played": "{player} plays {turn}.",
}
"""Message id -> English, of the games below."""


@pytest.fixture
def _said(monkeypatch: pytest.MonkeyPatch) -> None:
    """These sentences are said, for one test."""
    for id, english in SAID.items():
        monkeypatch.setitem(SENTENCES, id, english)


def turned(change: Callable[[Any, Turn[Board]], Turn[Board]]) -> Any:
    """`turns` with the first turn changed."""

    def turns(game: Any, position: Board) -> tuple[Turn[Board], ...]:
        first, *others = (*Sound.turns(game, position), None)
        return (change(game, first), *others[:-1]) if first else ()

    return turns


def tried(**changes: Any) -> Any:
    """`tries` with something else in each illegal turn."""

    def tries(game: Any, position: Board) -> Iterator[Turn[Board]]:
        for turn in Sound.tries(game, position):
            given = {"text": turn.text, "after": turn.after, "acts": turn.acts, "reason": turn.reason} | changes
            yield Turn(**given)

    return tries


def acting(*acts: Any) -> Any:
    """`turns` of which the first has other acts."""
    return turned(lambda game, turn: Turn(turn.text, turn.after, acts))


class Loose(Board):
    """A position that can be set."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None: ...


class Forgetful(Board):
    """A position whose text leaves out the side."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"{Board.__str__(self).split()[0]} x -"


class Alone(Board):
    """A position that is equal to itself alone."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


class Numbered(Board):
    """A position with a text of its own each time."""

    __slots__ = ()
    numbers = count()

    def __str__(self) -> str:
        return f"{Board.__str__(self)}{next(self.numbers)}"


class Mute(Board):
    """A position that says nothing of itself."""

    __slots__ = ()

    def __str__(self) -> str:
        return "-"


def positions(kind: type[Board]) -> dict[str, Any]:
    """A game with positions of this kind."""

    def of(position: Board) -> Board:
        return kind(position.cells, position.side, position.size, position.crowns)

    return {
        "start": lambda game: of(Sound.start(game)),
        "changed": lambda game, position, levels: of(Sound.changed(game, position, levels)),
        "position": lambda game, text: of(Sound.position(game, text)),
    }


def ended(*, winner: Any = 0, reason: Reason = Reason("rules.repetition"), sites: tuple[str, ...] = ()) -> Any:  # noqa: B008
    """`outcome` that says this at the end."""
    return lambda game, position: None if game.turns(position) else Outcome(winner, reason, sites)


def told(**attributes: Any) -> dict[str, Any]:
    """A game that says this of its board."""

    def made(game: Any) -> None:
        Clobber.__init__(game)
        vars(game).update(attributes)

    return {"__init__": made}


def sized(game: Any, size: int = 4) -> None:
    """`__init__` with an option."""
    game.size = size
    Clobber.__init__(game)


def played(position: Board) -> dict[str, Any]:
    """A game in which this one position is found."""
    return {"start": lambda game: position, "turns": lambda game, position: ()}


UNSAID = Reason("sound.nothing")
NUMBERS = count()
BROKEN: list[tuple[str, dict[str, Any], str]] = [
    ("it_introduces_itself", {"name": "Sound!"}, "The name 'Sound!' must be small letters"),
    ("it_introduces_itself", {"title": ""}, "The title is empty"),
    ("it_introduces_itself", {"summary": "Take stones"}, "must end with a full stop"),
    ("it_introduces_itself", {"summary": "Take all."}, "say('sound', summary=...) must say it too"),
    ("it_introduces_itself", {"players": ("Ann", "Bob")}, "The player 'Ann' is no message id"),
    ("it_introduces_itself", {"players": ("rules.dark", "rules.dark")}, "Both players are called black"),
    ("it_introduces_itself", {"sign": ("##", "##")}, "three lines of three marks"),
    ("it_introduces_itself", {"options": {"depth": (1, 2)}}, "The option depth has no title"),
    ("its_sites_have_places", told(sites=("a1", "a1")), "a name of its own"),
    ("its_sites_have_places", told(places={"q9": (0, 0)}), "is in only one of sites and places"),
    ("its_sites_have_places", told(places=dict.fromkeys(Sound().sites, (0, 0))), "Two sites lie in the same place"),
    ("its_sites_have_places", told(shaded=frozenset({"q9"})), "q9 is shaded and is no site"),
    ("its_sites_have_places", {"links": (("a1", "b1"), ("b1", "a1"))}, "Each link must join two sites"),
    ("its_defaults_are_the_first_values", {"options": {"size": (6, 4)}, "__init__": sized}, "is another one"),
    ("it_begins", {"start": lambda game: game.position(f"xxxx/oooo/..../.... x {next(NUMBERS)}")}, "another position"),
    ("it_begins", {"start": lambda game: game.position("..../..../..../.... x -")}, "over before it begins"),
    ("two_of_it_are_alike", positions(Alone), "begin with unequal positions"),
    ("a_position_cannot_be_changed", positions(Loose), "The cells of a position can be set"),
    ("a_board_has_a_level_for_each_site", told(sites=Sound().sites[1:]), "a level for each of the 15 sites"),
    ("a_board_has_a_level_for_each_site", played(Mute(bytes([3] * 16), 0, 4)), "a1 shows 3"),
    ("a_board_has_a_level_for_each_site", played(Mute(bytes(16), 2, 4)), "The side is 2"),
    ("kinds_have_marks_and_names", {"kinds": {"\u265e": "rules.dark"}}, "must be one letter or sign of ASCII"),
    ("kinds_have_marks_and_names", {"kinds": {"K": "king"}}, "The name of the kind K, 'king', is no message id"),
    ("kinds_have_marks_and_names", {"kinds": {"K": "rules.dark"}, "pieces": "seeds"}, "kinds are of stones alone"),
    ("marks_are_of_stones_that_stand", {"marks": lambda game, position: {"a1": "K"}}, "is not in kinds"),
    ("marks_are_of_stones_that_stand", {"kinds": {"K": "rules.dark"}, "marks": lambda game, position: dict.fromkeys(
        game.sites, "K")}, "where nothing stands"),
    ("a_position_reads_back", positions(Numbered), "is read back as another position"),
    ("a_position_reads_back", positions(Forgetful), "is read back as another position"),
    ("a_position_reads_back", positions(Alone), "is not equal to the one written"),
    ("equal_texts_are_equal_positions", positions(Alone), "Two unequal positions have one text"),
    ("equal_texts_are_equal_positions", positions(Numbered), "Two equal positions have different texts"),
    ("asking_changes_nothing", {"outcome": lambda game, position: Outcome(0, Reason(f"{next(NUMBERS)}"))},
     "answer otherwise when asked again"),
    ("asking_changes_nothing", {"listed": lambda game, position: iter(game.turns(position)[1:])},
     "listed must give the same turns"),
    ("a_text_names_one_turn", {"turns": lambda game, position: Sound.turns(game, position) * 2}, "are called 'b1xa1'"),
    ("a_text_names_one_turn", {"turns": turned(lambda game, turn: Turn("b1 takes", turn.after, turn.acts))},
     "without blanks"),
    ("a_turn_is_whole", {"turns": turned(lambda game, turn: Turn("on", game.start(), turn.acts))}, "the same side"),
    ("a_turn_is_whole", {"turns": turned(lambda game, turn: Turn("no", turn.after, turn.acts, UNSAID))},
     "has a reason"),
    ("a_pass_has_no_acts", {"turns": acting()}, "a turn without acts is called pass"),
    ("a_pass_has_no_acts", {"turns": lambda game, position: tuple(
        Turn("pass", turn.after, ()) for turn in Sound.turns(game, position)[:1])}, "A pass changes the board"),
    ("turns_end_with_the_game", {"outcome": lambda game, position: None}, "There are no turns and no outcome"),
    ("turns_end_with_the_game", {"outcome": lambda game, position: Outcome(0, Reason("rules.repetition"))},
     "There is an outcome and there are turns"),
    ("random_games_end", {"turns": lambda game, position: (
        Turn("round", game.changed(position, {}), (carry("a1", "a1", 2),)),)}, "No random game came to an end"),
    ("an_end_says_who_won", {"outcome": ended(winner=2)}, "The winner is 2"),
    ("an_end_says_who_won", {"outcome": ended(reason=UNSAID)}, "has the id 'sound.nothing', of which there is no sen"),
    ("an_end_says_who_won", {"outcome": ended(sites=("q9",))}, "names a site that there is not"),
    ("an_end_says_who_won", {"repeated": lambda game, position: Outcome(0, UNSAID)}, "has the id 'sound.nothing'"),
    ("no_refused_turn_is_a_legal_one", {"tries": lambda game, position: (
        Turn(turn.text, turn.after, turn.acts, Reason("sound.stays")) for turn in game.turns(position))},
     "The illegal turn b1xa1 does what the legal turn b1xa1 does"),
    ("acts_are_of_the_vocabulary", {"turns": acting(carry("a1", "b1", 1)._replace(kind="throw"))},
     "there is no act 'throw'; there are carry, push, lay, take, sow, flip"),
    ("acts_are_of_the_vocabulary", {"turns": acting(take("q9"))}, "'q9' is no site"),
    ("acts_are_of_the_vocabulary", {"turns": acting(take("a1")._replace(levels=(1,)))}, "other numbers of sites"),
    ("acts_are_of_the_vocabulary", {"turns": acting(sow(("a1", "b1"), (1,)))}, "seeds alone are sown"),
    ("acts_are_of_the_vocabulary", {"turns": acting(take("a1", needs=(0,)))}, "may only need acts that come before it"),
    ("acts_move_what_stands_there", {"turns": acting(carry("a1", "b1", 1))}, "says that (1,) stands on a1"),
    ("acts_move_what_stands_there", {"pieces": "seeds", "turns": acting(sow(("a1", "b1", "c1", "d1"), (3, 2, 3)))},
     "sows 3 seeds"),
    ("acts_move_what_stands_there", {"start": lambda game: game.position("..../..../..../.xo. x -"),
                                     "turns": acting(flip("a1", 2))}, "begins with a flip on a1"),
    ("steps_lead_to_the_board_after", {"turns": acting(take("a1"))}, "leaves 0 on a1, and the position after it has 2"),
    ("steps_lead_to_the_board_after", {"turns": acting(carry("b1", "a1", 1), take("a1"))},
     "a1 is to come to 1 and shows 2; take off what stands there before"),
    ("steps_lead_to_the_board_after", {"turns": acting(take("a1"), take("a1"))}, "nothing stands there to be lifted"),
    ("steps_lead_to_the_board_after", {"pieces": "seeds", "turns": acting(sow(("a1", "b1", "c1"), (2, 5)))},
     "c1 is to come to 5 and shows 2; one more seed makes 3"),
    ("every_order_leads_to_the_board_after", {"turns": acting(take("a1"), take("b1"), lay("a1", 1), flip("b1", 0))},
     "In an order that its acts allow"),
    ("its_sentences_are_well_formed", {"name": "ragged"}, "ragged.open cannot be used: its braces do not match"),
    ("refused_turns_say_why", {"tries": tried(reason=None)}, "The reason against b1-off"),
    ("refused_turns_say_why", {"tries": tried(reason=Reason("rules.no-such-turn"))}, "lacks the value 'turn'"),
    ("refused_turns_say_why", {"tries": tried(reason=Reason.of("option.unfit", player="Ann"))}, "no sentence"),
    ("refused_turns_say_why", {"tries": tried(acts=())}, "has no acts"),
    ("what_is_no_turn_is_explained", {"explain": lambda game, position, text: UNSAID}, "What explain says of "),
    ("what_begins_no_turn_says_why", {"why_not": lambda game, position, site: UNSAID}, "What why_not tells of "),
    ("what_begins_no_turn_says_why", {"why_not": lambda game, position, site: Reason("sound.stays")},
     "tells why no turn begins on a1, in the position "),
    ("the_fast_form_agrees", {"__module__": "tests.games.lame.rules"}, "The fast form counts 424 sequences"),
    ("what_cannot_be_seen_is_told", {"aside": lambda game, position: "Nothing."}, "is no Reason"),
    ("what_cannot_be_seen_is_told", {"beside": lambda game, position: (9,)}, "beside tells (9,), in the position "),
    ("what_cannot_be_seen_is_told", {"beside": ((1, 2), (0, 2))}, "beside is tuple, and must be the method of Game"),
    ("lessons_can_be_solved", {"lessons": (Lesson("x", "-", Goal(wins=True)),)}, "The lesson x has a sentence that "),
    ("puzzles_can_be_solved", {"puzzles": (Puzzle("-", "win", ("x",)),)}, "Puzzle 1, -, cannot be played: "),
    ("puzzles_can_be_solved", {"puzzles": (Puzzle("-", "win", ("x", "y")),) * 2}, "is there twice. Puzzle 1, -, ends "),
    ("a_standing_can_be_told", {"standing": 3}, "standing is int, and must be the method of Game"),
]  # fmt: skip
"""A law, what is changed in a sound game, and what the law says of it."""


@pytest.mark.usefixtures("_said")
def test_a_sound_game_keeps_all_laws() -> None:
    sample = sampled(Sound(), Random(1), Random(2))
    assert {law.__name__: first(law, sample) for law in LAWS if first(law, sample)} == {}


@pytest.mark.usefixtures("_said")
@pytest.mark.parametrize(("law", "changes", "said"), BROKEN, ids=lambda value: value if isinstance(value, str) else "")
def test_a_broken_law_is_found_and_told(law: str, changes: dict[str, Any], said: str) -> None:
    game: Game[Any] = type("Broken", (Sound,), changes)()
    before = getattr(conformance, law) in BEFORE
    sample = Sample(game, (), Random(1)) if before else sampled(game, Random(1), Random(2), most=60)
    assert said in " ".join(getattr(conformance, law)(sample))


def test_every_law_is_broken_by_a_game_here() -> None:
    assert {law for law, _, _ in BROKEN} == {law.__name__ for law in LAWS}


@pytest.mark.usefixtures("_said")
@pytest.mark.parametrize(
    ("reason", "said"),
    [
        (None, "is no Reason"),
        (Reason.of("ragged.played", player="Ann", turn="a1"), "names 'Ann', which is no message id"),
        (Reason("rules.dark"), "does not end with a full stop: 'black'"),
        (Reason.of("rules.pass-forced", turn="{x}"), "has braces"),
        (Reason("rules.repetition"), ""),
    ],
)
def test_a_reason_is_a_whole_sentence(reason: Reason | None, said: str) -> None:
    assert said in badly_said(reason) if said else badly_said(reason) == ""


class Other(Plain):
    """A fast form that differs in one thing."""

    def __init__(self, game: Game[Any], **changes: Any) -> None:
        super().__init__(game)
        vars(self).update(changes)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"side": lambda state: 1 - state.side}, "the position or the side"),
        ({"moves": lambda state: list(Sound().turns(state))[1:]}, "b1xb2 leads to nothing there and to"),
        ({"moves": lambda state: [*Sound().turns(state), *Sound().turns(state)[:1]]}, "it has 25 moves"),
        ({"after": lambda state, move: state}, "a2xa1 leads to"),
        ({"state": lambda position: (position, next(NUMBERS)), "position": lambda state: state[0],
          "side": lambda state: state[0].side, "moves": lambda state: list(Sound().turns(state[0])),
          "after": lambda state, move: (move.after, 0)}, "the state after b1xb2 is not that of its position"),
    ],
)  # fmt: skip
def test_a_fast_form_that_differs_is_told(changes: dict[str, Any], said: str) -> None:
    assert said in disagreement(Sound(), Other(Sound(), **changes), Sound().start())


def test_another_result_of_a_fast_form_is_told() -> None:
    over = Sound().position("..../..../..../x..o x -")
    assert (
        disagreement(Sound(), Other(Sound(), result=lambda state: 0.5), over)
        == "its result is 0.5, and the winner is 1"
    )
