// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CUSTODY_ARCHIVE_WALK_H_
#define PMPROOF_VALIDATOR_CUSTODY_ARCHIVE_WALK_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reference/archive/file_set.h"
#include "reference/core/status.h"
#include "validator/custody/tree.h"

namespace pmproof::validator {

// An archive of a walk, and the listing of its directory.
struct WalkedArchive {
  std::string name;  // below the root: "host/20240101"
  std::shared_ptr<const archive::Listings> listings;
};

// Gives each archive that the arguments name (archives, any file of one, directories with all below
// them; relative to the root of `tree`) once, in the order of ComesBefore(). Memory is that of one
// directory, and of the directories on the way to it.
//
// `fail` is told of arguments that name nothing and of directories that cannot be read.
void WalkArchives(const Tree& tree, const std::vector<std::string>& arguments,
                  const std::function<void(WalkedArchive)>& visit,
                  const std::function<void(const Status&)>& fail);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CUSTODY_ARCHIVE_WALK_H_
