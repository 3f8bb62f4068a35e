"""Gathers all sentences into tablelight.pot of i18n/locale, brings the catalogues up to date and compiles them.

make words
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from io import BytesIO
from pathlib import Path
from pkgutil import walk_packages

from babel.messages import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from firmware_bridge.i18n import ENGLISH, LANGUAGES
from firmware_bridge.i18n.catalogue import DOMAIN, LOCALE
from games.rules import SENTENCES

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


@cache
def sentences() -> Mapping[str, str]:
    """Every message id of the program with its English, in the order of the ids, argparse's sentences last."""
    for package in ("games", "firmware_bridge"):
        for module in walk_packages(import_module(package).__path__, f"{package}."):
            if not module.name.endswith("__main__"):
                import_module(module.name)
    return dict(sorted(SENTENCES.items())) | {text: text for text in ARGPARSE}


class Sentences(Catalog):
    """A catalogue with the headers that gettext needs and no dates, so that it changes only with its sentences."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """The header lines."""
        language = [("Language", str(self.locale))] if self.locale else []
        return [*language, ("MIME-Version", "1.0"), ("Content-Type", "text/plain; charset=utf-8")]


def updated(old: Catalog, language: str | None = None) -> Catalog:
    """All sentences, each as `old` translates it; fuzzy where the English is another than `old` was made from."""
    name = LANGUAGES[language] if language else "all languages"
    heading = f"# What Tablelight says: {name}. See docs/translating.md."
    catalogue = Sentences(language, header_comment=heading, fuzzy=False)
    for id, english in sentences().items():
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


def places() -> Iterator[tuple[str, Path]]:
    """Each language that has a catalogue, and where its translations are."""
    for language in LANGUAGES:
        if language != ENGLISH:
            yield language, LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


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


def main() -> int:
    """Write all catalogues; 1 if a translator has something left to do, which is listed."""
    left = 0
    TEMPLATE.write_bytes(written(updated(Catalog())))
    for language, path in places():
        catalogue = updated(read(path, language), language)
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
    sys.exit(main())
