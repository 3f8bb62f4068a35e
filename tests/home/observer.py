"""What Home Assistant does at a broker, as far as tests need it: it hears all of a table, and asks something of it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

PATIENCE = 40.0
"""Seconds for which something is waited for at most."""


class Observer:
    """A client at a broker on this computer that keeps the newest message on each topic, and all events.

    At a broker of the documented command, whose `folder` is given, it is this `user`.
    """

    def __init__(self, port: int, name: str = "kitchen", folder: Path | None = None, user: str = "") -> None:
        self.root = f"tablelight/1/home/{name}"
        self.kept: dict[str, bytes] = {}
        self.events: list[dict[str, Any]] = []
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self._client.on_message = self._hear
        if folder:
            self._client.tls_set(str(folder / "broker.crt"))
            self._client.username_pw_set(user, (folder / f"{user}.password").read_text().strip())
        self._client.connect("localhost" if folder else "127.0.0.1", port)
        self._client.subscribe([("homeassistant/#", 1), (f"{self.root}/#", 1)])

    def _hear(self, _: object, __: object, message: mqtt.MQTTMessage) -> None:
        if message.topic == f"{self.root}/event":
            self.events.append(json.loads(message.payload))
        else:
            self.kept[message.topic] = message.payload

    @property
    def status(self) -> bytes:
        """Whether the table is there."""
        return self.kept.get(f"{self.root}/status", b"")

    @property
    def state(self) -> dict[str, Any]:
        """How it stands."""
        told: dict[str, Any] = json.loads(self.kept.get(f"{self.root}/state", b"{}"))
        return told

    @property
    def discovery(self) -> dict[str, dict[str, Any]]:
        """Topic -> discovery message."""
        return {topic: json.loads(data) for topic, data in self.kept.items() if topic.startswith("homeassistant/")}

    def said(self, kind: str) -> int:
        """How many events of this kind were heard."""
        return sum(event["event_type"] == kind for event in self.events)

    def ask(self, what: str, payload: bytes | str, *, retain: bool = False) -> None:
        """Ask something; what is to be kept comes to who subscribes later."""
        self._client.publish(f"{self.root}/do/{what}", payload, qos=1, retain=retain)

    def listen(self, seconds: float) -> None:
        """Hear what comes for so long."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._client.loop(0.02)

    def wait(self, due: Callable[[], bool]) -> None:
        """Hear what comes until something is so."""
        until = time.monotonic() + PATIENCE
        while not due():
            assert time.monotonic() < until, (self.kept, self.events)
            self._client.loop(0.02)

    def close(self) -> None:
        """Go."""
        self._client.disconnect()
