/* A Raspberry Pi that is a folder: what a program under LD_PRELOAD opens under /dev, /proc/cpuinfo, /proc/device-tree
 * and /sys/module/spidev it finds there instead, so that the real spidev and rpi_ws281x run on any Linux machine.
 *
 *     gcc -shared -fPIC -O2 -o pi.so pi.c -ldl
 *     TABLELIGHT_PI=/tmp/pi LD_PRELOAD=/tmp/pi.so python ...
 *
 * In the folder:
 *     proc/cpuinfo, proc/device-tree/model,
 *     proc/device-tree/system/linux,revision   which Pi it is
 *     dev/spidev0.0 and so on                  empty files: the device is there. Mode 000: it may not be opened (not by
 *                                              root either). Missing: it is not there
 *     dev/mem, dev/vcio, dev/gpiomem           likewise; behind mem is a memory of 4 GB with the registers of the Pi
 *     dev/leds0                                likewise, for the kernel's own driver of lights; holds their number
 *     wire                                     what went out, a line a transfer: device, bits a second, bytes in hex,
 *                                              in the order in which they are on the wire; "pwm" and "pcm" are devices.
 *                                              Of leds0 what it was told: one byte of brightness, or pixels
 *     fail                                     while it exists every transfer fails
 *     miso                                     the bytes that SPI reads, from the first on in each transfer, then
 *                                              zeros: as a chain of 74HC165 gives them that was loaded just before
 *     dev/i2c-1                                as spidev; chips on it are the files i2c/20 to i2c/27, with a byte for
 *                                              each register: what is sent to one is the number of a register and what
 *                                              comes into it and those behind it. Missing: nobody answers
 *     i2c/options                              what the kernel was told of the bus: a request and its value a line
 *
 * DMA is done when the library next sleeps or reads the raw clock, which it does right after starting it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <linux/spi/spidev.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FILES 1024
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define LARGEST (1 << 16)

enum kind { OTHER, SPI, MAILBOX, LEDS, I2C };

static struct {
    enum kind kind;
    char name[24];
    uint32_t rate, mode;
    off_t at, size;
} files[FILES];

static const char *const pretended[] = {"/proc/cpuinfo", "/proc/device-tree/", "/sys/module/spidev/", "/dev/spidev",
                                        "/dev/gpiomem", "/dev/mem", "/dev/vcio", "/dev/leds",
                                        "/dev/i2c-"};

/* The folder ------------------------------------------------------------------------------- */

static char *inside(const char *name, char *path) {
    snprintf(path, PATH_MAX, "%s/%s", getenv("TABLELIGHT_PI") ?: "/nonexistent", name);
    return path;
}

static int is_pretended(const char *path) {
    for (unsigned i = 0; i < sizeof pretended / sizeof *pretended; i++)
        if (!strncmp(path, pretended[i], strlen(pretended[i]))) return 1;
    return 0;
}

static int failing(void) {
    char path[PATH_MAX];
    return !REAL(access)(inside("fail", path), F_OK);
}

static void log_transfer(const char *device, uint32_t rate, const uint8_t *bytes, size_t count) {
    char path[PATH_MAX];
    FILE *log = REAL(fopen)(inside("wire", path), "a");
    if (!log) return;
    fprintf(log, "%s %u ", device, rate);
    for (size_t i = 0; i < count; i++) fprintf(log, "%02x", bytes[i]);
    fputc('\n', log);
    fclose(log);
}

/* The memory and the registers in it -------------------------------------------------------- */

static const uint32_t bases[] = {0x20000000, 0x3f000000, 0xfe000000};
enum { DMA = 0x7000, CLOCKS = 0x101000, PCM = 0x203000, PWM = 0x20c000, BLOCK = 0x20d000, VIDEO = 0x01000000 };

static int memory_file(void) {
    static int file = -1;
    if (file < 0) {
        file = memfd_create("pi", MFD_CLOEXEC);
        if (ftruncate(file, 1LL << 32)) abort();
    }
    return file;
}

