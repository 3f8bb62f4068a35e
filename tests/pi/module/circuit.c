// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table wired to the header of a Raspberry Pi, as a kernel sees one: a chip of 54 GPIOs with a matrix of switches and
 * push buttons on it, or multiplexers, and an SPI bus with a strip of WS2812 as device 0 and as device 1 a chain of
 * 74HC165 or an MCP3008; and an I2C bus with expanders (expanders.c). It is wired as docs/sensors.md has it: the strip
 * hears device 0 alone, and a resistor pulls the converter's MISO up.
 *
 * A test tool for a virtual machine (tests/pi). It is under the GPL, as modules of the kernel must be that use its GPIO
 * and SPI; it is built and loaded by tests alone, and nothing of it is linked into Tablelight, copied into it or
 * shipped with it, whose licence is MIT.
 *
 * Hands act by writing one command a write to virtual_table/do in debugfs:
 *
 *     rows 4,17,27         columns 23,24,25     the lines of the matrix, 16 each at the most; all switches open then
 *     diodes 1             one at each switch; current flows from column to row alone
 *     switch 0 2 1         the switch at row 0 and column 2 closes (0: opens)
 *     bounce 800           a switch that changes is now closed and now open for so many microseconds
 *     press 18 1           a button from this GPIO to ground is pressed (0: released)
 *     stuck 23 0           this wire is shorted to ground (1: to 3.3 V, -1: no more)
 *     broken 23 1          this wire is off its GPIO (0: on again); 9, 10, 11 are MISO, MOSI and the clock of SPI
 *     registers 25,23,24,8 the GPIOs of load, clock and data of the 74HC165, and how many there are, of which the last
 *                          one hears its own inverted output; none: no chain
 *     multiplexers 22,...  the GPIOs at S0 to S3 of all 74HC4067, and at Z of each; with no Z there is an MCP3008 as
 *                          SPI device 1, with a multiplexer at each input
 *     mcp23017 5           so many of these on the I2C bus, at the addresses from 0x20 on; pcf8575 4: of those
 *     supply               the supply of these chips fails for a moment
 *     input 63 0           what stands at an input of registers, multiplexers or expanders; a closed switch makes it 0
 *     reading 63 712       what the converter reads there, 0 to 1023; multiplexer 3 has the inputs from 48 on
 *
 * virtual_table/strip tells what the strip heard last: a line "TRANSFERS RATE SIZE", then the bytes; RATE in bits a
 * second. virtual_table/shorts has a bit for each GPIO that was driven high while something pulled it low.
 *
 * Edges of buttons are told to who asks for them; no test does, for Tablelight reads levels.
 *
 * What it leaves out: voltages between high and low, capacity of wires (a line is at its level at once), other chips.
 */
#include "expanders.h"

#include <linux/bitmap.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/gpio/driver.h>
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/mod_devicetable.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/spi/spi.h>
#include <linux/uaccess.h>

#define LINES 54		/* GPIOs of a BCM2835 */
#define SIDE 16			/* rows, and columns, at the most */
#define CHAIN 32		/* registers at the most */
#define POSITIONS 16		/* of a multiplexer */
#define MULTIPLEXERS 8		/* at the most */
#define HEARD 65536		/* bytes of the strip's last transfer that are kept */
#define MISO 9
#define MOSI 10
#define SCLK 11
#define CORE 250000000		/* Hz; what docs/lights.md sets, and SPI divides by an even number */
#define STEP_NS 40000		/* a contact that bounces changes so often; a guess */
#define LEAST_SLEEP 100		/* microseconds; what takes less is no matter */

