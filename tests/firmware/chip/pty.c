/* The chip on a pseudo terminal, in real time. */
#include "chip.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { MASTER, WATCH, LISTENER, CLIENTS, MOST = CLIENTS + 8, STEP_MS = 1 };

static struct pollfd files[MOST];
static FILE *answers[MOST];
static int inside;       /* our own end of the port: keeps it in raw mode while nobody has it open */
static int openings;     /* how many have the port open */
static bool resets;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void say(uint64_t cycle, uint8_t byte) {
    (void)cycle;
    if (openings && write(files[MASTER].fd, &byte, 1) < 0) return; /* nobody reads: lost, as on a line */
}

static void open_port(const char *link) {
    struct termios raw;
    char name[64];
    if (openpty(&files[MASTER].fd, &inside, name, NULL, NULL)) fail("pty");
    tcgetattr(inside, &raw);
    cfmakeraw(&raw);
    tcsetattr(inside, TCSANOW, &raw);
    fcntl(files[MASTER].fd, F_SETFL, O_NONBLOCK);
    files[WATCH].fd = inotify_init1(IN_NONBLOCK);
    if (inotify_add_watch(files[WATCH].fd, name, IN_OPEN | IN_CLOSE) < 0) fail("inotify");
    unlink(link);
    if (symlink(name, link)) fail(link);
}

/* The path appears only when somebody listens there: whoever sees it may connect at once. */
static void open_control(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t most = sizeof address.sun_path;
    if ((size_t)snprintf(address.sun_path, most, "%s.new", path) >= most) fail("the socket's path is too long");
    unlink(address.sun_path);
    files[LISTENER].fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(files[LISTENER].fd, (struct sockaddr *)&address, sizeof address) || listen(files[LISTENER].fd, 4)) fail(path);
    if (rename(address.sun_path, path)) fail(path);
}

/* Nobody knows what was on the line before. */
static void opened(void) {
    if (openings++) return;
    tcflush(inside, TCIOFLUSH);
    uart_silence();
    if (resets) chip_reset("pin", 0);
}

static void watch_openings(void) {
    char buffer[4096] __attribute__((aligned(8)));
    ssize_t size = read(files[WATCH].fd, buffer, sizeof buffer);
    for (char *at = buffer; at < buffer + size; at += sizeof(struct inotify_event)) {
        const struct inotify_event *event = (void *)at;
        at += event->len;
        if (event->mask & IN_OPEN) opened();
        else if (openings && !--openings) tcflush(inside, TCIOFLUSH);
    }
}

static void hear(void) {
    uint8_t bytes[4096];
    ssize_t size = read(files[MASTER].fd, bytes, sizeof bytes);
    if (size > 0) uart_hear(bytes, size);
}

static void accept_client(void) {
    int client = accept(files[LISTENER].fd, NULL, NULL), at = CLIENTS;
    while (at < MOST && files[at].fd >= 0) at++;
    if (at == MOST) {
        close(client);
        return;
    }
    files[at].fd = client;
    answers[at] = fdopen(client, "w");
}

static void hang_up(int at) {
    fclose(answers[at]);
    files[at].fd = -1;
}

/* Byte by byte, so that nothing waits in a buffer where poll does not see it. */
static void serve(int at) {
    char line[256];
    unsigned length = 0;
    do {
        if (length == sizeof line - 1 || read(files[at].fd, line + length, 1) != 1) return hang_up(at);
    } while (line[length++] != '\n');
    line[length] = 0;
    command(line, answers[at], true);
    fflush(answers[at]);
}

static double clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static void attend(void) {
    if (poll(files, MOST, STEP_MS) <= 0) return;
    if (files[WATCH].revents) watch_openings();
    if (files[MASTER].revents & POLLIN) hear();
    if (files[LISTENER].revents) accept_client();
    for (int at = CLIENTS; at < MOST; at++)
        if (files[at].fd >= 0 && files[at].revents) serve(at);
}

int live(const char *link, const char *control, bool dtr, double speed) {
    for (int i = 0; i < MOST; i++) files[i] = (struct pollfd){.fd = -1, .events = POLLIN};
    signal(SIGPIPE, SIG_IGN);
    resets = dtr;
    uart_said = say;
    open_port(link);
    if (control) open_control(control);
    uint64_t begin = avr->cycle;
    double started = clock_now();
    for (;;) {
        attend();
        chip_run_until(begin + (uint64_t)((clock_now() - started) * speed * MHZ * 1e6));
    }
}
