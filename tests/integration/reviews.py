"""Calls that have games reviewed, for the tests that make some."""

from tests.integration.service import PATIENCE, analysis_pb2


class ReviewCalls:
    """What a ServiceTest needs to have games reviewed."""

    def review(self, pgn=None, timeout=PATIENCE, **fields):
        fields.setdefault("budget", {"nodes_per_move": 5000})
        request = analysis_pb2.AnalyzeGameRequest(pgn=pgn, **fields)
        return self.stub.AnalyzeGame(request, timeout=timeout)

    def events(self, call):
        """What was accepted, the reviews by game and ply, and the summaries, in the order that the contract gives."""
        accepted, plies, summaries = None, {}, {}
        for event in call:
            kind = event.WhichOneof("event")
            if kind == "accepted":
                self.assertIsNone(accepted)
                accepted = event.accepted
                continue
            self.assertIsNotNone(accepted, kind)
            if kind == "ply":
                key = (event.ply.game, event.ply.review.ply)
                self.assertNotIn(key, plies)
                self.assertNotIn(event.ply.game, summaries)
                plies[key] = event.ply.review
            elif kind == "summary":
                self.assertNotIn(event.summary.game, summaries)
                summaries[event.summary.game] = event.summary
            else:
                self.assertEqual(kind, "progress")
                self.assertLessEqual(event.progress.positions, event.progress.total_positions)
        self.assertEqual(sorted(summaries), list(range(len(accepted.games))))
        return accepted, plies, summaries
