// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_COMPARE_VALUES_H_
#define PMPROOF_VALIDATOR_AGAINST_COMPARE_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "reference/core/status.h"
#include "validator/against/difference_log.h"
#include "validator/against/instant_reader.h"
#include "validator/against/metric_pairs.h"
#include "validator/against/stored_values.h"

namespace pmproof::validator::against {

// Gives the name of an instance at a time, for people; nothing if it has none.
using NameInstance = std::function<std::optional<std::string_view>(
    const MetricPair& metric, std::int32_t instance, Timestamp time)>;

// What was counted on one side.
struct Totals {
  std::uint64_t records = 0;  // without marks
  std::uint64_t marks = 0;
  std::uint64_t values = 0;  // answers without values too
};

// Compares the values of both sides, one time after the other. Records of one time are one: how
// values are spread over records, and in which order metrics and instances come, is no difference.
// Of one instance the values of one time count in their order; where the original has a value once
// and the other side several times in a row, it is repeated, and that is no difference either.
class ValueComparison {
 public:
  // All outlive this.
  ValueComparison(MetricPairs& metrics, DifferenceLog& log, NameInstance name)
      : metrics_(metrics), log_(log), name_(std::move(name)) {}

  // Either may be null: that side has no records of this time. Error: kBudget.
  std::optional<Status> Compare(const Instant* original, const Instant* replacement);

  const Totals& original() const { return totals_original_; }
  const Totals& replacement() const { return totals_replacement_; }
  // Values that are there more often than in the original.
  std::uint64_t repeated() const { return repeated_; }

 private:
  // One value, or answer without, of an instant.
  struct Item {
    Pmid pmid;
    bool is_status = false;
    std::int32_t instance = 0;
    Timestamp time;           // of its record
    std::uint32_t order = 0;  // in the instant
    std::uint32_t marks = 0;  // that stand before it in the instant
    StoredItem stored;

    // What the values of one sequence have in common.
    auto Key() const { return std::tuple(pmid, is_status, instance, time); }
  };

  // Counts the sets of an instant, has their subjects looked at if it is the original's, and
  // gathers their values if `items` are wanted.
  std::optional<Status> Take(const Instant& instant, bool is_original, Totals* totals,
                             std::vector<Item>* items);
  MetricPair* Find(Pmid pmid);
  void CompareItems(Timestamp time);
  // The values of one key; false if one of them stands on another side of a mark.
  bool CompareKey(std::span<const Item> was, std::span<const Item> is);
  void Log(const MetricPair& metric, const Item* was, const Item* is);

  MetricPairs& metrics_;
  DifferenceLog& log_;
  NameInstance name_;
  Totals totals_original_;
  Totals totals_replacement_;
  std::uint64_t repeated_ = 0;
  std::vector<Item> original_;
  std::vector<Item> replacement_;
  MetricPair* metric_ = nullptr;  // that was asked for last
};

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_COMPARE_VALUES_H_
