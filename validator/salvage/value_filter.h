// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SALVAGE_VALUE_FILTER_H_
#define PMPROOF_VALIDATOR_SALVAGE_VALUE_FILTER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "reference/archive/data_record.h"
#include "reference/archive/encode.h"
#include "reference/archive/metadata.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/rules/metric_table.h"
#include "validator/check/rules/value_rules.h"
#include "validator/salvage/error_watch.h"
#include "validator/salvage/loss_log.h"
#include "validator/salvage/time_gate.h"

namespace pmproof::validator {

// Takes the value sets out of data records that have an error under the metadata that were saved:
// those of metrics without a descriptor (ARC-1801) or without an instance domain (ARC-1806,
// ARC-1807), values of another type or form than described, ... The record is encoded again
// without them; one without a value set left is not written, for it would be a mark. So what is
// lost of one metric costs the others nothing, and no mark is needed for it.
//
// Records come in their order, with times that do not decrease.
class ValueFilter {
 public:
  // All outlive this. `metadata` is what was saved, and has no error.
  ValueFilter(const archive::Metadata& metadata, int version, const Catalogue& catalogue,
              LossLog& log);

  // `record` as it is to be written. False if nothing of it is left. `file` names where it is from.
  bool Filter(SalvagedRecord& record, const std::string& file);

  // Value sets and values that were let through.
  std::uint64_t value_sets() const { return value_sets_; }
  std::uint64_t values() const { return values_; }

 private:
  // A metric of which the checker would not say all that matters here.
  struct Special {
    bool without_domain = false;              // ARC-1807
    FormatClass format = FormatClass::kNone;  // of its first values (ARC-1814)
  };
  struct Removal {
    Clause clause;
    std::string message;
  };
  using Removals = std::vector<std::optional<Removal>>;  // one for each set

  bool FindSpecial(const archive::DataRecord& record, Removals& removals);
  bool FindErrors(const archive::DataRecord& record, Removals& removals);
  bool Remove(SalvagedRecord& record, const archive::DataRecord& decoded, const Removals& removals,
              const std::string& file);
  void Lose(const SalvagedRecord& record, const archive::ValueSet& set, const Removal& removal,
            const std::string& file);
  std::optional<archive::DataRecord> Decode(const SalvagedRecord& record) const;

  MetricTable metrics_;
  int version_;
  LossLog& log_;
  ErrorWatch watch_;
  ValueChecker checker_;
  std::unordered_map<Pmid, Special> special_;
  std::uint64_t value_sets_ = 0;
  std::uint64_t values_ = 0;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SALVAGE_VALUE_FILTER_H_
