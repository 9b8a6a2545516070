// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TRIAGE_LISTED_STORAGE_H_
#define PMPROOF_VALIDATOR_TRIAGE_LISTED_STORAGE_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "reference/archive/storage.h"

namespace pmproof::validator {

// Another storage, of which each directory is listed once: for thousands of archives in one
// directory, listing it again for each would take quadratic time. Not for several threads.
class ListedStorage final : public archive::Storage {
 public:
  // `storage` outlives this.
  explicit ListedStorage(const archive::Storage& storage) : storage_(storage) {}

  Result<std::vector<archive::DirectoryEntry>> List(const std::string& path) const override {
    return Listed(path);
  }
  // The same without a copy.
  const Result<std::vector<archive::DirectoryEntry>>& Listed(const std::string& path) const {
    auto known = listings_.find(path);
    if (known == listings_.end()) known = listings_.emplace(path, storage_.List(path)).first;
    return known->second;
  }
  Result<archive::DirectoryEntry::Kind> KindOf(const std::string& path) const override {
    return storage_.KindOf(path);
  }
  Result<std::unique_ptr<archive::StoredFile>> Open(const std::string& path) const override {
    return storage_.Open(path);
  }

 private:
  const archive::Storage& storage_;
  mutable std::map<std::string, Result<std::vector<archive::DirectoryEntry>>> listings_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TRIAGE_LISTED_STORAGE_H_
