// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_RUNTIME_LABEL_TABLE_H_
#define PMPROOF_REFERENCE_PMDA_RUNTIME_LABEL_TABLE_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/core/error_code.h"
#include "reference/core/identifiers.h"
#include "reference/core/metric.h"
#include "reference/pmda/pdu/label_pdus.h"

namespace pmproof::pmda {

// What a label set belongs to: identifiers without the domain number. A value.
struct LabelTarget {
  LabelClass label_class = LabelClass::kDomain;
  std::uint32_t identifier = 0;
  std::int32_t instance = kInstanceNull;

  static LabelTarget Domain() { return {}; }
  static LabelTarget Indom(std::uint32_t serial) { return {LabelClass::kIndom, serial}; }
  static LabelTarget Cluster(std::uint32_t cluster) { return {LabelClass::kCluster, cluster}; }
  static LabelTarget Item(std::uint32_t cluster, std::uint32_t item) {
    return {LabelClass::kItem, Pmid::Of(0, cluster, item).value};
  }
  static LabelTarget Instance(std::uint32_t serial, std::int32_t instance) {
    return {LabelClass::kInstances, serial, instance};
  }

  friend auto operator<=>(const LabelTarget&, const LabelTarget&) = default;
};

// Label sets as LABEL has them. A value.
class LabelTable {
 public:
  // JSON as a person writes it, brought into the form of PDU-077: sorted (unless there are labels
  // within labels), without blanks. An empty object takes the set away. Errors: kBadLabels,
  // kTooManyLabels (core/label_set.h).
  tl::expected<void, ErrorCode> Set(const LabelTarget& target, std::string_view json);

  // A set without labels if there is none (PDU-075). Holds until the target's labels change.
  pdu::LabelSet Find(const LabelTarget& target) const;

 private:
  struct Labels {
    std::string json{};
    std::vector<pdu::LabelEntry> index{};
  };
  std::map<LabelTarget, Labels> sets_;
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_RUNTIME_LABEL_TABLE_H_
