// A matrix of 8 by 8 contacts and a row of buttons, each with a diode from its column to its row.
//
// A tenth of a millisecond for each line: it is pulled low, and read when its time is over, so that the columns have had that
// long to settle. Of the ten turns of a scan eight are rows, one is the buttons and one is over. Lines at rest are open.
//
//     columns 0-5  A0-A5  PC0-PC5     rows 0-5     D2-D7     PD2-PD7
//     columns 6-7  D8 D9  PB0 PB1     rows 6-7     D10 D11   PB2 PB3
//     strip        D13    PB5         button row   D12       PB4
#include <avr/interrupt.h>
#include <avr/io.h>

#include "debounce.h"
#include "messages.h"
#include "table.h"

enum { ROWS = 8, LINES = ROWS + 1, TURNS = 10 };
enum { COLUMNS_B = 0x03, COLUMNS_C = 0x3f, ROWS_B = 0x1c, ROWS_D = 0xfc };

static volatile uint8_t samples[LINES];
static volatile bool scanned;
static contacts lines[LINES];

void table_open(void) {
    PORTB |= COLUMNS_B; // pulled up
    PORTC |= COLUMNS_C;
    TCCR0A = _BV(WGM01);
    OCR0A = 199; // 16 MHz / 8 / 200: ten thousand times a second
    TIMSK0 = _BV(OCIE0A);
    TCCR0B = _BV(CS01);
}

static inline uint8_t closed(void) {
    return ~((PINC & COLUMNS_C) | PINB << 6);
}

// Pull line `turn` low, or none from LINES on. All lines are open for a moment first: no two are ever low.
static inline void pull_low(uint8_t turn) {
    DDRD &= ~ROWS_D;
    DDRB &= ~ROWS_B;
    if (turn < 6) DDRD |= 0x04 << turn;
    else if (turn < LINES) DDRB |= 0x04 << (turn - 6);
}

ISR(TIMER0_COMPA_vect) {
    static uint8_t turn = TURNS - 1;
    if (turn < LINES) samples[turn] = closed();
    if (turn == LINES - 1) scanned = true;
    if (++turn == TURNS) turn = 0;
    pull_low(turn);
}

// Tell of each contact of a line that has settled anew, the first of which is `channel`.
static void tell(uint8_t channel, uint8_t anew, uint8_t settled) {
    for (; anew; anew >>= 1, settled >>= 1, channel++)
        if (anew & 1) tell_event(channel, settled & 1);
}

bool table_watch(void) {
    if (!scanned) return false;
    scanned = false;
    for (uint8_t i = 0; i < LINES; i++) {
        uint8_t anew = debounce(&lines[i], samples[i]);
        if (anew) tell(i < ROWS ? i * 8 : FIRST_BUTTON, anew, lines[i].settled);
    }
    return true;
}

bool table_due(void) {
    return scanned;
}

uint8_t table_pressed(void) {
    return lines[ROWS].settled;
}

uint8_t table_levels(uint8_t index) {
    return lines[index].settled;
}
