// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_COMPARE_OTHER_RECORDS_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_COMPARE_OTHER_RECORDS_H_

#include <deque>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "validator/tool_output/compare/compare.h"

namespace pmproof::validator::compare {

// What is expected of records that are not values: each stands for itself by its kind and by what
// it is about, whatever their order. A resource of its comparison.
class Comparison::OtherRecords {
 public:
  // `options` and `outcome` outlive it.
  OtherRecords(tool_output::Tool tool, const Options& options, Outcome* outcome)
      : options_(options), outcome_(outcome) {
    // Of a sound archive it says nothing (OUT-826): no finding is expected then.
    if (tool == tool_output::Tool::kPmlogcheck) kinds_.insert("finding");
  }

  void Expect(tool_output::Record record);
  void Take(const tool_output::Record& actual);
  void Finish();

 private:
  void CompareRecords(const tool_output::Record& actual, const tool_output::Record& expected);
  void CompareItems(const tool_output::Record& actual, const tool_output::Record& expected,
                    const Difference& at);

  const Options& options_;
  Outcome* outcome_;
  std::set<std::string> kinds_;
  std::unordered_map<std::string, std::deque<tool_output::Record>> expected_;
  std::vector<std::string> order_;  // of the keys
};

}  // namespace pmproof::validator::compare

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_COMPARE_OTHER_RECORDS_H_
