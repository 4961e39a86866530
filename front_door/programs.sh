# shellcheck shell=bash disable=SC2154
# The programs: built when their sources changed, kept by the fingerprint of these, and run.

# Builds a target and prints the path of its program: a copy that no later build touches. If sources were changed
# meanwhile, nobody can tell what the program was built from, and the copy is for this run only.
build_program() {
  local target=$1 before=$2 name=${1##*:} cache programs folder
  cache=$(cache_folder)
  programs=$cache/programs
  tidy "$cache"
  folder=$(mktemp -d "$programs/new-XXXXXX")
  say "building $name"
  if ! bazel_quietly build --symlink_prefix="$folder/bazel-" "$target"; then
    rm -rf "$folder"
    die "$name was not built"
  fi
  cp "$folder/bazel-bin/${target:2:-${#name}-1}/$name" "$folder/$name"
  rm "$folder"/bazel-*
  if [[ $(fingerprint "$target") == "$before" ]]; then
    mkdir -p "$programs/$before"
    mv -f "$folder/$name" "$programs/$before/$name"
    rmdir "$folder"
    folder=$programs/$before
  fi
  printf '%s\n' "$folder/$name"
}

# Prints where the program of a target in a state is kept.
kept_program() { printf '%s\n' "$(cache_folder)/programs/$2/${1##*:}"; }

# Prints the path of a target's program, built if need be. The program must not need any other file of the tree. One
# that is kept was built with the packages that are installed now, all of them: the fingerprint says so.
program_of() {
  local target=$1 state program
  state=$(fingerprint "$target")
  program=$(kept_program "$target" "$state")
  if [[ -x $program ]]; then
    touch "${program%/*}"
  else
    require_packages "${build_packages[@]}" "${run_packages[@]}"
    state=$(fingerprint "$target")
    mkdir -p "${program%/*/*}"
    program=$(build_program "$target" "$state")
  fi
  printf '%s\n' "$program"
}

# Becomes the program of a target.
run_program() {
  local program
  program=$(program_of "$1")
  exec "$program" "${@:2}"
}

run_client() { run_program //client/cli:kibitz "$@"; }
