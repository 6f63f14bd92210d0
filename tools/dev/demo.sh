# ./dev demo: from a bare machine to a moving scene.

# demo [NAME]: builds the program and shows an example in the viewer. Without a terminal: a picture, a film, and the address.
demo() {
    STAGES=4
    stage "what the program needs"
    need program
    is_terminal || need film
    stage "the viewer's page"
    build_page
    stage "the library and the program"
    build release sinew_app
    stage "the scene"
    if is_terminal; then
        "$SINEW" demo "$@" --folder build/demo
    else
        demo_without_terminal "$@"
    fi
}

# The viewer's address first, then a picture and a short film beside the script. Nobody can press Ctrl-C here: the viewer ends by itself.
demo_without_terminal() {
    local seconds=${SINEW_DEMO_SECONDS:-60} script=build/demo/${1:-$DEMO}
    mkdir -p build/demo
    "$SINEW" new "$script.charli" --from "${1:-$DEMO}" > build/new.log 2>&1 || [ -e "$script.charli" ] || { cat build/new.log; exit 1; }
    say "The viewer runs for at least $seconds s (SINEW_DEMO_SECONDS=600 for longer):"
    "$SINEW" view "$script.charli" --no-open &
    SERVER=$!
    trap 'kill "$SERVER" 2> /dev/null' EXIT
    local begin=$SECONDS
    if [ ! -e "$script.mp4" ] || [ "$SINEW" -nt "$script.mp4" ]; then
        follow_or_fail "a recording and a picture (some 10 s)" build/film.log "$SINEW" demo "$@" --folder build/demo --no-view
        follow_or_fail "a film (some 20 s)" build/film.log "$SINEW" render "$script.sinew" "$script.mp4" --size 480x270 --samples 4 --frames 12..72
    fi
    say "picture: $script.png"
    say "film:    $script.mp4"
    say "On a terminal ./dev demo opens the viewer and stays. Every example is in examples/, the guide in docs/guide; try $SINEW help"
    while [ $((SECONDS - begin)) -lt "$seconds" ] && kill -0 "$SERVER" 2> /dev/null; do sleep 1; done
}
