#!/bin/sh
# Runs in the small Debian of deb.sh: the package from its installation to the last file that is gone, and then what
# systemd/install.sh installs, with the libraries compiled that Debian lacks.
set -eu

export DEBIAN_FRONTEND=noninteractive
PACKAGE=$(echo /package/*.deb)
SETTINGS=/etc/tablelight.toml
GAMES=/var/lib/private/tablelight
BEGUN=$(date +%s)

fail() {
    echo "FAILED: $*"
    exit 1
}

see() { printf '[%4d] %s\n' $(($(date +%s) - BEGUN)) "$*"; }

quietly() { "$@" >/tmp/said 2>&1 </dev/null || { cat /tmp/said && fail "$*"; }; }

# All there is but for what apt and pip keep, the copies that are made where a group is added, and a folder of systemd's
# that is made where it is missing.
files() {
    find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /package \
        -o -path /source -o -path /wheels \
        -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/cache -o -path /var/log \
        -o -path /root/.cache \) -prune -o -print |
        grep -vE '^/etc/(group-|gshadow-|sysusers.d)$' | LC_ALL=C sort
}

# As somebody without rights, from a folder that is theirs.
somebody() {
    (cd /tmp/somebody && setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/tmp/somebody "$@")
}

depended() {
    quietly apt-get update
    quietly apt-get satisfy -y "$(dpkg-deb --field "$PACKAGE" Depends)"
    quietly apt-get install -y udev # so that what it makes by itself is there before
    files >/tmp/before
    see "what it depends on is there"
}

refused_beside_the_installer() {
    mkdir -p /opt/tablelight/current /etc/systemd/system
    touch /etc/systemd/system/tablelight.service
    ! apt-get install -y "$PACKAGE" >/tmp/said 2>&1 || fail "installed beside what install.sh has installed"
    grep -q 'take it away first' /tmp/said || fail "it does not say what is in the way"
    rm -r /opt/tablelight /etc/systemd/system/tablelight.service
    quietly apt-get purge -y tablelight
    see "refused where systemd/install.sh has installed it"
}

installed() {
    quietly apt-get install -y "$PACKAGE"
    see "installed: $(tablelight --version)"
    [ "$(stat -c '%U %G %a' $SETTINGS)" = "root tablelight-settings 640" ] || fail "who may read the settings"
    getent group gpio spi i2c dialout tablelight-settings >/dev/null || fail "a group is missing"
    [ "$(systemctl is-enabled tablelight || true)" = disabled ] || fail "the service is not off"
    find /usr/lib/tablelight -path '*/games/__pycache__/*' | grep -q . || fail "nothing is compiled to bytecode"
    gzip -dc /usr/share/man/man1/tablelight.1.gz | grep -q '^\.TH TABLELIGHT' || fail "no man page"
    bash -c '. /usr/share/bash-completion/completions/tablelight; complete -p tablelight' >/dev/null ||
        fail "completion"
    tablelight completion zsh | cmp - /usr/share/zsh/vendor-completions/_tablelight || fail "completion of zsh"
    [ -s /usr/share/fish/vendor_completions.d/tablelight.fish ] || fail "completion of fish"
    [ -s /usr/share/doc/tablelight/copyright ] || fail "no copyright"
    [ -s /usr/share/doc/tablelight/changelog.gz ] || fail "no changelog"
}

usable() {
    mkdir -p /tmp/somebody
    chown 65534 /tmp/somebody
    # lgpio makes a pipe where it is loaded
    somebody /usr/lib/tablelight/bin/python3 -I -c 'import gpiozero, lgpio, paho.mqtt, PIL.Image, pydyf, rpi_ws281x
import segno, serial, shtab, smbus2, spidev, websockets' ||
        fail "a library is missing"
    see "all libraries are there"
    somebody tablelight doctor >/tmp/said 2>&1 || true
    ! grep -E 'Traceback|^fault ' /tmp/said || { cat /tmp/said && fail "doctor"; }
    for library in gpiozero lgpio spidev smbus2 rpi_ws281x pyserial; do
        grep '^ok  *libraries' /tmp/said | grep -q $library || { cat /tmp/said && fail "doctor does not see $library"; }
    done
    see "doctor: $(grep '^remark  gpio' /tmp/said)"
    somebody tablelight demo yin-yang >/tmp/said 2>&1 </dev/null || { cat /tmp/said && fail "a game"; }
    see "a game: $(tail -n 1 /tmp/said)"
    somebody tablelight overlay zhizhu --paper A4 -o sheet.pdf >/dev/null || fail "a sheet as PDF"
    see "a sheet: $(stat -c %s /tmp/somebody/sheet.pdf) bytes of PDF"
}

unit() {
    systemd-analyze verify tablelight.service >/tmp/said 2>&1 || { cat /tmp/said && fail "systemd-analyze verify"; }
    ! grep tablelight /tmp/said || fail "systemd-analyze verify"
    systemctl --quiet enable tablelight
    [ "$(systemctl is-enabled tablelight)" = enabled ] || fail "the service cannot be switched on"
    rules=$(dpkg -L tablelight | grep rules.d/60-tablelight)
    ! udevadm verify --help >/dev/null 2>&1 || quietly udevadm verify "$rules"
    see "systemd finds nothing wrong with the unit"
}

beside_it_the_installer_refuses() {
    ! sh /usr/share/tablelight/systemd/install.sh >/tmp/said 2>&1 || fail "install.sh installs beside the package"
    grep -q 'package tablelight' /tmp/said || { cat /tmp/said && fail "install.sh does not say why"; }
    see "systemd/install.sh refuses: $(cat /tmp/said)"
}

installed_again() {
    echo "# mine" >>$SETTINGS
    mkdir -p $GAMES
    ln -s private/tablelight /var/lib/tablelight # as systemd lays it
    touch $GAMES/evening.table
    quietly apt-get install -y --reinstall "$PACKAGE"
    tail -n 1 $SETTINGS | grep -q '# mine' || fail "the settings are gone"
    [ "$(stat -c '%G %a' $SETTINGS)" = "tablelight-settings 640" ] || fail "who may read the settings now"
    see "installed again; settings stay"
}

removed() {
    quietly apt-get remove -y tablelight
    for gone in /usr/lib/tablelight /usr/bin/tablelight; do
        [ ! -e $gone ] || fail "there is still $(find $gone | head)"
    done
    [ -s $SETTINGS ] || fail "the settings are gone"
    [ -e $GAMES/evening.table ] || fail "the games are gone"
    see "removed; settings and games stay"
    quietly apt-get purge -y tablelight
    files >/tmp/after
    diff /tmp/before /tmp/after || fail "this is left, or is gone"
    see "purged; no file is left"
}

by_the_installer() {
    if [ "$EMULATED" = yes ]; then
        echo "Left out: systemd/install.sh, for which an emulated processor takes long."
        return
    fi
    quietly apt-get install -y python3-venv python3-spidev gcc python3-dev swig # as docs/service.md says
    files >/tmp/before
    export PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels
    quietly sh /source/systemd/install.sh --no-start
    see "by systemd/install.sh: $(tail -n 1 /tmp/said)"
    somebody /opt/tablelight/current/bin/python3 -I -c 'import lgpio, spidev; print(lgpio.__file__)' |
        grep -q '^/opt/tablelight/' ||
        fail "lgpio is not its own"
    somebody /usr/local/bin/tablelight demo zig-zag >/tmp/said 2>&1 </dev/null || { cat /tmp/said && fail "a game"; }
    systemd-analyze verify tablelight.service >/tmp/said 2>&1 || { cat /tmp/said && fail "systemd-analyze verify"; }
    see "a game, and nothing wrong with the unit"
    quietly sh /source/systemd/install.sh --uninstall --purge
    files >/tmp/after
    diff /tmp/before /tmp/after || fail "the installer leaves this, or took it"
    see "uninstalled; no file is left"
}

depended
refused_beside_the_installer
installed
usable
unit
beside_it_the_installer_refuses
installed_again
removed
by_the_installer
