"""The puzzles from one's own games, for the page: whoever explains a game keeps them beside the records."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

from msgspec import json
from websockets.http11 import Response

from firmware_bridge.lessons import path_of, read_own
from firmware_bridge.web.files import TYPES, answer


def own_puzzles(records: Path | None, game: str) -> Response:
    """Those of `game`, the newest first, as JSON; none where the table keeps no `records`."""
    kept = read_own(path_of(records)) if records else []
    return answer(HTTPStatus.OK, json.encode([each for each in kept if each.game == game]), TYPES["json"])
