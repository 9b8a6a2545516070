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
#include "reference/core/metric.h"

namespace pmproof::generators {
namespace {

using namespace std::string_view_literals;

std::string_view ToText(archive::Compression compression) {
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
      : version_(head.label.version), file_(file), out_(file) {
    const archive::Layout& layout = archive::LayoutOf(version_);
    out_ << R"({"schema":"pmproof-truth/1","archive_version":)"sv << version_
         << R"(,"compression":")"sv << ToText(head.compression) << "\",\n\"recipe\":{"sv;
    bool first = true;
    for (const auto& [name, value] : head.recipe) {
      Separate(&first);
      out_.Quote(name) << ':';
      out_.Quote(value);
    }
    out_ << "},\n\"violates\":["sv;
    first = true;
    for (const std::string& rule : head.violates) {
      Separate(&first);
      out_.Quote(rule);
    }
    const archive::LabelModel& label = head.label;
    out_ << "],\n\"label\":{\"pid\":"sv << label.pid;
    Time("start", label.start, label.fraction);
    Member("host", Field(label.host, layout.host_size));
    Member("timezone", Field(label.timezone, layout.timezone_size));
    if (version_ == 3) {
      Member("zoneinfo", Field(label.zoneinfo, layout.zoneinfo_size));
      out_ << R"(,"features":)"sv << label.features << R"(,"reserved":)"sv << label.reserved;
    }
    out_ << "},\n\"log\":["sv;
  }

  std::optional<Status> Take(const archive::MetaRecordModel& record) {
    std::visit([this](const auto& model) { Write(model); }, record);
    return out_.status();
  }

  std::optional<Status> Take(const archive::ResultModel& result, archive::Part volume) {
    Begin(result.sets.empty() ? "mark"sv : "result"sv);
    out_ << R"(,"volume":)"sv << volume;
    Time("time", result.time, result.fraction);
    if (result.sets.empty()) {
      ++counts_.marks;
    } else {
      ++counts_.results;
      out_ << R"(,"metrics":[)"sv;
      bool first = true;
      for (const archive::ValueSetModel& set : result.sets) {
        Separate(&first);
        const auto type = types_.find(set.pmid);
        WriteValueSet(set, type == types_.end() ? MetricType::kUnknown : type->second, &out_);
        counts_.values += set.values.size();
      }
      out_ << ']';
    }
    out_ << '}';
    return out_.status();
  }

