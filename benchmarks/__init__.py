"""What the published figures come from."""
