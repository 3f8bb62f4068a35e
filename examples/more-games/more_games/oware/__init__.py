"""Oware, by the rules called Abapa: seeds are sown around the board, and twos and threes captured."""

from more_games.oware.rules import Oware

GAME = Oware
