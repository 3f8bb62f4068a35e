"""A table without hardware: pieces, hands that make turns and mistakes, sensors that fail, circuits on fake pins."""
