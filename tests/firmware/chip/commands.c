/* The words of ../README.md, a line each, each answered with one line. */
#include "chip.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 4 };

static struct {
    uint64_t cycle;
    uint8_t byte;
} *said;
static size_t heard, room;

static void hear(uint64_t cycle, uint8_t byte) {
    if (heard == room) {
        room = room ? 2 * room : 4096;
        void *more = realloc(said, room * sizeof *said);
        if (!more) abort();
        said = more;
    }
    said[heard].cycle = cycle;
    said[heard++].byte = byte;
}

static void tell_bytes(FILE *to) {
    for (size_t i = 0; i < heard; i++) fprintf(to, "%s%" PRIu64 ":%02x", i ? " " : "", said[i].cycle, said[i].byte);
    fputc('\n', to);
    heard = 0;
}

static bool send(const char *hex) {
    uint8_t bytes[4096];
    unsigned count = 0;
    for (; isxdigit(hex[0]) && isxdigit(hex[1]) && count < sizeof bytes; hex += 2) {
        char digits[3] = {hex[0], hex[1], 0};
        bytes[count++] = strtoul(digits, NULL, 16);
    }
    if (*hex) return false;
    uart_hear(bytes, count);
    return true;
}

static bool contact(unsigned row, unsigned column, bool closed, const char *bounce) {
    if (row > BUTTON_ROW || column >= COLUMNS) return false;
    matrix_contact(row, column, closed, atoi(bounce));
    return true;
}

static bool scale(unsigned which, const char *value) {
    if (which >= SCALES) return false;
    scales_set(which, strcmp(value, "absent"), atoi(value));
    return true;
}

static bool run(uint64_t us) {
    chip_run_until(avr->cycle + us * MHZ);
    return true;
}

/* A byte takes ten times as long, so that nothing is seen late. */
static bool listen_for(uint64_t us) {
    enum { GLANCE_US = 1 };
    for (uint64_t end = avr->cycle + us * MHZ; !heard && avr->cycle < end;) chip_run_until(avr->cycle + GLANCE_US * MHZ);
    return true;
}

static bool hang(void) {
    chip_hang();
    return true;
}

static bool diodes(const char *present) {
    matrix_diodes(*present == '1');
    return true;
}

static bool is(const char *word, const char *name) { return !strcmp(word, name); }

/* Words that are answered with ok, or error where they do not fit. */
static bool done(char **word, bool live) {
    if (is(word[0], "close") || is(word[0], "open"))
        return contact(atoi(word[1]), atoi(word[2]), is(word[0], "close"), word[3]);
    if (is(word[0], "press") || is(word[0], "release"))
        return contact(BUTTON_ROW, atoi(word[1]), is(word[0], "press"), word[2]);
    if (is(word[0], "diodes")) return diodes(word[1]);
    if (is(word[0], "scale")) return scale(atoi(word[1]), word[2]);
    if (is(word[0], "reset")) return chip_reset(word[1], atoi(word[2]));
    if (is(word[0], "hang")) return hang();
    if (is(word[0], "send") && !live) return send(word[1]);
    if (is(word[0], "listen") && !live) return listen_for(strtoull(word[1], NULL, 10));
    return is(word[0], "run") && !live && run(strtoull(word[1], NULL, 10));
}

/* Words that are answered with what they ask for. */
static bool told(char **word, FILE *to, bool live) {
    if (is(word[0], "picture")) strip_tell(to);
    else if (is(word[0], "time")) fprintf(to, "%" PRIu64 "\n", avr->cycle / MHZ);
    else if (is(word[0], "faults")) fprintf(to, "%u\n", faults);
    else if (is(word[0], "stack")) fprintf(to, "%u\n", chip_stack());
    else if (is(word[0], "bytes") && !live) tell_bytes(to);
    else if (is(word[0], "pictures") && !live) strip_tell_all(to);
    else return false;
    return true;
}

void command(char *line, FILE *to, bool live) {
    char *word[MOST_WORDS] = {"", "", "", ""}, *rest = line;
    for (unsigned i = 0; i < MOST_WORDS; i++) {
        char *next = strtok_r(rest, " \r\n", &rest);
        if (next) word[i] = next;
    }
    if (!live && !uart_said) uart_said = hear;
    if (told(word, to, live)) return;
    if (done(word, live)) fputs("ok\n", to);
    else fprintf(to, "error: %s %s %s\n", word[0], word[1], word[2]);
}
