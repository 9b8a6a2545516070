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
#include "reference/core/identifiers.h"
#include "reference/core/metric.h"
#include "validator/check/rules/record_loops.h"
#include "validator/check/rules/series_state.h"

namespace pmproof::validator {

// A data record of which all is known but its time and its values: metrics, errors, instances,
// formats, and the types of value blocks. Most records of an archive have the form of an earlier
// one: they are compared with it as a whole, and only their values are looked at. Strings are part
// of the form until they change.
//
// Two kinds of sets stand apart, and what lies between them is compared: those with values of bytes
// that were longer or shorter than before, whose blocks are walked through, and those that were
// loosened, of which no more is known than the metric.
//
// Memory is at most 20 bytes for each byte of the record.
class RecordForm {
 public:
  class Builder;

  // Of no record.
  RecordForm() = default;

  // True if the record differs from the form in nothing but its time and its values, strings that
  // changed break no rule (ARC-1812, 1813, 1834, 1835), and its loose sets are laid out canonically
  // (ARC-601), with blocks of the type of their metric.
  bool Matches(Bytes record);

  // Of the record that matched last: where its n-th set begins, and where its blocks do.
  std::uint32_t OffsetOf(std::size_t n) const {
    return Moved(sets_[n].offset, segments_[sets_[n].segment].shift);
  }
  std::uint32_t sets_end() const { return sets_end_; }

  // True if each number of that record which is in no loose set is finite (ARC-1828), and each
  // counter not negative (ARC-1831) and not less than its value before (ARC-1825). If not,
  // BadSets() gives the sets with one that is not, in ascending order. Then Commit() makes the
  // numbers of the record the values before, those of bad sets, too.
  bool NumbersAreGood(const std::uint8_t* record);
  std::vector<std::uint32_t> BadSets(const std::uint8_t* record);
  void Commit() { keys_.swap(fresh_); }

  // The values before of the n-th set, as keys. Empty if it is not of a counter.
  std::span<CounterKey> Keys(std::size_t n);
  // After a mark no value is known (ARC-510).
  void ForgetKeys();

  std::size_t set_count() const { return sets_.size(); }
  Pmid MetricOf(std::size_t n) const;
  // True if a set of some record, with the metric of the n-th one, has other instances, another
  // format or another error. False if the n-th one is loose.
  bool HasOther(std::size_t n, const archive::ValueSet& set, Bytes record) const;

  // Makes sets loose: their blocks, if they have any, are of the type of their metric. False, and
  // nothing is done, if too many would be.
  struct Loosened {
    std::uint32_t set = 0;
    MetricType type = MetricType::kUnknown;
  };
  bool Loosen(std::span<const Loosened> sets);

  // All values of the record but those of loose sets.
  std::uint64_t values() const { return values_; }

  // What it takes, in bytes.
  std::size_t memory() const;

 private:
  // Offsets and places are those in the record that the form was made of. What is added to them in
  // the record that matched last is called a shift.

  struct Range {
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
  };

  // The blocks of a set.
  struct Blocks {
    std::uint32_t begin = 0;   // of the first block
    std::uint32_t length = 0;  // of all together
    std::uint32_t size = 0;    // of each with a number; 0: blocks are of any length
    std::uint32_t first_string = 0;
    MetricType type = MetricType::kUnknown;
    bool odd_padding = false;
  };

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  enum class Kind : std::uint8_t { kFixed, kStretched, kLoose };

  // A set, and its numbers.
  struct Set {
    std::uint32_t offset = 0;
    std::uint32_t blocks = kNone;  // in blocks_
    NumberRun run;
    std::uint32_t key = 0;  // of its first number, in keys_
    std::uint32_t segment = 0;
    NumberKind number = NumberKind::kFloat;
    Kind kind = Kind::kFixed;
    MetricType type = MetricType::kUnknown;  // of its values
  };

  // Numbers of one kind, in blocks or not.
  struct Numbers {
    NumberKind kind = NumberKind::kFloat;
    bool in_blocks = false;
    std::uint32_t begin = 0;  // in runs_
    std::uint32_t end = 0;
    std::uint32_t key = 0;  // of the first one, in keys_
  };

