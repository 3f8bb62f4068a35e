/* GPIO lines that are wired to switches: /dev/gpiochip0 for a program under LD_PRELOAD, so that the real lgpio runs on
 * any Linux machine. It answers version 2 of the kernel's line interface, as a chip without interrupts does: whoever
 * wants to be told of edges is refused.
 *
 *     gcc -shared -fPIC -O2 -o gpiochip.so gpiochip.c -ldl
 *     TABLELIGHT_PI=/tmp/pi LD_PRELOAD=/tmp/pi.so:/tmp/gpiochip.so LG_WD=/tmp python ...
 *
 * In the folder (see also pi.c, which gpiozero needs to be told which Pi it is on):
 *     dev/gpiochip0    the wiring, read when it is opened and when lines are claimed; any of these lines:
 *                          rows 4 17 27 22           GPIOs of the rows of a matrix
 *                          columns 23 24 25 1        and of its columns
 *                          diodes                    one at each switch: current flows from columns to rows only
 *                          register 16 11 9          load, clock and data of a chain of 74HC165
 *                      Mode 000: it may not be opened (not by root either)
 *     switches         a byte a switch, row after row: 0 open, else closed. Mapped: may change at any time
 *     pressed          a byte a GPIO, 0 to 53: else than 0 where a button connects it to ground. Mapped as well
 *     miso             what stands at the inputs of the register, first bit first
 *     fail             while it exists, lines can neither be read nor set
 *     shorts           a line for each GPIO that was driven high while something pulled it low
 *
 * Low wins: a line is low if it, or a line that it touches, is driven low. Else a driven line is high, a pulled one as
 * it is pulled, and one that is neither reads high and low in turn. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/gpio.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHIP "/dev/gpiochip0"
#define LINES 54
#define SWITCHES 1024
#define FILES 1024
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static struct {
    int file; /* of the request, 0 if free */
    uint64_t flags;
    int value, shorted;
    char consumer[GPIO_MAX_NAME_SIZE];
} lines[LINES];

static struct {
    int chip, count;
    uint32_t offsets[GPIO_V2_LINES_MAX];
} files[FILES];

static struct {
    int rows[32], columns[32], across, down, diodes;
    int load, clock, data, has_register;
    uint8_t *switches, *pressed;
    uint8_t held[64];
    unsigned shifted;
} wiring;

/* The folder ------------------------------------------------------------------------------- */

static char *inside(const char *name, char *path) {
    snprintf(path, PATH_MAX, "%s/%s", getenv("TABLELIGHT_PI") ?: "/nonexistent", name);
    return path;
}

static int failing(void) {
    char path[PATH_MAX];
    return !access(inside("fail", path), F_OK);
}

static uint8_t *map(const char *name, size_t size) {
    char path[PATH_MAX];
    int file = REAL(open)(inside(name, path), O_RDWR | O_CREAT, 0644);
    if (file < 0 || ftruncate(file, size)) abort();
    uint8_t *bytes = mmap(0, size, PROT_READ, MAP_SHARED, file, 0);
    REAL(close)(file);
    return bytes;
}

static int numbers(char *text, int *into) {
    int count = 0;
    for (char *word = strtok(text, " \n"); word && count < 32; word = strtok(0, " \n"))
        into[count++] = atoi(word) % LINES;
    return count;
}

static void read_wiring(void) {
    char text[256], path[PATH_MAX];
    FILE *file = fopen(inside("dev/gpiochip0", path), "r");
    if (wiring.switches) munmap(wiring.switches, SWITCHES), munmap(wiring.pressed, LINES);
    memset(&wiring, 0, sizeof wiring);
    while (file && fgets(text, sizeof text, file)) {
        if (!strncmp(text, "rows ", 5)) wiring.down = numbers(text + 5, wiring.rows);
        if (!strncmp(text, "columns ", 8)) wiring.across = numbers(text + 8, wiring.columns);
        if (!strncmp(text, "diodes", 6)) wiring.diodes = 1;
        if (sscanf(text, "register %d %d %d", &wiring.load, &wiring.clock, &wiring.data) == 3) wiring.has_register = 1;
    }
    if (file) fclose(file);
    wiring.switches = map("switches", SWITCHES);
    wiring.pressed = map("pressed", LINES);
}

static void report_short(int line) {
    char path[PATH_MAX];
    if (lines[line].shorted++) return;
    FILE *log = fopen(inside("shorts", path), "a");
    if (log) fprintf(log, "%d\n", line), fclose(log);
}

/* The register ------------------------------------------------------------------------------- */

