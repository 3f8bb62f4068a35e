"""Nine Men's Morris, a traditional game: three in a row take one."""

from more_games.morris.rules import Morris

GAME = Morris
