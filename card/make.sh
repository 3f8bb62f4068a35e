#!/bin/sh
# Makes build/pi/card.img, a memory card for a Pi 3, Zero 2 W or 4, from the root that tests/pi/build.sh has made, which
# reads this file. A master boot record with three partitions: FAT with firmware, kernel and tablelight.txt; the root,
# which is never written to; the state, which takes all of the card at the first start.
set -eu

CARD=$SOURCE/card
CARD_PACKAGES=e2fsprogs,wpasupplicant,wireless-regdb,systemd-resolved,systemd-timesyncd,iproute2
FIRMWARE="raspi-firmware firmware-brcm80211" # of Debian's component non-free-firmware
CARD_FIRST="bcm2835 sdhci_iproc mmc_block gpio_regulator fixed crc32c_generic ext4"
CARD_LATER="vfat nls_ascii nls_cp437 nls_utf8 spi_bcm2835 i2c_bcm2835 i2c_dev bcm2835_thermal bcm2711_thermal
    bcm2835_wdt raspberrypi_cpufreq bcm2835_rng iproc_rng200 dwc2 phy_generic pcie_brcmstb reset_raspberrypi xhci_pci
    smsc95xx lan78xx microchip genet broadcom mdio_bcm_unimac brcmfmac ctr ccm gcm cmac cdc_ether rndis_host ch341
    ftdi_sio cp210x cdc_acm vc4"
# MiB. The whole is a power of two, which QEMU wants of a card.
BOOT_SIZE=92 ROOT_SIZE=800 CARD_SIZE=1024 FIRST_AT=4

check_card() {
    for program in mkfs.fat mcopy debugfs; do
        command -v $program >/dev/null || fail "$program is missing: sudo apt install dosfstools mtools e2fsprogs"
    done
}

