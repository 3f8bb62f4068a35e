// CRC-16/CCITT-FALSE: begin with CRC_START, and take it a byte further with crc_of.
#pragma once

#include <avr/pgmspace.h>
#include <stdint.h>

enum { CRC_START = 0xffff };

// What each byte at the top of the crc makes of the rest: 256 high bytes, and as many low ones.
extern const uint8_t crc_table[2][256] PROGMEM;

// 11 cycles. The table begins at a whole page, so that its address need not be added to.
static inline __attribute__((always_inline)) uint16_t crc_of(uint16_t crc, uint8_t byte) {
    __asm__("eor  %B[crc], %[byte]\n"
            "mov  r30, %B[crc]\n"
            "ldi  r31, hi8(crc_table)\n"
            "lpm  %B[crc], Z\n"
            "eor  %B[crc], %A[crc]\n"
            "inc  r31\n"
            "lpm  %A[crc], Z\n"
            : [crc] "+r"(crc)
            : [byte] "r"(byte)
            : "r30", "r31");
    return crc;
}
