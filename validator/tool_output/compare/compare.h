// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_COMPARE_COMPARE_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_COMPARE_COMPARE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/tool_output/parser.h"
#include "validator/tool_output/record.h"

// A tool's output against what it should say, by metric, instance and time.

namespace pmproof::validator::compare {

struct Options {
  double tolerance = 0;               // relative, beside what the tool rounded away
  std::vector<std::string> metrics;   // only these; empty: all
  std::vector<std::string> counters;  // pmrep prints these as rates (OUT-716)
};

// One thing that is not as expected. What does not apply is empty.
struct Difference {
  std::string what;      // "value", "missing value", "extra time", "error", ...: write_text.cc
  std::string metric;    // or "InDom 60.1" and the like for what belongs to no metric
  std::string instance;  // its name, or its number
  std::string time;      // "1700000000.500000000"
  std::string field;     // of a descriptor and the like
  std::string actual;
  std::string expected;
  std::size_t line = 0;  // of the output; 0: of the expected file
  std::string clause;    // of a line that no rule fits
};

struct Outcome {
  std::vector<Difference> differences;
  std::uint64_t values = 0;    // compared, each with its instance and time
  std::uint64_t absences = 0;  // both sides say that a metric has no value at a time
  std::uint64_t records = 0;   // of other kinds, compared
  std::uint64_t metrics = 0;   // with values on both sides
  std::uint64_t unparsed = 0;
  std::map<std::string, std::uint64_t> not_compared;  // how often, by why
};

// Takes what is expected at once and the output record by record. A resource.
class Comparison {
 public:
  Comparison(tool_output::Tool tool, Options options, std::vector<tool_output::Record> expected);
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;
  ~Comparison();

  // The first time that is expected, at or before which the output starts.
  std::optional<Timestamp> first_time() const;

  void Take(const tool_output::Record& actual);
  // To be called once, after the last record.
  Outcome Finish();

 private:
  class Values;
  class OtherRecords;

  bool IsWanted(const tool_output::Record& record) const;

  Options options_;
  Outcome outcome_;
  std::unique_ptr<Values> values_;
  std::unique_ptr<OtherRecords> others_;
  std::optional<Timestamp> first_time_;
};

}  // namespace pmproof::validator::compare

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_COMPARE_COMPARE_H_
