# shellcheck shell=bash disable=SC2154
# `package`: the programs as a Debian package, the same bytes for the same commit.

# Prints when the sources were last changed, in seconds: what a package says instead of the time of its making.
source_time() {
  local time=${SOURCE_DATE_EPOCH:-}
  [[ -n $time ]] || time=$(git -C "$root" log -1 --format=%ct 2>/dev/null) ||
    die "this is no git clone: set SOURCE_DATE_EPOCH to the time of these sources, in seconds"
  printf '%s\n' "$time"
}

# Prints the version of a package: that of a release, 1.2.3, or which commit after it, 1.2.3+20261118.0123abc.
package_version() {
  local version commit
  version=$(source_version)
  if commit=$(git -C "$root" rev-parse --short=7 HEAD 2>/dev/null) &&
    [[ $(git -C "$root" tag --points-at HEAD 2>/dev/null) != *"v$version"* ]]; then
    version+="+$(date -u -d "@$(source_time)" +%Y%m%d).$commit"
  fi
  printf '%s\n' "$version"
}

# Builds both programs in every variant, and their launcher, into a folder.
build_variants() {
  local folder=$1 variant
  for variant in $(package_variants); do
    say "building the variant $variant"
    bazel_quietly build "--config=$variant" --symlink_prefix="$folder/bazel-" //client/cli:kibitz //server:kibitzd ||
      die "the variant $variant was not built"
    install -D -t "$folder/variants/$variant" "$folder"/bazel-bin/{client/cli/kibitz,server/kibitzd}
  done
  bazel_quietly build --symlink_prefix="$folder/bazel-" //deploy/launcher || die "the launcher was not built"
  install -D "$folder/bazel-bin/deploy/launcher/launcher" "$folder/launcher/kibitz"
  install "$folder/launcher/kibitz" "$folder/launcher/kibitzd"
  rm "$folder"/bazel-*
}

# Lays out in a folder what deploy/debian puts together.
lay_out_package() {
  local folder=$1 programs
  build_variants "$folder"
  programs=$folder/variants/x86-64-v2
  mkdir "$folder"/{completion,docs,examples,man}
  "$programs/kibitz" completion bash >"$folder/completion/kibitz"
  "$programs/kibitzd" --completion >"$folder/completion/kibitzd"
  "$programs/kibitz" man >"$folder/man/kibitz.1"
  "$programs/kibitzd" --man >"$folder/man/kibitzd.8"
  cp "$root"/{README,CHANGELOG,docs/command-line,docs/farms,docs/operators,docs/sites}.md "$folder/docs"
  cp "$root/deploy/kibitzd.toml" "$folder"
  cp -r "$root"/deploy/{compose.yaml,grafana,haproxy,kubernetes,prometheus} "$folder/examples"
  rm -f "$folder"/examples/*/BUILD
  cp -r "$root/deploy/debian" "$folder/debian"
  cp "$root/deploy/systemd/kibitzd.service" "$folder/debian/kibitz.kibitzd.service"
  cp "$root/deploy/systemd/kibitz.sysusers" "$root/deploy/systemd/kibitz.tmpfiles" "$folder/debian"
  cat >"$folder/debian/changelog" <<END
kibitz ($(package_version)) unstable; urgency=medium

  * See CHANGELOG.md.

 -- $(grep -oP '^Maintainer: \K.*' "$folder/debian/control")  $(date -u -R -d "@$(source_time)")
END
}

# Makes the package in a folder and prints its path.
make_package() {
  local output=$1 folder log
  require_packages "${build_packages[@]}" "${package_packages[@]}"
  folder=$(mktemp -d)
  mkdir -p "$output" "$folder/kibitz"
  lay_out_package "$folder/kibitz"
  say "putting the package together"
  log=$folder/log
  if ! (cd "$folder/kibitz" && SOURCE_DATE_EPOCH=$(source_time) DEB_BUILD_OPTIONS=nocheck \
    dpkg-buildpackage --build=binary --unsigned-source --unsigned-changes >"$log" 2>&1); then
    cat "$log" >&2
    die "the package was not made; it was tried in $folder"
  fi
  cp "$folder"/kibitz_*.deb "$output"
  printf '%s\n' "$output/$(basename "$folder"/kibitz_*.deb)"
  rm -r "$folder"
}

# Sets `output` to what --output says. Arguments: its default, then those of the command.
read_output() {
  output=$1
  shift
  while [[ $# -gt 0 ]]; do
    case $1 in
      --output=*) output=${1#*=} ;;
      --output)
        [[ $# -gt 1 ]] || die "--output needs a path"
        output=$2
        shift
        ;;
      *)
        say "unknown argument '$1'; there is --output"
        exit 2
        ;;
    esac
    shift
  done
}

run_package() {
  local output
  if ask_for_help "$@"; then
    cat <<'END'
usage: ./kibitz package [--output FOLDER]

Makes a Debian package of kibitzd and kibitz for every x86-64 since 2009, with manuals, completion, a configuration
file and a hardened systemd unit, in FOLDER (here, unless told otherwise), and prints its path. The same commit gives
the same bytes. To install it, which also starts the server on 127.0.0.1:50051:

  apt-get install ./kibitz_*.deb
END
    return
  fi
  read_output . "$@"
  make_package "$output"
}
