"""`./kibitz farm simulate`: how a farm of any size would do, by what its parts cost here.

Games come at random and are cut into parts; each core of each node does one part at a time, in the order of the queue.
Every part costs the one JetStream its messages, in the order they come; a node that dies takes its parts with it, which
are found again when JetStream has not heard of them for long enough; some nodes are slow. What is not simulated:
tenants and priorities, which change whose turn it is but not how much is done; the network, but for its delay.

The costs are those of docs/farms.md unless said otherwise.
"""

import dataclasses
import heapq
import random

_ACK_WAIT = 2.5  # seconds until JetStream gives out the parts of a node that has died
_DAY = 86_400


@dataclasses.dataclass
class Costs:
    """What was measured, and what is assumed."""

    games_a_day: float = 0  # 0: as many as keep the nodes at `load`
    load: float = 0.85
    plies: int = 80
    seconds_a_ply: float = 1.0  # of one core
    part_s: float = 1.0  # what a part takes, about
    cores: int = 16
    parts_a_second: float = 1000  # that one JetStream cluster takes
    messages_a_part: float = 7
    deaths_a_day: float = 1.0  # of each node
    down_s: float = 120  # until it is back
    slow_share: float = 0.02  # nodes that take so much longer
    slow_factor: float = 3.0
    delay_s: float = 0.002  # of the network and of taking a part
    minutes: float = 10


@dataclasses.dataclass
class Outcome:
    games_a_day: float  # that came
    done_share: float  # of the work that came, what was done
    efficiency: float  # what was done of what its cores could do, to what came of it
    p50_wait: float
    p99_wait: float
    messages_a_second: float
    redone_parts: int


class Simulation:
    """One farm for some minutes of its time."""

    def __init__(self, nodes, costs, seed=1):
        self._nodes, self._costs = nodes, costs
        self._chance = random.Random(seed)
        self._speed = [1 / costs.slow_factor if self._chance.random() < costs.slow_share else 1.0 for _ in range(nodes)]
        self._alive = [True] * nodes
        self._life = [0] * nodes  # a part knows by it whether its node has died meanwhile
        self._idle = [(node, core) for node in range(nodes) for core in range(costs.cores)]
        self._chance.shuffle(self._idle)
        self._events = []  # (time, number, what, ...)
        self._number = 0
        self._waiting = []  # (when it came, number): the oldest first
        self._stream_free = 0.0  # when JetStream has time again
        self.waits, self.done, self.came, self.redone, self.parts = [], 0.0, 0.0, 0, 0

    def _at(self, time, what, *words):
        self._number += 1
        heapq.heappush(self._events, (time, self._number, what, words))

    def _ask_stream(self, now):
        """When JetStream has seen to one part."""
        self._stream_free = max(self._stream_free, now) + 1 / self._costs.parts_a_second
        return self._stream_free

    def run(self):
        costs = self._costs
        capacity = sum(self._speed) * costs.cores  # seconds of work a second
        game = costs.plies * costs.seconds_a_ply
        rate = costs.games_a_day / _DAY or costs.load * capacity / game
        self._at(self._chance.expovariate(rate), "game", rate)
        for node in range(self._nodes):
            self._at(self._chance.expovariate(costs.deaths_a_day / _DAY) if costs.deaths_a_day else 1e18, "death", node)
        end = costs.minutes * 60
        warm = end / 4  # until then it only fills
        while self._events and self._events[0][0] < end:
            now, _, what, words = heapq.heappop(self._events)
            getattr(self, "_on_" + what)(now, now >= warm, *words)
            self._give_out(now, now >= warm)
        waits = sorted(self.waits) or [0.0]
        seconds = end - warm
        return Outcome(games_a_day=rate * _DAY, done_share=self.done / self.came if self.came else 1.0,
                       efficiency=self.done / seconds / min(rate * game, capacity),
                       p50_wait=waits[len(waits) // 2], p99_wait=waits[int(len(waits) * 0.99)],
                       messages_a_second=self.parts * costs.messages_a_part / seconds, redone_parts=self.redone)

    def _on_game(self, now, counts, rate):
        costs = self._costs
        work = costs.plies * costs.seconds_a_ply
        if counts:
            self.came += work
        for _ in range(max(1, round(work / costs.part_s))):
            self._at(self._ask_stream(now), "part", now)
        self._at(now + self._chance.expovariate(rate), "game", rate)

    def _on_part(self, now, counts, came):
        del now, counts
        self._number += 1
        heapq.heappush(self._waiting, (came, self._number))

    def _give_out(self, now, counts):
        costs = self._costs
        while self._waiting and self._idle:
            node, core = self._idle.pop()
            if not self._alive[node]:
                continue  # it is back in the list when the node is
            came, _ = heapq.heappop(self._waiting)
            if counts:
                self.waits.append(now + costs.delay_s - came)
            # Searches end when their nodes are searched, which takes more or less.
            took = costs.part_s * self._chance.uniform(0.7, 1.3) / self._speed[node]
            self._at(now + costs.delay_s + took, "end", node, core, self._life[node], came)

    def _on_end(self, now, counts, node, core, life, came):
        if life != self._life[node]:
            # It died over it: the part is found again when JetStream has not heard of it for long enough.
            self.redone += counts
            return
        if counts:
            self.done += self._costs.part_s
            self.parts += 1
        del came
        self._idle.append((node, core))

    def _on_death(self, now, counts, node):
        del counts
        lost = [words for _, _, what, words in self._events if what == "end" and words[0] == node and
                words[2] == self._life[node]]
        self._alive[node] = False
        self._life[node] += 1
        for words in lost:
            self._at(now + self._chance.uniform(_ACK_WAIT - 0.8, _ACK_WAIT), "part", words[3])
        self._at(now + self._costs.down_s, "return", node)

    def _on_return(self, now, counts, node):
        del counts
        self._alive[node] = True
        self._idle = [each for each in self._idle if each[0] != node]
        self._idle += [(node, core) for core in range(self._costs.cores)]
        self._at(now + self._chance.expovariate(self._costs.deaths_a_day / _DAY), "death", node)


def table(costs, sizes=(1, 3, 10, 30, 100, 300, 1000)):
    """Rows of words, the first the headings."""
    rows = [("nodes", "games a day", "of linear", "waiting, half", "p99", "NATS messages/s", "parts redone")]
    for nodes in sizes:
        outcome = Simulation(nodes, costs).run()
        rows.append((f"{nodes}", f"{outcome.games_a_day:,.0f}", f"{outcome.efficiency:.2f}",
                     f"{outcome.p50_wait:.2f} s", f"{outcome.p99_wait:.2f} s", f"{outcome.messages_a_second:,.0f}", f"{outcome.redone_parts}"))
    return rows
