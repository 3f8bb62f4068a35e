"""What every game promises, whatever its rules: laws, tried on the positions of random games.

    sample = sampled(load(NAME), Random(1))
    for law in LAWS:
        for fault in law(sample):        # nothing, if the law is kept
            print(law.__name__, fault)

A fault is a sentence: what is wrong, in which position, and what to do about it. The laws take a game as it is: what
it raises comes out of them. A law that a game breaks may make it break others; the first in `LAWS` is the one to mend.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from string import Formatter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, get_args

from games.acts import Act, Kind, Step, done, precedence
from games.fast import Fast, Plain, load_fast
from games.lessons import slipped, solutions
from games.puzzles import faults
from games.rules import NAMED, SENTENCES, Game, Position, PositionError, Reason, Turn, begins, clip, perft

if TYPE_CHECKING:
    from random import Random

T = TypeVar("T")

STRANGE = ("", "a1", "zz-9", "a1-a1", "a1xa1", "pass pass", "pass", "99999999999", "\u2654")
"""Texts that are no turn of any game, or of few."""
TRIED = 40
"""Illegal turns of a position that are looked at, at the most."""
ORDERS = 3
"""Orders of the acts of a turn that are tried beside the natural one; there may be very many."""
MOST_SEEDS = 60
"""The most that a site may hold: seeds are counted by one byte a site, and told by light up to here."""
ONE_ACT = {"carry": (2, 1), "lay": (1, 1), "take": (1, 0), "flip": (1, 1)}
"""Kind of act -> how many sites and levels it has; rows and sowings are of any length."""


# Random games ---------------------------------------------------------------------------------


class Ply(NamedTuple):
    """A position of a random game, its legal turns, and the one played; None where the game ends."""

    position: Position
    turns: tuple[Turn[Any], ...]
    chosen: Turn[Any] | None


class Sample(NamedTuple):
    """A game, positions of some random games of it, and where the laws take their chances from."""

    game: Game[Any]
    plies: tuple[Ply, ...]
    chance: Random


Law = Callable[[Sample], Iterator[str]]
"""What every game keeps; yields a sentence for each place where it is broken."""


def walk(game: Game[Any], chance: Random, most: int = 300) -> Iterator[Ply]:
    """A random game to its end, or its first `most` plies: some games can go on for ever.

    It depends on the texts of the turns alone, not on their order.
    """
    position = game.start()
    for _ in range(most):
        turns = game.turns(position)
        chosen = chance.choice(sorted(turns, key=str)) if turns else None
        yield Ply(position, turns, chosen)
        if chosen is None:
            return
        position = chosen.after


def sampled(game: Game[Any], *chances: Random, kept: int = 12, most: int = 300) -> Sample:
    """About `kept` plies of a random game of `most` at the most for each of `chances`, spread over the whole game.

    The last plies are among them.
    """
    plies: list[Ply] = []
    for chance in chances:
        whole = list(walk(game, chance, most))
        plies += [*whole[: -2 : len(whole) // kept + 1], *whole[-2:]]
    return Sample(game, tuple(plies), chances[0])


def option_sets(game: type[Game[Any]]) -> Iterator[dict[str, int | str]]:
    """The options of each variant that is worth a look: none told, and each other value of one option."""
    yield {}
    for option, values in game.options.items():
        yield from ({option: value} for value in values[1:])


def some(of: Sequence[T], most: int = TRIED) -> Sequence[T]:
    """`most` of these at the most, evenly spread."""
    return of[:: len(of) // most + 1]


# Words ----------------------------------------------------------------------------------------


def at(position: Position) -> str:
    """Where something is wrong."""
    return f"in the position {clip(str(position), 200)}"


def ill_formed(id: str) -> str:
    """What is wrong with the sentence of a message id and with the id, in a few words; empty if nothing is."""
    if not re.fullmatch(r"[a-z]+(-[a-z]+)*\.[a-z0-9]+(-[a-z0-9]+)*", id):
        return "its id is not two parts of small letters with a full stop between them, as in name.not-own"
    text = SENTENCES[id]
    try:
        fields = [field for _, field, _, _ in Formatter().parse(text) if field is not None]
    except ValueError:
        return "its braces do not match"
    if not all(field.isidentifier() for field in fields):
        return "each pair of braces must hold the name of a value"
    return "" if text.format(**dict.fromkeys(fields, "3")).strip() else "it is empty"


def badly_said(reason: object) -> str:
    """What keeps `reason` from being a whole sentence without holes, in a few words; empty if nothing does."""
    if not isinstance(reason, Reason):
        return "is no Reason: make one with Reason.of(id, ...)"
    if reason.id not in SENTENCES:
        return f"has the id {clip(reason.id, 60)!r}, of which there is no sentence: say() one"
    named = [value for name, value in reason.values if name in NAMED and value not in SENTENCES]
    if named:
        return (
            f"of {reason.id} names {clip(str(named[0]))!r}, which is no message id: {', '.join(sorted(NAMED))} are ids"
        )
    try:
        sentence = str(reason)
    except (KeyError, IndexError, ValueError) as error:
        return f"of {reason.id} lacks the value {error}: the sentence has it in braces"
    if not sentence.endswith("."):
        return f"of {reason.id} does not end with a full stop: {sentence!r}"
    if re.search("[{}]|  ", sentence) or not sentence.isprintable():
        return f"of {reason.id} has braces, two blanks or a control character: {sentence!r}"
    return ""


# The game -------------------------------------------------------------------------------------


def it_introduces_itself(sample: Sample) -> Iterator[str]:
    """Name, title, rules in short, sign, players and titles of options."""
    game = sample.game
    if not re.fullmatch(r"[a-z]+(-[a-z]+)*", game.name):
        yield f"The name {clip(game.name)!r} must be small letters, words joined by hyphens."
    if not game.title:
        yield "The title is empty: it is what players read."
    if not game.summary.rstrip().endswith("."):
        yield "The summary is the rules in short, in whole sentences; it must end with a full stop."
    if SENTENCES.get(f"{game.name}.summary") != game.summary:
        yield f"The summary cannot be translated: say({game.name!r}, summary=...) must say it too."
    unsaid = [player for player in game.players if player not in SENTENCES]
    if unsaid:
        yield f"The player {clip(str(unsaid[0]), 60)!r} is no message id: players are ids of sentences, said by say()."
    elif len({game.player_name(side) for side in (0, 1)}) < 2:
        yield f"Both players are called {game.player_name(0)}: give them two names."
    if [len(line) for line in game.sign] != [3, 3, 3] or set("".join(game.sign)) - {*"#.xo"}:
        yield "The sign must be three lines of three marks, each one of # . x o."
    for option in game.options:
        if not {f"{game.name}.option-{option}", f"rules.option-{option}"} & SENTENCES.keys():
            yield f"The option {option} has no title: say({game.name!r}, option_{option}=...)."


def its_sites_have_places(sample: Sample) -> Iterator[str]:
    """A name and a place of its own for each site; shades and links are of these sites."""
    game = sample.game
    if not game.sites or len({*game.sites}) < len(game.sites):
        yield "Each site must have a name of its own, and there must be some."
    if {*game.places} != {*game.sites}:
        odd = sorted({*game.places} ^ {*game.sites})[0]
        yield f"The site {clip(odd)} is in only one of sites and places: each site has a place, and nothing else has."
    elif len({*game.places.values()}) < len(game.sites):
        yield "Two sites lie in the same place: places are pitches of the board, x to the right and y up."
    if not game.shaded <= {*game.sites}:
        yield f"{clip(min(game.shaded - {*game.sites}))} is shaded and is no site."
    joined = [frozenset(link) for link in game.links]
    if any(len(link) != 2 or not link <= {*game.sites} for link in joined) or len({*joined}) < len(joined):
        yield "Each link must join two sites, and no two of them the same ones."


def it_begins(sample: Sample) -> Iterator[str]:
    """A start that is the same each time, with turns and without an outcome."""
    game = sample.game
    start = game.start()
    if start != game.start():
        yield "start() gives another position each time; it must always be the same."
    if not game.turns(start) or game.outcome(start) is not None:
        yield "The game is over before it begins: the start must have turns and no outcome."


def its_defaults_are_the_first_values(sample: Sample) -> Iterator[str]:
    """Loaded without options, a game is as with the first value of each."""
    made = type(sample.game)
    default: Game[Any] = made()
    explicit: Game[Any] = made(**{option: values[0] for option, values in made.options.items()})
    if (str(default.start()), default.sites) != (str(explicit.start()), explicit.sites):
        yield "Without options the game is another one than with the first value of each: these are the defaults."


def two_of_it_are_alike(sample: Sample) -> Iterator[str]:
    """Positions of two games that are loaded alike are equal."""
    one, other = (type(sample.game)(**sample.game.chosen) for _ in range(2))
    if one.start() != other.start():
        yield "Two games loaded alike begin with unequal positions: compare them by values."
    elif {turn.after for turn in one.turns(one.start())} != {turn.after for turn in other.turns(other.start())}:
        yield "The first turns of two games loaded alike lead to unequal positions: compare them by values."


# Positions ------------------------------------------------------------------------------------


def a_position_reads_back(sample: Sample) -> Iterator[str]:
    """The text of a position gives the same position, with the same board and side."""
    for ply in sample.plies:
        for position in (ply.position, *(turn.after for turn in some(ply.turns))):
            text = str(position)
            try:
                again = sample.game.position(text)
            except PositionError as error:
                yield f"The text {clip(text, 200)!r} of a position is not read back: {error}."
                continue
            if (str(again), again.board, again.side) != (text, position.board, position.side):
                yield f"The text {clip(text, 200)!r} is read back as another position, {clip(str(again), 200)!r}."
            elif again != position or hash(again) != hash(position):
                yield f"A position read back, or its hash, is not equal to the one written, {at(position)}."


def equal_texts_are_equal_positions(sample: Sample) -> Iterator[str]:
    """And different texts different positions."""
    by_text: dict[str, Position] = {}
    for turn in (turn for ply in sample.plies for turn in ply.turns):
        first = by_text.setdefault(str(turn.after), turn.after)
        if first != turn.after or hash(first) != hash(turn.after):
            yield f"Two unequal positions have one text: it must hold all that the rules need, {at(first)}."
    if len({*by_text.values()}) < len(by_text):
        yield "Two equal positions have different texts: the text must hold what tells positions apart, and no more."


def a_position_cannot_be_changed(sample: Sample) -> Iterator[str]:
    """Its attributes cannot be set."""
    start = sample.game.start()
    for name in ("cells", "side", "board"):
        try:
            setattr(start, name, getattr(start, name))
        except (AttributeError, TypeError):
            continue
        yield f"The {name} of a position can be set: make its class a frozen dataclass with slots."


def a_board_has_a_level_for_each_site(sample: Sample) -> Iterator[str]:
    """What sensors can show, in the order of the sites."""
    game = sample.game
    most, what = (2, "0, 1 or 2") if game.pieces == "stones" else (MOST_SEEDS, f"a number of seeds, 0 to {MOST_SEEDS}")
    for position, _, _ in sample.plies:
        board = position.board
        if not isinstance(board, tuple) or len(board) != len(game.sites):
            yield f"The board must be a tuple with a level for each of the {len(game.sites)} sites, {at(position)}."
        elif not all(0 <= level <= most for level in board):
            site, level = next(pair for pair in zip(game.sites, board, strict=True) if not 0 <= pair[1] <= most)
            yield f"{site} shows {level}, {at(position)}: a level is {what}; kinds of pieces are for cells alone."
        if position.side not in (0, 1):
            yield f"The side is {position.side!r}, {at(position)}: it must be 0 or 1."


def asking_changes_nothing(sample: Sample) -> Iterator[str]:
    """The same question has the same answer, and leaves the position as it is."""
    game = sample.game
    for position, turns, _ in some(sample.plies, 6):
        before = str(position)
        answers = [
            (game.turns(position), game.refused(position), game.outcome(position), game.marks(position))
            for _ in range(2)
        ]
        if answers[0] != answers[1] or answers[0][0] != turns:
            yield f"turns, tries, outcome or marks answer otherwise when asked again, {at(position)}."
        if tuple(game.listed(position)) != turns:
            yield f"listed must give the same turns as turns, in the same order, {at(position)}."
        if str(position) != before:
            yield f"Asking turns, tries, outcome or marks has changed the position that was {clip(before, 200)}."


def what_cannot_be_seen_is_told(sample: Sample) -> Iterator[str]:
    """What stands beside the sites is told in a sentence, and counted for each player or for none."""
    if not callable(sample.game.beside):
        yield f"beside is {type(sample.game.beside).__name__}, and must be the method of Game: give yours another name."
        return
    for position, _, _ in sample.plies:
        aside, beside = sample.game.aside(position), sample.game.beside(position)
        if aside is not None and badly_said(aside):
            yield f"What aside tells {badly_said(aside)}, {at(position)}."
        if beside is not None and [type(count) for count in beside] != [int, int]:
            yield f"beside tells {clip(str(beside), 60)}, {at(position)}: it is two numbers, or None."


def a_standing_can_be_told(sample: Sample) -> Iterator[str]:
    """Who is ahead is told in a sentence, with a count for each player and sites of the board; or nothing ever is."""
    game = sample.game
    if not callable(game.standing):
        yield f"standing is {type(game.standing).__name__}, and must be the method of Game: give yours another name."
        return
    for position, _, _ in sample.plies:
        standing = game.standing(position)
        if standing is None:
            continue
        if badly_said(standing.reason):
            yield f"What the standing tells {badly_said(standing.reason)}, {at(position)}."
        counts = standing.counts
        if [type(count) for count in counts] != [int, int] or min(counts) < 0:
            yield f"The standing counts {clip(str(counts), 60)}, {at(position)}: it is two numbers, 0 or more."
        if standing.ahead not in (0, 1, None):
            yield f"The standing has {standing.ahead!r} ahead, {at(position)}: it is 0, 1 or None."
        strange = [site for sites in standing.sites for site in sites if site not in game.sites]
        if strange or len(standing.sites) != 2:
            yield f"The standing names sites that are none, or not two groups of them, {at(position)}."


def lessons_can_be_solved(sample: Sample) -> Iterator[str]:
    """Each lesson has its sentences, a turn that solves it, one that does not, and the rule that it is about."""
    made = type(sample.game)
    names = [lesson.name for lesson in made.lessons]
    if len({*names}) < len(names):
        yield "Two lessons bear one name."
    if not made.lessons:
        return
    game = made(**made.lesson_options)
    for lesson in made.lessons:
        about = f"The lesson {clip(lesson.name)}"
        slips = [slip.name for slip in lesson.slips]
        unsaid = [what for what in ("", "done", "hint", *slips) if badly_said(game.lesson_says(lesson, what))]
        if unsaid:
            yield f"{about} has a sentence that {badly_said(game.lesson_says(lesson, unsaid[0]))}."
            continue
        try:
            position = game.position(lesson.position)
        except PositionError as error:
            yield f"{about} has no position: {error}."
            continue
        turns, solved_by = game.turns(position), solutions(lesson, game)
        if not solved_by:
            yield f"{about} has no turn that solves it, {at(position)}."
        elif {turn.after for turn in turns} == {turn.after for turn in solved_by}:
            yield f"{about} is solved by every turn, {at(position)}: ask for less of them."
        made_by = {slipped(lesson, game, turn) for turn in turns if turn not in solved_by}
        if idle := [slip.name for slip in lesson.slips if slip not in made_by]:
            yield f"{about} answers {clip(idle[0])}, and no turn that does not solve it is so, {at(position)}."
        if lesson.refuses and all(turn.reason and turn.reason.id != lesson.refuses for turn in game.tries(position)):
            yield f"{about} is about {lesson.refuses}, and no turn is refused for it, {at(position)}."


def puzzles_can_be_solved(sample: Sample) -> Iterator[str]:
    """Each puzzle is a line of legal turns, with one turn to find at a time."""
    return faults(type(sample.game))


def kinds_have_marks_and_names(sample: Sample) -> Iterator[str]:
    """Each kind of stones has a mark that every board can show, and a name that can be translated."""
    game = sample.game
    if game.kinds and game.pieces == "seeds":
        yield "Seeds are counted and are all alike: kinds are of stones alone."
    for mark, name in game.kinds.items():
        if not re.fullmatch("[!-~]", mark):
            yield f"The mark {clip(mark)!r} in kinds must be one letter or sign of ASCII: some boards show no others."
        if name not in SENTENCES:
            yield f"The name of the kind {clip(mark)}, {clip(str(name), 60)!r}, is no message id: say() it."


def marks_are_of_stones_that_stand(sample: Sample) -> Iterator[str]:
    """A mark is one of the game's kinds, and a stone stands where it is."""
    game = sample.game
    for position, _, _ in sample.plies:
        board = dict(zip(game.sites, position.board, strict=True))
        for site, mark in game.marks(position).items():
            if mark not in game.kinds:
                yield f"The mark {clip(str(mark))!r} of {clip(str(site))}, {at(position)}, is not in kinds."
            elif not board.get(site):
                yield f"There is a mark {mark} on {clip(str(site))}, {at(position)}, where nothing stands."


