# The long campaigns of ./dev soak, of which ./dev test runs samples.

# The fuzz targets and their shares of a campaign's inputs, in 10,000: the dearer an input, the fewer. Those that open recordings and
# step worlds do some tens a second.
FUZZ_TARGETS=(parse read tokens edit lsp message mesh curves http recording motion)
FUZZ_SHARES=(7300 890 300 50 50 600 500 280 20 5 5)

# fuzz_one TARGET SEED OPTION...
fuzz_one() {
    local target=$1 seed=$2
    shift 2
    mkdir -p build/fuzz/found "build/fuzz/corpus/$target"
    local corpus=("build/fuzz/corpus/$target" "tests/fuzz/corpus/$target")
    [ "$target" != tokens ] || corpus+=(examples)
    ASAN_OPTIONS=quarantine_size_mb=8:malloc_context_size=4:max_malloc_fill_size=0:detect_stack_use_after_return=0 \
        "build/asan/bin/fuzz_$target" -seed="$seed" -entropic=0 \
        -rss_limit_mb=512 -timeout=10 -print_final_stats=1 -artifact_prefix=build/fuzz/found/ "$@" \
        "${corpus[@]}" > "build/fuzz/$target.log" 2>&1 || { tail -n 30 "build/fuzz/$target.log"; return 1; }
    awk -v target="$target" '/number_of_executed_units/ {inputs = $2} /peak_rss_mb/ {memory = $2}
        END {printf "%-9s %10d inputs, at most %d MB, no crash, no hang\n", target, inputs, memory}' "build/fuzz/$target.log"
}

# fuzz_options I: of each target, beside what ends it. glTF, USD and HTTP say much before they begin.
fuzz_options() {
    case ${FUZZ_TARGETS[$1]} in
    mesh | curves) say -max_len=1500 ;;
    *) say "-max_len=$2" ;;
    esac
}

# fuzz sample | fuzz INPUTS: every target, as many at a time as there are processors; a sample takes ten seconds of each.
fuzz() {
    local i seed=${SINEW_SEED:-$RANDOM} status=0 jobs=() ending length=250
    say "seed $seed (SINEW_SEED=$seed repeats it)"
    for i in "${!FUZZ_TARGETS[@]}"; do
        ending=-max_total_time=10
        if [ "$1" = sample ]; then length=600; else ending=-runs=$(fuzz_share "$1" "$i"); fi
        fuzz_one "${FUZZ_TARGETS[$i]}" "$seed" "$ending" "$(fuzz_options "$i" $length)" &
        jobs+=($!)
        while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do wait -n || status=1; done
    done
    for i in "${jobs[@]}"; do wait "$i" || status=1; done
    fuzz_total "$1" || status=1
    return $status
}

# fuzz_share INPUTS I: those of a target, rounded up.
fuzz_share() { say $((($1 * FUZZ_SHARES[$2] + 9999) / 10000)); }

# fuzz_total sample | fuzz_total INPUTS: what all targets have tried; fails where that is less than was asked for.
fuzz_total() {
    local logs=("${FUZZ_TARGETS[@]/#/build/fuzz/}")
    awk -v asked="$1" '/number_of_executed_units/ {inputs += $2}
        END {printf "%-9s %10d inputs\n", "in all", inputs; exit asked != "sample" && inputs < asked + 0}' "${logs[@]/%/.log}"
}

# fuzz_time INPUTS: how long a campaign takes, by the inputs a second of the sample before it.
fuzz_time() {
    local i
    for i in "${!FUZZ_TARGETS[@]}"; do
        awk -v runs="$(fuzz_share "$1" "$i")" '/average_exec_per_sec/ {print runs / ($2 > 0 ? $2 : 1)}' "build/fuzz/${FUZZ_TARGETS[$i]}.log"
    done | awk -v jobs="$JOBS" '{all += $1; most = $1 > most ? $1 : most}
        END {time = all / jobs > most ? all / jobs : most; printf "expected: %.1f hours, %.1f of the processor\n", time / 3600, all / 3600}'
}

# SINEW_RUNS inputs in all, after a sample that tells how long it will take.
soak_fuzz() {
    local inputs=${SINEW_RUNS:-100000000}
    need program test sanitize
    build asan "${FUZZ_TARGETS[@]/#/fuzz_}"
    heading "fuzzing, a sample"
    fuzz sample
    heading "fuzzing, $inputs inputs in all"
    fuzz_time "$inputs"
    fuzz "$inputs"
}

