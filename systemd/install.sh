#!/bin/sh
# Makes Tablelight a service that starts with the computer, from the checkout or unpacked archive this file lies in.
# Run again it upgrades; games and configuration stay.
#
#     sudo systemd/install.sh [--no-start]
#     sudo systemd/install.sh --uninstall [--purge]
#
# What it fetches is pinned, with the hashes of the files, in the requirements beside it (make lock), and nothing else is
# installed or run as root. Python is called with -I, for it would look for modules in the current directory first.
set -eu
umask 022

SOURCE=$(cd "$(dirname "$0")/.." && pwd)
PYTHON=${PYTHON:-python3}
PARTS="pyproject.toml LICENSE tablelight.py games hardware firmware_bridge docs/package" # what is installed
PROGRAM=/opt/tablelight
COMMAND=/usr/local/bin/tablelight
UNIT=/etc/systemd/system/tablelight.service
RULES=/etc/udev/rules.d/60-tablelight.rules
GROUPS_FILE=/etc/sysusers.d/tablelight.conf
CONFIGURATION=/etc/tablelight.toml
SETTINGS_GROUP=tablelight-settings
GAMES="/var/lib/tablelight /var/lib/private/tablelight"

task=install start=yes purge=no changed=no first=no stage=''

say() { printf '%s\n' "$*"; }

fail() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 1
}

usage() { sed -n '5,6s/^# *//p' "$0"; }

read_options() {
    for option; do
        case $option in
            --no-start) start=no ;;
            --uninstall) task=uninstall ;;
            --purge) purge=yes ;;
            -h | --help) usage && exit 0 ;;
            *) fail "there is no option $option; there are --no-start, --uninstall and --purge" ;;
        esac
    done
    [ "$purge" = no ] || [ "$task" = uninstall ] || fail "--purge deletes the games: it goes with --uninstall only"
}

# What is needed -------------------------------------------------------------------------------

check() {
    [ "$(id -u)" = 0 ] || fail "this needs root: sudo $0"
    command -v systemctl >/dev/null || fail "there is no systemd here, and this installs a unit of it"
    [ "$task" = install ] || return 0
    [ ! -e /usr/lib/systemd/system/tablelight.service ] ||
        fail "the package tablelight has the service already: sudo systemctl enable --now tablelight starts it"
    command -v systemd-sysusers >/dev/null ||
        fail "systemd-sysusers is missing, and the unit needs its groups: install all of systemd 252 or later"
    command -v "$PYTHON" >/dev/null || fail "Python is missing: sudo apt install python3 python3-venv"
    "$PYTHON" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "Python 3.11 or later is needed, and $PYTHON is $("$PYTHON" -V): say which with sudo PYTHON=... $0"
    "$PYTHON" -I -c 'import ensurepip, venv' 2>/dev/null || fail "Python's venv is missing: sudo apt install python3-venv"
    [ -f "$SOURCE/pyproject.toml" ] || fail "$SOURCE is no checkout of Tablelight: run the file where it was unpacked"
}

# Still by PID 1 in a container or an image that is being built, without which nothing can be started.
runs() { [ -d /run/systemd/system ]; }

active() { runs && systemctl is-active --quiet tablelight; }

# The program ----------------------------------------------------------------------------------

# A copy, so that building leaves nothing in the checkout.
make_stage() {
    stage=$(mktemp -d)
    trap 'rm -rf "$stage"' EXIT
    # shellcheck disable=SC2086 # a list of names
    (cd "$SOURCE" && cp -R --parents $PARTS "$stage")
    cp "$SOURCE"/systemd/requirements*.txt "$stage/"
    find "$stage" -name __pycache__ -prune -exec rm -rf {} +
}

# A name for what is to be installed, the same for the same files and the same Python.
version() {
    (cd "$stage" && find . -type f -exec sha256sum {} + | LC_ALL=C sort && "$PYTHON" -V) | sha256sum | cut -c 1-12
}

# Each version has a folder of its own, and a link names the one in use: what fails half-way changes nothing.
install_program() {
    new=$PROGRAM/$(version)
    [ -e "$new/installed" ] || build "$new"
    [ "$(readlink "$PROGRAM/current" || true)" = "$(basename "$new")" ] && return 0
    ln -sfn "$(basename "$new")" "$PROGRAM/current.new"
    mv -T "$PROGRAM/current.new" "$PROGRAM/current"
    changed=yes
}

build() {
    say "Installing the program ..."
    rm -rf "$1"
    mkdir -p "$PROGRAM"
    # With the system's own packages: apt's python3-lgpio and python3-spidev need not be compiled.
    if "$PYTHON" -I -m venv --system-site-packages "$1" && fetch "$1" && install_stage "$1"; then
        touch "$1/installed"
        return
    fi
    rm -rf "$1"
    fail "pip could not install the program, and nothing was changed; is there a network, and is this a system of 64" \
        "bits? On Raspberry Pi OS: sudo apt install python3-lgpio python3-spidev; on Debian, which has no lgpio, what" \
        "compiles it: sudo apt install python3-spidev gcc python3-dev swig"
}

