# The long campaigns of ./dev soak, of which ./dev test runs samples.

# The fuzz targets and their shares of a campaign's inputs, in percent: the dearer an input, the fewer.
FUZZ_TARGETS=(parse read tokens edit lsp message mesh curves)
FUZZ_SHARES=(70 10 3 1 1 5 5 5)

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
        END {printf "%-7s %10d inputs, at most %d MB, no crash, no hang\n", target, inputs, memory}' "build/fuzz/$target.log"
}

# fuzz sample | fuzz INPUTS: every target, as many at a time as there are processors.
fuzz() {
    local i seed=${SINEW_SEED:-$RANDOM} status=0 jobs=()
    say "seed $seed (SINEW_SEED=$seed repeats it)"
    for i in "${!FUZZ_TARGETS[@]}"; do
        local options=(-max_total_time=$((60 * JOBS / ${#FUZZ_TARGETS[@]})) -max_len=600)
        [ "$1" = sample ] || options=(-runs=$(($1 / 100 * FUZZ_SHARES[i])) -max_len=250)
        [[ ${FUZZ_TARGETS[$i]} != @(mesh|curves) ]] || options+=(-max_len=1500) # the last one counts: glTF and USD say much before they begin
        fuzz_one "${FUZZ_TARGETS[$i]}" "$seed" "${options[@]}" &
        jobs+=($!)
        while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do wait -n || status=1; done
    done
    for i in "${jobs[@]}"; do wait "$i" || status=1; done
    return $status
}

# With those that open recordings and step worlds: some inputs a second.
soak_fuzz() {
    FUZZ_TARGETS+=(recording motion)
    FUZZ_SHARES=(70 9 3 1 1 5 5 4 1 1)
    need program test sanitize
    build asan "${FUZZ_TARGETS[@]/#/fuzz_}"
    heading "fuzzing, ${SINEW_RUNS:-10000000} inputs in all"
    fuzz "${SINEW_RUNS:-10000000}"
}

soak_kills() {
    need program test
    build release sinew_app
    heading "killing and resuming runs, ${SINEW_KILLS:-100} times"
    python3 tests/cli/kill_test.py "$SINEW" "${SINEW_KILLS:-100}"
}

soak_scenes() {
    need program test
    build release unit_tests
    heading "random scenes of rigid bodies, ${SINEW_SCENES:-10000}"
    SINEW_SCENES=${SINEW_SCENES:-10000} build/release/bin/unit_tests -tc="random scenes*"
    heading "random meetings of strands and obstacles, ${SINEW_MEETINGS:-1000}"
    SINEW_MEETINGS=${SINEW_MEETINGS:-1000} build/release/bin/unit_tests -tc="random meetings*"
}

# Worlds on several threads under the thread sanitizer. TBB itself is not built with it, and what it hands over looks like a race.
soak_threads() {
    need program test
    build tsan unit_tests
    heading "worlds on several threads under the thread sanitizer"
    TSAN_OPTIONS="halt_on_error=1 ignore_noninstrumented_modules=1 suppressions=$PWD/tests/tsan.txt" \
        build/tsan/bin/unit_tests -tc="*thread*,*parallel*" -tce="bodies: the same bits*"
}

soak_attacks() {
    need program test
    build release sinew_app
    heading "attacks from outside, ${SINEW_ATTACKS:-500} random cases of each kind"
    python3 tests/cli/attacks_test.py "$SINEW" "${SINEW_ATTACKS:-500}"
}

# Every example with the C library's functions for another processor; one on an emulated old one where there is qemu-user.
soak_machines() {
    need program test
    build release sinew_app
    heading "the same bits on other processors"
    python3 tests/cli/attacks_test.py "$SINEW" 1000 -v -k processor
}

# Sweeps and shots in parts: Slurm, Dask, Ray and MPI on this machine, runs killed at random.
soak_farm() {
    need program test farm
    build release sinew_app
    heading "many machines, ${SINEW_SWEEP:-40} runs each with ${SINEW_KILLS:-20} kills"
    python3 tests/cli/farm_test.py "$SINEW"
    as_root python3 tests/farm/slurm_test.py "$SINEW" "${SINEW_SWEEP:-40}" "${SINEW_KILLS:-20}"
    [ -e build/farm/bin/python ] || python3 -m venv build/farm
    build/farm/bin/pip install --quiet 'dask[distributed]' ray
    build/farm/bin/python tests/farm/clusters_test.py "$SINEW" "${SINEW_SWEEP:-40}" "${SINEW_KILLS:-20}"
}

soak() {
    case ${1:-all} in
    fuzz | kills | scenes | threads | attacks | machines | farm) "soak_$1" ;;
    all) for campaign in fuzz kills scenes threads attacks machines farm; do "soak_$campaign"; done ;;
    *) say "unknown campaign '$1'; there are: fuzz, kills, scenes, threads, attacks, machines, farm"; exit 2 ;;
    esac
}
