// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_EXPRESSION_UNDEFINED_H_
#define PMPROOF_GENERATORS_EXPRESSION_UNDEFINED_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/core/clause.h"
#include "reference/derived/bind.h"
#include "reference/derived/dialect.h"
#include "reference/derived/evaluate.h"
#include "reference/derived/parse.h"

// What the specification of derived metrics marks [U]: PCP crashes, loops, or hands out memory that
// was never set. Nothing of it may be compared, and little of it even tried.

namespace pmproof::generators {

struct Undefined {
  // From where on PCP's answers mean nothing.
  enum class From : std::uint8_t { kText, kBinding, kValues };

  From from = From::kText;
  Clause clause{};
  std::string why{};
};

// "text", "binding", "values".
std::string_view ToText(Undefined::From from);

// Why the text must not even be registered: DER-214, 501, 609, MET-229.
std::optional<Undefined> UndefinedInText(std::string_view text, const derived::SyntaxError& error,
                                         const derived::Dialect& dialect);

// Why a definition must not be bound (DER-213, 610, 708), or what it binds to is undefined.
// `bound`: what it binds to in the reference; null if it does not.
std::optional<Undefined> UndefinedInBinding(const derived::Expression& expression,
                                            const derived::BoundExpression* bound,
                                            const derived::Dialect& dialect,
                                            const derived::OperandSource& operands,
                                            const derived::BindRequest& request);

// Why it must not be fetched, whatever the values of its operands are: DER-606, 818, 1115, 1139,
// 1155.
std::optional<Undefined> UndefinedInValues(const derived::BoundExpression& bound,
                                           const derived::Dialect& dialect);

// The first of the three that applies.
std::optional<Undefined> UndefinedIn(std::string_view text, const derived::Dialect& dialect,
                                     const derived::OperandSource& operands,
                                     const derived::BindRequest& request);

// What is undefined with some values only: DER-1119, 1120, 1139, 1153, 1154. Fed with each fetch
// that the metric takes part in. A resource: moved, not copied.
class ValueWatch {
 public:
  // `bound` must outlive this.
  ValueWatch(const derived::BoundExpression& bound, const derived::Dialect& dialect);

  void Take(const derived::FetchedOperands& operands);
  const std::optional<Undefined>& found() const { return found_; }
  // Nothing is undefined with any values.
  bool IsIdle() const { return watched_.empty(); }

 private:
  enum class Kind : std::uint8_t { kTernary, kOverTime, kExtreme, kScalar };
  struct Watched {
    Kind kind = Kind::kTernary;
    bool seen = false;                        // max, min: it had a value once
    std::vector<std::int32_t> instances{};    // delta, rate: of the constant, before
    bool in_history = false;                  // max, min: below delta() or rate()
    std::vector<derived::Evaluator> parts{};  // of functions: x; else guard, first, second
    bool first_is_novalue = false;
    bool second_is_novalue = false;
    MetricType guard_type = MetricType::k32;

    void AddPart(const derived::BoundExpression& bound, derived::NodeIndex root,
                 const derived::Dialect& dialect);
  };

  void WatchTernary(derived::NodeIndex i, const derived::BoundExpression& bound,
                    const derived::Dialect& dialect);
  void TakeTernary(Watched* watched, const derived::FetchedOperands& operands);
  void Find(Clause clause, std::string_view why);

  std::vector<Watched> watched_;
  std::optional<Undefined> found_;
};

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_EXPRESSION_UNDEFINED_H_
