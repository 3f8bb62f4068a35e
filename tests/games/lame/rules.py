"""Where the class of a game with a faulty fast form says that it is."""
