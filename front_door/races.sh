# shellcheck shell=bash disable=SC2154
# `bench`: the engine's signature, the benchmarks, and races against other revisions.

# Races the search of this tree against that of another revision, in turns, so that the machine's moods meet both alike.
race_revision() {
  local revision=$1 programs speeds medians=() round player
  programs=("$(program_of //client/cli:kibitz)" "$(tree_at "$revision")/kibitz")
  "${programs[1]}" bench --depth 1 >/dev/null || die "revision '$revision' has no bench"
  speeds=$(mktemp -d)
  for round in {1..9}; do
    for player in 0 1; do
      "${programs[player]}" bench | grep -oP 'Nodes/second: \K[0-9]+' >>"$speeds/$player"
    done
    say "round $round of 9: $(tail -n 1 "$speeds/0") and $(tail -n 1 "$speeds/1") nodes a second"
  done
  for player in 0 1; do medians+=("$(sort -n "$speeds/$player" | sed -n 5p)"); done
  rm -r "$speeds"
  printf 'this tree        %9d nodes a second, median of 9\n%-16s %9d\nratio            %9d.%03d\n' "${medians[0]}" \
    "$revision" "${medians[1]}" $((medians[0] / medians[1])) $((medians[0] * 1000 / medians[1] % 1000))
}

run_bench() {
  local benchmarks
  if [[ ${1:-} == --against ]]; then
    [[ $# -eq 2 ]] || die "--against needs a revision, and nothing else"
    race_revision "$2"
    return
  fi
  if [[ $# -eq 0 || $1 == -* ]]; then run_client bench "$@"; fi
  mapfile -t benchmarks < <(grep -oP '^ +name = "\K[^"]+' "$root/tests/bench/BUILD")
  if [[ " ${benchmarks[*]} " != *" $1 "* ]]; then
    say "unknown benchmark '$1'; there are: ${benchmarks[*]}"
    exit 2
  fi
  require_packages stockfish  # the peer
  run_program "//tests/bench:$1" "${@:2}"
}
