#include "client/cli/job_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "client/cli/command_context.h"
#include "client/cli/console.h"
#include "client/cli/failure.h"
#include "client/cli/job_text.h"
#include "client/cli/json.h"
#include "client/cli/live_text.h"
#include "client/cli/patience.h"
#include "client/cli/quantity.h"
#include "client/cli/review_text.h"
#include "client/job_client.h"

namespace kibitz::client {
namespace {

// More than any server takes.
constexpr std::streamsize kMaxInput = 64 << 20;

struct JobOptions {
  CommonFlags common;
  std::string id;
  // Of submit.
  std::string file;
  bool positions = false;
  std::optional<std::int64_t> nodes;
  std::optional<int> movetime_ms;
  std::optional<int> depth;
  int multi_pv = 0;
  bool reproducible = false;
  v1::JobPriority priority = v1::JOB_PRIORITY_UNSPECIFIED;
  std::int64_t max_nodes = 0;
  double within_hours = 0;
  double keep_hours = 0;
  std::string name;
  std::string webhook;
  bool watch = false;
  double wait_seconds = 0;
  // Of watch.
  std::int64_t after = 0;
  std::string pgn_path;
  // Of list.
  std::vector<v1::JobState> states;
  int max_jobs = 50;
};

absl::StatusOr<std::string> ReadInput(const std::string& path) {
  std::ifstream file;
  if (path != "-") {
    file.open(path, std::ios::binary);
    if (!file) return absl::NotFoundError(absl::StrCat("'", path, "' cannot be read"));
  }
  std::istream& input = path == "-" ? std::cin : file;
  std::string text(std::istreambuf_iterator<char>(input), {});
  if (static_cast<std::streamsize>(text.size()) > kMaxInput) {
    return absl::InvalidArgumentError(absl::StrCat("'", path, "' is too large for one job: send it by parts"));
  }
  return text;
}

v1::AnalyzeBatchRequest BatchOf(const JobOptions& options, const std::string& text) {
  v1::AnalyzeBatchRequest batch;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const absl::string_view fen = absl::StripAsciiWhitespace(line);
    if (!fen.empty()) batch.add_positions()->set_fen(std::string(fen));
  }
  v1::Limits& limits = *batch.mutable_limits();
  if (options.nodes) limits.set_nodes(*options.nodes);
  if (options.movetime_ms) *limits.mutable_movetime() = ToProto(absl::Milliseconds(*options.movetime_ms));
  if (options.depth) limits.set_depth(*options.depth);
  batch.set_multi_pv(options.multi_pv);
  batch.set_reproducible(options.reproducible);
  return batch;
}

v1::AnalyzeGameRequest ReviewOf(const JobOptions& options, std::string text) {
  v1::AnalyzeGameRequest review;
  review.set_pgn(std::move(text));
  v1::AnalyzeGameRequest::Budget& budget = *review.mutable_budget();
  if (options.nodes) budget.set_nodes_per_move(*options.nodes);
  if (options.movetime_ms) *budget.mutable_time_per_move() = ToProto(absl::Milliseconds(*options.movetime_ms));
  if (options.depth) budget.set_depth(*options.depth);
  review.set_multi_pv(options.multi_pv);
  review.set_reproducible(options.reproducible);
  return review;
}

absl::StatusOr<v1::SubmitJobRequest> SubmissionOf(const JobOptions& options) {
  absl::StatusOr<std::string> text = ReadInput(options.file);
  if (!text.ok()) return text.status();
  v1::SubmitJobRequest request;
  request.set_client_id(options.name);
  v1::JobRequest& job = *request.mutable_job();
  if (options.positions) {
    *job.mutable_batch() = BatchOf(options, *text);
  } else {
    *job.mutable_review() = ReviewOf(options, *std::move(text));
  }
  job.set_priority(options.priority);
  job.set_max_nodes(options.max_nodes);
  if (options.within_hours > 0) {
    const absl::Time deadline = absl::Now() + absl::Hours(1) * options.within_hours;
    job.mutable_deadline()->set_seconds(absl::ToUnixSeconds(deadline));
  }
  if (options.keep_hours > 0) *job.mutable_keep() = ToProto(absl::Hours(1) * options.keep_hours);
  job.set_webhook_url(options.webhook);
  return request;
}

// Shows what a watch tells.
class JobView {
 public:
  JobView(const CommandContext& context, bool text) : context_(context), text_(text) {}

