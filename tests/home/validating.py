"""Home Assistant's own judgement of messages: run by a Python that has the package homeassistant, and nothing of ours.

Reads a JSON list of topics and payloads from standard input, the states last; writes the faults as a JSON list.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
from collections.abc import Iterator
from typing import Any

import voluptuous
from homeassistant.components.mqtt.discovery import SUPPORTED_COMPONENTS, TOPIC_MATCHER
from homeassistant.core import HomeAssistant
from homeassistant.helpers.template import Template


def faults(hass: HomeAssistant, topic: str, payload: dict[str, Any], states: list[dict[str, Any]]) -> Iterator[str]:
    """What keeps Home Assistant from showing the entity of a discovery message, or the table from standing there."""
    found = TOPIC_MATCHER.fullmatch(topic.removeprefix("homeassistant/"))
    if not found or found["component"] not in SUPPORTED_COMPONENTS:
        yield f"{topic} is no topic of discovery"
        return
    module = importlib.import_module(f"homeassistant.components.mqtt.{found['component']}")
    for name in ("DISCOVERY_SCHEMA", "PLATFORM_SCHEMA_MODERN"):
        try:
            taken = getattr(module, name)(json.loads(json.dumps(payload)))
        except voluptuous.Invalid as error:
            yield f"{topic}: {name}: {error}"
        else:
            yield from (f"{topic}: {key} is not known" for key in payload.keys() - taken.keys())
    for state in states:
        yield from misshown(hass, topic, found["component"], payload, state)


def misshown(
    hass: HomeAssistant, topic: str, component: str, payload: dict[str, Any], state: dict[str, Any]
) -> Iterator[str]:
    """What is wrong with a state as the entity shows it, by what its component takes."""
    if "value_template" not in payload:
        return
    told = Template(payload["value_template"], hass).async_render({"value_json": state}, parse_result=False)
    if component == "binary_sensor" and told not in ("ON", "OFF"):
        yield f"{topic}: {told!r} is neither ON nor OFF"
    if component == "select" and told not in payload["options"]:
        yield f"{topic}: {told!r} is no option"
    if component == "number" and not payload["min"] <= float(told) <= payload["max"]:
        yield f"{topic}: {told} is out of bounds"
    if component == "sensor" and (told in ("None", "unknown", "unavailable") or len(told) > 255):
        yield f"{topic}: {told!r} is no state of a sensor"


async def main() -> None:
    """Judge what comes on standard input."""
    hass = HomeAssistant("")
    given: dict[str, Any] = json.load(sys.stdin)
    discovery, states = given["discovery"], given["states"]
    found = [fault for topic, payload in discovery.items() for fault in faults(hass, topic, payload, states)]
    kinds = next(payload["event_types"] for payload in discovery.values() if "event_types" in payload)
    found += [f"{told} is no event" for told in given["events"] if told["event_type"] not in kinds]
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    asyncio.run(main())
