/* The UART as the data sheet has it, in place of libsimavr's, which has room for 64 bytes and waits for its reader: bytes arrive
 * at the speed of the line, two are kept, a third waits until the next one begins, and what is not read in time is lost. */
#include "chip.h"

#include <string.h>

enum { UCSRA = 0xc0, UCSRB, UCSRC, UBRRL = 0xc4, UBRRH, UDR };
enum { RXC = 0x80, TXC = 0x40, UDRE = 0x20, FE = 0x10, DOR = 0x08, U2X = 0x02 };
enum { RXEN = 0x10, TXEN = 0x08 };
enum { RX_VECTOR = 18, UDRE_VECTOR, TX_VECTOR, BITS = 10, QUEUE = 1 << 16 };

void (*uart_said)(uint64_t cycle, uint8_t byte);

static avr_int_vector_t *received, *emptied, *sent;

/* On the way to the chip. */
static uint8_t queue[QUEUE];
static unsigned first, count;
static bool arriving;

/* In the chip. */
static uint8_t kept[2], late;
static unsigned keeping;
static bool is_late, overrun;
static uint8_t leaving, next;
static bool is_leaving, has_next;

static void set(uint8_t bits) { avr->data[UCSRA] |= bits; }
static void clear(uint8_t bits) { avr->data[UCSRA] &= ~bits; }

static uint64_t outside_byte(void) { return (uint64_t)MHZ * 1000000 * BITS / baud; }

static uint64_t chip_byte(void) {
    unsigned divisor = reg(UBRRL) + ((reg(UBRRH) & 0x0f) << 8) + 1;
    return (uint64_t)divisor * (reg(UCSRA) & U2X ? 8 : 16) * BITS;
}

/* Both ends understand each other up to some 4 percent of difference. */
static bool in_tune(void) {
    int64_t apart = (int64_t)chip_byte() - (int64_t)outside_byte();
    return (apart < 0 ? -apart : apart) * 25 <= (int64_t)outside_byte();
}

static void keep(uint8_t byte) {
    kept[keeping++] = byte;
    avr_raise_interrupt(avr, received);
}

static void arrive(uint8_t byte) {
    if (!(reg(UCSRB) & RXEN) || !in_tune()) return;
    if (keeping < 2) keep(byte);
    else late = byte, is_late = true;
}

static avr_cycle_count_t arrival(avr_t *chip, avr_cycle_count_t when, void *nothing);

/* A start bit: a byte that is still waiting for room is lost. */
static void begin(uint64_t delay) {
    arriving = count > 0;
    if (!arriving) return;
    if (is_late) overrun = true;
    is_late = false;
    avr_cycle_timer_register(avr, delay, arrival, NULL);
}

static avr_cycle_count_t arrival(avr_t *chip, avr_cycle_count_t when, void *nothing) {
    (void)chip;
    (void)nothing;
    uint8_t byte = queue[first++ % QUEUE];
    count--;
    arrive(byte);
    begin(when + outside_byte() - avr->cycle);
    return 0;
}

void uart_hear(const uint8_t *bytes, unsigned length) {
    for (unsigned i = 0; i < length && count < QUEUE; i++) queue[(first + count++) % QUEUE] = bytes[i];
    if (!arriving) begin(outside_byte());
}

void uart_silence(void) {
    if (count) count = 1; /* the one on its way has begun */
}

static uint8_t read_data(avr_t *chip, avr_io_addr_t address, void *nothing) {
    (void)chip;
    (void)nothing;
    uint8_t byte = kept[0];
    avr_clear_interrupt(avr, received);
    clear(RXC | DOR);
    if (keeping) keeping--;
    kept[0] = kept[1];
    if (overrun) set(DOR);
    overrun = false;
    if (is_late) kept[keeping++] = late;
    is_late = false;
    if (keeping) avr_raise_interrupt(avr, received);
    return avr->data[address] = byte;
}

static avr_cycle_count_t departure(avr_t *chip, avr_cycle_count_t when, void *nothing);

static void leave(uint8_t byte) {
    leaving = byte;
    is_leaving = true;
    avr_cycle_timer_register(avr, chip_byte(), departure, NULL);
}

static avr_cycle_count_t departure(avr_t *chip, avr_cycle_count_t when, void *nothing) {
    (void)chip;
    (void)nothing;
    if (uart_said && in_tune()) uart_said(when, leaving);
    is_leaving = has_next;
    if (!has_next) {
        avr_raise_interrupt(avr, sent);
        return 0;
    }
    leaving = next;
    has_next = false;
    avr_raise_interrupt(avr, emptied);
    return when + chip_byte();
}

static void write_data(avr_t *chip, avr_io_addr_t address, uint8_t byte, void *nothing) {
    (void)chip;
    (void)address;
    (void)nothing;
    if (!(reg(UCSRB) & TXEN)) return;
    avr_clear_interrupt(avr, emptied);
    clear(UDRE);
    if (is_leaving) {
        next = byte;
        has_next = true;
        return;
    }
    leave(byte);
    avr_raise_interrupt(avr, emptied);
}

static void write_status(avr_t *chip, avr_io_addr_t address, uint8_t value, void *nothing) {
    (void)chip;
    (void)nothing;
    uint8_t cleared = value & TXC;
    avr->data[address] = (reg(address) & ~(U2X | cleared)) | (value & U2X);
}

/* Flags that are up already interrupt as soon as they may. */
static void write_control(avr_t *chip, avr_io_addr_t address, uint8_t value, void *nothing) {
    (void)chip;
    (void)nothing;
    avr->data[address] = value;
    if (reg(UCSRA) & RXC) avr_raise_interrupt(avr, received);
    if (reg(UCSRA) & UDRE) avr_raise_interrupt(avr, emptied);
}

static void write_divisor(avr_t *chip, avr_io_addr_t address, uint8_t value, void *nothing) {
    (void)chip;
    (void)nothing;
    avr->data[address] = value;
}

static void after_reset(avr_io_t *io) {
    (void)io;
    keeping = 0;
    is_late = overrun = is_leaving = has_next = false;
    avr->data[UCSRA] = UDRE;
    begin(outside_byte());
}

static avr_int_vector_t *vector(unsigned number) {
    for (unsigned i = 0; i < avr->interrupts.vector_count; i++)
        if (avr->interrupts.vector[i]->vector == number) return avr->interrupts.vector[i];
    return NULL;
}

static void on_write(unsigned address, avr_io_write_t call) {
    avr->io[AVR_DATA_TO_IO(address)].w.c = call;
}

void uart_open(void) {
    static avr_io_t io = {.kind = "line", .reset = after_reset};
    received = vector(RX_VECTOR);
    emptied = vector(UDRE_VECTOR);
    sent = vector(TX_VECTOR);
    avr->io[AVR_DATA_TO_IO(UDR)].r.c = read_data;
    avr->io[AVR_DATA_TO_IO(UCSRA)].r.c = NULL;
    on_write(UDR, write_data);
    on_write(UCSRA, write_status);
    on_write(UCSRB, write_control);
    on_write(UBRRL, write_divisor);
    avr_register_io(avr, &io);
}
