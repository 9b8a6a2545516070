// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_LOSS_WATCH_H_
#define PMPROOF_REFERENCE_ARCHIVE_LOSS_WATCH_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/storage.h"
#include "reference/core/status.h"

namespace pmproof::archive {

// Another storage, and a watch over the files that are opened through it: whether one of them was
// cut short while it was read (StoredFile::lost). Whoever reads an archive through it asks when
// all is read, and gives no verdict if so: what was read may have been zeros. Opened files may
// outlive the watch. From any thread.
class LossWatch final : public Storage {
 public:
  // `storage` outlives this.
  explicit LossWatch(const Storage& storage);
  ~LossWatch() override;

  Result<std::vector<DirectoryEntry>> List(const std::string& path) const override;
  Result<DirectoryEntry::Kind> KindOf(const std::string& path) const override;
  Result<std::unique_ptr<StoredFile>> Open(const std::string& path) const override;

  // The first loss that was found, of files closed and open; asks the operating system about each
  // open file. Stays until Forget().
  std::optional<Status> loss() const;
  void Forget();

 private:
  class File;
  struct Record;
  const Storage& storage_;
  std::shared_ptr<Record> record_;
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_LOSS_WATCH_H_
