/*
 * The first program of the virtual Pi: loads the modules that its disk needs, mounts it and hands over to systemd.
 *
 * Linked statically, for there is nothing beside it in the initramfs but the modules, which stand in /modules in the
 * order in which they are loaded.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DISK "/dev/vda"
#define PATIENCE 1000 /* hundredths of a second until the disk must be there */

static void must(int failed, const char *what)
{
    if (failed) {
        perror(what);
        exit(1);
    }
}

static void load(const char *path)
{
    int file = open(path, O_RDONLY);

    must(file < 0, path);
    must(syscall(SYS_finit_module, file, "", 0), path);
    close(file);
}

static void load_all(void)
{
    char path[256];
    FILE *list = fopen("/modules", "r");

    must(!list, "/modules");
    while (fscanf(list, "%255s", path) == 1)
        load(path);
    fclose(list);
}

int main(void)
{
    mkdir("/dev", 0755);
    mkdir("/root", 0755);
    mount("devtmpfs", "/dev", "devtmpfs", 0, "");
    load_all();
    for (int i = 0; access(DISK, F_OK) && i < PATIENCE; i++)
        usleep(10000);
    must(mount(DISK, "/root", "ext4", 0, ""), DISK);
    must(mount("/dev", "/root/dev", NULL, MS_MOVE, NULL), "/root/dev");
    must(chdir("/root") || mount(".", "/", NULL, MS_MOVE, NULL) || chroot("."), "/root");
    execl("/sbin/init", "/sbin/init", NULL);
    perror("/sbin/init");
    return 1;
}
