// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <string>
#include <string_view>

#include "reference/core/error_code.h"
#include "reference/core/utf8.h"
#include "validator/dump/dump_writer.h"
#include "validator/dump/name_budget.h"

namespace pmproof::validator {
namespace {

using archive::DataRecord;
using archive::RecordView;
using archive::ValueBlock;
using archive::ValueSet;

// Members are written as `,"key":value` after the first ones of each object.
class JsonDump final : public DumpWriter {
 public:
  JsonDump(TextBuffer& out, DumpForm form) : out_(out), form_(form) {}

  bool Wants() const override { return out_.good(); }

  void BeginFile(const std::string& file, archive::Part) override {
    file_.clear();
    AppendQuoted(file, Quoting::kJson, &file_);
  }

  void Label(const archive::ArchiveLabel& label, Bytes bytes) override {
    Begin(0, bytes.size(), "label");
    out_ << R"(,"version":)" << label.version << R"(,"pid":)" << label.pid << R"(,"volume":)"
         << label.part;
    Member("start", ToEpochText(label.start));
    Member("host", label.host);
    Member("timezone", label.timezone);
    if (label.version == 3) {
      Member("zoneinfo", label.zoneinfo);
      out_ << R"(,"features":)" << label.features << R"(,"reserved":)" << label.reserved;
    }
    End(bytes);
  }

  void Desc(const archive::DescRecord& desc) override {
    Begin(desc.record, "desc");
    const Descriptor& descriptor = desc.descriptor;
    Member("pmid", ToText(descriptor.pmid));
    Member("metric_type", ToText(descriptor.type));
    Member("semantics", ToText(descriptor.semantics));
    out_ << R"(,"indom":)";
    if (descriptor.indom.IsNull()) {
      out_ << "null";
    } else {
      String(ToText(descriptor.indom));
    }
    Member("units", ToText(descriptor.units));
    out_ << R"(,"names":[)";
    bool first = true;
    desc.ForEachName([&](std::string_view name, std::size_t) {
      Separate(&first);
      String(name);
    });
    out_ << ']';
    End(desc.record.bytes);
  }

  void InstanceDomain(const archive::IndomRecord& indom) override {
    Begin(indom.record, indom.delta ? "indom-delta" : "indom");
    Member("time", ToEpochText(indom.time));
    Member("indom", ToText(indom.indom));
    out_ << R"(,"instances":[)";
    NameBudget budget(form_.full, indom.record.bytes.size());
    for (std::uint32_t i = 0; i < indom.count && Wants(); ++i) {
      out_ << (i == 0 ? std::string_view("") : std::string_view(",")) << R"({"instance":)"
           << indom.Id(i) << R"(,"name":)";
      if (const auto name = indom.Name(i)) {
        String(budget.Take(*name));
        if (budget.cut()) out_ << R"(,"name_length":)" << name->size();
      } else {
        out_ << "null";
      }
      out_ << '}';
    }
    out_ << ']';
    End(indom.record.bytes);
  }

  void Labels(const archive::LabelRecord& labels) override {
    Begin(labels.record, "labels");
    Member("time", ToEpochText(labels.time));
    Member("class", ToText(labels.label_class));
    out_ << R"(,"identifier":)" << labels.identifier << R"(,"sets":[)";
    bool first = true;
    labels.ForEachSet([&](const archive::LabelSet& set) {
      Separate(&first);
      out_ << R"({"instance":)";
      Instance(set.instance);
      Member("labels", set.json);
      if (set.count < 0) {
        out_ << R"(,"status":)" << set.count;
      } else {
        out_ << R"(,"count":)" << set.count;
      }
      out_ << '}';
    });
    out_ << ']';
    End(labels.record.bytes);
  }

  void HelpText(const archive::TextRecord& text) override {
    Begin(text.record, "text");
    out_ << R"(,"text_type":)" << text.type;
    Member(text.ForIndom() ? "indom" : "pmid",
           text.ForIndom() ? ToText(Indom{text.identifier}) : ToText(Pmid{text.identifier}));
    Member("text", text.text);
    End(text.record.bytes);
  }

