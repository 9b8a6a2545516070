// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/version_converter.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "reference/archive/decode_model.h"
#include "reference/archive/layout.h"
#include "reference/core/bytes.h"

namespace pmproof::archive {
namespace {

tl::unexpected<Status> Inexpressible(Clause clause, std::string message) {
  return tl::unexpected(
      Status{.kind = Status::Kind::kUnsupported, .clause = clause, .message = std::move(message)});
}

// What readers take a text field for (ARC-102).
std::string Significant(const std::string& field, std::size_t size) {
  return std::string(UpToNul(std::string_view(field).substr(0, size - 1)));
}

RecordType TypeOf(const RawRecordModel& raw) {
  return raw.payload.size() < kLengthWord
             ? RecordType{}
             : static_cast<RecordType>(LoadI32(AsBytes(raw.payload).data()));
}

}  // namespace

VersionConverter::VersionConverter(int to, const Metadata& metadata)
    : to_(to), domains_(CollectDomains(metadata.indoms)) {
  for (const IndomRecord& record : metadata.indoms) raw_[record.record.offset] = &record;
  for (const auto& [indom, domain] : domains_) {
    cursors_.emplace(indom, InstanceCursor(domain));
    for (std::size_t i = 0; i < domain.steps().size(); ++i) {
      steps_[domain.steps()[i].record->record.offset] = {indom, i};
    }
  }
}

Result<Timestamp> VersionConverter::Convert(Timestamp time, bool odd_fraction) const {
  if (odd_fraction || !time.IsNormalised()) {
    return Inexpressible("ARC-1718"_clause, "a time whose fraction is out of range (" +
                                                std::to_string(time.seconds) +
                                                " s) has no counterpart in the other version");
  }
  if (to_ == 3) return time;
  constexpr std::int64_t kMin = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
  if (time.seconds < kMin || time.seconds > kMax) {
    return Inexpressible("ARC-504"_clause,
                         "version 2 cannot express the time " + ToEpochText(time) +
                             ": its seconds have 32 bits, " +
                             (time.seconds > kMax ? "up to 2038-01-19" : "from 1901-12-13 on"));
  }
  if (time.nanoseconds % 1000 != 0) {
    return Inexpressible("ARC-003"_clause, "version 2 cannot express the time " +
                                               ToEpochText(time) +
                                               ": it has whole microseconds only");
  }
  return time;
}

Result<LabelModel> VersionConverter::Convert(const LabelModel& label) const {
  const Layout& from = LayoutOf(label.version);
  const Layout& layout = LayoutOf(to_);
  LabelModel converted = label;
  converted.version = to_;
  converted.fraction = std::nullopt;
  const Result<Timestamp> start = Convert(label.start, label.fraction.has_value());
  if (!start) return tl::unexpected(start.error());
  converted.host = Significant(label.host, from.host_size);
  converted.timezone = Significant(label.timezone, from.timezone_size);
  converted.zoneinfo.clear();
  if (to_ == 3) return converted;

  if (label.features != 0) {
    return Inexpressible("ARC-103"_clause, "version 2 has no feature bits (here " +
                                               std::to_string(label.features) + ")");
  }
  if (label.reserved != 0) {
    return Inexpressible("ARC-101"_clause, "version 2 has no reserved word in its label (here " +
                                               std::to_string(label.reserved) + ")");
  }
  const auto too_long = [](const char* field, const std::string& text, std::size_t size) {
    return Inexpressible("ARC-100"_clause, std::string("version 2 has room for ") +
                                               std::to_string(size - 1) + " bytes of " + field +
                                               ": " + text);
  };
  if (converted.host.size() >= layout.host_size)
    return too_long("hostname", converted.host, layout.host_size);
  if (converted.timezone.size() >= layout.timezone_size) {
    return too_long("timezone", converted.timezone, layout.timezone_size);
  }
  const std::string zone = Significant(label.zoneinfo, from.zoneinfo_size);
  if (!zone.empty() && zone != converted.timezone && zone != ":" + converted.timezone) {
    return Inexpressible("ARC-101"_clause, "version 2 has no zoneinfo: " + zone + " (timezone " +
                                               converted.timezone + ") would be lost");
  }
  return converted;
}

Result<MetaRecordModel> VersionConverter::Convert(const MetaRecordModel& record,
                                                  std::uint64_t offset) {
  if (const auto* indom = std::get_if<IndomModel>(&record)) return ConvertIndom(*indom, offset);
  if (const auto* raw = std::get_if<RawRecordModel>(&record)) return ConvertRaw(*raw, offset);
  if (const auto* labels = std::get_if<LabelRecordModel>(&record)) {
    const Result<Timestamp> time = Convert(labels->time, false);
    if (!time) return tl::unexpected(time.error());
  }
  return record;
}

Result<MetaRecordModel> VersionConverter::ConvertIndom(IndomModel indom, std::uint64_t offset) {
  const Result<Timestamp> time = Convert(indom.time, false);
  if (!time) return tl::unexpected(time.error());
  if (indom.delta && to_ == 2) return Expand(indom, offset);
  if (to_ == 3) {
    std::ranges::stable_sort(indom.instances, {}, &InstanceModel::id);
  }
  return indom;
}

Result<MetaRecordModel> VersionConverter::Expand(const IndomModel& delta, std::uint64_t offset) {
  const std::string name =
      "the delta of instance domain " + ToText(delta.indom) + " at " + ToEpochText(delta.time);
  IndomModel full{delta.time, delta.indom, {}, false};
  if (delta.instances.empty()) return full;  // readers pass over both (ARC-345)
  const auto step = steps_.find(offset);
  if (step == steps_.end()) return Inexpressible("ARC-371"_clause, name + " belongs to no domain");
  const InstanceDomain& domain = domains_.at(step->second.indom);
  InstanceCursor& cursor = cursors_.at(step->second.indom);
  if (domain.steps()[domain.steps()[step->second.index].full].record->delta) {
    return Inexpressible("ARC-371"_clause,
                         name + " has no full record before it, so the domain is not known");
  }
  if (cursor.version() > step->second.index) {
    return Inexpressible("ARC-503"_clause, name + " stands after a later one in the file");
  }
  cursor.AdvanceToStep(step->second.index + 1);
  full.instances.reserve(cursor.size());
  cursor.ForEach([&](std::int32_t id, std::string_view text) {
    full.instances.push_back({id, std::string(text)});
  });
  if (full.instances.empty()) {
    return Inexpressible("ARC-345"_clause,
                         name + " leaves no instance: in version 2 a domain cannot become empty");
  }
  return full;
}

Result<MetaRecordModel> VersionConverter::ConvertRaw(const RawRecordModel& raw,
                                                     std::uint64_t offset) {
  const RecordType type = TypeOf(raw);
  // These are the same bytes in both versions.
  if (type == RecordType::kDesc || type == RecordType::kText) return raw;
  const auto indom = raw_.find(offset);
  if (indom == raw_.end()) {
    return Inexpressible("ARC-301"_clause,
                         "a record of type " + std::to_string(static_cast<std::int32_t>(type)) +
                             " that is not laid out as the version of its archive lays it out");
  }
  if (indom->second->tangled()) {
    return Inexpressible("ARC-342"_clause,
                         "the instance names of the record overlap too much to be written out");
  }
  const IndomRecord& record = *indom->second;
  const int version = type == RecordType::kIndomV2 ? 2 : 3;
  if (!FractionInRange(LoadFraction(record.record.bytes.data() + 2 * kLengthWord, version),
                       version)) {
    return tl::unexpected(Convert(record.time, true).error());
  }
  return ConvertIndom(ToModel(record), offset);
}

Result<ResultModel> VersionConverter::Convert(ResultModel result) const {
  const Result<Timestamp> time = Convert(result.time, result.fraction.has_value());
  if (!time) return tl::unexpected(time.error());
  return result;
}

Result<IndexEntryModel> VersionConverter::Convert(const IndexEntryModel& entry) const {
  const Result<Timestamp> time = Convert(entry.time, entry.fraction.has_value());
  if (!time) return tl::unexpected(time.error());
  return entry;
}

}  // namespace pmproof::archive