soak_kills() {
    need program test
    build release sinew_app
    heading "killing and resuming runs, ${SINEW_KILLS:-1000} times"
    python3 tests/cli/kill_test.py "$SINEW" "${SINEW_KILLS:-1000}"
}

soak_snapshots() {
    need program test
    build release unit_tests
    heading "wild numbers in snapshots, ${SINEW_SNAPSHOTS:-10000}"
    SINEW_SNAPSHOTS=${SINEW_SNAPSHOTS:-10000} build/release/bin/unit_tests -tc="random snapshots*"
}

# SINEW_HOURS of a person at the viewer, in at most SINEW_SECONDS.
soak_viewer() {
    need program test
    build release sinew_app
    heading "${SINEW_HOURS:-8} hours' worth of the viewer's messages in at most ${SINEW_SECONDS:-3600} s"
    python3 tests/cli/viewer_soak.py "$SINEW" "${SINEW_HOURS:-8}" "${SINEW_SECONDS:-3600}"
}

soak_scenes() {
    need program test
    build release unit_tests
    heading "random scenes of rigid bodies, ${SINEW_SCENES:-10000}"
    SINEW_SCENES=${SINEW_SCENES:-10000} build/release/bin/unit_tests -tc="random scenes*"
    heading "random meetings of strands and obstacles, ${SINEW_MEETINGS:-1000}"
    SINEW_MEETINGS=${SINEW_MEETINGS:-1000} build/release/bin/unit_tests -tc="random meetings*"
}

# Random scenes of linkages, bodies, strands and rods together. A seed that fails is repeated by SINEW_SEED=... SINEW_MIXED=1.
soak_mixed() {
    need program test
    build release unit_tests
    heading "random scenes of all four kinds, ${SINEW_MIXED:-10000}"
    SINEW_MIXED=${SINEW_MIXED:-10000} build/release/bin/unit_tests -tc="mixed scenes*"
}

# Worlds on several threads under the thread sanitizer.
soak_threads() {
    need program test
    build tsan unit_tests
    heading "worlds on several threads under the thread sanitizer"
    TSAN_OPTIONS="halt_on_error=1 ignore_noninstrumented_modules=1 suppressions=$PWD/tests/tsan.txt" \
        build/tsan/bin/unit_tests -tc="*thread*,*parallel*" -tce="bodies: the same bits*"
}

# What others may give it, and what they may do to it: each campaign prints its seed, and what it tried and what fell.
soak_attacks() {
    local status=0 cases=${SINEW_ATTACKS:-500}
    need program test
    build release sinew_app
    heading "attacks from outside, $cases random cases of each kind"
    python3 tests/cli/attacks_test.py "$SINEW" "$cases" || status=1
    heading "strangers' files, $cases random cases of each kind"
    python3 tests/cli/strangers_test.py "$SINEW" "$cases" || status=1
    heading "the language server's wire, $cases damaged conversations"
    python3 tests/editors/lsp_protocol_test.py "$SINEW" "${SINEW_SEED:-$RANDOM}" "$cases" || status=1
    heading "the viewer's door and messages"
    python3 tests/cli/server_test.py "$SINEW" || status=1
    return $status
}

# build_for MACHINE OPTION...: what prints hashes, by another compiler or for another processor, in build/MACHINE.
build_for() {
    local machine=$1
    shift
    [ -e "build/$machine/build.ninja" ] || follow_or_fail "configuring ($machine)" "build/$machine.log" cmake -S . -B "build/$machine" -G Ninja \
        -DCMAKE_BUILD_TYPE=Release -DSINEW_TESTS=OFF -DSINEW_BENCH=OFF "$@"
    follow_or_fail "compiling ($machine)" "build/$machine-ninja.log" ninja -C "build/$machine" -j "$JOBS" state_hash
}

# Debian's libraries for 64-bit ARM, unpacked beside the build and not installed: this machine stays as it is.
ARM_LIBRARIES="libc6-dev libstdc++-12-dev libtbb-dev libsqlite3-dev libzstd-dev liblz4-dev libfmt-dev nlohmann-json3-dev libcli11-dev
    libboost-dev libembree-dev libpng-dev libfreetype-dev libeigen3-dev libsundials-ida6"
