#!/usr/bin/env bash
# Both packages in a bare Debian 12: bare_debian.sh PACKAGES FOLDER. Needs root, debootstrap and a mirror; FOLDER becomes a whole system.
set -euo pipefail
packages=$1 root=$2 mirror=${MIRROR:-http://deb.debian.org/debian}
if [ ! -x "$root/bin/sh" ]; then debootstrap --variant=minbase bookworm "$root" "$mirror" > "$root.log" 2>&1 || { tail "$root.log"; exit 1; }; fi
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C unshare -m sh -c 'mount --bind /proc "$0/proc" && exec chroot "$0" "$@"' "$root" "$@"; }
if inside sh -c 'command -v cc || command -v g++ || command -v python3'; then echo "this Debian is not bare"; exit 1; fi

rm -rf "$root/opt/archive" "$root/tmp/archive" "$root/tmp/deb"
mkdir -p "$root/opt/archive"
tar -xzf "$packages"/sinew-*.tar.gz -C "$root/opt/archive" --strip-components=1
inside /opt/archive/bin/sinew demo --no-view --folder /tmp/archive
ls "$root"/tmp/archive/*.sinew "$root"/tmp/archive/*.png > /dev/null
echo "the archive runs in a bare Debian 12"

cp "$packages"/sinew_*.deb "$root/tmp/sinew.deb"
cp /etc/resolv.conf "$root/etc/resolv.conf"
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends /tmp/sinew.deb > "$root.log" 2>&1 || { tail "$root.log"; exit 1; }
inside sinew demo --no-view --folder /tmp/deb
ls "$root"/tmp/deb/*.sinew "$root"/tmp/deb/*.png > /dev/null
echo "the .deb installs and runs in a bare Debian 12: $(inside dpkg-query -W sinew)"
