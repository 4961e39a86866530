#include "client/lichess/external_engine/provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/http/json.h"
#include "client/http/request.h"
#include "client/http/upload_stream.h"
#include "client/lichess/external_engine/secret_file.h"
#include "client/readable_status.h"
#include "client/uci/info_text.h"

namespace kibitz::client::lichess {
namespace {

using Written = http::UploadStream::Written;

// How long a search that was told to end, and the answer to its last line, are waited for.
constexpr absl::Duration kGrace = absl::Seconds(5);
// More moves than any game has.
constexpr std::size_t kMaxOfferBytes = 1 << 20;

std::string_view Words(const absl::Status& status) { return {status.message().data(), status.message().size()}; }

absl::Status Named(const absl::Status& status, const std::string& what) {
  return absl::Status(status.code(), absl::StrCat(what, ": ", status.message()));
}

// The broker shows nothing until all lines of play are there, and drops a first line whose score is only bounded: such
// an update would wipe the board.
bool IsShown(const v1::AnalysisUpdate& update) {
  return update.lines_size() > 0 && update.lines(0).score().bound() == v1::Score::BOUND_UNSPECIFIED;
}

}  // namespace

// One offer, from when it is taken until its answer has been given.
class Provider::Job {
 public:
  Job(Offer taken, std::stop_token leave) : offer(std::move(taken)), leave_(std::move(leave), Finish{this}) {}

  const Offer offer;
  // The search is to end: the board is gone, or we go.
  std::stop_source finish{};
  // And is not waited for any longer.
  std::stop_source cancel{};
  // Destroyed before the sources that its callback uses.
  std::unique_ptr<http::UploadStream> upload{};
  v1::AnalysisUpdate last{};
  // Guarded by the provider's mutex.
  bool over = false;
  std::optional<absl::Time> finish_since{};
  std::thread thread{};

 private:
  struct Finish {
    void operator()() const { job->finish.request_stop(); }
    Job* job;
  };

