# shellcheck shell=bash disable=SC2154
# Other revisions of this repository.

# Prints a folder with the sources of another revision, unpacked if need be: a copy of which the repository knows
# nothing, kept for the next time.
tree_at() {
  local commit revisions tree new
  commit=$(git -C "$root" rev-parse --verify --quiet "$1^{commit}") || die "there is no revision '$1'"
  revisions=$(cache_folder)/revisions
  tree=$revisions/$commit
  mkdir -p "$revisions"
  if [[ ! -d $tree ]]; then
    keep_newest 3 "$revisions"
    new=$(mktemp -d "$tree-new-XXXXXX")
    git -C "$root" archive "$commit" | tar -x -C "$new"
    mv -T "$new" "$tree" 2>/dev/null || rm -rf "$new"  # somebody else was faster
  fi
  touch "$tree"
  printf '%s\n' "$tree"
}
