# shellcheck shell=bash disable=SC2154
# `farm`: NATS, nodes, HAProxy and Prometheus on this machine.

readonly farm_packages=(haproxy nats-server prometheus python3)

# Becomes the program that sees to the farm. Only a new one needs nodes to be built.
run_farm() {
  local kibitzd=
  ask_for_help "$@" || require_packages "${farm_packages[@]}"
  if [[ ${1:-} == up ]] && ! ask_for_help "$@"; then
    require_packages "${build_packages[@]}" "${run_packages[@]}"
    kibitzd=$(program_of //server:kibitzd)
  fi
  KIBITZD=$kibitzd KIBITZ_FARM=$(cache_folder)/farm PYTHONPATH=$root PYTHONDONTWRITEBYTECODE=1 \
    exec /usr/bin/python3 -P -m deploy.farm.main "$@"
}
