# shellcheck shell=bash disable=SC2154
# Bazel, with a cache of objects that outlives the tree, and never with objects made for another machine.

# Runs Bazel in this tree. It needs a home of its own where the user's cannot be written.
bazel_here() {
  local startup=()
  [[ -w ${HOME:-/nowhere} ]] || startup+=("--output_user_root=$(cache_folder)/bazel")
  (cd "$root" && bazel "${startup[@]}" "$@" </dev/null)
}

# Builds or tests quietly, with Bazel's progress on a terminal, and with a cache of objects that outlives this tree.
# Arguments: build or test, flags, targets. All words go to standard error.
bazel_quietly() {
  local command=$1 cache machine progress=--noshow_progress events=-debug status=0
  cache=$(cache_folder)
  machine=$(machine_id)
  [[ ! -t 2 ]] || progress=--show_progress
  [[ $command == test ]] || events=-debug,-info  # a failed test's log comes as information
  forget_other_machine "$machine"
  bazel_here "$command" --disk_cache="$cache/objects-$machine" "$progress" --noshow_loading_progress \
    --ui_event_filters="$events" --show_result=0 "${@:2}" >&2 || status=$?
  [[ $status -ne 8 ]] || exit 130  # interrupted
  return "$status"
}

# Bazel would take objects for up to date that were made for another processor or with another library, and it keeps a
# list of the system's headers from its first run on. What they were made for is written down beside them; where it is
# not, they are not to be trusted either.
forget_other_machine() {
  local machine=$1 base record
  base=$(bazel_here info --ui_event_filters=-info,-warning output_base)
  record=$base/kibitz_machine
  if [[ -d $base/external/local_config_cc && $(cat "$record" 2>/dev/null) != "$machine" ]]; then
    say "the processor or the libraries changed: building everything again"
    bazel_here clean --expunge --ui_event_filters=-info >&2
    mkdir -p "$base"
  fi
  printf '%s\n' "$machine" >"$record"
}