  // Sets in a row that do not stand apart, or whose blocks are walked through, or one that is
  // loose; and the blocks of these.
  struct Segment {
    Kind kind = Kind::kFixed;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t blocks_begin = 0;
    std::uint32_t blocks_end = 0;
    std::uint32_t first_set = 0;  // in sets_
    std::uint32_t end_set = 0;
    std::uint32_t first_numbers = 0;  // in numbers_
    std::uint32_t end_numbers = 0;
    std::int32_t shift = 0;
    std::int32_t blocks_shift = 0;
  };

  static std::uint32_t Moved(std::uint32_t offset, std::int32_t shift) {
    return offset + static_cast<std::uint32_t>(shift);
  }

  std::size_t MostLoose() const;
  void Arrange();
  void AddSegment(Kind kind, std::uint32_t first_set, std::uint32_t end_set);
  void AddNumbers(Segment* segment);
  void Stretch();
  archive::ValueSet KnownSetAt(std::uint32_t offset) const {
    return archive::ValueSet({known(), 4 * words_.size()}, offset);
  }
  bool MatchesInSegments(Bytes record);
  bool PlaceSets(Bytes record);
  std::optional<std::uint32_t> EndOfSegment(Bytes record, Segment& segment, std::uint32_t at);
  bool HasSets(Bytes record, const Segment& segment) const;
  bool TakeBlocks(Bytes record, const Segment& segment, std::uint32_t at);
  bool TakeStrings(const std::uint8_t* record, std::size_t begin, std::size_t end);
  std::optional<std::uint32_t> WalkBlocks(Bytes record, const Segment& segment, std::uint32_t at);
  std::optional<std::uint32_t> EndOfLoose(Bytes record, const Segment& segment,
                                          std::uint32_t at) const;
  std::optional<std::uint32_t> EndOfBlocks(Bytes record, const Set& set, std::uint32_t at) const;
  std::optional<std::uint32_t> EndOfStrings(Bytes record, const Set& set, std::uint32_t at) const;
  bool AreGood(const std::uint8_t* record, const Segment& segment, const Numbers& numbers);
  bool IsGood(const std::uint8_t* record, const Segment& segment, const Set& set);
  bool AreGood(NumberKind kind, const std::uint8_t* record, std::span<const NumberRun> runs,
               std::size_t key);
  const std::uint8_t* known() const { return reinterpret_cast<const std::uint8_t*>(words_.data()); }

  const RecordLoops* loops_ = &FastestLoops();
  std::vector<std::uint32_t> words_;      // a record of this form, as stored
  std::vector<std::uint32_t> mask_;       // of each word: the bits that do not change
  std::vector<std::uint32_t> sets_mask_;  // likewise up to the blocks, wherever these are
  std::vector<Set> sets_;
  std::vector<Blocks> blocks_;
  std::vector<Range> strings_;
  std::vector<Segment> segments_;
  std::vector<Numbers> numbers_;
  std::vector<NumberRun> runs_;
  std::vector<CounterKey> keys_;  // of the counters
  std::vector<CounterKey> fresh_;
  std::vector<std::uint32_t> lengthened_;  // sets whose blocks are longer or shorter than before
  std::size_t loose_ = 0;
  std::uint64_t values_ = 0;
  std::uint32_t begin_ = 0;     // of the number of sets
  std::uint32_t sets_end_ = 0;  // in the record that matched last
};

// Takes the sets of one record in their order. That record was decoded, and each set with values is
// as its metric asks for: format, type and length of blocks, strings that break no rule. A set that
// is not is added without a type; nothing of its values belongs to the form then.
class RecordForm::Builder {
 public:
  explicit Builder(const archive::DataRecord& record);

  // False if the record is not laid out canonically (ARC-601): it has no form then.
  bool Add(const archive::ValueSet& set, MetricType type, bool counter);

  // True if the padding of a block of the set that was added last is not canonical (ARC-1717).
  bool has_odd_padding() const { return odd_padding_; }

  // Nothing likewise. All sets have been added.
  std::optional<RecordForm> Finish();

 private:
  bool AddBlocks(const archive::ValueSet& set, MetricType type);
  bool AddNumberBlocks(const archive::ValueSet& set, std::uint32_t size);
  void AddNumbers(const archive::ValueSet& set, MetricType type, bool counter);
  void PlaceKeys();

  const archive::DataRecord& record_;
  RecordForm form_;
  std::uint32_t block_;  // where the next one has to be
  bool odd_padding_ = false;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_RECORD_FORM_H_
