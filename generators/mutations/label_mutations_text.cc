// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.3: the texts of labels.

#include <iterator>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "generators/mutations/files.h"
#include "generators/mutations/label_mutations.h"
#include "reference/archive/layout.h"
#include "reference/core/metric.h"

namespace pmproof::generators {
namespace {

using archive::LabelModel;
using archive::Layout;
using archive::LayoutOf;

template <typename Edit>
void EditAll(ArchivePlan& plan, Edit edit) {
  edit(plan.label);
  for (auto& [part, label] : plan.labels) edit(label);
}

// The label `hostname` of a set; null if it has none.
archive::LabelEntryModel* HostLabel(archive::LabelSetModel& set) {
  for (archive::LabelEntryModel& entry : set.entries) {
    const std::size_t end = std::size_t{entry.value_offset} + entry.value_length;
    if (end > set.json.size() || entry.name_offset > set.json.size()) continue;
    if (set.json.compare(entry.name_offset, entry.name_length, "hostname") == 0) return &entry;
  }
  return nullptr;
}

// The label sets of the context that repeat the host of the archive's label (ARC-1520).
std::vector<archive::LabelSetModel*> HostLabels(ArchivePlan& plan) {
  std::vector<archive::LabelSetModel*> sets;
  for (archive::MetaRecordModel& record : plan.meta) {
    auto* labels = std::get_if<archive::LabelRecordModel>(&record);
    if (labels == nullptr ||
        labels->label_class != static_cast<std::uint32_t>(LabelClass::kContext))
      continue;
    for (archive::LabelSetModel& set : labels->sets) {
      if (HostLabel(set) != nullptr) sets.push_back(&set);
    }
  }
  return sets;
}

// Puts `host` into all labels, and into those of the context.
void SetHost(ArchivePlan& plan, const std::string& host, const std::string& in_context) {
  EditAll(plan, [&](LabelModel& label) { label.host = host; });
  for (archive::LabelSetModel* set : HostLabels(plan)) {
    archive::LabelEntryModel* const own = HostLabel(*set);
    const archive::LabelEntryModel old = *own;
    const std::string value = "\"" + in_context + "\"";
    set->json.replace(old.value_offset, old.value_length, value);
    const auto by = static_cast<std::uint16_t>(value.size() - old.value_length);
    for (archive::LabelEntryModel& entry : set->entries) {
      if (entry.name_offset > old.value_offset)
        entry.name_offset = static_cast<std::uint16_t>(entry.name_offset + by);
      if (entry.value_offset > old.value_offset)
        entry.value_offset = static_cast<std::uint16_t>(entry.value_offset + by);
    }
    own->value_length = static_cast<std::uint16_t>(value.size());
  }
}

// A zone that fills a field of that size, also without its last character.
std::string LongZone(std::size_t size) { return "<" + std::string(size - 4, 'A') + ">00"; }

char Control(Random& random) {
  const auto code = static_cast<char>(random.Between(1, 32));
  return code == ' ' ? '\x7f' : code;
}

}  // namespace

NotApplicable FullTimezone(ArchivePlan& plan, Random&) {
  EditAll(plan, [](LabelModel& label) {
    label.timezone = LongZone(LayoutOf(label.version).timezone_size);
  });
  return std::nullopt;
}

NotApplicable FullHost(ArchivePlan& plan, Random&) {
  const std::size_t size = LayoutOf(plan.label.version).host_size;
  SetHost(plan, std::string(size, 'h'), std::string(size - 1, 'h'));
  return std::nullopt;
}

NotApplicable FullZoneinfo(ArchivePlan& plan, Random&) {
  if (plan.label.version != 3) return "labels of version 2 have no zoneinfo";
  EditAll(plan,
          [](LabelModel& label) { label.zoneinfo = LongZone(archive::kLayoutV3.zoneinfo_size); });
  return std::nullopt;
}

NotApplicable BytesBehindAText(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  struct Field {
    std::string suffix;
    std::size_t begin;
    std::size_t end;
  };
  const Layout& layout = LayoutOf(plan.label.version);
  std::vector<Field> fields;
  for (const archive::Part part : Parts(plan)) {
    const auto own = plan.labels.find(part);
    const LabelModel& label = own == plan.labels.end() ? plan.label : own->second;
    const auto add = [&](std::size_t field, std::size_t size, const std::string& text) {
      if (text.size() + 1 < size)
        fields.push_back({SuffixOf(part), field + text.size() + 1, field + size});
    };
    add(layout.host_field, layout.host_size, label.host);
    add(layout.timezone_field, layout.timezone_size, label.timezone);
    add(layout.zoneinfo_field, layout.zoneinfo_size, label.zoneinfo);
  }
  if (fields.empty()) return "the texts of its labels fill their fields";
  const Field& chosen = random.Pick(fields);
  const std::size_t first = chosen.begin + random.Below(chosen.end - chosen.begin);
  const std::size_t count = 1 + random.Below(chosen.end - first);
  for (std::size_t i = 0; i < count; ++i) {
    image.SetByte(chosen.suffix, first + i, static_cast<std::uint8_t>(random.Between(1, 255)));
  }
  return std::nullopt;
}

NotApplicable NoHost(ArchivePlan& plan, Random&) {
  SetHost(plan, "", "");
  return std::nullopt;
}

NotApplicable PathAsHost(ArchivePlan& plan, Random& random) {
  constexpr const char* kPaths[] = {"../../../../tmp/target", "/etc/cron.d/x", "a/b", ".", ".."};
  const char* const path = random.Pick(kPaths);
  SetHost(plan, path, path);
  return std::nullopt;
}

NotApplicable HostOfOtherCharacters(ArchivePlan& plan, Random& random) {
  constexpr const char* kHosts[] = {"a$(id);b", "my host", "it's", "-oProxyCommand=x"};
  const char* const host = random.Pick(kHosts);
  SetHost(plan, host, host);
  return std::nullopt;
}

NotApplicable NoTimezone(ArchivePlan& plan, Random&) {
  EditAll(plan, [](LabelModel& label) { label.timezone.clear(); });
  return std::nullopt;
}

NotApplicable UnknownTimezone(ArchivePlan& plan, Random& random) {
  constexpr const char* kNone[] = {"not a tz!", "UT", "EST+", "Europe/", "MEZ-1MESZ,M3.5"};
  const char* const zone = random.Pick(kNone);
  EditAll(plan, [zone](LabelModel& label) { label.timezone = zone; });
  return std::nullopt;
}

NotApplicable UnknownZoneinfo(ArchivePlan& plan, Random& random) {
  if (plan.label.version != 3) return "labels of version 2 have no zoneinfo";
  constexpr const char* kNone[] = {":No Such Zone", ":UTC/", ":Europe/", ":U..", ":UTC,"};
  const char* const zone = random.Pick(kNone);
  EditAll(plan, [zone](LabelModel& label) { label.zoneinfo = zone; });
  return std::nullopt;
}

NotApplicable PathAsTimezone(ArchivePlan& plan, Random& random) {
  constexpr const char* kPaths[] = {"/tmp/target", "../../../tmp/target", "Europe/../x"};
  const char* const zone = random.Pick(kPaths);
  EditAll(plan, [zone](LabelModel& label) { label.timezone = zone; });
  return std::nullopt;
}

NotApplicable PathAsZoneinfo(ArchivePlan& plan, Random& random) {
  if (plan.label.version != 3) return "labels of version 2 have no zoneinfo";
  constexpr const char* kPaths[] = {":/tmp/target", ":../../../tmp/target", ":/etc/localtime"};
  const char* const zone = random.Pick(kPaths);
  EditAll(plan, [zone](LabelModel& label) { label.zoneinfo = zone; });
  return std::nullopt;
}

NotApplicable ControlInTimezone(ArchivePlan& plan, Random& random) {
  const std::string zone = std::string("UTC") + Control(random);
  EditAll(plan, [&zone](LabelModel& label) { label.timezone = zone; });
  return std::nullopt;
}

NotApplicable ControlInHost(ArchivePlan& plan, Random& random) {
  // JSON cannot hold the same bytes.
  if (!HostLabels(plan).empty()) return "labels of its context repeat the hostname";
  const std::string host = std::string("host") + Control(random) + "name";
  EditAll(plan, [&host](LabelModel& label) { label.host = host; });
  return std::nullopt;
}

NotApplicable ControlInZoneinfo(ArchivePlan& plan, Random& random) {
  if (plan.label.version != 3) return "labels of version 2 have no zoneinfo";
  const std::string zone = std::string(":UTC") + Control(random);
  EditAll(plan, [&zone](LabelModel& label) { label.zoneinfo = zone; });
  return std::nullopt;
}

NotApplicable TimezoneWithColon(ArchivePlan& plan, Random&) {
  EditAll(plan, [](LabelModel& label) { label.timezone = ":UTC"; });
  return std::nullopt;
}

}  // namespace pmproof::generators
