"""A Firefox without a window, led over WebDriver BiDi: as much of it as a `Player` needs.

Debian's Firefox takes the protocol on a WebSocket (https://w3c.github.io/webdriver-bidi/), so the library that the
program uses anyway is all it takes; Playwright leads a Firefox of its own alone.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

PATIENCE = 60.0
"""Seconds after which a test gives up."""
WINDOW = {"width": 1280, "height": 800}
SETTINGS = """\
user_pref("app.normandy.enabled", false);
user_pref("app.update.disabledForTesting", true);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("intl.accept_languages", "en-GB");
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("toolkit.telemetry.enabled", false);
user_pref("ui.prefersReducedMotion", 1);
"""
"""A profile that asks nothing of anybody, in which nothing moves."""


def missing() -> str:
    """What is missing, in a sentence; empty if nothing is."""
    found = shutil.which("firefox-esr") or shutil.which("firefox")
    return "" if found else "the page's tests in Firefox need it: apt-get install firefox-esr"


@contextmanager
def firefox(profile: Path) -> Iterator[Line]:
    """A Firefox whose profile, and all that it writes, lies in a folder."""
    (profile / "user.js").write_text(SETTINGS)
    command = [shutil.which("firefox-esr") or "firefox", "--headless", "--no-remote", "--profile", str(profile)]
    process = subprocess.Popen(
        [*command, "--remote-debugging-port", "0"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        told = profile / "WebDriverBiDiServer.json"
        end = time.monotonic() + PATIENCE
        while not told.exists() or not told.read_text():
            assert process.poll() is None, "Firefox has ended"
            assert time.monotonic() < end, "Firefox tells no port"
            time.sleep(0.05)
        port = json.loads(told.read_text())["ws_port"]
        with connect(f"ws://127.0.0.1:{port}/session", max_size=None, open_timeout=PATIENCE) as socket:
            line = Line(socket)
            line.ask("session.new", capabilities={})
            line.ask("session.subscribe", events=["log.entryAdded"])
            yield line
    finally:
        process.terminate()
        process.wait(PATIENCE)


class Line:
    """The conversation: commands and their answers, and what the browser complains of."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._number = socket, 0
        self.faults: list[str] = []

    def ask(self, method: str, **told: Any) -> Any:
        """The answer to a command; AssertionError where the browser refuses it."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": told}))
        while True:
            answer = json.loads(self._socket.recv(PATIENCE))
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] in ("error", "warn"):
                self.faults.append(answer["params"]["text"])
            if answer.get("id") == self._number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def window(self) -> Window:
        """A new window."""
        context = self.ask("browsingContext.create", type="window")["context"]
        self.ask("browsingContext.setViewport", context=context, viewport=WINDOW)
        return Window(self, context)


class Window:
    """What a `Player` asks of Playwright's page, of a window of Firefox."""

    viewport_size = WINDOW

    def __init__(self, line: Line, context: str) -> None:
        self._line, self._context = line, context
        self.mouse = Mouse(line, context)

    def on(self, name: str, hear: Callable[[Any], None]) -> None:
        """Nothing: what the browser complains of is in `Line.faults`."""

    def goto(self, url: str) -> None:
        """Open a page."""
        self._line.ask("browsingContext.navigate", context=self._context, url=url, wait="interactive")

    def evaluate(self, function: str, told: Any = None) -> Any:
        """What comes of a function of the page, of one argument at most."""
        answer = self._line.ask(
            "script.callFunction", target={"context": self._context}, awaitPromise=True,
            functionDeclaration=f"async (told) => JSON.stringify(await ({function})(JSON.parse(told)) ?? null)",
            arguments=[{"type": "string", "value": json.dumps(told)}],
        )  # fmt: skip
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return json.loads(answer["result"]["value"])

    def close(self) -> None:
        """Close it."""
        self._line.ask("browsingContext.close", context=self._context)


class Mouse:
    """Its pointer."""

    def __init__(self, line: Line, context: str) -> None:
        self._line, self._context = line, context

    def _do(self, *actions: dict[str, Any]) -> None:
        pointer = {"type": "pointer", "id": "mouse", "actions": list(actions)}
        self._line.ask("input.performActions", context=self._context, actions=[pointer])

    def move(self, x: float, y: float) -> None:
        """Move to a place in the window, in CSS pixels."""
        self._do({"type": "pointerMove", "x": round(x), "y": round(y)})

    def down(self) -> None:
        """Press."""
        self._do({"type": "pointerDown", "button": 0})

    def up(self) -> None:
        """Let go."""
        self._do({"type": "pointerUp", "button": 0})

    def click(self, x: float, y: float) -> None:
        """Press and let go there."""
        self.move(x, y)
        self._do({"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})
