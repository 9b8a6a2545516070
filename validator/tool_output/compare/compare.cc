// SPDX-License-Identifier: Apache-2.0
#include "validator/tool_output/compare/compare.h"

#include <algorithm>
#include <utility>

#include "validator/tool_output/compare/other_records.h"
#include "validator/tool_output/compare/values.h"
#include "validator/tool_output/record_json.h"
#include "validator/tool_output/stamp.h"

namespace pmproof::validator::compare {

using tool_output::Record;

Comparison::Comparison(tool_output::Tool tool, Options options, std::vector<Record> expected)
    : options_(std::move(options)),
      values_(std::make_unique<Values>(tool, options_, &outcome_)),
      others_(std::make_unique<OtherRecords>(tool, options_, &outcome_)) {
  // Golden output without a date: some day will do, since the output is read from the same on.
  tool_output::Days days(Timestamp{});
  for (Record& record : expected) {
    if (!IsWanted(record)) continue;
    if (!record.time && !record.clock.empty()) {
      tool_output::Scan scan(record.clock);
      if (const auto stamp = TakeClock(&scan)) days.Place(*stamp, &record);
      record.clock.clear();
    }
    if (record.time && (!first_time_ || *record.time < *first_time_)) first_time_ = record.time;
    if (record.kind.empty()) {
      values_->Expect(std::move(record));
    } else {
      others_->Expect(std::move(record));
    }
  }
  values_->ExpectedIsComplete();
}

Comparison::~Comparison() = default;

std::optional<Timestamp> Comparison::first_time() const { return first_time_; }

bool Comparison::IsWanted(const Record& record) const {
  if (options_.metrics.empty()) return true;
  const auto named = [&](const std::string& name) {
    return std::ranges::find(options_.metrics, name) != options_.metrics.end();
  };
  if (record.abbreviated) {
    return std::ranges::any_of(options_.metrics, [&](const std::string& metric) {
      return ShortName(metric).starts_with(record.metric);
    });
  }
  return named(record.metric) || std::ranges::any_of(record.names, named);
}

void Comparison::Take(const Record& actual) {
  if (actual.kind == "unparsed") {
    ++outcome_.unparsed;
    Difference difference;
    difference.what = "unparsed";
    difference.line = actual.line;
    difference.clause = TextOf(*actual.Find("clause"));
    difference.actual = TextOf(*actual.Find("text"));
    outcome_.differences.push_back(std::move(difference));
    return;
  }
  if (!IsWanted(actual)) return;
  if (actual.kind.empty()) {
    values_->Take(actual);
  } else {
    others_->Take(actual);
  }
}

Outcome Comparison::Finish() {
  values_->Finish();
  others_->Finish();
  return std::move(outcome_);
}

}  // namespace pmproof::validator::compare
