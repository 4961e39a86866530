# shellcheck shell=bash disable=SC2154
# `attack` and `soak`: long trials of a real server, by Python programs below tests/.

# Becomes the program of a module, such as tests.soak.soak, which is told where kibitzd is. Paths are the caller's, but
# modules of his are not looked at (-P).
run_trial() {
  local program
  require_packages "${build_packages[@]}" "${test_packages[@]}"
  program=$(program_of //server:kibitzd)
  KIBITZD=$program PYTHONPATH=$root PYTHONDONTWRITEBYTECODE=1 exec /usr/bin/python3 -P -m "$@"
}