# Turns ----------------------------------------------------------------------------------------


def a_text_names_one_turn(sample: Sample) -> Iterator[str]:
    """Legal turns have different texts, which can be typed."""
    for position, turns, _ in sample.plies:
        texts = [turn.text for turn in turns]
        if len({*texts}) < len(texts):
            twice = next(text for text in texts if texts.count(text) > 1)
            yield f"Two legal turns are called {twice!r}, {at(position)}: the text of a turn must name it alone."
        odd = next((text for text in texts if not re.fullmatch(r"[!-~]{1,40}", text)), None)
        if odd is not None:
            yield f"The turn {clip(odd, 60)!r}, {at(position)}, must be 1 to 40 letters and signs without blanks."


def a_turn_is_whole(sample: Sample) -> Iterator[str]:
    """After it the other side is next; no legal turn has a reason against it."""
    for position, turns, _ in sample.plies:
        for turn in turns:
            if turn.after.side != 1 - position.side:
                yield f"After {turn}, {at(position)}, the same side is to move: a turn is all that it does at once."
            if turn.reason is not None:
                yield f"The legal turn {turn}, {at(position)}, has a reason against it: only illegal ones have."


def a_pass_has_no_acts(sample: Sample) -> Iterator[str]:
    """It has no acts and leaves the board alone; all other turns have acts."""
    for position, turns, _ in sample.plies:
        for turn in turns:
            if (turn.text == "pass") != (not turn.acts):
                yield f"The turn {turn}, {at(position)}: a turn without acts is called pass, and no other is."
            elif turn.text == "pass" and turn.after.board != position.board:
                yield f"A pass changes the board, {at(position)}."


