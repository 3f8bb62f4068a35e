"""Games for a Tablelight table beside those that come with it: one folder a game."""
