// What stands on the table and which buttons are pressed; matrix.c and pits.c each have one of these.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef PITS
enum { SENSE = 2, CHANNELS = 12, BUTTONS = 4, LEVEL_BYTES = 0 };
#else
enum { SENSE = 0, CHANNELS = 64, BUTTONS = 8, LEVEL_BYTES = 8 };
#endif
enum { FIRST_BUTTON = 0xf0 };

// Set up pins and timer; call it before interrupts are on.
void table_open(void);

// Look once more where it is time to, and tell what has settled; call it at least once a millisecond. Returns whether it looked.
bool table_watch(void);

// True when table_watch has something to do: do not sleep now.
bool table_due(void);

// Settled: a bit a button, and a bit a channel from the lowest of the first byte up.
uint8_t table_pressed(void);
uint8_t table_levels(uint8_t index);
