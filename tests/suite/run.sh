#!/usr/bin/env bash
# `./kibitz test`: every test, lint and fuzz target, each counted.

# shellcheck source=kibitz
source "$(dirname -- "${BASH_SOURCE[0]}")/../../kibitz"
# shellcheck source=client/web/web.sh
source "$root/client/web/web.sh"
# shellcheck source=tests/suite/stress.sh
source "$root/tests/suite/stress.sh"

suite_usage() {
  cat <<'END'
usage: ./kibitz test [BAZEL FLAGS] [TARGETS]
       ./kibitz test web [VITEST ARGUMENTS]
       ./kibitz test fuzz [--seconds N] [NAMES]
       ./kibitz test package
       ./kibitz test farm [--nodes N] [--nats 1|3] [--faults N --seed S]
       ./kibitz test --stress [--runs N] [web] [BAZEL FLAGS] [TARGETS]

Without arguments: all tests, some once more in each variant of a package, the fuzz targets of parsers for a short time,
those of the page for browsers, the lints of C++, TypeScript, shell and protocol files, and whether the contract keeps what the
last release promised. With arguments only the tests that Bazel selects by them:

  ./kibitz test //tests/engine/...                 one part of the tree
  ./kibitz test --test_filter='FenTest.*'          some cases
  ./kibitz test --config=asan                      under AddressSanitizer and UndefinedBehaviorSanitizer
  ./kibitz test --config=tsan                      under ThreadSanitizer
  ./kibitz test web                                the page for browsers and its gateway
  ./kibitz test fuzz --seconds 600 fen pgn         fuzz targets for ten minutes each; by default all, one at a time
  ./kibitz test package                            package and image, made and tried in a fresh Debian; needs root
  ./kibitz test farm                               a farm that loses its parts one after the other, or N at random

--stress hunts for tests that fail by luck: every test, or those that are named, 20 times (or N) on the machine as it
is, then as often beside a busy loop on each core. A test that takes over a minute is run a quarter as often. At the end
a table tells which targets failed, how often and in which cases, and which were run less often. It counts runs, not
cases, and takes hours for all; Ctrl-C ends it, load and all.

  ./kibitz test --stress                           all tests, those of the page too
  ./kibitz test --stress --runs 50 //tests/server/...
  ./kibitz test --stress web                       those of the page alone

The last line on standard output is `N passed, M failed`; all else goes to standard error.
END
}

readonly fuzz_usage="usage: ./kibitz test fuzz [--seconds N] [NAMES], those of tests/fuzz/NAME_fuzzer.cc"
fuzz_seconds=5
show_checks=false

passed=0
failed=0
skipped=0
helpers=() # processes beside this one, which end with it

# Adds to the tally. Arguments: the part's name, then how many passed, failed and were skipped.
tally() {
  passed=$((passed + $2))
  failed=$((failed + $3))
  skipped=$((skipped + $4))
  say "$1: $(in_words "$2" "$3" "$4")"
}

in_words() {
  printf '%d passed, %d failed' "$1" "$2"
  if [[ $3 -gt 0 ]]; then printf ', %d skipped' "$3"; fi
}

# Counts a command as one test, and shows what it says only if it fails.
check() {
  local name=$1 log=$scratch/check.log
  if "${@:2}" >"$log" 2>&1; then
    if $show_checks; then tail -n 1 "$log" >&2; fi
    tally "$name" 1 0 0
  else
    cat "$log" >&2
    tally "$name" 0 1 0
  fi
}

# Runs Bazel's tests and counts their cases.
bazel_tests() {
  local name=$1 events=$scratch/events.json status=0 counts
  rm -f "$events"
  bazel_quietly test --keep_going --build_event_json_file="$events" "${@:2}" || status=$?
  read -ra counts < <(python3 "$root/tests/suite/count_results.py" "$events" "$status") || counts=(0 1 0)
  tally "$name" "${counts[@]}"
}

# Prints the tree's files whose names match one of the patterns, each ended by a NUL.
files_named() {
  local pattern matches=()
  for pattern in "$@"; do matches+=(-o -name "$pattern"); done
  find "$root" \( -name .git -o -name node_modules \) -prune -o -type f \( "${matches[@]:1}" \) -print0
}

lint_cpp() { files_named '*.h' '*.cc' | xargs -0 clang-format-19 --dry-run -Werror --ferror-limit=1; }

lint_shell() { files_named '*.sh' kibitz run | xargs -0 shellcheck --external-sources --source-path="$root"; }

# Lints the contract, and looks whether it still keeps what the last release promised.
contract() {
  local buf
  if ! buf=$(buf_program); then
    say "npm could not install buf: the .proto files are neither linted nor compared with those of the last release"
    tally "buf lint and buf breaking" 0 0 2
    return
  fi
  check "buf lint" "$buf" lint "$root/proto"
  check "buf breaking" keeps_promises "$buf"
}

