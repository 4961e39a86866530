#include "client/cli/match_flags.h"

#include <map>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/match/match_archive.h"
#include "engine/book/polyglot_book.h"

namespace kibitz::client {
namespace {

constexpr int kDefaultPlies = 8;

void AddPlayerFlags(CLI::App& command, MatchFlags& flags) {
  command.add_option("--engine", flags.engines, "A player, as told below; against a single one this program plays")
      ->type_name("KEY=VALUE");
  command.add_option("--each", flags.each, "The same settings for all players")->type_name("KEY=VALUE");
  command.add_option("--tc", flags.clock, "Clock: [MOVES/]TIME[+INCREMENT], in seconds or minutes:seconds")
      ->type_name("CLOCK");
  command.add_option("--st", flags.move_seconds, "Time for each move")->type_name("SECONDS");
  command.add_option("--nodes", flags.nodes, "Nodes for each move")->type_name("N");
  command.add_option("--depth", flags.depth, "Depth for each move")->type_name("N");
  command.add_option("--margin", flags.margin_milliseconds, "How much later an answer may come")
      ->type_name("MS")
      ->capture_default_str();
}

void AddScheduleFlags(CLI::App& command, MatchFlags& flags) {
  command.add_option("--games", flags.games, "Games of each pairing, an even number")
      ->type_name("N")
      ->check(CLI::Range(1, 10'000'000).description(""))
      ->capture_default_str();
  command.add_flag("--gauntlet", flags.gauntlet, "The first player against all others, rather than all against all");
  command.add_option("--concurrency", flags.concurrency, "Games at a time, each on its own share of the processors")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""))
      ->capture_default_str();
  command.add_flag("--restart", flags.restart, "Start the engines anew for each game");
  command
      .add_option("--openings", flags.openings,
                  "A .pgn, .epd or .fen file, or a Polyglot book (.bin); otherwise random balanced openings")
      ->type_name("FILE");
  command.add_option("--opening-plies", flags.opening_plies, "How long openings are (8; all of a PGN's)")
      ->type_name("N");
  command.add_flag("--shuffle", flags.shuffle, "Take the openings of a file in random order");
  command.add_option("--seed", flags.seed, "For whatever is random")->type_name("N")->capture_default_str();
}

void AddResultFlags(CLI::App& command, MatchFlags& flags) {
  command
      .add_option("--sprt", flags.sprt,
                  "Stop when it is settled: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized|logistic")
      ->type_name("KEY=VALUE");
  command.add_option("--resign", flags.resign, "Adjudicate a win that both see: moves=3 score=600")
      ->type_name("KEY=VALUE");
  command.add_option("--draw", flags.draw, "Adjudicate a draw that both see: from=40 moves=8 score=15")
      ->type_name("KEY=VALUE");
  command.add_option("--max-moves", flags.max_moves, "Adjudicate a draw after so many moves")->type_name("N");
  command
      .add_option("--tablebases", flags.tablebases,
                  "Adjudicate what the Syzygy tables of these folders know, fifty-move rule included")
      ->type_name("FOLDER[:FOLDER...]");
  command.add_option("--hang-after", flags.hang_seconds, "Give up an engine that no clock limits")
      ->type_name("SECONDS")
      ->capture_default_str();
  command.add_option("--pgn", flags.pgn, "Record the games here")->type_name("FILE");
  command.add_option("--event", flags.event, "What the record calls the match")->type_name("NAME");
  command.add_flag("--resume", flags.resume, "Go on with the match recorded in --pgn");
  command.add_flag("--json", flags.json, "Print the result as JSON");
}

// Reads settings into numbers by their names.
absl::Status ReadInto(const std::vector<std::string>& words, const std::map<std::string, int*>& places) {
  const absl::StatusOr<Settings> settings = ParseSettings(words);
  if (!settings.ok()) return settings.status();
  for (const auto& setting : *settings) {
    const auto place = places.find(setting.first);
    if (place == places.end()) return absl::InvalidArgumentError(absl::StrCat("'", setting.first, "' is unknown"));
    if (absl::Status status = ReadNumber(setting, *place->second); !status.ok()) return status;
  }
  return absl::OkStatus();
}

TimeControl ControlOf(const MatchFlags& flags) {
  TimeControl control;
  control.move_time = absl::Seconds(flags.move_seconds);
  control.nodes = flags.nodes;
  control.depth = flags.depth;
  control.margin = absl::Milliseconds(flags.margin_milliseconds);
  return control;
}

absl::Status ApplyWords(const std::vector<std::string>& words, PlayerSpec& spec) {
  const absl::StatusOr<Settings> settings = ParseSettings(words);
  return settings.ok() ? Apply(*settings, spec) : settings.status();
}

}  // namespace

void AddMatchFlags(CLI::App& command, MatchFlags& flags) {
  AddPlayerFlags(command, flags);
  AddScheduleFlags(command, flags);
  AddResultFlags(command, flags);
  AddConnectionFlags(command, flags.connection);
}

