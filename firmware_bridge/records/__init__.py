"""What is kept on disk: records of games, and traces of every scan."""