# Only files whose hashes are known. Wheels alone, for a source distribution runs what it likes while it is built; only
# the two libraries that apt has, too, may be compiled where it has not, by the setuptools that came before. PYPI is
# lgpio's own switch: it builds its C library in, which Debian has not either.
fetch() {
    pinned "$1" --only-binary :all: --requirement "$stage/requirements.txt" || return 1
    for library in lgpio spidev; do
        has "$1" $library || PYPI=1 pinned "$1" --no-build-isolation --requirement "$stage/requirements-$library.txt" || return 1
    done
}

pinned() {
    folder=$1
    shift
    "$folder/bin/pip" install --quiet --disable-pip-version-check --require-hashes --no-deps "$@"
}

has() { "$1/bin/python" -I -c "import sys; from importlib.util import find_spec; sys.exit(not find_spec('$2'))"; }

install_stage() {
    "$1/bin/pip" install --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation "$stage"
}

remove_old_versions() {
    for folder in "$PROGRAM"/*; do
        [ "$folder" = "$PROGRAM/current" ] || [ "$folder" = "$PROGRAM/$(readlink "$PROGRAM/current")" ] ||
            rm -rf "$folder"
    done
}

# The files around it --------------------------------------------------------------------------

put() {
    cmp -s "$SOURCE/systemd/$1" "$2" && return 0
    mkdir -p "$(dirname "$2")"
    install -m 644 "$SOURCE/systemd/$1" "$2"
    changed=yes
}

install_files() {
    [ -e "$UNIT" ] || first=yes
    put tablelight.sysusers "$GROUPS_FILE"
    systemd-sysusers "$GROUPS_FILE"
    put 60-tablelight.rules "$RULES"
    [ -e "$CONFIGURATION" ] || put tablelight.toml "$CONFIGURATION"
    # A token may stand in it: for root, and for the service by a group of its own.
    chgrp "$SETTINGS_GROUP" "$CONFIGURATION"
    chmod 640 "$CONFIGURATION"
    put tablelight.service "$UNIT"
    mkdir -p "$(dirname "$COMMAND")"
    [ -e "$COMMAND" ] || [ -L "$COMMAND" ] || ln -s "$PROGRAM/current/bin/tablelight" "$COMMAND"
}

reload_rules() {
    [ -S /run/udev/control ] || return 0
    udevadm control --reload
    udevadm trigger --action=change --subsystem-match=gpio --subsystem-match=spidev --subsystem-match=i2c-dev \
        --subsystem-match=tty
    udevadm settle --timeout=10 || true
}

# The service ----------------------------------------------------------------------------------

begin() {
    [ "$first" = no ] || systemctl enable --quiet tablelight
    runs || return 0
    systemctl daemon-reload
    [ "$start" = yes ] || return 0
    if [ "$first" = yes ]; then
        systemctl start tablelight 2>/dev/null || not_running
    elif active; then
        say "Starting it anew ..."
        systemctl restart tablelight 2>/dev/null || not_running
    fi
}

not_running() {
    say "It is installed but does not run yet: journalctl -u tablelight -n 20 says why," \
        "and tablelight doctor what to do."
}

install_all() {
    make_stage
    install_program
    install_files
    if [ "$changed" = no ]; then
        say "This version of Tablelight is installed already."
        return
    fi
    reload_rules
    begin
    [ "$start" = no ] || remove_old_versions
    say "Tablelight is installed. Its settings are in $CONFIGURATION; systemctl status tablelight shows what it does."
}

ours() { [ "$(readlink "$COMMAND" || true)" = "$PROGRAM/current/bin/tablelight" ]; }

uninstall() {
    if [ -e "$UNIT" ]; then
        runs && systemctl stop tablelight
        systemctl disable --quiet tablelight
    fi
    ours && rm -f "$COMMAND"
    rm -rf "$PROGRAM" "$UNIT" "$RULES" "$GROUPS_FILE"
    if runs; then
        systemctl daemon-reload
        systemctl reset-failed tablelight 2>/dev/null || true
    fi
    reload_rules
    uninstalled
}

uninstalled() {
    if [ "$purge" = no ]; then
        say "Tablelight is uninstalled. Games (/var/lib/tablelight) and settings ($CONFIGURATION) are still there;" \
            "--uninstall --purge deletes them too."
        return
    fi
    # shellcheck disable=SC2086 # two folders
    rm -rf $GAMES "$CONFIGURATION"
    say "Tablelight is uninstalled, games and settings included."
}

read_options "$@"
check
if [ "$task" = install ]; then install_all; else uninstall; fi
