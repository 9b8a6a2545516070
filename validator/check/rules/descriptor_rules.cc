// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/descriptor_rules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/core/bytes.h"
#include "reference/core/identifiers.h"
#include "reference/core/metric.h"
#include "reference/core/printable.h"
#include "validator/check/rules/name_order.h"

namespace pmproof::validator {
namespace {

using archive::DescRecord;
using archive::Details;
using archive::Gravity;
using archive::Location;
using archive::Reporter;

// Offsets of the fields (ARC-302).
constexpr std::size_t kPmid = 8;
constexpr std::size_t kType = 12;
constexpr std::size_t kIndom = 16;
constexpr std::size_t kSemantics = 20;
constexpr std::size_t kUnits = 24;

// The names with their lengths, as bytes.
std::string_view NamesOf(const DescRecord& desc) {
  const Bytes bytes = desc.record.bytes;
  return AsText(bytes.subspan(DescRecord::kNames, bytes.size() - DescRecord::kNames - 4));
}

std::string ListOfNames(const DescRecord& desc) {
  std::string list;
  desc.ForEachName([&](std::string_view name, std::size_t) {
    if (list.size() > kPrintableBytes) return;
    list += (list.empty() ? "" : ", ") + Printable(name);
  });
  return list.empty() ? "no names" : list;
}

std::vector<std::string_view> SortedNames(const DescRecord& desc) {
  std::vector<std::string_view> names;
  desc.ForEachName([&](std::string_view name, std::size_t) { names.push_back(name); });
  std::sort(names.begin(), names.end());
  return names;
}

// For each descriptor the first one of its metric, which may be itself. Sorted, not hashed: the
// identifiers of a hostile file cannot make that slow.
std::vector<std::size_t> FirstOfEach(const std::vector<DescRecord>& descs) {
  std::vector<std::pair<std::uint32_t, std::size_t>> order;
  order.reserve(descs.size());
  for (std::size_t i = 0; i < descs.size(); ++i) {
    order.emplace_back(descs[i].descriptor.pmid.value, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> first(descs.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && order[i].first == order[i - 1].first;
    first[order[i].second] = same ? first[order[i - 1].second] : order[i].second;
  }
  return first;
}

// ARC-307: a later descriptor of a metric held against its first one.
void CheckRepetition(const DescRecord& first, const DescRecord& later, Reporter& reporter) {
  const Descriptor& was = first.descriptor;
  const Descriptor& is = later.descriptor;
  const Reporter::About about(reporter, is.pmid);
  bool identical = true;
  const auto differs = [&](Clause rule, const Location& where, const char* field, auto&& text,
                           Gravity gravity = Gravity::kAsCatalogued) {
    identical = false;
    reporter.Report(
        rule, where,
        [&]() -> Details {
          return {field, text(later), text(first),
                  "the descriptors of metric " + ToText(is.pmid) +
                      " differ; the first one is at offset " + std::to_string(first.record.offset)};
        },
        gravity);
  };
  if (is.type != was.type) {
    differs("ARC-1311"_clause, later.record.At(kType, 4), "type",
            [](const DescRecord& desc) { return ToText(desc.descriptor.type); });
  }
  if (is.semantics != was.semantics) {
    differs("ARC-1312"_clause, later.record.At(kSemantics, 4), "semantics",
            [](const DescRecord& desc) { return ToText(desc.descriptor.semantics); });
  }
  if (is.indom != was.indom) {
    differs("ARC-1313"_clause, later.record.At(kIndom, 4), "pmInDom",
            [](const DescRecord& desc) { return ToText(desc.descriptor.indom); });
  }
  if (is.units != was.units) {
    differs("ARC-1314"_clause, later.record.At(kUnits, 4), "units", [](const DescRecord& desc) {
      const std::string text = ToText(desc.descriptor.units);
      return text.empty() ? "none" : text;
    });
  }
  if (NamesOf(later) != NamesOf(first)) {
    differs("ARC-1315"_clause,
            later.record.At(DescRecord::kNames, later.record.bytes.size() - DescRecord::kNames - 4),
            "names", ListOfNames,
            SortedNames(later) == SortedNames(first) ? Gravity::kWarning : Gravity::kAsCatalogued);
  }
  if (!identical) return;
  reporter.Report("ARC-1310"_clause, later.record.Whole(), [&]() -> Details {
    return {"", "", "",
            "the descriptor of metric " + ToText(is.pmid) +
                " is repeated; the first one is at offset " + std::to_string(first.record.offset)};
  });
}

// Rules on the name space that the descriptors make up. Identical repetitions are left out.
class NameSpace {
 public:
  NameSpace(const std::vector<DescRecord>& descs, const std::vector<std::size_t>& first)
      : descs_(descs) {
    for (std::size_t i = 0; i < descs.size(); ++i) {
      if (first[i] != i && NamesOf(descs[i]) == NamesOf(descs[first[i]])) continue;
      descs[i].ForEachName([&](std::string_view text, std::size_t offset) {
        if (text.empty()) return;
        names_.push_back({text, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(offset)});
      });
    }
    SortNames(&names_);
  }

  // Reports in the order of the file.
  void Check(Reporter& reporter) const {
    std::vector<Clash> clashes;
    for (std::size_t begin = 0; begin < names_.size();) {
      std::size_t end = begin + 1;
      while (end < names_.size() && names_[end].text == names_[begin].text) {
        if (PmidOf(end) != PmidOf(begin)) clashes.push_back({end, begin, false});
        ++end;
      }
      if (end < names_.size() && IsBelow(names_[end].text, names_[begin].text)) {
        clashes.push_back({begin, end, true});
      }
      begin = end;
    }
    std::sort(clashes.begin(), clashes.end(), [&](const Clash& left, const Clash& right) {
      return PlaceOf(left.name) < PlaceOf(right.name);
    });
    for (const Clash& clash : clashes) Report(clash, reporter);
  }

 private:
  // Two names that cannot both be: the one to report, and the one it clashes with.
  struct Clash {
    std::size_t name;
    std::size_t with;
    bool prefix;
  };

  static bool IsBelow(std::string_view longer, std::string_view shorter) {
    return longer.size() > shorter.size() && longer[shorter.size()] == '.' &&
           longer.substr(0, shorter.size()) == shorter;
  }

  Pmid PmidOf(std::size_t i) const { return descs_[names_[i].desc].descriptor.pmid; }

  std::pair<std::size_t, std::size_t> PlaceOf(std::size_t i) const {
    return {names_[i].desc, names_[i].offset};
  }

  void Report(const Clash& clash, Reporter& reporter) const {
    const PlacedName& name = names_[clash.name];
    const PlacedName& other = names_[clash.with];
    const Location where = descs_[name.desc].record.At(name.offset, name.text.size());
    const Reporter::About about(reporter, PmidOf(clash.name));
    if (clash.prefix) {
      reporter.Report("ARC-1309"_clause, where, [&]() -> Details {
        return {"name", Printable(name.text), "",
                "the name is also the beginning of " + Printable(other.text) + " of metric " +
                    ToText(PmidOf(clash.with)) + ", so that it is not a leaf"};
      });
    } else {
      reporter.Report("ARC-1308"_clause, where, [&]() -> Details {
        return {"name", Printable(name.text), "",
                "metric " + ToText(PmidOf(clash.name)) + " has the name of metric " +
                    ToText(PmidOf(clash.with))};
      });
    }
  }

  const std::vector<DescRecord>& descs_;
  std::vector<PlacedName> names_;
};

// Holds the first descriptor of a metric against its use in the data volumes.
void CheckUse(const DescRecord& desc, const Usage& usage, Reporter& reporter) {
  const Pmid pmid = desc.descriptor.pmid;
  const Reporter::About about(reporter, pmid);
  const auto found = usage.metrics.find(pmid);
  if (found == usage.metrics.end()) {
    if (!usage.complete) return;
    reporter.Report("ARC-1333"_clause, desc.record.At(kPmid, 4), [&]() -> Details {
      return {"pmID", ToText(pmid), "",
              "no value set and no event parameter uses the metric (" + ListOfNames(desc) + ")"};
    });
    return;
  }
  const auto bound = found->second.meta_offset_bound;
  if (!bound || desc.record.offset < *bound) return;
  reporter.Report("ARC-1336"_clause, desc.record.Whole(), [&]() -> Details {
    return {"", "offset " + std::to_string(desc.record.offset),
            "an offset below " + std::to_string(*bound),
            "the descriptor of metric " + ToText(pmid) +
                " lies after what the index entry after its first use refers to"};
  });
}

}  // namespace

void CheckDescriptors(const archive::Metadata& metadata, const Usage& usage, Reporter& reporter) {
  const std::vector<DescRecord>& descs = metadata.descs;
  const std::vector<std::size_t> first = FirstOfEach(descs);
  for (std::size_t i = 0; i < descs.size(); ++i) {
    if (first[i] != i) {
      CheckRepetition(descs[first[i]], descs[i], reporter);
    } else {
      CheckUse(descs[i], usage, reporter);
    }
  }
  NameSpace(descs, first).Check(reporter);
}

}  // namespace pmproof::validator
