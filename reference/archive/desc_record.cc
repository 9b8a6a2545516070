// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/desc_record.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "reference/core/bounded_sort.h"
#include "reference/core/metric_name.h"
#include "reference/core/printable.h"

namespace pmproof::archive {
namespace {

// Offsets of the fields (ARC-302).
constexpr std::size_t kPmid = 8;
constexpr std::size_t kType = 12;
constexpr std::size_t kIndom = 16;
constexpr std::size_t kSemantics = 20;
constexpr std::size_t kUnits = 24;
constexpr std::size_t kNameCount = 28;
constexpr std::size_t kWithoutCount = kNameCount + kLengthWord;
constexpr std::size_t kWithoutNames = DescRecord::kNames + kLengthWord;

constexpr std::uint32_t kNameLimit = 4096;  // ARC-017
constexpr std::uint32_t kDerivedDomain = 511;
constexpr std::uint32_t kLoggedDerived = 2048;  // ARC-310

std::string Hex(std::uint32_t word) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += kDigits[word >> shift & 0xf];
  return text;
}

// Validates one record; the functions stand in the order of the fields they look at.
class DescChecker {
 public:
  DescChecker(const DescRecord& desc, Reporter& reporter)
      : desc_(desc), metric_(desc.descriptor), reporter_(reporter) {}

  void CheckFields() const {
    CheckPmid();
    CheckType();
    CheckIndom();
    CheckSemantics();
    CheckSpace();
    CheckTime();
    CheckCount();
    CheckExtraUnit();
  }

  void CheckNames() const {
    desc_.ForEachName([&](std::string_view name, std::size_t at) { CheckName(name, at); });
    if (desc_.name_count > 1) CheckNamesDistinct();
  }

 private:
  void CheckPmid() const {
    const Pmid pmid = metric_.pmid;
    if (pmid.IsNull()) {
      Field("ARC-1330"_clause, kPmid, [&]() -> Details {
        return {"pmID", ToText(pmid), "", "a descriptor for PM_ID_NULL"};
      });
      return;
    }
    if (pmid.flag()) {
      Field("ARC-1329"_clause, kPmid, [&]() -> Details {
        return {"pmID", Hex(pmid.value), Hex(pmid.value & 0x7fffffff),
                "the flag bit of the pmID is set"};
      });
    }
    if (pmid.domain() == kDerivedDomain && (pmid.cluster() < kLoggedDerived || pmid.item() == 0)) {
      Field("ARC-1331"_clause, kPmid, [&]() -> Details {
        return {"pmID", ToText(pmid), "",
                "domain 511 is stored for logged derived metrics only: cluster 2048 or more, item "
                "not 0"};
      });
    }
  }

  void CheckType() const {
    if (IsKnownType()) return;
    Field("ARC-1316"_clause, kType, [&]() -> Details {
      return {"type", Number(metric_.type), "-1..7, 9 or 10", "no metric has this type"};
    });
  }

  void CheckIndom() const {
    const Indom indom = metric_.indom;
    const Pmid pmid = metric_.pmid;
    if (indom.IsNull() || pmid.domain() == kDerivedDomain || indom.domain() == pmid.domain()) {
      return;
    }
    Field("ARC-1319"_clause, kIndom, [&]() -> Details {
      return {"pmInDom", ToText(indom), "domain " + std::to_string(pmid.domain()),
              "metric " + ToText(pmid) + " and its instance domain are of different domains"};
    });
  }

  void CheckSemantics() const {
    const Semantics semantics = metric_.semantics;
    const bool known = semantics == Semantics::kCounter || semantics == Semantics::kInstant ||
                       semantics == Semantics::kDiscrete;
    if (!known && metric_.type == MetricType::kNoSupport) {
      Field("ARC-1318"_clause, kSemantics, [&]() -> Details {
        return {"semantics", Number(semantics), "1, 3 or 4",
                semantics == Semantics{0}
                    ? "a metric that is not supported has no semantics, as in old archives"
                    : "no metric has these semantics; this one is not supported and has no values"};
      });
    } else if (!known) {
      Field("ARC-1317"_clause, kSemantics, [&]() -> Details {
        return {"semantics", Number(semantics), "1, 3 or 4", "no metric has these semantics"};
      });
    }
    if (semantics == Semantics::kCounter && IsKnownType() && !IsNumeric(metric_.type) &&
        metric_.type != MetricType::kNoSupport) {
      Field("ARC-1334"_clause, kType, [&]() -> Details {
        return {"type", ToText(metric_.type), "a numeric type",
                "a counter has no numeric type, so that it has no rate"};
      });
    }
  }

