// Why the chip was reset, and the watchdog.
#include "reset.h"

#include <avr/io.h>
#include <avr/wdt.h>

// Kept from before main; start-up clears all other variables after that.
static uint8_t cause __attribute__((section(".noinit")));

// After a reset by the watchdog it goes on running, at 16 ms: it must be set anew before the start-up code is through. A boot
// loader of the optiboot family clears the flags and leaves them in r2 instead.
void start_watchdog(void) __attribute__((naked, used, section(".init3")));
// cppcheck-suppress unusedFunction; the start-up code runs into it
void start_watchdog(void) {
    uint8_t kept;
    __asm__ volatile("mov %0, r2" : "=r"(kept));
    uint8_t flags = MCUSR;
    cause = flags ? flags : kept & 0x0f;
    MCUSR = 0;
    wdt_enable(WDTO_250MS);
}

uint8_t reset_cause(void) {
    return cause;
}
