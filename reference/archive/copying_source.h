// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_COPYING_SOURCE_H_
#define PMPROOF_REFERENCE_ARCHIVE_COPYING_SOURCE_H_

#include <cstddef>

#include "reference/archive/source.h"

namespace pmproof::archive {

// A view of more bytes than this is one of the mapped file.
inline constexpr std::size_t kLargestCopy = std::size_t{252} << 10;

// The content of a file that is not compressed, for whoever looks at each byte once, from front to
// back: it is copied into a small buffer, a part at a time. That takes little more than half of the
// time of mapping the same pages and unmapping them, and what is looked at is in the cache then. A
// view holds until the next call of Window, and may show no more than was asked for. There are no
// errors: what is lost is zeros (StoredFile::Read). `file` outlives it.
NewSource MakeCopyingSource(const StoredFile& file PMPROOF_LIFETIME_BOUND);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_COPYING_SOURCE_H_