  absl::Status OpenPgn(const std::string& path) {
    if (path.empty()) return absl::OkStatus();
    pgn_.open(path, std::ios::trunc);
    if (!pgn_) return absl::InvalidArgumentError(absl::StrCat("'", path, "' cannot be written"));
    return absl::OkStatus();
  }

  void Hear(const v1::WatchJobResponse& event) {
    if (context_.json()) Print(ToJsonLine(event));
    if (event.has_job()) {
      job_ = event.job();
      live_.Show(JobProgressText(job_, absl::Now(), SizeOf(stderr).columns));
    }
    if (event.has_results()) HearResults(event.results());
  }

  void Pause(const absl::Status& why) {
    live_.Clear();
    fmt::print(stderr, "{}; going on when it is back\n", std::string(why.message()));
  }

  // OK once the job is done.
  absl::Status Finish() {
    live_.Clear();
    pgn_.flush();
    if (pgn_.is_open() && !pgn_) return absl::DataLossError("the games could not be written: is the disk full?");
    if (job_.state() == v1::JOB_STATE_DONE && job_.parts_set_aside() == 0) return absl::OkStatus();
    if (job_.state() == v1::JOB_STATE_DONE) {
      return absl::InternalError(
          absl::StrCat(job_.parts_set_aside(), " of ", job_.parts(), " parts could not be done"));
    }
    return absl::AbortedError(
        absl::StrCat("the job is ", std::string(ToWords(job_.state())), ": ", job_.description()));
  }

 private:
  void HearResults(const v1::JobResults& results) {
    const bool show = text_ && !context_.json();
    if (results.items_size() > 0 || results.events_size() > 0) live_.Clear();
    for (const auto& item : results.items()) {
      if (show) Print(ItemText(item, PaletteOf(stdout)));
    }
    for (const auto& event : results.events()) HearEvent(event, show);
    if (!results.origin().reason().empty()) {
      live_.Clear();
      fmt::print(stderr, "part {} was not done: {} ({})\n", results.origin().part(), results.origin().description(),
                 results.origin().reason());
    }
  }

  void HearEvent(const v1::AnalyzeGameResponse& event, bool show) {
    for (const auto& game : event.accepted().games()) games_.push_back({.game = game, .plies = {}, .summary = {}});
    if (event.has_ply()) {
      const auto game = static_cast<std::size_t>(event.ply().game());
      if (game < games_.size()) games_[game].plies[event.ply().review().ply()] = event.ply().review();
    }
    if (!event.has_summary()) return;
    if (pgn_.is_open()) pgn_ << event.summary().annotated_pgn() << std::flush;
    const auto game = static_cast<std::size_t>(event.summary().game());
    if (!show || game >= games_.size()) return;
    games_[game].summary = event.summary();
    Print((shown_++ > 0 ? "\n" : "") +
          ReviewText(games_[game], event.summary().game() + 1, SizeOf(stdout).columns, PaletteOf(stdout)));
    games_[game] = {};
  }

