// Both directions are driven by interrupts, each shorter than the 160 cycles that a byte takes at 1 Mbaud.
#include "line.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stddef.h>

// Double speed: 1,000,000 exactly, 115,200 as 117,647, which is what every Arduino does.
#define DIVISOR ((F_CPU + BAUD * 4) / (BAUD * 8) - 1)

// Two boxes take turns; `lengths` is 0 while a box is free or being filled.
static uint8_t boxes[2][LONGEST];
static volatile uint8_t lengths[2];
static uint8_t filling, reading; // which box
static uint8_t filled;           // bytes since the last zero; TOO_MANY where the frame is lost
static uint8_t *next = boxes[0]; // where the next byte goes

enum { TOO_MANY = LONGEST + 1 };

static uint8_t outgoing[256];
static volatile uint8_t head, tail;

void line_open(void) {
    PORTD |= _BV(PORTD0); // pulled up: no noise for frames where nobody is on the line
    UCSR0A = _BV(U2X0);
    UBRR0 = DIVISOR;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

static inline void keep(uint8_t byte) {
    if (filled >= LONGEST || lengths[filling]) {
        filled = TOO_MANY;
        return;
    }
    *next++ = byte;
    filled++;
}

static inline void finish(void) {
    if (filled && filled < TOO_MANY) {
        lengths[filling] = filled;
        filling ^= 1;
    }
    filled = 0;
    next = boxes[filling];
}

ISR(USART_RX_vect) {
    uint8_t byte = UDR0;
    if (byte) keep(byte);
    else finish();
}

ISR(USART_UDRE_vect) {
    UDR0 = outgoing[tail++];
    if (tail == head) UCSR0B &= ~_BV(UDRIE0);
}

uint8_t *line_frame(uint8_t *length) {
    *length = lengths[reading];
    return *length ? boxes[reading] : NULL;
}

void line_release(void) {
    lengths[reading] = 0;
    reading ^= 1;
}

uint8_t line_room(void) {
    return tail - head - 1;
}

void line_put(uint8_t byte) {
    outgoing[head] = byte;
    cli();
    head++;
    UCSR0B |= _BV(UDRIE0);
    sei();
}