struct table {
	spinlock_t lock;
	struct gpio_chip chip;
	struct irq_work fire;
	struct dentry *folder;
	/* A bit for each GPIO. */
	u64 out, value, up, down;			/* as the program has set it */
	u64 pressed, stuck_low, stuck_high, broken;	/* as hands and faults have */
	u64 shorts;
	u64 enabled, rising, falling, pending;		/* interrupts */
	/* The matrix. */
	int rows[SIDE], columns[SIDE], height, width;
	bool diodes;
	u16 closed[SIDE];
	u64 changed[SIDE][SIDE], restless_until, bounce;	/* nanoseconds */
	/* The registers: what stands at the inputs, what was latched and is shifted out. */
	int load, clock, data, chained;
	u8 inputs[CHAIN], shifted[CHAIN];
	/* The multiplexers: their select lines and, but where a converter is behind them, their outputs. */
	int select[4], outputs[MULTIPLEXERS], multiplexed;
	bool converts;
	u16 readings[MULTIPLEXERS * POSITIONS];
	struct expanders expanders;
	/* The strip. */
	u8 *heard;
	u32 size, rate, transfers;
};

static u64 bits_of(const int *lines, int count, u32 which)
{
	u64 bits = 0;

	for (int i = 0; i < count; i++)
		if (which >> i & 1)
			bits |= BIT_ULL(lines[i]);
	return bits;
}

static u32 members(const int *lines, int count, u64 bits)
{
	u32 which = 0;

	for (int i = 0; i < count; i++)
		if (bits >> lines[i] & 1)
			which |= BIT(i);
	return which;
}

/* The columns that this row's switches touch at this moment. */
static u16 touching(struct table *t, int row, u64 now)
{
	u16 closed = t->closed[row];

	if (now >= t->restless_until)
		return closed;
	for (int column = 0; column < t->width; column++)
		if (now - t->changed[row][column] < t->bounce &&
		    hash_64(now / STEP_NS * SIDE * SIDE + row * SIDE + column, 1))
			closed ^= BIT(column);
	return closed;
}

/* Of the wires that are pulled low, those that switches join to them as well. */
static u64 spread(struct table *t, u64 low)
{
	u32 rows = members(t->rows, t->height, low), columns = members(t->columns, t->width, low), before;
	u64 now = ktime_get_ns();
	u16 touched[SIDE];

	for (int row = 0; row < t->height; row++)
		touched[row] = touching(t, row, now);
	do {
		before = rows << SIDE | columns;
		for (int row = 0; row < t->height; row++) {
			if (rows >> row & 1)
				columns |= touched[row];
			else if (!t->diodes && touched[row] & columns)
				rows |= BIT(row);
		}
	} while (before != (rows << SIDE | columns));
	return low | bits_of(t->rows, t->height, rows) | bits_of(t->columns, t->width, columns);
}

static bool data_bit(struct table *t)
{
	return (t->value & t->out) >> t->load & 1 ? t->shifted[0] >> 7 : t->inputs[0] >> 7;
}

/* The sensor of each multiplexer that is joined through. */
static u32 position(struct table *t)
{
	return members(t->select, 4, t->out & t->value & ~t->broken);
}

/* Outputs of multiplexers that a closed switch pulls low. */
static u64 multiplexed(struct table *t)
{
	u64 low = 0;

	for (int i = 0; i < t->multiplexed; i++) {
		u32 input = POSITIONS * i + position(t);

		if (!(t->inputs[input / 8] >> input % 8 & 1))
			low |= BIT_ULL(t->outputs[i]);
	}
	return low;
}

/* The levels that the GPIOs read. */
static u64 levels(struct table *t)
{
	u64 high = t->out & t->value, driven_low = t->out & ~t->value;
	u64 own = high | (~t->out & t->up);	/* with nothing outside */
	u64 low = (driven_low & ~t->broken) | t->pressed | t->stuck_low;

	if (t->data >= 0 && !data_bit(t))
		low |= BIT_ULL(t->data);
	low = spread(t, low | multiplexed(t));
	t->shorts |= (high & ~t->broken & low) | (driven_low & ~t->broken & t->stuck_high);
	return (own & t->broken) | ((own | t->stuck_high) & ~low & ~t->broken);
}

/* Registers ---------------------------------------------------------------------------------- */

