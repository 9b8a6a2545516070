// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/answer_spans.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "reference/archive/instance_domain.h"

namespace pmproof::validator {
namespace {

using archive::IndomRecord;

constexpr Timestamp kBegin = TimeSpan::kBegin;
constexpr Timestamp kEnd = TimeSpan::kEnd;
// Of one metric. What is beyond is joined to the last one.
constexpr std::size_t kMostSpans = 16;

std::vector<TimeSpan> Always() { return std::vector<TimeSpan>(1); }

// When the instances of a domain are listed: one pass over its records, in the order of time.
class Lives {
 public:
  struct Life {
    Timestamp birth;
    std::optional<Timestamp> death;
    std::size_t full = 0;  // the last full record that has it, or that a delta adds it to
  };

  void Take(const IndomRecord& record) {
    const Timestamp time = record.time.Normalised();
    if (!record.delta) full_.push_back(time);
    for (std::uint32_t i = 0; i < record.count; ++i) {
      const std::int32_t id = record.Id(i);
      if (record.delta && record.NameOffset(i) < 0) {
        const auto found = lives_.find(id);
        if (found != lives_.end() && !found->second.death) found->second.death = time;
        continue;
      }
      Life& life = lives_.try_emplace(id, Life{time, std::nullopt, 0}).first->second;
      life.death.reset();
      life.full = full_.size();
    }
  }

  // What no delta took away ends with the first full record that does not have it.
  std::map<std::int32_t, Life> Ended() && {
    for (auto& [id, life] : lives_) {
      if (life.full == full_.size()) continue;
      const Timestamp next = full_[life.full];
      if (!life.death || next < *life.death) life.death = next;
    }
    return std::move(lives_);
  }

 private:
  std::map<std::int32_t, Life> lives_;
  std::vector<Timestamp> full_;
};

}  // namespace

AnswerSpans::AnswerSpans(const archive::Metadata& metadata, const MetricTable& table,
                         const LossTimes& lost, std::size_t budget)
    : table_(table), doubt_(lost.metadata), budget_(budget) {
  for (const archive::DescRecord& desc : metadata.descs) {
    const Descriptor& descriptor = desc.descriptor;
    Metric& metric = metrics_.try_emplace(descriptor.pmid).first->second;
    metric.descriptor = descriptor;
    if (descriptor.indom.IsNull()) continue;
    const auto [domain, is_new] = domains_.try_emplace(descriptor.indom);
    metric.domain = &domain->second;
    const archive::InstanceDomain* const records = table.FindDomain(descriptor.indom);
    if (!is_new || records == nullptr) continue;
    Lives lives;
    for (const auto& step : records->steps()) lives.Take(*step.record);
    for (const auto& [id, life] : std::move(lives).Ended()) {
      domain->second.places[id] = static_cast<std::uint32_t>(domain->second.instances.size());
      domain->second.instances.push_back({id, life.birth, life.death});
    }
  }
  std::vector<TimeSpan> holes = lost.Records();
  const bool descriptor_lost = doubt_.any_domain || !doubt_.metrics.empty();
  for (const auto& [pmid, spans] : lost.Sets()) {
    const auto metric = metrics_.find(pmid);
    const bool once = spans.size() == 1 && spans.front().from == spans.front().until;
    if (once && !(metric == metrics_.end() && descriptor_lost)) Add(spans.front(), holes);
    if (metric == metrics_.end()) {
      unknown_.push_back(pmid);
    } else {
      for (const TimeSpan& span : spans) metric->second.lost_sets.push_back({span});
    }
  }
  for (const TimeSpan& span : holes) holes_.push_back({span});
  for (const Pmid pmid : doubt_.metrics) {
    const bool told = std::ranges::find(unknown_, pmid) != unknown_.end();
    if (!told && !metrics_.contains(pmid)) unknown_.push_back(pmid);
  }
}

void AnswerSpans::Take(const archive::DataRecord& record) {
  const Timestamp time = record.time.Normalised();
  BeginHoles(time);
  if (record.IsMark()) {
    TakeMark(time);
    return;
  }
  time_ = time;
  record.ForEachSet([&](const archive::ValueSet& set) {
    if (set.numval() <= 0) return;
    const auto found = metrics_.find(set.pmid());
    if (found == metrics_.end() || found->second.dropped) return;
    Metric& metric = found->second;
    if (metric.last.empty() && !Allocate(metric)) return;
    while (metric.begun_sets < metric.lost_sets.size() &&
           metric.lost_sets[metric.begun_sets].span.from < time) {
      ++metric.begun_sets;
    }
    if (metric.domain == nullptr) {
      Observe(metric, 0, time);
      return;
    }
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < set.count(); ++i) {
      const std::int32_t id = set.Instance(i);
      const std::vector<Instance>& instances = metric.domain->instances;
      if (next >= instances.size() || instances[next].id != id) {
        const auto place = metric.domain->places.find(id);
        if (place == metric.domain->places.end()) continue;
        next = place->second;
      }
      Observe(metric, next++, time);
    }
  });
}

// One inside of a hole may be there in place of what is lost.
void AnswerSpans::TakeMark(Timestamp time) {
  if (begun_ > 0 && time <= holes_[begun_ - 1].span.until) return;
  mark_ = time;
  if (begun_ > 0 && !holes_[begun_ - 1].mark_after) holes_[begun_ - 1].mark_after = time;
}

void AnswerSpans::BeginHoles(Timestamp time) {
  for (; begun_ < holes_.size() && holes_[begun_].span.from < time; ++begun_) {
    holes_[begun_].mark_before = mark_;
  }
}

