"""Konane, the traditional game of Hawaii: stones jump over each other in straight lines."""

from more_games.konane.rules import Konane

GAME = Konane
