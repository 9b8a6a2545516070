// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <string>
#include <string_view>

#include "reference/core/error_code.h"
#include "reference/core/event_array.h"
#include "validator/dump/dump_writer.h"
#include "validator/dump/name_budget.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

using archive::DataRecord;
using archive::RecordView;
using archive::ValueBlock;
using archive::ValueSet;

class TextDump final : public DumpWriter {
 public:
  TextDump(TextBuffer& out, DumpForm form) : out_(out), form_(form) {}

  bool Wants() const override { return out_.good(); }

  void BeginFile(const std::string& file, archive::Part part) override {
    out_ << Displayable(file);
    if (part >= 0) out_ << " (data volume " << part << ')';
    if (part == archive::kMetaPart) out_ << " (metadata)";
    if (part == archive::kIndexPart) out_ << " (temporal index)";
    out_ << '\n';
  }

  void Label(const archive::ArchiveLabel& label, Bytes bytes) override {
    Begin(0, bytes.size(), "label");
    out_ << " version " << label.version << " pid " << label.pid << " volume " << label.part
         << " start " << Time(label.start) << " host " << Quoted(label.host) << " timezone "
         << Quoted(label.timezone);
    if (label.version == 3) {
      out_ << " zoneinfo " << Quoted(label.zoneinfo) << " features " << label.features
           << " reserved " << label.reserved;
    }
    out_ << '\n';
    Hex(bytes, 0);
  }

  void Desc(const archive::DescRecord& desc) override {
    Begin(desc.record, "desc");
    const Descriptor& descriptor = desc.descriptor;
    out_ << ' ' << ToText(descriptor.pmid) << ' ' << ToText(descriptor.type) << ' '
         << ToText(descriptor.semantics) << " indom " << ToText(descriptor.indom);
    const std::string units = ToText(descriptor.units);
    out_ << " units " << (units.empty() ? std::string_view("none") : std::string_view(units));
    desc.ForEachName([&](std::string_view name, std::size_t) { out_ << ' ' << Quoted(name); });
    out_ << '\n';
    Hex(desc.record);
  }

  void InstanceDomain(const archive::IndomRecord& indom) override {
    Begin(indom.record, indom.delta ? "indom-delta" : "indom");
    out_ << ' ' << ToText(indom.indom) << " at " << Time(indom.time) << ": " << indom.count
         << (indom.delta ? " changes\n" : " instances\n");
    NameBudget budget(form_.full, indom.record.bytes.size());
    for (std::uint32_t i = 0; i < indom.count && Wants(); ++i) {
      out_ << "  " << indom.Id(i);
      if (const auto name = indom.Name(i)) {
        const std::string_view shown = budget.Take(*name);
        out_ << ' ' << Quoted(shown);
        if (budget.cut()) {
          out_ << "... (the first " << shown.size() << " of " << name->size() << " bytes)";
        }
        out_ << '\n';
      } else {
        out_ << " deleted\n";
      }
    }
    Hex(indom.record);
  }

  void Labels(const archive::LabelRecord& labels) override {
    Begin(labels.record, "labels");
    out_ << ' ' << ToText(labels.label_class) << " of " << LabelOwner(labels) << " at "
         << Time(labels.time) << '\n';
    labels.ForEachSet([&](const archive::LabelSet& set) {
      out_ << "  ";
      if (set.instance != kInstanceNull) out_ << "instance " << set.instance << ": ";
      if (set.count < 0) {
        out_ << ToText(static_cast<ErrorCode>(set.count)) << '\n';
        return;
      }
      out_ << Quoted(set.json) << ", " << set.count << " labels\n";
    });
    Hex(labels.record);
  }

  void HelpText(const archive::TextRecord& text) override {
    Begin(text.record, "text");
    out_ << (text.ForIndom() ? " indom " : " metric ")
         << (text.ForIndom() ? ToText(Indom{text.identifier}) : ToText(Pmid{text.identifier}))
         << ((text.type & 1) != 0 ? " one-line " : " help ") << Quoted(text.text) << '\n';
    Hex(text.record);
  }

  void Result(const DataRecord& record, MetricNames& names) override {
    Begin(record.record, record.IsMark() ? "mark" : "result");
    out_ << ' ' << Time(record.time);
    if (!record.IsMark()) out_ << ' ' << record.set_count << " metrics";
    out_ << '\n';
    record.ForEachSet([&](const ValueSet& set) { Set(record, set, names); });
    Hex(record.record);
  }

