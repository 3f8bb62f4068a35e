// Timer 1 counts and nothing else, so no tick is lost while interrupts are off.
#include "clock.h"

#include <avr/io.h>

static uint32_t ms;
static uint16_t counted;

void clock_open(void) {
    TCCR1A = 0;
    TCCR1B = _BV(CS11) | _BV(CS10); // 16 MHz / 64
}

uint16_t clock_ticks(void) {
    return TCNT1;
}

void clock_update(void) {
    while ((uint16_t)(clock_ticks() - counted) >= TICKS_A_MS) {
        counted += TICKS_A_MS;
        ms++;
    }
}

uint32_t clock_ms(void) {
    return ms;
}
