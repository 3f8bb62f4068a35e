// Why the chip was reset, and the watchdog: it runs from the start and bites after 250 ms.
#pragma once

#include <stdint.h>

// Bits: 1 power, 2 reset pin, 4 brown-out, 8 watchdog; 0 where a boot loader keeps it to itself.
uint8_t reset_cause(void);