  const CommandContext& context_;
  const bool text_;
  LiveText live_{stderr};
  std::ofstream pgn_;
  v1::Job job_;
  std::vector<ReviewOfGame> games_;
  int shown_ = 0;
};

absl::Status WatchJob(const JobOptions& options, const CommandContext& context, const std::string& id) {
  v1::WatchJobRequest request;
  request.set_id(id);
  request.set_after_sequence(options.after);
  JobView view(context, /*text=*/true);
  if (absl::Status opened = view.OpenPgn(options.pgn_path); !opened.ok()) return opened;
  const absl::Status status =
      context.jobs().Watch(request,
                           {.on_event = [&](const v1::WatchJobResponse& event) { view.Hear(event); },
                            .on_pause = [&](const absl::Status& why) { view.Pause(why); }},
                           context.LongCall());
  const absl::Status outcome = view.Finish();
  return status.ok() ? outcome : status;
}

void ShowJob(const v1::Job& job, const CommandContext& context) {
  Print(context.json() ? ToJsonLine(job) : JobText(job, absl::Now(), PaletteOf(stdout)));
}

absl::Status Submit(const JobOptions& options, const CommandContext& context) {
  const absl::StatusOr<v1::SubmitJobRequest> request = SubmissionOf(options);
  if (!request.ok()) return request.status();
  absl::StatusOr<v1::SubmitJobResponse> response = absl::UnknownError("");
  const absl::Status status = RunPatiently(absl::Seconds(options.wait_seconds), context.stop(), [&] {
    response = context.jobs().Submit(*request, context.QuickCall());
    return response.status();
  });
  if (!status.ok()) return status;
  if (response->repeated_request()) fmt::print(stderr, "the server has had this job before\n");
  if (options.watch) {
    fmt::print(stderr, "job {}\n", response->job().id());
    return WatchJob(options, context, response->job().id());
  }
  ShowJob(response->job(), context);
  return status;
}

absl::Status Status(const JobOptions& options, const CommandContext& context) {
  const absl::StatusOr<v1::Job> job = context.jobs().Get(options.id, context.QuickCall());
  if (!job.ok()) return job.status();
  ShowJob(*job, context);
  return absl::OkStatus();
}

absl::Status Watch(const JobOptions& options, const CommandContext& context) {
  return WatchJob(options, context, options.id);
}

absl::Status List(const JobOptions& options, const CommandContext& context) {
  v1::ListJobsRequest request;
  for (const v1::JobState state : options.states) request.add_states(state);
  std::vector<v1::Job> jobs;
  constexpr int kPage = 500;
  while (static_cast<int>(jobs.size()) < options.max_jobs) {
    request.set_page_size(std::min(kPage, options.max_jobs - static_cast<int>(jobs.size())));
    const absl::StatusOr<v1::ListJobsResponse> page = context.jobs().List(request, context.QuickCall());
    if (!page.ok()) return page.status();
    jobs.insert(jobs.end(), page->jobs().begin(), page->jobs().end());
    if (page->next_page_token().empty()) break;
    request.set_page_token(page->next_page_token());
  }
  if (context.json()) {
    for (const v1::Job& job : jobs) Print(ToJsonLine(job));
  } else if (!jobs.empty()) {
    Print(JobTable(jobs, absl::Now(), PaletteOf(stdout)));
  } else {
    fmt::print(stderr, "there are no jobs\n");
  }
  return absl::OkStatus();
}

absl::Status Cancel(const JobOptions& options, const CommandContext& context) {
  const absl::StatusOr<v1::Job> job = context.jobs().Cancel(options.id, context.QuickCall());
  if (!job.ok()) return job.status();
  ShowJob(*job, context);
  return absl::OkStatus();
}

absl::Status Delete(const JobOptions& options, const CommandContext& context) {
  return context.jobs().Delete(options.id, context.QuickCall());
}

void AddSubmitOptions(CLI::App& command, JobOptions& options) {
  command.add_option("FILE", options.file, "Games in PGN to review; - for standard input")->type_name("")->required();
  command.add_flag("--positions", options.positions, "The file has positions to search, a FEN on each line");
  command.add_option("--nodes", options.nodes, "Positions to search for each move, or position")->type_name("N");
  command.add_option("--movetime", options.movetime_ms, "Time for each of them")->type_name("MS");
  command.add_option("--depth", options.depth, "Iterations for each of them")->type_name("N");
  command.add_option("--multipv", options.multi_pv, "How many lines to find")->type_name("N");
  command.add_flag("--reproducible", options.reproducible, "The same results every time, on every server");
  command.add_option("--priority", options.priority, "Which of your own jobs go first")
      ->transform(CLI::CheckedTransformer(std::map<std::string, v1::JobPriority>{{"high", v1::JOB_PRIORITY_HIGH},
                                                                                 {"normal", v1::JOB_PRIORITY_NORMAL},
                                                                                 {"low", v1::JOB_PRIORITY_LOW}})
                      .description(""))
      ->type_name("high|normal|low");
  command.add_option("--max-nodes", options.max_nodes, "Positions to search for the whole job")->type_name("N");
  command.add_option("--within", options.within_hours, "Give up what is not done by then")->type_name("HOURS");
  command.add_option("--keep", options.keep_hours, "How long to keep it once it is over")->type_name("HOURS");
  command.add_option("--name", options.name, "Your own name for it: sent again, it is done once")->type_name("NAME");
  command.add_option("--webhook", options.webhook, "Where to tell that it is over")->type_name("URL");
  command.add_flag("--watch", options.watch, "Wait for it, and show what it finds");
}

}  // namespace

