// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SALVAGE_STAGED_ARCHIVE_H_
#define PMPROOF_VALIDATOR_SALVAGE_STAGED_ARCHIVE_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/output_storage.h"
#include "reference/archive/storage.h"

namespace pmproof::validator {

// Another output storage, which remembers what was created last: the temporary name of a file
// that has its own name only later.
class NamedOutput final : public archive::OutputStorage {
 public:
  // `output` outlives this.
  explicit NamedOutput(archive::OutputStorage& output) : output_(output) {}

  const std::string& created() const { return created_; }

  Result<std::unique_ptr<archive::OutputFile>> Create(const std::string& path) override;
  std::optional<Status> Rename(const std::string& from, const std::string& to) override;
  std::optional<Status> Replace(const std::string& from, const std::string& to) override;
  std::optional<Status> Remove(const std::string& path) override;

 private:
  archive::OutputStorage& output_;
  std::string created_;
};

// A storage that shows files under the names that they will have: an archive can be checked before
// it is published. There is nothing else in it.
class StagedArchive final : public archive::Storage {
 public:
  // `names`: the path that each file will have, and its path in `storage`, which outlives this. All
  // of them lie in `directory`.
  StagedArchive(const archive::Storage& storage, std::string directory,
                std::map<std::string, std::string> names)
      : storage_(storage), directory_(std::move(directory)), names_(std::move(names)) {}

  Result<std::vector<archive::DirectoryEntry>> List(const std::string& path) const override;
  Result<archive::DirectoryEntry::Kind> KindOf(const std::string& path) const override;
  Result<std::unique_ptr<archive::StoredFile>> Open(const std::string& path) const override;

 private:
  const archive::Storage& storage_;
  std::string directory_;
  std::map<std::string, std::string> names_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SALVAGE_STAGED_ARCHIVE_H_
