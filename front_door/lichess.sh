# shellcheck shell=bash
# `lichess`: the program, and what needs the stand-in, which is no part of it.

run_lichess() {
  case ${1:-} in
    demo) run_program //tests/client/lichess/bot:demo "${@:2}" ;;
    trial) run_program //tests/client/lichess/bot:trial "${@:2}" ;;
    *) run_client lichess "$@" ;;
  esac
}
