/* An ATmega328P, and around it what a table wires to its pins. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim_avr.h"

enum { MHZ = 16, ROWS = 8, COLUMNS = 8, BUTTON_ROW = ROWS, SCALES = 12 };

/* Addresses in data space, as the data sheet has them. */
enum { PINB = 0x23, DDRB, PORTB, PINC, DDRC, PORTC, PIND, DDRD, PORTD, MCUSR = 0x54 };

extern avr_t *avr;
extern bool pits;        /* scales and buttons instead of the matrix */
extern unsigned baud;    /* of the other end of the line */
extern unsigned faults;  /* what the chip did that would harm or upset its surroundings */

/* chip.c */
void chip_open(const char *firmware);
void chip_run_until(uint64_t cycle);
bool chip_reset(const char *kind, unsigned flags);
void chip_hang(void);
unsigned chip_stack(void);       /* the most bytes it has had since the power came */

/* uart.c: the real thing has room for two bytes, and holds a third until the next one begins. */
void uart_open(void);
void uart_hear(const uint8_t *bytes, unsigned count);
void uart_silence(void);                                  /* what is still on its way to the chip is lost */
extern void (*uart_said)(uint64_t cycle, uint8_t byte);   /* a byte from the chip, at its stop bit */

/* matrix.c; scales.c */
void matrix_open(void);
void matrix_contact(unsigned row, unsigned column, bool closed, unsigned bounce_us);
void matrix_diodes(bool present);
void scales_open(void);
void scales_set(unsigned scale, bool present, int32_t value);

/* strip.c */
void strip_open(void);
void strip_tell(FILE *to);      /* the last whole picture */
void strip_tell_all(FILE *to);  /* all since the last time, with their timing */

/* commands.c: do what a line says and answer it with one line; `live` where time runs by itself */
void command(char *line, FILE *to, bool live);

/* pty.c */
int live(const char *link, const char *control, bool dtr, double speed);

/* Port registers are read where the surroundings say what is on the pins: a bit a pin, of ports B, C, D (0, 1, 2). */
typedef uint8_t (*pins_reader)(unsigned port);
void chip_wire(pins_reader pins);
static inline uint8_t reg(unsigned address) { return avr->data[address]; }
