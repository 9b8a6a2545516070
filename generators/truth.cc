// SPDX-License-Identifier: Apache-2.0
#include "generators/truth.h"

#include <map>
#include <string_view>
#include <unordered_map>
#include <variant>

#include "generators/domain_in_force.h"
#include "generators/json_text.h"
#include "generators/truth_values.h"
#include "reference/core/bytes.h"
#include "reference/core/json_writer.h"
#include "reference/core/metric.h"

namespace pmproof::generators {
namespace {

using namespace std::string_view_literals;

std::string_view NameOf(archive::Compression compression) {
  switch (compression) {
    case archive::Compression::kNone:
      return "none";
    case archive::Compression::kXz:
      return "xz";
    case archive::Compression::kLzma:
      return "lzma";
    case archive::Compression::kBzip2:
      return "bz2";
    case archive::Compression::kGzip:
      return "gz";
    case archive::Compression::kCompress:
      return "Z";
    case archive::Compression::kZstd:
      return "zstd";
  }
  return "?";
}

// What a reader makes of the time as it is stored: microseconds in version 2 (ARC-003).
Timestamp AsStored(Timestamp time, std::optional<std::int32_t> fraction, int version) {
  std::uint8_t bytes[archive::kLayoutV3.timestamp];
  archive::StoreTimestamp(bytes, time, version);
  if (fraction) {
    StoreU32(bytes + archive::LayoutOf(version).timestamp - 4,
             static_cast<std::uint32_t>(*fraction));
  }
  return archive::LoadTimestamp(bytes, version);
}

// A text field of a label as readers take it (ARC-102).
std::string_view Field(std::string_view text, std::size_t size) {
  return UpToNul(text).substr(0, size - 1);
}

// Without the words "PM_ID_NULL" and "29.*.*", which name no metric.
std::string Dotted(Pmid pmid) {
  return std::to_string(pmid.domain()) + "." + std::to_string(pmid.cluster()) + "." +
         std::to_string(pmid.item());
}

std::string Dotted(Indom indom) {
  return std::to_string(indom.domain()) + "." + std::to_string(indom.serial());
}

}  // namespace

class TruthWriter::Document {
 public:
  Document(const TruthHead& head, archive::OutputFile& file)
      : version_(head.label.version), file_(file), text_(file), json_(text_) {
    const archive::Layout& layout = archive::LayoutOf(version_);
    json_.Object().Key("schema").InQuotes("pmproof-truth/1"sv);
    json_.Key("archive_version").Number(version_);
    json_.Key("compression").InQuotes(NameOf(head.compression));
    json_.Break().Key("recipe").Object();
    for (const auto& [name, value] : head.recipe) {
      json_.Key(name).String(value);
    }
    json_.EndObject();
    if (head.violates) {
      json_.Break().Key("violates").Array();
      for (const std::string& rule : *head.violates) json_.String(rule);
      json_.EndArray();
    }
    const archive::LabelModel& label = head.label;
    json_.Break().Key("label").Object().Key("pid").Number(label.pid);
    Time("start", label.start, label.fraction);
    json_.Key("host").String(Field(label.host, layout.host_size));
    json_.Key("timezone").String(Field(label.timezone, layout.timezone_size));
    if (version_ == 3) {
      json_.Key("zoneinfo").String(Field(label.zoneinfo, layout.zoneinfo_size));
      json_.Key("features").Number(label.features).Key("reserved").Number(label.reserved);
    }
    json_.EndObject().Break().Key("log").Array();
  }

  std::optional<Status> Take(const archive::MetaRecordModel& record) {
    std::visit([this](const auto& model) { Write(model); }, record);
    return text_.status();
  }

