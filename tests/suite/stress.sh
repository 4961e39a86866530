# shellcheck shell=bash disable=SC2154
# `./kibitz test --stress`: every test many times, first on the machine as it is, then beside a full load. Sourced by
# run.sh.

readonly stress_usage="usage: ./kibitz test --stress [--runs N] [web] [BAZEL FLAGS] [TARGETS]"

stress() { python3 "$root/tests/suite/stress.py" "$@"; }

load_every_core() {
  local core cores
  cores=$(nproc)
  say "beside the load: a busy loop on each of $cores cores"
  for ((core = 0; core < cores; core++)); do
    python3 "$root/tests/suite/stress.py" load $$ &
    helpers+=($!)
  done
}

# Runs the planned Bazel targets in a phase and adds their runs to the record.
stress_bazel() {
  local phase=$1 events=$scratch/$1.json status=0 label runs flags=("--runs_per_test=$stress_runs") total=0
  while read -r label runs _; do
    total=$((total + runs))
    # Of several of these flags the last that fits counts.
    [[ $runs -eq $stress_runs ]] || flags+=("--runs_per_test=^${label//./\\.}\$@$runs")
  done <"$scratch/plan"
  say "$phase: $total runs of $(wc -l <"$scratch/plan") targets"
  python3 "$root/tests/suite/stress.py" watch $$ "$phase" "$events" "$total" &
  helpers+=($!)
  bazel_quietly test --keep_going --build_event_json_file="$events" "${flags[@]}" --nocache_test_results \
    "${stress_arguments[@]}" || status=$?
  stress read "$phase" "$events" "$status" >>"$scratch/record"
  end_helper "${helpers[-1]}"
}

# Builds everything, and learns how long each target takes. Those that were not run lately are run for it: that counts.
plan_bazel() {
  local status=0
  say "building the tests, and running each once that was not run before"
  bazel_quietly test --keep_going --build_event_json_file="$scratch/first.json" "${stress_arguments[@]}" || status=$?
  stress read idle "$scratch/first.json" "$status" >>"$scratch/record"
  stress plan "$scratch/first.json" "$stress_runs" >"$scratch/plan"
}

# Runs the page's tests again and again in a phase.
stress_web() {
  local phase=$1 run status start runs=$web_runs
  for ((run = 1; run <= runs; run++)); do
    start=$SECONDS
    status=0
    rm -f "$scratch/web.xml"
    web_tests "$scratch/web.xml" >"$scratch/web.log" 2>&1 || status=$?
    [[ $status -eq 0 ]] || cat "$scratch/web.log" >&2
    stress program "$phase" web "$scratch/web.xml" "$status" "$((SECONDS - start))" >>"$scratch/record"
    say "$phase: web, run $run of $runs, $((SECONDS - start)) s, exit code $status"
    if [[ $phase == idle && $run -eq 1 ]]; then
      web_runs=$(stress fewer "$stress_runs" "$((SECONDS - start))")
      runs=$web_runs
    fi
  done
}

stress_phase() {
  if $with_bazel && [[ -s $scratch/plan ]]; then stress_bazel "$1"; fi
  if $with_web; then stress_web "$1"; fi
}

# Arguments: what is wrong with the arguments, and how they go.
usage_error() {
  say "$1"
  say "${2:-$stress_usage}"
  exit 2
}

# Sets what is to be run, and how often, by the arguments.
read_stress_arguments() {
  stress_runs=20
  stress_arguments=()
  with_web=false
  while [[ $# -gt 0 ]]; do
    case $1 in
      --runs)
        [[ $# -gt 1 ]] || usage_error "--runs needs a number"
        stress_runs=$2
        shift
        ;;
      --runs=*) stress_runs=${1#*=} ;;
      --stress) ;;
      web) with_web=true ;;
      *) stress_arguments+=("$1") ;;
    esac
    shift
  done
  [[ $stress_runs =~ ^[1-9][0-9]{0,4}$ ]] || usage_error "--runs needs a number of at least 1, not '$stress_runs'"
  web_runs=$stress_runs
  with_bazel=true
  if ! name_targets "${stress_arguments[@]}"; then
    if $with_web; then with_bazel=false; fi
    if [[ ${#stress_arguments[@]} -eq 0 ]]; then with_web=true; fi
    stress_arguments+=(//...)
  fi
}

stress_suite() {
  local counts load
  read_stress_arguments "$@"
  trap 'exit 130' INT TERM HUP
  : >"$scratch/record"
  read -r load _ </proc/loadavg
  if $with_bazel; then plan_bazel; fi
  say "idle: the machine as it is; its load average was $load"
  stress_phase idle
  load_every_core
  stress_phase loaded
  end_helpers
  read -ra counts < <(stress report "$stress_runs" "$scratch/record") || counts=(0 1)
  tally "runs" "${counts[@]}" 0
}
