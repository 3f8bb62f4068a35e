"""Tablut, as Linnaeus saw it played in Lapland in 1732: a king breaks out, and his enemies shut him in."""

from more_games.tablut.rules import Tablut

GAME = Tablut
