// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DUMP_DUMP_WRITER_H_
#define PMPROOF_VALIDATOR_DUMP_DUMP_WRITER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "reference/archive/archive_label.h"
#include "reference/archive/data_record.h"
#include "reference/archive/index.h"
#include "reference/archive/metadata.h"
#include "validator/dump/metric_names.h"
#include "validator/text/text_buffer.h"

namespace pmproof::validator {

// Writes what a dump walks over, in one of the formats. Each call says which bytes of the current
// file it accounts for; the calls of one file leave out no byte.
class DumpWriter {
 public:
  virtual ~DumpWriter() = default;

  // Whether it makes sense to go on: false where what is written goes nowhere any more.
  virtual bool Wants() const = 0;

  virtual void BeginFile(const std::string& file, archive::Part part) = 0;
  virtual void Label(const archive::ArchiveLabel& label, Bytes bytes) = 0;
  virtual void Desc(const archive::DescRecord& desc) = 0;
  virtual void InstanceDomain(const archive::IndomRecord& indom) = 0;
  virtual void Labels(const archive::LabelRecord& labels) = 0;
  virtual void HelpText(const archive::TextRecord& text) = 0;
  virtual void Result(const archive::DataRecord& record, MetricNames& names) = 0;
  virtual void IndexEntry(const archive::IndexEntry& entry, std::uint64_t offset, Bytes bytes) = 0;

  // A framed record that cannot be decoded; `rules` are those it breaks.
  virtual void Undecoded(const archive::RecordView& record,
                         const std::vector<std::string>& rules) = 0;

  // `length` bytes that belong to no record or entry; `bytes` is what of them is at hand.
  virtual void Unframed(std::uint64_t offset, std::uint64_t length, Bytes bytes,
                        const std::string& because) = 0;

  virtual void EndFile(std::uint64_t size) = 0;
};

struct DumpForm {
  bool hex = false;   // the bytes too
  bool full = false;  // all of long names (see NameBudget)
};

// For people: a line for each record, its content indented below it.
std::unique_ptr<DumpWriter> MakeTextDump(TextBuffer& out, DumpForm form);

// A JSON object a line. Where a name was cut, "name_length" says how many bytes it has.
std::unique_ptr<DumpWriter> MakeJsonDump(TextBuffer& out, DumpForm form);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_DUMP_DUMP_WRITER_H_
