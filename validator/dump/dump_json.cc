// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <string>
#include <string_view>

#include "reference/core/error_code.h"
#include "reference/core/json_writer.h"
#include "reference/core/utf8.h"
#include "validator/dump/dump_writer.h"
#include "validator/dump/name_budget.h"

namespace pmproof::validator {
namespace {

using archive::DataRecord;
using archive::RecordView;
using archive::ValueBlock;
using archive::ValueSet;

class JsonDump final : public DumpWriter {
 public:
  JsonDump(TextBuffer& out, DumpForm form) : out_(out), json_(out), form_(form) {}

  bool Wants() const override { return out_.good(); }

  void BeginFile(const std::string& file, archive::Part) override {
    file_.clear();
    AppendQuoted(file, Quoting::kJson, &file_);
  }

  void Label(const archive::ArchiveLabel& label, Bytes bytes) override {
    Begin(0, bytes.size(), "label");
    json_.Key("version").Number(label.version).Key("pid").Number(label.pid);
    json_.Key("volume").Number(label.part);
    json_.Key("start").InQuotes(ToEpochText(label.start));
    json_.Key("host").String(label.host).Key("timezone").String(label.timezone);
    if (label.version == 3) {
      json_.Key("zoneinfo").String(label.zoneinfo);
      json_.Key("features").Number(label.features).Key("reserved").Number(label.reserved);
    }
    End(bytes);
  }

  void Desc(const archive::DescRecord& desc) override {
    Begin(desc.record, "desc");
    const Descriptor& descriptor = desc.descriptor;
    json_.Key("pmid").InQuotes(ToText(descriptor.pmid));
    json_.Key("metric_type").InQuotes(ToText(descriptor.type));
    json_.Key("semantics").InQuotes(ToText(descriptor.semantics)).Key("indom");
    if (descriptor.indom.IsNull()) {
      json_.Null();
    } else {
      json_.InQuotes(ToText(descriptor.indom));
    }
    json_.Key("units").String(ToText(descriptor.units)).Key("names").Array();
    desc.ForEachName([&](std::string_view name, std::size_t) { json_.String(name); });
    json_.EndArray();
    End(desc.record.bytes);
  }

  void InstanceDomain(const archive::IndomRecord& indom) override {
    Begin(indom.record, indom.delta ? "indom-delta" : "indom");
    json_.Key("time").InQuotes(ToEpochText(indom.time));
    json_.Key("indom").InQuotes(ToText(indom.indom)).Key("instances").Array();
    NameBudget budget(form_.full, indom.record.bytes.size());
    for (std::uint32_t i = 0; i < indom.count && Wants(); ++i) {
      json_.Object().Key("instance").Number(indom.Id(i)).Key("name");
      if (const auto name = indom.Name(i)) {
        json_.String(budget.Take(*name));
        if (budget.cut()) json_.Key("name_length").Number(name->size());
      } else {
        json_.Null();
      }
      json_.EndObject();
    }
    json_.EndArray();
    End(indom.record.bytes);
  }

  void Labels(const archive::LabelRecord& labels) override {
    Begin(labels.record, "labels");
    json_.Key("time").InQuotes(ToEpochText(labels.time));
    json_.Key("class").InQuotes(ToText(labels.label_class));
    json_.Key("identifier").Number(labels.identifier).Key("sets").Array();
    labels.ForEachSet([&](const archive::LabelSet& set) {
      json_.Object().Key("instance");
      if (set.instance == kInstanceNull) {
        json_.Null();
      } else {
        json_.Number(set.instance);
      }
      json_.Key("labels").String(set.json);
      json_.Key(set.count < 0 ? "status" : "count").Number(set.count).EndObject();
    });
    json_.EndArray();
    End(labels.record.bytes);
  }

  void HelpText(const archive::TextRecord& text) override {
    Begin(text.record, "text");
    json_.Key("text_type").Number(text.type).Key(text.ForIndom() ? "indom" : "pmid");
    json_.InQuotes(text.ForIndom() ? ToText(Indom{text.identifier})
                                   : ToText(Pmid{text.identifier}));
    json_.Key("text").String(text.text);
    End(text.record.bytes);
  }

  void Result(const DataRecord& record, MetricNames& names) override {
    Begin(record.record, record.IsMark() ? "mark" : "result");
    json_.Key("time").InQuotes(ToEpochText(record.time));
    if (!record.IsMark()) {
      json_.Key("metrics").Array();
      record.ForEachSet([&](const ValueSet& set) { Set(record, set, names); });
      json_.EndArray();
    }
    End(record.record.bytes);
  }

  void IndexEntry(const archive::IndexEntry& entry, std::uint64_t offset, Bytes bytes) override {
    Begin(offset, bytes.size(), "entry");
    json_.Key("time").InQuotes(ToEpochText(entry.time)).Key("volume").Number(entry.volume);
    json_.Key("meta_offset").Number(entry.meta_offset);
    json_.Key("data_offset").Number(entry.data_offset);
    End(bytes);
  }

