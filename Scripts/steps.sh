# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced. A plan of steps: queue them with add_step, then run_steps, then report_counts.
# Two run at a time, and one more behind them; each prints "==> [2/7] title", what there is to show, and its seconds, in the order
# of the plan. A failed step does not stop the others, except those that need it.

step_names=() step_needs=() step_modes=() step_titles=() step_commands=()
# By name: the process of each that runs, what came of each that ended, and "seconds of-processors" of those that ran.
declare -A running=() ended=() took=()
passed=0 failed=0 skipped=0
heartbeat="" viewer=""

export logs="$PWD/.build/logs"
mkdir -p "$logs"

# add_step NAME NEEDS MODE TITLE COMMAND...
#   NEEDS  the name of the step without which this one is pointless, or -
#   MODE   setup: alone, with the terminal, output shown, counted only if it fails; live: output shown; quiet: output only after
#          a failure; behind: quiet, with what the others leave of the processors, counted only if it fails
# A step that counts for itself (swift test) writes "passed failed skipped" into the file that STEP_COUNTS names.
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
    disown "$heartbeat"
}

stop_heartbeat() {
    if [[ -n $heartbeat ]]; then
        kill "$heartbeat" 2>/dev/null || true
        heartbeat=""
    fi
}
stop_all() {
    local name
    stop_heartbeat
    if [[ -n $viewer ]]; then kill "$viewer" 2>/dev/null || true; fi
    # Each is a process group of its own, so that what it started ends with it.
    for name in "${!running[@]}"; do kill -- "-${running[$name]}" 2>/dev/null || true; done
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

# Runs a step to its end, and leaves "status seconds user system" in its file. The last thing that it writes is that file.
step_process() {
    local name=$1 mode=$2 command=$3 status=0
    export STEP_COUNTS="$logs/$name.counts"
    local TIMEFORMAT='%0R %2U %2S'
    if [[ $mode == setup ]]; then
        # What `time` says goes where it does not mix with what the step says.
        { time bash -c "$command" 2>&3; } 3>&2 2>"$logs/$name.time" || status=$?
    else
        { time bash -c "$command" >"$logs/$name.log" 2>&1 </dev/null; } 2>"$logs/$name.time" || status=$?
    fi
    echo "$status $(tail -n 1 "$logs/$name.time")" >"$logs/$name.ended.new"
    mv "$logs/$name.ended.new" "$logs/$name.ended"
}

start_step() {
    local i=$1 name=${step_names[i]} priority=0
    rm -f "$logs/$name".{counts,ended,log}
    if [[ ${step_modes[i]} == setup ]]; then
        step_process "$name" setup "${step_commands[i]}"
        end_step "$i"
        return
    fi
    if [[ ${step_modes[i]} == behind ]]; then priority=19; fi
    : >"$logs/$name.log"
    # A process group of its own. Not a session: where the kernel shares processors by session, its niceness would not count against
    # the steps in ours.
    nice -n "$priority" perl -e 'setpgrp 0, 0; exec { $ARGV[0] } @ARGV' \
        bash -c "$(declare -f step_process); step_process \"\$@\"" step "$name" quiet "${step_commands[i]}" </dev/null &
    running[$name]=$!
}

# Counts a step that ended, or whose process is gone.
end_step() {
    local i=$1 name=${step_names[$1]} status=1 seconds=0 user=0 system=0 p f s
    if [[ -s $logs/$name.ended ]]; then read -r status seconds user system <"$logs/$name.ended"; fi
    took[$name]="$seconds $(awk -v user="$user" -v kernel="$system" 'BEGIN { printf "%.0f", user + kernel }')"
    unset "running[$name]"
    if [[ -s $logs/$name.counts ]]; then
        read -r p f s <"$logs/$name.counts"
        passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    elif [[ $status != 0 ]]; then
        failed=$((failed + 1))
    elif [[ ${step_modes[i]} != setup && ${step_modes[i]} != behind ]]; then
        passed=$((passed + 1))
    fi
    if [[ $status == 0 ]]; then ended[$name]=well; else ended[$name]=failed; fi
}

# Whether a step may begin: what it needs has ended, and there is room. One that needs what failed ends here.
may_begin() {
    local i=$1 name=${step_names[$1]} needed=${step_needs[$1]} mode=${step_modes[$1]} other beside=0 behind=0
    if [[ -n ${running[$name]:-} || -n ${ended[$name]:-} ]]; then return 1; fi
    if [[ $needed != - && -z ${ended[$needed]:-} ]]; then return 1; fi
    if [[ $needed != - && ${ended[$needed]} != well ]]; then
        ended[$name]="not run: it needs '$needed', which failed"
        failed=$((failed + 1))
        return 1
    fi
    for ((other = 0; other < ${#step_names[@]}; other++)); do
        if [[ -z ${running[${step_names[other]}]:-} ]]; then continue; fi
        if [[ ${step_modes[other]} == behind ]]; then behind=$((behind + 1)); else beside=$((beside + 1)); fi
    done
    case $mode in
    setup) [[ $((beside + behind)) == 0 && $i == "$shown" ]] ;;
    behind) [[ $behind == 0 ]] ;;
    *) [[ $beside -lt 2 ]] ;;
    esac
}

# Says of the step whose turn it is what there is to say; true when that is all.
show_step() {
    local i=$1 name=${step_names[$1]} log="$logs/${step_names[$1]}.log" seconds processors
    if [[ $announced != "$i" && (-n ${running[$name]:-} || -n ${ended[$name]:-} || ${step_modes[i]} == setup) ]]; then
        echo "==> [$((i + 1))/${#step_names[@]}] ${step_titles[i]}"
        announced=$i
        if [[ ${step_modes[i]} == live && -e $log ]]; then
            tail -n +1 -f -s 0.2 ${running[$name]:+--pid="${running[$name]}"} "$log" 2>/dev/null &
            viewer=$!
            if [[ -z ${running[$name]:-} ]]; then kill "$viewer"; fi
        elif [[ -n ${running[$name]:-} ]]; then
            start_heartbeat "$log"
        fi
    fi
    if [[ -z ${ended[$name]:-} ]]; then return 1; fi
    stop_heartbeat
    if [[ -n $viewer ]]; then
        wait "$viewer" 2>/dev/null || true
        viewer=""
    fi
    case ${ended[$name]} in
    well | failed)
        read -r seconds processors <<<"${took[$name]}"
        if [[ ${ended[$name]} == well ]]; then
            echo "    done in $seconds s, with $processors s of the processors"
        else
            if [[ ${step_modes[i]} == quiet || ${step_modes[i]} == behind ]]; then show_failure "$log"; fi
            echo "    FAILED: $name, after $seconds s"
        fi
        ;;
    *) echo "    ${ended[$name]}" ;;
    esac
}

