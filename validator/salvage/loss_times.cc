// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/loss_times.h"

#include <algorithm>
#include <cstddef>

namespace pmproof::validator {
namespace {

constexpr std::size_t kMostRecords = 65536;
constexpr std::size_t kMostSets = 64;  // of one metric

std::vector<TimeSpan> Joined(std::vector<TimeSpan> spans) {
  std::ranges::sort(spans);
  std::vector<TimeSpan> joined;
  for (const TimeSpan& span : spans) {
    if (!joined.empty() && span.from <= joined.back().until) {
      joined.back().until = std::max(joined.back().until, span.until);
    } else {
      joined.push_back(span);
    }
  }
  return joined;
}

}  // namespace

void Add(TimeSpan span, std::vector<TimeSpan>& ascending) {
  const auto first = std::ranges::lower_bound(ascending, span.from, {}, &TimeSpan::until);
  auto end = first;
  while (end != ascending.end() && end->from <= span.until) {
    span.from = std::min(span.from, end->from);
    span.until = std::max(span.until, end->until);
    ++end;
  }
  ascending.insert(ascending.erase(first, end), span);
}

void LossTimes::AddRecords(TimeSpan span) {
  Append({span.from.Normalised(), span.until.Normalised()}, kMostRecords, records_);
}

void LossTimes::AddSet(Pmid metric, Timestamp time) {
  Append({time.Normalised(), time.Normalised()}, kMostSets, sets_[metric]);
}

std::vector<TimeSpan> LossTimes::Records() const { return Joined(records_); }

std::map<Pmid, std::vector<TimeSpan>> LossTimes::Sets() const {
  std::map<Pmid, std::vector<TimeSpan>> sets;
  for (const auto& [metric, spans] : sets_) sets[metric] = Joined(spans);
  return sets;
}

void LossTimes::Append(TimeSpan span, std::size_t most, std::vector<TimeSpan>& spans) {
  spans.push_back(span);
  if (spans.size() <= most) return;
  spans = Joined(std::move(spans));
  if (spans.size() <= most / 2) return;
  std::vector<TimeSpan> pairs;
  for (std::size_t i = 0; i < spans.size(); i += 2) {
    pairs.push_back({spans[i].from, spans[std::min(i + 1, spans.size() - 1)].until});
  }
  spans = std::move(pairs);
}

}  // namespace pmproof::validator
