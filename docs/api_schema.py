"""Writes what programs rely on as JSON Schema: what is asked and told at ``/api/v1``, and the topics at brokers.

make types
"""

from __future__ import annotations

import json
from inspect import cleandoc
from pathlib import Path
from typing import Any

from msgspec.json import schema_components

from firmware_bridge import home, link, web
from firmware_bridge.home.entities import MODES, OFFLINE, ONLINE, PRESS, HomeEvent, HomeState, Topics
from firmware_bridge.i18n import LANGUAGES
from firmware_bridge.link.courier import Status
from firmware_bridge.link.pairing import Greeting, Sealed
from firmware_bridge.link.states import State
from firmware_bridge.session import AnyRequest
from firmware_bridge.web.api import GUEST, LONGEST_KEY, ROOT
from firmware_bridge.web.api_forms import Problem, TableNow, Taken
from firmware_bridge.web.forms import LinkForm, SeatsForm, SentenceForm
from firmware_bridge.web.seating import AnySeatRequest

API = Path(web.__path__[0]) / "openapi.json"
TOPICS = Path(link.__path__[0]) / "topics.json"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
SCHEMAS = "#/components/schemas/{name}"
TOPIC_SCHEMAS = {
    "tablelight/1/game/{game}/greeting/{seat}/{user}": Greeting,
    "tablelight/1/game/{game}/seat/{seat}/{user}": State,
    "tablelight/1/table/{table}/status/{user}": Status,
}
"""Topic -> what is said on it, under its seal."""
HOUSE = Path(home.__path__[0]) / "topics.json"
HOME_TOPICS = Topics("{table}")
HOME_SCHEMAS = {HOME_TOPICS.state: HomeState, HOME_TOPICS.event: HomeEvent}
"""Topic -> what is told on it, as JSON."""
HOME_WORDS = {
    HOME_TOPICS.status: {"enum": [ONLINE.decode(), OFFLINE.decode()]},
    HOME_TOPICS.new: {"const": PRESS.decode()},
    HOME_TOPICS.mode: {"enum": list(MODES)},
    HOME_TOPICS.brightness: {"type": "string", "pattern": "^([01]?[0-9]?[0-9]|2[0-4][0-9]|25[0-5])$"},
}
"""Topic -> what is told or asked on it, as text."""
LANGUAGE = {
    "name": "language",
    "in": "query",
    "description": "of the sentences; without it as Accept-Language says",
    "schema": {"enum": list(LANGUAGES)},
}


def schemas(*types: Any, template: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The schemas of `types`, and of all that they are made of."""
    found, parts = schema_components(types, ref_template=template)
    for part in parts.values():
        if "description" in part:  # some versions of msgspec leave the docstring as it is indented
            part["description"] = cleandoc(part["description"])
    return list(found), parts


def told(description: str, schema: dict[str, Any], type: str = "application/json") -> dict[str, Any]:
    """An answer."""
    return {"description": description, "content": {type: {"schema": schema}}}


def api() -> dict[str, Any]:
    """The OpenAPI document of `ROOT`; its schemas are JSON Schema, as OpenAPI 3.1 has it."""
    types = (TableNow, Taken, LinkForm, SeatsForm, SentenceForm, Problem, AnyRequest | AnySeatRequest)
    (table, taken, link_form, _, _, problem, asked), parts = schemas(*types, template=SCHEMAS)
    parts["Request"] = asked
    refused = {"default": told("It was refused, and the sentence says why.", problem, "application/problem+json")}
    guest = {
        "name": GUEST,
        "in": "header",
        "description": "a secret of its own by which a program is known again",
        "schema": {"type": "string", "maxLength": LONGEST_KEY},
    }
    stream = (
        "Server-sent events: *table*, whose data is a TableNow, *seats*, a SeatsForm, *said*, a SentenceForm, and, for "
        "those who may change something, *link*, a LinkForm."
    )
    return {
        "openapi": "3.1.1",
        "info": {
            "title": "Tablelight",
            "version": ROOT.rpartition("/v")[2],
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": ROOT}],
        "paths": {
            "/table": {
                "get": {
                    "summary": "The table as it stands",
                    "operationId": "table",
                    "parameters": [LANGUAGE],
                    "responses": {"200": told("All of it.", table), **refused},
                }
            },
            "/link": {
                "get": {
                    "summary": "The way to another table, with which this one may play",
                    "operationId": "link",
                    "parameters": [LANGUAGE],
                    "security": [{}, {"token": []}],
                    "responses": {"200": told("How far it is.", link_form), **refused},
                }
            },
            "/events": {
                "get": {
                    "summary": "The table each time that it changes, and what it says",
                    "operationId": "events",
                    "parameters": [
                        LANGUAGE,
                        guest,
                        {
                            "name": "Last-Event-ID",
                            "in": "header",
                            "description": "the number of the last sentence that was heard",
                            "schema": {"type": "integer"},
                        },
                    ],
                    "responses": {"200": told(stream, {"type": "string"}, "text/event-stream"), **refused},
                }
            },
            "/requests": {
                "post": {
                    "summary": "Something that is asked of the table",
                    "operationId": "ask",
                    "parameters": [LANGUAGE, guest],
                    "security": [{}, {"token": []}],
                    "requestBody": {
                        "required": True,
                        "content": {"application/json": {"schema": {"$ref": SCHEMAS.format(name="Request")}}},
                    },
                    "responses": {
                        "200": told("It is done.", taken),
                        "202": told("The other player is asked.", taken),
                        **refused,
                    },
                }
            },
        },
        "components": {
            "schemas": parts,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def topics() -> dict[str, Any]:
    """A JSON Schema for what is published; the title of each message is the pattern of its topic."""
    (_, *found), parts = schemas(Sealed, *TOPIC_SCHEMAS.values(), template="#/$defs/{name}")
    envelope = parts.pop("Sealed")
    names = {topic: f"Sealed{kind.__name__}" for topic, kind in TOPIC_SCHEMAS.items()}
    for (topic, name), schema in zip(names.items(), found, strict=True):
        parts[name] = envelope | {"title": topic, "properties": envelope["properties"] | {"said": schema}}
    return {
        "$schema": DIALECT,
        "title": "What tables that play with each other publish",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in names.values()],
        "$defs": parts,
    }


def house_topics() -> dict[str, Any]:
    """A JSON Schema for what a house is told, and may ask; the title of each message is the pattern of its topic."""
    found, parts = schemas(*HOME_SCHEMAS.values(), template="#/$defs/{name}")
    for topic, schema in zip(HOME_SCHEMAS, found, strict=True):
        parts[schema["$ref"].rpartition("/")[2]]["title"] = topic
    texts = [{"title": topic, "contentMediaType": "text/plain", **text} for topic, text in HOME_WORDS.items()]
    return {
        "$schema": DIALECT,
        "title": "What Home Assistant is told of a table, and may ask",
        "anyOf": [*found, *texts],
        "$defs": parts,
    }


def written(document: dict[str, Any]) -> str:
    """A document as its file has it."""
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def write() -> None:
    """Write all."""
    API.write_text(written(api()))
    TOPICS.write_text(written(topics()))
    HOUSE.write_text(written(house_topics()))


if __name__ == "__main__":
    write()
