# The Python package, and packages of the program.

# Python packages of the tests, in an environment of their own.
python_environment() {
    local seen=build/python/installed
    if [ -e "$seen" ] && [ ! tests/requirements.txt -nt "$seen" ]; then return 0; fi
    python3 -m venv build/python && build/python/bin/pip install -q --disable-pip-version-check -r tests/requirements.txt && touch "$seen"
}

# The Python package as a wheel in build/packages, against the library that is built already; and into build/python.
build_wheel() {
    local prefix=$PWD/build/installed
    [ ! -d "$IDA_FOLDER" ] || prefix="$prefix;$PWD/$IDA_FOLDER"
    python_environment && rm -f build/packages/sinew-*.whl && cmake --install build/release --prefix build/installed > build/install.log &&
        build/python/bin/pip wheel -q --disable-pip-version-check --no-build-isolation --no-deps -w build/packages \
            --config-settings=cmake.define.CMAKE_PREFIX_PATH="$prefix" --config-settings=build-dir=build/wheel . &&
        build/python/bin/pip install -q --disable-pip-version-check --no-deps --force-reinstall build/packages/sinew-*.whl
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

# package [--check]: .deb, archive and wheel in build/packages; --check tries them in a bare Debian 12, which debootstrap fetches.
package() {
    need program python package
    build release sinew sinew_app
    heading "wheel, .deb and archive"
    build_wheel && build_packages && ls -sh build/packages || exit 1
    [ "${1:-}" = --check ] || return 0
    python3 tests/install/packages_test.py build/packages
    command -v debootstrap > /dev/null || install_packages debootstrap
    as_root tests/install/bare_debian.sh build/packages "$PWD/build/bare"
}
