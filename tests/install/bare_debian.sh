#!/usr/bin/env bash
# Packages in bare systems: bare_debian.sh PACKAGES FOLDER [FOLDER13]. Needs root, debootstrap and a mirror (MIRROR, else debootstrap's own); FOLDER becomes
# a whole Debian 12. FOLDER13, where it is given and there, is a Debian 13 with Python, in which the wheel with the stable ABI is tried.
set -euo pipefail
packages=$1 root=$2 newer=${3:-}
if [ ! -x "$root/bin/sh" ]; then debootstrap --variant=minbase bookworm "$root" ${MIRROR:+"$MIRROR"} > "$root.log" 2>&1 || { tail "$root.log"; exit 1; }; fi
inside_of() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C unshare -m sh -c 'mount --bind /proc "$0/proc" && exec chroot "$0" "$@"' "$@"; }
inside() { inside_of "$root" "$@"; }

# try_wheel ROOT PYTHON_VERSION WHEEL...: into an environment of its own there, without a network; then the program and the package in use.
try_wheel() {
    local in=$1 version=$2
    shift 2
    rm -rf "$in/opt/wheels" "$in/opt/venv" "$in/tmp/wheel"
    mkdir -p "$in/opt/wheels"
    cp "$@" "$in/opt/wheels"
    inside_of "$in" python3 -m venv /opt/venv
    # numpy comes from the index that pip is set up with here.
    python3 -m pip download -q --disable-pip-version-check --no-deps --only-binary :all: --python-version "$version" -d "$in/opt/wheels" numpy
    inside_of "$in" /opt/venv/bin/pip install -q --disable-pip-version-check --no-index --find-links /opt/wheels sinew
    inside_of "$in" /opt/venv/bin/sinew demo --no-view --folder /tmp/wheel
    inside_of "$in" /opt/venv/bin/python -c 'import sinew; w = sinew.World(sinew.parse("def m mass(1); end; m;")); w.step(); print(w)'
    ls "$in"/tmp/wheel/*.sinew "$in"/tmp/wheel/*.png > /dev/null
}

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
try_wheel "$root" 3.11 "$packages"/sinew-*-cp311-*.whl
echo "the wheel installs and runs in a bare Debian 12 with Python"

if [ -n "$newer" ] && [ -x "$newer/usr/bin/python3" ]; then
    try_wheel "$newer" 3.13 "$packages"/sinew-*-abi3-*.whl
    echo "the wheel with the stable ABI installs and runs in a Debian 13 with Python 3.13"
fi
