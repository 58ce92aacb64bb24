#!/bin/sh
# Takes the place of systemctl in a scratch machine, where systemd does not run. It starts the one unit as the
# unit's file says, and keeps what it was asked for in /run/systemctl.log.
echo "$*" >> /run/systemctl.log
unit=/usr/lib/systemd/system/parley.service
id_file=/run/server.id

values() { sed -n "s/^$1=//p" $unit; }

# What has ended and is not collected yet has no command line.
lives() { [ -e $id_file ] && grep -q . "/proc/$(cat $id_file)/cmdline" 2> /dev/null; }

start() {
    lives && return 0
    user=$(values User)
    install -d -o "$user" -g "$user" -m "$(values StateDirectoryMode)" "/var/lib/$(values StateDirectory)"
    install -d -o "$user" -g "$user" -m "$(values RuntimeDirectoryMode)" "/run/$(values RuntimeDirectory)"
    # The settings of the test have no spaces.
    set -- $(grep '^[A-Z]' "$(values EnvironmentFile)") $(values Environment) "HOME=/var/lib/parley" \
        "RUNTIME_DIRECTORY=/run/$(values RuntimeDirectory)" PATH=/usr/bin:/bin
    : > /run/server.log
    setsid setpriv --reuid "$user" --regid "$user" --init-groups --no-new-privs --bounding-set=-all \
        --inh-caps=-all env -i --chdir="$(values WorkingDirectory)" "$@" $(values ExecStart) \
        > /run/server.log 2>&1 < /dev/null &
    echo $! > $id_file
    while lives; do
        grep -q '^listening on' /run/server.log && return 0
        sleep 0.1
    done
    return 1
}

stop() {
    lives || return 0
    kill "$(cat $id_file)"
    while lives; do sleep 0.1; done
}

case $1 in
    is-active) if lives; then echo active; else echo inactive; exit 3; fi ;;
    start | stop) "$1" ;;
    daemon-reload) ;;
    *) exit 1 ;;
esac