# With the component for firmware, of which the licences allow to give it on.
get_firmware() {
    echo "$MIRROR $FIRMWARE" | fresh firmware && return
    say "Fetching the firmware of the Pi ..."
    mkdir -p "$OUT/firmware"
    with_apt non-free-firmware
    # shellcheck disable=SC2086,SC2154 # a list of names; $apt is set by with_apt
    (cd "$apt" && apt-get -qq download $FIRMWARE)
    unset APT_CONFIG
    for package in "$apt"/*.deb; do dpkg-deb -x "$package" "$OUT/firmware"; done
    rm -r "$apt"
    done_with firmware
}

# What a card has beside the root of the virtual Pi: its network, and tools for its file system.
get_more() {
    echo "$MIRROR $PACKAGES $CARD_PACKAGES" | fresh more && return
    say "Unpacking what a card has beside ..."
    mmdebstrap --quiet --variant=extract --architectures=arm64 --include="$PACKAGES,$CARD_PACKAGES" \
        --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr bookworm "$OUT/more" "$MIRROR" 2>"$OUT/more.log" ||
        fail "no more was got: $(tail -n 3 "$OUT/more.log")"
    rm -rf "$OUT/more/usr/share/doc" "$OUT/more/usr/share/locale" "$OUT/more/usr/share/man" "$OUT/more/var/cache/apt" \
        "$OUT/more/etc/hostname" "$OUT/more/etc/resolv.conf" "$OUT/more/var/lib/apt"
    done_with more
}

make_card_root() {
    { cat "$OUT/root.key" "$OUT/more.key" "$OUT/firmware.key" "$OUT/kernel.key" "$CARD"/* &&
        cat "$SOURCE/systemd/page.conf" && echo "$CARD_FIRST $CARD_LATER" && code make_card_root; } |
        fresh card && return
    say "Making the root of the card ..."
    cp -a "$OUT/root" "$OUT/card"
    cp -a "$OUT/more/." "$OUT/card/"
    # shellcheck disable=SC2086 # lists of names
    put_modules "$OUT/card" $CARD_FIRST $CARD_LATER
    cp -R "$OUT/firmware/lib/firmware" "$OUT/card/usr/lib/"
    rm -f "$OUT/card/etc/systemd/system/pi-test.service"
    install -D -m 644 "$CARD/tablelight-card.service" "$OUT/card/etc/systemd/system/tablelight-card.service"
    install -D -m 644 "$CARD/card.conf" "$OUT/card/etc/systemd/system/tablelight.service.d/card.conf"
    install -D -m 644 "$SOURCE/systemd/page.conf" "$OUT/card/etc/systemd/system/tablelight.service.d/page.conf"
    install -D -m 644 "$CARD/table.network" "$OUT/card/etc/systemd/network/table.network"
    install -D -m 755 "$CARD/set-up.sh" "$OUT/card/usr/local/lib/tablelight/set-up.sh"
    install -m 644 "$CARD/fstab" "$OUT/card/etc/fstab"
    register
    in_root "$OUT/card" <<'END'
systemd-sysusers
: >/etc/machine-id # each start makes one of its own, for nothing is written here
mkdir -p /state /boot/firmware /var/lib/private /var/lib/systemd /etc/wpa_supplicant
rm -rf /var/lib/tablelight /exchange
ln -s private/tablelight /var/lib/tablelight
for each in db db.p7s; do ln -sf regulatory.$each-debian /usr/lib/firmware/regulatory.$each; done
ln -sf /state/tablelight.toml /etc/tablelight.toml
ln -sf /state/wlan.conf /etc/wpa_supplicant/wpa_supplicant-wlan0.conf
ln -sf ../run/systemd/resolve/stub-resolv.conf /etc/resolv.conf
mkdir -p /etc/systemd/system/wpa_supplicant@wlan0.service.d
printf '[Unit]\nConditionFileNotEmpty=/state/wlan.conf\nAfter=tablelight-card.service\n' \
    >/etc/systemd/system/wpa_supplicant@wlan0.service.d/card.conf
systemctl --quiet enable tablelight tablelight-card systemd-networkd systemd-resolved systemd-timesyncd \
    wpa_supplicant@wlan0
systemctl --quiet mask systemd-firstboot systemd-networkd-wait-online wpa_supplicant
END
    done_with card
}

# The partition that the firmware starts from. The trees are those of Debian's kernel, with SPI on.
make_boot() {
    boot=$OUT/boot.new
    rm -rf "$boot"
    mkdir -p "$boot"
    for part in bootcode.bin start.elf start4.elf fixup.dat fixup4.dat; do
        cp "$OUT/firmware/usr/lib/raspi-firmware/$part" "$boot/"
    done
    # shellcheck disable=SC2154 # build.sh sets $version
    for tree in "$OUT/kernel/usr/lib/linux-image-$version/broadcom"/bcm*.dtb; do
        dtc -q -I dtb -O dts "$tree" | cat - "$CARD/spi.dts" | dtc -q -I dts -O dtb -o "$boot/${tree##*/}"
    done
    cp "$OUT/kernel/boot/vmlinuz-$version" "$boot/vmlinuz"
    cp "$OUT/initramfs.card" "$boot/initramfs"
    cp "$CARD/config.txt" "$CARD/cmdline.txt" "$boot/"
    sed 's/$/\r/' "$CARD/tablelight.txt" >"$boot/tablelight.txt" # Notepad wants it so
    rm -f "$OUT/boot.fat"
    truncate -s ${BOOT_SIZE}M "$OUT/boot.fat"
    mkfs.fat -F 32 -n TABLELIGHT "$OUT/boot.fat" >/dev/null
    mcopy -i "$OUT/boot.fat" "$boot"/* ::/
    rm -r "$boot"
}

make_state() {
    state=$OUT/state.new
    rm -rf "$state"
    mkdir -p "$state/private" "$state/systemd"
    chmod 700 "$state/private"
    mkfs.ext4 -q -d "$state" -L state -E root_owner=0:0 "$OUT/state.ext4" "$1"
    rm -r "$state"
}

# One of the four entries of a master boot record: the kind, where it begins and how large it is, in MiB.
entry() {
    printf '\0\0\0\0'
    printf '%b' "\\0$(printf %o "$1")\0\0\0"
    for number in $(($2 * 2048)) $(($3 * 2048)); do
        for shift in 0 8 16 24; do printf '%b' "\\0$(printf %o $((number >> shift & 255)))"; done
    done
}

make_card() {
    { cat "$OUT/card.key" "$OUT/initramfs.card.key" && code make_card && code make_boot && code make_state &&
        echo "$BOOT_SIZE $ROOT_SIZE $CARD_SIZE"; } | fresh card.img && return
    say "Making the image of the card ..."
    state_at=$((FIRST_AT + BOOT_SIZE + ROOT_SIZE))
    state_size=$((CARD_SIZE - state_at))
    make_boot
    rm -f "$OUT/card.ext4" "$OUT/state.ext4"
    mkfs.ext4 -q -d "$OUT/card" -L root "$OUT/card.ext4" ${ROOT_SIZE}M
    make_state ${state_size}M
    truncate -s ${CARD_SIZE}M "$OUT/card.img"
    {
        head -c 446 /dev/zero
        entry 12 $FIRST_AT $BOOT_SIZE
        entry 131 $((FIRST_AT + BOOT_SIZE)) $ROOT_SIZE
        entry 131 $state_at $state_size
        head -c 16 /dev/zero
        printf '\125\252'
    } | dd of="$OUT/card.img" conv=notrunc status=none
    for part in boot.fat:$FIRST_AT card.ext4:$((FIRST_AT + BOOT_SIZE)) state.ext4:$state_at; do
        dd if="$OUT/${part%:*}" of="$OUT/card.img" bs=1M seek="${part#*:}" conv=notrunc,sparse status=none
    done
    rm -f "$OUT/boot.fat" "$OUT/card.ext4" "$OUT/state.ext4"
    done_with card.img
    say "$OUT/card.img is a memory card of $CARD_SIZE MiB."
}
