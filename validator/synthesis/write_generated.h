// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SYNTHESIS_WRITE_GENERATED_H_
#define PMPROOF_VALIDATOR_SYNTHESIS_WRITE_GENERATED_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "generators/generate.h"
#include "reference/archive/output_storage.h"
#include "reference/archive/source.h"
#include "reference/core/status.h"

namespace pmproof::validator {

// OUT, or OUT-1, OUT-2, ... where a recipe stands for several archives.
std::vector<std::string> GeneratedNames(const std::string& out, std::uint64_t archives);

// The file that says what is in an archive.
std::string TruthName(const std::string& archive);

struct WriteGeneratedOptions {
  archive::Compression compression = archive::Compression::kNone;
  bool truth = true;
  std::vector<std::string> replaced;  // files that are removed when the new ones are complete
  std::function<void(std::uint64_t bytes)> progress;  // more bytes of data records are written
  std::function<void()> archive_done;
  std::function<bool()> stop;  // asked now and then
};

struct Generated {
  std::uint64_t results = 0;  // data records, marks too
  std::uint64_t marks = 0;
  std::uint64_t bytes = 0;  // of data records
};

// Writes the archives and their truth files: all of them, or after an error none. Errors: those of
// the storage (kUnreadable), of the writer and of the generation (kUsage); kBudget if `stop` says
// so.
Result<Generated> WriteGenerated(generators::Generation& generation,
                                 archive::OutputStorage& storage, const std::string& out,
                                 const WriteGeneratedOptions& options);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SYNTHESIS_WRITE_GENERATED_H_
