# The parts of ./dev test. Each prints its time; a failure does not stop the others.

PARTS=build/parts # a file for each part: seconds, status, name

# part NAME COMMAND...
part() {
    local name=$1 begin=$SECONDS status=0
    shift
    heading "$name"
    ("$@") || status=1
    printf '%d %d %s\n' $((SECONDS - begin)) $status "$name" > "$PARTS/$(date +%s%N)"
    say "-- $name: $(duration $((SECONDS - begin)))"
}

# side_part NAME COMMAND...: the same beside another one; what it says comes when it is done, in one piece.
side_part() {
    local log=$PARTS.$BASHPID.log
    part "$@" > "$log" 2>&1 < /dev/null
    flock build/parts.lock cat "$log"
    rm -f "$log"
}

# side_by_side LIST...: runs functions that are lists of side_parts, each in a process of its own.
side_by_side() {
    local list jobs=() begin=$SECONDS shown=$SECONDS
    for list in "$@"; do
        "$list" &
        jobs+=($!)
    done
    trap 'kill "${jobs[@]}" 2> /dev/null; exit 130' INT TERM
    while [ -n "$(jobs -rp)" ]; do
        sleep 0.5
        [ $((SECONDS - shown)) -ge 5 ] || continue
        shown=$SECONDS
        say "  still at it after $(duration $((SECONDS - begin))): $(now_running)"
    done
    trap - INT TERM
    wait
}
now_running() { sed -sn 's/^\(\x1b\[1m\)\?== \([^\x1b]*\).*/\2/p' "$PARTS".*.log 2> /dev/null | paste -sd , | sed 's/,/, /g'; }

summary() {
    heading "time of each part"
    cat "$PARTS"/* | awk '{ seconds = $1; failed = $2; $1 = $2 = ""; printf "%6d s  %s%s\n", seconds, $0, failed ? "  FAILED" : ""; bad += failed }
        END { printf "%d parts: %d passed, %d failed\n", NR, NR - bad, bad }'
    printf '%6d s  in all\n' "$SECONDS"
    ! grep -qE '^[0-9]+ 1 ' "$PARTS"/*
}

run_ctest() { ctest --test-dir build/release --output-on-failure --timeout 1500 "$@"; }

check_format() { git ls-files '*.h' '*.cpp' | xargs clang-format-16 --dry-run --Werror; }

# Spelling and phrases of documents, sources and examples. codespell comes from PyPI, into an environment of its own.
SPELLED="statics,fro,mane,precess,precesses,paeth,lenght,collet" # words that it takes for misspelled, and one that a test misspells
check_prose() {
    if [ ! -x build/spelling/bin/codespell ]; then
        say "needed for the check of spelling: codespell"
        python3 -m venv build/spelling && build/spelling/bin/pip install -q --disable-pip-version-check -c tests/constraints.txt codespell || return 1
    fi
    git ls-files '*.md' '*.h' '*.cpp' '*.py' '*.ts' '*.sh' 'examples/*.charli' dev | xargs build/spelling/bin/codespell -L "$SPELLED" &&
        python3 tools/check_prose.py
}

check_scripts_format() { git ls-files 'examples/*.charli' | xargs -r "$SINEW" format --check; }

check_editors() {
    local folder
    for folder in tests/editors editors/vscode; do npm ci --prefix "$folder" --silent --no-audit --no-fund || return 1; done
    python3 editors/textmate/make_grammar.py "$SINEW" --check && node tests/editors/grammar_test.mjs "$SINEW" &&
        node tests/editors/vscode_test.mjs "$SINEW"
}

# The page in a real browser, against the program.
check_viewer() {
    npm_install viewer && npm_install tests/viewer && npm run check --prefix viewer --silent || return 1
    SINEW=$PWD/$SINEW timeout 900 npm test --prefix tests/viewer --silent
}

# Exported files before judges we did not write: OpenUSD, Khronos' validator, three.js, tinyusdz, Blender.
check_exchange() {
    python_environment && npm_install tests/exchange && timeout 600 build/python/bin/python tests/exchange/judge_test.py "$SINEW"
}

# The unit tests under sanitizers, without those that run every example once more than another does: for the same bits, for pictures.
SANITIZED_TWICE="bodies: the same bits*,every example gives a picture*,strands: rows keep them out*"
sanitized_physics() { build/asan/bin/unit_tests --minimal -sf="*physics*" -tce="$SANITIZED_TWICE"; }
sanitized_rest() { build/asan/bin/unit_tests --minimal -sfe="*physics*" -tce="$SANITIZED_TWICE"; }

# The add-on in real Blender, without a window.
check_blender() { python3 tests/blender/addon_test.py "$SINEW"; }

check_python() { install_wheel && timeout 600 build/python/bin/python -m pytest -q -p no:cacheprovider tests/python; }

# A sample of ./dev soak farm: six runs on a real Slurm with two kills, and a shared disk. Where they cannot be had (not root), they say so.
check_farm() {
    local test status
    for test in slurm network; do
        status=0
        timeout 300 python3 "tests/farm/${test}_test.py" "$SINEW" || status=$?
        [ $status = 0 ] || [ $status = 77 ] || return 1
    done
}

# The documents as a site in build/site, every link of it followed. The Python package must be installed.
check_site() { build/python/bin/python tools/make_site.py build/site "$@"; }

# Packages, twice the same, in roots with nothing else in them.
check_packages() { build_packages && check_same_packages && python3 tests/install/packages_test.py build/packages; }

unit_list() { side_part "unit tests, physics" run_ctest -R '^(unit|alloc)$'; }
use_list() {
    side_part "command line, documents, install" run_ctest -E '^(unit|alloc)$'
    side_part "formatting" check_format
    side_part "layout of the examples" check_scripts_format
    side_part "editors" check_editors
    side_part "viewer" check_viewer
    side_part "exported files before their judges" check_exchange
    side_part "Blender add-on" check_blender
    side_part "Python package" check_python
    side_part "site" check_site
    side_part "packages" check_packages
    side_part "Slurm and a shared disk" check_farm
}
sanitized_physics_list() { side_part "physics under address and undefined sanitizers" sanitized_physics; }
sanitized_rest_list() { side_part "unit tests under address and undefined sanitizers" sanitized_rest; }

# Without a build nothing else can be said.
stop_if_failed() { ! grep -qE '^[0-9]+ 1 ' "$PARTS"/* || { summary || exit 1; }; }

test_all() {
    rm -rf "$PARTS" "$PARTS".*.log && mkdir -p "$PARTS"
    part "packages of Debian" need program check test sanitize browser blender python package farm
    part "build (release)" build release all
    stop_if_failed
    side_by_side unit_list use_list
    part "build (asan)" build asan unit_tests "${FUZZ_TARGETS[@]/#/fuzz_}"
    side_by_side sanitized_physics_list sanitized_rest_list
    part "fuzzing, ten seconds of each" fuzz sample
    summary
}
