/* Reads the strip's data line as lights do. `pictures` has a group a picture, in cycles of 62.5 ns:
 *
 *     BEGIN,END,BITS,ZERO_MIN,ZERO_MAX,ONE_MIN,ONE_MAX,PERIOD_MIN,PERIOD_MAX,GAP,RRGGBB...
 *
 * how long the line was high for zeros and ones, from rise to rise within the picture, and low before it. */
#include "chip.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "avr_ioport.h"

/* Above THRESHOLD a pulse is a one; a line that has been low for LATCH ends a picture. */
enum { THRESHOLD = 525 * MHZ / 1000, LATCH = 50 * MHZ, MOST_BYTES = 3 * 1024, HISTORY = 4096 };

typedef struct {
    uint64_t least, most;
} span;

static struct picture {
    uint64_t begin, end, gap;
    unsigned bits;
    span zeros, ones, periods;
    uint8_t bytes[MOST_BYTES];
} now;

static bool drawing;
static uint64_t risen, fallen;
static char *history[HISTORY];
static unsigned told;
static char last[2 * MOST_BYTES + 32] = "-";

static void include(span *all, uint64_t value) {
    if (!all->most || value < all->least) all->least = value;
    if (value > all->most) all->most = value;
}

/* Lights take green first. */
static unsigned in_rgb(unsigned byte) { return byte - byte % 3 + (const unsigned[]){1, 0, 2}[byte % 3]; }

static void print_colours(FILE *to) {
    for (unsigned i = 0; i < now.bits / 8; i++) fprintf(to, "%02x", now.bytes[in_rgb(i)]);
}

static void print_span(FILE *to, span all) { fprintf(to, "%" PRIu64 ",%" PRIu64 ",", all.least, all.most); }

static void describe(FILE *to) {
    fprintf(to, "%" PRIu64 ",%" PRIu64 ",%u,", now.begin, now.end, now.bits);
    print_span(to, now.zeros);
    print_span(to, now.ones);
    print_span(to, now.periods);
    fprintf(to, "%" PRIu64 ",", now.gap);
    print_colours(to);
}

/* For `pictures`, as long as there is room: nobody may ever ask for them. */
static void keep(void) {
    size_t size;
    if (told == HISTORY) return;
    FILE *to = open_memstream(&history[told++], &size);
    describe(to);
    fclose(to);
}

static void show(void) {
    FILE *to = fmemopen(last, sizeof last, "w");
    print_colours(to);
    fclose(to);
}

static void latch(void) {
    if (!drawing || avr->cycle - fallen < LATCH) return;
    drawing = false;
    now.end = fallen;
    keep();
    show();
}

static void begin(void) {
    memset(&now, 0, sizeof now);
    now.begin = avr->cycle;
    now.gap = avr->cycle - fallen;
    drawing = true;
}

static void rise(void) {
    latch();
    if (drawing) include(&now.periods, avr->cycle - risen);
    else begin();
    risen = avr->cycle;
}

static void fall(void) {
    uint64_t high = avr->cycle - risen;
    bool one = high > THRESHOLD;
    include(one ? &now.ones : &now.zeros, high);
    if (one && now.bits / 8 < MOST_BYTES) now.bytes[now.bits / 8] |= 0x80 >> now.bits % 8;
    now.bits++;
    fallen = avr->cycle;
}

static void changed(avr_irq_t *irq, uint32_t high, void *nothing) {
    (void)irq;
    (void)nothing;
    if (high) rise();
    else fall();
}

void strip_open(void) { avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 5), changed, NULL); }

void strip_tell(FILE *to) {
    latch();
    fprintf(to, "%s\n", last);
}

void strip_tell_all(FILE *to) {
    latch();
    for (unsigned i = 0; i < told; i++) {
        fprintf(to, "%s%s", i ? " " : "", history[i]);
        free(history[i]);
    }
    told = 0;
    fputc('\n', to);
}
