// SPDX-License-Identifier: Apache-2.0
#include "validator/rules_diff/chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "validator/rules_diff/comparison_text.h"
#include "validator/text/chart_ticks.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

constexpr double kWidth = 760;
constexpr double kHeight = 270;
constexpr double kTop = 14;
constexpr double kRight = 14;
constexpr double kBottom = 58;  // ticks, axis title
constexpr double kCharacter = 7.3;
constexpr std::size_t kMostLanes = 8;
constexpr std::size_t kLongestLabel = 22;

std::string Fixed(double number, int digits = 1) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, number);
  return text.data();
}

// Nanoseconds as a number of some unit.
struct TimeUnit {
  const char* name;
  double nanoseconds;
};
TimeUnit UnitFor(double span) {
  constexpr TimeUnit kUnits[] = {{"days", 86400e9}, {"hours", 3600e9}, {"minutes", 60e9},
                                 {"seconds", 1e9},  {"ms", 1e6},       {"microseconds", 1e3}};
  for (const TimeUnit& unit : kUnits) {
    if (span >= 4 * unit.nanoseconds) return unit;
  }
  return {"ns", 1};
}

class Chart {
 public:
  Chart(const DifferingSeries& series, const ComparisonReport& report, std::size_t id,
        std::ostream& out)
      : series_(series), curves_(*series.curves), report_(report), id_(id), out_(out) {
    numeric_ = IsNumeric(series.name.descriptor.type);
    numeric_ ? FindRange() : FindLanes();
    const double span = Offset(curves_.to) - Offset(curves_.from);
    unit_ = UnitFor(span);
    from_ = Offset(curves_.from);
    to_ = span > 0 ? Offset(curves_.to) : from_ + 1;
  }

  void Write() {
    std::size_t longest = 3;
    for (const ChartTick& tick : ticks_) longest = std::max(longest, Columns(tick.label));
    left_ = 26 + kCharacter * static_cast<double>(longest);
    out_ << "<svg viewBox=\"0 0 " << Fixed(kWidth, 0) << ' ' << Fixed(kHeight, 0)
         << "\" role=\"img\" aria-labelledby=\"chart-" << id_ << "\">\n<title id=\"chart-" << id_
         << "\">" << Markup(SeriesText(series_.name)) << " under " << Markup(report_.baseline.name)
         << " and " << Markup(report_.candidate.name) << "</title>\n";
    WriteAxes();
    WriteMarks();
    WriteGaps(curves_.baseline, "baseline", 3);
    WriteGaps(curves_.candidate, "candidate", 8);
    WriteCurve(curves_.baseline, "baseline");
    WriteCurve(curves_.candidate, "candidate");
    WriteCompared();
    WriteObservations();
    out_ << "</svg>\n";
  }

 private:
  double Offset(Timestamp time) const {
    return static_cast<double>(NanosecondsBetween(series_.worst, time));
  }
  double X(Timestamp time) const {
    return left_ + (Offset(time) - from_) / (to_ - from_) * (kWidth - kRight - left_);
  }
  double Y(long double value) const {
    const auto part = static_cast<double>((value - low_) / (high_ - low_));
    return kHeight - kBottom - part * (kHeight - kBottom - kTop);
  }

  // Where a value stands on the vertical axis; nothing if it cannot be drawn.
  std::optional<double> Height(double number, const std::string& text) const {
    if (numeric_) return std::isfinite(number) ? std::optional(number) : std::nullopt;
    const auto lane = std::ranges::find(lanes_, text);
    return static_cast<double>(lane == lanes_.end() ? kMostLanes : lane - lanes_.begin());
  }
  std::optional<double> Height(const CurvePoint& point) const {
    if (point.kind != RuleAnswer::Kind::kValue) return std::nullopt;
    return Height(point.number, point.text);
  }

  void FindRange() {
    bool any = false;
    const auto add = [&](long double number) {
      if (!std::isfinite(number)) return;
      low_ = any ? std::min(low_, number) : number;
      high_ = any ? std::max(high_, number) : number;
      any = true;
    };
    for (const auto* curve : {&curves_.baseline, &curves_.candidate}) {
      for (const CurvePoint& point : *curve) {
        if (point.kind == RuleAnswer::Kind::kValue) add(point.number);
      }
    }
    for (const SeenRecord& record : curves_.records) {
      if (record.kind == replay::Bound::Kind::kValue) add(record.number);
    }
    const long double larger = std::max(std::abs(low_), std::abs(high_));
    long double margin = (high_ - low_) * 0.08L;
    if (!(margin > larger * 1e-15L)) margin = larger > 0 ? larger * 0.05L : 1;
    low_ -= margin;
    high_ += margin;
    ticks_ = ChartTicks(low_, high_);
  }

