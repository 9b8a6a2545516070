// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_COPYING_SOURCE_H_
#define PMPROOF_REFERENCE_ARCHIVE_COPYING_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "reference/archive/source.h"

namespace pmproof::archive {

// A view of more bytes than this is one of the mapped file.
inline constexpr std::size_t kLargestCopy = std::size_t{252} << 10;

// Buffers of copying sources that are used again: new memory costs as much as to fill it. What was
// given back last is the next one, most likely in a cache. A resource: not copied. From any thread.
class CopyBuffers {
 public:
  struct Release {
    void operator()(std::uint8_t* bytes) const;
  };
  using Buffer = std::unique_ptr<std::uint8_t[], Release>;

  Buffer Take();
  void GiveBack(Buffer buffer);

 private:
  std::mutex mutex_;
  std::vector<Buffer> spare_;
};

// Which bytes of a file are looked at: from `begin` on, and few behind `end`.
struct CopiedPart {
  std::uint64_t begin = 0;
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
};

// The content of a file that is not compressed, for whoever looks at each byte once, from front to
// back: it is copied into a small buffer, a part at a time. That takes little more than half of the
// time of mapping the same pages and unmapping them, and what is looked at is in the cache then. A
// view holds until the next call of Window, and may show no more than was asked for. Skip may pass
// over any number of bytes. There are no errors: what is lost is zeros (StoredFile::Read). `file`
// outlives it, and so do `buffers`, which may be null. Several sources of one file may be read at a
// time, each by one thread.
NewSource MakeCopyingSource(const StoredFile& file PMPROOF_LIFETIME_BOUND, CopiedPart part = {},
                            CopyBuffers* buffers = nullptr);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_COPYING_SOURCE_H_