run_steps() {
    local i name total=${#step_names[@]} shown=0 announced=-1
    while true; do
        for ((i = 0; i < total; i++)); do
            name=${step_names[i]}
            if [[ -n ${running[$name]:-} && ( -e $logs/$name.ended || ! -d /proc/${running[$name]} ) ]]; then end_step "$i"; fi
        done
        while [[ $shown -lt $total ]] && show_step "$shown"; do shown=$((shown + 1)); done
        if [[ $shown == "$total" ]]; then break; fi
        for ((i = 0; i < total; i++)); do
            if may_begin "$i"; then start_step "$i"; fi
        done
        while [[ $shown -lt $total ]] && show_step "$shown"; do shown=$((shown + 1)); done
        if [[ ${#running[@]} != 0 ]]; then wait -n "${running[@]}" 2>/dev/null || true; fi
    done
}

any_step_failed() {
    local name
    for name in "${!ended[@]}"; do
        if [[ ${ended[$name]} != well ]]; then return 0; fi
    done
    return 1
}

# What took longest, where it is worth a look.
report_times() {
    local name
    echo "the longest steps, in seconds, and those of the processors:"
    for name in "${!took[@]}"; do echo "${took[$name]} $name"; done | sort -k 2,2nr | head -n 10 |
        while read -r seconds processors name; do printf '    %-24s %5d %5d\n' "$name" "$seconds" "$processors"; done
}

# The closing line, and the exit status of the whole.
report_counts() {
    local name line="$passed passed, $failed failed"
    for name in "${step_names[@]}"; do
        if [[ ${ended[$name]:-} != well ]]; then echo "failed: $name"; fi
    done
    if [[ $skipped != 0 ]]; then line+=", $skipped skipped"; fi
    echo "$line"
    ! any_step_failed && [[ $failed == 0 ]]
}
