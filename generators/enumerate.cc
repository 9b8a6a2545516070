// SPDX-License-Identifier: Apache-2.0
#include "generators/enumerate.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "reference/archive/layout.h"

namespace pmproof::generators {
namespace {

constexpr std::string_view kLetters = "VMIDB";
constexpr std::string_view kNoIndex = "none";
constexpr char kMark = 'M';

constexpr Pmid kOne = Pmid::Of(29, 0, 1);
constexpr Pmid kCounter = Pmid::Of(29, 0, 2);
constexpr std::uint32_t kFirstLateItem = 3;
constexpr Indom kIndom = Indom::Of(29, 1);
constexpr std::uint32_t kCountUnit = 0x00100000;

std::uint64_t Power(std::uint64_t base, std::size_t exponent) {
  std::uint64_t power = 1;
  for (std::size_t i = 0; i < exponent; ++i) power *= base;
  return power;
}

// Of exactly so many records and one version: index entries in every way, or no index.
std::uint64_t ArchivesOf(std::size_t records) {
  return Power(kLetters.size(), records) * (Power(2, records) + 1);
}

// What the name says.
struct Shape {
  int version = 2;
  std::string_view letters;
  std::string_view entries;  // "none" or a digit for each record
};

std::optional<Shape> ParseName(std::string_view name) {
  if (!name.starts_with("v2-") && !name.starts_with("v3-")) return std::nullopt;
  const std::size_t dash = name.find('-', 3);
  if (dash == std::string_view::npos) return std::nullopt;
  const Shape shape{name[1] == '3' ? 3 : 2, name.substr(3, dash - 3), name.substr(dash + 1)};
  if (shape.letters.empty() || shape.letters.size() > kMostEnumeratedRecords ||
      shape.letters.find_first_not_of(kLetters) != std::string_view::npos) {
    return std::nullopt;
  }
  const bool digits = shape.entries.size() == shape.letters.size() &&
                      shape.entries.find_first_not_of("01") == std::string_view::npos;
  if (!digits && shape.entries != kNoIndex) return std::nullopt;
  return shape;
}

archive::ValueModel Value(std::int32_t instance, MetricType type, std::string payload) {
  return {instance, archive::BlockModel{static_cast<std::uint8_t>(type), std::move(payload), {}}};
}

// Puts an archive together, record by record.
class Builder {
 public:
  explicit Builder(const Shape& shape) : shape_(shape) {
    plan_.label.version = shape.version;
    plan_.label.pid = 4242;
    plan_.label.start = Time();
    plan_.label.host = "testhost";
    plan_.label.timezone = "UTC";
    if (shape.version == 3) plan_.label.zoneinfo = ":UTC";
    plan_.has_index = shape.entries != kNoIndex;
    AddDesc({kOne, MetricType::kU32, Indom::Null(), Semantics::kInstant, Units{}}, "m.one");
    AddDesc({kCounter, MetricType::kU64, kIndom, Semantics::kCounter, Units{kCountUnit}}, "m.cnt");
    AddDomain();
    // The host name, as every logger has it written (ARC-402).
    archive::LabelSetModel host{
        kInstanceNull, "{\"hostname\":\"testhost\"}", {{2, 8, 1, 12, 10}}, 0};
    plan_.meta.emplace_back(archive::LabelRecordModel{
        Time(), static_cast<std::uint32_t>(LabelClass::kContext), 0xffffffff, {std::move(host)}});
  }

  ArchivePlan Build() && {
    for (const char letter : shape_.letters) {
      // All that stands in front of the first record belongs to it.
      const std::size_t meta = results().empty() ? 0 : plan_.meta.size();
      if (letter == 'D' || letter == 'B') AddLateDesc();
      if (letter == 'I' || letter == 'B') ChangeDomain();
      if (plan_.has_index && shape_.entries[results().size()] == '1')
        plan_.index.push_back({Time(), 0, meta, results().size()});
      results().push_back(letter == kMark ? Mark() : Values());
    }
    return std::move(plan_);
  }

