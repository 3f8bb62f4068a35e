/* Starts the chip and lets time pass. See ../README.md for how to use it. */
#include "chip.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim_elf.h"

avr_t *avr;
bool pits;
unsigned baud = 1000000;
unsigned faults;

static uint64_t target;
static pins_reader pins;
static struct {
    bool hung;
    uint32_t at;
    uint8_t code[2];
} hang;

static void quiet(avr_t *chip, const int level, const char *format, va_list values) {
    (void)chip;
    if (level <= LOG_ERROR) vfprintf(stderr, format, values);
}

/* A sleeping chip does not make the tests wait. */
static void sleep_on(avr_t *chip, avr_cycle_count_t cycles) {
    (void)chip;
    (void)cycles;
}

static avr_cycle_count_t stop(avr_t *chip, avr_cycle_count_t when, void *nothing) {
    (void)chip;
    (void)when;
    (void)nothing;
    return 0;
}

/* A timer at the end keeps a sleeping chip from sleeping past it. */
static void set_end(void) {
    if (target > avr->cycle) avr_cycle_timer_register(avr, target - avr->cycle, stop, NULL);
}

static uint8_t read_pins(avr_t *chip, avr_io_addr_t address, void *port) {
    (void)chip;
    avr->data[address] = pins((unsigned)(uintptr_t)port);
    return avr->data[address];
}

void chip_wire(pins_reader reader) {
    pins = reader;
    for (unsigned port = 0; port < 3; port++) {
        unsigned io = AVR_DATA_TO_IO(PINB + 3 * port);
        avr->io[io].r.c = read_pins;
        avr->io[io].r.param = (void *)(uintptr_t)port;
    }
}

static void mend(void) {
    if (hang.hung) memcpy(avr->flash + hang.at, hang.code, 2);
    hang.hung = false;
}

static void after_reset(avr_io_t *io) {
    (void)io;
    mend();
    set_end();
}

void chip_open(const char *firmware) {
    static avr_io_t io = {.kind = "surroundings", .reset = after_reset};
    elf_firmware_t code = {0};
    avr_global_logger_set(quiet);
    avr = avr_make_mcu_by_name("atmega328p");
    if (!avr || elf_read_firmware(firmware, &code)) {
        fprintf(stderr, "chip: %s is not a firmware\n", firmware);
        exit(2);
    }
    avr_init(avr);
    avr_load_firmware(avr, &code);
    avr->frequency = MHZ * 1000000;
    avr->sleep = sleep_on;
    avr_register_io(avr, &io);
    uart_open();
    strip_open();
    if (pits) scales_open();
    else matrix_open();
    chip_reset("power", 0);
}

void chip_run_until(uint64_t cycle) {
    target = cycle;
    set_end();
    while (avr->cycle < target) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            fprintf(stderr, "chip: crashed at %x\n", avr->pc);
            exit(3);
        }
    }
}

/* Memory after power has been off holds anything; no firmware may count on zeros. */
static uint8_t leftover(unsigned at) { return at * 151 ^ 0x5a; }

static void forget(void) {
    for (unsigned at = 0x100; at <= avr->ramend; at++) avr->data[at] = leftover(at);
}

/* It has come down to where memory still holds what it held when the power came. */
unsigned chip_stack(void) {
    enum { SURELY = 32 };
    unsigned at = avr->ramend, same = 0;
    for (; same < SURELY; at--) same = avr->data[at] == leftover(at) ? same + 1 : 0;
    return avr->ramend - at - SURELY;
}

bool chip_reset(const char *kind, unsigned flags) {
    static const char *const kinds[] = {"power", "pin", "brownout", "watchdog"};
    bool loader = !strcmp(kind, "loader");
    unsigned cause = 0;
    while (cause < 4 && strcmp(kind, kinds[cause])) cause++;
    if (cause == 4 && !loader) return false;
    avr_reset(avr);
    avr->state = cpu_Running;
    avr->data[MCUSR] = loader ? 0 : 1 << cause;
    avr->data[2] = flags;
    if (!cause) forget();
    return true;
}

/* Where the main program is next, put an endless loop until the next reset. Interrupts are let out first. */
void chip_hang(void) {
    mend();
    while (!avr->sreg[S_I] || avr->state != cpu_Sleeping) chip_run_until(avr->cycle + 1);
    hang.hung = true;
    hang.at = avr->pc;
    memcpy(hang.code, avr->flash + hang.at, 2);
    memcpy(avr->flash + hang.at, "\xff\xcf", 2); /* rjmp to itself */
}

static struct {
    const char *firmware, *link, *control;
    bool dtr;
    double speed;
} wish = {.speed = 1};

static int usage(void) {
    fputs("chip FIRMWARE.elf [--pits] [--baud N] [--pty LINK [--control SOCKET] [--dtr] [--speed X]]\n", stderr);
    return 2;
}

/* Take an option and what follows it; returns how many words that were, 0 where it is none. */
static int take(const char *word, const char *value) {
    if (!strcmp(word, "--pits")) return pits = true;
    if (!strcmp(word, "--dtr")) return wish.dtr = true;
    if (word[0] != '-') return wish.firmware = word, 1;
    if (!value) return 0;
    if (!strcmp(word, "--baud")) return baud = atoi(value), 2;
    if (!strcmp(word, "--pty")) return wish.link = value, 2;
    if (!strcmp(word, "--control")) return wish.control = value, 2;
    return strcmp(word, "--speed") ? 0 : (wish.speed = atof(value), 2);
}

static int in_lock_step(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        command(line, stdout, false);
        fflush(stdout);
    }
    return 0;
}

int main(int count, char **words) {
    for (int i = 1, taken; i < count; i += taken)
        if (!(taken = take(words[i], words[i + 1]))) return usage();
    if (!wish.firmware || !baud || wish.speed <= 0) return usage();
    chip_open(wish.firmware);
    return wish.link ? live(wish.link, wish.control, wish.dtr, wish.speed) : in_lock_step();
}
