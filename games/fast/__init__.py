"""The same rules a second time, in the form in which they are searched; proved equal to the readable ones."""