 private:
  std::vector<archive::ResultModel>& results() { return plan_.volumes[0]; }
  // Of the record that comes next.
  Timestamp Time() { return {kBaseTime + static_cast<std::int64_t>(plan_.volumes[0].size()), 0}; }

  void AddDesc(Descriptor descriptor, std::string name) {
    plan_.meta.emplace_back(archive::DescModel{descriptor, {std::move(name)}});
  }

  void AddLateDesc() {
    AddDesc({Pmid::Of(29, 0, kFirstLateItem + late_), MetricType::kString, Indom::Null(),
             Semantics::kDiscrete, Units{}},
            "m.late" + std::to_string(late_));
    ++late_;
  }

  std::int32_t OtherInstance() const { return changed_ ? 2 : 1; }
  std::string OtherName() const { return changed_ ? "c" : "b"; }

  void AddDomain() {
    plan_.meta.emplace_back(
        archive::IndomModel{Time(), kIndom, {{0, "a"}, {OtherInstance(), OtherName()}}, false});
  }

  void ChangeDomain() {
    const std::int32_t gone = OtherInstance();
    changed_ = !changed_;
    if (shape_.version == 2 || results().empty()) return AddDomain();
    archive::IndomModel delta{
        Time(), kIndom, {{gone, std::nullopt}, {OtherInstance(), OtherName()}}, true};
    std::ranges::sort(delta.instances, {}, &archive::InstanceModel::id);
    plan_.meta.emplace_back(std::move(delta));
  }

  archive::ResultModel Mark() {
    since_mark_ = 0;
    return {Time(), {}};
  }

  archive::ResultModel Values() {
    const auto number = static_cast<std::uint32_t>(results().size());
    ++since_mark_;
    archive::ResultModel result{Time(), {}};
    result.sets.push_back({kOne, archive::kInsitu, {{kInstanceNull, 10 + number}}, 0});
    archive::ValueSetModel counter{kCounter, archive::kDynamic, {}, 0};
    for (const std::int32_t instance : {0, OtherInstance()}) {
      const std::uint32_t count = 100 * static_cast<std::uint32_t>(instance) + 10 * since_mark_;
      counter.values.push_back(Value(instance, MetricType::kU64, BigEndian({0, count})));
    }
    result.sets.push_back(std::move(counter));
    for (std::uint32_t i = 0; i < late_; ++i) {
      const std::string text = "late " + std::to_string(number) + '\0';
      result.sets.push_back({Pmid::Of(29, 0, kFirstLateItem + i),
                             archive::kDynamic,
                             {Value(kInstanceNull, MetricType::kString, text)},
                             0});
    }
    return result;
  }

  const Shape shape_;
  ArchivePlan plan_;
  std::uint32_t late_ = 0;
  std::uint32_t since_mark_ = 0;
  bool changed_ = false;
};

}  // namespace

std::uint64_t EnumeratedArchives(std::size_t records) {
  std::uint64_t number = 0;
  for (std::size_t i = 1; i <= records; ++i) number += 2 * ArchivesOf(i);
  return number;
}

std::string EnumeratedName(std::uint64_t number) {
  std::size_t records = 1;
  while (records <= kMostEnumeratedRecords && number >= EnumeratedArchives(records)) ++records;
  if (records > kMostEnumeratedRecords) return "";
  number -= EnumeratedArchives(records - 1);
  std::string name = number < ArchivesOf(records) ? "v2-" : "v3-";
  number %= ArchivesOf(records);
  const std::uint64_t indexes = Power(2, records) + 1;
  for (std::size_t i = records; i-- > 0;)
    name += kLetters[number / indexes / Power(kLetters.size(), i) % kLetters.size()];
  name += '-';
  const std::uint64_t entries = number % indexes;
  if (entries + 1 == indexes) return name.append(kNoIndex);
  for (std::size_t i = records; i-- > 0;) name += (entries >> i & 1) != 0 ? '1' : '0';
  return name;
}

std::optional<ArchivePlan> EnumeratedArchive(std::string_view name) {
  const std::optional<Shape> shape = ParseName(name);
  if (!shape) return std::nullopt;
  return Builder(*shape).Build();
}

}  // namespace pmproof::generators
