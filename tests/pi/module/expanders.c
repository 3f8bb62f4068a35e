// SPDX-License-Identifier: GPL-2.0-only
/*
 * MCP23017 and PCF8575 on I2C bus 1, by their data sheets (Microchip DS20001952, NXP PCF8575), as far as inputs go: what
 * they drive themselves, interrupts, and the MCP23017's other numbering of its registers (BANK = 1) are left out. A pin
 * of an MCP23017 without its pull-up floats, and reads low.
 */
#include "expanders.h"

#include <linux/delay.h>
#include <linux/module.h>

#define LOWEST 0x20
#define IODIR 0x00
#define IPOL 0x02
#define GPPU 0x0c
#define GPIO 0x12
#define OLAT 0x14
#define SDA 2
#define SCL 3
#define BYTE_NS 22500		/* nine bits at 400 kHz */

static u8 pins_of(const struct expander *chip, u8 outside, int port)
{
	u8 inputs = chip->registers[IODIR + port], pulled = chip->registers[GPPU + port];
	u8 level = (inputs & outside & pulled) | (~inputs & chip->registers[OLAT + port]);

	return level ^ (inputs & chip->registers[IPOL + port]);
}

static u8 read_register(const struct expander *chip, const u8 *outside)
{
	u8 at = chip->pointer;

	return (at & ~1) == GPIO ? pins_of(chip, outside[at & 1], at & 1) : chip->registers[at];
}

static void write_register(struct expander *chip, u8 value)
{
	u8 at = (chip->pointer & ~1) == GPIO ? chip->pointer + OLAT - GPIO : chip->pointer;

	chip->registers[at] = value;
}

static void next(struct expander *chip)
{
	chip->pointer = (chip->pointer + 1) % REGISTERS;
}

static void told(struct expanders *e, struct expander *chip, const struct i2c_msg *message)
{
	for (int i = 0; i < message->len; i++) {
		if (e->quasi) {
			chip->latched[i % 2] = message->buf[i];
		} else if (!i) {
			chip->pointer = message->buf[0] % REGISTERS;
		} else {
			write_register(chip, message->buf[i]);
			next(chip);
		}
	}
}

static void asked(struct expanders *e, struct expander *chip, const u8 *outside, struct i2c_msg *message)
{
	for (int i = 0; i < message->len; i++) {
		if (e->quasi) {
			message->buf[i] = chip->latched[i % 2] & outside[i % 2];
		} else {
			message->buf[i] = read_register(chip, outside);
			next(chip);
		}
	}
}

static int exchange(struct expanders *e, struct i2c_msg *message)
{
	int number = message->addr - LOWEST;

	if (number < 0 || number >= e->count || *e->broken & (BIT_ULL(SDA) | BIT_ULL(SCL)))
		return -ENXIO;	/* nobody acknowledges */
	if (message->flags & I2C_M_RD)
		asked(e, &e->chips[number], e->inputs + 2 * number, message);
	else
		told(e, &e->chips[number], message);
	return 0;
}

static int transfer(struct i2c_adapter *bus, struct i2c_msg *messages, int count)
{
	struct expanders *e = i2c_get_adapdata(bus);
	unsigned long flags, takes = 0;
	int error = 0;

	spin_lock_irqsave(e->lock, flags);
	for (int i = 0; i < count && !error; i++) {
		error = exchange(e, &messages[i]);
		takes += (1 + messages[i].len) * BYTE_NS;
	}
	spin_unlock_irqrestore(e->lock, flags);
	usleep_range(takes / NSEC_PER_USEC, takes / NSEC_PER_USEC + 100);
	return error ?: count;
}

static u32 functions(struct i2c_adapter *bus)
{
	return I2C_FUNC_I2C;
}

static const struct i2c_algorithm wires = {
	.master_xfer = transfer,
	.functionality = functions,
};

void expanders_reset(struct expanders *e)
{
	memset(e->chips, 0, sizeof(e->chips));
	for (int i = 0; i < CHIPS; i++) {
		memset(e->chips[i].registers + IODIR, 0xff, 2);
		memset(e->chips[i].latched, 0xff, 2);
	}
}

int expanders_wire(struct expanders *e, const char *kind, int count)
{
	bool quasi = !strcmp(kind, "pcf8575");

	if ((!quasi && strcmp(kind, "mcp23017")) || count < 0 || count > CHIPS)
		return -EINVAL;
	e->quasi = quasi;
	e->count = count;
	expanders_reset(e);
	return 0;
}

int expanders_add(struct expanders *e, struct device *parent)
{
	expanders_reset(e);
	e->bus.owner = THIS_MODULE;
	e->bus.algo = &wires;
	e->bus.nr = 1;
	e->bus.dev.parent = parent;
	strscpy(e->bus.name, "bcm2835 (virtual table)", sizeof(e->bus.name));
	i2c_set_adapdata(&e->bus, e);
	return i2c_add_numbered_adapter(&e->bus);
}