static void load_register(void) {
    char path[PATH_MAX];
    FILE *file = fopen(inside("miso", path), "r");
    memset(wiring.held, 0, sizeof wiring.held);
    if (file && !fread(wiring.held, 1, sizeof wiring.held, file)) memset(wiring.held, 0, sizeof wiring.held);
    if (file) fclose(file);
    wiring.shifted = 0;
}

/* It takes its inputs while load is low and shifts when the clock rises; zeros follow. */
static void run_register(int line, int before) {
    if (!wiring.has_register) return;
    if (line == wiring.load && !lines[line].value) load_register();
    if (line == wiring.clock && !before && lines[line].value && lines[wiring.load].value) wiring.shifted++;
}

static int shifted_out(void) {
    unsigned byte = wiring.shifted / 8;
    return byte < sizeof wiring.held ? wiring.held[byte] >> (7 - wiring.shifted % 8) & 1 : 0;
}

/* The wires ---------------------------------------------------------------------------------- */

static int is_output(int line) { return !!(lines[line].flags & GPIO_V2_LINE_FLAG_OUTPUT); }

static int driven(int line, int level) {
    uint64_t idle = level ? GPIO_V2_LINE_FLAG_OPEN_DRAIN : GPIO_V2_LINE_FLAG_OPEN_SOURCE;
    return is_output(line) && lines[line].value == level && !(lines[line].flags & idle);
}

/* Lets low spread through closed switches until nothing changes. */
static void spread_low(uint8_t *low) {
    for (int again = 1; again;) {
        again = 0;
        for (int at = 0; at < wiring.down * wiring.across; at++) {
            uint8_t *row = low + wiring.rows[at / wiring.across], *column = low + wiring.columns[at % wiring.across];
            if (!wiring.switches[at] || *row == *column || (wiring.diodes && !*row)) continue;
            *row = *column = again = 1;
        }
    }
}

static void find_low(uint8_t *low) {
    for (int line = 0; line < LINES; line++) low[line] = driven(line, 0) || (wiring.pressed && wiring.pressed[line]);
    spread_low(low);
    for (int line = 0; line < LINES; line++)
        if (low[line] && driven(line, 1)) report_short(line);
}

static int level(int line, const uint8_t *low) {
    static int noise;
    if (wiring.has_register && line == wiring.data) return shifted_out();
    if (low[line]) return 0;
    if (driven(line, 1) || lines[line].flags & GPIO_V2_LINE_FLAG_BIAS_PULL_UP) return 1;
    return lines[line].flags & GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN ? 0 : (noise ^= 1);
}

static void set(int line, int active) {
    int before = lines[line].value;
    lines[line].value = !!active ^ !!(lines[line].flags & GPIO_V2_LINE_FLAG_ACTIVE_LOW);
    run_register(line, before);
}

/* The kernel's interface --------------------------------------------------------------------- */

static int refuse(int error) { return errno = error, -1; }

static void configure(int fd, const struct gpio_v2_line_config *config) {
    for (int at = 0; at < files[fd].count; at++) {
        uint64_t flags = config->flags, values = 0;
        for (unsigned i = 0; i < config->num_attrs && i < GPIO_V2_LINE_NUM_ATTRS_MAX; i++) {
            if (!(config->attrs[i].mask >> at & 1)) continue;
            if (config->attrs[i].attr.id == GPIO_V2_LINE_ATTR_ID_FLAGS) flags = config->attrs[i].attr.flags;
            if (config->attrs[i].attr.id == GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES) values = config->attrs[i].attr.values;
        }
        lines[files[fd].offsets[at]].flags = flags;
        if (flags & GPIO_V2_LINE_FLAG_OUTPUT) set(files[fd].offsets[at], values >> at & 1);
    }
}

static int wants_edges(const struct gpio_v2_line_config *config) {
    uint64_t flags = config->flags;
    for (unsigned i = 0; i < config->num_attrs; i++)
        if (config->attrs[i].attr.id == GPIO_V2_LINE_ATTR_ID_FLAGS) flags |= config->attrs[i].attr.flags;
    return !!(flags & (GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING));
}

static int may_request(const struct gpio_v2_line_request *wanted) {
    if (failing()) return refuse(EIO);
    if (wants_edges(&wanted->config)) return refuse(ENXIO);
    if (!wanted->num_lines || wanted->num_lines > GPIO_V2_LINES_MAX) return refuse(EINVAL);
    for (unsigned i = 0; i < wanted->num_lines; i++) {
        if (wanted->offsets[i] >= LINES) return refuse(EINVAL);
        if (lines[wanted->offsets[i]].file) return refuse(EBUSY);
    }
    return 0;
}

