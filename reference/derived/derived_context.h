// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_DERIVED_CONTEXT_H_
#define PMPROOF_REFERENCE_DERIVED_DERIVED_CONTEXT_H_

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/derived/bind.h"
#include "reference/derived/registry.h"

namespace pmproof::derived {

// The derived metrics of one context: global ones, its own, and what they bind to there (DER-201,
// 205, 206, 1203). As an OperandSource it is the context with all its metrics.
class DerivedContext final : public OperandSource {
 public:
  // What a definition is in this context.
  using BoundMetric = tl::expected<BoundExpression, BindError>;

  // `base` answers for the metrics that are not derived; both must outlive this. Definitions may be
  // added to `global` later (DER-201). `missing_is_novalue`: DER-406.
  DerivedContext(const OperandSource& base, const Registry& global,
                 bool missing_is_novalue = false);

  // DER-206: for this context alone, bound at once. Nothing, or why not; what did not bind keeps
  // its name [Q]. Before 6.2.2 an unknown operand is not an error here.
  std::optional<RegistrationError> Add(std::string_view name, std::string_view text);
  // Of those added: DER-405.
  void set_limit(std::optional<std::size_t> limit) { own_.set_limit(limit); }

  // The definition that the name means here (DER-1203); null if there is none, or if a metric of
  // `base` has the name (DER-204).
  DefinitionPointer Definition(std::string_view name) const;
  // DER-1204.
  DefinitionPointer Definition(Pmid pmid) const;

  // Binds it if that was not done yet, and what it is an alias of; any number of definitions that
  // lean on each other, also in a circle. Null as Definition(). Holds until the name is
  // unregistered.
  const BoundMetric* Bind(std::string_view name);

  // `base`, then derived metrics; of those Bind() has not met the descriptor is not known.
  OperandAnswer Find(std::string_view name) const override;
  bool Equivalent(Indom left, Indom right) const override { return base_.Equivalent(left, right); }

 private:
  // A definition whose operands are being bound.
  struct Frame {
    DefinitionPointer definition;
    NodeIndex next = 0;
  };
  // A derived operand of the frame that is not bound yet; null if all are.
  DefinitionPointer NextUnbound(Frame* frame) const;
  const BoundMetric& BindWithOperands(const DefinitionPointer& definition);
  void BindNow(const derived::Definition& definition);
  bool IsOwn(const derived::Definition& definition) const;
  DefinitionPointer Derived(std::string_view name) const;

  const OperandSource& base_;
  const Registry& global_;
  Registry own_;
  bool missing_is_novalue_;
  std::map<Pmid, BoundMetric> bound_;
  std::set<Pmid> begun_;
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_DERIVED_CONTEXT_H_
