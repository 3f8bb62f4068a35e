"""The sentences of chess in all languages: whole, up to date, and as they are compiled."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from babel.messages.mofile import read_mo

from docs.catalogues import owed, places, read, sentences, unbroken

CATALOGUES = [pytest.param(language, path, id=language) for _, language, path in places(["chess"])]


def fields(text: str) -> set[str]:
    """The placeholders of a sentence."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize(("language", "path"), CATALOGUES)
def test_a_catalogue_has_every_sentence_as_it_is_said(language: str, path: Path) -> None:
    catalogue, english = read(path, language), sentences("chess")
    assert [message.id for message in owed(catalogue)] == []
    assert {message.id: unbroken(message) for message in catalogue if message.id} == {
        id: "".join(text.split()) for id, text in english.items()
    }
    assert {message.id: fields(str(message.string)) for message in catalogue if message.id} == {
        id: fields(text) for id, text in english.items()
    }


@pytest.mark.parametrize(("language", "path"), CATALOGUES)
def test_what_is_compiled_is_what_is_written(language: str, path: Path) -> None:
    with path.with_suffix(".mo").open("rb") as file:
        compiled = {message.id: message.string for message in read_mo(file) if message.id}
    assert compiled == {message.id: message.string for message in read(path, language) if message.id}
