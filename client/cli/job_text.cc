#include "client/cli/job_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "client/cli/analysis_text.h"
#include "client/cli/quantity.h"
#include "client/cli/table.h"

namespace kibitz::client {
namespace {

constexpr int kMaxBar = 40;
constexpr int kTextRoom = 60;

absl::Time FromProto(const google::protobuf::Timestamp& time) {
  return absl::FromUnixSeconds(time.seconds()) + absl::Nanoseconds(time.nanos());
}

bool IsOver(const v1::Job& job) { return job.has_ended_at(); }

std::string Ago(const google::protobuf::Timestamp& time, absl::Time now) {
  return Rounded(std::max(absl::ZeroDuration(), now - FromProto(time))) + " ago";
}

std::string In(const google::protobuf::Timestamp& time, absl::Time now) {
  return "in " + Rounded(std::max(absl::ZeroDuration(), FromProto(time) - now));
}

double DoneOf(const v1::Job& job) { return job.parts() > 0 ? static_cast<double>(job.parts_done()) / job.parts() : 0; }

// Nothing is known before something is done.
std::string TimeLeft(const v1::Job& job, absl::Time now) {
  const double done = DoneOf(job);
  if (IsOver(job) || !job.has_started_at() || done <= 0) return "";
  return Rounded((now - FromProto(job.started_at())) * ((1 - done) / done));
}

fmt::text_style StyleOf(const v1::Job& job, const Palette& palette) {
  const bool wrong = job.state() == v1::JOB_STATE_FAILED || job.state() == v1::JOB_STATE_EXPIRED;
  return wrong ? palette.alert : fmt::text_style();
}

std::string Positions(const v1::Job& job) {
  return fmt::format("{} of {}", WithCommas(static_cast<std::uint64_t>(job.positions_done())),
                     WithCommas(static_cast<std::uint64_t>(job.positions())));
}

}  // namespace

std::string_view ToWords(v1::JobState state) {
  switch (state) {
    case v1::JOB_STATE_QUEUED:
      return "queued";
    case v1::JOB_STATE_RUNNING:
      return "running";
    case v1::JOB_STATE_DONE:
      return "done";
    case v1::JOB_STATE_FAILED:
      return "failed";
    case v1::JOB_STATE_CANCELLED:
      return "cancelled";
    case v1::JOB_STATE_EXPIRED:
      return "expired";
    default:
      return "unknown";
  }
}

std::string_view ToWords(v1::Job::Kind kind) {
  switch (kind) {
    case v1::Job::KIND_BATCH:
      return "batch";
    case v1::Job::KIND_REVIEW:
      return "review";
    default:
      return "unknown";
  }
}

std::string JobText(const v1::Job& job, absl::Time now, const Palette& palette) {
  Table table({Table::Align::kLeft, Table::Align::kLeft});
  const auto row = [&](const char* name, std::string value, fmt::text_style style = {}) {
    if (!value.empty()) table.AddRow({{name, palette.heading}, {std::move(value), style}});
  };
  row("job", job.id(), palette.strong);
  row("name", job.client_id());
  row("work", std::string(ToWords(job.kind())));
  row("state", std::string(ToWords(job.state())), StyleOf(job, palette));
  row("reason", job.reason().empty() ? "" : fmt::format("{} ({})", job.description(), job.reason()));
  row("positions", Positions(job));
  row("parts", fmt::format("{} of {}", job.parts_done(), job.parts()));
  row("set aside", job.parts_set_aside() == 0 ? "" : fmt::format("{} parts", job.parts_set_aside()), palette.alert);
  row("nodes", Rounded(static_cast<double>(job.nodes())));
  row("accepted", Ago(job.submitted_at(), now));
  if (job.has_started_at()) row("begun", Ago(job.started_at(), now));
  if (job.has_ended_at()) row("over", Ago(job.ended_at(), now));
  row("left", TimeLeft(job, now));
  if (!IsOver(job)) row("deadline", In(job.deadline(), now));
  if (job.has_forgotten_at()) row("forgotten", In(job.forgotten_at(), now));
  row("webhook", job.webhook_url());
  for (const v1::JobFault& fault : job.faults()) {
    row("fault",
        fmt::format("part {}, attempt {} on {}, {}: {} ({})", fault.part(), fault.attempt(), fault.node(),
                    Ago(fault.time(), now), fault.description(), fault.reason()),
        palette.faint);
  }
  return table.ToString();
}

std::string JobTable(const std::vector<v1::Job>& jobs, absl::Time now, const Palette& palette) {
  using enum Table::Align;
  Table table({kLeft, kLeft, kLeft, kRight, kRight, kRight, kLeft, kLeft});
  table.AddRow({{"job", palette.heading},
                {"work", palette.heading},
                {"state", palette.heading},
                {"positions", palette.heading},
                {"nodes", palette.heading},
                {"left", palette.heading},
                {"accepted", palette.heading},
                {"name", palette.heading}});
  for (const v1::Job& job : jobs) {
    table.AddRow({{job.id()},
                  {std::string(ToWords(job.kind()))},
                  {std::string(ToWords(job.state())), StyleOf(job, palette)},
                  {Positions(job)},
                  {Rounded(static_cast<double>(job.nodes()))},
                  {TimeLeft(job, now)},
                  {Ago(job.submitted_at(), now)},
                  {job.client_id(), palette.faint}});
  }
  return table.ToString();
}

std::string JobProgressText(const v1::Job& job, absl::Time now, int width) {
  const double done = std::clamp(DoneOf(job), 0.0, 1.0);
  const int bar = std::clamp(width - kTextRoom, 5, kMaxBar);
  const int filled = static_cast<int>(done * bar);
  std::string text = fmt::format("[{:{}}] {:3.0f} %  {} positions  {} nodes", std::string(filled, '='), bar, 100 * done,
                                 Positions(job), Rounded(static_cast<double>(job.nodes())));
  const std::string left = TimeLeft(job, now);
  if (job.state() == v1::JOB_STATE_QUEUED) {
    text += "  queued";
  } else if (!left.empty()) {
    text += fmt::format("  {} left", left);
  }
  return text.substr(0, static_cast<std::size_t>(std::max(0, width - 1))) + "\n";
}

std::string ItemText(const v1::AnalyzeBatchResponse::Item& item, const Palette& palette) {
  const std::string number = fmt::format("{:>6}  ", item.index() + 1);
  if (item.has_refused()) {
    return number + fmt::format(palette.alert, "{}", item.refused().description()) + "\n";
  }
  const v1::AnalysisUpdate& result = item.final().result();
  if (result.lines().empty()) return number + FinalLines(item.final(), palette);
  const v1::Line& best = result.lines(0);
  std::string moves;
  for (const std::string& san : best.pv_san()) moves += (moves.empty() ? "" : " ") + san;
  return number + fmt::format("{:>8}  depth {:>2}  {}\n", ScoreText(best.score()), result.depth(), moves);
}

}  // namespace kibitz::client
