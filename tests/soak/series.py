"""What was sampled in the course of a soak, and whether it stayed flat."""

import dataclasses
import itertools
import statistics

_BUCKETS = 60  # a series is judged by so many medians: single outliers do not count


@dataclasses.dataclass(frozen=True)
class Gauge:
    """Something that is sampled each second. It is flat if it grows by no more than `share` of its median or by
    `allowance`, whichever is more, from the end of the warm-up to the end of the run."""
    name: str
    unit: str
    share: float
    allowance: float


@dataclasses.dataclass
class Verdict:
    gauge: Gauge
    median: float
    most: float
    growth: float  # over the whole run, by its slope
    flat: bool

    def __str__(self):
        return (f"{self.gauge.name}: median {self.median:.1f} {self.gauge.unit}, at most {self.most:.1f}, "
                f"{self.growth:+.1f} over the run: {'flat' if self.flat else 'NOT FLAT'}")


def slope(values):
    """The median of the slopes between all pairs (Theil and Sen's), which a few wild values do not turn."""
    pairs = itertools.combinations(enumerate(values), 2)
    slopes = [(later - earlier) / (end - begin) for (begin, earlier), (end, later) in pairs]
    return statistics.median(slopes) if slopes else 0.0


def medians(values, count=_BUCKETS):
    """The values in up to so many parts of equal length, each by its median."""
    size = max(1, -(-len(values) // count))
    return [statistics.median(values[place:place + size]) for place in range(0, len(values), size)]


def judge(gauge, values, warm_up):
    """Judges a series, without its first `warm_up` values."""
    settled = values[warm_up:]
    parts = medians(settled)
    growth = slope(parts) * (len(parts) - 1)
    median = statistics.median(settled)
    flat = growth <= max(gauge.share * median, gauge.allowance)
    return Verdict(gauge, median, max(settled), growth, flat)
