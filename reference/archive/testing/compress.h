// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_TESTING_COMPRESS_H_
#define PMPROOF_REFERENCE_ARCHIVE_TESTING_COMPRESS_H_

#include <cstdint>
#include <vector>

#include "reference/archive/source.h"
#include "reference/core/bytes.h"

namespace pmproof::archive::testing {

// Compresses for tests, with the library that each format belongs to. kCompress gives gzip's
// format. Preset 9 of .xz and level 22 of .zst are the ones that need most memory to decompress.
std::vector<std::uint8_t> Compress(Bytes content, Compression compression, int level = 1);

}  // namespace pmproof::archive::testing

#endif  // PMPROOF_REFERENCE_ARCHIVE_TESTING_COMPRESS_H_
