"""A micro-controller board on a serial line: frames, the conversation, the port."""
