#include "frame.h"

#include <util/crc16.h>

#include "line.h"

enum { CRC_BYTES = 2, HEAD_BYTES = 2, LONGEST_BODY = 60, COBS_BYTES = 2 };

static uint8_t frame[HEAD_BYTES + LONGEST_BODY + CRC_BYTES];
static uint8_t size;
static uint8_t number;

uint16_t crc_of(uint16_t crc, uint8_t byte) {
    return _crc_xmodem_update(crc, byte);
}

static uint16_t crc_over(const uint8_t *bytes, uint8_t length) {
    uint16_t crc = CRC_START;
    while (length--) crc = crc_of(crc, *bytes++);
    return crc;
}

// Undo COBS in place. The result is never longer than what has been read. Returns its length, 0 where a group is cut off.
static uint8_t unstuff(uint8_t *bytes, uint8_t length) {
    uint8_t from = 0, to = 0;
    while (from < length) {
        uint8_t group = bytes[from++];
        if (group - 1 > length - from) return 0;
        for (uint8_t i = 1; i < group; i++) bytes[to++] = bytes[from++];
        if (from < length) bytes[to++] = 0;
    }
    return to;
}

uint8_t frame_open(uint8_t *bytes, uint8_t length) {
    length = unstuff(bytes, length);
    if (length < HEAD_BYTES + CRC_BYTES || crc_over(bytes, length)) return 0;
    return length - CRC_BYTES;
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
