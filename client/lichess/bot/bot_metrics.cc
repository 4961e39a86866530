#include "client/lichess/bot/bot_metrics.h"

#include <exception>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "prometheus/client_metric.h"
#include "prometheus/collectable.h"
#include "prometheus/exposer.h"
#include "prometheus/metric_family.h"
#include "prometheus/metric_type.h"

namespace kibitz::client::lichess {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using Labels = std::vector<ClientMetric::Label>;

// The families, in the order in which they are written; samples are added to the last.
class Families {
 public:
  Families& Add(const char* name, const char* help, MetricType type = MetricType::Counter) {
    families_.push_back({.name = absl::StrCat("kibitz_lichess_", name), .help = help, .type = type, .metric = {}});
    return *this;
  }
  Families& Sample(double value, Labels labels = {}) {
    ClientMetric metric;
    metric.label = std::move(labels);
    MetricFamily& last = families_.back();
    (last.type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
    last.metric.push_back(std::move(metric));
    return *this;
  }
  Families& Sample(std::int64_t value, Labels labels = {}) {
    return Sample(static_cast<double>(value), std::move(labels));
  }
  std::vector<MetricFamily> Take() { return std::move(families_); }

 private:
  std::vector<MetricFamily> families_;
};

std::vector<MetricFamily> FamiliesOf(const BotView& view) {
  const BotCounts& counts = view.counts;
  Families all;
  all.Add("online", "Whether the stream of events is open.", MetricType::Gauge).Sample(view.online ? 1.0 : 0.0);
  all.Add("games", "Games that are running.", MetricType::Gauge).Sample(static_cast<double>(view.games.size()));
  all.Add("round_trip_seconds", "How long a move takes to Lichess and back.", MetricType::Gauge)
      .Sample(absl::ToDoubleSeconds(view.round_trip));
  all.Add("games_total", "Games that are over, by how they ended for us.")
      .Sample(counts.wins, {{"result", "won"}})
      .Sample(counts.draws, {{"result", "drawn"}})
      .Sample(counts.losses, {{"result", "lost"}})
      .Sample(counts.unfinished, {{"result", "unfinished"}});
  all.Add("games_lost_on_time_total", "Of the games that were lost.").Sample(counts.lost_on_time);
  all.Add("moves_total", "Moves that were taken.").Sample(counts.moves);
  all.Add("book_moves_total", "Moves from the book.").Sample(counts.book_moves);
  all.Add("moves_sent_again_total", "Attempts at a move that had no answer.").Sample(counts.moves_sent_again);
  all.Add("moves_refused_total", "Moves that were refused, mostly because they were there.")
      .Sample(counts.moves_refused);
  all.Add("streams_opened_total", "Streams of events and of games.").Sample(counts.streams_opened);
  all.Add("streams_lost_total", "Streams that ended, fell silent, or could not be opened.").Sample(counts.streams_lost);
  all.Add("searches_lost_total", "Searches without an answer.").Sample(counts.searches_lost);
  all.Add("bad_events_total", "What Lichess said and could not be followed.").Sample(counts.bad_events);
  all.Add("challenges_accepted_total", "Challenges that were accepted.").Sample(counts.challenges_accepted);
  all.Add("challenges_made_total", "Challenges of our own.").Sample(counts.challenges_made);
  all.Add("challenges_declined_total", "Challenges that were declined, by the reason.");
  for (const auto& [reason, count] : counts.challenges_declined) all.Sample(count, {{"reason", reason}});
  return all.Take();
}

class Metrics final : public prometheus::Collectable {
 public:
  explicit Metrics(std::function<BotView()> read) : read_(std::move(read)) {}
  std::vector<MetricFamily> Collect() const override { return FamiliesOf(read_()); }

 private:
  const std::function<BotView()> read_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<BotMetrics>> BotMetrics::Start(const std::string& address,
                                                              std::function<BotView()> read) {
  std::unique_ptr<BotMetrics> metrics(new BotMetrics());
  metrics->metrics_ = std::make_shared<Metrics>(std::move(read));
  try {
    metrics->exposer_ = std::make_unique<prometheus::Exposer>(address, /*num_threads=*/1);
    metrics->exposer_->RegisterCollectable(metrics->metrics_);
  } catch (const std::exception& error) {
    return absl::UnavailableError(
        absl::StrCat("metrics cannot be shown at ", address, " (HOST:PORT, in digits): ", error.what()));
  }
  return metrics;
}

BotMetrics::~BotMetrics() = default;

}  // namespace kibitz::client::lichess
