// SPDX-License-Identifier: Apache-2.0
#include "validator/tests/properties/reading.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "reference/archive/addressable_source.h"
#include "reference/archive/archive_label.h"
#include "reference/archive/data_record.h"
#include "reference/archive/file_set.h"
#include "reference/archive/instance_domain.h"
#include "reference/archive/metadata.h"
#include "reference/archive/record_reader.h"
#include "reference/core/event_array.h"

namespace pmproof::validator::testing {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

std::string Hex(Bytes bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += kHexDigits[byte >> 4];
    text += kHexDigits[byte & 0xf];
  }
  return text;
}

// A file that is open: the source stands after the label.
struct OpenFile {
  std::unique_ptr<archive::StoredFile> stored;
  std::unique_ptr<archive::Source> source;
  archive::ArchiveLabel label;
};

class Reading {
 public:
  Reading(const archive::Storage& storage, archive::FileSet files)
      : storage_(storage), files_(std::move(files)) {}

  std::vector<std::string> Lines() && {
    if (ReadMeta()) {
      for (const auto& [part, file] : files_.parts) {
        if (part >= 0) ReadVolume(part);
      }
    }
    return std::move(lines_);
  }

 private:
  bool Fail(const Status& status) {
    lines_.push_back("! " + status.ToText());
    return false;
  }

  Result<OpenFile> Open(archive::Part part) {
    const auto found = files_.parts.find(part);
    if (found == files_.parts.end())
      return tl::unexpected(Status{.message = "there is no " + archive::PartSuffix(part)});
    OpenFile file;
    auto stored = storage_.Open(found->second.path);
    if (!stored) return tl::unexpected(stored.error());
    file.stored = *std::move(stored);
    auto source = archive::MakeAddressable(
        archive::MakeSource(*file.stored, found->second.path, found->second.compression),
        found->second.path);
    if (!source) return tl::unexpected(source.error());
    file.source = *std::move(source);
    auto label =
        archive::ReadLabel(*file.source, part, found->second.path, {1LL << 60, 0}, ignore_);
    if (!label) return tl::unexpected(label.error());
    file.label = *std::move(label);
    return file;
  }

  bool ReadMeta() {
    auto meta = Open(archive::kMetaPart);
    if (!meta) return Fail(meta.error());
    meta_ = *std::move(meta);
    lines_.push_back("host " + meta_.label.host + ", time zone " + meta_.label.timezone + ", pid " +
                     std::to_string(meta_.label.pid));
    auto metadata = archive::LoadMetadata(*meta_.source, meta_.label.version, ignore_);
    if (!metadata) return Fail(metadata.error());
    metadata_ = *std::move(metadata);
    if (!metadata_.Complete()) lines_.push_back("! not all metadata can be read");
    domains_ = archive::CollectDomains(metadata_.indoms);
    for (const archive::DescRecord& desc : metadata_.descs) {
      std::string& names = names_[desc.descriptor.pmid];
      desc.ForEachName([&names](std::string_view name, std::size_t) {
        (names += names.empty() ? "" : " ").append(name);
      });
      descriptors_.emplace(desc.descriptor.pmid, desc.descriptor);
    }
    // Later texts replace earlier ones (ARC-433).
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string_view> texts;
    for (const archive::TextRecord& text : metadata_.texts)
      texts[{text.type, text.identifier}] = text.text;
    for (const auto& [key, text] : texts) {
      lines_.push_back("text " + std::to_string(key.first) + " of " + std::to_string(key.second) +
                       ": " + std::string(text));
    }
    return true;
  }

  void ReadVolume(archive::Part part) {
    const auto volume = Open(part);
    if (!volume) {
      Fail(volume.error());
      return;
    }
    archive::RecordReader reader(*volume->source, part, volume->label.version, ignore_);
    while (true) {
      const auto record = reader.Next();
      if (!record) {
        Fail(record.error());
        return;
      }
      if (!*record) break;
      const auto data = archive::DecodeDataRecord(**record, volume->label.version, ignore_);
      if (!data) {
        lines_.push_back("! a record that cannot be decoded");
        return;
      }
      lines_.push_back(LineOf(*data));
    }
    if (reader.lost()) lines_.push_back("! framing is lost");
  }

  std::string Since(Timestamp time) const {
    return std::to_string(NanosecondsBetween(meta_.label.start, time));
  }

  std::string LineOf(const archive::DataRecord& record) {
    std::string line = Since(record.time) + ":";
    if (record.IsMark()) return line + " mark";
    record.ForEachSet([&](const archive::ValueSet& set) { line += SetText(set, record.time); });
    return line;
  }

