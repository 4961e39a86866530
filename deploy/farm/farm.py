"""A farm on one machine: NATS servers, nodes, HAProxy and Prometheus, all of Debian's packages but the nodes.

Everything is in one folder: what runs, what it says, and what it keeps. Who has the folder can see to the farm.
"""

import contextlib
import dataclasses
import json
import os
import pathlib
import shutil
import signal

from deploy.farm import processes

_DEPLOY = pathlib.Path(__file__).absolute().parents[1]
_ONLY_ROOT = ("chroot ", "user ", "group ")
_HOST = "127.0.0.1"
_START_PATIENCE = 30  # seconds
_STOP_PATIENCE = 20
MAX_NODES = 9  # as many as the front's configuration knows


class FarmError(Exception):
    """What went wrong, in words."""


@dataclasses.dataclass
class Plan:
    """What a farm is to be."""

    kibitzd: str
    nodes: int = 3
    nats: int = 1
    workers: int = 0  # of each node; 0: the cores divided among them
    hash_mb: int = 64
    listen: str = ""  # of the front; empty: on a free port
    prometheus: bool = True
    flags: tuple = ()  # more of them for each node


class Farm:
    """The farm of a folder, running or not."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self._file = self.folder / "farm.json"
        self.state = json.loads(self._file.read_text(encoding="utf-8")) if self._file.exists() else None

    @property
    def processes(self):
        return self.state["processes"] if self.state else []

    def process(self, name):
        return next(each for each in self.processes if each["name"] == name)

    def address(self, name):
        return self.process(name)["address"]

    def named(self, kind):
        """The names of all of a kind, such as "node"."""
        return [each["name"] for each in self.processes if each["kind"] == kind]

    @property
    def nats_url(self):
        return ",".join("nats://" + self.address(name) for name in self.named("nats"))

    def up(self, plan):
        """Starts all of it, and waits until it listens; nothing is left behind where that fails."""
        if any(processes.is_alive(each) for each in self.processes):
            raise FarmError(f"a farm is up in {self.folder}; ./kibitz farm down ends it")
        if not 1 <= plan.nodes <= MAX_NODES:
            raise FarmError(f"--nodes must be from 1 to {MAX_NODES}")
        if plan.nats not in (1, 3, 5):
            raise FarmError("--nats must be 1, 3 or 5: two servers are no safer than one")
        if plan.listen and processes.listens(plan.listen):
            raise FarmError(f"{plan.listen} is taken: choose another by --listen HOST:PORT")
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.state = {"plan": dataclasses.asdict(plan), "processes": []}
        try:
            self._start_all(plan)
        except BaseException:
            self.down()
            raise

    def _start_all(self, plan):
        ports = processes.free_ports(3 * plan.nats + 2 * plan.nodes + 2)
        take = lambda count: [ports.pop() for _ in range(count)]  # noqa: E731
        clients, routes, monitors = take(plan.nats), take(plan.nats), take(plan.nats)
        for place in range(plan.nats):
            self._start_nats(place, clients[place], monitors[place], routes)
        self._await_all()
        listens, metrics = take(plan.nodes), take(plan.nodes)
        for place in range(plan.nodes):
            self._start_node(plan, place, f"{_HOST}:{listens[place]}", f"{_HOST}:{metrics[place]}")
        front, prometheus = take(2)
        self._start_front(plan.listen or f"{_HOST}:{front}")
        if plan.prometheus:
            self._start_prometheus(f"{_HOST}:{prometheus}")
        self._await_all()

    def _start(self, kind, name, command, address, role, **more):
        environment = more.pop("environment", {})
        record = processes.start(name, [str(word) for word in command], self.folder / f"{name}.log", **environment)
        record |= {"kind": kind, "address": address, "role": role, "command": [str(word) for word in command],
                   "environment": environment, **more}
        others = [each for each in self.processes if each["name"] != name]
        order = [each["name"] for each in self.processes]
        others.insert(order.index(name) if name in order else len(others), record)
        self.state["processes"] = others
        self._save()

    def _save(self):
        new = self._file.with_suffix(".new")
        new.write_text(json.dumps(self.state, indent=1), encoding="utf-8")
        new.replace(self._file)

    def _await_all(self):
        for each in self.processes:
            self._await(each)

    def _await(self, record):
        if not processes.await_listening(record, record["address"], _START_PATIENCE):
            log = pathlib.Path(record["log"]).read_text(encoding="utf-8", errors="replace").strip().splitlines()
            raise FarmError(f"{record['name']} does not start: {log[-1] if log else 'without a word'}")

    def _start_nats(self, place, port, monitor, routes):
        name = f"nats-{place + 1}"
        command = ["/usr/sbin/nats-server", "-a", _HOST, "-p", port, "-m", monitor, "-n", name, "-js", "-sd",
                   self.folder / name]
        if len(routes) > 1:
            others = ",".join(f"nats://{_HOST}:{route}" for route in routes if route != routes[place])
            command += ["--cluster_name", "kibitz", "-cluster", f"nats://{_HOST}:{routes[place]}", "-routes", others]
        self._start("nats", name, command, f"{_HOST}:{port}", "jobs, in JetStream", monitor=f"{_HOST}:{monitor}")

    def _start_node(self, plan, place, listen, metrics):
        name = f"node-{place + 1}"
        workers = plan.workers or max(1, (os.cpu_count() or 1) // plan.nodes)
        command = [plan.kibitzd, "--listen", listen, "--metrics", metrics, "--node", name, "--nats", self.nats_url,
                   "--nats-replicas", min(plan.nats, 3), "--store", "nats", "--workers", workers, "--hash-mb",
                   plan.hash_mb, *plan.flags]
        self._start("node", name, command, listen, "accepts calls and jobs, and does them", metrics=metrics)

    def _start_front(self, listen):
        file = self.folder / "haproxy.cfg"
        lines = (_DEPLOY / "haproxy" / "haproxy.cfg").read_text(encoding="utf-8").splitlines()
        if os.geteuid() != 0:  # only root can become somebody else
            lines = [line for line in lines if not line.strip().startswith(_ONLY_ROOT)]
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        variables = {f"KIBITZ_SERVER_{place}": self.address(name) for place, name in enumerate(self.named("node"), 1)}
        variables |= {"KIBITZ_FRONT_LISTEN": listen, "KIBITZ_FRONT_NAME": f"kibitz-{listen}"}
        self._start("front", "front", ["/usr/sbin/haproxy", "-db", "-f", file], listen,
                    "where clients come in: by position to the node that knows it", environment=variables)

    def _start_prometheus(self, listen):
        targets = json.dumps([self.process(name)["metrics"] for name in self.named("node")])
        shutil.copy(_DEPLOY / "prometheus" / "kibitz.rules.yml", self.folder)
        file = self.folder / "prometheus.yml"
        file.write_text("global: {scrape_interval: 5s, evaluation_interval: 5s}\nrule_files: [kibitz.rules.yml]\n"
                        f"scrape_configs: [{{job_name: kibitz, static_configs: [{{targets: {targets}}}]}}]\n",
                        encoding="utf-8")
        self._start("prometheus", "prometheus",
                    ["/usr/bin/prometheus", f"--config.file={file}",
                     f"--storage.tsdb.path={self.folder / 'prometheus'}", f"--web.listen-address={listen}"], listen, "metrics of all nodes, and alerts")

    # For those who test what a farm survives.

    def kill(self, name, number=signal.SIGKILL):
        processes.send(self.process(name), number)
        if number == signal.SIGKILL:
            processes.await_end(self.process(name), _STOP_PATIENCE)

    def restart(self, name):
        """The same once more, where it was, with what it kept."""
        old = self.process(name)
        known = ("pid", "started", "log", "kind", "name", "command", "address", "role")
        more = {key: value for key, value in old.items() if key not in known}
        self._start(old["kind"], name, old["command"], old["address"], old["role"], **more)
        self._await(self.process(name))

    def is_alive(self, name):
        return processes.is_alive(self.process(name))

    def down(self, keep=False):
        """Ends all of it: first those who take calls, last those who keep jobs. Nothing is left but what is kept."""
        order = ("front", "node", "prometheus", "nats")
        for kind in order:
            processes.stop([each for each in self.processes if each["kind"] == kind], _STOP_PATIENCE)
        self.state = None
        with contextlib.suppress(FileNotFoundError):
            self._file.unlink()
        if not keep:
            shutil.rmtree(self.folder, ignore_errors=True)
