# shellcheck shell=bash disable=SC2154
# What a program is built from, in one word.

readonly package_database=${DPKG_ADMINDIR:-/var/lib/dpkg}/status

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
# after checkouts, deletions and clock changes. What was read once is not read again while it looks the same.
fingerprint() {
  local glances look settled=false print
  glances=$(cache_folder)/glances
  look=$(glance "$1")
  if [[ -s $glances/$look ]]; then
    printf '%s\n' "$(<"$glances/$look")"
    return
  fi
  if is_settled "$1"; then settled=true; fi
  print=$(read_sources "$1")
  printf '%s\n' "$print"
  if $settled && [[ $(glance "$1") == "$look" ]]; then
    mkdir -p "$glances"
    printf '%s\n' "$print" >"$glances/$look.$$"
    mv "$glances/$look.$$" "$glances/$look"
  fi
}

# Prints the fingerprint, made anew.
read_sources() {
  local sources
  find_sources "$1"
  {
    machine_id
    cd "$root" || exit
    # A path may be absent, and an editor's temporary file may vanish while we look: both just make another print.
    { find "${sources[@]}" -print0 | LC_ALL=C sort -z | xargs -0 sha256sum; } 2>/dev/null || true
  } | short_hash
}

# Prints an identity of how sources, processor and installed packages look from outside. No edit escapes it: the kernel
# sets a file's time of change at each, and nobody can set it back.
glance() {
  local sources
  find_sources "$1"
  {
    printf '%s\n' "$root"
    processor
    cd "$root" || exit
    find "$package_database" "${sources[@]}" -printf '%p %i %s %T@ %C@\n' 2>/dev/null || true
  } | short_hash
}

# Tells whether all changes are so long ago that another one, from now on, would have another time: of two edits within
# one tick of the file system's clock only the first is seen. A time to come, after the clock was set back, is no past.
is_settled() (
  local sources
  find_sources "$1"
  cd "$root" && [[ -e $package_database ]] &&
    [[ -z $(find "$package_database" "${sources[@]}" -newerct '2 seconds ago' -print -quit 2>/dev/null) ]]
)