static volatile uint32_t *registers(int pi) {
    static volatile uint32_t *mapped[3];
    if (!mapped[pi]) mapped[pi] = mmap(0, BLOCK, PROT_READ | PROT_WRITE, MAP_SHARED, memory_file(), bases[pi]);
    return mapped[pi];
}

/* A clock that was killed stops, one that was enabled runs; the bits are those of the clock's control word. */
static void run_clock(volatile uint32_t *control) {
    if (*control & 1 << 5) *control &= ~(1u << 7);
    else if (*control & 1 << 4) *control |= 1 << 7;
}

static uint32_t clock_rate(int pi, int pcm) {
    volatile uint32_t *clock = registers(pi) + (CLOCKS + (pcm ? 0x98 : 0xa0)) / 4;
    uint32_t divisor = clock[1] >> 12 & 0xfff;
    return divisor ? (bases[pi] == 0xfe000000 ? 54000000 : 19200000) / divisor : 0;
}

/* Does one DMA control block (flags, source, destination, length): words to the first PWM channel, or all to PCM. */
static void do_dma(int pi, volatile uint32_t *channel) {
    uint32_t block[4], word;
    static uint8_t out[LARGEST];
    size_t count = 0;
    if (pread(memory_file(), block, sizeof block, channel[1] & 0x3fffffff) != sizeof block) return;
    int pcm = block[2] == 0x7e203004;
    for (uint32_t at = 0; at + 4 <= block[3] && count + 4 <= LARGEST; at += pcm ? 4 : 8) {
        if (pread(memory_file(), &word, 4, (block[1] & 0x3fffffff) + at) != 4) return;
        for (int shift = 24; shift >= 0; shift -= 8) out[count++] = word >> shift;
    }
    log_transfer(pcm ? "pcm" : "pwm", clock_rate(pi, pcm), out, count);
}

/* Lets the hardware catch up with what was written to its registers. */
static void tick(void) {
    for (int pi = 0; pi < 3; pi++) {
        volatile uint32_t *at = registers(pi);
        run_clock(at + (CLOCKS + 0x98) / 4);
        run_clock(at + (CLOCKS + 0xa0) / 4);
        at[PCM / 4] |= 1 << 21; /* all was sent */
        for (int number = 0; number < 15; number++) {
            volatile uint32_t *channel = at + (DMA + 0x100 * number) / 4;
            if (!(channel[0] & 1) || channel[0] & 1 << 8) continue;
            if (failing()) channel[0] |= 1 << 8;
            else do_dma(pi, channel), channel[0] &= ~1u;
        }
    }
}

/* Gives all video memory that is asked for at one address. */
static int answer_mailbox(uint32_t *message) {
    message[5] = message[2] == 0x3000c ? 1 : message[2] == 0x3000d ? 0xc0000000 | VIDEO : 0;
    return 0;
}

/* SPI ---------------------------------------------------------------------------------------- */

static void receive(uint8_t *into, size_t count) {
    char path[PATH_MAX];
    int file = REAL(open)(inside("miso", path), O_RDONLY);
    memset(into, 0, count);
    if (file < 0) return;
    if (REAL(read)(file, into, count) < 0) memset(into, 0, count);
    REAL(close)(file);
}

static ssize_t largest_transfer(void) {
    char path[PATH_MAX];
    FILE *file = REAL(fopen)(inside("sys/module/spidev/parameters/bufsiz", path), "r");
    long size = 4096;
    if (file && fscanf(file, "%ld", &size) != 1) size = 4096;
    if (file) fclose(file);
    return size;
}

static ssize_t transfer(int fd, const uint8_t *out, uint8_t *in, size_t count, uint32_t rate) {
    errno = failing() ? EIO : (ssize_t)count > largest_transfer() ? EMSGSIZE : 0;
    if (errno) return -1;
    if (out) log_transfer(files[fd].name, rate ? rate : files[fd].rate, out, count);
    if (in) receive(in, count);
    return count;
}

