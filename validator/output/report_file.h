// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_OUTPUT_REPORT_FILE_H_
#define PMPROOF_VALIDATOR_OUTPUT_REPORT_FILE_H_

#include <functional>
#include <optional>
#include <ostream>
#include <string>

#include "reference/archive/output_storage.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"

// Reports that people name with --output.

namespace pmproof::validator {

// Returns why no report can be written to `path`, or "". Asked before the work is done; changes
// nothing. What begins as a PCP label does is never written over, nor is a file made that would be
// part of an archive that is there (ARC-039); any other file only with `force`.
std::string RefuseReport(const archive::Storage& storage, const std::string& path, bool force);

// Writes what `render` writes into the file of that name, all of it or, after an error, nothing: it
// is written beside it and takes its name at the end. Devices and pipes are written as they are.
// `output` is where regular files are.
std::optional<Status> WriteReport(archive::OutputStorage& output, const std::string& path,
                                  const std::function<void(std::ostream&)>& render);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_OUTPUT_REPORT_FILE_H_
