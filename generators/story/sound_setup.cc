// SPDX-License-Identifier: Apache-2.0
#include "generators/story/sound_setup.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

namespace pmproof::generators {
namespace {

constexpr std::uint32_t kPmcd = 2;       // the agent of the logger's metrics (ARC-590)
constexpr std::uint32_t kDynamic = 511;  // derived metrics and dynamic roots (ARC-310)
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kShortest = 2000;  // of intervals, in nanoseconds
constexpr std::int64_t kLongest = 86'400'000'000'000;
constexpr std::size_t kLongestName = 4095;  // ARC-1305

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// ARC-305.
bool IsMetricName(std::string_view name) {
  if (name.empty() || name.size() > kLongestName) return false;
  bool begins = true;
  for (const char c : name) {
    if (begins && !IsLetter(c)) return false;
    if (!begins && c != '.' && c != '_' && !IsLetter(c) && !IsDigit(c)) return false;
    begins = c == '.';
  }
  return !begins;
}

// Names that are taken: none of them is a proper prefix of another (ARC-1308, ARC-1309).
class NameSpace {
 public:
  bool Add(const std::string& name) {
    if (!IsMetricName(name) || names_.count(name) != 0) return false;
    for (std::size_t dot = name.find('.'); dot != std::string::npos;
         dot = name.find('.', dot + 1)) {
      if (names_.count(name.substr(0, dot)) != 0) return false;
    }
    const std::string below = name + ".";
    const auto next = names_.lower_bound(below);
    if (next != names_.end() && next->compare(0, below.size(), below) == 0) return false;
    names_.insert(name);
    return true;
  }

 private:
  std::set<std::string> names_;
};

// ARC-1320..1328.
bool AreSound(Units units) {
  const auto small = [](int dimension) { return dimension >= -2 && dimension <= 2; };
  return small(units.dim_space()) && small(units.dim_time()) && small(units.dim_count()) &&
         units.scale_space() <= (units.dim_space() != 0 ? 8U : 0U) &&
         units.scale_time() <= (units.dim_time() != 0 ? 5U : 0U) &&
         (units.dim_count() != 0 || units.scale_count() == 0) && units.extra_unit() == 0 &&
         units.extra_scale() == 0;
}

bool IsSound(MetricType type) {
  return IsNumeric(type) || IsEvent(type) || type == MetricType::kString ||
         type == MetricType::kAggregate;
}

std::string OneLine(std::string text) {
  return text.substr(0, std::min(text.find('\n'), text.find('\0')));
}
std::string UntilNul(std::string text) { return text.substr(0, text.find('\0')); }

LoggerRoles AddLogger(Setup& setup) {
  const LoggerRoles roles{setup.domains.size(), setup.metrics.size()};
  DomainSetup loggers;
  loggers.agent = kPmcd;
  loggers.serial = 1;
  loggers.stem = "";
  loggers.instances = {setup.pid};
  setup.domains.push_back(loggers);
  const auto add = [&](std::uint32_t cluster, std::uint32_t item, const char* name, MetricType type,
                       bool of_loggers) {
    MetricSetup metric;
    metric.agent = kPmcd;
    metric.cluster = cluster;
    metric.item = item;
    metric.name = name;
    metric.type = type;
    metric.semantics = Semantics::kDiscrete;
    if (of_loggers) metric.domain = roles.domain;
    setup.metrics.push_back(metric);
  };
  add(3, 3, "pmcd.pmlogger.host", MetricType::kString, true);
  add(3, 0, "pmcd.pmlogger.port", MetricType::kU32, true);
  add(3, 2, "pmcd.pmlogger.archive", MetricType::kString, true);
  add(0, 23, "pmcd.pid", MetricType::kU64, false);
  add(0, 24, "pmcd.seqnum", MetricType::kU32, false);
  return roles;
}

void SetClock(Setup& setup) {
  setup.interval = std::clamp(setup.interval, kShortest, kLongest);
  setup.start = setup.start.Normalised();
  if (setup.version != 2) return;
  setup.interval -= setup.interval % 1000;  // ARC-003
  setup.start.nanoseconds -= setup.start.nanoseconds % 1000;
  // There is room for a prologue, an epilogue, and a mark after that (ARC-504).
  constexpr std::int64_t kLast = std::numeric_limits<std::int32_t>::max();
  setup.start.seconds =
      std::clamp(setup.start.seconds, std::int64_t{0}, kLast - 3 * setup.interval / kSecond - 2);
}

}  // namespace

SoundSetup MakeSound(Setup setup) {
  SoundSetup sound;
  if (setup.version != 2) setup.version = 3;
  if (setup.version == 2) setup.zoneinfo.clear();
  if (setup.pid <= 0) setup.pid = 1;  // ARC-1221
  SetClock(setup);
  sound.logger = AddLogger(setup);
  sound.domain_usable.resize(setup.domains.size());
  sound.metrics.resize(setup.metrics.size());

  std::set<Indom> domains;
  std::set<Pmid> metrics;
  NameSpace names;
  // The logger comes first: nobody takes its places.
  const auto add_domain = [&](std::size_t place) {
    DomainSetup& domain = setup.domains[place];
    domain.one_line = OneLine(domain.one_line);
    domain.help = UntilNul(domain.help);
    std::erase_if(domain.instances, [](std::int32_t instance) { return instance < 0; });
    std::ranges::sort(domain.instances);
    // Not std::ranges: clang 14 does not compile that.
    domain.instances.erase(std::unique(domain.instances.begin(), domain.instances.end()),
                           domain.instances.end());
    if (domain.instances.empty()) domain.instances = {0};
    sound.domain_usable[place] = domain.agent < kDynamic && domain.serial <= 0x3fffff &&
                                 domains.insert(Indom::Of(domain.agent, domain.serial)).second;
  };
  const auto add_metric = [&](std::size_t place) {
    MetricSetup& metric = setup.metrics[place];
    metric.one_line = OneLine(metric.one_line);
    metric.help = UntilNul(metric.help);
    if (!AreSound(metric.units)) metric.units = Units{};
    if (metric.semantics == Semantics::kCounter && !IsNumeric(metric.type))
      metric.semantics = Semantics::kDiscrete;
    Indom indom;
    if (metric.domain) {
      if (*metric.domain >= setup.domains.size() || !sound.domain_usable[*metric.domain]) return;
      const DomainSetup& domain = setup.domains[*metric.domain];
      if (domain.agent != metric.agent) return;  // ARC-1319
      indom = Indom::Of(domain.agent, domain.serial);
    }
    const Pmid pmid = Pmid::Of(metric.agent, metric.cluster, metric.item);
    if (metric.agent >= kDynamic || metric.cluster > 0xfff || metric.item > 0x3ff ||
        !IsSound(metric.type) || metrics.count(pmid) != 0 || !names.Add(metric.name)) {
      return;
    }
    metrics.insert(pmid);
    MetricRole& role = sound.metrics[place];
    role.usable = true;
    role.desc = {{pmid, metric.type, indom, metric.semantics, metric.units}, {metric.name}};
    for (const std::string& alias : metric.aliases) {
      if (names.Add(alias)) role.desc.names.push_back(alias);
    }
  };
  add_domain(sound.logger.domain);
  for (std::size_t i = 0; i < kLoggerMetrics; ++i) add_metric(sound.logger.first_metric + i);
  for (std::size_t i = 0; i < sound.logger.domain; ++i) add_domain(i);
  for (std::size_t i = 0; i < sound.logger.first_metric; ++i) add_metric(i);
  sound.setup = std::move(setup);
  return sound;
}

}  // namespace pmproof::generators
