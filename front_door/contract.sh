# shellcheck shell=bash disable=SC2154
# The contract in proto/, and what of it was promised with the last release.

readonly buf_version=1.74.0
readonly released_contract=proto/released/v1.binpb

# Prints the path of buf, which comes from npm, into the cache. Fails where npm cannot get it.
buf_program() {
  local folder buf
  folder=$(cache_folder)/buf-$buf_version
  buf=$folder/node_modules/.bin/buf
  [[ -e $buf ]] || npm install --silent --prefix "$folder" "@bufbuild/buf@$buf_version" >&2 || return
  printf '%s\n' "$buf"
}

# Tells, by the buf that is given, whether the contract still keeps what the last release promised.
keeps_promises() { "$1" breaking "$root/proto" --against "$root/$released_contract"; }

# `release`: makes the contract as it is now the one that later changes are compared with.
run_release() {
  local buf version
  if ask_for_help "$@"; then
    cat <<'END'
usage: ./kibitz release

Prepares a release: writes the contract of proto/ into proto/released, against which `./kibitz test` compares every
later change by `buf breaking`. The version is that of engine/engine.cc, which CHANGELOG.md must begin with, dated.
Then it tells what is left to do.
END
    return
  fi
  [[ $# -eq 0 ]] || die "release takes no arguments"
  version=$(source_version)
  grep -qE "^## $version, [0-9]{4}-[0-9]{2}-[0-9]{2}$" "$root/CHANGELOG.md" ||
    die "CHANGELOG.md has no '## $version, DATE': the version of engine/engine.cc needs its chapter and its day"
  command -v npm >/dev/null || require_packages npm
  buf=$(buf_program) || die "npm could not install buf"
  keeps_promises "$buf" || die "the contract breaks with the last release"
  "$buf" build "$root/proto" --exclude-source-info -o "$root/$released_contract"
  say "wrote $released_contract; what is left:"
  say "  git commit $released_contract CHANGELOG.md engine/engine.cc && git tag v$version"
}

# Prints the version that the sources say they are: 1.2.3.
source_version() { grep -oP '"Kibitz \K[0-9]+\.[0-9]+\.[0-9]+(?=")' "$root/engine/engine.cc"; }