  // A line for each content.
  void FindLanes() {
    const auto add = [this](const std::string& text) {
      if (std::ranges::count(lanes_, text) == 0 && lanes_.size() < kMostLanes) {
        lanes_.push_back(text);
      } else if (std::ranges::count(lanes_, text) == 0) {
        others_ = true;
      }
    };
    for (const SeenRecord& record : curves_.records) {
      if (record.kind == replay::Bound::Kind::kValue) add(record.text);
    }
    for (const auto* curve : {&curves_.baseline, &curves_.candidate}) {
      for (const CurvePoint& point : *curve) {
        if (point.kind == RuleAnswer::Kind::kValue) add(point.text);
      }
    }
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      ticks_.push_back({static_cast<long double>(i), LaneText(lanes_[i])});
    }
    if (others_) ticks_.push_back({static_cast<long double>(kMostLanes), "others"});
    low_ = -0.5L;
    high_ = std::max(1.0L, static_cast<long double>(ticks_.size())) - 0.5L;
  }

  std::string LaneText(const std::string& text) const {
    const RuleAnswer answer{RuleAnswer::Kind::kValue, text, {}, {}};
    const std::string shown = Displayable(AnswerText(answer, series_.name.descriptor.type));
    if (Columns(shown) <= kLongestLabel) return shown;
    std::size_t end = 0;
    for (std::size_t columns = 0; columns < kLongestLabel - 2; ++end) {
      columns += (static_cast<unsigned char>(shown[end]) & 0xc0) != 0x80 ? 1 : 0;
    }
    while (end < shown.size() && (static_cast<unsigned char>(shown[end]) & 0xc0) == 0x80) ++end;
    return shown.substr(0, end) + "..";
  }

  void Line(double x1, double y1, double x2, double y2, const char* style) {
    out_ << "<line class=\"" << style << "\" x1=\"" << Fixed(x1) << "\" y1=\"" << Fixed(y1)
         << "\" x2=\"" << Fixed(x2) << "\" y2=\"" << Fixed(y2) << "\"/>\n";
  }
  void Text(double x, double y, const char* anchor, const std::string& text,
            const std::string& more = "") {
    out_ << "<text x=\"" << Fixed(x) << "\" y=\"" << Fixed(y) << "\" text-anchor=\"" << anchor
         << "\"" << more << ">" << Markup(text) << "</text>\n";
  }

  void WriteAxes() {
    const double floor = kHeight - kBottom;
    for (const ChartTick& tick : ticks_) {
      Line(left_, Y(tick.at), kWidth - kRight, Y(tick.at), "grid");
      Text(left_ - 6, Y(tick.at) + 4, "end", tick.label);
    }
    for (const ChartTick& tick : ChartTicks(from_ / unit_.nanoseconds, to_ / unit_.nanoseconds)) {
      const double at = static_cast<double>(tick.at) * unit_.nanoseconds;
      const double x = left_ + (at - from_) / (to_ - from_) * (kWidth - kRight - left_);
      Line(x, floor, x, floor + 5, "axis");
      Text(x, floor + 20, "middle", tick.label);
    }
    Line(left_, floor, kWidth - kRight, floor, "axis");
    Line(left_, kTop, left_, floor, "axis");
    Text((left_ + kWidth - kRight) / 2, kHeight - 14, "middle",
         std::string(unit_.name) + " from " + ToIsoText(series_.worst));
    const std::string units = ToText(series_.name.descriptor.units);
    const std::string title = units.empty() ? (numeric_ ? "value" : "content") : units;
    const std::string middle = Fixed((kTop + floor) / 2);
    Text(12, (kTop + floor) / 2, "middle", title, " transform=\"rotate(-90 12 " + middle + ")\"");
  }

  void WriteMarks() {
    for (const SeenRecord& record : curves_.records) {
      if (record.kind == replay::Bound::Kind::kValue) continue;
      Line(X(record.time), kTop, X(record.time), kHeight - kBottom, "mark");
    }
  }

  // Where a rule has no value: a bar at the foot.
  void WriteGaps(const std::vector<CurvePoint>& curve, const char* style, double above) {
    const double y = kHeight - kBottom - above;
    for (std::size_t i = 0; i < curve.size();) {
      std::size_t end = i;
      while (end < curve.size() && curve[end].kind != RuleAnswer::Kind::kValue) ++end;
      if (end - i > 1) {
        out_ << "<line class=\"gap " << style << "\" x1=\"" << Fixed(X(curve[i].time)) << "\" y1=\""
             << Fixed(y) << "\" x2=\"" << Fixed(X(curve[end - 1].time)) << "\" y2=\"" << Fixed(y)
             << "\"/>\n";
      }
      i = end + 1;
    }
  }

  using Points = std::vector<std::pair<double, double>>;

  void WriteCurve(const std::vector<CurvePoint>& curve, const char* style) {
    out_ << "<path class=\"curve " << style << "\" d=\"";
    Points run;
    for (const CurvePoint& point : curve) {
      if (const auto height = Height(point)) {
        run.emplace_back(X(point.time), Y(*height));
      } else {
        WriteRun(std::exchange(run, {}));
      }
    }
    WriteRun(run);
    out_ << "\"/>\n";
  }

  // Without the points that lie on the line between their neighbours.
  void WriteRun(const Points& run) {
    if (run.empty()) return;
    const auto put = [this](char how, const std::pair<double, double>& point) {
      out_ << how << Fixed(point.first) << ' ' << Fixed(point.second);
    };
    put('M', run.front());
    std::pair<double, double> kept = run.front();
    for (std::size_t i = 1; i + 1 < run.size(); ++i) {
      const double part = (run[i].first - kept.first) / (run[i + 1].first - kept.first);
      const double straight = kept.second + part * (run[i + 1].second - kept.second);
      if (std::abs(straight - run[i].second) < 0.05) continue;
      put('L', run[i]);
      kept = run[i];
    }
    put('L', run.back());
  }

  void Circle(const char* style, Timestamp time, double height, const char* radius) {
    out_ << "<circle class=\"" << style << "\" cx=\"" << Fixed(X(time)) << "\" cy=\""
         << Fixed(Y(height)) << "\" r=\"" << radius << "\">";
  }

  void WriteObservations() {
    for (const SeenRecord& record : curves_.records) {
      if (record.kind != replay::Bound::Kind::kValue) continue;
      if (const auto height = Height(record.number, record.text)) {
        Circle("observation", record.time, *height, "3.5");
        out_ << "<title>" << Markup(record.text) << " recorded at " << ToIsoText(record.time)
             << "</title></circle>\n";
      }
    }
  }

  void WriteCompared() {
    for (std::size_t i = 0; i < curves_.baseline.size() && i < curves_.candidate.size(); ++i) {
      const CurvePoint& baseline = curves_.baseline[i];
      const CurvePoint& candidate = curves_.candidate[i];
      const bool same = baseline.kind == candidate.kind && baseline.text == candidate.text;
      if (!baseline.compared || same) continue;
      const auto from = Height(baseline);
      const auto to = Height(candidate);
      const double x = X(baseline.time);
      if (from && to) Line(x, Y(*from), x, Y(*to), "differs");
      WriteRing(report_.baseline.name, "ring baseline", baseline, from);
      WriteRing(report_.candidate.name, "ring candidate", candidate, to);
    }
  }

  void WriteRing(const std::string& profile, const char* style, const CurvePoint& point,
                 const std::optional<double>& height) {
    if (!height) return;
    Circle(style, point.time, *height, "5");
    out_ << "<title>" << Markup(profile) << ": " << Markup(point.text) << " at "
         << ToIsoText(point.time) << "</title></circle>\n";
  }

  const DifferingSeries& series_;
  const Curves& curves_;
  const ComparisonReport& report_;
  const std::size_t id_;
  std::ostream& out_;
  bool numeric_ = false;
  // Wider than the values: the difference of two doubles may be more than one holds.
  long double low_ = 0;
  long double high_ = 1;
  std::vector<ChartTick> ticks_;
  std::vector<std::string> lanes_;
  bool others_ = false;
  TimeUnit unit_{"", 1};
  double from_ = 0;  // nanoseconds from the place where they differ most
  double to_ = 1;
  double left_ = 0;
};

}  // namespace

void WriteChart(const DifferingSeries& series, const ComparisonReport& report, std::size_t id,
                std::ostream& out) {
  if (series.curves) Chart(series, report, id, out).Write();
}

}  // namespace pmproof::validator