static void shift(struct table *t)
{
	for (int i = 0; i < t->chained; i++)
		t->shifted[i] = t->shifted[i] << 1 |
				(i + 1 < t->chained ? t->shifted[i + 1] >> 7 : !(t->shifted[i] >> 7));
}

static bool loading(struct table *t)
{
	return t->load >= 0 && !((t->out & t->value) >> t->load & 1);
}

/* After outputs have changed from `before`. */
static void clocked(struct table *t, u64 before)
{
	u64 rose = t->out & t->value & ~before;

	if (t->load >= 0 && rose >> t->load & 1)
		memcpy(t->shifted, t->inputs, CHAIN);
	else if (t->clock >= 0 && rose >> t->clock & 1 && !loading(t))
		shift(t);
}

/* GPIO --------------------------------------------------------------------------------------- */

static int get_direction(struct gpio_chip *chip, unsigned int line)
{
	struct table *t = gpiochip_get_data(chip);

	return t->out >> line & 1 ? GPIO_LINE_DIRECTION_OUT : GPIO_LINE_DIRECTION_IN;
}

static int direction_input(struct gpio_chip *chip, unsigned int line)
{
	struct table *t = gpiochip_get_data(chip);
	unsigned long flags;

	spin_lock_irqsave(&t->lock, flags);
	t->out &= ~BIT_ULL(line);
	spin_unlock_irqrestore(&t->lock, flags);
	return 0;
}

static void set_lines(struct table *t, u64 mask, u64 value, u64 out)
{
	unsigned long flags;
	u64 before;

	spin_lock_irqsave(&t->lock, flags);
	before = t->out & t->value;
	t->value = (t->value & ~mask) | (value & mask);
	t->out |= out;
	clocked(t, before);
	levels(t);	/* for shorts */
	spin_unlock_irqrestore(&t->lock, flags);
}

static int direction_output(struct gpio_chip *chip, unsigned int line, int value)
{
	set_lines(gpiochip_get_data(chip), BIT_ULL(line), value ? BIT_ULL(line) : 0, BIT_ULL(line));
	return 0;
}

static void set(struct gpio_chip *chip, unsigned int line, int value)
{
	set_lines(gpiochip_get_data(chip), BIT_ULL(line), value ? BIT_ULL(line) : 0, 0);
}

static void set_multiple(struct gpio_chip *chip, unsigned long *mask, unsigned long *bits)
{
	set_lines(gpiochip_get_data(chip), mask[0], bits[0], 0);
}

static u64 read_lines(struct gpio_chip *chip)
{
	struct table *t = gpiochip_get_data(chip);
	unsigned long flags;
	u64 read;

	spin_lock_irqsave(&t->lock, flags);
	read = levels(t);
	spin_unlock_irqrestore(&t->lock, flags);
	return read;
}

static int get(struct gpio_chip *chip, unsigned int line)
{
	return read_lines(chip) >> line & 1;
}

static int get_multiple(struct gpio_chip *chip, unsigned long *mask, unsigned long *bits)
{
	bits[0] = (bits[0] & ~mask[0]) | (read_lines(chip) & mask[0]);
	return 0;
}

/* As on a Pi there are pulls and no open drain, which the kernel then does by turning a line into an input. */
static int set_config(struct gpio_chip *chip, unsigned int line, unsigned long config)
{
	struct table *t = gpiochip_get_data(chip);
	enum pin_config_param what = pinconf_to_config_param(config);
	unsigned long flags;

	if (what != PIN_CONFIG_BIAS_PULL_UP && what != PIN_CONFIG_BIAS_PULL_DOWN && what != PIN_CONFIG_BIAS_DISABLE)
		return -ENOTSUPP;
	spin_lock_irqsave(&t->lock, flags);
	t->up &= ~BIT_ULL(line);
	t->down &= ~BIT_ULL(line);
	if (what == PIN_CONFIG_BIAS_PULL_UP)
		t->up |= BIT_ULL(line);
	if (what == PIN_CONFIG_BIAS_PULL_DOWN)
		t->down |= BIT_ULL(line);
	spin_unlock_irqrestore(&t->lock, flags);
	return 0;
}

