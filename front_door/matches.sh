# shellcheck shell=bash disable=SC2154
# `match` and `ladder`: games, also against other revisions.

# Becomes the client's match. `--against REVISION` is a player: the front door of that revision, built before the match
# so that no clock runs meanwhile.
run_match() {
  local arguments=() revision tree
  while [[ $# -gt 0 ]]; do
    case $1 in
      --against | --against=*)
        revision=${1#--against}
        revision=${revision#=}
        if [[ $1 == --against ]]; then
          [[ $# -gt 1 ]] || die "--against needs a revision"
          revision=$2
          shift
        fi
        tree=$(tree_at "$revision")
        "$tree/kibitz" uci </dev/null >/dev/null || die "revision '$revision' is not a UCI engine"
        arguments+=(--engine "name=$revision" "cmd=$tree/kibitz" arg=uci)
        ;;
      *) arguments+=("$1") ;;
    esac
    shift
  done
  run_client match "${arguments[@]}"
}

run_ladder() {
  ask_for_help "$@" || require_packages "${ladder_packages[@]}"
  run_client ladder --docs "$root/docs" "$@"
}
