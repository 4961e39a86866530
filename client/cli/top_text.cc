#include "client/cli/top_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "client/cli/quantity.h"
#include "client/cli/table.h"

namespace kibitz::client {
namespace {

constexpr std::size_t kMaxRates = 60;
constexpr int kBarWidth = 20;

using Style = TopLine::Style;

std::string Mebibytes(std::int64_t bytes) { return WithCommas(static_cast<std::uint64_t>(bytes) >> 20) + " MiB"; }

std::string Number(std::int64_t number) {
  return WithCommas(static_cast<std::uint64_t>(std::max<std::int64_t>(0, number)));
}

std::string Percent(std::int32_t per_mille) { return fmt::format("{:.1f} %", per_mille / 10.0); }

std::string Bar(std::int32_t per_mille) {
  const int full = std::clamp(per_mille * kBarWidth / 1000, 0, kBarWidth);
  return fmt::format("[{}{}]", std::string(full, '#'), std::string(kBarWidth - full, '-'));
}

// Nothing where there is none.
std::string Age(const char* what, const google::protobuf::Duration& age) {
  const absl::Duration duration = FromProto(age);
  return duration <= absl::ZeroDuration() ? "" : fmt::format(" ({} {})", what, Rounded(duration));
}

std::int64_t RefusedOf(const v1::TenantStatus& tenant) {
  std::int64_t refused = 0;
  for (const v1::Refusals& refusals : tenant.refusals()) refused += refusals.count();
  return refused;
}

// One table's rows as lines, its first row as a heading.
void AddTable(const Table& table, std::vector<TopLine>& lines) {
  const std::string text = table.ToString();
  Style style = Style::kHeading;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    lines.push_back({text.substr(start, end - start), style});
    style = Style::kPlain;
    start = end + 1;
  }
}

// What each tenant has of all servers together.
std::vector<v1::TenantStatus> SumTenants(const std::vector<ServerView>& servers) {
  std::map<std::string, v1::TenantStatus> by_name;
  for (const ServerView& server : servers) {
    if (!server.status.has_value()) continue;
    for (const v1::TenantStatus& tenant : server.status->tenants()) {
      v1::TenantStatus& sum = by_name[tenant.name()];
      sum.set_name(tenant.name());
      sum.set_live(sum.live() + tenant.live());
      sum.set_queued(sum.queued() + tenant.queued());
      sum.set_searches(sum.searches() + tenant.searches());
      sum.set_perfts(sum.perfts() + tenant.perfts());
      sum.set_search_nodes(sum.search_nodes() + tenant.search_nodes());
      sum.set_search_nodes_per_second(sum.search_nodes_per_second() + tenant.search_nodes_per_second());
      sum.mutable_refusals()->MergeFrom(tenant.refusals());
    }
  }
  std::vector<v1::TenantStatus> tenants;
  for (auto& [name, tenant] : by_name) tenants.push_back(std::move(tenant));
  return tenants;
}

std::int64_t SortValue(const v1::TenantStatus& tenant, TopOrder order) {
  switch (order) {
    case TopOrder::kRate:
      return tenant.search_nodes_per_second();
    case TopOrder::kLive:
      return tenant.live();
    case TopOrder::kQueued:
      return tenant.queued();
    case TopOrder::kRefused:
      return RefusedOf(tenant);
    case TopOrder::kName:
      break;
  }
  return 0;
}

void AddTenants(const std::vector<ServerView>& servers, TopOrder order, std::vector<TopLine>& lines) {
  std::vector<v1::TenantStatus> tenants = SumTenants(servers);
  std::sort(tenants.begin(), tenants.end(), [order](const auto& left, const auto& right) {
    return std::pair(-SortValue(left, order), left.name()) < std::pair(-SortValue(right, order), right.name());
  });
  using Align = Table::Align;
  Table table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight, Align::kRight, Align::kRight,
               Align::kRight});
  table.AddRow({{"TENANT"}, {"LIVE"}, {"QUEUED"}, {"NODES/S"}, {"NODES"}, {"SEARCHES"}, {"PERFTS"}, {"REFUSED"}});
  for (const v1::TenantStatus& tenant : tenants) {
    table.AddRow({{tenant.name().empty() ? "(anonymous)" : tenant.name()},
                  {Number(tenant.live())},
                  {Number(tenant.queued())},
                  {Rounded(static_cast<double>(tenant.search_nodes_per_second()))},
                  {Rounded(static_cast<double>(tenant.search_nodes()))},
                  {Number(tenant.searches())},
                  {Number(tenant.perfts())},
                  {Number(RefusedOf(tenant))}});
  }
  lines.push_back({""});
  AddTable(table, lines);
}

