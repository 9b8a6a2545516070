// SPDX-License-Identifier: Apache-2.0
#include "validator/rules_diff/draw_curves.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "reference/replay/replay.h"
#include "validator/rules_diff/describe_answer.h"

namespace pmproof::validator {
namespace {

using replay::FetchAnswer;
using replay::InstanceAnswer;
using replay::MetricAnswer;

constexpr std::int64_t kPoints = 400;
constexpr std::size_t kMostRecords = 2000;
constexpr std::int64_t kMostCompared = 200;  // of the times at which the rules were compared

double NumberOf(const Value& value) {
  switch (value.type) {
    case MetricType::k32:
      return value.AsI32();
    case MetricType::kU32:
      return value.AsU32();
    case MetricType::k64:
      return static_cast<double>(value.AsI64());
    case MetricType::kU64:
      return static_cast<double>(value.AsU64());
    case MetricType::kFloat:
      return value.AsFloat();
    case MetricType::kDouble:
      return value.AsDouble();
    case MetricType::kNoSupport:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return 0;
}

// Finds the marks alone.
class MarkVisitor final : public replay::RecordVisitor {
 public:
  std::vector<replay::Moment> marks;

  bool OnFrame(const replay::RecordFrame& frame, const replay::ReplayArchive& archive) override {
    return !frame.MayBeMark() || frame.Deliver(archive, *this);
  }
  bool OnRecord(const archive::DataRecord&, const replay::Moment&,
                const replay::RecordPlace&) override {
    return true;
  }
  bool OnMark(const replay::Moment& moment, const replay::RecordPlace&) override {
    marks.push_back(moment);
    return true;
  }
  bool OnDamage(const replay::Moment&, const Status&) override { return true; }
};

class CurveDrawing {
 public:
  CurveDrawing(const replay::ReplayArchive& archive, std::size_t memory, std::size_t count,
               Comparison* comparison)
      : archive_(archive), memory_(memory), series_(std::span(comparison->most).first(count)) {
    records_.resize(series_.size());
    for (std::size_t i = 0; i < series_.size(); ++i) {
      series_[i].curves.emplace();
      Frame(*comparison, i);
    }
  }

  std::optional<Status> Draw(const replay::Profile& baseline, const replay::Profile& candidate) {
    if (auto error = DrawOne(baseline, &Curves::baseline)) return error;
    if (auto error = DrawOne(candidate, &Curves::candidate)) return error;
    if (auto error = ReadContents(baseline)) return error;
    if (auto error = FindMarks(*candidate)) return error;
    for (std::size_t i = 0; i < series_.size(); ++i) {
      for (auto& [number, record] : records_[i]) {
        series_[i].curves->records.push_back(std::move(record));
      }
    }
    return std::nullopt;
  }

 private:
  std::optional<Status> FindMarks(const replay::Rule& rule) {
    using Virtual = replay::ReplayArchive::VirtualMarks;
    MarkVisitor visitor;
    const bool forward = rule.traits().marks_by_direction;
    if (auto error = archive_.Walk(forward ? Virtual::kForward : Virtual::kReference, visitor)) {
      return error;
    }
    for (std::size_t i = 0; i < series_.size(); ++i) {
      const Curves& curves = *series_[i].curves;
      for (const replay::Moment& mark : visitor.marks) {
        const Timestamp time = mark.time.Normalised();
        if (time < curves.from || time > curves.to || records_[i].size() >= kMostRecords) continue;
        records_[i].try_emplace({mark.time, mark.record},
                                SeenRecord{time, replay::Bound::Kind::kMark, 0, {}});
      }
    }
    return std::nullopt;
  }

  // Who wants a time, and whether it is one at which the rules were compared.
  struct Wish {
    std::size_t series = 0;
    bool compared = false;
  };

  // Chooses what is shown of a series: the records on both sides of the place where it differs
  // most, and some beyond them.
  void Frame(const Comparison& comparison, std::size_t i) {
    const DifferingSeries& series = series_[i];
    const std::int64_t gap =
        std::clamp<std::int64_t>(NanosecondsBetween(series.from, series.to), 2, kLongest);
    const Timestamp first = archive_.origin().start();
    const Timestamp last = std::max(archive_.End().value_or(series.to).Normalised(), series.worst);
    Curves& curves = *series_[i].curves;
    curves.from = std::max(series.from + -(gap / 2 * 5), std::min(first, series.worst));
    curves.to = std::min(series.to + gap / 2 * 5, last);
    const std::int64_t span = NanosecondsBetween(curves.from, curves.to);
    std::map<Timestamp, bool> times;
    for (std::int64_t k = 0; k <= kPoints; ++k) {
      times[curves.from + span / kPoints * k + span % kPoints * k / kPoints] = false;
    }
    const std::int64_t before = NanosecondsBetween(curves.from, series.worst) / comparison.interval;
    const std::int64_t behind = NanosecondsBetween(series.worst, curves.to) / comparison.interval;
    for (std::int64_t k = -std::min(before, kMostCompared); k <= std::min(behind, kMostCompared);
         ++k) {
      const Timestamp time = series.worst + k * comparison.interval;
      if (time >= comparison.start && time <= comparison.finish) times[time] = true;
    }
    for (const auto& [time, compared] : times) wishes_[time].push_back({i, compared});
  }

  replay::ReplayRequest Request() const {
    replay::ReplayRequest request;
    request.seeks = true;
    request.reasons = true;
    request.memory = memory_;
    for (const DifferingSeries& series : series_) {
      const Descriptor& descriptor = series.name.descriptor;
      const std::int32_t instance[] = {series.name.instance};
      if (std::ranges::find(request.metrics, descriptor.pmid) == request.metrics.end()) {
        request.metrics.push_back(descriptor.pmid);
      }
      if (!descriptor.indom.IsNull()) request.instances.Add(descriptor.indom, instance);
    }
    return request;
  }

  std::optional<Status> DrawOne(const replay::Profile& profile,
                                std::vector<CurvePoint> Curves::*curve) {
    std::vector<Timestamp> times;
    for (const auto& [time, wishes] : wishes_) times.push_back(time);
    replay::ReplayContext context(archive_, Request(), profile);
    auto next = wishes_.begin();
    return context.Fetch(times, [&](const FetchAnswer& fetch) {
      for (const Wish& wish : next->second) {
        CurvePoint point = PointOf(fetch, wish.series);
        point.time = next->first;
        point.compared = wish.compared;
        (*series_[wish.series].curves.*curve).push_back(std::move(point));
      }
      ++next;
    });
  }

  CurvePoint PointOf(const FetchAnswer& fetch, std::size_t i) {
    const SeriesName& name = series_[i].name;
    CurvePoint point;
    if (fetch.status != ErrorCode::kOk) return point;
    const auto metric = std::ranges::find(fetch.metrics, name.descriptor.pmid, &MetricAnswer::pmid);
    if (metric->status != ErrorCode::kOk) {
      point.kind = RuleAnswer::Kind::kError;
      return point;
    }
    const auto value = std::ranges::find(metric->values, name.instance, &InstanceAnswer::instance);
    if (value == metric->values.end()) return point;
    point.kind = RuleAnswer::Kind::kValue;
    point.number = NumberOf(value->value);
    point.text = ShownText(value->value);
    if (value->bounds) {
      Note(i, value->bounds->prior);
      Note(i, value->bounds->next);
    }
    return point;
  }

  void Note(std::size_t i, const replay::Bound& bound) {
    if (!bound.IsValue()) return;
    const Timestamp time = bound.moment.time.Normalised();
    const Curves& curves = *series_[i].curves;
    if (time < curves.from || time > curves.to) return;
    SeenRecord record{time, bound.kind, NumberOf(bound.value), {}};
    if (IsNumeric(bound.value.type)) record.text = ShownText(bound.value);
    records_[i].try_emplace({bound.moment.time, bound.moment.record}, std::move(record));
  }

  // Bounds come without opaque values: at the time of an observation every rule answers it
  // (INT-501).
  std::optional<Status> ReadContents(const replay::Profile& profile) {
    std::map<Timestamp, std::vector<std::pair<std::size_t, SeenRecord*>>> wanted;
    for (std::size_t i = 0; i < series_.size(); ++i) {
      for (auto& [number, record] : records_[i]) {
        if (record.kind == replay::Bound::Kind::kValue && record.text.empty()) {
          wanted[record.time].emplace_back(i, &record);
        }
      }
    }
    if (wanted.empty()) return std::nullopt;
    std::vector<Timestamp> times;
    for (const auto& [time, records] : wanted) times.push_back(time);
    replay::ReplayContext context(archive_, Request(), profile);
    auto next = wanted.begin();
    return context.Fetch(times, [&](const FetchAnswer& fetch) {
      for (const auto& [series, record] : next->second) {
        record->text = PointOf(fetch, series).text;
      }
      ++next;
    });
  }

  static constexpr std::int64_t kLongest = std::int64_t{1} << 60;  // some 36 years

  const replay::ReplayArchive& archive_;
  const std::size_t memory_;
  std::span<DifferingSeries> series_;
  std::map<Timestamp, std::vector<Wish>> wishes_;
  // Of each series: by time and number.
  std::vector<std::map<std::pair<Timestamp, std::uint64_t>, SeenRecord>> records_;
};

}  // namespace

std::optional<Status> DrawCurves(const replay::ReplayArchive& archive,
                                 const replay::Profile& baseline, const replay::Profile& candidate,
                                 std::size_t memory, std::size_t count, Comparison* comparison) {
  count = std::min(count, comparison->most.size());
  if (count == 0) return std::nullopt;
  return CurveDrawing(archive, memory, count, comparison).Draw(baseline, candidate);
}

}  // namespace pmproof::validator
