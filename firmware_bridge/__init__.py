"""The bridge between what the hardware says and what the rules allow."""
