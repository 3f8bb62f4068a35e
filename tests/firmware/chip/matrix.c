/* Contacts between rows and columns, with and without diodes, and the buttons' row; or buttons alone, each from its pin to ground.
 *
 * Electrically: a column reads low where something pulls it low, high where its pull-up is on and has had RISE to lift the wire, and
 * low where neither is so, as a floating line may read anything and low is the reading that does harm here. */
#include "chip.h"

enum { LINES = ROWS + 1, RISE_US = 20, CHATTER_US = 90 };

typedef struct {
    uint8_t port, bit;
} pin;

static const pin rows[LINES] = {{2, 2}, {2, 3}, {2, 4}, {2, 5}, {2, 6}, {2, 7}, {0, 2}, {0, 3}, {0, 4}};
static const pin columns[COLUMNS] = {{1, 0}, {1, 1}, {1, 2}, {1, 3}, {1, 4}, {1, 5}, {0, 0}, {0, 1}};

static struct {
    bool closed;
    uint64_t settles; /* until then it chatters */
} contacts[LINES][COLUMNS];
static bool diodes = true;
static uint8_t low_before; /* columns that were low before the lines last changed */
static uint64_t changed;

static uint8_t ddr(pin at) { return reg(DDRB + 3 * at.port) >> at.bit & 1; }
static uint8_t port(pin at) { return reg(PORTB + 3 * at.port) >> at.bit & 1; }
static bool drives(pin at, bool high) { return ddr(at) && port(at) == high; }

void matrix_contact(unsigned row, unsigned column, bool closed, unsigned bounce_us) {
    contacts[row][column].closed = closed;
    contacts[row][column].settles = avr->cycle + (uint64_t)bounce_us * MHZ;
}

void matrix_diodes(bool present) { diodes = present; }

/* Chatter is made of the time and the place, so it is the same in every run. */
static bool conducts(unsigned row, unsigned column) {
    if (avr->cycle >= contacts[row][column].settles) return contacts[row][column].closed;
    uint32_t mixed = (avr->cycle / (CHATTER_US * MHZ) + 1) * 2654435761u ^ (row * 8 + column + 1) * 40503u;
    return (mixed ^ mixed >> 15) * 2246822519u >> 31;
}

static void spread_rows(uint8_t low_columns, uint16_t *low_rows) {
    for (unsigned row = 0; row < LINES; row++)
        for (unsigned column = 0; column < COLUMNS; column++)
            if (low_columns >> column & 1 && conducts(row, column)) *low_rows |= 1 << row;
}

static uint8_t spread_columns(uint16_t low_rows) {
    uint8_t low = 0;
    for (unsigned row = 0; row < LINES; row++)
        for (unsigned column = 0; column < COLUMNS; column++)
            if (low_rows >> row & 1 && conducts(row, column)) low |= 1 << column;
    return low;
}

static uint16_t driven_rows(bool high) {
    uint16_t which = 0;
    for (unsigned row = 0; row < LINES; row++) which |= drives(rows[row], high) << row;
    return which;
}

/* Which columns are pulled low. Without diodes a low column pulls the other rows down whose contacts are closed, and those their
 * columns, and so on. */
static uint8_t low_columns(void) {
    uint16_t low_rows = driven_rows(false), before;
    uint8_t low;
    do {
        before = low_rows;
        low = spread_columns(low_rows);
        if (!diodes) spread_rows(low, &low_rows);
    } while (low_rows != before);
    return low;
}

static uint8_t column_levels(void) {
    uint8_t low = low_columns();
    if (avr->cycle < changed + RISE_US * MHZ) low |= low_before;
    uint8_t levels = 0;
    for (unsigned i = 0; i < COLUMNS; i++)
        if (!(low >> i & 1) && port(columns[i]) && !ddr(columns[i])) levels |= 1 << i;
    return levels;
}

static uint8_t pins_of_matrix(unsigned port) {
    uint8_t levels = column_levels(), pins = reg(PORTB + 3 * port) & reg(DDRB + 3 * port);
    for (unsigned i = 0; i < COLUMNS; i++)
        if (columns[i].port == port && levels >> i & 1) pins |= 1 << columns[i].bit;
    return pins;
}

/* Two lines low, a line driven high, a column driven at all: short circuits as soon as the wrong contacts close. */
static void check(void) {
    uint16_t low = driven_rows(false);
    bool wrong = (low & (low - 1)) || driven_rows(true);
    for (unsigned i = 0; i < COLUMNS; i++) wrong |= ddr(columns[i]);
    faults += wrong;
}

static avr_io_write_t write_direction[3];

static void before_direction(avr_t *chip, avr_io_addr_t address, uint8_t value, void *port) {
    low_before = low_columns() | (avr->cycle < changed + RISE_US * MHZ ? low_before : 0);
    write_direction[(address - DDRB) / 3](chip, address, value, port);
    changed = avr->cycle;
    check();
}

/* Buttons alone: 0 to 3 on PB0 to PB3. */
static uint8_t buttons_down(void) {
    uint8_t down = 0;
    for (unsigned i = 0; i < COLUMNS; i++) down |= conducts(BUTTON_ROW, i) << i;
    return down;
}

void matrix_open(void) {
    chip_wire(pins_of_matrix);
    for (unsigned which = 0; which < 3; which++) {
        unsigned io = AVR_DATA_TO_IO(DDRB + 3 * which);
        write_direction[which] = avr->io[io].w.c;
        avr->io[io].w.c = before_direction;
    }
}

uint8_t matrix_buttons(void) { return ~buttons_down() & reg(PORTB) & 0x0f; }
