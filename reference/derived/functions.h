// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_FUNCTIONS_H_
#define PMPROOF_REFERENCE_DERIVED_FUNCTIONS_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "reference/core/clause.h"
#include "reference/core/error_code.h"
#include "reference/core/metric.h"
#include "reference/core/timestamp.h"
#include "reference/derived/dialect.h"
#include "reference/derived/expression.h"
#include "reference/derived/instance_index.h"
#include "reference/derived/operand_values.h"

// The functions of the language, as a table. Lexer, parser, binder, evaluator, messages and the
// generators of expressions take them from here: docs/howto/derived-function.md.

namespace pmproof::derived {

// Why operands do not fit, in PCP's words. Converts to false if they do.
struct Refusal {
  std::string_view message{};
  Clause clause{};

  explicit operator bool() const { return !message.empty(); }
};

// What stands between the parentheses (DER-601).
enum class Argument : std::uint8_t {
  kMetric,              // the name of a metric
  kMetricOrExpression,  // an expression; a name where Dialect::functions_of_expressions is false
  kExpression,
  // With a grammar and a NodeKind of their own.
  kDefined,   // defined(NAME)
  kType,      // anon(TYPE)
  kUnits,     // rescale(expression, "UNITS")
  kPattern,   // matchinst(/PATTERN/, expression)
  kConstant,  // mkconst(number, params)
  kNoValue,   // novalue(params)
};

// The operand that a function is applied to, once it is bound.
struct FunctionOperand {
  const Descriptor& descriptor;
  bool is_constant = false;
  bool keeps_pairs = true;  // from evaluation to evaluation (DER-1139)
};

// One evaluation of a function. The pairs have the type of the operand.
struct FunctionCall {
  std::span<const Pair> pairs;
  MetricType operand;
  MetricType result;
  Timestamp time;        // of the fetch
  InstanceIndex* index;  // for any use
};

// What a function remembers in one expression from evaluation to evaluation.
class FunctionMemory {
 public:
  virtual ~FunctionMemory() = default;
  // Replaces `result`, or returns an error.
  virtual ErrorCode Take(const FunctionCall& call, std::vector<Pair>* result) = 0;
  // The operand has an error in this evaluation (DER-1132).
  virtual void TakeError(ErrorCode, Timestamp) {}
};

inline constexpr std::string_view kMetricName = "Metric name";

struct Function {
  std::string_view name;
  // The property of the dialects that have it; null: all have it.
  bool Dialect::*since = nullptr;
  Argument argument = Argument::kExpression;
  // What an error in the argument says is expected: kMetricName (DER-638), "<expr>" (DER-639), or
  // nothing (DER-647).
  std::string_view expects{};
  // Sets what differs of `result`, which is the operand's descriptor without PMID (DER-803..810).
  Refusal (*bind)(const Descriptor& operand, const Dialect& dialect, Descriptor* result) = nullptr;
  // Appends to `result`, which is empty. Null, with `remember` null too: the operand's pairs.
  void (*evaluate)(const FunctionCall& call, std::vector<Pair>* result) = nullptr;
  // In place of `evaluate`.
  std::unique_ptr<FunctionMemory> (*remember)(const FunctionOperand& operand,
                                              const Dialect& dialect) = nullptr;
  Clause clause{};            // of its values
  bool over_time = false;     // of this evaluation and the previous one (DER-1131)
  bool takes_errors = false;  // an error of the operand counts as no pairs (DER-1116)

  bool IsIn(const Dialect& dialect) const { return since == nullptr || dialect.*since; }
};

extern const std::span<const Function> kFunctions;

// Returns the position in kFunctions, or Node::kNoFunction.
std::uint8_t FindFunction(std::string_view name);

// Requires a node that is written as a function: Node::function is set.
inline const Function& FunctionOf(const Node& node) { return kFunctions[node.function]; }
// True if `node` is a call of the function with this name.
inline bool IsCallOf(const Node& node, std::string_view name) {
  return node.function != Node::kNoFunction && FunctionOf(node).name == name;
}
// True of delta() and rate().
inline bool IsOverTime(const Node& node) {
  return node.function != Node::kNoFunction && FunctionOf(node).over_time;
}

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_FUNCTIONS_H_
