# shellcheck shell=bash disable=SC2154
# `bench`: the engine's signature, the benchmarks, and races against other revisions.

# Races this tree against another revision, in turns, so that the machine's moods meet both alike: its search, or one of
# the benchmarks. A table compares the medians of all that they print.
race_revision() {
  local revision=$1 name=${2:-} rounds=9 other round player lines
  other=$(tree_at "$revision")/kibitz
  "$other" bench ${name:+"$name"} --help >/dev/null || die "revision '$revision' has no bench${name:+ $name}"
  lines=$(mktemp -d)
  for ((round = 1; round <= rounds; ++round)); do
    say "round $round of $rounds"
    for player in "$root/kibitz" "$other"; do
      if [[ -n $name ]]; then
        "$player" bench "$name" --quick --json | tail -n 1
      else
        "$player" bench | sed -n 's/.*Nodes\/second: \([0-9]*\).*/{"nodes_per_second": \1}/p'
      fi >>"$lines/$([[ $player == "$other" ]] && echo other || echo this)"
    done
  done
  python3 "$root/front_door/compare.py" "$revision" "$lines/this" "$lines/other"
  rm -r "$lines"
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
  if [[ ${2:-} == --against ]]; then
    [[ $# -eq 3 ]] || die "--against needs a revision, and nothing else"
    race_revision "$3" "$1"
    return
  fi
  run_program "//tests/bench:$1" "${@:2}"
}
