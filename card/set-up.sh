#!/bin/sh
# Runs at each start of a card, before the table and the network: lets the state have all of the card, and takes over
# what tablelight.txt says, if that has changed. The answer goes beside it; else the boot partition is never written to.
set -eu

BOOT=/boot/firmware
STATE=/state
FIRST="/opt/tablelight/current/bin/python -I -B -m firmware_bridge.workshop.first_start"

# Power may fail between any two of these: each start goes on where that one ended.
grow() {
    partition=$(findmnt --noheadings --output SOURCE $STATE)
    disk=${partition%p[0-9]*}
    sectors=$(cat "/sys/class/block/${disk#/dev/}/size")
    place=/sys/class/block/${partition#/dev/}
    if [ $(($(cat "$place/start") + $(cat "$place/size"))) -lt "$sectors" ] && $FIRST --grow "$disk" "$sectors"; then
        sync
        partx --update "$disk"
    fi
    resize2fs "$partition" 2>/dev/null
}

take_over() {
    $FIRST $BOOT $STATE
    chgrp tablelight-settings $STATE/tablelight.toml
    chmod 640 $STATE/tablelight.toml
    chmod 644 $STATE/mistakes
    sync
    if [ -e $BOOT/tablelight.txt ]; then
        cp $BOOT/tablelight.txt $STATE/seen.new
        mv $STATE/seen.new $STATE/seen
    fi
}

answer() {
    mount -o remount,rw $BOOT && cp $STATE/answer $BOOT/tablelight-answer.txt && sync
    done=$?
    mount -o remount,ro $BOOT
    return $done
}

grow || echo "The card could not be used to its end; the table works all the same."
cmp -s $BOOT/tablelight.txt $STATE/seen || take_over
cmp -s $STATE/answer $BOOT/tablelight-answer.txt || answer || echo "The answer could not be written to $BOOT."
hostname "$(cat $STATE/hostname)"
