"""A game that begins with a position of a link: at a real table the lights ask for its pieces to be laid out."""

from __future__ import annotations

from firmware_bridge.session import New
from games.rules import load
from tests.session.screenless_players import ScreenlessTable

GAME = load("zong-heng", size=6)
STOOD = GAME.turns(GAME.turns(GAME.start())[0].after)[0].after


def test_the_pieces_of_a_position_are_laid_out_by_light() -> None:
    table = ScreenlessTable()
    asked = New("zong-heng", {"size": 6, "setup": "rows"}, position=str(STOOD))
    table.session.obey(asked, table.now)
    table.run(0.2)
    daemon = table.session.daemon
    assert daemon
    assert daemon.table.setting
    assert daemon.table.sheet.position == STOOD
    hands = table.seated()
    hands.put_right()
    hands.run(0.5)
    assert not daemon.table.setting
    assert hands.board.level(GAME.sites[0]) == STOOD.board[0]


def test_a_position_that_is_none_is_refused_at_a_real_table() -> None:
    table = ScreenlessTable()
    (told,) = table.session.obey(New("zong-heng", {"size": 6}, position="x.o"), table.now)
    assert told.name == "refused"
    assert table.session.menu is not None
