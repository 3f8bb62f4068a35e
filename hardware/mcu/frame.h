// Frames: a payload, its crc, and COBS around both. See docs/wire.md.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// A frame on the line without its zero.
enum { LONGEST = 69 };

// Take what has come in from the line, as much of it as makes a frame at most. Returns the payload of a frame that is whole by
// now, and its `length`, at least 2; 0 where there is none. It stays until the next call.
const uint8_t *frame_take(uint8_t *length);

// Compose a frame: begin, then its body, then send. It goes out whole or, where the line has no room for it, not at all.
void frame_begin(uint8_t kind);
void frame_u8(uint8_t value);
void frame_u16(uint16_t value);
void frame_u32(uint32_t value);
bool frame_send(void);
