#!/bin/sh
# Boots a small Debian 12 with the real systemd in a container, and lives through an evening at a table in it: installed,
# played, hung, upgraded, uninstalled, switched off (inside.sh). The table is a pretended Pi (tests/hardware/shim), read
# and lit by the real libraries, then an emulated micro-controller on a serial line (tests/firmware), and then the Pi
# again with a page, hints and a report. Needs root, and at the first time a network; takes five minutes then, and three
# later.
#
#     sudo apt install systemd-container mmdebstrap gcc      # for the chip see tests/firmware/README.md
#     sudo make test-systemd
#     sudo sh tests/systemd/boot.sh short    # one evening, with most of it
#     sudo sh tests/systemd/boot.sh able     # whether such a container boots here at all, and nothing else
set -eu

HERE=$(cd "$(dirname "$0")" && pwd)
SOURCE=$(cd "$HERE/../.." && pwd)
PYTHON=${PYTHON:-$SOURCE/.venv/bin/python}
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/tablelight/boot
PACKAGES=systemd,systemd-sysv,dbus,python3,python3-venv,python3-spidev
ROOT=$CACHE/bookworm
LONGEST=600
ABLE=60
DIALOUT=20 # the number of that group on every Debian

fail() {
    printf 'boot.sh: %s\n' "$*" >&2
    exit 1
}

check() {
    [ "$(id -u)" = 0 ] || fail "this needs root, for a container with a systemd of its own"
    for program in systemd-nspawn mmdebstrap gcc; do
        command -v $program >/dev/null || fail "$program is missing: sudo apt install systemd-container mmdebstrap gcc"
    done
    [ -x "$PYTHON" ] || fail "$PYTHON is missing: make lint sets it up, or say PYTHON=..."
}

# Once, outside the tree; the container's changes to it are thrown away.
make_root() {
    [ -d "$ROOT" ] && return
    echo "Making a small Debian in $ROOT (once) ..."
    rm -rf "$ROOT.new"
    mmdebstrap --quiet --variant=minbase --include=$PACKAGES bookworm "$ROOT.new"
    mv "$ROOT.new" "$ROOT"
}

# What the installer would fetch, for inside there is no network; fetched again when it pins something else. Debian's own
# spidev is there already.
make_wheels() {
    cat "$SOURCE/systemd/requirements.txt" "$SOURCE/systemd/requirements-lgpio.txt" >"$work/needs"
    wheels=$CACHE/wheels-$(cksum <"$work/needs" | cut -d ' ' -f 1)
    [ -d "$wheels" ] && return
    echo "Fetching wheels for it ..."
    rm -rf "$wheels.new"
    "$PYTHON" -m pip download -qqq --disable-pip-version-check --only-binary :all: --python-version 3.11 \
        --require-hashes --no-deps --dest "$wheels.new" --requirement "$work/needs"
    mv "$wheels.new" "$wheels"
}

make_pi() {
    for part in pi gpiochip; do
        gcc -shared -fPIC -O2 -o "$work/$part.so" "$SOURCE/tests/hardware/shim/$part.c" -ldl
    done
}

# The chip runs out here, where its emulator is; inside there is its port alone.
make_chip() {
    for program in avr-gcc simavr; do
        command -v $program >/dev/null || {
            echo "$program is missing, so there is no evening with a micro-controller (tests/firmware/README.md)."
            return 0
        }
    done
    make -s -C "$SOURCE/hardware/mcu" OUT="$work/mcu"
    make -s -C "$SOURCE/tests/firmware/chip" OUT="$work/mcu"
    "$work/mcu/chip" "$work/mcu/matrix.elf" --pty "$work/port" --control "$work/chip.ctl" --dtr &
    chip=$!
    for _ in 1 2 3 4 5 6 7 8 9; do [ -e "$work/chip.ctl" ] || sleep 1; done
    port=$(readlink "$work/port")
    chown 0:$DIALOUT "$port"
    chmod 660 "$port"
}

clean() {
    [ -z "$chip" ] || kill "$chip"
    rm -rf "$work"
}

# Boots it for so many seconds at most, with further options and a word for its systemd.
container() {
    seconds=$1
    shift
    timeout "$seconds" systemd-nspawn --quiet --boot --directory "$ROOT" --volatile=overlay --private-network \
        --register=no --keep-unit --hostname=table --console=pipe "$@" </dev/null >"$work/console" 2>&1
}

boot() {
    date +%s.%N >"$work/begun"
    container $LONGEST --bind-ro="$SOURCE:/source" --bind-ro="$wheels:/wheels" --bind="$work:/exchange" \
        ${port:+--bind="$port:/dev/tablelight"} \
        --bind-ro="$HERE/boot-test.service:/etc/systemd/system/boot-test.service" \
        systemd.wants=boot-test.service || status=$?
}

check
work=$(mktemp -d)
chmod 755 "$work"
chip='' port=''
trap clean EXIT
mkdir -p "$CACHE"
make_root
form=${1:-whole}
if [ "$form" = able ]; then
    container $ABLE systemd.unit=poweroff.target || fail "no container boots here: $(tail -n 1 "$work/console")"
    exit
fi
make_wheels
make_pi
echo "$form" >"$work/form"
[ "$form" = short ] || make_chip
status=0
boot
cat "$work/log" 2>/dev/null || cat "$work/console"
[ $status != 124 ] || fail "not done after $LONGEST seconds"
[ $status = 0 ] || fail "failed (status $status)"
tail -n 1 "$work/log" | grep -q 'power button' || fail "the container ended before its test did"
# The whole form ends with a fresh installation, at the board that is meant where none is named.
lights=194
[ "$form" = short ] && lights=66
PYTHONPATH=$SOURCE "$PYTHON" "$HERE/last_picture.py" "$work/pi" $lights
echo "All of it was seen, in $(($(date +%s) - $(cut -d . -f 1 "$work/begun"))) s."
