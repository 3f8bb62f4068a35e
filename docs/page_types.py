"""Writes the types of all that passes between server and browsers, for the checks of the page's JavaScript.

make types
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from inspect import cleandoc
from pathlib import Path

from msgspec import inspect

from firmware_bridge.club.forms import GroundsForm, WallForm
from firmware_bridge.session import AnyRequest
from firmware_bridge.web import forms
from firmware_bridge.web.browser import Greeting
from firmware_bridge.web.films import FilmForm
from firmware_bridge.web.forms import AnyForm
from firmware_bridge.web.opened import Bring, OpenedForm
from firmware_bridge.web.positions import PositionForm
from firmware_bridge.web.reports import ReviewForm
from firmware_bridge.web.seating import AnySeatRequest

TYPES = Path(forms.__file__).with_name("types.d.ts")
HEADING = """\
/**
 * What passes between the server and browsers; docs/page.md tells when.
 * Written by `make types` from the structs of the server: what is changed here is lost. Browsers never load it.
 */
"""


@singledispatch
def named(type: inspect.Type) -> str:
    """A type of msgspec's as TypeScript writes it; TypeError for one that no message has had yet."""
    raise TypeError(f"no TypeScript type is known for {type}")


@named.register
def _(type: inspect.StrType) -> str:
    return "string"


@named.register(inspect.IntType)
@named.register(inspect.FloatType)
def _(type: inspect.Type) -> str:
    return "number"


@named.register
def _(type: inspect.BoolType) -> str:
    return "boolean"


@named.register
def _(type: inspect.NoneType) -> str:
    return "null"


@named.register
def _(type: inspect.LiteralType) -> str:
    return " | ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in type.values)


@named.register
def _(type: inspect.UnionType) -> str:
    return " | ".join(map(named, type.types))


@named.register(inspect.CollectionType)
def _(type: inspect.CollectionType) -> str:
    item = named(type.item_type)
    return f"({item})[]" if " | " in item else f"{item}[]"


@named.register
def _(type: inspect.TupleType) -> str:
    return f"[{', '.join(map(named, type.item_types))}]"


@named.register
def _(type: inspect.DictType) -> str:
    return f"Record<{named(type.key_type)}, {named(type.value_type)}>"


@named.register
def _(type: inspect.StructType) -> str:
    return type.cls.__name__


def within(type: inspect.Type) -> Iterator[inspect.StructType]:
    """The structs that `type` is made of, the inner ones first."""
    if isinstance(type, inspect.StructType):
        for field in type.fields:
            yield from within(field.type)
        yield type
    elif isinstance(type, inspect.UnionType):
        for each in type.types:
            yield from within(each)
    elif isinstance(type, inspect.CollectionType):
        yield from within(type.item_type)
    elif isinstance(type, inspect.TupleType):
        for each in type.item_types:
            yield from within(each)
    elif isinstance(type, inspect.DictType):
        yield from within(type.value_type)


def described(struct: inspect.StructType, *, asked: bool) -> str:
    """The interface of a struct under its docstring. What browsers ask may leave out what has a default."""
    comment = "\n".join(f" * {line}".rstrip() for line in cleandoc(struct.cls.__doc__ or "").splitlines())
    fields = [f'  {struct.tag_field}: "{struct.tag}";'] if struct.tag_field else []
    for field in struct.fields:
        optional = "" if field.required or not asked else "?"
        fields.append(f"  {field.encode_name}{optional}: {named(field.type)};")
    return "\n".join(["/**", comment, " */", f"export interface {struct.cls.__name__} {{", *fields, "}", ""])


def alternatives(name: str, type: inspect.Type) -> str:
    """A name for any of the structs at the top of `type`."""
    return f"export type {name} = {named(type)};\n"


def written() -> str:
    """The whole file."""
    fetched = (ReviewForm, PositionForm, OpenedForm, FilmForm, GroundsForm, WallForm)
    told, asked, greeting, *plain = inspect.multi_type_info(
        [AnyForm, AnyRequest | AnySeatRequest | Bring, Greeting, *fetched]
    )
    parts = [HEADING]
    parts += dict.fromkeys(described(struct, asked=False) for type in (told, *plain) for struct in within(type))
    parts.append(alternatives("AnyForm", told))
    parts += dict.fromkeys(described(struct, asked=True) for type in (asked, greeting) for struct in within(type))
    parts.append(alternatives("AnyRequest", asked))
    return "\n".join(parts)


if __name__ == "__main__":
    TYPES.write_text(written())
