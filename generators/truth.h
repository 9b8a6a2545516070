// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_TRUTH_H_
#define PMPROOF_GENERATORS_TRUTH_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/layout.h"
#include "reference/archive/model.h"
#include "reference/archive/output_storage.h"
#include "reference/archive/source.h"
#include "reference/core/status.h"

// What is in a generated archive, said without any reader of ours: the models as JSON
// (pmproof-truth/1, generators/schema/truth.schema.json), so that readers in any language can be
// tested against it. One document, in which each entry of the log is one line; all strings are
// ASCII, with escapes.

namespace pmproof::generators {

struct TruthHead {
  archive::LabelModel label;  // of the whole archive, with its start; the volume means nothing
  archive::Compression compression = archive::Compression::kNone;
  // How the archive was made: names and values, in this order.
  std::vector<std::pair<std::string, std::string>> recipe;
  // The rules that it breaks on purpose: "ARC-1706", ...; nothing where they are not known.
  std::optional<std::vector<std::string>> violates = std::vector<std::string>{};
};

// Writes the truth while the archive is being written: records are taken in the order of their
// file, metadata before the result they come with. Memory: a buffer, the type of each metric, and
// each instance domain as it is in force. A resource: not copied.
class TruthWriter {
 public:
  // `file` outlives this.
  TruthWriter(const TruthHead& head, archive::OutputFile& file);
  TruthWriter(const TruthWriter&) = delete;
  TruthWriter& operator=(const TruthWriter&) = delete;
  ~TruthWriter();

  // Each gives what `file` says if it cannot be written (of the head as well); then nothing more
  // is.
  std::optional<Status> Take(const archive::MetaRecordModel& record);
  std::optional<Status> Take(const archive::ResultModel& result, archive::Part volume);

  // Writes the counts and the end of the document, and closes the file. Called once, last: a
  // document without it is incomplete, and no JSON.
  std::optional<Status> Finish();

 private:
  class Document;
  std::unique_ptr<Document> document_;
};

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_TRUTH_H_
