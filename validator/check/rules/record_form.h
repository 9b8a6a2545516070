// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_RECORD_FORM_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_RECORD_FORM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reference/archive/data_record.h"
#include "reference/core/bytes.h"
#include "reference/core/metric.h"
#include "validator/check/rules/record_loops.h"
#include "validator/check/rules/series_state.h"

namespace pmproof::validator {

// A data record of which all is known but its time and its values: metrics, errors, instances,
// formats, and the types of value blocks. Most records of an archive have the form of an earlier
// one: they are compared with it as a whole, and only their values are looked at. Strings are part
// of the form until they change. Where values that are bytes are longer or shorter than before, the
// value blocks, which lie elsewhere then, are walked through.
//
// Memory is at most 16 bytes for each byte of the record.
class RecordForm {
 public:
  // Takes the sets of one record in their order. That record was decoded, and each set with values
  // is as its metric asks for: format, type and length of blocks, strings that break no rule. A set
  // that is not is added without a type; nothing of its values belongs to the form then.
  class Builder {
   public:
    explicit Builder(const archive::DataRecord& record);

    // False if the record is not laid out canonically (ARC-601): it has no form then.
    bool Add(const archive::ValueSet& set, MetricType type, bool counter);

    // True if the padding of a block of the set that was added last is not canonical (ARC-1717).
    bool has_odd_padding() const { return odd_padding_; }

    // Nothing likewise. All sets have been added.
    std::optional<RecordForm> Finish();

   private:
    friend class RecordForm;
    bool AddBlocks(const archive::ValueSet& set, MetricType type);
    bool AddNumberBlocks(const archive::ValueSet& set, std::uint32_t size);
    void AddNumbers(const archive::ValueSet& set, MetricType type, bool counter);
    static void Append(std::vector<NumberRun>& runs, NumberRun run);

    const archive::DataRecord& record_;
    std::uint32_t block_;  // where the next one has to be
    bool odd_padding_ = false;
    std::vector<std::uint32_t> words_;
    std::vector<std::uint32_t> mask_;
    std::vector<std::uint32_t> sets_mask_;
    std::array<std::vector<NumberRun>, kNumberKinds> runs_;
    std::array<std::uint32_t, kNumberKinds> counts_ = {};  // of the numbers in them
    struct Range {
      std::uint32_t offset = 0;
      std::uint32_t length = 0;
    };
    std::vector<Range> strings_;
    // The blocks of a set.
    struct Blocks {
      std::uint32_t set = 0;     // among those that were added
      std::uint32_t offset = 0;  // of the set in the record
      std::uint32_t begin = 0;   // of the first block
      std::uint32_t length = 0;  // of all together, if they are of any length
      std::uint32_t size = 0;    // of each with a number; 0: blocks are of any length
      std::uint32_t first_string = 0;
      MetricType type = MetricType::kUnknown;
      bool odd_padding = false;
    };
    std::vector<Blocks> blocks_;
    // For each set that was added, in order.
    struct Slice {
      NumberKind kind = NumberKind::kFloat;
      std::uint32_t begin = 0;  // among the numbers of its kind
      NumberRun run;
      std::uint32_t shift = 0;  // added to the places, modulo 2^32, in the record that was matched
    };
    std::vector<Slice> slices_;
    std::uint64_t values_ = 0;
  };

  // Of no record.
  RecordForm() = default;

  // True if the record differs from the form in nothing but its time and its values, and strings
  // that changed break no rule (ARC-1812, 1813, 1834, 1835).
  bool Matches(Bytes record);

  // True if each number of the record that matched last is finite (ARC-1828), and each counter not
  // negative (ARC-1831) and not less than its value before (ARC-1825). Then Commit() makes these
  // the values before.
  bool NumbersAreGood(const std::uint8_t* record);
  void Commit() { keys_.swap(fresh_); }

  // The values before of the n-th set that was added, as keys. Empty if it is not of a counter.
  std::span<CounterKey> Keys(std::size_t n);
  // After a mark no value is known (ARC-510).
  void ForgetKeys();

  // All values of a record.
  std::uint64_t values() const { return values_; }

  // What it takes, in bytes.
  std::size_t memory() const;

 private:
  bool TakeStrings(const std::uint8_t* record);
  bool MatchesShifted(Bytes record);
  std::optional<std::uint32_t> EndOfBlocks(Bytes record, const Builder::Blocks& blocks,
                                           std::uint32_t at) const;
  static std::optional<std::uint32_t> EndOfBlock(Bytes record, const Builder::Blocks& blocks,
                                                 std::uint32_t word, std::uint32_t at);
  std::optional<std::uint32_t> EndOfStrings(Bytes record, const Builder::Blocks& blocks,
                                            std::uint32_t at) const;
  bool AreGood(NumberKind kind, const std::uint8_t* record, std::span<const NumberRun> runs,
               std::size_t begin);

  // The numbers of one kind.
  struct Numbers {
    NumberKind kind = NumberKind::kFloat;
    std::size_t begin = 0;  // in runs_
    std::size_t end = 0;
  };

  const RecordLoops* loops_ = &FastestLoops();
  std::vector<std::uint32_t> words_;      // a record of this form, as stored
  std::vector<std::uint32_t> mask_;       // of each word: the bits that do not change
  std::vector<std::uint32_t> sets_mask_;  // likewise up to the blocks, wherever these are
  std::vector<NumberRun> runs_;
  std::vector<Numbers> numbers_;                              // by kind
  std::array<std::size_t, kNumberKinds> begin_of_kind_ = {};  // in keys_
  std::vector<CounterKey> keys_;                              // of the counters
  std::vector<CounterKey> fresh_;
  std::vector<Builder::Range> strings_;
  std::vector<Builder::Slice> slices_;
  std::vector<Builder::Blocks> blocks_;
  std::size_t sets_begin_ = 0;
  bool shifted_ = false;  // the record that was matched has blocks at other places
  std::uint64_t values_ = 0;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_RECORD_FORM_H_
