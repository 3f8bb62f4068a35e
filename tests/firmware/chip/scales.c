/* Twelve HX711 with one clock: each makes a reading every 100 ms or so in a rhythm of its own, pulls its line low, and gives 24
 * bits, the highest first, one a clock pulse; the 25th lets its line go. A clock that is high for 60 us switches it off. */
#include "chip.h"

#include "avr_ioport.h"

enum { BITS = 24, PULSES = 25, POWER_DOWN_US = 60, PERIOD_US = 100000, APART_US = 7321, SLOWER_US = 90 };

static struct {
    bool absent;
    int32_t value;
    uint32_t shown;     /* the reading being sent */
    uint64_t next;      /* when it has a reading again */
    unsigned pulses;
} scales[SCALES];
static uint64_t risen;

uint8_t matrix_buttons(void);

static uint64_t period(unsigned scale) { return (uint64_t)(PERIOD_US + scale * SLOWER_US) * MHZ; }

static bool ready(unsigned scale) { return !scales[scale].absent && avr->cycle >= scales[scale].next; }

void scales_set(unsigned scale, bool present, int32_t value) {
    scales[scale].absent = !present;
    scales[scale].value = value;
}

static bool line_high(unsigned scale) {
    if (scales[scale].absent) return true;
    if (scales[scale].pulses) return scales[scale].shown >> (BITS - scales[scale].pulses) & 1;
    return !ready(scale);
}

static void finish(unsigned scale) {
    scales[scale].pulses = 0;
    while (scales[scale].next <= avr->cycle) scales[scale].next += period(scale);
}

static void pulse(unsigned scale) {
    if (!scales[scale].pulses && !ready(scale)) return;
    if (!scales[scale].pulses) scales[scale].shown = scales[scale].value;
    if (++scales[scale].pulses == PULSES) finish(scale);
}

static void clocked(avr_irq_t *irq, uint32_t high, void *nothing) {
    (void)irq;
    (void)nothing;
    if (!high && risen && avr->cycle - risen > POWER_DOWN_US * MHZ) faults++;
    if (high) risen = avr->cycle;
    for (unsigned i = 0; high && i < SCALES; i++) pulse(i);
}

static uint8_t pins_of_scales(unsigned port) {
    uint8_t pins = reg(PORTB + 3 * port) & reg(DDRB + 3 * port);
    if (port == 0) return pins | matrix_buttons();
    for (unsigned i = 0; i < SCALES; i++) {
        unsigned bit = i < 6 ? i : i - 4;
        if ((port == 1) == (i < 6) && line_high(i)) pins |= 1 << bit;
    }
    return pins;
}

void scales_open(void) {
    chip_wire(pins_of_scales);
    for (unsigned i = 0; i < SCALES; i++) scales[i].next = period(i) + (uint64_t)i * APART_US * MHZ;
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 4), clocked, NULL);
}
