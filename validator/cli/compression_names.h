// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_COMPRESSION_NAMES_H_
#define PMPROOF_VALIDATOR_CLI_COMPRESSION_NAMES_H_

#include <vector>

#include "reference/archive/source.h"
#include "validator/cli/options.h"

namespace pmproof::validator {

// What --compress takes.
inline std::vector<NamedValue<archive::Compression>> CompressionNames() {
  return {{"none", archive::Compression::kNone},
          {"xz", archive::Compression::kXz},
          {"gz", archive::Compression::kGzip},
          {"bz2", archive::Compression::kBzip2},
          {"zstd", archive::Compression::kZstd}};
}

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_COMPRESSION_NAMES_H_
