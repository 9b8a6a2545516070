// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/archive_lookup.h"

#include <algorithm>
#include <utility>

#include "reference/core/error_codes.h"
#include "reference/core/units_text.h"
#include "validator/replay/open_archive.h"
#include "validator/replay/value_text.h"
#include "validator/testee/reject_class.h"

namespace pmproof::validator {
namespace {

bool IsInner(const replay::ReplayArchive& archive, std::string_view name) {
  return std::ranges::any_of(archive.metrics(), [&](const auto& metric) {
    return std::ranges::any_of(metric.second.names, [&](std::string_view known) {
      return known.size() > name.size() && known.starts_with(name) && known[name.size()] == '.';
    });
  });
}

}  // namespace

std::unique_ptr<replay::ReplayArchive> TakeArchive(RequestReader* reader,
                                                   const archive::Storage& storage,
                                                   PcpVersion version) {
  const std::vector<std::string> paths = reader->Archives();
  if (reader->stopped()) return nullptr;
  auto archive = OpenForReplay(storage, paths, archive::MemoryBudget(), version);
  if (archive) return std::move(*archive);
  reader->StopBy(OutcomeOf(archive.error()));
  return nullptr;
}

std::optional<Timestamp> TakeTime(RequestReader* reader, const char* key) {
  const std::optional<std::string> text = reader->Text(reader->args(), key, "args");
  if (!text) return std::nullopt;
  const std::optional<Timestamp> time = ParseTime("@" + *text);
  if (!time) reader->Fail(std::string("args.") + key + ": no time, such as 1700000000.000000000");
  return time;
}

tl::expected<Pmid, ErrorCode> FindMetric(const replay::ReplayArchive& archive,
                                         std::string_view name) {
  if (IsInner(archive, name)) return tl::unexpected(ErrorCode::kNonLeaf);
  if (const auto pmid = archive.Find(name)) return *pmid;
  return tl::unexpected(ErrorCode::kName);
}

std::vector<std::string> NamesOf(const replay::ReplayArchive& archive,
                                 const replay::ReplayMetric& metric) {
  std::vector<std::string> names;
  for (const std::string_view name : metric.names) {
    if (!IsInner(archive, name)) names.push_back(TextOf(name));
  }
  std::ranges::sort(names);
  return names;
}

Json DescriptorJson(const Descriptor& descriptor, PcpVersion version) {
  return {{"type", ToText(descriptor.type)},
          {"semantics", ToText(descriptor.semantics)},
          {"indom", descriptor.indom.IsNull() ? Json(nullptr) : Json(ToText(descriptor.indom))},
          {"units", UnitsText(descriptor.units, version)}};
}

Json CodeJson(ErrorCode status) {
  Json json = {{"status", static_cast<std::int32_t>(status)}};
  if (status != ErrorCode::kOk) json["error"] = ErrorText(status);
  return json;
}

std::string TextOf(std::string_view bytes) {
  return ValueText(Value{MetricType::kString, false, 0, AsBytes(bytes)});
}

}  // namespace pmproof::validator
