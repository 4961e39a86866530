"""The files that operators copy from deploy/: that they parse, fit together, and name only flags that there are."""

import os
import pathlib
import re
import subprocess
import unittest

import yaml

from tests.suite import xml_unittest

_RUNFILES = pathlib.Path(os.environ["TEST_SRCDIR"]) / os.environ["TEST_WORKSPACE"]
DEPLOY = _RUNFILES / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
KIBITZD = _RUNFILES / "server" / "kibitzd"
KIBITZ = _RUNFILES / "client" / "cli" / "kibitz"
HEALTH = ["/usr/bin/kibitz", "health"]
GRPC_PORT = 50051


def run(*command, **environment):
    return subprocess.run(command, env={"PATH": "/usr/bin:/bin", **environment}, capture_output=True, text=True,
                          timeout=60, check=False)


def seconds(text):
    return int(text.removesuffix("s"))


def mebibytes(text):
    return int(re.fullmatch(r"(\d+)(?:Gi|g)", text)[1]) * 1024


class Flags:
    """What the programs can be told, by their own help."""

    server_help = run(KIBITZD, "--help").stdout
    health_help = run(KIBITZ, "health", "--help").stdout
    of_server = set(re.findall(r"(?m)^ +--([a-z0-9-]+)", server_help))
    defaults = dict(re.findall(r"(?m)^ +--([a-z0-9-]+) .*=(\S+) \(Env:", server_help))
    variables = set(re.findall(r"KIBITZ_[A-Z0-9_]+", server_help + health_help))


def settings(toml, comments=False):
    """The settings of a configuration file: its names and values, also of those that are commented out."""
    mark = "#?" if comments else ""
    return dict(re.findall(rf"(?m)^\s*{mark}([a-z][a-z0-9-]*) = (.+)$", toml))


