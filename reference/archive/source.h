// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_SOURCE_H_
#define PMPROOF_REFERENCE_ARCHIVE_SOURCE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "reference/archive/storage.h"
#include "reference/core/bytes.h"
#include "reference/core/lifetime.h"
#include "reference/core/status.h"

namespace pmproof::archive {

enum class Compression : std::uint8_t { kNone, kXz, kLzma, kBzip2, kGzip, kCompress, kZstd };

// The suffixes of ARC-033 in the order in which they are tried, with the dot.
struct CompressionSuffix {
  std::string_view suffix;
  Compression compression;
};
inline constexpr CompressionSuffix kCompressionSuffixes[] = {
    {".xz", Compression::kXz},      {".lzma", Compression::kLzma}, {".bz2", Compression::kBzip2},
    {".bz", Compression::kBzip2},   {".gz", Compression::kGzip},   {".Z", Compression::kCompress},
    {".z", Compression::kCompress}, {".zst", Compression::kZstd},
};

// What decompression may cost. Beyond it reading ends with Status::Kind::kBudget.
struct SourceLimits {
  std::size_t window = 32u << 20;      // the largest view that Window() gives for a compressed file
  std::size_t dictionary = 68u << 20;  // memory of a decoder (xz -9 wants 65 MiB)
  std::uint64_t expansion = 2000;      // uncompressed bytes for each compressed one, ...
  std::uint64_t expansion_base = 1u << 30;  // ... on top of these
};

// The uncompressed content of one file, read from front to back. A resource: not copied.
class Source {
 public:
  virtual ~Source() = default;

  // A view of the bytes from position() on: at least `size` of them, or all that remain. It holds
  // until the next call of Window; of a file that is not compressed it holds as long as the file
  // and shows all that remains, whatever `size` is.
  //
  // Errors, none of which hides bytes before it (a smaller view is still given): kDamaged with
  // ARC-1009 and PCP's code for content that does not decompress or is cut; kBudget for a view or a
  // total beyond the limits; kUnsupported. Their offset is in the uncompressed content.
  virtual Result<Bytes> Window(std::size_t size) PMPROOF_LIFETIME_BOUND = 0;

  // Moves on by `size` bytes, at most the size of the last view.
  virtual void Skip(std::size_t size) = 0;

  // Bytes skipped so far.
  virtual std::uint64_t position() const = 0;

  // The whole content where it is directly addressable (not compressed), else nothing. It holds as
  // long as the file.
  virtual std::optional<Bytes> mapped() const PMPROOF_LIFETIME_BOUND = 0;
};

// A new source. A temporary one gives no access to its source, whose views would end with it;
// compilers do not see through a plain std::unique_ptr.
class NewSource : public std::unique_ptr<Source> {
 public:
  using std::unique_ptr<Source>::unique_ptr;
  Source* operator->() const& { return get(); }
  Source& operator*() const& { return *get(); }
  Source* operator->() && = delete;
  Source& operator*() && = delete;
};

// `file` must outlive the source; `name` is used in errors. A suffix decides how a file is
// decompressed, not its content, as PCP's readers do (ARC-035), but for .Z and .z: gzip reads those
// as well, and what it once packed with them is nearly always gzip's own format. Old compress(1)
// and pack(1) content is kUnsupported.
//
// What follows the compressed data is judged as the decompressor of ARC-035 does: further members
// or frames are read, zero padding is ignored after .gz (and .xz in multiples of 4 bytes), anything
// is ignored after .bz2; all else is damage.
NewSource MakeSource(const StoredFile& file PMPROOF_LIFETIME_BOUND, std::string name,
                     Compression compression, const SourceLimits& limits = {});

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_SOURCE_H_