/* Interrupts: edges that hands make. Those of rows that the program strobes itself are left out. --- */

static void enable(struct irq_data *data, bool on)
{
	struct gpio_chip *chip = irq_data_get_irq_chip_data(data);
	struct table *t = gpiochip_get_data(chip);
	irq_hw_number_t line = irqd_to_hwirq(data);
	unsigned long flags;

	spin_lock_irqsave(&t->lock, flags);
	t->enabled = (t->enabled & ~BIT_ULL(line)) | (on ? BIT_ULL(line) : 0);
	spin_unlock_irqrestore(&t->lock, flags);
}

static void irq_mask(struct irq_data *data)
{
	enable(data, false);
	gpiochip_disable_irq(irq_data_get_irq_chip_data(data), irqd_to_hwirq(data));
}

static void irq_unmask(struct irq_data *data)
{
	gpiochip_enable_irq(irq_data_get_irq_chip_data(data), irqd_to_hwirq(data));
	enable(data, true);
}

static int irq_set_type(struct irq_data *data, unsigned int type)
{
	struct table *t = gpiochip_get_data(irq_data_get_irq_chip_data(data));
	u64 line = BIT_ULL(irqd_to_hwirq(data));
	unsigned long flags;

	if (type & IRQ_TYPE_LEVEL_MASK)
		return -EINVAL;
	spin_lock_irqsave(&t->lock, flags);
	t->rising = (t->rising & ~line) | (type & IRQ_TYPE_EDGE_RISING ? line : 0);
	t->falling = (t->falling & ~line) | (type & IRQ_TYPE_EDGE_FALLING ? line : 0);
	spin_unlock_irqrestore(&t->lock, flags);
	return 0;
}

static const struct irq_chip edges = {
	.name = "virtual-table",
	.irq_mask = irq_mask,
	.irq_unmask = irq_unmask,
	.irq_set_type = irq_set_type,
	.flags = IRQCHIP_IMMUTABLE,
	GPIOCHIP_IRQ_RESOURCE_HELPERS,
};

static void fire(struct irq_work *work)
{
	struct table *t = container_of(work, struct table, fire);
	unsigned long flags;
	u64 pending;

	spin_lock_irqsave(&t->lock, flags);
	pending = t->pending;
	t->pending = 0;
	spin_unlock_irqrestore(&t->lock, flags);
	for (int line = 0; line < LINES; line++)
		if (pending >> line & 1)
			generic_handle_domain_irq(t->chip.irq.domain, line);
}

/* Hands -------------------------------------------------------------------------------------- */

static int lines_of(const char *text, int *lines, int most)
{
	int numbers[SIDE + 1];

	get_options(text, most + 1, numbers);
	for (int i = 0; i < numbers[0]; i++)
		if (numbers[i + 1] < 0 || numbers[i + 1] >= LINES)
			return -EINVAL;
	memcpy(lines, numbers + 1, numbers[0] * sizeof(int));
	return numbers[0];
}

static int put_bit(u64 *bits, int line, bool on)
{
	if (line < 0 || line >= LINES)
		return -EINVAL;
	*bits = (*bits & ~BIT_ULL(line)) | (on ? BIT_ULL(line) : 0);
	return 0;
}

static int put_switch(struct table *t, int row, int column, bool on)
{
	if (row < 0 || row >= t->height || column < 0 || column >= t->width)
		return -EINVAL;
	if ((t->closed[row] >> column & 1) == on)
		return 0;
	t->closed[row] ^= BIT(column);
	t->changed[row][column] = ktime_get_ns();
	t->restless_until = t->changed[row][column] + t->bounce;
	return 0;
}

