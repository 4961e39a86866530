"""`kibitz keys`: the file that it writes, and what it shows."""

import json
import pathlib
import re
import subprocess
import tempfile

from tests.client.cli import program
from tests.suite import xml_unittest

KEY = r"kbz_[a-z2-7]{8}_[a-z2-7]{52}"


class KeysCommandTest(program.ProgramTest):

    def setUp(self):
        super().setUp()
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.file = self.folder / "keys.toml"

    def keys(self, action, *arguments, **changes):
        return self.kibitz("keys", action, "--file", str(self.file), *arguments, **changes)

    def add(self, *arguments):
        result = self.keys("add", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.strip()

    def listed(self):
        result = self.keys("list", "--json")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return [json.loads(line) for line in result.stdout.splitlines()]

    def test_a_key_is_shown_once_and_kept_as_a_hash(self):
        key = self.add("--tenant", "site")
        self.assertRegex(key, f"^{KEY}$")
        text = self.file.read_text()
        self.assertNotIn(key[13:], text)
        self.assertRegex(text, r'hash = "sha256:[0-9a-f]{64}"')
        self.assertEqual(self.file.stat().st_mode & 0o777, 0o600)
        self.assertNotIn(key[13:], self.keys("list").stdout)

    def test_lists_what_each_may_have(self):
        self.add("--tenant", "site", "--max-live", "100", "--nodes-per-minute", "600000000", "--days", "30")
        self.add("--tenant", "operators", "--role", "admin")
        site, operators = self.listed()
        self.assertEqual((site["tenant"], site["role"]), ("site", "analyse"))
        self.assertEqual(site["quota"], {"max-live": 100, "nodes-per-minute": 600_000_000})
        self.assertIn("expires", site)
        self.assertEqual((operators["tenant"], operators["role"]), ("operators", "admin"))
        self.assertNotIn("quota", operators)
        table = self.keys("list").stdout
        self.assertRegex(table, rf"{site['id']} +site +analyse .* max-live 100, nodes-per-minute 600000000\n")
        self.assertRegex(table, rf"{operators['id']} +operators +admin .* never")

    def test_a_revoked_key_is_gone_and_all_else_stays(self):
        self.add("--tenant", "site", "--max-depth", "20")
        self.file.write_text(self.file.read_text() + "\n# A remark.\n")
        self.add("--tenant", "site")
        first, second = self.listed()
        self.assertIn(f"The key {first['id']} is revoked", self.keys("revoke", first["id"]).stdout)
        self.assertEqual(self.listed(), [second])
        self.assertIn("# A remark.", self.file.read_text())
        self.assert_fails(self.keys("revoke", first["id"]), 1, f"there is no key {first['id']}", "kibitz keys list")

    def test_writes_the_key_to_a_file(self):
        path = self.folder / "site.key"
        self.assertNotRegex(self.add("--tenant", "site", "--key-file", str(path)), KEY)
        self.assertRegex(path.read_text(), f"^{KEY}\n$")
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        before = self.file.read_text()
        self.assert_fails(self.keys("add", "--tenant", "site", "--key-file", str(path)), 1, "File exists")
        self.assertEqual(self.file.read_text(), before)

    def test_answers_in_json(self):
        answer = json.loads(self.add("--tenant", "site", "--json"))
        self.assertRegex(answer.pop("key"), KEY)
        self.assertEqual(answer, {"id": self.listed()[0]["id"], "tenant": "site", "role": "analyse"})

    def test_quotas_of_a_tenant_are_set_once(self):
        self.add("--tenant", "site", "--max-live", "1")
        self.assert_fails(self.keys("add", "--tenant", "site", "--max-live", "2"), 1, "has its quotas already")
        self.assertEqual(len(self.listed()), 1)

    def test_tells_what_is_wrong_with_a_file(self):
        self.file.write_text('[tenant.site]\nmax-life = 1\n[[key]]\nid = "x"\n')
        for action, *arguments in (["list"], ["add", "--tenant", "site"], ["revoke", "abcdefg2"]):
            result = self.keys(action, *arguments)
            self.assertEqual(result.returncode, 1)
            self.assertIn("line 2: tenant.site.max-life: is not known", result.stderr)
            self.assertIn("line 4: key.id: is not the ID of a key", result.stderr)

    def test_wrong_usage(self):
        self.assert_fails(self.keys("add"), 2, "--tenant")
        self.assert_fails(self.keys("add", "--tenant", "a b"), 2, "'a b' is not 1 to 64 letters")
        self.assert_fails(self.keys("add", "--tenant", "a", "--role", "root"), 2, "--role")
        self.assert_fails(self.keys("add", "--tenant", "a", "--max-live", "0"), 2, "--max-live")
        self.assert_fails(self.kibitz("keys", "list"), 2, "--file")
        self.assert_fails(self.keys("list"), 1, "cannot be read: No such file")
        self.assertFalse(self.file.exists())

    def test_the_variable_of_the_server_names_the_file(self):
        self.add("--tenant", "site")
        result = self.kibitz("keys", "list", KIBITZ_KEYS=str(self.file))
        self.assertIn("site", result.stdout)

    def test_two_at_once_lose_nothing(self):
        adding = [subprocess.Popen([program.KIBITZ, "keys", "add", "--file", str(self.file), "--tenant", f"t{number}"],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=program.environment())
                  for number in range(8)]
        for process in adding:
            self.assertRegex(process.communicate(timeout=program.PATIENCE)[0].decode(), re.compile(KEY))
        self.assertEqual(len(self.listed()), 8)


if __name__ == "__main__":
    xml_unittest.main()
