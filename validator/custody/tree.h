// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CUSTODY_TREE_H_
#define PMPROOF_VALIDATOR_CUSTODY_TREE_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reference/archive/storage.h"

namespace pmproof::validator {

// What changes whenever somebody writes to a file or puts another in its place, as far as the
// operating system tells: device, inode, size, the times of the last change of its content and of
// its inode. Empty if nothing is known.
std::string StampOf(const std::string& path);

// The storage below a root directory. All paths, in errors too, are relative to that: "." is the
// root itself. So a certificate says nothing of where the tree lay, and moves with it.
class Tree final : public archive::Storage {
 public:
  using Stamp = std::function<std::string(const std::string& path)>;

  // `storage` outlives this; `stamp` takes its paths.
  Tree(const archive::Storage& storage, std::string root, Stamp stamp = StampOf);

  Result<std::vector<archive::DirectoryEntry>> List(const std::string& path) const override;
  Result<archive::DirectoryEntry::Kind> KindOf(const std::string& path) const override;
  Result<std::unique_ptr<archive::StoredFile>> Open(const std::string& path) const override;

  std::string StampOfFile(const std::string& path) const { return stamp_(Below(path)); }
  const std::string& root() const { return root_; }

 private:
  std::string Below(const std::string& path) const;

  const archive::Storage& storage_;
  std::string root_;
  Stamp stamp_;
};

// Whether `path` is relative, has no empty part and none of "." and "..", and no NUL: whatever it
// names is below the root. "." itself is not such a path.
bool StaysBelow(std::string_view path);

// Whether archive or directory `a` comes before `b` in the order of a certificate: that of a walk
// in which the archives of a directory come first, by their names as bytes, and then the
// directories below it, by theirs.
bool ComesBefore(std::string_view a, std::string_view b);

// "a/b" of "a/b/c", "." of "c".
std::string DirectoryOf(std::string_view path);
std::string NameIn(std::string_view path);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CUSTODY_TREE_H_
