// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_COMPARE_VALUES_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_COMPARE_VALUES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "validator/tool_output/compare/compare.h"
#include "validator/tool_output/compare/same_value.h"

namespace pmproof::validator::compare {

// What is expected of the values, by metric and time, and what of it was found. A resource of its
// comparison.
class Comparison::Values {
 public:
  // `options` and `outcome` outlive it.
  Values(tool_output::Tool tool, const Options& options, Outcome* outcome)
      : tool_(tool), options_(options), outcome_(outcome) {}

  void Expect(tool_output::Record record);
  void ExpectedIsComplete();  // before the first Take()

  void Take(const tool_output::Record& actual);
  void Finish();

 private:
  struct Expected {
    tool_output::Record record;
    bool found = false;
  };
  // All that is expected of one metric, by time.
  struct Series {
    std::string metric;
    std::vector<Expected> answers;
    bool seen = false;
    bool empty = true;      // no answer has a value or an error
    bool timeless = false;  // the tool does not say when: one answer is enough
    std::size_t first = 0;  // then: the answers before this one were found or are empty
    bool rates = false;     // the answers are rates by now
  };

  Series* Find(const tool_output::Record& actual);
  Expected* FindAnswer(const tool_output::Record& actual, Series* series);
  void MakeRates(double factor, Series* series) const;
  void CompareItems(const tool_output::Record& actual, const tool_output::Record& expected);
  void CompareItem(const tool_output::Record& actual, const tool_output::Item& item,
                   const tool_output::Record& expected, const tool_output::Item& wanted);
  bool ShowsErrors() const;
  bool LeavesOutWhatHasNoValue() const;
  Difference Differ(const char* what, const tool_output::Record& actual) const;

  tool_output::Tool tool_;
  const Options& options_;
  Outcome* outcome_;
  std::vector<Series> series_;
  std::unordered_map<std::string, std::size_t> by_metric_;
  // By OUT-712's short form; more than one metric may have it.
  std::map<std::string, std::vector<std::size_t>> by_short_name_;
  std::unordered_set<std::string> unexpected_;
};

// OUT-712: "c.u32.a.byte" -> "c.u.a.byte".
std::string ShortName(const std::string& metric);

// A time without what stands after so many decimals of its second.
Timestamp CutTime(Timestamp time, unsigned digits);

// The instance's name, or its number where that is not known; empty for none.
std::string InstanceText(const tool_output::Item& item);

}  // namespace pmproof::validator::compare

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_COMPARE_VALUES_H_