unpack_arm_libraries() {
    local folder=$PWD/build/arm_libraries file
    local apt=(apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o "Dir::State=$folder/state" -o "Dir::State::status=$folder/status"
        -o "Dir::Cache=$folder/cache" -o Debug::NoLocking=1)
    mkdir -p "$folder"/{state/lists/partial,cache/archives/partial,root} && touch "$folder/status"
    # shellcheck disable=SC2086
    "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends --download-only $ARM_LIBRARIES || return 1
    for file in "$folder"/cache/archives/*.deb; do dpkg-deb -x "$file" "$folder/root" || return 1; done
    touch "$folder/done"
}

build_for_arm() {
    local root=$PWD/build/arm_libraries/root
    [ -e build/arm_libraries/done ] || follow_or_fail "libraries for 64-bit ARM" build/apt.log unpack_arm_libraries
    build_for aarch64 -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake "-DSINEW_FONT=$(find /usr/share/fonts -name DejaVuSans.ttf -print -quit)" \
        "-DSUNDIALS_IDA=$root/usr/lib/aarch64-linux-gnu/libsundials_ida.so.6" "-DSUNDIALS_IDA_HEADER=$PWD/$IDA_FOLDER/include"
}

# A table of hashes: every example by g++ on this processor, as on one without AVX and FMA, on an emulated one of 2008, with lanes of each
# width, by clang, and on 64-bit ARM. SINEW_SECONDS of each.
soak_machines() {
    need program test sanitize arm
    build release state_hash
    build_for clang -DCMAKE_CXX_COMPILER=clang++-16 "-DCMAKE_PREFIX_PATH=$PWD/$IDA_FOLDER"
    build_for_arm
    heading "the same bits on other processors and by other compilers"
    local here=build/release/bin/state_hash
    python3 tests/machines/machines.py "${SINEW_SECONDS:-0.5}" "g++=$here" \
        "no-fma=GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable,-AVX,-AVX_Usable $here" \
        "nehalem=qemu-x86_64 -cpu Nehalem $here" "haswell=qemu-x86_64 -cpu Haswell $here" \
        "clang=build/clang/bin/state_hash" "aarch64=qemu-aarch64 -L $PWD/build/arm_libraries/root build/aarch64/bin/state_hash"
}

# Every example and slow scenes, interrupted SINEW_STOPS times each: the program, the viewer, and the Python package.
soak_stops() {
    need program test python
    build release sinew sinew_app
    install_wheel
    heading "from Ctrl-C to the end"
    build/python/bin/python tests/cli/stops.py "$SINEW" "${SINEW_STOPS:-3}"
}

# Sweeps and shots in parts: Slurm, Dask, Ray and MPI on this machine, runs killed at random.
soak_farm() {
    need program test farm
    build release sinew_app
    local runs=${SINEW_SWEEP:-40} kills=${SINEW_KILLS:-20} log=build/farm.log
    heading "many machines, $runs runs each with $kills kills"
    python3 tests/cli/farm_test.py "$SINEW"
    : > "$log"
    as_root python3 tests/farm/slurm_test.py "$SINEW" "$runs" "$kills" | tee -a "$log"
    [ -e build/farm/bin/python ] || python3 -m venv build/farm
    build/farm/bin/pip install --quiet -c tests/constraints.txt 'dask[distributed]' ray
    build/farm/bin/python tests/farm/clusters_test.py "$SINEW" "$runs" "$kills" | tee -a "$log"
    as_root python3 tests/farm/network_test.py "$SINEW" | tee -a "$log"
    heading "what the clusters did"
    grep -E '^[A-Za-z]+: ' "$log"
}

soak() {
    local campaign campaigns=(fuzz kills snapshots scenes mixed threads attacks machines stops viewer farm)
    if [ "${1:-all}" = all ]; then
        for campaign in "${campaigns[@]}"; do "soak_$campaign"; done
    elif [[ " ${campaigns[*]} " == *" $1 "* ]]; then
        "soak_$1"
    else
        say "unknown campaign '$1'; there are: ${campaigns[*]}"
        exit 2
    fi
}
