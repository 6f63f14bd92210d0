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

inside apt-get install -y -qq --no-install-recommends python3-venv > "$root.log" 2>&1 || { tail "$root.log"; exit 1; }
rm -rf "$root/opt/wheels" "$root/opt/venv" "$root/tmp/wheel"
mkdir -p "$root/opt/wheels"
cp "$packages"/sinew-*.whl "$root/opt/wheels"
inside python3 -m venv /opt/venv
# numpy comes from the index that pip is set up with here.
python3 -m pip download -q --disable-pip-version-check --no-deps --only-binary :all: --python-version 3.11 -d "$root/opt/wheels" numpy
inside /opt/venv/bin/pip install -q --disable-pip-version-check --no-index --find-links /opt/wheels sinew
inside /opt/venv/bin/sinew demo --no-view --folder /tmp/wheel
inside /opt/venv/bin/python -c 'import sinew; w = sinew.World(sinew.parse("def m mass(1); end; m;")); w.step(); print(w)'
ls "$root"/tmp/wheel/*.sinew "$root"/tmp/wheel/*.png > /dev/null
echo "the wheel installs and runs in a bare Debian 12 with Python"
