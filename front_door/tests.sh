# shellcheck shell=bash disable=SC2154
# `test`: the suite, with all that it needs.

run_tests() {
  ask_for_help "$@" || require_packages "${build_packages[@]}" "${test_packages[@]}"
  exec bash "$root/tests/suite/run.sh" "$@"
}
