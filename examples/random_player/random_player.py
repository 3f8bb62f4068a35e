"""A program that plays at random at a table, through /api/v1: an example with the standard library alone.

python random_player.py --game zig-zag --url http://127.0.0.1:8000
python random_player.py --side 1 --name Robin          plays White with whoever sits at the board

At a simulated table its turns are made by hands of that table. At a real one they are lit, and a hand there carries
them out; Undo there drops one, and it chooses again.
"""

from __future__ import annotations

import argparse
import json
import random
import secrets
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

SILENCE = 60.0
"""Seconds without a word from the table after which it is taken to be gone; it says something every 15."""


class Table:
    """A table with its page at `url`, and the token that allows changes; empty at a page of the same computer."""

    def __init__(self, url: str, token: str = "") -> None:
        self._url = f"{url.rstrip('/')}/api/v1"
        self._headers = {"Tablelight-Guest": secrets.token_hex(8)}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    def ask(self, do: str, **fields: Any) -> list[str]:
        """Ask something of the table: the names of what it has said to that. HTTPError where it is refused."""
        body = json.dumps({"do": do, **fields}).encode()
        headers = self._headers | {"Content-Type": "application/json"}
        with urlopen(Request(f"{self._url}/requests", body, headers), timeout=SILENCE) as answer:
            return [sentence["name"] for sentence in json.load(answer)["said"]]

    def states(self) -> Iterator[dict[str, Any]]:
        """The table as it stands, each time that it changes, and at times when it has not."""
        with urlopen(Request(f"{self._url}/events", headers=self._headers), timeout=SILENCE) as stream:
            name, state = "", None
            for line in stream:
                field, _, value = line.decode().rstrip("\n").partition(": ")
                if field == "event":
                    name = value
                elif field == "data" and name == "table":
                    state = json.loads(value)
                elif not field and state:  # a blank line ends an event
                    yield state
        raise ConnectionError("the table has gone")


def play(table: Table, luck: random.Random, sides: tuple[int, ...] = (0, 1), game: str = "") -> dict[str, Any]:
    """Play for these sides until the game, one of `game` if that is said, is over: the table as it stands then."""
    asked, lit, chosen = -1, False, (-1, "")
    for state in table.states():
        if game and state["game"] != game:
            continue  # the game before, until the other player has granted another
        made = state["before"] + len(state["turns"])
        if state["outcome"] is not None:
            return state
        if lit and not state["plan"] and made == asked:
            asked = -1  # nobody at the board wanted to carry it out
        lit = bool(state["plan"])
        if made > asked and state["state"] == "rest" and state["side"] in sides and state["turns_now"]:
            if chosen[0] != made:  # what the table was too busy for is asked again, and not another turn
                chosen = made, luck.choice(state["turns_now"])
            said = table.ask("make", turn=chosen[1])
            asked = -1 if {"still-busy", "not-begun", "no-such-turn"} & set(said) else made
            if "plans" in said:
                print("The table lights the turn: a hand carries it out.", flush=True)
    raise AssertionError("the table tells for ever, or is gone")


def main() -> int:
    """Play one game; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="the page of the table (default: %(default)s)")
    parser.add_argument("--token", default="", help="what stands behind the # of the page's address, if anything")
    parser.add_argument("--game", help="begin this game; without it the one in hand goes on")
    parser.add_argument("--side", type=int, choices=(0, 1), help="play for this side alone")
    parser.add_argument("--name", default="", help="take the seat of that side, under this name")
    parser.add_argument("--seed", type=int, help="the same turns each time")
    wanted = parser.parse_args()
    if wanted.name and wanted.side is None:
        parser.error("a seat is that of a side: say --side, too")
    table = Table(wanted.url, wanted.token)
    try:
        if wanted.game:
            table.ask("new", game=wanted.game)
        if wanted.name:
            table.ask("sit", side=wanted.side, name=wanted.name)
        sides = (0, 1) if wanted.side is None else (wanted.side,)
        over = play(table, random.Random(wanted.seed), sides, wanted.game or "")
    except HTTPError as refused:
        print(json.load(refused)["detail"])
        return 1
    except (URLError, OSError) as fault:
        print(f"The table at {wanted.url} cannot be reached ({fault}): start it with tablelight play --page.")
        return 1
    print(f"{over['outcome']} Turns: {over['before'] + len(over['turns'])}.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
