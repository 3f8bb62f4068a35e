#!/bin/sh
# Installs the newest package of a release and an architecture in a small Debian of just these, looks at all that it
# brings, plays a game, removes and purges it; then has systemd/install.sh do the same (deb_inside.sh). Needs root, and a
# network for what Debian has.
#
#     sudo make test-deb [RELEASE=bookworm | trixie] [ARCH=amd64 | arm64]    # builds the package first
#     sudo sh tests/packages/deb.sh [RELEASE] [ARCH]
set -eu

HERE=$(cd "$(dirname "$0")" && pwd)
SOURCE=$(cd "$HERE/../.." && pwd)
RELEASE=${1:-bookworm}
ARCH=${2:-$(dpkg --print-architecture)}
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/tablelight/deb
WHEELS=$CACHE/wheels-$RELEASE-$ARCH # fetched by debian/build.sh
ROOT=$CACHE/test-$RELEASE-$ARCH

fail() {
    printf 'deb.sh: %s\n' "$*" >&2
    exit 1
}

package() {
    case $RELEASE in
        bookworm) number=12 ;;
        trixie) number=13 ;;
        *) fail "there is no release $RELEASE here: bookworm and trixie there are" ;;
    esac
    package=$(find "$SOURCE/build/deb" -name "tablelight_*~deb${number}_$ARCH.deb" -printf '%T@ %p\n' 2>/dev/null |
        sort -n | tail -n 1 | cut -d ' ' -f 2)
    [ "$package" ] || fail "there is no package for $RELEASE and $ARCH: sudo make deb RELEASE=$RELEASE ARCH=$ARCH"
}

check() {
    [ "$(id -u)" = 0 ] || fail "this needs root, for a small Debian of its own"
    for program in mmdebstrap systemd-nspawn; do
        command -v $program >/dev/null || fail "$program is missing: sudo apt install mmdebstrap systemd-container"
    done
}

# Once, outside the tree; the container's changes to it are thrown away.
make_root() {
    [ -d "$ROOT" ] && return
    echo "Making a small Debian in $ROOT (once; for an emulated processor it takes long) ..."
    rm -rf "$ROOT.new"
    # shellcheck disable=SC2086 # no mirror is no argument
    mmdebstrap --quiet --variant=minbase --arch="$ARCH" --include=systemd "$RELEASE" "$ROOT.new" ${MIRROR:-}
    mv "$ROOT.new" "$ROOT"
}

package
check
emulated=yes
[ "$ARCH" != "$(dpkg --print-architecture)" ] || emulated=no
mkdir -p "$CACHE"
make_root
echo "$(basename "$package") in Debian $number for $ARCH:"
systemd-nspawn --quiet --directory "$ROOT" --volatile=overlay --register=no --keep-unit --pipe \
    --bind-ro="$package:/package/$(basename "$package")" --bind-ro="$HERE/deb_inside.sh:/package/inside.sh" \
    --bind-ro="$WHEELS:/wheels" --bind-ro="$SOURCE:/source" \
    --setenv=LC_ALL=C.UTF-8 --setenv=EMULATED="$emulated" sh /package/inside.sh </dev/null
