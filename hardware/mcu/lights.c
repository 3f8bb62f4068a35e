#include "lights.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <string.h>

#include "clock.h"
#include "crc.h"

enum { COLOUR_BYTES = 3, LATCH_TICKS = 320 / TICK_US };

static uint8_t picture[PIXELS * COLOUR_BYTES];
static uint16_t last;

void lights_open(void) {
    DDRB |= _BV(DDB5);
    last = clock_ticks();
}

void lights_paint(uint16_t first, const uint8_t *colours, uint8_t count) {
    memcpy(picture + first * COLOUR_BYTES, colours, count * COLOUR_BYTES);
}

uint16_t lights_crc(void) {
    uint16_t crc = CRC_START;
    for (uint16_t i = 0; i < sizeof picture; i++) crc = crc_of(crc, picture[i]);
    return crc;
}

// Eight bits, the highest first, 19 or 20 cycles each (1.2 us): high for 6 cycles (0.38 us) is a 0, for 12 (0.75 us) a 1.
static inline __attribute__((always_inline)) void put(uint8_t byte) {
    uint8_t bits;
    __asm__ volatile("ldi  %[bits], 8\n"
                     "1: sbi  %[port], 5\n"
                     "   nop\n"
                     "   rjmp .+0\n"
                     "   sbrs %[byte], 7\n"
                     "   cbi  %[port], 5\n"
                     "   lsl  %[byte]\n"
                     "   rjmp .+0\n"
                     "   rjmp .+0\n"
                     "   cbi  %[port], 5\n"
                     "   rjmp .+0\n"
                     "   dec  %[bits]\n"
                     "   brne 1b\n"
                     : [bits] "=&d"(bits), [byte] "+r"(byte)
                     : [port] "I"(_SFR_IO_ADDR(PORTB)));
}

// What was sent before counts only once the line has been low for 280 us.
static void begin(void) {
    while ((uint16_t)(clock_ticks() - last) < LATCH_TICKS) clock_update();
    cli();
}

static void end(void) {
    sei();
    last = clock_ticks();
}

// Between two bits there may be 10 cycles more than usual, no more: the little that is to do is spread over the bytes.
void lights_show(void) {
    const uint8_t *colour = picture;
    begin();
    for (uint16_t left = PIXELS; left; left--) {
        put(colour[1]);
        put(colour[0]);
        uint8_t blue = colour[2];
        colour += COLOUR_BYTES;
        put(blue);
    }
    end();
}

void lights_fill(uint8_t red, uint8_t green, uint8_t blue) {
    begin();
    for (uint16_t left = PIXELS; left; left--) {
        put(green);
        put(red);
        put(blue);
    }
    end();
}