bool AnswerSpans::Allocate(Metric& metric) {
  const std::size_t count = metric.domain == nullptr ? 1 : metric.domain->instances.size();
  const std::size_t size = count * sizeof(Timestamp);
  metric.dropped = size > budget_;
  if (metric.dropped) return false;
  budget_ -= size;
  metric.last.resize(count, kBegin);
  return count > 0;
}

void AnswerSpans::Observe(Metric& metric, std::size_t place, Timestamp time) {
  Timestamp& last = metric.last[place];
  const auto close = [&](const std::vector<Hole>& holes, std::size_t begun) {
    if (begun == 0 || holes[begun - 1].span.until <= last) return;
    Close(metric, holes, begun, last,
          metric.domain == nullptr ? nullptr : &metric.domain->instances[place], time);
  };
  close(holes_, begun_);
  close(metric.lost_sets, metric.begun_sets);
  last = time;
}

// `begun` of the holes begin before the next value of the instance, or, without one, at all. `last`
// is the time of its last value, kBegin if it has none. `instance`: null of a metric without a
// domain, or for all of them.
void AnswerSpans::Close(Metric& metric, const std::vector<Hole>& holes, std::size_t begun,
                        Timestamp last, const Instance* instance, std::optional<Timestamp> next) {
  const bool known = last != kBegin;
  const bool discrete = metric.descriptor.semantics == Semantics::kDiscrete;
  auto end = holes.begin() + static_cast<std::ptrdiff_t>(begun);
  auto first = std::upper_bound(holes.begin(), end, last, [](Timestamp at, const Hole& hole) {
    return at < hole.span.until;
  });
  if (instance != nullptr && !known) {
    first = std::lower_bound(first, end, instance->birth, [](const Hole& hole, Timestamp birth) {
      return hole.span.until < birth;
    });
  }
  // A discrete value would have gone on even where its instance is gone (INT-403).
  const bool goes_on = next || (discrete && known);
  if (instance != nullptr && instance->death && !goes_on) {
    end = std::upper_bound(first, end, *instance->death, [](Timestamp death, const Hole& hole) {
      return death < hole.span.from;
    });
  }
  if (first == end) return;
  TimeSpan span{first->span.from, std::prev(end)->span.until};
  if (known) span.from = std::max(last, first->mark_before.value_or(last));
  const std::optional<Timestamp> mark = std::prev(end)->mark_after;
  if (next) {
    span.until = std::min(*next, mark.value_or(*next));
  } else if (discrete) {
    span.until = mark.value_or(kEnd);
  }
  if (&holes == &holes_ && LiesInHole(span)) return;
  Add(span, metric.spans);
  if (metric.spans.size() <= kMostSpans) return;
  const Timestamp until = metric.spans.back().until;
  metric.spans.pop_back();
  metric.spans.back().until = until;
}

bool AnswerSpans::LiesInHole(const TimeSpan& span) const {
  const auto hole = std::ranges::lower_bound(holes_, span.until, {},
                                             [](const Hole& each) { return each.span.until; });
  return hole != holes_.end() && hole->span.from <= span.from;
}

void AnswerSpans::CloseAtEnd(Metric& metric) {
  const bool any = !holes_.empty() || !metric.lost_sets.empty();
  const bool no_domain = metric.domain != nullptr && metric.domain->instances.empty();
  if (any && (metric.dropped || (no_domain && !metric.lost_sets.empty()))) {
    metric.spans = Always();
    return;
  }
  for (const std::vector<Hole>* holes : {&holes_, &metric.lost_sets}) {
    if (holes->empty()) continue;
    if (metric.last.empty()) Close(metric, *holes, holes->size(), kBegin, nullptr, std::nullopt);
    for (std::size_t i = 0; i < metric.last.size(); ++i) {
      if (holes->back().span.until <= metric.last[i]) continue;
      Close(metric, *holes, holes->size(), metric.last[i],
            metric.domain == nullptr ? nullptr : &metric.domain->instances[i], std::nullopt);
    }
  }
}

void AnswerSpans::Finish(bool ends_early, SalvageReport& report) {
  BeginHoles(kEnd);
  std::vector<TimeSpan> all;
  for (const Hole& hole : holes_) Add(hole.span, all);
  if (ends_early) Add({time_, kEnd}, all);
  std::map<TimeSpan, std::vector<std::size_t>> spans;
  const auto name = [&](Pmid pmid, const std::vector<TimeSpan>& of_metric) {
    if (of_metric.empty()) return;
    for (const TimeSpan& span : of_metric) spans[span].push_back(report.metrics.size());
    report.metrics.push_back(table_.Show(pmid));
  };
  std::vector<Pmid> known;
  for (const auto& [pmid, metric] : metrics_) known.push_back(pmid);
  std::ranges::sort(known);
  for (const Pmid pmid : known) {
    Metric& metric = metrics_.at(pmid);
    const bool domain_in_doubt =
        metric.domain != nullptr &&
        (doubt_.any_domain || doubt_.domains.contains(metric.descriptor.indom));
    if (domain_in_doubt || doubt_.metrics.contains(pmid)) {
      metric.spans = Always();
    } else {
      CloseAtEnd(metric);
    }
    name(pmid, metric.spans);
  }
  for (const Pmid pmid : unknown_) name(pmid, Always());
  const auto add = [&](const TimeSpan& span, std::vector<std::size_t> metrics) {
    AnswerSpan& answers = report.answers.emplace_back();
    if (span.from != kBegin) answers.from = span.from;
    if (span.until != kEnd) answers.until = span.until;
    answers.metrics = std::move(metrics);
  };
  for (const TimeSpan& span : all) add(span, {});
  for (auto& [span, metrics] : spans) add(span, std::move(metrics));
}

}  // namespace pmproof::validator
