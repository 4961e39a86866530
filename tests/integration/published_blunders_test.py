"""Famous blunders, missed wins and table endings: a review must know of them what has long been published."""

import os
import pathlib
import re

from tests.integration.reviews import ReviewCalls
from tests.integration.service import ROOT, ServiceTest, analysis_pb2
from tests.suite import xml_unittest

_DATA = ROOT / "tests" / "testdata" / "published_blunders.pgn"
_NODES = 200_000


def _syzygy_folder():
    """As tests/support/syzygy.h has it."""
    named = os.environ.get("KIBITZ_TEST_SYZYGY")
    beside = _DATA.resolve().parents[3] / "shared" / "data" / "syzygy"
    folder = pathlib.Path(named) if named else beside
    return folder if folder.is_dir() else None


def _games():
    """The text and the tags of each game."""
    text = re.sub(r"(?m)^%.*\n", "", _DATA.read_text(encoding="utf-8"))
    for game in re.split(r"(?m)^(?=\[Event )", text):
        if game.strip():
            yield game, dict(re.findall(r'(?m)^\[(\w+) "(.*)"\]$', game))


class PublishedBlundersTest(ReviewCalls, ServiceTest):

    # One worker, so that each search finds the same table every time.
    flags = ("--workers", "1", *(("--syzygy-path", str(_syzygy_folder())) if _syzygy_folder() else ()))

    def judge(self, pgn, ply):
        """The review of a ply, and the best reply to it."""
        budget = {"nodes_per_move": _NODES}
        _, plies, _ = self.events(self.review(pgn, first_ply=ply, last_ply=ply + 1, budget=budget))
        reply = plies.get((0, ply + 1))
        return plies[0, ply], reply.best_line.pv_san[0] if reply and reply.best_line.pv_san else None

    def check(self, pgn, tags):
        review, reply = self.judge(pgn, int(tags["Ply"]))
        name = analysis_pb2.Judgement.Name(review.judgement).removeprefix("JUDGEMENT_").lower().replace("_", " ")
        if "Judgement" in tags:
            self.assertIn(name, tags["Judgement"].split(", "))
        if "Refuted" in tags:
            self.assertEqual(reply, tags["Refuted"])
        if "Best" in tags:
            self.assertEqual(review.best_line.pv_san[0], tags["Best"])
        facts = {analysis_pb2.MoveFact.Kind.Name(fact.kind): fact.mate_in_moves for fact in review.facts}
        if "Mate" in tags:
            self.assertEqual(facts.get("KIND_MATE_ALLOWED"), int(tags["Mate"]), facts)
        if "Table" in tags and _syzygy_folder():
            self.assertIn("KIND_TABLE_" + tags["Table"].upper().replace(" ", "_"), facts)

    def test_knows_what_is_published(self):
        games = list(_games())
        self.assertGreaterEqual(len(games), 30)
        for pgn, tags in games:
            with self.subTest(tags["Event"], ply=tags["Ply"]):
                self.assertIn("Source", tags)
                self.check(pgn, tags)


if __name__ == "__main__":
    xml_unittest.main()
