// SPDX-License-Identifier: Apache-2.0
#include "validator/replay/open_archive.h"

#include <algorithm>

#include "reference/archive/file_set.h"

namespace pmproof::validator {

Result<std::unique_ptr<replay::ReplayArchive>> OpenForReplay(
    const archive::Storage& storage, const std::vector<std::string>& arguments,
    const archive::MemoryBudget& budget, PcpVersion version) {
  std::vector<std::string> single;
  for (const std::string& list : arguments) {
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t comma = std::min(list.find(',', begin), list.size());
      if (comma > begin) single.push_back(list.substr(begin, comma - begin));
      begin = comma + 1;
    }
  }
  const archive::ArchiveNames names = archive::ListArchives(storage, single, /*recursive=*/false);
  if (!names.errors.empty()) return tl::unexpected(names.errors.front());
  return replay::ReplayArchive::Open(storage, names.names, budget, version);
}

}  // namespace pmproof::validator
