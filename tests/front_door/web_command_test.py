"""How the front door starts the page for browsers, and what it builds for it."""

from tests.front_door import front_door
from tests.suite import xml_unittest


class WebCommandTest(front_door.FrontDoorTest):
    def setUp(self):
        super().setUp()
        self.set_up_web()

    def npm_calls(self):
        log = self.world / "npm.log"
        calls = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return calls

    def web(self, *arguments, **environment):
        result = self.door("web", *arguments, **environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_starts_the_gateway_with_a_server_to_start(self):
        output = self.web("--listen", "127.0.0.1:0")
        self.assertRegex(output, r"^node HOME/.*/gateway.js --page HOME/.*/page --kibitzd HOME/.*/kibitzd --listen 127")
        self.assertTrue(self.bazel_calls()[-1].endswith("//server:kibitzd"))

    def test_builds_no_server_where_one_is_named(self):
        self.assertNotIn("--kibitzd", self.web("--server", "127.0.0.1:1"))
        self.assertNotIn("--kibitzd", self.web(KIBITZ_SERVER="127.0.0.1:1"))
        self.assertEqual(self.bazel_calls(), [])

    def test_builds_the_page_only_when_its_sources_changed(self):
        self.web("--help")
        self.assertEqual(self.npm_calls(), ["npm install", "npm run", "vite", "vite"])
        self.web("--help")
        self.assertEqual(self.npm_calls(), [])
        self.write("tree/client/web/index.html", "changed")
        self.web("--help")
        self.assertEqual(self.npm_calls(), ["npm run", "vite", "vite"])
        self.write("tree/client/web/package-lock.json", "{ }")
        self.web("--help")
        self.assertEqual(self.npm_calls(), ["npm install", "npm run", "vite", "vite"])

    def test_fetches_a_node_where_the_machine_s_is_too_old(self):
        self.write("node_version", "v18.20.4\n")
        self.web("--help")
        self.assertEqual(self.npm_calls()[0], "npm install")
        self.assertTrue((self.home / ".cache" / "kibitz" / "node-22.23.3").is_dir())

    def test_a_page_that_cannot_be_built_is_not_started(self):
        self.stub("npm", "#!/bin/bash\nexit 1\n")
        result = self.door("web", "--help")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("npm could not install the page's packages", result.stderr)


if __name__ == "__main__":
    xml_unittest.main()
