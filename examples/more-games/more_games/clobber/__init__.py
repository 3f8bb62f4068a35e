"""Clobber, by Albert, Grossman and Nowakowski (2001): a stone takes the one that it lands on."""

from more_games.clobber.rules import Clobber

GAME = Clobber
