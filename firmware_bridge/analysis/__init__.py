"""What decided a recorded game: the value after each turn, the turns that lost most, and what was better."""
