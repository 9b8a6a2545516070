// SPDX-License-Identifier: Apache-2.0
#include "validator/tests/replay/replayed.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <sstream>
#include <utility>

namespace pmproof::validator::testing {
namespace {

using replay::ReplayArchive;

// Of each of RapidCheck's cases, of which there are a hundred.
constexpr int kArchivesAtOnce = 20;

constexpr std::size_t kMostMemory = std::size_t{512} << 20;

GotMetric Copied(const replay::MetricAnswer& answer) {
  GotMetric metric{answer.pmid, answer.status, {}, {}};
  for (const replay::InstanceAnswer& value : answer.values) {
    metric.values.push_back({value.instance, value.value.type, value.value.insitu, value.value.bits,
                             std::string(AsText(value.value.opaque)), value.why});
    if (value.bounds) metric.bounds.push_back(*value.bounds);
  }
  return metric;
}

GotFetch Copied(const replay::FetchAnswer& answer) {
  GotFetch fetch{answer.time, answer.status, {}};
  for (const replay::MetricAnswer& metric : answer.metrics) fetch.metrics.push_back(Copied(metric));
  return fetch;
}

// Nothing if the memory is too little.
std::optional<std::vector<GotFetch>> Ask(const ReplayArchive& archive, const Asked& asked,
                                         const replay::Profile& profile) {
  replay::ReplayContext context(archive, asked.request, profile);
  std::vector<GotFetch> got;
  std::span<const Timestamp> rest(asked.times);
  for (std::size_t call = 0; !rest.empty(); ++call) {
    const std::size_t count =
        call < asked.calls.size() ? std::min(asked.calls[call], rest.size()) : rest.size();
    const auto error = context.Fetch(rest.first(count), [&](const replay::FetchAnswer& answer) {
      got.push_back(Copied(answer));
    });
    if (error && error->kind == Status::Kind::kBudget) return std::nullopt;
    if (error) {
      got.push_back({rest.front(), error->code, {}});
      break;
    }
    rest = rest.subspan(count);
  }
  return got;
}

}  // namespace

void OpenedArchive::Open(const std::vector<std::string>& names) {
  auto opened = ReplayArchive::Open(*storage, names);
  if (opened) {
    archive = *std::move(opened);
  } else {
    error = opened.error().ToText();
  }
}

OpenedArchive Open(const std::vector<generators::ArchivePlan>& plans) {
  OpenedArchive opened;
  std::vector<std::string> names;
  for (const generators::ArchivePlan& plan : plans) {
    names.push_back("dir/archive-" + std::to_string(names.size()));
    Encode(plan).Store(names.back(), opened.storage.get());
  }
  opened.Open(names);
  return opened;
}

std::vector<GotFetch> RealReplay(const ReplayArchive& archive, const Asked& asked,
                                 const replay::Profile& profile) {
  Asked again = asked;
  while (true) {
    if (auto got = Ask(archive, again, profile)) return *std::move(got);
    if (again.request.memory > kMostMemory) return {};
    again.request.memory = std::max<std::size_t>(again.request.memory, 1) * 4;
  }
}

std::vector<Pmid> AllMetrics(const ReplayArchive& archive) {
  std::vector<Pmid> metrics;
  for (const auto& [pmid, metric] : archive.metrics()) metrics.push_back(pmid);
  return metrics;
}

Asked AnyQuestion(const AnyArchive& archive, const ReplayArchive& opened,
                  generators::Random& random) {
  Asked asked;
  asked.request.metrics = AllMetrics(opened);
  if (random.Chance(1, 2)) {
    std::erase_if(asked.request.metrics, [&](Pmid) { return random.Chance(2, 3); });
  }
  if (asked.request.metrics.empty()) {
    asked.request.metrics.push_back(
        std::next(opened.metrics().begin(),
                  static_cast<std::ptrdiff_t>(random.Below(opened.metrics().size())))
            ->first);
  }
  asked.request.direction = random.Chance(1, 2) ? 1 : -1;
  asked.times = AnyTimes(archive, random,
                         static_cast<std::size_t>(random.Between(1, random.Chance(1, 2) ? 4 : 30)));
  return asked;
}

std::string ToText(const GotMetric& metric) {
  std::ostringstream text;
  text << ToText(metric.pmid) << " status " << static_cast<std::int32_t>(metric.status);
  for (const GotValue& value : metric.values) {
    text << " [" << value.instance << "] " << ToText(value.type)
         << (value.insitu ? " insitu " : " ") << std::hex << value.bits << std::dec << " "
         << value.opaque.size() << " bytes " << value.why.ToString();
  }
  for (const replay::Bounds& bounds : metric.bounds) {
    for (const replay::Bound& bound : {bounds.prior, bounds.next}) {
      text << " bound " << static_cast<int>(bound.kind) << " at " << bound.moment.at << " record "
           << bound.moment.record << " " << std::hex << bound.value.bits << std::dec;
    }
  }
  return text.str();
}

std::string ToText(const GotFetch& fetch) {
  std::string text =
      ToEpochText(fetch.time) + " status " + std::to_string(static_cast<int>(fetch.status)) + "\n";
  for (const GotMetric& metric : fetch.metrics) text += "  " + ToText(metric) + "\n";
  return text;
}

std::string Difference(const std::vector<GotFetch>& expected, const std::vector<GotFetch>& got) {
  for (std::size_t i = 0; i < std::min(expected.size(), got.size()); ++i) {
    if (expected[i] == got[i]) continue;
    return "fetch " + std::to_string(i) + "\nexpected " + ToText(expected[i]) + "got      " +
           ToText(got[i]);
  }
  if (expected.size() == got.size()) return "";
  return std::to_string(expected.size()) + " fetches expected, got " + std::to_string(got.size());
}

void HoldsUnder(const std::vector<replay::Profile>& profiles, const rc::Gen<AnyArchive>& archives,
                const Property& property) {
  const auto wrong = [&](const AnyArchive& archive, std::uint64_t seed) {
    for (const replay::Profile& profile : profiles) {
      const std::string what = property(archive, seed, profile, RealReplay);
      if (!what.empty()) return std::string(profile->name()) + ": " + what;
    }
    return std::string();
  };
  // Of several archives the first that is wrong, so that it alone is shrunk and shown.
  const auto seed = *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>());
  const rc::Gen<AnyArchive> worst = [&](const rc::Random& random, int size) {
    rc::Random seeds = random;
    for (int i = 1;; ++i) {
      auto archive = archives(rc::Random(seeds.next()), size);
      if (i == kArchivesAtOnce || !wrong(archive.value(), seed).empty()) return archive;
    }
  };
  const std::string what = wrong(*worst, seed);
  if (!what.empty()) RC_LOG() << what;
  RC_ASSERT(what.empty());
}

void Holds(const rc::Gen<AnyArchive>& archives, const Property& property) {
  HoldsUnder(replay::NamedProfiles(), archives, property);
}

bool IsCaught(const rc::Gen<AnyArchive>& archives, const Property& property, const Replay& replay,
              const std::vector<replay::Profile>& profiles) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const AnyArchive archive = archives(rc::Random(seed), 60).value();
    for (const replay::Profile& profile : profiles) {
      if (!property(archive, seed, profile, replay).empty()) return true;
    }
  }
  return false;
}

}  // namespace pmproof::validator::testing
