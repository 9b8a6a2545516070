// SPDX-License-Identifier: Apache-2.0
#include "validator/check/disclosure/find_disclosures.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/archive/data_record.h"
#include "reference/archive/label_json.h"
#include "reference/archive/record_reader.h"
#include "reference/archive/reporter.h"
#include "reference/core/event_array.h"
#include "reference/core/printable.h"
#include "validator/check/disclosure/private_text.h"

namespace pmproof::validator {
namespace {

using archive::Part;
using archive::RecordView;

// A field of the archive, and where in the result what is found in it is counted.
struct Field {
  explicit Field(std::string text) : name(std::move(text)) {}

  std::string name;
  std::optional<Private> known;  // what everything in it is
  std::array<std::optional<std::size_t>, kPrivateKinds> at;
};

// A metric by what its values may tell.
struct MetricField {
  explicit MetricField(std::string name) : field("values of " + name) {}

  Field field;
  MetricType type = MetricType::kUnknown;
  bool numbers = false;  // those of users
};

std::string ClassText(LabelClass label_class) {
  switch (label_class) {
    case LabelClass::kContext:
      return "the context";
    case LabelClass::kDomain:
      return "domains";
    case LabelClass::kIndom:
      return "instance domains";
    case LabelClass::kCluster:
      return "clusters";
    case LabelClass::kItem:
      return "metrics";
    case LabelClass::kInstances:
      return "instances";
  }
  return "an unknown class";
}

std::string DomainText(Indom indom) {
  return std::to_string(indom.domain()) + "." + std::to_string(indom.serial());
}

class Search {
 public:
  explicit Search(const SearchedArchive& archive) : archive_(archive) {
    for (const auto& [part, label] : archive_.labels) {
      if (host_.empty()) host_ = label->host;
    }
  }

  Disclosures Run() {
    LookAtLabels();
    LookAtInstances();
    LookAtLabelSets();
    LookAtHelpTexts();
    AddMetrics();
    for (const auto& [part, label] : archive_.labels) {
      if (part >= 0) LookAtVolume(part, label->version);
    }
    std::ranges::stable_sort(found_.fields, {}, &Disclosure::kind);
    return std::move(found_);
  }

 private:
  void Add(Field& field, Private kind, Part part, std::uint64_t offset, std::string_view text) {
    std::optional<std::size_t>& at = field.at[static_cast<std::size_t>(kind)];
    if (!at) {
      if (found_.fields.size() == Disclosures::kMostFields) {
        ++found_.more;
        return;
      }
      at = found_.fields.size();
      Disclosure& fresh = found_.fields.emplace_back();
      fresh.kind = kind;
      fresh.field = field.name;
      fresh.example = Printable(text);
    }
    Disclosure& disclosure = found_.fields[*at];
    if (++disclosure.count <= Disclosure::kMostPlaces)
      disclosure.places.push_back({archive_.name(part), part, offset, text.size()});
  }

  // What a text tells. `known`: what all of it is.
  std::vector<PrivatePart> PartsOf(std::string_view text, std::optional<Private> known) const {
    if (text.empty()) return {};
    if (known) return {{*known, 0, text.size()}};
    return PrivateParts(text, host_);
  }

  // A text that begins at `offset` of the file.
  void Look(Field& field, Part part, std::uint64_t offset, std::string_view text) {
    for (const PrivatePart& found : PartsOf(text, field.known))
      Add(field, found.kind, part, offset + found.begin, text.substr(found.begin, found.length));
  }

  // A field of metadata by its name. There may be as many as records: those in which nothing is
  // found are not kept.
  Field& FieldOf(const std::string& name) {
    const auto found = fields_.find(name);
    if (found != fields_.end()) return found->second;
    if (fields_.size() == Disclosures::kMostFields) return further_;
    return fields_.emplace(name, Field(name)).first->second;
  }

  // A text of metadata, in a field that `name()` names. `known`: what it is.
  template <typename Name>
  void LookInMetadata(const RecordView& record, std::string_view text, std::optional<Private> known,
                      Name&& name) {
    const std::vector<PrivatePart> parts = PartsOf(text, known);
    if (parts.empty()) return;
    const auto begin = static_cast<std::uint64_t>(
        reinterpret_cast<const std::uint8_t*>(text.data()) - record.bytes.data());
    Field& field = FieldOf(name());
    for (const PrivatePart& found : parts) {
      Add(field, found.kind, record.part, record.offset + begin + found.begin,
          text.substr(found.begin, found.length));
    }
  }

  void LookAtLabels() {
    Field& field = FieldOf("hostname of the archive's labels");
    field.known = Private::kHost;
    for (const auto& [part, label] : archive_.labels) {
      Look(field, part, archive::LayoutOf(label->version).host_field, label->host);
    }
  }

