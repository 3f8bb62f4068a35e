"""The command ``link``: two tables meet by six words."""

from __future__ import annotations

import argparse
from types import ModuleType

from firmware_bridge.cli.play import configured
from firmware_bridge.clocks import control
from firmware_bridge.config import Config
from firmware_bridge.i18n import print_lines, system_words
from firmware_bridge.link.pairing import (
    Broker,
    LinkError,
    Pairing,
    broker_of,
    end_pairing,
    heard,
    new_pairing,
    new_secret,
    pairing_path,
    read_pairing,
    write_pairing,
)
from firmware_bridge.link.states import Terms
from firmware_bridge.web.invitation import in_terminal
from games.rules import Reason, load, say


def link_tables(wanted: argparse.Namespace) -> int:
    """Pair this table with another one, show the pairing, or end it; LinkError, OptionError, SettingsError."""
    given: list[str] = wanted.given
    wanted.game = given[0] if wanted.what == "new" and given else None
    config = configured(wanted)
    path = pairing_path(config.record.directory())
    if wanted.what in ("show", "end") and given:
        raise LinkError(f"link {wanted.what} takes nothing more: leave {given[0]!r} out")
    try:
        if wanted.what == "end":
            end_pairing(path)
            print_lines(system_words().say(Reason("link.ended")))
        elif wanted.what == "show":
            show(read_pairing(path))
        else:
            if path.exists():
                raise LinkError("this table is paired already: `tablelight link end` ends that")
            pairing = join(wanted, config) if wanted.what == "join" else begin(wanted, config)
            write_pairing(path, pairing)
            show(pairing)
    except BrokenPipeError:  # the reader of the output has gone
        raise
    except OSError as error:
        raise LinkError(f"{path}: {error.strerror}") from None
    return 0


def begin(wanted: argparse.Namespace, config: Config) -> Pairing:
    """A new pairing, of which the broker knows; OptionError, LinkError."""
    if len(wanted.given) > 1:
        raise LinkError("link new takes one game")
    chosen = config.game
    game = load(chosen.name, **chosen.options)
    terms = Terms(game.name, dict(game.chosen), chosen.house_rule, str(control(chosen.clock) or ""))
    secret = heard(wanted.words) if wanted.words else new_secret()
    pairing = new_pairing(wanted_broker(wanted, config), secret, wanted.seat, terms)
    line().greet(pairing)
    return pairing


def join(wanted: argparse.Namespace, config: Config) -> Pairing:
    """The pairing of the other table, by its words; LinkError."""
    text = " ".join(wanted.given)
    if "#" in text:
        wanted.broker, _, text = text.partition("#")
    secret = heard(text)
    pairing: Pairing = line().find(wanted_broker(wanted, config), secret)
    line().greet(pairing)
    return pairing


def line() -> ModuleType:
    """The module that reaches brokers; LinkError if the library for it is missing."""
    try:
        from firmware_bridge.link import line
    except ImportError as error:
        raise LinkError(
            f"to play with another table the library {error.name} is needed: pip install 'tablelight[club]' brings it"
        ) from None
    return line


def wanted_broker(wanted: argparse.Namespace, config: Config) -> Broker:
    """The broker that the command line or the configuration names; LinkError."""
    given = config.link
    text = wanted.broker or given.broker
    if not text:
        raise LinkError("no broker is named: --broker HOST names one, or broker under [link] of the configuration")
    return broker_of(text, given.ca, given.user, given.password_file)[0]


def show(pairing: Pairing) -> None:
    """Print what the other table needs, or that it has joined."""
    words = system_words()
    game = pairing.terms.load()
    address = f"{pairing.broker.url}/#{pairing.words}"
    print_lines(words.say(Reason.of("link.seat", game=game.title, player=game.players[pairing.seat])))
    if pairing.partner:
        print_lines(words.say(Reason("link.paired")))
    else:
        print_lines(words.say(Reason.of("link.words", words=pairing.words)))
        for each in in_terminal(address).split("\n"):
            print_lines(each)
        print_lines(words.say(Reason.of("link.address", command=f"tablelight link join {address}")))
    print_lines(words.say(Reason.of("link.begin", command="tablelight play --linked --page")))


say(
    "link",
    seat="A game of {game} with another table: {player} plays at this one.",
    words="The six words for the other table: {words}",
    address="It joins with: {command}",
    paired="The other table has joined.",
    begin="Then begin at both tables, with {command}, or at a real one with run --linked.",
    ended="This table is paired with no other any more.",
)