  std::optional<Status> Take(const archive::ResultModel& result, archive::Part volume) {
    Begin(result.sets.empty() ? "mark"sv : "result"sv);
    json_.Key("volume").Number(volume);
    Time("time", result.time, result.fraction);
    if (result.sets.empty()) {
      ++counts_.marks;
    } else {
      ++counts_.results;
      json_.Key("metrics").Array();
      for (const archive::ValueSetModel& set : result.sets) {
        const auto type = types_.find(set.pmid);
        WriteValueSet(set, type == types_.end() ? MetricType::kUnknown : type->second, text_,
                      json_);
        counts_.values += set.values.size();
      }
      json_.EndArray();
    }
    json_.EndObject();
    return text_.status();
  }

  std::optional<Status> Finish() {
    json_.Break().EndArray().Break().Key("footer").Object().Key("complete").True();
    json_.Key("counts").Object().Key("desc").Number(counts_.descs);
    json_.Key("indom").Number(counts_.indoms).Key("labels").Number(counts_.labels);
    json_.Key("text").Number(counts_.texts).Key("raw").Number(counts_.raw);
    json_.Key("result").Number(counts_.results).Key("mark").Number(counts_.marks);
    json_.Key("values").Number(counts_.values).EndObject().EndObject().EndObject().EndLine();
    text_.Flush();
    if (text_.status()) return text_.status();
    return file_.Close();
  }

 private:
  struct Counts {
    std::uint64_t descs = 0;
    std::uint64_t indoms = 0;
    std::uint64_t labels = 0;
    std::uint64_t texts = 0;
    std::uint64_t raw = 0;
    std::uint64_t results = 0;
    std::uint64_t marks = 0;
    std::uint64_t values = 0;
  };

  void Begin(std::string_view type) { json_.Break().Object().Key("type").InQuotes(type); }
  void Time(std::string_view key, Timestamp time,
            std::optional<std::int32_t> fraction = std::nullopt) {
    json_.Key(key).InQuotes(ToEpochText(AsStored(time, fraction, version_)));
    if (fraction) json_.Key("fraction").Number(*fraction);
  }
  void Identifier(Pmid pmid) {
    json_.Key("pmid").InQuotes(Dotted(pmid)).Key("pmid_word").Number(pmid.value);
  }
  void Identifier(Indom indom) {
    json_.Key("indom").InQuotes(Dotted(indom)).Key("indom_word").Number(indom.value);
  }

  void Write(const archive::DescModel& desc) {
    const Descriptor& descriptor = desc.descriptor;
    types_.emplace(descriptor.pmid, descriptor.type);  // the first one defines it (ARC-307)
    ++counts_.descs;
    Begin("desc");
    Identifier(descriptor.pmid);
    json_.Key("names").Array();
    for (const std::string& name : desc.names) json_.String(name);
    json_.EndArray().Key("metric_type").InQuotes(ToText(descriptor.type));
    json_.Key("semantics").InQuotes(ToText(descriptor.semantics));
    if (descriptor.indom.IsNull()) {
      json_.Key("indom").Null();
    } else {
      Identifier(descriptor.indom);
    }
    json_.Key("units").String(ToText(descriptor.units));
    json_.Key("units_word").Number(descriptor.units.word).EndObject();
  }

  void Write(const archive::IndomModel& record) {
    ++counts_.indoms;
    DomainInForce& domain = domains_[record.indom];
    domain.Take(record, AsStored(record.time, std::nullopt, version_));
    Begin("indom");
    Time("time", record.time);
    Identifier(record.indom);
    json_.Key("stored").InQuotes(record.delta ? "delta"sv : "full"sv);
    if (domain.out_of_order()) json_.Key("out_of_order").True();
    if (record.delta) {
      json_.Key("changes").Array();
      for (const archive::InstanceModel& change : record.instances) {
        Instance(change.id, change.name ? &*change.name : nullptr);
      }
      json_.EndArray();
    }
    json_.Key("instances").Array();
    for (const DomainInForce::Instance& instance : domain.instances()) {
      Instance(instance.id, &instance.name);
    }
    json_.EndArray().EndObject();
  }