  // Last: it may call at once.
  std::stop_callback<Finish> leave_;
};

Provider::Provider(http::HttpClient& broker, const Connection& pool, ProviderOptions options)
    : broker_(broker), pool_(pool), options_(std::move(options)) {}

Provider::~Provider() = default;

void Provider::Log(std::string_view words) const {
  if (options_.log) options_.log(WithoutSecret(words, options_.provider_secret));
}

ProviderCounts Provider::counts() const {
  std::lock_guard lock(mutex_);
  return counts_;
}

absl::Status Provider::Run(const std::stop_token& stop) {
  http::Backoff backoff(options_.backoff);
  bool welcome = false;
  absl::Status status;
  while (AwaitPlace(stop)) {
    absl::StatusOr<std::optional<Offer>> offer = Poll(stop);
    if (stop.stop_requested()) break;
    if (offer.ok()) {
      welcome = true;
      backoff.Reset();
      if (*offer) Begin(**std::move(offer), stop);
      continue;
    }
    if (!welcome && !http::MayPass(offer.status()) && !absl::IsInternal(offer.status())) {
      status = Named(offer.status(), absl::StrCat("the broker ", broker_.host(), " wants no provider"));
      status = absl::Status(status.code(), WithoutSecret(Words(status), options_.provider_secret));
      break;
    }
    const absl::Duration pause = backoff.Next();
    Log(fmt::format("the broker: {}; again in {:.1f} s", Words(offer.status()), absl::ToDoubleSeconds(pause)));
    if (!http::RealClock().WaitFor(pause, stop)) break;
  }
  EndAll();
  return status;
}

absl::StatusOr<std::optional<Offer>> Provider::Poll(const std::stop_token& stop) {
  http::Request request = http::PostJson(http::PathOf({"api", "external-engine", "work"}),
                                         http::ToText({{"providerSecret", options_.provider_secret}}));
  request.max_body_bytes = kMaxOfferBytes;
  const absl::StatusOr<http::Response> response = broker_.Send(request, stop);
  if (!response.ok()) return response.status();
  if (response->status == 204) return std::nullopt;
  if (absl::Status status = http::StatusOf(*response); !status.ok()) return status;
  absl::StatusOr<Offer> offer = ParseOffer(response->body, options_.caps);
  if (!offer.ok()) return absl::InternalError(absl::StrCat("an offer that is none: ", offer.status().message()));
  return *std::move(offer);
}

bool Provider::AwaitPlace(const std::stop_token& stop) {
  // What is overdue is looked for meanwhile.
  constexpr std::chrono::seconds kLookAround{1};
  while (!stop.stop_requested()) {
    LookAfterJobs();
    std::unique_lock lock(mutex_);
    const auto has_place = [&] { return static_cast<int>(jobs_.size()) < options_.concurrency; };
    if (has_place()) return true;
    changed_.wait_for(lock, stop, kLookAround,
                      [&] { return std::any_of(jobs_.begin(), jobs_.end(), [](const Job& job) { return job.over; }); });
  }
  return false;
}

void Provider::Begin(Offer offer, const std::stop_token& stop) {
  std::lock_guard lock(mutex_);
  ++counts_.taken;
  Job& job = jobs_.emplace_back(std::move(offer), stop);
  job.thread = std::thread([this, &job] { Serve(job, job.offer); });
}

void Provider::Serve(Job& job, const Offer& offer) {
  http::Request request = http::Post(http::PathOf({"api", "external-engine", "work", offer.id}));
  request.content_type = "text/plain";
  absl::Status status = offer.request.status();
  auto upload =
      broker_.OpenUpload(request, {.on_closed = [&job] { job.finish.request_stop(); }}, job.cancel.get_token());
  if (upload.ok()) {
    job.upload = *std::move(upload);
    if (status.ok()) status = Search(job, *offer.request);
    Answer(job, status);
  } else {
    Answer(job, upload.status());
  }
  std::lock_guard lock(mutex_);
  job.over = true;
  changed_.notify_all();
}

absl::Status Provider::Search(Job& job, const v1::AnalyzeRequest& request) {
  const auto tell = [&job](const v1::AnalysisUpdate& update) {
    if (!IsShown(update)) return;
    job.last = update;
    // With no room the board is far behind: it gets a later one.
    job.upload->Write(uci::InfoLines(update, /*show_wdl=*/false));
  };
  const auto on_event = [&](const v1::AnalyzeResponse& event) {
    if (event.has_update()) tell(event.update());
    if (!event.has_final()) return;
    tell(event.final().result());
    job.upload->Write(uci::BestMoveLine(event.final().best_move(), event.final().ponder_move()));
  };
  http::Backoff backoff(options_.backoff);
  const absl::Time latest = absl::Now() + options_.patience;
  while (true) {
    const absl::Status status =
        pool_.client().AnalyzeUntil(job.finish.get_token(), request, on_event, pool_.LongCall(job.cancel.get_token()));
    const absl::Duration pause = std::max(backoff.Next(), RetryDelay(status).value_or(absl::ZeroDuration()));
    const bool pointless = status.ok() || !http::MayPass(status) || absl::Now() + pause > latest;
    if (pointless || !http::RealClock().WaitFor(pause, job.finish.get_token())) return status;
  }
}

// Ends the upload, and notes what has come of the job.
void Provider::Answer(Job& job, const absl::Status& outcome) {
  absl::Status status = outcome;
  const bool left = job.finish.stop_requested();
  if (job.upload != nullptr) {
    if (!status.ok() && !left) {
      job.upload->Write(uci::InfoString(Words(status)) + uci::BestMoveLine("", ""));
    }
    const auto answer = job.upload->Finish(kGrace);
    // A board that is gone is no failure, and the broker may say so or just close.
    if (left) status = absl::OkStatus();
    const bool refused = answer.ok() && !answer->IsSuccess() && answer->status != 404;
    if (refused) status = http::StatusOf(*answer);
    if (!answer.ok() && !left && status.ok()) status = answer.status();
  }
  {
    std::lock_guard lock(mutex_);
    ++(status.ok() ? counts_.served : counts_.failed);
  }
  const std::string name = http::OneLine(job.offer.id, 40);
  if (!status.ok()) return Log(fmt::format("{}: {}", name, Words(status)));
  Log(fmt::format("{}: depth {}, {} nodes{}", name, job.last.depth(), job.last.nodes(),
                  left ? ", until the board was gone" : ""));
}

void Provider::LookAfterJobs() {
  const absl::Time now = absl::Now();
  std::list<Job> over;
  {
    std::lock_guard lock(mutex_);
    for (auto job = jobs_.begin(); job != jobs_.end();) {
      const auto next = std::next(job);
      if (job->over) {
        over.splice(over.end(), jobs_, job);
      } else if (job->finish.stop_requested()) {
        if (!job->finish_since) job->finish_since = now;
        if (now - *job->finish_since > kGrace) job->cancel.request_stop();
      }
      job = next;
    }
  }
  for (Job& job : over) job.thread.join();
}

void Provider::EndAll() {
  std::unique_lock lock(mutex_);
  for (Job& job : jobs_) job.finish.request_stop();
  changed_.wait_for(lock, absl::ToChronoMilliseconds(kGrace),
                    [&] { return std::all_of(jobs_.begin(), jobs_.end(), [](const Job& job) { return job.over; }); });
  for (Job& job : jobs_) job.cancel.request_stop();
  lock.unlock();
  // Nothing begins any more.
  for (Job& job : jobs_) job.thread.join();
  jobs_.clear();
}

}  // namespace kibitz::client::lichess
