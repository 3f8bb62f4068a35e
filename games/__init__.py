"""Pure rules of the four games: standard library only, no clock, no files, no randomness."""