class ConfigurationTest(unittest.TestCase):
    """deploy/kibitzd.toml, which the package installs."""

    def setUp(self):
        self.text = (DEPLOY / "kibitzd.toml").read_text()

    def test_names_only_flags_that_there_are(self):
        self.assertLessEqual(settings(self.text, comments=True).keys(), Flags.of_server)

    def test_listens_where_nobody_else_can_call(self):
        self.assertEqual(settings(self.text)["listen"], f'"127.0.0.1:{GRPC_PORT}"')

    def test_the_comments_show_the_defaults(self):
        shown = settings(self.text, comments=True)
        self.assertGreater(len(shown.keys() & Flags.defaults.keys()), 5)
        for name in shown.keys() & Flags.defaults.keys():
            self.assertEqual(shown[name].strip('"'), Flags.defaults[name], name)

    def test_a_server_starts_with_all_of_it(self):
        folder = pathlib.Path(os.environ["TEST_TMPDIR"]) / "state"
        folder.mkdir()
        for command in (["tls", "init", folder / "tls"], ["keys", "add", "--file", folder / "keys.toml", "--tenant", "me"]):
            result = run(KIBITZ, *command)
            self.assertEqual(result.returncode, 0, result.stderr)
        path = folder / "kibitzd.toml"
        shown = settings(self.text, comments=True)
        text = "\n".join(f"{name} = {value}" for name, value in shown.items() if value != '""')
        path.write_text(text.replace("/var/lib/kibitz", str(folder)))
        checked = run(KIBITZD, "--config", str(path), "--check-config")
        self.assertEqual((checked.returncode, checked.stderr), (0, ""))
        # On ports that nobody else has.
        with subprocess.Popen([KIBITZD, "--config", path, "--listen", "127.0.0.1:0", "--metrics", "off"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            line = process.stdout.readline()
            process.terminate()
            self.assertRegex(line, "^listening on ", process.communicate(timeout=60)[1])


class KubernetesTest(unittest.TestCase):
    def setUp(self):
        listed = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())["resources"]
        self.assertEqual(sorted(listed), sorted(path.name for path in KUBERNETES.glob("*.yaml")
                                                if path.name != "kustomization.yaml"))
        self.objects = {}
        for name in listed:
            for document in yaml.safe_load_all((KUBERNETES / name).read_text()):
                self.objects[document["kind"]] = document
        self.spec = self.objects["Deployment"]["spec"]
        self.pod = self.spec["template"]["spec"]
        [self.container] = self.pod["containers"]
        self.configuration = settings(self.objects["ConfigMap"]["data"]["kibitzd.toml"])

    def test_all_parts_are_there(self):
        self.assertEqual(set(self.objects),
                         {"ConfigMap", "Deployment", "NetworkPolicy", "PodDisruptionBudget", "Service"})

    def test_names_only_flags_and_variables_that_there_are(self):
        self.assertLessEqual(self.configuration.keys(), Flags.of_server)
        self.assertLessEqual({variable["name"] for variable in self.container["env"]}, Flags.variables)
        flags = {word.removeprefix("--") for word in self.container["args"] if word.startswith("--")}
        self.assertLessEqual(flags, Flags.of_server)

    def test_labels_lead_everybody_to_the_pods(self):
        labels = self.spec["template"]["metadata"]["labels"]
        for selector in (self.spec["selector"]["matchLabels"], self.objects["Service"]["spec"]["selector"],
                         self.objects["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
                         self.objects["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"]):
            self.assertLessEqual(selector.items(), labels.items())

    def test_ports_have_one_name_everywhere(self):
        ports = {port["name"]: port["containerPort"] for port in self.container["ports"]}
        self.assertEqual(ports["grpc"], GRPC_PORT)
        used = [port["targetPort"] for port in self.objects["Service"]["spec"]["ports"]]
        used += [port["port"] for rule in self.objects["NetworkPolicy"]["spec"]["ingress"] for port in rule["ports"]]
        self.assertLessEqual(set(used), set(ports))

    def test_is_let_do_nothing_that_it_need_not(self):
        pod, container = self.pod["securityContext"], self.container["securityContext"]
        self.assertTrue(pod["runAsNonRoot"])
        self.assertEqual((pod["runAsUser"], pod["seccompProfile"]["type"]), (10001, "RuntimeDefault"))
        self.assertEqual(container["capabilities"]["drop"], ["ALL"])
        self.assertTrue(container["readOnlyRootFilesystem"])
        self.assertFalse(container["allowPrivilegeEscalation"])
        self.assertFalse(self.pod["automountServiceAccountToken"])

    def test_probes_ask_for_health(self):
        for probe in ("startupProbe", "readinessProbe"):
            self.assertEqual(self.container[probe]["exec"]["command"], HEALTH)

    def test_is_given_the_time_that_it_takes_to_stop(self):
        needed = sum(int(self.configuration.get(name, 0)) for name in ("drain-delay-ms", "grace-ms"))
        self.assertGreater(self.pod["terminationGracePeriodSeconds"] * 1000, needed)

    def test_is_given_the_memory_that_it_may_use(self):
        used = sum(int(self.configuration[name]) for name in ("hash-mb", "memory-mb"))
        limits = self.container["resources"]["limits"]
        self.assertGreaterEqual(mebibytes(limits["memory"]), used + 800)
        self.assertEqual(limits["memory"], self.container["resources"]["requests"]["memory"])

    def test_rolls_without_a_gap(self):
        self.assertEqual(self.spec["strategy"]["rollingUpdate"], {"maxSurge": 1, "maxUnavailable": 0})
        self.assertLess(self.objects["PodDisruptionBudget"]["spec"]["minAvailable"], self.spec["replicas"])

    def test_mounts_what_there_is(self):
        volumes = {volume["name"] for volume in self.pod["volumes"]}
        self.assertEqual({mount["name"] for mount in self.container["volumeMounts"]}, volumes)


class KubernetesFarmTest(unittest.TestCase):
    """deploy/kubernetes/farm, which makes nodes of the servers."""

    def setUp(self):
        folder = KUBERNETES / "farm"
        self.objects = {path.name: list(yaml.safe_load_all(path.read_text())) for path in folder.glob("*.yaml")}
        [kustomization] = self.objects.pop("kustomization.yaml")
        # KEDA's is taken instead of the other, by hand.
        named = set(kustomization["resources"]) - {"../"} | {patch["path"] for patch in kustomization["patches"]}
        self.assertEqual(named | {"keda.yaml"}, set(self.objects))
        self.node, self.network = self.objects["nodes.yaml"]
        [self.container] = self.node["spec"]["template"]["spec"]["containers"]

    def kinds(self, name):
        return {each["kind"]: each for each in self.objects[name]}

    def test_changes_what_is_there(self):
        deployment = yaml.safe_load((KUBERNETES / "deployment.yaml").read_text())
        network = yaml.safe_load((KUBERNETES / "network.yaml").read_text())
        for patch, base in ((self.node, deployment), (self.network, network)):
            self.assertEqual((patch["kind"], patch["metadata"]["name"]), (base["kind"], base["metadata"]["name"]))
        names = [each["name"] for each in deployment["spec"]["template"]["spec"]["containers"]]
        self.assertEqual([self.container["name"]], names)
        scaled = {self.kinds("autoscaler.yaml")["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]["name"],
                  self.kinds("keda.yaml")["ScaledObject"]["spec"]["scaleTargetRef"]["name"]}
        self.assertEqual(scaled, {deployment["metadata"]["name"]})

    def test_names_only_variables_that_there_are(self):
        variables = {variable["name"]: variable.get("value") for variable in self.container["env"]}
        self.assertLessEqual(variables.keys(), Flags.variables)
        nats = self.kinds("nats.yaml")
        self.assertLessEqual(int(variables["KIBITZ_NATS_REPLICAS"]), nats["StatefulSet"]["spec"]["replicas"])
        service, port = variables["KIBITZ_NATS"].removeprefix("tls://").split(":")
        self.assertEqual(service, nats["Service"]["metadata"]["name"])
        self.assertIn(int(port), [each["port"] for each in nats["Service"]["spec"]["ports"]])

    def test_labels_lead_to_the_servers_of_nats(self):
        nats = self.kinds("nats.yaml")
        labels = nats["StatefulSet"]["spec"]["template"]["metadata"]["labels"]
        for selector in (nats["StatefulSet"]["spec"]["selector"]["matchLabels"], nats["Service"]["spec"]["selector"],
                         nats["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
                         self.network["spec"]["egress"][0]["to"][0]["podSelector"]["matchLabels"]):
            self.assertLessEqual(selector.items(), labels.items())

    def test_scales_by_a_metric_that_there_is(self):
        [metric] = self.kinds("autoscaler.yaml")["HorizontalPodAutoscaler"]["spec"]["metrics"]
        self.assertEqual(metric["external"]["metric"]["name"], "kibitz_job_oldest_part_seconds")
        [trigger] = self.kinds("keda.yaml")["ScaledObject"]["spec"]["triggers"]
        default = Flags.defaults["nats-prefix"]
        self.assertIn(f'name=="{default}_work"', trigger["metadata"]["valueLocation"])


class ComposeTest(unittest.TestCase):
    def setUp(self):
        [self.service] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"].values()

    def test_names_only_variables_that_there_are(self):
        self.assertLessEqual(self.service["environment"].keys(), Flags.variables)

    def test_is_let_do_nothing_that_it_need_not(self):
        self.assertTrue(self.service["read_only"])
        self.assertEqual((self.service["user"], self.service["cap_drop"]), ("10001:10001", ["ALL"]))
        self.assertEqual(self.service["security_opt"], ["no-new-privileges:true"])

    def test_asks_for_health(self):
        self.assertEqual(self.service["healthcheck"]["test"], ["CMD", *HEALTH])

    def test_is_given_the_time_and_the_memory_that_it_may_use(self):
        environment = self.service["environment"]
        self.assertGreater(seconds(self.service["stop_grace_period"]) * 1000, int(environment["KIBITZ_GRACE_MS"]))
        used = int(environment["KIBITZ_HASH_MB"]) + int(environment["KIBITZ_MEMORY_MB"])
        self.assertGreaterEqual(mebibytes(self.service["mem_limit"]), used + 800)

    def test_is_the_image_of_this_version(self):
        version = re.search(r"Kibitz (\S+)", run(KIBITZD, "--version").stdout)[1]
        deployment = yaml.safe_load((KUBERNETES / "deployment.yaml").read_text())
        images = [self.service["image"], deployment["spec"]["template"]["spec"]["containers"][0]["image"]]
        self.assertEqual(images, [f"kibitz:{version}"] * 2)


if __name__ == "__main__":
    xml_unittest.main()