# Tests what differs between the builds of a package: the sliders, the counts of the perft suite, the net and the search.
variants() {
  local variant targets
  targets=(//tests/engine/board/attacks/... //tests/engine/board:perft_suite_test //tests/engine/eval:nnue_test
    //tests/engine/search:tactics_test)
  for variant in $(package_variants); do
    if runs_variant "$variant"; then
      bazel_tests "tests of the variant $variant" "--config=$variant" --symlink_prefix=/ "${targets[@]}"
    else
      say "this machine cannot run the variant $variant: it is not tested"
      tally "tests of the variant $variant" 0 0 1
    fi
  done
}

# Runs fuzz targets, by default those of parsers: those of whole servers take minutes to build. Each begins from its
# seeds, which stay as they are. The cache keeps an input that fails.
fuzz() {
  local targets target name failures which
  which='attr(tags, fuzz, //tests/fuzz/...) except attr(tags, fuzz_server, //tests/fuzz/...)'
  [[ $# -eq 0 ]] || which="set($(printf '//tests/fuzz:%s_fuzzer ' "$@"))"
  mapfile -t targets < <(bazel_here query --noshow_progress --ui_event_filters=-info "$which")
  if [[ ${#targets[@]} -eq 0 ]] ||
    ! bazel_quietly build --config=fuzz --symlink_prefix="$scratch/fuzz-" "${targets[@]}"; then
    tally "finding and building the fuzz targets" 0 1 0
    return
  fi
  failures=$(cache_folder)/fuzz
  mkdir -p "$failures"
  for target in "${targets[@]}"; do
    name=${target##*:}
    mkdir "$scratch/$name"
    check "$name" "$scratch/fuzz-bin/tests/fuzz/$name" -seed=1 -max_total_time="$fuzz_seconds" -timeout=5 \
      -artifact_prefix="$failures/$name-" "$scratch/$name" "$root/tests/fuzz/corpus/${name%_fuzzer}"
  done
}

# Runs fuzz targets for longer, all or those that are named, and shows what each has done.
fuzz_longer() {
  local names=()
  fuzz_seconds=60
  while [[ $# -gt 0 ]]; do
    case $1 in
      --seconds)
        [[ ${2:-} =~ ^[1-9][0-9]{0,5}$ ]] || usage_error "--seconds needs a number of at least 1" "$fuzz_usage"
        fuzz_seconds=$2
        shift
        ;;
      -*) usage_error "there is no flag $1" "$fuzz_usage" ;;
      *)
        names+=("${1%_fuzzer}")
        [[ -f $root/tests/fuzz/${names[-1]}_fuzzer.cc ]] || usage_error "there is no fuzz target $1" "$fuzz_usage"
        ;;
    esac
    shift
  done
  [[ ${#names[@]} -gt 0 ]] || mapfile -t names < <(cd "$root/tests/fuzz" && printf '%s\n' *_fuzzer.cc | sed 's/_fuzzer.cc//')
  show_checks=true
  fuzz "${names[@]}"
}

# Runs the tests of the page for browsers, and the compiler's checks of it.
web() {
  local status=0 counts
  web_tests "$scratch/web.xml" "$@" || status=$?
  read -ra counts < <(python3 "$root/tests/suite/count_results.py" --xml "$scratch/web.xml" "$status") || counts=(0 1 0)
  tally "tests of the page" "${counts[@]}"
  check "tsc" in_web npm run --silent check
  check "prettier" in_web npm run --silent lint
}

# Makes the package and the image, and tries both.
packages() {
  local package image name status counts
  # shellcheck disable=SC2154  # the lists of front_door/packages.sh
  require_packages "${package_packages[@]}" "${image_packages[@]}" "${package_test_packages[@]}"
  package=$(make_package "$scratch/package")
  image=$(make_image "$scratch/image.tar" "$package")
  for name in package image; do
    status=0
    (cd "$root" && KIBITZ_PACKAGE=$package KIBITZ_IMAGE=$image XML_OUTPUT_FILE=$scratch/$name.xml \
      python3 -m "tests.package.${name}_test" >&2) || status=$?
    read -ra counts < <(python3 "$root/tests/suite/count_results.py" --xml "$scratch/$name.xml" "$status") ||
      counts=(0 1 0)
    tally "tests of the $name" "${counts[@]}"
  done
}

# Brings up a farm and lets its parts die; one test, however many faults.
farm() {
  if (run_trial tests.farm.trial "$@" >&2); then
    tally "trial of a farm" 1 0 0
  else
    tally "trial of a farm" 0 1 0
  fi
}

# Tells whether some of Bazel's arguments are targets.
name_targets() {
  local argument
  for argument in "$@"; do
    [[ $argument != //* && $argument != :* && $argument != -//* ]] || return 0
  done
  return 1
}

bazel_suite() {
  local targets=(//...)
  if name_targets "$@"; then targets=(); fi
  bazel_tests "tests" "$@" "${targets[@]}"
  if [[ $# -eq 0 ]]; then
    variants
    fuzz
    web
    check "clang-format" lint_cpp
    check "shellcheck" lint_shell
    contract
  fi
}

end_helper() {
  kill "$1" 2>/dev/null || true
  wait "$1" 2>/dev/null || true
}

end_helpers() {
  local helper
  for helper in "${helpers[@]}"; do end_helper "$helper"; done
  helpers=()
}

clean_up() {
  end_helpers
  rm -rf "$scratch"
}

run_suite() {
  [[ $# -gt 0 ]] || command -v npm >/dev/null || require_packages npm
  scratch=$(mktemp -d)
  trap clean_up EXIT
  if [[ " $* " == *" --stress "* ]]; then
    stress_suite "$@"
  elif [[ ${1:-} == web ]]; then
    web "${@:2}"
  elif [[ ${1:-} == fuzz ]]; then
    fuzz_longer "${@:2}"
  elif [[ ${1:-} == package ]]; then
    packages
  elif [[ ${1:-} == farm ]]; then
    farm "${@:2}"
  else
    bazel_suite "$@"
  fi

  [[ $skipped -eq 0 ]] || say "$skipped skipped for want of data or peers"
  printf '%d passed, %d failed\n' "$passed" "$failed"
  [[ $failed -eq 0 && $passed -gt 0 ]] || exit 1
  exit 0 # here, so that nothing of this file is read any more if it was edited during a long run
}

if ask_for_help "$@"; then suite_usage; else run_suite "$@"; fi
