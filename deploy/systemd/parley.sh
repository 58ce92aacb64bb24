#!/bin/sh
# /usr/local/bin/parley: runs a command with the settings of the service and as its user.
#
#     parley doctor
set -eu
program=/opt/parley/bin/parley
settings=/etc/parley/parley.env

if [ ! -r "$settings" ]; then
    echo "The settings in $settings are for root and the group parley. Use: sudo parley $*" >&2
    exit 1
fi

# As systemd reads the file: nothing in a value is run or replaced, and quotation marks around it are left out.
while IFS= read -r line || [ -n "$line" ]; do
    case $line in
        [A-Z]*=*) ;;
        *) continue ;;
    esac
    value=${line#*=}
    case $value in
        \"*\") value=${value#\"} value=${value%\"} ;;
        \'*\') value=${value#\'} value=${value%\'} ;;
    esac
    export "${line%%=*}=$value"
done < "$settings"

export PARLEY_DATA_DIR=/var/lib/parley HOME=/var/lib/parley
if [ "$(id -u)" = 0 ]; then
    exec setpriv --reuid parley --regid parley --init-groups "$program" "$@"
fi
exec "$program" "$@"