def turns_end_with_the_game(sample: Sample) -> Iterator[str]:
    """There are none exactly when there is an outcome."""
    for position, turns, _ in sample.plies:
        if not turns and sample.game.outcome(position) is None:
            yield f"There are no turns and no outcome, {at(position)}: say who has won, or let the side pass."
        if turns and sample.game.outcome(position) is not None:
            yield f"There is an outcome and there are turns, {at(position)}: turns must be empty once the game is over."


# Acts -----------------------------------------------------------------------------------------


def tried(sample: Sample) -> Iterator[tuple[Position, Turn[Any]]]:
    """All legal turns of the sample and some illegal ones, each with the position before it."""
    for position, turns, _ in sample.plies:
        yield from ((position, turn) for turn in (*turns, *some(sample.game.refused(position), TRIED // 4)))


def acts_are_of_the_vocabulary(sample: Sample) -> Iterator[str]:
    """Each has a kind that there is, as many sites and levels as it needs, and needs what comes before it."""
    for position, turn in tried(sample):
        for place, act in enumerate(turn.acts):
            fault = ill_made(act, sample.game, place)
            if fault:
                yield f"The act {place + 1} of {turn}, {tuple(act)}, {at(position)}: {fault}."


def ill_made(act: Act, game: Game[Any], place: int) -> str:
    """What is wrong with an act by itself, which is at this `place` of its turn; empty if nothing is."""
    kind, sites, levels, needs = act
    if kind not in get_args(Kind):
        return f"there is no act {clip(str(kind))!r}; there are {', '.join(get_args(Kind))}"
    strange = next((site for site in sites if site not in game.places), None)
    if strange is not None:
        return f"{clip(str(strange))!r} is no site"
    if (len(sites), len(levels)) != ONE_ACT.get(kind, (len(levels) + 1, max(1, len(levels)))):
        return f"a {kind} has other numbers of sites and levels: see games.acts"
    if kind == "sow" and game.pieces != "seeds":
        return "seeds alone are sown: set pieces to 'seeds'"
    return "" if all(0 <= need < place for need in needs) else "it may only need acts that come before it"


def acts_move_what_stands_there(sample: Sample) -> Iterator[str]:
    """The first act of a turn carries, pushes or sows what the board shows, and takes or flips something."""
    for position, turn in tried(sample):
        board = dict(zip(sample.game.sites, position.board, strict=True))
        for act in turn.acts[:1]:
            stands = tuple(board[site] for site in act.sites)
            if act.kind in ("carry", "push") and act.levels != stands[:-1]:
                sites = ", ".join(act.sites[:-1])
                yield f"{turn} says that {act.levels} stands on {sites}, {at(position)}: it is {stands[:-1]}."
            if act.kind == "sow" and stands[0] != len(act.levels):
                yield f"{turn} sows {len(act.levels)} seeds, {at(position)}: {stands[0]} lie on {act.sites[0]}."
            if act.kind in ("take", "flip") and not stands[0]:
                yield f"{turn} begins with a {act.kind} on {act.sites[0]}, {at(position)}, where nothing stands."


def steps_lead_to_the_board_after(sample: Sample) -> Iterator[str]:
    """Done in the order in which they are listed, the acts lead from the board to the board after the turn."""
    for position, turn in tried(sample):
        listed = range(len(turn.steps))
        yield from carried_out(sample.game, position, turn, listed, "In the order in which its acts are listed")


def every_order_leads_to_the_board_after(sample: Sample) -> Iterator[str]:
    """So does every order that the acts allow, and no piece is put where another one stands."""
    for position, turn in tried(sample):
        for order in islice(orders(turn, sample.chance), ORDERS):
            named = told([turn.steps[place] for place in order])
            yield from carried_out(sample.game, position, turn, order, f"In an order that its acts allow ({named})")


def orders(turn: Turn[Any], chance: Random) -> Iterator[list[int]]:
    """Orders that the turn allows its steps to be made in, as their places among them, by chance, without end."""
    before = precedence(turn.acts)
    while True:
        left, made = {*range(len(before))}, list[int]()
        while left:
            made.append(chance.choice([place for place in sorted(left) if not before[place] & left]))
            left.remove(made[-1])
        yield made


def carried_out(game: Game[Any], position: Position, turn: Turn[Any], order: Sequence[int], when: str) -> Iterator[str]:
    """What is wrong with the steps of a turn made in this order; hands do not put a piece where one stands."""
    shows = dict(zip(game.sites, position.board, strict=True))
    kinds = [act.kind for act in turn.acts for _ in done(act)]
    for place in order:
        site, level = turn.steps[place]
        was = shows[site]
        if game.pieces == "seeds":
            possible = level == was + 1 or (level == 0 and was > 0)
        elif kinds[place] == "flip":
            possible = level > 0 and was > 0
        else:
            possible = (level == 0) != (was == 0)
        if not possible:
            natural = list(order) == sorted(order)
            mend = "say in needs what must be done before" if not natural else cure(game, was, level)
            yield f"{when}, {turn} is impossible {at(position)}: {site} is to come to {level} and shows {was}; {mend}."
            return
        shows[site] = level
    if tuple(shows.values()) != turn.after.board:
        site = next(site for site, due in zip(game.sites, turn.after.board, strict=True) if shows[site] != due)
        due = turn.after.board[game.sites.index(site)]
        what = f"leaves {shows[site]} on {site}, and the position after it has {due} there"
        yield f"{when}, {turn} {what}, {at(position)}."


def cure(game: Game[Any], was: int, level: int) -> str:
    """What to do about a step from `was` to `level` that no hand can make."""
    if was == level == 0:
        return "nothing stands there to be lifted"
    return "take off what stands there before" if game.pieces == "stones" else f"one more seed makes {was + 1}"


def told(order: Sequence[Step]) -> str:
    """Steps in a few words."""
    return clip(" ".join(f"{site}={level}" for site, level in order), 80)


# Illegal turns --------------------------------------------------------------------------------


def refused_turns_say_why(sample: Sample) -> Iterator[str]:
    """Each is refused in a whole sentence, and hands could make it."""
    for position, _, _ in some(sample.plies, 12):
        for turn in sample.game.refused(position):
            if turn.reason is None or badly_said(turn.reason):
                what = "is missing" if turn.reason is None else badly_said(turn.reason)
                yield f"The reason against {turn}, {at(position)}, {what}."
            if not turn.acts:
                yield f"The illegal turn {turn}, {at(position)}, has no acts: list only what hands can do."


def no_refused_turn_is_a_legal_one(sample: Sample) -> Iterator[str]:
    """No illegal turn does what a legal one does."""
    for position, turns, _ in some(sample.plies, 12):
        legal = {(turn.steps, turn.after.board): turn for turn in turns}
        for turn in sample.game.refused(position):
            twin = legal.get((turn.steps, turn.after.board))
            if twin:
                yield f"The illegal turn {turn} does what the legal turn {twin} does, {at(position)}: leave it out."


def what_is_no_turn_is_explained(sample: Sample) -> Iterator[str]:
    """Whatever is typed while the game goes on, there is a sentence that says why it is no turn."""
    for position, turns, _ in some(sample.plies, 6):
        for text in {*STRANGE} - {turn.text for turn in turns} if turns else ():
            fault = badly_said(sample.game.explain(position, text))
            if fault:
                yield f"What explain says of {clip(text)!r}, {at(position)}, {fault}."


def what_begins_no_turn_says_why(sample: Sample) -> Iterator[str]:
    """What why_not tells of a site is a whole sentence, and it tells nothing of one where a turn begins."""
    game = sample.game
    for position, turns, _ in some(sample.plies, 4):
        for site in game.sites:
            why = game.why_not(position, site) if turns else None
            turn = next((turn for turn in turns if begins(turn, site)), None)
            if why is not None and turn:
                yield f"why_not tells why no turn begins on {site}, {at(position)}, and {turn} does."
            elif why is not None and badly_said(why):
                yield f"What why_not tells of {site} {badly_said(why)}, {at(position)}."


# The end --------------------------------------------------------------------------------------


def random_games_end(sample: Sample) -> Iterator[str]:
    """At least one of the sample does."""
    if all(ply.turns for ply in sample.plies):
        yield "No random game came to an end: let it be over where nothing more can happen, in outcome and turns."


def an_end_says_who_won(sample: Sample) -> Iterator[str]:
    """The winner, the sites that decided it, and a sentence; also where the house rule on repetition ends a game."""
    game = sample.game
    for position, turns, _ in sample.plies:
        outcome = game.repeated(position) if turns else game.outcome(position)
        if outcome is None:
            continue
        if outcome.winner not in (0, 1, None):
            yield f"The winner is {outcome.winner!r}, {at(position)}: it must be 0, 1 or None."
        if badly_said(outcome.reason):
            yield f"The reason of the outcome {badly_said(outcome.reason)}, {at(position)}."
        if not {*outcome.sites} <= {*game.sites}:
            yield f"The outcome names a site that there is not, {at(position)}."


# The fast form --------------------------------------------------------------------------------


def the_fast_form_agrees(sample: Sample) -> Iterator[str]:
    """It has the same turns, results and outcomes as the readable rules, and counts as many sequences of turns."""
    game, fast = sample.game, load_fast(sample.game)
    if type(fast) is Plain:
        return
    for position, _, _ in sample.plies:
        fault = disagreement(game, fast, position)
        if fault:
            yield f"The fast form disagrees with the rules {at(position)}: {fault}."
    start = fast.state(game.start())
    counted = sum(len(fast.moves(fast.after(start, move))) for move in fast.moves(start))
    *_, (_, sequences, _) = perft(game, 2)
    if counted != sequences:
        yield f"The fast form counts {counted} sequences of two turns from the start, and the rules {sequences}."


def disagreement(game: Game[Any], fast: Fast, position: Position) -> str:
    """In what the fast form differs from the rules at `position`, in a few words; empty if in nothing."""
    state = fast.state(position)
    moves = fast.moves(state)
    if (str(fast.position(state)), fast.side(state)) != (str(position), position.side):
        return "the position or the side that it makes of its state is another one"
    fast_turns = {fast.text(state, move): str(fast.position(fast.after(state, move))) for move in moves}
    turns = {turn.text: str(turn.after) for turn in game.turns(position)}
    odd = sorted(text for text in turns.keys() | fast_turns.keys() if turns.get(text) != fast_turns.get(text))
    if odd:
        return f"{odd[0]} leads to {fast_turns.get(odd[0], 'nothing')} there and to {turns.get(odd[0], 'nothing')} here"
    if not len({*moves}) == len(moves) == len(turns):
        return f"it has {len(moves)} moves, and there are {len(turns)} different turns"
    for move in moves:
        after = fast.after(state, move)
        if after != fast.state(fast.position(after)):
            return f"the state after {fast.text(state, move)} is not that of its position"
    outcome = game.outcome(position)
    if outcome and fast.result(state) != (0.5 if outcome.winner is None else 1 - outcome.winner):
        return f"its result is {fast.result(state)}, and the winner is {outcome.winner}"
    return ""


# Sentences ------------------------------------------------------------------------------------


def its_sentences_are_well_formed(sample: Sample) -> Iterator[str]:
    """All that the game says of itself can be filled in and translated."""
    for id in sorted(SENTENCES):
        if id.partition(".")[0] == sample.game.name and ill_formed(id):
            yield f"The sentence {id} cannot be used: {ill_formed(id)}."


BEFORE: tuple[Law, ...] = (
    it_introduces_itself,
    its_sites_have_places,
    its_defaults_are_the_first_values,
    kinds_have_marks_and_names,
    it_begins,
    two_of_it_are_alike,
)
"""What a game keeps before a turn is played: no plies are looked at."""
RULES: tuple[Law, ...] = (
    a_position_cannot_be_changed,
    a_board_has_a_level_for_each_site,
    marks_are_of_stones_that_stand,
    a_position_reads_back,
    equal_texts_are_equal_positions,
    asking_changes_nothing,
    a_text_names_one_turn,
    a_turn_is_whole,
    a_pass_has_no_acts,
    turns_end_with_the_game,
    random_games_end,
    an_end_says_who_won,
    no_refused_turn_is_a_legal_one,
)
"""What positions, turns and outcomes keep."""
ACTS: tuple[Law, ...] = (
    acts_are_of_the_vocabulary,
    acts_move_what_stands_there,
    steps_lead_to_the_board_after,
    every_order_leads_to_the_board_after,
)
"""What hands are told to do agrees with what the board shows afterwards."""
WORDS: tuple[Law, ...] = (
    its_sentences_are_well_formed,
    refused_turns_say_why,
    what_is_no_turn_is_explained,
    what_begins_no_turn_says_why,
    what_cannot_be_seen_is_told,
    a_standing_can_be_told,
    lessons_can_be_solved,
    puzzles_can_be_solved,
)
"""What players read."""
FAST: tuple[Law, ...] = (the_fast_form_agrees,)
"""What a fast form keeps, where there is one."""
LAWS = BEFORE + RULES + ACTS + WORDS + FAST