void AddRefusals(const std::vector<ServerView>& servers, std::vector<TopLine>& lines) {
  std::map<std::string, std::int64_t> by_reason;
  for (const v1::TenantStatus& tenant : SumTenants(servers)) {
    for (const v1::Refusals& refusals : tenant.refusals()) by_reason[refusals.reason()] += refusals.count();
  }
  std::string words;
  for (const auto& [reason, count] : by_reason) {
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", reason, Number(count));
  }
  lines.push_back({"refused    " + (words.empty() ? "nothing" : words)});
}

void AddMethods(const v1::ServerStatus& status, std::vector<TopLine>& lines) {
  using Align = Table::Align;
  Table table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight});
  table.AddRow({{"METHOD"}, {"OPEN"}, {"ENDED"}, {"FAILED"}});
  for (const v1::MethodStatus& method : status.methods()) {
    if (method.open() + method.ended() == 0) continue;
    // The package goes without saying.
    const std::string& name = method.method();
    const std::size_t dot = name.rfind('.');
    table.AddRow({{dot == std::string::npos ? name : name.substr(dot + 1)},
                  {Number(method.open())},
                  {Number(method.ended())},
                  {Number(method.failed())}});
  }
  lines.push_back({""});
  AddTable(table, lines);
}

std::string StoreText(const v1::StoreStatus& store) {
  const std::int64_t asked = store.hits() + store.misses();
  return fmt::format("{} results in {} of {}, {} of {} answered{}", Number(store.results()), Mebibytes(store.bytes()),
                     Mebibytes(store.max_bytes()), Number(store.hits()), Number(asked),
                     store.working() ? "" : "; it cannot be used now");
}

std::string JobsText(const v1::JobsStatus& jobs) {
  return fmt::format("{} running, {} queued; parts: {} run, {} wait{}, {} done, {} set aside{}", Number(jobs.running()),
                     Number(jobs.queued()), Number(jobs.running_parts()), Number(jobs.waiting_parts()),
                     Age("oldest", jobs.oldest_part()), Number(jobs.parts_done()), Number(jobs.parts_set_aside()),
                     jobs.working() ? "" : "; they cannot be kept now");
}

void AddServer(const ServerView& server, bool blocks, std::vector<TopLine>& lines) {
  const v1::ServerStatus& status = *server.status;
  const auto line = [&](const char* name, std::string text, Style style = Style::kPlain) {
    lines.push_back({fmt::format("{:<11}{}", name, text), style});
  };
  line("workers", fmt::format("{} of {} run", status.running_workers(), status.workers()));
  line("live", fmt::format("{} of {}{}", Number(status.live()), Number(status.max_live()),
                           Age("oldest", status.oldest_live())));
  line("queued", fmt::format("{} of {}{}", Number(status.queued()), Number(status.max_queued()),
                             Age("oldest", status.oldest_queued())));
  line("sessions", Number(status.sessions()));
  line("nodes/s", fmt::format("{:<9}{}", Rounded(static_cast<double>(status.search_nodes_per_second())),
                              Sparkline(server.rates, blocks)));
  line("table",
       fmt::format("{} {} of {} MiB", Bar(status.hashfull()), Percent(status.hashfull()), Number(status.hash_mb())));
  for (const v1::MemoryStatus& memory : status.memory()) {
    if (memory.name() != "requests") continue;
    line("memory", fmt::format("{} of {} for requests, {} resident", Mebibytes(memory.used_bytes()),
                               Mebibytes(memory.max_bytes()), Mebibytes(status.process().resident_bytes())));
  }
  const auto style_of = [](bool working) { return working ? Style::kPlain : Style::kAlert; };
  if (status.has_store()) line("store", StoreText(status.store()), style_of(status.store().working()));
  if (status.has_jobs()) line("jobs", JobsText(status.jobs()), style_of(status.jobs().working()));
  line("sockets", fmt::format("{} of {}, {} refused, {} cut off; {} of {} descriptors, {} threads",
                              Number(status.connections().open()), Number(status.connections().max()),
                              Number(status.connections().refused()), Number(status.connections().cut_off()),
                              Number(status.process().open_descriptors()), Number(status.process().max_descriptors()),
                              Number(status.process().threads())));
}