static int transfer_all(int fd, const struct spi_ioc_transfer *parts, unsigned count) {
    int sent = 0;
    for (unsigned i = 0; i < count; i++) {
        uint8_t *out = (uint8_t *)(uintptr_t)parts[i].tx_buf, *in = (uint8_t *)(uintptr_t)parts[i].rx_buf;
        ssize_t done = transfer(fd, out, in, parts[i].len, parts[i].speed_hz);
        if (done < 0) return -1;
        sent += done;
    }
    return sent;
}

static int control_spi(int fd, unsigned long request, void *value) {
    switch (request) {
    case SPI_IOC_WR_MODE: return files[fd].mode = *(uint8_t *)value, 0;
    case SPI_IOC_RD_MODE: return *(uint8_t *)value = files[fd].mode, 0;
    case SPI_IOC_WR_MODE32: return files[fd].mode = *(uint32_t *)value, 0;
    case SPI_IOC_RD_MODE32: return *(uint32_t *)value = files[fd].mode, 0;
    case SPI_IOC_RD_BITS_PER_WORD: return *(uint8_t *)value = 8, 0;
    case SPI_IOC_WR_BITS_PER_WORD: return 0;
    case SPI_IOC_WR_MAX_SPEED_HZ: return files[fd].rate = *(uint32_t *)value, 0;
    case SPI_IOC_RD_MAX_SPEED_HZ: return *(uint32_t *)value = files[fd].rate, 0;
    }
    if (_IOC_TYPE(request) == SPI_IOC_MAGIC && _IOC_NR(request) == 0)
        return transfer_all(fd, value, _IOC_SIZE(request) / sizeof(struct spi_ioc_transfer));
    errno = ENOTTY;
    return -1;
}

/* I2C ---------------------------------------------------------------------------------------- */

static int do_message(const struct i2c_msg *message) {
    static uint8_t next[128]; /* the register of each chip that is read next */
    char name[16], path[PATH_MAX];
    snprintf(name, sizeof name, "i2c/%02x", message->addr);
    int chip = failing() ? -1 : REAL(open)(inside(name, path), O_RDWR), done;
    if (chip < 0) return errno = EREMOTEIO, -1;
    if (message->flags & I2C_M_RD) {
        done = pread(chip, message->buf, message->len, next[message->addr]);
        next[message->addr] += message->len;
    } else {
        next[message->addr] = message->buf[0];
        done = 1 + REAL(pwrite)(chip, message->buf + 1, message->len - 1, message->buf[0]);
    }
    REAL(close)(chip);
    return done == message->len ? 0 : (errno = EIO, -1);
}

static int control_i2c(unsigned long request, void *value) {
    if (request == I2C_FUNCS) return *(unsigned long *)value = I2C_FUNC_I2C, 0;
    if (request == I2C_RDWR) {
        struct i2c_rdwr_ioctl_data *data = value;
        for (unsigned i = 0; i < data->nmsgs; i++)
            if (do_message(&data->msgs[i])) return -1;
        return data->nmsgs;
    }
    char path[PATH_MAX];
    FILE *options = REAL(fopen)(inside("i2c/options", path), "a");
    if (!options) return errno = ENOTTY, -1;
    fprintf(options, "%04lx %ld\n", request, (long)(intptr_t)value);
    return fclose(options);
}

/* The kernel's driver of lights ---------------------------------------------------------------- */

static void count_leds(int fd) {
    char number[16] = "";
    if (REAL(read)(fd, number, sizeof number - 1) >= 0) files[fd].size = 4 * atol(number);
}

/* As the kernel does it: a single byte at the start is the brightness, and what does not fit is refused. */
static ssize_t write_leds(int fd, const uint8_t *bytes, size_t count, off_t at) {
    errno = failing() ? EIO : at > files[fd].size || (off_t)count > files[fd].size ? EFBIG
                        : at + (off_t)count > files[fd].size                       ? ENOSPC
                                                                                   : 0;
    if (errno) return -1;
    log_transfer(files[fd].name, 0, bytes, count);
    return count;
}

