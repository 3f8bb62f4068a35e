// Twelve HX711: clock D12 (PB4) for all of them, data of scales 0-5 A0-A5 (PC0-PC5), of 6-11 D2-D7 (PD2-PD7).
//
// A scale that has a reading pulls its data line low. Each has a rhythm of its own, so the reading waits until all have one.
#include "scales.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdbool.h>
#include <stdint.h>
#include <util/delay.h>

#include "clock.h"
#include "frame.h"
#include "table.h"

enum { READINGS = 0x87, BITS = 24, SCALES_C = 0x3f, SCALES_D = 0xfc, CLOCK = _BV(PORTB4) };
// Scales make ten readings a second, give or take some; one that has none for the longer time is not waited for.
enum { SOONEST_MS = 90, LATEST_MS = 150 };

// A bit a scale, the highest bits of all readings first.
static uint16_t bits[BITS];

void scales_open(void) {
    DDRB |= CLOCK;
    PORTC |= SCALES_C; // pulled up: where there is no scale, none is ready
    PORTD |= SCALES_D;
}

static uint16_t data(void) {
    return (PINC & SCALES_C) | (uint16_t)(PIND & SCALES_D) << 4;
}

// The next bit of each scale. The clock may not be high for longer than 50 us, or the scales switch off: no interrupt then.
static uint16_t next(void) {
    cli();
    PORTB |= CLOCK;
    _delay_us(1);
    uint16_t now = data();
    PORTB &= ~CLOCK;
    sei();
    return now;
}

static void read_all(void) {
    for (uint8_t i = 0; i < BITS; i++) bits[i] = next();
    next(); // one pulse more: channel A, gain 128 next time
}

// Eight bits of the scale whose bit is set in `scale`, from bit `first` on.
static uint8_t eight(uint8_t first, uint16_t scale) {
    uint8_t value = 0;
    for (const uint16_t *all = bits + first; all != bits + first + 8; all++) {
        value <<= 1;
        if (*all & scale) value |= 1;
    }
    return value;
}

// 24 bits, two's complement; the lowest number there is where the scale had no reading.
static void tell_reading(uint16_t scale, bool ready) {
    frame_u8(ready ? eight(16, scale) : 0);
    frame_u8(ready ? eight(8, scale) : 0);
    frame_u8(ready ? eight(0, scale) : 0x80);
}

// The program's bytes arrive meanwhile, so it must not take long.
static void tell_readings(uint16_t unready) {
    frame_begin(READINGS);
    frame_u32(clock_ms());
    frame_u8(0);
    for (uint16_t scale = 1; scale < 1 << CHANNELS; scale <<= 1) tell_reading(scale, !(unready & scale));
    frame_send();
}

void scales_watch(void) {
    static uint32_t last;
    uint32_t since = clock_ms() - last;
    if (since < SOONEST_MS) return;
    uint16_t unready = data();
    if (unready && since < LATEST_MS) return;
    last = clock_ms();
    read_all();
    tell_readings(unready);
}