  void Undecoded(const RecordView& record, const std::vector<std::string>& rules) override {
    Begin(record, "undecodable");
    json_.Key("rules").Array();
    for (const std::string& rule : rules) json_.InQuotes(rule);
    json_.EndArray();
    End(record.bytes, true);
  }

  void Unframed(std::uint64_t offset, std::uint64_t length, Bytes bytes,
                const std::string& because) override {
    Begin(offset, length, "unframed");
    json_.Key("because").String(because);
    End(bytes, true);
  }

  void EndFile(std::uint64_t size) override {
    Begin(size, 0, "end");
    json_.EndObject().EndLine();
  }

 private:
  void Begin(std::uint64_t offset, std::uint64_t length, std::string_view kind) {
    json_.Object().Key("file").Raw(file_).Key("offset").Number(offset);
    json_.Key("length").Number(length).Key("type").InQuotes(kind);
  }
  void Begin(const RecordView& record, std::string_view kind) {
    Begin(record.offset, record.bytes.size(), kind);
  }

  void End(Bytes bytes, bool always = false) {
    if (form_.hex || always) {
      json_.Key("hex").Raw("\"");
      out_.Hex(bytes);
      out_ << '"';
    }
    json_.EndObject().EndLine();
  }

  void Set(const DataRecord& record, const ValueSet& set, MetricNames& names) {
    NamedMetric& metric = names.Find(set.pmid(), record.time);
    json_.Object().Key("pmid").InQuotes(metric.pmid_text).Key("metric");
    json_.Raw(metric.quoted_name.empty() ? std::string_view("null") : metric.quoted_name);
    if (set.numval() <= 0) {
      json_.Key("status").Number(set.numval());
      if (set.numval() < 0) {
        json_.Key("error").InQuotes(ToText(static_cast<ErrorCode>(set.numval())));
      }
      json_.Key("values").Array().EndArray().EndObject();
      return;
    }
    NameBudget budget(form_.full, record.record.bytes.size());
    names.Prepare(set, record.time, &metric, [&](std::int32_t instance, InstanceName name) {
      return Lead(instance, name, budget);
    });
    json_.Key("status").Number(0).Key("format").Number(set.format()).Key("values").Array();
    const MetricType type =
        metric.descriptor != nullptr ? metric.descriptor->type : MetricType::kUnknown;
    for (std::uint32_t i = 0; i < set.count(); ++i) {
      json_.Raw(metric.leads->At(i));
      if (set.format() == archive::kInsitu) {
        Insitu(set.Word(i), type);
      } else {
        Block(set.Block(i));
      }
      out_ << '}';
    }
    json_.EndArray().EndObject();
  }

  // The beginning of a value's object: most of a dump, so that it is made once for each instance.
  static std::string Lead(std::int32_t instance, InstanceName name, NameBudget& budget) {
    std::string lead = instance == kInstanceNull
                           ? R"({"instance":null,)"
                           : R"({"instance":)" + std::to_string(instance) + ",";
    if (name) {
      lead += R"("name":)";
      AppendQuoted(budget.Take(*name), Quoting::kJson, &lead);
      if (budget.cut()) lead += R"(,"name_length":)" + std::to_string(name->size());
      lead += ",";
    }
    return lead;
  }

  template <typename Number>
  void Numeric(std::string_view type, Number number) {
    out_ << R"("type":")" << type << R"(","value":")" << number << '"';
  }

  void Insitu(std::uint32_t word, MetricType type) {
    if (type == MetricType::kU32) return Numeric("u32", word);
    if (type == MetricType::kFloat) return Numeric("float", std::bit_cast<float>(word));
    if (type == MetricType::k32) return Numeric("32", static_cast<std::int32_t>(word));
    return Numeric("unknown", word);
  }

  void Block(const ValueBlock& block) {
    const std::uint8_t* p = block.payload.data();
    if (NumericSize(block.type) == block.payload.size()) {
      if (block.type == MetricType::k64) return Numeric("64", LoadI64(p));
      if (block.type == MetricType::kU64) return Numeric("u64", LoadU64(p));
      if (block.type == MetricType::kDouble) {
        return Numeric("double", std::bit_cast<double>(LoadU64(p)));
      }
      if (block.type == MetricType::kFloat) {
        return Numeric("float", std::bit_cast<float>(LoadU32(p)));
      }
    }
    out_ << R"("type":")" << ToText(block.type) << R"(","value":)";
    const std::string_view text = AsText(block.payload);
    const bool is_text = block.type == MetricType::kString && text.ends_with('\0') &&
                         UpToNul(text).size() + 1 == text.size() &&
                         FirstInvalidUtf8(text) == text.size();
    if (is_text) {
      out_.Quote(UpToNul(text));
    } else {
      out_ << '"' << Base64(block.payload) << '"';
    }
  }

  TextBuffer& out_;
  JsonWriter<TextBuffer> json_;
  DumpForm form_;
  std::string file_;  // its name in quotes
};

}  // namespace

std::unique_ptr<DumpWriter> MakeJsonDump(TextBuffer& out, DumpForm form) {
  return std::make_unique<JsonDump>(out, form);
}

}  // namespace pmproof::validator
