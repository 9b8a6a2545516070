// SPDX-License-Identifier: Apache-2.0
#include "validator/metrics/render_metrics.h"

#include <algorithm>
#include <array>

#include "reference/core/units_text.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

// Names longer than this do not move the columns of all others.
constexpr std::size_t kWidestName = 60;
constexpr PcpVersion kWords = PcpVersion::k7_2;

constexpr const char* kNoName = "(no name)";
using Row = std::array<std::string, 6>;

Row HeaderRow() { return {"name", "pmid", "type", "semantics", "units", "instances"}; }

Row RowOf(const ListedMetric& metric) {
  const Descriptor& descriptor = metric.descriptor;
  const std::string units = UnitsText(descriptor.units, kWords);
  return {metric.name.empty() ? kNoName : Displayable(metric.name),
          ToText(descriptor.pmid),
          ToText(descriptor.type),
          ToText(descriptor.semantics),
          units.empty() ? "none" : units,
          descriptor.indom.IsNull()
              ? "-"
              : std::to_string(metric.instances) + " of " + ToText(descriptor.indom)};
}

void Widen(const Row& row, std::array<std::size_t, 6>& widths) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::size_t columns = Columns(row[i]);
    if (i > 0 || columns <= kWidestName) widths[i] = std::max(widths[i], columns);
  }
}

std::string Line(const Row& row, const std::array<std::size_t, 6>& widths) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    line += row[i];
    if (i + 1 == row.size()) break;
    const std::size_t columns = Columns(row[i]);
    line += std::string(widths[i] > columns ? widths[i] - columns + 2 : 2, ' ');
  }
  return line;
}

}  // namespace

void RenderMetricsText(const MetricList& list, bool instances, const Screen& screen,
                       std::ostream& out) {
  std::array<std::size_t, 6> widths{};
  Widen(HeaderRow(), widths);
  for (const ListedMetric& metric : list.metrics) Widen(RowOf(metric), widths);
  out << Styled(screen, Style::kBold, Line(HeaderRow(), widths)) << '\n';
  for (const ListedMetric& metric : list.metrics) out << Line(RowOf(metric), widths) << '\n';
  if (!instances) return;
  for (const ListedDomain& domain : list.domains) {
    out << '\n' << Styled(screen, Style::kBold, "instances of " + ToText(domain.indom)) << '\n';
    for (const ListedInstance& instance : domain.instances) {
      out << "  " << instance.id << "  " << Displayable(instance.name) << '\n';
    }
  }
}

void RenderMetricsCsv(const MetricList& list, Formulas formulas, std::ostream& out) {
  out << "name,pmid,type,semantics,units,indom,instances\r\n";
  for (const ListedMetric& metric : list.metrics) {
    const Descriptor& descriptor = metric.descriptor;
    const bool has_domain = !descriptor.indom.IsNull();
    out << CsvField(metric.name, formulas) << ',' << ToText(descriptor.pmid) << ','
        << ToText(descriptor.type) << ',' << ToText(descriptor.semantics) << ','
        << CsvField(UnitsText(descriptor.units, kWords), formulas) << ','
        << (has_domain ? ToText(descriptor.indom) : "") << ','
        << (has_domain ? std::to_string(metric.instances) : "") << "\r\n";
  }
}

}  // namespace pmproof::validator
