# What must be installed, by what it is for. A command installs the groups it needs, and says so.

declare -A PACKAGES=(
    [program]="g++ cmake ninja-build ccache pkg-config libeigen3-dev libtbb-dev libsqlite3-dev libzstd-dev liblz4-dev libfmt-dev nlohmann-json3-dev
        libcli11-dev libboost-dev libembree-dev libpng-dev libfreetype-dev fonts-dejavu-core nodejs npm"
    [film]="ffmpeg"
    [check]="git python3 clang-format-16"
    [tidy]="clang-tidy-16 python3"
    [test]="git python3 sqlite3 doctest-dev librapidcheck-dev libbenchmark-dev neovim ffmpeg qemu-user strace"
    [sanitize]="clang-16 libclang-rt-16-dev"
    [browser]="chromium"
    [blender]="blender python3-numpy"
    [python]="python3-venv python3-dev"
    [package]="dpkg-dev file python3"
    [bench]="libbenchmark-dev libsimbody-dev libbullet-dev libode-dev libmujoco-dev libopenblas-dev python3"
    [reference]="doxygen"
    [farm]="slurm-wlm openmpi-bin bindfs strace python3-venv"
    [arm]="g++-aarch64-linux-gnu"
)
declare -A PURPOSE=(
    [program]="compiler, build tools and the libraries that the program links; Node makes the viewer's page"
    [film]="films"
    [check]="layout and other checks of the sources"
    [tidy]="clang-tidy's checks of the sources"
    [test]="the tests' own libraries, and programs that the tests drive"
    [sanitize]="tests and fuzzing under sanitizers"
    [browser]="the viewer in a real browser"
    [blender]="the Blender add-on in a real Blender"
    [python]="the Python package"
    [package]="packages"
    [bench]="the rivals that benchmarks run beside"
    [reference]="the pages of the C++ interface"
    [farm]="sweeps and parts on a real Slurm, with MPI ranks and on a shared disk"
    [arm]="building for 64-bit ARM, to compare its bits"
)
# Where another installation will do, a package is only needed when its program is missing.
declare -A PROGRAMS=([g++]=g++ [cmake]=cmake [ninja-build]=ninja [ccache]=ccache [git]=git [chromium]=chromium [nodejs]=node [npm]=npm
    [python3]=python3 [ffmpeg]=ffmpeg [neovim]=nvim [doxygen]=doxygen)

is_installed() {
    local program=${PROGRAMS[$1]:-}
    if [ -n "$program" ] && command -v "$program" > /dev/null; then return 0; fi
    dpkg-query -W -f='${Status}' "$1" 2> /dev/null | grep -q 'ok installed'
}

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# need GROUP...: installs what is missing of these groups.
need() {
    local group package missing=() all=()
    for group in "$@"; do
        missing=()
        for package in ${PACKAGES[$group]}; do is_installed "$package" || missing+=("$package"); done
        [ ${#missing[@]} = 0 ] || say "needed for ${PURPOSE[$group]}: ${missing[*]}"
        all+=("${missing[@]}")
    done
    [[ " $* " != *" program "* ]] || has_ida || { say "needed for strands(method = ida): SUNDIALS' IDA"; all+=(libsundials-ida6); }
    [ ${#all[@]} = 0 ] || install_packages "${all[@]}"
    [[ " $* " != *" program "* ]] || has_ida || unpack_ida
}

install_packages() {
    command -v apt-get > /dev/null || { say "There is no apt-get here: install these by hand, then call ./dev again."; exit 1; }
    [ "$(id -u)" = 0 ] || sudo -v || { say "Installing needs root: call apt-get install for these by hand, then ./dev again."; exit 1; }
    follow_or_fail "list of Debian's packages" build/apt.log as_root apt-get update -q
    # apt closes the descriptor it reports to for the packages' own scripts: not standard output, to which some of them write.
    follow_or_fail "packages" build/apt.log as_root env DEBIAN_FRONTEND=noninteractive sh -c 'exec "$@" 3>&1' sh \
        apt-get install -y -q --no-install-recommends -o APT::Status-Fd=3 -o Dpkg::Use-Pty=0 "$@"
}

# Debian's libsundials-dev wants MPI, PETSc and Fortran: 180 packages, 130 MB. We need a few headers and one library, which needs only C's.
IDA_FOLDER=build/sundials/usr
has_ida() { [ -e "$IDA_FOLDER/lib/libsundials_ida.so" ] || [ -e /usr/include/ida/ida.h ] || [ -e /usr/local/include/ida/ida.h ]; }
unpack_ida() {
    local library
    rm -rf build/sundials && mkdir -p build/sundials
    (cd build/sundials && apt-get download -q libsundials-dev > ../apt.log 2>&1 && dpkg-deb -x libsundials-dev_*.deb .) ||
        { tail -n 20 build/apt.log; exit 1; }
    library=$(dpkg-query -L libsundials-ida6 | grep -m 1 'libsundials_ida\.so\.[0-9]*$')
    rm -rf "$IDA_FOLDER/lib" "$IDA_FOLDER/share" build/sundials/*.deb
    mkdir -p "$IDA_FOLDER/lib"
    ln -s "$library" "$IDA_FOLDER/lib/libsundials_ida.so"
}