void AddJobCommand(CLI::App& app, ExitCode& exit_code) {
  CLI::App* command = app.add_subcommand("job", "Give a server work that takes long, and ask for it later");
  command->require_subcommand(1);
  // Each action has its own flags, which it names alike.
  const auto add = [&](const char* name, const char* words,
                       absl::Status (*run)(const JobOptions&, const CommandContext&)) {
    auto options = std::make_shared<JobOptions>();
    CLI::App* action = command->add_subcommand(name, words);
    AddCommonFlags(*action, options->common);
    action->callback([options, run, &exit_code] {
      const auto context = CommandContext::Open(options->common);
      const absl::Status status = context.ok() ? run(*options, **context) : context.status();
      exit_code = status.ok() ? kExitOk : ReportFailure(status, context.ok() && (*context)->interrupted());
    });
    return std::pair(action, options.get());
  };
  const auto add_pgn = [](CLI::App& action, JobOptions& options) {
    action.add_option("--pgn", options.pgn_path, "Write annotated games to this file")->type_name("FILE");
  };
  const auto name_job = [](const std::pair<CLI::App*, JobOptions*>& action) {
    action.first->add_option("JOB", action.second->id, "Its id, or client: and your own name for it")
        ->type_name("")
        ->required();
    return action;
  };
  const auto [submit, submit_options] = add("submit", "Give it games to review, or positions to search", Submit);
  AddSubmitOptions(*submit, *submit_options);
  add_pgn(*submit, *submit_options);
  AddWaitFlag(*submit, submit_options->wait_seconds);
  name_job(add("status", "Tell how a job stands", Status));
  const auto [watch, watch_options] = name_job(add("watch", "Show what a job finds, until it is over", Watch));
  watch->add_option("--after", watch_options->after, "Leave out the results up to this sequence number")
      ->type_name("N");
  add_pgn(*watch, *watch_options);
  const auto [list, list_options] = add("list", "List your jobs, the newest first", List);
  list->add_option("--state", list_options->states, "Only those in this state, or these")
      ->transform(CLI::CheckedTransformer(std::map<std::string, v1::JobState>{{"queued", v1::JOB_STATE_QUEUED},
                                                                              {"running", v1::JOB_STATE_RUNNING},
                                                                              {"done", v1::JOB_STATE_DONE},
                                                                              {"failed", v1::JOB_STATE_FAILED},
                                                                              {"cancelled", v1::JOB_STATE_CANCELLED},
                                                                              {"expired", v1::JOB_STATE_EXPIRED}})
                      .description(""))
      ->type_name("STATE");
  list->add_option("--max", list_options->max_jobs, "How many at most")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000));
  name_job(add("cancel", "End a job; what it has found is kept", Cancel));
  name_job(add("delete", "Forget a job that is over", Delete));
  command->footer(
      "Examples:\n"
      "  kibitz job submit games.pgn --nodes 1000000 --name sunday --server HOST:PORT\n"
      "  kibitz job watch client:sunday --pgn annotated.pgn --server HOST:PORT\n"
      "  kibitz job submit fens.txt --positions --depth 20 --watch --json > results.jsonl\n"
      "  kibitz job list --state queued running\n"
      "\n"
      "What a server has accepted is done, whatever happens to it; kibitzd takes jobs with --jobs FILE. A watch waits\n"
      "for a server that is gone for two minutes, and goes on where it was. It fails if the job is not done, or not\n"
      "all of it. With --json a watch prints WatchJobResponse objects, all else Job objects.");
}

}  // namespace kibitz::client
