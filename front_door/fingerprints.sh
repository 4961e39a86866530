# shellcheck shell=bash disable=SC2154
# What a program is built from, in one word.

# Sets `sources` to the arguments by which find gives all files that a target can be built from. The page for browsers
# is no part of any target.
find_sources() {
  sources=(WORKSPACE BUILD .bazelrc .bazelignore third_party proto engine server client)
  [[ $1 != //tests/* ]] || sources+=(tests)
  sources+=('(' -name node_modules -o -path client/web ')' -prune -o -type f)
}

# The names and features of the processor's cores, each once.
processor() { grep -E '^(model name|flags|CPU part|Features)' /proc/cpuinfo | LC_ALL=C sort -u; }

# Prints an identity of all that the build depends on besides this tree: the processor, because the build is tuned for
# it, and the versions of the compiler and the libraries, because Bazel does not look at files outside the tree.
machine_id() {
  {
    uname -m
    processor
    installed_packages "${build_packages[@]}"
  } | short_hash
}

# Prints the fingerprint of all that a target can be built from. It is made of contents and names, so that it is right
# after checkouts, deletions and clock changes.
fingerprint() {
  local sources
  find_sources "$1"
  {
    machine_id
    cd "$root" || exit
    # A path may be absent, and an editor's temporary file may vanish while we look: both just make another print.
    { find "${sources[@]}" -print0 | LC_ALL=C sort -z | xargs -0 sha256sum; } 2>/dev/null || true
  } | short_hash
}
