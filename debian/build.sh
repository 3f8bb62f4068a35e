#!/bin/sh
# Builds the Debian package for a release and an architecture, in a small Debian of just these: build/deb/*.deb
#
#     sudo sh debian/build.sh [bookworm | trixie] [amd64 | arm64]      # or: sudo make deb RELEASE=trixie ARCH=arm64
#
# Needs root, a checkout and, for what Debian and the index of Python packages have, a network; inside the small Debian
# there is none. It is made once, in the cache of whoever calls this. MIRROR is where Debian is, if not where mmdebstrap
# looks by itself. PYTHON has pip and setuptools.
set -eu
umask 022

SOURCE=$(cd "$(dirname "$0")/.." && pwd)
PYTHON=${PYTHON:-$SOURCE/.venv/bin/python}
RELEASE=${1:-bookworm}
HERE=$(dpkg --print-architecture)
ARCH=${2:-$HERE}
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/tablelight/deb
ROOT=$CACHE/build-$RELEASE-$ARCH
WHEELS=$CACHE/wheels-$RELEASE-$ARCH
OUT=$SOURCE/build/deb
PACKAGES=dpkg-dev,gcc,libc6-dev

fail() {
    printf 'build.sh: %s\n' "$*" >&2
    exit 1
}

check() {
    case $RELEASE in
    bookworm) number=12 python=3.11 ;;
    trixie) number=13 python=3.13 ;;
    *) fail "there is no release $RELEASE here: bookworm (Debian 12) and trixie (13) there are" ;;
    esac
    case $ARCH in
    amd64) machine=x86_64 ;;
    arm64) machine=aarch64 ;;
    *) fail "there is no architecture $ARCH here: amd64 and arm64 there are, for which libraries are published" ;;
    esac
    [ "$(id -u)" = 0 ] || fail "this needs root, for a small Debian of its own"
    for program in mmdebstrap systemd-nspawn; do
        command -v $program >/dev/null || fail "$program is missing: sudo apt install mmdebstrap systemd-container"
    done
    [ -x "$PYTHON" ] || fail "$PYTHON is missing: make deb sets it up, or say PYTHON=..."
    git -C "$SOURCE" rev-parse --git-dir >/dev/null 2>&1 ||
        fail "$SOURCE is no checkout, whose files could be told from others"
    [ "$ARCH" = "$HERE" ] || arch-test "$ARCH" >/dev/null ||
        fail "programs for $ARCH do not run here: sudo apt install arch-test qemu-user-static binfmt-support"
}

# Once, outside the tree; the changes of a build to it are thrown away.
make_root() {
    needs=$PACKAGES,$(sed -n 's/^Build-Depends: //p' "$SOURCE/debian/control" |
        sed 's/ ([^)]*)//g; s/debhelper-compat/debhelper/; s/ //g')
    [ "$(cat "$ROOT/needs" 2>/dev/null)" = "$needs" ] && return
    echo "Making a small Debian in $ROOT (once; for an emulated processor it takes long) ..."
    rm -rf "$ROOT" "$ROOT.new"
    # shellcheck disable=SC2086 # no mirror is no argument
    mmdebstrap --quiet --variant=minbase --arch="$ARCH" --include="$needs" "$RELEASE" "$ROOT.new" ${MIRROR:-}
    echo "$needs" >"$ROOT.new/needs"
    mv "$ROOT.new" "$ROOT"
}

# The files whose hashes are pinned, for that Python and that architecture; sources of what has to be compiled. Fetched
# again when something else is pinned.
fetch() {
    pins=$(cat "$SOURCE"/systemd/requirements*.txt | cksum)
    [ "$(cat "$WHEELS/pins" 2>/dev/null)" = "$pins" ] && return
    echo "Fetching libraries ..."
    rm -rf "$WHEELS"
    pinned --only-binary :all: --python-version $python --abi "cp$(echo $python | tr -d .)" --abi abi3 --abi none \
        --platform manylinux_2_17_$machine --platform manylinux2014_$machine --platform manylinux_2_28_$machine \
        --requirement "$SOURCE/systemd/requirements.txt"
    for library in lgpio spidev rpi_ws281x; do
        pinned --no-binary :all: --no-build-isolation --requirement "$SOURCE/systemd/requirements-$library.txt"
    done
    echo "$pins" >"$WHEELS/pins"
}

pinned() {
    "$PYTHON" -m pip download -qqq --disable-pip-version-check --require-hashes --no-deps --dest "$WHEELS" "$@"
}

# Just the files that are kept, and a changelog of Debian's kind. Between releases a version is lower than the one that
# it leads to, and grows with the time of the commit.
prepare() {
    mkdir "$work/tablelight"
    (cd "$SOURCE" && git ls-files -z | tar --null --files-from=- --create) | tar -x -C "$work/tablelight"
    version=$(sed -n 's/^__version__ = "\(.*\)"/\1/p' "$SOURCE/firmware_bridge/__init__.py")
    when=$(git -C "$SOURCE" log -1 --format=%ct)
    [ "$(git -C "$SOURCE" tag --points-at HEAD "v$version")" ] || version=$version~~$(date -u -d "@$when" +%Y%m%d.%H%M)
    version=$version~deb$number
    cat >"$work/tablelight/debian/changelog" <<CHANGES
tablelight ($version) $RELEASE; urgency=medium

  * This version; changelog.gz beside this file tells what is new in it.

 -- $(sed -n 's/^Maintainer: //p' "$SOURCE/debian/control")  $(date -u -R -d "@$when")
CHANGES
}

build() {
    echo "Building tablelight $version for $ARCH ..."
    systemd-nspawn --quiet --directory "$ROOT" --volatile=overlay --private-network --register=no --keep-unit --pipe \
        --bind="$work:/build" --bind-ro="$WHEELS:/wheels" --chdir=/build/tablelight --setenv=WHEELS=/wheels \
        --setenv=LC_ALL=C.UTF-8 \
        dpkg-buildpackage --build=binary --no-sign --no-check-builddeps >"$work/log" 2>&1 </dev/null ||
        { tail -n 40 "$work/log"; fail "the build failed"; }
    mkdir -p "$OUT"
    cp "$work/log" "$OUT/tablelight_${version}_$ARCH.log"
    cp "$work"/*.deb "$OUT"
}

look() {
    made=$OUT/tablelight_${version}_$ARCH.deb
    if command -v lintian >/dev/null; then
        lintian --allow-root --fail-on error --tag-display-limit 0 "$made" || fail "lintian finds errors"
    else
        echo "lintian is missing: the package is not checked."
    fi
    echo "$made: $(($(stat -c %s "$made") / 1000)) kB"
}

check
work=$(mktemp -d)
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$CACHE"
make_root
fetch
prepare
build
look