static int request(struct gpio_v2_line_request *wanted) {
    if (may_request(wanted)) return -1;
    int fd = eventfd(0, EFD_CLOEXEC);
    if (fd < 0 || fd >= FILES) return refuse(EMFILE);
    read_wiring();
    files[fd].count = wanted->num_lines;
    memcpy(files[fd].offsets, wanted->offsets, sizeof wanted->offsets);
    for (int i = 0; i < files[fd].count; i++) {
        lines[wanted->offsets[i]].file = fd;
        snprintf(lines[wanted->offsets[i]].consumer, GPIO_MAX_NAME_SIZE, "%.31s", wanted->consumer);
    }
    configure(fd, &wanted->config);
    return wanted->fd = fd, 0;
}

static void give_back(int fd) {
    for (int i = 0; i < files[fd].count; i++) memset(&lines[files[fd].offsets[i]], 0, sizeof *lines);
    memset(&files[fd], 0, sizeof files[fd]);
}

static int get_values(int fd, struct gpio_v2_line_values *values) {
    uint8_t low[LINES];
    if (failing()) return refuse(EIO);
    find_low(low);
    values->bits = 0;
    for (int i = 0; i < files[fd].count; i++) {
        int line = files[fd].offsets[i], inverted = !!(lines[line].flags & GPIO_V2_LINE_FLAG_ACTIVE_LOW);
        if (values->mask >> i & 1) values->bits |= (uint64_t)(level(line, low) ^ inverted) << i;
    }
    return 0;
}

static int set_values(int fd, const struct gpio_v2_line_values *values) {
    uint8_t low[LINES];
    if (failing()) return refuse(EIO);
    for (int i = 0; i < files[fd].count; i++)
        if (values->mask >> i & 1 && !is_output(files[fd].offsets[i])) return refuse(EPERM);
    for (int i = 0; i < files[fd].count; i++)
        if (values->mask >> i & 1) set(files[fd].offsets[i], values->bits >> i & 1);
    return find_low(low), 0;
}

static int tell_chip(struct gpiochip_info *info) {
    memset(info, 0, sizeof *info);
    strcpy(info->name, "gpiochip0");
    strcpy(info->label, "pinctrl-bcm2835");
    return info->lines = LINES, 0;
}

static int tell_line(struct gpio_v2_line_info *info) {
    uint32_t line = info->offset;
    if (line >= LINES) return refuse(EINVAL);
    memset(info, 0, sizeof *info);
    info->offset = line;
    info->flags = lines[line].file ? lines[line].flags | GPIO_V2_LINE_FLAG_USED : GPIO_V2_LINE_FLAG_INPUT;
    snprintf(info->name, sizeof info->name, "GPIO%u", line);
    memcpy(info->consumer, lines[line].consumer, sizeof info->consumer);
    return 0;
}

static int control(int fd, unsigned long what, void *value) {
    if (files[fd].chip && what == GPIO_GET_CHIPINFO_IOCTL) return tell_chip(value);
    if (files[fd].chip && what == GPIO_V2_GET_LINEINFO_IOCTL) return tell_line(value);
    if (files[fd].chip && what == GPIO_V2_GET_LINE_IOCTL) return request(value);
    if (files[fd].count && what == GPIO_V2_LINE_GET_VALUES_IOCTL) return get_values(fd, value);
    if (files[fd].count && what == GPIO_V2_LINE_SET_VALUES_IOCTL) return set_values(fd, value);
    if (files[fd].count && what == GPIO_V2_LINE_SET_CONFIG_IOCTL) return configure(fd, value), 0;
    return refuse(ENOTTY);
}

/* What the C library offers, pretended or passed on ------------------------------------------ */

static int open_chip(void) {
    char path[PATH_MAX];
    struct stat found;
    if (stat(inside("dev/gpiochip0", path), &found)) return -1;
    if (!(found.st_mode & 0600)) return refuse(EACCES);
    int fd = eventfd(0, EFD_CLOEXEC);
    if (fd < 0 || fd >= FILES) return refuse(EMFILE);
    read_wiring();
    files[fd].chip = 1;
    return fd;
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
    va_end(rest);
    return strcmp(path, CHIP) ? REAL(open)(path, flags, mode) : open_chip();
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
    va_end(rest);
    return strcmp(path, CHIP) ? REAL(open64)(path, flags, mode) : open_chip();
}

static int is_ours(int fd) { return fd >= 0 && fd < FILES && (files[fd].chip || files[fd].count); }

int ioctl(int fd, unsigned long what, ...) {
    va_list rest;
    va_start(rest, what);
    void *value = va_arg(rest, void *);
    va_end(rest);
    return is_ours(fd) ? control(fd, what, value) : REAL(ioctl)(fd, what, value);
}

int close(int fd) {
    if (is_ours(fd)) give_back(fd);
    return REAL(close)(fd);
}
