"""What the lights show: from a view of the table to cues, to colours, to the strip."""
