# shellcheck shell=bash disable=SC2154
# `attack` and `soak`: long trials of a real server, by Python programs below tests/.

# Becomes the program of a module, such as tests.soak.soak, which is told where our programs are. Paths are the caller's,
# but modules of his are not looked at (-P).
run_trial() {
  local server client
  require_packages "${build_packages[@]}" "${test_packages[@]}"
  server=$(program_of //server:kibitzd)
  client=$(program_of //client/cli:kibitz)
  KIBITZD=$server KIBITZ=$client PYTHONPATH=$root PYTHONDONTWRITEBYTECODE=1 exec /usr/bin/python3 -P -m "$@"
}
