// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SALVAGE_RESYNC_READER_H_
#define PMPROOF_VALIDATOR_SALVAGE_RESYNC_READER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "reference/archive/layout.h"
#include "reference/archive/reporter.h"
#include "reference/archive/source.h"
#include "reference/core/status.h"

namespace pmproof::validator {

// A stretch of a file that is in no record, and the rule that is broken where it begins.
struct DamagedStretch {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;  // 0: what follows cannot be decompressed, nobody knows how much
  Clause clause;
  std::string message;
};

// Walks the framed records of a .meta file or a data volume from front to back, and goes on after
// damage. A record is what has two equal length words (ARC-080) at its ends; nothing is guessed
// from one of them. Where there is none, the bytes are searched one by one for the next record that
// has both and that `accept` takes for a record of this file. Time is linear in the file: what is
// looked at more closely and refused is limited to a multiple of the bytes; a file that was made to
// exceed that is not searched any further, and the rest of it is one stretch.
class ResyncReader {
 public:
  // Says whether the framed bytes are a record of the file. `followed`: a framed record or the end
  // of the file comes right after them.
  using Accept = std::function<bool(const archive::RecordView& record, bool followed)>;
  using Item = std::variant<archive::RecordView, DamagedStretch>;

  // `source` stands after the label, or at 0 if there is none that can be read, and outlives this.
  // `window` is the largest view that it gives.
  ResyncReader(archive::Source& source, archive::Part part, int version, std::size_t window,
               Accept accept)
      : source_(source),
        part_(part),
        version_(version),
        window_(window),
        accept_(std::move(accept)) {}

  // The file does not begin with a label that can be read, for that reason: its beginning is a
  // damaged stretch. Called first, if at all.
  void BeginDamaged(Clause clause, std::string message);

  // The next record or stretch; nothing at the end. A record's view holds until the next call.
  // Errors: those of the source that are not damage, and kBudget for a record of a compressed file
  // that is larger than the window.
  Result<std::optional<Item>> Next();

 private:
  struct Diagnosis {
    Clause clause;
    std::string message;
  };

  Bytes View(std::size_t size);
  bool Framed(Bytes view, std::size_t at) const;
  Diagnosis Diagnose(Bytes view) const;
  DamagedStretch Search(Diagnosis diagnosis, std::size_t at);
  bool IsRecord(Bytes view, std::size_t at, bool ended);
  void SkipAll();
  archive::RecordView Give(Bytes view, std::size_t length);

  archive::Source& source_;
  archive::Part part_;
  int version_;
  std::size_t window_;
  Accept accept_;
  std::optional<Diagnosis> label_;  // of a label that cannot be read, until it was told
  bool skip_ = false;               // last_ is still to be passed over
  std::size_t last_ = 0;            // the length of the record given last
  std::uint64_t ordinal_ = 1;
  std::uint64_t refused_ = 0;     // bytes that were looked at closely and refused
  std::optional<Status> damage_;  // where decompression ended
  bool ended_ = false;            // that was told
  std::optional<Status> error_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SALVAGE_RESYNC_READER_H_
