"""`./kibitz release`: what must be in place, and what it writes."""

from tests.front_door import front_door
from tests.suite import xml_unittest

# "Installs" a buf that writes down how it was called, finds breaks where $WORLD/breaks is, and builds one line.
NPM = r"""#!/bin/bash
PATH=/usr/bin:/bin
mkdir -p "$4/node_modules/.bin"
cat >"$4/node_modules/.bin/buf" <<'END'
#!/bin/bash
PATH=/usr/bin:/bin
echo "${*//$WORLD\/}" >>"$WORLD/buf.log"
if [[ $1 == breaking && -e $WORLD/breaks ]]; then echo "field 3 is gone" >&2 && exit 100; fi
if [[ $1 == build ]]; then echo contract >"${@: -1}"; fi
END
chmod +x "$4/node_modules/.bin/buf"
"""


class ReleaseCommandTest(front_door.FrontDoorTest):
    def setUp(self):
        super().setUp()
        (self.tree / "proto" / "released").mkdir(parents=True)
        self.released = self.tree / "proto" / "released" / "v1.binpb"
        self.released.write_text("before")
        self.write("tree/engine/engine.cc", 'return "Kibitz 1.2.3";')
        self.write("tree/CHANGELOG.md", "# Changes\n\n## 1.2.3, 2026-11-18\n")
        self.stub("npm", NPM)

    def assert_refuses(self, words):
        result = self.door("release")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn(words, result.stderr)
        self.assertEqual(self.released.read_text(), "before")

    def test_renews_the_contract_and_says_what_is_left(self):
        result = self.door("release")
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        self.assertEqual(self.released.read_text(), "contract\n")
        self.assertIn("git tag v1.2.3", result.stderr)
        self.assertEqual((self.world / "buf.log").read_text().splitlines(), [
            "breaking tree/proto --against tree/proto/released/v1.binpb",
            "build tree/proto --exclude-source-info -o tree/proto/released/v1.binpb",
        ])

    def test_refuses_a_contract_that_breaks_with_the_last(self):
        self.write("breaks", "")
        self.assert_refuses("field 3 is gone")

    def test_wants_the_version_in_the_changelog_with_its_day(self):
        self.write("tree/CHANGELOG.md", "# Changes\n\n## 1.2.3, not yet released\n")
        self.assert_refuses("'## 1.2.3, DATE'")

    def test_takes_no_arguments(self):
        self.assertEqual(self.door("release", "now").returncode, 1)
        self.assertIn("usage:", self.door("release", "--help").stdout)


if __name__ == "__main__":
    xml_unittest.main()
