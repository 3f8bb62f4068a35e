"""Reversi, as Othello is played: discs between the new one and another of its colour are turned over."""

from more_games.reversi.rules import Reversi

GAME = Reversi
