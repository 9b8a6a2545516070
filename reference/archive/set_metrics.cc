// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/set_metrics.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "reference/core/bounded_sort.h"
#include "reference/core/printable.h"

namespace pmproof::archive {
namespace {

constexpr std::size_t kPmid = 8;  // offset of the field (ARC-302)

Units WithoutExtraUnit(Units units) { return Units{units.word & 0xffffff00}; }

std::string UnitsText(Units units) {
  const std::string text = ToText(units);
  return text.empty() ? "none" : text;
}

// The fields that differ, as field, actual and expected.
Details Differences(const Descriptor& was, const Descriptor& is) {
  Details details;
  const auto add = [&](bool same, const char* field, const std::string& actual,
                       const std::string& expected) {
    if (same) return;
    const char* comma = details.field.empty() ? "" : ", ";
    details.field += comma + std::string(field);
    details.actual += comma + actual;
    details.expected += comma + expected;
  };
  add(is.type == was.type, "type", ToText(is.type), ToText(was.type));
  add(is.semantics == was.semantics, "semantics", ToText(is.semantics), ToText(was.semantics));
  add(is.indom == was.indom, "pmInDom", ToText(is.indom), ToText(was.indom));
  add(is.units == was.units, "units", UnitsText(is.units), UnitsText(was.units));
  return details;
}

}  // namespace

// In the order in which readers compare the fields.
ErrorCode DescriptorChange(const Descriptor& was, const Descriptor& is, bool extra_unit) {
  if (is.type != was.type) return ErrorCode::kLogChangeType;
  if (is.semantics != was.semantics) return ErrorCode::kLogChangeSemantics;
  if (is.indom != was.indom) return ErrorCode::kLogChangeIndom;
  const bool same = extra_unit ? is.units == was.units
                               : WithoutExtraUnit(is.units) == WithoutExtraUnit(was.units);
  return same ? ErrorCode::kOk : ErrorCode::kLogChangeUnits;
}

// `desc` is the record that has it.
struct SetMetrics::Name {
  std::string_view text;
  const DescRecord* desc = nullptr;
  std::size_t offset = 0;  // in its record

  Pmid pmid() const { return desc->descriptor.pmid; }
};

// A metric of the member that is added: the record that defines it, and the names that it has.
struct SetMetrics::Group {
  const DescRecord* desc = nullptr;
  std::span<const Name> names;  // ascending by text

  std::string ListOfNames() const {
    std::string list;
    for (const Name& name : names) {
      if (list.size() > kPrintableBytes) break;
      list += (list.empty() ? "" : ", ") + Printable(name.text);
    }
    return list.empty() ? "no name" : list;
  }
};

DescriptorClash SetMetrics::Add(std::string member, const std::vector<DescRecord>& descs,
                                Reporter& reporter) {
  members_.push_back(std::move(member));

  std::vector<Name> names;
  for (const DescRecord& desc : descs) {
    desc.ForEachName([&](std::string_view text, std::size_t offset) {
      if (!text.empty()) names.push_back({text, &desc, offset});
    });
  }
  BoundedSort(names.begin(), names.end(), [](const Name& a, const Name& b) {
    const auto order = a.text <=> b.text;
    if (std::is_neq(order)) return std::is_lt(order);
    return std::pair(a.desc, a.offset) < std::pair(b.desc, b.offset);
  });
  names.erase(std::unique(names.begin(), names.end(),
                          [](const Name& a, const Name& b) { return a.text == b.text; }),
              names.end());
  for (const Name& name : names) AddName(name, reporter);
  std::stable_sort(names.begin(), names.end(),
                   [](const Name& a, const Name& b) { return a.pmid() < b.pmid(); });

  std::vector<const DescRecord*> order;
  order.reserve(descs.size());
  for (const DescRecord& desc : descs) order.push_back(&desc);
  std::stable_sort(order.begin(), order.end(), [](const DescRecord* a, const DescRecord* b) {
    return a->descriptor.pmid < b->descriptor.pmid;
  });

  // Of several clashes the one that stands first in the file decides.
  DescriptorClash clash;
  std::uint64_t clash_at = ~std::uint64_t{0};
  std::uint64_t before_at = ~std::uint64_t{0};
  auto next = names.begin();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Pmid pmid = order[i]->descriptor.pmid;
    if (i > 0 && order[i - 1]->descriptor.pmid == pmid) continue;
    const auto begin = next;
    while (next != names.end() && next->pmid() == pmid) ++next;
    DescriptorClash own;
    AddMetric({order[i], {begin, next}}, reporter, &own);
    const std::uint64_t at = order[i]->record.offset;
    if (own.error != ErrorCode::kOk && at < clash_at) {
      clash.error = own.error;
      clash_at = at;
    }
    if (own.before_7_2 != ErrorCode::kOk && at < before_at) {
      clash.before_7_2 = own.before_7_2;
      before_at = at;
    }
  }
  return clash;
}

