// What the board says, and what it does when it is spoken to. See docs/wire.md.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Do what the frame asks that has come in, if any, and answer it.
void hear(void);

// Count a change, and tell it while the line has room; else a snapshot follows as soon as it has.
void tell_event(uint8_t channel, uint8_t level);

void tell_hello(void);
void tell_beat(void);

// Send a snapshot where an event could not be told.
void tell_owed(void);

// Changes count from now on; what stood on the table at the reset is none.
void count_events(void);