static int put_input(struct table *t, int input, bool on)
{
	if (input < 0 || input >= 8 * CHAIN)
		return -EINVAL;
	t->inputs[input / 8] = (t->inputs[input / 8] & ~BIT(input % 8)) | (on ? BIT(input % 8) : 0);
	return 0;
}

static int put_reading(struct table *t, int input, int value)
{
	if (input < 0 || input >= MULTIPLEXERS * POSITIONS || value < 0 || value > 1023)
		return -EINVAL;
	t->readings[input] = value;
	return 0;
}

static int wire_multiplexers(struct table *t, const char *lines)
{
	int numbers[SIDE] = {}, count = lines_of(lines, numbers, SIDE);

	if (count < 0 || (count && (count < 4 || count > 4 + MULTIPLEXERS)))
		return -EINVAL;
	t->converts = count == 4;
	t->multiplexed = max(count - 4, 0);
	memcpy(t->select, numbers, sizeof(t->select));
	memcpy(t->outputs, numbers + 4, t->multiplexed * sizeof(int));
	return 0;
}

static int wire(struct table *t, const char *command)
{
	int count, lines[SIDE];

	if (!strncmp(command, "rows ", 5) || !strncmp(command, "columns ", 8)) {
		bool rows = command[0] == 'r';

		count = lines_of(strchr(command, ' ') + 1, rows ? t->rows : t->columns, SIDE);
		if (count < 0)
			return count;
		*(rows ? &t->height : &t->width) = count;
		memset(t->closed, 0, sizeof(t->closed));
		return 0;
	}
	if (!strncmp(command, "multiplexers ", 13))
		return wire_multiplexers(t, command + 13);
	if (strncmp(command, "registers ", 10))
		return -EINVAL;
	count = lines_of(command + 10, lines, 4);
	if (count != 0 && (count != 4 || lines[3] < 1 || lines[3] > CHAIN))
		return -EINVAL;
	t->load = count ? lines[0] : -1;
	t->clock = count ? lines[1] : -1;
	t->data = count ? lines[2] : -1;
	t->chained = count ? lines[3] : 0;
	return 0;
}

static int obey(struct table *t, const char *command)
{
	char word[16];
	int a, b, c;

	if (sscanf(command, "switch %d %d %d", &a, &b, &c) == 3)
		return put_switch(t, a, b, c);
	if (sscanf(command, "input %d %d", &a, &b) == 2)
		return put_input(t, a, b);
	if (sscanf(command, "reading %d %d", &a, &b) == 2)
		return put_reading(t, a, b);
	if (sscanf(command, "press %d %d", &a, &b) == 2)
		return put_bit(&t->pressed, a, b);
	if (sscanf(command, "broken %d %d", &a, &b) == 2)
		return put_bit(&t->broken, a, b);
	if (sscanf(command, "stuck %d %d", &a, &b) == 2)
		return put_bit(&t->stuck_low, a, b == 0) ?: put_bit(&t->stuck_high, a, b == 1);
	if (sscanf(command, "diodes %d", &a) == 1)
		t->diodes = a;
	else if (sscanf(command, "bounce %d", &a) == 1)
		t->bounce = (u64)a * NSEC_PER_USEC;
	else if (!strcmp(command, "supply"))
		expanders_reset(&t->expanders);
	else if (sscanf(command, "%15s %d", word, &a) == 2 && (!strcmp(word, "mcp23017") || !strcmp(word, "pcf8575")))
		return expanders_wire(&t->expanders, word, a);
	else
		return wire(t, command);
	return 0;
}

static ssize_t do_write(struct file *file, const char __user *text, size_t size, loff_t *at)
{
	struct table *t = file->private_data;
	u64 before, after;
	unsigned long flags;
	char command[128];
	int error;

	if (size >= sizeof(command))
		return -EINVAL;
	if (copy_from_user(command, text, size))
		return -EFAULT;
	command[size] = 0;
	spin_lock_irqsave(&t->lock, flags);
	before = levels(t);
	error = obey(t, command);
	after = levels(t);
	t->pending |= t->enabled & ((t->rising & ~before & after) | (t->falling & before & ~after));
	spin_unlock_irqrestore(&t->lock, flags);
	if (t->pending)
		irq_work_queue(&t->fire);
	return error ?: size;
}

