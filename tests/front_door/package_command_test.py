"""`./kibitz package` and `./kibitz image`: what they say to those who ask or err. What they make is tried elsewhere."""

from tests.front_door import front_door
from tests.suite import xml_unittest


class PackageCommandTest(front_door.FrontDoorTest):
    def test_explain_themselves_without_their_packages(self):
        self.set_packages(missing="buildah clang-19 debhelper")
        for command in ("package", "image"):
            result = self.door(command, "--help")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn(f"usage: ./kibitz {command} [--output ", result.stdout)

    def test_unknown_arguments_are_usage_errors(self):
        for command in ("package", "image"):
            result = self.door(command, "--outptu", "x")
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn("unknown argument '--outptu'; there is --output", result.stderr)
        self.assertEqual(self.bazel_calls(), [])

    def test_an_image_wants_root(self):
        self.stub("id", "#!/bin/bash\necho 1000\n")
        result = self.door("image")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("run this as root", result.stderr)
        self.assertEqual(self.bazel_calls(), [])

    def test_packages_of_their_own_are_named_when_missing(self):
        self.stub("id", "#!/bin/bash\necho 1000\n")
        self.stub("apt-get", "#!/bin/bash\n")
        self.set_packages(missing="debhelper mmdebstrap")
        self.assertIn("debhelper", self.door("package").stderr)
        self.assertIn("debhelper mmdebstrap", self.door("image").stderr)
        self.assertEqual(self.bazel_calls(), [])


if __name__ == "__main__":
    xml_unittest.main()
