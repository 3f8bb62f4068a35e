/* SPDX-License-Identifier: GPL-2.0-only */
/* Chips on an I2C bus with sixteen inputs each, for the table of circuit.c; the licence is told there. */
#ifndef EXPANDERS_H
#define EXPANDERS_H

#include <linux/i2c.h>
#include <linux/spinlock.h>

#define CHIPS 8			/* at the most: three pins choose the address */
#define REGISTERS 22		/* of an MCP23017 */

struct expander {
	u8 registers[REGISTERS], pointer;	/* MCP23017 */
	u8 latched[2];				/* PCF8575: what was written to its pins */
};

struct expanders {
	struct i2c_adapter bus;
	spinlock_t *lock;	/* the table's */
	const u8 *inputs;	/* what stands at the inputs, two bytes a chip; a closed switch makes 0 */
	const u64 *broken;	/* GPIOs whose wire is off */
	int count;
	bool quasi;		/* PCF8575, else MCP23017 */
	struct expander chips[CHIPS];
};

/* The bus, which i2c_del_adapter() takes away again. */
int expanders_add(struct expanders *e, struct device *parent);

/* `count` chips of a kind, at the addresses from 0x20 on, which have just got their supply. */
int expanders_wire(struct expanders *e, const char *kind, int count);

/* The supply of all fails for a moment. */
void expanders_reset(struct expanders *e);

#endif
