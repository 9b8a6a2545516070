// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_EVALUATE_FILTERS_H_
#define PMPROOF_REFERENCE_DERIVED_EVALUATE_FILTERS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reference/core/identifiers.h"
#include "reference/derived/operand_values.h"
#include "reference/derived/pattern.h"

// x[inst] and matchinst() (DER-1113..1115).

namespace pmproof::derived {

// DER-1113. A value.
class InstanceFilter {
 public:
  explicit InstanceFilter(std::string_view name) : name_(name) {}

  void Take(std::span<const Pair> pairs, Indom indom, const FetchedOperands& operands,
            std::vector<Pair>* result);

 private:
  std::string name_;
  std::optional<std::int32_t> found_;  // kept for good [Q]
};

// DER-1114. A value.
class MatchFilter {
 public:
  // `pattern` must outlive this. One that is none, which Parse() does not let pass, matches
  // nothing.
  MatchFilter(std::string_view pattern, bool inverted) : text_(pattern), inverted_(inverted) {}

  void Take(std::span<const Pair> pairs, Indom indom, const FetchedOperands& operands,
            std::vector<Pair>* result);

 private:
  struct Verdict {
    bool passes = false;
    bool seen = false;  // since verdicts were dropped last
  };

  std::optional<Pattern> Compiled() const;
  bool Passes(const Pattern& pattern, const std::string& name) const;
  void DropUnseen();

  std::string_view text_;
  bool inverted_;
  std::unordered_map<std::int32_t, Verdict> verdicts_;
  int evaluations_ = 0;
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_EVALUATE_FILTERS_H_
