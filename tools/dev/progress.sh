# How far a long command is: one line that changes on a terminal, else a line at least every five seconds.

say() { printf '%s\n' "$*"; }
is_terminal() { [ -t 1 ]; }
heading() { if is_terminal; then printf '\033[1m== %s\033[0m\n' "$*"; else printf '== %s\n' "$*"; fi; }

# Stages of a command that the reader waits for: `STAGES=5` before the first, then `stage TEXT` at the start of each.
STAGE=0 STAGES=0
stage() {
    STAGE=$((STAGE + 1))
    if [ "$STAGES" -gt 0 ]; then heading "$STAGE of $STAGES: $*"; else heading "$*"; fi
}

duration() { if [ "$1" -lt 60 ]; then printf '%d s' "$1"; else printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); fi; }

# counted LOG: "DONE TOTAL WHAT" of the last line that ninja or apt wrote there, or nothing.
counted() {
    tail -c 2000 "$1" 2> /dev/null | tr '\r' '\n' | awk '
        match($0, /^\[[0-9]+\/[0-9]+\]/) { split(substr($0, 2, RLENGTH - 2), n, "/"); said = n[1] " " n[2] " steps" }
        /^dlstatus:/ { split($0, f, ":"); said = int(f[3]) " 100 % downloaded" }
        /^pmstatus:/ { split($0, f, ":"); said = int(f[3]) " 100 % installed" }
        END { print said }'
}

# describe LABEL SECONDS PHASE_SECONDS [DONE TOTAL WHAT]: a line such as "compiling: 120 of 320 steps, 2 min 05 s, about 3 min 20 s left". What is left is told
# by the time since WHAT began: packages are first downloaded, then installed.
describe() {
    local label=$1 spent=$2 in_phase=$3 done=${4:-} total=${5:-} what="${*:6}"
    if [ -z "$total" ]; then
        say "$label: $(duration "$spent")"
    elif [ $((50 * done)) -ge "$total" ] && [ "$done" -lt "$total" ]; then
        say "$label: $done of $total $what, $(duration "$spent"), about $(duration $((in_phase * (total - done) / done))) left"
    else
        say "$label: $done of $total $what, $(duration "$spent")"
    fi
}

show_line() { if is_terminal; then printf '\r\033[K  %s' "$(cut -c "1-$((${COLUMNS:-80} - 4))" <<< "$1")"; else say "  $1"; fi; }
clear_line() { ! is_terminal || printf '\r\033[K'; }

# follow LABEL LOG COMMAND...: runs the command with its output in LOG, shows how far it is, and gives back its status.
# What a shell starts in the background does not hear Ctrl-C: it is ended by hand.
follow() {
    local label=$1 log=$2 begin=$SECONDS shown=$SECONDS pause=4 job status=0 now phase='' phase_begin=$SECONDS
    shift 2
    ! is_terminal || pause=1
    "$@" > "$log" 2>&1 < /dev/null &
    job=$!
    trap 'kill "$job" 2> /dev/null; clear_line; exit 130' INT TERM
    while kill -0 "$job" 2> /dev/null; do
        sleep 0.2
        if [ $((SECONDS - shown)) -ge "$pause" ]; then
            shown=$SECONDS
            now=$(counted "$log")
            [ "${now##* }" = "$phase" ] || { phase=${now##* } phase_begin=$((SECONDS - pause)); }
            # shellcheck disable=SC2086
            show_line "$(describe "$label" $((SECONDS - begin)) $((SECONDS - phase_begin)) $now)"
        fi
    done
    wait "$job" || status=$?
    trap - INT TERM
    clear_line
    [ $((SECONDS - begin)) -lt 2 ] || say "  $label: done in $(duration $((SECONDS - begin)))"
    return $status
}

# follow_or_fail LABEL LOG COMMAND...: the same; a failure shows what was said, without the lines of what went well, and ends the script.
follow_or_fail() {
    follow "$@" && return 0
    grep -vE '^(\[[0-9]+/[0-9]+\] (Building|Linking|Generating)|(dl|pm)status:|Get:|Selecting|Preparing|Unpacking|Setting up)' "$2" | tail -n 200
    say "failed: $1 (all of it: $2)"
    exit 1
}
