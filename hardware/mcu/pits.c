// Four buttons, each from its pin to ground: D8-D11, PB0-PB3. The scales are in scales.c.
#include <avr/interrupt.h>
#include <avr/io.h>

#include "debounce.h"
#include "messages.h"
#include "scales.h"
#include "table.h"

enum { BUTTON_PINS = 0x0f };

static volatile bool due;
static contacts buttons;

void table_open(void) {
    PORTB |= BUTTON_PINS; // pulled up
    scales_open();
    TCCR0A = _BV(WGM01);
    OCR0A = 249; // 16 MHz / 64 / 250: a thousand times a second
    TIMSK0 = _BV(OCIE0A);
    TCCR0B = _BV(CS01) | _BV(CS00);
}

ISR(TIMER0_COMPA_vect) {
    due = true;
}

bool table_watch(void) {
    if (!due) return false;
    due = false;
    uint8_t anew = debounce(&buttons, ~PINB & BUTTON_PINS);
    for (uint8_t i = 0; i < BUTTONS; i++)
        if (anew >> i & 1) tell_event(FIRST_BUTTON + i, buttons.settled >> i & 1);
    return true;
}

bool table_due(void) {
    return due;
}

uint8_t table_pressed(void) {
    return buttons.settled;
}

uint8_t table_levels(uint8_t index) {
    (void)index; // there are none
    return 0;
}
