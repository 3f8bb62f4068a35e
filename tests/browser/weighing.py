"""What a browser fetches, file by file: how much it is, and how much of that went over the line."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Page, Response, WebSocket


class Fetched(NamedTuple):
    """A file, in bytes: as it is, and as it came."""

    path: str
    whole: int
    sent: int


class Scale:
    """What `page` fetches from now on."""

    def __init__(self, page: Page) -> None:
        self._answers: list[Response] = []
        self.told = 0
        """The characters that the table has told over its line."""
        page.on("response", lambda answer: self._answers.append(answer))
        page.on("websocket", self._listen)

    def _listen(self, line: WebSocket) -> None:
        line.on("framereceived", lambda text: self._hear(len(text)))

    def _hear(self, characters: int) -> None:
        self.told += characters

    def files(self) -> list[Fetched]:
        """All files that have come, but fonts."""
        came = [answer for answer in self._answers if answer.request.resource_type != "font"]
        return [
            Fetched(urlsplit(answer.url).path, len(answer.body()), answer.request.sizes()["responseBodySize"])
            for answer in came
        ]