absl::StatusOr<std::vector<PlayerSpec>> PlayersOf(const MatchFlags& flags) {
  PlayerSpec common;
  common.server_flags = FlagWords(flags.connection);
  common.control = ControlOf(flags);
  if (!flags.clock.empty()) {
    if (absl::Status status = ParseClock(flags.clock, common.control); !status.ok()) return status;
  }
  if (absl::Status status = ApplyWords(flags.each, common); !status.ok()) return status;
  std::vector<PlayerSpec> specs;
  for (const std::vector<std::string>& words : flags.engines) {
    PlayerSpec spec = common;
    if (absl::Status status = ApplyWords(words, spec); !status.ok()) return status;
    specs.push_back(std::move(spec));
  }
  if (specs.empty()) return absl::InvalidArgumentError("a match needs players: --engine cmd=PROGRAM");
  if (specs.size() == 1) {
    common.engine.command = OwnEngine(flags.connection.server, common.server_flags);
    common.protocol = EngineProtocol::kUci;
    specs.insert(specs.begin(), std::move(common));
  }
  for (const PlayerSpec& spec : specs) {
    if (absl::Status status = CheckPlayer(spec); !status.ok()) return status;
  }
  NamePlayers(specs);
  return specs;
}

absl::StatusOr<std::optional<Sprt>> SprtOf(const MatchFlags& flags) {
  if (flags.sprt.empty()) return std::nullopt;
  const absl::StatusOr<Settings> settings = ParseSettings(flags.sprt);
  if (!settings.ok()) return settings.status();
  Sprt sprt;
  const std::map<std::string, double*> numbers = {
      {"elo0", &sprt.elo0}, {"elo1", &sprt.elo1}, {"alpha", &sprt.alpha}, {"beta", &sprt.beta}};
  for (const auto& setting : *settings) {
    if (setting == std::pair<std::string, std::string>("model", "logistic")) {
      sprt.model = Sprt::Model::kLogistic;
    } else if (setting == std::pair<std::string, std::string>("model", "normalized")) {
      sprt.model = Sprt::Model::kNormalized;
    } else if (const auto place = numbers.find(setting.first); place != numbers.end()) {
      if (absl::Status status = ReadNumber(setting, *place->second); !status.ok()) return status;
    } else {
      return absl::InvalidArgumentError(absl::StrCat("--sprt knows no ", setting.first, "=", setting.second));
    }
  }
  const auto is_risk = [](double risk) { return risk > 0 && risk < 0.5; };
  if (sprt.elo0 >= sprt.elo1) return absl::InvalidArgumentError("elo0 must be less than elo1");
  if (!is_risk(sprt.alpha) || !is_risk(sprt.beta))
    return absl::InvalidArgumentError("alpha and beta are between 0 and 0.5");
  return sprt;
}

absl::StatusOr<GameRules> RulesOf(const MatchFlags& flags) {
  GameRules rules;
  AdjudicationRules& adjudication = rules.adjudication;
  if (!flags.resign.empty()) {
    adjudication.resign_moves = 3;
    const absl::Status status =
        ReadInto(flags.resign, {{"moves", &adjudication.resign_moves}, {"score", &adjudication.resign_centipawns}});
    if (!status.ok()) return status;
  }
  if (!flags.draw.empty()) {
    adjudication.draw_moves = 8;
    const absl::Status status = ReadInto(flags.draw, {{"moves", &adjudication.draw_moves},
                                                      {"score", &adjudication.draw_centipawns},
                                                      {"from", &adjudication.draw_from_move}});
    if (!status.ok()) return status;
  }
  adjudication.max_moves = flags.max_moves;
  if (!flags.tablebases.empty()) {
    const absl::Status status = UseTablebases(flags.tablebases, adjudication);
    if (!status.ok()) {
      return absl::Status(status.code(), absl::StrCat(status.message(),
                                                      "; --tablebases wants folders with Syzygy tables "
                                                      "(.rtbw), colons between them"));
    }
  }
  rules.hang_after = absl::Seconds(flags.hang_seconds);
  return rules;
}

absl::StatusOr<OpeningSource> OpeningsOf(const MatchFlags& flags, PositionJudge judge) {
  const RandomOpeningOptions random = {.plies = flags.opening_plies < 0 ? kDefaultPlies : flags.opening_plies,
                                       .seed = flags.seed};
  if (flags.openings.empty()) return RandomOpenings(random, std::move(judge));
  const auto in_file = [&](const absl::Status& status) {
    return absl::Status(status.code(), absl::StrCat(flags.openings, ": ", status.message()));
  };
  if (absl::EndsWith(flags.openings, ".bin")) {
    absl::StatusOr<PolyglotBook> book = PolyglotBook::Open(flags.openings);
    if (!book.ok()) return book.status();
    return BookOpenings(*std::move(book), random);
  }
  const absl::StatusOr<std::string> text = ReadFile(flags.openings);
  if (!text.ok()) return text.status();
  const OpeningFileOptions options = {
      .plies = std::max(0, flags.opening_plies), .shuffle = flags.shuffle, .seed = flags.seed};
  const bool is_pgn = absl::EndsWith(flags.openings, ".pgn");
  absl::StatusOr<OpeningSource> source = is_pgn ? OpeningsFromPgn(*text, options) : OpeningsFromEpd(*text, options);
  if (!source.ok()) return in_file(source.status());
  return source;
}

}  // namespace kibitz::client
