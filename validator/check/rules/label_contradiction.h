// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_LABEL_CONTRADICTION_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_LABEL_CONTRADICTION_H_

#include <vector>

#include "reference/archive/label_record.h"

namespace pmproof::validator {

// The label sets of the record that readers use, to hold against those of other records of the same
// class, identifier and time (ARC-1525). A view: the record's bytes outlive it.
class UsedLabels {
 public:
  explicit UsedLabels(const archive::LabelRecord& record);

  // Whether `other` gives a label of the same name another value for some instance. A label that
  // only one of the records has is not a contradiction.
  bool ContradictedBy(const archive::LabelRecord& other) const;

 private:
  std::vector<archive::LabelSet> sets_;  // by instance; of one instance the first is used
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_LABEL_CONTRADICTION_H_
