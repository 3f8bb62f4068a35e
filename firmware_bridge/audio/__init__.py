"""What is heard of the table: sentences said aloud, and a buzzer."""
