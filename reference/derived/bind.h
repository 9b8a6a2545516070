// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_BIND_H_
#define PMPROOF_REFERENCE_DERIVED_BIND_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/core/clause.h"
#include "reference/core/metric.h"
#include "reference/derived/dialect.h"
#include "reference/derived/expression.h"

// The static semantics (DER sections 7 and 8): what each node of an expression is in a context.

namespace pmproof::derived {

// What a context says of a name.
struct OperandAnswer {
  enum class Kind : std::uint8_t {
    kMissing,     // no such metric (DER-701)
    kMetric,      // one with values, or one that a logger derived (DER-702)
    kDerived,     // a derived metric of this context: `descriptor` is what it bound to
    kNoMetadata,  // DER-703, and a derived metric that did not bind (DER-710)
    kCircular,    // a derived metric that needs the one that is bound (DER-213)
  };

  Kind kind = Kind::kMissing;
  Descriptor descriptor{};
};

class OperandSource {
 public:
  virtual ~OperandSource() = default;
  virtual OperandAnswer Find(std::string_view name) const = 0;
  // DER-832: both listed as one set in the host's configuration. Not asked of equal domains.
  virtual bool Equivalent(Indom, Indom) const { return false; }
};

struct BindRequest {
  std::string_view name{};          // of the metric that is defined (DER-213); may be empty
  bool per_context = false;         // by an add call (DER-708)
  bool missing_is_novalue = false;  // OPTION_NOVALUE (DER-406); needs Dialect::controls
};

struct BindError {
  std::string where{};    // "<expr> + 5" (DER-709); empty where nothing in the tree is concerned
  std::string message{};  // as PCP words it (DER section 9)
  Clause clause{};
  NodeIndex node = 0;
};

// How one operand of + - * / comes to the common scale: (x / divisor) * multiplier (DER-851..854,
// 1505). A divisor of 0 occurs (DER-854).
struct Scaling {
  double divisor = 1;
  double multiplier = 1;

  friend bool operator==(const Scaling&, const Scaling&) = default;
};

struct BinaryScaling {
  Scaling left;
  Scaling right;
};

struct BoundNode {
  static constexpr std::uint32_t kNone = 0xffffffff;

  // DER-801..816, 841..846, 878. The identifier is that of the metric in a kMetric, else null.
  // An unknown metric has type 32, domain 0.0, semantics 0 (DER-704).
  Descriptor descriptor{};
  // kMetric: the index in operands(), or kNone: it never has values (DER-704; below defined()).
  // + - * /: the index in scalings(), or kNone: none is needed.
  std::uint32_t index = kNone;
  enum class Branches : std::uint8_t { kBoth, kFirst, kSecond };
  Branches in_play = Branches::kBoth;  // of a kTernary (DER-706)
  std::int8_t known =
      -1;  // DER-706: 0 or 1, or -1: known only when there are values. kDefined: the value
  bool bound = true;  // false: in a branch that is not in play; only for the loop to skip
  // DER-406: a kMetric that is novalue() with the default descriptor.
  bool novalue = false;
};

// A metric that has to be fetched (DER-1101). Each name is there once.
struct Operand {
  std::string_view name;  // in the expression
  Descriptor descriptor;
};

// The bound tree: node n of the expression is described by nodes()[n]. A value.
class BoundExpression {
 public:
  const Expression& expression() const { return *expression_; }
  const std::vector<BoundNode>& nodes() const { return nodes_; }
  // In the order of first use. Those of branches that are not in play are among them (DER-1103),
  // and derived ones, which are asked for and not computed (DER-702); those below defined() or in
  // meta= are not.
  const std::vector<Operand>& operands() const { return operands_; }
  const std::vector<BinaryScaling>& scalings() const { return scalings_; }

  // Of the whole; its identifier is null (DER-209: the derived metric has one of its own).
  const Descriptor& descriptor() const { return nodes_.back().descriptor; }
  // DER-702: the expression is the name of a derived metric; it never has values.
  bool IsDerivedAlias() const { return alias_; }

  // One of its subtrees as it is bound here: what is evaluated at that node. The operands stay
  // those of the whole, whose expression must outlive their names.
  BoundExpression Subtree(NodeIndex root) const;

 private:
  friend class Binder;

  std::shared_ptr<const Expression> expression_;
  std::vector<BoundNode> nodes_;
  std::vector<Operand> operands_;
  std::vector<BinaryScaling> scalings_;
  bool alias_ = false;
};

// Time and memory are linear in the expression, apart from what `source` takes.
tl::expected<BoundExpression, BindError> Bind(std::shared_ptr<const Expression> expression,
                                              const Dialect& dialect, const OperandSource& source,
                                              const BindRequest& request = {});

// "Semantic error: derived metric NAME: WHERE: MESSAGE" (DER-709).
std::string ToText(const BindError& error, std::string_view name);

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_BIND_H_
