// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/functions.h"

#include <algorithm>
#include <iterator>

#include "reference/derived/evaluate_aggregates.h"
#include "reference/derived/evaluate_history.h"
#include "reference/derived/function_semantics.h"

namespace pmproof::derived {
namespace {

constexpr std::string_view kExpr = "<expr>";
constexpr auto kWhole = &Dialect::whole_language;

// A function with an Argument of its own has its NodeKind in place of `bind` and `evaluate`.
constexpr Function kTable[] = {
    {.name = "avg",
     .argument = Argument::kMetric,
     .expects = kMetricName,
     .bind = BindAverage,
     .evaluate = Average,
     .clause = "DER-1118"_clause},
    {.name = "count",
     .argument = Argument::kMetric,
     .expects = kMetricName,
     .bind = BindCount,
     .evaluate = Count,
     .clause = "DER-1116"_clause,
     .takes_errors = true},
    {.name = "max",
     .argument = Argument::kMetric,
     .expects = kMetricName,
     .bind = BindExtreme,
     .remember = RememberMaximum,
     .clause = "DER-1119"_clause},
    {.name = "min",
     .argument = Argument::kMetric,
     .expects = kMetricName,
     .bind = BindExtreme,
     .remember = RememberMinimum,
     .clause = "DER-1119"_clause},
    {.name = "sum",
     .argument = Argument::kMetric,
     .expects = kMetricName,
     .bind = BindSum,
     .evaluate = Sum,
     .clause = "DER-1117"_clause},
    {.name = "anon",
     .since = kWhole,
     .argument = Argument::kType,
     .expects = kMetricName,
     .clause = "DER-1104"_clause},
    {.name = "delta",
     .argument = Argument::kMetricOrExpression,
     .expects = kExpr,
     .bind = BindDelta,
     .remember = RememberDelta,
     .clause = "DER-1134"_clause,
     .over_time = true},
    {.name = "rate",
     .since = kWhole,
     .argument = Argument::kMetricOrExpression,
     .expects = kExpr,
     .bind = BindRate,
     .remember = RememberRate,
     .clause = "DER-1135"_clause,
     .over_time = true},
    // DER-638: the message asks for a metric where an expression may stand.
    {.name = "instant",
     .since = kWhole,
     .argument = Argument::kMetricOrExpression,
     .expects = kMetricName,
     .bind = BindInstant,
     .clause = "DER-1142"_clause},
    {.name = "mkconst",
     .since = kWhole,
     .argument = Argument::kConstant,
     .clause = "DER-1112"_clause},
    {.name = "rescale", .since = kWhole, .argument = Argument::kUnits, .clause = "DER-1161"_clause},
    {.name = "defined",
     .since = kWhole,
     .argument = Argument::kDefined,
     .clause = "DER-705"_clause},
    {.name = "matchinst",
     .since = kWhole,
     .argument = Argument::kPattern,
     .clause = "DER-1114"_clause},
    {.name = "scalar",
     .since = kWhole,
     .argument = Argument::kExpression,
     .expects = kExpr,
     .bind = BindScalar,
     .evaluate = First,
     .clause = "DER-1120"_clause},
    {.name = "novalue",
     .since = &Dialect::lazy_binding,
     .argument = Argument::kNoValue,
     .clause = "DER-1112"_clause},
};
static_assert(std::size(kTable) < Node::kNoFunction);

}  // namespace

constinit const std::span<const Function> kFunctions = kTable;

std::uint8_t FindFunction(std::string_view name) {
  const auto found = std::ranges::find(kTable, name, &Function::name);
  if (found == std::end(kTable)) return Node::kNoFunction;
  return static_cast<std::uint8_t>(found - std::begin(kTable));
}

}  // namespace pmproof::derived