  void LookAtInstances() {
    for (const archive::IndomRecord& record : archive_.metadata.indoms) {
      const auto field = [&] { return "instance names of " + DomainText(record.indom); };
      if (record.tangled()) {
        // Its names share bytes: each by itself would take more than linear time.
        LookInMetadata(record.record, record.Strings(), std::nullopt, field);
        continue;
      }
      for (std::uint32_t i = 0; i < record.count; ++i) {
        const std::optional<std::string_view> name = record.Name(i);
        if (!name) continue;
        if (LooksLikeProcess(*name)) {
          LookInMetadata(record.record, *name, Private::kCommand,
                         [&] { return field() + ", processes"; });
        } else {
          LookInMetadata(record.record, *name, std::nullopt, field);
        }
      }
    }
  }

  void LookAtLabelSets() {
    std::vector<archive::JsonLabel> labels;
    for (const archive::LabelRecord& record : archive_.metadata.labels) {
      record.ForEachSet([&](const archive::LabelSet& set) {
        labels.resize(archive::ScanLabelJson(set.json, {}).count);
        archive::ScanLabelJson(set.json, labels);
        for (const archive::JsonLabel& label : labels) {
          const std::string_view name = label.Name(set.json);
          std::string_view value = set.json.substr(label.value_offset, label.value_length);
          if (value.size() >= 2 && value.front() == '"') value = value.substr(1, value.size() - 2);
          LookInMetadata(record.record, value, PrivateByName(name), [&] {
            return "label " + Printable(name) + " of " + ClassText(record.label_class);
          });
        }
      });
    }
  }

  void LookAtHelpTexts() {
    for (const archive::TextRecord& record : archive_.metadata.texts) {
      LookInMetadata(record.record, record.text, std::nullopt,
                     [] { return std::string("help texts"); });
    }
  }

  void AddMetrics() {
    for (const archive::DescRecord& desc : archive_.metadata.descs) {
      std::string name;
      desc.ForEachName([&](std::string_view one, std::size_t) {
        if (name.empty()) name = one;
      });
      MetricField metric(Printable(name, std::string::npos));
      metric.field.known = PrivateByName(name);
      metric.type = desc.descriptor.type;
      metric.numbers = NumbersOfUsers(name);
      metrics_.emplace(desc.descriptor.pmid.value, std::move(metric));
    }
  }

  void LookAtVolume(Part part, int version) {
    const OpenVolume open = archive_.open(part);
    if (open.source == nullptr) return;
    archive::IgnoringReporter ignoring;
    archive::RecordReader reader(*open.source, part, version, ignoring);
    for (;;) {
      const Result<std::optional<RecordView>> next = reader.Next();
      if (!next || !*next) return;
      const auto record = archive::DecodeDataRecord(**next, version, ignoring);
      if (!record) continue;
      blocks_.clear();
      record->ForEachSet([&](const archive::ValueSet& set) { LookAtValues(*record, set); });
    }
  }

  void LookAtValues(const archive::DataRecord& record, const archive::ValueSet& set) {
    const auto found = metrics_.find(set.pmid().value);
    if (found == metrics_.end() || set.count() == 0) return;
    MetricField& metric = found->second;
    const RecordView& view = record.record;
    if (set.format() == archive::kInsitu) {
      if (!metric.numbers) return;
      for (std::uint32_t i = 0; i < set.count(); ++i) {
        Add(metric.field, Private::kUser, view.part, view.offset + set.PairOffset(i) + 4,
            std::to_string(set.Word(i)));
      }
      return;
    }
    for (std::uint32_t i = 0; i < set.count(); ++i) {
      if (!blocks_.insert(set.Word(i)).second) continue;
      const archive::ValueBlock block = set.Block(i);
      LookAtBlock(
          metric, view.part,
          view.offset + static_cast<std::uint64_t>(block.payload.data() - view.bytes.data()),
          block.type, block.payload);
    }
  }

  void LookAtBlock(MetricField& metric, Part part, std::uint64_t offset, MetricType type,
                   Bytes payload) {
    const std::string_view bytes = AsText(payload);
    if (type == MetricType::kString) {
      Look(metric.field, part, offset, bytes.substr(0, bytes.find('\0')));
    } else if (type == MetricType::kAggregate || type == MetricType::kAggregateStatic) {
      Look(metric.field, part, offset, bytes);
    } else if (IsEvent(type)) {
      LookAtEvents(part, offset, type, payload);
    }
  }

  void LookAtEvents(Part part, std::uint64_t offset, MetricType type, Bytes payload) {
    EventArray events(payload, type == MetricType::kHighresEvent);
    while (events.NextRecord()) {
      while (const std::optional<EventParameter> parameter = events.NextParameter()) {
        const auto found = metrics_.find(parameter->pmid.value);
        if (found == metrics_.end() || IsEvent(parameter->type)) continue;
        const auto begin = static_cast<std::uint64_t>(parameter->payload.data() - payload.data());
        LookAtBlock(found->second, part, offset + begin, parameter->type, parameter->payload);
      }
    }
  }

  const SearchedArchive& archive_;
  std::string host_;
  Disclosures found_;
  std::map<std::string, Field> fields_;
  Field further_{"further fields of metadata"};
  std::set<std::uint32_t> blocks_;  // of the record: what several values refer to counts once
  std::map<std::uint32_t, MetricField> metrics_;
};

}  // namespace

Disclosures FindDisclosures(const SearchedArchive& archive) { return Search(archive).Run(); }

}  // namespace pmproof::validator
