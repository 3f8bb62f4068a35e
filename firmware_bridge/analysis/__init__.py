"""What decided a recorded game: the value after each turn, the turns that lost most, and what was better."""

MADE, FAILED = b"made", b"failed"
"""What the process that makes a report says last: it is written, or cannot be."""
