# shellcheck shell=bash disable=SC2034
# Debian's packages: which are needed, which are missing, and installing them.

# Debian's packages. The build's decide what is compiled, so their versions are part of every fingerprint. Headers that
# only tests include are among them: Bazel keeps a list of the headers that there were at its first run.
readonly build_packages=(
  bazel-bootstrap bazel-rules-java bazel-rules-proto clang-19 libclang-rt-19-dev
  golang-github-gogo-googleapis-dev grpc-proto libgrpc++-dev libprotobuf-dev protobuf-compiler protobuf-compiler-grpc
  libabsl-dev libbenchmark-dev libcli11-dev libcpp-httplib-dev libcurl4-openssl-dev libfathom-dev libfmt-dev
  libgmock-dev libgtest-dev libnats-dev libncurses-dev libspdlog-dev libsqlite3-dev libssl-dev libtomlplusplus-dev nlohmann-json3-dev
  prometheus-cpp-dev
)
# What programs use when they run, if it is there: the names of openings.
readonly run_packages=(pgn-extract)
readonly test_packages=(
  clang-format-19 fairymax gnuchess-book haproxy lld-19 nats-server openssl prometheus python3 python3-grpcio python3-hpack
  python3-protobuf python3-yaml shellcheck stockfish systemd
)
# What puts together a package, an image, and tries them.
readonly package_packages=(debhelper dpkg-dev)
readonly image_packages=(buildah mmdebstrap python3)
readonly package_test_packages=(bubblewrap lintian man-db skopeo strace)
# Whom `ladder` plays, and its book.
readonly ladder_packages=(ethereal-chess fairymax glaurung gnuchess gnuchess-book stockfish toga2)

# Prints a line "installed NAME VERSION" for each of the packages that is installed.
installed_packages() {
  # shellcheck disable=SC2016  # dpkg-query fills in the fields
  dpkg-query -W -f '${db:Status-Status} ${Package} ${Version}\n' "$@" 2>/dev/null | grep '^installed ' || true
}

# Installs those of the packages that are missing, or says what to type.
require_packages() {
  local installed package missing=()
  installed=$'\n'$(installed_packages "$@")
  for package in "$@"; do
    [[ $installed == *$'\n'"installed $package "* ]] || missing+=("$package")
  done
  [[ ${#missing[@]} -eq 0 ]] || install_packages "${missing[@]}"
}

install_packages() {
  local as_root=() output
  command -v apt-get >/dev/null || die "these Debian packages are missing, and there is no apt-get: $*"
  if [[ $(id -u) -ne 0 ]]; then
    say "these Debian packages are missing, and installing them needs root: $*"
    as_root=(sudo)
    if ! command -v sudo >/dev/null || ! sudo_allowed; then
      say "run this as root, then try again:"
      say "  apt-get update && apt-get install --no-install-recommends $*"
      exit 1
    fi
  fi
  say "installing Debian packages: $*"
  # An update may fail for a source that we do not need: installing tells.
  if ! output=$({
    "${as_root[@]}" apt-get update -qq || true
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
      -o DPkg::Lock::Timeout=300 "$@"
  } </dev/null 2>&1); then
    printf '%s\n' "$output" >&2
    die "could not install: $*"
  fi
}

# Asks for a password only where somebody can type one.
sudo_allowed() {
  if [[ -t 0 && -t 2 ]]; then sudo -v; else sudo -n true 2>/dev/null; fi
}
