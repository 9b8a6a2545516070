// SPDX-License-Identifier: Apache-2.0
#include "validator/against/metric_pairs.h"

#include <algorithm>
#include <string_view>

#include "reference/core/descriptor_text.h"
#include "reference/core/units_text.h"

namespace pmproof::validator::against {
namespace {

// Metrics that only values know: as many as a sound archive never has.
constexpr std::size_t kMostUndescribed = 100'000;

std::string UnitsShown(const Units& units) {
  std::string text = UnitsText(units, PcpVersion::k7_2);
  return text.empty() ? "none" : text;
}

Difference Subject(const MetricPair& pair) {
  Difference difference;
  difference.subject = pair.Name();
  difference.pmid = pair.pmid;
  return difference;
}

// ARC-655: 32-bit counters become 64-bit ones.
bool IsWidened(const Descriptor& was, const Descriptor& is) {
  return was.semantics == Semantics::kCounter &&
         ((was.type == MetricType::k32 && is.type == MetricType::k64) ||
          (was.type == MetricType::kU32 && is.type == MetricType::kU64));
}

void LogField(DifferenceLog& log, const MetricPair& pair, const char* field, std::string was,
              std::string is, bool by_reduction = false) {
  if (was == is) return;
  Difference& difference = log.Add(
      {Kind::kDescriptors, Change::kChanged, pair.pmid.value}, std::nullopt, std::nullopt,
      [&] { return Subject(pair); },
      [&] { return Example{.at = {}, .item = field, .was = std::move(was), .is = std::move(is)}; });
  difference.by_reduction = by_reduction && (difference.count == 1 || difference.by_reduction);
}

void LogNames(DifferenceLog& log, const MetricPair& pair, Change change,
              const std::set<std::string_view>& has, const std::set<std::string_view>& lacks) {
  for (const std::string_view name : has) {
    if (lacks.contains(name)) continue;
    log.Add(
        {Kind::kNames, change, pair.pmid.value}, std::nullopt, std::nullopt,
        [&] { return Subject(pair); },
        [&] {
          Example example;
          (change == Change::kLost ? example.was : example.is) = Shortened(name);
          return example;
        });
  }
}

void LogWhole(DifferenceLog& log, const MetricPair& pair, Change change) {
  Difference& difference = log.Add(
      {Kind::kMetrics, change, pair.pmid.value}, pair.first, pair.last,
      [&] { return Subject(pair); }, [] { return Example{}; });
  difference.count = change == Change::kLost ? pair.values : pair.values_instead;
  if (change == Change::kLost) difference.of = pair.values;
  difference.by_reduction = change == Change::kLost && pair.type() != MetricType::kString &&
                            pair.type() != MetricType::kUnknown && !IsNumeric(pair.type());
  difference.examples.clear();
}

}  // namespace

void Belongings::Note(std::uint32_t identifier, bool is_original, bool alone) {
  Use& use = uses_[identifier];
  (is_original ? use.original : use.replacement) = true;
  use.by_both = use.by_both || !alone;
}

bool Belongings::Remain(std::uint32_t identifier) const {
  const auto found = uses_.find(identifier);
  if (found == uses_.end()) return true;
  return found->second.by_both || (found->second.original && found->second.replacement);
}

std::string MetricPair::Name() const {
  for (const SideMetric* side : {original, replacement}) {
    if (side != nullptr && !side->names.empty()) return std::string(*side->names.begin());
  }
  return ToText(pmid);
}

MetricPairs::MetricPairs(const std::map<Pmid, SideMetric>& original,
                         const std::map<Pmid, SideMetric>& replacement) {
  Match(original, replacement);
  for (const auto& [pmid, metric] : original) {
    MetricPair& pair = pairs_[pmid];
    pair.pmid = pmid;
    pair.original = &metric;
  }
  for (const auto& [pmid, metric] : replacement) {
    MetricPair& pair = pairs_[InOriginal(pmid)];
    pair.pmid = InOriginal(pmid);
    pair.replacement = &metric;
  }
  for (const auto& [pmid, pair] : pairs_) retyped_ = retyped_ || pair.retyped();
  MatchIndoms();
  for (const auto& [pmid, pair] : pairs_) {
    const bool alone = pair.lost() || pair.added();
    for (const SideMetric* side : {pair.original, pair.replacement}) {
      if (side == nullptr) continue;
      const bool is_original = side == pair.original;
      const Pmid own = side->descriptor.pmid;
      const Indom indom = is_original ? side->descriptor.indom : InOriginal(side->descriptor.indom);
      metrics_.Note(pmid.value, is_original, alone);
      domains_.Note(own.domain(), is_original, alone);
      clusters_.Note(own.value & ~0x3ffU, is_original, alone);
      if (!indom.IsNull()) indoms_.Note(indom.value, is_original, alone);
    }
  }
}

void MetricPairs::MatchIndoms() {
  std::set<Indom> original;
  std::set<Indom> replacement;
  for (const auto& [pmid, pair] : pairs_) {
    if (pair.original != nullptr) original.insert(pair.original->descriptor.indom);
    if (pair.replacement != nullptr) replacement.insert(pair.replacement->descriptor.indom);
  }
  for (const auto& [pmid, pair] : pairs_) {
    if (pair.original == nullptr || pair.replacement == nullptr) continue;
    const Indom was = pair.original->descriptor.indom;
    const Indom is = pair.replacement->descriptor.indom;
    if (was.IsNull() || is.IsNull() || original.contains(is) || replacement.contains(was)) continue;
    renumbered_indoms_.emplace(is, was);
  }
}

void MetricPairs::Match(const std::map<Pmid, SideMetric>& original,
                        const std::map<Pmid, SideMetric>& replacement) {
  std::map<std::string_view, Pmid> names;  // of what is new
  for (const auto& [pmid, metric] : replacement) {
    if (original.contains(pmid)) continue;
    for (const std::string_view name : metric.names) names.emplace(name, pmid);
  }
  if (names.empty()) return;
  for (const auto& [pmid, metric] : original) {
    if (replacement.contains(pmid)) continue;
    for (const std::string_view name : metric.names) {
      const auto found = names.find(name);
      if (found != names.end() && renumbered_.emplace(found->second, pmid).second) break;
    }
  }
}

MetricPair* MetricPairs::Find(Pmid pmid) {
  const auto found = pairs_.find(pmid);
  if (found != pairs_.end()) return &found->second;
  if (++undescribed_ > kMostUndescribed) return nullptr;
  MetricPair& pair = pairs_[pmid];
  pair.pmid = pmid;
  return &pair;
}

void MetricPairs::Log(DifferenceLog& log) const {
  std::map<Pmid, Pmid> numbers;  // of the renumbered, from the original's
  for (const auto& [is, was] : renumbered_) numbers.emplace(was, is);
  for (const auto& [pmid, pair] : pairs_) {
    if (pair.lost()) LogWhole(log, pair, Change::kLost);
    if (pair.added()) LogWhole(log, pair, Change::kAdded);
    if (pair.original == nullptr || pair.replacement == nullptr) continue;
    if (const auto number = numbers.find(pmid); number != numbers.end()) {
      LogField(log, pair, "number", ToText(pmid), ToText(number->second));
    }
    const Descriptor& was = pair.original->descriptor;
    const Descriptor& is = pair.replacement->descriptor;
    LogField(log, pair, "type", ToText(was.type), ToText(is.type), IsWidened(was, is));
    LogField(log, pair, "semantics", ToText(was.semantics), ToText(is.semantics));
    LogField(log, pair, "instance domain", ToText(was.indom), ToText(is.indom));
    if (!(was.units == is.units)) {
      std::string before = UnitsShown(was.units);
      std::string after = UnitsShown(is.units);
      if (before == after) after += " (stored otherwise)";
      LogField(log, pair, "units", std::move(before), std::move(after));
    }
    LogNames(log, pair, Change::kLost, pair.original->names, pair.replacement->names);
    LogNames(log, pair, Change::kAdded, pair.replacement->names, pair.original->names);
  }
}

}  // namespace pmproof::validator::against
