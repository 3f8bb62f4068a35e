#!/bin/sh
# Runs in the virtual Pi as the unit pi-test: the evening, and what is to be seen where it fails.
set -eu

export PYTHONPATH=/exchange PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
PATIENCE=$(cat /exchange/patience)
export PATIENCE

if ! /opt/tablelight/current/bin/python /exchange/tests/pi/evening.py "$(cat /exchange/form)"; then
    echo "FAILED; what the table has said last:"
    journalctl --no-pager --unit tablelight --lines 60 || true
    sync
    systemctl poweroff
fi
