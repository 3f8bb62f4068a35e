#include "frame.h"

#include "crc.h"
#include "line.h"

enum { CRC_BYTES = 2, HEAD_BYTES = 2, LONGEST_BODY = 60, COBS_BYTES = 2, TOO_MANY = LONGEST + 1 };

// The frame that comes in, as far as it has: byte for byte as on the line, but each distance of COBS replaced by the zero that it
// stands for. So the first byte is a zero that belongs to nothing.
static uint8_t coming[LONGEST];
static uint8_t came; // TOO_MANY where the frame is lost
static uint8_t left; // bytes until the next distance

static uint8_t frame[HEAD_BYTES + LONGEST_BODY + CRC_BYTES];
static uint8_t size;
static uint8_t number;

static uint16_t crc_over(const uint8_t *bytes, uint8_t length) {
    uint16_t crc = CRC_START;
    while (length--) crc = crc_of(crc, *bytes++);
    return crc;
}

static inline void keep(uint8_t byte) {
    if (came >= LONGEST) {
        came = TOO_MANY;
        return;
    }
    if (left) left--;
    else left = byte - 1, byte = 0;
    coming[came++] = byte;
}

// The length of the payload that is whole with the zero that has come; 0 where none is.
static uint8_t finish(void) {
    uint8_t length = came - 1;
    bool whole = !left && came > HEAD_BYTES + CRC_BYTES && came <= LONGEST && !crc_over(coming + 1, length);
    came = left = 0;
    return whole ? length - CRC_BYTES : 0;
}

const uint8_t *frame_take(uint8_t *length) {
    *length = 0;
    for (uint8_t i = 0; i < LONGEST && !*length && line_waits(); i++) {
        uint8_t byte = line_take();
        if (byte) keep(byte);
        else *length = finish();
    }
    return coming + 1;
}

void frame_begin(uint8_t kind) {
    size = 0;
    frame_u8(kind);
    frame_u8(number);
}

void frame_u8(uint8_t value) {
    frame[size++] = value;
}

void frame_u16(uint16_t value) {
    frame_u8(value);
    frame_u8(value >> 8);
}

void frame_u32(uint32_t value) {
    frame_u16(value);
    frame_u16(value >> 16);
}

static uint8_t group_at(uint8_t from) {
    uint8_t group = 1;
    while (from < size && frame[from++]) group++;
    return group;
}

static void put_stuffed(void) {
    uint8_t from = 0;
    do {
        uint8_t group = group_at(from);
        line_put(group);
        while (--group) line_put(frame[from++]);
    } while (from++ < size);
    line_put(0);
}

bool frame_send(void) {
    if (line_room() < size + CRC_BYTES + COBS_BYTES) return false;
    uint16_t crc = crc_over(frame, size);
    frame_u8(crc >> 8);
    frame_u8(crc);
    put_stuffed();
    number++;
    return true;
}
