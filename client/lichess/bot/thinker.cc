#include "client/lichess/bot/thinker.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_join.h"
#include "client/analysis_session.h"
#include "client/connection.h"
#include "client/readable_status.h"

namespace kibitz::client::lichess {
namespace {

// What the server allows at the most.
constexpr absl::Duration kLongest = absl::Hours(24);

void Write(absl::Duration time, google::protobuf::Duration& out) {
  const absl::Duration bounded = std::clamp(time, absl::ZeroDuration(), kLongest);
  out.set_seconds(absl::ToInt64Seconds(bounded));
  out.set_nanos(static_cast<std::int32_t>(absl::ToInt64Nanoseconds(bounded - absl::Seconds(out.seconds()))));
}

v1::AnalyzeRequest RequestOf(const Question& question) {
  v1::AnalyzeRequest request;
  v1::Position& position = *request.mutable_position();
  position.set_fen(question.fen);
  position.set_variant(question.chess960 ? v1::VARIANT_CHESS960 : v1::VARIANT_STANDARD);
  for (const std::string& move : question.moves) position.add_moves(move);
  v1::Limits& limits = *request.mutable_limits();
  if (question.clocks) {
    v1::Limits::Clock& clock = *limits.mutable_clock();
    Write(question.clocks->white, *clock.mutable_white_time());
    Write(question.clocks->black, *clock.mutable_black_time());
    Write(question.clocks->white_increment, *clock.mutable_white_increment());
    Write(question.clocks->black_increment, *clock.mutable_black_increment());
    Write(question.move_overhead, *limits.mutable_move_overhead());
  }
  if (question.move_time > absl::ZeroDuration()) Write(question.move_time, *limits.mutable_movetime());
  if (question.nodes > 0) limits.set_nodes(question.nodes);
  request.set_threads(question.threads);
  request.set_strength_elo(question.strength_elo);
  Write(absl::Milliseconds(250), *request.mutable_min_update_interval());
  return request;
}

Answer AnswerOf(const v1::AnalysisUpdate& update) {
  Answer answer{.depth = update.depth(), .nodes = update.nodes(), .nodes_per_second = update.nps()};
  if (update.lines().empty()) return answer;
  const v1::Line& line = update.lines(0);
  if (line.pv_uci_size() > 0) answer.best_move = line.pv_uci(0);
  if (line.pv_uci_size() > 1) answer.ponder_move = line.pv_uci(1);
  if (line.score().value_case() == v1::Score::kCentipawns) answer.centipawns = line.score().centipawns();
  if (line.score().value_case() == v1::Score::kMateInMoves) answer.mate_in = line.score().mate_in_moves();
  answer.line = absl::StrJoin(line.pv_san().begin(), line.pv_san().begin() + std::min(line.pv_san_size(), 8), " ");
  return answer;
}

void Tell(const v1::AnalyzeSessionResponse& response, std::int64_t question, const Thinker::Events& events) {
  if (response.has_refused()) return events.on_failure(question, ReadableRefusal(response.refused()));
  const v1::AnalyzeResponse& analysis = response.analysis();
  if (analysis.has_update()) return events.on_progress(question, AnswerOf(analysis.update()));
  if (!analysis.has_final()) return;
  Answer answer = AnswerOf(analysis.final().result());
  answer.best_move = analysis.final().best_move();
  answer.ponder_move = analysis.final().ponder_move();
  events.on_answer(question, std::move(answer));
}

}  // namespace

Thinker::Thinker(const Connection& connection, Events events) : connection_(connection), events_(std::move(events)) {}

Thinker::~Thinker() = default;

void Thinker::Open() {
  session_.reset();
  base_ = last_;
  lost_ = std::make_shared<std::atomic<bool>>(false);
  SessionEvents events{
      .on_response = [this, base = base_](
                         const v1::AnalyzeSessionResponse& response) { Tell(response, base + response.go(), events_); },
      .on_end =
          [this, lost = lost_](const absl::Status& status) {
            *lost = true;
            events_.on_lost(status);
          }};
  session_ = connection_.client().OpenSession(std::move(events), connection_.LongCall());
}

std::int64_t Thinker::Ask(const Question& question, bool ponder) {
  if (IsLost()) Open();
  last_ = base_ + session_->Go(RequestOf(question), ponder);
  return last_;
}

void Thinker::PonderHit() {
  if (session_ != nullptr) session_->PonderHit();
}

void Thinker::Stop() {
  if (session_ != nullptr) session_->Stop();
}

}  // namespace kibitz::client::lichess