/* What the C library offers, pretended or passed on -------------------------------------------- */

static int open_pretended(const char *path, int flags) {
    char real[PATH_MAX];
    struct stat found;
    if (stat(inside(path + 1, real), &found)) return -1;
    if (!(found.st_mode & 0600)) return errno = EACCES, -1;
    int fd = REAL(open)(real, O_RDWR | (flags & O_CLOEXEC));
    if (fd < 0 || fd >= FILES) return fd;
    memset(&files[fd], 0, sizeof files[fd]);
    if (!strcmp(path, "/dev/mem") || !strcmp(path, "/dev/gpiomem")) dup3(memory_file(), fd, O_CLOEXEC);
    if (!strncmp(path, "/dev/spidev", 11)) files[fd].kind = SPI, files[fd].rate = 500000;
    if (!strncmp(path, "/dev/i2c-", 9)) files[fd].kind = I2C;
    if (!strcmp(path, "/dev/vcio")) files[fd].kind = MAILBOX;
    if (!strncmp(path, "/dev/leds", 9)) files[fd].kind = LEDS, count_leds(fd);
    snprintf(files[fd].name, sizeof files[fd].name, "%s", path + 5);
    return fd;
}

static int opened(const char *path, int flags, va_list rest, int (*real)(const char *, int, ...)) {
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
    return is_pretended(path) ? open_pretended(path, flags) : real(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int fd = opened(path, flags, rest, REAL(open));
    va_end(rest);
    return fd;
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int fd = opened(path, flags, rest, REAL(open64));
    va_end(rest);
    return fd;
}

FILE *fopen(const char *path, const char *mode) {
    char real[PATH_MAX];
    return REAL(fopen)(is_pretended(path) ? inside(path + 1, real) : path, mode);
}

FILE *fopen64(const char *path, const char *mode) {
    char real[PATH_MAX];
    return REAL(fopen64)(is_pretended(path) ? inside(path + 1, real) : path, mode);
}

static enum kind kind_of(int fd) { return fd >= 0 && fd < FILES ? files[fd].kind : OTHER; }

int ioctl(int fd, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *value = va_arg(rest, void *);
    va_end(rest);
    if (kind_of(fd) == SPI) return control_spi(fd, request, value);
    if (kind_of(fd) == I2C) return control_i2c(request, value);
    if (kind_of(fd) == MAILBOX) return answer_mailbox(value);
    return REAL(ioctl)(fd, request, value);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
    return kind_of(fd) == LEDS ? write_leds(fd, bytes, count, at) : REAL(pwrite)(fd, bytes, count, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
    return kind_of(fd) == LEDS ? write_leds(fd, bytes, count, at) : REAL(pwrite64)(fd, bytes, count, at);
}

ssize_t write(int fd, const void *bytes, size_t count) {
    if (kind_of(fd) == LEDS) {
        ssize_t written = write_leds(fd, bytes, count, files[fd].at);
        if (written > 1 || files[fd].at) files[fd].at += written > 0 ? written : 0;
        return written;
    }
    return kind_of(fd) == SPI ? transfer(fd, bytes, 0, count, 0) : REAL(write)(fd, bytes, count);
}

ssize_t read(int fd, void *bytes, size_t count) {
    return kind_of(fd) == SPI ? transfer(fd, 0, bytes, count, 0) : REAL(read)(fd, bytes, count);
}

int close(int fd) {
    if (kind_of(fd) != OTHER) files[fd].kind = OTHER;
    return REAL(close)(fd);
}

int usleep(useconds_t time) {
    int slept = REAL(usleep)(time);
    tick();
    return slept;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    if (clock == CLOCK_MONOTONIC_RAW) tick();
    return REAL(clock_gettime)(clock, now);
}
