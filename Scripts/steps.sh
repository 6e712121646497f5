# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced. A plan of steps: queue them with add_step, then run_steps, then report_counts.
# Each prints "==> [2/7] title" when it begins and its seconds when it ends. A failed step does not stop the others,
# except those that need it.

step_names=() step_needs=() step_modes=() step_titles=() step_commands=()
declare -A step_failed=()
# The process of each step that runs behind the others.
declare -A behind=()
passed=0 failed=0 skipped=0
heartbeat=""

logs="$PWD/.build/logs"
mkdir -p "$logs"
# A step that counts for itself (swift test) writes "passed failed skipped" here.
export STEP_COUNTS="$logs/counts"

# add_step NAME NEEDS MODE TITLE COMMAND...
#   NEEDS  the name of the step without which this one is pointless, or -
#   MODE   setup: output shown, counted only if it fails; live: output shown; quiet: output only after a failure;
#          behind: runs beside the steps after it, with what they leave of the processors, until a step needs it; counted only
#          if it fails
add_step() {
    step_names+=("$1") step_needs+=("$2") step_modes+=("$3") step_titles+=("$4")
    shift 4
    local command
    printf -v command '%q ' "$@"
    step_commands+=("$command")
}

# Every 20 seconds, how long the step has been going and the last line it wrote.
start_heartbeat() {
    local log=$1 began=$SECONDS
    while sleep 20 >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
        printf '    %3d s  %.100s\n' $((SECONDS - began)) "$(tail -n 1 "$log" 2>/dev/null)"
    done &
    heartbeat=$!
}

stop_heartbeat() {
    if [[ -n $heartbeat ]]; then
        kill "$heartbeat" 2>/dev/null || true
        wait "$heartbeat" 2>/dev/null || true
        heartbeat=""
    fi
}
stop_all() {
    local name
    stop_heartbeat
    # Each is a process group of its own, so that what it started ends with it.
    for name in "${!behind[@]}"; do kill -- "-${behind[$name]}" 2>/dev/null || true; done
}
trap stop_all EXIT

# A short log whole; of a long one, the complaints and the end.
show_failure() {
    local log=$1
    if [[ $(wc -l <"$log") -gt 60 ]]; then
        grep -E '(error|warning): ' "$log" | sort -u | head -n 40 | sed 's/^/    | /' || true
        echo "    and the last lines of $log:"
    fi
    tail -n 60 "$log" | sed 's/^/    | /'
}

run_one_step() {
    local name=$1 mode=$2 command=$3 log="$logs/$1.log" status=0
    if [[ $mode != quiet ]]; then
        eval "$command" || status=$?
        return "$status"
    fi
    start_heartbeat "$log"
    eval "$command" >"$log" 2>&1 </dev/null || status=$?
    stop_heartbeat
    if [[ $status != 0 ]]; then show_failure "$log"; fi
    return "$status"
}

start_behind() {
    local name=$1 command=$2
    # Job control gives it a process group. Not a session: where the kernel shares processors by session, its niceness would not
    # count against the steps in ours.
    set -m
    nice -n 19 bash -c "$command" >"$logs/$name.log" 2>&1 </dev/null &
    behind[$name]=$!
    set +m
}

# Waits for a step that runs behind the others, if this is one.
await_behind() {
    local name=$1 began=$SECONDS status=0
    if [[ -z ${behind[$name]:-} ]]; then return 0; fi
    start_heartbeat "$logs/$name.log"
    wait "${behind[$name]}" || status=$?
    stop_heartbeat
    unset "behind[$name]"
    if [[ $status == 0 ]]; then
        echo "    waited $((SECONDS - began)) s for '$name', which is done"
    else
        show_failure "$logs/$name.log"
        step_failed[$name]=yes
        failed=$((failed + 1))
        echo "    FAILED: $name"
    fi
}

count_step() {
    local mode=$1 status=$2 p f s
    if [[ -s $STEP_COUNTS ]]; then
        read -r p f s <"$STEP_COUNTS"
        passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    elif [[ $status != 0 ]]; then
        failed=$((failed + 1))
    elif [[ $mode != setup ]]; then
        passed=$((passed + 1))
    fi
}

run_steps() {
    local i total=${#step_names[@]} began status
    for ((i = 0; i < total; i++)); do
        local name=${step_names[i]} needed=${step_needs[i]} mode=${step_modes[i]}
        echo "==> [$((i + 1))/$total] ${step_titles[i]}"
        rm -f "$STEP_COUNTS"
        began=$SECONDS status=0
        await_behind "$needed"
        if [[ $mode == behind && -z ${step_failed[$needed]:-} ]]; then
            start_behind "$name" "${step_commands[i]}"
            echo "    begun, behind the next steps"
            continue
        fi
        if [[ -n ${step_failed[$needed]:-} ]]; then
            echo "    not run: it needs '$needed', which failed"
            status=1
        else
            run_one_step "$name" "$mode" "${step_commands[i]}" || status=$?
        fi
        count_step "$mode" "$status"
        if [[ $status == 0 ]]; then
            echo "    done in $((SECONDS - began)) s"
        else
            step_failed[$name]=yes
            echo "    FAILED: $name, after $((SECONDS - began)) s"
        fi
    done
    for name in "${!behind[@]}"; do await_behind "$name"; done
}

any_step_failed() {
    [[ ${#step_failed[@]} != 0 ]]
}

# The closing line, and the exit status of the whole.
report_counts() {
    local name line="$passed passed, $failed failed"
    for name in "${step_names[@]}"; do
        if [[ -n ${step_failed[$name]:-} ]]; then echo "failed: $name"; fi
    done
    if [[ $skipped != 0 ]]; then line+=", $skipped skipped"; fi
    echo "$line"
    ! any_step_failed && [[ $failed == 0 ]]
}