  void CheckSpace() const {
    const Units units = metric_.units;
    CheckDimension("ARC-1320"_clause, "dimSpace", units.dim_space());
    const unsigned scale = units.scale_space();
    if (units.dim_space() == 0 && scale != 0) {
      ScaleWithoutDimension("ARC-1323"_clause, "scaleSpace", static_cast<int>(scale));
    } else if (scale > 8) {
      Field("ARC-1324"_clause, kUnits, [&]() -> Details {
        return {"units.scaleSpace", std::to_string(scale), "0..8",
                "no scale of space has this number"};
      });
    }
  }

  void CheckTime() const {
    const Units units = metric_.units;
    CheckDimension("ARC-1321"_clause, "dimTime", units.dim_time());
    const unsigned scale = units.scale_time();
    if (units.dim_time() == 0 && scale != 0) {
      ScaleWithoutDimension("ARC-1325"_clause, "scaleTime", static_cast<int>(scale));
    } else if (scale > 5) {
      Field("ARC-1326"_clause, kUnits, [&]() -> Details {
        return {"units.scaleTime", std::to_string(scale), "0..5",
                "no scale of time has this number"};
      });
    }
  }

  void CheckCount() const {
    const Units units = metric_.units;
    CheckDimension("ARC-1322"_clause, "dimCount", units.dim_count());
    if (units.dim_count() == 0 && units.scale_count() != 0) {
      ScaleWithoutDimension("ARC-1326"_clause, "scaleCount", units.scale_count());
    }
  }

  // A negative unit stands in the denominator (MET-201).
  void CheckExtraUnit() const {
    static constexpr unsigned kScales[] = {0, 3, 3, 3, 4};  // ARC-010, by unit
    const int extra = metric_.units.extra_unit();
    const auto unit = static_cast<unsigned>(extra < 0 ? -extra : extra);
    const unsigned scale = metric_.units.extra_scale();
    const auto shown = [&] {
      return std::to_string(extra) + " with scale " + std::to_string(scale);
    };
    if (unit >= std::size(kScales)) {
      Field("ARC-1327"_clause, kUnits, [&]() -> Details {
        return {"units.extraUnit", shown(), "a unit -4..4", "no extra unit has this number"};
      });
    } else if (scale > kScales[unit] || (unit != 0 && scale == 0)) {
      Field("ARC-1327"_clause, kUnits, [&]() -> Details {
        return {"units.extraScale", shown(),
                unit == 0 ? "scale 0" : "scale 1.." + std::to_string(kScales[unit]),
                "the extra unit has no such scale"};
      });
    } else if (unit != 0) {
      Field("ARC-1328"_clause, kUnits, [&]() -> Details {
        return {"units.extraUnit", ToText(metric_.units), "",
                "PCP before 7.2.0 shows these units without their extra unit"};
      });
    }
  }

  void CheckName(std::string_view name, std::size_t at) const {
    const Location where = desc_.record.At(at, name.size());
    if (name.empty()) {
      reporter_.Report(
          "ARC-1304"_clause, desc_.record.At(at - 4, 4),
          [&]() -> Details {
            return {"name", "length 0", "", "a metric's name is empty"};
          },
          Gravity::kError);
    } else if (name.size() >= kNameLimit) {
      reporter_.Report("ARC-1305"_clause, where, [&]() -> Details {
        return {"name", "length " + std::to_string(name.size()), "length below 4096",
                "the name " + Printable(name) + " is too long"};
      });
    } else if (!IsMetricName(name)) {
      reporter_.Report("ARC-1306"_clause, where, [&]() -> Details {
        return {"name", Printable(name),
                "letters, digits and _ in components that start with a letter",
                "not the form of a metric's name"};
      });
    }
  }

  // Sorting bounds the work for any choice of names.
  void CheckNamesDistinct() const {
    std::vector<std::pair<std::string_view, std::size_t>> names;
    desc_.ForEachName([&](std::string_view name, std::size_t at) {
      if (!name.empty()) names.emplace_back(name, at);
    });
    BoundedSort(names.begin(), names.end(), std::less<>());
    std::vector<std::pair<std::size_t, std::string_view>> repeated;
    for (std::size_t i = 1; i < names.size(); ++i) {
      if (names[i].first == names[i - 1].first)
        repeated.emplace_back(names[i].second, names[i].first);
    }
    std::sort(repeated.begin(), repeated.end());
    for (const auto& repetition : repeated) {
      const std::string_view name = repetition.second;
      reporter_.Report(
          "ARC-1307"_clause, desc_.record.At(repetition.first, name.size()), [&]() -> Details {
            return {"name", Printable(name), "", "the name is given twice in one descriptor"};
          });
    }
  }

  void CheckDimension(Clause rule, const char* field, int dimension) const {
    if (dimension >= -2 && dimension <= 2) return;
    Field(rule, kUnits, [&]() -> Details {
      return {std::string("units.") + field, std::to_string(dimension), "-2..2",
              "the dimension is unusually large"};
    });
  }

