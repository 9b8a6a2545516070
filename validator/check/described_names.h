// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_DESCRIBED_NAMES_H_
#define PMPROOF_VALIDATOR_CHECK_DESCRIBED_NAMES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "reference/archive/desc_record.h"
#include "reference/core/identifiers.h"

namespace pmproof::validator {

// The names of metrics, for reports. They are bounded: each finding has its own copy.
class DescribedNames {
 public:
  static constexpr std::size_t kMostNames = 4;    // of a metric
  static constexpr std::size_t kMostBytes = 255;  // of a name; longer ones are left out

  // `descs` outlive this.
  explicit DescribedNames(const std::vector<archive::DescRecord>& descs) : descs_(descs) {}

  // In the order of the file, none twice; nothing of a metric without a name. Time is logarithmic
  // in the number of descriptors, after the first call.
  std::vector<std::string> Of(Pmid metric) const;

 private:
  const std::vector<archive::DescRecord>& descs_;
  mutable std::vector<const archive::DescRecord*> by_metric_;  // made by the first call
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_DESCRIBED_NAMES_H_
