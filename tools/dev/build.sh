# Building: the viewer's page, the library, the program, and what tests and benchmarks add.

# What a folder's lock file says, by its hashes, and nothing else.
npm_install() {
    local seen=$1/node_modules/.package-lock.json
    if [ -e "$seen" ] && [ ! "$1/package-lock.json" -nt "$seen" ]; then return 0; fi
    npm ci --prefix "$1" --silent --no-audit --no-fund && touch "$seen"
}

# The viewer's page, which the program embeds: viewer/dist, made when something it is made from is newer.
is_page_fresh() {
    local page=viewer/dist/index.html
    [ -e "$page" ] && [ -z "$(find viewer -path viewer/node_modules -prune -o -path viewer/dist -prune -o -type f ! -name '*.md' \
        -newer "$page" -print -quit)" ]
}
make_page() { npm_install viewer && npm run build --prefix viewer --silent; }
build_page() { is_page_fresh || follow_or_fail "the viewer's page (some 20 s)" build/viewer.log make_page; }

# configure PRESET [-DNAME=VALUE...]: only where the build folder does not have these values already; ninja sees to the rest.
configure() {
    local preset=$1 cache=build/$1/CMakeCache.txt option has_all=1
    shift
    [ -e "build/$preset/build.ninja" ] || has_all=0
    for option in "$@"; do
        grep -q "^$(cut -d = -f 1 <<< "${option#-D}"):[A-Z]*=${option#*=}$" "$cache" 2> /dev/null || has_all=0
    done
    [ $has_all = 1 ] || follow_or_fail "configuring" "build/$preset.log" cmake --preset "$preset" "$@"
}

# build PRESET [TARGET...]: the program when no target is named. A continuous integration, which says CI, stops at warnings of g++.
build() {
    local preset=$1 options=() targets
    shift
    [ $# -gt 0 ] || set -- sinew_app
    targets=" $* "
    need program
    [ "$preset" != asan ] || need sanitize
    build_page
    [ -z "${CI:-}" ] || [ "$preset" = asan ] || options+=(-DSINEW_WERROR=ON)
    [ ! -d "$IDA_FOLDER" ] || options+=("-DCMAKE_PREFIX_PATH=$PWD/$IDA_FOLDER")
    [[ $targets != *" all "* && $targets != *_tests* && $targets != *fuzz* ]] || { need test; options+=(-DSINEW_TESTS=ON); }
    [[ $targets != *bench* ]] || need bench
    [[ $targets != *" all "* && $targets != *bench* ]] || options+=(-DSINEW_BENCH=ON)
    configure "$preset" "${options[@]}"
    follow_or_fail "compiling ($preset)" "build/$preset-ninja.log" ninja -C "build/$preset" -j "$JOBS" "$@"
    # What the compiler has to say about files that did compile.
    grep -E -A 3 ': warning: ' "build/$preset-ninja.log" || true
}
