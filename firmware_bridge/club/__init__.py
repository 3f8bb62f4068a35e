"""An evening of many tables at one broker: who plays whom, what became of it, and the wall of all boards."""
