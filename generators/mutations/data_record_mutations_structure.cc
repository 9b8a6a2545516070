// SPDX-License-Identifier: Apache-2.0
// Edits of section 14.8 after which readers refuse a record, made on the bytes of one that was put
// there for it: no value of the archive's own is lost.

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "generators/mutations/data_record_mutations.h"
#include "generators/mutations/files.h"
#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"
#include "generators/mutations/new_records.h"
#include "reference/archive/layout.h"
#include "reference/core/bytes.h"

namespace pmproof::generators {
namespace {

using archive::kLengthWord;
using archive::ResultModel;
using archive::ValueSetModel;

constexpr std::uint32_t kMostLength = 0xffffff;  // of a block (ARC-230)

// How much a block is shortened for bytes that belong to none, and what these are: as a value set
// they would have more values than any record.
constexpr std::uint32_t kGap = 8;
constexpr std::uint32_t kNoSet = 0x7e7e7e7e;

// A value in a block: the places of the index word and of the block, from the start of the record.
struct Reference {
  std::size_t word = 0;
  std::size_t block = 0;
};

// A record in the image that was put between two others, with the value sets of the one before and
// two texts: its first block and its last one. Its first metric is unknown to the archive.
class Victim {
 public:
  static std::optional<Victim> PutInto(ArchiveImage& image, const ArchivePlan& plan,
                                       Random& random);
  // The record at `place` of what the image was made from.
  Victim(ArchiveImage& image, const ArchivePlan& plan, const ResultPlace& place);

  std::uint32_t Word(std::size_t at) const { return image_.Word(file_, begin_ + at); }
  void SetWord(std::size_t at, std::uint32_t word) { image_.SetWord(file_, begin_ + at, word); }

  std::size_t count_at() const { return sets_begin_ - 4; }
  std::uint32_t set_count() const { return Word(count_at()); }
  // Where the sets begin, and where they end.
  const std::vector<std::size_t>& sets() const { return sets_; }
  std::size_t sets_begin() const { return sets_begin_; }
  std::size_t sets_end() const { return sets_end_; }
  // In the order of the blocks.
  const std::vector<Reference>& references() const { return references_; }
  // Where the trailing length word begins.
  std::size_t end() const { return Word(0) - kLengthWord; }

  std::uint32_t LengthOf(const Reference& reference) const {
    return Word(reference.block) & kMostLength;
  }
  void SetLength(const Reference& reference, std::uint32_t length) {
    SetWord(reference.block, (Word(reference.block) & ~kMostLength) | length);
  }
  void Point(const Reference& reference, std::size_t block) {
    SetWord(reference.word, static_cast<std::uint32_t>(block / 4 + 2));
  }