  void Result(const DataRecord& record, MetricNames& names) override {
    Begin(record.record, record.IsMark() ? "mark" : "result");
    Member("time", ToEpochText(record.time));
    if (!record.IsMark()) {
      out_ << R"(,"metrics":[)";
      bool first = true;
      record.ForEachSet([&](const ValueSet& set) {
        Separate(&first);
        Set(record, set, names);
      });
      out_ << ']';
    }
    End(record.record.bytes);
  }

  void IndexEntry(const archive::IndexEntry& entry, std::uint64_t offset, Bytes bytes) override {
    Begin(offset, bytes.size(), "entry");
    Member("time", ToEpochText(entry.time));
    out_ << R"(,"volume":)" << entry.volume << R"(,"meta_offset":)" << entry.meta_offset
         << R"(,"data_offset":)" << entry.data_offset;
    End(bytes);
  }

  void Undecoded(const RecordView& record, const std::vector<std::string>& rules) override {
    Begin(record, "undecodable");
    out_ << R"(,"rules":[)";
    bool first = true;
    for (const std::string& rule : rules) {
      Separate(&first);
      String(rule);
    }
    out_ << ']';
    End(record.bytes, true);
  }

  void Unframed(std::uint64_t offset, std::uint64_t length, Bytes bytes,
                const std::string& because) override {
    Begin(offset, length, "unframed");
    Member("because", because);
    End(bytes, true);
  }

  void EndFile(std::uint64_t size) override {
    Begin(size, 0, "end");
    out_ << "}\n";
  }

 private:
  void Begin(std::uint64_t offset, std::uint64_t length, std::string_view kind) {
    out_ << R"({"file":)" << file_ << R"(,"offset":)" << offset << R"(,"length":)" << length
         << R"(,"type":")" << kind << '"';
  }
  void Begin(const RecordView& record, std::string_view kind) {
    Begin(record.offset, record.bytes.size(), kind);
  }

  void End(Bytes bytes, bool always = false) {
    if (form_.hex || always) {
      out_ << R"(,"hex":")";
      out_.Hex(bytes);
      out_ << '"';
    }
    out_ << "}\n";
  }

  void String(std::string_view bytes) {
    scratch_.clear();
    AppendQuoted(bytes, Quoting::kJson, &scratch_);
    out_ << scratch_;
  }
  void Member(std::string_view key, std::string_view value) {
    out_ << ",\"" << key << "\":";
    String(value);
  }
  void Separate(bool* first) {
    if (!*first) out_ << ',';
    *first = false;
  }
  void Instance(std::int32_t instance) {
    if (instance == kInstanceNull) {
      out_ << "null";
    } else {
      out_ << instance;
    }
  }

  void Set(const DataRecord& record, const ValueSet& set, MetricNames& names) {
    NamedMetric& metric = names.Find(set.pmid(), record.time);
    out_ << R"({"pmid":")" << metric.pmid_text << R"(","metric":)"
         << (metric.quoted_name.empty() ? std::string_view("null")
                                        : std::string_view(metric.quoted_name));
    if (set.numval() <= 0) {
      out_ << R"(,"status":)" << set.numval();
      if (set.numval() < 0) Member("error", ToText(static_cast<ErrorCode>(set.numval())));
      out_ << R"(,"values":[]})";
      return;
    }
    NameBudget budget(form_.full, record.record.bytes.size());
    names.Prepare(set, record.time, &metric, [&](std::int32_t instance, InstanceName name) {
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
    });
    out_ << R"(,"status":0,"format":)" << set.format() << R"(,"values":[)";
    const MetricType type =
        metric.descriptor != nullptr ? metric.descriptor->type : MetricType::kUnknown;
    for (std::uint32_t i = 0; i < set.count(); ++i) {
      if (i != 0) out_ << ',';
      out_ << metric.leads->At(i);
      if (set.format() == archive::kInsitu) {
        Insitu(set.Word(i), type);
      } else {
        Block(set.Block(i));
      }
      out_ << '}';
    }
    out_ << "]}";
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
      String(UpToNul(text));
    } else {
      out_ << '"' << Base64(block.payload) << '"';
    }
  }

  TextBuffer& out_;
  DumpForm form_;
  std::string file_;
  std::string scratch_;
};

}  // namespace

std::unique_ptr<DumpWriter> MakeJsonDump(TextBuffer& out, DumpForm form) {
  return std::make_unique<JsonDump>(out, form);
}

}  // namespace pmproof::validator
