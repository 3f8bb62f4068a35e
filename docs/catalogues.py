"""Gathers all sentences, brings the catalogues of all languages up to date and compiles them.

The program's own lie in firmware_bridge/i18n/locale, those of a game in the folder ``locale`` beside its rules.

make words
python -m docs.catalogues NAME ...    # of these games alone, which may be those of other distributions
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from io import BytesIO
from pathlib import Path
from pkgutil import walk_packages

from babel.messages import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from firmware_bridge.i18n import ENGLISH, LANGUAGES
from firmware_bridge.i18n.catalogue import DOMAIN, LOCALE, game_locale
from games.rules import SENTENCES, game_class, names

TEMPLATE = LOCALE / f"{DOMAIN}.pot"
ARGPARSE = (
    "usage: ",
    "positional arguments",
    "options",
    "show this help message and exit",
    "%(prog)s: error: %(message)s\n",
    "argument %(argument_name)s: %(message)s",
    "the following arguments are required: %s",
    "unrecognized arguments: %s",
    "ambiguous option: %(option)s could match %(matches)s",
    "not allowed with argument %s",
    "ignored explicit argument %r",
    "expected one argument",
    "expected at most one argument",
    "expected at least one argument",
    "invalid %(type)s value: %(value)r",
    "invalid choice: %(value)r (choose from %(choices)s)",
)
"""What the standard library says of a command line; it asks for a translation by the English itself."""


PROGRAM = ""
"""The owner of the sentences that belong to no game; all others are games, by their names."""


@cache
def sentences(owner: str = PROGRAM) -> Mapping[str, str]:
    """Every message id of the `owner` with its English, in the order of the ids, argparse's sentences last."""
    if owner != PROGRAM:
        load_modules(game_class(owner).__module__.rpartition(".")[0])
        return {id: english for id, english in sorted(SENTENCES.items()) if id.partition(".")[0] == owner}
    for package in ("games", "firmware_bridge"):
        load_modules(package)
    games = names(installed=True)
    own = {id: english for id, english in sorted(SENTENCES.items()) if id.partition(".")[0] not in games}
    return own | {text: text for text in ARGPARSE}


def load_modules(package: str) -> None:
    """Load all modules of a package, for each says its own sentences; a game that is a module alone is loaded."""
    for module in walk_packages(import_module(package).__path__, f"{package}.") if package else ():
        if not module.name.endswith("__main__"):
            import_module(module.name)


class Sentences(Catalog):
    """A catalogue with the headers that gettext needs and no dates, so that it changes only with its sentences."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """The header lines."""
        language = [("Language", str(self.locale))] if self.locale else []
        return [*language, ("MIME-Version", "1.0"), ("Content-Type", "text/plain; charset=utf-8")]


def updated(old: Catalog, owner: str = PROGRAM, language: str | None = None) -> Catalog:
    """All sentences of the `owner`, each as `old` translates it; fuzzy where their English has changed since."""
    name = LANGUAGES[language] if language else "all languages"
    heading = f"# What {owner or 'Tablelight'} says: {name}. See docs/translating.md."
    catalogue = Sentences(language, header_comment=heading, fuzzy=False)
    for id, english in sentences(owner).items():
        was = old.get(id) or Message(id)
        flags = {"fuzzy"} if was.fuzzy or (was.string and unbroken(was) != "".join(english.split())) else set()
        comments = {"auto_comments": english.splitlines(), "user_comments": was.user_comments}
        catalogue.add(id, was.string, flags=flags, **comments)
    return catalogue


def unbroken(message: Message) -> str:
    """The English that stands beside a translation, without blanks, for files break lines."""
    return "".join("".join(message.auto_comments).split())


def read(path: Path, language: str | None = None) -> Catalog:
    """The catalogue in `path`; an empty one if there is none yet."""
    if not path.exists():
        return Catalog(language)
    with path.open("rb") as file:
        return read_po(file, language)


def places(owners: Iterable[str] = ()) -> Iterator[tuple[str, str, Path]]:
    """Each catalogue: its owner, its language, and where its translations are; without `owners` all of the program."""
    for owner in owners or (PROGRAM, *names()):
        for language in LANGUAGES:
            if language != ENGLISH:
                yield owner, language, catalogue_path(owner, language)


def catalogue_path(owner: str, language: str) -> Path:
    """Where the translations into `language` are."""
    if owner == PROGRAM:
        return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"
    return game_locale(game_class(owner)) / f"{language}.po"


def written(catalogue: Catalog) -> bytes:
    """The catalogue as a .po file; lines are as long as the sentences."""
    file = BytesIO()
    write_po(file, catalogue, width=0)
    return file.getvalue()


def compiled(catalogue: Catalog) -> bytes:
    """The catalogue as a .mo file; what is fuzzy is left out."""
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def main(owners: Sequence[str] = ()) -> int:
    """Write the catalogues; 1 if a translator has something left to do, which is listed."""
    left = 0
    TEMPLATE.write_bytes(written(updated(Catalog())))
    for owner, language, path in places(owners):
        catalogue = updated(read(path, language), owner, language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(written(catalogue))
        path.with_suffix(".mo").write_bytes(compiled(catalogue))
        for message in owed(catalogue):
            left += 1
            print(f"{path}: {message.id!r} {'is to be looked at again' if message.fuzzy else 'has no translation'}")
    return 1 if left else 0


def owed(catalogue: Catalog) -> list[Message]:
    """The sentences that a translator has still to look at."""
    return [message for message in catalogue if message.id and (message.fuzzy or not message.string)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
