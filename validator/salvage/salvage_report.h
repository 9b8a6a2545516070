// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SALVAGE_SALVAGE_REPORT_H_
#define PMPROOF_VALIDATOR_SALVAGE_SALVAGE_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/layout.h"
#include "reference/core/clause.h"
#include "reference/core/timestamp.h"

// The outcome of `salvage` as values; the renderers turn it into text and JSON.

namespace pmproof::validator {

// Something of the broken archive that is not in the new one, and why.
struct Loss {
  enum class Kind : std::uint8_t {
    kBytes,     // a stretch of a file that is in no record
    kRecords,   // data records, one after the other in the file
    kMarks,     // mark records, likewise
    kValues,    // the value sets of one metric, in records that are kept but for such sets
    kMetadata,  // one metadata record, or entries of it
    kLabel,     // what the label of a file said
    kFile,      // a file that is not there or cannot be used
  };

  Kind kind = Kind::kBytes;
  Clause clause;
  std::string file;  // "base.0.xz"; the name of the archive where no single file is concerned
  archive::Part part = archive::kWholeArchive;
  // Bytes of the uncompressed file. Of kValues: those of the first record concerned. The length is
  // 0 where nobody knows, and of kLabel and kFile.
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint64_t count = 0;   // of records, marks, value sets or entries; 0 where nobody knows
  std::uint64_t values = 0;  // of kValues
  // The span. Of kRecords, kMarks and kValues: the times of the first and the last one lost. Of
  // kMetadata: the time of the record. Of kBytes and kFile: the times of the nearest whole records
  // before and after, so that what is lost lies between them, as far as times can be trusted.
  std::optional<Timestamp> from{};
  std::optional<Timestamp> until{};
  // The metric of kValues, "kernel.all.load (60.2.0)"; what a metadata record is about, "instances
  // of 60.1"; the field of a label.
  std::string subject{};
  std::string message{};  // a sentence without a capital or full stop
};
const char* ToText(Loss::Kind kind);  // "bytes", "records", ...

// Where answers of replay over the new archive may be other than those over the archive before it
// was broken. At a time at which the new archive has a value of the metric and instance, that is
// the answer even there, unless the span has no limit on either side: then it is metadata that are
// lost, and instances or their names may be missing.
struct AnswerSpan {
  std::optional<Timestamp> from{};     // nothing: however early
  std::optional<Timestamp> until{};    // nothing: however late
  std::vector<std::size_t> metrics{};  // in SalvageReport::metrics; none: all metrics
};

struct SalvageReport {
  enum class Outcome : std::uint8_t {
    kWhole,    // all of it is in the new archive
    kSaved,    // what is not is in `losses`
    kNothing,  // there is no new archive
  };

  struct Kept {
    std::uint64_t records = 0;  // data records without the marks
    std::uint64_t marks = 0;    // that the broken archive had
    std::uint64_t value_sets = 0;
    std::uint64_t values = 0;
    std::uint64_t metadata = 0;  // metadata records
    std::uint64_t volumes = 0;
    std::uint64_t bytes = 0;           // of the files of the new archive
    std::optional<Timestamp> first{};  // data record
    std::optional<Timestamp> last{};
  };

  // Of what is known to be lost. What was in stretches of bytes nobody can count.
  struct Lost {
    std::uint64_t bytes = 0;  // in stretches
    std::uint64_t records = 0;
    std::uint64_t marks = 0;
    std::uint64_t value_sets = 0;
    std::uint64_t values = 0;
    std::uint64_t metadata = 0;
  };

  std::string in;
  std::string out;
  Outcome outcome = Outcome::kNothing;
  std::string why_nothing{};  // of kNothing: a sentence without a capital or full stop
  int version = 0;            // of both archives; 0 if no label could be read
  std::string label_from{};   // the file whose label the new archive has
  bool index_was_missing = false;
  std::uint64_t marks_written = 0;  // where records were lost, so that no reader interpolates
  Kept kept{};
  Lost lost{};
  std::vector<Loss> losses{};  // files and labels first, then .meta, then data in their order
  // What the losses mean for interpolation: spans of all metrics, ascending, then others.
  std::vector<AnswerSpan> answers{};
  std::vector<std::string> metrics{};  // "kernel.all.load (60.2.0)", those of `answers`
};
const char* ToText(SalvageReport::Outcome outcome);  // "whole", "saved", "nothing"

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SALVAGE_SALVAGE_REPORT_H_