  void ScaleWithoutDimension(Clause rule, const char* field, int scale) const {
    Field(rule, kUnits, [&]() -> Details {
      return {std::string("units.") + field, std::to_string(scale), "0",
              "a scale is given for a dimension that the metric does not have"};
    });
  }

  bool IsKnownType() const {
    return metric_.type == MetricType::kNoSupport || IsNumeric(metric_.type) ||
           metric_.type == MetricType::kString || metric_.type == MetricType::kAggregate ||
           IsEvent(metric_.type);
  }

  template <typename Enum>
  static std::string Number(Enum value) {
    return std::to_string(static_cast<std::int32_t>(value));
  }

  // The violation of a rule by the word at `offset`.
  template <typename Describe>
  void Field(Clause rule, std::size_t offset, Describe&& describe) const {
    reporter_.Report(rule, desc_.record.At(offset, 4), std::forward<Describe>(describe));
  }

  const DescRecord& desc_;
  const Descriptor& metric_;
  Reporter& reporter_;
};

// Walks the names: true if they exactly fill the record (ARC-304). At most one round for every four
// bytes of the record, whatever `count` is.
bool NamesFit(const RecordView& record, std::uint32_t count, Reporter& reporter) {
  const std::size_t end = record.bytes.size() - kLengthWord;
  std::size_t at = DescRecord::kNames;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (end - at < kLengthWord) {
      reporter.Report("ARC-1335"_clause, record.At(kNameCount, 4), [&]() -> Details {
        return {"number of names", std::to_string(count), std::to_string(i),
                "the record is too short for so many names"};
      });
      return false;
    }
    const std::int32_t length = LoadI32(record.bytes.data() + at);
    const std::size_t remain = end - at - kLengthWord;
    if (length < 0 || static_cast<std::size_t>(length) > remain) {
      reporter.Report("ARC-1304"_clause, record.At(at, 4), [&]() -> Details {
        return {"name length", std::to_string(length), "0.." + std::to_string(remain),
                length < 0 ? "the length of a name is negative" : "a name runs past its record"};
      });
      return false;
    }
    at += kLengthWord + static_cast<std::size_t>(length);
  }
  if (at == end) return true;
  reporter.Report("ARC-1304"_clause, record.At(at, end - at), [&]() -> Details {
    return {"names", std::to_string(end - at) + " bytes left over", "0 bytes left over",
            "the names do not fill their record"};
  });
  return false;
}

// True if there are names to read, or none that readers would miss. Reports ARC-1109, ARC-1303.
bool HasNameCount(const RecordView& record, Reporter& reporter) {
  const std::size_t size = record.bytes.size();
  if (size >= kWithoutNames) return true;
  if (size == kWithoutCount) {
    reporter.Report(
        "ARC-1303"_clause, record.At(kNameCount, 4),
        []() -> Details {
          return {"number of names", "absent", "at least 1",
                  "the record ends before the number of names"};
        },
        Gravity::kFatal);
  } else {
    reporter.Report("ARC-1109"_clause, record.Whole(), [&]() -> Details {
      return {"N", std::to_string(size), "at least " + std::to_string(kWithoutNames),
              "the record is too short for a descriptor"};
    });
  }
  return false;
}

}  // namespace

std::optional<DescRecord> DecodeDesc(const RecordView& record, Reporter& reporter) {
  if (!HasNameCount(record, reporter)) return std::nullopt;
  const std::uint8_t* p = record.bytes.data();
  DescRecord desc;
  desc.record = record;
  desc.descriptor.pmid = Pmid{LoadU32(p + kPmid)};
  desc.descriptor.type = static_cast<MetricType>(LoadI32(p + kType));
  desc.descriptor.indom = Indom{LoadU32(p + kIndom)};
  desc.descriptor.semantics = static_cast<Semantics>(LoadI32(p + kSemantics));
  desc.descriptor.units = Units{LoadU32(p + kUnits)};

  const std::int32_t count = LoadI32(p + kNameCount);
  if (count > 0) {
    desc.name_count = static_cast<std::uint32_t>(count);
    if (!NamesFit(record, desc.name_count, reporter)) return std::nullopt;
  }
  const DescChecker checker(desc, reporter);
  checker.CheckFields();
  if (count <= 0) {
    reporter.Report("ARC-1303"_clause, record.At(kNameCount, 4), [&]() -> Details {
      return {"number of names", std::to_string(count), "at least 1",
              "metric " + ToText(desc.descriptor.pmid) + " has no name"};
    });
  }
  checker.CheckNames();
  return desc;
}

}  // namespace pmproof::archive
