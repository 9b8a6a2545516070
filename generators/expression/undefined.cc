// SPDX-License-Identifier: Apache-2.0
#include "generators/expression/undefined.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "reference/core/units_text.h"
#include "reference/derived/functions.h"

namespace pmproof::generators {
namespace {

using derived::BoundExpression;
using derived::BoundNode;
using derived::Dialect;
using derived::Expression;
using derived::Node;
using derived::NodeIndex;
using derived::NodeKind;
using From = Undefined::From;

bool IsNoValue(const BoundExpression& bound, NodeIndex i) {
  return bound.expression().nodes()[i].kind == NodeKind::kNoValue || bound.nodes()[i].novalue;
}

bool IsZero(const Value& value, MetricType type) {
  if (type == MetricType::kFloat) return value.AsFloat() == 0;
  if (type == MetricType::kDouble) return value.AsDouble() == 0;
  return value.bits == 0;
}

// x[inst]: the instance name stands right after the metric's: m[a], not (m)[a].
bool IsOfPlainName(const Expression& expression, NodeIndex filter) {
  const Node& metric = expression.nodes()[Expression::Right(filter)];
  if (metric.kind != NodeKind::kMetric) return false;
  const std::string_view behind =
      expression.source().substr(metric.text.begin + metric.text.length);
  const std::size_t next = behind.find_first_not_of(" \t\n\v\f\r");
  return next != std::string_view::npos && behind[next] == '[';
}

bool HasAny(const derived::Parameters& parameters) {
  return parameters.type || parameters.semantics || parameters.units || parameters.indom ||
         !parameters.meta.empty();
}

// DER-610: where novalue() with parameters is safe with 6.3.8.
bool IsSafeNoValue(const BoundExpression& bound, NodeIndex novalue) {
  const NodeIndex ternary = novalue + 1;  // if it is the second branch
  if (bound.expression().nodes()[ternary].kind != NodeKind::kTernary) return false;
  const NodeIndex first = bound.expression().Left(ternary);
  return !bound.nodes()[first].descriptor.indom.IsNull() &&
         bound.nodes()[ternary].in_play == BoundNode::Branches::kBoth;
}

// DER-1155.
std::optional<Undefined> UndefinedNoValue(const BoundExpression& bound, NodeIndex ternary) {
  if (bound.nodes()[ternary].in_play != BoundNode::Branches::kBoth) return std::nullopt;
  const NodeIndex second = Expression::Right(ternary);
  const NodeIndex first = bound.expression().Left(ternary);
  const auto is_set = [&](NodeIndex node) {
    return !bound.nodes()[node].descriptor.indom.IsNull();
  };
  const char* why = nullptr;
  if (IsNoValue(bound, first)) {
    if (!is_set(second)) why = "novalue() first, the second branch scalar";
    if (is_set(first)) why = "novalue() with a domain first";
  } else if (IsNoValue(bound, second) && is_set(second) && !is_set(first)) {
    why = "novalue() with a domain, the first branch scalar";
  }
  if (why == nullptr) return std::nullopt;
  return Undefined{From::kValues, "DER-1155"_clause, why};
}

std::optional<Undefined> UndefinedNode(const BoundExpression& bound, NodeIndex i,
                                       const Dialect& dialect) {
  const Expression& tree = bound.expression();
  const Node& node = tree.nodes()[i];
  const auto undefined = [](Clause clause, std::string why) {
    return Undefined{From::kValues, clause, std::move(why)};
  };
  if (derived::IsLeafKind(node.kind)) return std::nullopt;
  const NodeIndex x = Expression::Right(i);
  const Node& of = tree.nodes()[x];
  const MetricType type = bound.nodes()[x].descriptor.type;
  const bool text = type == MetricType::kString;
  if (node.kind == NodeKind::kInstance || node.kind == NodeKind::kMatch) {
    if (text) return undefined("DER-1115"_clause, "a filter of STRING");
    if (node.kind == NodeKind::kInstance && !dialect.lazy_binding && !IsOfPlainName(tree, i)) {
      return undefined("DER-606"_clause, "(expr)[inst]");
    }
  } else if (node.kind == NodeKind::kNot) {
    if (type == MetricType::k32 || type == MetricType::kU32) return std::nullopt;
    if (text) return undefined("DER-1115"_clause, "!STRING");
    return undefined("DER-818"_clause, "! of " + ToText(type));
  } else if (node.kind == NodeKind::kTernary) {
    if (bound.nodes()[i].descriptor.type == MetricType::kString) {
      return undefined("DER-1115"_clause, "a ternary of STRING");
    }
    return UndefinedNoValue(bound, i);
  } else if (derived::IsCallOf(node, "scalar")) {
    if (text && dialect.controls) return undefined("DER-1115"_clause, "scalar(STRING)");
  } else if (derived::IsOverTime(node)) {
    if (of.kind == NodeKind::kMatch) {
      return undefined("DER-1139"_clause, "delta, rate of matchinst()");
    }
    if (derived::IsCallOf(of, "instant")) {
      return undefined("DER-1139"_clause, "delta, rate of instant()");
    }
  }
  return std::nullopt;
}

// The last text in quotes that begins at `position` or before.
std::string_view QuotedUntil(std::string_view text, std::size_t position) {
  std::string_view last;
  for (std::size_t begin = text.find('"'); begin != std::string_view::npos && begin <= position;) {
    const std::size_t end = text.find('"', begin + 1);
    if (end == std::string_view::npos) break;
    last = text.substr(begin + 1, end - begin - 1);
    begin = text.find('"', end + 1);
  }
  return last;
}

// MET-229, of units that are none: after an extra unit stands, in the same part, what is not a
// unit; or "time-6" and the like.
bool LoopsInUnits(std::string_view units, PcpVersion version) {
  if (units.find("time-") != std::string_view::npos) return true;
  if (version != PcpVersion::k7_2) return false;
  for (std::size_t length = 1; length < units.size(); ++length) {
    const std::size_t next = units.find_first_not_of(" \t\n\v\f\r", length);
    if (next == std::string_view::npos || units[next] == '/') continue;
    const std::string_view front = units.substr(0, length);
    const std::string_view part = front.substr(front.rfind('/') + 1);
    const auto of_part = ParseUnits(part, version);
    if (of_part && of_part->units.extra_unit() != 0 && ParseUnits(front, version)) return true;
  }
  return false;
}

}  // namespace

std::string_view ToText(Undefined::From from) {
  return from == From::kText ? "text" : from == From::kBinding ? "binding" : "values";
}

std::optional<Undefined> UndefinedInText(std::string_view text, const derived::SyntaxError& error,
                                         const Dialect& dialect) {
  if (error.clause == "DER-609"_clause) {
    return Undefined{From::kText, error.clause, "anon() of another type"};
  }
  if (error.clause == "DER-645"_clause && dialect.lazy_binding) {
    return Undefined{From::kText, "DER-214"_clause, "novalue() twice in a ternary"};
  }
  const auto at = static_cast<std::size_t>(std::max<std::int64_t>(error.position, 0));
  if (error.clause == "DER-648"_clause && error.message.starts_with("Illegal units") &&
      LoopsInUnits(QuotedUntil(text, at), dialect.version)) {
    return Undefined{From::kText, "MET-229"_clause, "units with something after an extra unit"};
  }
  if (at < text.size() && (static_cast<unsigned char>(text[at]) >= 0x80 || text[at] == '\0')) {
    return Undefined{From::kText, "DER-501"_clause, "a byte that is not ASCII"};
  }
  return std::nullopt;
}

std::optional<Undefined> UndefinedInBinding(const Expression& expression,
                                            const BoundExpression* bound, const Dialect& dialect,
                                            const derived::OperandSource& operands,
                                            const derived::BindRequest& request) {
  const auto undefined = [](Clause clause, std::string why) {
    return Undefined{From::kBinding, clause, std::move(why)};
  };
  if (expression.nodes().size() == 1 && expression.nodes()[0].kind == NodeKind::kMetric &&
      expression.Text(NodeIndex{0}) == request.name) {
    return undefined("DER-213"_clause, "its own name");
  }
  for (NodeIndex i = 0; i <= expression.root(); ++i) {
    const Node& node = expression.nodes()[i];
    const derived::Parameters& parameters = expression.parameters(node);
    if (!parameters.meta.empty() && !parameters.type && !request.per_context) {
      const derived::OperandAnswer answer = operands.Find(parameters.meta);
      const bool known = answer.kind == derived::OperandAnswer::Kind::kMetric ||
                         answer.kind == derived::OperandAnswer::Kind::kDerived;
      if (known && !IsNumeric(answer.descriptor.type)) {
        return undefined("DER-708"_clause, "meta= of " + ToText(answer.descriptor.type));
      }
    }
    if (node.kind == NodeKind::kInstance && !dialect.lazy_binding && request.per_context &&
        !IsOfPlainName(expression, i)) {
      return undefined("DER-606"_clause, "(expr)[inst], added");
    }
    if (node.kind == NodeKind::kNoValue && HasAny(parameters) && dialect.lazy_binding &&
        !dialect.indom_parameter) {
      if (bound == nullptr || !IsSafeNoValue(*bound, i)) {
        return undefined("DER-610"_clause, "novalue() with parameters");
      }
    }
  }
  return std::nullopt;
}

std::optional<Undefined> UndefinedInValues(const BoundExpression& bound, const Dialect& dialect) {
  for (NodeIndex i = 0; i <= bound.expression().root(); ++i) {
    if (!bound.nodes()[i].bound) continue;
    if (auto found = UndefinedNode(bound, i, dialect)) return found;
  }
  return std::nullopt;
}

std::optional<Undefined> UndefinedIn(std::string_view text, const Dialect& dialect,
                                     const derived::OperandSource& operands,
                                     const derived::BindRequest& request) {
  auto parsed = derived::Parse(text, dialect);
  if (!parsed) return UndefinedInText(text, parsed.error(), dialect);
  const auto expression = std::make_shared<const Expression>(std::move(*parsed));
  const auto bound = derived::Bind(expression, dialect, operands, request);
  if (auto found =
          UndefinedInBinding(*expression, bound ? &*bound : nullptr, dialect, operands, request)) {
    return found;
  }
  return bound ? UndefinedInValues(*bound, dialect) : std::nullopt;
}

ValueWatch::ValueWatch(const BoundExpression& bound, const Dialect& dialect) {
  const Expression& tree = bound.expression();
  for (NodeIndex i = 0; i <= tree.root(); ++i) {
    const Node& node = tree.nodes()[i];
    if (!bound.nodes()[i].bound) continue;
    const bool over_time = derived::IsOverTime(node);
    const bool extreme = derived::IsCallOf(node, "max") || derived::IsCallOf(node, "min");
    const bool scalar = derived::IsCallOf(node, "scalar") && !dialect.lazy_binding;
    if (node.kind == NodeKind::kTernary) {
      WatchTernary(i, bound, dialect);
    } else if (over_time && derived::IsConstantKind(tree.nodes()[i - 1].kind) &&
               !bound.nodes()[i].descriptor.indom.IsNull()) {
      Watched watched;
      watched.kind = Kind::kOverTime;
      watched.AddPart(bound, Expression::Right(i), dialect);
      watched_.push_back(std::move(watched));
    } else if (extreme || scalar) {
      Watched watched;
      watched.kind = extreme ? Kind::kExtreme : Kind::kScalar;
      watched.in_history = i < tree.root() && derived::IsOverTime(tree.nodes()[i + 1]);
      watched.AddPart(bound, Expression::Right(i), dialect);
      watched_.push_back(std::move(watched));
    }
  }
}

void ValueWatch::WatchTernary(NodeIndex i, const BoundExpression& bound, const Dialect& dialect) {
  const Expression& tree = bound.expression();
  const NodeIndex second = Expression::Right(i);
  const NodeIndex first = tree.Left(i);
  const NodeIndex guard = tree.Guard(i);
  if (bound.nodes()[i].in_play != BoundNode::Branches::kBoth) return;
  Watched watched;
  watched.kind = Kind::kTernary;
  watched.first_is_novalue = IsNoValue(bound, first);
  watched.second_is_novalue = IsNoValue(bound, second);
  const auto is_set = [&](NodeIndex node) {
    return !bound.nodes()[node].descriptor.indom.IsNull();
  };
  const bool novalue = watched.first_is_novalue || watched.second_is_novalue;
  // With one set-valued branch the other has no more pairs than it; a guard that is scalar picks
  // novalue() for all or for none.
  if (novalue ? !is_set(guard) : !is_set(first) || !is_set(second)) return;
  watched.guard_type = bound.nodes()[guard].descriptor.type;
  for (const NodeIndex part : {guard, first, second}) watched.AddPart(bound, part, dialect);
  watched_.push_back(std::move(watched));
}

void ValueWatch::Watched::AddPart(const BoundExpression& bound, NodeIndex root,
                                  const Dialect& dialect) {
  parts.emplace_back(std::make_shared<const BoundExpression>(bound.Subtree(root)), dialect);
}

void ValueWatch::Take(const derived::FetchedOperands& operands) {
  for (Watched& watched : watched_) {
    if (watched.kind == Kind::kTernary) {
      TakeTernary(&watched, operands);
      continue;
    }
    const derived::ValueSet& values = watched.parts[0].Evaluate(operands);
    if (values.status != ErrorCode::kOk) continue;
    if (watched.kind == Kind::kOverTime) {
      std::vector<std::int32_t> instances;
      for (const derived::Pair& pair : values.pairs) instances.push_back(pair.instance);
      if (watched.seen && instances != watched.instances) {
        Find("DER-1139"_clause, "delta, rate of a constant whose domain changed");
      }
      watched.seen = true;
      watched.instances = std::move(instances);
    } else if (!values.pairs.empty()) {
      watched.seen = true;
    } else if (watched.kind == Kind::kScalar) {
      Find("DER-1120"_clause, "scalar() of no values");
    } else if (!watched.seen) {
      Find("DER-1119"_clause, "max, min of no values at first");
    } else if (watched.in_history) {
      Find("DER-1119"_clause, "delta, rate of max, min of no values");
    }
  }
}

void ValueWatch::TakeTernary(Watched* watched, const derived::FetchedOperands& operands) {
  const derived::ValueSet* sets[3];
  for (std::size_t i = 0; i < 3; ++i) {
    sets[i] = &watched->parts[i].Evaluate(operands);
    if (sets[i]->status != ErrorCode::kOk) return;
  }
  const auto& guard = sets[0]->pairs;
  const std::size_t first = sets[1]->pairs.size();
  const std::size_t second = sets[2]->pairs.size();
  if (guard.empty()) return;
  if (!watched->first_is_novalue && !watched->second_is_novalue) {
    if (first > 0 && first < second) Find("DER-1153"_clause, "fewer pairs in the first branch");
    return;
  }
  // DER-1154: which positions are left out.
  const std::size_t size = watched->first_is_novalue ? second : first;
  bool out = false;
  bool any_out = false;
  bool any_in_behind = false;
  for (std::size_t i = 0; i < size; ++i) {
    if (i < guard.size()) {
      const bool takes_first = !IsZero(guard[i].value, watched->guard_type);
      out = takes_first ? watched->first_is_novalue : watched->second_is_novalue;
    }
    any_out = any_out || out;
    any_in_behind = any_in_behind || (any_out && !out);
  }
  if (any_in_behind) Find("DER-1154"_clause, "novalue() before positions with values");
}

void ValueWatch::Find(Clause clause, std::string_view why) {
  if (!found_) found_ = Undefined{From::kValues, clause, std::string(why)};
}

}  // namespace pmproof::generators
