// The board's own clock. It runs on while interrupts are off.
#pragma once

#include <stdint.h>

// Clock ticks of 4 us since some time; wraps around after 262 ms.
enum { TICK_US = 4, TICKS_A_MS = 250 };
uint16_t clock_ticks(void);

void clock_open(void);

// Bring the milliseconds up to date; call it at least every 200 ms.
void clock_update(void);

// Milliseconds since the reset, as of the last clock_update.
uint32_t clock_ms(void);