static const struct file_operations do_file = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = do_write,
};

/* The strip ---------------------------------------------------------------------------------- */

struct picture {
	size_t size;
	char text[];
};

/* What is read from a file that was opened is one picture, however often it is read. */
static int strip_open(struct inode *inode, struct file *file)
{
	struct table *t = inode->i_private;
	struct picture *picture = kmalloc(sizeof(*picture) + HEARD + 64, GFP_KERNEL);
	unsigned long flags;

	if (!picture)
		return -ENOMEM;
	spin_lock_irqsave(&t->lock, flags);
	picture->size = sprintf(picture->text, "%u %u %u\n", t->transfers, t->rate, t->size);
	memcpy(picture->text + picture->size, t->heard, t->size);
	picture->size += t->size;
	spin_unlock_irqrestore(&t->lock, flags);
	file->private_data = picture;
	return 0;
}

static ssize_t strip_read(struct file *file, char __user *to, size_t size, loff_t *at)
{
	struct picture *picture = file->private_data;

	return simple_read_from_buffer(to, size, at, picture->text, picture->size);
}

static int strip_close(struct inode *inode, struct file *file)
{
	kfree(file->private_data);
	return 0;
}

static const struct file_operations strip_file = {
	.owner = THIS_MODULE,
	.open = strip_open,
	.read = strip_read,
	.release = strip_close,
};

/* SPI ---------------------------------------------------------------------------------------- */

static u32 divided(u32 rate)
{
	u32 divisor = DIV_ROUND_UP(CORE, max(rate, 1U));

	return CORE / (divisor + divisor % 2);
}

static void to_strip(struct table *t, const struct spi_transfer *transfer, u32 rate)
{
	if (!transfer->tx_buf || t->broken & (BIT_ULL(MOSI) | BIT_ULL(SCLK)))
		return;
	t->size = min_t(u32, transfer->len, HEARD);
	memcpy(t->heard, transfer->tx_buf, t->size);
	t->rate = rate;
	t->transfers++;
}

static void from_registers(struct table *t, u8 *to, u32 size)
{
	bool silent = t->broken & BIT_ULL(MISO), unclocked = loading(t) || t->broken & BIT_ULL(SCLK);

	for (u32 i = 0; i < size; i++) {
		u8 byte = 0;

		for (int bit = 0; bit < 8; bit++) {
			byte = byte << 1 | (silent ? t->up >> MISO & 1 : data_bit(t));
			if (!unclocked)
				shift(t);
		}
		if (to)
			to[i] = byte;
	}
}

/* One conversion: a start bit, which input, and ten bits behind a low one; else a resistor holds the line high. */
static void from_converter(struct table *t, const u8 *command, u8 *to, u32 size)
{
	u16 reading;

	if (!to)
		return;
	memset(to, 0xff, size);
	if (size != 3 || !command || command[0] != 1 || !(command[1] & 0x80) ||
	    t->broken & (BIT_ULL(MISO) | BIT_ULL(MOSI) | BIT_ULL(SCLK)))
		return;
	reading = t->readings[(command[1] >> 4 & 7) * POSITIONS + position(t)];
	to[1] = 0xf8 | reading >> 8;
	to[2] = reading;
}

static int transfer_one(struct spi_controller *controller, struct spi_device *device, struct spi_transfer *transfer)
{
	struct table *t = spi_controller_get_devdata(controller);
	u32 rate = divided(transfer->speed_hz);
	u64 takes = div_u64(8ULL * USEC_PER_SEC * transfer->len, rate);
	unsigned long flags;

	spin_lock_irqsave(&t->lock, flags);
	if (device->chip_select == 0) {
		to_strip(t, transfer, rate);
		if (transfer->rx_buf)
			memset(transfer->rx_buf, 0, transfer->len);
	} else if (t->converts) {
		from_converter(t, transfer->tx_buf, transfer->rx_buf, transfer->len);
	} else {
		from_registers(t, transfer->rx_buf, transfer->len);
	}
	spin_unlock_irqrestore(&t->lock, flags);
	transfer->effective_speed_hz = rate;
	if (takes >= LEAST_SLEEP)
		usleep_range(takes, takes + LEAST_SLEEP);
	return 0;
}