void AddServers(const std::vector<ServerView>& servers, bool blocks, std::vector<TopLine>& lines) {
  using Align = Table::Align;
  Table table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight, Align::kRight});
  table.AddRow({{"SERVER"}, {"WORKERS"}, {"LIVE"}, {"QUEUED"}, {"NODES/S"}, {"TABLE"}});
  for (const ServerView& server : servers) {
    if (!server.status.has_value()) {
      table.AddRow({{server.address}});
      continue;
    }
    const v1::ServerStatus& status = *server.status;
    table.AddRow({{server.address},
                  {fmt::format("{}/{}", status.running_workers(), status.workers())},
                  {Number(status.live())},
                  {Number(status.queued())},
                  {Rounded(static_cast<double>(status.search_nodes_per_second()))},
                  {Percent(status.hashfull())}});
  }
  AddTable(table, lines);
  for (const ServerView& server : servers) {
    if (server.rates.size() > 1)
      lines.push_back({fmt::format("{}  {}", server.address, Sparkline(server.rates, blocks))});
  }
}

}  // namespace

void ServerView::Update(const v1::ServerStatus& now) {
  status = now;
  error.clear();
  rates.push_back(now.search_nodes_per_second());
  if (rates.size() > kMaxRates) rates.pop_front();
}

TopOrder NextOrder(TopOrder order) {
  return order == TopOrder::kName ? TopOrder::kRate : static_cast<TopOrder>(static_cast<int>(order) + 1);
}

const char* NameOf(TopOrder order) {
  static constexpr std::array<const char*, 5> kNames{"nodes/s", "live", "queued", "refused", "name"};
  return kNames[static_cast<std::size_t>(order)];
}

std::string Sparkline(const std::deque<std::int64_t>& numbers, bool blocks) {
  static constexpr std::array<const char*, 9> kBlocks{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  static constexpr std::array<const char*, 9> kAscii{" ", ".", ":", "-", "=", "+", "*", "%", "#"};
  const std::int64_t max = numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
  std::string line;
  for (const std::int64_t number : numbers) {
    // What is more than nothing is seen.
    const std::int64_t level = number <= 0 ? 0 : std::max<std::int64_t>(1, number * 8 / max);
    line += (blocks ? kBlocks : kAscii)[static_cast<std::size_t>(level)];
  }
  return line;
}

std::vector<TopLine> TopLines(const std::vector<ServerView>& servers, TopOrder order, bool blocks) {
  std::vector<TopLine> lines;
  if (servers.size() == 1) {
    const ServerView& server = servers.front();
    std::string title = server.address;
    if (server.status.has_value()) {
      title += fmt::format("  {}, up for {}", server.status->version(), Rounded(FromProto(server.status->uptime())));
    }
    lines.push_back({std::move(title), Style::kHeading});
  }
  for (const ServerView& server : servers) {
    if (!server.error.empty()) lines.push_back({server.error, Style::kAlert});
  }
  const bool anything =
      std::any_of(servers.begin(), servers.end(), [](const ServerView& server) { return server.status.has_value(); });
  if (!anything) return lines;
  if (servers.size() == 1) {
    AddServer(servers.front(), blocks, lines);
  } else {
    AddServers(servers, blocks, lines);
  }
  AddRefusals(servers, lines);
  AddTenants(servers, order, lines);
  if (servers.size() == 1) AddMethods(*servers.front().status, lines);
  return lines;
}

}  // namespace kibitz::client
