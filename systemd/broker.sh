#!/bin/sh
# A broker for tables that play with each other (docs/club.md): mosquitto with TLS, a password for each table, and nobody
# else let in. Run it again to add tables; those that are there keep their passwords.
#
#   sh systemd/broker.sh NAME ...              install it on this computer; asks for root where that is needed
#   sh systemd/broker.sh -d FOLDER NAME ...    only write the files of it into FOLDER
set -eu
umask 077
folder=/etc/mosquitto/tablelight
written=
if [ "${1-}" = -d ]; then
    [ $# -ge 2 ] || { echo "broker.sh: -d needs a folder"; exit 2; }
    folder=$2
    written=yes
    shift 2
fi
port=${BROKER_PORT:-8883}
host=${BROKER_HOST:-$(hostname)}
[ $# -ge 1 ] || { echo "broker.sh: name the tables, such as: sh systemd/broker.sh anna ben"; exit 2; }
for name in "$@"; do
    case $name in
    *[!a-z0-9-]* | -* | "") echo "broker.sh: '$name' is no name of a table: small letters, digits and hyphens"; exit 2 ;;
    esac
done
if [ -z "$written" ]; then
    [ "$(id -u)" = 0 ] || exec sudo BROKER_PORT="$port" BROKER_HOST="$host" sh "$0" "$@"
    if ! command -v mosquitto_passwd >/dev/null || ! command -v openssl >/dev/null; then
        apt-get install -y mosquitto openssl
    fi
fi
mkdir -p "$folder"

if [ ! -f "$folder/broker.key" ]; then
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -subj "/CN=$host" \
        -addext "subjectAltName=DNS:$host,DNS:$host.local,DNS:localhost,IP:127.0.0.1" \
        -keyout "$folder/broker.key" -out "$folder/broker.crt" 2>/dev/null
fi
cat >"$folder/tablelight.conf" <<END
per_listener_settings false
listener $port
certfile $folder/broker.crt
keyfile $folder/broker.key
tls_version tlsv1.2
allow_anonymous false
password_file $folder/passwords
acl_file $folder/access
max_packet_size 270000
max_connections 500
END
if [ -n "$written" ]; then # installed, Debian's own settings say so
    printf 'persistence true\npersistence_location %s/\n' "$folder" >>"$folder/tablelight.conf"
fi
cat >"$folder/access" <<END
# What every table may do: read and write the topics of games, and tell whether it is there.
pattern readwrite tablelight/1/game/#
pattern readwrite tablelight/1/table/+/status
# What a table tells a house (docs/home.md): under its own name alone. The user homeassistant hears and asks all of them.
pattern readwrite tablelight/1/home/%u/#
pattern write homeassistant/+/tablelight-%u/+/config
user homeassistant
topic readwrite tablelight/1/home/#
topic readwrite homeassistant/#
END
touch "$folder/passwords"
for name in "$@"; do
    if grep -q "^$name:" "$folder/passwords"; then
        echo "$name is there already, and keeps the password."
        continue
    fi
    password=$(openssl rand -hex 12)
    mosquitto_passwd -b "$folder/passwords" "$name" "$password"
    echo "$password" >"$folder/$name.password"
    echo "$name: user = \"$name\", and the password in $folder/$name.password"
done
echo "Every table needs the certificate $folder/broker.crt (ca), and broker = \"mqtts://$host:$port\"."

if [ -z "$written" ]; then
    chown -R mosquitto: "$folder"
    ln -sf "$folder/tablelight.conf" /etc/mosquitto/conf.d/tablelight.conf
    systemctl enable --quiet mosquitto
    systemctl restart mosquitto
fi