  std::string SetText(const archive::ValueSet& set, Timestamp time) {
    const auto found = descriptors_.find(set.pmid());
    if (found == descriptors_.end()) return " [no descriptor]";
    const Descriptor& descriptor = found->second;
    std::string text = " [" + names_[set.pmid()] + " " + ToText(descriptor.type) + " " +
                       ToText(descriptor.semantics) + " " + std::to_string(descriptor.units.word) +
                       " " + std::to_string(descriptor.indom.value);
    const Pmid pmid = set.pmid();
    text += Labels(LabelClass::kContext, 0xffffffff, time);
    text += Labels(LabelClass::kDomain, pmid.domain(), time);
    if (!descriptor.indom.IsNull())
      text += Labels(LabelClass::kIndom, descriptor.indom.value, time);
    text += Labels(LabelClass::kCluster, Pmid::Of(pmid.domain(), pmid.cluster(), 0).value, time);
    text += Labels(LabelClass::kItem, pmid.value, time);
    if (set.count() == 0) return text + " no values, " + std::to_string(set.numval()) + "]";
    for (std::uint32_t i = 0; i < set.count(); ++i) {
      const std::int32_t instance = set.Instance(i);
      text += " " + InstanceText(descriptor, instance, time) + "=";
      text +=
          set.format() == archive::kInsitu ? std::to_string(set.Word(i)) : BlockText(set.Block(i));
    }
    return text + "]";
  }

  std::string InstanceText(const Descriptor& descriptor, std::int32_t instance, Timestamp time) {
    if (descriptor.indom.IsNull()) return std::to_string(instance);
    std::string text = std::to_string(instance);
    const auto domain = domains_.find(descriptor.indom);
    if (domain == domains_.end()) return text + " ?";
    const archive::InstanceCursor cursor(domain->second, time);
    if (!cursor.exists()) return text + " -";
    const auto name = cursor.Name(instance);
    text += name ? " '" + std::string(*name) + "'" : " gone";
    return text + Labels(LabelClass::kInstances, descriptor.indom.value, time, instance);
  }

  // The set in force: of the last time that is not later, the first in the file (ARC-400).
  std::string Labels(LabelClass label_class, std::uint32_t identifier, Timestamp time,
                     std::int32_t instance = kInstanceNull) const {
    const archive::LabelRecord* in_force = nullptr;
    for (const archive::LabelRecord& labels : metadata_.labels) {
      if (labels.label_class != label_class || labels.identifier != identifier ||
          labels.time > time)
        continue;
      if (in_force == nullptr || labels.time > in_force->time) in_force = &labels;
    }
    std::string text;
    if (in_force == nullptr) return text;
    in_force->ForEachSet([&](const archive::LabelSet& set) {
      if (set.instance != instance || !text.empty()) return;
      text = " " + std::string(set.json);
      for (std::int32_t i = 0; i < set.count; ++i)
        text += "/" + std::to_string(set.Entry(static_cast<std::size_t>(i)).flags);
    });
    return text;
  }

  std::string BlockText(const archive::ValueBlock& block) const {
    const bool highres = block.type == MetricType::kHighresEvent;
    if (!highres && block.type != MetricType::kEvent) return Hex(block.payload);
    std::string text = "(";
    EventArray events(block.payload, highres);
    while (const auto event = events.NextRecord()) {
      text += Since(event->time) + " " + std::to_string(event->flags) + " " +
              std::to_string(event->parameter_count) + ":";
      while (const auto parameter = events.NextParameter())
        text += " " + std::to_string(parameter->pmid.value) + "=" + Hex(parameter->payload);
      text += ";";
    }
    return text + (events.fault() ? "! fault)" : ")");
  }

  const archive::Storage& storage_;
  const archive::FileSet files_;
  archive::IgnoringReporter ignore_;
  OpenFile meta_;
  archive::Metadata metadata_;
  std::map<Indom, archive::InstanceDomain> domains_;
  std::map<Pmid, std::string> names_;
  std::map<Pmid, Descriptor> descriptors_;  // the first (ARC-307)
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> ReadArchive(const archive::Storage& storage, const std::string& name) {
  archive::IgnoringReporter ignore;
  const auto files = archive::FindArchive(storage, name, ignore);
  if (!files) return {"! " + files.error().ToText()};
  return Reading(storage, *files).Lines();
}

}  // namespace pmproof::validator::testing
