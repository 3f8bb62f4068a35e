/*
 * The first program of the virtual Pi, and of a card: loads the modules that its disk needs, mounts it and hands over to
 * systemd. The disk is the first that is there of those that the kernel was told, root=/dev/mmcblk0p2,/dev/mmcblk1p2,
 * for which socket is which hangs on which driver is first; written to unless the kernel was told ro.
 *
 * Linked statically, for there is nothing beside it in the initramfs but the modules, which stand in /modules in the
 * order in which they are loaded.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PATIENCE 3000 /* hundredths of a second until a disk must be there */

static char disks[256] = "/dev/vda";
static unsigned long how;

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

static void read_command_line(void)
{
    char line[4096] = "";
    FILE *file;

    mkdir("/proc", 0555);
    must(mount("proc", "/proc", "proc", 0, ""), "/proc");
    file = fopen("/proc/cmdline", "r");
    must(!file || !fgets(line, sizeof(line), file), "/proc/cmdline");
    fclose(file);
    umount("/proc");
    for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
        if (!strcmp(word, "ro"))
            how = MS_RDONLY;
        else if (!strncmp(word, "root=", 5))
            snprintf(disks, sizeof(disks), "%s", word + 5);
    }
}

static int mount_any(void)
{
    char names[sizeof(disks)];

    strcpy(names, disks);
    for (char *name = strtok(names, ","); name; name = strtok(NULL, ","))
        if (!mount(name, "/root", "ext4", how, ""))
            return 0;
    return -1;
}

int main(void)
{
    int failed = -1;

    mkdir("/dev", 0755);
    mkdir("/root", 0755);
    mount("devtmpfs", "/dev", "devtmpfs", 0, "");
    read_command_line();
    load_all();
    for (int i = 0; (failed = mount_any()) && i < PATIENCE; i++)
        usleep(10000);
    must(failed, disks);
    must(mount("/dev", "/root/dev", NULL, MS_MOVE, NULL), "/root/dev");
    must(chdir("/root") || mount(".", "/", NULL, MS_MOVE, NULL) || chroot("."), "/root");
    execl("/sbin/init", "/sbin/init", NULL);
    perror("/sbin/init");
    return 1;
}
