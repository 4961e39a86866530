# shellcheck shell=bash disable=SC2154
# `test`: the suite, with all that it needs; `doctor`: whether it is there.

# The packages that the other commands install when they are first used.
run_doctor() {
  ask_for_help "$@" || set -- "$@" --packages "${run_packages[@]}" "${test_packages[@]}"
  run_client doctor "$@"
}

run_tests() {
  ask_for_help "$@" || require_packages "${build_packages[@]}" "${run_packages[@]}" "${test_packages[@]}"
  # What a sanitizer is told to leave out it knows by name only.
  [[ " $* " != *" --config=asan "* && " $* " != *" --config=tsan "* ]] || require_packages llvm-19
  exec bash "$root/tests/suite/run.sh" "$@"
}
