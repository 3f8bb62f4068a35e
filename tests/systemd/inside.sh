#!/bin/sh
# Runs in the container that boot.sh boots: an evening at the table, from its installation to held Power. In the
# short form it is one evening with a page, in which most of it happens.
set -eu

export PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels PYTHONDONTWRITEBYTECODE=1
INSTALL=/source/systemd/install.sh
form=$(cat /exchange/form)
GAMES=/var/lib/tablelight

fail() {
    echo "FAILED: $*"
    journalctl --no-pager --unit tablelight --lines 60 || true
    systemctl exit 1
    sleep 60
}

see() {
    tenths=$(($(date +%s%1N) - $(cut -c 1-12 /exchange/begun | tr -d .)))
    printf '[%3d.%d] %s\n' $((tenths / 10)) $((tenths % 10)) "$*"
}

files() {
    find /opt/tablelight /etc/systemd /etc/udev /etc/sysusers.d /etc/tablelight.toml /usr/local/bin /var/lib/private \
        -printf '%p %T@ %i %m %s\n' 2>/dev/null | LC_ALL=C sort
}

# A table that is not there yet is no reason for the installation to fail.
installed() {
    sh $INSTALL >/tmp/said || fail "install.sh"
    cat /tmp/said
    grep -q 'installed but does not run yet: journalctl' /tmp/said || fail "it does not say that nothing runs"
    journalctl --unit tablelight | grep -q 'tablelight: there is no GPIO here' || fail "the journal does not say why"
    ! journalctl --unit tablelight | grep Traceback || fail "a traceback"
    systemctl stop tablelight
    [ -x /usr/local/bin/tablelight ] || fail "there is no command tablelight"
    systemctl is-enabled tablelight || fail "not enabled"
    getent group gpio spi i2c dialout || fail "a group is missing"
}

installed_again() {
    files >/tmp/first
    sh $INSTALL || fail "install.sh the second time"
    files >/tmp/second
    diff /tmp/first /tmp/second || fail "installing twice changed something"
    ! systemctl is-active --quiet tablelight || fail "started by an installation that changed nothing"
    see "installed twice, and the second time changed nothing"
}

# The pretended Pi is preloaded; everything else about the unit is as it is.
pretend() {
    mkdir -p /etc/systemd/system/tablelight.service.d
    cat >/etc/systemd/system/tablelight.service.d/pretend.conf <<END
[Service]
Environment=LD_PRELOAD=/exchange/pi.so:/exchange/gpiochip.so TABLELIGHT_PI=/exchange/pi
ReadWritePaths=/exchange/pi
END
    systemctl daemon-reload
}

settings() {
    cat >/etc/tablelight.toml <<END
[game]
name = "yin-yang"
[table]
board = "$1"
settle = 0.1
END
}

newer() {
    mkdir -p /tmp/newer
    # shellcheck disable=SC2046 # a list of names
    (cd /source && cp -R --parents $(sed -n 's/^PARTS="\(.*\)".*/\1/p' $INSTALL) systemd /tmp/newer)
    echo "# newer" >>/tmp/newer/firmware_bridge/__init__.py
}

evening() {
    PYTHONPATH=/source /tmp/hands/bin/python /source/tests/systemd/players.py "$1" ||
        fail "the evening"
}

# The same on a serial line, with nothing preloaded, where there is a chip.
evening_by_mcu() {
    [ -e /dev/tablelight ] || return 0
    systemctl stop tablelight
    rm -r /etc/systemd/system/tablelight.service.d /tmp/newer $GAMES/*.table
    systemctl daemon-reload
    settings mcu
    see "now with a micro-controller"
    evening mcu
    systemctl stop tablelight
    pretend
    settings grid
}

# A disk of their own for the records, which can be filled.
small_disk() {
    (umask 077 && mkdir -p /var/lib/private/tablelight)
    mount -t tmpfs -o size=512k,mode=700 tmpfs /var/lib/private/tablelight
}

large_disk() {
    systemctl stop tablelight
    cp -a /var/lib/private/tablelight /tmp/games
    umount /var/lib/private/tablelight
    cp -a /tmp/games/. /var/lib/private/tablelight
}

paged() {
    cp /source/systemd/page.conf /etc/systemd/system/tablelight.service.d/
    systemctl daemon-reload
    cat >>/etc/tablelight.toml <<END
[lights]
hints = "always"
[page]
address = "127.0.0.1:8000"
END
}

# Four cores, each 13.5 times slower than one of a computer that builds this; and what 512 MB leave beside the system.
limit() {
    cat >/etc/systemd/system/tablelight.service.d/limits.conf <<END
[Service]
CPUQuota=30%
MemoryMax=300M
END
    systemctl daemon-reload
}

# The same with a page, which the drop-in lets into the network, and an engine that shows hints.
evening_by_page() {
    systemctl stop tablelight
    rm -f $GAMES/*.table
    paged
    see "now with a page and hints"
    evening page
    systemctl stop tablelight
    rm -f $GAMES/*.table
    limit
    see "now with as much of the computer as a Pi Zero 2 W has"
    evening limited
    systemctl stop tablelight
    rm /etc/systemd/system/tablelight.service.d/page.conf /etc/systemd/system/tablelight.service.d/limits.conf
    systemctl daemon-reload
    settings grid
}

uninstalled() {
    sh $INSTALL --uninstall || fail "install.sh --uninstall"
    for gone in /opt/tablelight /etc/systemd/system/tablelight.service /etc/udev/rules.d/60-tablelight.rules \
        /usr/local/bin/tablelight; do
        if [ -e $gone ] || [ -L $gone ]; then fail "$gone is still there"; fi
    done
    [ -s /etc/tablelight.toml ] || fail "the configuration is gone"
    [ -n "$(ls $GAMES/*.table)" ] || fail "the games are gone"
    ! systemctl is-active --quiet tablelight || fail "still running"
    see "uninstalled; games and configuration are still there"
}

purged() {
    sh $INSTALL --uninstall --purge || fail "install.sh --uninstall --purge"
    for gone in $GAMES /var/lib/private/tablelight /etc/tablelight.toml; do
        [ ! -e "$gone" ] || fail "$gone is still there"
    done
    see "purged"
}

started_later() {
    sh $INSTALL --no-start || fail "install.sh --no-start"
    ! systemctl is-active --quiet tablelight || fail "started in spite of --no-start"
    systemctl start tablelight || fail "not started"
}

switched_off() {
    printf '\001' | dd of=/exchange/pi/pressed bs=1 seek=3 conv=notrunc status=none
    see "power button held"
    sleep 30
    fail "the computer is still on"
}

trap '[ $? = 0 ] || fail "a command failed"' EXIT
see "booted"
installed
installed_again
pretend
settings grid
newer
python3 -m venv /tmp/hands
/tmp/hands/bin/pip install --quiet msgspec tomlkit websockets
if [ "$form" = short ]; then
    paged
    small_disk
    evening short
    large_disk
    uninstalled
    started_later
    switched_off
fi
small_disk
evening full
large_disk
evening pi
evening_by_mcu
evening_by_page
uninstalled
purged
started_later
switched_off
