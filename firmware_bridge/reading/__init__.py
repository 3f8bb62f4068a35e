"""What the hands do: from raw levels of sensors to a verdict on the game in hand."""