  void IndexEntry(const archive::IndexEntry& entry, std::uint64_t offset, Bytes bytes) override {
    Begin(offset, bytes.size(), "entry");
    out_ << ' ' << Time(entry.time) << " volume " << entry.volume << " meta offset "
         << entry.meta_offset << " data offset " << entry.data_offset << '\n';
    Hex(bytes, offset);
  }

  void Undecoded(const RecordView& record, const std::vector<std::string>& rules) override {
    Begin(record, "undecodable");
    for (const std::string& rule : rules) out_ << ' ' << rule;
    out_ << '\n';
    Hex(record.bytes, record.offset, true);
  }

  void Unframed(std::uint64_t offset, std::uint64_t length, Bytes bytes,
                const std::string& because) override {
    Begin(offset, length, "no record");
    out_ << ": " << because << '\n';
    Hex(bytes, offset, true);
  }

  void EndFile(std::uint64_t size) override { out_ << '@' << size << " end\n\n"; }

 private:
  void Begin(std::uint64_t offset, std::uint64_t length, std::string_view kind) {
    out_ << '@' << offset << ' ' << length << ' ' << kind;
  }
  void Begin(const RecordView& record, std::string_view kind) {
    Begin(record.offset, record.bytes.size(), kind);
  }

  std::string_view Quoted(std::string_view bytes) {
    scratch_.clear();
    AppendQuoted(bytes, Quoting::kText, &scratch_);
    return scratch_;
  }

  // Records of one second differ in the fraction only, but the text is short: made anew each time.
  std::string_view Time(Timestamp time) {
    time_ = ToEpochText(time);
    return time_;
  }

  static std::string LabelOwner(const archive::LabelRecord& labels) {
    switch (labels.label_class) {
      case LabelClass::kContext:
        return "the archive";
      case LabelClass::kDomain:
        return std::to_string(labels.identifier);
      case LabelClass::kIndom:
      case LabelClass::kInstances:
        return ToText(Indom{labels.identifier});
      case LabelClass::kCluster:
      case LabelClass::kItem:
        break;
    }
    return ToText(Pmid{labels.identifier});
  }

  // Each line but the first of a set begins with its newline, so that lead and value are one piece.
  void Set(const DataRecord& record, const ValueSet& set, MetricNames& names) {
    NamedMetric& metric = names.Find(set.pmid(), record.time);
    out_ << "  " << metric.pmid_text << ' '
         << (metric.quoted_name.empty() ? std::string_view("(no name)")
                                        : std::string_view(metric.quoted_name));
    if (set.numval() <= 0) {
      out_ << (set.numval() == 0 ? std::string_view(" no values") : std::string_view(" error "));
      if (set.numval() < 0)
        out_ << set.numval() << ' ' << ToText(static_cast<ErrorCode>(set.numval()));
      out_ << '\n';
      return;
    }
    NameBudget budget(form_.full, record.record.bytes.size());
    names.Prepare(set, record.time, &metric, [&](std::int32_t instance, InstanceName name) {
      if (instance == kInstanceNull) return std::string("\n    ");
      std::string lead = "\n    [" + std::to_string(instance);
      if (name) lead.append(" ").append(Quoted(budget.Take(*name)));
      if (name && budget.cut()) lead += "...";
      return lead += "] ";
    });
    Values(set, *metric.leads,
           metric.descriptor != nullptr ? metric.descriptor->type : MetricType::kUnknown);
    out_ << '\n';
  }

  void Values(const ValueSet& set, const Leads& leads, MetricType type) {
    const bool insitu = set.format() == archive::kInsitu;
    if (insitu && type == MetricType::kU32 && Lines<false>(set, leads)) return;
    if (!insitu && type == MetricType::kU64 && Lines<true>(set, leads)) return;
    for (std::uint32_t i = 0; i < set.count(); ++i) {
      out_ << leads.At(i);
      if (insitu) {
        Insitu(set.Word(i), type);
      } else {
        Block(set.Block(i));
      }
    }
  }