 private:
  ArchiveImage& image_;
  std::string file_;
  std::size_t begin_ = 0;
  std::size_t sets_begin_ = 0;
  std::size_t sets_end_ = 0;
  std::vector<std::size_t> sets_;
  std::vector<Reference> references_;
};

ValueSetModel Text(const ArchivePlan& plan, Random& random) {
  archive::BlockModel block{static_cast<std::uint8_t>(MetricType::kString), {}, std::nullopt};
  block.payload = std::string(20 + random.Below(40), 'x') + '\0';
  return {FreshPmid(plan, random), archive::kDynamic, {{kInstanceNull, std::move(block)}}, 0};
}

std::optional<Victim> Victim::PutInto(ArchiveImage& image, const ArchivePlan& plan,
                                      Random& random) {
  ArchivePlan changed = plan;
  const auto place = InsertRecords(changed, random, 1, [&](const Room& room) {
    ResultModel result{room.times[0], {Text(plan, random)}};
    for (ValueSetModel set : room.before->sets) {
      for (archive::ValueModel& value : set.values) {
        if (auto* block = std::get_if<archive::BlockModel>(&value.value)) block->padding.reset();
      }
      result.sets.push_back(std::move(set));
    }
    result.sets.push_back(Text(plan, random));
    return std::vector{std::move(result)};
  });
  if (!place) return std::nullopt;
  image = Encode(changed);
  return Victim(image, changed, *place);
}

Victim::Victim(ArchiveImage& image, const ArchivePlan& plan, const ResultPlace& place)
    : image_(image),
      file_(SuffixOf(place.volume)),
      begin_(image.Records(file_).at(place.record + 1)),
      sets_begin_(archive::LayoutOf(plan.label.version).timestamp + 2 * kLengthWord) {
  std::size_t at = sets_begin_;
  for (const ValueSetModel& set : plan.volumes.at(place.volume)[place.record].sets) {
    sets_.push_back(at);
    if (set.values.empty()) {
      at += 8;
      continue;
    }
    for (std::size_t i = 0; i < set.values.size(); ++i) {
      const std::size_t word = at + 16 + 8 * i;
      if (set.values[i].value.index() != 0) {
        references_.push_back({word, 4 * (std::size_t{Word(word)} - 2)});
      }
    }
    at += 12 + 8 * set.values.size();
  }
  sets_end_ = at;
}

// The code of the rows: puts a victim into the image and lets `damage` change it.
template <void (*damage)(Victim&, Random&)>
NotApplicable Damage(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  std::optional<Victim> victim = Victim::PutInto(image, plan, random);
  if (!victim) return kNoRoom;
  damage(*victim, random);
  return std::nullopt;
}

// A value but the first: where the blocks begin is known by that.
Reference NotTheFirst(const Victim& victim, Random& random) {
  const std::size_t others = victim.references().size() - 1;
  return victim.references()[1 + static_cast<std::size_t>(random.Below(others))];
}

std::uint32_t Random32(Random& random, std::uint64_t first, std::uint64_t last) {
  return static_cast<std::uint32_t>(first + random.Below(last - first + 1));
}

// Takes the last bytes of a block off: they belong to none then.
void Shorten(Victim& victim, const Reference& reference) {
  victim.SetLength(reference, victim.LengthOf(reference) - kGap);
}

constexpr Mutation kStructure[] = {
    {.rule = "ARC-1701"_clause,
     .edit = "the number of value sets of a record is negative",
     .image = Damage<[](Victim& victim, Random& random) {
       victim.SetWord(victim.count_at(), Random32(random, 0x80000000, 0xffffffff));
     }>},
    {.rule = "ARC-1702"_clause,
     .edit = "a record has more value sets than it has room for",
     .image = Damage<[](Victim& victim, Random& random) {
       const std::size_t room = (victim.end() - victim.sets_begin()) / 8;
       victim.SetWord(victim.count_at(), Random32(random, room + 1, 0x7fffffff));
     }>},
    {.rule = "ARC-1703"_clause,
     .edit = "a record has more value sets than it says",
     .image = Damage<[](Victim& victim, Random& random) {
       victim.SetWord(victim.count_at(), Random32(random, 1, victim.set_count() - 1));
     }>},
    {.rule = "ARC-1703"_clause,
     .edit = "a record has fewer value sets than it says",
     .image = Damage<[](Victim& victim, Random& random) {
       const std::size_t room = (victim.end() - victim.sets_begin()) / 8;
       victim.SetWord(victim.count_at(), Random32(random, victim.set_count() + 1, room));
     }>},
    {.rule = "ARC-1704"_clause,
     .edit = "a value set has more values than its record has room for",
     .image = Damage<[](Victim& victim, Random& random) {
       const std::size_t set = random.Pick(victim.sets());
       const std::size_t room = victim.end() - set;
       victim.SetWord(set + 4, Random32(random, room < 12 ? 1 : (room - 12) / 8 + 1, 0x7fffffff));
     }>},
    {.rule = "ARC-1705"_clause,
     .edit = "the format of a value set is unknown",
     .image = Damage<[](Victim& victim, Random& random) {
       const std::size_t set = random.Chance(1, 2) ? victim.sets().front() : victim.sets().back();
       victim.SetWord(set + 8, random.Chance(1, 3) ? 3 : Random32(random, 4, 0xffffffff));
     }>},
    {.rule = "ARC-1706"_clause,
     .edit = "the index of a value block leads after the record",
     .image = Damage<[](Victim& victim, Random& random) {
       const Reference reference = NotTheFirst(victim, random);
       victim.SetWord(reference.word, Random32(random, victim.end() / 4 + 2, 0x7fffffff));
     }>},
    // Index 2 is the start of the record; 0 and 1, and negative ones, lead out of it.
    {.rule = "ARC-1706"_clause,
     .edit = "the index of a value block is less than that of the record's start",
     .image = Damage<[](Victim& victim, Random& random) {
       const Reference reference = NotTheFirst(victim, random);
       const bool just = random.Chance(1, 3);
       victim.SetWord(reference.word,
                      just ? Random32(random, 0, 1) : Random32(random, 0x80000000, 0xffffffff));
     }>},
    // In the fixed fields or inside the first set, which has a format and a pair: where a set
    // begins the blocks could begin as well, if there were fewer sets (ARC-1703).
    {.rule = "ARC-1706"_clause,
     .edit = "the index of a value block leads into the value sets",
     .image = Damage<[](Victim& victim, Random& random) {
       const std::size_t words_before = victim.sets_begin() / 4;
       const std::size_t inside = 4;  // words of the first set but its first one
       std::size_t word = static_cast<std::size_t>(random.Below(words_before + inside));
       if (word >= words_before) ++word;
       victim.Point(NotTheFirst(victim, random), 4 * word);
     }>},
    {.rule = "ARC-1707"_clause,
     .edit = "a value block begins inside another one",
     .image = Damage<[](Victim& victim, Random& random) {
       const Reference outer = victim.references().front();
       const Reference inner = NotTheFirst(victim, random);
       const std::size_t words = archive::PadToWord(victim.LengthOf(outer)) / 4;
       const auto word =
           static_cast<std::size_t>(random.Between(1, static_cast<std::int64_t>(words) - 1));
       victim.Point(inner, outer.block + 4 * word);
     }>},
    {.rule = "ARC-1708"_clause,
     .edit = "bytes lie between the value sets and the first block",
     .image = Damage<[](Victim& victim, Random&) {
       Reference first = victim.references().front();
       Shorten(victim, first);
       const std::uint32_t header = victim.Word(first.block);
       for (std::uint32_t i = 0; i < kGap; i += 4) victim.SetWord(first.block + i, kNoSet);
       victim.Point(first, first.block + kGap);
       victim.SetWord(first.block + kGap, header);
     }>},
    {.rule = "ARC-1708"_clause,
     .edit = "bytes lie between two value blocks",
     .image =
         Damage<[](Victim& victim, Random&) { Shorten(victim, victim.references().front()); }>},
    {.rule = "ARC-1708"_clause,
     .edit = "bytes lie after the last value block",
     .image = Damage<[](Victim& victim, Random&) { Shorten(victim, victim.references().back()); }>},
    {.rule = "ARC-1709"_clause,
     .edit = "the length of a value block is less than that of its header",
     .image = Damage<[](Victim& victim, Random& random) {
       const Reference reference = random.Pick(victim.references());
       victim.SetLength(reference, Random32(random, 0, 3));
     }>},
    {.rule = "ARC-1710"_clause,
     .edit = "a value block runs past the end of its record",
     .image = Damage<[](Victim& victim, Random& random) {
       Reference reference = random.Pick(victim.references());
       if (victim.end() - reference.block >= kMostLength) reference = victim.references().back();
       victim.SetLength(reference,
                        Random32(random, victim.end() - reference.block + 1, kMostLength));
     }>},
    {.rule = "ARC-1711"_clause,
     .edit = "two values have one value block",
     .image = Damage<[](Victim& victim, Random& random) {
       const Reference second = NotTheFirst(victim, random);
       Reference other = random.Pick(victim.references());
       if (other.word == second.word) other = victim.references().front();
       victim.Point(second, other.block);
     }>},
};

}  // namespace

std::span<const Mutation> DataRecordStructureMutations() { return kStructure; }

// A mark must not stand beside another one (ARC-1723). It is made of a record with value sets whose
// number is set to 0.
NotApplicable MarkWithMoreThanItsTime(ArchiveImage& image, const ArchivePlan& plan,
                                      Random& random) {
  ArchivePlan changed = plan;
  const auto place = InsertRecords(changed, random, 1, [](const Room& room) {
    std::vector<ResultModel> mark;
    if (!room.behind->sets.empty()) mark.push_back({room.times[0], {}});
    return mark;
  });
  if (!place) return kNoRoom;
  std::vector<ValueSetModel>& sets = At(changed, *place).sets;
  for (std::uint64_t i = random.Below(3) + 1; i > 0; --i) {
    sets.push_back(random.Chance(1, 2) ? Text(plan, random)
                                       : ValueSetModel{FreshPmid(plan, random), 0, {}, 0});
  }
  image = Encode(changed);
  Victim victim(image, changed, *place);
  victim.SetWord(victim.count_at(), 0);
  return std::nullopt;
}

NotApplicable LastRecordCut(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  std::vector<archive::Part> volumes;
  for (const auto& [number, results] : plan.volumes) {
    if (!results.empty()) volumes.push_back(number);
  }
  if (volumes.empty()) return "it has no data record";
  const archive::Part volume = random.Pick(volumes);
  const std::size_t record = image.Records(SuffixOf(volume)).back();
  const std::size_t length = image.Word(SuffixOf(volume), record);
  CutFile(image, plan, volume, record,
          record + kLengthWord + static_cast<std::size_t>(random.Below(length - kLengthWord)));
  return std::nullopt;
}

}  // namespace pmproof::generators
