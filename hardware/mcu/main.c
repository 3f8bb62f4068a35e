// The board of a game table: it says what stands on the table, and shows the pictures it is given.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "breath.h"
#include "clock.h"
#include "debounce.h"
#include "lights.h"
#include "line.h"
#include "messages.h"
#include "table.h"
#ifdef PITS
#include "scales.h"
#endif

enum { BEAT_MS = 500 };

static void open_all(void) {
    EICRA = 0x0f; // no level interrupts: an emulator polls those all the time
    clock_open();
    lights_open();
    line_open();
    table_open();
    sei();
}

// What stands on the table at the reset is no change: look until it has settled, then begin to count.
static void first_look(void) {
    for (uint8_t looks = 0; looks < 2 * SAMPLES;) looks += table_watch();
    clock_update();
    count_events();
}

static void beat(void) {
    static uint32_t last;
    if (clock_ms() - last < BEAT_MS) return;
    last += BEAT_MS;
    tell_beat();
}

// Until the next interrupt, but not where there is something to do already.
static void rest(void) {
    cli();
    if (!table_due() && !line_waits()) {
        sleep_enable();
        sei(); // takes effect after the next instruction, so nothing slips in between
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

static void go_on(void) {
    wdt_reset();
    clock_update();
    table_watch();
#ifdef PITS
    scales_watch();
#endif
    hear();
    tell_owed();
    beat();
    breath_go_on();
}

int main(void) {
    open_all();
    line_put(0); // whatever the line has carried so far, a frame begins here
    first_look();
    lights_show();
    tell_hello();
    for (;;) {
        go_on();
        rest();
    }
}