  // The values of most metrics: insitu U32, or U64 in blocks that all have one and the same header.
  // False if they are otherwise, and nothing was written.
  template <bool kBlocks>
  bool Lines(const ValueSet& set, const Leads& leads) {
    const std::uint32_t count = set.count();
    char* to =
        out_.Begin(TextBuffer::kMostLine(leads.text.size()) + count * TextBuffer::kMostLine(0));
    if (to == nullptr) return false;
    const std::uint32_t header = static_cast<std::uint32_t>(MetricType::kU64) << 24 | 12;
    const std::uint8_t* word = set.Pair(0) + 4;
    const char* lead = leads.text.data();
    const std::size_t* ends = leads.ends.data();
    std::size_t begin = 0;
    for (std::uint32_t i = 0; i < count; ++i, word += 8) {
      const std::size_t end = ends[i];
      if constexpr (kBlocks) {
        const std::uint8_t* block = set.BlockOf(LoadU32(word), 8);
        if (block == nullptr || LoadU32(block) != header) return false;
        to = TextBuffer::PutLine(to, lead + begin, end - begin, LoadU64(block + 4));
      } else {
        to = TextBuffer::PutLine(to, lead + begin, end - begin, LoadU32(word));
      }
      begin = end;
    }
    out_.End(to);
    return true;
  }

  void Insitu(std::uint32_t word, MetricType type) {
    if (type == MetricType::kU32) {
      out_ << word;
    } else if (type == MetricType::kFloat) {
      out_ << std::bit_cast<float>(word);
    } else if (type == MetricType::k32) {
      out_ << static_cast<std::int32_t>(word);
    } else {
      out_ << word << " (insitu)";
    }
  }

  void Block(const ValueBlock& block) {
    const std::uint8_t* p = block.payload.data();
    if (NumericSize(block.type) == block.payload.size()) {
      switch (block.type) {
        case MetricType::k64:
          out_ << LoadI64(p);
          return;
        case MetricType::kU64:
          out_ << LoadU64(p);
          return;
        case MetricType::kDouble:
          out_ << std::bit_cast<double>(LoadU64(p));
          return;
        case MetricType::kFloat:
          out_ << std::bit_cast<float>(LoadU32(p));
          return;
        case MetricType::kNoSupport:
        case MetricType::k32:
        case MetricType::kU32:
        case MetricType::kString:
        case MetricType::kAggregate:
        case MetricType::kAggregateStatic:
        case MetricType::kEvent:
        case MetricType::kHighresEvent:
        case MetricType::kUnknown:
          break;
      }
    }
    if (block.type == MetricType::kString) {
      // The one NUL that ends a string is not shown (ARC-235).
      const std::string_view text = AsText(block.payload);
      const std::string_view value = UpToNul(text);
      out_ << Quoted(value.size() + 1 == text.size() ? value : text);
      if (value.size() == text.size()) out_ << " (no NUL)";
    } else if (IsEvent(block.type)) {
      Events(block);
    } else {
      out_ << ToText(block.type) << " [";
      out_.Hex(block.payload);
      out_ << ']';
    }
  }

  void Events(const ValueBlock& block) {
    EventArray events(block.payload, block.type == MetricType::kHighresEvent);
    out_ << events.record_count().value_or(0) << " event records";
    while (const auto event = events.NextRecord()) {
      out_ << "\n      " << Time(event->time) << " flags " << event->flags;
      if (event->missed()) out_ << " missed " << event->parameter_count;
      while (const auto parameter = events.NextParameter()) {
        out_ << "\n        " << ToText(parameter->pmid) << ' ';
        if (parameter->payload.size() == 4 && IsNumeric(parameter->type)) {
          Insitu(LoadU32(parameter->payload.data()), parameter->type);
        } else {
          Block({parameter->type, parameter->payload});
        }
      }
    }
    if (events.fault()) out_ << "\n      runs past its value block ARC-1816";
  }

  void Hex(const RecordView& record) { Hex(record.bytes, record.offset); }

  // 32 bytes a line; always for what could not be decoded.
  void Hex(Bytes bytes, std::uint64_t offset, bool always = false) {
    if (!form_.hex && !always) return;
    for (std::size_t at = 0; at < bytes.size(); at += 32) {
      out_ << "    | " << offset + at << ' ';
      const Bytes line = bytes.subspan(at, std::min<std::size_t>(32, bytes.size() - at));
      for (std::size_t i = 0; i < line.size(); i += 4) {
        out_ << ' ';
        out_.Hex(line.subspan(i, std::min<std::size_t>(4, line.size() - i)));
      }
      out_ << '\n';
    }
  }

  TextBuffer& out_;
  DumpForm form_;
  std::string scratch_;
  std::string time_;
};

}  // namespace

std::unique_ptr<DumpWriter> MakeTextDump(TextBuffer& out, DumpForm form) {
  return std::make_unique<TextDump>(out, form);
}

}  // namespace pmproof::validator
