#!/bin/sh
# Makes a virtual Raspberry Pi Zero 2 W with Tablelight on it in build/pi, from packages of Debian 12 alone: a root of
# arm64, its kernel, a module that is a table wired to the header (module/), a device tree that says which Pi it is.
# Whatever is there already and still right is kept. Needs root, and at the first time a network; run.py then boots it.
#
# Packages are unpacked and not configured, which takes seconds instead of ten minutes, and what systemd needs of their
# configuration is written here. The program is put in by systemd/install.sh, as it is, under QEMU's emulation of single
# programs: three times as fast as inside the virtual machine, and needing no network there.
set -eu
umask 022

HERE=$(cd "$(dirname "$0")" && pwd)
SOURCE=$(cd "$HERE/../.." && pwd)
PYTHON=${PYTHON:-$SOURCE/.venv/bin/python}
MIRROR=${MIRROR:-http://deb.debian.org/debian}
OUT=${OUT:-$SOURCE/build/pi}
KEYS=/usr/share/keyrings/debian-archive-keyring.gpg
BINFMT=/proc/sys/fs/binfmt_misc
NEEDED="qemu-system-arm qemu-user-static mmdebstrap gcc-aarch64-linux-gnu libc6-dev-arm64-cross device-tree-compiler"
NEEDED="$NEEDED kmod cpio e2fsprogs make"
PACKAGES=systemd,systemd-sysv,dbus,udev,kmod,libnss-systemd,python3,python3-venv,python3-spidev,passwd,login,base-files
PACKAGES=$PACKAGES,base-passwd,bash,dash,coreutils,util-linux,mount,procps,libc-bin,grep,sed,findutils,diffutils,hostname
FIRST="virtio_mmio virtio_blk crc32c_generic ext4" # modules that the initramfs needs
LATER="9p 9pnet_virtio virtio_rng virtio_net virtio_console xhci_pci ftdi_sio i2c_dev" # and the root
SIZE=900M
PARTS=$(sed -n 's/^PARTS="\(.*\)".*/\1/p' "$SOURCE/systemd/install.sh")

fail() {
    printf 'build.sh: %s\n' "$*" >&2
    exit 1
}

say() { printf '%s\n' "$*"; }

check() {
    for program in qemu-system-aarch64 qemu-aarch64-static mmdebstrap aarch64-linux-gnu-gcc dtc depmod cpio mkfs.ext4 make; do
        PATH=$PATH:/sbin:/usr/sbin command -v $program >/dev/null ||
            fail "$program is missing: sudo apt install $NEEDED"
    done
    [ -f $KEYS ] || fail "the keys of Debian's archive are missing: sudo apt install debian-archive-keyring"
    [ "$(id -u)" = 0 ] || fail "this needs root, to make files that belong to root: sudo make test-pi"
    [ -x "$PYTHON" ] || fail "$PYTHON is missing: make lint sets it up, or say PYTHON=..."
}

# Whether $1 was made of just what is told on stdin; who makes it calls done_with then.
fresh() {
    sha256sum >"$OUT/$1.wanted"
    cmp -s "$OUT/$1.wanted" "$OUT/$1.key" && return
    rm -rf "${OUT:?}/$1" "$OUT/$1.key"
    return 1
}

# A function as it stands in here: what it makes is made anew when it changes.
code() { cat "$0" "$SOURCE/card/make.sh" | sed -n "/^$1() {/,/^}/p"; }

done_with() { mv "$OUT/$1.wanted" "$OUT/$1.key"; }

# The kernel -----------------------------------------------------------------------------------

# Lets apt fetch packages of arm64 into $apt, from one component of Debian's archive.
with_apt() {
    apt=$OUT/apt
    mkdir -p "$apt/etc/apt/preferences.d" "$apt/etc/apt/apt.conf.d" "$apt/var/lib/apt/lists/partial" \
        "$apt/var/cache/apt/archives/partial" "$apt/var/lib/dpkg"
    : >"$apt/var/lib/dpkg/status"
    echo "deb [signed-by=$KEYS] $MIRROR bookworm $1" >"$apt/etc/apt/sources.list"
    cat >"$apt/conf" <<END
Dir "$apt";
Dir::State::status "$apt/var/lib/dpkg/status";
APT::Architecture "arm64";
APT::Architectures { "arm64"; "$(dpkg --print-architecture)"; };
APT::Sandbox::User "root";
END
    export APT_CONFIG="$apt/conf"
    apt-get -qq update
}

# Debian's, with what a module is built with: headers of arm64, and tools that run here.
get_kernel() {
    echo "$MIRROR" "$(dpkg --print-architecture)" | fresh kernel && return
    say "Fetching Debian's kernel for arm64 ..."
    mkdir -p "$OUT/kernel"
    with_apt main
    image=$(apt-cache depends linux-image-arm64 | sed -n 's/ *Depends: //p')
    headers=$(apt-cache depends linux-headers-arm64 | sed -n 's/ *Depends: //p')
    common=$(echo "$headers" | sed 's/arm64$/common/')
    (cd "$apt" && apt-get -qq download "$image" "$headers:arm64" "$common" "linux-kbuild-6.1:$(dpkg --print-architecture)")
    unset APT_CONFIG
    for package in "$apt"/*.deb; do dpkg-deb -x "$package" "$OUT/kernel"; done
    rm -r "$apt"
    echo "include $OUT/kernel/usr/src/$common/Makefile" >"$OUT/kernel/usr/src/$headers/Makefile"
    depmod -b "$OUT/kernel" "$(ls "$OUT/kernel/lib/modules")"
    done_with kernel
}

make_module() {
    cat "$OUT/kernel.key" "$HERE"/module/* | fresh module && return
    say "Building the table as a module of the kernel ..."
    cp -R "$HERE/module" "$OUT/module"
    make -s -C "$OUT/kernel/usr/src/linux-headers-$version" M="$OUT/module" ARCH=arm64 W=1 \
        CROSS_COMPILE=aarch64-linux-gnu- CC=aarch64-linux-gnu-gcc modules 2>"$OUT/module.log" ||
        fail "the module cannot be built: $(cat "$OUT/module.log")"
    done_with module
}

# The files of modules and of those they need, in the order in which they are loaded.
files_of() {
    for module; do
        modprobe -d "$OUT/kernel" -S "$version" --show-depends "$module" | sed -n 's/^insmod \([^ ]*\).*/\1/p'
    done | awk '!seen[$0]++'
}

# $1 with the modules behind it, by which the disk is reached.
make_initramfs() {
    initramfs=$1
    shift
    { cat "$OUT/kernel.key" "$HERE/init.c" && echo "$*"; } | fresh "$initramfs" && return
    work=$OUT/initramfs.new
    rm -rf "$work"
    mkdir -p "$work"
    aarch64-linux-gnu-gcc -O2 -static -o "$work/init" "$HERE/init.c"
    for file in $(files_of "$@"); do
        cp "$file" "$work/"
        echo "/${file##*/}" >>"$work/modules"
    done
    (cd "$work" && find . | cpio --quiet --create --format=newc --owner=0:0 | gzip -1) >"$OUT/$initramfs"
    rm -r "$work"
    done_with "$initramfs"
}

make_tree() {
    cat "$HERE/pi.dts" "$HERE/machine" | fresh pi.dtb && return
    # shellcheck disable=SC2046 # a list of options
    qemu-system-aarch64 -M virt,dumpdtb="$OUT/virt.dtb" $(cat "$HERE/machine") 2>/dev/null
    dtc -q -I dtb -O dts "$OUT/virt.dtb" | cat - "$HERE/pi.dts" | dtc -q -I dts -O dtb -o "$OUT/pi.dtb"
    rm "$OUT/virt.dtb"
    done_with pi.dtb
}

# The root -------------------------------------------------------------------------------------

# Programs of arm64 run here by QEMU once the kernel is told so, which containers often are not.
register() {
    [ -e $BINFMT/register ] || mount -t binfmt_misc none $BINFMT || fail "this kernel has no binfmt_misc"
    [ -e $BINFMT/qemu-aarch64 ] && return
    cat /usr/lib/binfmt.d/qemu-aarch64.conf >$BINFMT/register || fail "programs of arm64 cannot be run here"
    trap 'echo -1 >$BINFMT/qemu-aarch64' EXIT
}

in_root() {
    root=$1
    shift
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "$@" chroot "$root" /bin/sh -eu
}

make_base() {
    { echo "$MIRROR $PACKAGES" && code make_base; } | fresh base && return
    say "Unpacking a small Debian for arm64 ..."
    mmdebstrap --quiet --variant=extract --architectures=arm64 --include=$PACKAGES \
        --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr bookworm "$OUT/base" "$MIRROR" 2>"$OUT/base.log" ||
        fail "no root was made: $(tail -n 3 "$OUT/base.log")"
    rm -rf "$OUT/base/usr/share/doc" "$OUT/base/usr/share/locale" "$OUT/base/usr/share/man" "$OUT/base/var/cache/apt"
    register
    say "Compiling its Python ..."
    in_root "$OUT/base" <<'END'
for each in passwd group; do cp /usr/share/base-passwd/$each.master /etc/$each; done
cp /usr/share/libc-bin/nsswitch.conf /etc/nsswitch.conf
sed -i 's/^\(passwd\|group\):.*/& systemd/' /etc/nsswitch.conf
systemd-sysusers
echo table >/etc/hostname
echo 0123456789abcdef0123456789abcdef >/etc/machine-id
: >/etc/fstab
mkdir -p /exchange /root
python3 -m compileall -q -x '/(test|tests|idlelib|lib2to3|tkinter)/' /usr/lib/python3.11 /usr/lib/python3/dist-packages
END
    done_with base
}

# What the installer would fetch, for inside there is no network. Debian's own spidev is there already.
get_wheels() {
    cat "$SOURCE/systemd/requirements.txt" "$SOURCE/systemd/requirements-lgpio.txt" >"$OUT/needs"
    fresh wheels <"$OUT/needs" && return
    say "Fetching wheels ..."
    platforms=''
    for glibc in 36 35 34 31 28 17; do platforms="$platforms --platform manylinux_2_${glibc}_aarch64"; done
    # shellcheck disable=SC2086 # a list of options
    "$PYTHON" -m pip download -qqq --disable-pip-version-check --only-binary :all: --python-version 3.11 $platforms \
        --platform manylinux2014_aarch64 --require-hashes --no-deps --dest "$OUT/wheels" --requirement "$OUT/needs"
    done_with wheels
}

sources() {
    cd "$SOURCE"
    # shellcheck disable=SC2086 # a list of names
    find $PARTS systemd -name __pycache__ -prune -o -type f -exec sha256sum {} + | LC_ALL=C sort
}

install_program() {
    { cat "$OUT/base.key" "$OUT/wheels.key" && code install_program && sources; } | fresh root && return
    say "Installing the program with systemd/install.sh, under emulation ..."
    root=$OUT/root
    cp -a "$OUT/base" "$root"
    register
    mkdir "$root/source" "$root/wheels"
    # shellcheck disable=SC2086 # a list of names
    (cd "$SOURCE" && cp -R --parents $PARTS systemd "$root/source")
    cp "$OUT"/wheels/* "$root/wheels/"
    in_root "$root" PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels >"$OUT/install.log" 2>&1 <<'END' ||
sh /source/systemd/install.sh
END
        fail "it could not be installed: $(cat "$OUT/install.log")"
    rm -r "$root/source" "$root/wheels"
    done_with root
}

# A root gets these modules, those that they need, and no others.
put_modules() {
    to=$1
    shift
    lib=$to/usr/lib/modules/$version
    rm -rf "$to/usr/lib/modules"
    mkdir -p "$lib"
    cp "$OUT/kernel/lib/modules/$version"/modules.builtin* "$OUT/kernel/lib/modules/$version/modules.order" "$lib"
    for file in $(files_of "$@"); do
        part=${file#"$OUT/kernel/lib/modules/$version/"}
        mkdir -p "$lib/$(dirname "$part")"
        cp "$file" "$lib/$part"
    done
    depmod -b "$to" "$version"
}

add_modules() {
    # shellcheck disable=SC2086 # a list of names
    put_modules "$OUT/root" $FIRST $LATER
    mkdir -p "$lib/extra"
    cp "$OUT/module/virtual_table.ko" "$lib/extra/"
    depmod -b "$OUT/root" "$version"
}

make_image() {
    { cat "$OUT/root.key" "$OUT/module.key" "$HERE/pi-test.service" "$HERE/outside.network" && code add_modules && code make_image; } |
        fresh root.ext4 && return
    add_modules
    mkdir -p "$OUT/root/var/lib/private"
    echo "LABEL=state /var/lib/private ext4 noatime,x-systemd.device-timeout=600 0 0" >"$OUT/root/etc/fstab"
    cp "$HERE/pi-test.service" "$OUT/root/etc/systemd/system/"
    echo i2c-dev >"$OUT/root/etc/modules-load.d/i2c.conf" # as raspi-config does
    cp "$HERE/outside.network" "$OUT/root/etc/systemd/network/"
    mkfs.ext4 -q -d "$OUT/root" -L root "$OUT/root.ext4" $SIZE
    done_with root.ext4
}

PATH=$PATH:/sbin:/usr/sbin
check
mkdir -p "$OUT"
get_kernel
version=$(ls "$OUT/kernel/lib/modules")
get_wheels
make_base
install_program
if [ "${1:-machine}" = card ]; then
    # shellcheck disable=SC1091 # checked by itself
    . "$SOURCE/card/make.sh"
    check_card
    get_firmware
    get_more
    # shellcheck disable=SC2086 # a list of names
    make_initramfs initramfs.card $CARD_FIRST
    make_card_root
    make_card
    exit
fi
make_module
# shellcheck disable=SC2086 # a list of names
make_initramfs initramfs $FIRST
make_tree
make_image
cp "$OUT/kernel/boot/vmlinuz-$version" "$OUT/vmlinuz"
