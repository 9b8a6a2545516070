// SPDX-License-Identifier: Apache-2.0
#include "validator/agent_bench/line_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "validator/text/display.h"

namespace pmproof::validator::agent_bench {
namespace {

constexpr double kWidth = 760;
constexpr double kHeight = 270;
constexpr double kTop = 14;
constexpr double kRight = 24;
constexpr double kBottom = 48;  // ticks, axis title
constexpr double kCharacter = 7.3;

std::string Fixed(double number) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.1f", number);
  return text.data();
}

class Chart {
 public:
  Chart(const ChartAxis& x, const ChartAxis& y, std::ostream& out) : x_(x), y_(y), out_(out) {
    std::size_t longest = 3;
    for (const ChartTick& tick : y.ticks) longest = std::max(longest, Columns(tick.label));
    left_ = 26 + kCharacter * static_cast<double>(longest);
  }

  void Write(const std::string& title, const std::vector<ChartCurve>& curves, std::size_t id) {
    out_ << "<svg viewBox=\"0 0 " << Fixed(kWidth) << ' ' << Fixed(kHeight)
         << "\" role=\"img\" aria-labelledby=\"chart-" << id << "\">\n<title id=\"chart-" << id
         << "\">" << Markup(title) << "</title>\n";
    WriteAxes();
    for (const ChartCurve& curve : curves) WriteCurve(curve);
    out_ << "</svg>\n";
  }

 private:
  // Of 0 to 1.
  static double Part(const ChartAxis& axis, double value) {
    const double low = axis.logarithmic ? std::log(axis.low) : axis.low;
    const double high = axis.logarithmic ? std::log(axis.high) : axis.high;
    const double at = axis.logarithmic ? std::log(std::max(value, axis.low)) : value;
    return std::clamp((at - low) / (high - low), 0.0, 1.0);
  }
  double X(double value) const { return left_ + Part(x_, value) * (kWidth - kRight - left_); }
  double Y(double value) const {
    return kHeight - kBottom - Part(y_, value) * (kHeight - kBottom - kTop);
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
    for (const ChartTick& tick : y_.ticks) {
      const double y = Y(static_cast<double>(tick.at));
      Line(left_, y, kWidth - kRight, y, "grid");
      Text(left_ - 6, y + 4, "end", tick.label);
    }
    double free = left_ - 20;  // labels do not run into each other
    for (const ChartTick& tick : x_.ticks) {
      const double x = X(static_cast<double>(tick.at));
      Line(x, floor, x, floor + 5, "axis");
      const double half = kCharacter * static_cast<double>(Columns(tick.label)) / 2;
      if (x - half < free) continue;
      Text(x, floor + 19, "middle", tick.label);
      free = x + half + 6;
    }
    Line(left_, floor, kWidth - kRight, floor, "axis");
    Line(left_, kTop, left_, floor, "axis");
    Text((left_ + kWidth - kRight) / 2, kHeight - 8, "middle", x_.title);
    const std::string middle = Fixed((kTop + floor) / 2);
    Text(12, (kTop + floor) / 2, "middle", y_.title,
         " transform=\"rotate(-90 12 " + middle + ")\"");
  }

  void WriteCurve(const ChartCurve& curve) {
    const std::string style = "agent-" + std::to_string(curve.agent);
    out_ << "<path class=\"curve " << style << "\" d=\"";
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
      out_ << (i == 0 ? 'M' : 'L') << Fixed(X(curve.points[i].first)) << ' '
           << Fixed(Y(curve.points[i].second));
    }
    out_ << "\"><title>" << Markup(curve.name) << "</title></path>\n";
    if (!curve.dots) return;
    for (const auto& [x, y] : curve.points) {
      out_ << "<circle class=\"dot " << style << "\" cx=\"" << Fixed(X(x)) << "\" cy=\""
           << Fixed(Y(y)) << "\" r=\"4\"><title>" << Markup(curve.name) << "</title></circle>\n";
    }
  }

  const ChartAxis& x_;
  const ChartAxis& y_;
  std::ostream& out_;
  double left_ = 0;
};

}  // namespace

void WriteLineChart(const std::string& title, const ChartAxis& x, const ChartAxis& y,
                    const std::vector<ChartCurve>& curves, std::size_t id, std::ostream& out) {
  Chart(x, y, out).Write(title, curves, id);
}

}  // namespace pmproof::validator::agent_bench