  void Instance(std::int32_t id, const std::string* name) {
    json_.Object().Key("instance").Number(id).Key("name");
    if (name == nullptr) {
      json_.Null();
    } else {
      json_.String(*name);
    }
    json_.EndObject();
  }

  void Write(const archive::LabelRecordModel& record) {
    ++counts_.labels;
    Begin("labels");
    Time("time", record.time);
    json_.Key("class").InQuotes(ToText(static_cast<LabelClass>(record.label_class)));
    switch (static_cast<LabelClass>(record.label_class)) {  // ARC-392
      case LabelClass::kDomain:
        json_.Key("domain").Number(record.identifier);
        break;
      case LabelClass::kIndom:
      case LabelClass::kInstances:
        json_.Key("indom").InQuotes(Dotted(Indom{record.identifier}));
        break;
      case LabelClass::kCluster:
      case LabelClass::kItem:
        json_.Key("pmid").InQuotes(Dotted(Pmid{record.identifier}));
        break;
      case LabelClass::kContext:
        break;
    }
    json_.Key("identifier").Number(record.identifier).Key("sets").Array();
    for (const archive::LabelSetModel& set : record.sets) Write(set);
    json_.EndArray().EndObject();
  }

  void Write(const archive::LabelSetModel& set) {
    json_.Object().Key("instance");
    if (set.instance == kInstanceNull) {
      json_.Null();
    } else {
      json_.Number(set.instance);
    }
    json_.Key("json").String(set.json);
    if (set.error < 0 && set.entries.empty()) json_.Key("status").Number(set.error);
    json_.Key("labels").Array();
    for (const archive::LabelEntryModel& entry : set.entries) {
      json_.Object().Key("name");
      Piece(set.json, entry.name_offset, entry.name_length);
      json_.Key("value");
      Piece(set.json, entry.value_offset, entry.value_length);
      json_.Key("flags").Number(entry.flags).EndObject();
    }
    json_.EndArray().EndObject();
  }

  // null for what is not inside the JSON.
  void Piece(std::string_view json, std::size_t offset, std::size_t size) {
    if (offset > json.size() || size > json.size() - offset) {
      json_.Null();
    } else {
      json_.String(json.substr(offset, size));
    }
  }

  void Write(const archive::TextModel& text) {
    ++counts_.texts;
    Begin("text");
    json_.Key("text_type").Number(text.type);
    switch (static_cast<TextType>(text.type)) {
      case TextType::kMetricOneLine:
      case TextType::kMetricHelp:
        json_.Key("pmid").InQuotes(Dotted(Pmid{text.identifier}));
        break;
      case TextType::kIndomOneLine:
      case TextType::kIndomHelp:
        json_.Key("indom").InQuotes(Dotted(Indom{text.identifier}));
        break;
    }
    json_.Key("identifier").Number(text.identifier).Key("text").String(text.text).EndObject();
  }

  void Write(const archive::RawRecordModel& record) {
    ++counts_.raw;
    Begin("raw");
    json_.Key("payload").Raw("");
    text_.Base64(record.payload);
    json_.EndObject();
  }

  int version_;
  archive::OutputFile& file_;
  JsonText text_;
  JsonWriter<JsonText> json_;
  Counts counts_;
  std::unordered_map<Pmid, MetricType> types_;
  std::map<Indom, DomainInForce> domains_;
};

TruthWriter::TruthWriter(const TruthHead& head, archive::OutputFile& file)
    : document_(std::make_unique<Document>(head, file)) {}

TruthWriter::~TruthWriter() = default;

std::optional<Status> TruthWriter::Take(const archive::MetaRecordModel& record) {
  return document_->Take(record);
}

std::optional<Status> TruthWriter::Take(const archive::ResultModel& result, archive::Part volume) {
  return document_->Take(result, volume);
}

std::optional<Status> TruthWriter::Finish() { return document_->Finish(); }

}  // namespace pmproof::generators