/* The chip and the bus come and go with the module -------------------------------------------- */

static int add_chip(struct device *device, struct table *t)
{
	struct gpio_chip *chip = &t->chip;

	chip->label = "pinctrl-bcm2835";
	chip->parent = device;
	chip->owner = THIS_MODULE;
	chip->base = -1;
	chip->ngpio = LINES;
	chip->get_direction = get_direction;
	chip->direction_input = direction_input;
	chip->direction_output = direction_output;
	chip->get = get;
	chip->get_multiple = get_multiple;
	chip->set = set;
	chip->set_multiple = set_multiple;
	chip->set_config = set_config;
	gpio_irq_chip_set_chip(&chip->irq, &edges);
	chip->irq.handler = handle_simple_irq;
	chip->irq.default_type = IRQ_TYPE_NONE;
	return devm_gpiochip_add_data(device, chip, t);
}

static int add_bus(struct device *device, struct table *t)
{
	struct spi_controller *bus = devm_spi_alloc_master(device, 0);

	if (!bus)
		return -ENOMEM;
	spi_controller_set_devdata(bus, t);
	bus->dev.of_node = device->of_node;
	bus->bus_num = 0;
	bus->num_chipselect = 2;
	bus->mode_bits = SPI_CPOL | SPI_CPHA | SPI_CS_HIGH;
	bus->bits_per_word_mask = SPI_BPW_MASK(8);
	bus->max_speed_hz = CORE / 2;
	bus->transfer_one = transfer_one;
	return devm_spi_register_controller(device, bus);
}

static int probe(struct platform_device *platform)
{
	struct device *device = &platform->dev;
	struct table *t = devm_kzalloc(device, sizeof(*t), GFP_KERNEL);
	int error;

	if (!t)
		return -ENOMEM;
	t->heard = devm_kzalloc(device, HEARD, GFP_KERNEL);
	if (!t->heard)
		return -ENOMEM;
	spin_lock_init(&t->lock);
	init_irq_work(&t->fire, fire);
	t->load = t->clock = t->data = -1;
	memset(t->inputs, 0xff, CHAIN);
	t->expanders.lock = &t->lock;
	t->expanders.inputs = t->inputs;
	t->expanders.broken = &t->broken;
	error = add_chip(device, t) ?: add_bus(device, t) ?: expanders_add(&t->expanders, device);
	if (error)
		return error;
	t->folder = debugfs_create_dir("virtual_table", NULL);
	debugfs_create_file("do", 0200, t->folder, t, &do_file);
	debugfs_create_file("strip", 0400, t->folder, t, &strip_file);
	debugfs_create_x64("shorts", 0600, t->folder, &t->shorts);
	platform_set_drvdata(platform, t);
	return 0;
}

static int take_away(struct platform_device *platform)
{
	struct table *t = platform_get_drvdata(platform);

	debugfs_remove(t->folder);
	i2c_del_adapter(&t->expanders.bus);
	irq_work_sync(&t->fire);
	return 0;
}

static const struct of_device_id known[] = {
	{ .compatible = "tablelight,virtual-table" },
	{ }
};
MODULE_DEVICE_TABLE(of, known);

static struct platform_driver table_driver = {
	.probe = probe,
	.remove = take_away,
	.driver = { .name = "virtual_table", .of_match_table = known },
};
module_platform_driver(table_driver);

MODULE_DESCRIPTION("A table wired to the header of a Raspberry Pi, for tests");
MODULE_LICENSE("GPL");
