"""A simulated table with simulated hands, and scripts of what happens at it."""
