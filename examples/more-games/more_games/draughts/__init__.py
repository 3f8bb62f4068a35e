"""Draughts as it is played in England and America, where it is called checkers: eight squares a side."""

from more_games.draughts.rules import Draughts

GAME = Draughts
