// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_GUARDED_MAPPING_H_
#define PMPROOF_REFERENCE_ARCHIVE_GUARDED_MAPPING_H_

#include <cstddef>
#include <cstdint>
#include <optional>

namespace pmproof::archive {

// Says that [address, address + size) is a mapping of a file, from its construction to its
// destruction: what cannot be read of it is noted here. Any number of threads may read the mapping
// and ask. A resource: not copied.
class GuardedMapping {
 public:
  GuardedMapping(const void* address, std::size_t size);
  GuardedMapping(const GuardedMapping&) = delete;
  GuardedMapping& operator=(const GuardedMapping&) = delete;
  ~GuardedMapping();

  // The offset from which on bytes could not be read and are zeros now; a multiple of the page
  // size. Nothing: all bytes that were looked at are those of the file.
  std::optional<std::uint64_t> lost_from() const;

 private:
  friend void HandleLostPages();
  struct Slot;
  struct Registry;
  Slot* slot_;
};

// Handles SIGBUS, which the operating system raises where a mapped file was cut short by somebody
// else, or its device fails: from that page on the mapping is replaced by zeros, and reading goes
// on. Of memory that is not a GuardedMapping the signal ends the process, as without this. For the
// whole process: only a program calls it, once, before it starts threads.
void HandleLostPages();

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_GUARDED_MAPPING_H_
