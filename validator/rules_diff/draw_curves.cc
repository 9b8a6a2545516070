// SPDX-License-Identifier: Apache-2.0
#include "validator/rules_diff/draw_curves.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "reference/replay/profiles.h"
#include "reference/replay/replay.h"
#include "validator/rules_diff/describe_answer.h"
#include "validator/rules_diff/profile_side.h"

namespace pmproof::validator {
namespace {

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
  CurveDrawing(const SideTask& task, std::size_t count, Comparison* comparison)
      : task_(task), series_(std::span(comparison->most).first(count)) {
    records_.resize(series_.size());
    for (std::size_t i = 0; i < series_.size(); ++i) {
      series_[i].curves.emplace();
      Frame(*comparison, i);
    }
  }

  std::optional<Status> Draw(Side& baseline, Side& candidate) {
    if (auto error = DrawOne(baseline, &Curves::baseline)) return error;
    if (auto error = DrawOne(candidate, &Curves::candidate)) return error;
    // What is recorded there, a side that is a rule has said meanwhile; else the reference does.
    const replay::Profile* known = candidate.profile();
    if (known == nullptr) known = baseline.profile();
    ProfileSide reference(known != nullptr ? *known : replay::Pcp632());
    if (known == nullptr) {
      if (auto error = reference.AnswerPoints(task_, requests_, NotingSink())) return error;
    }
    if (auto error = ReadContents(reference)) return error;
    if (auto error = FindMarks(**reference.profile())) return error;
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
    if (auto error =
            task_.archive.Walk(forward ? Virtual::kForward : Virtual::kReference, visitor)) {
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

  // Chooses what is shown of a series: the records on both sides of the place where it differs
  // most, and some beyond them.
  void Frame(const Comparison& comparison, std::size_t i) {
    const DifferingSeries& series = series_[i];
    const std::int64_t gap =
        std::clamp<std::int64_t>(NanosecondsBetween(series.from, series.to), 2, kLongest);
    const Timestamp first = task_.archive.origin().start();
    const Timestamp last =
        std::max(task_.archive.End().value_or(series.to).Normalised(), series.worst);
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
    PointsRequest& request = requests_.emplace_back(PointsRequest{series.name, {}});
    compared_.emplace_back();
    for (const auto& [time, compared] : times) {
      request.times.push_back(time);
      compared_.back().push_back(compared);
    }
  }

  PointSink NotingSink() {
    return [this](std::size_t i, std::size_t, const MetricAnswer* metric) {
      if (const InstanceAnswer* value = ValueOf(metric, i)) NoteBounds(i, *value);
    };
  }

  std::optional<Status> DrawOne(Side& side, std::vector<CurvePoint> Curves::*curve) {
    std::vector<bool> answered(series_.size(), false);
    for (std::size_t i = 0; i < series_.size(); ++i) {
      std::vector<CurvePoint>& points = (*series_[i].curves).*curve;
      points.resize(requests_[i].times.size());
      for (std::size_t at = 0; at < points.size(); ++at) {
        points[at].time = requests_[i].times[at];
        points[at].compared = compared_[i][at];
      }
    }
    const auto take = [&](std::size_t i, std::size_t at, const MetricAnswer* metric) {
      answered[i] = answered[i] || metric != nullptr;
      Fill(i, metric, &((*series_[i].curves).*curve)[at]);
    };
    if (auto error = side.AnswerPoints(task_, requests_, take)) return error;
    for (std::size_t i = 0; i < series_.size(); ++i) {
      if (!answered[i]) ((*series_[i].curves).*curve).clear();
    }
    return std::nullopt;
  }

  const InstanceAnswer* ValueOf(const MetricAnswer* metric, std::size_t i) const {
    if (metric == nullptr || metric->status != ErrorCode::kOk) return nullptr;
    const auto value =
        std::ranges::find(metric->values, series_[i].name.instance, &InstanceAnswer::instance);
    return value == metric->values.end() ? nullptr : &*value;
  }

  void Fill(std::size_t i, const MetricAnswer* metric, CurvePoint* point) {
    if (metric != nullptr && metric->status != ErrorCode::kOk) {
      point->kind = RuleAnswer::Kind::kError;
    }
    const InstanceAnswer* value = ValueOf(metric, i);
    if (value == nullptr) return;
    point->kind = RuleAnswer::Kind::kValue;
    point->number = NumberOf(value->value);
    point->text = ShownText(value->value);
    NoteBounds(i, *value);
  }

  void NoteBounds(std::size_t i, const InstanceAnswer& value) {
    if (!value.bounds) return;
    Note(i, value.bounds->prior);
    Note(i, value.bounds->next);
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
  std::optional<Status> ReadContents(Side& side) {
    std::vector<PointsRequest> requests;
    std::vector<std::vector<SeenRecord*>> wanted;
    for (std::size_t i = 0; i < series_.size(); ++i) {
      requests.push_back({series_[i].name, {}});
      wanted.emplace_back();
      for (auto& [number, record] : records_[i]) {
        if (record.kind != replay::Bound::Kind::kValue || !record.text.empty()) continue;
        requests[i].times.push_back(record.time);
        wanted[i].push_back(&record);
      }
    }
    return side.AnswerPoints(task_, requests,
                             [&](std::size_t i, std::size_t at, const MetricAnswer* metric) {
                               if (const InstanceAnswer* value = ValueOf(metric, i)) {
                                 wanted[i][at]->text = ShownText(value->value);
                               }
                             });
  }

  static constexpr std::int64_t kLongest = std::int64_t{1} << 60;  // some 36 years

  const SideTask& task_;
  std::span<DifferingSeries> series_;
  std::vector<PointsRequest> requests_;      // of each series
  std::vector<std::vector<bool>> compared_;  // whether it was compared at that time
  // Of each series: by time and number.
  std::vector<std::map<std::pair<Timestamp, std::uint64_t>, SeenRecord>> records_;
};

}  // namespace

std::optional<Status> DrawCurves(const SideTask& task, Side& baseline, Side& candidate,
                                 std::size_t count, Comparison* comparison) {
  count = std::min(count, comparison->most.size());
  if (count == 0) return std::nullopt;
  return CurveDrawing(task, count, comparison).Draw(baseline, candidate);
}

}  // namespace pmproof::validator
