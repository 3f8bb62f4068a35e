// Frames: a payload, its crc, and COBS around both. See docs/wire.md.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CRC_START = 0xffff };

// CRC-16/CCITT-FALSE, a byte further.
uint16_t crc_of(uint16_t crc, uint8_t byte);

// Decode `frame` in place. Returns the length of its payload, at least 2, or 0 where it is damaged.
uint8_t frame_open(uint8_t *frame, uint8_t length);

// Compose a frame: begin, then its body, then send. It goes out whole or, where the line has no room for it, not at all.
void frame_begin(uint8_t kind);
void frame_u8(uint8_t value);
void frame_u16(uint16_t value);
void frame_u32(uint32_t value);
bool frame_send(void);