void SetMetrics::AddMetric(const Group& group, Reporter& reporter, DescriptorClash* clash) {
  const DescRecord& desc = *group.desc;
  const Descriptor& is = desc.descriptor;
  const auto [entry, added] = metrics_.try_emplace(is.pmid);
  Known& known = entry->second;
  const Reporter::About about(reporter, is.pmid);
  const bool same_names =
      std::equal(group.names.begin(), group.names.end(), known.names.begin(), known.names.end(),
                 [](const Name& name, const std::string* other) { return name.text == *other; });
  if (!added && is != known.descriptor) {
    clash->error = DescriptorChange(known.descriptor, is, /*extra_unit=*/true);
    clash->before_7_2 = DescriptorChange(known.descriptor, is, /*extra_unit=*/false);
    reporter.Report("ARC-2104"_clause, desc.record.Whole(), [&] {
      Details details = Differences(known.descriptor, is);
      details.message = "metric " + ToText(is.pmid) + " (" + group.ListOfNames() +
                        ") is described in another way than in " + members_[known.member] +
                        ": the set cannot be opened (" + ToText(clash->error) + ")";
      return details;
    });
  }
  if (!added && !same_names) {
    reporter.Report("ARC-2105"_clause, desc.record.At(kPmid, 4), [&]() -> Details {
      std::string expected;
      for (const std::string* name : known.names) {
        if (expected.size() > kPrintableBytes) break;
        expected += (expected.empty() ? "" : ", ") + Printable(*name);
      }
      return {"names", group.ListOfNames(), expected.empty() ? "no name" : expected,
              "metric " + ToText(is.pmid) + " has other names than in " + members_[known.member]};
    });
  }
  known.descriptor = is;
  known.member = members_.size() - 1;
  if (same_names) return;
  known.names.clear();
  for (const Name& name : group.names) known.names.push_back(&names_.find(name.text)->first);
}

void SetMetrics::AddName(const Name& name, Reporter& reporter) {
  const auto found = names_.find(name.text);
  if (found == names_.end()) {
    names_.emplace(name.text, Meaning{name.pmid(), members_.size() - 1});
    return;
  }
  Meaning& known = found->second;
  if (known.pmid != name.pmid()) {
    const Reporter::About about(reporter, name.pmid());
    reporter.Report("ARC-2106"_clause, name.desc->record.At(name.offset, name.text.size()),
                    [&]() -> Details {
                      return {"pmID", ToText(name.pmid()), ToText(known.pmid),
                              "the name " + Printable(name.text) +
                                  " stands for another metric than in " + members_[known.member]};
                    });
  }
  known = {name.pmid(), members_.size() - 1};
}

std::vector<std::string> SetMetrics::NamesOf(Pmid pmid) const {
  std::vector<std::string> names;
  const auto found = metrics_.find(pmid);
  if (found == metrics_.end()) return names;
  for (const std::string* name : found->second.names) names.push_back(*name);
  return names;
}

}  // namespace pmproof::archive
