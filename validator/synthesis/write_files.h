// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SYNTHESIS_WRITE_FILES_H_
#define PMPROOF_VALIDATOR_SYNTHESIS_WRITE_FILES_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/encode.h"
#include "reference/archive/output_storage.h"
#include "reference/core/status.h"

namespace pmproof::validator {

// What is written, by name in one directory: archives that are damaged on purpose have files of odd
// names, and directories where files should be (ARC-1011, ARC-1016).
struct NamedFiles {
  std::map<std::string, archive::Buffer> files;
  std::vector<std::string> directories;
};

// Writes the files into the directory of `path`, "DIRECTORY/BASE": all of them and BASE.meta last,
// or after an error none. The files `replaced` are removed; any other that is in the way is an
// error. Directories that are there already stay as they are.
std::optional<Status> WriteFiles(archive::OutputStorage& storage, const std::string& path,
                                 const NamedFiles& named, const std::vector<std::string>& replaced);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SYNTHESIS_WRITE_FILES_H_
