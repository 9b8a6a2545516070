// SPDX-License-Identifier: Apache-2.0
#include "validator/tests/replay/naive_search.h"

#include <algorithm>
#include <tuple>
#include <variant>

#include "reference/core/bytes.h"

namespace pmproof::validator::testing {
namespace {

using Kind = NaiveBound::Kind;

// As it is written into a file of this version (ARC-003).
Timestamp Stored(Timestamp time, int version) {
  if (version == 2) time.nanoseconds -= time.nanoseconds % 1000;
  return time;
}

// The number or the text that a value is; nothing if its block has not the length of its type.
bool Read(const archive::ValueModel& value, MetricType type, NaiveBound* bound) {
  if (const auto* word = std::get_if<std::uint32_t>(&value.value)) {
    bound->insitu = true;
    bound->bits = *word;
    return true;
  }
  const std::string& payload = std::get<archive::BlockModel>(value.value).payload;
  if (!IsNumeric(type)) {
    bound->opaque = payload;
    return true;
  }
  if (payload.size() != NumericSize(type)) return false;
  for (const char byte : payload) bound->bits = bound->bits << 8 | static_cast<unsigned char>(byte);
  return true;
}

}  // namespace

NaiveSearch::NaiveSearch(const generators::ArchivePlan& plan) : plan_(plan) {
  for (const auto& [volume, results] : plan.volumes) {
    for (const archive::ResultModel& result : results) {
      records_.push_back({&result, Relative(Stored(result.time, plan.label.version))});
    }
  }
  for (const archive::MetaRecordModel& record : plan.meta) {
    if (const auto* desc = std::get_if<archive::DescModel>(&record)) {
      metrics_.emplace(desc->descriptor.pmid, desc->descriptor);
    }
  }
}

double NaiveSearch::Relative(Timestamp time) const {
  const Timestamp start = Stored(plan_.label.start, plan_.label.version);
  const long double nanoseconds = time.nanoseconds - start.nanoseconds;
  const long double seconds = static_cast<long double>(time.seconds - start.seconds);
  return static_cast<double>(seconds + nanoseconds / 1e9L);
}

std::vector<double> NaiveSearch::Marks() const {
  std::vector<double> marks;
  for (const Record& record : records_) {
    if (record.result->sets.empty()) marks.push_back(record.at);
  }
  return marks;
}

std::set<std::int32_t> NaiveSearch::Candidates(Pmid metric) const {
  const Indom indom = metrics_.at(metric).indom;
  if (indom.IsNull()) return {kInstanceNull};
  std::set<std::int32_t> all;
  for (const archive::MetaRecordModel& record : plan_.meta) {
    const auto* domain = std::get_if<archive::IndomModel>(&record);
    if (domain == nullptr || domain->indom != indom) continue;
    for (const archive::InstanceModel& instance : domain->instances) {
      if (instance.name) all.insert(instance.id);
    }
  }
  return all;
}

bool NaiveSearch::IsBeyondLife(Pmid metric, std::int32_t instance, double t) const {
  const Descriptor& descriptor = metrics_.at(metric);
  if (descriptor.indom.IsNull() || descriptor.semantics != Semantics::kDiscrete) return false;
  std::vector<const archive::IndomModel*> domains;
  for (const archive::MetaRecordModel& record : plan_.meta) {
    const auto* domain = std::get_if<archive::IndomModel>(&record);
    if (domain != nullptr && domain->indom == descriptor.indom) domains.push_back(domain);
  }
  std::ranges::stable_sort(domains, {}, &archive::IndomModel::time);
  bool large = false;
  std::optional<double> birth;
  std::optional<double> death;
  std::set<std::int32_t> present;
  for (const archive::IndomModel* domain : domains) {
    const bool was_there = present.contains(instance);
    if (!domain->delta) present.clear();
    for (const archive::InstanceModel& one : domain->instances) {
      if (one.name) {
        present.insert(one.id);
      } else {
        present.erase(one.id);
      }
    }
    large = large || present.size() >= 16;
    const double at = Relative(Stored(domain->time, plan_.label.version));
    if (present.contains(instance)) {
      if (!birth) birth = at;
      death.reset();
    } else if (was_there) {
      death = at;
    }
  }
  return large && ((birth && t < *birth) || (death && t > *death));
}

// `insitu`: how values of this metric were stored so far (INT-411).
std::optional<NaiveBound> NaiveSearch::EventOf(std::size_t record, const Descriptor& metric,
                                               std::int32_t instance,
                                               std::optional<bool>* insitu) const {
  const archive::ResultModel& result = *records_[record].result;
  NaiveBound event{Kind::kMark, records_[record].at, record, 0, {}, false};
  if (result.sets.empty()) return event;
  if (event.at < 0) return std::nullopt;  // INT-305
  std::optional<NaiveBound> found;
  for (const archive::ValueSetModel& set : result.sets) {
    if (set.pmid != metric.pmid || set.values.empty()) continue;
    const bool word = set.format == 0;
    const bool small = metric.type == MetricType::k32 || metric.type == MetricType::kU32;
    const bool fits = metric.type == MetricType::kFloat || word == small;
    if (!fits || insitu->value_or(word) != word) {
      event.kind = Kind::kRefused;
      found = event;
      continue;
    }
    *insitu = word;
    for (const archive::ValueModel& value : set.values) {
      if (!metric.indom.IsNull() && value.instance != instance) continue;
      NaiveBound one = event;  // INT-307: the last counts
      one.kind = Read(value, metric.type, &one) ? Kind::kValue : Kind::kRefused;
      found = one;
    }
  }
  return found;
}

const std::vector<NaiveBound>& NaiveSearch::Events(Pmid metric, std::int32_t instance) const {
  const auto [found, is_new] = events_.try_emplace({metric, instance});
  if (!is_new) return found->second;
  std::optional<bool> insitu;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const auto event = EventOf(i, metrics_.at(metric), instance, &insitu);
    if (event) found->second.push_back(*event);
  }
  return found->second;
}

NaiveBounds NaiveSearch::At(Pmid metric, std::int32_t instance, double t) const {
  const NaiveBound* prior = nullptr;
  const NaiveBound* next = nullptr;
  for (const NaiveBound& event : Events(metric, instance)) {
    if (event.at <= t && (prior == nullptr || event.at >= prior->at)) prior = &event;
    if (event.at > t && (next == nullptr || event.at < next->at)) next = &event;
  }
  if (prior != nullptr && prior->at == t) next = prior;
  return {prior == nullptr ? NaiveBound() : *prior, next == nullptr ? NaiveBound() : *next};
}

bool NaiveMemory::IsEndOfLog(double t) {
  if (exact_end_) return t < 0 || t > end_;
  if (t < -0.001) return true;
  if (t > known_end_ + 0.001) {
    known_end_ = end_;
    if (t > known_end_) return true;
  }
  return false;
}

bool NaiveMemory::LeavesOut(Pmid counter, double t) const {
  const auto had = had_values_.find(counter);
  if (!previous_ || had == had_values_.end() || !had->second) return false;
  return std::ranges::any_of(marks_, [&](double mark) {
    return (*previous_ < mark && mark <= t) || (t <= mark && mark < *previous_);
  });
}

void NaiveMemory::Forget() {
  previous_.reset();
  had_values_.clear();
}

}  // namespace pmproof::validator::testing