  std::optional<Status> Finish() {
    out_ << "\n],\n\"footer\":{\"complete\":true,\"counts\":{\"desc\":"sv << counts_.descs
         << R"(,"indom":)"sv << counts_.indoms << R"(,"labels":)"sv << counts_.labels
         << R"(,"text":)"sv << counts_.texts << R"(,"raw":)"sv << counts_.raw << R"(,"result":)"sv
         << counts_.results << R"(,"mark":)"sv << counts_.marks << R"(,"values":)"sv
         << counts_.values << "}}}\n"sv;
    out_.Flush();
    if (out_.status()) return out_.status();
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

  void Begin(std::string_view type) {
    out_ << (empty_ ? "\n{\"type\":\""sv : ",\n{\"type\":\""sv) << type << '"';
    empty_ = false;
  }
  void Separate(bool* first) {
    if (!*first) out_ << ',';
    *first = false;
  }
  void Key(std::string_view key) { out_ << ",\""sv << key << "\":"sv; }
  void Member(std::string_view key, std::string_view value) {
    Key(key);
    out_.Quote(value);
  }
  void Time(std::string_view key, Timestamp time,
            std::optional<std::int32_t> fraction = std::nullopt) {
    Member(key, ToEpochText(AsStored(time, fraction, version_)));
    if (fraction) out_ << R"(,"fraction":)"sv << *fraction;
  }
  void Identifier(Pmid pmid) {
    Member("pmid", Dotted(pmid));
    out_ << R"(,"pmid_word":)"sv << pmid.value;
  }
  void Identifier(Indom indom) {
    Member("indom", Dotted(indom));
    out_ << R"(,"indom_word":)"sv << indom.value;
  }

  void Write(const archive::DescModel& desc) {
    const Descriptor& descriptor = desc.descriptor;
    types_.emplace(descriptor.pmid, descriptor.type);  // the first one defines it (ARC-307)
    ++counts_.descs;
    Begin("desc");
    Identifier(descriptor.pmid);
    out_ << R"(,"names":[)"sv;
    bool first = true;
    for (const std::string& name : desc.names) {
      Separate(&first);
      out_.Quote(name);
    }
    out_ << ']';
    Member("metric_type", ToText(descriptor.type));
    Member("semantics", ToText(descriptor.semantics));
    if (descriptor.indom.IsNull()) {
      out_ << R"(,"indom":null)"sv;
    } else {
      Identifier(descriptor.indom);
    }
    Member("units", ToText(descriptor.units));
    out_ << R"(,"units_word":)"sv << descriptor.units.word << '}';
  }

  void Write(const archive::IndomModel& record) {
    ++counts_.indoms;
    DomainInForce& domain = domains_[record.indom];
    domain.Take(record, AsStored(record.time, std::nullopt, version_));
    Begin("indom");
    Time("time", record.time);
    Identifier(record.indom);
    out_ << R"(,"stored":)"sv << (record.delta ? R"("delta")"sv : R"("full")"sv);
    if (domain.out_of_order()) out_ << R"(,"out_of_order":true)"sv;
    bool first = true;
    if (record.delta) {
      out_ << R"(,"changes":[)"sv;
      for (const archive::InstanceModel& change : record.instances) {
        Separate(&first);
        Instance(change.id, change.name ? &*change.name : nullptr);
      }
      out_ << ']';
      first = true;
    }
    out_ << R"(,"instances":[)"sv;
    for (const DomainInForce::Instance& instance : domain.instances()) {
      Separate(&first);
      Instance(instance.id, &instance.name);
    }
    out_ << "]}"sv;
  }

  void Instance(std::int32_t id, const std::string* name) {
    out_ << R"({"instance":)"sv << id << R"(,"name":)"sv;
    if (name == nullptr) {
      out_ << "null}"sv;
    } else {
      out_.Quote(*name) << '}';
    }
  }

  void Write(const archive::LabelRecordModel& record) {
    ++counts_.labels;
    Begin("labels");
    Time("time", record.time);
    Member("class", ToText(static_cast<LabelClass>(record.label_class)));
    switch (static_cast<LabelClass>(record.label_class)) {  // ARC-392
      case LabelClass::kDomain:
        out_ << R"(,"domain":)"sv << record.identifier;
        break;
      case LabelClass::kIndom:
      case LabelClass::kInstances:
        Member("indom", Dotted(Indom{record.identifier}));
        break;
      case LabelClass::kCluster:
      case LabelClass::kItem:
        Member("pmid", Dotted(Pmid{record.identifier}));
        break;
      case LabelClass::kContext:
        break;
    }
    out_ << R"(,"identifier":)"sv << record.identifier << R"(,"sets":[)"sv;
    bool first = true;
    for (const archive::LabelSetModel& set : record.sets) {
      Separate(&first);
      Write(set);
    }
    out_ << "]}"sv;
  }

  void Write(const archive::LabelSetModel& set) {
    if (set.instance == kInstanceNull) {
      out_ << R"({"instance":null)"sv;
    } else {
      out_ << R"({"instance":)"sv << set.instance;
    }
    Member("json", set.json);
    if (set.error < 0 && set.entries.empty()) out_ << R"(,"status":)"sv << set.error;
    out_ << R"(,"labels":[)"sv;
    bool first = true;
    for (const archive::LabelEntryModel& entry : set.entries) {
      Separate(&first);
      out_ << R"({"name":)"sv;
      Piece(set.json, entry.name_offset, entry.name_length);
      out_ << R"(,"value":)"sv;
      Piece(set.json, entry.value_offset, entry.value_length);
      out_ << R"(,"flags":)"sv << entry.flags << '}';
    }
    out_ << "]}"sv;
  }

  // null for what is not inside the JSON.
  void Piece(std::string_view json, std::size_t offset, std::size_t size) {
    if (offset > json.size() || size > json.size() - offset) {
      out_ << "null"sv;
    } else {
      out_.Quote(json.substr(offset, size));
    }
  }

  void Write(const archive::TextModel& text) {
    ++counts_.texts;
    Begin("text");
    out_ << R"(,"text_type":)"sv << text.type;
    switch (static_cast<TextType>(text.type)) {
      case TextType::kMetricOneLine:
      case TextType::kMetricHelp:
        Member("pmid", Dotted(Pmid{text.identifier}));
        break;
      case TextType::kIndomOneLine:
      case TextType::kIndomHelp:
        Member("indom", Dotted(Indom{text.identifier}));
        break;
    }
    out_ << R"(,"identifier":)"sv << text.identifier;
    Member("text", text.text);
    out_ << '}';
  }

  void Write(const archive::RawRecordModel& record) {
    ++counts_.raw;
    Begin("raw");
    Key("payload");
    out_.Base64(record.payload) << '}';
  }

  int version_;
  archive::OutputFile& file_;
  JsonText out_;
  bool empty_ = true;
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
