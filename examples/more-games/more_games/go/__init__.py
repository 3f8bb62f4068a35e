"""Go, the traditional game of East Asia, on a small board."""

from more_games.go.rules import Go

GAME = Go
